//! Random models: values for variables, tables for functions, and choices for what SMT-LIB leaves open.

use super::{Values, value};
use crate::Rng;
use alphorn_term::eval::{Choices, Table};
use alphorn_term::{Model, SortId, Store, TermId};
use std::collections::BTreeMap;

/// How many entries a random table has at most.
const ENTRIES: usize = 4;

/// A random table for a function.
pub fn table(
    store: &Store,
    args: &[SortId],
    result: SortId,
    values: Values,
    rng: &mut Rng,
) -> Table {
    let mut entries = BTreeMap::new();
    for _ in 0..ENTRIES {
        let at = args.iter().map(|&sort| value(store, sort, values, rng)).collect();
        entries.insert(at, value(store, result, values, rng));
    }
    Table { entries, default: Some(value(store, result, values, rng)), ..Table::default() }
}

/// Random choices for quotients by zero and for fields of other constructors' values.
pub fn choices(store: &Store, values: Values, rng: &mut Rng) -> Choices {
    let mut choices = Choices {
        int_div: Some(table(store, &[SortId::INT], SortId::INT, values, rng)),
        modulo: Some(table(store, &[SortId::INT], SortId::INT, values, rng)),
        real_div: Some(table(store, &[SortId::REAL], SortId::REAL, values, rng)),
        fields: BTreeMap::new(),
    };
    for data in store.datas() {
        let owner = store.data(data).sort;
        for &ctor in &store.data(data).ctors {
            for (field, &(_, sort)) in store.ctor(ctor).fields.iter().enumerate() {
                let table = table(store, &[owner], sort, values, rng);
                choices.fields.insert((ctor, field as u32), table);
            }
        }
    }
    choices
}

/// A random model of some variables and of all functions.
pub fn model(store: &Store, vars: &[TermId], values: Values, rng: &mut Rng) -> Model {
    let mut model = Model::new();
    for &var in vars {
        model.set(var, value(store, store.sort(var), values, rng));
    }
    for func in store.funcs() {
        let decl = store.func(func);
        model.funcs.insert(func, table(store, &decl.args, decl.result, values, rng));
    }
    model.choices = choices(store, values, rng);
    model
}
