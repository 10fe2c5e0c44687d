//! Programs as Horn clauses: clauses are safe exactly if no run violates a check, and what a derivation
//! tells is a run that does.

mod oracle;
mod random;

use alphorn_chc::engines::HORN_ENGINES;
use alphorn_check::accept::accept;
use alphorn_engine::{Ctx, Stopper};
use alphorn_horn::conclude;
use alphorn_problem::{Horn, Span, Verdict};
use alphorn_program::clauses::story::{Told, tell};
use alphorn_program::clauses::{Site, clauses};
use alphorn_program::form::{
    Action, Block, BlockId, Check, Jump, Observation, Proc, ProcId, Program, Step,
};
use alphorn_term::{SortId, Value};
use alphorn_testkit::Rng;

/// A checked verdict about the clauses, by whichever of the engines finds one within its ticks.
fn verdict(horn: &Horn) -> Option<Verdict<Horn>> {
    for name in ["forward", "pdr", "la"] {
        let card = HORN_ENGINES.iter().find(|card| card.name == name).expect("an engine");
        let mut sink = |_| {};
        let mut ctx = Ctx::new(3_000_000, Stopper::new(), 1, &mut sink);
        let Ok(finding) = (card.build)().run(horn, &mut ctx) else { continue };
        let Ok(verdict) = conclude(horn, finding, &mut ctx) else { continue };
        let checked = accept(horn, (), verdict).expect("evidence is right");
        return Some(checked.verdict().clone());
    }
    None
}

/// The verdicts on random programs, with so many of them decided.
fn check(seeds: u64, least: usize, shape: random::Shape) {
    let (mut decided, mut safe, mut called) = (0, 0, 0);
    for seed in 0..seeds {
        let program = random::program(&mut Rng::new(seed), shape);
        let is_violated = oracle::is_violated(&program);
        let made = clauses(&program);
        made.horn.validate().expect("the clauses are sound");
        match verdict(&made.horn) {
            None => continue,
            Some(Verdict::Safe(_)) => {
                assert!(!is_violated, "seed {seed}: safe clauses of a violated program");
                safe += 1;
            }
            Some(Verdict::Unsafe(derivation)) => {
                assert!(is_violated, "seed {seed}: unsafe clauses of a program without violation");
                if shape.observes {
                    let told = tell(&made, &derivation).expect("the derivation is a run");
                    let values: Vec<i64> = told
                        .iter()
                        .map(|told| match told {
                            Told::Value(Value::Int(value)) => {
                                value.to_i64().expect("a small value")
                            }
                            other => panic!("seed {seed}: {other:?} was observed"),
                        })
                        .collect();
                    oracle::replay(&program, &values)
                        .unwrap_or_else(|why| panic!("seed {seed}: {values:?}: {why}"));
                }
            }
        }
        decided += 1;
        called += usize::from(made.spots.iter().any(|spot| matches!(spot.site, Site::Summary(_))));
    }
    // Both verdicts are met, and summaries where there are calls.
    assert!(safe >= decided / 10 && decided - safe >= decided / 10, "{safe} of {decided} are safe");
    assert!(shape.procs < 3 || called >= decided / 10, "{called} of {decided} have summaries");
    assert!(decided >= least, "only {decided} of {seeds} programs were decided");
}

#[test]
fn clauses_of_programs_without_calls_are_safe_exactly_if_no_check_fails() {
    check(1500, 1300, random::Shape { procs: 1, observes: false, blocks: 5 });
}

#[test]
fn clauses_of_programs_with_calls_and_recursion_are_safe_exactly_if_no_check_fails() {
    check(1500, 1100, random::Shape { procs: 3, observes: false, blocks: 4 });
}

#[test]
fn clauses_with_many_paths_are_safe_exactly_if_no_check_fails() {
    check(600, 400, random::Shape { procs: 2, observes: false, blocks: 14 });
}

/// A program that draws a number, has it counted down by a recursive procedure that draws one more number
/// before it returns, and must not get seven of both.
#[test]
fn choices_before_a_call_are_told_once_and_before_those_of_the_call() {
    let mut program = Program::default();
    let [n, result, input, output, drawn] = ["n", "result", "in", "out", "drawn"]
        .map(|name| program.add_var(name, SortId::INT, Span::NONE));
    let term = |program: &Program, var| program.term(var);
    let (zero, one, three, seven) =
        (program.terms.int(0), program.terms.int(1), program.terms.int(3), program.terms.int(7));
    let step = |action| Step { action, span: Span::NONE };
    let block = |steps, jump| Block { label: None, span: Span::NONE, steps, jump };
    let (n_term, input_term) = (term(&program, n), term(&program, input));
    let is_three = program.terms.eq(n_term, three);
    let result_term = term(&program, result);
    let is_seven = program.terms.eq(result_term, seven);
    let formula = program.terms.not(is_seven);
    let call = |args, result| Action::Call { proc: ProcId(1), args, results: vec![result] };
    let observe = |term| Action::Observe(Observation::Value(term));
    let main = vec![block(
        vec![
            step(Action::Havoc(vec![n])),
            step(observe(n_term)),
            step(Action::Assume(is_three)),
            step(call(vec![n_term], result)),
            step(Action::Check(Check { property: "check".to_owned(), formula })),
        ],
        Jump::Return,
    )];
    let is_zero = program.terms.eq(input_term, zero);
    let less = program.terms.sub(input_term, one);
    let (out_term, drawn_term) = (term(&program, output), term(&program, drawn));
    let more = program.terms.add(&[out_term, one]);
    let down = vec![
        block(vec![], Jump::Branch(is_zero, BlockId(1), BlockId(2))),
        block(
            vec![
                step(Action::Havoc(vec![drawn])),
                step(observe(drawn_term)),
                step(Action::Assign(vec![(output, drawn_term)])),
            ],
            Jump::Return,
        ),
        block(
            vec![step(call(vec![less], output)), step(Action::Assign(vec![(output, more)]))],
            Jump::Return,
        ),
    ];
    program.procs = vec![
        Proc { name: "main".into(), locals: vec![n, result], blocks: main, ..Proc::default() },
        Proc {
            name: "down".into(),
            inputs: vec![input],
            outputs: vec![output],
            locals: vec![drawn],
            blocks: down,
            ..Proc::default()
        },
    ];
    program.entry = Some(ProcId(0));
    let made = clauses(&program);
    let Some(Verdict::Unsafe(derivation)) = verdict(&made.horn) else { panic!("it is violated") };
    let told = tell(&made, &derivation).expect("the derivation is a run");
    let value = |number: i64| Told::Value(Value::Int(number.into()));
    assert_eq!(told, [value(3), value(4)]);
}

#[test]
fn what_a_derivation_tells_is_a_run_that_violates_a_check() {
    check(1500, 1200, random::Shape { procs: 1, observes: true, blocks: 5 });
    check(1500, 1100, random::Shape { procs: 3, observes: true, blocks: 4 });
    check(600, 400, random::Shape { procs: 2, observes: true, blocks: 14 });
}
