//! The members that an edit can affect: those that see the edited declaration.

use echis_base::{Edit, FileId, Name, SyntaxId};
use echis_program::program::{Method, Program};
use echis_program::reach::{Declaration, Member, Reach, Reaches};
use std::collections::BTreeSet;
use std::sync::OnceLock;

pub(crate) type Names = BTreeSet<Name>;

pub(crate) struct Touched<'a> {
    program: &'a Program,
    main: FileId,
    /// The length of the text. No member sees text added after it.
    length: usize,
    /// The declarations that each member sees, computed on first use.
    reaches: OnceLock<Vec<(Member, Reach)>>,
}

impl<'a> Touched<'a> {
    pub fn new(program: &'a Program, main: FileId, length: usize) -> Self {
        Touched { program, main, length, reaches: OnceLock::new() }
    }
    /// The members that the edits can affect; `None` means all.
    pub fn by(&self, edits: &[Edit]) -> Option<Names> {
        // The shapes of wands under quantifiers matter everywhere.
        if self.reaches().iter().any(|(_, reach)| reach.quantified_wands) {
            return None;
        }
        let mut names = Names::new();
        for edit in edits.iter().filter(|edit| edit.start < self.length) {
            match self.around(edit.start)? {
                Declaration::Member(Member::Method(id)) if self.is_in_body(edit, &self.program.methods[id]) => {
                    names.insert(self.program.methods[id].name.clone());
                }
                declaration => names.extend(self.seeing(declaration)),
            }
        }
        Some(names)
    }
    fn seeing(&self, declaration: Declaration) -> impl Iterator<Item = Name> {
        let members = self.reaches().iter().filter(move |(_, reach)| reach.sees(declaration));
        members.map(|(member, _)| member.name(self.program).clone())
    }
    fn reaches(&self) -> &[(Member, Reach)] {
        self.reaches.get_or_init(|| {
            let reaches = Reaches::new(self.program);
            Member::all(self.program).map(|member| (member, reaches.of(member))).collect()
        })
    }
    /// The declaration that contains a place.
    fn around(&self, place: usize) -> Option<Declaration> {
        let holds = |declaration: &Declaration| {
            let span = self.program.syntax.span(declaration.id(self.program));
            span.file == self.main && (span.start as usize..span.end as usize).contains(&place)
        };
        let mut all = Declaration::all(self.program).filter(holds);
        let found = all.next();
        // An extension may generate several things from one text.
        found.filter(|_| all.next().is_none())
    }
    /// Whether an edit is not before the first statement of a method. Callers may see everything before it.
    fn is_in_body(&self, edit: &Edit, method: &Method) -> bool {
        let first = method.body.as_ref().and_then(|body| body.stmts.first());
        let span = |id: SyntaxId| self.program.syntax.span(id);
        let first = first.map(|stmt| span(stmt.id)).filter(|first| span(method.id).contains(*first));
        edit.start >= first.map_or(span(method.id).end, |first| first.start) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::checked::Checked;
    use crate::source::Source;

    const PROGRAM: &str = "\
domain D {
  function weight(n: Int): Int
  axiom heavy { forall n: Int :: {weight(n)} weight(n) > 0 }
}
function low(n: Int): Int
  requires n > 0
{ n }
function high(n: Int): Int
  requires n > 1
{ low(n) }
predicate p(x: Int) { low(7) == x }
method far(a: Int)
  requires a == 5
{ assert high(7) > 0 }
method near(a: Int)
{ far(5)
  assert weight(a) > 0 }
method apart(a: Int)
{ assert a == a }
";

    fn touched(part: &str) -> Option<String> {
        let checked = Checked::new(Source::text("a.vpr", PROGRAM));
        let program = checked.viper().expect("the program is valid");
        let main = checked.sources().files().next().expect("there is a file").0;
        let start = PROGRAM.find(part).expect("the part stands there");
        let edit = Edit::replace(start, start + part.len(), "");
        let names = Touched::new(program, main, PROGRAM.len()).by(&[edit])?;
        Some(names.iter().map(|name| &**name).collect::<Vec<_>>().join(" "))
    }

    /// Visibility is transitive.
    #[test]
    fn who_sees_what_is_edited_is_touched() {
        assert_eq!(touched("n > 0\n").as_deref(), Some("far high low p"));
        assert_eq!(touched("n > 1").as_deref(), Some("far high"));
        assert_eq!(touched("low(7)").as_deref(), Some("p"));
        assert_eq!(touched("a == 5").as_deref(), Some("far near"));
        assert_eq!(touched("{ assert high").as_deref(), Some("far near"));
        assert_eq!(touched("assert high").as_deref(), Some("far"));
        assert_eq!(touched("assert a == a").as_deref(), Some("apart"));
        assert!(touched("weight(n) > 0").is_some_and(|names| names.contains("near")));
    }
}
