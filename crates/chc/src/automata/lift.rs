//! Tables of an automaton as folds and definitions.
//!
//! A state is written in bits, each a fold into truth values: a case per constructor says for which bits
//! of the fields it is true. Where the states are fewer than the bits could say, a law excludes the rest.
//! A predicate holds where its arguments have states of its table. All of these are Boolean functions,
//! written as few conjunctions that cover what they must.

use super::ground::Domains;
use super::search::{Tables, tuples};
use crate::settings::AUTOMATA_MAX_TUPLES;
use alphorn_engine::{Ctx, Stop};
use alphorn_problem::Horn;
use alphorn_problem::evidence::fold::{Fold, FoldCase, Folds, Law};
use alphorn_problem::evidence::horn::Definition;
use alphorn_problem::obligation::fold::constructors;
use alphorn_term::{FuncId, Op, SortId, Store, TermId};
use std::collections::{BTreeMap, BTreeSet};

/// How many codes are compared for the price of a tick.
const CODES_PER_TICK: u64 = 16;

/// The folds, with laws without proofs, and the definitions.
pub(super) fn lift(
    horn: &Horn,
    store: &mut Store,
    domains: &Domains,
    tables: &Tables,
    ctx: &mut Ctx<'_>,
) -> Result<(Folds, Vec<Definition>), Stop> {
    let mut lift = Lift { store, domains, bits: BTreeMap::new() };
    let sorts: Vec<SortId> = lift.store.datas().map(|data| lift.store.data(data).sort).collect();
    for &sort in &sorts {
        lift.declare(sort);
    }
    let mut folds = Folds::default();
    for &sort in &sorts {
        lift.folds_of(sort, tables, &mut folds, ctx)?;
    }
    let mut definitions = Vec::with_capacity(horn.preds.len());
    for pred in horn.pred_ids() {
        let sorts = horn.pred_args(pred);
        let params: Vec<TermId> =
            sorts.iter().map(|&sort| lift.store.fresh_var("x", sort)).collect();
        let facts = &tables.preds[pred.index()];
        let body = lift.function(&params, |tuple| facts.contains(tuple), ctx)?;
        definitions.push(Definition { params, body });
    }
    Ok((folds, definitions))
}

struct Lift<'a> {
    store: &'a mut Store,
    domains: &'a Domains,
    /// The folds that are the bits of a sort's states.
    bits: BTreeMap<SortId, Vec<FuncId>>,
}

/// How many bits so many states need.
fn width(states: usize) -> usize {
    (states.max(1) - 1).checked_ilog2().map_or(0, |log| log as usize + 1)
}

impl Lift<'_> {
    fn declare(&mut self, sort: SortId) {
        let count = width(self.domains.size(sort).unwrap_or(1));
        let mut bits = Vec::with_capacity(count);
        for bit in 0..count {
            let name = format!("state-{bit}-{}", self.store.show_sort(sort));
            let name = match self.store.find_symbol(&name) {
                None => name,
                Some(_) => {
                    let symbol = self.store.fresh_symbol(&name);
                    self.store.name(symbol).to_owned()
                }
            };
            bits.push(self.store.declare(&name, &[sort], SortId::BOOL));
        }
        self.bits.insert(sort, bits);
    }

    fn folds_of(
        &mut self,
        sort: SortId,
        tables: &Tables,
        folds: &mut Folds,
        ctx: &mut Ctx<'_>,
    ) -> Result<(), Stop> {
        let ctors = constructors(self.store, sort);
        for (bit, func) in self.bits[&sort].clone().into_iter().enumerate() {
            let mut cases = Vec::with_capacity(ctors.len());
            for &ctor in &ctors {
                let sorts: Vec<SortId> =
                    self.store.ctor(ctor).fields.iter().map(|(_, sort)| *sort).collect();
                let fields: Vec<TermId> =
                    sorts.into_iter().map(|sort| self.store.fresh_var("y", sort)).collect();
                let table = tables.ctors.get(&ctor);
                let is_set = |tuple: &Vec<usize>| {
                    let state = table.and_then(|table| table.get(tuple));
                    state.is_some_and(|state| state >> bit & 1 == 1)
                };
                let value = self.function(&fields, is_set, ctx)?;
                cases.push(FoldCase { fields, value });
            }
            folds.functions.push(Fold { func, level: 0, params: Vec::new(), cases });
        }
        let states = self.domains.size(sort).unwrap_or(1);
        if !states.is_power_of_two() {
            let var = self.store.fresh_var("v", sort);
            let formula = self.is_state(sort, var, states);
            folds.laws.push(Law { level: 0, var, formula, cases: Vec::new() });
        }
        Ok(())
    }

    /// That the bits of a value are one of so many states.
    fn is_state(&mut self, sort: SortId, var: TermId, states: usize) -> TermId {
        let bits: Vec<TermId> =
            self.bits[&sort].clone().iter().map(|&f| self.store.mk(Op::Apply(f), &[var])).collect();
        let mut parts = Vec::new();
        for state in states..1 << bits.len() {
            let differs = |(bit, &atom): (usize, &TermId)| match state >> bit & 1 {
                1 => self.store.not(atom),
                _ => atom,
            };
            let differs: Vec<TermId> = bits.iter().enumerate().map(differs).collect();
            parts.push(self.store.or(&differs));
        }
        self.store.and(&parts)
    }

    /// The formula over variables that is true where a function of their states is.
    fn function(
        &mut self,
        vars: &[TermId],
        is_true: impl Fn(&Vec<usize>) -> bool,
        ctx: &mut Ctx<'_>,
    ) -> Result<TermId, Stop> {
        let (mut atoms, mut widths, mut sizes) = (Vec::new(), Vec::new(), Vec::new());
        for &var in vars {
            let sort = self.store.sort(var);
            let Some(states) = self.domains.size(sort) else { continue };
            sizes.push(states);
            widths.push(width(states));
            match self.bits.get(&sort) {
                Some(bits) => {
                    for &func in bits {
                        atoms.push(self.store.mk(Op::Apply(func), &[var]));
                    }
                }
                None => atoms.push(var),
            }
        }
        if sizes.iter().copied().fold(1, usize::saturating_mul) > AUTOMATA_MAX_TUPLES.size() {
            return Err(Stop::Stuck("a predicate has too many tuples of states".to_owned()));
        }
        let (mut on, mut off) = (BTreeSet::new(), BTreeSet::new());
        for tuple in tuples(&sizes) {
            let mut code = Vec::with_capacity(atoms.len());
            for (&state, &width) in tuple.iter().zip(&widths) {
                code.extend((0..width).map(|bit| state >> bit & 1 == 1));
            }
            if is_true(&tuple) {
                on.insert(code)
            } else {
                off.insert(code)
            };
        }
        // Bits that are no state may make it true or false, as a law excludes them.
        let mut cases = Vec::new();
        for cube in cover(&on, &off, ctx)? {
            let literals: Vec<TermId> = (cube.iter().zip(&atoms))
                .filter_map(|(value, &atom)| match value {
                    Some(true) => Some(atom),
                    Some(false) => Some(self.store.not(atom)),
                    None => None,
                })
                .collect();
            cases.push(self.store.and(&literals));
        }
        Ok(self.store.or(&cases))
    }
}

/// Conjunctions that are true of all of `on` and of none of `off`.
fn cover(
    on: &BTreeSet<Vec<bool>>,
    off: &BTreeSet<Vec<bool>>,
    ctx: &mut Ctx<'_>,
) -> Result<Vec<Vec<Option<bool>>>, Stop> {
    let matches = |cube: &[Option<bool>], code: &[bool]| {
        cube.iter().zip(code).all(|(value, bit)| value.is_none_or(|value| value == *bit))
    };
    let mut cubes: Vec<Vec<Option<bool>>> = Vec::new();
    for code in on {
        if cubes.iter().any(|cube| matches(cube, code)) {
            continue;
        }
        let mut cube: Vec<Option<bool>> = code.iter().map(|&bit| Some(bit)).collect();
        for at in 0..cube.len() {
            ctx.tick(1 + off.len() as u64 / CODES_PER_TICK)?;
            let value = cube[at].take();
            if off.iter().any(|code| matches(&cube, code)) {
                cube[at] = value;
            }
        }
        cubes.push(cube);
    }
    Ok(cubes)
}
