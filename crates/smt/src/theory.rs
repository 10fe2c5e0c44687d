//! The theories behind the search: arithmetic, equality, and what they tell each other.
//!
//! Literals that mean something wait on a trail of their own until the search asks; then bounds go
//! to `arith` and equations to `euf`. What either implies is told to the search if it has a literal
//! for it. Complete assignments are made integral first, then agreed upon (`combine`).
//!
//! Invariant: a level's record has how much of the trail was there and how much of it was processed
//! when the level began. What is processed later inside the level is undone with it and processed
//! again if it is still on the trail.
//!
//! After Dutertre, de Moura (CAV 2006) for bounds and their propagation.

use alphorn_sat::{Context, FinalCheck, Lit, Theory, Var};
use alphorn_term::Rat;
use rustc_hash::FxHashMap;

use crate::arith::{
    Arith, Certificate, Delta, Effort, Feasible, Implied, Integers, Side, Var as Form,
};
use crate::atoms::{Atoms, Meaning};
use crate::combine::{Polynomial, Shared};
use crate::data::Trees;
use crate::euf::{Euf, Node};
use crate::justify::{Cursor, Justification, Next};

/// Why the theories implied a literal: where its explanation begins and ends.
#[derive(Clone, Copy, Default)]
struct Explanation {
    start: u32,
    end: u32,
}

/// What was there when a level began.
#[derive(Clone, Copy)]
struct Level {
    trail: u32,
    head: u32,
    explanations: u32,
    justified: Cursor,
}

/// What the theories counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TheoryStats {
    /// Conflicts of bounds over the rationals.
    pub bound_conflicts: u64,
    /// Conflicts that needed integers.
    pub integer_conflicts: u64,
    /// Conflicts of equations.
    pub equality_conflicts: u64,
    /// Literals implied.
    pub implied: u64,
    /// Branches over the integers.
    pub branches: u64,
    /// Equations made for theories to agree on.
    pub arrangements: u64,
    /// Work, in ticks, as a budget counts them.
    pub ticks: u64,
    /// Those that went into quantified formulas.
    pub quantifier_ticks: u64,
}

/// Arithmetic and equality as one theory of the search.
pub(crate) struct Theories {
    pub(crate) arith: Arith,
    pub(crate) euf: Euf,
    pub(crate) atoms: Atoms,
    pub(crate) shared: Shared,
    pub(crate) trees: Trees,
    pub(crate) justification: Justification,
    is_enough: bool,
    /// The nodes of the truth values.
    pub(crate) truth: [Node; 2],
    pub(crate) stats: TheoryStats,
    /// How often something was met that is not understood, so that a model must be evaluated to be one.
    pub(crate) unclear: u64,
    /// What the forms are that literals are about.
    pub(crate) forms: FxHashMap<Form, Vec<(Form, Rat)>>,
    /// Products: the unknown, a number, and the factors, whose product times the number it is.
    pub(crate) products: Vec<(Form, Rat, Polynomial, Polynomial)>,
    /// The assignment at which the search stopped for the products.
    pub(crate) snapshot: Vec<Rat>,
    /// Whether the last complete assignment stopped for the products.
    pub(crate) stopped_at_products: bool,
    /// Whether the last complete assignment was not judged to the end for lack of ticks.
    pub(crate) gave_up: bool,
    /// Whether no more work would help with the last complete assignment.
    pub(crate) is_at_a_loss: bool,
    /// Certificates of lemmas that need rounding, by their sorted literals, if a proof is wanted.
    pub(crate) certificates: Option<FxHashMap<Vec<Lit>, Certificate>>,
    trail: Vec<Lit>,
    head: usize,
    levels: Vec<Level>,
    /// By literal: both literals of a variable may be implied before the search sees a conflict.
    reasons: Vec<Explanation>,
    explanations: Vec<Lit>,
    buffer: Vec<Implied>,
    reported: Vec<(u32, bool)>,
    tags: Vec<u32>,
    clause: Vec<Lit>,
    weaker: Vec<Lit>,
}

impl Theories {
    pub(crate) fn new(with_proofs: bool) -> Theories {
        let mut euf = Euf::new();
        let truth = [euf.node(0, &[], Some(0)), euf.node(1, &[], Some(1))];
        Theories {
            arith: Arith::new(),
            euf,
            atoms: Atoms::default(),
            shared: Shared::default(),
            trees: Trees::default(),
            justification: Justification::default(),
            is_enough: false,
            truth,
            stats: TheoryStats::default(),
            unclear: 0,
            forms: FxHashMap::default(),
            products: Vec::new(),
            snapshot: Vec::new(),
            stopped_at_products: false,
            gave_up: false,
            is_at_a_loss: false,
            certificates: with_proofs.then(FxHashMap::default),
            trail: Vec::new(),
            head: 0,
            levels: Vec::new(),
            reasons: Vec::new(),
            explanations: Vec::new(),
            buffer: Vec::new(),
            reported: Vec::new(),
            tags: Vec::new(),
            clause: Vec::new(),
            weaker: Vec::new(),
        }
    }

    /// Something is not understood.
    pub(crate) fn mark_unclear(&mut self) {
        self.unclear += 1;
    }

    /// Forgets the assertions from this number on.
    pub(crate) fn truncate_roots(&mut self, length: usize) {
        self.justification.truncate_roots(length);
        for level in &mut self.levels {
            level.justified.keep_roots(length);
        }
    }

    /// States a conflict of bounds as a lemma.
    pub(crate) fn refute(&mut self, certificate: Certificate, context: &mut Context<'_>) {
        let mut clause = std::mem::take(&mut self.clause);
        clause.clear();
        clause.extend(certificate.hypotheses.iter().map(|used| !Lit::from_code(used.tag)));
        clause.sort_unstable();
        clause.dedup();
        context.lemma(&clause);
        self.keep(&clause, certificate);
        self.clause = clause;
    }

    /// Remembers a certificate that could not be found again from the literals alone.
    fn keep(&mut self, clause: &[Lit], certificate: Certificate) {
        if let Some(certificates) = &mut self.certificates
            && certificate.farkas().is_none()
        {
            certificates.insert(clause.to_vec(), certificate);
        }
    }

    /// States that the literals behind the tags cannot all be true.
    pub(crate) fn refute_tags(
        &mut self,
        tags: &[u32],
        also: Option<Lit>,
        context: &mut Context<'_>,
    ) {
        self.stats.equality_conflicts += 1;
        let mut clause: Vec<Lit> = tags.iter().map(|tag| !Lit::from_code(*tag)).collect();
        clause.extend(also);
        clause.sort_unstable();
        clause.dedup();
        context.lemma(&clause);
    }

    /// Implies a literal for which `self.clause` has the other literals of the reason.
    fn imply(&mut self, lit: Lit, context: &mut Context<'_>) {
        let start = self.explanations.len() as u32;
        self.explanations.extend_from_slice(&self.clause);
        let end = self.explanations.len() as u32;
        if self.reasons.len() <= lit.index() {
            self.reasons.resize(lit.index() + 1, Explanation::default());
        }
        self.reasons[lit.index()] = Explanation { start, end };
        self.stats.implied += 1;
        context.imply(lit);
    }

    /// Takes a true literal; false if there is a conflict, which is then stated.
    fn take(&mut self, lit: Lit, context: &mut Context<'_>) -> bool {
        let tag = lit.code();
        if let Some(node) = self.atoms.truth(lit.var()) {
            let value = self.truth[usize::from(!lit.is_negated())];
            if let Err(conflict) = self.euf.assert_equal(node, value, tag) {
                self.refute_tags(&conflict.tags, None, context);
                return false;
            }
        }
        match *self.atoms.meaning(lit.var()) {
            Meaning::Plain => {}
            Meaning::Equal(left, right) => {
                let result = match lit.is_negated() {
                    false => self.euf.assert_equal(left, right, tag),
                    true => self.euf.assert_distinct(left, right, tag),
                };
                if let Err(conflict) = result {
                    self.refute_tags(&conflict.tags, None, context);
                    return false;
                }
            }
            Meaning::Upper(form, _) => {
                let Theories { arith, atoms, .. } = self;
                let bound = atoms.bound(lit, |form| arith.is_int(form));
                let bound = bound.expect("an upper bound or its negation is a bound");
                if let Err(certificate) = arith.assert(bound, tag) {
                    self.stats.bound_conflicts += 1;
                    self.refute(certificate, context);
                    return false;
                }
                self.imply_neighbours(lit, form, context);
            }
        }
        true
    }

    /// Implies the literals of weaker bounds on the same form.
    fn imply_neighbours(&mut self, lit: Lit, form: Form, context: &mut Context<'_>) {
        let Meaning::Upper(_, bound) = self.atoms.meaning(lit.var()) else { return };
        let uppers = self.atoms.uppers(form);
        let place = uppers.partition_point(|(other, _)| other < bound);
        let is_upper = !lit.is_negated();
        // Weaker bounds beyond one that is true were implied by it.
        let next = |step: usize| match is_upper {
            true => uppers.get(place + 1 + step),
            false => place.checked_sub(1 + step).and_then(|place| uppers.get(place)),
        };
        let mut weaker = std::mem::take(&mut self.weaker);
        for step in 0.. {
            let Some((_, var)) = next(step) else { break };
            let other = var.lit(is_upper);
            match context.value(other) {
                None => weaker.push(other),
                Some(_) => break,
            }
        }
        for other in weaker.drain(..) {
            self.clause.clear();
            self.clause.push(!lit);
            self.imply(other, context);
        }
        self.weaker = weaker;
    }

    /// Tells the search of equations that hold or cannot hold.
    fn imply_equations(&mut self, context: &mut Context<'_>) -> bool {
        if let Err(conflict) = self.euf.close() {
            self.refute_tags(&conflict.tags, None, context);
            return false;
        }
        let mut reported = std::mem::take(&mut self.reported);
        reported.clear();
        self.euf.implied(&mut reported);
        let mut is_consistent = true;
        for &(id, holds) in &reported {
            let lit = Var(id).lit(holds);
            if context.value(lit) == Some(true) {
                continue;
            }
            let Meaning::Equal(left, right) = *self.atoms.meaning(Var(id)) else { continue };
            let mut tags = std::mem::take(&mut self.tags);
            tags.clear();
            match holds {
                true => self.euf.explain_equal(left, right, &mut tags),
                false => self.euf.explain_distinct(left, right, &mut tags),
            }
            if context.value(lit) == Some(false) {
                self.refute_tags(&tags, Some(lit), context);
                is_consistent = false;
            } else {
                self.clause.clear();
                self.clause.extend(tags.iter().map(|tag| !Lit::from_code(*tag)));
                self.imply(lit, context);
            }
            self.tags = tags;
            if !is_consistent {
                break;
            }
        }
        self.reported = reported;
        is_consistent
    }

    /// Tells the search of bounds that rows imply.
    fn imply_bounds(&mut self, context: &mut Context<'_>) {
        let mut implied = std::mem::take(&mut self.buffer);
        implied.clear();
        self.arith.implied(&mut implied);
        for found in &implied {
            let is_int = self.arith.is_int(found.bound.var);
            let uppers = self.atoms.uppers(found.bound.var);
            let value = &found.bound.value;
            // The strongest literal that follows; weaker ones follow from it.
            let lit = match found.bound.side {
                Side::Upper => {
                    let place = uppers.partition_point(|(upper, _)| upper < value);
                    uppers.get(place).map(|(_, var)| var.positive())
                }
                Side::Lower => {
                    let follows = |upper: &Delta| crate::atoms::above(upper, is_int) <= *value;
                    let place = uppers.partition_point(|(upper, _)| follows(upper));
                    place.checked_sub(1).map(|place| uppers[place].1.negative())
                }
            };
            let Some(lit) = lit.filter(|lit| context.value(*lit).is_none()) else { continue };
            self.clause.clear();
            if self.certificates.is_some() {
                let certificate = self.arith.explain(found);
                self.clause.extend(certificate.tags().map(|tag| !Lit::from_code(tag)));
                let mut clause = self.clause.clone();
                clause.push(lit);
                clause.sort_unstable();
                clause.dedup();
                self.keep(&clause, certificate);
            } else {
                self.tags.clear();
                self.arith.explain_tags(found, &mut self.tags);
                self.clause.extend(self.tags.iter().map(|tag| !Lit::from_code(*tag)));
            }
            self.clause.sort_unstable();
            self.clause.dedup();
            self.imply(lit, context);
        }
        self.buffer = implied;
    }

    fn process(&mut self, context: &mut Context<'_>) -> bool {
        let has_news =
            self.head < self.trail.len() || self.arith.is_unsettled() || self.euf.is_unsettled();
        while self.head < self.trail.len() {
            let lit = self.trail[self.head];
            self.head += 1;
            if !self.take(lit, context) {
                return false;
            }
        }
        if !has_news {
            return true;
        }
        if !self.imply_equations(context) {
            return false;
        }
        match self.arith.check() {
            Err(certificate) => {
                self.stats.bound_conflicts += 1;
                self.refute(certificate, context);
                return false;
            }
            Ok(Feasible::GaveUp) => self.gave_up = true,
            Ok(Feasible::Yes) => self.imply_bounds(context),
        }
        true
    }

    /// The numbers of a model, by unknown.
    pub(crate) fn numbers(&self) -> Vec<Rat> {
        if !self.shared.has_reals() {
            return self.arith.model();
        }
        // Numbers that functions take must stay different when the infinitesimal gets a value.
        let mut shared = self.shared_values();
        shared.sort_unstable();
        shared.dedup();
        let mut epsilon = self.arith.epsilon();
        let at = |value: &Delta, epsilon: &Rat| &value.value + &(&value.epsilon * epsilon);
        loop {
            let mut numbers: Vec<Rat> = shared.iter().map(|value| at(value, &epsilon)).collect();
            numbers.sort_unstable();
            if numbers.windows(2).all(|pair| pair[0] != pair[1]) {
                break;
            }
            epsilon = &epsilon / &Rat::from(2);
        }
        let forms = (0..self.arith.vars() as u32).map(Form);
        forms.map(|form| at(self.arith.value(form), &epsilon)).collect()
    }

    /// Whether each product is the product of its factors; if not, remembers the numbers.
    fn are_products_right(&mut self) -> bool {
        if self.products.is_empty() {
            return true;
        }
        let numbers = self.numbers();
        let evaluate = |polynomial: &Polynomial| {
            let (terms, constant) = polynomial;
            terms.iter().fold(constant.clone(), |sum, (form, factor)| {
                &sum + &(&numbers[form.0 as usize] * factor)
            })
        };
        let is_right = self.products.iter().all(|(whole, scale, left, right)| {
            &(&evaluate(left) * &evaluate(right)) * scale == numbers[whole.0 as usize]
        });
        if !is_right {
            self.snapshot = numbers;
        }
        is_right
    }

    /// Makes integers integral; false if the search has to go on.
    fn make_integral(&mut self, context: &mut Context<'_>) -> Result<bool, ()> {
        match self.arith.check_integers(Effort::Full) {
            Integers::Model => Ok(true),
            Integers::Unknown => {
                self.gave_up = true;
                Err(())
            }
            Integers::Conflict(certificate) => {
                self.stats.integer_conflicts += 1;
                self.refute(certificate, context);
                Ok(false)
            }
            Integers::Branch { var, below } => {
                let bound = Delta { value: below.into(), epsilon: Rat::ZERO };
                let known = self.atoms.upper(var, &bound);
                // A branch that was taken leaves no value in between, and forms that no literal is
                // about have no term.
                let is_taken = known.is_some_and(|lit| context.value(lit).is_some());
                if is_taken || !self.forms.contains_key(&var) {
                    self.is_at_a_loss = true;
                    return Err(());
                }
                self.stats.branches += 1;
                let atom = known.map(Lit::var).unwrap_or_else(|| {
                    let atom = context.new_var();
                    self.arith.watch(var, true);
                    self.atoms.add_upper(atom, var, bound);
                    atom
                });
                self.justification.split(atom);
                Ok(false)
            }
        }
    }
}

impl Theory for Theories {
    fn assign(&mut self, lit: Lit) {
        if self.atoms.is_theory(lit.var()) {
            self.trail.push(lit);
        }
        self.justification.assign(lit);
    }

    fn new_level(&mut self) {
        self.levels.push(Level {
            trail: self.trail.len() as u32,
            head: self.head as u32,
            explanations: self.explanations.len() as u32,
            justified: self.justification.mark(),
        });
        self.arith.push();
        self.euf.push();
    }

    fn backtrack(&mut self, level: u32) {
        let count = self.levels.len() - level as usize;
        if count == 0 {
            return;
        }
        let record = self.levels[level as usize];
        self.levels.truncate(level as usize);
        self.trail.truncate(record.trail as usize);
        self.head = record.head as usize;
        self.explanations.truncate(record.explanations as usize);
        self.justification.restore(record.justified);
        self.arith.pop(count);
        self.euf.pop(count);
    }

    fn propagate(&mut self, context: &mut Context<'_>) {
        self.process(context);
    }

    fn explain(&mut self, lit: Lit, others: &mut Vec<Lit>) {
        let reason = self.reasons[lit.index()];
        others.extend_from_slice(&self.explanations[reason.start as usize..reason.end as usize]);
    }

    fn decide(&mut self, context: &mut Context<'_>) -> Option<Lit> {
        let next = self.justification.next(context);
        self.is_enough = matches!(next, Next::Nothing);
        match next {
            Next::Decide(lit) => Some(lit),
            Next::Nothing | Next::Anything => None,
        }
    }

    fn is_enough(&self) -> bool {
        self.is_enough
    }

    fn final_check(&mut self, context: &mut Context<'_>) -> FinalCheck {
        self.stopped_at_products = false;
        self.gave_up = false;
        self.is_at_a_loss = false;
        if !self.process(context) {
            return FinalCheck::GoOn;
        }
        if self.gave_up {
            return FinalCheck::Unknown;
        }
        if !self.check_trees(context) {
            return FinalCheck::GoOn;
        }
        match self.make_integral(context) {
            Err(()) => return FinalCheck::Unknown,
            Ok(false) => return FinalCheck::GoOn,
            Ok(true) => {}
        }
        if !self.agree(context) {
            return FinalCheck::GoOn;
        }
        if !self.are_products_right() {
            self.stopped_at_products = true;
            return FinalCheck::Unknown;
        }
        FinalCheck::Consistent
    }

    fn allow(&mut self, ticks: u64) {
        self.arith.set_ticks(ticks);
    }

    fn work(&self) -> u64 {
        self.arith.ticks_used()
    }
}
