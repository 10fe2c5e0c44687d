//! The kinds of evidence: one table, from which the help and the manual have theirs.

use std::fmt::Write;

/// A kind of evidence as the manual sees it.
pub struct KindCard {
    /// The kind of problem that such evidence is about.
    pub problem: &'static str,
    /// What people call this kind of evidence.
    pub kind: &'static str,
    /// How its file begins, or what is in it.
    pub looks: &'static str,
    /// What of ours writes it; nothing if only others do.
    pub ours: &'static str,
    /// What is done with it.
    pub checked: &'static str,
    /// Whether it comes without proofs, so that `--prove` has to find them.
    pub unproved: bool,
}

/// All kinds of evidence, in the order of the manual.
pub const KINDS: &[KindCard] = &[
    KindCard {
        problem: "Horn clauses",
        kind: "model with proofs",
        looks: "(define-fun …) and (set-info :alphorn-proof …)",
        ours: "--evidence",
        checked: "proofs replayed, clause by clause",
        unproved: false,
    },
    KindCard {
        problem: "Horn clauses",
        kind: "model of any solver",
        looks: "(define-fun …), after sat, in (model …) or in ( … )",
        ours: "--model",
        checked: "evaluated if finite; else proofs are needed",
        unproved: true,
    },
    KindCard {
        problem: "Horn clauses",
        kind: "derivation of false",
        looks: "(derivation …)",
        ours: "--evidence",
        checked: "every step evaluated; rounds of a loop that grow evenly are one step, checked for all rounds at once",
        unproved: false,
    },
    KindCard {
        problem: "Horn clauses",
        kind: "refutation of the clauses",
        looks: "(proof …), behind (interpretation …) if it chooses functions or sorts",
        ours: "--evidence",
        checked: "definitions looked through, and replayed",
        unproved: false,
    },
    KindCard {
        problem: "circuit",
        kind: "certificate",
        looks: "alphorn-certificate 1",
        ours: "--evidence",
        checked: "LRAT proofs replayed; lists of states evaluated",
        unproved: false,
    },
    KindCard {
        problem: "circuit",
        kind: "witness circuit",
        looks: "aag … or aig …, inputs and latches named `= n`",
        ours: "--evidence x.aig",
        checked: "simulates the model, and is inductive",
        unproved: true,
    },
    KindCard {
        problem: "circuit",
        kind: "AIGER witness",
        looks: "1, b0, values, a dot",
        ours: "--evidence",
        checked: "simulated",
        unproved: false,
    },
    KindCard {
        problem: "words (BTOR2)",
        kind: "certificate",
        looks: "(certificate …) or alphorn-certificate 1",
        ours: "--evidence",
        checked: "proofs replayed; lists of states evaluated",
        unproved: false,
    },
    KindCard {
        problem: "words (BTOR2)",
        kind: "BTOR2 witness",
        looks: "sat, b0, #0, @0, values, a dot",
        ours: "--evidence",
        checked: "evaluated",
        unproved: false,
    },
    KindCard {
        problem: "words (`liveness`)",
        kind: "ways home",
        looks: "(certificate … (home …))",
        ours: "--evidence",
        checked: "evaluated: all states, and a step for each",
        unproved: false,
    },
    KindCard {
        problem: "words (`liveness`)",
        kind: "run into a trap",
        looks: "sat, h0, …, `trap` with positions of states, rows behind a bar, a dot",
        ours: "--evidence",
        checked: "evaluated: the run, and that no step leaves the rows",
        unproved: false,
    },
    KindCard {
        problem: "circuit, words",
        kind: "front of parameters",
        looks: "alphorn-front 1",
        ours: "pareto --evidence",
        checked: "certificates of points and LRAT proofs replayed, runs simulated",
        unproved: false,
    },
    KindCard {
        problem: "circuit, words, Horn clauses",
        kind: "explanation",
        looks: "alphorn-explanation 1 or (explanation …)",
        ours: "explain --evidence",
        checked: "the run simulated with each set of flips; a refutation that there is no other replayed",
        unproved: false,
    },
    KindCard {
        problem: "SMT-LIB script",
        kind: "model of any solver",
        looks: "(define-fun …), after sat, in (model …) or in ( … )",
        ours: "smt, (get-model)",
        checked: "evaluated; under quantifiers proofs may be needed",
        unproved: true,
    },
    KindCard {
        problem: "SMT-LIB script",
        kind: "proof",
        looks: "(proof …), after unsat",
        ours: "smt, (get-proof)",
        checked: "replayed",
        unproved: false,
    },
    KindCard {
        problem: "CNF (DIMACS)",
        kind: "model",
        looks: "v 1 -2 … 0, or the literals alone",
        ours: "sat",
        checked: "evaluated",
        unproved: false,
    },
    KindCard {
        problem: "CNF (DIMACS)",
        kind: "LRAT, text or binary",
        looks: "5 1 -2 0 3 4 0",
        ours: "sat --proof",
        checked: "replayed",
        unproved: false,
    },
    KindCard {
        problem: "CNF (DIMACS)",
        kind: "DRAT, text or binary",
        looks: "1 -2 0, d 1 -2 0",
        ours: "sat --proof",
        checked: "made into LRAT by unit propagation, and replayed",
        unproved: false,
    },
    KindCard {
        problem: "C program",
        kind: "run or proof",
        looks: "alphorn-program 1",
        ours: "--evidence",
        checked: "the run replayed on the source; the proof's clauses made anew, and its proofs replayed",
        unproved: false,
    },
    KindCard {
        problem: "C program",
        kind: "witness of any verifier",
        looks: "- entry_type: …, YAML, format 2.0",
        ours: "--witness",
        checked: "put into the program, which is decided then",
        unproved: false,
    },
    KindCard {
        problem: "infinite runs",
        kind: "ranks",
        looks: "(termination …)",
        ours: "terminate --evidence",
        checked: "proofs replayed, goal by goal; what is left has no cycle",
        unproved: false,
    },
    KindCard {
        problem: "infinite runs",
        kind: "recurrence",
        looks: "(recurrence …)",
        ours: "terminate --evidence",
        checked: "the way there evaluated; proofs replayed that choices stay",
        unproved: false,
    },
    KindCard {
        problem: "infinite runs",
        kind: "labels of a formula",
        looks: "(labels holds …) or (labels fails …)",
        ours: "ctl --evidence",
        checked: "proofs replayed, subformula by subformula",
        unproved: false,
    },
];

/// The table as text, with what `--prove` and the exit codes mean.
pub fn help() -> String {
    let mut text = String::from("Kinds of evidence, by what they are about:\n");
    let width = KINDS.iter().map(|card| card.kind.chars().count()).max().unwrap_or(0);
    let mut last = "";
    for card in KINDS {
        if card.problem != last {
            let _ = writeln!(text, "  {}", card.problem);
            last = card.problem;
        }
        let mark = if card.unproved { '*' } else { ' ' };
        let _ = writeln!(text, "  {mark} {:width$}  {}", card.kind, card.looks);
    }
    text.push_str(
        "Those marked * come without proofs. With --prove a solver looks for them, and they are checked
like any others; without it nothing is decided unless evaluation suffices.

Exit codes:
  0  the evidence is accepted
  2  nothing was decided: proofs are missing, were not found, or a limit was met
  3  the command line is wrong
  4  the problem or the evidence cannot be read
  5  the problem is outside what this program treats
  6  the evidence is refused",
    );
    text
}

/// The table as the manual has it.
pub fn table() -> String {
    let mut text = String::from(
        "| about | kind | looks like | ours | what is done |\n|---|---|---|---|---|\n",
    );
    for KindCard { problem, kind, looks, ours, checked, unproved } in KINDS {
        let proofs = if *unproved { "; `--prove`" } else { "" };
        let _ = writeln!(text, "| {problem} | {kind} | {looks} | {ours} | {checked}{proofs} |");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::table;

    #[test]
    fn the_manual_has_the_table() {
        let manual = include_str!("../../../../docs/evidence.md");
        assert!(manual.contains(&table()), "docs/evidence.md should have:\n{}", table());
    }
}
