//! Chains of a million applications: made in linear time, walked without recursion.
//!
//! Sizes stand for time: a chain may have at most a few arguments per link, so that copying a
//! growing prefix would show at once. The walks run on a stack that a recursion would exhaust.

use alphorn_term::eval::Program;
use alphorn_term::{Bv, Model, Op, SortId, Store, Substitution, TermId, Value, eval};

/// Makes link `n` of a chain from the chain so far.
type Link = fn(&mut Store, TermId, usize) -> TermId;

fn flag(s: &mut Store, n: usize) -> TermId {
    s.var(&format!("p{n}"), SortId::BOOL)
}

fn number(s: &mut Store, n: usize) -> TermId {
    s.var(&format!("x{n}"), SortId::INT)
}

type First = fn(&mut Store) -> TermId;

const CHAINS: &[(&str, First, Link)] = &[
    (
        "and",
        |s| flag(s, 0),
        |s, t, n| {
            let p = flag(s, n);
            s.and(&[t, p])
        },
    ),
    (
        "or",
        |s| flag(s, 0),
        |s, t, n| {
            let p = flag(s, n);
            s.or(&[p, t])
        },
    ),
    (
        "not",
        |s| flag(s, 0),
        |s, t, n| {
            let p = flag(s, n % 7);
            let same = s.eq(t, p);
            s.not(same)
        },
    ),
    (
        "add",
        |s| number(s, 0),
        |s, t, n| {
            let x = number(s, n);
            s.add(&[t, x])
        },
    ),
    (
        "mul",
        |s| number(s, 0),
        |s, t, n| {
            let x = number(s, n % 5);
            s.mul(&[t, x])
        },
    ),
    (
        "ite",
        |s| number(s, 0),
        |s, t, n| {
            let (p, x) = (flag(s, n % 100), number(s, n % 1000));
            s.ite(p, x, t)
        },
    ),
    (
        "store",
        |s| {
            let sort = s.array_sort(SortId::INT, SortId::INT);
            s.var("a", sort)
        },
        |s, t, n| {
            let (index, x) = (s.int(n as i64), number(s, n % 10));
            s.store(t, index, x)
        },
    ),
    (
        "concat",
        |s| {
            let sort = s.bv_sort(1);
            s.var("b0", sort)
        },
        |s, t, n| {
            let sort = s.bv_sort(1);
            let bit = s.var(&format!("b{}", n % 3), sort);
            s.mk(Op::Concat, &[bit, t])
        },
    ),
];

fn chain(name: &str, links: usize) -> (Store, TermId) {
    let (_, first, link) = CHAINS.iter().find(|c| c.0 == name).expect("a chain of the table");
    let mut store = Store::new();
    let mut term = first(&mut store);
    for n in 1..=links {
        term = link(&mut store, term, n);
    }
    (store, term)
}

#[test]
fn a_million_links_stay_linear() {
    for (name, ..) in CHAINS {
        let (store, term) = chain(name, 1_000_000);
        assert!(store.len() < 4_100_000, "{name} made {} terms", store.len());
        let widest = store.subterms(&[term]).into_iter().map(|t| store.args(t).len()).max();
        assert!(widest <= Some(18), "{name} has a node of {widest:?} arguments");
    }
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
            let links = if *name == "concat" { 8_000 } else { 100_000 };
            let (mut store, term) = chain(name, links);
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
        let (store, term) = chain(name, 1000);
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
