//! From the file's numbers to the circuit's: definitions, order of gates, resets.
//!
//! Binary files are numbered as circuits are. In text files inputs and latches get the numbers
//! of their positions; gates keep the order of their numbers where that order is topological, so
//! that a file which is numbered canonically keeps every literal, in whatever order its lines
//! stand. Of a gate's two fan-ins the larger becomes the left one, as the binary format wants.
//!
//! A word that was reported as bad resolves to the constant: the circuit is thrown away then, and
//! going on finds the other errors.

use super::header::Header;
use super::lex::{Reader, Word};
use super::order::topological;
use super::sections::{GateLine, LatchLine, Sections};
use crate::diag::{Code, Diagnostic};
use alphorn_problem::Circuit;
use alphorn_problem::circuit::{And, Latch, Lit};
use rustc_hash::FxHashMap;

/// Where the variables of the file stand in the circuit.
enum Numbering {
    /// Where they are.
    Same,
    /// By variable, 0 for "not defined".
    Dense(Vec<u32>),
    /// For files whose largest variable is out of proportion to their size.
    Sparse(FxHashMap<u32, u32>),
}

impl Numbering {
    /// The circuit's number of the file's variable `var`, if that is defined.
    fn var(&self, var: u32) -> Option<u32> {
        match self {
            _ if var == 0 => Some(0),
            Numbering::Same => Some(var),
            Numbering::Dense(table) => table.get(var as usize).copied().filter(|new| *new != 0),
            Numbering::Sparse(table) => table.get(&var).copied(),
        }
    }

    /// Gives `var` the number `new` unless it has one; returns the one it had.
    fn define(&mut self, var: u32, new: u32) -> Option<u32> {
        let old = self.var(var);
        if old.is_none() {
            match self {
                Numbering::Same => {}
                Numbering::Dense(table) => table[var as usize] = new,
                Numbering::Sparse(table) => {
                    table.insert(var, new);
                }
            }
        }
        old
    }
}

/// The circuit of a binary file, without its gates.
pub(super) fn from_binary(
    reader: &mut Reader<'_>,
    header: &Header,
    sections: &Sections,
) -> Option<Circuit> {
    resolve_sections(reader, &Numbering::Same, header, sections)
}

/// The circuit of a text file.
pub(super) fn from_ascii(
    reader: &mut Reader<'_>,
    header: &Header,
    sections: &Sections,
    mut gates: Vec<GateLine>,
) -> Option<Circuit> {
    gates.sort_by_key(|gate| gate.lhs.value);
    let numbering = define_all(reader, header, sections, &gates);
    let mut circuit = resolve_sections(reader, &numbering, header, sections)?;
    for gate in &gates {
        let left = resolve(reader, &numbering, gate.left);
        let right = resolve(reader, &numbering, gate.right);
        circuit.ands.push(And { left, right });
        if reader.diagnostics.is_full() {
            return None;
        }
    }
    let first = 1 + header.inputs + header.latches;
    let gate_of = |lit: Lit| lit.var().checked_sub(first);
    let fan_ins = |gate: u32| {
        let and = circuit.ands[gate as usize];
        [gate_of(and.left), gate_of(and.right)]
    };
    match topological(circuit.ands.len(), fan_ins) {
        Ok(order) => {
            renumber_gates(&mut circuit, first, &order);
            Some(circuit)
        }
        Err(cycle) => {
            report_gate_cycle(reader, &gates, &cycle);
            None
        }
    }
}

fn define_all(
    reader: &mut Reader<'_>,
    header: &Header,
    sections: &Sections,
    gates: &[GateLine],
) -> Numbering {
    let size = header.max_var as usize + 1;
    let mut numbering = if size <= reader.bytes.len() {
        Numbering::Dense(vec![0; size])
    } else {
        Numbering::Sparse(FxHashMap::default())
    };
    let inputs = sections.inputs.iter().map(|word| ("an input", *word));
    let latches = sections.latches.iter().map(|latch| ("a latch", latch.lit.unwrap_or(latch.next)));
    let lines = gates.iter().map(|gate| ("a gate", gate.lhs));
    let things = inputs.chain(latches).chain(lines);
    // Where each number was defined, only ever needed when one is defined twice.
    let place = |new: u32| -> Word {
        let index = (new - 1) as usize;
        let (inputs, latches) = (sections.inputs.len(), sections.latches.len());
        match index {
            _ if index < inputs => sections.inputs[index],
            _ if index < inputs + latches => {
                let latch = &sections.latches[index - inputs];
                latch.lit.unwrap_or(latch.next)
            }
            _ => gates[index - inputs - latches].lhs,
        }
    };
    for ((kind, word), new) in things.zip(1..) {
        let Some(value) = word.value else { continue };
        let lit = Lit(value);
        if lit.is_negated() || lit.var() == 0 {
            let message = format!("literal {value} cannot be the name of {kind}");
            let diagnostic = Diagnostic::error(Code::AigerLiteral, reader.span(word), message)
                .hint("inputs, latches and gates are named by even numbers from 2 on");
            reader.report(diagnostic);
        } else if let Some(old) = numbering.define(lit.var(), new) {
            let line = reader.line_number(place(old).at);
            let message = format!("literal {value} is defined a second time, as {kind}");
            let diagnostic = Diagnostic::error(Code::AigerRedefined, reader.span(word), message)
                .hint(format!("it is defined in line {line} already"));
            reader.report(diagnostic);
        }
        if reader.diagnostics.is_full() {
            break;
        }
    }
    numbering
}

fn resolve(reader: &mut Reader<'_>, numbering: &Numbering, word: Word) -> Lit {
    let Some(value) = word.value else { return Lit::FALSE };
    let lit = Lit(value);
    let Some(var) = numbering.var(lit.var()) else {
        let message = format!("literal {value} is used, but nothing defines {}", value & !1);
        let diagnostic = Diagnostic::error(Code::AigerLiteral, reader.span(word), message)
            .hint("a literal is defined by an input, a latch or a gate");
        reader.report(diagnostic);
        return Lit::FALSE;
    };
    Lit::new(var, lit.is_negated())
}

fn resolve_sections(
    reader: &mut Reader<'_>,
    numbering: &Numbering,
    header: &Header,
    sections: &Sections,
) -> Option<Circuit> {
    let mut column = |words: &[Word]| -> Option<Vec<Lit>> {
        let mut lits = Vec::with_capacity(words.len());
        for word in words {
            lits.push(resolve(reader, numbering, *word));
            if reader.diagnostics.is_full() {
                return None;
            }
        }
        Some(lits)
    };
    let nexts = sections.latches.iter().map(|latch| latch.next).collect::<Vec<_>>();
    let nexts = column(&nexts)?;
    // A missing reset is 0, which the word without a value resolves to.
    let reset = |latch: &LatchLine| latch.reset.unwrap_or(Word { value: None, at: 0 });
    let resets = sections.latches.iter().map(reset).collect::<Vec<_>>();
    let resets = column(&resets)?;
    let latches = nexts.into_iter().zip(resets).map(|(next, reset)| Latch { next, reset });
    Some(Circuit {
        inputs: header.inputs,
        latches: latches.collect(),
        outputs: column(&sections.outputs)?,
        bads: column(&sections.bads)?,
        constraints: column(&sections.constraints)?,
        justice: sections.justice.iter().map(|set| column(set)).collect::<Option<_>>()?,
        fairness: column(&sections.fairness)?,
        ..Circuit::default()
    })
}

/// Puts the gates, of which the first is the variable `first`, into `order`.
fn renumber_gates(circuit: &mut Circuit, first: u32, order: &[u32]) {
    let sorted = order.iter().enumerate().all(|(rank, gate)| rank == *gate as usize);
    if !sorted {
        let mut rank = vec![0; order.len()];
        for (new, old) in (0..).zip(order) {
            rank[*old as usize] = new;
        }
        let moved = |lit: &mut Lit| {
            if let Some(gate) = lit.var().checked_sub(first) {
                *lit = Lit::new(first + rank[gate as usize], lit.is_negated());
            }
        };
        circuit.ands = order.iter().map(|gate| circuit.ands[*gate as usize]).collect();
        circuit.ands.iter_mut().flat_map(|and| [&mut and.left, &mut and.right]).for_each(moved);
        circuit.latches.iter_mut().flat_map(|l| [&mut l.next, &mut l.reset]).for_each(moved);
        circuit.justice.iter_mut().flatten().for_each(moved);
        let columns = [
            &mut circuit.outputs,
            &mut circuit.bads,
            &mut circuit.constraints,
            &mut circuit.fairness,
        ];
        columns.into_iter().flatten().for_each(moved);
    }
    for and in &mut circuit.ands {
        if and.left < and.right {
            std::mem::swap(&mut and.left, &mut and.right);
        }
    }
}

fn report_gate_cycle(reader: &mut Reader<'_>, gates: &[GateLine], cycle: &[u32]) {
    let lits = cycle.iter().map(|gate| gates[*gate as usize].lhs);
    let lits = lits.collect::<Vec<_>>();
    let Some(first) = lits.iter().min_by_key(|word| word.at) else { return };
    let names = lits.iter().filter_map(|word| word.value);
    let message = format!("a gate depends on itself: {}", shown_cycle(names));
    let span = reader.span(*first);
    reader.error(Code::AigerCyclic, span, message);
}

/// Reports resets that depend on themselves, the reset `not l` of a latch `l` included.
pub(super) fn check_resets(reader: &mut Reader<'_>, circuit: &Circuit, sections: &Sections) {
    let latches = circuit.latches.len();
    let is_function = |i: usize| {
        circuit.latches[i].reset.var() != 0 && circuit.latches[i].reset != circuit.latch(i)
    };
    if !(0..latches).any(is_function) {
        return;
    }
    // Latches first, then gates: the order of variables after the inputs.
    let node_of = |lit: Lit| lit.var().checked_sub(1 + circuit.inputs);
    let fan_ins = |node: u32| {
        let node = node as usize;
        match node.checked_sub(latches) {
            Some(gate) => {
                let and = circuit.ands[gate];
                [node_of(and.left), node_of(and.right)]
            }
            None if is_function(node) => [node_of(circuit.latches[node].reset), None],
            None => [None, None],
        }
    };
    let Err(cycle) = topological(latches + circuit.ands.len(), fan_ins) else { return };
    // Gates alone have no cycle, so there is a latch on this one.
    let on_cycle = cycle.iter().map(|node| *node as usize).filter(|node| *node < latches);
    let Some(latch) = on_cycle.clone().min() else { return };
    let Some(word) = sections.latches[latch].reset else { return };
    let message = format!("the reset of latch {latch} depends on itself");
    let others = on_cycle.map(|latch| format!("l{latch}")).take(8).collect::<Vec<_>>();
    let mut diagnostic = Diagnostic::error(Code::AigerCyclic, reader.span(word), message);
    diagnostic = if others.len() > 1 {
        diagnostic.hint(format!("the latches on the cycle are {}", others.join(", ")))
    } else {
        diagnostic.hint("a latch that may start with either value has its own literal as reset")
    };
    reader.report(diagnostic);
}

/// A cycle as messages show it, back to where it starts.
fn shown_cycle(names: impl Iterator<Item = u32> + Clone) -> String {
    const MAX_SHOWN: usize = 6;
    let mut text = String::new();
    for name in names.clone().take(MAX_SHOWN) {
        text.push_str(&format!("{name} uses "));
    }
    if names.clone().count() > MAX_SHOWN {
        text.push_str("… uses ");
    }
    text.push_str(&names.take(1).map(|name| name.to_string()).collect::<String>());
    text
}
