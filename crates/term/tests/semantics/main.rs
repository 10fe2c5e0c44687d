//! What every operator means, against tables and models written from the SMT-LIB 2.7 theories.
//!
//! Each case is evaluated in every way there is: the semantics' `apply`, terms over literals
//! (which constructors fold), terms over variables with a model, and compiled programs. The
//! expected values never come from the code under test.

mod arith;
mod array;
mod choice;
mod codata;
mod core;
mod data;
mod lazy;
mod program;
mod quantifier;
mod wide;
mod word;

use alphorn_term::eval::{Choices, Model, Program, apply};
use alphorn_term::{Bv, EvalError, Int, Op, Rat, SortId, Store, TermId, Value, eval};

fn int(value: i64) -> Value {
    Value::Int(Int::from(value))
}

fn real(numerator: i64, denominator: i64) -> Value {
    Value::Real(Rat::ratio(numerator, denominator).expect("a denominator is not zero"))
}

fn bv(width: u32, bits: u64) -> Value {
    Value::Bv(Bv::from_u64(width, bits))
}

/// The sort of a value.
fn sort_of(store: &mut Store, value: &Value) -> SortId {
    match value {
        Value::Bool(_) => SortId::BOOL,
        Value::Int(_) => SortId::INT,
        Value::Real(_) => SortId::REAL,
        Value::Bv(word) => store.bv_sort(word.width()),
        Value::Element(sort, _) => *sort,
        Value::Data(data) => store.data(store.ctor(data.ctor).data).sort,
        Value::Codata(tree) => store.data(store.ctor(tree.ctor()).data).sort,
        Value::Array(array) => {
            let element = sort_of(store, array.default());
            store.array_sort(array.index_sort(), element)
        }
    }
}

/// The value of `op` at `args`, asked for in every way; all must agree.
#[track_caller]
fn value_of(
    store: &mut Store,
    op: Op,
    args: &[Value],
    choices: &Choices,
) -> Result<Value, EvalError> {
    let sorts: Vec<SortId> = args.iter().map(|arg| sort_of(store, arg)).collect();
    let vars: Vec<TermId> = (sorts.iter().enumerate())
        .map(|(at, &sort)| store.var(&format!("arg{at}"), sort))
        .collect();
    let open = store.app(op, &vars).expect("the case is well-sorted");
    let result = apply(store, op, store.sort(open), args, choices);

    let mut model = Model { choices: choices.clone(), ..Model::default() };
    let literals: Option<Vec<TermId>> = args.iter().map(|arg| store.value_term(arg)).collect();
    if let Some(literals) = literals {
        let closed = store.app(op, &literals).expect("the case is well-sorted");
        assert_eq!(eval(store, closed, &model), result, "{op:?} of literals {args:?}");
        assert_eq!(store.sort(closed), store.sort(open), "{op:?}");
    }
    let mut program = Program::new(store, &vars, &[open]);
    program.run(store, args, &model);
    assert_eq!(program.output(0), result.as_ref(), "{op:?} of inputs {args:?}");
    for (&var, arg) in vars.iter().zip(args) {
        model.set(var, arg.clone());
    }
    assert_eq!(eval(store, open, &model), result, "{op:?} of variables {args:?}");
    if let Ok(value) = &result {
        assert!(value.has_sort(store, store.sort(open)), "{op:?} {args:?} has the wrong sort");
    }
    result
}

#[track_caller]
fn check(store: &mut Store, op: Op, args: &[Value], expected: Value) {
    assert_eq!(value_of(store, op, args, &Choices::default()), Ok(expected), "{op:?} {args:?}");
}

#[track_caller]
fn check_error(store: &mut Store, op: Op, args: &[Value], expected: EvalError) {
    assert_eq!(value_of(store, op, args, &Choices::default()), Err(expected), "{op:?} {args:?}");
}
