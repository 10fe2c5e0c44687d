//! Random partitioned problems: every implication is refuted by a solver of its own, whose proof is
//! replayed, and every symbol is looked for on both sides.

use std::collections::BTreeMap;

use alphorn_sat::Budget;
use alphorn_smt::interpolate::{
    Cause, Dag, Interpolation, InterpolationOptions, Method, Position, Strength, Violation, binary,
    certify, dag, disjunctive, tree,
};
use alphorn_smt::project::symbols_of;
use alphorn_smt::{Answer, Fuel, Options, Reason, Smt};
use alphorn_term::{Op, Sort, SortId, Store, TermId};
use alphorn_testkit::Rng;
use alphorn_testkit::formulas::{self, Formulas, Kind};

/// Branches over the integers may go on without conflicts, so propagations are counted as well.
fn budget(times: u64) -> Budget {
    Budget { conflicts: Some(1_000 * times), propagations: Some(50_000 * times), ticks: None }
}

/// The symbols of a partition: some are shared, the others are its own.
struct Dialect {
    number: usize,
    random: Rng,
    terms: BTreeMap<TermId, TermId>,
}

impl Dialect {
    /// The formula with some of its symbols replaced by the partition's own.
    fn say(&mut self, store: &mut Store, term: TermId) -> TermId {
        let args: Vec<TermId> = store.args(term).to_vec();
        let args: Vec<TermId> = args.into_iter().map(|arg| self.say(store, arg)).collect();
        match store.op(term) {
            Op::Var(_) => {
                if let Some(known) = self.terms.get(&term) {
                    return *known;
                }
                let own = match self.random.below(3) {
                    0 => {
                        let name = format!("{}_{}", store.show(term), self.number);
                        store.var(&name, store.sort(term))
                    }
                    _ => term,
                };
                self.terms.insert(term, own);
                own
            }
            _ => store.rebuild(term, &args),
        }
    }
}

/// A literal of one of the theories, if there are any.
fn literal(store: &mut Store, formulas: &mut Formulas) -> TermId {
    let kind = formulas.kind;
    if kind.words && !formulas.rng.one_in(4) {
        return formulas.comparison(store, 2);
    }
    let mut sorts = Vec::new();
    sorts.extend(kind.ints.then_some(SortId::INT));
    sorts.extend(kind.reals.then_some(SortId::REAL));
    if kind.arrays && kind.ints {
        sorts.push(store.array_sort(SortId::INT, SortId::INT));
    }
    if kind.functions {
        let symbol = store.symbol("U");
        sorts.push(store.sort_id(Sort::Uninterpreted(symbol, Vec::new())));
    }
    if sorts.is_empty() || kind.data && formulas.rng.below(3) > 0 {
        return formulas.formula(store, u32::from(!kind.data));
    }
    // Functions of numbers alone, now and then: other sorts contradict each other sooner.
    if formulas.rng.one_in(2) {
        sorts.truncate(1);
    }
    let sort = sorts[formulas.rng.below(sorts.len() as u32) as usize];
    let left = formulas.term(store, sort, 2);
    let right = formulas.term(store, sort, 2);
    match formulas.rng.below(5) {
        0 | 1 if sort.is_arithmetic() => store.mk(Op::Le, &[left, right]),
        2 if sort.is_arithmetic() => store.mk(Op::Lt, &[left, right]),
        3 => {
            let equation = store.eq(left, right);
            store.not(equation)
        }
        _ => store.eq(left, right),
    }
}

/// A contradictory partitioned problem, if one is found soon.
fn problem(store: &mut Store, seed: u64, kind: Kind, count: usize) -> Option<Vec<TermId>> {
    let mut formulas = Formulas::new(store, seed, kind);
    let mut dialects: Vec<Dialect> = (0..count)
        .map(|number| Dialect {
            number,
            random: Rng::new(seed << 3 | number as u64),
            terms: BTreeMap::new(),
        })
        .collect();
    let mut parts: Vec<Vec<TermId>> = vec![Vec::new(); count];
    let mut smt = Smt::new(Options::default());
    for round in 0..30 {
        // Literals make the theories work, connectives the search.
        let formula = match seed % 4 {
            0 => formulas.formula(store, 1 + round as u32 % 2),
            1 | 2 => literal(store, &mut formulas),
            _ => {
                let parts = [literal(store, &mut formulas), literal(store, &mut formulas)];
                store.or(&parts)
            }
        };
        let formula = dialects[round % count].say(store, formula);
        parts[round % count].push(formula);
        smt.assert(store, formula);
        smt.set_budget(budget(1));
        match smt.check(store, &[]) {
            Answer::Unsat => return Some(parts.iter().map(|part| store.and(part)).collect()),
            Answer::Sat => {}
            Answer::Unknown => return None,
        }
    }
    None
}

/// A shape for a number of nodes.
fn shape(random: &mut Rng, count: usize) -> Vec<Option<u32>> {
    match random.below(4) {
        0 | 1 => (1..=count as u32).map(|next| (next < count as u32).then_some(next)).collect(),
        2 => vec![None; count],
        _ => {
            let mut parents = vec![None; count];
            // Parents have smaller numbers here, so that the order is not that of the solver.
            for (node, parent) in parents.iter_mut().enumerate().skip(1) {
                *parent = Some(random.below(node as u32));
            }
            parents
        }
    }
}

fn is_below(parents: &[Option<u32>], mut node: u32, above: u32) -> bool {
    loop {
        if node == above {
            return true;
        }
        match parents[node as usize] {
            Some(parent) => node = parent,
            None => return false,
        }
    }
}

/// Every implication, with its proof, and every symbol.
fn check(
    store: &mut Store,
    formulas: &[TermId],
    parents: &[Option<u32>],
    found: &[TermId],
    what: &str,
) {
    let explain = |store: &Store| {
        for (node, formula) in formulas.iter().enumerate() {
            eprintln!("{node} below {:?}: {}", parents[node], store.show(*formula));
            eprintln!("  interpolant {}", store.show(found[node]));
        }
    };
    for (node, interpolant) in found.iter().enumerate() {
        for symbol in symbols_of(store, *interpolant) {
            for inside in [true, false] {
                let occurs = formulas.iter().enumerate().any(|(other, formula)| {
                    is_below(parents, other as u32, node as u32) == inside
                        && symbols_of(store, *formula).contains(&symbol)
                });
                if !occurs {
                    explain(store);
                    panic!("{what}: {symbol:?} at node {node} does not occur inside: {inside}");
                }
            }
        }
    }
    let refutations = match certify(store, formulas, parents, found, budget(20)) {
        Ok(refutations) => refutations,
        // Whether products contradict each other is not always found out.
        Err(Violation::Unknown(_)) if what.contains("products: true") => return,
        Err(violation) => {
            explain(store);
            panic!("{what}: {violation:?}");
        }
    };
    assert_eq!(refutations.len(), formulas.len() + 1);
    for (node, refutation) in refutations.iter().enumerate() {
        let is_child =
            |child: &usize| parents[*child].map_or(formulas.len(), |p| p as usize) == node;
        let children = (0..formulas.len()).filter(is_child);
        let mut expected: Vec<TermId> = children.map(|child| found[child]).collect();
        if node < formulas.len() {
            expected.extend([formulas[node], store.not(found[node])]);
        }
        assert_eq!(refutation.assertions, expected);
        formulas::publish(store, &expected);
        if let Err(refusal) =
            alphorn_check::proof::refute(store, &refutation.assertions, &refutation.proof)
        {
            panic!("{what}: refused: {refusal:?}");
        }
    }
}

/// How many problems had interpolants, and how many had none.
fn run(kind: Kind, methods: &[Method]) -> [u32; 2] {
    run_some(kind, methods, 300)
}

/// So many problems, unless the environment says how many.
fn run_some(kind: Kind, methods: &[Method], wanted: u64) -> [u32; 2] {
    let read = |name: &str| std::env::var(name).ok().and_then(|text| text.parse::<u64>().ok());
    let first = read("ALPHORN_SEED").unwrap_or(0);
    let wanted = read("ALPHORN_SEEDS").unwrap_or(wanted) as u32;
    let mut counts = [0; 2];
    let mut seed = first;
    while counts[0] + counts[1] < wanted {
        seed += 1;
        let mut store = Store::new();
        let mut random = Rng::new(seed ^ 0x5555);
        let count = 2 + random.below(4) as usize;
        let Some(formulas) = problem(&mut store, seed, kind, count) else { continue };
        let parents = shape(&mut random, count);
        let strength = match seed % 3 {
            0 => Strength::Strong,
            1 => Strength::Balanced,
            _ => Strength::Weak,
        };
        let method = random.pick(methods);
        let options = InterpolationOptions {
            strength,
            method,
            decompose: random.one_in(2),
            simplify: random.below(4) > 0,
            budget: budget(10),
            ..InterpolationOptions::default()
        };
        let what = format!("{kind:?}, seed {seed}, {strength:?}, {method:?}, {parents:?}");
        match tree(&mut store, &formulas, &parents, &options) {
            Interpolation::Interpolants(found) => {
                check(&mut store, &formulas, &parents, &found, &what);
                counts[0] += 1;
            }
            Interpolation::Satisfiable(_) => panic!("{what}: satisfiable"),
            Interpolation::Unknown(Cause::Search(_) | Cause::Inseparable) => {
                if std::env::var("ALPHORN_SHOW").is_ok() {
                    eprintln!("{what}: unknown");
                    formulas.iter().for_each(|f| eprintln!("  {}", store.show(*f)));
                }
                counts[1] += 1;
            }
            Interpolation::Unknown(cause) => panic!("{what}: {cause:?}"),
        }
    }
    counts
}

#[test]
fn booleans() {
    let [found, unknown] = run(Kind::default(), &[Method::Proof, Method::Projection]);
    assert!(found > 0 && unknown == 0, "{found} {unknown}");
}

#[test]
fn reals() {
    let kind = Kind { reals: true, ..Kind::default() };
    let [found, unknown] = run(kind, &[Method::Proof, Method::Proof, Method::Projection]);
    assert!(found > 0 && unknown == 0, "{found} {unknown}");
}

#[test]
fn integers() {
    let kind = Kind { ints: true, ..Kind::default() };
    let [found, unknown] = run(kind, &[Method::Proof, Method::Proof, Method::Projection]);
    assert!(found > 0 && unknown == 0, "{found} {unknown}");
}

#[test]
fn integer_operators() {
    let kind = Kind { ints: true, operators: true, ..Kind::default() };
    let [found, unknown] = run(kind, &[Method::Proof, Method::Proof, Method::Projection]);
    assert!(found > 0 && unknown * 50 < found, "{found} {unknown}");
}

#[test]
fn products() {
    let kind = Kind { ints: true, products: true, ..Kind::default() };
    let [found, unknown] = run(kind, &[Method::Proof]);
    assert!(found > 3 * unknown, "{found} {unknown}");
}

#[test]
fn mixed_numbers() {
    let kind = Kind { ints: true, reals: true, operators: true, ..Kind::default() };
    let [found, unknown] = run(kind, &[Method::Proof]);
    assert!(found > 0 && unknown * 20 < found, "{found} {unknown}");
}

#[test]
fn arrays() {
    for kind in [
        Kind { arrays: true, ints: true, ..Kind::default() },
        Kind { arrays: true, ..Kind::default() },
        Kind { arrays: true, nested: true, ints: true, ..Kind::default() },
    ] {
        let methods = [Method::Proof, Method::Proof, Method::Projection];
        let [found, unknown] = run_some(kind, &methods, 20);
        assert!(found > 5 * unknown, "{found} {unknown}");
    }
}

#[test]
fn datatypes() {
    for kind in
        [Kind { data: true, ..Kind::default() }, Kind { data: true, ints: true, ..Kind::default() }]
    {
        let [found, unknown] = run(kind, &[Method::Proof, Method::Proof, Method::Projection]);
        assert!(found > 0 && unknown * 20 < found, "{found} {unknown}");
    }
}

#[test]
fn datatypes_with_functions() {
    let kind = Kind { data: true, ints: true, functions: true, ..Kind::default() };
    let [found, unknown] = run(kind, &[Method::Proof]);
    assert!(found > 3 * unknown, "{found} {unknown}");
}

#[test]
fn functions() {
    let [found, unknown] = run(Kind { functions: true, ..Kind::default() }, &[Method::Proof]);
    assert!(found > 0 && unknown * 20 < found, "{found} {unknown}");
}

#[test]
fn words() {
    let kind = Kind { words: true, ..Kind::default() };
    let [found, unknown] = run(kind, &[Method::Proof, Method::Proof, Method::Projection]);
    assert!(found > 0 && unknown * 20 < found, "{found} {unknown}");
}

#[test]
fn functions_of_words() {
    let kind = Kind { words: true, functions: true, ..Kind::default() };
    let [found, unknown] = run(kind, &[Method::Proof]);
    assert!(found > 3 * unknown, "{found} {unknown}");
}

#[test]
fn functions_of_numbers() {
    for reals in [true, false] {
        let kind = Kind { ints: true, reals, functions: true, ..Kind::default() };
        let [found, unknown] = run(kind, &[Method::Proof]);
        assert!(found > 3 * unknown, "{found} {unknown}");
    }
}

/// All positions of a formula below conjunctions and disjunctions.
fn positions(store: &Store, formula: TermId, at: &mut Position, found: &mut Vec<Position>) {
    found.push(at.clone());
    if matches!(store.op(formula), Op::And | Op::Or) {
        for (step, arg) in store.args(formula).iter().enumerate() {
            at.push(step as u32);
            positions(store, *arg, at, found);
            at.pop();
        }
    }
}

/// What is at a position when others have been replaced.
fn replaced(
    store: &mut Store,
    formula: TermId,
    at: &[u32],
    others: &BTreeMap<Position, TermId>,
) -> TermId {
    let args = store.args(formula).to_vec();
    if !matches!(store.op(formula), Op::And | Op::Or) {
        return formula;
    }
    let mut rebuilt = Vec::new();
    for (step, arg) in args.into_iter().enumerate() {
        let below: Position = at.iter().copied().chain([step as u32]).collect();
        rebuilt.push(match others.get(&below) {
            Some(term) => *term,
            None => replaced(store, arg, &below, others),
        });
    }
    store.rebuild(formula, &rebuilt)
}

fn refute(store: &mut Store, formulas: &[TermId], what: &str) {
    let mut smt = Smt::new(Options { proofs: true, ..Options::default() });
    smt.set_budget(budget(20));
    for formula in formulas {
        smt.assert(store, *formula);
    }
    assert_eq!(smt.check(store, &[]), Answer::Unsat, "{what}");
    formulas::publish(store, formulas);
    formulas::check_answer(&smt, store, Answer::Unsat, what);
}

/// How many formulas had disjunctive interpolants, and how many had none.
fn run_disjunctive(kind: Kind) -> [u32; 2] {
    let mut counts = [0; 2];
    let mut seed = 0;
    while counts[0] + counts[1] < 300 {
        seed += 1;
        let mut store = Store::new();
        let mut random = Rng::new(seed ^ 0x3333);
        // Alternatives, each with alternatives in it, one of which is never possible.
        let Some(first) = problem(&mut store, seed, kind, 3) else { continue };
        let Some(second) = problem(&mut store, seed + 1, kind, 3) else { continue };
        let inner = store.or(&[first[0], second[0]]);
        let with = store.and(&[inner, first[1], second[1]]);
        let outer = store.or(&[with, first[2]]);
        let formula = store.and(&[outer, first[0], first[1], second[2]]);
        let mut all = Vec::new();
        positions(&store, formula, &mut Vec::new(), &mut all);
        let chosen: Vec<Position> = all.into_iter().filter(|_| random.one_in(3)).collect();
        let options =
            InterpolationOptions { budget: budget(10), ..InterpolationOptions::default() };
        let what = format!("{kind:?}, seed {seed}, {chosen:?} of {}", store.show(formula));
        let found = match disjunctive(&mut store, formula, &chosen, &options) {
            Interpolation::Interpolants(found) => found,
            Interpolation::Satisfiable(_) => continue,
            Interpolation::Unknown(_) => {
                counts[1] += 1;
                continue;
            }
        };
        counts[0] += 1;
        let known: BTreeMap<Position, TermId> =
            chosen.iter().cloned().zip(found.iter().copied()).collect();
        for (position, interpolant) in &known {
            let part = position.iter().fold(formula, |term, step| store.args(term)[*step as usize]);
            let part_replaced = replaced(&mut store, part, position, &known);
            let negation = store.not(*interpolant);
            refute(&mut store, &[part_replaced, negation], &what);
            // True would make disjunctions around it true, and their symbols disappear.
            let hole = store.var("hole", SortId::BOOL);
            let holed = BTreeMap::from([(position.clone(), hole)]);
            let rest = match position.is_empty() {
                true => TermId::TRUE,
                false => replaced(&mut store, formula, &[], &holed),
            };
            for symbol in symbols_of(&store, *interpolant) {
                assert!(symbols_of(&store, part).contains(&symbol), "{what}");
                assert!(symbols_of(&store, rest).contains(&symbol), "{what}");
            }
        }
        let whole = match known.get(&Vec::new()) {
            Some(interpolant) => *interpolant,
            None => replaced(&mut store, formula, &[], &known),
        };
        refute(&mut store, &[whole], &what);
    }
    counts
}

#[test]
fn disjunctive_interpolants() {
    for kind in [Kind::default(), Kind { ints: true, ..Kind::default() }] {
        let [found, unknown] = run_disjunctive(kind);
        assert!(found > 0 && unknown == 0, "{kind:?}: {found} {unknown}");
    }
    let [found, unknown] = run_disjunctive(Kind { functions: true, ..Kind::default() });
    assert!(unknown * 20 < found, "{found} {unknown}");
}

/// How many DAGs had interpolants, and how many had none.
fn run_dag(kind: Kind) -> [u32; 2] {
    let mut counts = [0; 2];
    let mut seed = 0;
    while counts[0] + counts[1] < 300 {
        seed += 1;
        let mut store = Store::new();
        let mut formulas = Formulas::new(&mut store, seed, kind);
        let count = 3 + formulas.rng.below(4);
        let mut edges = Vec::new();
        for from in 0..count - 1 {
            for to in from + 1..count {
                if to == from + 1 || formulas.rng.one_in(3) {
                    let parts: Vec<TermId> = (0..1 + formulas.rng.below(3))
                        .map(|_| literal(&mut store, &mut formulas))
                        .collect();
                    edges.push((from, to, store.and(&parts)));
                }
            }
        }
        let mut nodes = vec![TermId::TRUE; count as usize];
        if seed % 4 == 0 {
            nodes[1] = literal(&mut store, &mut formulas);
        }
        let graph = Dag { nodes, edges, entry: 0, exit: count - 1 };
        let options =
            InterpolationOptions { budget: budget(10), ..InterpolationOptions::default() };
        let found = match dag(&mut store, &graph, &options) {
            Interpolation::Interpolants(found) => found,
            Interpolation::Satisfiable(_) => continue,
            Interpolation::Unknown(Cause::Search(_)) => continue,
            Interpolation::Unknown(_) => {
                counts[1] += 1;
                continue;
            }
        };
        counts[0] += 1;
        let what = format!("{kind:?}, seed {seed}");
        assert_eq!(found[0], TermId::TRUE, "{what}");
        assert_eq!(found[count as usize - 1], TermId::FALSE, "{what}");
        for (from, to, formula) in &graph.edges {
            let (from, to) = (*from as usize, *to as usize);
            let after = store.and(&[found[to], graph.nodes[to]]);
            let negation = store.not(after);
            refute(&mut store, &[found[from], graph.nodes[from], *formula, negation], &what);
        }
        for node in 1..count - 1 {
            let on = |store: &Store, pick: &dyn Fn(&(u32, u32, TermId)) -> u32| {
                let edges = graph.edges.iter().filter(|edge| pick(edge) == node);
                store.free_vars(&edges.map(|edge| edge.2).collect::<Vec<_>>())
            };
            let (incoming, outgoing) = (on(&store, &|edge| edge.1), on(&store, &|edge| edge.0));
            for var in store.free_vars(&[found[node as usize]]) {
                assert!(incoming.contains(&var) && outgoing.contains(&var), "{what}");
            }
        }
    }
    counts
}

#[test]
fn interpolants_of_dags() {
    for kind in [Kind { ints: true, ..Kind::default() }, Kind { reals: true, ..Kind::default() }] {
        let [found, unknown] = run_dag(kind);
        assert!(found > 0 && unknown == 0, "{kind:?}: {found} {unknown}");
    }
}

/// An interpolation that needs much is stopped when what it may use together is used up.
#[test]
fn all_queries_draw_on_one_fuel() {
    let mut store = Store::new();
    let arrays = store.array_sort(SortId::INT, SortId::INT);
    let [a, b] = ["a", "b"].map(|name| store.var(name, arrays));
    let [i, j, x] = ["i", "j", "x"].map(|name| store.var(name, SortId::INT));
    let written = store.store(a, i, x);
    let inside = store.eq(b, written);
    let reads = [a, b].map(|array| store.select(array, j));
    let (equal, same) = (store.eq(reads[0], reads[1]), store.eq(i, j));
    let (different, other) = (store.not(equal), store.not(same));
    let outside = store.and(&[different, other]);
    let with =
        |fuel: &Fuel| InterpolationOptions { fuel: Some(fuel.clone()), ..Default::default() };
    let plenty = Fuel::new(1_000_000);
    let found = binary(&mut store, inside, outside, &with(&plenty));
    assert!(matches!(found, Interpolation::Interpolants(_)), "{found:?}");
    let used = 1_000_000 - plenty.left();
    assert!(used > 0);
    let found = binary(&mut store, inside, outside, &with(&Fuel::new(0)));
    assert!(matches!(found, Interpolation::Unknown(Cause::Search(Reason::Budget))), "{found:?}");
}
