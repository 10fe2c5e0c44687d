//! Certificates and witnesses of circuits.

use alphorn_front::evidence::{print_circuit, read_circuit};
use alphorn_problem::Verdict;
use alphorn_problem::circuit::{And, Circuit, Lit};
use alphorn_problem::evidence::circuit::{
    Bit, Certificate, Invariant, Lrat, LratStep, Property, Trace,
};
use alphorn_problem::monitor::Monitor;
use alphorn_testkit::Rng;
use alphorn_testkit::circuit::random::{circuit_with, lit};

/// A random circuit with this many inputs and latches, and two bad states.
pub fn circuit(rng: &mut Rng, inputs: u32, latches: u32) -> Circuit {
    let gates = rng.below(4);
    let mut circuit = circuit_with(rng, inputs, latches as usize, gates);
    for And { left, right } in &mut circuit.ands {
        (*left, *right) = ((*left).max(*right), (*left).min(*right));
    }
    circuit.constraints.clear();
    let max = circuit.max_var();
    circuit.bads.push(lit(rng, max));
    circuit
}

fn lrat(rng: &mut Rng) -> Lrat {
    let mut id = rng.below(9) as u64;
    let number = |rng: &mut Rng| (1 + rng.below(9)) * if rng.one_in(2) { 1 } else { -1 };
    let mut steps = Vec::new();
    for _ in 0..rng.below(6) {
        if rng.one_in(4) {
            let ids = (0..rng.below(3)).map(|_| 1 + rng.below(9) as u64).collect();
            steps.push(LratStep::Delete(ids));
            continue;
        }
        id += 1 + rng.below(3) as u64;
        let clause = (0..rng.below(4)).map(|_| number(rng)).collect();
        let hints = (0..rng.below(4)).map(|_| i64::from(number(rng))).collect();
        steps.push(LratStep::Add { id, clause, hints });
    }
    Lrat { steps }
}

fn clauses(rng: &mut Rng, problem: &Circuit) -> Vec<Vec<Lit>> {
    let latches = problem.latches.len();
    let literal = |rng: &mut Rng| problem.latch(rng.below(latches)).xor(rng.one_in(2));
    let most = if latches == 0 { 1 } else { 4 };
    let clause = |rng: &mut Rng| (0..rng.below(most)).map(|_| literal(rng)).collect();
    (0..rng.below(4)).map(|_| clause(rng)).collect()
}

fn certificate(rng: &mut Rng, problem: &Circuit) -> Certificate {
    let latches = problem.latches.len() as u32;
    let invariant = match rng.below(4) {
        0 => {
            let listed: Vec<u32> = (0..latches).filter(|_| rng.one_in(2)).collect();
            let row = |rng: &mut Rng| listed.iter().map(|_| rng.one_in(2)).collect();
            let states = (0..rng.below(4)).map(|_| row(rng)).collect();
            Invariant::States { latches: listed.clone(), states }
        }
        1 => Invariant::Clauses(clauses(rng, problem)),
        2 => {
            let mut aig = circuit(rng, latches, 0);
            aig.outputs = std::mem::take(&mut aig.bads)[..1].to_vec();
            Invariant::Aig(Box::new(aig))
        }
        _ => Invariant::KInductive {
            k: rng.below(5),
            simple_path: rng.one_in(2),
            lemmas: clauses(rng, problem),
        },
    };
    let obligations = (0..rng.below(4)).map(|_| lrat(rng)).collect();
    Certificate { property: rng.below(2), invariant, obligations }
}

/// A certificate of a justice property.
fn justice(rng: &mut Rng, problem: &Circuit) -> Certificate {
    let most = rng.below(3) as u32;
    let monitor = rng.pick(&[Monitor::Loop, Monitor::Count { most }]);
    let property = rng.below(2);
    let watched = monitor.build(problem, property).expect("there are two properties");
    let Certificate { invariant, obligations, .. } = certificate(rng, &watched);
    let invariant = Invariant::Justice { monitor, invariant: Box::new(invariant) };
    Certificate { property, invariant, obligations }
}

fn trace(rng: &mut Rng, circuit: &Circuit) -> Trace {
    let bit = |rng: &mut Rng| rng.pick(&[Bit::Zero, Bit::One, Bit::X]);
    let start = (0..circuit.latches.len())
        .map(|index| match circuit.is_uninitialised(index) {
            true => bit(rng),
            // An x for a latch with a constant reset is written as that constant.
            false => rng.pick(&[Bit::Zero, Bit::One]),
        })
        .collect();
    let row = |rng: &mut Rng| (0..circuit.inputs).map(|_| bit(rng)).collect();
    let inputs = (0..1 + rng.below(3)).map(|_| row(rng)).collect();
    Trace { property: Property::Bad(rng.below(2)), start, inputs }
}

fn same(left: &Verdict<Circuit>, right: &Verdict<Circuit>) -> bool {
    match (left, right) {
        (Verdict::Safe(a), Verdict::Safe(b)) => a == b,
        (Verdict::Unsafe(a), Verdict::Unsafe(b)) => a == b,
        _ => false,
    }
}

#[test]
fn random_files_survive() {
    let mut rng = Rng::new(3);
    for _ in 0..2000 {
        let (inputs, latches) = (rng.below(3) as u32, rng.below(4) as u32);
        let mut circuit = circuit(&mut rng, inputs, latches);
        circuit.justice = vec![circuit.bads.clone(), circuit.bads[..1].to_vec()];
        let verdicts: Vec<Verdict<Circuit>> = (0..1 + rng.below(4))
            .map(|_| match rng.below(3) {
                0 => Verdict::Safe(certificate(&mut rng, &circuit)),
                1 => Verdict::Safe(justice(&mut rng, &circuit)),
                _ => Verdict::Unsafe(trace(&mut rng, &circuit)),
            })
            .collect();
        let text: String = verdicts.iter().map(|v| print_circuit(&circuit, v)).collect();
        let (again, diagnostics) = read_circuit(text.as_bytes(), &circuit);
        let again = again.unwrap_or_else(|| panic!("{:?}\n{text}", diagnostics.list));
        assert_eq!(again.len(), verdicts.len(), "{text}");
        for (a, b) in verdicts.iter().zip(&again) {
            assert!(same(a, b), "{a:?}\n{b:?}\n{text}");
        }
    }
}

#[test]
fn the_empty_row_is_not_no_row() {
    let circuit = circuit(&mut Rng::new(1), 1, 1);
    for (states, rows) in [(vec![], ""), (vec![vec![]], "-\n"), (vec![vec![], vec![]], "-\n-\n")] {
        let invariant = Invariant::States { latches: vec![], states };
        let certificate = Certificate { property: 0, invariant, obligations: vec![] };
        let verdict = Verdict::Safe(certificate);
        let text = print_circuit(&circuit, &verdict);
        let expected = format!("alphorn-certificate 1\nproperty 0\ninvariant states\n{rows}end\n");
        assert_eq!(text, expected);
        let (again, _) = read_circuit(text.as_bytes(), &circuit);
        assert!(same(&again.expect("it is read")[0], &verdict), "{text}");
    }
}

#[test]
fn wrong_texts_are_refused_with_a_place() {
    let circuit = circuit(&mut Rng::new(1), 1, 2);
    let body = |rest: &str| format!("alphorn-certificate 1\nproperty 0\n{rest}");
    for (text, part) in [
        (String::new(), "the file is empty"),
        ("c only a comment\n".to_owned(), "no witness"),
        ("alphorn-certificate 2\n".to_owned(), "the header should be"),
        ("alphorn-certificate 1\nproperty x\n".to_owned(), "`property N`"),
        (body("states\nend\n"), "`invariant …`"),
        (body("invariant magic\nend\n"), "states, clauses, aig or k-induction"),
        (body("invariant states 0 x\nend\n"), "by their positions"),
        (body("invariant states 0 1\n0\nend\n"), "a row of 2 bits"),
        (body("invariant states 0 1\n-\nend\n"), "a row of 2 bits"),
        (body("invariant clauses\n1 2\nend\n"), "ends with 0"),
        (body("invariant clauses\n3 0\nend\n"), "no latch 3"),
        (body("invariant clauses\n1 0 2 0\nend\n"), "no latch 0"),
        (body("invariant aig\naag 0 0\nend\nend\n"), "cannot be read"),
        (body("invariant k-induction -1\nend\n"), "k is a number"),
        (body("invariant k-induction 1\nobligation\n1 d 2\nend\n"), "a deletion is malformed"),
        (body("invariant k-induction 1\nobligation\n1 2 0 3\nend\n"), "the hints are malformed"),
        (body("invariant k-induction 1\nobligation\n1 2\nend\n"), "the clause is malformed"),
        (body("invariant k-induction 1\nobligation\nx 0 0\nend\n"), "begins with its number"),
        (body("invariant k-induction 1\nobligation\n1 0 0 0\nend\n"), "after the final 0"),
        (body("invariant k-induction 1\n"), "the certificate ends"),
        ("0\nb0\n.\n".to_owned(), "a claim without evidence"),
        (body("invariant k-induction 1\nend\n1\nb0\n0\n"), "latches"),
    ] {
        let (verdicts, diagnostics) = read_circuit(text.as_bytes(), &circuit);
        assert!(verdicts.is_none(), "{text}");
        let message = &diagnostics.list[0].message;
        assert!(message.contains(part), "{text}: {message}");
        assert!(diagnostics.list[0].span.end as usize <= text.len(), "{text}");
    }
}
