//! Evidence about flows that is accepted, and such that is refused.

use alphorn_check::accept::accept;
use alphorn_engine::{Ctx, Stopper};
use alphorn_flow::prove::{prove_labels, prove_ranking, prove_recurrence};
use alphorn_problem::evidence::flow::{
    Choice, Disjunctive, Initial, Level, Measure, Path, PathStep, Ranking, Recurrence, Termination,
};
use alphorn_problem::evidence::temporal::{Label, Labelling, Labels};
use alphorn_problem::flow::{LocId, Start, Transition};
use alphorn_problem::temporal::{Ends, Node, Runs, Said, Temporal};
use alphorn_problem::{Flow, Span, Verdict};
use alphorn_term::{SortId, Store, TermId, Value};

fn ctx<R>(work: impl FnOnce(&mut Ctx<'_>) -> R) -> R {
    let mut sink = |_| {};
    work(&mut Ctx::new(10_000_000, Stopper::new(), 0, &mut sink))
}

/// A flow of one variable and one location, with these transitions, which begins anywhere.
fn looping(sort: SortId, step: impl Fn(&mut Store, TermId, TermId) -> TermId) -> Flow {
    let mut terms = Store::new();
    let x = terms.var("x", sort);
    let mut flow = Flow::new(terms, &[x]);
    let at = flow.add_location("loop", Span::NONE);
    flow.starts.push(Start { at, formula: TermId::TRUE, inputs: Vec::new(), span: Span::NONE });
    let next = flow.next[0];
    let formula = step(&mut flow.terms, x, next);
    let (inputs, name, span) = (Vec::new(), None, Span::NONE);
    flow.transitions.push(Transition { from: at, to: at, formula, inputs, name, span });
    flow
}

/// While x > 0, x becomes x - 1.
fn countdown() -> Flow {
    looping(SortId::INT, |terms, x, next| {
        let (zero, one) = (terms.int(0), terms.int(1));
        let less = terms.sub(x, one);
        let (guard, step) = (terms.gt(x, zero), terms.eq(next, less));
        terms.and(&[guard, step])
    })
}

/// While x >= 0, x becomes x + 1.
fn count_up() -> Flow {
    looping(SortId::INT, |terms, x, next| {
        let (zero, one) = (terms.int(0), terms.int(1));
        let more = terms.add(&[x, one]);
        let (guard, step) = (terms.ge(x, zero), terms.eq(next, more));
        terms.and(&[guard, step])
    })
}

/// One level with this function.
fn by(flow: &Flow, function: impl Fn(&mut Store, TermId) -> TermId) -> Ranking {
    let mut terms = flow.terms.clone();
    let rank = function(&mut terms, flow.vars[0]);
    let least = terms.number(terms.sort(rank), &1.into());
    let level = Level { functions: vec![vec![rank]], removed: vec![0], least };
    Ranking { terms, invariants: vec![TermId::TRUE], measure: Measure::Levels(vec![level]) }
}

fn ends(flow: &Flow, evidence: Termination) -> bool {
    accept(flow, (), Verdict::Safe(evidence)).is_ok()
}

#[test]
fn a_number_that_decreases_and_is_not_negative_lets_no_run_go_on() {
    let flow = countdown();
    let proved = ctx(|ctx| prove_ranking(&flow, by(&flow, |_, x| x), ctx)).expect("it holds");
    assert!(ends(&flow, proved.clone()));
    // The same proofs for what does not decrease, or has no bound.
    let mut other = proved.clone();
    other.ranking.measure = by(&flow, |terms, x| terms.neg(x)).measure;
    assert!(!ends(&flow, other));
    let mut nothing = proved.clone();
    nothing.ranking.measure = Measure::Levels(Vec::new());
    assert!(!ends(&flow, nothing), "a cycle is left");
    let mut fewer = proved.clone();
    fewer.proofs.pop();
    assert!(!ends(&flow, fewer));
    // An invariant that a start does not have.
    let mut invariant = proved;
    invariant.ranking.invariants = vec![TermId::FALSE];
    assert!(!ends(&flow, invariant));
}

#[test]
fn refuses_a_rank_that_decreases_on_rationals_for_ever() {
    // While x > 0, x becomes x / 2.
    let flow = looping(SortId::REAL, |terms, x, next| {
        let (zero, two) =
            (terms.number(SortId::REAL, &0.into()), terms.number(SortId::REAL, &2.into()));
        let twice = terms.mul(&[two, next]);
        let (guard, step) = (terms.gt(x, zero), terms.eq(twice, x));
        terms.and(&[guard, step])
    });
    assert!(ctx(|ctx| prove_ranking(&flow, by(&flow, |_, x| x), ctx)).is_err());
    // With a least decrease of zero there would be proofs.
    let mut ranking = by(&flow, |_, x| x);
    if let Measure::Levels(levels) = &mut ranking.measure {
        levels[0].least = ranking.terms.number(SortId::REAL, &0.into());
    }
    let proved = ctx(|ctx| prove_ranking(&flow, ranking, ctx)).expect("each obligation holds");
    assert!(!ends(&flow, proved));
}

#[test]
fn a_rank_may_not_speak_of_the_state_afterwards() {
    let flow = countdown();
    let next = flow.next[0];
    let ranking = by(&flow, |terms, x| terms.sub(x, next));
    let proofs = vec![Default::default(); 3];
    assert!(!ends(&flow, Termination { ranking, proofs }));
}

#[test]
fn a_union_of_relations_is_checked_between_cut_points() {
    let flow = countdown();
    let mut terms = flow.terms.clone();
    let (x, saved) = (flow.vars[0], terms.var("x!saved", SortId::INT));
    let zero = terms.int(0);
    let (less, not_negative) = (terms.lt(x, saved), terms.gt(saved, zero));
    let relation = terms.and(&[less, not_negative]);
    let least = terms.int(1);
    let union = Disjunctive {
        cuts: vec![LocId(0)],
        saved: vec![saved],
        relations: vec![vec![relation]],
        functions: vec![x],
        least: vec![least],
    };
    let measure = Measure::Disjunctive(union.clone());
    let ranking = Ranking { terms, invariants: vec![TermId::TRUE], measure };
    let proved = ctx(|ctx| prove_ranking(&flow, ranking, ctx)).expect("it holds");
    assert!(ends(&flow, proved.clone()));
    let mut other = proved.clone();
    other.ranking.measure = Measure::Disjunctive(Disjunctive {
        cuts: Vec::new(),
        relations: Vec::new(),
        ..union.clone()
    });
    assert!(!ends(&flow, other), "a cycle has no cut point");
    let mut other = proved;
    other.ranking.measure = Measure::Disjunctive(Disjunctive { saved: vec![x], ..union });
    assert!(!ends(&flow, other), "a copy is the variable itself");
}

fn recurrence(flow: &Flow, set: TermId, next: TermId, terms: Store) -> Option<Recurrence> {
    let choice = Choice { when: TermId::TRUE, transition: 0, next: vec![next], inputs: Vec::new() };
    let value = |value: i64| vec![Value::Int(value.into())];
    let first = Initial { start: 0, inputs: Vec::new(), values: value(5) };
    let step = PathStep { transition: 0, inputs: Vec::new(), values: value(6) };
    let path = Path { first, steps: vec![step] };
    ctx(|ctx| prove_recurrence(flow, terms, path, vec![set], vec![choice], ctx))
        .expect("time enough")
        .ok()
}

fn goes_on(flow: &Flow, evidence: Recurrence) -> bool {
    accept(flow, (), Verdict::Unsafe(evidence)).is_ok()
}

#[test]
fn a_set_that_choices_never_leave_lets_a_run_go_on_for_ever() {
    let flow = count_up();
    let mut terms = flow.terms.clone();
    let x = flow.vars[0];
    let (zero, one) = (terms.int(0), terms.int(1));
    let (set, next) = (terms.ge(x, zero), terms.add(&[x, one]));
    let proved = recurrence(&flow, set, next, terms).expect("it holds");
    assert!(goes_on(&flow, proved.clone()));
    let mut elsewhere = proved.clone();
    elsewhere.path.first.values = vec![Value::Int(4.into())];
    assert!(!goes_on(&flow, elsewhere), "the first step does not lead there");
    let mut outside = proved.clone();
    outside.path.steps.clear();
    outside.path.first.values = vec![Value::Int((-1).into())];
    assert!(!goes_on(&flow, outside), "the path ends outside the set");
    let mut other = proved;
    other.choices[0].next = vec![zero];
    assert!(!goes_on(&flow, other), "the choice is no step of the flow");
}

#[test]
fn refuses_choices_that_leave_the_guard() {
    // From 5 downwards the guard is left at last, though each single choice is a step.
    let flow = countdown();
    let mut terms = flow.terms.clone();
    let x = flow.vars[0];
    let (zero, one) = (terms.int(0), terms.int(1));
    let (set, next) = (terms.gt(x, zero), terms.sub(x, one));
    assert!(recurrence(&flow, set, next, terms).is_none());
}

#[test]
fn refuses_a_set_that_merges_an_ending_state_with_running_ones() {
    // All states together: some of them have a successor in the set, and one has none.
    let flow = count_up();
    let mut terms = flow.terms.clone();
    let one = terms.int(1);
    let next = terms.add(&[flow.vars[0], one]);
    assert!(recurrence(&flow, TermId::TRUE, next, terms).is_none());
    // With proofs of something else it is refused all the same.
    let mut terms = flow.terms.clone();
    let (zero, one) = (terms.int(0), terms.int(1));
    let (set, next) = (terms.ge(flow.vars[0], zero), terms.add(&[flow.vars[0], one]));
    let mut proved = recurrence(&flow, set, next, terms).expect("it holds");
    proved.sets = vec![TermId::TRUE];
    assert!(!goes_on(&flow, proved));
}

/// AF (x <= 0), or AG (x >= 0) and the like: a formula of two atoms and one operator.
fn asked(
    flow: Flow,
    ends: Ends,
    make: impl Fn(&mut Store, TermId) -> [TermId; 2],
    node: Node,
) -> Temporal {
    let mut flow = flow;
    let atoms = make(&mut flow.terms, flow.vars[0]);
    let atoms = atoms.map(|atom| Node::Atom(vec![atom]));
    let nodes = atoms.into_iter().chain([node]).collect();
    Temporal { flow, nodes, ends, fairness: None, said: Said::default() }
}

fn label(set: TermId) -> Label {
    Label { sets: vec![set], choices: Vec::new(), stopped: vec![TermId::FALSE], levels: Vec::new() }
}

fn holds(problem: &Temporal, labels: Labels) -> bool {
    accept(problem, (), Verdict::Safe(labels)).is_ok()
}

#[test]
fn what_is_to_come_needs_a_rank_and_where_runs_stutter_a_step() {
    let atoms = |terms: &mut Store, x: TermId| {
        let zero = terms.int(0);
        [TermId::TRUE, terms.le(x, zero)]
    };
    for ends in [Ends::Vacuous, Ends::Stutter] {
        let problem = asked(countdown(), ends, atoms, Node::Until(Runs::All, 0, 1));
        let Node::Atom(last) = &problem.nodes[1] else { unreachable!() };
        let mut terms = problem.flow.terms.clone();
        let (x, one) = (problem.flow.vars[0], terms.int(1));
        let less = terms.sub(x, one);
        let zero = terms.int(0);
        let level = Level { functions: vec![vec![x]], removed: vec![0], least: one };
        let mut whole = label(TermId::TRUE);
        whole.levels = vec![level];
        if ends == Ends::Stutter {
            let when = terms.gt(x, zero);
            whole.choices =
                vec![Choice { when, transition: 0, next: vec![less], inputs: Vec::new() }];
        }
        let labels = vec![label(TermId::TRUE), label(last[0]), whole];
        let labelling = Labelling { terms, labels, initial: None };
        let proved = ctx(|ctx| prove_labels(&problem, labelling, ctx));
        let proved = proved.expect("time enough").expect("it holds");
        assert!(holds(&problem, proved.clone()), "{ends:?}");
        assert!(accept(&problem, (), Verdict::Unsafe(proved.clone())).is_err(), "{ends:?}");
        let mut unranked = proved.clone();
        unranked.labelling.labels[2].levels.clear();
        assert!(!holds(&problem, unranked), "{ends:?}");
        let mut wide = proved.clone();
        wide.labelling.labels[1] = label(TermId::TRUE);
        assert!(!holds(&problem, wide), "{ends:?}: an atom's label has more than the atom");
        let mut idle = proved;
        idle.labelling.labels[2].choices.clear();
        assert_eq!(holds(&problem, idle), ends == Ends::Vacuous, "{ends:?}");
    }
}

#[test]
fn a_formula_fails_by_a_state_in_the_label_of_its_negation() {
    // AG (x <= 7) fails where x counts up: EF (x > 7) from 7 on.
    let atoms = |terms: &mut Store, x: TermId| {
        let seven = terms.int(7);
        [terms.le(x, seven), TermId::FALSE]
    };
    let problem = asked(count_up(), Ends::Stutter, atoms, Node::Weak(Runs::All, 0, 1));
    let mut terms = problem.flow.terms.clone();
    let nodes = problem.labelled(true, &mut terms);
    assert_eq!(nodes.len(), 4, "{nodes:?}");
    let Node::Atom(above) = nodes[0].clone() else { unreachable!() };
    let (x, one, seven) = (problem.flow.vars[0], terms.int(1), terms.int(7));
    let more = terms.add(&[x, one]);
    let whole = Label {
        sets: vec![terms.ge(x, seven)],
        choices: vec![Choice {
            when: TermId::TRUE,
            transition: 0,
            next: vec![more],
            inputs: Vec::new(),
        }],
        levels: vec![Level {
            functions: vec![vec![terms.ite(above[0], seven, one)]],
            removed: vec![0],
            least: one,
        }],
        ..label(TermId::TRUE)
    };
    let zero = terms.int(0);
    let mut whole = whole;
    whole.levels[0].functions = vec![vec![terms.ite(above[0], zero, one)]];
    let labels = vec![label(above[0]), label(TermId::TRUE), label(above[0]), whole];
    let value = |value: i64| Initial {
        start: 0,
        inputs: Vec::new(),
        values: vec![Value::Int(value.into())],
    };
    let labelling = Labelling { terms, labels, initial: Some(value(7)) };
    let proved = ctx(|ctx| prove_labels(&problem, labelling, ctx));
    let proved = proved.expect("time enough").expect("it holds");
    let fails = |labels: Labels| accept(&problem, (), Verdict::Unsafe(labels)).is_ok();
    assert!(fails(proved.clone()));
    let mut other = proved;
    other.labelling.initial = Some(value(6));
    assert!(!fails(other), "that state is not in the label");
}
