//! Drawings of a heap: chains of objects and arrays on one line each, and the whole as a graph in DOT and SVG.

mod layout;

use echis_findings::counterexample::{Case, Counterexample, Entry, HeapPart};
use layout::layout;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

/// The objects of one state, and the references to them.
#[derive(Debug, Default)]
pub struct Graph {
    /// By name.
    objects: BTreeMap<String, Object>,
    /// Variables and the objects they refer to.
    variables: Vec<(String, String)>,
}

#[derive(Debug, Default)]
struct Object {
    /// Fields with non-reference values.
    values: Vec<(String, String)>,
    /// Fields and the objects they refer to.
    pointers: Vec<(String, String)>,
}

/// Maximum length of an array that is drawn.
const LONGEST: usize = 32;

impl Graph {
    /// The graph of the current state.
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
    /// Whether there is any reference between objects.
    pub fn has_pointers(&self) -> bool {
        self.objects.values().any(|object| !object.pointers.is_empty())
    }
    /// `x → [3] → [5] → null`, for every variable that refers to an object with pointers.
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
    /// All objects that exist or are referenced.
    fn all(&self) -> BTreeSet<String> {
        let pointed = self.edges().map(|(_, _, to)| to.to_string());
        let variables = self.variables.iter().map(|(_, object)| object.clone());
        self.objects.keys().cloned().chain(pointed).chain(variables).collect()
    }
    fn label(&self, name: &str) -> Vec<String> {
        let values = self.objects.get(name).into_iter().flat_map(|object| &object.values);
        std::iter::once(name.to_string()).chain(values.map(|(field, value)| format!("{field} = {value}"))).collect()
    }
    /// Records with a row for each field; arrows lead from the row to the record it refers to.
    pub fn svg(&self) -> String {
        let names: Vec<String> = self.all().into_iter().filter(|name| name != "null").collect();
        let records: Vec<Record> = names.iter().map(|name| self.record(name)).collect();
        let index = |name: &str| names.iter().position(|other| other == name);
        let mut arrows: Vec<(usize, usize)> = Vec::new();
        let mut rows: Vec<usize> = Vec::new();
        for (from, record) in records.iter().enumerate() {
            for (row, (_, target)) in record.rows.iter().enumerate() {
                if let Some(to) = target.as_deref().and_then(index) {
                    arrows.push((from, to));
                    rows.push(row);
                }
            }
        }
        let sizes: Vec<(i32, i32)> = records.iter().map(Record::size).collect();
        let placed = layout(&sizes, &arrows);
        let mut out = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{}\" height=\"{}\" font-family=\"monospace\" font-size=\"13\">\n\
             <defs><marker id=\"tip\" viewBox=\"0 0 10 10\" refX=\"9\" refY=\"5\" markerWidth=\"7\" markerHeight=\"7\" orient=\"auto\"><path d=\"M0 0L10 5L0 10z\"/></marker></defs>\n",
            placed.width, placed.height
        );
        for (record, corner) in records.iter().zip(&placed.corners) {
            record.write(*corner, &mut out);
        }
        for (number, ((from, to), row)) in arrows.iter().zip(rows).enumerate() {
            let (source, target) = (placed.corners[*from], placed.corners[*to]);
            let path = arrow((source, sizes[*from]), (target, sizes[*to]), row, &placed.lanes[number]);
            let _ = writeln!(out, "<path d=\"{path}\" stroke=\"black\" fill=\"none\" marker-end=\"url(#tip)\"/>");
        }
        out + "</svg>\n"
    }
    fn record(&self, name: &str) -> Record {
        let others: Vec<String> = self.names_of(name).into_iter().filter(|other| other != name).collect();
        let title = others.into_iter().chain([name.to_string()]).collect::<Vec<_>>().join(" = ");
        let object = self.objects.get(name);
        let values = object.into_iter().flat_map(|object| &object.values);
        let values = values.map(|(field, value)| (format!("{field} = {value}"), None));
        let pointers = object.into_iter().flat_map(|object| &object.pointers).map(|(field, to)| match to.as_str() {
            "null" => (format!("{field} = null"), None),
            _ => (format!("{field} ●"), Some(to.clone())),
        });
        Record { title, rows: values.chain(pointers).collect() }
    }
    fn names_of(&self, object: &str) -> Vec<String> {
        self.variables.iter().filter(|(_, of)| of == object).map(|(name, _)| name.clone()).collect()
    }
}

/// A drawn object: its names, and for each field a text and its target.
struct Record {
    title: String,
    rows: Vec<(String, Option<String>)>,
}

/// The height of a line of text, and the width of a character.
const LINE: i32 = 20;
const CHARACTER: i32 = 8;

impl Record {
    fn size(&self) -> (i32, i32) {
        let texts = std::iter::once(&self.title).chain(self.rows.iter().map(|(text, _)| text));
        let longest = texts.map(|text| text.chars().count()).max().unwrap_or(0);
        (CHARACTER * longest as i32 + 20, LINE * (self.rows.len() as i32 + 1) + 6)
    }
    fn write(&self, (x, y): (i32, i32), out: &mut String) {
        let (width, height) = self.size();
        let _ = writeln!(
            out,
            "<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" fill=\"white\" stroke=\"black\"/>\n\
             <text x=\"{}\" y=\"{}\" font-weight=\"bold\">{}</text>",
            x + 8,
            y + 15,
            escaped(&self.title)
        );
        for (row, (text, _)) in (1..).zip(&self.rows) {
            let top = y + LINE * row + 2;
            let _ = writeln!(
                out,
                "<path d=\"M{x} {top}h{width}\" stroke=\"silver\"/>\n<text x=\"{}\" y=\"{}\">{}</text>",
                x + 8,
                top + 15,
                escaped(text)
            );
        }
    }
}

/// An arrow from the row of a field through lanes to the head of a record: straight lines, which bend only between
/// layers.
fn arrow(
    ((x, y), (width, _)): ((i32, i32), (i32, i32)),
    ((to_x, to_y), (to_width, _)): ((i32, i32), (i32, i32)),
    row: usize,
    lanes: &[(i32, i32)],
) -> String {
    let (row, head) = (y + LINE * (row as i32 + 1) + LINE / 2 + 2, to_y + 10);
    if (x, y) == (to_x, to_y) {
        let right = x + width;
        return format!("M{right} {row}C{} {row} {} {head} {right} {head}", right + 22, right + 22);
    }
    let (start, end) = if to_x > x { (x + width, to_x) } else { (x, to_x + to_width) };
    let through: String = lanes.iter().map(|(x, y)| format!("L{x} {y}")).collect();
    format!("M{start} {row}{through}L{end} {head}")
}

/// Arrays, from the known elements: `a = [_, 5, 7]` for `loc(a, 1).val = 5` and `loc(a, 2).val = 7`, and
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
    // A sequence of objects is not the sequence of their values.
    let is_sequence =
        |array: &str| example.store.iter().any(|variable| variable.name == array && variable.ty == "Seq[Ref]");
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
            let name = match (is_sequence(array), alone(array)) {
                (true, _) => format!("{array}[..].{field}"),
                (false, true) => array.clone(),
                (false, false) => format!("{array}.{field}"),
            };
            format!("{name} = [{}]", items.join(", "))
        })
        .collect()
}

/// The length of the sequence, or the value of the array's own length function.
fn length(example: &Counterexample, array: &str) -> Option<usize> {
    let variable = example.store.iter().find(|variable| variable.name == array)?;
    if let Some(collection) = &variable.value.collection {
        return collection.length.as_ref()?.parse().ok();
    }
    let functions = example.domains.iter().flat_map(|domain| &domain.functions);
    let mut lengths = functions.filter(|function| function.name.to_lowercase().contains("len"));
    let of = |case: &&Case| matches!(case.args.as_slice(), [only] if only.text == array);
    lengths.find_map(|function| function.cases.iter().find(of)?.value.text.parse().ok())
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
