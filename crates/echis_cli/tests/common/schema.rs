//! Validates JSON against the schemas of the repository. Only the keywords used there are supported; others are
//! errors. A property that is not described by any part of a schema is an error too, although consumers must accept
//! unknown properties: every new field must be documented.

use serde_json::{Map, Value};
use std::collections::BTreeSet;
use std::path::PathBuf;

pub struct Schema {
    name: String,
}

/// The properties described by the schema, or an error.
type Checked = Result<BTreeSet<String>, String>;

impl Schema {
    /// `schemas/NAME.schema.json`
    pub fn new(name: &str) -> Self {
        Schema { name: format!("{name}.schema.json") }
    }
    #[track_caller]
    pub fn check(&self, value: &Value) {
        if let Err(wrong) = instance(&self.name, &document(&self.name), value, "") {
            panic!("{}: {wrong}", self.name);
        }
    }
}

fn document(file: &str) -> Value {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../schemas").join(file);
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    serde_json::from_str(&text).expect("a schema is JSON")
}

/// Validates a value; all of its properties must be described.
fn instance(file: &str, schema: &Value, value: &Value, at: &str) -> Result<(), String> {
    let described = part(file, schema, value, at)?;
    let undescribed = value.as_object().into_iter().flat_map(Map::keys).find(|key| !described.contains(*key));
    match undescribed {
        Some(key) => Err(format!("{at}/{key} is not described")),
        None => Ok(()),
    }
}

/// Validates a value against one of several schemas that apply to it.
fn part(file: &str, schema: &Value, value: &Value, at: &str) -> Checked {
    let mut described = BTreeSet::new();
    let wrong =
        |what: String| Err(format!("{at}: {what}, found {}", value.to_string().chars().take(200).collect::<String>()));
    for (keyword, rule) in schema.as_object().expect("a schema is an object") {
        match &**keyword {
            "$schema" | "$id" | "$defs" | "title" | "description" => {}
            "$ref" => described.extend(reference(file, rule.as_str().expect("a text"), value, at)?),
            "type" if !has_type(rule, value) => return wrong(format!("expected {rule}")),
            "const" if rule != value => return wrong(format!("expected {rule}")),
            "enum" if !list(rule).contains(value) => return wrong(format!("expected one of {rule}")),
            "minimum" if value.as_f64().is_some_and(|number| number < rule.as_f64().unwrap_or(0.0)) => {
                return wrong(format!("expected at least {rule}"));
            }
            "minItems" if (value.as_array().map_or(0, Vec::len) as u64) < rule.as_u64().unwrap_or(0) => {
                return wrong("expected more items".into());
            }
            "maxItems" if (value.as_array().map_or(0, Vec::len) as u64) > rule.as_u64().unwrap_or(0) => {
                return wrong("expected fewer items".into());
            }
            "type" | "const" | "enum" | "minimum" | "minItems" | "maxItems" => {}
            "items" => {
                for (index, item) in value.as_array().into_iter().flatten().enumerate() {
                    instance(file, rule, item, &format!("{at}/{index}"))?;
                }
            }
            "required" => {
                if let Some(missing) = list(rule).iter().find(|name| value.get(name.as_str().unwrap_or("")).is_none()) {
                    return wrong(format!("{missing} is missing"));
                }
            }
            "properties" => {
                for (name, rule) in rule.as_object().expect("properties are an object") {
                    if let Some(inner) = value.get(name) {
                        instance(file, rule, inner, &format!("{at}/{name}"))?;
                        described.insert(name.clone());
                    }
                }
            }
            "additionalProperties" if *rule == Value::Bool(true) => {
                described.extend(value.as_object().into_iter().flat_map(Map::keys).cloned());
            }
            "allOf" => {
                for rule in list(rule) {
                    described.extend(part(file, rule, value, at)?);
                }
            }
            "anyOf" => described.extend(any(file, list(rule), value, at)?),
            other => panic!("the keyword {other} is not known"),
        }
    }
    Ok(described)
}

/// The matching alternative that describes the most properties.
fn any(file: &str, rules: &[Value], value: &Value, at: &str) -> Checked {
    let tried: Vec<Checked> = rules.iter().map(|rule| part(file, rule, value, at)).collect();
    let fitting = tried.iter().flatten().max_by_key(|described| described.len());
    let wrong: Vec<&String> = tried.iter().filter_map(|tried| tried.as_ref().err()).collect();
    fitting.cloned().ok_or_else(|| format!("{at}: no alternative fits: {wrong:#?}"))
}

fn reference(file: &str, to: &str, value: &Value, at: &str) -> Checked {
    let (document_name, path) = to.split_once('#').expect("references have a fragment");
    let file = if document_name.is_empty() { file } else { document_name };
    let document = document(file);
    let found = document.pointer(path).unwrap_or_else(|| panic!("there is no {to}"));
    part(file, found, value, at)
}

fn list(value: &Value) -> &[Value] {
    value.as_array().expect("a list")
}

fn has_type(rule: &Value, value: &Value) -> bool {
    let is = |name: &str| match name {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "number" => value.is_number(),
        "integer" => value.is_u64() || value.is_i64(),
        "boolean" => value.is_boolean(),
        "null" => value.is_null(),
        other => panic!("there is no type {other}"),
    };
    match rule {
        Value::String(name) => is(name),
        names => list(names).iter().any(|name| is(name.as_str().expect("a text"))),
    }
}
