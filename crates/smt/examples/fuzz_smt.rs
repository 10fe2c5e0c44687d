//! Random formulas with our answers, for another solver to compare.
//!
//! Usage: `fuzz_smt FIRST_SEED COUNT ANSWERS [numbers|arrays|words|data|mixed|quantifiers]`, with formulas
//! about one theory only if it is named; quantifiers come only if they are. Prints a script that asks each
//! question after a `(reset)` per seed, and writes our answers, a line each, to the file ANSWERS. Each seed is a
//! few questions, one formula more each time. Models are evaluated and refutations replayed here; a
//! refutation that is missing or refused ends the program. Of quantified formulas about every second is
//! closed over some of its variables, some of them with patterns, and in a model each is shown to hold.

use std::io::Write;

use alphorn_check::accept::accept;
use alphorn_problem::{Question, Verdict};
use alphorn_sat::Budget;
use alphorn_smt::quantifiers::{QuantifierLimits, show};
use alphorn_smt::{Answer, Options, Smt};
use alphorn_term::eval::Table;
use alphorn_term::{Annotations, Op, Store, TermId, Value};
use alphorn_testkit::formulas::{Formulas, Kind, check_answer};

/// The kinds of formulas, by number.
fn kind(number: u64) -> Kind {
    let none = Kind::default();
    let arrays = Kind { arrays: true, ..none };
    match number {
        0 => Kind { ints: true, ..none },
        1 => Kind { reals: true, ..none },
        2 => Kind { ints: true, operators: true, ..none },
        3 => Kind { ints: true, reals: true, operators: true, ..none },
        4 => Kind { functions: true, ..none },
        5 => Kind { ints: true, functions: true, ..none },
        6 => Kind { ints: true, reals: true, functions: true, operators: true, ..none },
        7 => Kind { ints: true, products: true, ..none },
        8 => arrays,
        9 => Kind { ints: true, ..arrays },
        10 => Kind { ints: true, functions: true, ..arrays },
        11 => Kind { nested: true, ..arrays },
        12 => Kind { ints: true, nested: true, ..arrays },
        13 => Kind { reals: true, nested: true, functions: true, ..arrays },
        14 => Kind { ints: true, functions: true, operators: true, ..arrays },
        15 | 16 => Kind { words: true, ..none },
        17 => Kind { words: true, functions: true, ..none },
        18 => Kind { words: true, functions: true, ints: true, ..none },
        19 => Kind { data: true, ..none },
        20 => Kind { data: true, ints: true, ..none },
        21 => Kind { data: true, functions: true, ..none },
        22 => Kind { data: true, ints: true, functions: true, operators: true, ..none },
        23 => Kind { ints: true, words: true, ..arrays },
        24 => Kind { ints: true, data: true, ..arrays },
        25 => Kind { words: true, data: true, functions: true, ..none },
        26 => Kind { words: true, ..arrays },
        28 => Kind { functions: true, ..none },
        29 | 30 => Kind { ints: true, functions: true, ..none },
        31 => Kind { ints: true, ..none },
        32 => Kind { words: true, functions: true, ..none },
        33 => Kind { data: true, functions: true, ..none },
        34 => Kind { data: true, ints: true, functions: true, ..none },
        _ => Kind { ints: true, words: true, data: true, functions: true, nested: true, ..arrays },
    }
}

/// Binds some of the free variables of a formula.
fn close(formulas: &mut Formulas, store: &mut Store, formula: TermId) -> TermId {
    let mut formula = formula;
    for _ in 0..1 + formulas.rng.below(2) {
        let free = store.free_vars(&[formula]);
        let is_chosen = |formulas: &mut Formulas| formulas.rng.below(3) == 0;
        let bound: Vec<TermId> = free.into_iter().filter(|_| is_chosen(formulas)).take(2).collect();
        if bound.is_empty() {
            continue;
        }
        // Names of their own: an instance must not need other ones.
        let mut own = Vec::with_capacity(bound.len());
        for var in &bound {
            own.push(store.fresh_var("x", store.sort(*var)));
        }
        formula = store.rename(formula, &bound, &own);
        let bound = own;
        formula = match formulas.rng.below(4) {
            0 => store.exists(&bound, formula),
            _ => store.forall(&bound, formula),
        };
        annotate(formulas, store, formula);
    }
    formula
}

/// Gives some quantified formulas a pattern out of the applications in them.
fn annotate(formulas: &mut Formulas, store: &mut Store, formula: TermId) {
    if !matches!(store.op(formula), Op::Forall | Op::Exists) || formulas.rng.below(3) > 0 {
        return;
    }
    let vars = store.bound_vars(formula).to_vec();
    let is_pattern = |term: &TermId| {
        let has_args = matches!(store.op(*term), Op::Apply(_)) && !store.args(*term).is_empty();
        let inside = store.subterms(&[*term]);
        let is_plain =
            |term: &TermId| matches!(store.op(*term), Op::Apply(_) | Op::Var(_) | Op::IntVal(_));
        has_args
            && inside.iter().all(is_plain)
            && store.free_vars(&[*term]).iter().any(|var| vars.contains(var))
    };
    let mut pattern: Vec<TermId> =
        store.subterms(&[formula]).into_iter().filter(is_pattern).collect();
    pattern.truncate(3);
    store.annotate(formula, Annotations { patterns: vec![pattern], ..Annotations::default() });
}

/// Whether all formulas are shown to hold in the model of the last answer; without that, no user hears
/// of it.
fn is_shown(smt: &Smt, store: &mut Store, formulas: &[TermId], what: &str) -> bool {
    let mut model = smt.model(store);
    for term in store.subterms(formulas) {
        if let Op::Apply(func) = store.op(term)
            && !model.funcs.contains_key(&func)
        {
            let default = Value::default_of(store, store.func(func).result);
            model.funcs.insert(func, Table { default, ..Table::default() });
        }
    }
    let limits = QuantifierLimits::default();
    let Some(found) = show(store, formulas, &model, &limits) else { return false };
    let question = Question { terms: store.clone(), formulas: formulas.to_vec() };
    if let Err(refusal) = accept(&question, (), Verdict::Unsafe(found)) {
        panic!("{what}: {refusal} in {model:?}");
    }
    true
}

/// How the questions of a theory are asked.
struct Manner {
    /// The numbers of the kinds.
    kinds: std::ops::Range<u64>,
    is_quantified: bool,
    formulas: u64,
    depth: u32,
    conflicts: u64,
    /// Milliseconds for the other solver.
    timeout: u32,
}

impl Manner {
    fn of(theory: Option<&str>) -> Option<Manner> {
        let plain = |kinds| Manner {
            kinds,
            is_quantified: false,
            formulas: 5,
            depth: 3,
            conflicts: 3000,
            timeout: 1000,
        };
        Some(match theory {
            None => plain(0..28),
            Some("numbers") => plain(0..8),
            Some("arrays") => plain(8..15),
            Some("words") => plain(15..19),
            Some("data") => plain(19..23),
            Some("mixed") => plain(23..28),
            Some("quantifiers") => Manner {
                kinds: 28..35,
                is_quantified: true,
                formulas: 4,
                depth: 2,
                conflicts: 2000,
                timeout: 300,
            },
            Some(_) => return None,
        })
    }

    fn solver(&self) -> Smt {
        let plain = Options { proofs: true, ..Options::default() };
        let mut smt = Smt::new(match self.is_quantified {
            true => Options { instance_rounds: 60, ..plain },
            false => plain,
        });
        smt.set_budget(Budget { conflicts: Some(self.conflicts), ..Budget::default() });
        smt
    }

    /// The formulas of a seed.
    fn formulas(&self, store: &mut Store, seed: u64) -> Vec<TermId> {
        let count = self.kinds.end - self.kinds.start;
        let mut formulas = Formulas::new(store, seed, kind(self.kinds.start + seed % count));
        let mut all = Vec::new();
        for _ in 0..self.formulas {
            let depth = 1 + formulas.rng.below(self.depth);
            let formula = formulas.formula(store, depth);
            let is_closed = self.is_quantified && formulas.rng.below(2) == 1;
            all.push(if is_closed { close(&mut formulas, store, formula) } else { formula });
        }
        all
    }
}

fn main() -> std::io::Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let manner = Manner::of(arguments.get(3).map(String::as_str));
    let (Some(manner), [first, count, answers, ..]) = (manner, &arguments[..]) else {
        eprintln!(
            "usage: fuzz_smt FIRST_SEED COUNT ANSWERS [numbers|arrays|words|data|mixed|quantifiers]"
        );
        std::process::exit(3);
    };
    let (Ok(first), Ok(count)) = (first.parse::<u64>(), count.parse::<u64>()) else {
        eprintln!("the seed and the count are numbers");
        std::process::exit(3);
    };
    let mut answers = std::io::BufWriter::new(std::fs::File::create(answers)?);
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    for seed in first..first + count {
        let mut store = Store::new();
        let all = manner.formulas(&mut store, seed);
        let mut smt = manner.solver();
        writeln!(out, "(reset)\n(set-option :timeout {})", manner.timeout)?;
        write!(out, "{}", alphorn_testkit::formulas::declarations(&store, &all))?;
        for (round, formula) in all.iter().enumerate() {
            writeln!(out, "(assert {})\n(check-sat)", store.show(*formula))?;
            smt.assert(&mut store, *formula);
            let answer = smt.check(&mut store, &[]);
            let what = format!("seed {seed}, {round}");
            check_answer(&smt, &mut store, answer, &what);
            let is_hidden = answer == Answer::Sat
                && manner.is_quantified
                && !is_shown(&smt, &mut store, &all[..=round], &what);
            let word = match answer {
                _ if is_hidden => "unknown",
                Answer::Sat => "sat",
                Answer::Unsat => "unsat",
                Answer::Unknown => "unknown",
            };
            writeln!(answers, "{seed} {round} {word}")?;
            if answer == Answer::Unsat {
                break;
            }
        }
    }
    Ok(())
}
