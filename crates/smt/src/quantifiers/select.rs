//! Which instances an assignment needs next, by the terms that are there.
//!
//! First a substitution is looked for that makes some body false by equality alone: the assignment is in
//! conflict, and one such instance is better than any number of others. Without one, those are stated
//! that are false in the assignment as it stands: all their terms are there, so they induce equations
//! or other facts about these. Only then come instances that matching finds and that bring other terms.
//! How far a round goes is limited, and the limits grow when nothing else is left.
//!
//! After Reynolds, Tinelli, de Moura, Finding conflicting instances of quantified formulas in SMT
//! (FMCAD 2014): `instances.search` is 0 for their `cvc4`, 1 for `cvc4+c`, 2 for `cvc4+ci`.

use crate::settings::{
    INSTANCES_LAST_GENERATION, INSTANCES_MATCH_STEPS, INSTANCES_MAX_CONFLICTS, INSTANCES_MAX_FALSE,
    INSTANCES_MAX_KEPT, INSTANCES_MAX_MATCHES, INSTANCES_MAX_OPEN, INSTANCES_SEARCH,
};
use alphorn_term::{Op, Store, TermId};
use rustc_hash::FxHashSet;

use super::falsify::{Wish, falsify};
use super::judge::{Judgement, judge};
use super::matching::{Binding, Chosen, Matched, Reach, matches};
use super::trigger::Pattern;
use super::view::{Key, View};
use super::waiting::wait;
use super::{Known, More, STEPS_PER_TICK, instance_terms, state_instance};
use crate::theories::kernel::Kernel;

/// The most instances of one formula that are remembered as seen.
const MAX_SEEN: usize = 1 << 20;
/// How often matches may grow by the factor of four; nobody has the time to come that far.
const LAST_REACH: u32 = 16;

/// How many generations false instances may be ahead of those that only bring terms.
const FALSE_AHEAD: u32 = 12;

/// The settings with which conflicting instances are looked for, and equality-inducing ones as well.
const CONFLICTING: u64 = 1;
const INDUCING: u64 = 2;

/// An instance to be stated.
struct Candidate {
    judgement: Judgement,
    generation: u32,
    quantifier: TermId,
    bindings: Vec<Binding<Key>>,
}

/// What a round has found.
#[derive(Default)]
struct Round {
    found: Vec<Candidate>,
    more: More,
    ticks: u64,
}

/// A way to find instances.
type Find = fn(&mut Round, &View<'_>, &[TermId]);

/// States the best instances that there are, of the best kind alone; whether there were any, and why
/// there may be others.
pub(super) fn state_selected(
    kernel: &mut Kernel,
    store: &mut Store,
    universal: &[TermId],
) -> (bool, More) {
    kernel.theory_mut().quantifiers.counts.rounds += 1;
    wait(kernel, store, universal);
    let mut more = More::default();
    // What is found may have been stated with other terms for the same numbers; then the next is tried.
    let kinds: [Find; 2] = [Round::falsify_all, Round::match_all];
    let mut next = usize::from(INSTANCES_SEARCH.get() < CONFLICTING);
    while next < kinds.len() {
        let view = View::new(kernel, store);
        let mut round = Round::default();
        while let Some(find) = kinds.get(next)
            && round.found.is_empty()
        {
            next += 1;
            find(&mut round, &view, universal);
        }
        round.ticks += view.steps() / STEPS_PER_TICK;
        more.is_far |= round.more.is_far;
        more.is_cut |= round.more.is_cut;
        kernel.theory_mut().quantifiers.ticks += round.ticks;
        if state_candidates(kernel, store, round.found) {
            return (true, more);
        }
    }
    (false, more)
}

impl Round {
    /// Looks for instances that are false: the first in conflict are enough, and without them some others.
    fn falsify_all(&mut self, view: &View<'_>, universal: &[TermId]) {
        let quantifiers = &view.kernel.theory().quantifiers;
        let steps = INSTANCES_MATCH_STEPS.get() << (2 * quantifiers.reach);
        let most = match INSTANCES_SEARCH.get() >= INDUCING {
            true => INSTANCES_MAX_FALSE.size(),
            false => 0,
        };
        let mut conflicts = 0;
        for &quantifier in universal {
            let Known { pattern, waiting, .. } = &quantifiers.known[&quantifier];
            let is_positive = view.store.op(quantifier) == Op::Forall;
            let mut seen: FxHashSet<Vec<Key>> = FxHashSet::default();
            let (found, more, mut others) = (&mut self.found, &mut self.more, 0);
            let mut visit = |bindings: Vec<Binding<Key>>| {
                let judgement = judge(view, pattern, &bindings, is_positive);
                let generation = pattern.weight + generation_of(view.kernel, &bindings);
                let is_wanted = match judgement {
                    Judgement::Conflict => true,
                    // Each may bring the terms of the next, while others wait that are nearer.
                    Judgement::False if generation > quantifiers.bound + FALSE_AHEAD => {
                        more.is_far |= quantifiers.is_far_reaching
                            || generation <= INSTANCES_LAST_GENERATION.short();
                        false
                    }
                    Judgement::False => others < most,
                    Judgement::Open | Judgement::True => false,
                };
                if is_wanted
                    && seen.insert(keys(&bindings))
                    && !is_stated(view.kernel, quantifier, &bindings)
                {
                    found.push(Candidate { judgement, generation, quantifier, bindings });
                    match judgement {
                        Judgement::Conflict => conflicts += 1,
                        _ => others += 1,
                    }
                }
                match (conflicts >= INSTANCES_MAX_CONFLICTS.size(), others >= most) {
                    (true, _) => Wish::Nothing,
                    (false, true) => Wish::Strict,
                    (false, false) => Wish::Any,
                }
            };
            let waiting = waiting.iter().map(|waiting| waiting.cases(quantifiers));
            let ended = match waiting.collect::<Option<Vec<_>>>() {
                // Each instance belongs to an application, and most were stated.
                Some(cases) if !cases.is_empty() => {
                    let limits = Reach { most: usize::MAX, steps };
                    let mut all = Matched { is_cut: false, steps: 0 };
                    for (trigger, cases) in pattern.triggers.iter().zip(&cases) {
                        let show = &mut |bindings| {
                            visit(bindings);
                        };
                        let open = given(pattern);
                        let cases = Some(cases.as_slice());
                        let ended = matches(view, pattern, trigger, open, limits, cases, show);
                        all.is_cut |= ended.is_cut;
                        all.steps += ended.steps;
                    }
                    all
                }
                _ => falsify(view, pattern, (is_positive, most == 0), steps, &mut visit),
            };
            self.ticks += ended.steps / STEPS_PER_TICK;
            self.more.is_cut |=
                ended.is_cut && quantifiers.is_far_reaching && quantifiers.reach < LAST_REACH;
            if conflicts >= INSTANCES_MAX_CONFLICTS.size() {
                break;
            }
        }
        self.keep_best();
    }

    /// Looks for instances by matching.
    fn match_all(&mut self, view: &View<'_>, universal: &[TermId]) {
        let quantifiers = &view.kernel.theory().quantifiers;
        let (reach, is_limited) = (quantifiers.reach, !quantifiers.is_far_reaching);
        let limits = Reach {
            most: INSTANCES_MAX_MATCHES.size() << (2 * reach),
            steps: INSTANCES_MATCH_STEPS.get() << (2 * reach),
        };
        // Matching alone takes what it finds as it comes.
        let is_judged = INSTANCES_SEARCH.get() >= CONFLICTING;
        let (found, more) = (&mut self.found, &mut self.more);
        let mut ticks = 0;
        for &quantifier in universal {
            let Known { pattern, waiting, .. } = &quantifiers.known[&quantifier];
            let is_positive = view.store.op(quantifier) == Op::Forall;
            let mut seen: FxHashSet<Vec<Key>> = FxHashSet::default();
            let mut kept = 0;
            for (trigger, waiting) in pattern.triggers.iter().zip(waiting) {
                let cases = waiting.cases(quantifiers);
                let cases = cases.as_deref();
                let open = given(pattern);
                let ended = matches(view, pattern, trigger, open, limits, cases, &mut |bindings| {
                    ticks += 1;
                    if seen.len() >= MAX_SEEN {
                        seen.clear();
                    }
                    if !seen.insert(keys(&bindings)) {
                        return;
                    }
                    let judgement = match judge(view, pattern, &bindings, is_positive) {
                        Judgement::True => return,
                        judgement if is_judged => judgement,
                        _ => Judgement::Open,
                    };
                    let generation = pattern.weight + generation_of(view.kernel, &bindings);
                    let bound = match judgement {
                        Judgement::Open => quantifiers.bound,
                        Judgement::False => quantifiers.bound + FALSE_AHEAD,
                        Judgement::Conflict | Judgement::True => u32::MAX,
                    };
                    if generation > bound {
                        more.is_far |=
                            !is_limited || generation <= INSTANCES_LAST_GENERATION.short();
                        return;
                    }
                    // Of those that only bring terms the first are enough; conflicts come before them.
                    let is_wanted =
                        judgement != Judgement::Open || kept < INSTANCES_MAX_KEPT.size();
                    if is_wanted && !is_stated(view.kernel, quantifier, &bindings) {
                        kept += 1;
                        found.push(Candidate { judgement, generation, quantifier, bindings });
                    }
                });
                ticks += ended.steps / STEPS_PER_TICK;
                more.is_cut |= ended.is_cut && !is_limited && reach < LAST_REACH;
            }
        }
        self.ticks += ticks;
        self.keep_best();
    }

    /// Keeps the best kind, those of it that are nearest to the given formulas.
    fn keep_best(&mut self) {
        self.found.sort_by_key(|candidate| (candidate.judgement, candidate.generation));
        if let Some(best) = self.found.first().map(|candidate| candidate.judgement) {
            self.found.retain(|candidate| candidate.judgement == best);
            self.found.truncate(match best {
                Judgement::Conflict => INSTANCES_MAX_CONFLICTS.size(),
                Judgement::False => INSTANCES_MAX_FALSE.size(),
                Judgement::Open | Judgement::True => INSTANCES_MAX_OPEN.size(),
            });
        }
    }
}

fn keys(bindings: &[Binding<Key>]) -> Vec<Key> {
    bindings.iter().map(|binding| binding.key.clone()).collect()
}

/// What variables are given before matching: what is determined needs no term.
fn given(pattern: &Pattern) -> Vec<Option<Binding<Key>>> {
    let given = |place| {
        let key = Key::Truth(false);
        pattern.is_determined(place).then_some(Binding { key, chosen: Chosen::Determined })
    };
    (0..pattern.vars.len()).map(given).collect()
}

fn generation_of(kernel: &Kernel, bindings: &[Binding<Key>]) -> u32 {
    let of = |binding: &Binding<Key>| match &binding.chosen {
        Chosen::Term(term) => kernel.theory().quantifiers.generation(*term),
        Chosen::Sum(sum, found_with) => {
            let atoms = sum.terms.iter().map(|(atom, _)| *atom).chain(*found_with);
            atoms.map(|atom| kernel.theory().quantifiers.generation(atom)).max().unwrap_or(0)
        }
        Chosen::Determined => 0,
    };
    bindings.iter().map(of).max().unwrap_or(0)
}

/// Whether an instance with terms that are there was stated.
fn is_stated(kernel: &Kernel, quantifier: TermId, bindings: &[Binding<Key>]) -> bool {
    let terms: Option<Vec<TermId>> = bindings
        .iter()
        .map(|binding| match binding.chosen {
            Chosen::Term(term) => Some(term),
            Chosen::Sum(..) | Chosen::Determined => None,
        })
        .collect();
    terms.is_some_and(|terms| kernel.theory().quantifiers.stated.contains(&(quantifier, terms)))
}

fn state_candidates(kernel: &mut Kernel, store: &mut Store, candidates: Vec<Candidate>) -> bool {
    let mut is_refined = false;
    for candidate in candidates {
        let pattern = &kernel.theory().quantifiers.known[&candidate.quantifier].pattern;
        let terms = instance_terms(store, pattern, &candidate.bindings);
        if state_instance(kernel, store, candidate.quantifier, terms) {
            let counts = &mut kernel.theory_mut().quantifiers.counts;
            let is_conflict = candidate.judgement == Judgement::Conflict;
            counts.conflicting += u64::from(is_conflict);
            counts.conflicting_rounds += u64::from(is_conflict && !is_refined);
            counts.inducing += u64::from(candidate.judgement == Judgement::False);
            is_refined = true;
        }
    }
    is_refined
}
