//! Systems over integers as Prolog text.
//!
//! Written for the narrowest of its readers: arguments are variables that begin with capital letters,
//! relations begin with small ones, every clause has a body, and conditional values become variables with
//! a disjunction that defines them.
//!
//! Invariant: reading the text gives clauses with the same meaning, and writing those the same text.

mod term;

use crate::diag::{Code, Diagnostic};
use alphorn_problem::Span;
use alphorn_problem::horn::{Clause, Head, Horn, PredId};
use alphorn_term::{Op, SortId, Store, Substitution, TermId};
use std::collections::{BTreeMap, BTreeSet};

/// The longest text of one clause, in terms: text has no sharing.
const MAX_CLAUSE_TERMS: u64 = 1 << 20;

/// Words that mean something else than a variable or a relation.
const RESERVED: [&str; 5] = ["true", "false", "fail", "mod", "is"];

/// Writes a system over integers; what Prolog's clauses cannot say is refused.
pub fn write(horn: &Horn) -> Result<String, Diagnostic> {
    let mut writer = Writer { horn, store: horn.terms.clone(), relations: relations(horn)? };
    let mut out = String::new();
    if let Some(&id) = horn.quantified.keys().next() {
        let message = "clauses in Prolog do not ask for all values of a variable in a body";
        return Err(refused(horn.clause(id).span, message));
    }
    for clause in &horn.clauses {
        writer.clause(clause, &mut out)?;
    }
    Ok(out)
}

fn refused(span: Span, message: impl Into<String>) -> Diagnostic {
    Diagnostic::unsupported(Code::ConvertMeaningless, span, message)
}

/// The names of the relations, different for those with equally many arguments.
fn relations(horn: &Horn) -> Result<Vec<String>, Diagnostic> {
    let mut used: BTreeSet<(String, usize)> = BTreeSet::new();
    let mut names = Vec::with_capacity(horn.preds.len());
    for pred in horn.pred_ids() {
        let (name, sorts) = (horn.pred_name(pred), horn.pred_args(pred));
        if sorts.iter().any(|&sort| sort != SortId::INT) {
            let message = format!("clauses in Prolog are about integers only, unlike {name}");
            return Err(refused(horn.pred(pred).span, message));
        }
        let arity = sorts.len();
        let bare = name.strip_suffix(&format!("/{arity}")).unwrap_or(name);
        let mut name = word(bare, false);
        while RESERVED.contains(&name.as_str()) || !used.insert((name.clone(), arity)) {
            name.push('_');
        }
        names.push(name);
    }
    Ok(names)
}

/// A name with the letters of the language, beginning with a capital letter or a small one.
fn word(name: &str, is_variable: bool) -> String {
    let keep = |c: char| if c.is_ascii_alphanumeric() { c } else { '_' };
    let text: String = name.chars().map(keep).collect();
    let first = text.chars().next().filter(char::is_ascii_alphabetic);
    match (first, is_variable) {
        (Some(first), true) => format!("{}{}", first.to_ascii_uppercase(), &text[1..]),
        (Some(first), false) => format!("{}{}", first.to_ascii_lowercase(), &text[1..]),
        (None, true) => format!("V{text}"),
        (None, false) => format!("p{text}"),
    }
}

struct Writer<'h> {
    horn: &'h Horn,
    /// The terms, with those that only the text has.
    store: Store,
    relations: Vec<String>,
}

impl Writer<'_> {
    fn clause(&mut self, clause: &Clause, out: &mut String) -> Result<(), Diagnostic> {
        if let Some(&var) = clause.vars.iter().find(|&&var| self.store.sort(var) != SortId::INT) {
            let name = self.store.var_name(var).unwrap_or("a variable");
            let message = format!("clauses in Prolog are about integers only, unlike {name}");
            return Err(refused(clause.span, message));
        }
        let mut roots = vec![clause.body];
        let pred = match &clause.head {
            Head::Atom(pred, arguments) => {
                roots.extend(arguments);
                Some(*pred)
            }
            Head::False => None,
        };
        let (roots, mut literals) = self.plain(&roots);
        let (body, equations) = self.flat_arguments(roots[0]);
        literals.extend(equations);
        let mut arguments = Vec::new();
        for &argument in &roots[1..] {
            arguments.push(self.variable(argument, &mut literals));
        }
        literals.insert(0, body);
        let conjunction = self.store.and(&literals);
        let literals = match self.store.op(conjunction) {
            Op::And => self.store.args(conjunction).to_vec(),
            _ => vec![conjunction],
        };
        let names = self.names(&[&literals[..], &arguments].concat());
        match pred {
            Some(pred) => self.atom(pred, &arguments, &names, out),
            None => out.push_str("false"),
        }
        out.push_str(" :-");
        for (position, &literal) in literals.iter().enumerate() {
            out.push_str(if position > 0 { ",\n   " } else { "\n   " });
            self.term(literal, clause.span, &names, out)?;
        }
        out.push_str(".\n");
        Ok(())
    }

    /// The terms without conditional values, absolute ones and terms that are pairwise different, and
    /// formulas that define the variables that stand for the values.
    fn plain(&mut self, roots: &[TermId]) -> (Vec<TermId>, Vec<TermId>) {
        let store = &mut self.store;
        let mut map = Substitution::default();
        let mut definitions = Vec::new();
        for term in store.subterms(roots) {
            let is_number = store.sort(term) == SortId::INT;
            let (condition, then, otherwise) = match (store.op(term), store.args(term)) {
                (Op::Ite, &[condition, then, otherwise]) if is_number => {
                    (condition, then, otherwise)
                }
                (Op::Abs, &[inner]) => {
                    let (zero, negated) = (store.int(0), store.neg(inner));
                    (store.ge(inner, zero), inner, negated)
                }
                (Op::Distinct, args) => {
                    let args = args.to_vec();
                    let mut pairs = Vec::new();
                    for (position, &left) in args.iter().enumerate() {
                        for &right in &args[position + 1..] {
                            let equal = store.eq(left, right);
                            pairs.push(store.not(equal));
                        }
                    }
                    let all = store.and(&pairs);
                    let all = store.substitute(all, &map);
                    map.insert(term, all);
                    continue;
                }
                _ => continue,
            };
            // Operands come before what they are in, so that these are plain already.
            let condition = store.substitute(condition, &map);
            let then = store.substitute(then, &map);
            let otherwise = store.substitute(otherwise, &map);
            let value = store.fresh_var("Value", SortId::INT);
            let (is_then, is_otherwise) = (store.eq(value, then), store.eq(value, otherwise));
            let negated = store.not(condition);
            let first = store.and(&[condition, is_then]);
            let second = store.and(&[negated, is_otherwise]);
            definitions.push(store.or(&[first, second]));
            map.insert(term, value);
        }
        (store.substitute_all(roots, &map), definitions)
    }

    /// A body whose relations have variables as arguments, and the equations of those that are new.
    fn flat_arguments(&mut self, body: TermId) -> (TermId, Vec<TermId>) {
        let mut map = Substitution::default();
        let mut equations = Vec::new();
        let is_atom = |term: &TermId| match self.store.op(*term) {
            Op::Apply(func) => self.horn.pred_of(func).is_some(),
            _ => false,
        };
        let atoms: Vec<TermId> = self.store.subterms(&[body]).into_iter().filter(is_atom).collect();
        for atom in atoms {
            let old = self.store.args(atom).to_vec();
            let new: Vec<TermId> =
                old.iter().map(|&argument| self.variable(argument, &mut equations)).collect();
            if new != old {
                let replaced = self.store.rebuild(atom, &new);
                map.insert(atom, replaced);
            }
        }
        (self.store.substitute(body, &map), equations)
    }

    /// The variable that a term is, or a new one with an equation.
    fn variable(&mut self, term: TermId, equations: &mut Vec<TermId>) -> TermId {
        if matches!(self.store.op(term), Op::Var(_)) {
            return term;
        }
        let variable = self.store.fresh_var("Argument", SortId::INT);
        equations.push(self.store.eq(variable, term));
        variable
    }

    /// Names for the variables of a clause.
    fn names(&self, roots: &[TermId]) -> BTreeMap<TermId, String> {
        let mut used: BTreeSet<String> = BTreeSet::new();
        let mut names = BTreeMap::new();
        for var in self.store.free_vars(roots) {
            let mut name = word(self.store.var_name(var).unwrap_or_default(), true);
            while !used.insert(name.clone()) {
                name.push('_');
            }
            names.insert(var, name);
        }
        names
    }

    fn atom(
        &self,
        pred: PredId,
        arguments: &[TermId],
        names: &BTreeMap<TermId, String>,
        out: &mut String,
    ) {
        out.push_str(&self.relations[pred.index()]);
        for (position, argument) in arguments.iter().enumerate() {
            out.push(if position > 0 { ',' } else { '(' });
            out.push_str(&names[argument]);
        }
        if !arguments.is_empty() {
            out.push(')');
        }
    }
}
