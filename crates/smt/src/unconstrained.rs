//! Terms that formulas leave free: unknowns in their place, and the way back to a model.
//!
//! A variable that occurs once can make the term around it whatever is wanted, if the operator allows that: `x + t`, `x = t`,
//! a cell of an array that occurs once, the only application of a function. The term is then an unknown itself, with the
//! variable as the value of a term, its *inverse*, over the unknown and the rest. That goes on outwards, and what the rest was
//! need not be looked at, which may be what is hard: `a[i] ≠ v/(w·x)` is true for some `a`.
//!
//! Formulas have a model if and only if they have one with the unknowns. What is found about them is used as a
//! guess alone: a model is put together and then evaluated on the formulas as they are by whoever asks.
//!
//! Invariant: an inverse mentions unknowns and symbols whose values are known before it is needed, going back from the last
//! replacement to the first. After Brummayer, Biere, Lemmas on demand for the extensional theory of arrays (JSAT 2009), §3, and
//! Bruttomesso, RTL verification (thesis, 2008), for which operators can be undone.

use alphorn_term::eval::Table;
use alphorn_term::{Bv, FuncId, Int, Model, Op, Sort, SortId, Store, TermId, Value, eval};
use rustc_hash::{FxHashMap, FxHashSet};

/// Formulas with unknowns for terms that are free.
#[derive(Clone, Debug)]
pub struct Unconstrained {
    /// The formulas.
    pub formulas: Vec<TermId>,
    /// What gets its value by a term, the innermost first.
    steps: Vec<(Freed, TermId)>,
    /// The symbols of the formulas as they were.
    symbols: FxHashSet<TermId>,
}

/// What gets a value on the way back.
#[derive(Clone, Copy, Debug)]
enum Freed {
    Symbol(TermId),
    /// A function, everywhere.
    Func(FuncId),
}

struct Walk<'a> {
    store: &'a mut Store,
    /// How often terms are arguments, or formulas.
    uses: FxHashMap<TermId, u32>,
    /// How many applications functions have.
    applied: FxHashMap<FuncId, u32>,
    /// What terms have become.
    done: FxHashMap<TermId, TermId>,
    /// Terms that have become symbols that occur nowhere else.
    free: FxHashSet<TermId>,
    steps: Vec<(Freed, TermId)>,
    /// Terms with something hard inside, as they were.
    hard: FxHashSet<TermId>,
    is_worth: bool,
}

impl Unconstrained {
    /// Formulas without quantifiers, with unknowns for what is free; nothing if nothing is gained: what is replaced is easy.
    pub fn of(store: &mut Store, formulas: &[TermId]) -> Option<Unconstrained> {
        let order = store.subterms(formulas);
        let (mut uses, mut applied) = (FxHashMap::default(), FxHashMap::default());
        let mut symbols = FxHashSet::default();
        for &term in &order {
            match store.op(term) {
                Op::Forall | Op::Exists => return None,
                Op::Var(_) => {
                    symbols.insert(term);
                }
                Op::Apply(func) => {
                    *applied.entry(func).or_insert(0) += 1;
                    if store.args(term).is_empty() {
                        symbols.insert(term);
                    }
                }
                _ => {}
            }
            for arg in store.args(term) {
                *uses.entry(*arg).or_insert(0) += 1;
            }
        }
        for formula in formulas {
            *uses.entry(*formula).or_insert(0) += 1;
        }
        let mut walk = Walk {
            store,
            uses,
            applied,
            done: FxHashMap::default(),
            free: FxHashSet::default(),
            steps: Vec::new(),
            hard: FxHashSet::default(),
            is_worth: false,
        };
        for term in order {
            let made = walk.visit(term);
            walk.done.insert(term, made);
        }
        let formulas = formulas.iter().map(|formula| walk.done[formula]).collect();
        walk.is_worth.then_some(Unconstrained { formulas, steps: walk.steps, symbols })
    }

    /// Gives a model of the formulas with unknowns the values of what was replaced; nothing if some value is missing.
    pub fn extend(&self, store: &mut Store, model: &mut Model) -> Option<()> {
        for &symbol in &self.symbols {
            if eval(store, symbol, model).is_err() {
                let value = Value::default_of(store, store.sort(symbol))?;
                set(store, model, symbol, value);
            }
        }
        for &(freed, inverse) in self.steps.iter().rev() {
            // Nothing is known of unknowns that are compared with each other alone.
            for symbol in store.subterms(&[inverse]) {
                if matches!(store.op(symbol), Op::Var(_)) && !model.vars.contains_key(&symbol) {
                    model.set(symbol, Value::default_of(store, store.sort(symbol))?);
                }
            }
            let value = eval(store, inverse, model).ok()?;
            match freed {
                Freed::Symbol(symbol) => set(store, model, symbol, value),
                Freed::Func(func) => {
                    model.funcs.insert(func, Table::constant(value));
                }
            }
        }
        model.vars.retain(|var, _| self.symbols.contains(var));
        Some(())
    }
}

fn set(store: &Store, model: &mut Model, symbol: TermId, value: Value) {
    match store.op(symbol) {
        Op::Apply(func) => {
            model.funcs.insert(func, Table::constant(value));
        }
        _ => model.set(symbol, value),
    }
}

impl Walk<'_> {
    /// What a term becomes, whose arguments have become what they are.
    fn visit(&mut self, term: TermId) -> TermId {
        let args: Vec<TermId> = self.store.args(term).iter().map(|arg| self.done[arg]).collect();
        let op = self.store.op(term);
        let is_hard = is_hard(self.store, term)
            || self.store.args(term).iter().any(|arg| self.hard.contains(arg));
        if is_hard {
            self.hard.insert(term);
        }
        let is_once = self.uses.get(&term) == Some(&1);
        if args.is_empty() {
            if matches!(op, Op::Var(_) | Op::Apply(_)) && is_once {
                self.free.insert(term);
            }
            return term;
        }
        let unknown = self.store.fresh_var("free", self.store.sort(term));
        if let Some(steps) = self.inverses(op, &args, unknown) {
            self.is_worth |= is_hard;
            self.steps.extend(steps);
            if is_once {
                self.free.insert(unknown);
            }
            return unknown;
        }
        if args == self.store.args(term) {
            return term;
        }
        let sort = self.store.sort(term);
        match op {
            Op::ConstArray => self.store.const_array(sort, args[0]),
            _ => self.store.mk(op, &args),
        }
    }

    fn is_free(&self, term: TermId) -> bool {
        self.free.contains(&term)
    }

    /// The values of free arguments that make an application an unknown, if there are any. It is long because each operator has
    /// an inverse of its own.
    fn inverses(
        &mut self,
        op: Op,
        args: &[TermId],
        unknown: TermId,
    ) -> Option<Vec<(Freed, TermId)>> {
        if let Op::Apply(func) = op {
            let is_only = self.applied.get(&func) == Some(&1);
            return is_only.then(|| vec![(Freed::Func(func), unknown)]);
        }
        let place = args.iter().position(|arg| self.is_free(*arg))?;
        let others: Vec<TermId> =
            args.iter().enumerate().filter(|(at, _)| *at != place).map(|(_, arg)| *arg).collect();
        let are_free = args.iter().all(|arg| self.is_free(*arg));
        let free = args[place];
        let one = |term| Some(vec![(Freed::Symbol(free), term)]);
        match op {
            Op::Not => one(self.store.not(unknown)),
            Op::Eq => {
                let different = self.different(others[0])?;
                one(self.store.app(Op::Ite, &[unknown, others[0], different]).ok()?)
            }
            Op::Add => {
                let sort = self.store.sort(unknown);
                let minus = self.store.number(sort, &Int::from(-1));
                let mut sum = vec![unknown];
                for other in others {
                    sum.push(self.store.app(Op::Mul, &[minus, other]).ok()?);
                }
                one(self.store.app(Op::Add, &sum).ok()?)
            }
            Op::Mul if args.len() == 2 && self.store.sort(unknown) == SortId::REAL => {
                let factor = self.store.number_value(others[0]);
                match factor.and_then(|factor| factor.recip()) {
                    Some(inverse) => {
                        let inverse = self.store.real(inverse);
                        one(self.store.app(Op::Mul, &[inverse, unknown]).ok()?)
                    }
                    None => self.with_neutral(args, unknown, are_free, &Int::ONE),
                }
            }
            Op::Mul | Op::BvMul => self.with_neutral(args, unknown, are_free, &Int::ONE),
            Op::BvUdiv | Op::IntDiv | Op::RealDiv => {
                self.with_neutral(args, unknown, are_free, &Int::ONE)
            }
            Op::BvShl | Op::BvLshr | Op::BvAshr | Op::BvUrem => {
                self.with_neutral(args, unknown, are_free, &Int::ZERO)
            }
            Op::Le | Op::Lt => {
                // x ≤ t or t ≤ x: t, or a step beyond it.
                let step = if place == 0 { 1 } else { -1 };
                let sort = self.store.sort(others[0]);
                let beside = |store: &mut Store, step: i64| {
                    let step = store.number(sort, &Int::from(step));
                    store.app(Op::Add, &[others[0], step]).ok()
                };
                let (then, otherwise) = match op {
                    Op::Le => (others[0], beside(self.store, step)?),
                    _ => (beside(self.store, -step)?, others[0]),
                };
                one(self.store.app(Op::Ite, &[unknown, then, otherwise]).ok()?)
            }
            Op::BvNot | Op::BvNeg => one(self.store.app(op, &[unknown]).ok()?),
            Op::BvXor | Op::BvAdd | Op::BvSub => {
                let undo = match (op, place) {
                    (Op::BvAdd, _) => Op::BvSub,
                    (Op::BvSub, 0) => Op::BvAdd,
                    (op, _) => op,
                };
                let mut inverse = unknown;
                for other in others {
                    let args = match (op, place) {
                        (Op::BvSub, 1..) => [other, inverse],
                        _ => [inverse, other],
                    };
                    inverse = self.store.app(undo, &args).ok()?;
                }
                one(inverse)
            }
            Op::Ite if place > 0 && self.is_free(args[1]) && self.is_free(args[2]) => {
                Some(args[1..].iter().map(|arg| (Freed::Symbol(*arg), unknown)).collect())
            }
            Op::Ite if self.is_free(args[0]) => {
                let branch = args[1..].iter().position(|arg| self.is_free(*arg))?;
                let chosen = if branch == 0 { TermId::TRUE } else { TermId::FALSE };
                let branch = (Freed::Symbol(args[branch + 1]), unknown);
                Some(vec![(Freed::Symbol(args[0]), chosen), branch])
            }
            Op::And | Op::Or if are_free => {
                Some(args.iter().map(|arg| (Freed::Symbol(*arg), unknown)).collect())
            }
            Op::Select if place == 0 => {
                let sort = self.store.sort(free);
                one(self.store.const_array(sort, unknown))
            }
            Op::Extract(high, low) => {
                let above = self.store.width(free) - 1 - high;
                let below = match low {
                    0 => unknown,
                    _ => {
                        let zeros = self.store.bv(Bv::from_u64(low, 0));
                        self.store.app(Op::Concat, &[unknown, zeros]).ok()?
                    }
                };
                one(match above {
                    0 => below,
                    _ => self.store.app(Op::ZeroExtend(above), &[below]).ok()?,
                })
            }
            _ => None,
        }
    }

    /// The first argument is the unknown and the others are neutral, where all are free.
    fn with_neutral(
        &mut self,
        args: &[TermId],
        unknown: TermId,
        are_free: bool,
        neutral: &Int,
    ) -> Option<Vec<(Freed, TermId)>> {
        if !are_free {
            return None;
        }
        let sort = self.store.sort(unknown);
        let neutral = match self.store.width_of(sort) {
            Some(width) => self.store.bv(Bv::from_u64(width, u64::from(!neutral.is_zero()))),
            None => self.store.number(sort, neutral),
        };
        let rest = args[1..].iter().map(|arg| (Freed::Symbol(*arg), neutral));
        Some([(Freed::Symbol(args[0]), unknown)].into_iter().chain(rest).collect())
    }

    /// A term that is different from another one whatever that is.
    fn different(&mut self, term: TermId) -> Option<TermId> {
        match *self.store.sort_of(self.store.sort(term)) {
            Sort::Bool => Some(self.store.not(term)),
            Sort::Int | Sort::Real => {
                let one = self.store.number(self.store.sort(term), &Int::ONE);
                self.store.app(Op::Add, &[term, one]).ok()
            }
            Sort::BitVec(_) => self.store.app(Op::BvNot, &[term]).ok(),
            _ => None,
        }
    }
}

/// Words up to this width are quickly told apart by their bits.
const EASY_WIDTH: u32 = 16;

/// Whether what a term means takes long to say: a product or quotient of unknowns, of words that are wide.
fn is_hard(store: &Store, term: TermId) -> bool {
    let args = store.args(term);
    match store.op(term) {
        Op::Mul => args.len() > 2 || store.number_value(args[0]).is_none(),
        Op::IntDiv | Op::Mod | Op::RealDiv => store.number_value(args[1]).is_none(),
        Op::BvMul
        | Op::BvUdiv
        | Op::BvUrem
        | Op::BvSdiv
        | Op::BvSrem
        | Op::BvSmod
        | Op::BvShl
        | Op::BvLshr
        | Op::BvAshr => {
            store.width(term) > EASY_WIDTH && !args.iter().any(|arg| store.is_literal(*arg))
        }
        _ => false,
    }
}
