//! Decides bounded unrollings of word-level systems, or prints them.
//!
//! The states of a step are terms over the inputs of the steps before it; the formulas say that the
//! constraints hold in all steps and that one of the properties is violated in the last.
//!
//! Usage: `unroll_words FILE DEPTH [--print | --stats] [--proofs] [--limit SECONDS]`
//!
//! What is printed is SMT-LIB, with a definition for each state of each step.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use alphorn_problem::Words;
use alphorn_smt::{Answer, Options, Smt};
use alphorn_term::{Op, Store, Substitution, TermId};

/// What a run of some steps has to satisfy, and how its symbols are printed.
struct Unrolling {
    store: Store,
    formulas: Vec<TermId>,
    /// Declarations and definitions, and formulas that are asserted.
    script: String,
}

fn unroll(words: &Words, depth: usize) -> Unrolling {
    let mut unrolling =
        Unrolling { store: words.terms.clone(), formulas: Vec::new(), script: String::new() };
    // The variables of the system are the terms that they are, and the names that they have.
    let (mut terms, mut names) = (Substitution::default(), Substitution::default());
    for state in &words.states {
        let value = state.init.map(|init| unrolling.copy(init, &terms, &names));
        unrolling.define(state.var, 0, value, &mut terms, &mut names);
    }
    for step in 0..=depth {
        for &input in &words.inputs {
            unrolling.define(input, step, None, &mut terms, &mut names);
        }
        for constraint in &words.constraints {
            let formulas = unrolling.copy(constraint.term, &terms, &names);
            unrolling.assert(formulas);
        }
        if step == depth {
            let bads: Vec<TermId> = words.bads.iter().map(|bad| bad.term).collect();
            let bad = unrolling.store.or(&bads);
            let formulas = unrolling.copy(bad, &terms, &names);
            unrolling.assert(formulas);
            break;
        }
        let (mut next_terms, mut next_names) = (Substitution::default(), Substitution::default());
        for state in &words.states {
            let value = state.next.map(|next| unrolling.copy(next, &terms, &names));
            unrolling.define(state.var, step + 1, value, &mut next_terms, &mut next_names);
        }
        (terms, names) = (next_terms, next_names);
    }
    unrolling
}

impl Unrolling {
    /// A term of the system at a step: as it is, and as it is printed.
    fn copy(
        &mut self,
        term: TermId,
        terms: &Substitution,
        names: &Substitution,
    ) -> (TermId, TermId) {
        (self.store.substitute(term, terms), self.store.substitute(term, names))
    }

    fn define(
        &mut self,
        var: TermId,
        step: usize,
        value: Option<(TermId, TermId)>,
        terms: &mut Substitution,
        names: &mut Substitution,
    ) {
        let sort = self.store.sort(var);
        let name = self.store.fresh_var(&format!("v{}at{step}", var.index()), sort);
        names.insert(var, name);
        terms.insert(var, value.map_or(name, |(term, _)| term));
        let (sort, shown) = (self.store.show_sort(sort), self.store.show(name));
        self.script.push_str(&match value {
            None => format!("(declare-const {shown} {sort})\n"),
            Some((_, text)) => {
                format!("(define-fun {shown} () {sort} {})\n", self.store.show(text))
            }
        });
    }

    fn assert(&mut self, (term, text): (TermId, TermId)) {
        self.formulas.push(term);
        self.script.push_str(&format!("(assert {})\n", self.store.show(text)));
    }
}

fn fail(message: impl std::fmt::Display) -> ! {
    eprintln!("{message}");
    std::process::exit(3);
}

fn main() {
    let mut arguments: Vec<String> = std::env::args().skip(1).collect();
    let mut has = |name: &str| {
        let place = arguments.iter().position(|argument| argument == name);
        place.map(|place| arguments.remove(place)).is_some()
    };
    let (print, stats, proofs) = (has("--print"), has("--stats"), has("--proofs"));
    let limit = arguments.iter().position(|argument| argument == "--limit");
    let limit = limit.map(|place| arguments.drain(place..place + 2).nth(1).unwrap_or_default());
    let [path, depth] = &arguments[..] else { fail("usage: unroll_words FILE DEPTH …") };
    let bytes = std::fs::read(path).unwrap_or_else(|error| fail(error));
    let (Some(words), _) = alphorn_front::btor2::read(&bytes) else { fail("the file has errors") };
    let depth = depth.parse().unwrap_or_else(|error| fail(error));
    let Unrolling { mut store, formulas, script } = unroll(&words, depth);
    if print {
        let has_arrays = store
            .subterms(&formulas)
            .iter()
            .any(|term| matches!(store.op(*term), Op::Select | Op::Store | Op::ConstArray));
        let logic = if has_arrays { "QF_ABV" } else { "QF_BV" };
        print!("(set-logic {logic})\n{script}(check-sat)\n");
        return;
    }
    let start = Instant::now();
    let interrupt = Arc::new(AtomicBool::new(false));
    if let Some(seconds) = limit.and_then(|text| text.parse().ok()) {
        let flag = Arc::clone(&interrupt);
        std::thread::spawn(move || {
            std::thread::sleep(Duration::from_secs(seconds));
            flag.store(true, Ordering::Relaxed);
        });
    }
    let mut smt = Smt::new(Options { proofs, ..Options::default() });
    smt.set_interrupt(interrupt);
    for formula in formulas {
        smt.assert(&mut store, formula);
    }
    let encoded = start.elapsed();
    let answer = match smt.check(&mut store, &[]) {
        Answer::Sat => "sat",
        Answer::Unsat => "unsat",
        Answer::Unknown => "unknown",
    };
    println!("{answer} {:.3}", start.elapsed().as_secs_f64());
    if stats {
        println!("encoded after {:.3} s, {} variables", encoded.as_secs_f64(), smt.size());
        for (name, value) in smt.stats().entries().filter(|(_, value)| *value > 0) {
            println!("  {name:16} {value}");
        }
    }
    if proofs && answer == "unsat" {
        let start = Instant::now();
        let Some(refutation) = smt.refutation(&mut store) else { fail("no refutation") };
        let written = start.elapsed();
        let steps = refutation.proof.steps.len();
        let result =
            alphorn_check::proof::refute(&store, &refutation.assertions, &refutation.proof);
        let checked = start.elapsed() - written;
        println!(
            "{steps} steps written in {:.3} s, checked in {:.3} s: {result:?}",
            written.as_secs_f64(),
            checked.as_secs_f64()
        );
    }
}
