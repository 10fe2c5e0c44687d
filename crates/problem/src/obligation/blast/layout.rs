//! Whose bits the inputs and latches of a circuit are.
//!
//! The inputs are, in this order: the system's inputs, the states that are not followed, the next
//! values of followed states that have none, and what the bits do not say about large arrays (see
//! `gates`); each group in the order of positions or of terms, and of each only what is needed. The
//! latches are the followed states.
//!
//! A followed state's initial value may read states that are not followed; then its reset reads
//! inputs of the first step, which is what the initial value does.

use super::Goal;
use super::gates::{Blaster, is_open};
use super::shape::Shape;
use super::word::Word;
use crate::circuit::Lit;
use crate::evidence::words::{Abstraction, Address};
use crate::words::{Justice, Named, Words};
use alphorn_term::{Op, SortId, TermId, Value};
use std::ops::Range;

/// The most inputs and latches.
const MAX_LEAVES: usize = 1 << 28;

/// What inputs of a circuit stand for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// The input of the system with this position.
    Input(usize),
    /// The state with this position, which is not followed.
    State(usize),
    /// The next value of the state with this position.
    Next(usize),
    /// What is not known of this term.
    Open(TermId),
}

/// Whose bits the inputs and latches of a circuit are.
#[derive(Clone, Debug)]
pub struct Layout {
    abstraction: Abstraction,
    inputs: Vec<(Source, Range<usize>)>,
    /// For each followed state, its latches.
    latches: Vec<Range<usize>>,
    needed: Vec<TermId>,
    is_exact: bool,
}

/// The formulas of the bad states that a goal is about.
pub(super) fn bads(words: &Words, goal: Goal) -> Result<Vec<TermId>, String> {
    match goal {
        Goal::All => Ok(words.bads.iter().map(|bad| bad.term).collect()),
        Goal::Safety(index) => match words.bads.get(index) {
            Some(bad) => Ok(vec![bad.term]),
            None => Err(format!("the system has no safety property {index}")),
        },
        Goal::Justice(_) => Ok(Vec::new()),
    }
}

/// What a goal says about infinite runs.
pub(super) struct Infinite<'w> {
    /// The justice properties.
    pub(super) justice: &'w [Justice],
    /// The fairness constraints.
    pub(super) fairness: &'w [Named],
}

/// What a goal is about in infinite runs; nothing for safety.
pub(super) fn infinite(words: &Words, goal: Goal) -> Result<Infinite<'_>, String> {
    let justice = match goal {
        Goal::Safety(_) => return Ok(Infinite { justice: &[], fairness: &[] }),
        Goal::All => &words.justice[..],
        Goal::Justice(index) => match words.justice.get(index) {
            Some(justice) => std::slice::from_ref(justice),
            None => return Err(format!("the system has no justice property {index}")),
        },
    };
    Ok(Infinite { justice, fairness: &words.fairness })
}

impl Layout {
    /// The layout of the circuit of a system, or why there is none.
    pub fn new(words: &Words, goal: Goal, abstraction: &Abstraction) -> Result<Layout, String> {
        check(words, abstraction)?;
        let mut layout = Layout {
            abstraction: abstraction.clone(),
            inputs: Vec::new(),
            latches: Vec::new(),
            needed: needed(words, &roots(words, goal, abstraction)?)?,
            is_exact: true,
        };
        let mut is_needed = vec![false; words.terms.len()];
        layout.needed.iter().for_each(|term| is_needed[term.index()] = true);
        let mut sources: Vec<(Source, TermId)> = (words.inputs.iter().enumerate())
            .filter(|(_, var)| goal == Goal::All || is_needed[var.index()])
            .map(|(index, &var)| (Source::Input(index), var))
            .collect();
        let mut followed = vec![false; words.states.len()];
        abstraction.states.iter().for_each(|&index| followed[index] = true);
        for (index, state) in words.states.iter().enumerate() {
            if !followed[index] && is_needed[state.var.index()] {
                sources.push((Source::State(index), state.var));
            }
        }
        for &index in &abstraction.states {
            if words.states[index].next.is_none() {
                sources.push((Source::Next(index), words.states[index].var));
            }
        }
        let shape = layout.shape(words);
        let open = layout.needed.iter().filter(|&&term| is_open(&words.terms, &shape, term));
        sources.extend(open.map(|&term| (Source::Open(term), term)));

        let name = |var: TermId| words.terms.var_name(var).unwrap_or("an array");
        let place = |sort: SortId, var: TermId, end: &mut usize| {
            let bits = shape.bits(sort).map_err(|reason| format!("{}: {reason}", name(var)))?;
            *end += bits;
            if *end > MAX_LEAVES {
                return Err("the circuit would have too many inputs and latches".to_owned());
            }
            Ok(*end - bits..*end)
        };
        let mut end = 0;
        let mut inputs = Vec::with_capacity(sources.len());
        for (source, var) in sources {
            inputs.push((source, place(words.terms.sort(var), var, &mut end)?));
        }
        let (mut end, mut latches) = (0, Vec::with_capacity(abstraction.states.len()));
        for &index in &abstraction.states {
            let var = words.states[index].var;
            latches.push(place(words.terms.sort(var), var, &mut end)?);
        }
        let whole = |term: &TermId| shape.is_whole(words.terms.sort(*term));
        let is_exact = layout.needed.iter().all(whole);
        (layout.inputs, layout.latches, layout.is_exact) = (inputs, latches, is_exact);
        Ok(layout)
    }

    /// Whether every bit of what is needed is there: large arrays are not.
    pub fn is_exact(&self) -> bool {
        self.is_exact
    }

    /// Which cells of large arrays are followed.
    pub fn abstraction(&self) -> &Abstraction {
        &self.abstraction
    }

    /// The followed states, by position in the system.
    pub fn states(&self) -> &[usize] {
        &self.abstraction.states
    }

    /// What the inputs stand for, with the positions of their bits.
    pub fn inputs(&self) -> &[(Source, Range<usize>)] {
        &self.inputs
    }

    /// For each followed state, the positions of its latches.
    pub fn latches(&self) -> &[Range<usize>] {
        &self.latches
    }

    /// The number of inputs.
    pub fn inputs_len(&self) -> usize {
        self.inputs.last().map_or(0, |(_, range)| range.end)
    }

    /// The number of latches.
    pub fn latches_len(&self) -> usize {
        self.latches.last().map_or(0, |range| range.end)
    }

    /// The terms that the circuit is made of, arguments first.
    pub fn needed(&self) -> &[TermId] {
        &self.needed
    }

    /// How values look as bits.
    pub fn shape<'w>(&self, words: &'w Words) -> Shape<'w> {
        let terms = &words.terms;
        let indices = index_sorts(words, &self.needed);
        let sort = |address: &Address| match address {
            Address::Word(word) => {
                let has_width = |sort: &SortId| terms.width_of(*sort) == Some(word.width());
                indices.iter().copied().find(has_width)
            }
            Address::State(index) => Some(terms.sort(words.states[*index].var)),
        };
        Shape::new(terms, self.abstraction.cells.iter().map(sort).collect())
    }

    /// The values of the followed addresses, where `state` gives a state's value.
    pub fn addresses(&self, state: impl Fn(usize) -> Option<Value>) -> Option<Vec<Value>> {
        let value = |address: &Address| match address {
            Address::Word(word) => Some(Value::Bv(word.clone())),
            Address::State(index) => state(*index),
        };
        self.abstraction.cells.iter().map(value).collect()
    }

    /// The literals of the state at this place among those followed.
    pub fn latch_word(&self, place: usize) -> Word {
        let first = 1 + self.inputs_len();
        self.latches[place].clone().map(|bit| Lit::new((first + bit) as u32, false)).collect()
    }

    /// The inputs that say what a followed state without next value becomes.
    pub(super) fn next_word(&self, place: usize) -> Word {
        let wanted = Source::Next(self.abstraction.states[place]);
        let found = self.inputs.iter().find(|(source, _)| *source == wanted);
        found.map_or(Vec::new(), |(_, range)| input_word(range))
    }

    /// Tells a translation whose literals are whose.
    pub(super) fn declare(&self, words: &Words, blaster: &mut Blaster<'_>) {
        for (source, range) in &self.inputs {
            let word = input_word(range);
            match *source {
                Source::Input(index) => blaster.set(words.inputs[index], &word),
                Source::State(index) => blaster.set(words.states[index].var, &word),
                Source::Open(term) => blaster.set_open(term, &word),
                Source::Next(_) => {}
            }
        }
        for (place, &index) in self.states().iter().enumerate() {
            blaster.set(words.states[index].var, &self.latch_word(place));
        }
        let bits = |address: &Address| match address {
            Address::Word(word) => {
                (0..word.width()).map(|bit| Lit(u32::from(word.bit(bit)))).collect()
            }
            Address::State(index) => match self.states().binary_search(index) {
                Ok(place) => self.latch_word(place),
                Err(_) => Vec::new(),
            },
        };
        blaster.set_addresses(self.abstraction.cells.iter().map(bits).collect());
    }
}

fn input_word(range: &Range<usize>) -> Word {
    range.clone().map(|bit| Lit::new(1 + bit as u32, false)).collect()
}

/// Refuses an abstraction that does not fit the system.
fn check(words: &Words, abstraction: &Abstraction) -> Result<(), String> {
    let states = &abstraction.states;
    if !states.is_sorted_by(|a, b| a < b) || states.last() >= Some(&words.states.len()) {
        return Err("the positions of states do not ascend, or there is no such state".into());
    }
    for address in &abstraction.cells {
        if let Address::State(index) = address {
            let frozen = states.binary_search(index).is_ok()
                && words.states[*index].next == Some(words.states[*index].var);
            if !frozen {
                return Err(format!("state {index} is no address: it is not followed, or changes"));
            }
        }
    }
    Ok(())
}

/// The terms that the circuit must know.
fn roots(words: &Words, goal: Goal, abstraction: &Abstraction) -> Result<Vec<TermId>, String> {
    let mut roots = bads(words, goal)?;
    roots.extend(words.constraints.iter().map(|constraint| constraint.term));
    let Infinite { justice, fairness } = infinite(words, goal)?;
    roots.extend(justice.iter().flat_map(|justice| &justice.terms));
    roots.extend(fairness.iter().map(|fairness| fairness.term));
    for &index in &abstraction.states {
        let state = &words.states[index];
        roots.push(state.var);
        roots.extend([state.init, state.next].into_iter().flatten());
    }
    Ok(roots)
}

/// The subterms of `roots`, arguments first.
fn needed(words: &Words, roots: &[TermId]) -> Result<Vec<TermId>, String> {
    let terms = &words.terms;
    if roots.iter().any(|&root| terms.has_quantifier(root)) {
        return Err("a quantifier is not made of bits".into());
    }
    let mut seen = vec![false; terms.len()];
    let (mut needed, mut stack) = (Vec::new(), roots.to_vec());
    while let Some(term) = stack.pop() {
        if !std::mem::replace(&mut seen[term.index()], true) {
            needed.push(term);
            stack.extend(terms.args(term));
        }
    }
    // A term's arguments were made before it.
    needed.sort_unstable();
    Ok(needed)
}

/// The sorts of indices that arrays among `needed` have.
fn index_sorts(words: &Words, needed: &[TermId]) -> Vec<SortId> {
    let terms = &words.terms;
    let accesses = needed.iter().filter(|&&term| matches!(terms.op(term), Op::Select | Op::Store));
    let mut sorts: Vec<SortId> = accesses.map(|&term| terms.sort(terms.args(term)[1])).collect();
    sorts.sort_unstable();
    sorts.dedup();
    sorts
}
