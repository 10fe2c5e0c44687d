//! Models of scripts: accepted where all formulas are true in the one interpretation they are, refused
//! where it would take two, and refused when changed.

use alphorn_check::accept::accept;
use alphorn_check::{Refusal, RefusalKind};
use alphorn_problem::evidence::proof::{Literal, Proof, ProofStep, Rule, StepId};
use alphorn_problem::evidence::script::{Reason, ScriptModel};
use alphorn_problem::obligation::script::{Interpretation, MAX_UNIVERSE};
use alphorn_problem::{Question, Verdict};
use alphorn_term::eval::{Elsewhere, Table};
use alphorn_term::value::ArrayValue;
use alphorn_term::{CtorId, FuncId, Model, Op, Rat, Sort, SortId, Store, TermId, Value};
use std::collections::BTreeMap;
use std::sync::Arc;

/// A declared sort `U` with constants `u` and `v`, arrays over it, and a datatype with it.
struct World {
    store: Store,
    sort: SortId,
    bits: SortId,
    numbers: SortId,
    u: FuncId,
    v: FuncId,
    nil: CtorId,
    one: CtorId,
    model: Model,
}

fn int(value: i64) -> Value {
    Value::Int(value.into())
}

impl World {
    /// `u` and `v` are the first two elements.
    fn new() -> World {
        let mut store = Store::new();
        let name = store.symbol("U");
        let sort = store.sort_id(Sort::Uninterpreted(name, Vec::new()));
        let bits = store.array_sort(sort, SortId::BOOL);
        let numbers = store.array_sort(sort, SortId::INT);
        let (u, v) = (store.declare("u", &[], sort), store.declare("v", &[], sort));
        let data = store.declare_data("W", &[]);
        store.define_data(data, &[("wn", vec![]), ("wc", vec![("wu".to_owned(), sort)])]);
        let ctors = store.data(data).ctors.clone();
        let mut world = World {
            store,
            sort,
            bits,
            numbers,
            u,
            v,
            nil: ctors[0],
            one: ctors[1],
            model: Model::new(),
        };
        world.give(u, world.element(0));
        world.give(v, world.element(1));
        world
    }

    fn element(&self, number: u32) -> Value {
        Value::Element(self.sort, number)
    }

    fn give(&mut self, func: FuncId, value: Value) {
        self.model.funcs.insert(func, Table::constant(value));
    }

    fn at(&mut self, func: FuncId) -> TermId {
        self.store.mk(Op::Apply(func), &[])
    }

    /// The truth value everywhere.
    fn all(&mut self, value: bool) -> TermId {
        let value = self.store.bool(value);
        self.store.const_array(self.bits, value)
    }

    /// False, but true at `u`.
    fn only_u(&mut self) -> TermId {
        let (none, u) = (self.all(false), self.at(self.u));
        self.store.store(none, u, TermId::TRUE)
    }

    /// `forall x. x = u`, or `x = u or x = v`.
    fn closed_by(&mut self, funcs: &[FuncId]) -> TermId {
        let x = self.store.var("x", self.sort);
        let cases: Vec<TermId> = (funcs.iter())
            .map(|func| {
                let value = self.store.mk(Op::Apply(*func), &[]);
                self.store.eq(x, value)
            })
            .collect();
        let body = self.store.or(&cases);
        self.store.forall(&[x], body)
    }

    fn question(&self, formulas: &[TermId]) -> Question {
        Question { terms: self.store.clone(), formulas: formulas.to_vec() }
    }

    /// The evidence that all formulas evaluate to true, in a universe of this size if it is finite.
    fn evidence(&self, formulas: &[TermId], size: Option<u32>) -> ScriptModel {
        ScriptModel {
            model: self.model.clone(),
            universes: size.into_iter().map(|size| (self.sort, size)).collect(),
            reasons: vec![Reason::Evaluate; formulas.len()],
            ..ScriptModel::default()
        }
    }

    fn judge(&self, formulas: &[TermId], size: Option<u32>) -> Result<(), Refusal> {
        let evidence = self.evidence(formulas, size);
        accept(&self.question(formulas), (), Verdict::Unsafe(evidence)).map(|_| ())
    }

    #[track_caller]
    fn accepts(&self, formulas: &[TermId], size: Option<u32>) {
        assert_eq!(self.judge(formulas, size), Ok(()));
    }

    #[track_caller]
    fn refuses(&self, formulas: &[TermId], size: Option<u32>, why: &str) {
        let refusal = self.judge(formulas, size).expect_err("refused");
        assert!(refusal.to_string().contains(why), "{refusal}");
    }
}

#[test]
fn formulas_are_evaluated() {
    let mut world = World::new();
    let (u, v) = (world.at(world.u), world.at(world.v));
    let same = world.store.eq(u, v);
    let different = world.store.not(same);
    world.accepts(&[different], None);
    world.accepts(&[different], Some(2));
    world.refuses(&[different, same], None, "formula 1: the model makes it false");
    world.model.funcs.remove(&world.v);
    world.refuses(&[different], None, "formula 0: it has no value");
    world.refuses(&[different], Some(2), "formula 0: it has no value");
}

#[test]
fn a_quantifier_ranges_over_the_universe() {
    let mut world = World::new();
    let formula = world.closed_by(&[world.u, world.v]);
    world.accepts(&[formula], Some(2));
    world.refuses(&[formula], Some(3), "false");
    world.refuses(&[formula], None, "too many values");
    // An element that the model names must be there.
    let one = world.closed_by(&[world.u]);
    world.refuses(&[one], Some(1), "not in its universe");
    world.give(world.v, world.element(0));
    world.accepts(&[one], Some(1));
    world.refuses(&[one], Some(2), "false");
}

#[test]
fn arrays_are_equal_where_they_agree_on_the_universe() {
    let mut world = World::new();
    let (all, only) = (world.all(true), world.only_u());
    let same = world.store.eq(all, only);
    let different = world.store.not(same);
    // With other elements they differ, with one they do not; and not both at once.
    world.accepts(&[different], None);
    world.accepts(&[different], Some(2));
    world.give(world.v, world.element(0));
    world.accepts(&[same], Some(1));
    world.refuses(&[different], Some(1), "false");
    let one = world.closed_by(&[world.u]);
    world.accepts(&[same, one], Some(1));
    for size in [None, Some(1), Some(2)] {
        world.judge(&[different, one], size).expect_err("two interpretations");
    }
}

#[test]
fn arrays_with_all_elements_written_are_equal() {
    let mut world = World::new();
    let (none, all) = (world.all(false), world.all(true));
    let (u, v) = (world.at(world.u), world.at(world.v));
    let left = world.store.store(none, u, TermId::TRUE);
    let right = world.store.store(all, v, TermId::FALSE);
    let same = world.store.eq(left, right);
    let different = world.store.not(same);
    let two = world.closed_by(&[world.u, world.v]);
    world.accepts(&[same, two], Some(2));
    world.refuses(&[different, two], Some(2), "formula 0: the model makes it false");
    world.refuses(&[different, two], None, "formula 1");
    let distinct = world.store.mk(Op::Distinct, &[left, right, all]);
    world.accepts(&[distinct], None);
    world.refuses(&[distinct], Some(2), "false");
}

#[test]
fn functions_of_arrays_have_one_value_for_equal_arrays() {
    let mut world = World::new();
    world.give(world.v, world.element(0));
    let f = world.store.declare("f", &[world.bits], SortId::INT);
    let constant = |value| {
        let value = Value::Bool(value);
        ArrayValue::constant(&world.store, world.sort, value).expect("it is small")
    };
    let all = Value::Array(Arc::new(constant(true)));
    let only = constant(false).with(&world.store, world.element(0), Value::Bool(true));
    let only = Value::Array(Arc::new(only.expect("it is small")));
    let entries = BTreeMap::from([(vec![all.clone()], int(0)), (vec![only.clone()], int(1))]);
    let table = Table { entries, default: Some(int(0)), ..Table::default() };
    world.model.funcs.insert(f, table);
    let (all_term, only_term) = (world.all(true), world.only_u());
    let [at_all, at_only] = [all_term, only_term].map(|term| world.store.mk(Op::Apply(f), &[term]));
    let same = world.store.eq(at_all, at_only);
    let different = world.store.not(same);
    world.accepts(&[different], None);
    world.refuses(&[different], Some(1), "two cases for one value differ");
    // An array that is indexed by arrays likewise.
    let memory_sort = world.store.array_sort(world.bits, SortId::INT);
    let memory = world.store.declare("memory", &[], memory_sort);
    world.model.funcs.remove(&f);
    let entries = BTreeMap::from([(all, int(1)), (only, int(2))]);
    let value = ArrayValue::from_entries(&world.store, world.bits, int(0), entries);
    world.give(memory, Value::Array(Arc::new(value.expect("it is small"))));
    let array = world.at(memory);
    let [at_all, at_only] = [all_term, only_term].map(|index| world.store.select(array, index));
    let same = world.store.eq(at_all, at_only);
    let different = world.store.not(same);
    world.accepts(&[different], None);
    world.refuses(&[different], Some(1), "two cases for one value differ");
    world.refuses(&[same], None, "false");
}

#[test]
fn what_a_selector_gives_elsewhere_is_in_the_universe() {
    let mut world = World::new();
    world.give(world.v, world.element(0));
    let chosen = Table::constant(world.element(1));
    world.model.choices.fields.insert((world.one, 0), chosen);
    let nil = world.store.mk(Op::Construct(world.nil), &[]);
    let (field, v) = (world.store.mk(Op::Field(world.one, 0), &[nil]), world.at(world.v));
    let same = world.store.eq(v, field);
    let different = world.store.not(same);
    let all = world.closed_by(&[world.v]);
    world.accepts(&[different], None);
    world.accepts(&[different], Some(2));
    world.refuses(&[different, all], Some(1), "not in its universe");
    world.refuses(&[different, all], Some(2), "formula 1");
}

#[test]
fn quantifiers_range_over_datatypes_and_arrays_of_elements() {
    let mut world = World::new();
    // Every value is `wn`, or has an element that is u or v.
    let data = world.store.data(world.store.ctor(world.nil).data).sort;
    let w = world.store.var("w", data);
    let is_nil = world.store.mk(Op::Is(world.nil), &[w]);
    let field = world.store.mk(Op::Field(world.one, 0), &[w]);
    let (u, v) = (world.at(world.u), world.at(world.v));
    let (is_u, is_v) = (world.store.eq(field, u), world.store.eq(field, v));
    let body = world.store.or(&[is_nil, is_u, is_v]);
    let all = world.store.forall(&[w], body);
    world.model.choices.fields.insert((world.one, 0), Table::constant(world.element(0)));
    world.accepts(&[all], Some(2));
    world.refuses(&[all], Some(3), "false");
    world.refuses(&[all], None, "too many values");
    // There are four sets of two elements: one of them holds both.
    let set = world.store.var("s", world.bits);
    let (has_u, has_v) = (world.store.select(set, u), world.store.select(set, v));
    let both = world.store.and(&[has_u, has_v]);
    let full = world.all(true);
    let is_full = world.store.eq(set, full);
    let body = world.store.implies(both, is_full);
    let all = world.store.forall(&[set], body);
    world.accepts(&[all], Some(2));
    world.refuses(&[all], Some(3), "false");
}

#[test]
fn what_does_not_fit_is_refused() {
    let world = World::new();
    let form = |change: &dyn Fn(&mut ScriptModel)| {
        let formulas = [TermId::TRUE];
        let mut evidence = world.evidence(&formulas, None);
        change(&mut evidence);
        let judged = accept(&world.question(&formulas), (), Verdict::Unsafe(evidence));
        judged.map(|_| ()).map_err(|refusal| refusal.to_string())
    };
    assert_eq!(form(&|_| {}), Ok(()));
    let refused = |change: &dyn Fn(&mut ScriptModel), why: &str| {
        let refusal = form(change).expect_err("refused");
        assert!(refusal.contains(why), "{refusal}");
    };
    refused(&|e| e.reasons.push(Reason::Evaluate), "one reason for each");
    refused(&|e| e.reasons.clear(), "one reason for each");
    refused(&|e| e.model.funcs.extend([(world.u, Table::constant(int(0)))]), "table");
    refused(&|e| e.model.set(TermId::TRUE, Value::Bool(true)), "variable");
    refused(&|e| e.model.choices.int_div = Some(Table::constant(Value::Bool(true))), "choice");
    refused(&|e| e.universes.extend([(world.sort, 0)]), "empty");
    refused(&|e| e.universes.extend([(SortId::INT, 2)]), "not of a declared sort");
    refused(&|e| e.universes.extend([(world.sort, MAX_UNIVERSE + 1)]), "too many elements");
    let question = world.question(&[TermId::TRUE]);
    let number = Question { formulas: vec![question.terms.clone().int(1)], ..question };
    let evidence = world.evidence(&number.formulas, None);
    accept(&number, (), Verdict::Unsafe(evidence)).expect_err("not a formula");
}

#[test]
fn work_is_bounded_before_it_is_done() {
    let mut world = World::new();
    // Four nested quantifiers over 200 elements.
    let vars: Vec<TermId> = (0..4).map(|n| world.store.var(&format!("x{n}"), world.sort)).collect();
    let body = world.store.mk(Op::Distinct, &vars);
    let mut formula = world.store.not(body);
    for &var in &vars {
        formula = world.store.exists(&[var], formula);
    }
    world.refuses(&[formula], Some(200), "takes more work than");
    let refusal = world.judge(&[formula], Some(200)).expect_err("refused");
    assert_eq!(refusal.kind, RefusalKind::TooLarge);
    // Sixty squarings of two.
    let two = world.store.declare("two", &[], SortId::INT);
    world.give(two, int(2));
    let mut power = world.at(two);
    for _ in 0..60 {
        power = world.store.mul(&[power, power]);
    }
    let zero = world.store.int(0);
    let positive = world.store.lt(zero, power);
    world.refuses(&[positive], None, "too long");
}

/// `forall x. x < f(x)` for f(x) = x + 1, with a proof; and the question.
fn refuted() -> (Question, ScriptModel) {
    let mut world = World::new();
    let f = world.store.declare("f", &[SortId::INT], SortId::INT);
    let table = Table { elsewhere: Elsewhere::Sum(vec![1]), ..Table::constant(int(1)) };
    world.model.funcs.insert(f, table);
    let x = world.store.var("x", SortId::INT);
    let fx = world.store.mk(Op::Apply(f), &[x]);
    let body = world.store.lt(x, fx);
    let formula = world.store.forall(&[x], body);
    let mut evidence = world.evidence(&[formula], Some(2));
    let mut own = Interpretation::new(&world.store, &evidence.model, &evidence.universes)
        .expect("the universe is small");
    let negation = own.obligation(&world.store, formula).expect("it can be written out");
    let mut store = own.into_store();
    let Literal { atom: quantifier, .. } = Literal::of(&store, negation);
    let witness = store.fresh_var("k", SortId::INT);
    let bound = store.bound_vars(quantifier).to_vec();
    let inside = *store.args(quantifier).last().expect("it has a body");
    let instance = store.rename(inside, &bound, &[witness]);
    let (all, one) = (Literal::of(&store, quantifier), Literal::of(&store, instance));
    let step = |clause: Vec<Literal>, rule: Rule| ProofStep { clause, rule };
    let hints = vec![StepId(0), StepId(2), StepId(1)];
    let proof = Proof {
        steps: vec![
            step(vec![!all], Rule::Assert(0)),
            step(vec![all, !one], Rule::Skolem(vec![witness])),
            step(vec![one], Rule::Farkas(vec![Rat::ONE])),
            step(Vec::new(), Rule::Rup(hints)),
        ],
    };
    evidence.terms = store;
    evidence.reasons = vec![Reason::Refute(proof)];
    (world.question(&[formula]), evidence)
}

#[test]
fn a_formula_may_be_refuted_in_the_negative() {
    let (question, evidence) = refuted();
    let judge = |evidence: &ScriptModel| {
        accept(&question, (), Verdict::Unsafe(evidence.clone())).map(|_| ())
    };
    assert_eq!(judge(&evidence), Ok(()));
    // Without the proof there is no reason.
    let plain = ScriptModel { reasons: vec![Reason::Evaluate], ..evidence.clone() };
    judge(&plain).expect_err("it is not evaluated");
    // Another model makes another obligation.
    let mut other = evidence.clone();
    for table in other.model.funcs.values_mut().filter(|table| table.default == Some(int(1))) {
        table.default = Some(int(0));
    }
    judge(&other).expect_err("x < x is false");
    // A universe of another size makes other terms.
    let mut larger = evidence.clone();
    larger.universes.values_mut().for_each(|size| *size = 3);
    let refusal = judge(&larger).expect_err("the terms differ");
    assert!(refusal.reason.contains("do not extend"), "{refusal}");
    // Each step is needed.
    let [Reason::Refute(proof)] = evidence.reasons.as_slice() else { panic!("it is refuted") };
    for left_out in 0..proof.steps.len() {
        let mut short = proof.clone();
        short.steps.remove(left_out);
        let reasons = vec![Reason::Refute(short)];
        judge(&ScriptModel { reasons, ..evidence.clone() }).expect_err("a step is missing");
    }
}

#[test]
fn changed_models_are_refused_unless_they_are_models() {
    let mut world = World::new();
    let (only, formula) = (world.only_u(), world.closed_by(&[world.u, world.v]));
    let s = world.store.declare("s", &[], world.bits);
    let n = world.store.declare("n", &[], world.numbers);
    let set = world.at(s);
    let is_only = world.store.eq(set, only);
    let (numbers, v) = (world.at(n), world.at(world.v));
    let seven = world.store.int(7);
    let at_v = world.store.select(numbers, v);
    let is_seven = world.store.eq(at_v, seven);
    let formulas = [formula, is_only, is_seven];
    let array = |default: Value, at: u32, value: Value| {
        let array = ArrayValue::constant(&world.store, world.sort, default).expect("small");
        let array = array.with(&world.store, world.element(at), value).expect("small");
        Value::Array(Arc::new(array))
    };
    // The same set of two, said in two ways; other sets are others.
    let good = [
        array(Value::Bool(false), 0, Value::Bool(true)),
        array(Value::Bool(true), 1, Value::Bool(false)),
    ];
    let bad = [
        array(Value::Bool(false), 1, Value::Bool(true)),
        array(Value::Bool(true), 0, Value::Bool(false)),
    ];
    let sevens = [array(int(7), 0, int(3)), array(int(3), 1, int(7))];
    let eight = array(int(7), 1, int(8));
    for set in good.iter().chain(&bad) {
        for number in sevens.iter().chain([&eight]) {
            world.give(s, set.clone());
            world.give(n, number.clone());
            let is_model = good.contains(set) && *number != eight;
            assert_eq!(world.judge(&formulas, Some(2)).is_ok(), is_model, "{set:?} {number:?}");
            world.judge(&formulas, Some(3)).expect_err("a third element");
            world.judge(&formulas, None).expect_err("infinitely many elements");
        }
    }
}
