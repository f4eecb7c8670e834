//! Escapes text for HTML and XML.

pub fn escape(text: &str) -> String {
    let mut out = String::new();
    text.chars().for_each(|c| push_escaped(&mut out, c));
    out
}

fn push_escaped(out: &mut String, c: char) {
    match c {
        '<' => out.push_str("&lt;"),
        '>' => out.push_str("&gt;"),
        '&' => out.push_str("&amp;"),
        '"' => out.push_str("&quot;"),
        '\'' => out.push_str("&#39;"),
        c => out.push(c),
    }
}

#[cfg(test)]
mod tests {
    use super::escape;

    #[test]
    fn nothing_that_is_shown_can_be_markup() {
        assert_eq!(escape("</pre><script>'a' & \"b\""), "&lt;/pre&gt;&lt;script&gt;&#39;a&#39; &amp; &quot;b&quot;");
    }
}
