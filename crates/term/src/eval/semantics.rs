//! The reference semantics: what each operator does to values.
//!
//! Every other piece of code that claims to know what an operator means (constant folding, the
//! checker, the solvers' tests) asks here. After the SMT-LIB 2.7 theory definitions.

use super::EvalError;
use super::model::Choices;
use crate::bv::Bv;
use crate::op::Op;
use crate::sort::{Sort, SortId};
use crate::store::Store;
use crate::value::{ArrayValue, Value};
use crate::{Int, Rat};
use std::sync::Arc;

/// `op` on values; `sort` is the sort of the application. Variables, declared functions and
/// quantifiers have no meaning of their own and are an error.
pub fn apply(
    store: &Store,
    op: Op,
    sort: SortId,
    args: &[Value],
    choices: &Choices,
) -> Result<Value, EvalError> {
    if let Some(value) = apply_word(op, args) {
        return Ok(value);
    }
    Ok(match (op, args) {
        (Op::True, _) => Value::Bool(true),
        (Op::False, _) => Value::Bool(false),
        (Op::Not, [Value::Bool(a)]) => Value::Bool(!a),
        (Op::And, _) if all_bool(args) => Value::Bool(!args.contains(&Value::Bool(false))),
        (Op::Or, _) if all_bool(args) => Value::Bool(args.contains(&Value::Bool(true))),
        (Op::Eq, [a, b]) => Value::Bool(a == b),
        (Op::Distinct, _) => {
            let mut sorted: Vec<&Value> = args.iter().collect();
            sorted.sort();
            Value::Bool(sorted.windows(2).all(|pair| pair[0] != pair[1]))
        }
        (Op::Ite, [Value::Bool(c), a, b]) => if *c { a } else { b }.clone(),

        (Op::Add, [Value::Int(_), ..]) => {
            Value::Int(ints(args)?.fold(Int::from(0i64), |sum, a| sum + a))
        }
        (Op::Add, _) => Value::Real(reals(args)?.fold(Rat::from(0i64), |sum, a| sum + a)),
        (Op::Mul, [Value::Int(_), ..]) => {
            Value::Int(ints(args)?.fold(Int::from(1i64), |product, a| product * a))
        }
        (Op::Mul, _) => Value::Real(reals(args)?.fold(Rat::from(1i64), |product, a| product * a)),
        (Op::Le, [Value::Int(a), Value::Int(b)]) => Value::Bool(a <= b),
        (Op::Le, [Value::Real(a), Value::Real(b)]) => Value::Bool(a <= b),
        (Op::Lt, [Value::Int(a), Value::Int(b)]) => Value::Bool(a < b),
        (Op::Lt, [Value::Real(a), Value::Real(b)]) => Value::Bool(a < b),
        (Op::IntDiv | Op::Mod, [Value::Int(a), Value::Int(b)]) => {
            let table = if op == Op::Mod { &choices.modulo } else { &choices.int_div };
            match a.div_rem_euclid(b) {
                Some((quotient, _)) if op == Op::IntDiv => Value::Int(quotient),
                Some((_, remainder)) => Value::Int(remainder),
                None => chosen(table, &args[..1]).ok_or(EvalError::DivisionByZero)?,
            }
        }
        (Op::RealDiv, [Value::Real(a), Value::Real(b)]) => match a.checked_div(b) {
            Some(quotient) => Value::Real(quotient),
            None => chosen(&choices.real_div, &args[..1]).ok_or(EvalError::DivisionByZero)?,
        },
        (Op::Abs, [Value::Int(a)]) => Value::Int(a.abs()),
        (Op::ToReal, [Value::Int(a)]) => Value::Real(Rat::from(a.clone())),
        (Op::ToInt, [Value::Real(a)]) => Value::Int(a.floor()),
        (Op::IsInt, [Value::Real(a)]) => Value::Bool(a.is_integer()),
        (Op::IntToBv(width), [Value::Int(a)]) => Value::Bv(Bv::from_int(width, a)),

        (Op::Select, [Value::Array(array), index]) => array.at(index).clone(),
        (Op::Store, [Value::Array(array), index, value]) => {
            let array = array.with(store, index.clone(), value.clone());
            Value::Array(Arc::new(array.ok_or(EvalError::TooLarge)?))
        }
        (Op::ConstArray, [value]) => {
            let Sort::Array(index, _) = store.sort_of(sort) else {
                return Err(EvalError::IllSorted);
            };
            let array = ArrayValue::constant(store, *index, value.clone());
            Value::Array(Arc::new(array.ok_or(EvalError::TooLarge)?))
        }

        (Op::Construct(ctor), _) => {
            Value::made(store, ctor, args.to_vec()).ok_or(EvalError::TooLarge)?
        }
        (Op::Field(ctor, field), [Value::Data(data)]) if data.ctor == ctor => {
            data.args.get(field as usize).cloned().ok_or(EvalError::IllSorted)?
        }
        (Op::Field(ctor, field), [Value::Codata(tree)]) if tree.ctor() == ctor => {
            tree.argument(field as usize).ok_or(EvalError::IllSorted)?
        }
        (Op::Field(ctor, field), [_]) => {
            let table = choices.fields.get(&(ctor, field));
            table.and_then(|table| table.at(args)).ok_or(EvalError::WrongField(ctor, field))?
        }
        (Op::Is(ctor), [Value::Data(data)]) => Value::Bool(data.ctor == ctor),
        (Op::Is(ctor), [Value::Codata(tree)]) => Value::Bool(tree.ctor() == ctor),
        _ => return Err(EvalError::IllSorted),
    })
}

fn chosen(table: &Option<super::model::Table>, args: &[Value]) -> Option<Value> {
    table.as_ref()?.at(args)
}

fn all_bool(args: &[Value]) -> bool {
    args.iter().all(|arg| matches!(arg, Value::Bool(_)))
}

fn ints(args: &[Value]) -> Result<impl Iterator<Item = &Int>, EvalError> {
    if args.iter().any(|arg| !matches!(arg, Value::Int(_))) {
        return Err(EvalError::IllSorted);
    }
    Ok(args.iter().filter_map(|arg| match arg {
        Value::Int(a) => Some(a),
        _ => None,
    }))
}

fn reals(args: &[Value]) -> Result<impl Iterator<Item = &Rat>, EvalError> {
    if args.iter().any(|arg| !matches!(arg, Value::Real(_))) {
        return Err(EvalError::IllSorted);
    }
    Ok(args.iter().filter_map(|arg| match arg {
        Value::Real(a) => Some(a),
        _ => None,
    }))
}

/// The operators on words; `None` if `op` is another one or the widths do not fit.
fn apply_word(op: Op, args: &[Value]) -> Option<Value> {
    let value = match args {
        [Value::Bv(a)] => match op {
            Op::Extract(high, low) if high < a.width() => a.extract(high, low),
            Op::BvNot => a.not(),
            Op::BvNeg => a.neg(),
            Op::Repeat(times) => a.repeat(times),
            Op::ZeroExtend(by) => a.zero_extend(by),
            Op::SignExtend(by) => a.sign_extend(by),
            Op::BvNego => return Some(Value::Bool(a.nego())),
            Op::UbvToInt => return Some(Value::Int(a.to_unsigned())),
            Op::SbvToInt => return Some(Value::Int(a.to_signed())),
            _ => return None,
        },
        [Value::Bv(a), Value::Bv(b)] if op == Op::Concat => a.concat(b),
        [Value::Bv(a), Value::Bv(b)] if a.width() == b.width() => match op {
            Op::BvAnd => a.and(b),
            Op::BvOr => a.or(b),
            Op::BvXor => a.xor(b),
            Op::BvAdd => a.add(b),
            Op::BvSub => a.sub(b),
            Op::BvMul => a.mul(b),
            Op::BvUdiv => a.udiv(b),
            Op::BvUrem => a.urem(b),
            Op::BvSdiv => a.sdiv(b),
            Op::BvSrem => a.srem(b),
            Op::BvSmod => a.smod(b),
            Op::BvShl => a.shl(b),
            Op::BvLshr => a.lshr(b),
            Op::BvAshr => a.ashr(b),
            Op::BvUlt => return Some(Value::Bool(a.ult(b))),
            Op::BvUle => return Some(Value::Bool(!b.ult(a))),
            Op::BvSlt => return Some(Value::Bool(a.slt(b))),
            Op::BvSle => return Some(Value::Bool(!b.slt(a))),
            Op::BvUaddo => return Some(Value::Bool(a.uaddo(b))),
            Op::BvSaddo => return Some(Value::Bool(a.saddo(b))),
            Op::BvUsubo => return Some(Value::Bool(a.usubo(b))),
            Op::BvSsubo => return Some(Value::Bool(a.ssubo(b))),
            Op::BvUmulo => return Some(Value::Bool(a.umulo(b))),
            Op::BvSmulo => return Some(Value::Bool(a.smulo(b))),
            Op::BvSdivo => return Some(Value::Bool(a.sdivo(b))),
            _ => return None,
        },
        _ => return None,
    };
    Some(Value::Bv(value))
}
