//! Every operator as gates against the reference semantics.

use alphorn_hw::circuit::Simulation;
use alphorn_problem::Circuit;
use alphorn_problem::circuit::Lit;
use alphorn_problem::obligation::blast::aig::Aig;
use alphorn_problem::obligation::blast::gates::Blaster;
use alphorn_problem::obligation::blast::shape::Shape;
use alphorn_term::value::elements;
use alphorn_term::{Bv, Model, Op, SortId, Store, TermId, Value, eval};
use alphorn_testkit::Rng;
use std::collections::BTreeSet;

/// A term's gates, ready to be evaluated.
struct Gates {
    circuit: Circuit,
    vars: Vec<TermId>,
}

/// The subterms of a term, arguments first.
fn subterms(store: &Store, term: TermId) -> Vec<TermId> {
    let mut found = BTreeSet::new();
    let mut stack = vec![term];
    while let Some(term) = stack.pop() {
        if found.insert(term) {
            stack.extend(store.args(term));
        }
    }
    found.into_iter().collect()
}

/// A translation that knows the variables `vars`, whose bits are the first inputs.
fn blaster<'a>(store: &'a Store, shape: &'a Shape<'a>, vars: &[TermId]) -> (Blaster<'a>, u32) {
    let width = |var: &TermId| shape.bits(store.sort(*var)).expect("made of bits");
    let count: usize = vars.iter().map(width).sum();
    let mut blaster = Blaster::new(store, shape, count as u32);
    let mut next = 0;
    for var in vars {
        let lits = (next..next + width(var)).map(|bit| Lit::new(1 + bit as u32, false));
        blaster.set(*var, &lits.collect::<Vec<_>>());
        next += width(var);
    }
    (blaster, count as u32)
}

impl Gates {
    fn new(store: &Store, term: TermId, vars: &[TermId]) -> Gates {
        let shape = Shape::new(store, Vec::new());
        let (mut blaster, inputs) = blaster(store, &shape, vars);
        blaster.translate(&subterms(store, term)).expect("made of bits");
        let outputs = blaster.bits(term).expect("translated").to_vec();
        let ands = blaster.aig.into_ands();
        let circuit = Circuit { inputs, ands, outputs, ..Circuit::default() };
        circuit.validate().expect("well formed");
        Gates { circuit, vars: vars.to_vec() }
    }

    fn value(&self, store: &Store, sort: SortId, model: &Model) -> Value {
        let shape = Shape::new(store, Vec::new());
        let mut simulation = Simulation::new(&self.circuit);
        let bits = self.vars.iter().flat_map(|var| {
            shape.bits_of(store.sort(*var), &model.vars[var], &[]).expect("made of bits")
        });
        for (index, bit) in bits.enumerate() {
            simulation.set_input(index, u64::from(bit));
        }
        simulation.settle();
        let outputs = self.circuit.outputs.iter();
        let bits: Vec<bool> = outputs.map(|lit| simulation.value(*lit) & 1 == 1).collect();
        shape.value(sort, &bits, &[]).expect("bits make a value")
    }
}

#[track_caller]
fn compare(store: &Store, term: TermId, vars: &[TermId], models: impl Iterator<Item = Vec<Value>>) {
    let gates = Gates::new(store, term, vars);
    for values in models {
        let mut model = Model::new();
        vars.iter().zip(&values).for_each(|(var, value)| model.set(*var, value.clone()));
        let expected = eval(store, term, &model).expect("defined");
        let got = gates.value(store, store.sort(term), &model);
        assert_eq!(got, expected, "{} under {values:?}", store.show(term));
    }
}

/// All combinations of the values of `vars`.
fn all(store: &Store, vars: &[TermId]) -> Vec<Vec<Value>> {
    vars.iter().fold(vec![Vec::new()], |rows, &var| {
        let domain = elements(store, store.sort(var), 1 << 16).expect("small");
        let longer = |row: &Vec<Value>| {
            domain.iter().map(|value| [row.clone(), vec![value.clone()]].concat()).collect()
        };
        rows.iter().flat_map(|row| -> Vec<Vec<Value>> { longer(row) }).collect()
    })
}

/// Some combinations of the values of `vars`.
fn some(store: &Store, vars: &[TermId], rng: &mut Rng, count: usize) -> Vec<Vec<Value>> {
    let mut value = |var: &TermId| {
        alphorn_hw::words::random_value(store, store.sort(*var), rng.engine()).expect("finite")
    };
    (0..count).map(|_| vars.iter().map(&mut value).collect()).collect()
}

use Op::{
    BvAdd, BvAnd, BvAshr, BvLshr, BvMul, BvNeg, BvNego, BvNot, BvOr, BvSaddo, BvSdiv, BvSdivo,
    BvShl, BvSle, BvSlt, BvSmod, BvSmulo, BvSrem, BvSsubo, BvSub, BvUaddo, BvUdiv, BvUle, BvUlt,
    BvUmulo, BvUrem, BvUsubo, BvXor, Concat, Eq,
};

const BINARY: [Op; 28] = [
    BvAdd,
    BvAnd,
    BvAshr,
    BvLshr,
    BvMul,
    BvOr,
    BvSaddo,
    BvSdiv,
    BvSdivo,
    BvShl,
    BvSle,
    BvSlt,
    BvSmod,
    BvSmulo,
    BvSrem,
    BvSsubo,
    BvSub,
    BvUaddo,
    BvUdiv,
    BvUle,
    BvUlt,
    BvUmulo,
    BvUrem,
    BvUsubo,
    BvXor,
    Concat,
    Eq,
    Op::Distinct,
];
const UNARY: [Op; 8] = [
    BvNeg,
    BvNego,
    BvNot,
    Op::Repeat(3),
    Op::ZeroExtend(2),
    Op::SignExtend(3),
    Op::Extract(0, 0),
    Op::Repeat(1),
];

#[test]
fn operators_on_narrow_words_exhaustively() {
    for width in 1..=4 {
        let mut store = Store::new();
        let sort = store.bv_sort(width);
        let vars = [store.var("x", sort), store.var("y", sort)];
        for op in BINARY {
            let term = store.mk(op, &vars);
            compare(&store, term, &vars, all(&store, &vars).into_iter());
        }
        for op in UNARY {
            let term = store.mk(op, &vars[..1]);
            compare(&store, term, &vars[..1], all(&store, &vars[..1]).into_iter());
        }
        for high in 0..width {
            for low in 0..=high {
                let term = store.mk(Op::Extract(high, low), &vars[..1]);
                compare(&store, term, &vars[..1], all(&store, &vars[..1]).into_iter());
            }
        }
    }
}

#[test]
fn operators_on_wider_words_at_random() {
    let mut rng = Rng::new(21);
    for width in [5, 6, 7, 8, 9, 12, 16, 31, 33, 64, 65] {
        let mut store = Store::new();
        let sort = store.bv_sort(width);
        let vars = [store.var("x", sort), store.var("y", sort)];
        let mut models = some(&store, &vars, &mut rng, 60);
        // Shifts are dull unless the distance is small.
        for distance in 0..u64::from(width) + 2 {
            models.push(vec![models[0][0].clone(), Value::Bv(Bv::from_u64(width, distance))]);
        }
        for op in BINARY {
            let term = store.mk(op, &vars);
            compare(&store, term, &vars, models.iter().cloned());
        }
        for op in UNARY {
            let term = store.mk(op, &vars[..1]);
            compare(&store, term, &vars, models.iter().cloned());
        }
    }
}

#[test]
fn constants_meet_variables() {
    let mut store = Store::new();
    let sort = store.bv_sort(3);
    let x = store.var("x", sort);
    for value in 0..8 {
        let constant = store.bv(Bv::from_u64(3, value));
        for op in BINARY {
            for args in [[x, constant], [constant, x]] {
                let term = store.mk(op, &args);
                compare(&store, term, &[x], all(&store, &[x]).into_iter());
            }
        }
    }
}

#[test]
fn truth_values_conditionals_and_arrays() {
    let mut store = Store::new();
    let (bool, bit, pair) = (SortId::BOOL, store.bv_sort(1), store.bv_sort(2));
    let array = store.array_sort(pair, bit);
    let flags = store.array_sort(bool, pair);
    let nested = store.array_sort(bit, flags);
    let [p, q, r] = ["p", "q", "r"].map(|name| store.var(name, bool));
    let terms = [
        store.and(&[p, q, r]),
        store.or(&[p, q, r]),
        store.xor(p, q),
        store.ite(p, q, r),
        store.not(p),
        TermId::TRUE,
        TermId::FALSE,
    ];
    for term in terms {
        compare(&store, term, &[p, q, r], all(&store, &[p, q, r]).into_iter());
    }
    let mut rng = Rng::new(22);
    let [x, y, z] = ["x", "y", "z"].map(|name| store.var(name, pair));
    let (a, b) = (store.var("a", array), store.var("b", array));
    let f = store.var("f", flags);
    let (n, i, v) = (store.var("n", nested), store.var("i", bit), store.var("v", bit));
    let distinct = store.mk(Op::Distinct, &[x, y, z]);
    let read = store.select(a, x);
    let written = store.store(a, x, v);
    let read_back = store.select(written, y);
    let same = store.eq(written, b);
    let chosen = store.ite(p, written, b);
    let constant = store.const_array(array, v);
    let constant_written = store.store(constant, x, i);
    let flag = store.select(f, p);
    let deep = store.select(n, i);
    let deeper = store.select(deep, q);
    let deep_written = store.store(n, v, f);
    let vars = [p, q, x, y, z, a, b, f, n, i, v];
    for term in [
        distinct,
        read,
        written,
        read_back,
        same,
        chosen,
        constant,
        constant_written,
        flag,
        deep,
        deeper,
        deep_written,
    ] {
        let models = some(&store, &vars, &mut rng, 300);
        compare(&store, term, &vars, models.into_iter());
    }
}

#[test]
fn what_is_not_made_of_bits_is_named() {
    let mut store = Store::new();
    let word = store.bv_sort(11);
    let large = store.array_sort(word, word);
    let numbers = store.array_sort(SortId::INT, word);
    {
        let shape = Shape::new(&store, Vec::new());
        let refused = |sort| shape.bits(sort).expect_err("refused");
        assert!(refused(numbers).contains("indices of sort Int"));
        assert!(refused(SortId::REAL).contains("sort Real"));
        assert!(!shape.is_whole(large), "2,048 cells are not written out");
    }
    let x = store.var("x", word);
    let number = store.mk(Op::UbvToInt, &[x]);
    let back = store.mk(Op::IntToBv(11), &[number]);
    let func = store.declare("f", &[word], word);
    let applied = store.mk(Op::Apply(func), &[x]);
    let y = store.var("y", word);
    let fixed = store.eq(y, x);
    let all = store.forall(&[y], fixed);
    for (term, why) in [(back, "Int"), (applied, "Apply"), (all, "quantifier"), (y, "y is neither")]
    {
        let shape = Shape::new(&store, Vec::new());
        let (mut blaster, _) = blaster(&store, &shape, &[x]);
        let order = if term == all { vec![all] } else { subterms(&store, term) };
        let reason = blaster.translate(&order).expect_err("refused");
        assert!(reason.contains(why), "{reason}");
    }
}

/// The rules that look below a gate, on all pairs of what two levels of gates can be.
#[test]
fn conjunctions_mean_what_they_say() {
    let leaves: Vec<Lit> = (1..=4).map(|var| Lit::new(var, false)).collect();
    let mut aig = Aig::new(4);
    let signed = |lits: &[Lit]| -> Vec<Lit> { lits.iter().flat_map(|&l| [l, !l]).collect() };
    let mut lits = signed(&leaves);
    // The truth table of a literal, over the sixteen valuations of the leaves.
    let mut table = vec![0u16, 0xaaaa, 0xcccc, 0xf0f0, 0xff00];
    for _ in 0..2 {
        let mut found = Vec::new();
        for (at, &a) in lits.iter().enumerate() {
            for &b in &lits[..at] {
                let gate = aig.and(a, b);
                let value = |lit: Lit, table: &[u16]| {
                    table[lit.var() as usize] ^ if lit.is_negated() { 0xffff } else { 0 }
                };
                let expected = value(a, &table) & value(b, &table);
                if gate.var() as usize == table.len() {
                    assert!(!gate.is_negated());
                    table.push(expected);
                    found.push(gate);
                }
                assert_eq!(value(gate, &table), expected, "{a:?} {b:?}");
            }
        }
        lits = signed(&[leaves.clone(), found].concat());
        lits.truncate(400);
    }
    assert_eq!(aig.len() + 5, table.len());
}
