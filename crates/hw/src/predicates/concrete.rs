//! From a strategy of the small game to one of the game: predicates are evaluated, and labels put in.

use super::labels::Labels;
use super::view::{Small, View, is_control};
use alphorn_engine::Stop;
use alphorn_problem::circuit::{Circuit, Lit};
use alphorn_problem::evidence::circuit::Invariant;
use alphorn_problem::evidence::game::ControllerClaim;
use alphorn_problem::evidence::words::Abstraction;
use alphorn_problem::obligation::blast::aig::Aig;
use alphorn_problem::obligation::blast::gates::Blaster;
use alphorn_problem::obligation::blast::shape::Shape;
use alphorn_problem::obligation::blast::{Goal, Layout, Source};
use alphorn_problem::{Finding, Game, Words};
use alphorn_term::TermId;
use std::collections::BTreeMap;

/// The strategy and the region of the small game as those of the game.
pub(super) fn claim(
    game: &Game,
    words: &Words,
    labels: &Labels,
    view: &View<'_>,
    small: &Small,
    claim: ControllerClaim,
) -> Result<Finding<Game>, Stop> {
    let Invariant::Aig(region) = &claim.invariant else {
        return Err(Stop::Stuck("the region of the small game is no circuit".into()));
    };
    let states = (0..words.states.len()).collect();
    let abstraction = Abstraction { states, cells: Vec::new() };
    let layout = Layout::new(words, Goal::All, &abstraction).map_err(Stop::Unsupported)?;
    let latches = game.circuit().latches.len();
    let store = view.store();
    let shape = Shape::new(store, Vec::new());

    // The strategy reads the latches, and then the environment's inputs.
    let mut known: BTreeMap<TermId, Vec<Lit>> = BTreeMap::new();
    for (state, bits) in words.states.iter().zip(layout.latches()) {
        known.insert(state.var, bits.clone().map(|bit| Lit::new(1 + bit as u32, false)).collect());
    }
    let region_known = known.clone();
    let mut end = latches;
    for (source, bits) in layout.inputs() {
        if let Source::Input(input) = source
            && !is_control(&words.terms, words.inputs[*input])
        {
            let own = (end..end + bits.len()).map(|bit| Lit::new(1 + bit as u32, false));
            known.insert(words.inputs[*input], own.collect());
            end += bits.len();
        }
    }
    let offered = labels.list.iter().flat_map(|label| label.terms.iter().copied());
    let predicates = view.predicates().iter().map(|predicate| predicate.term);
    let mut terms: Vec<TermId> = predicates.chain(offered).collect();
    let mut blaster = Blaster::new(store, &shape, end as u32);
    known.iter().for_each(|(var, bits)| blaster.set(*var, bits));
    blaster.translate(&store.subterms(&terms)).map_err(Stop::Unsupported)?;
    let values = values(view, small, &known, &blaster)?;
    let mut reads = latches_of(small, &values)?;
    for input in small.game.others() {
        reads.push(input_bit(small, input, &values)?);
    }
    let of_label = |term: &TermId| blaster.bits(*term).map(<[Lit]>::to_vec);
    let bits_of: BTreeMap<TermId, Option<Vec<Lit>>> =
        terms.drain(..).map(|term| (term, of_label(&term))).collect();
    let mut aig = blaster.aig;
    let played = copied(&mut aig, &claim.circuit, &reads);
    let mut chosen: BTreeMap<TermId, Vec<Lit>> = BTreeMap::new();
    for (input, lit) in small.game.controls().into_iter().zip(played) {
        let (var, _) = whose(small, input)?;
        chosen.entry(var).or_default().push(lit);
    }
    let mut outputs = Vec::new();
    for input in words.inputs.iter().filter(|input| is_control(&words.terms, **input)) {
        let label = labels.list.iter().find(|label| label.input == *input);
        let Some(label) = label else {
            outputs.extend(chosen.get(input).ok_or_else(lost)?);
            continue;
        };
        let choice = chosen.get(&label.chosen).ok_or_else(lost)?.clone();
        let term = |at: usize| bits_of[&label.terms[at]].clone().ok_or_else(lost);
        let mut bits = term(0)?;
        for number in 1..label.terms.len() {
            let own = choice.iter().enumerate();
            let is_chosen = aig.all(own.map(|(bit, lit)| lit.xor(number >> bit & 1 == 0)));
            let other = term(number)?;
            for (bit, other) in bits.iter_mut().zip(other) {
                *bit = aig.ite(is_chosen, other, *bit);
            }
        }
        outputs.extend(bits);
    }
    let circuit =
        Circuit { inputs: end as u32, ands: aig.into_ands(), outputs, ..Circuit::default() };

    let tracked: Vec<TermId> = view.tracked().collect();
    let mut blaster = Blaster::new(store, &shape, latches as u32);
    region_known.iter().for_each(|(var, bits)| blaster.set(*var, bits));
    blaster.translate(&store.subterms(&tracked)).map_err(Stop::Unsupported)?;
    let values = self::values(view, small, &region_known, &blaster)?;
    let reads = latches_of(small, &values)?;
    let mut aig = blaster.aig;
    let outputs = copied(&mut aig, region, &reads);
    let region =
        Circuit { inputs: latches as u32, ands: aig.into_ands(), outputs, ..Circuit::default() };
    Ok(Finding::Holds(ControllerClaim { circuit, invariant: Invariant::Aig(Box::new(region)) }))
}

fn lost() -> Stop {
    Stop::Stuck("a bit of the strategy was lost".into())
}

/// The literals of what the small game is made of: of short words their own, of predicates what they are.
fn values(
    view: &View<'_>,
    small: &Small,
    known: &BTreeMap<TermId, Vec<Lit>>,
    blaster: &Blaster<'_>,
) -> Result<BTreeMap<TermId, Vec<Lit>>, Stop> {
    let mut values = BTreeMap::new();
    for predicate in view.predicates() {
        if let Some(bits) = blaster.bits(predicate.term) {
            values.insert(predicate.var, bits.to_vec());
        }
    }
    let own = small.words.states.iter().map(|state| state.var);
    for var in own.chain(small.words.inputs.iter().copied()) {
        if let Some(bits) = known.get(&var) {
            values.insert(var, bits.clone());
        }
    }
    Ok(values)
}

/// The literals of the latches of the small game.
fn latches_of(small: &Small, values: &BTreeMap<TermId, Vec<Lit>>) -> Result<Vec<Lit>, Stop> {
    let mut reads = Vec::new();
    for (&state, bits) in small.layout.states().iter().zip(small.layout.latches()) {
        let own = values.get(&small.words.states[state].var).ok_or_else(lost)?;
        if own.len() != bits.len() {
            return Err(lost());
        }
        reads.extend(own);
    }
    Ok(reads)
}

/// Whose bit an input of the small game is, and which.
fn whose(small: &Small, input: usize) -> Result<(TermId, usize), Stop> {
    let found = small.layout.inputs().iter().find_map(|(source, bits)| match source {
        Source::Input(index) if bits.contains(&input) => {
            Some((small.words.inputs[*index], input - bits.start))
        }
        _ => None,
    });
    found.ok_or_else(lost)
}

fn input_bit(
    small: &Small,
    input: usize,
    values: &BTreeMap<TermId, Vec<Lit>>,
) -> Result<Lit, Stop> {
    let (var, bit) = whose(small, input)?;
    values.get(&var).and_then(|bits| bits.get(bit)).copied().ok_or_else(lost)
}

/// The outputs of a circuit without latches whose inputs are these literals.
fn copied(aig: &mut Aig, circuit: &Circuit, reads: &[Lit]) -> Vec<Lit> {
    let mut lits = Vec::with_capacity(circuit.max_var() as usize + 1);
    lits.push(Lit::FALSE);
    lits.extend_from_slice(reads);
    for and in &circuit.ands {
        let at = |lit: Lit| lits[lit.var() as usize].xor(lit.is_negated());
        let made = aig.and(at(and.left), at(and.right));
        lits.push(made);
    }
    circuit.outputs.iter().map(|lit| lits[lit.var() as usize].xor(lit.is_negated())).collect()
}
