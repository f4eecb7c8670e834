//! The declarations of a text, found by its tokens, so that an outline exists even if the text does not parse.

use crate::text::{Language, Text};

/// The declaration of a member.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Declared {
    /// Token indices: the keyword, the name, the last token.
    pub keyword: usize,
    pub name: usize,
    pub last: usize,
    /// The opening brace of the body, if there is one.
    pub body: Option<usize>,
}

const VIPER: &[&str] = &["method", "function", "predicate", "field", "domain", "adt", "define"];
const BOOGIE: &[&str] = &["procedure", "implementation", "function", "const", "var", "type"];

pub(crate) fn members(text: &Text) -> Vec<Declared> {
    let mut members: Vec<Declared> = Vec::new();
    let mut depth = 0usize;
    let keywords = match text.language {
        Language::Viper => VIPER,
        Language::Boogie => BOOGIE,
    };
    for (index, word) in text.words.iter().enumerate() {
        let said = text.word(word);
        let starts = depth == 0 && word.is_name && keywords.contains(&said);
        let name = Some(behind_attributes(text, index + 1));
        if let Some(name) = name.filter(|name| starts && text.words.get(*name).is_some_and(|word| word.is_name)) {
            members.push(Declared { keyword: index, name, last: name, body: None });
        }
        match said {
            "{" => {
                if let Some(member) = members.last_mut().filter(|member| depth == 0 && member.name < index) {
                    member.body.get_or_insert(index);
                }
                depth += 1;
            }
            "}" => depth = depth.saturating_sub(1),
            _ => {}
        }
        if let Some(member) = members.last_mut() {
            member.last = index;
        }
    }
    members
}

/// The first token after Boogie attributes such as `{:inline 1}`.
fn behind_attributes(text: &Text, mut index: usize) -> usize {
    while text.said(index) == Some("{") && text.said(index + 1) == Some(":") {
        let closing = (index..text.words.len()).find(|index| text.said(*index) == Some("}"));
        index = closing.map_or(text.words.len(), |closing| closing + 1);
    }
    index
}

impl Declared {
    pub fn keyword<'a>(&self, text: &'a Text) -> &'a str {
        text.word(&text.words[self.keyword])
    }
    pub fn name<'a>(&self, text: &'a Text) -> &'a str {
        text.word(&text.words[self.name])
    }
    pub fn contains(&self, word: usize) -> bool {
        (self.keyword..=self.last).contains(&word)
    }
}

/// Something that can be called: a member or a domain function.
pub(crate) struct Callable {
    pub keyword: usize,
    pub name: usize,
    /// The first and last token of each parameter.
    pub parameters: Vec<(usize, usize)>,
    /// The last token of the signature.
    pub last: usize,
}

/// All declarations with parameters.
pub(crate) fn callables(text: &Text) -> Vec<Callable> {
    let declares = |index: &usize| matches!(text.said(*index), Some("method" | "function" | "predicate" | "define"));
    let callable = |keyword: usize| {
        let name = Some(keyword + 1).filter(|name| text.words.get(*name).is_some_and(|word| word.is_name))?;
        let (parameters, mut last) = arguments(text, name)?;
        if text.said(last + 1) == Some("returns") && text.said(last + 2) == Some("(") {
            last = arguments(text, last + 1)?.1;
        } else if text.said(last + 1) == Some(":") {
            last += 2;
            if text.said(last + 1) == Some("[") {
                last = (last..text.words.len()).find(|index| text.said(*index) == Some("]"))?;
            }
        }
        Some(Callable { keyword, name, parameters, last: last.min(text.words.len() - 1) })
    };
    (0..text.words.len()).filter(declares).filter_map(callable).collect()
}

/// The token ranges of the arguments after a name, and the closing parenthesis or the end of the text.
pub(crate) fn arguments(text: &Text, name: usize) -> Option<(Vec<(usize, usize)>, usize)> {
    if text.said(name + 1) != Some("(") {
        return None;
    }
    let (mut found, mut depth, mut first) = (Vec::new(), 0usize, name + 2);
    for index in name + 1..text.words.len() {
        let said = text.word(&text.words[index]);
        match said {
            "(" | "[" | "{" => depth += 1,
            ")" | "]" | "}" => depth = depth.saturating_sub(1),
            _ => {}
        }
        let ends = depth == 0;
        if (ends || depth == 1 && said == ",") && first < index {
            found.push((first, index - 1));
            first = index + 1;
        }
        if ends {
            return Some((found, index));
        }
    }
    Some((found, text.words.len() - 1))
}

/// All occurrences of a name, declaration first: a member's in the whole text, any other name's in its member.
pub(crate) fn places(text: &Text, name: usize) -> Vec<usize> {
    let said = text.word(&text.words[name]);
    let is_it = |index: &usize| text.words[*index].is_name && text.word(&text.words[*index]) == said;
    if let Some(declared) = global(text, said) {
        let others = (0..text.words.len()).filter(is_it).filter(|index| *index != declared);
        return std::iter::once(declared).chain(others).collect();
    }
    let members = members(text);
    let around = members.iter().find(|member| (member.keyword..=member.last).contains(&name));
    let (from, to) = around.map_or((0, text.words.len()), |member| (member.keyword, member.last + 1));
    (from..to).filter(is_it).collect()
}

/// The declaration of a name that is visible in the whole program: of a member, or in a domain.
pub(crate) fn global(text: &Text, said: &str) -> Option<usize> {
    let members = members(text);
    let is_it = |index: &usize| text.words[*index].is_name && text.word(&text.words[*index]) == said;
    if let Some(member) = members.iter().find(|member| is_it(&member.name)) {
        return Some(member.name);
    }
    let is_domain = |member: &&Declared| matches!(text.word(&text.words[member.keyword]), "domain" | "adt");
    let declares = |member: &Declared| {
        let after = |index: &usize| {
            let next = text.words.get(index + 1).map(|word| text.word(word));
            let before = index.checked_sub(1).map(|before| text.word(&text.words[before]));
            before == Some("function") || (text.word(&text.words[member.keyword]) == "adt" && next == Some("("))
        };
        (member.name + 1..=member.last).find(|index| is_it(index) && after(index))
    };
    members.iter().filter(is_domain).find_map(declares)
}

/// The source text of a name's declaration: a member without its body, or a variable with its type.
pub(crate) fn declaration(text: &Text, name: usize) -> Option<String> {
    let first = *places(text, name).first()?;
    let member = members(text).into_iter().find(|member| member.name == first);
    let (start, end) = match member {
        Some(member) => {
            let is_short = text.word(&text.words[member.keyword]) == "predicate";
            let end = match member.body.filter(|_| !is_short) {
                Some(body) => text.words[body].start,
                None => text.words[member.last].end,
            };
            (text.words[member.keyword].start, end)
        }
        None => {
            let stops = |index: &usize| matches!(text.word(&text.words[*index]), "," | ")" | ";" | "{" | "}");
            let line_end = text.text[text.words[first].end..].find('\n').map(|at| text.words[first].end + at);
            let stop = (first + 1..text.words.len()).find(stops).map(|index| text.words[index].start);
            let ends = [stop, line_end].into_iter().flatten().min();
            (text.words[first].start, ends.unwrap_or(text.text.len()))
        }
    };
    Some(text.text.get(start..end)?.trim_end().to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    const PROGRAM: &str =
        "field f: Int\nmethod m(x: Ref) requires acc(x.f)\n{ var y: Int := x.f }\nmethod n(x: Int) { m(null) ";

    fn at(text: &Text, said: &str, nth: usize) -> usize {
        let found = text.words.iter().enumerate().filter(|(_, word)| text.word(word) == said);
        found.map(|(index, _)| index).nth(nth).expect("it is there")
    }

    #[test]
    fn procedures_of_boogie_are_members() {
        let program = "var g: int;\nprocedure {:inline 1} p(x: int);\nimplementation p(x: int) { call q(); ";
        let text = Text::of("a.bpl", program);
        let found: Vec<(&str, bool)> =
            members(&text).iter().map(|member| (member.name(&text), member.body.is_some())).collect();
        assert_eq!(found, [("g", false), ("p", false), ("p", true)]);
        assert!(members(&Text::new(program)).is_empty());
    }

    #[test]
    fn names_are_found_in_texts_that_are_no_program() {
        let text = Text::new(PROGRAM);
        let names: Vec<&str> = members(&text).iter().map(|member| text.word(&text.words[member.name])).collect();
        assert_eq!(names, ["f", "m", "n"]);
        let places = |said, nth| places(&text, at(&text, said, nth)).len();
        assert_eq!((places("x", 0), places("m", 1), places("f", 1)), (3, 2, 3));
        let declaration = |said, nth| declaration(&text, at(&text, said, nth)).expect("it is declared");
        assert_eq!(declaration("x", 1), "x: Ref");
        assert_eq!(declaration("m", 1), "method m(x: Ref) requires acc(x.f)");
        assert_eq!(declaration("y", 0), "y: Int := x.f");
    }
}
