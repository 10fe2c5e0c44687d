//! What an answer of the solver must satisfy, and how other solvers are asked the same.

use alphorn_smt::{Answer, Smt};
use alphorn_term::{Func, Op, Store, TermId};

/// Models are evaluated inside; a refutation must be accepted.
pub fn check_answer(smt: &Smt, store: &mut Store, answer: Answer, what: &str) {
    if answer != Answer::Unsat || !smt.options().proofs {
        return;
    }
    let refutation = smt.refutation(store).unwrap_or_else(|| panic!("{what}: no refutation"));
    let result = alphorn_check::proof::refute(store, &refutation.assertions, &refutation.proof);
    if let Err(refusal) = result {
        let show = |store: &Store, literal: &alphorn_problem::evidence::proof::Literal| {
            format!("{}{}", if literal.negated { "¬" } else { "" }, store.show(literal.atom))
        };
        for (number, step) in refutation.proof.steps.iter().enumerate() {
            let clause: Vec<String> = step.clause.iter().map(|l| show(store, l)).collect();
            eprintln!("{number}: {{{}}} {:?}", clause.join(", "), step.rule);
        }
        panic!("{what}: refused: {refusal:?}");
    }
}

/// Declarations of what the formulas mention, for other solvers.
pub fn declarations(store: &Store, formulas: &[TermId]) -> String {
    let mut text = String::new();
    let terms = store.subterms(formulas);
    text.push_str(&data_declarations(store));
    for var in store.free_vars(formulas) {
        let sort = store.show_sort(store.sort(var));
        text.push_str(&format!("(declare-const {} {sort})\n", store.show(var)));
    }
    let mut seen = Vec::new();
    for &term in &terms {
        if let Op::Apply(func) = store.op(term)
            && !seen.contains(&func)
        {
            seen.push(func);
            let Func { name, args, result } = store.func(func);
            let args: Vec<String> = args.iter().map(|sort| store.show_sort(*sort)).collect();
            let (name, result) = (store.name(*name), store.show_sort(*result));
            text.push_str(&format!("(declare-fun {name} ({}) {result})\n", args.join(" ")));
        }
    }
    let is_word = |c: char| c.is_alphanumeric() || "_!".contains(c);
    let is_element = |term: &TermId| store.show_sort(store.sort(*term)) == "U";
    if text.split(|c| !is_word(c)).any(|word| word == "U") || terms.iter().any(is_element) {
        text.insert_str(0, "(declare-sort U 0)\n");
    }
    text
}

/// Declarations of all datatypes.
fn data_declarations(store: &Store) -> String {
    let (mut names, mut bodies) = (String::new(), String::new());
    for data in store.datas() {
        names.push_str(&format!(" ({} 0)", store.name(store.data(data).name)));
        bodies.push_str(" (");
        for ctor in &store.data(data).ctors {
            bodies.push_str(&format!("({}", store.name(store.ctor(*ctor).name)));
            for (name, sort) in &store.ctor(*ctor).fields {
                bodies.push_str(&format!(" ({} {})", store.name(*name), store.show_sort(*sort)));
            }
            bodies.push(')');
        }
        bodies.push(')');
    }
    match names.is_empty() {
        true => String::new(),
        false => format!("(declare-datatypes ({names}) ({bodies}))\n"),
    }
}

/// Lets another solver judge a refutation: what was refuted goes to the file that the environment
/// names, if it names one.
pub fn publish(store: &Store, formulas: &[TermId]) {
    let Ok(path) = std::env::var("ALPHORN_SCRIPT") else { return };
    let mut text =
        format!("(reset)\n(set-option :timeout 5000)\n{}", declarations(store, formulas));
    for formula in formulas {
        text.push_str(&format!("(assert {})\n", store.show(*formula)));
    }
    text.push_str("(check-sat)\n");
    let file = std::fs::OpenOptions::new().create(true).append(true).open(path);
    let written = file.and_then(|mut file| std::io::Write::write_all(&mut file, text.as_bytes()));
    written.expect("the file can be written");
}
