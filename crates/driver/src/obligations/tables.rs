//! Functions given by tables, as assertions that say what they are.

use alphorn_problem::evidence::horn::HornModel;
use alphorn_term::eval::Table;
use alphorn_term::{Op, SortId, Store, TermId};

/// What a model says beside its definitions: background functions, division by zero, selectors on
/// other constructors.
pub(super) fn tables(store: &mut Store, model: &HornModel) -> Result<Vec<TermId>, String> {
    let mut said = Vec::new();
    for (&func, table) in &model.funcs {
        let sorts = store.func(func).args.clone();
        let apply = |store: &mut Store, args: &[TermId]| (store.mk(Op::Apply(func), args), None);
        graph(store, &sorts, table, &apply, &mut said)?;
    }
    let choices = &model.choices;
    let divisions = [
        (&choices.int_div, Op::IntDiv, SortId::INT),
        (&choices.modulo, Op::Mod, SortId::INT),
        (&choices.real_div, Op::RealDiv, SortId::REAL),
    ];
    for (table, op, sort) in divisions {
        let Some(table) = table else { continue };
        let apply = |store: &mut Store, args: &[TermId]| {
            let zero = store.number(sort, &0.into());
            (store.mk(op, &[args[0], zero]), None)
        };
        graph(store, &[sort], table, &apply, &mut said)?;
    }
    for (&(ctor, field), table) in &choices.fields {
        let sort = store.data(store.ctor(ctor).data).sort;
        let apply = |store: &mut Store, args: &[TermId]| {
            let own = store.mk(Op::Is(ctor), args);
            (store.mk(Op::Field(ctor, field), args), Some(own))
        };
        graph(store, &[sort], table, &apply, &mut said)?;
    }
    Ok(said)
}

/// A function on arguments, and a condition under which a table says nothing about it.
type Applied<'a> = dyn Fn(&mut Store, &[TermId]) -> (TermId, Option<TermId>) + 'a;

/// A table as formulas: an equation for each case, and one for all other arguments.
fn graph(
    store: &mut Store,
    sorts: &[SortId],
    table: &Table,
    apply: &Applied<'_>,
    said: &mut Vec<TermId>,
) -> Result<(), String> {
    const UNWRITABLE: &str = "a value of the model cannot be written";
    let vars: Vec<TermId> = sorts.iter().map(|&sort| store.fresh_var("x", sort)).collect();
    let mut others = Vec::new();
    for (args, value) in &table.entries {
        let args: Option<Vec<TermId>> = args.iter().map(|arg| store.value_term(arg)).collect();
        let args = args.ok_or(UNWRITABLE)?;
        let value = store.value_term(value).ok_or(UNWRITABLE)?;
        let applied = apply(store, &args).0;
        said.push(store.eq(applied, value));
        let same: Vec<TermId> =
            vars.iter().zip(&args).map(|(&var, &arg)| store.eq(var, arg)).collect();
        others.push(store.and(&same));
    }
    if let Some(default) = &table.default {
        let default = store.value_term(default).ok_or(UNWRITABLE)?;
        let (applied, unless) = apply(store, &vars);
        others.extend(unless);
        others.push(store.eq(applied, default));
        let body = store.or(&others);
        said.push(store.forall(&vars, body));
    }
    Ok(())
}
