//! The transform `fixed-cells`: arrays that are read and written at few fixed indices become numbers.
//!
//! Where all arrays that flow into one another (`classes`) are accessed only at literals, or only at
//! literal distances from a number that is handed on with them, an array is no more than the elements
//! at these indices: `P(x, a)` becomes `P(x, a[k], a[l], …)`. Where constant arrays or equalities of
//! arrays are among them, one more index stands for all others.
//!
//! A predicate means what the changed one means of the elements that its arrays have at the indices.
//! In derivations an array has these elements there, and elsewhere the last one, if an index stands for
//! all others, or else zero. Accesses keep arrays in that form, so that equal elements are equal arrays.

mod classes;

use super::change::{Applied, Case, Change, Meaning, Recipe};
use super::system::{System, head_args, used_vars};
use alphorn_engine::Ctx;
use alphorn_problem::horn::{Clause, Head, Pred, PredId};
use alphorn_term::{Op, Sort, SortId, Store, TermId, Value};
use classes::{Class, Classes};
use rustc_hash::FxHashMap;

pub(super) fn apply(system: &System, store: &mut Store, ctx: &mut Ctx<'_>) -> Applied {
    ctx.tick(system.clauses.len() as u64)?;
    if !has_arrays(system, store) {
        return Ok(None);
    }
    let classes = classes::find(system, store);
    if classes.is_empty() {
        return Ok(None);
    }
    let mut preds: Vec<Pred> = Vec::with_capacity(system.preds.len());
    let mut meanings = Vec::with_capacity(system.preds.len());
    for (at, pred) in system.preds.iter().enumerate() {
        let id = PredId(at as u32);
        let params = system.params(store, id);
        let mut args = Vec::with_capacity(params.len());
        for (at, &param) in params.iter().enumerate() {
            match classes.of_place((id, at)) {
                Some(class) => {
                    let base = class.base_of.get(&(id, at)).map(|&base| params[base]);
                    for &cell in &class.cells {
                        let index = index(store, base, cell);
                        args.push(store.select(param, index));
                    }
                }
                None => args.push(param),
            }
        }
        let sorts: Vec<SortId> = args.iter().map(|&arg| store.sort(arg)).collect();
        let name = store.name(store.func(pred.func).name).to_owned();
        let func =
            if args == params { pred.func } else { store.declare(&name, &sorts, SortId::BOOL) };
        preds.push(Pred { func, span: pred.span });
        let case = Case::new(TermId::TRUE, Some((id, args)));
        meanings.push(Some(Meaning { params, cases: vec![case] }));
    }
    let mut clauses = Vec::with_capacity(system.clauses.len());
    for at in 0..system.clauses.len() {
        ctx.tick(1)?;
        let mut work =
            Work { system, classes: &classes, preds: &preds, at, cells: FxHashMap::default() };
        clauses.push(work.clause(store));
    }
    Ok(Some(Change::new(preds, clauses, meanings, vec![None; system.preds.len()])))
}

/// Whether some argument of a predicate is an array.
fn has_arrays(system: &System, store: &Store) -> bool {
    let mut sorts = system.preds.iter().flat_map(|pred| &store.func(pred.func).args);
    sorts.any(|&sort| matches!(store.sort_of(sort), Sort::Array(..)))
}

/// The index of a cell.
fn index(store: &mut Store, base: Option<TermId>, cell: TermId) -> TermId {
    match base {
        Some(base) => store.add(&[base, cell]),
        None => cell,
    }
}

/// One clause at work.
struct Work<'a> {
    system: &'a System,
    classes: &'a Classes,
    preds: &'a [Pred],
    /// The clause's position.
    at: usize,
    /// The elements of arrays that become numbers.
    cells: FxHashMap<TermId, Vec<TermId>>,
}

impl Work<'_> {
    fn clause(&mut self, store: &mut Store) -> (Clause, Recipe) {
        let clause = &self.system.clauses[self.at];
        let mut vars = Vec::with_capacity(clause.vars.len());
        let mut values = Vec::with_capacity(clause.vars.len());
        for &var in &clause.vars {
            match self.classes.of_term(self.at, var) {
                Some(class) => {
                    let cells = fresh_cells(store, class, var);
                    vars.extend(&cells);
                    values.push(whole(store, class, class.base_in(self.at), var, &cells));
                    self.cells.insert(var, cells);
                }
                None => {
                    vars.push(var);
                    values.push(var);
                }
            }
        }
        let args = head_args(clause).to_vec();
        let mut roots = vec![clause.body];
        roots.extend(&args);
        let done = self.rewrite(store, &roots);
        let head = match &clause.head {
            Head::False => Head::False,
            Head::Atom(pred, _) => Head::Atom(*pred, self.flat(&args, &done)),
        };
        let mut changed = Clause { vars, body: done[&clause.body], head, ..clause.clone() };
        // Values of variables that are left out are not needed by a derivation of the changed system.
        let used = used_vars(store, &changed);
        let mut zeros = alphorn_term::Substitution::default();
        for &var in changed.vars.iter().filter(|var| !used.contains(var)) {
            if let Some(zero) = zero(store, store.sort(var)) {
                zeros.insert(var, zero);
            }
        }
        changed.vars.retain(|var| !zeros.contains_key(var));
        let values = values.into_iter().map(|value| store.substitute(value, &zeros)).collect();
        (changed, Recipe::terms(self.at, values))
    }

    /// What terms become; arrays of classes become cells instead.
    fn rewrite(&mut self, store: &mut Store, roots: &[TermId]) -> FxHashMap<TermId, TermId> {
        let mut done: FxHashMap<TermId, TermId> = FxHashMap::default();
        for part in store.subterms(roots) {
            let args = store.args(part).to_vec();
            if let Some(class) = self.classes.of_term(self.at, part) {
                if !self.cells.contains_key(&part) {
                    let cells = self.cells_of(store, class, part, &args, &done);
                    self.cells.insert(part, cells);
                }
                continue;
            }
            let of_class = args.first().and_then(|&arg| self.classes.of_term(self.at, arg));
            let result = match (store.op(part), of_class) {
                (Op::Apply(_), _) if self.system.atom(store, part).is_some() => {
                    let pred = self.system.atom(store, part).expect("asked for just before");
                    let args = self.flat(&args, &done);
                    store.mk(Op::Apply(self.preds[pred.index()].func), &args)
                }
                (Op::Select, Some(class)) => self.cells[&args[0]][class.cell_at(store, args[1])],
                (Op::Eq, Some(_)) => {
                    let pairs: Vec<(TermId, TermId)> = self.cells[&args[0]]
                        .iter()
                        .copied()
                        .zip(self.cells[&args[1]].iter().copied())
                        .collect();
                    let parts: Vec<TermId> =
                        pairs.into_iter().map(|(left, right)| store.eq(left, right)).collect();
                    store.and(&parts)
                }
                _ => {
                    let args: Vec<TermId> = args.iter().map(|arg| done[arg]).collect();
                    if args == store.args(part) { part } else { store.rebuild(part, &args) }
                }
            };
            done.insert(part, result);
        }
        done
    }

    /// The elements of an array of a class, whose arguments are done.
    fn cells_of(
        &self,
        store: &mut Store,
        class: &Class,
        array: TermId,
        args: &[TermId],
        done: &FxHashMap<TermId, TermId>,
    ) -> Vec<TermId> {
        match (store.op(array), args) {
            (Op::Store, &[older, at, value]) => {
                let mut cells = self.cells[&older].clone();
                cells[class.cell_at(store, at)] = done[&value];
                cells
            }
            (Op::Ite, &[condition, then, otherwise]) => {
                let pairs: Vec<(TermId, TermId)> = self.cells[&then]
                    .iter()
                    .copied()
                    .zip(self.cells[&otherwise].iter().copied())
                    .collect();
                let condition = done[&condition];
                pairs.into_iter().map(|(left, right)| store.ite(condition, left, right)).collect()
            }
            (Op::ConstArray, &[value]) => vec![done[&value]; class.cells.len()],
            _ => fresh_cells(store, class, array),
        }
    }

    /// Arguments with the elements of arrays in their places.
    fn flat(&self, args: &[TermId], done: &FxHashMap<TermId, TermId>) -> Vec<TermId> {
        let mut flat = Vec::with_capacity(args.len());
        for arg in args {
            match self.cells.get(arg) {
                Some(cells) => flat.extend(cells),
                None => flat.push(done[arg]),
            }
        }
        flat
    }
}

/// Variables for the elements of an array.
fn fresh_cells(store: &mut Store, class: &Class, array: TermId) -> Vec<TermId> {
    let Sort::Array(_, element) = *store.sort_of(store.sort(array)) else { return Vec::new() };
    class.cells.iter().map(|_| store.fresh_var("cell", element)).collect()
}

/// The array that has these elements, and elsewhere what the index for all others has, or zero.
fn whole(
    store: &mut Store,
    class: &Class,
    base: Option<TermId>,
    array: TermId,
    cells: &[TermId],
) -> TermId {
    let sort = store.sort(array);
    let Sort::Array(_, element) = *store.sort_of(sort) else { return array };
    let rest = if class.has_rest { cells.last().copied() } else { zero(store, element) };
    let Some(rest) = rest else { return array };
    let mut whole = store.const_array(sort, rest);
    for (&cell, &value) in class.cells.iter().zip(cells) {
        let index = index(store, base, cell);
        whole = store.store(whole, index, value);
    }
    whole
}

/// The default of a sort as a term.
fn zero(store: &mut Store, sort: SortId) -> Option<TermId> {
    let value = Value::default_of(store, sort)?;
    store.value_term(&value)
}
