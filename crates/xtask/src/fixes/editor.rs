//! The editor's former actions for missing permission, before `echis fix`: an `unfold` of an instance in the member's
//! contract, before the failing line; an `unfolding` around a function's body; `acc` as a precondition.

use serde_json::Value;

/// Maximum number of edited texts for one error.
const MOST_TRIED: usize = 8;

/// The texts that these actions would try for the first permission error.
pub fn candidates(text: &str, file: &Value) -> Vec<String> {
    let errors = file["errors"].as_array().map_or(&[][..], Vec::as_slice);
    let is_about_permission =
        |error: &&Value| error["id"].as_str().is_some_and(|id| id.ends_with(":insufficient.permission"));
    let Some(error) = errors.iter().find(is_about_permission) else { return Vec::new() };
    let at = || {
        let line = usize::try_from(error["position"]["line"].as_u64()?).ok()?.checked_sub(1)?;
        Some(text.split_inclusive('\n').take(line).map(str::len).sum::<usize>())
    };
    let message = error["message"].as_str().unwrap_or_default();
    at().map_or_else(Vec::new, |at| tried(text, at, message))
}

fn tried(text: &str, line: usize, message: &str) -> Vec<String> {
    let starts = |word: &str| text[..line].rfind(&format!("\n{word} ")).map(|at| (at + 1, word == "function"));
    let Some((start, is_function)) = starts("method").max(starts("function")) else { return Vec::new() };
    let Some(body) = text[start..].find('{').map(|at| start + at) else { return Vec::new() };
    let mut found = Vec::new();
    for instance in instances(text, &text[start..body]) {
        let end = text[body..].find("\n}").map(|at| body + at);
        match end.filter(|_| is_function) {
            Some(end) => found.push(format!(
                "{} unfolding {instance} in ({}) {}",
                &text[..=body],
                text[body + 1..end].trim(),
                &text[end..]
            )),
            None if line > body => found.push(format!("{}unfold {instance}\n{}", &text[..line], &text[line..])),
            None => {}
        }
    }
    if let Some((_, rest)) = message.split_once("insufficient permission to access ") {
        let location = rest.split(". ").next().unwrap_or(rest).trim_end_matches('.');
        let location = location.split(" (").next().unwrap_or(location);
        found.push(format!("{}requires acc({location})\n{}", &text[..body], &text[body..]));
    }
    found.truncate(MOST_TRIED);
    found
}

/// The predicate instances in a contract.
fn instances<'a>(text: &str, contract: &'a str) -> Vec<&'a str> {
    let mut found: Vec<&str> = Vec::new();
    for name in super::seed::predicates(text) {
        for (at, _) in contract.match_indices(&format!("{name}(")) {
            let Some(end) = contract[at..].find(')') else { continue };
            let instance = &contract[at..=at + end];
            if !found.contains(&instance) {
                found.push(instance);
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn instances_of_the_contract_are_unfolded() {
        let text =
            "field f: Int\npredicate P(x: Ref) { acc(x.f) }\nmethod m(x: Ref)\n  requires P(x)\n{\n  x.f := 1\n}\n";
        let line = text.find("  x.f").expect("it is there");
        let found = tried(text, line, "There might be insufficient permission to access x.f.");
        assert_eq!(found.len(), 2);
        assert!(found[0].contains("{\nunfold P(x)\n  x.f := 1"));
        assert!(found[1].contains("requires P(x)\nrequires acc(x.f)\n{"));
    }
}
