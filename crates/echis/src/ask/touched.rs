//! Determines which members an edit can affect: those that see the edited text.

use echis_base::{FileId, Name, SyntaxId};
use echis_cover::Edit;
use echis_program::program::{DomainId, FunctionId, Method, MethodId, PredicateId, Program, StmtKind};
use echis_program::reach::{Member, Reach, Reaches};
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

/// The declaration that contains a place.
enum Declaration {
    Method(MethodId),
    Function(FunctionId),
    Predicate(PredicateId),
    Domain(DomainId),
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
                Declaration::Method(id) => {
                    let method = &self.program.methods[id];
                    names.insert(method.name.clone());
                    if edit.start < self.body_start(method) {
                        names.extend(self.callers(id));
                    }
                }
                Declaration::Function(id) => {
                    names.insert(self.program.functions[id].name.clone());
                    names.extend(self.seeing(|reach| reach.functions.contains(&id)));
                }
                Declaration::Predicate(id) => {
                    names.insert(self.program.predicates[id].name.clone());
                    names.extend(self.seeing(|reach| reach.predicates.contains(&id)));
                }
                Declaration::Domain(id) => {
                    let axioms = &self.program.axioms;
                    names.extend(self.seeing(|reach| {
                        reach.domains.iter().any(|(domain, _)| *domain == id)
                            || reach.axioms.iter().any(|(axiom, _)| axioms[*axiom].domain == id)
                    }));
                }
            }
        }
        Some(names)
    }
    fn around(&self, place: usize) -> Option<Declaration> {
        let program = self.program;
        let holds = |id: SyntaxId| {
            let span = program.syntax.span(id);
            span.file == self.main && (span.start as usize..span.end as usize).contains(&place)
        };
        let methods = program.methods.iter().map(|(id, method)| (method.id, Declaration::Method(id)));
        let functions = program.functions.iter().map(|(id, function)| (function.id, Declaration::Function(id)));
        let predicates = program.predicates.iter().map(|(id, predicate)| (predicate.id, Declaration::Predicate(id)));
        let domains = program.domains.iter().map(|(id, domain)| (domain.id, Declaration::Domain(id)));
        let mut all = methods.chain(functions).chain(predicates).chain(domains).filter(|(id, _)| holds(*id));
        let found = all.next();
        // An extension may generate several things from one text.
        found.filter(|_| all.next().is_none()).map(|(_, declaration)| declaration)
    }
    fn reaches(&self) -> &[(Member, Reach)] {
        self.reaches.get_or_init(|| {
            let reaches = Reaches::new(self.program);
            Member::all(self.program).map(|member| (member, reaches.of(member))).collect()
        })
    }
    fn seeing(&self, sees: impl Fn(&Reach) -> bool) -> Names {
        let members = self.reaches().iter().filter(|(_, reach)| sees(reach));
        members.map(|(member, _)| member.name(self.program).clone()).collect()
    }
    /// The start of the first statement of a method. Callers may see everything before it.
    fn body_start(&self, method: &Method) -> usize {
        let first = method.body.as_ref().and_then(|body| body.stmts.first());
        let span = |id: SyntaxId| self.program.syntax.span(id);
        let first = first.map(|stmt| span(stmt.id)).filter(|first| span(method.id).contains(*first));
        first.map_or(span(method.id).end, |first| first.start) as usize
    }
    fn callers(&self, callee: MethodId) -> Names {
        let mut names = Names::new();
        for method in self.program.methods.values() {
            let Some(body) = &method.body else { continue };
            body.visit_stmts(&mut |stmt| {
                if matches!(stmt.kind, StmtKind::Call { method, .. } if method == callee) {
                    names.insert(method.name.clone());
                }
            });
        }
        names
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
