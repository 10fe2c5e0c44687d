//! Clauses and states over bits, told in the words whose bits they are.
//!
//! Neighbouring bits of one word make one part of a sentence; this is for people, and nothing reads it back.

use alphorn_problem::Words;
use alphorn_problem::circuit::Lit;
use alphorn_problem::evidence::words::Address;
use alphorn_problem::monitor::Monitor;
use alphorn_problem::obligation::blast::Layout;
use alphorn_term::Sort;

/// More latches than a monitor adds.
const MAX_ADDED: usize = 1 << 30;

/// A row of latches that has a name: a state, or a cell of an array.
pub(super) struct Field {
    name: String,
    first: usize,
    width: usize,
}

/// All latches, by name.
pub(super) struct Fields {
    /// In the order of the latches.
    list: Vec<Field>,
    first_latch: usize,
}

impl Fields {
    pub(super) fn new(words: &Words, layout: &Layout, monitor: Option<Monitor>) -> Fields {
        let (terms, shape) = (&words.terms, layout.shape(words));
        let name = |place: usize| terms.var_name(words.states[place].var).unwrap_or("?");
        let addresses: Vec<String> = (layout.abstraction().cells.iter())
            .map(|address| match address {
                Address::Word(word) => word.to_string(),
                Address::State(place) => name(*place).to_owned(),
            })
            .collect();
        let mut list = Vec::new();
        for (&place, range) in layout.states().iter().zip(layout.latches()) {
            let sort = terms.sort(words.states[place].var);
            let width = match terms.sort_of(sort) {
                Sort::Array(_, element) => shape.bits(*element).unwrap_or(1).max(1),
                _ => range.len().max(1),
            };
            for first in range.clone().step_by(width) {
                let name = match terms.sort_of(sort) {
                    Sort::Array(..) => {
                        let bit =
                            shape.bit_name(sort, name(place), first - range.start, &addresses);
                        bit.strip_suffix("[0]").unwrap_or(&bit).to_owned()
                    }
                    _ => name(place).to_owned(),
                };
                list.push(Field { name, first, width });
            }
        }
        // A monitor's inputs and latches come after those of the system.
        let more = monitor.map_or(0, |monitor| monitor.inputs() as usize);
        if monitor.is_some() {
            let (first, width) = (layout.latches_len(), MAX_ADDED);
            list.push(Field { name: "monitor".to_owned(), first, width });
        }
        Fields { list, first_latch: 1 + layout.inputs_len() + more }
    }

    /// The bits at the start of a row that belong together: adjacent latches of one field.
    pub(super) fn run<'b>(
        &self,
        bits: &'b [(usize, bool)],
    ) -> Option<(&Field, &'b [(usize, bool)])> {
        let (start, _) = *bits.first()?;
        let after = self.list.partition_point(|field| field.first <= start);
        let field = &self.list[after.checked_sub(1)?];
        let adjacent = bits.iter().zip(start..field.first + field.width);
        let count = adjacent.take_while(|((latch, _), at)| latch == at).count();
        (count > 0).then(|| (field, &bits[..count]))
    }

    /// A clause as the negation of a cube of words.
    pub(super) fn clause(&self, clause: &[Lit]) -> String {
        let place = |lit: &Lit| (lit.var() as usize).checked_sub(self.first_latch);
        // The cube: latches, and the values that they never have together.
        let bits = clause.iter().filter_map(|lit| Some((place(lit)?, lit.is_negated())));
        let mut bits: Vec<(usize, bool)> = bits.collect();
        bits.sort_unstable();
        bits.dedup();
        let (mut rest, mut parts) = (&bits[..], Vec::new());
        while let Some((field, run)) = self.run(rest) {
            parts.push(field.equation(run));
            rest = &rest[run.len()..];
        }
        match &parts[..] {
            [] => "false".to_owned(),
            [(_, unequal)] => unequal.clone(),
            _ => {
                let all: Vec<&str> = parts.iter().map(|(equal, _)| equal.as_str()).collect();
                format!("!({})", all.join(" & "))
            }
        }
    }

    /// A list of rows of bits as rows of words.
    pub(super) fn rows(&self, latches: &[u32], states: &[Vec<bool>]) -> Vec<String> {
        let (mut names, mut lengths) = (Vec::new(), Vec::new());
        let bits: Vec<(usize, bool)> = latches.iter().map(|&at| (at as usize, false)).collect();
        let mut rest = &bits[..];
        while let Some((field, run)) = self.run(rest) {
            names.push(field.part(run));
            lengths.push(run.len());
            rest = &rest[run.len()..];
        }
        let mut lines = match (names.len(), states.len()) {
            (0, _) => return vec!["true: the property needs no more".to_owned()],
            (1, 1) => vec![format!("{} is:", names[0])],
            (1, count) => vec![format!("{} is one of these {count}:", names[0])],
            (_, 1) => vec![format!("{} are, in this order:", names.join(" "))],
            (_, count) => vec![format!("{} are one of these {count}:", names.join(" "))],
        };
        for state in states {
            let mut rest = &state[..];
            let mut row = Vec::with_capacity(lengths.len());
            for &length in &lengths {
                let (word, others) = rest.split_at(length.min(rest.len()));
                row.push(number(word));
                rest = others;
            }
            lines.push(row.join(" "));
        }
        lines
    }
}

impl Field {
    /// The name of adjacent bits.
    pub(super) fn part(&self, bits: &[(usize, bool)]) -> String {
        let (low, high) = (bits[0].0 - self.first, bits[bits.len() - 1].0 - self.first);
        match (bits.len() == self.width, low == high) {
            (true, _) => self.name.clone(),
            (false, true) => format!("{}[{low}]", self.name),
            (false, false) => format!("{}[{high}:{low}]", self.name),
        }
    }

    /// That adjacent bits have these values, and that they do not.
    fn equation(&self, bits: &[(usize, bool)]) -> (String, String) {
        let name = self.part(bits);
        if let [(_, value)] = bits {
            let negated = format!("!{name}");
            return if *value { (name, negated) } else { (negated, name) };
        }
        let values: Vec<bool> = bits.iter().map(|(_, bit)| *bit).collect();
        let value = number(&values);
        (format!("{name} == {value}"), format!("{name} != {value}"))
    }
}

/// A word for people, lowest bit first: as a number, unless it is very long.
fn number(bits: &[bool]) -> String {
    if bits.len() <= 64 {
        return bits.iter().rev().fold(0u64, |n, bit| n << 1 | u64::from(*bit)).to_string();
    }
    let digits = bits.iter().rev().map(|&bit| if bit { '1' } else { '0' });
    format!("#b{}", digits.collect::<String>())
}
