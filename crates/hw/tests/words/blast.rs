//! Every operator as gates against the reference semantics.

use alphorn_engine::Rng;
use alphorn_hw::bits::aig::Aig;
use alphorn_hw::bits::blast::Blaster;
use alphorn_hw::bits::shape::{bits_of, bits_of_value, value_of};
use alphorn_hw::circuit::Simulation;
use alphorn_problem::Circuit;
use alphorn_problem::circuit::Lit;
use alphorn_term::value::elements;
use alphorn_term::{Bv, Model, Op, SortId, Store, TermId, Value, eval};
use rustc_hash::FxHashMap;

/// A term's gates, ready to be evaluated.
struct Gates {
    circuit: Circuit,
    vars: Vec<TermId>,
}

impl Gates {
    fn new(store: &Store, term: TermId, vars: &[TermId]) -> Gates {
        let mut bits = FxHashMap::default();
        let mut count = 0;
        for &var in vars {
            let width = bits_of(store, store.sort(var)).expect("made of bits");
            let lits = (count..count + width).map(|bit| Lit::new(1 + bit as u32, false));
            bits.insert(var, lits.collect());
            count += width;
        }
        let mut blaster = Blaster::new(store, Aig::new(count as u32), bits);
        let outputs = blaster.bits(term).expect("made of bits");
        let ands = blaster.aig.into_ands();
        let circuit = Circuit { inputs: count as u32, ands, outputs, ..Circuit::default() };
        circuit.validate().expect("well formed");
        Gates { circuit, vars: vars.to_vec() }
    }

    fn value(&self, store: &Store, sort: SortId, model: &Model) -> Value {
        let mut simulation = Simulation::new(&self.circuit);
        let bits = self.vars.iter().flat_map(|var| {
            bits_of_value(store, store.sort(*var), &model.vars[var]).expect("made of bits")
        });
        for (index, bit) in bits.enumerate() {
            simulation.set_input(index, u64::from(bit));
        }
        simulation.settle();
        let outputs = self.circuit.outputs.iter();
        let bits: Vec<bool> = outputs.map(|lit| simulation.value(*lit) & 1 == 1).collect();
        value_of(store, sort, &bits).expect("bits make a value")
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
        alphorn_hw::words::random_value(store, store.sort(*var), rng).expect("finite")
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
    for width in 1..=3 {
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
    for width in [4, 5, 7, 8, 9, 16, 33] {
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
    let refused = |store: &Store, sort| bits_of(store, sort).expect_err("refused");
    assert!(refused(&store, large).contains("too large to expand"));
    assert!(refused(&store, numbers).contains("indices of sort Int"));
    assert!(refused(&store, SortId::REAL).contains("sort Real"));
    let x = store.var("x", word);
    let number = store.mk(Op::UbvToInt, &[x]);
    let back = store.mk(Op::IntToBv(11), &[number]);
    let func = store.declare("f", &[word], word);
    let applied = store.mk(Op::Apply(func), &[x]);
    let y = store.var("y", word);
    let fixed = store.eq(y, x);
    let all = store.forall(&[y], fixed);
    let bits = FxHashMap::from_iter([(x, vec![Lit::FALSE; 11])]);
    let mut blaster = Blaster::new(&store, Aig::new(0), bits);
    for (term, why) in [(back, "Int"), (applied, "Apply"), (all, "quantifier"), (y, "y is neither")]
    {
        let reason = blaster.bits(term).expect_err("refused");
        assert!(reason.contains(why), "{reason}");
    }
}
