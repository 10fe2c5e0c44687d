//! Refutations of formulas about recursive functions, by instances that are found by matching.
//!
//! Assertions are ground, or universal (equations of functions, laws, induction hypotheses), or the
//! negation of something universal, which gets witnesses, or conjunctions of such. Universal ones are instantiated at terms that
//! match their triggers modulo what is known (`closure`), round after round; values that are tested or
//! taken apart are looked at as made by each constructor. The solver sees ground formulas only and
//! refutes them, or not. The instances that a refutation uses become steps of it, so that it is one of
//! the assertions.
//!
//! An equation is matched from its larger side to its smaller one first, like a rewrite rule, and the
//! other way in later rounds. This loses refutations that the solver's own instantiation would find, but
//! an attempt that fails is over soon, and most attempts of a search for lemmas fail.

#[cfg(test)]
mod tests;

use super::closure::{Closure, tree_size};
use super::instances::{Made, fields_of, restated};
use super::triggers::{is_defined, triggers};
use crate::ask::ask_within;
use crate::settings::{
    FOLD_LAWS_CONFLICTS, FOLD_LAWS_GROWTH, FOLD_LAWS_INSTANCES, FOLD_LAWS_QUICK_CONFLICTS,
    FOLD_LAWS_QUICK_INSTANCES, FOLD_LAWS_QUICK_ROUNDS, FOLD_LAWS_ROUNDS, FOLD_LAWS_UNFOLDINGS,
};
use alphorn_engine::{Ctx, Stop};
use alphorn_problem::evidence::proof::{Proof, Rule};
use alphorn_smt::{Answer, Options, Smt};
use alphorn_term::{Op, Store, Substitution, TermId};
use rustc_hash::{FxHashMap, FxHashSet};

/// Limits of a search for a refutation by instances.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// How often instances are added before the search gives up.
    pub rounds: usize,
    /// How many instances a round may add.
    pub instances: usize,
    /// Conflicts of the solver in a round.
    pub conflicts: u64,
    /// Whether applications are looked at as they are in each case of what their arguments may be, however deep.
    pub in_cases: bool,
}

impl Effort {
    /// For laws that are looked for.
    pub fn quick() -> Effort {
        Effort {
            rounds: FOLD_LAWS_QUICK_ROUNDS.size(),
            instances: FOLD_LAWS_QUICK_INSTANCES.size(),
            conflicts: FOLD_LAWS_QUICK_CONFLICTS.get(),
            in_cases: false,
        }
    }

    /// For what must be proved.
    pub fn thorough() -> Effort {
        Effort {
            rounds: FOLD_LAWS_ROUNDS.size(),
            instances: FOLD_LAWS_INSTANCES.size(),
            conflicts: FOLD_LAWS_CONFLICTS.get(),
            in_cases: true,
        }
    }
}

/// What is known of an axiom.
struct Universal {
    source: usize,
    vars: Vec<TermId>,
    body: TermId,
    /// Patterns that must all be there, and from which round on they are used.
    triggers: Vec<(Vec<TermId>, usize)>,
    is_definition: bool,
}

/// A formula that follows from an assertion.
struct Derived {
    source: usize,
    terms: Vec<TermId>,
    is_witness: bool,
    formula: TermId,
}

/// A refutation of some assertions, if one is found.
pub fn refute(
    store: &mut Store,
    assertions: &[TermId],
    effort: Effort,
    ctx: &mut Ctx<'_>,
) -> Result<Option<Proof>, Stop> {
    let mut work = Work::new(store, assertions);
    let mut smt = Smt::new(Options { proofs: true, ..Options::default() });
    let mut asserted = 0;
    for round in 0..effort.rounds {
        for at in asserted..work.stated.len() {
            smt.assert(store, work.stated[at].1);
        }
        asserted = work.stated.len();
        match ask_within(&mut smt, store, &[], effort.conflicts, ctx)? {
            Answer::Unsat => {
                let refutation = smt.refutation(store);
                return Ok(refutation.map(|found| work.proof(store, assertions, found.proof)));
            }
            // More instances may make easy what was too hard.
            Answer::Sat | Answer::Unknown => {}
        }
        ctx.tick(20 + asserted as u64)?;
        if round + 1 == effort.rounds || !work.round(store, round, effort, ctx)? {
            return Ok(None);
        }
    }
    Ok(None)
}

struct Work {
    /// The assertions, with the parts of conjunctions that have quantifiers in the place of these.
    sources: Vec<Source>,
    universals: Vec<Universal>,
    derived: Vec<Derived>,
    /// What the solver is told: the number of a source or of something derived, and the formula.
    stated: Vec<(Stated, TermId)>,
    seen: FxHashSet<(usize, Vec<TermId>)>,
    /// The functions that are defined by recursion on the first argument: for each constructor the axiom.
    cases: FxHashMap<Op, Vec<(Op, usize)>>,
    /// Applications, and what they are with an argument as it is in some case: axioms may be about that.
    possible: Vec<(TermId, TermId)>,
    largest: usize,
}

/// An assertion, or a part of one.
#[derive(Clone, Copy)]
struct Source {
    assertion: usize,
    formula: TermId,
}

#[derive(Clone, Copy)]
enum Stated {
    Source(usize),
    Derived(usize),
}

impl Work {
    fn new(store: &mut Store, assertions: &[TermId]) -> Work {
        let mut work = Work {
            sources: Vec::new(),
            universals: Vec::new(),
            derived: Vec::new(),
            stated: Vec::new(),
            seen: FxHashSet::default(),
            cases: FxHashMap::default(),
            possible: Vec::new(),
            largest: 8,
        };
        for (assertion, &formula) in assertions.iter().enumerate() {
            match store.op(formula) {
                Op::And if store.has_quantifier(formula) => {
                    for part in store.args(formula).to_vec() {
                        work.source(store, Source { assertion, formula: part });
                    }
                }
                _ => work.source(store, Source { assertion, formula }),
            }
        }
        work
    }

    fn source(&mut self, store: &mut Store, source: Source) {
        let formula = source.formula;
        let number = self.sources.len();
        self.sources.push(source);
        let inner = match store.op(formula) {
            Op::Not => store.args(formula)[0],
            _ => formula,
        };
        match (store.op(formula), store.op(inner)) {
            (Op::Forall, _) => self.universal(store, number, formula),
            (Op::Not, Op::Forall) | (Op::Exists, _) => self.witness(store, number, inner),
            _ if store.has_quantifier(formula) => {}
            _ => {
                self.largest = self.largest.max(tree_size(store, formula));
                self.stated.push((Stated::Source(number), formula));
            }
        }
    }

    fn universal(&mut self, store: &Store, source: usize, formula: TermId) {
        let vars = store.bound_vars(formula).to_vec();
        let Some(&body) = store.args(formula).last() else { return };
        if store.has_quantifier(body) {
            return;
        }
        let triggers = triggers(store, &vars, body);
        let is_definition = store.op(body) == Op::Eq
            && triggers.iter().any(|(patterns, _)| is_defined(store, patterns[0]));
        if store.op(body) == Op::Eq {
            for &side in store.args(body) {
                let first = store.args(side).first().copied();
                if let (Op::Apply(_), Some(first)) = (store.op(side), first)
                    && matches!(store.op(first), Op::Construct(_))
                    && triggers.iter().any(|(patterns, from)| patterns == &[side] && *from == 0)
                {
                    let case = (store.op(first), self.universals.len());
                    self.cases.entry(store.op(side)).or_default().push(case);
                }
            }
        }
        self.universals.push(Universal { source, vars, body, triggers, is_definition });
    }

    fn witness(&mut self, store: &mut Store, source: usize, quantifier: TermId) {
        let vars = store.bound_vars(quantifier).to_vec();
        let Some(&body) = store.args(quantifier).last() else { return };
        if store.has_quantifier(body) {
            return;
        }
        let mut fresh = Vec::with_capacity(vars.len());
        for &var in &vars {
            let hint = store.var_name(var).unwrap_or("k").to_owned();
            fresh.push(store.fresh_var(&hint, store.sort(var)));
        }
        let body = store.rename(body, &vars, &fresh);
        let formula = match store.op(quantifier) {
            Op::Forall => store.not(body),
            _ => body,
        };
        self.largest = self.largest.max(tree_size(store, formula));
        self.derive(Derived { source, terms: fresh, is_witness: true, formula });
    }

    fn derive(&mut self, derived: Derived) {
        self.stated.push((Stated::Derived(self.derived.len()), derived.formula));
        self.derived.push(derived);
    }

    /// Adds instances at the terms that are there, unfolding definitions first as far as it goes; whether
    /// there were any.
    fn round(
        &mut self,
        store: &mut Store,
        round: usize,
        effort: Effort,
        ctx: &mut Ctx<'_>,
    ) -> Result<bool, Stop> {
        let most = effort.instances;
        let before = self.derived.len();
        for unfolding in 0..FOLD_LAWS_UNFOLDINGS.size() {
            let mut found: Vec<(usize, usize, Vec<TermId>)> = Vec::new();
            let taken_apart = {
                let closure = self.closure(store, ctx)?;
                self.matching(store, &closure, round, true, &mut found, ctx)?;
                self.chosen(store, &closure, &mut found);
                match unfolding {
                    0 => self.taken_apart(store, &closure),
                    _ => Vec::new(),
                }
            };
            for (op, value, params) in taken_apart {
                for (ctor, at) in self.cases.get(&op).cloned().unwrap_or_default() {
                    let Op::Construct(ctor) = ctor else { continue };
                    let fields = fields_of(store, ctor, value);
                    if let Some(terms) = self.case_terms(store, at, &fields, &params) {
                        found.push((5, at, terms));
                        let made = store.mk(Op::Construct(ctor), &fields);
                        let term = store.mk(op, &[&[value], &params[..]].concat());
                        if effort.in_cases {
                            self.may_be(store, term, made);
                        }
                    }
                }
            }
            let is_new = effort.in_cases && self.look_into_cases(store, effort, ctx)?;
            if self.add(store, found, most) == 0 && !is_new {
                break;
            }
        }
        self.look_into_cases(store, effort, ctx)?;
        let mut found = Vec::new();
        {
            let closure = self.closure(store, ctx)?;
            self.matching(store, &closure, round, false, &mut found, ctx)?;
        }
        self.add(store, found, most);
        Ok(self.derived.len() > before)
    }

    fn closure<'a>(&'a self, store: &'a Store, ctx: &mut Ctx<'_>) -> Result<Closure<'a>, Stop> {
        let facts: Vec<TermId> = self.stated.iter().map(|(_, formula)| *formula).collect();
        let closure = Closure::new(store, &facts, &self.possible);
        ctx.tick(1 + closure.terms().len() as u64 / 8)?;
        Ok(closure)
    }

    /// Instances of definitions, or of the others, that match.
    fn matching(
        &self,
        store: &Store,
        closure: &Closure<'_>,
        round: usize,
        of_definitions: bool,
        found: &mut Vec<(usize, usize, Vec<TermId>)>,
        ctx: &mut Ctx<'_>,
    ) -> Result<(), Stop> {
        for (at, universal) in self.universals.iter().enumerate() {
            if universal.is_definition != of_definitions {
                continue;
            }
            for (patterns, from) in universal.triggers.iter().filter(|(_, from)| *from <= round) {
                for terms in closure.matches(patterns, &universal.vars) {
                    let size: usize = terms.iter().map(|&term| tree_size(store, term)).sum();
                    if size <= FOLD_LAWS_GROWTH.size() * self.largest {
                        found.push((from * 40 + size, at, terms));
                    }
                }
            }
            ctx.tick(1)?;
        }
        Ok(())
    }

    /// Adds the best of some instances; how many.
    fn add(
        &mut self,
        store: &mut Store,
        mut found: Vec<(usize, usize, Vec<TermId>)>,
        most: usize,
    ) -> usize {
        found.sort();
        let mut added = 0;
        for (_, at, terms) in found {
            if added == most {
                break;
            }
            added += usize::from(self.instantiate(store, at, terms));
        }
        added
    }

    /// Applications of recursive functions to conditionals: the equations for what those may be, and for what parameters
    /// may be.
    fn chosen(
        &self,
        store: &Store,
        closure: &Closure<'_>,
        found: &mut Vec<(usize, usize, Vec<TermId>)>,
    ) {
        for &term in closure.terms() {
            let Some(cases) = self.cases.get(&store.op(term)) else { continue };
            let value = store.args(term)[0];
            if closure.construct(value).is_some() {
                continue;
            }
            for made in closure.choices(value) {
                let of = cases.iter().find(|(ctor, _)| *ctor == store.op(made));
                let Some(&(_, at)) = of else { continue };
                for params in variants(closure, &store.args(term)[1..]) {
                    if let Some(terms) = self.case_terms(store, at, store.args(made), &params) {
                        found.push((5, at, terms));
                    }
                }
            }
        }
    }

    /// Notes that an application may be one to another value; whether that is new.
    fn may_be(&mut self, store: &mut Store, term: TermId, value: TermId) -> bool {
        let args = [&[value], &store.args(term)[1..]].concat();
        let possible = (term, store.mk(store.op(term), &args));
        let is_new = !self.possible.contains(&possible);
        if is_new {
            self.possible.push(possible);
        }
        is_new
    }

    /// Notes what applications to conditionals may be; whether any is new.
    fn look_into_cases(
        &mut self,
        store: &mut Store,
        effort: Effort,
        ctx: &mut Ctx<'_>,
    ) -> Result<bool, Stop> {
        let mut applied = self.in_cases(store, &self.closure(store, ctx)?);
        if !effort.in_cases {
            applied.retain(|(_, value)| matches!(store.op(*value), Op::Apply(_)));
        }
        let mut is_new = false;
        for (term, value) in applied {
            is_new |= self.may_be(store, term, value);
        }
        Ok(is_new)
    }

    /// Applications of recursive functions to conditionals, with what these are in the cases.
    fn in_cases(&self, store: &Store, closure: &Closure<'_>) -> Vec<(TermId, TermId)> {
        let mut found = Vec::new();
        for &term in closure.terms() {
            if !self.cases.contains_key(&store.op(term)) {
                continue;
            }
            let value = store.args(term)[0];
            if closure.construct(value).is_some() {
                continue;
            }
            for branch in [closure.branches(value), closure.choices(value)].concat() {
                let size = tree_size(store, term) + tree_size(store, branch);
                if size <= FOLD_LAWS_GROWTH.size() * self.largest
                    && !found.contains(&(term, branch))
                {
                    found.push((term, branch));
                }
            }
        }
        found.truncate(FOLD_LAWS_QUICK_INSTANCES.size());
        found
    }

    /// Applications of recursive functions to values that are asked about, or are given, and whose
    /// constructors are not known.
    fn taken_apart(&self, store: &Store, closure: &Closure<'_>) -> Vec<(Op, TermId, Vec<TermId>)> {
        let mut asked: FxHashSet<TermId> = FxHashSet::default();
        for &term in closure.terms() {
            if matches!(store.op(term), Op::Is(_) | Op::Field(..)) {
                asked.insert(store.args(term)[0]);
            }
        }
        let mut found = Vec::new();
        for &term in closure.terms() {
            let op = store.op(term);
            if !self.cases.contains_key(&op) {
                continue;
            }
            let value = store.args(term)[0];
            let is_given = matches!(store.op(value), Op::Var(_)) || asked.contains(&value);
            let depth = selectors(store, value);
            if is_given && depth <= 2 && closure.construct(value).is_none() {
                found.push((op, value, store.args(term)[1..].to_vec()));
            }
        }
        found
    }

    /// The terms with which an equation is about a constructor's fields and parameters.
    fn case_terms(
        &self,
        store: &Store,
        at: usize,
        fields: &[TermId],
        params: &[TermId],
    ) -> Option<Vec<TermId>> {
        let Universal { vars, triggers, .. } = &self.universals[at];
        let (pattern, _) = triggers.iter().find(|(_, from)| *from == 0)?;
        let args = store.args(*pattern.first()?);
        let mut map: FxHashMap<TermId, TermId> = FxHashMap::default();
        map.extend(store.args(args[0]).iter().copied().zip(fields.iter().copied()));
        map.extend(args[1..].iter().copied().zip(params.iter().copied()));
        vars.iter().map(|var| map.get(var).copied()).collect()
    }

    fn instantiate(&mut self, store: &mut Store, at: usize, terms: Vec<TermId>) -> bool {
        let Universal { source, vars, body, .. } = &self.universals[at];
        if !self.seen.insert((*source, terms.clone())) {
            return false;
        }
        let map: Substitution = vars.iter().copied().zip(terms.iter().copied()).collect();
        let (source, formula) = (*source, store.substitute(*body, &map));
        if formula == TermId::TRUE {
            return false;
        }
        self.derive(Derived { source, terms, is_witness: false, formula });
        true
    }

    /// A refutation of what the solver was told as one of the assertions.
    fn proof(&self, store: &Store, assertions: &[TermId], proof: Proof) -> Proof {
        restated(store, proof, |number| {
            let (source, derived) = match self.stated[number].0 {
                Stated::Source(source) => (source, None),
                Stated::Derived(at) => (self.derived[at].source, Some(&self.derived[at])),
            };
            let Source { assertion, formula } = self.sources[source];
            let mut made: Vec<Made> = Vec::new();
            if formula != assertions[assertion] {
                made.push((assertions[assertion], formula, Rule::Tautology));
            }
            if let Some(derived) = derived {
                let terms = derived.terms.clone();
                let rule = match derived.is_witness {
                    true => Rule::Skolem(terms),
                    false => Rule::Instantiate(terms),
                };
                made.push((formula, derived.formula, rule));
            }
            (assertion, made)
        })
    }
}

/// The most ways to choose among the cases of parameters that are looked at.
const MAX_VARIANTS: usize = 8;

/// Parameters as they are, and with what conditionals among them may be: a condition that decides what a value is made of
/// mostly decides these as well.
fn variants(closure: &Closure<'_>, params: &[TermId]) -> Vec<Vec<TermId>> {
    let mut all: Vec<Vec<TermId>> = vec![Vec::new()];
    for &param in params {
        let mut values = vec![param];
        values.extend(closure.branches(param));
        let longer = |values: &[TermId]| -> Vec<Vec<TermId>> {
            let each = |before: &Vec<TermId>| -> Vec<Vec<TermId>> {
                values.iter().map(|&value| [&before[..], &[value]].concat()).collect()
            };
            all.iter().flat_map(each).collect()
        };
        let mut next = longer(&values);
        if next.len() > MAX_VARIANTS {
            next = longer(&[param]);
        }
        all = next;
    }
    all
}

/// How many selectors are on top of a term.
fn selectors(store: &Store, mut term: TermId) -> usize {
    let mut depth = 0;
    while let Op::Field(..) = store.op(term) {
        term = store.args(term)[0];
        depth += 1;
    }
    depth
}
