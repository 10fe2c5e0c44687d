//! The table of theories, and all of them together as the one theory of the search.
//!
//! Literals that mean something to a theory wait on a trail of their own until the search asks; then they
//! are handed to the theories, and what these imply is told to the search if it has a literal for it.
//! Complete assignments are looked at by one theory after the other, in the order of the table.
//!
//! While it searches it is told of equality and arithmetic. What arrays, datatypes and words mean beyond equality is told
//! when a complete assignment violates it (`refine`): a theory adds instances of its axioms that are
//! false there, and the search is called again. An assignment that no theory objects to is a model.
//!
//! Invariants: a level's record has how much of the trail was there and how much of it was processed when
//! the level began; what is processed later inside the level is undone with it and processed again if it
//! is still on the trail. Clauses are added only if they hold in every model, each with a `Leaf`
//! or a certificate from which its proof step is made.
//!
//! - `theory`: what a theory is; a folder or file each: `equality`, `words`, `conversions`, `data`, `arrays`,
//!   `arithmetic`, `agreement`, `products`; quantified formulas ask solvers, and stand above
//! - `kernel`: what theories are asked with; `encode`: terms as literals and clauses
//! - `care`: which applications must not be alike by chance
//! - `atoms`, `justify`: what literals mean, and which matter; `relevance`: which did
//! - `model`, `proof`: models and refutations out of a search
//!
//! After Dutertre, de Moura (CAV 2006) for bounds and their propagation; Brummayer, Biere, "Lemmas on
//! demand for the extensional theory of arrays" (JSAT 2009).

pub(crate) mod agreement;
pub(crate) mod arithmetic;
pub(crate) mod arrays;
pub(crate) mod atoms;
mod care;
mod conversions;
mod data;
pub(crate) mod encode;
pub(crate) mod equality;
mod justify;
pub(crate) mod kernel;
mod model;
mod products;
pub(crate) mod proof;
pub(crate) mod relevance;
pub(crate) mod theory;
pub(crate) mod words;

use alphorn_problem::evidence::proof::{Literal, StepId};
use alphorn_sat::{Context, FinalCheck, Lit, Var};
use alphorn_term::{Op, Sort, Store, TermId, Value};

use crate::options::Options;
use crate::quantifiers::{InstanceCounts, Quantifiers};
use arithmetic::Arithmetic;
use atoms::Atoms;
use encode::Encoding;
use justify::{Cursor, Justification, Next};
use kernel::Kernel;
use model::Reading;
use proof::Writer;
use theory::{Congruence, Theory};

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
    /// Lemmas about arrays.
    pub array_lemmas: u64,
    /// How often a product of words was wrong in an assignment.
    pub product_lemmas: u64,
    /// Instances of quantified formulas.
    pub instances: InstanceCounts,
}

/// Makes of the table of theories the struct that holds them, and the calls of all of them in its order.
macro_rules! theories {
    ($($(#[$about:meta])* $name:ident: $theory:ty,)*) => {
        /// All theories as one theory of the search.
        #[derive(Default)]
        pub(crate) struct Theories {
            $($(#[$about])* pub(crate) $name: $theory,)*
            /// What literals mean to them.
            pub(crate) atoms: Atoms,
            /// Which literals matter.
            pub(crate) justification: Justification,
            pub(crate) stats: TheoryStats,
            /// How often something was met that is not understood, so that a model must be evaluated
            /// to be one.
            pub(crate) unclear: u64,
            /// Whether a theory stopped the search at the last complete assignment, to go on with
            /// clauses.
            pub(crate) has_stopped: bool,
            /// Whether the last complete assignment was not judged to the end for lack of ticks.
            pub(crate) gave_up: bool,
            /// Whether no more work would help with the last complete assignment.
            pub(crate) is_at_a_loss: bool,
            is_enough: bool,
            trail: Vec<Lit>,
            head: usize,
            levels: Vec<Level>,
            /// By literal: both literals of a variable may be implied before the search sees a conflict.
            reasons: Vec<Explanation>,
            explanations: Vec<Lit>,
            /// Room for the literals of an implication.
            pub(crate) clause: Vec<Lit>,
        }

        /// The stations of a question, for all theories: what each says is in `Theory`.
        impl Table {
            /// Whether equality takes an operator for a function of its arguments.
            pub(crate) fn congruence(op: Op) -> Option<Congruence> {
                None$(.or_else(|| <$theory as Theory>::congruence(op)))*
            }

            pub(crate) fn tells_apart(op: Op) -> bool {
                false $(|| <$theory as Theory>::tells_apart(op))*
            }

            pub(crate) fn makes_numbers(op: Op) -> bool {
                false $(|| <$theory as Theory>::makes_numbers(op))*
            }

            /// Whether a theory knows what a term means; all see it.
            pub(crate) fn enter(cx: &mut Encoding<'_>, term: TermId) -> bool {
                let mut is_understood = false;
                $(is_understood |= <$theory as Theory>::enter(cx, term);)*
                is_understood
            }

            pub(crate) fn atom(cx: &mut Encoding<'_>, term: TermId) -> Option<Lit> {
                None$(.or_else(|| <$theory as Theory>::atom(cx, term)))*
            }

            pub(crate) fn define(cx: &mut Encoding<'_>, term: TermId) -> bool {
                false $(|| <$theory as Theory>::define(cx, term))*
            }

            pub(crate) fn named(cx: &mut Encoding<'_>, term: TermId) {
                $(<$theory as Theory>::named(cx, term);)*
            }

            pub(crate) fn share(cx: &mut Encoding<'_>, term: TermId, place: Option<u64>) {
                $(<$theory as Theory>::share(cx, term, place);)*
            }

            #[inline]
            fn push(theories: &mut Theories) {
                $(Theory::push(&mut theories.$name);)*
            }

            #[inline]
            fn pop(theories: &mut Theories, levels: usize) {
                $(Theory::pop(&mut theories.$name, levels);)*
            }

            #[inline]
            fn assert(theories: &mut Theories, lit: Lit, context: &mut Context<'_>) -> bool {
                true $(&& <$theory as Theory>::assert(theories, lit, context))*
            }

            #[inline]
            fn is_unsettled(theories: &Theories) -> bool {
                false $(|| Theory::is_unsettled(&theories.$name))*
            }

            #[inline]
            fn propagate(theories: &mut Theories, context: &mut Context<'_>) -> bool {
                true $(&& <$theory as Theory>::propagate(theories, context))*
            }

            fn final_check(theories: &mut Theories, context: &mut Context<'_>) -> FinalCheck {
                $(match <$theory as Theory>::final_check(theories, context) {
                    FinalCheck::Consistent => {}
                    other => return other,
                })*
                FinalCheck::Consistent
            }

            pub(crate) fn is_open(theories: &Theories) -> bool {
                false $(|| Theory::is_open(&theories.$name))*
            }

            pub(crate) fn begin(theories: &mut Theories, options: &Options) {
                $(Theory::begin(&mut theories.$name, options);)*
            }

            pub(crate) fn end_scopes(theories: &mut Theories, scopes: usize) {
                $(Theory::end_scopes(&mut theories.$name, scopes);)*
            }

            /// Lets the theories object to an assignment; the first that does is enough, as its clauses
            /// change the assignment for the others.
            pub(crate) fn refine(kernel: &mut Kernel, store: &mut Store) -> bool {
                $(
                    let before = kernel.theory().unclear;
                    let is_refined = <$theory as Theory>::refine(kernel, store);
                    let is_unclear = kernel.theory().unclear > before;
                    kernel.has_unclear_lemmas |= is_unclear && !<$theory as Theory>::IS_RESTATED;
                    if is_refined {
                        return true;
                    }
                )*
                false
            }

            pub(crate) fn resume(kernel: &mut Kernel, store: &mut Store) -> bool {
                false $(|| <$theory as Theory>::resume(kernel, store))*
            }

            pub(crate) fn value(
                reading: &Reading<'_>,
                term: TermId,
                sort: &Sort,
            ) -> Option<Value> {
                None$(.or_else(|| <$theory as Theory>::value(reading, term, sort)))*
            }

            pub(crate) fn literal(writer: &mut Writer<'_>, var: Var) -> Option<Literal> {
                None$(.or_else(|| <$theory as Theory>::literal(writer, var)))*
            }

            pub(crate) fn prove(
                writer: &mut Writer<'_>,
                lits: &[Lit],
                clause: &[Literal],
            ) -> Option<StepId> {
                None$(.or_else(|| <$theory as Theory>::prove(writer, lits, clause)))*
            }

            pub(crate) fn bridge(
                writer: &mut Writer<'_>,
                literal: Literal,
                to: &[Literal],
            ) -> Option<StepId> {
                None$(.or_else(|| <$theory as Theory>::bridge(writer, literal, to)))*
            }
        }
    };
}

/// Calls of all theories.
pub(crate) struct Table;

// The order is that in which they are asked. Equality comes first, as it makes nodes for terms that others
// look at; complete assignments are made integral before numbers are agreed upon, and products are judged
// when they are; instances come last, as they are judged by what the theories agree on.
theories! {
    /// Equality with functions.
    equality: equality::Equality,
    /// Bit-vectors.
    words: words::Words,
    /// Words as integers, and integers as words.
    conversions: conversions::Conversions,
    /// Algebraic datatypes.
    data: data::Data,
    /// Reads and writes.
    arrays: arrays::Arrays,
    /// Linear arithmetic.
    arithmetic: Arithmetic,
    /// How arithmetic and equality agree on numbers.
    agreement: agreement::Agreement,
    /// Products of unknowns.
    products: products::Products,
    /// Quantified formulas.
    quantifiers: Quantifiers,
}

impl Theories {
    pub(crate) fn new(with_proofs: bool) -> Theories {
        let arithmetic = Arithmetic::new(with_proofs);
        Theories { arithmetic, ..Theories::default() }
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
    pub(crate) fn imply(&mut self, lit: Lit, context: &mut Context<'_>) {
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

    fn process(&mut self, context: &mut Context<'_>) -> bool {
        let has_news = self.head < self.trail.len() || Table::is_unsettled(self);
        while self.head < self.trail.len() {
            let lit = self.trail[self.head];
            self.head += 1;
            if !Table::assert(self, lit, context) {
                return false;
            }
        }
        !has_news || Table::propagate(self, context)
    }
}

impl alphorn_sat::Theory for Theories {
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
        Table::push(self);
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
        Table::pop(self, count);
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
        self.has_stopped = false;
        self.gave_up = false;
        self.is_at_a_loss = false;
        if !self.process(context) {
            return FinalCheck::GoOn;
        }
        if self.gave_up {
            return FinalCheck::Unknown;
        }
        Table::final_check(self, context)
    }

    fn allow(&mut self, ticks: u64) {
        self.arithmetic.simplex.set_ticks(ticks);
    }

    fn work(&self) -> u64 {
        self.arithmetic.simplex.ticks_used()
    }
}
