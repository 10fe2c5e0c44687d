//! Products and quotients of words whose gates are made on demand.
//!
//! A multiplier of 64 bits is thousands of gates, and most questions never need them: they are refuted without the product,
//! or have a model in which a factor is zero. So the bits of a large product begin as variables that nothing defines. Where
//! an assignment gives them values that the factors' values do not have for a product, it is refined: first by what is cheap
//! and says much (`special`), and in the end by the gates themselves, from the lowest bit up.
//!
//! Invariant: bits without a definition are those of `open`; an assignment that `refine` lets pass gives each of them that has a value the
//! one its gate would have. What is added are definitions of gates, and congruences: both hold in every model, and proofs have
//! rules for them.
//!
//! After Niemetz, Preiner, Zohar, "Scalable bit-blasting with abstractions" (CAV 2024, [NPZ24]). Their lemmas about products need rules of
//! their own; here each says that a product equals that of other forms of its factors, and the checker needs to know nothing new.

use alphorn_problem::circuit::Lit as Edge;
use alphorn_sat::Lit;
use alphorn_term::{Bv, Op, Store, TermId};
use rustc_hash::{FxHashMap, FxHashSet};

use super::Words;
use super::gates::{define_late, gate};
use super::special::{self, Wrong};
use crate::settings::{DEMAND_EAGER, DEMAND_LOW_BITS, DEMAND_ROUNDS};
use crate::theories::encode::{Encoding, Search};
use crate::theories::kernel::Kernel;

/// Large products and quotients, and which of their bits have no definition.
#[derive(Default)]
pub(crate) struct Demand {
    /// Whether all gates are made at once: for interpolants they belong to the formula that has them.
    pub(crate) is_off: bool,
    /// Terms in formulas that have not been looked at, as their bits were not there.
    entered: Vec<TermId>,
    /// How many gates there were when they were looked at last.
    gates: usize,
    pub(super) products: Vec<Product>,
    /// Variables of the graph without a definition, with the places of their products.
    open: FxHashMap<u32, usize>,
    /// The variables of the graph that are bits of products, large or not: the product, the bit, and whether it is the negation.
    names: FxHashMap<u32, (TermId, u32, bool)>,
}

/// A product, quotient or remainder, or whether a product overflows.
pub(super) struct Product {
    pub(super) term: TermId,
    /// The variables of the graph that are bits of its arguments.
    inputs: Vec<u32>,
    /// The forms of arguments that were tried, by their places.
    pub(super) forms: FxHashSet<[TermId; 2]>,
    /// The lengths of factors of which it was said what the product of so short ones is, and that product; and those of what
    /// conditionals choose.
    pub(super) short: Vec<([u32; 2], TermId)>,
    /// Which factors are negative where it is to be repaired as the product of their negations, and that product.
    pub(super) reflected: Vec<([bool; 2], TermId)>,
    /// How often it was wrong.
    rounds: usize,
    /// How many of its bits, from the lowest, are defined.
    low: usize,
}

/// Whether an operator is a circuit that grows with the square of its arguments' width.
fn is_large(op: Op) -> bool {
    use Op::{BvMul, BvSdiv, BvSmod, BvSmulo, BvSrem, BvUdiv, BvUmulo, BvUrem};
    matches!(op, BvMul | BvUmulo | BvSmulo | BvUdiv | BvUrem | BvSdiv | BvSrem | BvSmod)
}

impl Demand {
    /// Takes note of a term that formulas have.
    pub(super) fn enter(&mut self, store: &Store, term: TermId) {
        if !self.is_off && is_large(store.op(term)) && store.args(term).len() == 2 {
            self.entered.push(term);
        }
    }

    /// Whether the gates of a product or quotient of unknowns as long as these would be made on demand.
    pub(super) fn is_large(&self, store: &Store, term: TermId) -> bool {
        let width = store.width(term) as usize;
        !self.is_off && width.saturating_mul(width) > DEMAND_EAGER.size()
    }

    /// The bits that have to have literals before a bit without a definition has one.
    pub(super) fn inputs_of(&self, var: u32) -> Option<&[u32]> {
        self.open.get(&var).map(|&place| self.products[place].inputs.as_slice())
    }

    /// The product that a variable of the graph is a bit of, the bit, and whether it is the negation.
    pub(super) fn name_of(&self, var: u32) -> Option<(TermId, u32, bool)> {
        self.names.get(&var).copied()
    }

    /// From now on the bit has a definition; whether it had none.
    pub(super) fn close(&mut self, var: u32) -> bool {
        self.open.remove(&var).is_some()
    }
}

impl Words {
    /// Looks at what was entered and has bits now.
    pub(super) fn notice(&mut self, store: &Store) {
        let gates = self.bits.aig.len();
        if self.demand.entered.is_empty() || self.demand.gates == gates {
            return;
        }
        self.demand.gates = gates;
        for term in std::mem::take(&mut self.demand.entered) {
            match self.bits.known(term).map(<[Edge]>::to_vec) {
                Some(row) => self.leave_open(store, term, &row),
                None => self.demand.entered.push(term),
            }
        }
    }

    /// Leaves the bits of a term without a definition, if it is large.
    fn leave_open(&mut self, store: &Store, term: TermId, row: &[Edge]) {
        let (mut inputs, mut pairs) = (Vec::new(), 1);
        for &arg in store.args(term) {
            let Some(bits) = self.bits.known(arg) else { return };
            let unknown = bits.iter().map(|edge| edge.var()).filter(|var| *var != 0);
            let before = inputs.len();
            inputs.extend(unknown);
            pairs *= inputs.len() - before;
        }
        inputs.sort_unstable();
        inputs.dedup();
        // What was made after the inputs is no part of them: a gate's fan-ins are smaller than the gate.
        let last = inputs.last().copied().unwrap_or(0);
        let is_new = |var: u32| var > last && self.bits.aig.fan_ins(var).is_some();
        let made = (0..).zip(row).filter(|(_, edge)| is_new(edge.var()));
        let names = made.map(|(bit, edge)| (edge.var(), (term, bit, edge.is_negated())));
        let names: Vec<(u32, (TermId, u32, bool))> = names.collect();
        for &(var, name) in &names {
            self.demand.names.entry(var).or_insert(name);
        }
        let is_missing = |var: &u32| self.literal(Edge::new(*var, false)).is_none();
        let vars: Vec<u32> = names.iter().map(|(var, _)| *var).filter(is_missing).collect();
        if vars.is_empty() || pairs <= DEMAND_EAGER.size() {
            return;
        }
        let place = self.demand.products.len();
        for var in vars {
            self.demand.open.entry(var).or_insert(place);
        }
        let forms = FxHashSet::default();
        self.demand.products.push(Product {
            term,
            inputs,
            forms,
            short: Vec::new(),
            reflected: Vec::new(),
            rounds: 0,
            low: 0,
        });
    }

    /// The value of a bit, if it has one.
    fn bit_value(&self, search: &Search, edge: Edge) -> Option<bool> {
        match edge.var() {
            0 => Some(edge == Edge::TRUE),
            _ => self.literal(edge).and_then(|lit| search.value(lit)),
        }
    }

    /// What is wrong with a product in an assignment; or the bits of its arguments that have to have values first.
    fn judge(
        &self,
        store: &mut Store,
        search: &Search,
        place: usize,
    ) -> Result<Option<Wrong>, Vec<Edge>> {
        let term = self.demand.products[place].term;
        let row = self.bits.known(term).unwrap_or_default();
        let claimed = |(_, edge): &(u32, &Edge)| {
            self.demand.open.contains_key(&edge.var()) && self.bit_value(search, **edge).is_some()
        };
        let claimed: Vec<(u32, bool)> = (0..)
            .zip(row)
            .filter(claimed)
            .filter_map(|(bit, edge)| Some((bit, self.bit_value(search, *edge)?)))
            .collect();
        if claimed.is_empty() {
            return Ok(None);
        }
        let (mut open, mut values) = (Vec::new(), Vec::new());
        for &arg in store.args(term) {
            let bits = self.bits.known(arg).unwrap_or_default();
            open.extend(bits.iter().filter(|edge| self.bit_value(search, **edge).is_none()));
            values.push(self.value(store, arg, search));
        }
        if !open.is_empty() {
            return Err(open);
        }
        let Some(values) = values.into_iter().collect::<Option<Vec<Bv>>>() else { return Ok(None) };
        let literals: Vec<TermId> = values.iter().map(|value| store.bv(value.clone())).collect();
        let result = store.rebuild(term, &literals);
        let right = match result {
            TermId::TRUE => Some(Bv::from_bool(true)),
            TermId::FALSE => Some(Bv::from_bool(false)),
            _ => store.bv_value(result).cloned(),
        };
        let Some(right) = right else { return Ok(None) };
        let lowest = claimed.iter().find(|(bit, value)| right.bit(*bit) != *value);
        Ok(lowest.map(|&(lowest, _)| Wrong { place, term, values, right, lowest, chosen: None }))
    }
}

/// What the arguments of a product are that conditionals choose in the assignment.
fn chosen(kernel: &Kernel, store: &Store, term: TermId) -> Option<[TermId; 2]> {
    let &[left, right] = store.args(term) else { return None };
    let choices = [left, right].map(|arg| {
        let mut choice = arg;
        while let (Op::Ite, &[condition, then, otherwise]) = (store.op(choice), store.args(choice))
        {
            match kernel.truth_of(store, condition) {
                Some(true) => choice = then,
                Some(false) => choice = otherwise,
                None => break,
            }
        }
        choice
    });
    (choices != [left, right]).then_some(choices)
}

/// Whether the assignment has a product wrong.
pub(crate) fn has_wrong_products(kernel: &Kernel, store: &mut Store) -> bool {
    let words = &kernel.theory().words;
    let is_right = |found| matches!(found, Ok(None));
    (0..words.demand.products.len()).any(|it| !is_right(words.judge(store, &kernel.search, it)))
}

/// States what products are that the assignment has wrong; whether there are any.
pub(super) fn refine(kernel: &mut Kernel, store: &mut Store) -> bool {
    let words = &kernel.theory().words;
    let (mut wrong, mut open): (Vec<Wrong>, Vec<Edge>) = (Vec::new(), Vec::new());
    for place in 0..words.demand.products.len() {
        match words.judge(store, &kernel.search, place) {
            Ok(found) => wrong.extend(found),
            Err(edges) => open.extend(edges),
        }
    }
    for it in &mut wrong {
        it.chosen = chosen(kernel, store, it.term);
    }
    let is_refined = !wrong.is_empty() || !open.is_empty();
    let mut cx = kernel.encoding(store);
    for edge in open {
        let lit = gate(&mut cx, edge);
        cx.theory_mut().justification.split(lit.var());
    }
    // Where its factors are as short as those of another product that it equals, or are chosen, or negative, that one is to be repaired.
    let terms: FxHashSet<TermId> = wrong.iter().map(|it| it.term).collect();
    let products = &cx.theory().words.demand.products;
    let is_own = |it: &Wrong| {
        let lengths = [0, 1].map(|place| special::length(&it.values[place]));
        let product = &products[it.place];
        let is_short = product.short.iter().any(|(most, other)| {
            terms.contains(other) && lengths[0] <= most[0] && lengths[1] <= most[1]
        });
        let signs = special::signs(&it.values);
        let is_turned = |(own, other): &([bool; 2], TermId)| terms.contains(other) && *own == signs;
        !is_short && !product.reflected.iter().any(is_turned)
    };
    wrong.retain(is_own);
    for it in &wrong {
        cx.theory_mut().stats.product_lemmas += 1;
        prefer(&mut cx, it);
        repair(&mut cx, it);
    }
    forget_whole(&mut cx.theory_mut().words);
    is_refined
}

/// Has the search try the bits first that a product has of the values of its factors.
fn prefer(cx: &mut Encoding<'_>, wrong: &Wrong) {
    let words = &cx.search.theory().words;
    let row = words.bits.known(wrong.term).unwrap_or_default();
    let right = (0..).zip(row).filter_map(|(bit, edge)| {
        let lit = words.literal(*edge)?;
        Some(lit.xor(!wrong.right.bit(bit)))
    });
    let right: Vec<Lit> = right.collect();
    right.into_iter().for_each(|lit| cx.search.set_phase(lit));
}

/// States something that is true of a product and false in the assignment.
fn repair(cx: &mut Encoding<'_>, wrong: &Wrong) {
    let product = &mut cx.theory_mut().words.demand.products[wrong.place];
    product.rounds += 1;
    let (low, is_patient) = (product.low, product.rounds <= DEMAND_ROUNDS.size());
    if is_patient && (special::state_chosen(cx, wrong) || special::state_shift(cx, wrong)) {
        return;
    }
    let bits = cx.theory().words.bits.known(wrong.term).map_or(0, <[Edge]>::len);
    let is_product = cx.store.op(wrong.term) == Op::BvMul;
    let lowest = wrong.lowest as usize;
    let next = (lowest + 1).next_power_of_two().max(DEMAND_LOW_BITS.size());
    if is_product && low < DEMAND_LOW_BITS.size() && next <= DEMAND_LOW_BITS.size() {
        define_low(cx, wrong, next);
        return;
    }
    let is_said = is_patient
        && (special::state_reflected(cx, wrong)
            || special::state_short(cx, wrong)
            || special::state_values(cx, wrong));
    if !is_said {
        define_low(cx, wrong, bits);
    }
}

/// Defines the lowest bits of a product.
fn define_low(cx: &mut Encoding<'_>, wrong: &Wrong, count: usize) {
    let words = &mut cx.theory_mut().words;
    words.demand.products[wrong.place].low = count;
    let row = words.bits.known(wrong.term).unwrap_or_default();
    let vars: Vec<u32> = row.iter().take(count).map(|edge| edge.var()).collect();
    for var in vars {
        define_late(cx, var);
        if let Some(lit) = cx.theory().words.literal(Edge::new(var, false)) {
            cx.search.reset_phase(lit.var());
        }
    }
}

/// Forgets the products whose bits all have definitions.
fn forget_whole(words: &mut Words) {
    let Words { demand, bits, .. } = words;
    let is_open = |product: &Product| {
        let row = bits.known(product.term).unwrap_or_default();
        row.iter().any(|edge| demand.open.contains_key(&edge.var()))
    };
    let kept: Vec<bool> = demand.products.iter().map(is_open).collect();
    if kept.iter().all(|is_kept| *is_kept) {
        return;
    }
    let mut places = Vec::with_capacity(kept.len());
    let mut count = 0;
    for is_kept in &kept {
        places.push(count);
        count += usize::from(*is_kept);
    }
    // A bit that is open is one of a product that is kept; if it was noted for one that is not, that one has it open, too.
    demand.open.values_mut().for_each(|place| *place = places[*place]);
    let mut kept = kept.into_iter();
    demand.products.retain(|_| kept.next().unwrap_or(true));
}

/// The literal of a bit without a definition.
pub(super) fn open_literal(cx: &mut Encoding<'_>, var: u32) -> Lit {
    let lit = cx.search.new_var().positive();
    let words = &mut cx.theory_mut().words;
    words.edges.insert(lit.var(), var);
    words.set_literal(var, lit);
    lit
}
