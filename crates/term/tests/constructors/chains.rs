//! Chains of a million applications: made in linear time, walked without recursion.
//!
//! Sizes stand for time: a chain may have at most a few arguments per link, so that copying a
//! growing prefix would show at once. The walks run on a stack that a recursion would exhaust.

use alphorn_term::eval::Program;
use alphorn_term::{Bv, Model, Op, SortId, Store, Substitution, TermId, Value, eval};

/// Variables to build from.
struct Leaves {
    flags: Vec<TermId>,
    numbers: Vec<TermId>,
    bits: Vec<TermId>,
    array: TermId,
}

impl Leaves {
    fn new(s: &mut Store) -> Leaves {
        let bit = s.bv_sort(1);
        let array = s.array_sort(SortId::INT, SortId::INT);
        let mut vars = |name: &str, sort| -> Vec<TermId> {
            (0..1000).map(|n| s.var(&format!("{name}{n}"), sort)).collect()
        };
        let (flags, numbers) = (vars("p", SortId::BOOL), vars("x", SortId::INT));
        let (bits, array) = (vars("b", bit), vars("a", array)[0]);
        Leaves { flags, numbers, bits, array }
    }
}

/// Makes link `n` of a chain from the chain so far.
type Link = fn(&mut Store, &Leaves, TermId, usize) -> TermId;
type First = fn(&Leaves) -> TermId;

const CHAINS: &[(&str, First, Link)] = &[
    ("and", |v| v.flags[0], |s, v, t, n| s.and(&[t, v.flags[n % 1000]])),
    ("or", |v| v.flags[0], |s, v, t, n| s.or(&[v.flags[n % 1000], t])),
    (
        "not",
        |v| v.flags[0],
        |s, v, t, n| {
            let same = s.eq(t, v.flags[n % 7]);
            s.not(same)
        },
    ),
    ("add", |v| v.numbers[0], |s, v, t, n| s.add(&[t, v.numbers[n % 1000]])),
    ("mul", |v| v.numbers[0], |s, v, t, n| s.mul(&[t, v.numbers[n % 5]])),
    ("ite", |v| v.numbers[0], |s, v, t, n| s.ite(v.flags[n % 100], v.numbers[n % 1000], t)),
    (
        "store",
        |v| v.array,
        |s, v, t, n| {
            let index = s.int(n as i64);
            s.store(t, index, v.numbers[n % 10])
        },
    ),
    ("concat", |v| v.bits[0], |s, v, t, n| s.mk(Op::Concat, &[v.bits[n % 3], t])),
];

/// The chain, and the most arguments that a link has.
fn chain(name: &str, links: usize) -> (Store, TermId, usize) {
    let (_, first, link) = CHAINS.iter().find(|c| c.0 == name).expect("a chain of the table");
    let mut store = Store::new();
    let leaves = Leaves::new(&mut store);
    let mut term = first(&leaves);
    let mut widest = 0;
    for n in 1..=links {
        term = link(&mut store, &leaves, term, n);
        widest = widest.max(store.args(term).len());
    }
    (store, term, widest)
}

#[track_caller]
fn a_million_links(names: &[&str]) {
    for name in names {
        let (store, _, widest) = chain(name, 1_000_000);
        assert!(store.len() < 2_100_000, "{name} made {} terms", store.len());
        assert!(widest <= 18, "{name} has a node of {widest} arguments");
    }
}

#[test]
fn a_million_connectives_stay_linear() {
    a_million_links(&["and", "or", "not", "ite"]);
}

#[test]
fn a_million_operations_stay_linear() {
    a_million_links(&["add", "mul", "store", "concat"]);
}

fn default_model(store: &Store, term: TermId) -> Model {
    let mut model = Model::new();
    for var in store.free_vars(&[term]) {
        let value = Value::default_of(store, store.sort(var)).expect("these sorts have values");
        model.set(var, value);
    }
    model
}

#[test]
fn walks_do_not_recurse() {
    let walk = || {
        for (name, ..) in CHAINS {
            // Evaluating a chain of concatenations writes down all its prefixes.
            let links = if *name == "concat" { 8_000 } else { 50_000 };
            let (mut store, term, _) = chain(name, links);
            let dag = store.dag_size(&[term]);
            assert!(dag > links / 10, "{name}");
            assert!(store.tree_size(term) >= dag as u64);
            let vars = store.free_vars(&[term]);
            let text = store.show(term);
            assert!(text.len() > dag && text.len() < 60 * dag, "{name}: {}", text.len());
            let model = default_model(&store, term);
            let value = eval(&store, term, &model).expect("nothing is undefined here");
            let mut program = Program::new(&store, &[], &[term]);
            program.run(&store, &[], &model);
            assert_eq!(program.output(0), Ok(&value), "{name}");
            let mut map = Substitution::default();
            let fresh = store.fresh_var("fresh", store.sort(vars[0]));
            map.insert(vars[0], fresh);
            let renamed = store.substitute(term, &map);
            assert_ne!(renamed, term);
            map.clear();
            map.insert(fresh, vars[0]);
            let back = store.substitute(renamed, &map);
            assert_eq!(store.dag_size(&[back]), dag, "{name}");
        }
    };
    let thread = std::thread::Builder::new().stack_size(256 << 10).spawn(walk);
    thread.expect("a thread starts").join().expect("the walks end well");
}

#[test]
fn chains_have_their_values() {
    for (name, ..) in CHAINS {
        let (store, term, _) = chain(name, 1000);
        let mut model = Model::new();
        for var in store.free_vars(&[term]) {
            let value = match store.sort(var) {
                SortId::BOOL => Value::Bool(true),
                SortId::INT => Value::Int(1.into()),
                sort => Value::default_of(&store, sort).expect("these sorts have values"),
            };
            model.set(var, value);
        }
        let value = eval(&store, term, &model).expect("nothing is undefined here");
        match (*name, value) {
            ("and" | "or", value) => assert_eq!(value, Value::Bool(true)),
            // One negation per link of an equality with true.
            ("not", value) => assert_eq!(value, Value::Bool(true)),
            ("add", value) => assert_eq!(value, Value::Int(1001.into())),
            ("mul" | "ite", value) => assert_eq!(value, Value::Int(1.into())),
            ("store", Value::Array(array)) => assert_eq!(array.entries().count(), 1000),
            ("concat", Value::Bv(word)) => assert_eq!(word, Bv::from_u64(1001, 0)),
            (name, value) => panic!("{name} has the value {value:?}"),
        }
    }
}
