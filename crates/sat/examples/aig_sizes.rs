//! Measures what rewriting and gate detection save on circuits.
//!
//! Usage: `aig_sizes FILE.aig…`. Each file gives one row of a table: gates that matter to properties
//! and next states in the file, with structural hashing and one-level rules only, and with
//! two-level rules; then variables and clauses of the CNF with three clauses for each gate, with
//! gate detection in both directions, and in the directions a property needs.

use alphorn_problem::circuit::{Circuit, Lit as Bit};
use alphorn_sat::Cnf;
use alphorn_sat::aig::{Aig, Edge, Encoder, Encoding, Polarity};

/// How many gates the roots need in the file, and how many remain if equal ones are merged.
fn gates(circuit: &Circuit, roots: &[Bit]) -> (usize, usize) {
    let first = circuit.max_var() as usize + 1 - circuit.ands.len();
    let mut needed = vec![false; circuit.max_var() as usize + 1];
    roots.iter().for_each(|root| needed[root.var() as usize] = true);
    for index in (0..circuit.ands.len()).rev() {
        if needed[first + index] {
            let gate = circuit.ands[index];
            needed[gate.left.var() as usize] = true;
            needed[gate.right.var() as usize] = true;
        }
    }
    let mut unique = std::collections::BTreeMap::new();
    let mut names: Vec<Bit> = (0..first as u32).map(|var| Bit::new(var, false)).collect();
    let mut used = std::collections::BTreeSet::new();
    for (index, gate) in circuit.ands.iter().enumerate() {
        let name = |bit: Bit| names[bit.var() as usize].xor(bit.is_negated());
        let (left, right) = (name(gate.left), name(gate.right));
        let (left, right) = (left.min(right), left.max(right));
        let result = match (left, right) {
            (Bit::FALSE, _) => Bit::FALSE,
            (Bit::TRUE, other) => other,
            _ if left == right => left,
            _ if left == !right => Bit::FALSE,
            _ => {
                let fresh = Bit::new((first + index) as u32, false);
                *unique.entry((left, right)).or_insert(fresh)
            }
        };
        names.push(result);
        if needed[first + index] && result.var() as usize >= first {
            used.insert(result.var());
        }
    }
    (needed[first..].iter().filter(|is_needed| **is_needed).count(), used.len())
}

fn row(path: &str) -> Option<String> {
    let circuit = alphorn_front::aiger::read(&std::fs::read(path).ok()?).0?;
    let nexts = circuit.latches.iter().map(|latch| latch.next);
    let properties: Vec<Bit> = circuit.safety().to_vec();
    let bits: Vec<Bit> = nexts.chain(properties.iter().copied()).collect();
    let (in_file, hashed) = gates(&circuit, &bits);
    let mut aig = Aig::new();
    let mut edges = vec![Edge::FALSE];
    edges.extend((0..circuit.inputs as usize + circuit.latches.len()).map(|_| aig.add_input()));
    let edge = |edges: &[Edge], bit: Bit| edges[bit.var() as usize].xor(bit.is_negated());
    for gate in &circuit.ands {
        let (left, right) = (edge(&edges, gate.left), edge(&edges, gate.right));
        edges.push(aig.and(left, right));
    }
    let roots: Vec<Edge> = bits.iter().map(|bit| edge(&edges, *bit)).collect();
    let name = path.rsplit('/').next().unwrap_or(path).trim_end_matches(".aig");
    let (size, inputs) = (aig.size(&roots), aig.support(&roots).len() as u32);
    let mut text = format!("| {name} | {in_file} | {hashed} | {size} | {} |", 3 * size);
    for (encoding, polarity) in
        [(Encoding::Tseitin, Polarity::Both), (Encoding::PlaistedGreenbaum, Polarity::Positive)]
    {
        let mut cnf = Cnf::default();
        let roots: Vec<(Edge, Polarity)> = roots.iter().map(|root| (*root, polarity)).collect();
        Encoder::new(encoding).encode_all(&aig, &roots, &mut cnf);
        text.push_str(&format!(" {} | {} |", cnf.variables - inputs, cnf.clauses.len()));
    }
    Some(text)
}

fn main() {
    for path in std::env::args().skip(1) {
        match row(&path) {
            Some(row) => println!("{row}"),
            None => eprintln!("{path} is not AIGER"),
        }
    }
}
