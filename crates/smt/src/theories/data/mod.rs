//! Algebraic datatypes: values are finite trees of constructors; and codatatypes, whose trees may be infinite.
//!
//! Most of the theory is equality. Each application of a constructor has its fields as nodes that
//! equal its arguments by definition, so injectivity is congruence, and a selector on something equal
//! to an application is that one's argument; different constructors are different values of the
//! closure. A tester is an equation: x was made by C exactly if x = C(sel₁ x, …, selₙ x).
//!
//! - `encode`: fields of applications, testers, and what a term with a selector or tester can be
//! - `check`: values are not inside themselves; terms with selectors get a constructor
//! - `finite`: terms of finite sorts, which get a constructor
//! - `unique`: values of codatatypes that cannot be told apart are equal
//! - `model`: trees for classes
//!
//! Invariant of complete assignments: a class without a constructor is of an infinite sort, and no
//! selector or tester is applied to any of its terms, so any value does that no other class has. Classes of
//! codatatypes differ in what can be seen by walking down.
//!
//! After Barrett, Shikanian, Tinelli, "An abstract decision procedure for a theory of inductive data
//! types" (JSAT 2007), and Reynolds, Blanchette, "A decision procedure for (co)datatypes in SMT solvers" (CADE
//! 2015); we differ in that equality does the unification.

mod check;
mod encode;
mod finite;
mod model;
mod tower;
mod unique;

use std::sync::Arc;

use alphorn_problem::evidence::proof::{Literal, Rule, StepId};
use alphorn_sat::{Context, FinalCheck, Lit, Var};
use alphorn_term::{CtorId, Op, Sort, SortId, Store, TermId, Value};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::datatypes::made_of_fields;
use crate::euf::Node;
use crate::theories::Theories;
use crate::theories::encode::Encoding;
use crate::theories::kernel::Kernel;
use crate::theories::model::Reading;
use crate::theories::proof::Writer;
use crate::theories::theory::{Congruence, Theory};
pub(crate) use model::{grow, wrong_fields};

/// Algebraic datatypes.
#[derive(Default)]
pub(crate) struct Data {
    /// Terms of datatype operators, and other terms that are values of datatypes.
    pub(crate) terms: Vec<TermId>,
    /// Terms of which was said what they can be.
    expanded: FxHashSet<TermId>,
    /// Those of them with several constructors, and the variables that say which it is.
    choices: Vec<(Node, Vec<Var>)>,
    /// Applications of constructors that can be inside a value of their own sort, with the places
    /// where such values are.
    constructors: Vec<(Node, Arc<[usize]>)>,
    /// The places of a constructor where values can have values of its own sort in them.
    recursive_places: FxHashMap<CtorId, Arc<[usize]>>,
    /// Whether sorts have finitely many values, as far as somebody asked.
    finite_sorts: FxHashMap<SortId, bool>,
    /// Whether values have arrays inside, by which they could be inside themselves or differ, which is
    /// not watched over.
    is_open: bool,
    /// Where the walk through the constructors is, by node.
    states: Vec<u8>,
}

impl Theory for Data {
    fn congruence(op: Op) -> Option<Congruence> {
        matches!(op, Op::Construct(_) | Op::Field(..)).then_some(Congruence::Shared)
    }

    fn tells_apart(op: Op) -> bool {
        matches!(op, Op::Construct(_))
    }

    fn enter(cx: &mut Encoding<'_>, term: TermId) -> bool {
        let op = cx.store.op(term);
        let is_value = matches!(cx.store.sort_of(cx.store.sort(term)), Sort::Data(_));
        if is_value || matches!(op, Op::Field(..)) {
            cx.theory_mut().data.terms.push(term);
        }
        if matches!(op, Op::Field(..) | Op::Is(_)) {
            cx.defer(term);
        }
        false
    }

    fn atom(cx: &mut Encoding<'_>, term: TermId) -> Option<Lit> {
        let Op::Is(ctor) = cx.store.op(term) else { return None };
        let of = cx.store.args(term)[0];
        Some(encode::tester(cx, ctor, of))
    }

    fn define(cx: &mut Encoding<'_>, term: TermId) -> bool {
        let is_own = matches!(cx.store.op(term), Op::Field(..) | Op::Is(_));
        if is_own {
            let of = cx.store.args(term)[0];
            encode::expand(cx, of);
        }
        is_own
    }

    fn named(cx: &mut Encoding<'_>, term: TermId) {
        encode::define_fields(cx, term);
    }

    fn final_check(theories: &mut Theories, context: &mut Context<'_>) -> FinalCheck {
        match check::check(theories, context) {
            true => FinalCheck::Consistent,
            false => FinalCheck::GoOn,
        }
    }

    fn is_open(&self) -> bool {
        self.is_open
    }

    fn refine(kernel: &mut Kernel, store: &mut Store) -> bool {
        finite::refine(kernel, store) || unique::refine(kernel, store)
    }

    fn value(reading: &Reading<'_>, term: TermId, sort: &Sort) -> Option<Value> {
        let Sort::Data(_) = sort else { return None };
        let root = reading.kernel.theory().equality.root(term)?;
        reading.trees.borrow().get(&root).cloned()
    }

    /// A tester implies the equation that represents it; so do the negations.
    fn bridge(writer: &mut Writer<'_>, literal: Literal, to: &[Literal]) -> Option<StepId> {
        let Op::Is(ctor) = writer.store.op(literal.atom) else { return None };
        let of = writer.store.args(literal.atom)[0];
        let made = made_of_fields(writer.store, ctor, of);
        let equation = writer.store.eq(of, made);
        let other = Literal { atom: equation, negated: literal.negated };
        if !to.contains(&other) {
            return None;
        }
        let rule = if literal.negated { Rule::Congruence } else { Rule::Datatype };
        let clause = if literal.negated { vec![other, !literal] } else { vec![!literal, other] };
        Some(writer.push(clause, rule))
    }
}
