//! Formulas as bodies of Horn clauses.
//!
//! A body holds predicates only positively and outside quantifiers. Negations are pushed inward
//! to get there, existential quantifiers become variables of the clause, and a conditional whose
//! condition has no predicates becomes a disjunction. Nothing is multiplied out: conjunctions and
//! disjunctions stay where they are. Parts without predicates and quantifiers are left alone. What is
//! asked of predicates at all values of a variable stays whole (`quantified`).

use super::quantified::for_all;
use alphorn_term::{Op, SortId, Store, Substitution, SymbolId, TermId};
use rustc_hash::{FxHashMap, FxHashSet};

/// Why a formula is no body or no clause; the term is the predicate atom to point at.
#[derive(Clone, Copy, Debug)]
pub(super) enum NotHorn {
    /// The atom stands negatively in a body.
    Negative(TermId),
    /// The atom stands below a quantifier that cannot be moved outward.
    Quantified(TermId),
    /// The atom stands inside an argument, an equation or a condition.
    Inside(TermId),
    /// A second atom in a head.
    SecondHead(TermId),
    /// The assertion comes to too many clauses.
    TooMany,
}

/// Which terms contain predicates: applications of declared functions with value Bool.
#[derive(Clone, Debug, Default)]
pub(super) struct Predicates {
    /// Whether other functions are declared, so that an application need not be a predicate.
    pub(super) has_background: bool,
    known: FxHashMap<TermId, bool>,
}

impl Predicates {
    /// Whether a term is a predicate atom.
    pub(super) fn is_atom(store: &Store, term: TermId) -> bool {
        matches!(store.op(term), Op::Apply(func) if store.func(func).result == SortId::BOOL)
    }

    /// Whether a predicate occurs in a term.
    pub(super) fn occur(&mut self, store: &Store, root: TermId) -> bool {
        if !store.has_apply(root) || !self.has_background {
            return store.has_apply(root);
        }
        let mut stack = vec![(root, false)];
        while let Some((term, ready)) = stack.pop() {
            if self.known.contains_key(&term) {
                continue;
            }
            let args = store.args(term).iter().filter(|&&arg| store.has_apply(arg));
            let found = if Predicates::is_atom(store, term) {
                true
            } else if ready {
                args.copied().any(|arg| self.known.get(&arg) == Some(&true))
            } else {
                stack.push((term, true));
                stack.extend(args.map(|&arg| (arg, false)));
                continue;
            };
            self.known.insert(term, found);
        }
        self.known.get(&root) == Some(&true)
    }

    /// Some predicate atom in a term, to point at.
    pub(super) fn first(store: &Store, root: TermId) -> TermId {
        let all = store.subterms(&[root]);
        all.into_iter().find(|&term| Predicates::is_atom(store, term)).unwrap_or(root)
    }

    /// Checks that a predicate atom has no predicates in its arguments.
    pub(super) fn check_atom(&mut self, store: &Store, atom: TermId) -> Result<(), NotHorn> {
        for position in 0..store.args(atom).len() {
            let arg = store.args(atom)[position];
            if store.has_apply(arg) && self.occur(store, arg) {
                return Err(NotHorn::Inside(Predicates::first(store, arg)));
            }
        }
        Ok(())
    }
}

/// The variables of a clause, with names that are pairwise different.
#[derive(Clone, Debug, Default)]
pub(super) struct Variables {
    pub(super) list: Vec<TermId>,
    /// The names in use; made when a variable is first added.
    names: Option<FxHashSet<SymbolId>>,
}

fn symbol(store: &Store, var: TermId) -> Option<SymbolId> {
    match store.op(var) {
        Op::Var(symbol) => Some(symbol),
        _ => None,
    }
}

impl Variables {
    pub(super) fn new(list: Vec<TermId>) -> Variables {
        Variables { list, names: None }
    }

    /// Moves a quantifier's variables here, renamed where a name is in use; gives its body.
    pub(super) fn absorb(&mut self, store: &mut Store, quantifier: TermId) -> TermId {
        let bound = store.bound_vars(quantifier).to_vec();
        let body = store.args(quantifier)[bound.len()];
        let list = &self.list;
        let names = self
            .names
            .get_or_insert_with(|| list.iter().filter_map(|&var| symbol(store, var)).collect());
        let mut renaming = Substitution::default();
        for var in bound {
            let Some(name) = symbol(store, var) else { continue };
            let mut moved = var;
            if !names.insert(name) {
                let hint = store.name(name).to_owned();
                moved = store.fresh_var(&hint, store.sort(var));
                names.extend(symbol(store, moved));
                renaming.insert(var, moved);
            }
            self.list.push(moved);
        }
        store.substitute(body, &renaming)
    }
}

/// Turns formulas into bodies over common variables.
#[derive(Clone, Debug, Default)]
pub(super) struct BodyBuilder {
    pub(super) vars: Variables,
    done: FxHashMap<(TermId, bool), TermId>,
    /// Bodies of quantifiers whose variables have been absorbed.
    opened: FxHashMap<(TermId, bool), TermId>,
}

impl BodyBuilder {
    pub(super) fn new(vars: Vec<TermId>) -> BodyBuilder {
        BodyBuilder { vars: Variables::new(vars), ..BodyBuilder::default() }
    }

    /// `root` (its negation, if not `positive`) as a body. On failure nothing has changed.
    pub(super) fn build(
        &mut self,
        store: &mut Store,
        predicates: &mut Predicates,
        root: TermId,
        positive: bool,
    ) -> Result<TermId, NotHorn> {
        if let Some(body) = self.leaf(store, predicates, root, positive)? {
            return Ok(body);
        }
        let before = self.vars.list.len();
        let result = self.walk(store, predicates, root, positive);
        if result.is_err() {
            // What is remembered may mention variables that are taken back.
            self.vars.list.truncate(before);
            self.vars.names = None;
            self.done.clear();
            self.opened.clear();
        }
        result
    }

    /// A formula that is a body as it stands.
    fn leaf(
        &mut self,
        store: &mut Store,
        predicates: &mut Predicates,
        term: TermId,
        positive: bool,
    ) -> Result<Option<TermId>, NotHorn> {
        let has_predicates = predicates.occur(store, term);
        if !has_predicates && !store.has_quantifier(term) {
            return Ok(Some(if positive { term } else { store.not(term) }));
        }
        if Predicates::is_atom(store, term) {
            predicates.check_atom(store, term)?;
            return if positive { Ok(Some(term)) } else { Err(NotHorn::Negative(term)) };
        }
        let is_walked = match store.op(term) {
            Op::Not | Op::And | Op::Or => true,
            Op::Exists => positive,
            Op::Forall => !positive,
            Op::Ite if has_predicates => {
                let condition = store.args(term)[0];
                if predicates.occur(store, condition) {
                    return Err(NotHorn::Inside(Predicates::first(store, condition)));
                }
                true
            }
            _ => false,
        };
        if is_walked {
            return Ok(None);
        }
        if has_predicates {
            return match store.op(term) {
                Op::Forall | Op::Exists => for_all(store, predicates, term, positive).map(Some),
                _ => Err(NotHorn::Inside(Predicates::first(store, term))),
            };
        }
        Ok(Some(if positive { term } else { store.not(term) }))
    }

    fn walk(
        &mut self,
        store: &mut Store,
        predicates: &mut Predicates,
        root: TermId,
        positive: bool,
    ) -> Result<TermId, NotHorn> {
        let mut stack = vec![(root, positive, false)];
        while let Some((term, positive, ready)) = stack.pop() {
            if self.done.contains_key(&(term, positive)) {
                continue;
            }
            if !ready {
                if let Some(body) = self.leaf(store, predicates, term, positive)? {
                    self.done.insert((term, positive), body);
                    continue;
                }
                stack.push((term, positive, true));
                self.visit(store, &mut stack, term, positive);
                continue;
            }
            let body = self.combine(store, term, positive);
            self.done.insert((term, positive), body);
        }
        Ok(self.done[&(root, positive)])
    }

    fn visit(
        &mut self,
        store: &mut Store,
        stack: &mut Vec<(TermId, bool, bool)>,
        term: TermId,
        positive: bool,
    ) {
        match store.op(term) {
            Op::Not => stack.push((store.args(term)[0], !positive, false)),
            Op::Exists | Op::Forall => {
                let body = self.vars.absorb(store, term);
                self.opened.insert((term, positive), body);
                stack.push((body, positive, false));
            }
            Op::Ite => {
                let &[condition, then, otherwise] = store.args(term) else {
                    unreachable!("a conditional has three arguments")
                };
                stack.push((otherwise, positive, false));
                stack.push((condition, false, false));
                stack.push((then, positive, false));
                stack.push((condition, true, false));
            }
            _ => {
                let args = store.args(term).iter().rev();
                stack.extend(args.map(|&arg| (arg, positive, false)));
            }
        }
    }

    /// The body of a formula whose parts are done.
    fn combine(&self, store: &mut Store, term: TermId, positive: bool) -> TermId {
        let done = |part: TermId, positive: bool| self.done[&(part, positive)];
        match store.op(term) {
            Op::Not => done(store.args(term)[0], !positive),
            Op::Exists | Op::Forall => done(self.opened[&(term, positive)], positive),
            Op::Ite => {
                let &[condition, then, otherwise] = store.args(term) else {
                    unreachable!("a conditional has three arguments")
                };
                let then = store.and(&[done(condition, true), done(then, positive)]);
                let otherwise = store.and(&[done(condition, false), done(otherwise, positive)]);
                store.or(&[then, otherwise])
            }
            op => {
                let parts: Vec<TermId> =
                    store.args(term).iter().map(|&part| done(part, positive)).collect();
                if (op == Op::And) == positive { store.and(&parts) } else { store.or(&parts) }
            }
        }
    }
}
