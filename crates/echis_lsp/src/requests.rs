//! Requests answered from the text alone, without verification.

use crate::imports::{Imported, declared_in, imported, uses};
use crate::keywords::{WORDS, meaning};
use crate::outline::{Declared, declaration, global, members, places};
use crate::refusal::Refusal;
use crate::text::{Language, Text, offset, path_of};
use crate::verifying::Verifying;
use crate::{actions, calls, completion, layout, proofs, symbols, tokens};
use echis::{Dependencies, Verification};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::sync::Arc;

/// A request about an open document.
pub(crate) struct TextRequest<'a> {
    pub method: &'a str,
    pub params: &'a Value,
    pub uri: &'a str,
    pub text: &'a Text,
    pub verifying: &'a Verifying,
    /// All open documents, by URI.
    pub open: &'a BTreeMap<String, Text>,
}

/// The requests that are answered here.
pub(crate) const METHODS: &[&str] = &[
    "textDocument/definition",
    "textDocument/references",
    "textDocument/documentHighlight",
    "textDocument/hover",
    "textDocument/documentSymbol",
    "textDocument/foldingRange",
    "textDocument/documentLink",
    "textDocument/completion",
    "textDocument/signatureHelp",
    "textDocument/semanticTokens/full",
    "textDocument/inlayHint",
    "textDocument/codeLens",
    "textDocument/codeAction",
    "callHierarchy/incomingCalls",
    "callHierarchy/outgoingCalls",
    "textDocument/prepareCallHierarchy",
    "textDocument/formatting",
    "textDocument/rangeFormatting",
    "textDocument/prepareRename",
    "textDocument/rename",
];

/// Answers a request. `None` if the method is unknown; `Err` explains why there is no answer.
pub(crate) fn answer(request: &TextRequest<'_>) -> Option<Result<Value, Refusal>> {
    let TextRequest { method, params, uri, text, .. } = *request;
    let name = || text.name_at(&params["position"]);
    let location = |index: &usize| json!({ "uri": uri, "range": text.between(*index, *index) });
    let found = match method {
        "textDocument/definition" => request.definition(),
        "textDocument/references" => {
            name().map(|name| places(text, name).iter().map(location).collect()).unwrap_or(Value::Null)
        }
        "textDocument/documentHighlight" => request.highlights(),
        "textDocument/hover" => request.hover(),
        "textDocument/documentSymbol" => symbols::of_document(text),
        "textDocument/foldingRange" => layout::folds(text),
        "textDocument/documentLink" => layout::links(uri, text),
        "textDocument/completion" => completion::completions(text, &request.imported(), &params["position"]),
        "textDocument/signatureHelp" => calls::signature(text, &params["position"]),
        "textDocument/semanticTokens/full" => tokens::tokens(text),
        "textDocument/inlayHint" => request.hints(),
        "textDocument/codeLens" => request.lenses(),
        "textDocument/codeAction" => request.actions(),
        "callHierarchy/incomingCalls" => calls::incoming(uri, text, params["item"]["data"]["member"].as_str()?),
        "callHierarchy/outgoingCalls" => calls::outgoing(uri, text, params["item"]["data"]["member"].as_str()?),
        "textDocument/prepareCallHierarchy" => match calls::prepare_at(uri, text, &params["position"]) {
            Some(item) => json!([item]),
            None => Value::Null,
        },
        "textDocument/formatting" => return Some(layout::formatting(uri, text)),
        "textDocument/rangeFormatting" => return Some(layout::range_formatting(uri, text, &params["range"])),
        "textDocument/prepareRename" => match name().filter(|name| can_be_renamed(text, *name)) {
            Some(name) => text.between(name, name),
            None => Value::Null,
        },
        "textDocument/rename" => return Some(request.rename(name(), params["newName"].as_str())),
        _ => return None,
    };
    Some(Ok(found))
}

impl TextRequest<'_> {
    fn imported(&self) -> Vec<Imported> {
        imported(self.open, self.uri, self.text)
    }
    fn definition(&self) -> Value {
        let Some(name) = self.text.name_at(&self.params["position"]) else { return Value::Null };
        let imported = self.imported();
        if let Some((file, index)) = declared_in(&imported, self.text, name) {
            return json!({ "uri": file.uri, "range": file.text.between(index, index) });
        }
        let first = places(self.text, name).first().copied();
        first.map_or(Value::Null, |first| json!({ "uri": self.uri, "range": self.text.between(first, first) }))
    }
    /// The declaration of a name, here or in an imported file.
    fn declaration(&self, name: usize) -> Option<String> {
        match declared_in(&self.imported(), self.text, name) {
            Some((file, index)) => declaration(&file.text, index),
            None => declaration(self.text, name),
        }
    }
    fn verification(&self) -> Option<Arc<Verification>> {
        self.verifying.known.verification(self.uri, self.verifying.generation(self.uri))
    }
    fn dependencies(&self) -> Option<Arc<Dependencies>> {
        self.verification()?.known_dependencies(proofs::OPTIONS)
    }
    /// The identifier at the position. At a keyword, requests refer to what the keyword states instead.
    fn own_name(&self) -> Option<usize> {
        self.text.name_at(&self.params["position"]).filter(|name| can_be_renamed(self.text, *name))
    }
    fn highlights(&self) -> Value {
        if let Some(name) = self.own_name() {
            let place = |index: usize| json!({ "range": self.text.between(index, index) });
            return places(self.text, name).into_iter().map(place).collect();
        }
        let found = self.dependencies();
        let at = offset(&self.text.text, &self.params["position"]);
        found.zip(at).and_then(|(found, at)| proofs::highlights(&found, self.text, at)).unwrap_or(Value::Null)
    }
    fn hover(&self) -> Value {
        let said = match self.own_name() {
            Some(name) => self.declaration(name).map(|said| format!("```{}\n{said}\n```", self.text.language.name())),
            None => {
                let found = self.dependencies();
                let at = offset(&self.text.text, &self.params["position"]);
                let proof = found.zip(at).and_then(|(found, at)| proofs::hover(&found, at));
                let word = self.text.name_at(&self.params["position"]).map(|name| &self.text.words[name]);
                let word = word.filter(|_| self.text.language == Language::Viper);
                let meaning = word.and_then(|word| meaning(self.text.word(word)));
                let both: Vec<String> = meaning.map(str::to_string).into_iter().chain(proof).collect();
                (!both.is_empty()).then(|| both.join("\n\n"))
            }
        };
        match said {
            Some(said) => json!({ "contents": { "kind": "markdown", "value": said } }),
            None => Value::Null,
        }
    }
    fn hints(&self) -> Value {
        let mut hints = calls::parameter_hints(self.text, &self.params["range"]);
        let examples = self.verification().and_then(|verified| verified.known_counterexamples(proofs::SHOWN));
        hints.extend(examples.map(|examples| proofs::hints(&examples, self.text)).unwrap_or_default());
        Value::Array(hints)
    }
    fn actions(&self) -> Value {
        let documents = self.verifying.known.documents();
        let offers = documents.get(self.uri).map(|found| &found.offers[..]).unwrap_or_default();
        Value::Array(actions::offered(offers, self.uri, &self.params["range"]))
    }
    /// Code lenses with each member's verdict, its time, and what its proofs rest on.
    fn lenses(&self) -> Value {
        let (generation, is_program) = (self.verifying.generation(self.uri), self.verifying.is_program(self.uri));
        let rests = self.dependencies().map(|found| proofs::rests(&found));
        let documents = self.verifying.known.documents();
        let found = documents.get(self.uri);
        let titles = |member: &Declared| {
            let name = member.name(self.text);
            let verdict = found.and_then(|found| found.members.get(name));
            let state = verdict.map(|verdict| match (verdict.generation == generation, is_program) {
                (true, _) => verdict.title.clone(),
                (false, true) => format!("verifying… (was {})", verdict.title),
                (false, false) => format!("was {}", verdict.title),
            });
            let rests = rests.as_ref().and_then(|rests| rests.get(name).cloned());
            let range = self.text.between(member.name, member.name);
            let is_error = |finding: &Value| finding["severity"] == 1;
            let failed = verdict.is_some_and(|verdict| verdict.findings.iter().any(is_error));
            let shown = if failed { "echis.showCounterexample" } else { "echis.showProof" };
            let lens = move |title| json!({ "range": range, "command": { "title": title, "command": shown } });
            state.into_iter().chain(rests).map(lens).collect::<Vec<_>>()
        };
        members(self.text).iter().flat_map(titles).collect()
    }
}

fn can_be_renamed(text: &Text, name: usize) -> bool {
    !WORDS.contains(&text.word(&text.words[name]))
}

impl TextRequest<'_> {
    /// Renames in this document, and in open ones that import it.
    fn rename(&self, name: Option<usize>, to: Option<&str>) -> Result<Value, Refusal> {
        let (Some(name), Some(to)) = (name, to) else { return Err(Refusal::Request("there is no name here")) };
        let text = self.text;
        if !can_be_renamed(text, name) {
            return Err(Refusal::Request("a word of the language cannot be renamed"));
        }
        if !is_name(to) || WORDS.contains(&to) {
            return Err(Refusal::NoName(to.to_string()));
        }
        let imported = self.imported();
        if let Some((file, _)) = declared_in(&imported, text, name) {
            return Err(Refusal::DeclaredIn(path_of(&file.uri).unwrap_or_default()));
        }
        let said = text.said(name).unwrap_or_default();
        let others = if global(text, said).is_some() { self.importing() } else { Vec::new() };
        let others = others.into_iter().map(|(uri, text)| (uri, text, uses(text, said)));
        let places = std::iter::once((self.uri, text, places(text, name))).chain(others);
        let mut changes = serde_json::Map::new();
        for (uri, text, places) in places.filter(|(_, _, places)| !places.is_empty()) {
            if text.words.iter().any(|word| text.word(word) == to) {
                return Err(Refusal::TakenName(to.to_string()));
            }
            let edit = |index: usize| json!({ "range": text.between(index, index), "newText": to });
            changes.insert(uri.to_string(), places.into_iter().map(edit).collect());
        }
        Ok(json!({ "changes": changes }))
    }
    /// The open documents that import this one.
    fn importing(&self) -> Vec<(&str, &Text)> {
        let imports = |uri: &str, text: &Text| imported(self.open, uri, text).iter().any(|file| file.uri == self.uri);
        let others = self.open.iter().filter(|(uri, text)| *uri != self.uri && imports(uri, text));
        others.map(|(uri, text)| (uri.as_str(), text)).collect()
    }
}

fn is_name(text: &str) -> bool {
    let mut parts = text.chars();
    parts.next().is_some_and(|first| first.is_ascii_alphabetic() || first == '_' || first == '$')
        && parts.all(|part| part.is_ascii_alphanumeric() || matches!(part, '_' | '$' | '\''))
}
