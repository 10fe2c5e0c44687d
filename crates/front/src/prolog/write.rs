//! Systems over integers as Prolog text.
//!
//! Written for the narrowest of its readers: arguments are variables that begin with capital letters,
//! relations begin with small ones, every clause has a body, and conditional values become variables with
//! a disjunction that defines them.
//!
//! Invariant: reading the text gives clauses with the same meaning, and writing those the same text.

use crate::diag::{Code, Diagnostic};
use alphorn_problem::Span;
use alphorn_problem::horn::{Clause, Head, Horn, PredId};
use alphorn_term::{Op, SortId, Store, Substitution, TermId};
use std::collections::{BTreeMap, BTreeSet};

/// The longest text of one clause, in terms: text has no sharing.
const MAX_CLAUSE_TERMS: u64 = 1 << 20;

/// Words that mean something else than a variable or a relation.
const RESERVED: [&str; 5] = ["true", "false", "fail", "mod", "is"];

/// How strongly operators bind, as in the reader.
const OR: u8 = 10;
const AND: u8 = 20;
const NOT: u8 = 30;
const COMPARISON: u8 = 40;
const SUM: u8 = 50;
const PRODUCT: u8 = 60;
const ATOM: u8 = 80;

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

/// What is still to be written.
enum Piece {
    Term(TermId, u8),
    Text(&'static str),
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

    /// Writes a formula.
    fn term(
        &self,
        root: TermId,
        span: Span,
        names: &BTreeMap<TermId, String>,
        out: &mut String,
    ) -> Result<(), Diagnostic> {
        if self.store.tree_size(root) > MAX_CLAUSE_TERMS {
            return Err(refused(span, "written without sharing, this clause is too long"));
        }
        // A formula that is a conjunct needs parentheses if it is one itself, or weaker.
        let mut pieces = vec![Piece::Term(root, AND + 1)];
        let mut written = 0u64;
        while let Some(piece) = pieces.pop() {
            written += 1;
            if written > 8 * MAX_CLAUSE_TERMS {
                return Err(refused(span, "written without sharing, this clause is too long"));
            }
            match piece {
                Piece::Text(text) => out.push_str(text),
                Piece::Term(term, around) => {
                    self.piece(term, around, span, names, &mut pieces, out)?
                }
            }
        }
        Ok(())
    }

    fn piece(
        &self,
        term: TermId,
        around: u8,
        span: Span,
        names: &BTreeMap<TermId, String>,
        pieces: &mut Vec<Piece>,
        out: &mut String,
    ) -> Result<(), Diagnostic> {
        let (store, args) = (&self.store, self.store.args(term));
        let is_formula = args.first().is_some_and(|&arg| store.sort(arg) == SortId::BOOL);
        let (word, power) = match store.op(term) {
            Op::True => (" = ", COMPARISON),
            Op::False => (" = ", COMPARISON),
            Op::IntVal(_) => {
                let value = store.int_value(term).expect("an integer literal has a value");
                // A sign binds weaker than an operator in front of it may.
                let text = match value.is_negative() && around > SUM {
                    true => format!("({value})"),
                    false => value.to_string(),
                };
                out.push_str(&text);
                return Ok(());
            }
            Op::Var(_) => {
                out.push_str(&names[&term]);
                return Ok(());
            }
            Op::Apply(func) => match self.horn.pred_of(func) {
                Some(pred) => {
                    self.atom(pred, args, names, out);
                    return Ok(());
                }
                None => return Err(refused(span, "clauses in Prolog have no functions")),
            },
            Op::Not => ("\\+ ", NOT),
            Op::And => (", ", AND),
            Op::Or => (" ; ", OR),
            Op::Eq if is_formula => (" ; ", OR),
            Op::Ite if store.sort(term) == SortId::BOOL => (" ; ", OR),
            Op::Eq => (" = ", COMPARISON),
            Op::Le => (" =< ", COMPARISON),
            Op::Lt => (" < ", COMPARISON),
            Op::Add => (" + ", SUM),
            Op::Mul => (" * ", PRODUCT),
            Op::IntDiv => (" / ", PRODUCT),
            Op::Mod => (" mod ", PRODUCT),
            op => {
                let message = format!("clauses in Prolog cannot say {op:?}");
                return Err(refused(span, message));
            }
        };
        let closes = power < around;
        if closes {
            out.push('(');
        }
        let mut parts: Vec<Piece> = Vec::new();
        let join = |parts: &mut Vec<Piece>, list: &[TermId], word: &'static str, power: u8| {
            for (position, &arg) in list.iter().enumerate() {
                if position > 0 {
                    parts.push(Piece::Text(word));
                }
                parts.push(Piece::Term(arg, power));
            }
        };
        match store.op(term) {
            Op::True => parts.push(Piece::Text("1 = 1")),
            Op::False => parts.push(Piece::Text("1 = 0")),
            Op::Not => {
                let inner = args[0];
                match (store.op(inner), store.args(inner)) {
                    (Op::Eq, &[left, right]) if store.sort(left) == SortId::INT => {
                        join(&mut parts, &[left, right], " =\\= ", COMPARISON + 1);
                    }
                    _ => {
                        parts.push(Piece::Text("\\+("));
                        parts.push(Piece::Term(inner, 0));
                        parts.push(Piece::Text(")"));
                    }
                }
            }
            Op::Eq if is_formula => {
                join(&mut parts, args, ", ", AND + 1);
                parts.push(Piece::Text(" ; \\+("));
                join(&mut parts, args, "), \\+(", 0);
                parts.push(Piece::Text(")"));
            }
            Op::Ite => {
                join(&mut parts, &args[..2], ", ", AND + 1);
                parts.push(Piece::Text(" ; \\+("));
                parts.push(Piece::Term(args[0], 0));
                parts.push(Piece::Text("), "));
                parts.push(Piece::Term(args[2], AND + 1));
            }
            // Nothing but numbers and names stands beside these without parentheses.
            Op::IntDiv | Op::Mod => join(&mut parts, args, word, ATOM),
            _ => join(&mut parts, args, word, power + 1),
        }
        if closes {
            parts.push(Piece::Text(")"));
        }
        pieces.extend(parts.into_iter().rev());
        Ok(())
    }
}
