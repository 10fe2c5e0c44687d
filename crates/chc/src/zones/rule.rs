//! Clauses as rules about discrete values and differences of reals.
//!
//! A state of a predicate is values for its integers and truth values, and a zone for its reals. Each conjunct of a
//! clause's body depends on some discrete values; for these it comes to cases, each a list of difference bounds, and that
//! is remembered. So a step evaluates each conjunct once per values that it can see, and not once per state.

use super::dbm::{Apart, bound};
use crate::settings::ZONES_MAX_CASES;
use alphorn_engine::Stop;
use alphorn_horn::accel::cases;
use alphorn_problem::Horn;
use alphorn_problem::horn::{ClauseId, Head};
use alphorn_smt::Linear;
use alphorn_term::{Int, Model, Op, Rat, SortId, Store, Substitution, TermId, Value, eval};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::rc::Rc;

/// Discrete values.
pub(super) type Values = Box<[i64]>;

/// What a conjunct comes to: one of these lists of bounds holds.
pub(super) type Cases = Rc<[Vec<Apart>]>;

/// Which arguments of a predicate are discrete, and which are real; positions of arguments.
#[derive(Clone, Debug, Default)]
pub(super) struct Layout {
    pub discrete: Vec<usize>,
    pub reals: Vec<usize>,
}

impl Layout {
    pub fn of(sorts: &[SortId]) -> Option<Layout> {
        let mut layout = Layout::default();
        for (at, &sort) in sorts.iter().enumerate() {
            match sort {
                SortId::REAL => layout.reals.push(at),
                SortId::INT | SortId::BOOL => layout.discrete.push(at),
                _ => return None,
            }
        }
        Some(layout)
    }
}

/// A conjunct of a body.
#[derive(Clone, Debug)]
pub(super) struct Condition {
    pub term: TermId,
    /// The slots that it depends on.
    pub inputs: Vec<usize>,
    pub is_timed: bool,
    known: FxHashMap<Values, Cases>,
}

/// A discrete value that is made from others.
#[derive(Clone, Debug)]
pub(super) struct Made {
    pub term: TermId,
    pub inputs: Vec<usize>,
    known: FxHashMap<Values, i64>,
}

/// A clause.
#[derive(Clone, Debug)]
pub(super) struct Rule {
    pub clause: ClauseId,
    pub from: Option<usize>,
    /// None for a query.
    pub to: Option<usize>,
    /// The variables of the slots: discrete arguments of the body first, then those that are defined.
    pub slots: Vec<TermId>,
    /// For each discrete argument of the body its slot, if it is a variable that comes here first.
    pub binds: Vec<Option<usize>>,
    /// Discrete arguments of the body that are something else.
    checks: Vec<(usize, Made)>,
    /// How slots after the first ones are made.
    defined: Vec<Made>,
    pub conditions: Vec<Condition>,
    /// Discrete arguments of the head.
    pub head: Vec<Made>,
    /// The real variables, by position in a zone.
    pub index: BTreeMap<TermId, usize>,
    /// How many reals are not arguments of the body.
    pub extra: usize,
    /// What the real arguments of the body say themselves.
    pub ties: Vec<Apart>,
    /// Real arguments of the head: a real and a constant; the first is the constant 0.
    pub gathers: Vec<(usize, i64)>,
}

fn outside(why: &str) -> Stop {
    Stop::Unsupported(format!("no system of clocks ({why})"))
}

/// The rules that a clause is, one per case if it has no atom in its body.
pub(super) fn rules(
    horn: &Horn,
    store: &mut Store,
    layouts: &[Layout],
    id: ClauseId,
) -> Result<Vec<Rule>, Stop> {
    if horn.quantified.contains_key(&id) {
        return Err(outside("a predicate is quantified"));
    }
    let (atoms, rest) =
        horn.conjunctive(id).ok_or_else(|| outside("an atom stands under a disjunction"))?;
    let from = match atoms[..] {
        [] => None,
        [atom] => horn.atom(atom).map(|pred| (pred.index(), horn.terms.args(atom).to_vec())),
        _ => return Err(outside("several atoms in a body")),
    };
    let bodies = match &from {
        Some(_) => vec![rest],
        None => {
            let max_cases = ZONES_MAX_CASES.size();
            cases(store, &rest, max_cases).ok_or_else(|| outside("too many starts"))?
        }
    };
    let mut found = Vec::new();
    for body in bodies {
        found.push(rule(horn, store, layouts, (id, from.as_ref()), body)?);
    }
    Ok(found)
}

fn rule(
    horn: &Horn,
    store: &mut Store,
    layouts: &[Layout],
    (id, from): (ClauseId, Option<&(usize, Vec<TermId>)>),
    mut body: Vec<TermId>,
) -> Result<Rule, Stop> {
    let clause = horn.clause(id);
    let mut rule = Rule {
        clause: id,
        from: from.map(|(pred, _)| *pred),
        to: None,
        slots: Vec::new(),
        binds: Vec::new(),
        checks: Vec::new(),
        defined: Vec::new(),
        conditions: Vec::new(),
        head: Vec::new(),
        index: BTreeMap::new(),
        extra: 0,
        ties: Vec::new(),
        gathers: vec![(0, 0)],
    };
    let mut size = 1;
    if let Some((pred, args)) = from {
        let layout = &layouts[*pred];
        size += layout.reals.len();
        let mut late = Vec::new();
        for (at, &position) in layout.discrete.iter().enumerate() {
            let arg = args[position];
            if matches!(store.op(arg), Op::Var(_)) && !rule.slots.contains(&arg) {
                rule.binds.push(Some(rule.slots.len()));
                rule.slots.push(arg);
            } else {
                rule.binds.push(None);
                late.push((at, arg));
            }
        }
        for (at, arg) in late {
            let made = rule.made(store, arg).ok_or_else(|| outside("an argument of a body"))?;
            rule.checks.push((at, made));
        }
        for (at, &position) in layout.reals.iter().enumerate() {
            let arg = args[position];
            if matches!(store.op(arg), Op::Var(_)) && !rule.index.contains_key(&arg) {
                rule.index.insert(arg, at + 1);
            }
        }
    }
    // Variables that no argument of the body is: reals are new numbers, others have a definition.
    for &var in &clause.vars {
        if store.sort(var) == SortId::REAL && !rule.index.contains_key(&var) {
            rule.index.insert(var, size + rule.extra);
            rule.extra += 1;
        }
    }
    rule.define(store, &clause.vars, &mut body)?;
    if let Some((pred, args)) = from {
        for (at, &position) in layouts[*pred].reals.iter().enumerate() {
            if rule.index.get(&args[position]) != Some(&(at + 1)) {
                let (other, shift) =
                    rule.real(store, args[position]).ok_or_else(|| outside("an argument"))?;
                rule.tie(at + 1, other, shift);
            }
        }
    }
    for term in body {
        let condition = rule.condition(store, term)?;
        rule.conditions.push(condition);
    }
    if let Head::Atom(pred, args) = &clause.head {
        let layout = &layouts[pred.index()];
        rule.to = Some(pred.index());
        for &position in &layout.discrete {
            let made =
                rule.made(store, args[position]).ok_or_else(|| outside("an argument of a head"))?;
            rule.head.push(made);
        }
        for &position in &layout.reals {
            let real = rule.real(store, args[position]);
            rule.gathers.push(real.ok_or_else(|| outside("a real argument of a head"))?);
        }
    }
    Ok(rule)
}

impl Rule {
    /// That two reals are a constant apart.
    fn tie(&mut self, left: usize, right: usize, shift: i64) {
        self.ties.push(Apart { left, right, bound: bound(shift, false) });
        self.ties.push(Apart { left: right, right: left, bound: bound(-shift, false) });
    }

    /// Finds definitions of the discrete variables that are no arguments.
    fn define(
        &mut self,
        store: &Store,
        vars: &[TermId],
        body: &mut Vec<TermId>,
    ) -> Result<(), Stop> {
        let is_open = |rule: &Rule, var: &TermId| {
            store.sort(*var) != SortId::REAL && !rule.slots.contains(var)
        };
        loop {
            let open: Vec<TermId> = vars.iter().copied().filter(|var| is_open(self, var)).collect();
            if open.is_empty() {
                return Ok(());
            }
            let mut found = None;
            for (at, &part) in body.iter().enumerate() {
                let sides = store.args(part);
                let is_equation = store.op(part) == Op::Eq && sides.len() == 2;
                let pairs = if is_equation { vec![(0, 1), (1, 0)] } else { Vec::new() };
                for (var, value) in pairs {
                    if open.contains(&sides[var])
                        && let Some(made) = self.made(store, sides[value])
                    {
                        found = Some((at, sides[var], made));
                    }
                }
                if open.contains(&part) || store.op(part) == Op::Not && open.contains(&sides[0]) {
                    let (var, term) = match store.op(part) {
                        Op::Not => (sides[0], TermId::FALSE),
                        _ => (part, TermId::TRUE),
                    };
                    found = self.made(store, term).map(|made| (at, var, made));
                }
                if found.is_some() {
                    break;
                }
            }
            let Some((at, var, made)) = found else {
                return Err(outside("a discrete value that is not said"));
            };
            body.remove(at);
            self.slots.push(var);
            self.defined.push(made);
        }
    }

    /// The slots of a term; none if it has other variables.
    fn inputs(&self, store: &Store, term: TermId) -> Option<Vec<usize>> {
        let vars = store.free_vars(&[term]);
        vars.iter().map(|var| self.slots.iter().position(|slot| slot == var)).collect()
    }

    fn made(&self, store: &Store, term: TermId) -> Option<Made> {
        let inputs = self.inputs(store, term)?;
        Some(Made { term, inputs, known: FxHashMap::default() })
    }

    /// A real as another plus a constant.
    fn real(&self, store: &Store, term: TermId) -> Option<(usize, i64)> {
        let linear = Linear::of(store, term);
        let shift = linear.constant.to_int()?.to_i64()?;
        match &linear.terms[..] {
            [] => Some((0, shift)),
            [(var, factor)] if *factor == Rat::ONE => Some((*self.index.get(var)?, shift)),
            _ => None,
        }
    }

    fn condition(&self, store: &Store, term: TermId) -> Result<Condition, Stop> {
        let vars = store.free_vars(&[term]);
        let mut inputs = Vec::new();
        for var in &vars {
            if store.sort(*var) != SortId::REAL {
                let slot = self.slots.iter().position(|slot| slot == var);
                inputs.push(slot.ok_or_else(|| outside("a value that is not said"))?);
            }
        }
        let is_timed = vars.iter().any(|var| store.sort(*var) == SortId::REAL);
        Ok(Condition { term, inputs, is_timed, known: FxHashMap::default() })
    }

    /// Whether a discrete argument of the body may have a value, as far as it alone says.
    pub fn may_have(&mut self, store: &Store, arg: usize, value: i64) -> bool {
        let Rule { checks, slots, .. } = self;
        let none = vec![0; slots.len()];
        checks.iter_mut().all(|(at, made)| {
            *at != arg
                || !made.inputs.is_empty()
                || made.value(store, slots, &none).is_ok_and(|only| only == value)
        })
    }

    /// The slots' values where the rule can be used in a state; none where it cannot.
    pub fn slots_at(&mut self, store: &Store, state: &[i64]) -> Result<Option<Vec<i64>>, Stop> {
        let mut values = vec![0; self.slots.len()];
        for (bind, &value) in self.binds.iter().zip(state) {
            if let Some(slot) = *bind {
                values[slot] = value;
            }
        }
        let first = self.slots.len() - self.defined.len();
        for at in 0..self.defined.len() {
            values[first + at] = self.defined[at].value(store, &self.slots, &values)?;
        }
        for at in 0..self.checks.len() {
            let (position, made) = &mut self.checks[at];
            if made.value(store, &self.slots, &values)? != state[*position] {
                return Ok(None);
            }
        }
        Ok(Some(values))
    }

    /// What a conjunct comes to for values of the slots.
    pub fn cases(&mut self, store: &mut Store, at: usize, values: &[i64]) -> Result<Cases, Stop> {
        let key: Values = self.conditions[at].inputs.iter().map(|&slot| values[slot]).collect();
        if let Some(known) = self.conditions[at].known.get(&key) {
            return Ok(known.clone());
        }
        let condition = &self.conditions[at];
        let mut map = Substitution::default();
        for &slot in &condition.inputs {
            let value = value_of(store, self.slots[slot], values[slot]);
            let term = store.value_term(&value).expect("numbers and truth values have terms");
            map.insert(self.slots[slot], term);
        }
        let term = store.substitute(condition.term, &map);
        let all = cases(store, &[term], ZONES_MAX_CASES.size())
            .ok_or_else(|| outside("too many cases"))?;
        let mut found = Vec::new();
        'cases: for case in all {
            let mut bounds = Vec::new();
            for literal in case {
                match self.bounds(store, literal).ok_or_else(|| outside("a constraint"))? {
                    Some(list) => bounds.extend(list),
                    None => continue 'cases,
                }
            }
            found.push(bounds);
        }
        let found: Cases = found.into();
        self.conditions[at].known.insert(key, found.clone());
        Ok(found)
    }

    /// The bounds that a literal is; inside, none if it is false; outside, none if it is something else.
    pub fn bounds(&self, store: &Store, literal: TermId) -> Option<Option<Vec<Apart>>> {
        let (atom, is_positive) = match store.op(literal) {
            Op::Not => (store.args(literal)[0], false),
            _ => (literal, true),
        };
        if let Some(Value::Bool(truth)) = store.literal_value(atom) {
            return Some((truth == is_positive).then(Vec::new));
        }
        let sides = store.args(atom);
        let (left, right) = match (store.op(atom), sides) {
            (Op::Le | Op::Lt | Op::Eq, &[left, right]) => (left, right),
            _ => return None,
        };
        match (store.op(atom), is_positive) {
            (Op::Le, true) => self.at_most(store, left, right, false),
            (Op::Lt, true) => self.at_most(store, left, right, true),
            (Op::Le, false) => self.at_most(store, right, left, true),
            (Op::Lt, false) => self.at_most(store, right, left, false),
            (_, true) => {
                let one = self.at_most(store, left, right, false)?;
                let other = self.at_most(store, right, left, false)?;
                Some(one.zip(other).map(|(one, other)| [one, other].concat()))
            }
            _ => None,
        }
    }

    fn at_most(
        &self,
        store: &Store,
        left: TermId,
        right: TermId,
        is_strict: bool,
    ) -> Option<Option<Vec<Apart>>> {
        let linear = Linear::difference(store, left, right);
        let place = |var: &TermId| self.index.get(var).copied();
        let (left, right, factor) = match &linear.terms[..] {
            [] => {
                let holds =
                    linear.constant.is_negative() || !is_strict && linear.constant.is_zero();
                return Some(holds.then(Vec::new));
            }
            [(var, factor)] if factor.is_positive() => (place(var)?, 0, factor.clone()),
            [(var, factor)] => (0, place(var)?, -factor),
            [(one, first), (other, second)] if *first == -second => match first.is_positive() {
                true => (place(one)?, place(other)?, first.clone()),
                false => (place(other)?, place(one)?, second.clone()),
            },
            _ => return None,
        };
        let limit = (-&linear.constant).checked_div(&factor)?.to_int()?.to_i64()?;
        if limit.unsigned_abs() > 1 << 40 {
            return None;
        }
        Some(Some(vec![Apart { left, right, bound: bound(limit, is_strict) }]))
    }
}

impl Made {
    /// The value, for values of the slots.
    pub fn value(&mut self, store: &Store, slots: &[TermId], values: &[i64]) -> Result<i64, Stop> {
        let key: Values = self.inputs.iter().map(|&slot| values[slot]).collect();
        if let Some(&known) = self.known.get(&key) {
            return Ok(known);
        }
        let mut model = Model::new();
        for &slot in &self.inputs {
            model.set(slots[slot], value_of(store, slots[slot], values[slot]));
        }
        let value = match eval(store, self.term, &model) {
            Ok(Value::Bool(truth)) => i64::from(truth),
            Ok(Value::Int(value)) => value.to_i64().ok_or_else(|| outside("a large number"))?,
            _ => return Err(outside("a value that is not said")),
        };
        self.known.insert(key, value);
        Ok(value)
    }
}

/// A discrete value of a variable's sort.
pub(super) fn value_of(store: &Store, var: TermId, value: i64) -> Value {
    match store.sort(var) {
        SortId::BOOL => Value::Bool(value != 0),
        _ => Value::Int(Int::from(value)),
    }
}
