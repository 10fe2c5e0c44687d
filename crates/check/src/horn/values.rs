//! Whether values that evidence brings along are what it says they are.
//!
//! Evaluation believes that values fit their sorts, so nothing from evidence reaches it unchecked.

use alphorn_term::eval::bound::size_of;
use alphorn_term::eval::{Choices, Elsewhere, Table};
use alphorn_term::{CtorId, Exhausted, Meter, Sort, SortId, Store, Value};
use std::collections::BTreeMap;

/// The largest value that evidence may bring along, in bits and nodes.
const LARGEST: u64 = 1 << 20;

/// Whether `value` is an element of `sort`, of reasonable size.
pub(crate) fn fits(
    store: &Store,
    value: &Value,
    sort: SortId,
    meter: &Meter,
) -> Result<bool, Exhausted> {
    // Shared parts are looked at once for each occurrence, so size comes first.
    let size = size_of(value);
    meter.spend(4 * (1 + size))?;
    if size > LARGEST {
        return Ok(false);
    }
    let mut stack = vec![(value, sort)];
    while let Some((value, sort)) = stack.pop() {
        let fits = match (value, store.sort_of(sort)) {
            (Value::Bool(_), Sort::Bool)
            | (Value::Int(_), Sort::Int)
            | (Value::Real(_), Sort::Real) => true,
            (Value::Bv(word), Sort::BitVec(width)) => word.width() == *width,
            (Value::Element(own, _), Sort::Uninterpreted(..)) => *own == sort,
            (Value::Array(array), Sort::Array(index, element)) => {
                stack.push((array.default(), *element));
                for (at, value) in array.entries() {
                    stack.extend([(at, *index), (value, *element)]);
                }
                array.index_sort() == *index
            }
            (Value::Data(data), Sort::Data(of)) => {
                // The constructor may come from another store: look before asking for its fields.
                let declared = store.data(*of);
                let is_own = !declared.is_co && declared.ctors.contains(&data.ctor);
                let fields = is_own.then(|| &store.ctor(data.ctor).fields);
                match fields {
                    Some(fields) if fields.len() == data.args.len() => {
                        stack.extend(data.args.iter().zip(fields.iter().map(|field| field.1)));
                        true
                    }
                    _ => false,
                }
            }
            (Value::Codata(tree), Sort::Data(of)) => tree.has_sort(store, *of, |value, sort| {
                stack.push((value, sort));
                true
            }),
            _ => false,
        };
        if !fits {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Whether a table is a function from `args` to `result`, perhaps partial.
pub(crate) fn table_fits(
    store: &Store,
    table: &Table,
    args: &[SortId],
    result: SortId,
    meter: &Meter,
) -> Result<bool, Exhausted> {
    for (at, value) in &table.entries {
        if at.len() != args.len() || !fits(store, value, result, meter)? {
            return Ok(false);
        }
        for (value, &sort) in at.iter().zip(args) {
            if !fits(store, value, sort, meter)? {
                return Ok(false);
            }
        }
    }
    if let Some(value) = &table.default
        && !fits(store, value, result, meter)?
    {
        return Ok(false);
    }
    // Larger factors would let numbers grow faster than the bounds on evaluation know.
    let factor_fits = |(factor, sort): (&i8, &SortId)| {
        *factor == 0 || (factor.abs() == 1 && *sort == result && sort.is_arithmetic())
    };
    Ok(match &table.elsewhere {
        Elsewhere::Same | Elsewhere::Steps => true,
        Elsewhere::Sum(factors) => {
            factors.len() == args.len() && factors.iter().zip(args).all(factor_fits)
        }
    })
}

/// Whether the choices are functions of the right sorts.
pub(crate) fn choices_fit(
    store: &Store,
    choices: &Choices,
    meter: &Meter,
) -> Result<bool, Exhausted> {
    let numeric = [
        (&choices.int_div, SortId::INT),
        (&choices.modulo, SortId::INT),
        (&choices.real_div, SortId::REAL),
    ];
    let mut owner: BTreeMap<CtorId, SortId> = BTreeMap::new();
    for data in store.datas() {
        for &ctor in &store.data(data).ctors {
            owner.insert(ctor, store.data(data).sort);
        }
    }
    for (table, sort) in numeric {
        if let Some(table) = table
            && !table_fits(store, table, &[sort], sort, meter)?
        {
            return Ok(false);
        }
    }
    for (&(ctor, field), table) in &choices.fields {
        let Some(&sort) = owner.get(&ctor) else { return Ok(false) };
        let result = store.ctor(ctor).fields.get(field as usize).map(|field| field.1);
        let Some(result) = result else { return Ok(false) };
        if !table_fits(store, table, &[sort], result, meter)? {
            return Ok(false);
        }
    }
    Ok(true)
}
