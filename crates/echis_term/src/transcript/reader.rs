//! Parses terms. Nothing is simplified, so the terms are exactly those that were written.

use super::roles::{quantifier_role, symbol_role};
use crate::error::TextError;
use crate::operators::Op;
use crate::sexp::Sexp;
use crate::sort::{Sort, SortId};
use crate::store::Terms;
use crate::term::{Quant, Quantifier, Symbol, SymbolId, TermId, TermKind};
use dashu::{Integer, Rational};
use std::collections::HashMap;

type Read<T> = Result<T, TextError>;

#[derive(Default)]
pub struct Reader {
    pub terms: Terms,
    symbols: HashMap<String, SymbolId>,
    named: HashMap<String, TermId>,
}

impl Reader {
    /// `(symbol name role (params) result)` or `(term %t7 …)`. Returns `false` if it is neither.
    pub fn line(&mut self, line: &Sexp) -> Read<bool> {
        match line.list()? {
            [head, name, role, params, result] if head.word()? == "symbol" => {
                let params = params.list()?.iter().map(|sort| self.sort(sort)).collect::<Read<Vec<_>>>()?;
                let result = self.sort(result)?;
                let symbol = Symbol { role: symbol_role(role)?, params: params.into(), result };
                let symbol = self.terms.add_symbol(symbol);
                self.symbols.insert(name.word()?.to_string(), symbol);
                Ok(true)
            }
            [head, name, term] if head.word()? == "term" => {
                let term = self.term(term)?;
                self.named.insert(name.word()?.to_string(), term);
                Ok(true)
            }
            _ => Ok(false),
        }
    }

    pub fn term(&mut self, sexp: &Sexp) -> Read<TermId> {
        stacker::maybe_grow(128 * 1024, 4 * 1024 * 1024, || match sexp {
            Sexp::Word(word) => self.atom(word),
            Sexp::List(items) => {
                let (head, args) = items.split_first().ok_or(TextError::Shape("an empty list is no term"))?;
                match head {
                    Sexp::Word(word) if word == "%forall" => self.quant(Quantifier::Forall, args),
                    Sexp::Word(word) if word == "%exists" => self.quant(Quantifier::Exists, args),
                    Sexp::Word(word) => match word.strip_prefix('%') {
                        Some(name) => {
                            let op = Op::named(name, None).ok_or_else(|| TextError::unknown(name, "operator"))?;
                            self.op(op, args)
                        }
                        None => self.app(word, args),
                    },
                    Sexp::List(instance) => match &instance[..] {
                        [name, sort] => {
                            let sort = self.sort(sort)?;
                            let name = name.word()?.trim_start_matches('%');
                            let op = Op::named(name, Some(sort))
                                .ok_or_else(|| TextError::unknown(name, "operator with instances"))?;
                            self.op(op, args)
                        }
                        _ => Err(TextError::Shape("an instance is an operator and a sort")),
                    },
                }
            }
        })
    }

    fn atom(&mut self, word: &str) -> Read<TermId> {
        if word == "true" || word == "false" {
            return Ok(self.terms.bool(word == "true"));
        }
        if let Some(fraction) = word.strip_suffix('p')
            && let Some((numerator, denominator)) = fraction.split_once('/')
            && let (Ok(numerator), Ok(denominator)) = (numerator.parse::<Integer>(), denominator.parse::<Integer>())
            && denominator > Integer::ZERO
        {
            let value = Rational::from(numerator) / Rational::from(denominator);
            return Ok(self.terms.perm(value));
        }
        if let Ok(value) = word.parse::<Integer>() {
            return Ok(self.terms.int(value));
        }
        match self.named.get(word) {
            Some(term) => Ok(*term),
            None => self.app(word, &[]),
        }
    }

    fn app(&mut self, name: &str, args: &[Sexp]) -> Read<TermId> {
        let symbol = *self.symbols.get(name).ok_or_else(|| TextError::Undeclared(name.to_string()))?;
        let args = self.terms(args)?;
        let params = self.terms.symbol(symbol).params.clone();
        let fits =
            params.len() == args.len() && params.iter().zip(&args).all(|(sort, arg)| *sort == self.terms.sort_of(*arg));
        if fits { Ok(self.terms.app(symbol, args)) } else { Err(TextError::Misfit(name.to_string())) }
    }

    fn op(&mut self, op: Op, args: &[Sexp]) -> Read<TermId> {
        let args = self.terms(args)?;
        let fits = match op {
            Op::Ite => args.len() == 3,
            _ => args.is_empty() == op.row().operands.is_empty() && self.terms.result_sort(op, &args).is_some(),
        };
        if fits { Ok(self.terms.op(op, args)) } else { Err(TextError::Misfit(format!("{op:?}"))) }
    }

    fn terms(&mut self, sexps: &[Sexp]) -> Read<Vec<TermId>> {
        sexps.iter().map(|sexp| self.term(sexp)).collect()
    }

    fn quant(&mut self, quantifier: Quantifier, parts: &[Sexp]) -> Read<TermId> {
        let [role, weight, vars, triggers, body] = parts else {
            return Err(TextError::Shape("a quantifier has a role, a weight, variables, triggers and a body"));
        };
        let weight = match weight.word()? {
            "_" => None,
            number => Some(number.parse().map_err(|_| TextError::unknown(number, "weight"))?),
        };
        let var = |var: &Sexp| {
            let name = var.word()?;
            self.symbols.get(name).copied().ok_or_else(|| TextError::Undeclared(name.to_string()))
        };
        let vars = vars.list()?.iter().map(var).collect::<Read<Box<[_]>>>()?;
        let mut sets: Vec<Box<[TermId]>> = Vec::new();
        for set in triggers.list()? {
            sets.push(self.terms(set.list()?)?.into());
        }
        let body = self.term(body)?;
        let quant = Quant { quantifier, vars, triggers: sets.into(), body, weight, role: quantifier_role(role)? };
        let sort = self.terms.bool_sort();
        Ok(self.terms.intern(TermKind::Quant(Box::new(quant)), sort))
    }

    pub fn sort(&mut self, sexp: &Sexp) -> Read<SortId> {
        let sort = match sexp {
            Sexp::Word(word) => match &**word {
                "Bool" => Sort::Bool,
                "Int" => Sort::Int,
                "Perm" => Sort::Perm,
                "Ref" => Sort::Ref,
                "Snap" => Sort::Snap,
                "WandMap" => Sort::WandMap,
                other => return Err(TextError::unknown(other, "sort")),
            },
            Sexp::List(items) => match &items[..] {
                [head, name] if head.word()? == "User" => Sort::User(name.word()?.into()),
                [head, name, commands] if head.word()? == "Declared" => {
                    Sort::Declared { name: name.word()?.into(), commands: commands.word()?.into() }
                }
                [head, name] if head.word()? == "Interpreted" => Sort::Interpreted(name.word()?.into()),
                [head, element] => {
                    let element = self.sort(element)?;
                    match head.word()? {
                        "Seq" => Sort::Seq(element),
                        "Set" => Sort::Set(element),
                        "Multiset" => Sort::Multiset(element),
                        other => return Err(TextError::unknown(other, "sort of one sort")),
                    }
                }
                [head, key, value] if head.word()? == "Map" => Sort::Map(self.sort(key)?, self.sort(value)?),
                [head, resource, key, value] if head.word()? == "SnapMap" => {
                    Sort::SnapMap { resource: resource.word()?.into(), key: self.sort(key)?, value: self.sort(value)? }
                }
                _ => return Err(TextError::Shape("this list is no sort")),
            },
        };
        Ok(self.terms.sort(sort))
    }
}
