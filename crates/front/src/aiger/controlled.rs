//! Writing a game's circuit with a controller in it, as the synthesis competition wants it.
//!
//! Everything of the game stays as it is, with its literals, but the controllable inputs: their literals become
//! gates. The controller's gates get numbers after those of the game; a gate of the game that reads nothing
//! controllable is not made again. A function that is no gate of its own is one with the constant true.
//!
//! The form is that of SYNTCOMP, whose checker compares such a file with the game line by line. Literals are those
//! of the circuit as read, in the order of the binary format, which most files have.
//!
//! After Jacobs, "Extended AIGER Format for Synthesis" (2014).

use super::write::{push_comments, push_latches, push_line, push_number, push_properties};
use alphorn_problem::Game;
use alphorn_problem::circuit::{And, Circuit, Lit};
use std::collections::BTreeMap;

/// The circuit of a game with the functions of a valid controller in the place of controllable inputs, as a text
/// file (`aag`).
pub fn write_controlled(game: &Game, controller: &Circuit) -> String {
    let spec = game.circuit();
    let gates = gates(game, controller);
    let others = game.others();
    let last = gates.iter().map(|(lit, _)| lit.var()).max().unwrap_or(0).max(spec.max_var());
    let mut out = b"aag".to_vec();
    let mut counts = vec![
        last as usize,
        others.len(),
        spec.latches.len(),
        spec.outputs.len(),
        gates.len(),
        spec.bads.len(),
        spec.constraints.len(),
    ];
    while counts.len() > 5 && counts.last() == Some(&0) {
        counts.pop();
    }
    for count in counts {
        out.push(b' ');
        push_number(&mut out, count as u64);
    }
    out.push(b'\n');
    others.iter().for_each(|input| push_line(&mut out, &[spec.input(*input).0]));
    push_latches(&mut out, spec, true);
    push_properties(&mut out, spec);
    gates.iter().for_each(|(lit, and)| push_line(&mut out, &[lit.0, and.left.0, and.right.0]));
    for (kind, index, name) in &spec.symbols.entries {
        let index = match kind {
            b'i' => others.iter().position(|input| *input == *index as usize),
            _ => Some(*index as usize),
        };
        let Some(index) = index else { continue };
        out.push(*kind);
        push_number(&mut out, index as u64);
        out.push(b' ');
        out.extend(name.bytes().map(|byte| if byte == b'\n' { b' ' } else { byte }));
        out.push(b'\n');
    }
    push_comments(&mut out, b"the controllable inputs are gates, made by alphorn synth\n");
    String::from_utf8(out).expect("numbers and names are UTF-8")
}

/// The gates of the file: those of the game, then those of the controller.
fn gates(game: &Game, controller: &Circuit) -> Vec<(Lit, And)> {
    let spec = game.circuit();
    let mut gates: Vec<(Lit, And)> =
        (spec.ands.iter().enumerate()).map(|(index, and)| (spec.gate(index), *and)).collect();
    let reads = Reads::new(spec, game);
    // The controller's gates get numbers after those of the game, but a gate that is there is not made again.
    let mut map = vec![Lit::FALSE];
    map.extend((0..spec.latches.len()).map(|latch| spec.latch(latch)));
    map.extend(game.others().into_iter().map(|input| spec.input(input)));
    let controls: Vec<Lit> = game.controls().into_iter().map(|input| spec.input(input)).collect();
    let mut heads: Vec<Option<Lit>> = vec![None; controls.len()];
    let mut free = spec.max_var() + 1;
    let first_gate = controller.gate(0).var();
    for (and, var) in controller.ands.iter().zip(first_gate..) {
        let at = |lit: Lit| map[lit.var() as usize].xor(lit.is_negated());
        let (left, right) = (at(and.left), at(and.right));
        let made = And { left: left.max(right), right: left.min(right) };
        if let Some(known) = reads.known(made) {
            map.push(known);
            continue;
        }
        // A controllable input that is this gate is the gate's literal.
        let head = (controller.outputs.iter().enumerate())
            .find(|(at, output)| **output == Lit::new(var, false) && heads[*at].is_none());
        let lit = match head {
            Some((at, _)) => {
                heads[at] = Some(controls[at]);
                controls[at]
            }
            None => {
                free += 1;
                Lit::new(free - 1, false)
            }
        };
        gates.push((lit, made));
        map.push(lit);
    }
    for (at, output) in controller.outputs.iter().enumerate() {
        if heads[at].is_none() {
            let function = map[output.var() as usize].xor(output.is_negated());
            let (left, right) = (function.max(Lit::TRUE), function.min(Lit::TRUE));
            gates.push((controls[at], And { left, right }));
        }
    }
    gates
}

/// The gates of a game that read no controllable input, by what they read.
struct Reads {
    gates: BTreeMap<(Lit, Lit), Lit>,
}

impl Reads {
    fn new(spec: &Circuit, game: &Game) -> Reads {
        let mut is_controlled = vec![false; spec.max_var() as usize + 1];
        for input in game.controls() {
            is_controlled[spec.input(input).var() as usize] = true;
        }
        let mut gates = BTreeMap::new();
        for (index, and) in spec.ands.iter().enumerate() {
            let lit = spec.gate(index);
            let reads = |of: Lit| is_controlled[of.var() as usize];
            let reads = reads(and.left) || reads(and.right);
            is_controlled[lit.var() as usize] = reads;
            if !reads {
                gates.entry((and.left.max(and.right), and.left.min(and.right))).or_insert(lit);
            }
        }
        Reads { gates }
    }

    fn known(&self, and: And) -> Option<Lit> {
        self.gates.get(&(and.left, and.right)).copied()
    }
}
