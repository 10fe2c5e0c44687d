//! Recursive definitions in models of scripts: accepted where recursion is seen to end and the listed
//! cases are right, refused where a function may not exist, and refused when changed.

use alphorn_check::Refusal;
use alphorn_check::accept::{accept, accept_growing};
use alphorn_problem::evidence::proof::{Literal, Proof, ProofStep, Rule, StepId};
use alphorn_problem::evidence::script::{Reason, ScriptModel};
use alphorn_problem::{Question, Verdict};
use alphorn_term::eval::{Elsewhere, Table};
use alphorn_term::{CtorId, FuncId, Model, Op, SortId, Store, TermId, Value};

fn int(value: i64) -> Value {
    Value::Int(value.into())
}

/// Numbers and lists, and a function of each.
struct World {
    store: Store,
    f: FuncId,
    length: FuncId,
    n: TermId,
    list: TermId,
    nil: CtorId,
    cons: CtorId,
}

impl World {
    fn new() -> World {
        World::with_lists(false)
    }

    /// Lists that are finite, or that may be infinite.
    fn with_lists(are_infinite: bool) -> World {
        let mut store = Store::new();
        let data = store.declare_data_or_codata("List", &[], are_infinite);
        let sort = store.data(data).sort;
        let tail = ("tail".to_owned(), sort);
        let cons = vec![("head".to_owned(), SortId::INT), tail];
        store.define_data(data, &[("nil", vec![]), ("cons", cons)]);
        let ctors = store.data(data).ctors.clone();
        World {
            f: store.declare("f", &[SortId::INT], SortId::INT),
            length: store.declare("length", &[sort], SortId::INT),
            n: store.var("n", SortId::INT),
            list: store.var("list", sort),
            store,
            nil: ctors[0],
            cons: ctors[1],
        }
    }

    fn apply(&mut self, func: FuncId, arg: TermId) -> TermId {
        self.store.mk(Op::Apply(func), &[arg])
    }

    fn plus(&mut self, term: TermId, number: i64) -> TermId {
        let number = self.store.int(number);
        self.store.mk(Op::Add, &[term, number])
    }

    /// `f(n + step) + 1`
    fn next(&mut self, step: i64) -> TermId {
        let arg = self.plus(self.n, step);
        let call = self.apply(self.f, arg);
        self.plus(call, 1)
    }

    fn tail(&mut self, list: TermId) -> TermId {
        self.store.mk(Op::Field(self.cons, 1), &[list])
    }

    fn defines_f(&mut self, body: TermId) -> TermId {
        let call = self.apply(self.f, self.n);
        let equation = self.store.eq(call, body);
        self.store.forall(&[self.n], equation)
    }

    /// `if n <= bound then 0 else f(n + step) + 1`
    fn counts(&mut self, bound: i64, step: i64) -> TermId {
        let (zero, bound) = (self.store.int(0), self.store.int(bound));
        let is_done = self.store.le(self.n, bound);
        let next = self.next(step);
        let body = self.store.ite(is_done, zero, next);
        self.defines_f(body)
    }

    /// `if is_nil(list) then 0 else length(part) + 1`
    fn measures(&mut self, part: TermId) -> TermId {
        let zero = self.store.int(0);
        let is_done = self.store.mk(Op::Is(self.nil), &[self.list]);
        let inner = self.apply(self.length, part);
        let next = self.plus(inner, 1);
        let body = self.store.ite(is_done, zero, next);
        let call = self.apply(self.length, self.list);
        let equation = self.store.eq(call, body);
        self.store.forall(&[self.list], equation)
    }

    /// `f(at) = value`
    fn is(&mut self, at: i64, value: i64) -> TermId {
        let (at, value) = (self.store.int(at), self.store.int(value));
        let call = self.apply(self.f, at);
        self.store.eq(call, value)
    }
}

fn table(cases: &[(i64, i64)]) -> Table {
    let entries = cases.iter().map(|(at, value)| (vec![int(*at)], int(*value)));
    Table { entries: entries.collect(), ..Table::default() }
}

fn judge(
    world: &World,
    formulas: &[TermId],
    reasons: &[Reason],
    model: &[(FuncId, Table)],
) -> Result<(), Refusal> {
    let question = Question { terms: world.store.clone(), formulas: formulas.to_vec() };
    let model = Model { funcs: model.iter().cloned().collect(), ..Model::new() };
    let evidence = ScriptModel { model, reasons: reasons.to_vec(), ..ScriptModel::default() };
    accept(&question, (), Verdict::Unsafe(evidence)).map(|_| ())
}

#[track_caller]
fn refused(result: Result<(), Refusal>, why: &str) {
    let refusal = result.expect_err("refused");
    assert!(refusal.to_string().contains(why), "{refusal}");
}

const NOT_SMALLER: &str = "not seen to be smaller";

#[test]
fn a_function_of_numbers_that_counts_down_to_a_bound() {
    let mut world = World::new();
    let f = world.f;
    let define = Reason::Define { func: f, smaller: Some(0) };
    let (axiom, fact) = (world.counts(0, -1), world.is(2, 2));
    let formulas = [axiom, fact];
    let reasons = [define.clone(), Reason::Evaluate];
    let cases = [(0, 0), (1, 1), (2, 2)];
    assert_eq!(judge(&world, &formulas, &reasons, &[(f, table(&cases))]), Ok(()));
    // A case is missing, wrong, or everything else is said to have a value.
    let short = judge(&world, &formulas, &reasons, &[(f, table(&cases[1..]))]);
    refused(short, "has no value");
    let wrong = [(0, 0), (1, 2), (2, 2)];
    refused(judge(&world, &formulas, &reasons, &[(f, table(&wrong))]), "not what its body says");
    let whole = Table { default: Some(int(0)), ..table(&cases) };
    refused(judge(&world, &formulas, &reasons, &[(f, whole)]), "besides the listed ones");
    let steps = Table { elsewhere: Elsewhere::Steps, ..table(&cases) };
    refused(judge(&world, &formulas, &reasons, &[(f, steps)]), "besides the listed ones");
    // The facts are false, or ask for a case that is not listed.
    for fact in [world.is(2, 3), world.is(3, 3)] {
        assert!(judge(&world, &[axiom, fact], &reasons, &[(f, table(&cases))]).is_err());
    }
    // No argument is named, one that is not there, or another function.
    for smaller in [None, Some(1)] {
        let reasons = [Reason::Define { func: f, smaller }, Reason::Evaluate];
        let result = judge(&world, &formulas, &reasons, &[(f, table(&cases))]);
        refused(result, "no argument is named");
    }
    let other = [Reason::Define { func: world.length, smaller: Some(0) }, Reason::Evaluate];
    let result = judge(&world, &formulas, &other, &[(f, table(&cases))]);
    refused(result, "does not say what the function is");
}

#[test]
fn recursion_without_an_end_is_no_definition() {
    let mut world = World::new();
    let f = world.f;
    let reasons = [Reason::Define { func: f, smaller: Some(0) }];
    // f(n) = f(n) + 1 has no solution, f(n) = f(n - 1) + 1 many; steps up never come to the bound.
    for step in [0, -1, 1] {
        let body = world.next(step);
        let axiom = world.defines_f(body);
        refused(judge(&world, &[axiom], &reasons, &[(f, table(&[]))]), NOT_SMALLER);
    }
    for step in [0, 1] {
        let axiom = world.counts(0, step);
        refused(judge(&world, &[axiom], &reasons, &[(f, table(&[]))]), NOT_SMALLER);
    }
    // n = 0 is missed by negative numbers.
    let zero = world.store.int(0);
    let is_zero = world.store.eq(world.n, zero);
    let next = world.next(-1);
    let body = world.store.ite(is_zero, zero, next);
    let axiom = world.defines_f(body);
    refused(judge(&world, &[axiom], &reasons, &[(f, table(&[]))]), NOT_SMALLER);
    // The call is in the wrong branch, or in the condition itself.
    let is_done = world.store.le(world.n, zero);
    let body = world.store.ite(is_done, next, zero);
    let axiom = world.defines_f(body);
    refused(judge(&world, &[axiom], &reasons, &[(f, table(&[]))]), NOT_SMALLER);
    let is_next_done = world.store.le(next, zero);
    let body = world.store.ite(is_next_done, zero, world.n);
    let axiom = world.defines_f(body);
    refused(judge(&world, &[axiom], &reasons, &[(f, table(&[]))]), NOT_SMALLER);
    // Guarded in one place, and not in another.
    let guarded = world.store.ite(is_done, zero, next);
    let body = world.store.mk(Op::Add, &[guarded, next]);
    let axiom = world.defines_f(body);
    refused(judge(&world, &[axiom], &reasons, &[(f, table(&[]))]), NOT_SMALLER);
}

#[test]
fn a_function_of_lists_that_calls_itself_on_parts() {
    let mut world = World::new();
    let length = world.length;
    let reasons = [Reason::Define { func: length, smaller: Some(0) }];
    let tail = world.tail(world.list);
    let axiom = world.measures(tail);
    let nil = Value::data(world.nil, vec![]).expect("small");
    let one = Value::data(world.cons, vec![int(7), nil.clone()]).expect("small");
    let entries = [(vec![nil.clone()], int(0)), (vec![one], int(1))];
    let cases = Table { entries: entries.into_iter().collect(), ..Table::default() };
    assert_eq!(judge(&world, &[axiom], &reasons, &[(length, cases)]), Ok(()));
    // The tail of the tail need not be one; the list itself is no part.
    let far = world.tail(tail);
    for part in [far, world.list] {
        let axiom = world.measures(part);
        let result = judge(&world, &[axiom], &reasons, &[(length, Table::default())]);
        refused(result, NOT_SMALLER);
    }
    // Without a test, the tail of nil may be anything, nil as well.
    let inner = world.apply(length, tail);
    let body = world.plus(inner, 1);
    let call = world.apply(length, world.list);
    let equation = world.store.eq(call, body);
    let axiom = world.store.forall(&[world.list], equation);
    let result = judge(&world, &[axiom], &reasons, &[(length, Table::default())]);
    refused(result, NOT_SMALLER);
}

#[test]
fn parts_of_infinite_lists_are_not_smaller() {
    let mut world = World::with_lists(true);
    let reasons = [Reason::Define { func: world.length, smaller: Some(0) }];
    let tail = world.tail(world.list);
    let axiom = world.measures(tail);
    let result = judge(&world, &[axiom], &reasons, &[(world.length, Table::default())]);
    refused(result, NOT_SMALLER);
}

#[test]
fn a_conjunction_is_guarded_by_members_without_functions() {
    let mut world = World::new();
    let p = world.store.declare("p", &[SortId::INT], SortId::BOOL);
    let reasons = [Reason::Define { func: p, smaller: Some(0) }];
    let zero = world.store.int(0);
    let is_positive = world.store.lt(zero, world.n);
    let less = world.plus(world.n, -1);
    let (call, inner) = (world.apply(p, world.n), world.apply(p, less));
    let guarded = world.store.and(&[is_positive, inner]);
    let equation = world.store.eq(call, guarded);
    let axiom = world.store.forall(&[world.n], equation);
    let entries = [(vec![int(0)], false), (vec![int(1)], false)];
    let entries = entries.map(|(at, value)| (at, Value::Bool(value)));
    let cases = Table { entries: entries.into_iter().collect(), ..Table::default() };
    assert_eq!(judge(&world, &[axiom], &reasons, &[(p, cases.clone())]), Ok(()));
    // A member that calls the function says nothing before it is known itself.
    let positive_call = world.store.or(&[is_positive, call]);
    let circular = world.store.and(&[positive_call, inner]);
    let equation = world.store.eq(call, circular);
    let axiom = world.store.forall(&[world.n], equation);
    refused(judge(&world, &[axiom], &reasons, &[(p, cases)]), NOT_SMALLER);
    // What a predicate is not says what it is.
    let opposite = world.store.not(guarded);
    let equation = world.store.eq(call, opposite);
    let axiom = world.store.forall(&[world.n], equation);
    let entries = [(vec![int(0)], true), (vec![int(1)], false), (vec![int(2)], true)];
    let entries = entries.map(|(at, value)| (at, Value::Bool(value)));
    let cases = Table { entries: entries.into_iter().collect(), ..Table::default() };
    assert_eq!(judge(&world, &[axiom], &reasons, &[(p, cases.clone())]), Ok(()));
    let mut wrong = cases;
    wrong.entries.insert(vec![int(1)], Value::Bool(true));
    refused(judge(&world, &[axiom], &reasons, &[(p, wrong)]), "not what its body says");
}

#[test]
fn definitions_come_in_an_order() {
    let mut world = World::new();
    let (f, g) = (world.f, world.store.declare("g", &[SortId::INT], SortId::INT));
    let define = |func, smaller| Reason::Define { func, smaller };
    // g(n) = f(n + 5) uses what is defined before it.
    let more = world.plus(world.n, 5);
    let (inner, call) = (world.apply(f, more), world.apply(g, world.n));
    let equation = world.store.eq(call, inner);
    let user = world.store.forall(&[world.n], equation);
    let used = world.counts(0, -1);
    let reasons = [define(f, Some(0)), define(g, None)];
    assert_eq!(judge(&world, &[used, user], &reasons, &[]), Ok(()));
    let reversed = [define(g, None), define(f, Some(0))];
    refused(judge(&world, &[user, used], &reversed, &[]), "not defined before it");
    // Functions that call each other, each on less: f(n) = g(n - 1), g(n) = f(n + 5).
    let less = world.plus(world.n, -1);
    let inner = world.apply(g, less);
    let zero = world.store.int(0);
    let is_done = world.store.le(world.n, zero);
    let body = world.store.ite(is_done, zero, inner);
    let mutual = world.defines_f(body);
    refused(judge(&world, &[mutual, user], &reasons, &[]), "not defined before it");
    // One function, two definitions.
    let twice = [define(f, Some(0)), define(f, Some(0))];
    let other = world.counts(1, -1);
    refused(judge(&world, &[used, other], &twice, &[]), "defined already");
    // Beside definitions there are no finite sorts and no refutations.
    let refuted = [define(f, Some(0)), Reason::Refute(Proof::default())];
    refused(judge(&world, &[used, user], &refuted, &[]), "formulas are evaluated");
    // Other variables and quantifiers are not in bodies.
    let m = world.store.var("m", SortId::INT);
    let axiom = world.defines_f(m);
    refused(judge(&world, &[axiom], &[define(f, None)], &[]), "other variables");
}

/// A refutation may need a term that the question does not have. In a store that may grow it is made
/// there, and the store is not copied.
#[test]
fn what_a_refutation_makes_stays_in_a_store_that_may_grow() {
    let mut store = Store::new();
    let p = store.declare("p", &[SortId::INT], SortId::BOOL);
    let x = store.var("x", SortId::INT);
    let holds = store.mk(Op::Apply(p), &[x]);
    let axiom = store.forall(&[x], holds);
    let two = store.int(2);
    let instance = store.mk(Op::Apply(p), &[two]);
    let denial = store.not(instance);
    let formulas = vec![axiom, denial];
    let literal = |term: TermId| Literal::of(&store, term);
    let steps = vec![
        ProofStep { clause: vec![literal(axiom)], rule: Rule::Assert(0) },
        ProofStep { clause: vec![literal(denial)], rule: Rule::Assert(1) },
        ProofStep {
            clause: vec![!literal(axiom), literal(instance)],
            rule: Rule::Instantiate(vec![two]),
        },
        ProofStep { clause: Vec::new(), rule: Rule::Rup(vec![StepId(0), StepId(1), StepId(2)]) },
    ];
    let mut question = Question { terms: store.clone(), formulas };
    let proof = Proof { steps };
    assert!(accept(&question, (), Verdict::Safe(proof.clone())).is_ok());
    let before = question.terms.effort();
    assert!(accept_growing(&mut question, (), Verdict::Safe(proof.clone())).is_ok());
    assert!(question.terms.extends(&store));
    assert!(question.terms.effort() > before, "the instance was made here");
    // A proof that is wrong is refused, and the question is what it was.
    let short = Proof { steps: proof.steps[1..].to_vec() };
    assert!(accept_growing(&mut question, (), Verdict::Safe(short)).is_err());
    assert!(question.terms.extends(&store));
}
