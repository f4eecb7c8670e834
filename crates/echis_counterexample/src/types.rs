//! The variables of a state, and types as text.

use echis_base::Span;
use echis_program::program::{LocalId, Program, Type};
use echis_proof::StateView;
use echis_term::{Sort, SortId, TermId, Terms};

/// A variable with its symbolic value.
pub struct StoreEntry {
    pub name: String,
    pub ty: String,
    pub term: TermId,
    /// `None` for a function's result.
    pub id: Option<LocalId>,
    /// The declaration.
    pub span: Option<Span>,
}

/// Variables in order of declaration; a function's result comes last.
pub fn variables(program: &Program, state: &StateView) -> Vec<StoreEntry> {
    let mut store: Vec<(usize, StoreEntry)> = Vec::new();
    for (id, term) in &state.store {
        let found = program.locals.iter().enumerate().find(|(_, (_, local))| local.id == *id);
        if let Some((position, (id, local))) = found {
            let span = Some(program.syntax.span(local.id));
            let ty = type_text(program, &local.ty);
            let entry = StoreEntry { name: local.name.to_string(), ty, term: *term, id: Some(id), span };
            store.push((position, entry));
        }
    }
    store.sort_by_key(|(position, _)| *position);
    let mut store: Vec<StoreEntry> = store.into_iter().map(|(_, entry)| entry).collect();
    if let Some(term) = state.result {
        store.push(StoreEntry { name: "result".to_string(), ty: String::new(), term, id: None, span: None });
    }
    store
}

pub fn type_text(program: &Program, ty: &Type) -> String {
    match ty {
        Type::Int => "Int".to_string(),
        Type::Bool => "Bool".to_string(),
        Type::Perm => "Perm".to_string(),
        Type::Ref => "Ref".to_string(),
        Type::Seq(element) => format!("Seq[{}]", type_text(program, element)),
        Type::Set(element) => format!("Set[{}]", type_text(program, element)),
        Type::Multiset(element) => format!("Multiset[{}]", type_text(program, element)),
        Type::Map(key, value) => format!("Map[{},{}]", type_text(program, key), type_text(program, value)),
        Type::Domain(domain, args) if args.is_empty() => program.domains[*domain].name.to_string(),
        Type::Domain(domain, args) => {
            let args: Vec<String> = args.iter().map(|arg| type_text(program, arg)).collect();
            format!("{}[{}]", program.domains[*domain].name, args.join(","))
        }
        Type::Parameter(index) => format!("T{index}"),
        Type::PredicateInstance => "PredicateInstance".to_string(),
    }
}

/// The type of the values of a sort.
pub fn sort_text(terms: &Terms, sort: SortId) -> String {
    match terms.sort_data(sort) {
        Sort::Int => "Int".to_string(),
        Sort::Bool => "Bool".to_string(),
        Sort::Perm => "Perm".to_string(),
        Sort::Ref => "Ref".to_string(),
        Sort::Seq(element) => format!("Seq[{}]", sort_text(terms, *element)),
        Sort::Set(element) => format!("Set[{}]", sort_text(terms, *element)),
        Sort::Multiset(element) => format!("Multiset[{}]", sort_text(terms, *element)),
        Sort::Map(key, value) => format!("Map[{},{}]", sort_text(terms, *key), sort_text(terms, *value)),
        Sort::User(name) => name.replace("sort.", "").replace('<', "[").replace('>', "]"),
        Sort::Snap | Sort::SnapMap { .. } | Sort::WandMap | Sort::Interpreted(_) | Sort::Declared { .. } => {
            String::new()
        }
    }
}

/// The domain of a function, with type arguments.
pub fn domain_of(program: &Program, function: &str, type_args: &str) -> String {
    let declared = program.domain_functions.iter().find(|(_, declared)| *declared.name == *function);
    let name = declared.map_or("", |(_, declared)| &*program.domains[declared.domain].name);
    format!("{name}{}", type_args.replace('<', "[").replace('>', "]"))
}
