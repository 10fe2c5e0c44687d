//! Inversion of operators: the one value an argument must have for a result.
//!
//! Only where the answer is unique (or there is none) does inversion say anything. Evaluation
//! judges every instance afterwards, so an inversion that says too little costs time, and one
//! that is wrong would cost solutions; the tests compare each with evaluation.

use alphorn_term::odd::inverse;
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
pub(crate) fn as_rational(value: &Value) -> Option<Rat> {
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

#[cfg(test)]
mod tests {
    use super::*;
    use alphorn_term::eval::{Choices, apply};
    use alphorn_term::{Int, SortId};

    fn words(width: u32) -> Vec<Value> {
        (0..1u64 << width).map(|bits| Value::Bv(Bv::from_u64(width, bits))).collect()
    }

    fn ints() -> Vec<Value> {
        (-6..=6i64).map(|value| Value::Int(Int::from(value))).collect()
    }

    /// Compares inversion at each position with trying all of `domain` for the argument.
    fn check(op: Op, domains: &[Vec<Value>], targets: &[Value], complete: bool) {
        let mut store = Store::new();
        let sort = match &targets[0] {
            Value::Bv(word) => store.bv_sort(word.width()),
            _ => SortId::INT,
        };
        let result = |args: &[Value]| apply(&store, op, sort, args, &Choices::default()).ok();
        let widths = domains.iter().map(|domain| match &domain[0] {
            Value::Bv(word) => word.width(),
            _ => 0,
        });
        let widths: Vec<u32> = widths.collect();
        for position in 0..domains.len() {
            let others: &[Value] =
                if domains.len() == 2 { &domains[1 - position] } else { &domains[0][..1] };
            for (other, target) in others.iter().flat_map(|o| targets.iter().map(move |t| (o, t))) {
                let with = |value: &Value| -> Vec<Value> {
                    match (domains.len(), position) {
                        (1, _) => vec![value.clone()],
                        (_, 0) => vec![value.clone(), other.clone()],
                        _ => vec![other.clone(), value.clone()],
                    }
                };
                let solves = |value: &&Value| result(&with(value)).as_ref() == Some(target);
                let solutions: Vec<&Value> = domains[position].iter().filter(solves).collect();
                let mut args: Vec<Option<Value>> = with(other).into_iter().map(Some).collect();
                args[position] = None;
                match invert(&store, op, target, &args, widths.clone(), position) {
                    Inverse::Open => {}
                    Inverse::Impossible => {
                        assert!(solutions.is_empty(), "{op:?} {args:?} {target:?}")
                    }
                    Inverse::Argument(value) => {
                        assert!(solutions.iter().all(|&found| *found == value), "{op:?} {args:?}");
                        assert!(!complete || solves(&&value), "{op:?} {args:?} {target:?}");
                    }
                    Inverse::All(values) => {
                        assert!(
                            solutions.iter().all(|&found| *found == values[position]),
                            "{op:?}"
                        );
                    }
                }
            }
        }
    }

    #[test]
    fn inversion_agrees_with_evaluation() {
        for op in [Op::BvAdd, Op::BvSub, Op::BvXor, Op::BvMul, Op::BvAnd, Op::BvUdiv] {
            check(op, &[words(4), words(4)], &words(4), true);
        }
        for op in [Op::BvNot, Op::BvNeg] {
            check(op, &[words(5)], &words(5), true);
        }
        for op in [Op::ZeroExtend(2), Op::SignExtend(2)] {
            check(op, &[words(3)], &words(5), true);
        }
        for op in [Op::UbvToInt, Op::SbvToInt] {
            check(op, &[words(3)], &ints(), true);
        }
        check(Op::Concat, &[words(2), words(3)], &words(5), false);
        check(Op::Add, &[ints(), ints()], &ints(), false);
        check(Op::Mul, &[ints(), ints()], &ints(), false);
    }
}
