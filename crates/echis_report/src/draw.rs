//! A heap drawn: chains of objects and arrays on a line each, and the whole as a graph in DOT and SVG.

use echis_findings::counterexample::{Counterexample, Entry, HeapPart};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

/// The objects of one state, and what variables and fields point at.
#[derive(Debug, Default)]
pub struct Graph {
    /// By name.
    objects: BTreeMap<String, Object>,
    /// Variables and the objects that they are.
    variables: Vec<(String, String)>,
}

#[derive(Debug, Default)]
struct Object {
    /// Fields and values that are no references.
    values: Vec<(String, String)>,
    /// Fields and the objects that they point at.
    pointers: Vec<(String, String)>,
}

/// Longer arrays are not drawn.
const LONGEST: usize = 32;

impl Graph {
    /// Of the current state.
    pub fn new(example: &Counterexample) -> Self {
        let mut graph = Graph::default();
        if let Some(heap) = example.heaps.iter().find(|heap| heap.state == "current") {
            graph.add(&heap.entries);
        }
        for variable in example.store.iter().filter(|variable| variable.ty == "Ref") {
            graph.variables.push((variable.name.clone(), variable.value.text.clone()));
        }
        graph
    }
    fn add(&mut self, entries: &[Entry]) {
        for entry in entries {
            match entry {
                Entry::Field { receiver, field, value, ty, .. } => {
                    let object = self.objects.entry(receiver.clone()).or_default();
                    let list = if ty == "Ref" { &mut object.pointers } else { &mut object.values };
                    if !list.iter().any(|(known, _)| known == field) {
                        list.push((field.clone(), value.text.clone()));
                    }
                }
                Entry::Predicate { contents, .. } => self.add(contents),
                Entry::Wand { .. } => {}
            }
        }
    }
    /// Whether something points at something.
    pub fn has_pointers(&self) -> bool {
        self.objects.values().any(|object| !object.pointers.is_empty())
    }
    /// `x → [3] → [5] → null`, for every variable that is an object with pointers.
    pub fn chains(&self) -> Vec<String> {
        let drawn = self
            .variables
            .iter()
            .filter(|(_, object)| self.objects.get(object).is_some_and(|object| !object.pointers.is_empty()));
        drawn.map(|(name, object)| format!("{name} → {}", self.chain(object, &mut BTreeSet::new()))).collect()
    }
    fn chain<'a>(&'a self, name: &'a str, above: &mut BTreeSet<&'a str>) -> String {
        let Some(object) = self.objects.get(name).filter(|_| above.insert(name)) else {
            return if above.contains(name) { format!("(back to {name})") } else { name.to_string() };
        };
        let values: Vec<&str> = object.values.iter().map(|(_, value)| value.as_str()).collect();
        let this = format!("[{}]", values.join(", "));
        let text = match object.pointers.as_slice() {
            [] => this,
            [(_, next)] => format!("{this} → {}", self.chain(next, above)),
            several => {
                let ends = several.iter().all(|(_, next)| next == "null");
                let parts: Vec<String> =
                    several.iter().map(|(field, next)| format!("{field} → {}", self.chain(next, above))).collect();
                if ends { this } else { format!("{this} {{ {} }}", parts.join(", ")) }
            }
        };
        above.remove(name);
        text
    }
    pub fn dot(&self) -> String {
        let mut out = String::from("digraph heap {\n  rankdir=LR;\n  node [shape=box, fontname=\"monospace\"];\n");
        for name in self.all() {
            let label = self.label(&name).join("\\n");
            let _ = writeln!(out, "  {} [label={}];", quoted(&name), quoted(&label).replace("\\\\n", "\\n"));
        }
        for (variable, object) in &self.variables {
            let _ = writeln!(
                out,
                "  {} [label={}, shape=plaintext];",
                quoted(&format!("var {variable}")),
                quoted(variable)
            );
            let _ = writeln!(out, "  {} -> {};", quoted(&format!("var {variable}")), quoted(object));
        }
        for (name, field, to) in self.edges() {
            let _ = writeln!(out, "  {} -> {} [label={}];", quoted(name), quoted(to), quoted(field));
        }
        out + "}\n"
    }
    fn edges(&self) -> impl Iterator<Item = (&str, &str, &str)> {
        self.objects.iter().flat_map(|(name, object)| {
            object.pointers.iter().map(move |(field, to)| (name.as_str(), field.as_str(), to.as_str()))
        })
    }
    /// Every object that there is, or is pointed at.
    fn all(&self) -> BTreeSet<String> {
        let pointed = self.edges().map(|(_, _, to)| to.to_string());
        let variables = self.variables.iter().map(|(_, object)| object.clone());
        self.objects.keys().cloned().chain(pointed).chain(variables).collect()
    }
    fn label(&self, name: &str) -> Vec<String> {
        let values = self.objects.get(name).into_iter().flat_map(|object| &object.values);
        std::iter::once(name.to_string()).chain(values.map(|(field, value)| format!("{field} = {value}"))).collect()
    }
    /// Columns from left to right by the distance from variables.
    fn columns(&self) -> Vec<Vec<String>> {
        let mut placed: BTreeSet<String> = BTreeSet::new();
        let mut columns = Vec::new();
        let mut next: Vec<String> = self.variables.iter().map(|(_, object)| object.clone()).collect();
        loop {
            next.retain(|name| placed.insert(name.clone()));
            if next.is_empty() {
                next = self.all().into_iter().find(|name| !placed.contains(name)).into_iter().collect();
                if next.is_empty() {
                    return columns;
                }
                placed.extend(next.iter().cloned());
            }
            columns.push(next.clone());
            next = self
                .edges()
                .filter(|(from, _, _)| next.iter().any(|name| name == from))
                .map(|(_, _, to)| to.to_string())
                .collect();
        }
    }
    pub fn svg(&self) -> String {
        const WIDTH: usize = 150;
        const GAP: usize = 70;
        const LINE: usize = 18;
        let mut boxes: BTreeMap<String, (usize, usize, usize)> = BTreeMap::new();
        let (mut right, mut bottom) = (0, 0);
        for (column, names) in self.columns().into_iter().enumerate() {
            let mut top = 20;
            for name in names {
                let height = (self.label(&name).len() + self.names_of(&name).len().min(1)) * LINE + 10;
                boxes.insert(name, (20 + column * (WIDTH + GAP), top, height));
                top += height + 24;
            }
            right = 40 + column * (WIDTH + GAP) + WIDTH;
            bottom = bottom.max(top);
        }
        let mut out = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{right}\" height=\"{bottom}\" font-family=\"monospace\" font-size=\"13\">\n\
             <defs><marker id=\"tip\" viewBox=\"0 0 10 10\" refX=\"9\" refY=\"5\" markerWidth=\"7\" markerHeight=\"7\" orient=\"auto\"><path d=\"M0 0L10 5L0 10z\"/></marker></defs>\n"
        );
        for (name, (x, y, height)) in &boxes {
            let _ = writeln!(
                out,
                "<rect x=\"{x}\" y=\"{y}\" width=\"{WIDTH}\" height=\"{height}\" fill=\"white\" stroke=\"black\"/>"
            );
            let variables = self.names_of(name);
            let own =
                if variables.is_empty() || variables == [name.clone()] { None } else { Some(variables.join(", ")) };
            for (line, text) in own.into_iter().chain(self.label(name)).enumerate() {
                let _ =
                    writeln!(out, "<text x=\"{}\" y=\"{}\">{}</text>", x + 8, y + LINE * (line + 1), escaped(&text));
            }
        }
        for (from, field, to) in self.edges() {
            let (Some((x, y, height)), Some((to_x, to_y, to_height))) = (boxes.get(from), boxes.get(to)) else {
                continue;
            };
            let (start_x, start_y) = (x + WIDTH, y + height / 2);
            let (end_x, end_y) = if to_x > x { (*to_x, to_y + to_height / 2) } else { (to_x + WIDTH / 2, *to_y) };
            let _ = writeln!(
                out,
                "<path d=\"M{start_x} {start_y}L{end_x} {end_y}\" stroke=\"black\" fill=\"none\" marker-end=\"url(#tip)\"/>\n<text x=\"{}\" y=\"{}\">{}</text>",
                (start_x + end_x) / 2,
                (start_y + end_y) / 2 - 4,
                escaped(field)
            );
        }
        out + "</svg>\n"
    }
    fn names_of(&self, object: &str) -> Vec<String> {
        self.variables.iter().filter(|(_, of)| of == object).map(|(name, _)| name.clone()).collect()
    }
}

/// Arrays, by what is known of their elements: `a = [_, 5, 7]` for `loc(a, 1).val = 5` and `loc(a, 2).val = 7`, and
/// `s.val = [0, 7]` for the elements of a sequence of references.
pub fn arrays(example: &Counterexample) -> Vec<String> {
    let Some(heap) = example.heaps.iter().find(|heap| heap.state == "current") else { return Vec::new() };
    let mut found: BTreeMap<(String, String), BTreeMap<usize, String>> = BTreeMap::new();
    for (receiver, field, value) in fields(heap) {
        if let Some((array, index)) = slot(receiver) {
            found.entry((array.to_string(), field.to_string())).or_default().insert(index, value.to_string());
        }
    }
    for variable in example.store.iter().filter(|variable| variable.ty == "Seq[Ref]") {
        for (index, element) in variable.value.collection.iter().flat_map(|collection| &collection.elements) {
            let Ok(index) = index.parse() else { continue };
            for (_, field, value) in fields(heap).filter(|(receiver, ..)| receiver == element) {
                found.entry((variable.name.clone(), field.to_string())).or_default().insert(index, value.to_string());
            }
        }
    }
    let alone = |array: &str| found.keys().filter(|(other, _)| other == array).count() == 1;
    let drawn = found.iter().filter(|(_, items)| items.keys().last().is_some_and(|last| *last < LONGEST));
    drawn
        .map(|((array, field), items)| {
            let last = items.keys().last().copied().unwrap_or(0);
            let last = length(example, array)
                .filter(|length| *length <= LONGEST)
                .map_or(last, |length| last.max(length.saturating_sub(1)));
            let item = |index: usize| items.get(&index).map_or("_", String::as_str);
            let items: Vec<&str> = (0..=last).map(item).collect();
            let name = if alone(array) { array.clone() } else { format!("{array}.{field}") };
            format!("{name} = [{}]", items.join(", "))
        })
        .collect()
}

/// That of the sequence, or what the array's own function says.
fn length(example: &Counterexample, array: &str) -> Option<usize> {
    let variable = example.store.iter().find(|variable| variable.name == array)?;
    if let Some(collection) = &variable.value.collection {
        return collection.length.as_ref()?.parse().ok();
    }
    let functions = example.domains.iter().flat_map(|domain| &domain.functions);
    let mut lengths = functions.filter(|function| function.name.to_lowercase().contains("len"));
    lengths.find_map(|function| function.cases.iter().find(|case| case.args == [array])?.value.parse().ok())
}

fn fields(heap: &HeapPart) -> impl Iterator<Item = (&str, &str, &str)> {
    heap.entries.iter().filter_map(|entry| match entry {
        Entry::Field { receiver, field, value, .. } => Some((receiver.as_str(), field.as_str(), value.text.as_str())),
        _ => None,
    })
}

/// `loc(a, 3)`: the array and the index.
fn slot(receiver: &str) -> Option<(&str, usize)> {
    let (_, args) = receiver.strip_suffix(')')?.split_once('(')?;
    let (array, index) = args.split_once(", ")?;
    let is_name = array.chars().all(|c| c.is_alphanumeric() || "_!".contains(c));
    Some((array, index.parse().ok()?)).filter(|_| is_name)
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
