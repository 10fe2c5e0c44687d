//! Reading and writing are inverse: on random circuits, and byte for byte on the files of the
//! hardware competitions where these are at hand.

use alphorn_front::aiger;
use alphorn_problem::Circuit;
use alphorn_problem::circuit::{And, Latch, Lit, Symbols};
use alphorn_testkit::Rng;
use proptest::collection::vec;
use proptest::prelude::*;
use std::path::{Path, PathBuf};

/// Numbers from which a circuit is made; any numbers will do.
#[derive(Clone, Debug)]
struct Seeds {
    inputs: u32,
    latches: Vec<(u32, u32)>,
    ands: Vec<(u32, u32)>,
    columns: [Vec<u32>; 4],
    justice: Vec<Vec<u32>>,
    names: Vec<(usize, u32, String)>,
    comments: String,
}

fn text() -> impl Strategy<Value = String> {
    vec(any::<char>(), 0..6).prop_map(|chars| chars.into_iter().collect())
}

fn seeds() -> impl Strategy<Value = Seeds> {
    let column = || vec(any::<u32>(), 0..4);
    let structure = (0u32..200, vec(any::<(u32, u32)>(), 0..5), vec(any::<(u32, u32)>(), 0..20));
    let properties = ([column(), column(), column(), column()], vec(column(), 0..3));
    let names = vec((0usize..7, any::<u32>(), text()), 0..6);
    (structure, properties, names, text()).prop_map(|(structure, properties, names, comments)| {
        let (inputs, latches, ands) = structure;
        let (columns, justice) = properties;
        Seeds { inputs, latches, ands, columns, justice, names, comments }
    })
}

fn circuit_from(seeds: Seeds) -> Circuit {
    let mut circuit = Circuit { inputs: seeds.inputs, ..Circuit::default() };
    let gates = seeds.ands.len() as u32;
    let first_gate = 1 + seeds.inputs + seeds.latches.len() as u32;
    let below = |seed: u32, vars: u32| Lit(seed % (2 * vars));
    let any_lit = |seed: u32| below(seed, first_gate + gates);
    let no_reset = |seed: &(u32, u32)| Latch { next: any_lit(seed.0), reset: Lit::FALSE };
    circuit.latches = seeds.latches.iter().map(no_reset).collect();
    for (seed, gate) in seeds.ands.iter().zip(first_gate..) {
        let (a, b) = (below(seed.0, gate), below(seed.1, gate));
        circuit.ands.push(And { left: a.max(b), right: a.min(b) });
    }
    let [outputs, bads, constraints, fairness] =
        seeds.columns.map(|column| column.into_iter().map(any_lit).collect());
    (circuit.outputs, circuit.bads) = (outputs, bads);
    (circuit.constraints, circuit.fairness) = (constraints, fairness);
    let lits = |set: &Vec<u32>| set.iter().map(|seed| any_lit(*seed)).collect();
    circuit.justice = seeds.justice.iter().map(lits).collect();
    for (index, (_, seed)) in seeds.latches.iter().enumerate() {
        let own = circuit.latch(index);
        let reset = [Lit::FALSE, Lit::TRUE, own, any_lit(seed / 4)][*seed as usize % 4];
        circuit.latches[index].reset = if reset == !own { own } else { reset };
        if circuit.validate().is_err() {
            circuit.latches[index].reset = own;
        }
    }
    let counts = [
        (b'i', circuit.inputs as usize),
        (b'l', circuit.latches.len()),
        (b'o', circuit.outputs.len()),
        (b'b', circuit.bads.len()),
        (b'c', circuit.constraints.len()),
        (b'j', circuit.justice.len()),
        (b'f', circuit.fairness.len()),
    ];
    let mut symbols = Symbols::default();
    for (kind, seed, name) in seeds.names {
        let (kind, count) = counts[kind];
        if count > 0 {
            let index = seed % count as u32;
            if symbols.name(kind, index as usize).is_none() {
                symbols.entries.push((kind, index, name.replace('\n', "")));
            }
        }
    }
    Circuit { symbols, comments: seeds.comments.into_bytes(), ..circuit }
}

/// Whether the outputs are 1, in steps with pseudo-random inputs.
fn simulate(circuit: &Circuit, steps: u64) -> Vec<bool> {
    let latches = circuit.latches.len();
    let mut state: Vec<bool> = (0..latches).map(|latch| latch % 2 == 1).collect();
    let mut seen = Vec::new();
    let mut rng = Rng::new(7);
    for _ in 0..steps {
        let mut values = vec![false];
        values.extend((0..circuit.inputs).map(|_| rng.one_in(2)));
        values.append(&mut state);
        let value = |values: &[bool], lit: Lit| values[lit.var() as usize] != lit.is_negated();
        for and in &circuit.ands {
            values.push(value(&values, and.left) && value(&values, and.right));
        }
        seen.extend(circuit.outputs.iter().map(|lit| value(&values, *lit)));
        state = circuit.latches.iter().map(|latch| value(&values, latch.next)).collect();
    }
    seen
}

/// `circuit` as a text file with other numbers and the gates in another order.
fn write_disordered(circuit: &Circuit, seed: u64) -> String {
    let count = circuit.max_var() as usize;
    let mut rng = Rng::new(seed);
    let mut shuffled = |count: usize| -> Vec<usize> {
        let mut items: Vec<usize> = (0..count).collect();
        for last in (1..count).rev() {
            items.swap(last, rng.below(last + 1));
        }
        items
    };
    // One variable in three is not used.
    let names: Vec<u32> = shuffled(3 * count / 2).iter().map(|name| *name as u32 + 1).collect();
    let lit = |lit: Lit| match lit.var() {
        0 => lit.0,
        var => 2 * names[var as usize - 1] + u32::from(lit.is_negated()),
    };
    let (inputs, latches, ands) = (circuit.inputs, circuit.latches.len(), circuit.ands.len());
    let outputs = circuit.outputs.len();
    let mut out = format!("aag {} {inputs} {latches} {outputs} {ands}\n", 3 * count / 2);
    for input in 0..inputs as usize {
        out += &format!("{}\n", lit(circuit.input(input)));
    }
    for (index, latch) in circuit.latches.iter().enumerate() {
        let (own, next, reset) = (lit(circuit.latch(index)), lit(latch.next), lit(latch.reset));
        out += &format!("{own} {next} {reset}\n");
    }
    for output in &circuit.outputs {
        out += &format!("{}\n", lit(*output));
    }
    for index in shuffled(ands) {
        let (gate, and) = (lit(circuit.gate(index)), circuit.ands[index]);
        out += &format!("{gate} {} {}\n", lit(and.right), lit(and.left));
    }
    out
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_was_written_is_read(seeds in seeds()) {
        let circuit = circuit_from(seeds);
        prop_assert_eq!(circuit.validate(), Ok(()));
        let (read, diagnostics) = aiger::read(aiger::write_ascii(&circuit).as_bytes());
        prop_assert!(diagnostics.list.is_empty(), "{:?}", diagnostics);
        prop_assert_eq!(read.as_ref(), Some(&circuit));
        let (read, diagnostics) = aiger::read(&aiger::write_binary(&circuit));
        prop_assert!(diagnostics.list.is_empty(), "{:?}", diagnostics);
        prop_assert_eq!(read.as_ref(), Some(&circuit));
    }

    #[test]
    fn comments_are_bytes(comments in vec(any::<u8>(), 0..20)) {
        let circuit = Circuit { comments, ..Circuit::default() };
        let read = aiger::read(&aiger::write_binary(&circuit)).0;
        prop_assert_eq!(read, Some(circuit));
    }

    #[test]
    fn other_numbers_are_the_same_circuit(seeds in seeds(), shuffle in any::<u64>()) {
        let circuit = circuit_from(seeds);
        let file = write_disordered(&circuit, shuffle);
        let (read, diagnostics) = aiger::read(file.as_bytes());
        prop_assert!(diagnostics.list.is_empty(), "{:?}\n{}", diagnostics, file);
        let read = read.expect("a circuit, since nothing was wrong");
        prop_assert_eq!(read.validate(), Ok(()));
        prop_assert_eq!(simulate(&read, 16), simulate(&circuit, 16));
        // Once in order, always in order.
        let again = aiger::read(&aiger::write_binary(&read)).0;
        prop_assert_eq!(again, Some(read));
    }
}

/// The AIGER files under `folder`, in any depth.
fn aiger_files(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            aiger_files(&path, files);
        } else if path.extension().is_some_and(|end| end == "aig" || end == "aag") {
            files.push(path);
        }
    }
}

#[test]
fn competition_files_come_back_byte_for_byte() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/bench/hw");
    let mut files = Vec::new();
    aiger_files(&folder, &mut files);
    if files.is_empty() {
        println!("skipped: there are no competition files beside this checkout");
    }
    for path in files {
        let bytes = std::fs::read(&path).expect("a file that was just listed");
        let (circuit, diagnostics) = aiger::read(&bytes);
        assert!(diagnostics.list.is_empty(), "{}: {diagnostics:?}", path.display());
        let circuit = circuit.expect("a circuit, since nothing was wrong");
        assert_eq!(circuit.validate(), Ok(()), "{}", path.display());
        let ascii = aiger::write_ascii(&circuit);
        let same = if bytes.starts_with(b"aag") {
            ascii.as_bytes() == bytes
        } else {
            aiger::write_binary(&circuit) == bytes
        };
        assert!(same, "{} changed", path.display());
        let again = aiger::read(ascii.as_bytes()).0;
        assert!(again == Some(circuit), "{} changed as text", path.display());
    }
}
