//! Values to try for a variable that nothing determines.
//!
//! A small finite sort is tried in full, and nothing is lost. Any other sort is sampled: values
//! at the edges of the comparisons the variable stands in, values at hand in the clause, and a
//! few that are always worth a try. The bounds that comparisons put on a number are respected;
//! when they leave one value or none, again nothing is lost.

use super::invert::{as_rational, as_value};
use super::network::Network;
use super::propagate::State;
use crate::settings::FORWARD_SHORT_INTERVAL;
use alphorn_term::value::ArrayValue;
use alphorn_term::{Bv, Int, Op, Rat, Sort, SortId, Store, Value};
use std::sync::Arc;

/// Values for a variable, and whether they are all that can matter.
pub(super) struct Candidates {
    pub values: Vec<Value>,
    pub complete: bool,
}

/// Where numbers that are far from where comparisons change lie from there.
const FAR: [i64; 8] = [2, 3, 5, 8, 13, -2, -5, -8];

/// The values to try for the variable at `var`, of which at most `most` are samples; if wanted, numbers far
/// from where comparisons change are among them.
pub(super) fn candidates(
    net: &Network,
    state: &State,
    store: &Store,
    var: u32,
    (most, is_wide): (usize, bool),
) -> Candidates {
    let sort = net.node(var).sort;
    if let Some(values) = net.domains.get(&sort) {
        return Candidates { values: values.clone(), complete: true };
    }
    let mut samples = Samples { values: Vec::new(), most };
    match store.sort_of(sort) {
        Sort::Int | Sort::Real => return numbers(net, state, sort, var, (most, is_wide)),
        Sort::BitVec(width) => words(net, state, *width, var, &mut samples),
        Sort::Array(index, element) => {
            stored(net, state, var, &mut samples);
            samples.extend(constant_arrays(store, *index, *element));
        }
        Sort::Data(_) => constructed(net, state, store, sort, &mut samples),
        // There may be one element only, so a derivation cannot use two.
        Sort::Uninterpreted(..) => samples.add(Value::Element(sort, 0)),
        Sort::Bool => {}
    }
    samples.extend(at_hand(net, state, sort, most));
    Value::default_of(store, sort).into_iter().for_each(|value| samples.add(value));
    Candidates { values: samples.values, complete: false }
}

struct Samples {
    values: Vec<Value>,
    most: usize,
}

impl Samples {
    fn is_full(&self) -> bool {
        self.values.len() >= self.most
    }

    fn add(&mut self, value: Value) {
        if !self.is_full() && !self.values.contains(&value) {
            self.values.push(value);
        }
    }

    fn extend(&mut self, values: impl IntoIterator<Item = Value>) {
        values.into_iter().for_each(|value| self.add(value));
    }
}

/// The values of this sort that nodes of the clause have.
fn at_hand(net: &Network, state: &State, sort: SortId, most: usize) -> Vec<Value> {
    let nodes = (0..net.nodes.len() as u32).filter(|&node| net.node(node).sort == sort);
    nodes.filter_map(|node| state.value(node).cloned()).take(4 * most).collect()
}

/// `node` as `coefficient * var + rest`, if everything else in it has a value.
fn isolate(net: &Network, state: &State, node: u32, var: u32) -> Option<(Rat, Rat)> {
    if node == var {
        return Some((Rat::from(1i64), Rat::from(0i64)));
    }
    if let Some(value) = state.value(node) {
        return Some((Rat::from(0i64), as_rational(value)?));
    }
    let data = net.node(node);
    let mut args = data.args.iter().map(|&arg| isolate(net, state, arg, var));
    match data.op {
        Op::Add => args.try_fold((Rat::from(0i64), Rat::from(0i64)), |sum, arg| {
            let (coefficient, rest) = arg?;
            Some((sum.0 + coefficient, sum.1 + rest))
        }),
        Op::Mul => args.try_fold((Rat::from(0i64), Rat::from(1i64)), |product, arg| {
            let (coefficient, rest) = arg?;
            // A square of the variable is not linear.
            let linear = product.0.is_zero() || coefficient.is_zero();
            linear.then(|| {
                let both = product.0 * &rest + coefficient * &product.1;
                (both, product.1 * rest)
            })
        }),
        _ => None,
    }
}

/// The comparisons above a variable, through sums and products.
fn comparisons(net: &Network, var: u32) -> Vec<u32> {
    let (mut found, mut stack, mut seen) = (Vec::new(), vec![var], vec![var]);
    while let Some(node) = stack.pop() {
        for &parent in &net.node(node).parents {
            if seen.contains(&parent) {
                continue;
            }
            seen.push(parent);
            match net.node(parent).op {
                Op::Add | Op::Mul => stack.push(parent),
                Op::Le | Op::Lt | Op::Eq => found.push(parent),
                _ => {}
            }
        }
    }
    found.sort_unstable();
    found
}

#[derive(Default)]
struct Bounds {
    low: Option<Rat>,
    high: Option<Rat>,
    /// Values where some comparison changes.
    edges: Vec<Rat>,
}

impl Bounds {
    fn at_least(&mut self, bound: Rat) {
        if self.low.as_ref().is_none_or(|low| *low < bound) {
            self.low = Some(bound);
        }
    }

    fn at_most(&mut self, bound: Rat) {
        if self.high.as_ref().is_none_or(|high| *high > bound) {
            self.high = Some(bound);
        }
    }

    fn allows(&self, value: &Rat) -> bool {
        self.low.as_ref().is_none_or(|low| low <= value)
            && self.high.as_ref().is_none_or(|high| value <= high)
    }

    /// All values within the bounds, if they are few.
    fn all(&self, whole: bool) -> Option<Vec<Value>> {
        let (low, high) = (self.low.as_ref()?, self.high.as_ref()?);
        if low > high {
            return Some(Vec::new());
        }
        // The ends of a real interval may be excluded, and there is much in between.
        let (low, high) = (low.to_int().filter(|_| whole)?, high.to_int()?);
        let count = (high - &low).to_u64().filter(|&count| count < FORWARD_SHORT_INTERVAL.get())?;
        Some((0..=count).map(|offset| Value::Int(&low + Int::from(offset))).collect())
    }

    /// Takes note of `left - right` compared with zero, as `coefficient * var + rest`.
    fn compare(&mut self, op: Op, truth: Option<bool>, coefficient: &Rat, rest: Rat, whole: bool) {
        let Some(edge) = (-rest).checked_div(coefficient) else { return };
        let (strict, upper) = match (op, truth) {
            // Over the integers a strict comparison moves the edge by less than one.
            (Op::Le, Some(true)) => (false, true),
            (Op::Le, Some(false)) => (true, false),
            (Op::Lt, Some(true)) => (true, true),
            (Op::Lt, Some(false)) => (false, false),
            _ => return self.edges.push(edge),
        };
        self.edges.push(edge.clone());
        let upper = upper != coefficient.is_negative();
        let one = Rat::from(1i64);
        match (upper, whole) {
            (true, true) if strict => self.at_most(Rat::from(edge.ceil()) - one),
            (true, true) => self.at_most(Rat::from(edge.floor())),
            (false, true) if strict => self.at_least(Rat::from(edge.floor()) + one),
            (false, true) => self.at_least(Rat::from(edge.ceil())),
            (true, false) => self.at_most(edge),
            (false, false) => self.at_least(edge),
        }
    }
}

fn numbers(
    net: &Network,
    state: &State,
    sort: SortId,
    var: u32,
    (most, is_wide): (usize, bool),
) -> Candidates {
    let whole = sort == SortId::INT;
    let mut bounds = Bounds::default();
    for node in comparisons(net, var) {
        let data = net.node(node);
        let sides = [data.args[0], data.args[1]].map(|side| isolate(net, state, side, var));
        if let [Some(left), Some(right)] = sides {
            let (coefficient, rest) = (left.0 - right.0, left.1 - right.1);
            if !coefficient.is_zero() {
                bounds.compare(data.op, state.truth(node), &coefficient, rest, whole);
            }
        }
    }
    let like = if whole { Value::Int(Int::from(0i64)) } else { Value::Real(Rat::from(0i64)) };
    if let Some(values) = bounds.all(whole) {
        return Candidates { values, complete: true };
    }
    let mut samples = Samples { values: Vec::new(), most };
    let mut add = |number: Rat| {
        if bounds.allows(&number) {
            let number = if whole { Rat::from(number.floor()) } else { number };
            as_value(&like, &number).into_iter().for_each(|value| samples.add(value));
        }
    };
    let (zero, one) = (Rat::from(0i64), Rat::from(1i64));
    if let (Some(low), Some(high)) = (&bounds.low, &bounds.high)
        && !whole
    {
        add(low.midpoint(high));
    }
    if bounds.low.is_none() && bounds.high.is_none() && bounds.edges.is_empty() {
        add(zero.clone());
    }
    for edge in bounds.low.iter().chain(&bounds.high).chain(&bounds.edges) {
        add(edge.clone());
        add(edge + &one);
        add(edge - &one);
    }
    add(zero);
    add(one.clone());
    add(-one.clone());
    if is_wide {
        let from = bounds.low.as_ref().or(bounds.high.as_ref());
        let from = from.cloned().unwrap_or_default();
        FAR.into_iter().for_each(|far| add(&from + &Rat::from(far)));
    }
    if !samples.is_full() {
        let values = at_hand(net, state, sort, most);
        for number in values.iter().filter_map(as_rational) {
            for number in [number.clone(), &number + &one, &number - &one] {
                if bounds.allows(&number) {
                    as_value(&like, &number).into_iter().for_each(|value| samples.add(value));
                }
            }
        }
    }
    Candidates { values: samples.values, complete: false }
}

fn words(net: &Network, state: &State, width: u32, var: u32, samples: &mut Samples) {
    let one = Bv::from_u64(width, 1);
    let mut edges: Vec<Bv> = Vec::new();
    for &parent in &net.node(var).parents {
        let data = net.node(parent);
        let offset = match (data.op, data.args.as_slice()) {
            (Op::BvAdd, &[a, b]) => match state.value(if a == var { b } else { a }) {
                Some(Value::Bv(word)) => Some(word.clone()),
                _ => None,
            },
            (Op::BvUlt | Op::BvUle | Op::BvSlt | Op::BvSle | Op::Eq, _) => None,
            _ => continue,
        };
        let sums = if offset.is_some() { &data.parents } else { std::slice::from_ref(&parent) };
        for &comparison in sums {
            for &side in &net.node(comparison).args {
                if let Some(Value::Bv(word)) = state.value(side)
                    && word.width() == width
                {
                    edges.push(offset.as_ref().map_or(word.clone(), |offset| word.sub(offset)));
                }
            }
        }
    }
    for edge in edges {
        let near = [edge.clone(), edge.add(&one), edge.sub(&one)];
        samples.extend(near.map(Value::Bv));
    }
    let usual = [
        Bv::from_u64(width, 0),
        one.clone(),
        Bv::ones(width),
        Bv::min_signed(width),
        Bv::min_signed(width).sub(&one),
    ];
    samples.extend(usual.map(Value::Bv));
}

/// Arrays that differ in one place from the result of a write to `var`.
fn stored(net: &Network, state: &State, var: u32, samples: &mut Samples) {
    for &parent in &net.node(var).parents {
        if net.node(parent).op == Op::Store {
            samples.extend(state.value(parent).cloned());
        }
    }
}

/// Arrays that have one element everywhere. What a program reads of an input is then the same wherever it
/// reads, so that a few samples take runs of any length to where loops over inputs end.
fn constant_arrays(store: &Store, index: SortId, element: SortId) -> Vec<Value> {
    let elements = match store.sort_of(element) {
        Sort::Bool => [false, true].map(Value::Bool).to_vec(),
        Sort::Int => [0i64, 1, -1].map(|number| Value::Int(Int::from(number))).to_vec(),
        Sort::Real => [0i64, 1, -1].map(|number| Value::Real(Rat::from(number))).to_vec(),
        Sort::BitVec(width) => {
            let (zero, one) = (Bv::from_u64(*width, 0), Bv::from_u64(*width, 1));
            [zero, one, Bv::ones(*width)].map(Value::Bv).to_vec()
        }
        Sort::Array(inner, element) => constant_arrays(store, *inner, *element),
        Sort::Data(_) | Sort::Uninterpreted(..) => Vec::new(),
    };
    let arrays = elements.into_iter().filter_map(|value| ArrayValue::constant(store, index, value));
    arrays.map(|array| Value::Array(Arc::new(array))).collect()
}

/// A value of each constructor, with values at hand for its fields.
fn constructed(net: &Network, state: &State, store: &Store, sort: SortId, samples: &mut Samples) {
    let Sort::Data(data) = store.sort_of(sort) else { return };
    for &ctor in &store.data(*data).ctors {
        let fields = &store.ctor(ctor).fields;
        for first in [true, false] {
            let args: Option<Vec<Value>> = fields
                .iter()
                .map(|&(_, field)| {
                    let known = at_hand(net, state, field, 1).into_iter().next().filter(|_| !first);
                    known.or_else(|| Value::default_of(store, field))
                })
                .collect();
            samples.extend(args.and_then(|args| Value::data(ctor, args)));
        }
    }
}
