//! A language of ten lines, compiled to Viper. The origin of each node is the line that it comes from, so that errors are
//! reported in terms of the language, whatever the Viper program looks like.

use echis::build::{Expr, Loop, Method, ProgramBuilder, Stmt, Type};
use echis::{Config, Settings, Silent, Source, Verifier};
use std::error::Error;
use std::fmt::Write;

const PROGRAM: &str = "\
input n
let i = 0
let sum = 0
need n >= 0
while i < n keeping i <= n
set i = i + 1
set sum = sum + 2
end
check i == n
check sum == n";

type Line = u32;
type Words<'a> = std::str::SplitWhitespace<'a>;

/// Compiles lines until `end`, or until there are no more.
struct Compiler<'a> {
    lines: std::iter::Enumerate<std::str::Lines<'a>>,
    builder: ProgramBuilder<Line>,
    method: Method<Line>,
}

impl Compiler<'_> {
    fn block(&mut self) -> Vec<Stmt> {
        let mut stmts = Vec::new();
        while let Some((index, text)) = self.lines.next() {
            let line = index as Line + 1;
            let mut words = text.split_whitespace();
            let stmt = match words.next() {
                Some("input") => {
                    let name = words.next().unwrap_or_default();
                    self.method = self.method.clone().param(name, Type::Int);
                    continue;
                }
                Some("let") => {
                    let (name, value) = (words.next().unwrap_or_default(), self.value(&mut words));
                    self.builder.declare_as(name, &Type::Int, value)
                }
                Some("set") => {
                    let (target, value) = (self.operand(words.next()), self.value(&mut words));
                    self.builder.assign(target, value)
                }
                Some("need") => {
                    let condition = self.comparison(&mut words, line);
                    self.builder.assume(condition)
                }
                Some("check") => {
                    let condition = self.comparison(&mut words, line);
                    self.builder.assert(condition)
                }
                Some("while") => {
                    let condition = self.comparison(&mut words, line);
                    words.next();
                    let invariant = self.comparison(&mut words, line);
                    let body = self.block();
                    let spec = Loop { invariants: vec![invariant], ..Loop::default() };
                    self.builder.while_loop(condition, spec, body)
                }
                _ => return stmts,
            };
            stmts.push(self.builder.stmt_at(stmt, line));
        }
        stmts
    }
    /// `= operand` or `= operand + operand`.
    fn value(&mut self, words: &mut Words<'_>) -> Expr {
        words.next();
        let left = self.operand(words.next());
        match words.next() {
            Some("+") => {
                let right = self.operand(words.next());
                self.builder.add(left, right)
            }
            _ => left,
        }
    }
    fn comparison(&mut self, words: &mut Words<'_>, line: Line) -> Expr {
        let (left, operator, right) = (self.operand(words.next()), words.next(), self.operand(words.next()));
        let compared = match operator {
            Some("<") => self.builder.lt(left, right),
            Some("<=") => self.builder.le(left, right),
            Some(">=") => self.builder.ge(left, right),
            _ => self.builder.eq(left, right),
        };
        self.builder.at(compared, line)
    }
    fn operand(&mut self, word: Option<&str>) -> Expr {
        let word = word.unwrap_or_default();
        match word.parse::<i64>() {
            Ok(number) => self.builder.int(number),
            Err(_) => self.builder.var(word),
        }
    }
}

/// Compiles and verifies the program.
pub fn report() -> Result<String, Box<dyn Error>> {
    let lines = PROGRAM.lines().enumerate();
    let mut compiler = Compiler { lines, builder: ProgramBuilder::new(), method: Method::new("main") };
    let body = compiler.block();
    compiler.builder.method(compiler.method.body(body));
    let built = compiler.builder.finish().map_err(|problems| format!("{problems:?}"))?;

    let verifier = Verifier::new(Config::default())?;
    let checked = verifier.check(Source::program(&built));
    let verification = verifier.verify(&checked, &Settings::default(), &Silent);
    let mut report = String::new();
    for failure in verification.by_origin(&built.origins).failures() {
        let line = failure.origin.ok_or("every statement has a line")?;
        let text = PROGRAM.lines().nth(line as usize - 1).unwrap_or_default();
        writeln!(report, "line {line}: `{text}` may be wrong ({})", failure.id)?;
    }
    Ok(report)
}

fn main() -> Result<(), Box<dyn Error>> {
    print!("{}", report()?);
    Ok(())
}
