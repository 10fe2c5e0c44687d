//! How fast the arithmetic kernel is on random incremental problems.
//!
//! Each problem is a set of forms and a walk like that of a search: a level with a few bounds, a
//! check, implied bounds, and on a conflict a way back. Prints, for each kind of problem, the time
//! per check and what a check does on average.
//!
//! Usage: `arith_speed [KIND [CHECKS]]`, all kinds and 100000 checks by default.

use alphorn_testkit::Rng;
use std::time::Instant;

use alphorn_smt::arith::{Arith, Bound, Delta, Effort, Integers, Side, Var};
use alphorn_term::Rat;

struct Kind {
    name: &'static str,
    vars: u64,
    forms: u64,
    length: u64,
    coefficient: i64,
    /// The size of bounds.
    size: i64,
    is_int: bool,
    /// How many of a hundred bounds are equations; unknowns have bounds only where there are none.
    equations: u64,
}

const KINDS: [Kind; 7] = [
    Kind {
        name: "differences",
        vars: 40,
        forms: 150,
        length: 2,
        coefficient: 1,
        size: 20,
        is_int: false,
        equations: 0,
    },
    Kind {
        name: "sums",
        vars: 20,
        forms: 60,
        length: 4,
        coefficient: 2,
        size: 10,
        is_int: false,
        equations: 0,
    },
    Kind {
        name: "wide",
        vars: 100,
        forms: 150,
        length: 3,
        coefficient: 2,
        size: 50,
        is_int: false,
        equations: 0,
    },
    Kind {
        name: "many-forms",
        vars: 20,
        forms: 2000,
        length: 3,
        coefficient: 3,
        size: 20,
        is_int: false,
        equations: 0,
    },
    Kind {
        name: "integer-sums",
        vars: 12,
        forms: 40,
        length: 3,
        coefficient: 2,
        size: 10,
        is_int: true,
        equations: 0,
    },
    Kind {
        name: "integer-steps",
        vars: 40,
        forms: 100,
        length: 2,
        coefficient: 1,
        size: 10,
        is_int: true,
        equations: 30,
    },
    Kind {
        name: "integer-knapsacks",
        vars: 10,
        forms: 30,
        length: 5,
        coefficient: 9,
        size: 30,
        is_int: true,
        equations: 0,
    },
];

#[derive(Default)]
struct Counts {
    checks: usize,
    implied: usize,
    models: usize,
    conflicts: usize,
    branches: usize,
    length: usize,
}

fn forms(kind: &Kind, random: &mut Rng, arith: &mut Arith) -> Vec<Var> {
    let vars: Vec<Var> = (0..kind.vars).map(|_| arith.new_var(kind.is_int)).collect();
    let mut forms = if kind.equations == 0 { vars.clone() } else { Vec::new() };
    for _ in 0..kind.forms {
        let terms: Vec<(Var, Rat)> = (0..kind.length)
            .map(|position| {
                let var = vars[random.below(kind.vars) as usize];
                let size = random.between(1, kind.coefficient);
                (var, Rat::from(if position % 2 == 0 { size } else { -size }))
            })
            .collect();
        forms.push(arith.form(&terms));
    }
    forms
}

fn walk(kind: &Kind, checks: usize) -> (Arith, Counts) {
    let mut random = Rng::new(0x1234_5678_9abc_def1);
    let mut arith = Arith::new();
    let forms = forms(kind, &mut random, &mut arith);
    let mut counts = Counts::default();
    let mut level = 0;
    let mut implied = Vec::new();
    while counts.checks < checks {
        arith.push();
        level += 1;
        let mut result = Ok(());
        for _ in 0..3 {
            let var = forms[random.below(forms.len() as u64) as usize];
            let side = if random.below(2) == 0 { Side::Lower } else { Side::Upper };
            let value = random.between(-kind.size, kind.size);
            let value = Delta::from(Rat::from(value));
            if random.below(100) < kind.equations {
                let bound = Bound { var, side: side.opposite(), value: value.clone() };
                result = result.and_then(|()| arith.assert(bound, var.0));
            }
            result = result.and_then(|()| arith.assert(Bound { var, side, value }, var.0));
        }
        counts.checks += 1;
        let result = result.and_then(|()| arith.check()).map_err(|certificate| {
            counts.length += certificate.hypotheses.len();
        });
        let mut is_conflict = result.is_err();
        if !is_conflict && kind.is_int {
            match arith.check_integers(Effort::Full) {
                Integers::Model => counts.models += 1,
                Integers::Conflict(certificate) => {
                    is_conflict = true;
                    counts.length += certificate.hypotheses.len();
                }
                Integers::Branch { .. } => counts.branches += 1,
                Integers::Unknown => {}
            }
        }
        if is_conflict {
            counts.conflicts += 1;
            let back = 1 + random.below(level.min(4)) as usize;
            arith.pop(back);
            level -= back as u64;
        } else {
            implied.clear();
            arith.implied(&mut implied);
            counts.implied += implied.len();
        }
        if level > 60 {
            arith.pop(level as usize);
            level = 0;
        }
    }
    (arith, counts)
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let checks = arguments.get(1).and_then(|text| text.parse().ok()).unwrap_or(100_000);
    for kind in KINDS {
        if arguments.first().is_some_and(|name| name != kind.name && name != "all") {
            continue;
        }
        let start = Instant::now();
        let (arith, counts) = walk(&kind, checks);
        let seconds = start.elapsed().as_secs_f64();
        let per = |count: f64| count / counts.checks as f64;
        println!(
            "{:18} {:8.2} us/check {:6.2} pivots {:6.3} conflicts of {:5.2} {:6.2} implied \
             {:6.3} models {:6.3} branches {:6.3} cuts",
            kind.name,
            per(seconds * 1e6),
            per(arith.stats().pivots as f64),
            per(counts.conflicts as f64),
            counts.length as f64 / counts.conflicts.max(1) as f64,
            per(counts.implied as f64),
            per(counts.models as f64),
            per(counts.branches as f64),
            per(arith.stats().cuts as f64),
        );
    }
}
