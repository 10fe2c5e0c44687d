//! Quantified formulas: instances and witnesses, stated when an assignment lacks them.
//!
//! To the search a quantified formula is a truth value like others. Where an assignment makes an
//! existential one true (or a universal one false), a witness is named. Where it makes a universal
//! one true, instances are looked for that the assignment violates, or does not know:
//!
//! 1. instances that are false whatever the numbers are: the assignment is in conflict;
//! 2. instances that are false as it stands, so that they induce equations of terms that are there;
//! 3. instances that matching finds and that bring other terms, those that are nearer to the given
//!    formulas first: each term has a *generation*, and the bound on it grows only in need;
//! 4. instances at all indices of arrays, for variables that stand as indices (`indices`);
//! 5. instances out of the model that the assignment is read as (`probe`).
//!
//! Formulas over truth values, words and numbers without functions have no use for the first four: the
//! assignment is a candidate for the free symbols, and a solver is asked for a counterexample (`block`).
//!
//! If the model violates no universal formula, it is a model. Clauses that are added hold always
//! (an instance follows, a witness can be chosen), so they stay when scopes end, and a refutation
//! with them is one that `check` replays. What a round may do is limited and grows in need; the budget
//! of the query and its interrupt end the search, and the rounds for those who set a number.
//!
//! - `select`: the first three of these; `falsify`: which terms make a body false
//! - `trigger`, `determined`, `matching`: which instances there are for terms that are there
//! - `waiting`: which terms may still give instances
//! - `alive`: which terms matter, in a solver that had others before
//! - `view`, `judge`: the assignment, and what instances are in it
//! - `finite`, `probe`, `interpret`: violations in a model; `bounds`: terms that violate as values do
//! - `block`, `nest`: exists–forall, where no functions are; `cases`: trees by their constructors
//! - `decide`: a set of formulas, decided with evidence; `show`: evidence for a model
//!
//! After Reynolds, Tinelli, de Moura (FMCAD 2014) for the order, and Ge, de Moura (CAV 2009).

mod alive;
mod block;
mod bounds;
mod cases;
mod decide;
mod determined;
mod falsify;
mod finite;
mod indices;
mod interpret;
mod judge;
mod matching;
mod nest;
mod probe;
mod select;
mod show;
mod trigger;
mod view;
mod waiting;

use crate::settings::{INSTANCES_PATIENCE, MODELS_CONFLICTS, MODELS_VARIANTS};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use alphorn_problem::evidence::proof::Literal;
use alphorn_sat::{Budget, Lit};
use alphorn_term::{Model, Op, Store, Substitution, TermId};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::options::Options;
use crate::theories::encode::{Encoding, Leaf};
use crate::theories::kernel::Kernel;
use crate::theories::relevance::relevant_terms;
use crate::theories::theory::Theory;
pub(crate) use alive::find_alive;
use block::{Block, is_plain};
use indices::instantiate_at_indices;
use interpret::Interpreter;
use matching::{Binding, Chosen};
pub use matching::{Ground, Reach, instances};
use nest::Nest;
use probe::{Prober, Question, Unclear};
use select::state_selected;
use trigger::Pattern;
pub use trigger::triggers;
use view::{Key, View};
use waiting::Waiting;

/// The number of rounds that stands for as many as the budget allows.
pub const UNLIMITED_ROUNDS: u32 = u32::MAX;

pub use decide::{Quantified, QuantifierLimits, decide};
pub(crate) use show::hold_as_named;
pub use show::{evaluated, show, universes};

/// What stands for the cases of a formula among what was stated of it: no instance is a truth value of trees.
const CASES: TermId = TermId::TRUE;

/// Parts of a model's values for the price of a tick, where they are written out.
const PARTS_PER_TICK: u64 = 16;

/// Steps of matching for the price of a tick.
const STEPS_PER_TICK: u64 = 8;

/// A quantified formula of the search.
struct Known {
    pattern: Pattern,
    /// By trigger: what may still give instances.
    waiting: Vec<Waiting>,
    question: Option<Question>,
    /// Whether it is about truth values, words and numbers alone.
    is_plain: bool,
    /// What is asked of it if it is, once that was made.
    block: Option<Block>,
    /// The terms of the instance that says all that it says.
    only: Option<Vec<TermId>>,
    /// The variable that is to be a constructor, by its position.
    place: Option<usize>,
    has_witness: bool,
}

/// Quantified formulas: what a solver has done about them.
#[derive(Default)]
pub(crate) struct Quantifiers {
    /// Those that were met, as truth values like others.
    formulas: Vec<TermId>,
    /// Whether they are understood at all.
    pub(crate) is_on: bool,
    known: FxHashMap<TermId, Known>,
    stated: FxHashSet<(TermId, Vec<TermId>)>,
    /// What was stated, in its order.
    log: Vec<alive::Stated>,
    /// The terms that the query is about; all if there were no others.
    alive: Option<alive::Alive>,
    /// How many instances in a row brought terms; those without have brought none.
    generations: FxHashMap<TermId, u32>,
    /// The largest generation that is allowed so far.
    bound: u32,
    /// How often the limits of matching have grown.
    reach: u32,
    model_rounds: u32,
    /// How many rounds this query may still have; nothing if its budget alone says.
    rounds: Option<u32>,
    /// Whether the limits of a round grow in need.
    is_far_reaching: bool,
    /// How often it may still look for instances in a model.
    probes: u32,
    /// How many rounds it has had, the growing of limits included.
    pub(crate) done: u64,
    /// The ticks when it began.
    begun: u64,
    /// Whether an assignment could neither be refined nor be shown to be a model.
    pub(crate) is_stuck: bool,
    pub(crate) interrupt: Arc<AtomicBool>,
    /// Which values functions have where nothing is known of them.
    pub(crate) variant: u32,
    /// Work, in ticks.
    pub(crate) ticks: u64,
    /// What was stated.
    pub(crate) counts: InstanceCounts,
}

/// How many instances were stated, and of which kinds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct InstanceCounts {
    /// All of them.
    pub all: u64,
    /// Those in conflict with the assignment.
    pub conflicting: u64,
    /// Those that are false in it, and say that terms that are there are equal, say.
    pub inducing: u64,
    /// How often instances were looked for.
    pub rounds: u64,
    /// How many of these found a conflicting one.
    pub conflicting_rounds: u64,
}

/// What violates a quantified formula: terms for its variables, or for the names of a block, the better
/// ones first.
enum Violation {
    Instances(TermId, Vec<Vec<TermId>>),
    Nested(Nest, Vec<Substitution>),
}

impl Quantifiers {
    /// What violates universal formulas in a model, up to the first if that is enough; and whether
    /// some formula could not be judged.
    fn violations(
        &mut self,
        prober: &mut Prober<'_>,
        universal: &[TermId],
        is_one_enough: bool,
    ) -> (Vec<Violation>, bool) {
        let (mut violations, mut is_open) = (Vec::new(), false);
        for &quantifier in universal {
            let is_positive = prober.store.op(quantifier) == Op::Forall;
            let Some(known) = self.known.get_mut(&quantifier) else {
                continue;
            };
            let Known { pattern, question, is_plain, block, .. } = known;
            self.ticks += 100 + prober.interpreter.parts() / PARTS_PER_TICK;
            // Whoever evaluates what is inside for each value would take long.
            let is_nested = *is_plain && prober.store.has_quantifier(pattern.body);
            if !is_nested && let Some(found) = prober.violating_finite(pattern, is_positive) {
                let one_by_one =
                    found.into_iter().map(|terms| Violation::Instances(quantifier, vec![terms]));
                violations.extend(one_by_one);
                if is_one_enough && !violations.is_empty() {
                    break;
                }
                continue;
            }
            // What a division by zero gives is for the model to say, and a block does not ask it.
            if *is_plain
                && let Some(found) = prober.violating_quotients(pattern, is_positive, question)
            {
                violations.extend(found.map(|terms| Violation::Instances(quantifier, terms)));
            } else if *is_plain {
                match prober.ask_block(quantifier, block, &mut self.ticks) {
                    Ok(found) => violations.extend(found),
                    Err(Unclear) => is_open = true,
                }
            } else {
                match prober.violating(pattern, is_positive, question) {
                    // Others may still say more about what its instances mention.
                    None => is_open = true,
                    Some(None) => {}
                    Some(Some(found)) => violations.push(Violation::Instances(quantifier, found)),
                }
            }
            if is_one_enough && (is_open || !violations.is_empty()) {
                break;
            }
        }
        (violations, is_open)
    }

    /// The terms of the instances of a formula, in their order.
    pub(crate) fn instances(&self, quantifier: TermId) -> Vec<Vec<TermId>> {
        let own = self.log.iter().filter(|(of, terms, _)| *of == quantifier && !terms.is_empty());
        own.map(|(_, terms, _)| self.known[&quantifier].pattern.fill(terms)).collect()
    }

    /// How far a term is from the formulas that were given.
    pub(crate) fn generation(&self, term: TermId) -> u32 {
        self.generations.get(&term).copied().unwrap_or(0)
    }

    /// Whether there are any.
    pub(crate) fn is_empty(&self) -> bool {
        self.formulas.is_empty()
    }

    /// Lets matching go further, in the ways that were in the way.
    fn widen(&mut self, more: More) {
        self.done += 1;
        self.bound += u32::from(more.is_far);
        self.reach += u32::from(more.is_cut);
    }

    /// Whether a query with this budget has no more for quantified formulas. Where rounds have no
    /// limit of their own each counts as a conflict, so that any budget ends the search.
    pub(crate) fn is_spent(&self, budget: &Budget) -> bool {
        let is_over = |most: u64| self.rounds.is_none() && self.done >= most;
        self.interrupt.load(Ordering::Relaxed)
            || budget.conflicts.is_some_and(is_over)
            || budget.ticks.is_some_and(|most| self.ticks - self.begun >= most)
    }
}

impl Theory for Quantifiers {
    const IS_RESTATED: bool = true;

    fn atom(cx: &mut Encoding<'_>, term: TermId) -> Option<Lit> {
        let is_quantified = matches!(cx.store.op(term), Op::Forall | Op::Exists);
        if !is_quantified || !cx.theory().quantifiers.is_on {
            return None;
        }
        cx.theory_mut().quantifiers.formulas.push(term);
        Some(cx.opaque(term))
    }

    fn begin(&mut self, options: &Options) {
        let rounds = options.instance_rounds;
        self.is_far_reaching = options.far_instances;
        self.probes = options.model_rounds;
        self.rounds = (rounds < UNLIMITED_ROUNDS).then_some(rounds);
        self.done = 0;
        self.begun = self.ticks;
        self.is_stuck = false;
        self.variant = 0;
        self.bound = 1;
        self.reach = 0;
        self.model_rounds = 0;
    }

    fn end_scopes(&mut self, scopes: usize) {
        self.forget_scopes(scopes);
    }

    fn refine(kernel: &mut Kernel, store: &mut Store) -> bool {
        refine(kernel, store)
    }
}

/// What kept matching from finding more instances.
#[derive(Clone, Copy, Default)]
struct More {
    /// The generation of terms.
    is_far: bool,
    /// The number of matches and of steps.
    is_cut: bool,
}

impl More {
    fn is_any(self) -> bool {
        self.is_far || self.is_cut
    }
}

/// States instances and witnesses that the assignment lacks; whether there were any.
fn refine(kernel: &mut Kernel, store: &mut Store) -> bool {
    if kernel.theory().quantifiers.formulas.is_empty() {
        return false;
    }
    match &mut kernel.theory_mut().quantifiers.rounds {
        Some(0) => {
            kernel.theory_mut().quantifiers.is_stuck = true;
            return false;
        }
        Some(rounds) => *rounds -= 1,
        None => {}
    }
    let quantifiers = &mut kernel.theory_mut().quantifiers;
    quantifiers.done += 1;
    quantifiers.ticks += 10;
    let mut universal = Vec::new();
    let mut is_refined = false;
    for term in kernel.theory().quantifiers.formulas.clone() {
        if !kernel.theory().quantifiers.is_alive(term) {
            continue;
        }
        let Some(value) = kernel.truth_of(store, term) else { continue };
        know(kernel, store, term);
        let is_bare = kernel.theory().quantifiers.known[&term].pattern.vars.is_empty();
        match (store.op(term) == Op::Forall) == value {
            // Its only instance says what it says.
            true if is_bare => is_refined |= state_instance(kernel, store, term, Vec::new()),
            true => match others_say_it(kernel, store, term) {
                Some(is_new) => is_refined |= is_new,
                None => universal.push(term),
            },
            false => is_refined |= lacks_witness(kernel, term),
        }
    }
    if is_refined {
        let unnamed: Vec<TermId> = kernel.theory().quantifiers.formulas.clone();
        for term in unnamed {
            name_witness(kernel, store, term);
        }
        return true;
    }
    instantiate(kernel, store, &universal)
}

fn know(kernel: &mut Kernel, store: &mut Store, term: TermId) {
    kernel.theory_mut().quantifiers.known.entry(term).or_insert_with(|| {
        let pattern = Pattern::new(store, term);
        let waiting = pattern.triggers.iter().map(|trigger| {
            let places = pattern.places(store, trigger);
            Waiting::new(trigger.first().map_or(Op::True, |term| store.op(*term)), places)
        });
        let waiting = waiting.collect();
        let is_plain = is_plain(store, term);
        let only = match is_plain {
            true => None,
            false => cases::only_instance(store, term, &pattern),
        };
        let place = cases::place(store, term, &pattern).filter(|_| only.is_none());
        let (question, block, has_witness) = (None, None, false);
        Known { pattern, waiting, question, is_plain, block, only, place, has_witness }
    });
}

/// Whether other formulas say what a universal one says, stated now if they were not: its only instance, or
/// its cases. Whether that is new.
fn others_say_it(kernel: &mut Kernel, store: &mut Store, quantifier: TermId) -> Option<bool> {
    let known = &kernel.theory().quantifiers.known[&quantifier];
    if let Some(terms) = known.only.clone() {
        return Some(state_instance(kernel, store, quantifier, terms));
    }
    let place = known.place?;
    let is_new = kernel.theory_mut().quantifiers.stated.insert((quantifier, vec![CASES]));
    if is_new {
        cases::state_cases(kernel, store, quantifier, place);
    }
    Some(is_new)
}

fn lacks_witness(kernel: &mut Kernel, term: TermId) -> bool {
    let known = kernel.theory_mut().quantifiers.known.get_mut(&term);
    known.is_some_and(|known| {
        let lacks = !known.has_witness;
        known.has_witness = true;
        lacks
    })
}

fn instantiate(kernel: &mut Kernel, store: &mut Store, universal: &[TermId]) -> bool {
    let is_other = |quantifier: &&TermId| !kernel.theory().quantifiers.known[*quantifier].is_plain;
    let others: Vec<TermId> = universal.iter().filter(is_other).copied().collect();
    loop {
        if kernel.theory().quantifiers.is_spent(&kernel.search.budget()) {
            kernel.theory_mut().quantifiers.is_stuck = true;
            return false;
        }
        let (is_refined, more) = state_selected(kernel, store, &others);
        if is_refined {
            return true;
        }
        let is_patient = kernel.theory().quantifiers.model_rounds < INSTANCES_PATIENCE.short();
        if more.is_any() && !is_patient {
            kernel.theory_mut().quantifiers.model_rounds = 0;
            kernel.theory_mut().quantifiers.widen(more);
            continue;
        }
        if instantiate_at_indices(kernel, store, &others) {
            return true;
        }
        let has_probes = kernel.theory().quantifiers.probes > 0;
        let probes = &mut kernel.theory_mut().quantifiers.probes;
        *probes = probes.saturating_sub(1);
        let probed = if has_probes { probe_all(kernel, store, universal) } else { None };
        match probed {
            Some(true) => {
                kernel.theory_mut().quantifiers.model_rounds += 1;
                return true;
            }
            Some(false) => return false,
            None if more.is_any() => kernel.theory_mut().quantifiers.widen(more),
            None => {
                kernel.theory_mut().quantifiers.is_stuck = true;
                return false;
            }
        }
    }
}

/// Looks for violations in the model: whether one was stated; nothing if a formula could not be
/// judged and none was violated.
fn probe_all(kernel: &mut Kernel, store: &mut Store, universal: &[TermId]) -> Option<bool> {
    let relevant = relevant_terms(kernel, store);
    let universal: Vec<TermId> =
        universal.iter().copied().filter(|term| relevant.contains(term)).collect();
    let known = &kernel.theory().quantifiers.known;
    // Where nobody else can help, a block may take as long as the query.
    let budget = match universal.iter().all(|quantifier| known[quantifier].is_plain) {
        true => kernel.search.budget(),
        false => Budget { conflicts: Some(MODELS_CONFLICTS.get()), ..Budget::default() },
    };
    let elements = kernel.element_terms(store);
    let view = View::new(kernel, store);
    let (terms, numbers) = (view.representatives(), view.numbers_of_terms());
    let limits = QuantifierLimits {
        budget: Budget { conflicts: Some(MODELS_CONFLICTS.get()), ..Budget::default() },
        interrupt: Arc::clone(&kernel.theory().quantifiers.interrupt),
        ..QuantifierLimits::default()
    };
    let (mut violations, mut is_stuck) = (Vec::new(), false);
    // Other functions help where instances do not come to an end.
    let has_patience = kernel.theory().quantifiers.model_rounds % 4 != 1;
    let mut first = Model::new();
    for variant in 0..MODELS_VARIANTS.short() {
        kernel.theory_mut().quantifiers.variant = variant;
        let model = kernel.model(store);
        if variant > 0 && has_patience {
            break;
        }
        if variant > 0 && model == first {
            continue;
        }
        if variant == 0 {
            first = model.clone();
        }
        let limits = &limits;
        let (model, terms, numbers, elements) = (&model, &terms, &numbers, &elements);
        let interpreter = &Interpreter::new(model);
        let is_upwards = kernel.theory().quantifiers.done % 2 == 1;
        let mut prober = Prober {
            store,
            limits,
            budget,
            model,
            interpreter,
            terms,
            numbers,
            elements,
            is_upwards,
        };
        let (found, is_open) =
            kernel.theory_mut().quantifiers.violations(&mut prober, &universal, variant > 0);
        if found.is_empty() && !is_open {
            return Some(false);
        }
        if variant == 0 {
            (violations, is_stuck) = (found, is_open);
            if is_stuck {
                break;
            }
        }
    }
    kernel.theory_mut().quantifiers.variant = 0;
    let mut is_refined = false;
    for violation in violations {
        let is_stated = match violation {
            Violation::Instances(quantifier, candidates) => {
                let mut candidates = candidates.into_iter();
                candidates.any(|terms| state_instance(kernel, store, quantifier, terms))
            }
            Violation::Nested(nest, candidates) => {
                candidates.iter().any(|terms| nest.state(kernel, store, terms))
            }
        };
        is_refined |= is_stated;
        is_stuck |= !is_stated;
    }
    (is_refined || !is_stuck).then_some(is_refined)
}

/// States an instance, unless it was stated before or would need other names.
fn state_instance(
    kernel: &mut Kernel,
    store: &mut Store,
    quantifier: TermId,
    terms: Vec<TermId>,
) -> bool {
    let Pattern { inner, vars, .. } = &kernel.theory().quantifiers.known[&quantifier].pattern;
    // What was found by its value in a model need not have the sort.
    if vars.iter().zip(&terms).any(|(var, term)| store.sort(*var) != store.sort(*term)) {
        return false;
    }
    if !inner.is_empty() && store.free_vars(&terms).iter().any(|var| inner.contains(var)) {
        return false;
    }
    let filled = kernel.theory().quantifiers.known[&quantifier].pattern.fill(&terms);
    if !kernel.theory_mut().quantifiers.stated.insert((quantifier, filled.clone())) {
        return false;
    }
    kernel.theory_mut().quantifiers.counts.all += 1;
    let generations = terms.iter().map(|term| kernel.theory().quantifiers.generation(*term));
    let weight = kernel.theory().quantifiers.known[&quantifier].pattern.weight;
    let generation = weight + generations.max().unwrap_or(0);
    let (literal, conclusion) = follows(kernel, store, quantifier, &terms, true);
    kernel.theory_mut().quantifiers.note(store, (quantifier, terms, conclusion));
    for term in store.subterms(&[conclusion]) {
        if !kernel.theory().equality.nodes.contains_key(&term)
            && !kernel.theory().arithmetic.numbers.contains_key(&term)
        {
            kernel.theory_mut().quantifiers.generations.entry(term).or_insert(generation);
        }
    }
    let clause = vec![literal, Literal::of(store, conclusion)];
    state(kernel, store, literal, conclusion, Leaf::Instance(clause, filled));
    true
}

/// Names the witness of a formula that needs one.
fn name_witness(kernel: &mut Kernel, store: &mut Store, term: TermId) {
    let Some(known) = kernel.theory().quantifiers.known.get(&term) else { return };
    let key = (term, Vec::new());
    let (has_witness, vars) = (known.has_witness, store.bound_vars(term).to_vec());
    if !has_witness || !kernel.theory_mut().quantifiers.stated.insert(key) {
        return;
    }
    let witnesses = fresh_for(store, &vars);
    let pattern = &kernel.theory().quantifiers.known[&term].pattern;
    let named = vars.iter().zip(&witnesses).filter(|(var, _)| pattern.place(**var).is_some());
    let named: Vec<TermId> = named.map(|(_, witness)| *witness).collect();
    let (literal, conclusion) = follows(kernel, store, term, &named, false);
    kernel.theory_mut().quantifiers.note(store, (term, Vec::new(), conclusion));
    let clause = vec![literal, Literal::of(store, conclusion)];
    state(kernel, store, literal, conclusion, Leaf::Witness(clause, witnesses));
}

/// The body for some terms, with the sign that follows from the quantifier, and the literal
/// that it follows from, negated.
fn follows(
    kernel: &Kernel,
    store: &mut Store,
    quantifier: TermId,
    terms: &[TermId],
    is_instance: bool,
) -> (Literal, TermId) {
    let Pattern { vars, body, .. } = &kernel.theory().quantifiers.known[&quantifier].pattern;
    let body = store.rename(*body, vars, terms);
    // An instance of what holds for all, or the witness of what holds for some.
    let is_positive = (store.op(quantifier) == Op::Forall) == is_instance;
    let conclusion = if is_positive { body } else { store.not(body) };
    (Literal { atom: quantifier, negated: is_positive }, conclusion)
}

fn state(
    kernel: &mut Kernel,
    store: &mut Store,
    quantifier: Literal,
    conclusion: TermId,
    leaf: Leaf,
) {
    let mut cx = kernel.encoding(store);
    let lit = cx.literal(conclusion);
    let own = cx.literal(quantifier.atom).xor(quantifier.negated);
    cx.clause(&[own, lit], leaf);
}

/// The terms for the bound variables, in their order.
fn instance_terms(store: &mut Store, pattern: &Pattern, bindings: &[Binding<Key>]) -> Vec<TermId> {
    let mut terms: Vec<TermId> = Vec::with_capacity(bindings.len());
    for (binding, &var) in bindings.iter().zip(&pattern.vars) {
        terms.push(match &binding.chosen {
            Chosen::Term(term) => *term,
            Chosen::Sum(sum, _) => sum.to_term(store, store.sort(var)),
            Chosen::Determined => var,
        });
    }
    let map: Substitution = pattern.vars.iter().copied().zip(terms.iter().copied()).collect();
    for determined in &pattern.determined {
        terms[determined.place] = store.substitute(determined.term, &map);
    }
    terms
}

/// Variables that are nowhere else, in place of others.
fn fresh_for(store: &mut Store, vars: &[TermId]) -> Vec<TermId> {
    let mut fresh = Vec::with_capacity(vars.len());
    for var in vars {
        let hint = store.var_name(*var).unwrap_or("k").to_owned();
        fresh.push(store.fresh_var(&hint, store.sort(*var)));
    }
    fresh
}
