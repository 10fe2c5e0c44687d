//! The normalising constructors: the only way terms are made.
//!
//! A constructor may return a simpler term than the one asked for, but always an equal one, for
//! every interpretation. Normalisation is shallow and cheap: constants fold (through the
//! reference semantics itself), neutral and absorbing arguments go, nested conjunctions and sums
//! flatten while they are short. Two invariants are tested:
//!
//! - *Meaning*: the result evaluates like the application asked for.
//! - *Stability*: rebuilding a term from its own root and arguments gives the term itself, so
//!   that reading what was printed gives back the same term.
//!
//! Flattening stops at `FLAT` arguments: a chain of a million binary sums would otherwise copy
//! its prefix a million times.

mod arith;
mod array;
mod core;
mod table;
mod word;

use crate::eval::{Choices, apply};
use crate::id::TermId;
use crate::meter::words_of;
use crate::op::Op;
use crate::sort::{Sort, SortId};
use crate::store::Store;
use crate::subst::Substitution;
use crate::typing::{SortError, result_sort};
use crate::value::codata::Part;
use crate::value::{CodataValue, Value};
use crate::{Bv, Int, Rat};

/// Children of the same kind with at most this many arguments are merged into their parent.
const FLAT: usize = 8;

/// The longest number that literals are put together to; what would be longer stays as it is.
///
/// Readers refuse such products before, so this is for terms that are made of others.
const MAX_LITERAL_BITS: u64 = 1 << 20;

/// The most ticks that evaluating an application to literals may take.
const MAX_FOLD: u64 = 1 << 22;
/// Up to how many machine words evaluating counts as nothing.
const SHORT_FOLD: u64 = 16;

impl Store {
    /// `op` applied to `args`, normalised, or why it cannot be applied.
    pub fn app(&mut self, op: Op, args: &[TermId]) -> Result<TermId, SortError> {
        let sort = result_sort(self, op, args)?;
        if let Some(value) = self.fold(op, sort, args) {
            return Ok(value);
        }
        Ok(match op {
            Op::Not => self.build_not(args[0]),
            Op::And | Op::Or => self.build_junction(op, args),
            Op::Eq => self.build_eq(args[0], args[1]),
            Op::Distinct => self.build_distinct(args),
            Op::Ite => self.build_ite(args[0], args[1], args[2]),
            Op::Forall | Op::Exists => self.build_quantifier(op, args),
            Op::Add => self.build_add(sort, args),
            Op::Mul => self.build_mul(sort, args),
            Op::Le | Op::Lt => self.build_order(op, args[0], args[1]),
            Op::IntDiv | Op::Mod | Op::RealDiv => self.build_division(op, args[0], args[1]),
            Op::ToInt | Op::IsInt => self.build_from_real(op, args[0]),
            Op::Select => self.build_select(sort, args[0], args[1]),
            Op::Store => self.build_store(args),
            Op::Field(..) | Op::Is(_) => self.build_destructor(op, sort, args[0]),
            _ => match self.word_identity(op, args) {
                Some(term) => term,
                None => self.raw(op, sort, args),
            },
        })
    }

    /// `op` applied to `args`, which the caller knows to fit.
    pub fn mk(&mut self, op: Op, args: &[TermId]) -> TermId {
        match self.app(op, args) {
            Ok(term) => term,
            Err(error) => panic!("{op:?} is applied to arguments that do not fit: {error}"),
        }
    }

    /// Rebuilds a term from its root and (possibly other) arguments.
    pub fn rebuild(&mut self, term: TermId, args: &[TermId]) -> TermId {
        match self.op(term) {
            Op::ConstArray => self.const_array(self.sort(term), args[0]),
            _ if self.args(term).is_empty() => term,
            op @ (Op::Forall | Op::Exists) => {
                let vars = self.bound_vars(term).iter().copied().zip(args.iter().copied());
                let map: Substitution = vars.collect();
                let result = self.mk(op, args);
                self.carry_annotations(term, result, &map);
                result
            }
            op => self.mk(op, args),
        }
    }

    /// The literal an application to literals comes to.
    fn fold(&mut self, op: Op, sort: SortId, args: &[TermId]) -> Option<TermId> {
        // What these come to is not known here, or is no literal.
        let foldable = !matches!(
            op,
            Op::Forall | Op::Exists | Op::Apply(_) | Op::Construct(_) | Op::Select | Op::Store
        );
        if !foldable || args.is_empty() || !args.iter().all(|&arg| self.is_literal(arg)) {
            return None;
        }
        let ticks = self.fold_ticks(op, sort, args);
        if ticks > MAX_FOLD {
            return None;
        }
        self.charge(ticks);
        let values: Option<Vec<Value>> = args.iter().map(|&arg| self.literal_value(arg)).collect();
        let value = apply(self, op, sort, &values?, &Choices::default()).ok()?;
        self.literal(&value)
    }

    /// The ticks of evaluating an application to literals; nothing for short ones.
    fn fold_ticks(&self, op: Op, sort: SortId, args: &[TermId]) -> u64 {
        let bits = |term: TermId| match self.op(term) {
            Op::IntVal(_) => self.int_value(term).map_or(0, |value| value.bit_len() as u64),
            Op::RealVal(_) => self.real_value(term).map_or(0, Rat::bit_len),
            _ => u64::from(self.width(term)),
        };
        let width = self.width_of(sort).map_or(0, u64::from);
        let total = args.iter().fold(width, |sum, &arg| sum.saturating_add(bits(arg)));
        let words = words_of(total);
        if words <= SHORT_FOLD {
            return 0;
        }
        match op.is_product() || args.iter().any(|&arg| self.sort(arg) == SortId::REAL) {
            true => words.saturating_mul(words),
            false => words,
        }
    }

    /// Whether a term is a literal: a truth value, a number or a word.
    pub fn is_literal(&self, term: TermId) -> bool {
        matches!(
            self.op(term),
            Op::True | Op::False | Op::IntVal(_) | Op::RealVal(_) | Op::BvVal(_)
        )
    }

    /// The value a literal stands for.
    pub fn literal_value(&self, term: TermId) -> Option<Value> {
        match self.op(term) {
            Op::True => Some(Value::Bool(true)),
            Op::False => Some(Value::Bool(false)),
            Op::IntVal(_) => self.int_value(term).cloned().map(Value::Int),
            Op::RealVal(_) => self.real_value(term).cloned().map(Value::Real),
            Op::BvVal(_) => self.bv_value(term).cloned().map(Value::Bv),
            _ => None,
        }
    }

    /// The literal of a truth value, number or word.
    fn literal(&mut self, value: &Value) -> Option<TermId> {
        match value {
            Value::Bool(value) => Some(self.bool(*value)),
            Value::Int(value) => Some(self.int(value.clone())),
            Value::Real(value) => Some(self.real(value.clone())),
            Value::Bv(value) => Some(self.bv(value.clone())),
            _ => None,
        }
    }

    /// A term that denotes `value`. Elements of uninterpreted sorts and infinite trees have none and give
    /// `None`.
    pub fn value_term(&mut self, value: &Value) -> Option<TermId> {
        match value {
            Value::Array(array) => {
                let default = self.value_term(array.default())?;
                let sort = self.array_sort(array.index_sort(), self.sort(default));
                let mut term = self.const_array(sort, default);
                for (index, element) in array.entries() {
                    let (index, element) = (self.value_term(index)?, self.value_term(element)?);
                    term = self.mk(Op::Store, &[term, index, element]);
                }
                Some(term)
            }
            Value::Data(data) => {
                let args: Option<Vec<TermId>> =
                    data.args.iter().map(|arg| self.value_term(arg)).collect();
                Some(self.mk(Op::Construct(data.ctor), &args?))
            }
            Value::Codata(tree) => self.tree_term(tree),
            Value::Element(..) => None,
            literal => self.literal(literal),
        }
    }

    /// A term that denotes a tree of a codatatype, if it ends.
    fn tree_term(&mut self, tree: &CodataValue) -> Option<TermId> {
        let mut terms: Vec<Option<TermId>> = vec![None; tree.nodes().len()];
        let mut stack = vec![(0, false)];
        let mut entered = vec![false; terms.len()];
        while let Some((at, is_ready)) = stack.pop() {
            let node = &tree.nodes()[at];
            let below = node.args.iter().filter_map(|part| match part {
                Part::Node(next) => Some(*next as usize),
                Part::Value(_) => None,
            });
            if !is_ready {
                if terms[at].is_some() {
                    continue;
                }
                // A node that is below itself has no end.
                if std::mem::replace(&mut entered[at], true) {
                    return None;
                }
                stack.push((at, true));
                stack.extend(below.filter(|next| terms[*next].is_none()).map(|next| (next, false)));
                continue;
            }
            let mut args = Vec::with_capacity(node.args.len());
            for part in &node.args {
                args.push(match part {
                    Part::Node(next) => terms[*next as usize]?,
                    Part::Value(value) => self.value_term(value)?,
                });
            }
            terms[at] = Some(self.mk(Op::Construct(node.ctor), &args));
        }
        terms[0]
    }

    /// A truth value.
    pub fn bool(&self, value: bool) -> TermId {
        if value { TermId::TRUE } else { TermId::FALSE }
    }

    /// An integer literal.
    pub fn int(&mut self, value: impl Into<Int>) -> TermId {
        self.int_literal(value.into())
    }

    /// A real literal.
    pub fn real(&mut self, value: impl Into<Rat>) -> TermId {
        self.real_literal(value.into())
    }

    /// A word literal.
    pub fn bv(&mut self, value: Bv) -> TermId {
        self.bv_literal(value)
    }

    /// The number `value` in an arithmetic sort.
    pub fn number(&mut self, sort: SortId, value: &Int) -> TermId {
        if sort == SortId::REAL {
            self.real(Rat::from(value.clone()))
        } else {
            self.int(value.clone())
        }
    }

    /// A variable: the same name and sort give the same variable.
    pub fn var(&mut self, name: &str, sort: SortId) -> TermId {
        let symbol = self.symbol(name);
        self.raw(Op::Var(symbol), sort, &[])
    }

    /// A variable with a name nobody has used, made from `hint`.
    pub fn fresh_var(&mut self, hint: &str, sort: SortId) -> TermId {
        let symbol = self.fresh_symbol(hint);
        self.raw(Op::Var(symbol), sort, &[])
    }

    /// The array of sort `sort` that is `value` everywhere; the caller knows the sorts to fit.
    pub fn const_array(&mut self, sort: SortId, value: TermId) -> TermId {
        match self.sort_of(sort) {
            Sort::Array(_, element) if *element == self.sort(value) => {
                self.raw(Op::ConstArray, sort, &[value])
            }
            _ => panic!("a constant array is given a sort or value that does not fit"),
        }
    }
}
