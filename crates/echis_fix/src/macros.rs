//! Expands macros textually, into conjuncts.

use crate::text::{closed, one_line, renamed};

/// The conjuncts of a macro application's expansion; other text is returned unchanged.
pub(crate) fn expanded(text: &str, application: &str) -> Vec<String> {
    let Some((name, rest)) = application.split_once('(') else { return vec![application.to_string()] };
    let definition = |(params, body): (Vec<&str>, &str)| {
        let args: Vec<&str> = rest.strip_suffix(')')?.split(',').map(str::trim).collect();
        let simple = args.len() == params.len() && !args.iter().any(|arg| arg.contains(['(', '[']));
        // Via fresh names, since an argument may have the same name as another parameter.
        let hidden = |text: String, (number, param): (usize, &&str)| renamed(&text, param, &format!("macro${number}$"));
        let body = params.iter().enumerate().fold(one_line(body), hidden);
        let shown = |text: String, (number, arg): (usize, &&str)| renamed(&text, &format!("macro${number}$"), arg);
        simple.then(|| conjuncts(&args.iter().enumerate().fold(body, shown)))
    };
    defined(text, name.trim()).and_then(definition).unwrap_or_else(|| vec![application.to_string()])
}

/// The parameters of a macro, and its body without parentheses.
fn defined<'t>(text: &'t str, name: &str) -> Option<(Vec<&'t str>, &'t str)> {
    let at = text.find(&format!("define {name}("))?;
    let rest = &text[at + "define ".len() + name.len() + 1..];
    let (params, behind) = rest.split_once(')')?;
    let body = behind.trim_start().strip_prefix('(')?;
    Some((params.split(',').map(str::trim).collect(), &body[..closed(body)?]))
}

/// The conjuncts of a text; quantifiers and implications are not split.
pub(crate) fn conjuncts(text: &str) -> Vec<String> {
    let (mut depth, mut start, mut found) = (0i32, 0, Vec::new());
    for (at, c) in text.char_indices() {
        match c {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth -= 1,
            _ if depth > 0 => {}
            '&' if text[at..].starts_with("&&") => {
                found.push(text[start..at].trim().to_string());
                start = at + 2;
            }
            _ if ["==>", "||", "forall ", "exists ", "? "].iter().any(|word| text[at..].starts_with(word)) => {
                return vec![text.to_string()];
            }
            _ => {}
        }
    }
    found.push(text[start..].trim().to_string());
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn applications_are_replaced_by_what_they_stand_for() {
        let text = "define root(r, n) (r * r <= n && n < (r + 1) * (r + 1))\n";
        assert_eq!(expanded(text, "root(n, k)"), ["n * n <= k", "k < (n + 1) * (n + 1)"]);
        assert_eq!(expanded(text, "other(n)"), ["other(n)"]);
        assert_eq!(
            expanded("define all(s) (forall i: Int :: i > 0 && i < s)", "all(t)"),
            ["forall i: Int :: i > 0 && i < t"]
        );
    }
}
