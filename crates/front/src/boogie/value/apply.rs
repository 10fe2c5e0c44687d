//! Functions of Boogie applied: declared ones, old values, and those that are built in.

use super::{Scope, Value};
use crate::boogie::declare::{Meaning, Reader, error, unsupported};
use crate::diag::Code;
use crate::infix::Fallible;
use alphorn_problem::Span;
use alphorn_term::{Op, SortId, Substitution, TermId};

impl<'t> Reader<'t> {
    /// A function, or one of the words that look like one.
    pub(super) fn application(
        &mut self,
        name: &'t str,
        span: Span,
        operands: &[Value],
        scope: &mut Scope<'t>,
    ) -> Fallible<TermId> {
        let terms: Vec<TermId> = operands.iter().map(|operand| operand.0).collect();
        if let ("old", [inner]) = (name, &terms[..]) {
            return self.old(*inner, span, scope);
        }
        let sorts: Vec<SortId> = terms.iter().map(|&term| self.program.terms.sort(term)).collect();
        match (name, &sorts[..]) {
            ("real", [SortId::INT]) => return Ok(self.program.terms.mk(Op::ToReal, &terms)),
            ("int", [SortId::REAL]) => return Ok(self.program.terms.mk(Op::ToInt, &terms)),
            _ => {}
        }
        let Some(function) = self.functions.get(name) else {
            return self.undeclared(name, span, "function");
        };
        if function.args != sorts {
            let message = format!("the arguments of `{name}` are others in number or type");
            return error(Code::BoogieSort, span, message);
        }
        let result = function.result;
        match function.meaning.clone() {
            Meaning::Open(func) => Ok(self.program.terms.mk(Op::Apply(func), &terms)),
            Meaning::Builtin(operator) => self.builtin(&operator, &terms, result, span),
            Meaning::InWork => unsupported(span, format!("the function `{name}` is recursive")),
            Meaning::Known(vars, body) => {
                let map: Substitution = vars.into_iter().zip(terms).collect();
                Ok(self.program.terms.substitute(body, &map))
            }
            Meaning::Body(parameters, tree) => {
                let mut inner = Scope::default();
                let mut vars = Vec::new();
                for (parameter, &sort) in parameters.iter().zip(&sorts) {
                    let var = self.program.terms.fresh_var(parameter.name, sort);
                    inner.names.insert(parameter.name, var);
                    vars.push(var);
                }
                self.set_meaning(name, Meaning::InWork);
                let body = self.value_of(&tree, result, &mut inner);
                let known = match &body {
                    Ok(body) => Meaning::Known(vars.clone(), *body),
                    Err(_) => Meaning::Body(parameters, tree),
                };
                self.set_meaning(name, known);
                let map: Substitution = vars.into_iter().zip(terms).collect();
                Ok(self.program.terms.substitute(body?, &map))
            }
        }
    }

    fn set_meaning(&mut self, name: &str, meaning: Meaning<'t>) {
        if let Some(function) = self.functions.get_mut(name) {
            function.meaning = meaning;
        }
    }

    /// What a term was at the beginning of the procedure: globals have their old values.
    pub(super) fn old(
        &mut self,
        term: TermId,
        span: Span,
        scope: &mut Scope<'t>,
    ) -> Fallible<TermId> {
        let Some(old) = &mut scope.old else {
            return error(Code::BoogieSort, span, "there is no old state here");
        };
        let mut map = Substitution::default();
        for var in self.program.terms.free_vars(&[term]) {
            let global =
                self.program.globals.iter().find(|&&global| self.program.term(global) == var);
            let Some(&global) = global else { continue };
            if self.constants.contains(&global) {
                continue;
            }
            let value = match old.get(&global) {
                Some(&value) => value,
                None => {
                    let variable = self.program.var(global).clone();
                    let name = format!("old {}", variable.name);
                    let value = self.program.terms.fresh_var(&name, variable.sort);
                    old.insert(global, value);
                    value
                }
            };
            map.insert(var, value);
        }
        Ok(self.program.terms.substitute(term, &map))
    }

    /// An operator on words, by its name in SMT-LIB.
    fn builtin(
        &mut self,
        name: &str,
        terms: &[TermId],
        result: SortId,
        span: Span,
    ) -> Fallible<TermId> {
        let store = &mut self.program.terms;
        let inner = name.trim_start_matches("(_ ").trim_end_matches(')');
        let mut words = inner.split_whitespace();
        let word = words.next().unwrap_or_default();
        let number = words.next().and_then(|digits| digits.parse::<u32>().ok());
        let swapped: Vec<TermId> = terms.iter().rev().copied().collect();
        let applied = match (word, terms.len()) {
            ("bvadd", 2) => store.app(Op::BvAdd, terms),
            ("bvsub", 2) => store.app(Op::BvSub, terms),
            ("bvmul", 2) => store.app(Op::BvMul, terms),
            ("bvudiv", 2) => store.app(Op::BvUdiv, terms),
            ("bvurem", 2) => store.app(Op::BvUrem, terms),
            ("bvsdiv", 2) => store.app(Op::BvSdiv, terms),
            ("bvsrem", 2) => store.app(Op::BvSrem, terms),
            ("bvsmod", 2) => store.app(Op::BvSmod, terms),
            ("bvand", 2) => store.app(Op::BvAnd, terms),
            ("bvor", 2) => store.app(Op::BvOr, terms),
            ("bvxor", 2) => store.app(Op::BvXor, terms),
            ("bvnot", 1) => store.app(Op::BvNot, terms),
            ("bvneg", 1) => store.app(Op::BvNeg, terms),
            ("bvshl", 2) => store.app(Op::BvShl, terms),
            ("bvlshr", 2) => store.app(Op::BvLshr, terms),
            ("bvashr", 2) => store.app(Op::BvAshr, terms),
            ("bvult", 2) => store.app(Op::BvUlt, terms),
            ("bvule", 2) => store.app(Op::BvUle, terms),
            ("bvslt", 2) => store.app(Op::BvSlt, terms),
            ("bvsle", 2) => store.app(Op::BvSle, terms),
            ("bvugt", 2) => store.app(Op::BvUlt, &swapped),
            ("bvuge", 2) => store.app(Op::BvUle, &swapped),
            ("bvsgt", 2) => store.app(Op::BvSlt, &swapped),
            ("bvsge", 2) => store.app(Op::BvSle, &swapped),
            ("concat", 2) => store.app(Op::Concat, terms),
            ("zero_extend" | "sign_extend", 1) => {
                let widths = store.width_of(store.sort(terms[0])).zip(store.width_of(result));
                match (number, widths) {
                    (Some(by), Some((from, to))) if from.checked_add(by) == Some(to) => {
                        let op = if word == "zero_extend" {
                            Op::ZeroExtend(by)
                        } else {
                            Op::SignExtend(by)
                        };
                        store.app(op, terms)
                    }
                    _ => return error(Code::BoogieSort, span, "the widths do not fit"),
                }
            }
            _ => return unsupported(span, format!("the operator `{name}` is not treated")),
        };
        match applied {
            Ok(term) if store.sort(term) == result => Ok(term),
            _ => error(
                Code::BoogieSort,
                span,
                format!("the operator `{name}` does not fit its types"),
            ),
        }
    }
}
