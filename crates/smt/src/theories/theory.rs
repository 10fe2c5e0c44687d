//! What a theory is to the solver.
//!
//! A theory is a type that holds its state, and says in one `impl Theory` what it has to say at each
//! station of a question: when terms become literals, while the search assigns them, about a complete
//! assignment, in a model, and in a proof. Each station has a default that says nothing, so an
//! implementation is as long as the theory is. The type is a line of the table in `theories`, by which the
//! stations are called one theory after the other, without a call by pointer.
//!
//! Theories rest on each other: an array theory asks equality which terms are equal, and so on. So where
//! they are asked they get the whole, in which their own state is a field, and outside of the search the
//! `Kernel`, which has the formulas in force as well.

use alphorn_problem::evidence::proof::{Literal, StepId};
use alphorn_sat::{Context, FinalCheck, Lit, Var};
use alphorn_term::{Op, Sort, Store, TermId, Value};

use crate::options::Options;
use crate::theories::Theories;
use crate::theories::encode::Encoding;
use crate::theories::kernel::Kernel;
use crate::theories::model::Reading;
use crate::theories::proof::Writer;

/// Who sees to it that an operator gives equal values for equal arguments.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Congruence {
    /// Equality and whoever knows the arguments, which they agree on place by place.
    Shared,
    /// The theory of the operator itself; equality knows truth values alone.
    Own,
}

/// A theory: its state, and what it says at the stations of a question.
pub(crate) trait Theory: Default {
    /// Whether what it states on demand is said again to who asks what formulas in force lead to.
    const IS_RESTATED: bool = false;

    /// Whether equality takes an operator for a function of its arguments, and who arranges these.
    fn congruence(_op: Op) -> Option<Congruence> {
        None
    }

    /// Whether different operators of this kind never give equal values.
    fn tells_apart(_op: Op) -> bool {
        false
    }

    /// Whether the numbers that an operator makes are defined by the theory, in `define`.
    fn makes_numbers(_op: Op) -> bool {
        false
    }

    /// Sees a term, after its arguments; whether the theory knows what it means.
    fn enter(_cx: &mut Encoding<'_>, _term: TermId) -> bool {
        false
    }

    /// The literal of a Boolean term, if it is an atom of the theory.
    fn atom(_cx: &mut Encoding<'_>, _term: TermId) -> Option<Lit> {
        None
    }

    /// Adds the defining properties of a term that was deferred; whether it is one of the theory.
    fn define(_cx: &mut Encoding<'_>, _term: TermId) -> bool {
        false
    }

    /// Hears of a term that got a node of equality.
    fn named(_cx: &mut Encoding<'_>, _term: TermId) {}

    /// Hears of a term with a node that stands at a place below a function, or is the value of one.
    fn share(_cx: &mut Encoding<'_>, _term: TermId, _place: Option<u64>) {}

    /// Begins a level of the search.
    fn push(&mut self) {}

    /// Ends the last levels.
    fn pop(&mut self, _levels: usize) {}

    /// Takes a literal that became true; false if there is a conflict, which is then stated.
    fn assert(_theories: &mut Theories, _lit: Lit, _context: &mut Context<'_>) -> bool {
        true
    }

    /// Whether there is something to propagate besides the literals.
    fn is_unsettled(&self) -> bool {
        false
    }

    /// Tells the search what follows from the literals taken; false if there is a conflict.
    fn propagate(_theories: &mut Theories, _context: &mut Context<'_>) -> bool {
        true
    }

    /// Looks at a complete assignment.
    fn final_check(_theories: &mut Theories, _context: &mut Context<'_>) -> FinalCheck {
        FinalCheck::Consistent
    }

    /// Whether there are terms of which the theory does not say all: then what it lets pass is a
    /// model only if it is evaluated to be one.
    fn is_open(&self) -> bool {
        false
    }

    /// Begins a query.
    fn begin(&mut self, _options: &Options) {}

    /// Forgets what belongs to scopes that have ended, so that there are `scopes`.
    fn end_scopes(&mut self, _scopes: usize) {}

    /// States clauses that the assignment of the search violates; whether there are any.
    fn refine(_smt: &mut Kernel, _store: &mut Store) -> bool {
        false
    }

    /// States clauses because of which the theory stopped the search; whether there are any.
    fn resume(_smt: &mut Kernel, _store: &mut Store) -> bool {
        false
    }

    /// The value of a term in the model that is read off an assignment, if its sort is the theory's.
    fn value(_reading: &Reading<'_>, _term: TermId, _sort: &Sort) -> Option<Value> {
        None
    }

    /// What a variable of the search says that the theory made without a term.
    fn literal(_writer: &mut Writer<'_>, _var: Var) -> Option<Literal> {
        None
    }

    /// A step for a clause that the search was given as a lemma: `clause` is what represents `lits`,
    /// which are sorted.
    fn prove(_writer: &mut Writer<'_>, _lits: &[Lit], _clause: &[Literal]) -> Option<StepId> {
        None
    }

    /// A step that says that a literal implies one of those that represent literals, or is false.
    fn bridge(_writer: &mut Writer<'_>, _literal: Literal, _to: &[Literal]) -> Option<StepId> {
        None
    }
}
