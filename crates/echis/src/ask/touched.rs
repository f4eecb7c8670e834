//! The members that an edit can affect: those that see the edited declaration.

use echis_base::{Edit, FileId, Name, SyntaxId};
use echis_program::program::{MethodId, Program};
use echis_program::reach::{Declaration, Member, Reaches};
use std::collections::BTreeSet;
use std::sync::OnceLock;

pub(crate) type Names = BTreeSet<Name>;

type Seen = Vec<(Member, BTreeSet<Declaration>)>;

pub(crate) struct Touched<'a> {
    program: &'a Program,
    main: FileId,
    /// The length of the text. No member sees text added after it.
    length: usize,
    /// What each member sees, computed on first use; `None` if everything matters everywhere.
    seen: OnceLock<Option<Seen>>,
}

impl<'a> Touched<'a> {
    pub fn new(program: &'a Program, main: FileId, length: usize) -> Self {
        Touched { program, main, length, seen: OnceLock::new() }
    }
    /// The members that the edits can affect; `None` means all.
    pub fn by(&self, edits: &[Edit]) -> Option<Names> {
        let seen = self.seen.get_or_init(|| self.all_seen()).as_ref()?;
        let mut names = Names::new();
        for edit in edits.iter().filter(|edit| edit.start < self.length) {
            let edited = self.around(edit.start)?;
            let seeing = seen.iter().filter(|(_, seen)| seen.contains(&edited));
            names.extend(seeing.map(|(member, _)| member.name(self.program).clone()));
        }
        Some(names)
    }
    fn all_seen(&self) -> Option<Seen> {
        let reaches = Reaches::new(self.program);
        let seen = |member| {
            let reach = reaches.of(member);
            // The shapes of wands under quantifiers matter everywhere.
            (!reach.quantified_wands).then(|| (member, reach.seen(self.program, member)))
        };
        Member::all(self.program).map(seen).collect()
    }
    /// The declaration that contains a place.
    fn around(&self, place: usize) -> Option<Declaration> {
        let holds = |declaration: &Declaration| {
            let span = self.program.syntax.span(declaration.id(self.program));
            span.file == self.main
                && (span.start as usize..span.end as usize).contains(&place)
                && !matches!(declaration, Declaration::Field(_) | Declaration::Body(_))
        };
        let mut all = Declaration::all(self.program).filter(holds);
        // An extension may generate several things from one text.
        match (all.next()?, all.next()) {
            (_, Some(_)) => None,
            (Declaration::Contract(id), None) if place >= self.body_start(id) => Some(Declaration::Body(id)),
            (found, None) => Some(found),
        }
    }
    /// The start of the first statement of a method. Callers may see everything before it.
    fn body_start(&self, method: MethodId) -> usize {
        let method = &self.program.methods[method];
        let first = method.body.as_ref().and_then(|body| body.stmts.first());
        let span = |id: SyntaxId| self.program.syntax.span(id);
        let first = first.map(|stmt| span(stmt.id)).filter(|first| span(method.id).contains(*first));
        first.map_or(span(method.id).end, |first| first.start) as usize
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
