//! Triggers: subterms of a quantified body that have to be there for an instance to be of use.
//!
//! A trigger is a set of applications that together mention all bound variables. Single applications
//! are preferred, the smallest ones, so that `f(x)` is taken before `g(f(x))`; where none mentions
//! all variables, applications are collected greedily until all are covered. Variables that stand
//! in no application have no trigger, and instances for them are found by models alone.
//!
//! Variables that neither the body nor a given pattern mentions are left out: every sort has an element, so that the formula says
//! the same without them, and an instance has some name in their place.
//!
//! What the formula is annotated with goes first: given patterns are the triggers, and terms that
//! are no patterns are not taken. A weight says how much further away instances are.
//!
//! After de Moura, Bjørner, Efficient E-matching for SMT solvers (CADE 2007). We also take numbers
//! that are sums for patterns: `a[i + 1]` is matched by solving for `i`.

use crate::settings::{TRIGGERS_MAX_TRIGGERS, TRIGGERS_MAX_WEIGHT};
use alphorn_term::{Op, Store, TermId};
use rustc_hash::{FxHashMap, FxHashSet};

use super::determined::determined;
use crate::theories::Table;

/// The most bound variables that triggers are looked for.
const MAX_VARS: usize = 64;

/// A quantified body and how to find instances of it.
#[derive(Clone, Debug)]
pub(super) struct Pattern {
    /// The bound variables that are mentioned.
    pub(super) vars: Vec<TermId>,
    /// All bound variables, with names of nothing else in place of those that are not mentioned.
    filled: Vec<TermId>,
    /// The body.
    pub(super) body: TermId,
    /// The subterms of the body outside of inner quantifiers, arguments first.
    pub(super) order: Vec<TermId>,
    /// The variables that subterms mention, as bits; only of those that mention some.
    mentions: FxHashMap<TermId, u64>,
    /// Sets of applications; matching any one set gives all variables terms.
    pub(super) triggers: Vec<Vec<TermId>>,
    /// Variables bound inside of the body.
    pub(super) inner: FxHashSet<TermId>,
    /// How much larger the generation of an instance is than that of its terms.
    pub(super) weight: u32,
    /// Variables that triggers need not give terms: their positions and terms over the others.
    pub(super) determined: Vec<Determined>,
}

/// A variable that others determine.
#[derive(Clone, Debug)]
pub(super) struct Determined {
    /// Its position.
    pub(super) place: usize,
    /// What it is.
    pub(super) term: TermId,
    /// The subterms of that, arguments first.
    pub(super) order: Vec<TermId>,
}

/// The triggers of a quantified formula: sets of applications, any one of which gives all variables terms.
pub fn triggers(store: &mut Store, quantifier: TermId) -> Vec<Vec<TermId>> {
    Pattern::new(store, quantifier).triggers
}

impl Pattern {
    /// The pattern of a quantified formula.
    pub(super) fn new(store: &mut Store, quantifier: TermId) -> Pattern {
        let args = store.args(quantifier);
        let bound = store.bound_vars(quantifier).to_vec();
        let body = args[args.len() - 1];
        let given = store.annotations(quantifier).cloned().unwrap_or_default();
        let mut mentioning = given.terms();
        mentioning.push(body);
        let mentioned = store.free_vars(&mentioning);
        let is_mentioned = |var: &TermId| mentioned.contains(var);
        let vars: Vec<TermId> = bound.iter().copied().filter(is_mentioned).collect();
        let mut filled = bound;
        for var in filled.iter_mut().filter(|var| !is_mentioned(var)) {
            *var = store.fresh_var("any", store.sort(*var));
        }
        let mut pattern = Pattern {
            order: order(store, &[body]),
            vars,
            filled,
            body,
            mentions: FxHashMap::default(),
            triggers: Vec::new(),
            inner: inner(store, body),
            weight: 1,
            determined: Vec::new(),
        };
        if pattern.vars.len() > MAX_VARS {
            return pattern;
        }
        pattern.mark(store, &order(store, &[body]));
        pattern.weight = given.weight.unwrap_or(1).min(TRIGGERS_MAX_WEIGHT.short());
        pattern.mark(store, &order(store, &given.terms()));
        pattern.triggers.clone_from(&given.patterns);
        if pattern.triggers.is_empty() {
            pattern.determine(store, quantifier);
            pattern.infer(store, &given.no_patterns);
        }
        if pattern.triggers.is_empty() && !pattern.determined.is_empty() {
            pattern.determined.clear();
            pattern.infer(store, &given.no_patterns);
        }
        pattern
    }

    /// A pattern of these variables alone, to be matched with a trigger that is given.
    pub(super) fn plain(store: &Store, vars: &[TermId], trigger: &[TermId]) -> Pattern {
        let mut pattern = Pattern {
            order: Vec::new(),
            vars: vars.to_vec(),
            filled: vars.to_vec(),
            body: TermId::TRUE,
            mentions: FxHashMap::default(),
            triggers: Vec::new(),
            inner: FxHashSet::default(),
            weight: 1,
            determined: Vec::new(),
        };
        if vars.len() <= MAX_VARS {
            pattern.mark(store, &order(store, trigger));
        }
        pattern
    }

    /// The terms for all bound variables, given those for the variables that are mentioned.
    pub(super) fn fill(&self, terms: &[TermId]) -> Vec<TermId> {
        let term = |var: &TermId| self.place(*var).map_or(*var, |place| terms[place]);
        self.filled.iter().map(term).collect()
    }

    /// Whether a subterm mentions a bound variable.
    pub(super) fn is_open(&self, term: TermId) -> bool {
        self.mentions.contains_key(&term)
    }

    /// The position of a bound variable.
    pub(super) fn place(&self, var: TermId) -> Option<usize> {
        self.vars.iter().position(|other| *other == var)
    }

    /// Which argument of a trigger that is one application each variable is; nothing for those that
    /// are none.
    pub(super) fn places(&self, store: &Store, trigger: &[TermId]) -> Vec<Option<usize>> {
        let args = match trigger {
            [application] => store.args(*application),
            _ => &[],
        };
        self.vars.iter().map(|var| args.iter().position(|arg| arg == var)).collect()
    }

    fn mark(&mut self, store: &Store, order: &[TermId]) {
        for &term in order {
            let own = match store.op(term) {
                Op::Var(_) => self.place(term).map_or(0, |place| 1 << place),
                // What is inside depends on variables that are not there.
                Op::Forall | Op::Exists => {
                    let free = store.free_vars(&[term]);
                    let places = free.iter().filter_map(|var| self.place(*var));
                    places.fold(0, |mask, place| mask | 1 << place)
                }
                _ => {
                    let args = store.args(term).iter();
                    args.fold(0, |mask, arg| mask | self.mentions.get(arg).copied().unwrap_or(0))
                }
            };
            if own != 0 {
                self.mentions.insert(term, own);
            }
        }
    }

    fn determine(&mut self, store: &mut Store, quantifier: TermId) {
        for (var, term) in determined(store, quantifier) {
            let Some(place) = self.place(var) else { continue };
            let order = order(store, &[term]);
            self.mark(store, &order);
            self.determined.push(Determined { place, term, order });
        }
    }

    /// Whether triggers do not give a variable a term.
    pub(super) fn is_determined(&self, place: usize) -> bool {
        self.determined.iter().any(|determined| determined.place == place)
    }

    fn infer(&mut self, store: &Store, excluded: &[TermId]) {
        let determined = self.determined.iter().fold(0u64, |mask, own| mask | 1 << own.place);
        let all = u64::MAX >> (64 - self.vars.len().max(1)) & !determined;
        // Arguments come first, so that a candidate's smaller ones are known already.
        let mut candidates: Vec<(TermId, u64)> = Vec::new();
        let mut has_inside: FxHashMap<TermId, u64> = FxHashMap::default();
        for &term in &self.order {
            let Some(&mask) = self.mentions.get(&term) else { continue };
            let args = store.args(term);
            let inside = args.iter().filter_map(|arg| has_inside.get(arg)).fold(0, |a, b| a | b);
            let is_candidate =
                is_pattern(store.op(term)) && !args.is_empty() && !excluded.contains(&term);
            let is_candidate = is_candidate && mask & determined == 0;
            if is_candidate && inside != mask {
                candidates.push((term, mask));
            }
            has_inside.insert(term, if is_candidate { mask } else { inside });
        }
        self.triggers = candidates
            .iter()
            .filter(|(_, mask)| *mask == all)
            .map(|(term, _)| vec![*term])
            .take(TRIGGERS_MAX_TRIGGERS.size())
            .collect();
        if self.triggers.is_empty() {
            self.triggers.extend(cover(&candidates, all));
        }
    }
}

/// Applications that together mention all variables, each of some use.
fn cover(candidates: &[(TermId, u64)], all: u64) -> Option<Vec<TermId>> {
    let (mut chosen, mut covered) = (Vec::new(), 0u64);
    while covered != all {
        let gain = |mask: u64| (mask & !covered).count_ones();
        let best = candidates.iter().rev().max_by_key(|(_, mask)| gain(*mask))?;
        if gain(best.1) == 0 {
            return None;
        }
        chosen.push(best.0);
        covered |= best.1;
    }
    (!chosen.is_empty()).then_some(chosen)
}

/// Whether terms of an operator are looked for.
fn is_pattern(op: Op) -> bool {
    matches!(op, Op::Apply(_))
        || (Table::congruence(op).is_some() && !matches!(op, Op::ConstArray | Op::Store))
}

/// The subterms outside of quantifiers, arguments first.
fn order(store: &Store, roots: &[TermId]) -> Vec<TermId> {
    let (mut order, mut seen) = (Vec::new(), FxHashSet::default());
    let mut stack: Vec<(TermId, bool)> = roots.iter().rev().map(|root| (*root, false)).collect();
    while let Some((term, is_ready)) = stack.pop() {
        if is_ready {
            order.push(term);
        } else if seen.insert(term) {
            stack.push((term, true));
            if !matches!(store.op(term), Op::Forall | Op::Exists) {
                stack.extend(store.args(term).iter().rev().map(|arg| (*arg, false)));
            }
        }
    }
    order
}

/// The variables that quantifiers in a term bind.
fn inner(store: &Store, root: TermId) -> FxHashSet<TermId> {
    if !store.has_quantifier(root) {
        return FxHashSet::default();
    }
    let is_quantifier = |term: &TermId| matches!(store.op(*term), Op::Forall | Op::Exists);
    let all = store.subterms(&[root]).into_iter().filter(is_quantifier);
    all.flat_map(|term| store.bound_vars(term).to_vec()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use alphorn_term::{Annotations, SortId};

    /// For all `x`, `g(f(x)) < x`: with `f(x)`, `g(f(x))` and `g(x)`.
    fn composed(store: &mut Store) -> (TermId, [TermId; 3]) {
        let f = store.declare("f", &[SortId::INT], SortId::INT);
        let g = store.declare("g", &[SortId::INT], SortId::INT);
        let x = store.var("x", SortId::INT);
        let fx = store.mk(Op::Apply(f), &[x]);
        let gfx = store.mk(Op::Apply(g), &[fx]);
        let gx = store.mk(Op::Apply(g), &[x]);
        let body = store.lt(gfx, x);
        (store.forall(&[x], body), [fx, gfx, gx])
    }

    #[test]
    fn the_smallest_application_is_preferred() {
        let mut store = Store::new();
        let (all, [fx, ..]) = composed(&mut store);
        assert_eq!(Pattern::new(&mut store, all).triggers, vec![vec![fx]]);
    }

    #[test]
    fn variables_that_nothing_mentions_are_left_out() {
        let mut store = Store::new();
        let f = store.declare("f", &[SortId::INT], SortId::INT);
        let [x, y] = ["x", "y"].map(|name| store.var(name, SortId::INT));
        let fx = store.mk(Op::Apply(f), &[x]);
        let body = store.lt(fx, x);
        let all = store.forall(&[y, x], body);
        let pattern = Pattern::new(&mut store, all);
        assert_eq!((&pattern.vars, &pattern.triggers), (&vec![x], &vec![vec![fx]]));
        let filled = pattern.fill(&[fx]);
        assert_eq!((filled.len(), filled[1]), (2, fx));
        assert!(filled[0] != y && store.sort(filled[0]) == SortId::INT);
    }

    #[test]
    fn given_patterns_are_the_triggers() {
        let mut store = Store::new();
        let (all, [fx, gfx, gx]) = composed(&mut store);
        let said = Annotations { no_patterns: vec![fx], weight: Some(3), ..Default::default() };
        store.annotate(all, said);
        let pattern = Pattern::new(&mut store, all);
        assert_eq!((pattern.triggers, pattern.weight), (vec![vec![gfx]], 3));
        // A term that the body does not mention may be a pattern, too.
        let patterns = vec![vec![gfx], vec![gx, fx]];
        store.annotate(all, Annotations { patterns: patterns.clone(), ..Default::default() });
        let pattern = Pattern::new(&mut store, all);
        assert_eq!(pattern.triggers, patterns);
        assert!(pattern.is_open(gx) && pattern.is_open(fx));
    }

    #[test]
    fn applications_are_collected_until_all_variables_are_covered() {
        let mut store = Store::new();
        let f = store.declare("f", &[SortId::INT], SortId::INT);
        let [x, y, z] = ["x", "y", "z"].map(|name| store.var(name, SortId::INT));
        let [fx, fy] = [x, y].map(|var| store.mk(Op::Apply(f), &[var]));
        let (order, values) = (store.lt(x, y), store.lt(fx, fy));
        let body = store.implies(order, values);
        let monotone = store.forall(&[x, y], body);
        let mut trigger = Pattern::new(&mut store, monotone).triggers.remove(0);
        trigger.sort_unstable();
        assert_eq!(trigger, vec![fx, fy]);
        let below = store.lt(fx, z);
        let uncovered = store.forall(&[x, z], below);
        assert!(Pattern::new(&mut store, uncovered).triggers.is_empty());
    }
}
