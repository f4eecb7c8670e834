//! Expands macros textually, into conjuncts.

use crate::text::{arguments, closed, one_line, parenthesized, renamed};

/// The conjuncts of a macro application's expansion; other text is returned unchanged.
pub(crate) fn expanded(text: &str, application: &str) -> Vec<String> {
    let Some((name, rest)) = application.split_once('(') else { return vec![application.to_string()] };
    let definition = |(params, body): (Vec<&str>, &str)| {
        put(&params, rest, body).filter(|_| !body.is_empty()).map(|text| conjuncts(&text))
    };
    defined(text, name.trim()).and_then(definition).unwrap_or_else(|| vec![application.to_string()])
}

/// The part of a use of a macro that an error is about, in terms of the use: `P(y)` where the reason speaks of
/// "P(x) (in m(y))", if `x` is the parameter.
pub(crate) fn meant(text: &str, usage: &str, reason: &str) -> Option<String> {
    let (before, _) = reason.split_once(&format!(" (in {usage})"))?;
    let starts = ["to access ", "Assertion "].into_iter().filter_map(|start| before.split_once(start));
    let part = starts.map(|(_, part)| part).next()?;
    let Some((name, rest)) = usage.split_once('(') else { return Some(part.to_string()) };
    let Some((params, _)) = defined(text, name.trim()) else { return Some(part.to_string()) };
    put(&params, rest, part)
}

/// Arguments, up to the closing parenthesis, in the place of parameters.
fn put(params: &[&str], args: &str, body: &str) -> Option<String> {
    let args = arguments(args).filter(|args| args.len() == params.len())?;
    // Via fresh names, since an argument may have the same name as another parameter.
    let hidden = |text: String, (number, param): (usize, &&str)| renamed(&text, param, &format!("macro${number}$"));
    let body = params.iter().enumerate().fold(one_line(body), hidden);
    let shown = |text: String, (number, arg): (usize, &String)| {
        renamed(&text, &format!("macro${number}$"), &parenthesized(arg))
    };
    Some(args.iter().enumerate().fold(body, shown))
}

/// The parameters of a macro, and its body without parentheses; of a body without any, only the parameters.
fn defined<'t>(text: &'t str, name: &str) -> Option<(Vec<&'t str>, &'t str)> {
    let at = text.find(&format!("define {name}("))?;
    let rest = &text[at + "define ".len() + name.len() + 1..];
    let (params, behind) = rest.split_once(')')?;
    let body = behind.trim_start().strip_prefix('(').and_then(|body| Some(&body[..closed(body)?]));
    Some((params.split(',').map(str::trim).collect(), body.unwrap_or_default()))
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
    fn parts_of_macros_are_in_terms_of_the_use() {
        let text = "define cells(s, n) forall i: Int :: i < n ==> s[i].f > 0\n";
        let reason = "There might be insufficient permission to access s[i].f (in cells(t, k)).";
        assert_eq!(meant(text, "cells(t, k)", reason).as_deref(), Some("t[i].f"));
        assert_eq!(meant(text, "t[i].f", "There might be insufficient permission to access t[i].f."), None);
    }

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
