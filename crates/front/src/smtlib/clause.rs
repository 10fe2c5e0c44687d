//! From assertions to Horn clauses.
//!
//! An assertion is read as a disjunction: disjuncts that can be negated into a body go there, the
//! predicate that is left is the head. A disjunct that can do neither, such as a conjunction of
//! predicates or an equivalence, is a conjunction of smaller disjunctions, and the clause is
//! *split* into one for each. A conjunction that is asserted on its own is always split. What
//! still has two predicates in its head is not Horn.
//!
//! The result is stable: printing the clauses and extracting them again gives the same clauses.
//! For that, a body is a flat conjunction of parts that are neither conjunctions nor negated
//! disjunctions.

use super::body::{BodyBuilder, NotHorn, Predicates};
use super::cursor::shorten;
use crate::diag::{Code, Diagnostic};
use alphorn_problem::Span;
use alphorn_term::{Op, Store, TermId};
use std::collections::VecDeque;

/// The most clauses one assertion may come to.
const MAX_CLAUSES: usize = 10_000;

/// A formula, negated if the flag is false.
type Signed = (TermId, bool);

/// A clause of an assertion.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Extracted {
    pub(super) vars: Vec<TermId>,
    pub(super) body: TermId,
    /// The atom of the head; false for a query.
    pub(super) head: TermId,
}

/// A clause under construction: what has been sorted into body and head, and what has not.
#[derive(Clone, Debug)]
struct Draft {
    builder: BodyBuilder,
    conjuncts: Vec<TermId>,
    heads: Vec<TermId>,
    /// Disjuncts that have to be split, and why they cannot stay whole.
    splits: VecDeque<(Signed, NotHorn)>,
    /// Disjuncts not yet looked at, last first.
    todo: Vec<Signed>,
}

/// The clauses of `formula` under universally quantified variables.
pub(super) fn extract(
    store: &mut Store,
    predicates: &mut Predicates,
    vars: Vec<TermId>,
    formula: TermId,
) -> Result<Vec<Extracted>, NotHorn> {
    let mut clauses = Vec::new();
    let mut drafts = vec![Draft {
        builder: BodyBuilder::new(vars),
        conjuncts: Vec::new(),
        heads: Vec::new(),
        splits: VecDeque::new(),
        todo: vec![(formula, true)],
    }];
    while let Some(mut draft) = drafts.pop() {
        if clauses.len() + drafts.len() > MAX_CLAUSES {
            return Err(NotHorn::TooMany);
        }
        draft.settle(store, predicates)?;
        if let Some((signed, reason)) = draft.splits.pop_front() {
            let parts = split(store, signed).ok_or(reason)?;
            if clauses.len() + drafts.len() + parts.len() > MAX_CLAUSES {
                return Err(NotHorn::TooMany);
            }
            drafts.extend(
                parts
                    .into_iter()
                    .rev()
                    .map(|part| Draft { todo: part.into_iter().rev().collect(), ..draft.clone() }),
            );
            continue;
        }
        let body = draft.body(store, formula);
        let head = draft.head(store, predicates)?;
        // Only what is literally true is dropped.
        if body == TermId::FALSE || body == head {
            continue;
        }
        if head == TermId::FALSE
            && store.op(body) == Op::Not
            && store.op(store.args(body)[0]) == Op::And
        {
            let conjunction = store.args(body)[0];
            drafts.push(Draft { conjuncts: Vec::new(), todo: vec![(conjunction, true)], ..draft });
            continue;
        }
        clauses.push(Extracted { vars: draft.builder.vars.list, body, head });
    }
    Ok(clauses)
}

impl Draft {
    /// Sorts all disjuncts into body, head and splits.
    fn settle(&mut self, store: &mut Store, predicates: &mut Predicates) -> Result<(), NotHorn> {
        while let Some((term, positive)) = self.todo.pop() {
            match (store.op(term), positive) {
                (Op::Not, _) => self.todo.push((store.args(term)[0], !positive)),
                (Op::Or, true) | (Op::And, false) => {
                    let args = store.args(term).iter().rev();
                    self.todo.extend(args.map(|&arg| (arg, positive)));
                }
                (Op::Forall, true) | (Op::Exists, false) => {
                    let body = self.builder.vars.absorb(store, term);
                    self.todo.push((body, positive));
                }
                (Op::And, true) if self.is_alone() => {
                    let reason = NotHorn::Inside(term);
                    self.splits.push_back(((term, true), reason));
                }
                (Op::Apply(_), true) if Predicates::is_atom(store, term) => {
                    predicates.check_atom(store, term)?;
                    if !self.heads.contains(&term) {
                        self.heads.push(term);
                    }
                }
                _ => match self.builder.build(store, predicates, term, !positive) {
                    Ok(part) => self.add_conjunct(store, part),
                    Err(reason) => self.splits.push_back(((term, positive), reason)),
                },
            }
        }
        Ok(())
    }

    /// Whether the disjunct just taken is the only one.
    fn is_alone(&self) -> bool {
        self.todo.is_empty()
            && self.conjuncts.is_empty()
            && self.heads.is_empty()
            && self.splits.is_empty()
    }

    fn add_conjunct(&mut self, store: &mut Store, part: TermId) {
        if !matches!(store.op(part), Op::And | Op::Not) {
            self.conjuncts.push(part);
            return;
        }
        let mut stack = vec![(part, true)];
        while let Some((term, positive)) = stack.pop() {
            match (store.op(term), positive) {
                (Op::Not, _) => stack.push((store.args(term)[0], !positive)),
                (Op::And, true) | (Op::Or, false) => {
                    stack.extend(store.args(term).iter().rev().map(|&arg| (arg, positive)));
                }
                (_, true) => self.conjuncts.push(term),
                (_, false) => {
                    let negated = store.not(term);
                    self.conjuncts.push(negated);
                }
            }
        }
    }

    /// The conjunction of the body's parts; the one in `formula` itself, if it is there.
    fn body(&self, store: &mut Store, formula: TermId) -> TermId {
        let first = match store.op(formula) {
            Op::Or => store.args(formula)[0],
            _ => formula,
        };
        if store.op(first) == Op::Not {
            let inner = store.args(first)[0];
            if store.op(inner) == Op::And && store.args(inner) == self.conjuncts {
                return inner;
            }
        }
        store.and(&self.conjuncts)
    }

    fn head(&self, store: &Store, predicates: &mut Predicates) -> Result<TermId, NotHorn> {
        match *self.heads.as_slice() {
            [] => Ok(TermId::FALSE),
            [head] => predicates.check_atom(store, head).map(|()| head),
            [_, second, ..] => Err(NotHorn::SecondHead(second)),
        }
    }
}

/// A formula as a conjunction of disjunctions.
fn split(store: &Store, (term, positive): Signed) -> Option<Vec<Vec<Signed>>> {
    let args = store.args(term);
    match (store.op(term), positive) {
        (Op::And, true) | (Op::Or, false) => {
            Some(args.iter().map(|&arg| vec![(arg, positive)]).collect())
        }
        (Op::Ite, _) => {
            let &[condition, then, otherwise] = args else { return None };
            Some(vec![
                vec![(condition, false), (then, positive)],
                vec![(condition, true), (otherwise, positive)],
            ])
        }
        (Op::Eq, _) => {
            let &[left, right] = args else { return None };
            if store.sort(left) != alphorn_term::SortId::BOOL {
                return None;
            }
            Some(vec![
                vec![(left, false), (right, positive)],
                vec![(left, true), (right, !positive)],
            ])
        }
        _ => None,
    }
}

/// The diagnostic for an assertion that is not Horn; `atoms` says where atoms stand.
pub(super) fn not_horn(
    store: &Store,
    reason: NotHorn,
    atoms: &[(TermId, Span)],
    whole: Span,
) -> Diagnostic {
    let place = |atom: TermId| {
        let found = atoms
            .iter()
            .find(|(term, _)| *term == atom)
            .or_else(|| atoms.iter().find(|(term, _)| store.subterms(&[*term]).contains(&atom)));
        found.map_or(whole, |(_, span)| *span)
    };
    let name = |atom: TermId| match store.op(atom) {
        Op::Apply(func) => shorten(store.name(store.func(func).name)),
        _ => "predicate".to_owned(),
    };
    let error = |span, message: String| Diagnostic::error(Code::SmtNotHorn, span, message);
    match reason {
        NotHorn::Negative(atom) => {
            error(place(atom), format!("`{}` stands negatively in a body", name(atom)))
                .hint("a Horn clause has predicates positively in its body, and one in its head")
        }
        NotHorn::Quantified(atom) => Diagnostic::unsupported(
            Code::SmtNotHorn,
            place(atom),
            format!("`{}` stands below a quantifier that cannot be moved outward", name(atom)),
        )
        .hint(
            "existential quantifiers in bodies and universal ones in heads can be; in a body, `forall` may \
             stand over predicates under conjunctions and disjunctions",
        ),
        NotHorn::Inside(atom) => {
            error(place(atom), format!("the predicate `{}` is used as a value", name(atom))).hint(
                "functions with value Bool are predicates; a value of sort Bool is a variable",
            )
        }
        NotHorn::SecondHead(atom) => {
            error(place(atom), format!("`{}` is a second predicate in the head", name(atom)))
                .hint("a Horn clause concludes at most one predicate")
        }
        NotHorn::TooMany => Diagnostic::unsupported(
            Code::SmtNotHorn,
            whole,
            format!("the assertion comes to more than {MAX_CLAUSES} clauses"),
        ),
    }
}
