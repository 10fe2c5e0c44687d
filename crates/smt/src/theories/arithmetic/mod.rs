//! Linear arithmetic as a theory: its state, and what it says when.
//!
//! Numbers are polynomials over unknowns of the simplex method (`encode`), comparisons are bounds.
//! Bounds that literals state go there when the search asks; what rows imply is told to the search if it
//! has a literal for it. Complete assignments are made integral.

pub(crate) mod define;
pub(crate) mod encode;
pub(crate) mod proof;
pub(crate) mod quotients;
pub(crate) mod steps;

use alphorn_problem::evidence::proof::{Literal, StepId};
use alphorn_sat::{Context, FinalCheck, Lit, Var};
use alphorn_term::{Op, Rat, Sort, Store, TermId, Value};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::arith::{
    Arith, Certificate, Delta, Effort, Feasible, Implied, Integers, Side, Var as Form,
};
use crate::linear::{Linear, number_of};
use crate::theories::Theories;
use crate::theories::agreement;
use crate::theories::atoms::Meaning;
use crate::theories::encode::Encoding;
use crate::theories::kernel::Kernel;
use crate::theories::model::Reading;
use crate::theories::proof::Writer;
use crate::theories::theory::Theory;

/// Linear arithmetic.
#[derive(Default)]
pub(crate) struct Arithmetic {
    pub(crate) simplex: Arith,
    /// The unknowns that terms are.
    pub(crate) numbers: FxHashMap<TermId, Form>,
    /// For each unknown the term that it is, if it is no mere form.
    pub(crate) unknowns: FxHashMap<Form, TermId>,
    /// What the forms are that literals are about.
    pub(crate) forms: FxHashMap<Form, Vec<(Form, Rat)>>,
    /// Certificates of lemmas that need rounding, by their sorted literals, if a proof is wanted.
    pub(crate) certificates: Option<FxHashMap<Vec<Lit>, Certificate>>,
    /// Divisions by what is no constant, or zero.
    pub(crate) quotients: Vec<TermId>,
    /// Those of which was said that they are equal if their arguments are.
    congruent: FxHashSet<(TermId, TermId)>,
    implied: Vec<Implied>,
    tags: Vec<u32>,
    weaker: Vec<Lit>,
}

impl Arithmetic {
    /// Nothing is known; certificates are kept for proofs.
    pub(crate) fn new(with_proofs: bool) -> Arithmetic {
        let certificates = with_proofs.then(FxHashMap::default);
        Arithmetic { certificates, ..Arithmetic::default() }
    }

    /// The unknown that a linear form is, whose definition is remembered.
    pub(crate) fn form(&mut self, terms: &[(Form, Rat)]) -> Form {
        let form = self.simplex.form(terms);
        self.forms.entry(form).or_insert_with(|| terms.to_vec());
        form
    }

    /// Whether literals can be about a form: its unknowns are terms. What it is, is remembered.
    fn is_said(&mut self, form: Form) -> bool {
        if self.forms.contains_key(&form) {
            return true;
        }
        let Some(terms) = self.simplex.definition(form) else { return false };
        let is_said = terms.iter().all(|(unknown, _)| self.forms.contains_key(unknown));
        if is_said {
            self.forms.insert(form, terms.to_vec());
        }
        is_said
    }

    /// Remembers a certificate that could not be found again from the literals alone.
    fn keep(&mut self, clause: &[Lit], certificate: Certificate) {
        if let Some(certificates) = &mut self.certificates
            && certificate.farkas().is_none()
        {
            certificates.insert(clause.to_vec(), certificate);
        }
    }

    /// The value of a polynomial over terms, by those of the unknowns; terms that are none count by
    /// what `other` says.
    pub(crate) fn evaluate(
        &self,
        linear: &Linear,
        numbers: &[Rat],
        other: impl Fn(TermId) -> Rat,
    ) -> Rat {
        let mut sum = linear.constant.clone();
        for (atom, factor) in &linear.terms {
            let value = match self.numbers.get(atom) {
                Some(form) => numbers.get(form.0 as usize).cloned().unwrap_or_default(),
                None => other(*atom),
            };
            sum = &sum + &(&value * factor);
        }
        sum
    }
}

impl Theory for Arithmetic {
    fn enter(cx: &mut Encoding<'_>, term: TermId) -> bool {
        let is_number =
            cx.store.sort(term).is_arithmetic() && !cx.theory().equality.tokens.contains(&term);
        if is_number {
            encode::number(cx, term);
        }
        is_number
    }

    fn atom(cx: &mut Encoding<'_>, term: TermId) -> Option<Lit> {
        match (cx.store.op(term), cx.store.args(term)) {
            (Op::Le, _) => Some(encode::comparison(cx, term, false)),
            (Op::Lt, _) => Some(encode::comparison(cx, term, true)),
            (Op::Eq, &[left, right]) if cx.store.sort(left).is_arithmetic() => {
                Some(encode::number_equation(cx, term, left, right))
            }
            (Op::IsInt, _) => {
                cx.defer(term);
                Some(cx.opaque(term))
            }
            _ => None,
        }
    }

    fn define(cx: &mut Encoding<'_>, term: TermId) -> bool {
        define::define(cx, term)
    }

    fn push(&mut self) {
        self.simplex.push();
    }

    fn pop(&mut self, levels: usize) {
        self.simplex.pop(levels);
    }

    #[inline]
    fn assert(theories: &mut Theories, lit: Lit, context: &mut Context<'_>) -> bool {
        let Meaning::Upper(form, _) = *theories.atoms.meaning(lit.var()) else { return true };
        let Theories { arithmetic, atoms, .. } = theories;
        let bound = atoms.bound(lit, |form| arithmetic.simplex.is_int(form));
        let bound = bound.expect("an upper bound or its negation is a bound");
        if let Err(certificate) = arithmetic.simplex.assert(bound, lit.code()) {
            theories.stats.bound_conflicts += 1;
            refute(theories, certificate, context);
            return false;
        }
        imply_neighbours(theories, lit, form, context);
        true
    }

    fn is_unsettled(&self) -> bool {
        self.simplex.is_unsettled()
    }

    #[inline]
    fn propagate(theories: &mut Theories, context: &mut Context<'_>) -> bool {
        match theories.arithmetic.simplex.check() {
            Err(certificate) => {
                theories.stats.bound_conflicts += 1;
                refute(theories, certificate, context);
                return false;
            }
            Ok(Feasible::GaveUp) => theories.gave_up = true,
            Ok(Feasible::Yes) => imply_bounds(theories, context),
        }
        true
    }

    fn final_check(theories: &mut Theories, context: &mut Context<'_>) -> FinalCheck {
        make_integral(theories, context)
    }

    fn refine(kernel: &mut Kernel, store: &mut Store) -> bool {
        if kernel.theory().arithmetic.quotients.len() < 2 {
            return false;
        }
        let numbers = agreement::numbers(kernel.theory());
        quotients::agree(kernel, store, &numbers)
    }

    fn value(reading: &Reading<'_>, term: TermId, sort: &Sort) -> Option<Value> {
        match sort {
            Sort::Int => Some(Value::Int(number(reading, term).floor())),
            Sort::Real => Some(Value::Real(number(reading, term))),
            _ => None,
        }
    }

    fn literal(writer: &mut Writer<'_>, var: Var) -> Option<Literal> {
        steps::literal(writer, var)
    }

    fn prove(writer: &mut Writer<'_>, lits: &[Lit], clause: &[Literal]) -> Option<StepId> {
        steps::prove_lemma(writer, lits, clause)
    }

    fn bridge(writer: &mut Writer<'_>, literal: Literal, to: &[Literal]) -> Option<StepId> {
        proof::linear(writer, &[!literal])
            .or_else(|| to.iter().find_map(|other| proof::linear(writer, &[!literal, *other])))
    }
}

/// The number that a term is in a model.
fn number(reading: &Reading<'_>, term: TermId) -> Rat {
    let arithmetic = &reading.kernel.theory().arithmetic;
    if let Some(form) = arithmetic.numbers.get(&term) {
        return reading.numbers.get(form.0 as usize).cloned().unwrap_or_default();
    }
    let linear = Linear::of(reading.store, term);
    let other = |atom| number_of(reading.store, atom).unwrap_or_default();
    arithmetic.evaluate(&linear, &reading.numbers, other)
}

/// States a conflict of bounds as a lemma.
fn refute(theories: &mut Theories, certificate: Certificate, context: &mut Context<'_>) {
    let mut clause = std::mem::take(&mut theories.clause);
    clause.clear();
    clause.extend(certificate.hypotheses.iter().map(|used| !Lit::from_code(used.tag)));
    clause.sort_unstable();
    clause.dedup();
    context.lemma(&clause);
    theories.arithmetic.keep(&clause, certificate);
    theories.clause = clause;
}

/// Implies the literals of weaker bounds on the same form.
fn imply_neighbours(theories: &mut Theories, lit: Lit, form: Form, context: &mut Context<'_>) {
    let Meaning::Upper(_, bound) = theories.atoms.meaning(lit.var()) else { return };
    let uppers = theories.atoms.uppers(form);
    let place = uppers.partition_point(|(other, _)| other < bound);
    let is_upper = !lit.is_negated();
    // Weaker bounds beyond one that is true were implied by it.
    let next = |step: usize| match is_upper {
        true => uppers.get(place + 1 + step),
        false => place.checked_sub(1 + step).and_then(|place| uppers.get(place)),
    };
    let mut weaker = std::mem::take(&mut theories.arithmetic.weaker);
    for step in 0.. {
        let Some((_, var)) = next(step) else { break };
        let other = var.lit(is_upper);
        match context.value(other) {
            None => weaker.push(other),
            Some(_) => break,
        }
    }
    for other in weaker.drain(..) {
        theories.clause.clear();
        theories.clause.push(!lit);
        theories.imply(other, context);
    }
    theories.arithmetic.weaker = weaker;
}

/// Tells the search of bounds that rows imply.
fn imply_bounds(theories: &mut Theories, context: &mut Context<'_>) {
    let mut implied = std::mem::take(&mut theories.arithmetic.implied);
    implied.clear();
    theories.arithmetic.simplex.implied(&mut implied);
    for found in &implied {
        let is_int = theories.arithmetic.simplex.is_int(found.bound.var);
        let uppers = theories.atoms.uppers(found.bound.var);
        let value = &found.bound.value;
        // The strongest literal that follows; weaker ones follow from it.
        let lit = match found.bound.side {
            Side::Upper => {
                let place = uppers.partition_point(|(upper, _)| upper < value);
                uppers.get(place).map(|(_, var)| var.positive())
            }
            Side::Lower => {
                let follows =
                    |upper: &Delta| crate::theories::atoms::above(upper, is_int) <= *value;
                let place = uppers.partition_point(|(upper, _)| follows(upper));
                place.checked_sub(1).map(|place| uppers[place].1.negative())
            }
        };
        let Some(lit) = lit.filter(|lit| context.value(*lit).is_none()) else { continue };
        theories.clause.clear();
        if theories.arithmetic.certificates.is_some() {
            let certificate = theories.arithmetic.simplex.explain(found);
            theories.clause.extend(certificate.tags().map(|tag| !Lit::from_code(tag)));
            let mut clause = theories.clause.clone();
            clause.push(lit);
            clause.sort_unstable();
            clause.dedup();
            theories.arithmetic.keep(&clause, certificate);
        } else {
            theories.arithmetic.tags.clear();
            theories.arithmetic.simplex.explain_tags(found, &mut theories.arithmetic.tags);
            theories
                .clause
                .extend(theories.arithmetic.tags.iter().map(|tag| !Lit::from_code(*tag)));
        }
        theories.clause.sort_unstable();
        theories.clause.dedup();
        theories.imply(lit, context);
    }
    theories.arithmetic.implied = implied;
}

/// Makes integers integral.
fn make_integral(theories: &mut Theories, context: &mut Context<'_>) -> FinalCheck {
    match theories.arithmetic.simplex.check_integers(Effort::Full) {
        Integers::Model => FinalCheck::Consistent,
        Integers::Unknown => {
            theories.gave_up = true;
            FinalCheck::Unknown
        }
        Integers::Conflict(certificate) => {
            theories.stats.integer_conflicts += 1;
            refute(theories, certificate, context);
            FinalCheck::GoOn
        }
        Integers::Branch { var, below } => {
            let bound = Delta { value: below.into(), epsilon: Rat::ZERO };
            let known = theories.atoms.upper(var, &bound);
            // A branch that was taken leaves no value in between.
            let is_taken = known.is_some_and(|lit| context.value(lit).is_some());
            if is_taken || !theories.arithmetic.is_said(var) {
                theories.is_at_a_loss = true;
                return FinalCheck::Unknown;
            }
            theories.stats.branches += 1;
            let atom = known.map(Lit::var).unwrap_or_else(|| {
                let atom = context.new_var();
                theories.arithmetic.simplex.watch(var, true);
                theories.atoms.add_upper(atom, var, bound);
                atom
            });
            theories.justification.split(atom);
            FinalCheck::GoOn
        }
    }
}
