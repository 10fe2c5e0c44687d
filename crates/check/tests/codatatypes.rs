//! Models of scripts about codatatypes: accepted with infinite trees that make the formulas true, refused with others; and
//! no proof that values are finite.

use alphorn_check::Refusal;
use alphorn_check::accept::accept;
use alphorn_problem::evidence::proof::{Literal, Proof, ProofStep, Rule, StepId};
use alphorn_problem::evidence::script::{Reason, ScriptModel};
use alphorn_problem::obligation::script::Interpretation;
use alphorn_problem::{Question, Verdict};
use alphorn_term::eval::Table;
use alphorn_term::value::codata::{Node, Part};
use alphorn_term::{CtorId, FuncId, Model, Op, Sort, SortId, Store, TermId, Value};
use std::collections::BTreeMap;

/// Streams of elements of a declared sort, and a constant that is one.
struct World {
    store: Store,
    elements: SortId,
    streams: SortId,
    cons: CtorId,
    end: CtorId,
    s: FuncId,
    e: FuncId,
}

impl World {
    fn new() -> World {
        let mut store = Store::new();
        let name = store.symbol("E");
        let elements = store.sort_id(Sort::Uninterpreted(name, Vec::new()));
        let data = store.declare_data_or_codata("Stream", &[], true);
        let streams = store.data(data).sort;
        let fields = vec![("head".to_owned(), elements), ("tail".to_owned(), streams)];
        store.define_data(data, &[("cons", fields), ("end", vec![])]);
        let (cons, end) = (store.data(data).ctors[0], store.data(data).ctors[1]);
        let (s, e) = (store.declare("s", &[], streams), store.declare("e", &[], elements));
        World { store, elements, streams, cons, end, s, e }
    }

    fn constant(&mut self, func: FuncId) -> TermId {
        self.store.mk(Op::Apply(func), &[])
    }

    /// `s = cons(e, s)`
    fn repeats(&mut self) -> TermId {
        let (s, e) = (self.constant(self.s), self.constant(self.e));
        let made = self.store.mk(Op::Construct(self.cons), &[e, s]);
        self.store.eq(s, made)
    }

    /// The element with this number again and again.
    fn again(&self, number: u32) -> Value {
        let element = Part::Value(Value::Element(self.elements, number));
        let node = Node { ctor: self.cons, args: vec![element, Part::Node(0)] };
        Value::codata(vec![node], 0).expect("it is small")
    }

    fn evidence(&self, stream: Value, size: Option<u32>) -> ScriptModel {
        let mut model = Model::new();
        model.funcs.insert(self.s, Table::constant(stream));
        model.funcs.insert(self.e, Table::constant(Value::Element(self.elements, 0)));
        let universes: BTreeMap<SortId, u32> =
            size.into_iter().map(|size| (self.elements, size)).collect();
        let reasons = vec![Reason::Evaluate];
        ScriptModel { model, universes, reasons, ..ScriptModel::default() }
    }

    fn judge(&self, formula: TermId, evidence: ScriptModel) -> Result<(), Refusal> {
        let question = Question { terms: self.store.clone(), formulas: vec![formula] };
        accept(&question, (), Verdict::Unsafe(evidence)).map(|_| ())
    }
}

#[track_caller]
fn refused(result: Result<(), Refusal>, why: &str) {
    let refusal = result.expect_err("it should be refused").to_string();
    assert!(refusal.contains(why), "{refusal}");
}

#[test]
fn a_tree_inside_itself_is_a_model() {
    let mut world = World::new();
    let formula = world.repeats();
    for size in [None, Some(2)] {
        assert_eq!(world.judge(formula, world.evidence(world.again(0), size)), Ok(()));
        let other = world.judge(formula, world.evidence(world.again(1), size));
        refused(other, "the model makes it false");
        let mut finite = Value::made(&world.store, world.end, vec![]).expect("it is small");
        for _ in 0..5 {
            let args = vec![Value::Element(world.elements, 0), finite];
            finite = Value::made(&world.store, world.cons, args).expect("it is small");
        }
        refused(world.judge(formula, world.evidence(finite, size)), "the model makes it false");
    }
}

#[test]
fn values_that_are_no_trees_of_the_sort_are_refused() {
    let mut world = World::new();
    let formula = world.repeats();
    let why = "a table does not fit";
    let finite = Value::data(world.end, vec![]).expect("it is small");
    refused(world.judge(formula, world.evidence(finite, None)), why);
    let node = Node { ctor: world.cons, args: vec![Part::Node(0), Part::Node(0)] };
    let wrong = Value::codata(vec![node], 0).expect("it is small");
    refused(world.judge(formula, world.evidence(wrong, None)), why);
    let number = Part::Value(Value::Int(0.into()));
    let node = Node { ctor: world.cons, args: vec![number, Part::Node(0)] };
    let wrong = Value::codata(vec![node], 0).expect("it is small");
    refused(world.judge(formula, world.evidence(wrong, None)), why);
    refused(world.judge(formula, world.evidence(world.again(2), Some(2))), "universe");
}

/// `forall x. x ≠ cons(e, x)` is false, and an interpretation does not forget that streams are infinite.
#[test]
fn no_interpretation_makes_codatatypes_finite() {
    let mut world = World::new();
    let (e, x) = (world.constant(world.e), world.store.var("x", world.streams));
    let made = world.store.mk(Op::Construct(world.cons), &[e, x]);
    let equation = world.store.eq(x, made);
    let body = world.store.not(equation);
    let formula = world.store.forall(&[x], body);
    let mut evidence = world.evidence(world.again(0), Some(2));
    let mut own = Interpretation::new(&world.store, &evidence.model, &evidence.universes)
        .expect("the universe is small");
    let negation = own.obligation(&world.store, formula).expect("it can be written out");
    let mut store = own.into_store();
    let all = Literal::of(&store, negation);
    let bound = store.bound_vars(all.atom).to_vec();
    let inside = *store.args(all.atom).last().expect("it has a body");
    let witness = store.fresh_var("k", store.sort(bound[0]));
    let instance = store.rename(inside, &bound, &[witness]);
    let one = Literal::of(&store, instance);
    let step = |clause: Vec<Literal>, rule: Rule| ProofStep { clause, rule };
    let steps = vec![
        step(vec![all], Rule::Assert(0)),
        step(vec![!all, !one], Rule::Skolem(vec![witness])),
        step(vec![one], Rule::Datatype),
        step(Vec::new(), Rule::Rup(vec![StepId(0), StepId(1), StepId(2)])),
    ];
    evidence.terms = store;
    evidence.reasons = vec![Reason::Refute(Proof { steps })];
    refused(world.judge(formula, evidence), "step 2 (datatype): the clause is none of the axioms");
}
