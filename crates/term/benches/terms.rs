//! The hot paths of terms: words, hash-consing, evaluation, and chains of a million links.
//!
//! Run: `cargo bench -p alphorn-term --bench terms`

use alphorn_term::eval::Program;
use alphorn_term::{Bv, Model, Op, SortId, Store, Substitution, TermId, Value, eval};
use alphorn_testkit::Rng;
use std::hint::black_box;
use std::sync::LazyLock;
use std::time::{Duration, Instant};

/// The time this thread has spent computing, where the system tells; a busy machine then disturbs
/// the figures less. Wall time elsewhere.
fn now() -> Duration {
    static START: LazyLock<Instant> = LazyLock::new(Instant::now);
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanos = told.and_then(|text| text.split(' ').next()?.parse().ok());
    nanos.map_or_else(|| START.elapsed(), Duration::from_nanos)
}

/// Runs `work`, which does `count` things, nine times; prints the best time per thing.
fn per_item<T>(name: &str, count: usize, mut work: impl FnMut() -> T) {
    let best = (0..9)
        .map(|_| {
            // Short work is seldom interrupted, and the computing time is told too coarsely.
            let start = Instant::now();
            black_box(work());
            start.elapsed()
        })
        .min()
        .unwrap_or_default();
    println!("{name:32} {:10.2} ns", best.as_nanos() as f64 / count as f64);
}

fn words(width: u32) {
    const COUNT: usize = 1 << 16;
    let mut rng = Rng::new(1);
    let mut next = || Bv::from_u64(width, rng.next_u64());
    let pairs: Vec<(Bv, Bv)> = (0..COUNT).map(|_| (next(), next())).collect();
    type Binary = fn(&Bv, &Bv) -> Bv;
    let binary: [(&str, Binary); 10] = [
        ("add", Bv::add),
        ("sub", Bv::sub),
        ("mul", Bv::mul),
        ("udiv", Bv::udiv),
        ("sdiv", Bv::sdiv),
        ("and", Bv::and),
        ("xor", Bv::xor),
        ("shl", Bv::shl),
        ("ashr", Bv::ashr),
        ("concat", Bv::concat),
    ];
    for (name, op) in binary {
        per_item(&format!("{name} {width}"), COUNT, || {
            for (a, b) in &pairs {
                black_box(op(black_box(a), black_box(b)));
            }
        });
    }
    per_item(&format!("not {width}"), COUNT, || {
        for (a, _) in &pairs {
            black_box(black_box(a).not());
        }
    });
    per_item(&format!("extract {width}"), COUNT, || {
        for (a, _) in &pairs {
            black_box(black_box(a).extract(width - 2, 3));
        }
    });
    per_item(&format!("ult {width}"), COUNT, || {
        pairs.iter().filter(|(a, b)| black_box(a).ult(black_box(b))).count()
    });
    per_item(&format!("slt {width}"), COUNT, || {
        pairs.iter().filter(|(a, b)| black_box(a).slt(black_box(b))).count()
    });
}

/// Makes five million terms over `vars` variables, then asks for them again. With 3000 variables
/// nearly all are different and the table is far larger than the caches; with 300 it fits.
fn building(vars: usize) {
    const COUNT: usize = 5_000_000;
    type Make = fn(&mut Store, TermId, TermId) -> TermId;
    let operators: [(&str, Make, bool); 5] = [
        ("and", |s, a, b| s.and(&[a, b]), true),
        ("eq", |s, a, b| s.eq(a, b), false),
        ("add", |s, a, b| s.add(&[a, b]), false),
        ("le", |s, a, b| s.le(a, b), false),
        ("ite", |s, a, b| s.ite(TermId::TRUE, a, b), false),
    ];
    for (name, make, truth) in operators {
        let mut store = Store::new();
        let sort = if truth { SortId::BOOL } else { SortId::INT };
        let leaves: Vec<TermId> = (0..vars).map(|n| store.var(&format!("v{n}"), sort)).collect();
        let pairs: Vec<(TermId, TermId)> =
            (0..COUNT).map(|n| (leaves[n % vars], leaves[(n / vars + n * 7 + 1) % vars])).collect();
        let mut fresh = store.clone();
        let start = now();
        for &(a, b) in &pairs {
            black_box(make(&mut fresh, a, b));
        }
        let nanos = (now() - start).as_nanos() as f64 / COUNT as f64;
        println!("{:32} {nanos:10.2} ns, {} terms", format!("make {name}"), fresh.len());
        let start = now();
        for &(a, b) in &pairs {
            black_box(make(&mut fresh, a, b));
        }
        let nanos = (now() - start).as_nanos() as f64 / COUNT as f64;
        println!("{:32} {nanos:10.2} ns", format!("find {name}"));
    }
}

/// A round function on words: additions, rotations, comparisons.
fn simulation() {
    const ROUNDS: usize = 10_000;
    let mut store = Store::new();
    let sort = store.bv_sort(32);
    let inputs: Vec<TermId> = (0..8).map(|n| store.var(&format!("r{n}"), sort)).collect();
    let mut state = inputs.clone();
    for n in 0..100 {
        let (a, b, c) = (state[n % 8], state[(n + 3) % 8], state[(n + 5) % 8]);
        let sum = store.mk(Op::BvAdd, &[a, b]);
        let turned = store.rotate_left(7 + n as u32 % 5, sum);
        let mixed = store.mk(Op::BvXor, &[turned, c]);
        let less = store.mk(Op::BvUlt, &[a, mixed]);
        state[n % 8] = store.ite(less, mixed, sum);
    }
    let nodes = store.dag_size(&state);
    let mut program = Program::new(&store, &inputs, &state);
    let mut values: Vec<Value> = (0..8).map(|n| Value::Bv(Bv::from_u64(32, n * 77_777))).collect();
    let model = Model::new();
    let start = now();
    for _ in 0..ROUNDS {
        program.run(&store, &values, &model);
        for (at, value) in values.iter_mut().enumerate() {
            *value = program.output(at).expect("words are total").clone();
        }
    }
    let nanos = (now() - start).as_nanos() as f64 / (ROUNDS * nodes) as f64;
    println!("{:32} {nanos:10.2} ns", "simulate, per node");
}

type Link = fn(&mut Store, TermId, TermId, TermId) -> TermId;

fn chains() {
    const LINKS: usize = 1_000_000;
    let links: [(&str, SortId, Link); 7] = [
        ("and", SortId::BOOL, |s, t, p, _| s.and(&[t, p])),
        ("or", SortId::BOOL, |s, t, p, _| s.or(&[p, t])),
        ("not", SortId::BOOL, |s, t, p, _| {
            let same = s.eq(t, p);
            s.not(same)
        }),
        ("add", SortId::INT, |s, t, _, x| s.add(&[t, x])),
        ("mul", SortId::INT, |s, t, _, x| s.mul(&[t, x])),
        ("ite", SortId::INT, |s, t, p, x| s.ite(p, x, t)),
        ("store", SortId::REAL, |s, t, p, x| {
            let value = s.ite(p, x, x);
            s.store(t, x, value)
        }),
    ];
    for (name, sort, link) in links {
        let mut store = Store::new();
        let flags: Vec<TermId> =
            (0..LINKS).map(|n| store.var(&format!("p{n}"), SortId::BOOL)).collect();
        let numbers: Vec<TermId> =
            (0..LINKS).map(|n| store.var(&format!("x{n}"), SortId::INT)).collect();
        let mut term = match sort {
            SortId::BOOL => flags[0],
            SortId::INT => numbers[0],
            _ => {
                let sort = store.array_sort(SortId::INT, SortId::INT);
                store.var("a", sort)
            }
        };
        let time = |what: &str, start: Duration| {
            println!("{name:6} {what:20} {:8.0} ms", (now() - start).as_secs_f64() * 1e3);
        };
        let start = now();
        for n in 1..LINKS {
            term = link(&mut store, term, flags[n], numbers[n]);
        }
        time("build", start);
        let start = now();
        black_box(store.dag_size(&[term]));
        time("dag_size", start);
        let start = now();
        black_box(store.tree_size(term));
        time("tree_size", start);
        let start = now();
        let vars = store.free_vars(&[term]);
        time("free_vars", start);
        let start = now();
        let text = store.show(term);
        time("show", start);
        black_box(text);
        let mut model = Model::new();
        for (n, &var) in vars.iter().enumerate() {
            let value = match store.sort(var) {
                SortId::BOOL => Value::Bool(n % 2 == 0),
                SortId::INT if name == "store" => Value::Int((n as i64).into()),
                SortId::INT => Value::Int(1.into()),
                sort => Value::default_of(&store, sort).expect("arrays of numbers"),
            };
            model.set(var, value);
        }
        let start = now();
        black_box(eval(&store, term, &model)).expect("nothing is undefined here");
        time("eval", start);
        let mut map = Substitution::default();
        let fresh = store.fresh_var("y", store.sort(vars[0]));
        map.insert(vars[0], fresh);
        let start = now();
        black_box(store.substitute(term, &map));
        time("substitute", start);
    }
}

fn main() {
    let only = std::env::args().nth(1).filter(|arg| !arg.starts_with("--"));
    let wants = |name: &str| only.as_deref().is_none_or(|only| only == name);
    if wants("words") {
        [8, 32, 64, 65, 128].into_iter().for_each(words);
    }
    if wants("simulation") {
        simulation();
    }
    if wants("building") {
        building(3000);
        building(300);
    }
    if wants("chains") {
        chains();
    }
}
