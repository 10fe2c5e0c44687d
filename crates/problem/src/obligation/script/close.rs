//! Formulas with the model written out, and so with no question left but whether they hold.
//!
//! - a constant is its value;
//! - an application is a case distinction over the table of its function;
//! - a selector is one over its constructor and what the model says of others, and a quotient one over
//!   whether it is by zero;
//! - a quantifier over a few truth values or a finite declared sort is a conjunction or disjunction.
//!
//! What the model says nothing about stays as it is, and is free: what is proved then holds whatever it
//! is. Other quantifiers stay.
//!
//! Invariant: in every interpretation of what is free, the result has the truth value that the
//! formula has in the model.

use super::Interpretation;
use alphorn_term::eval::Table;
use alphorn_term::{Op, SortId, Store, TermId, Value};
use rustc_hash::FxHashMap;

/// The most cases of a function that are written out.
const MAX_CASES: usize = 1024;
/// The most terms that are made for all obligations of an interpretation together.
const MAX_STEPS: u64 = 1 << 20;
/// The most bound truth values of one quantifier that take each value in turn.
const MAX_TRUTHS: usize = 6;
/// How many words of memory cost as much as a term.
const WORDS: u64 = 8;
/// The deepest nesting of quantifiers.
const MAX_DEPTH: u32 = 32;
const TOO_MANY: &str = "too many cases to write out";
/// The deepest nesting of values that are recognised as such.
const MAX_VALUE: u32 = 32;

/// What bound variables are.
type Environment = FxHashMap<TermId, TermId>;

impl Interpretation {
    /// What must be refuted for a formula of the question to be true in the model.
    pub fn obligation(&mut self, from: &Store, formula: TermId) -> Result<TermId, String> {
        let formula = self.formula(from, formula)?;
        let mut steps = self.steps;
        let closed = self.close(formula, &Environment::default(), 0, &mut steps);
        self.steps = steps;
        let closed = closed?;
        Ok(self.store.not(closed))
    }

    fn close(
        &mut self,
        root: TermId,
        environment: &Environment,
        depth: u32,
        steps: &mut u64,
    ) -> Result<TermId, String> {
        if depth > MAX_DEPTH {
            return Err("quantifiers are nested too deep".to_owned());
        }
        let mut done: FxHashMap<TermId, TermId> = FxHashMap::default();
        let mut stack = vec![(root, false)];
        while let Some((term, is_ready)) = stack.pop() {
            if done.contains_key(&term) {
                continue;
            }
            let is_quantifier = matches!(self.store.op(term), Op::Forall | Op::Exists);
            if !is_ready && !is_quantifier && !self.store.args(term).is_empty() {
                stack.push((term, true));
                stack.extend(self.store.args(term).iter().map(|arg| (*arg, false)));
                continue;
            }
            *steps += 1;
            if *steps > MAX_STEPS {
                return Err(TOO_MANY.to_owned());
            }
            let result = match is_quantifier {
                true => self.quantifier(term, environment, depth, steps)?,
                false => {
                    let args: Vec<TermId> =
                        self.store.args(term).iter().map(|arg| done[arg]).collect();
                    self.application(term, &args, environment, steps)?
                }
            };
            done.insert(term, result);
        }
        Ok(done[&root])
    }

    /// The values of a bound variable that takes each in turn.
    fn domain(&mut self, var: TermId) -> Option<Vec<TermId>> {
        let sort = self.store.sort(var);
        if sort == SortId::BOOL {
            return Some(vec![TermId::FALSE, TermId::TRUE]);
        }
        let ctors = self.enumerations.get(&sort)?;
        Some(ctors.iter().map(|ctor| self.store.mk(Op::Construct(*ctor), &[])).collect())
    }

    fn quantifier(
        &mut self,
        term: TermId,
        environment: &Environment,
        depth: u32,
        steps: &mut u64,
    ) -> Result<TermId, String> {
        let op = self.store.op(term);
        let vars = self.store.bound_vars(term).to_vec();
        let body = *self.store.args(term).last().ok_or("a quantifier has no body")?;
        // Its copy is memory, and there may be one for each instance of a quantifier around it.
        *steps += environment.len() as u64 / WORDS;
        let mut environment = environment.clone();
        let (mut plain, mut others) = (Vec::new(), Vec::new());
        // Many truth values stay bound: what is said of them for all is refuted with names for them.
        let truths = vars.iter().filter(|var| self.store.sort(**var) == SortId::BOOL).count();
        for var in vars {
            let is_kept = truths > MAX_TRUTHS && self.store.sort(var) == SortId::BOOL;
            match self.domain(var).filter(|_| !is_kept) {
                Some(domain) => others.push((var, domain)),
                None => {
                    environment.insert(var, var);
                    plain.push(var);
                }
            }
        }
        let sizes = others.iter().map(|(_, domain)| domain.len() as u64);
        let total = sizes.fold(1u64, u64::saturating_mul);
        if total > MAX_STEPS {
            return Err("a quantifier has too many instances".to_owned());
        }
        let mut cases = Vec::new();
        for mut number in 0..total {
            for (var, domain) in &others {
                let size = domain.len() as u64;
                environment.insert(*var, domain[(number % size) as usize]);
                number /= size;
            }
            cases.push(self.close(body, &environment, depth + 1, steps)?);
        }
        let is_forall = op == Op::Forall;
        let whole = if is_forall { self.store.and(&cases) } else { self.store.or(&cases) };
        Ok(match (plain.is_empty(), is_forall) {
            (true, _) => whole,
            (false, true) => self.store.forall(&plain, whole),
            (false, false) => self.store.exists(&plain, whole),
        })
    }

    fn application(
        &mut self,
        term: TermId,
        args: &[TermId],
        environment: &Environment,
        steps: &mut u64,
    ) -> Result<TermId, String> {
        let op = self.store.op(term);
        let store = &mut self.store;
        match op {
            Op::Var(_) => {
                if let Some(&known) = environment.get(&term) {
                    return Ok(known);
                }
                match self.model.vars.get(&term) {
                    Some(value) => written(store, value, steps),
                    None => Ok(term),
                }
            }
            Op::Apply(func) => match self.model.funcs.get(&func) {
                Some(table) => cases(store, table, args, steps),
                None => apply(store, op, args),
            },
            Op::Field(ctor, field) => {
                let own = apply(store, op, args)?;
                let Some(table) = self.model.choices.fields.get(&(ctor, field)) else {
                    return Ok(own);
                };
                match apply(store, Op::Is(ctor), args)? {
                    TermId::TRUE => Ok(own),
                    is_own => {
                        let other = cases(store, table, args, steps)?;
                        apply(store, Op::Ite, &[is_own, own, other])
                    }
                }
            }
            Op::IntDiv | Op::Mod | Op::RealDiv => {
                let choices = &self.model.choices;
                let table = match op {
                    Op::IntDiv => &choices.int_div,
                    Op::Mod => &choices.modulo,
                    _ => &choices.real_div,
                };
                let quotient = apply(store, op, args)?;
                let Some(table) = table else { return Ok(quotient) };
                let zero = store.number(store.sort(args[1]), &0.into());
                match apply(store, Op::Eq, &[args[1], zero])? {
                    TermId::FALSE => Ok(quotient),
                    is_zero => {
                        let chosen = cases(store, table, &args[..1], steps)?;
                        apply(store, Op::Ite, &[is_zero, chosen, quotient])
                    }
                }
            }
            Op::ConstArray => Ok(store.const_array(store.sort(term), args[0])),
            _ if args.is_empty() => Ok(term),
            _ => apply(store, op, args),
        }
    }
}

fn apply(store: &mut Store, op: Op, args: &[TermId]) -> Result<TermId, String> {
    store.app(op, args).map_err(|error| error.to_string())
}

/// A value as a term.
fn written(store: &mut Store, value: &Value, steps: &mut u64) -> Result<TermId, String> {
    *steps += value.size();
    if *steps > MAX_STEPS {
        return Err(TOO_MANY.to_owned());
    }
    store.value_term(value).ok_or_else(|| "an element of an infinite sort is no term".to_owned())
}

/// What a table says at `args`.
fn cases(
    store: &mut Store,
    table: &Table,
    args: &[TermId],
    steps: &mut u64,
) -> Result<TermId, String> {
    let mut nodes = 0;
    let values: Option<Vec<Value>> =
        args.iter().map(|arg| constant(store, *arg, 0, &mut nodes)).collect();
    *steps += nodes / WORDS;
    if let Some(values) = values {
        let value = table.at(&values).ok_or("a function has no value")?;
        return written(store, &value, steps);
    }
    for (args, value) in &table.entries {
        *steps += args.iter().chain([value]).map(Value::size).sum::<u64>();
    }
    if table.entries.len() > MAX_CASES || table.default.is_none() || *steps > MAX_STEPS {
        return Err("a function has too many cases, or no value elsewhere".to_owned());
    }
    let literal = &mut |store: &mut Store, value: &Value| store.value_term(value);
    let term = store.table_term(table, args, None, literal);
    term.ok_or_else(|| "an element of an infinite sort is no term".to_owned())
}

/// The value of a term that is written as one.
fn constant(store: &Store, term: TermId, depth: u32, nodes: &mut u64) -> Option<Value> {
    *nodes += 1;
    match store.op(term) {
        _ if *nodes > MAX_STEPS => None,
        _ if depth > MAX_VALUE => None,
        Op::Construct(ctor) => {
            let args = store.args(term).iter().map(|arg| constant(store, *arg, depth + 1, nodes));
            Value::made(store, ctor, args.collect::<Option<Vec<Value>>>()?)
        }
        _ => store.literal_value(term),
    }
}
