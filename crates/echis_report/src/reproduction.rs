//! Reproduces a failure: the program with the values of a counterexample assumed where they hold, directly before the
//! failure.

use echis_base::SourceMap;
use echis_findings::counterexample::{
    Account, Allowance, By, Case, Counterexample, Entry, FunctionPart, HeapPart, Insertion, UNNAMED_HEAP, Value,
    Variable,
};
use std::collections::{BTreeMap, BTreeSet};

/// Maximum number of values of a type that are stated to differ.
const MOST_DIFFERENT: usize = 12;

/// Returns `None` if the values cannot be assumed anywhere in the program, or there are none.
pub fn export_test(sources: &SourceMap, example: &Counterexample) -> Option<String> {
    let insertion = example.insertion?;
    let at = insertion.at();
    let source = &*sources.file(at.file).text;
    let (before, after) = source.split_at_checked(at.start as usize)?;
    let mut facts = Facts::new(source, example);
    facts.variables();
    // Function values help to show that heap locations are readable.
    facts.functions();
    match insertion {
        Insertion::Statement(_) => facts.heaps(&["lhs"]),
        // While a wand is packaged, the current heap is not that of the statement before.
        Insertion::Package(_) => facts.heaps(&["lhs", "current"]),
        Insertion::Contract(_) => facts.heaps(&["lhs", "old"]),
    }
    let lines = match insertion {
        Insertion::Contract(_) => facts.clauses(),
        Insertion::Statement(_) | Insertion::Package(_) => facts.statements(),
    };
    if lines.is_empty() {
        return None;
    }
    let indent: String = before.rsplit('\n').next().unwrap_or_default().chars().take_while(|c| *c == ' ').collect();
    let lines: Vec<String> = lines.into_iter().map(|line| format!("{line}\n{indent}")).collect();
    let apart = if before.ends_with(|c: char| c.is_whitespace() || c == ';' || c == '{') { "" } else { "\n  " };
    Some(format!("// Fails with the values of a counterexample.\n{before}{apart}{}{after}", lines.concat()))
}

/// The facts to assume.
struct Facts<'a> {
    source: &'a str,
    example: &'a Counterexample,
    /// By type and by name in the counterexample: the variable for a value, existing or declared.
    named: BTreeMap<(String, String), String>,
    /// The variables declared for values, with their types.
    declared: Vec<(String, String)>,
    facts: Vec<String>,
}

impl<'a> Facts<'a> {
    fn new(source: &'a str, example: &'a Counterexample) -> Self {
        Facts { source, example, named: BTreeMap::new(), declared: Vec::new(), facts: Vec::new() }
    }
    /// The facts as statements.
    fn statements(self) -> Vec<String> {
        let differ = self.different();
        let declared = self.declared.iter().map(|(name, ty)| format!("var {name}: {ty}"));
        let facts = differ.iter().chain(&self.facts).map(|fact| format!("inhale {fact}"));
        let facts: Vec<String> = facts.collect();
        if facts.is_empty() { facts } else { declared.chain(facts).collect() }
    }
    /// The facts as preconditions, which cannot declare variables.
    fn clauses(mut self) -> Vec<String> {
        let declared = std::mem::take(&mut self.declared);
        let names = |fact: &String| declared.iter().any(|(name, _)| fact.contains(name.as_str()));
        self.named.retain(|_, name| !names(&*name));
        let facts: Vec<String> = self.different().into_iter().chain(self.facts).collect();
        facts.iter().filter(|fact| !names(fact)).map(|fact| format!("requires {fact}")).collect()
    }

    fn variables(&mut self) {
        let named: Vec<&Variable> = self.example.store.iter().filter(|variable| variable.nameable).collect();
        for variable in &named {
            if let Value::Ref(name) | Value::Element(name) = &variable.value.value {
                let key = (variable.ty.clone(), name.clone());
                self.named.entry(key).or_insert_with(|| variable.name.clone());
            }
        }
        for variable in named {
            let facts = self.equal(&variable.name, &variable.ty, &variable.value.value);
            self.facts.extend(facts);
        }
    }
    /// An unreachable object cannot be named, so its fields cannot be read.
    fn heaps(&mut self, hidden: &[&str]) {
        for heap in self.example.heaps.iter().filter(|heap| !hidden.contains(&heap.state.as_str())) {
            let HeapPart { state, entries, .. } = heap;
            let mut waiting: Vec<&Entry> = entries.iter().collect();
            loop {
                let (named, unnamed): (Vec<&Entry>, Vec<&Entry>) =
                    waiting.into_iter().partition(|entry| self.is_reached(entry));
                for entry in &named {
                    let facts = self.held(entry);
                    self.facts.extend(facts.into_iter().map(|fact| in_state(state, &fact)));
                }
                if named.is_empty() {
                    break;
                }
                waiting = unnamed;
            }
        }
    }
    fn is_reached(&self, entry: &Entry) -> bool {
        let is_named =
            |name: &String| name.contains('(') || self.named.contains_key(&("Ref".to_string(), name.clone()));
        match entry {
            Entry::Field { receiver, .. } => is_named(receiver),
            Entry::Predicate { args, .. } => args.iter().all(|arg| match &arg.value {
                Value::Ref(name) => is_named(name),
                _ => true,
            }),
            Entry::Wand { .. } => true,
        }
    }
    /// The known facts about a readable location.
    fn held(&mut self, entry: &Entry) -> Vec<String> {
        match entry {
            Entry::Field { perm, .. } | Entry::Predicate { perm, .. } if perm.starts_with('#') => Vec::new(),
            Entry::Field { receiver, field, value, ty, .. } => {
                let receiver = self.value("Ref", &Value::Ref(receiver.clone()));
                let place = receiver.map(|receiver| format!("{receiver}.{field}"));
                place.map_or_else(Vec::new, |place| self.equal(&place, ty, &value.value))
            }
            Entry::Predicate { name, args, perm, contents } => {
                let inside: Vec<String> = contents.iter().flat_map(|entry| self.held(entry)).collect();
                // The types of arguments are unknown; values that need one get it from elsewhere.
                let args: Option<Vec<String>> = args.iter().map(|arg| self.argument(&arg.value)).collect();
                match args {
                    Some(args) if !inside.is_empty() => {
                        let instance = format!("acc({name}({}), {perm})", args.join(", "));
                        vec![format!("(unfolding {instance} in {})", inside.join(" && "))]
                    }
                    _ => Vec::new(),
                }
            }
            Entry::Wand { .. } => Vec::new(),
        }
    }
    /// Functions that are defined only by their values.
    fn functions(&mut self) {
        let bodyless: BTreeSet<&str> = match &self.example.account {
            Account::Run => BTreeSet::new(),
            Account::Allowed(allowed) => allowed.iter().filter_map(function).collect(),
        };
        let own = self.example.functions.iter().filter(|part| bodyless.contains(part.name.as_str()));
        let parts: Vec<&FunctionPart> =
            own.chain(self.example.domains.iter().flat_map(|domain| &domain.functions)).collect();
        for part in parts {
            for case in &part.cases {
                let facts = self.case(part, case);
                self.facts.extend(facts);
            }
        }
    }
    fn case(&mut self, part: &FunctionPart, case: &Case) -> Vec<String> {
        let state = case.heap.as_deref().unwrap_or("current");
        let name = part.name.split('<').next().unwrap_or_default();
        // The type of `empty()` is ambiguous if there are several.
        if state == UNNAMED_HEAP || name.len() < part.name.len() && part.params.is_empty() {
            return Vec::new();
        }
        let args: Option<Vec<String>> =
            part.params.iter().zip(&case.args).map(|(ty, arg)| self.value(ty, &arg.value)).collect();
        let Some(args) = args else { return Vec::new() };
        let facts = self.equal(&format!("{name}({})", args.join(", ")), &part.result, &case.value.value);
        facts.into_iter().map(|fact| in_state(state, &fact)).collect()
    }

    /// The expression equals the value, as far as known.
    fn equal(&mut self, place: &str, ty: &str, value: &Value) -> Vec<String> {
        match value {
            Value::Unspecified | Value::Other(_) => Vec::new(),
            Value::Seq(items) if items.contains(&Value::Unspecified) => {
                let element = parameters(ty).first().copied().unwrap_or_default();
                let mut facts = vec![format!("|{place}| == {}", items.len())];
                for (index, item) in items.iter().enumerate() {
                    facts.extend(self.equal(&format!("{place}[{index}]"), element, item));
                }
                facts
            }
            value => match self.value(ty, value) {
                Some(value) if value != place => vec![format!("{place} == {value}")],
                _ => Vec::new(),
            },
        }
    }
    /// A value as an expression of its type.
    fn value(&mut self, ty: &str, value: &Value) -> Option<String> {
        let inner: Vec<&str> = parameters(ty);
        let mut items = |items: &[Value], at: usize| -> Option<String> {
            let items: Option<Vec<String>> =
                items.iter().map(|item| self.value(inner.get(at).copied().unwrap_or_default(), item)).collect();
            Some(items?.join(", "))
        };
        Some(match value {
            Value::Seq(all) | Value::Set(all) if all.is_empty() && !inner.is_empty() => format!("{ty}()"),
            Value::Multiset(all) | Value::Map(all) if all.is_empty() && !inner.is_empty() => format!("{ty}()"),
            Value::Seq(all) => format!("Seq({})", items(all, 0)?),
            Value::Set(all) => format!("Set({})", items(all, 0)?),
            Value::Multiset(all) => {
                let mut copies = Vec::new();
                for (item, count) in all {
                    let Value::Int(count) = count else { return None };
                    let count = usize::try_from(*count).ok().filter(|count| *count <= MOST_DIFFERENT)?;
                    copies.extend(std::iter::repeat_n(item.clone(), count));
                }
                format!("Multiset({})", items(&copies, 0)?)
            }
            Value::Map(all) => {
                let entry = |(key, value): &(Value, Value)| {
                    let key = items(std::slice::from_ref(key), 0)?;
                    Some(format!("{key} := {}", items(std::slice::from_ref(value), 1)?))
                };
                let entries: Option<Vec<String>> = all.iter().map(entry).collect();
                format!("Map({})", entries?.join(", "))
            }
            value => return self.atom(ty, value),
        })
    }
    fn argument(&mut self, value: &Value) -> Option<String> {
        let ty = match value {
            Value::Element(name) => self.named.keys().find(|(_, known)| known == name)?.0.clone(),
            _ => "Ref".to_string(),
        };
        self.value(&ty, value)
    }
    fn atom(&mut self, ty: &str, value: &Value) -> Option<String> {
        match value {
            Value::Int(number) if *number < 0 => Some(format!("({number})")),
            Value::Large(text) if text.starts_with('-') => Some(format!("({text})")),
            Value::Bool(_) | Value::Int(_) | Value::Large(_) | Value::Perm { .. } | Value::Null => {
                Some(value.to_string())
            }
            // A slot of an array, or a function result, which is an expression already.
            Value::Ref(name) if name.contains('(') => Some(name.clone()).filter(|name| !name.contains('!')),
            Value::Ref(name) | Value::Element(name) => self.variable(ty, name),
            Value::Made { constructor, args } => {
                let args: Option<Vec<String>> = args.iter().map(|arg| self.argument(arg)).collect();
                Some(format!("{constructor}({})", args?.join(", ")))
            }
            _ => None,
        }
    }
    /// The variable for a value, declared if necessary.
    fn variable(&mut self, ty: &str, value: &str) -> Option<String> {
        let key = (ty.to_string(), value.to_string());
        if let Some(known) = self.named.get(&key) {
            return Some(known.clone());
        }
        if ty.is_empty() {
            return None;
        }
        let start = ty.trim_start_matches(|c: char| !c.is_ascii_alphabetic());
        let letters: String = start.chars().take_while(|c| c.is_ascii_alphanumeric()).collect();
        let letters = if letters.is_empty() { "value" } else { &letters };
        let is_new = |name: &String| {
            !self.source.contains(name.as_str()) && self.declared.iter().all(|(declared, _)| declared != name)
        };
        let name = (self.declared.len()..).map(|number| format!("{}_{number}", letters.to_lowercase())).find(is_new)?;
        self.named.insert(key, name.clone());
        self.declared.push((name.clone(), ty.to_string()));
        Some(name)
    }
    /// Values with different names are different, and not null.
    fn different(&self) -> Vec<String> {
        let mut by_type: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        for ((ty, value), name) in &self.named {
            // A value named by an expression needs no variable.
            if !value.contains('(') {
                by_type.entry(ty).or_default().push(name);
            }
        }
        let mut facts = Vec::new();
        for (ty, names) in by_type {
            let names = &names[..names.len().min(MOST_DIFFERENT)];
            for (position, name) in names.iter().enumerate() {
                facts.extend((ty == "Ref").then(|| format!("{name} != null")));
                facts.extend(names[..position].iter().map(|other| format!("{name} != {other}")));
            }
        }
        facts
    }
}

fn function(allowance: &Allowance) -> Option<&str> {
    match &allowance.by {
        By::Function(name) => Some(name),
        By::Invariant | By::Postcondition(_) | By::Wand | By::Declaration => None,
    }
}

fn in_state(state: &str, fact: &str) -> String {
    match state {
        "current" => fact.to_string(),
        "old" => format!("old({fact})"),
        label => format!("old[{label}]({fact})"),
    }
}

/// The type arguments of `Map[Int,Seq[Ref]]`.
fn parameters(ty: &str) -> Vec<&str> {
    let inner = ty.split_once('[').and_then(|(_, rest)| rest.strip_suffix(']'));
    let Some(inner) = inner else { return Vec::new() };
    let (mut depth, mut from, mut found) = (0_usize, 0, Vec::new());
    for (at, c) in inner.char_indices() {
        match c {
            '[' => depth += 1,
            ']' => depth = depth.saturating_sub(1),
            ',' if depth == 0 => {
                found.push(inner[from..at].trim());
                from = at + 1;
            }
            _ => {}
        }
    }
    found.push(inner[from..].trim());
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_of_types_may_have_parameters() {
        assert_eq!(parameters("Map[Int,Seq[Ref]]"), ["Int", "Seq[Ref]"]);
        assert_eq!(parameters("Pair[Map[Int,Int],Bool]"), ["Map[Int,Int]", "Bool"]);
        assert!(parameters("Int").is_empty());
    }
}
