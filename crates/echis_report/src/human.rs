//! Findings as text for the terminal.

mod summary;

pub use summary::is_not_looked_at;

use crate::counterexample_text;
use crate::excerpt::excerpt;
use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};
use echis_base::{Diagnostic, FileId, Fix, Severity, SourceMap, Span, counted};
use echis_findings::{Condition, FileResult, FileVerdict, Finding, Stopped, without_repetitions};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Style {
    Plain,
    Coloured,
}

pub struct Human {
    renderer: Renderer,
    style: Style,
}

/// Maximum number of paths that are listed.
const MOST_PATHS: usize = 4;
/// Maximum lengths of texts, since those of generated programs may be too long to read.
const LONGEST_TITLE: usize = 400;
const LONGEST_CONDITION: usize = 160;
/// Maximum number of members without an answer that are named.
const MOST_NAMED: usize = 8;

impl Human {
    pub fn new(style: Style) -> Self {
        let renderer = match style {
            Style::Plain => Renderer::plain(),
            Style::Coloured => Renderer::styled(),
        };
        Human { renderer, style }
    }

    /// The findings of one file; [`Human::conclusion`] summarises it.
    pub fn file(&self, file: &FileResult) -> String {
        let mut text = String::new();
        for warning in &file.warnings {
            text += &self.diagnostic(&file.sources, warning, &[]);
        }
        for finding in &file.errors {
            text += &self.finding(&file.sources, finding);
            if let Some(example) = &finding.counterexample {
                text += &counterexample_text::text(&file.sources, example);
            }
            if let Some(reason) = &finding.no_counterexample {
                text += &format!("no counterexample: {reason}\n\n");
            }
        }
        text + &self.stopped(&file.sources, &file.stopped)
    }

    /// One message for all members with the same fate, since a run that was stopped early has many.
    fn stopped(&self, sources: &SourceMap, stopped: &[Stopped]) -> String {
        let mut fates: Vec<(Level<'_>, &str, Vec<&str>)> = Vec::new();
        for stopped in stopped {
            let (level, fate, member) = match stopped {
                Stopped::TimeOut { member, .. } => (undecided(), "not decided within the time limit", Some(&**member)),
                Stopped::Interrupted { member } => {
                    (undecided(), "the run was interrupted", member.as_ref().map(|(member, _)| &**member))
                }
                Stopped::Defect { member, message } => (Level::ERROR, &**message, member.as_deref()),
            };
            match fates.iter_mut().find(|(_, known, _)| *known == fate) {
                Some((_, _, members)) => members.extend(member),
                None => fates.push((level, fate, member.into_iter().collect())),
            }
        }
        let message = |(level, fate, members): (Level<'_>, &str, Vec<&str>)| {
            let title = format!("{fate}{}", while_verifying(&members));
            let mut group = Group::with_title(level.primary_title(title));
            let about = |stopped: &&Stopped| stopped.member().is_some_and(|member| members.contains(&&**member));
            for note in stopped.iter().filter(about).filter_map(|stopped| reached(sources, stopped)) {
                group = group.element(Level::NOTE.message(note));
            }
            self.renderer.render(&[group]) + "\n\n"
        };
        fates.into_iter().map(message).collect()
    }

    pub fn finding(&self, sources: &SourceMap, finding: &Finding) -> String {
        let mut notes = Vec::new();
        if let Some(member) = &finding.member {
            notes.push(format!("while verifying {member}"));
        }
        notes.extend(path_notes(sources, &finding.paths));
        notes.extend(finding.note.clone());
        if finding.cascade {
            notes.push("found after assuming that an earlier failed obligation holds".to_string());
        }
        // The messages of name and type errors already contain the fix.
        let own = finding.diagnostic.fix.iter().filter(|fix| !finding.diagnostic.message.contains(&said(fix)));
        let fixes: Vec<&str> = own.chain(&finding.other_fixes).map(|fix| &*fix.message).collect();
        let Some(why) = &finding.undecided else {
            return self.titled(Level::ERROR, sources, &finding.diagnostic, &notes, &fixes);
        };
        notes.push(format!("not decided: {why}"));
        self.titled(undecided(), sources, &finding.diagnostic, &notes, &fixes)
    }

    pub fn diagnostic(&self, sources: &SourceMap, diagnostic: &Diagnostic, notes: &[String]) -> String {
        let level = match diagnostic.severity {
            Severity::Error => Level::ERROR,
            Severity::Warning => Level::WARNING,
        };
        self.titled(level, sources, diagnostic, notes, &[])
    }

    fn titled(
        &self,
        level: Level<'_>,
        sources: &SourceMap,
        diagnostic: &Diagnostic,
        notes: &[String],
        fixes: &[&str],
    ) -> String {
        let title = shortened(&diagnostic.message, LONGEST_TITLE);
        let mut group = level.primary_title(title).id(&diagnostic.id).elements(snippets(sources, diagnostic));
        for note in notes {
            group = group.element(Level::NOTE.message(note));
        }
        for fix in fixes {
            group = group.element(Level::HELP.message(*fix));
        }
        // Lines of files with carriage returns end with a space in their place.
        let text = self.renderer.render(&[group]);
        text.lines().map(str::trim_end).collect::<Vec<_>>().join("\n") + "\n\n"
    }

    /// One line: the verdict and the amount of work.
    pub fn conclusion(&self, file: &FileResult) -> String {
        let checks: usize = file.members.iter().map(|member| member.checks).sum();
        let work = format!("{}, {}", counted(file.members.len(), "member"), counted(checks, "check"));
        let undecided = file.errors.iter().filter(|finding| finding.undecided.is_some()).count();
        let errors = match (file.errors.len() - undecided, undecided) {
            (0, undecided) if undecided > 0 => format!("{undecided} undecided"),
            (errors, 0) => counted(errors, "error"),
            (errors, undecided) => format!("{}, {undecided} undecided", counted(errors, "error")),
        };
        let unanswered = match file.stopped.len() {
            0 => String::new(),
            count => format!(", {} without an answer", counted(count, "member")),
        };
        let verdict = match file.verdict {
            FileVerdict::Valid => self.paint("32", "valid"),
            FileVerdict::Verified => self.paint("32", "verified"),
            FileVerdict::Undecided => self.paint("33", "undecided"),
            FileVerdict::Failed => self.paint("31", "failed"),
            FileVerdict::Invalid if file.errors.iter().any(is_unsupported) => {
                self.paint("31", "not verified, because a feature is not supported")
            }
            FileVerdict::Invalid if file.sources.files().next().is_some() => self.paint("31", "not a valid program"),
            FileVerdict::Invalid => self.paint("31", "not read"),
            FileVerdict::Error => self.paint("31", "could not be verified"),
        };
        let time = file.time.as_secs_f64();
        match file.verdict {
            FileVerdict::Valid => format!("{}: {verdict} ({time:.2} s)\n", file.path),
            FileVerdict::Verified => format!("{}: {verdict} ({work}, {time:.2} s)\n", file.path),
            FileVerdict::Invalid => format!("{}: {verdict} ({errors}, {time:.2} s)\n", file.path),
            FileVerdict::Undecided if file.members.is_empty() => format!("{}: {verdict} (not looked at)\n", file.path),
            _ => format!("{}: {verdict} ({errors}{unanswered}; {work}, {time:.2} s)\n", file.path),
        }
    }

    fn paint(&self, colour: &str, text: &str) -> String {
        match self.style {
            Style::Plain => text.to_string(),
            Style::Coloured => format!("\x1b[1;{colour}m{text}\x1b[0m"),
        }
    }
}

/// The replacement texts of a fix for a misspelt name, in quotes.
fn said(fix: &Fix) -> String {
    fix.edits.iter().map(|(_, text)| format!("`{text}`")).collect()
}

/// Undecided obligations are neither errors nor warnings.
fn undecided() -> Level<'static> {
    Level::WARNING.with_name("undecided")
}

fn while_verifying(members: &[&str]) -> String {
    let (named, more) = members.split_at(members.len().min(MOST_NAMED));
    match (named, more.len()) {
        ([], _) => String::new(),
        (_, 0) => format!(" (while verifying {})", named.join(", ")),
        (_, more) => format!(" (while verifying {} and {more} more)", named.join(", ")),
    }
}

/// One excerpt for each file mentioned by the diagnostic, the one with the error first. Ranges far from the error get
/// separate excerpts.
fn snippets<'a>(
    sources: &SourceMap,
    diagnostic: &'a Diagnostic,
) -> Vec<Snippet<'a, annotate_snippets::Annotation<'a>>> {
    let Some(primary) = focus(sources, diagnostic) else { return Vec::new() };
    let mut labels = vec![(primary, None)];
    let mut elsewhere = Vec::new();
    for related in &diagnostic.related {
        // The title says it, and nothing else could be meant.
        if related.span == primary {
            continue;
        } else if is_near(sources, primary, related.span) {
            labels.push((related.span, Some(&*related.message)));
        } else {
            elsewhere.push((related.span, Some(&*related.message)));
        }
    }
    let mut snippets = vec![snippet(sources, primary.file, &labels, AnnotationKind::Primary)];
    snippets.extend(elsewhere.iter().map(|label| snippet(sources, label.0.file, &[*label], AnnotationKind::Context)));
    snippets
}

/// The primary range to underline: where the error is reported or, if that is a whole function or loop, the part that
/// the reason is about.
pub(crate) fn focus(sources: &SourceMap, diagnostic: &Diagnostic) -> Option<Span> {
    let span = diagnostic.span?;
    let position = sources.position(span);
    let inside = diagnostic.related.first().map(|related| related.span).filter(|inside| span.contains(*inside));
    if position.start.line < position.end.line { inside.or(Some(span)) } else { Some(span) }
}

fn is_near(sources: &SourceMap, primary: Span, other: Span) -> bool {
    let line = |span: Span| sources.file(span.file).line_column(span.start).line;
    primary.file == other.file && line(primary).abs_diff(line(other)) < 12
}

fn snippet<'a>(
    sources: &SourceMap,
    file: FileId,
    labels: &[(Span, Option<&'a str>)],
    first: AnnotationKind,
) -> Snippet<'a, annotate_snippets::Annotation<'a>> {
    let spans: Vec<Span> = labels.iter().map(|(span, _)| *span).collect();
    let file = sources.file(file);
    let excerpt = excerpt(file, &spans);
    let kinds = std::iter::once(first).chain(std::iter::repeat(AnnotationKind::Context));
    let annotations = excerpt.ranges.into_iter().zip(labels).zip(kinds);
    let annotations = annotations.filter_map(|((range, (_, label)), kind)| Some(kind.span(range?).label(*label)));
    // Carriage returns at the end of a line are not shown.
    Snippet::source(excerpt.text.replace('\r', " "))
        .line_start(excerpt.first_line as usize)
        .path(file.path.to_string())
        .fold(false)
        .annotations(annotations)
}

/// A text for one line, shortened in the middle if necessary.
pub(crate) fn shortened(text: &str, longest: usize) -> String {
    let length = text.chars().count();
    if length <= longest {
        return text.to_string();
    }
    let start: String = text.chars().take(longest * 2 / 3).collect();
    let end: String = text.chars().skip(length - longest / 4).collect();
    format!("{start} … {end}")
}

fn path_notes(sources: &SourceMap, paths: &[Vec<Condition>]) -> Vec<String> {
    let conditional: Vec<&Vec<Condition>> = paths.iter().filter(|path| !path.is_empty()).collect();
    if conditional.len() < paths.len() {
        return Vec::new();
    }
    let place = |condition: &Condition| sources.position(condition.span).start.line;
    let show = |condition: &Condition| {
        format!("{} (line {})", shortened(&condition.text, LONGEST_CONDITION), place(condition))
    };
    let line = |path: &&Vec<Condition>| {
        let shown: Vec<String> = without_repetitions(path).into_iter().map(show).collect();
        format!("on the path where {}", shown.join(", "))
    };
    let mut lines: Vec<String> = conditional.iter().map(line).collect();
    lines.dedup();
    let more = lines.len().saturating_sub(MOST_PATHS);
    let mut notes: Vec<String> = lines.into_iter().take(MOST_PATHS).collect();
    if more > 0 {
        notes.push(format!("and on {more} more paths"));
    }
    notes
}

/// The obligation being checked when the time limit was reached.
fn reached(sources: &SourceMap, stopped: &Stopped) -> Option<String> {
    let Stopped::TimeOut { member, reached, .. } = stopped else { return None };
    let (span, id) = reached.at.as_ref()?;
    let at = sources.position(*span).start.line;
    let before = counted(reached.obligations.saturating_sub(1), "obligation");
    Some(format!("{member}: stopped at line {at} ({id}), after {before}"))
}

/// Whether the program is valid but uses an unsupported feature.
fn is_unsupported(finding: &Finding) -> bool {
    finding.diagnostic.id == "unsupported.feature" || finding.diagnostic.id.ends_with(":feature.unsupported")
}

#[cfg(test)]
mod tests {
    use super::*;
    use echis_base::SourceFile;
    use expect_test::{Expect, expect};

    fn check(source: &str, at: &str, related: &[(&str, &str)], paths: &[&[&str]], expect: Expect) {
        let mut sources = SourceMap::default();
        let file = sources.add(SourceFile::new("a.vpr", source));
        let span = |text: &str| {
            let start = source.find(text).expect("the text is in the source") as u32;
            Span::new(file, start, start + text.len() as u32)
        };
        let mut diagnostic = Diagnostic::error("assert.failed:assertion.false", span(at), "Assert might fail.");
        for (text, message) in related {
            diagnostic = diagnostic.related(span(text), *message);
        }
        let condition = |text: &&str| Condition {
            text: text.to_string(),
            span: span(at),
            negated: text.starts_with('!'),
            when: None,
        };
        let paths = paths.iter().map(|path| path.iter().map(condition).collect()).collect();
        let finding = Finding { member: Some("m".into()), paths, ..Finding::new(diagnostic) };
        expect.assert_eq(&Human::new(Style::Plain).finding(&sources, &finding));
    }

    #[test]
    fn the_offending_expression_is_underlined() {
        check(
            "method m(x: Ref)\n{\n  assert x != null && x.f > 3\n}\n",
            "x != null && x.f > 3",
            &[("x.f > 3", "Assertion x.f > 3 might not hold.")],
            &[&["b", "!c"]],
            expect![[r#"
                error[assert.failed:assertion.false]: Assert might fail.
                 --> a.vpr:3:10
                  |
                2 | {
                3 |   assert x != null && x.f > 3
                  |          ^^^^^^^^^^^^^-------
                  |                       |
                  |                       Assertion x.f > 3 might not hold.
                4 | }
                  |
                  = note: while verifying m
                  = note: on the path where b (line 3), !c (line 3)

            "#]],
        );
    }

    #[test]
    fn a_clause_far_away_gets_its_own_excerpt() {
        let source = format!("requires x > 3{}m(2)\n", "\n".repeat(30));
        check(
            &source,
            "m(2)",
            &[("x > 3", "Assertion x > 3 might not hold.")],
            &[&[]],
            expect![[r#"
            error[assert.failed:assertion.false]: Assert might fail.
              --> a.vpr:31:1
               |
            30 |
            31 | m(2)
               | ^^^^
               |
              ::: a.vpr:1:10
               |
             1 | requires x > 3
               |          ----- Assertion x > 3 might not hold.
               |
               = note: while verifying m

        "#]],
        );
    }
}
