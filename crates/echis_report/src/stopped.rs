//! Why the results of a run are incomplete, as JSON.

use crate::position::{Position, position};
use echis_base::SourceMap;
use echis_findings::Stopped;
use serde::Serialize;

#[derive(Serialize)]
pub(crate) struct Stop<'a> {
    kind: &'static str,
    member: Option<&'a str>,
    message: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    reached: Option<Reached<'a>>,
}

/// The progress of a member when the time limit was reached.
#[derive(Serialize)]
struct Reached<'a> {
    obligations: usize,
    id: Option<&'a str>,
    position: Option<Position>,
}

pub(crate) fn stop<'a>(sources: &SourceMap, stopped: &'a Stopped) -> Stop<'a> {
    match stopped {
        Stopped::TimeOut { member, reached, .. } => {
            let (id, position) = match &reached.at {
                Some((span, id)) => (Some(&**id), Some(position(sources, *span))),
                None => (None, None),
            };
            let reached = Some(Reached { obligations: reached.obligations, id, position });
            Stop { kind: "timeout", member: Some(member), message: "not decided within the time limit", reached }
        }
        Stopped::Interrupted { member } => {
            let member = member.as_ref().map(|(member, _)| &**member);
            Stop { kind: "interrupted", member, message: "not decided, because the run was interrupted", reached: None }
        }
        Stopped::Defect { member, message } => {
            Stop { kind: "defect", member: member.as_deref(), message, reached: None }
        }
    }
}
