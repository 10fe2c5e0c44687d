//! The transform `codes`: numbers that are only names of values become truth values.
//!
//! Program counters, states of protocols and flags are numbers in many transition systems, though nothing adds
//! or orders them: they are compared with a few constants and copied. To an engine such a number is arithmetic all
//! the same; that it is not 3 is two inequalities and a choice. Here it becomes a truth value for each constant, "it is
//! this one", of which at most one is true; none is where it is any other number (`groups`). So a step of an
//! abstraction by predicates that is exact [GS97] is taken before the engines begin, and what is
//! left of many programs is a finite system.
//!
//! A number that is none of the constants is the same for all: nothing tells two of them apart, since that they
//! differ is never asked for.
//!
//! The predicate before means: the changed one holds of the comparisons with the constants.

mod groups;

use super::change::{Applied, Case, Change, Meaning, Recipe};
use super::system::System;
use crate::settings::{CODES_LEAST_ARGUMENTS, CODES_LEAST_SHARE, CODES_MAX_VALUES};
use alphorn_engine::Ctx;
use alphorn_problem::horn::{Clause, Head, Pred, PredId};
use alphorn_term::{Op, Rat, SortId, Store, TermId};
use groups::Groups;
use rustc_hash::FxHashMap;

pub(super) fn apply(system: &System, store: &mut Store, ctx: &mut Ctx<'_>) -> Applied {
    ctx.tick(system.clauses.len() as u64)?;
    let groups = Groups::of(system, store);
    let few = |constants: &Vec<TermId>| constants.len() <= CODES_MAX_VALUES.size();
    let constants_of: Vec<Vec<Option<Vec<TermId>>>> = (0..system.preds.len() as u32)
        .map(|pred| {
            let places = 0..system.sorts(store, PredId(pred)).len();
            places.map(|at| groups.of_argument(PredId(pred), at).filter(few)).collect()
        })
        .collect();
    if !(0..system.preds.len()).any(|pred| has_many(system, store, pred, &constants_of[pred])) {
        return Ok(None);
    }
    let mut preds: Vec<Pred> = Vec::with_capacity(system.preds.len());
    let mut meanings = Vec::with_capacity(system.preds.len());
    for (at, pred) in system.preds.iter().enumerate() {
        let id = PredId(at as u32);
        preds.push(coded_pred(system, store, (id, pred), &constants_of[at]));
        let params = system.formal_params(store, id);
        let mut parts = Vec::new();
        for (&param, constants) in params.iter().zip(&constants_of[at]) {
            match constants {
                None => parts.push(param),
                Some(constants) => {
                    parts.extend(constants.iter().map(|&constant| store.eq(param, constant)));
                }
            }
        }
        let case = Case::new(TermId::TRUE, Some((id, parts)));
        meanings.push(Some(Meaning { params, cases: vec![case] }));
    }
    let mut clauses = Vec::with_capacity(system.clauses.len());
    for (at, clause) in system.clauses.iter().enumerate() {
        ctx.tick(1)?;
        let mut rewriting = Rewriting::new(system, store, &preds, &constants_of);
        let mut vars = Vec::new();
        let mut values = Vec::with_capacity(clause.vars.len());
        let mut conjuncts = Vec::new();
        for &var in &clause.vars {
            let Some(constants) = groups.of_variable(at, var).filter(few) else {
                vars.push(var);
                values.push(var);
                continue;
            };
            let bits: Vec<TermId> =
                constants.iter().map(|_| rewriting.store.fresh_var("code", SortId::BOOL)).collect();
            conjuncts.push(at_most_one(rewriting.store, &bits));
            values.push(decoded(rewriting.store, var, &constants, &bits));
            vars.extend(&bits);
            rewriting.codes.insert(var, Code { constants, bits });
        }
        conjuncts.push(rewriting.formula(clause.body));
        let head = match &clause.head {
            Head::False => Head::False,
            Head::Atom(pred, args) => Head::Atom(*pred, rewriting.args(*pred, args)),
        };
        let body = store.and(&conjuncts);
        let changed = Clause { vars, body, head, ..clause.clone() };
        clauses.push((changed, Recipe::terms(at, values)));
    }
    let keys = vec![None; preds.len()];
    Ok(Some(Change::new(preds, clauses, meanings, keys)))
}

/// Whether many of a predicate's numbers have codes: a few among others are not worth what equations of them become.
fn has_many(
    system: &System,
    store: &Store,
    pred: usize,
    constants: &[Option<Vec<TermId>>],
) -> bool {
    let coded = constants.iter().flatten().count();
    let sorts = system.sorts(store, PredId(pred as u32));
    let numbers = sorts.iter().filter(|sort| matches!(**sort, SortId::INT | SortId::REAL)).count();
    coded >= CODES_LEAST_ARGUMENTS.size() && coded * CODES_LEAST_SHARE.size() >= numbers
}

/// A predicate with truth values in the place of numbers that have constants.
fn coded_pred(
    system: &System,
    store: &mut Store,
    (id, pred): (PredId, &Pred),
    constants: &[Option<Vec<TermId>>],
) -> Pred {
    let mut sorts = Vec::new();
    for (sort, constants) in system.sorts(store, id).into_iter().zip(constants) {
        match constants {
            None => sorts.push(sort),
            Some(constants) => sorts.extend(constants.iter().map(|_| SortId::BOOL)),
        }
    }
    let name = store.name(store.func(pred.func).name).to_owned();
    Pred { func: store.declare(&name, &sorts, SortId::BOOL), span: pred.span }
}

/// That of these truth values no two are true.
fn at_most_one(store: &mut Store, bits: &[TermId]) -> TermId {
    let mut pairs = Vec::new();
    for (at, &bit) in bits.iter().enumerate() {
        for &other in &bits[at + 1..] {
            let both = store.and(&[bit, other]);
            pairs.push(store.not(both));
        }
    }
    store.and(&pairs)
}

/// The number that a code stands for: the constant whose truth value is true, or one that is no constant.
fn decoded(store: &mut Store, var: TermId, constants: &[TermId], bits: &[TermId]) -> TermId {
    let values = constants.iter().filter_map(|&constant| store.number_value(constant));
    let other = values.max().map_or(Rat::ZERO, |most| &Rat::from(most.floor()) + &Rat::ONE);
    let sort = store.sort(var);
    let mut number = store.number(sort, &other.floor());
    for (&constant, &bit) in constants.iter().zip(bits).rev() {
        number = store.ite(bit, constant, number);
    }
    number
}

/// A number as truth values.
#[derive(Clone)]
struct Code {
    constants: Vec<TermId>,
    bits: Vec<TermId>,
}

/// The terms of a clause, one after the other.
struct Rewriting<'a> {
    system: &'a System,
    store: &'a mut Store,
    preds: &'a [Pred],
    constants_of: &'a [Vec<Option<Vec<TermId>>>],
    /// What numbers are that have codes.
    codes: FxHashMap<TermId, Code>,
    /// What other terms have become.
    done: FxHashMap<TermId, TermId>,
}

impl<'a> Rewriting<'a> {
    fn new(
        system: &'a System,
        store: &'a mut Store,
        preds: &'a [Pred],
        constants_of: &'a [Vec<Option<Vec<TermId>>>],
    ) -> Rewriting<'a> {
        let (codes, done) = (FxHashMap::default(), FxHashMap::default());
        Rewriting { system, store, preds, constants_of, codes, done }
    }

    /// A formula, or another term without a code, with codes in the place of numbers.
    fn formula(&mut self, root: TermId) -> TermId {
        for term in self.store.subterms(&[root]) {
            if self.done.contains_key(&term) || self.codes.contains_key(&term) {
                continue;
            }
            let args = self.store.args(term).to_vec();
            let is_number = |rewriting: &Self, arg: TermId| rewriting.codes.contains_key(&arg);
            let result = match self.store.op(term) {
                Op::Apply(_) if let Some(pred) = self.system.atom(self.store, term) => {
                    let args = self.args(pred, &args);
                    self.store.mk(Op::Apply(self.preds[pred.index()].func), &args)
                }
                Op::Ite if args[1..].iter().any(|&arg| is_number(self, arg)) => {
                    let code = self.choice(&args);
                    self.codes.insert(term, code);
                    continue;
                }
                Op::Eq if args.iter().any(|&arg| is_number(self, arg)) => self.equation(&args),
                _ if args.is_empty() => term,
                _ => {
                    let args: Vec<TermId> = args.iter().map(|arg| self.done[arg]).collect();
                    self.store.rebuild(term, &args)
                }
            };
            self.done.insert(term, result);
        }
        self.done.get(&root).copied().unwrap_or(root)
    }

    /// The arguments of an atom.
    fn args(&mut self, pred: PredId, args: &[TermId]) -> Vec<TermId> {
        let mut changed = Vec::with_capacity(args.len());
        for (&arg, constants) in args.iter().zip(&self.constants_of[pred.index()]) {
            let formula = self.formula(arg);
            match constants {
                None => changed.push(formula),
                Some(constants) => changed.extend(self.bits(arg, constants)),
            }
        }
        changed
    }

    /// The truth values of a number whose group has these constants.
    fn bits(&mut self, number: TermId, constants: &[TermId]) -> Vec<TermId> {
        if let Some(code) = self.codes.get(&number) {
            return code.bits.clone();
        }
        if self.store.op(number) != Op::Ite {
            return constants.iter().map(|&constant| self.store.bool(constant == number)).collect();
        }
        // A choice among constants.
        let args = self.store.args(number).to_vec();
        let condition = self.formula(args[0]);
        let then = self.bits(args[1], constants);
        let otherwise = self.bits(args[2], constants);
        let pairs = then.into_iter().zip(otherwise);
        pairs.map(|(then, otherwise)| self.store.ite(condition, then, otherwise)).collect()
    }

    /// The code of a conditional with a branch that has one.
    fn choice(&mut self, args: &[TermId]) -> Code {
        let coded = args[1..].iter().find_map(|arg| self.codes.get(arg));
        let constants = coded.map(|code| code.constants.clone()).unwrap_or_default();
        let condition = self.done[&args[0]];
        let then = self.bits(args[1], &constants);
        let otherwise = self.bits(args[2], &constants);
        let pairs = then.into_iter().zip(otherwise);
        let bits = pairs.map(|(then, other)| self.store.ite(condition, then, other)).collect();
        Code { constants, bits }
    }

    /// An equation of numbers of which one has a code.
    fn equation(&mut self, sides: &[TermId]) -> TermId {
        let coded = sides.iter().find_map(|side| self.codes.get(side));
        let constants = coded.map(|code| code.constants.clone()).unwrap_or_default();
        for (side, other) in [(sides[0], sides[1]), (sides[1], sides[0])] {
            if let Some(place) = constants.iter().position(|&constant| constant == side) {
                return self.bits(other, &constants)[place];
            }
        }
        let (left, right) = (self.bits(sides[0], &constants), self.bits(sides[1], &constants));
        let pairs = left.into_iter().zip(right);
        let equal: Vec<TermId> = pairs.map(|(left, right)| self.store.eq(left, right)).collect();
        self.store.and(&equal)
    }
}
