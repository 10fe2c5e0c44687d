//! BTOR2's operators as terms.
//!
//! A word of one bit that comes from logic (a comparison, a connective, a constant) is kept as a
//! Boolean term and turned into a word where a word is wanted; `word` and `truth` cancel, so
//! nothing is lost on the way there and back. Connectives of one bit are Boolean ones, and
//! `(= x #b1)` is the only way a variable of one bit occurs under them.
//!
//! Invariant: different terms are different lines. That is why equations and conditionals of one
//! bit look through `(= x #b1)`: the text has no other name for it than `x`.
//!
//! Operators that terms do not have are defined by others: rotations by shifts modulo the width,
//! the exclusive or of all bits by halving the word, so that its depth is logarithmic.

use super::operator::Operator;
use alphorn_term::{Bv, Op, SortId, Store, TermId};

/// The width of a value; `None` for arrays.
pub(super) fn width(store: &Store, term: TermId) -> Option<u32> {
    let sort = store.sort(term);
    if sort == SortId::BOOL { Some(1) } else { store.width_of(sort) }
}

/// The sort of a value as the file sees it: Booleans are words of one bit.
pub(super) fn sort(store: &mut Store, term: TermId) -> SortId {
    let sort = store.sort(term);
    if sort == SortId::BOOL { store.bv_sort(1) } else { sort }
}

/// A value as a word, or as the array it is.
pub(super) fn word(store: &mut Store, term: TermId) -> TermId {
    let term = bare(store, term);
    if store.sort(term) == SortId::BOOL { store.bool_to_bv(term) } else { term }
}

/// The word `x` for `(= x #b1)`, and other values as they are.
fn bare(store: &Store, term: TermId) -> TermId {
    if store.sort(term) == SortId::BOOL
        && store.op(term) == Op::Eq
        && let &[left, right] = store.args(term)
    {
        let is_one = |term| store.bv_value(term) == Some(&Bv::from_bool(true));
        if is_one(right) {
            return left;
        }
        if is_one(left) {
            return right;
        }
    }
    term
}

/// A result: constants and conversions of one bit are Booleans.
fn settled(store: &mut Store, term: TermId) -> TermId {
    if store.width(term) != 1 {
        return term;
    }
    let is_literal = |store: &Store, term: &TermId| store.is_literal(*term);
    let converted = match store.op(term) {
        Op::BvVal(_) => true,
        Op::Ite => store.args(term)[1..].iter().all(|branch| is_literal(store, branch)),
        _ => false,
    };
    if converted { store.bv_to_bool(term) } else { term }
}

/// A value of one bit as a formula.
pub(super) fn truth(store: &mut Store, term: TermId) -> TermId {
    if store.sort(term) == SortId::BOOL { term } else { store.bv_to_bool(term) }
}

/// A constant.
pub(super) fn literal(store: &mut Store, value: Bv) -> TermId {
    if value.width() == 1 { store.bool(!value.is_zero()) } else { store.bv(value) }
}

/// `sext` or `uext`, by bits that fit.
pub(super) fn extend(store: &mut Store, operator: Operator, term: TermId, by: u32) -> TermId {
    if by == 0 {
        return term;
    }
    let term = word(store, term);
    let op = if operator == Operator::Sext { Op::SignExtend(by) } else { Op::ZeroExtend(by) };
    store.mk(op, &[term])
}

/// Bits `high` down to `low`, which the value has.
pub(super) fn slice(store: &mut Store, term: TermId, high: u32, low: u32) -> TermId {
    if low == 0 && width(store, term) == Some(high + 1) {
        return term;
    }
    let term = word(store, term);
    let term = store.mk(Op::Extract(high, low), &[term]);
    settled(store, term)
}

/// `operator` on arguments whose sorts were checked.
pub(super) fn apply(store: &mut Store, operator: Operator, args: &[TermId]) -> TermId {
    let one_bit = width(store, args[0]) == Some(1);
    match operator {
        Operator::Ite => return conditional(store, args[0], args[1], args[2]),
        Operator::Eq | Operator::Iff => return equal(store, args[0], args[1]),
        Operator::Xnor if one_bit => return equal(store, args[0], args[1]),
        Operator::Neq => return different(store, args[0], args[1]),
        Operator::Xor if one_bit => return different(store, args[0], args[1]),
        _ => {}
    }
    if one_bit && let Some(term) = connective(store, operator, args) {
        return term;
    }
    let mut wide = [TermId::TRUE; 3];
    for (place, arg) in wide.iter_mut().zip(args) {
        *place = word(store, *arg);
    }
    let term = match wide[..args.len()] {
        [a] => unary(store, operator, a),
        [a, b] => binary(store, operator, a, b),
        _ => store.mk(Op::Store, &wide[..args.len()]),
    };
    settled(store, term)
}

/// Logic on one bit, or `None` if the operator is no logic there.
fn connective(store: &mut Store, operator: Operator, args: &[TermId]) -> Option<TermId> {
    let is_logic = matches!(
        operator,
        Operator::Not
            | Operator::Redand
            | Operator::Redor
            | Operator::Redxor
            | Operator::Implies
            | Operator::And
            | Operator::Nand
            | Operator::Or
            | Operator::Nor
    );
    if !is_logic {
        return None;
    }
    let a = truth(store, args[0]);
    let b = args.get(1).map_or(a, |b| truth(store, *b));
    Some(match operator {
        Operator::Not => store.not(a),
        Operator::Implies => store.implies(a, b),
        Operator::And => store.and(&[a, b]),
        Operator::Or => store.or(&[a, b]),
        Operator::Nand => {
            let both = store.and(&[a, b]);
            store.not(both)
        }
        Operator::Nor => {
            let either = store.or(&[a, b]);
            store.not(either)
        }
        _ => a,
    })
}

fn equal(store: &mut Store, left: TermId, right: TermId) -> TermId {
    let positive = |store: &Store, term: TermId| match store.op(term) {
        Op::Not => (store.args(term)[0], true),
        _ => (term, false),
    };
    let ((left, left_negated), (right, right_negated)) =
        (positive(store, left), positive(store, right));
    let (left, right) = same_form(store, left, right);
    let same = store.eq(left, right);
    if left_negated == right_negated { same } else { store.not(same) }
}

fn different(store: &mut Store, left: TermId, right: TermId) -> TermId {
    let same = equal(store, left, right);
    store.not(same)
}

fn conditional(store: &mut Store, condition: TermId, then: TermId, other: TermId) -> TermId {
    let condition = truth(store, condition);
    let (then, other) = same_form(store, then, other);
    let term = store.ite(condition, then, other);
    settled(store, term)
}

/// Two values of one sort, both as words or both as formulas.
fn same_form(store: &mut Store, left: TermId, right: TermId) -> (TermId, TermId) {
    let (left, right) = (bare(store, left), bare(store, right));
    if store.sort(left) == store.sort(right) {
        return (left, right);
    }
    (truth(store, left), truth(store, right))
}

fn unary(store: &mut Store, operator: Operator, a: TermId) -> TermId {
    let width = store.width(a);
    match operator {
        Operator::Not => store.mk(Op::BvNot, &[a]),
        Operator::Neg => store.mk(Op::BvNeg, &[a]),
        Operator::Inc => {
            let one = store.bv(Bv::from_u64(width, 1));
            store.mk(Op::BvAdd, &[a, one])
        }
        Operator::Dec => {
            let one = store.bv(Bv::from_u64(width, 1));
            store.mk(Op::BvSub, &[a, one])
        }
        Operator::Redand => {
            let ones = store.bv(Bv::ones(width));
            store.eq(a, ones)
        }
        Operator::Redor => {
            let zero = store.bv(Bv::from_u64(width, 0));
            let none = store.eq(a, zero);
            store.not(none)
        }
        _ => parity(store, a),
    }
}

/// The exclusive or of all bits: the halves of the word are joined until one bit is left.
fn parity(store: &mut Store, mut a: TermId) -> TermId {
    loop {
        let width = store.width(a);
        let half = width.div_ceil(2);
        let low = store.mk(Op::Extract(half - 1, 0), &[a]);
        let high = store.mk(Op::Extract(width - 1, half), &[a]);
        let high = store.mk(Op::ZeroExtend(2 * half - width), &[high]);
        if half == 1 {
            return different(store, high, low);
        }
        a = store.mk(Op::BvXor, &[high, low]);
    }
}

fn binary(store: &mut Store, operator: Operator, a: TermId, b: TermId) -> TermId {
    let (op, left, right) = match operator {
        Operator::Nand | Operator::Nor | Operator::Xnor => {
            let op = match operator {
                Operator::Nand => Op::BvAnd,
                Operator::Nor => Op::BvOr,
                _ => Op::BvXor,
            };
            let inner = store.mk(op, &[a, b]);
            return store.mk(Op::BvNot, &[inner]);
        }
        Operator::Rol | Operator::Ror => return rotate(store, operator, a, b),
        Operator::Udivo => return TermId::FALSE,
        Operator::And => (Op::BvAnd, a, b),
        Operator::Or => (Op::BvOr, a, b),
        Operator::Xor => (Op::BvXor, a, b),
        Operator::Sll => (Op::BvShl, a, b),
        Operator::Srl => (Op::BvLshr, a, b),
        Operator::Sra => (Op::BvAshr, a, b),
        Operator::Add => (Op::BvAdd, a, b),
        Operator::Sub => (Op::BvSub, a, b),
        Operator::Mul => (Op::BvMul, a, b),
        Operator::Udiv => (Op::BvUdiv, a, b),
        Operator::Urem => (Op::BvUrem, a, b),
        Operator::Sdiv => (Op::BvSdiv, a, b),
        Operator::Srem => (Op::BvSrem, a, b),
        Operator::Smod => (Op::BvSmod, a, b),
        Operator::Ult => (Op::BvUlt, a, b),
        Operator::Ulte => (Op::BvUle, a, b),
        Operator::Ugt => (Op::BvUlt, b, a),
        Operator::Ugte => (Op::BvUle, b, a),
        Operator::Slt => (Op::BvSlt, a, b),
        Operator::Slte => (Op::BvSle, a, b),
        Operator::Sgt => (Op::BvSlt, b, a),
        Operator::Sgte => (Op::BvSle, b, a),
        Operator::Uaddo => (Op::BvUaddo, a, b),
        Operator::Saddo => (Op::BvSaddo, a, b),
        Operator::Usubo => (Op::BvUsubo, a, b),
        Operator::Ssubo => (Op::BvSsubo, a, b),
        Operator::Umulo => (Op::BvUmulo, a, b),
        Operator::Smulo => (Op::BvSmulo, a, b),
        Operator::Sdivo => (Op::BvSdivo, a, b),
        Operator::Read => (Op::Select, a, b),
        Operator::Concat => (Op::Concat, a, b),
        other => unreachable!("`{}` does not take two values", other.name()),
    };
    store.mk(op, &[left, right])
}

/// A rotation by any distance: one shift by the distance modulo the width, and one by what is
/// missing to the width, which shifts everything out where the distance is zero.
fn rotate(store: &mut Store, operator: Operator, a: TermId, by: TermId) -> TermId {
    let width = store.width(a);
    if width == 1 {
        return a;
    }
    let size = Bv::from_u64(width, u64::from(width));
    if let Some(by) = store.bv_value(by) {
        let distance = by.urem(&size).to_u64().unwrap_or(0) as u32;
        return match operator {
            Operator::Rol => store.rotate_left(distance, a),
            _ => store.rotate_right(distance, a),
        };
    }
    let distance = if width.is_power_of_two() {
        let mask = store.bv(Bv::from_u64(width, u64::from(width) - 1));
        store.mk(Op::BvAnd, &[by, mask])
    } else {
        let size = store.bv(size.clone());
        store.mk(Op::BvUrem, &[by, size])
    };
    let size = store.bv(size);
    let missing = store.mk(Op::BvSub, &[size, distance]);
    let (left, right) = match operator {
        Operator::Rol => (distance, missing),
        _ => (missing, distance),
    };
    let high = store.mk(Op::BvShl, &[a, left]);
    let low = store.mk(Op::BvLshr, &[a, right]);
    store.mk(Op::BvOr, &[high, low])
}
