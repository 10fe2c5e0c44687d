//! Inversion of operators: the one value an argument must have for a result.
//!
//! Only where the answer is unique (or there is none) does inversion say anything. Evaluation
//! judges every instance afterwards, so an inversion that says too little costs time, and one
//! that is wrong would cost solutions; the tests compare each with evaluation.

use alphorn_term::{Bv, Op, Rat, Store, Value};

/// What is known about the arguments.
pub(super) enum Inverse {
    /// Nothing that is worth having.
    Open,
    /// No arguments give the result.
    Impossible,
    /// The unknown argument has this value.
    Argument(Value),
    /// All arguments have these values.
    All(Vec<Value>),
}

/// The argument at `position` (the first unknown one) of `op` with result `target`; `widths` are
/// the arguments' word widths, 0 for others. Only constructors and concatenations may have
/// several unknown arguments.
pub(super) fn invert(
    store: &Store,
    op: Op,
    target: &Value,
    args: &[Option<Value>],
    widths: Vec<u32>,
    position: usize,
) -> Inverse {
    match (op, target) {
        (Op::Construct(ctor), Value::Data(data)) => {
            if data.ctor == ctor {
                Inverse::All(data.args.clone())
            } else {
                Inverse::Impossible
            }
        }
        (Op::Is(ctor), Value::Bool(true)) if store.ctor(ctor).fields.is_empty() => {
            Value::data(ctor, Vec::new()).map_or(Inverse::Open, Inverse::Argument)
        }
        (Op::Store, Value::Array(array)) if position == 2 => match &args[1] {
            Some(index) => Inverse::Argument(array.at(index).clone()),
            None => Inverse::Open,
        },
        (Op::Add | Op::Mul | Op::ToReal, _) => invert_number(op, target, args),
        (Op::UbvToInt | Op::SbvToInt, Value::Int(value)) => {
            let word = Bv::from_int(widths[0], value);
            let back = if op == Op::UbvToInt { word.to_unsigned() } else { word.to_signed() };
            exact(back == *value, Value::Bv(word))
        }
        (_, Value::Bv(word)) => invert_word(op, word, args, &widths, position),
        _ => Inverse::Open,
    }
}

fn exact(holds: bool, value: Value) -> Inverse {
    if holds { Inverse::Argument(value) } else { Inverse::Impossible }
}

/// A number of either sort as a rational.
pub(super) fn as_rational(value: &Value) -> Option<Rat> {
    match value {
        Value::Int(value) => Some(Rat::from(value)),
        Value::Real(value) => Some(value.clone()),
        _ => None,
    }
}

/// A rational as a value of the sort `like` has; none if that sort does not contain it.
pub(super) fn as_value(like: &Value, number: &Rat) -> Option<Value> {
    match like {
        Value::Int(_) => number.to_int().map(Value::Int),
        _ => Some(Value::Real(number.clone())),
    }
}

fn invert_number(op: Op, target: &Value, args: &[Option<Value>]) -> Inverse {
    let Some(mut result) = as_rational(target) else { return Inverse::Open };
    if op == Op::ToReal {
        return result.to_int().map_or(Inverse::Impossible, |i| Inverse::Argument(Value::Int(i)));
    }
    for known in args.iter().flatten() {
        let Some(known) = as_rational(known) else { return Inverse::Open };
        if op == Op::Add {
            result -= known;
        } else if known.is_zero() {
            return if result.is_zero() { Inverse::Open } else { Inverse::Impossible };
        } else if let Some(quotient) = result.checked_div(&known) {
            result = quotient;
        }
    }
    as_value(target, &result).map_or(Inverse::Impossible, Inverse::Argument)
}

fn invert_word(
    op: Op,
    target: &Bv,
    args: &[Option<Value>],
    widths: &[u32],
    position: usize,
) -> Inverse {
    let other = match args {
        [Some(Value::Bv(word)), None] | [None, Some(Value::Bv(word))] => Some(word),
        _ => None,
    };
    let word = match (op, other) {
        (Op::BvNot, _) => target.not(),
        (Op::BvNeg, _) => target.neg(),
        (Op::BvAdd, Some(other)) => target.sub(other),
        (Op::BvXor, Some(other)) => target.xor(other),
        (Op::BvSub, Some(other)) if position == 0 => target.add(other),
        (Op::BvSub, Some(other)) => other.sub(target),
        (Op::BvMul, Some(other)) if other.bit(0) => target.mul(&inverse(other)),
        (Op::Concat, _) => {
            let (high, low) = (widths[0], widths[1]);
            let parts = [target.extract(high + low - 1, low), target.extract(low - 1, 0)];
            return Inverse::All(parts.into_iter().map(Value::Bv).collect());
        }
        (Op::ZeroExtend(by), _) | (Op::SignExtend(by), _) => {
            let low = target.extract(widths[0] - 1, 0);
            let signed = matches!(op, Op::SignExtend(_));
            let back = if signed { low.sign_extend(by) } else { low.zero_extend(by) };
            return exact(back == *target, Value::Bv(low));
        }
        _ => return Inverse::Open,
    };
    Inverse::Argument(Value::Bv(word))
}

/// The inverse of an odd word modulo 2ⁿ, by Newton's iteration: each round doubles the bits that
/// are right, and an odd word is its own inverse modulo 8.
fn inverse(word: &Bv) -> Bv {
    let two = Bv::from_u64(word.width(), 2);
    let mut inverse = word.clone();
    let mut right = 3;
    while right < word.width() {
        inverse = inverse.mul(&two.sub(&word.mul(&inverse)));
        right *= 2;
    }
    inverse
}
