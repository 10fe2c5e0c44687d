//! Random inconsistent pairs of conjunctions: the interpolant is over the symbols of both, implied
//! by the first, and inconsistent with the second, by case distinction over its connectives with
//! the naive closure at the leaves.

use super::super::terms::Terms;
use super::super::{Side, interpolate};
use super::formulas::{is_consistent, lists};
use alphorn_problem::evidence::proof::Literal;
use alphorn_term::{FuncId, Op, SortId, Store, TermId};
use alphorn_testkit::Rng;

/// Symbols of one side or of both, by the last letter of their names.
struct Supply {
    store: Store,
    random: Rng,
    u: SortId,
    list: SortId,
    cons: Op,
    nil: Op,
}

impl Supply {
    fn new(seed: u64) -> Supply {
        let mut store = Store::new();
        let (u, list, [nil, cons]) = lists(&mut store);
        let (int, bool) = (SortId::INT, SortId::BOOL);
        for side in ["A", "B", "S"] {
            store.declare(&format!("f{side}"), &[u], u);
        }
        store.declare("gS", &[u, u], u);
        store.declare("pS", &[u], bool);
        store.declare("hS", &[int], int);
        store.declare("kS", &[bool], u);
        store.declare("mS", &[u], int);
        Supply { store, random: Rng::new(seed), u, list, cons, nil }
    }

    fn leaf(&mut self, sort: SortId, side: &'static str) -> TermId {
        if sort == SortId::INT && self.random.below(3) == 0 {
            let value = self.random.below(2) as u64;
            return self.store.int(value);
        }
        if sort == self.list && self.random.below(4) == 0 {
            return self.store.mk(self.nil, &[]);
        }
        let side = if self.random.below(2) == 0 { "S" } else { side };
        let name = format!("v{}{side}", self.random.below(2));
        self.store.var(&name, sort)
    }

    fn term(&mut self, sort: SortId, side: &'static str, depth: usize) -> TermId {
        if depth == 0 || self.random.below(3) == 0 {
            return self.leaf(sort, side);
        }
        if sort == self.list {
            let (head, tail) = (self.term(self.u, side, depth - 1), self.leaf(sort, side));
            return self.store.mk(self.cons, &[head, tail]);
        }
        if sort == SortId::BOOL && self.random.below(3) == 0 {
            return self.equation(side, depth - 1);
        }
        let funcs: Vec<FuncId> = self
            .store
            .funcs()
            .filter(|&func| {
                let name = self.store.name(self.store.func(func).name);
                self.store.func(func).result == sort
                    && (name.ends_with('S') || name.ends_with(side))
            })
            .collect();
        let func = self.random.pick(&funcs);
        let sorts = self.store.func(func).args.clone();
        let args: Vec<TermId> =
            sorts.into_iter().map(|sort| self.term(sort, side, depth - 1)).collect();
        self.store.mk(Op::Apply(func), &args)
    }

    fn equation(&mut self, side: &'static str, depth: usize) -> TermId {
        let others = [SortId::INT, SortId::BOOL, self.list];
        let sort = if self.random.below(5) > 0 { self.u } else { self.random.pick(&others) };
        let (left, right) = (self.term(sort, side, depth), self.term(sort, side, depth));
        self.store.eq(left, right)
    }

    /// Terms of a side with their subterms, few enough to meet again.
    fn pool(&mut self, side: &'static str, depth: usize) -> Vec<TermId> {
        let sorts =
            [self.u, self.u, self.u, self.u, self.u, self.u, SortId::INT, SortId::BOOL, self.list];
        let mut stack: Vec<TermId> = Vec::new();
        for sort in sorts.into_iter().chain(sorts) {
            let term = self.term(sort, side, depth);
            stack.push(term);
        }
        let mut pool = Vec::new();
        while let Some(term) = stack.pop() {
            if !pool.contains(&term) && term.index() > 1 {
                pool.push(term);
                stack.extend(self.store.args(term));
            }
        }
        pool
    }

    /// A literal over a pool.
    fn literal(&mut self, pool: &[TermId]) -> Literal {
        let left = self.random.pick(pool);
        let sort = self.store.sort(left);
        if sort == SortId::BOOL && self.random.below(2) == 0 {
            let literal = Literal::of(&self.store, left);
            return if self.random.below(2) == 0 { literal } else { !literal };
        }
        let same: Vec<TermId> =
            pool.iter().copied().filter(|&term| self.store.sort(term) == sort).collect();
        let right = self.random.pick(&same);
        let equation = self.store.eq(left, right);
        let literal = Literal::of(&self.store, equation);
        if self.random.below(4) == 0 { !literal } else { literal }
    }
}

/// Whether no symbol of a term is of the other side.
fn is_without(store: &Store, term: TermId, side: char) -> bool {
    let own = match store.op(term) {
        Op::Var(symbol) => store.name(symbol),
        Op::Apply(func) => store.name(store.func(func).name),
        _ => "",
    };
    !own.ends_with(side) && store.args(term).iter().all(|&arg| is_without(store, arg, side))
}

/// Whether formulas and literals have a model, as far as equality knows.
fn is_satisfiable(store: &Store, todo: &mut Vec<(TermId, bool)>, given: &[Literal]) -> bool {
    if !is_consistent(store, given) {
        return false;
    }
    // Conjunctions first: what they say closes branches early.
    let at = todo.iter().position(|&(term, sign)| !splits(store, term, sign));
    let at = at.or_else(|| todo.len().checked_sub(1));
    let Some(at) = at else { return true };
    let (term, sign) = todo.remove(at);
    let args = store.args(term);
    match (store.op(term), sign) {
        (Op::Not, _) => {
            let mut todo = todo.clone();
            todo.push((args[0], !sign));
            is_satisfiable(store, &mut todo, given)
        }
        (Op::And, true) | (Op::Or, false) => {
            let mut todo = todo.clone();
            todo.extend(args.iter().map(|&arg| (arg, sign)));
            is_satisfiable(store, &mut todo, given)
        }
        (Op::And, false) | (Op::Or, true) => args.iter().any(|&arg| {
            let mut todo = todo.clone();
            todo.push((arg, sign));
            is_satisfiable(store, &mut todo, given)
        }),
        _ => {
            let mut given = given.to_vec();
            given.push(Literal { atom: term, negated: !sign });
            is_satisfiable(store, &mut todo.clone(), &given)
        }
    }
}

fn splits(store: &Store, term: TermId, sign: bool) -> bool {
    matches!((store.op(term), sign), (Op::And, false) | (Op::Or, true))
}

fn is_refuted(store: &Store, literals: &[Literal]) -> bool {
    let clause: Vec<Literal> = literals.iter().map(|&literal| !literal).collect();
    Terms::new().refute(store, &clause).is_some()
}

/// What a run has seen.
#[derive(Default, Debug)]
struct Counts {
    found: usize,
    missing: usize,
    clauses: usize,
    implications: usize,
}

fn check(supply: &mut Supply, a: &[Literal], b: &[Literal], counts: &mut Counts, seed: u64) {
    let labelled: Vec<(Literal, Side)> = a
        .iter()
        .map(|&literal| (literal, Side::A))
        .chain(b.iter().map(|&literal| (literal, Side::B)))
        .map(|(literal, side)| match () {
            () if a.contains(&literal) && b.contains(&literal) => (!literal, Side::Both),
            () => (!literal, side),
        })
        .collect();
    let is_a = |store: &Store, term| is_without(store, term, 'B');
    let is_b = |store: &Store, term| is_without(store, term, 'A');
    let Some(formula) = interpolate(&mut supply.store, &labelled, &is_a, &is_b) else {
        counts.missing += 1;
        return;
    };
    let store = &supply.store;
    let shown = store.show(formula);
    counts.found += 1;
    counts.clauses += usize::from(formula.index() > 1);
    counts.implications += usize::from(shown.contains("or"));
    assert!(is_a(store, formula) && is_b(store, formula), "seed {seed}: {shown}");
    assert!(!is_satisfiable(store, &mut vec![(formula, false)], a), "seed {seed}: {shown}");
    assert!(!is_satisfiable(store, &mut vec![(formula, true)], b), "seed {seed}: {shown}");
}

/// Adds literals that keep both sides consistent together, and looks at those that do not.
#[test]
fn interpolants_of_random_conflicts_separate_the_sides() {
    let mut counts = Counts::default();
    for seed in 0..400 {
        let mut supply = Supply::new(seed);
        let mut sides: [Vec<Literal>; 2] = [Vec::new(), Vec::new()];
        let depth = 1 + supply.random.below(2);
        let pools = ["A", "B"].map(|side| supply.pool(side, depth));
        let most = 6 + supply.random.below(14);
        for round in 0..60 {
            let own = supply.random.below(2);
            let mut literal = supply.literal(&pools[own]);
            if literal.atom.index() < 2 || sides[own].contains(&literal) {
                continue;
            }
            // What disagrees with the classes that there are by then follows from many literals.
            if round > most {
                literal.negated = true;
            }
            sides[own].push(literal);
            let is_refuted_alone = is_refuted(&supply.store, &sides[own]);
            let is_conflict = is_refuted(&supply.store, &sides.concat());
            if is_conflict && !is_refuted_alone {
                check(&mut supply, &sides[0], &sides[1], &mut counts, seed);
            }
            if is_conflict || round > most {
                sides[own].pop();
            }
        }
    }
    assert!(counts.found > 100 && counts.missing * 20 < counts.found, "{counts:?}");
}

/// Literals of both sides that make two terms equal, by chains and congruences that change sides.
struct Weaver {
    supply: Supply,
    sides: [Vec<Literal>; 2],
    fresh: usize,
}

impl Weaver {
    /// The sides that a term can be on.
    fn sides_of(&self, term: TermId) -> [bool; 2] {
        ['B', 'A'].map(|other| is_without(&self.supply.store, term, other))
    }

    fn var(&mut self, side: &str) -> TermId {
        self.fresh += 1;
        let name = format!("w{}{side}", self.fresh);
        self.supply.store.var(&name, self.supply.u)
    }

    fn assert(&mut self, side: usize, x: TermId, y: TermId, is_equal: bool) {
        let equation = self.supply.store.eq(x, y);
        let literal = Literal::of(&self.supply.store, equation);
        let literal = if is_equal { literal } else { !literal };
        self.sides[side].push(literal);
        // What both sides can say may be said by both.
        if self.sides_of(equation) == [true, true] && self.supply.random.below(3) == 0 {
            self.sides[1 - side].push(literal);
        }
    }

    /// A side for each of two terms, the same where they have one in common.
    fn sides_for(&mut self, x: TermId, y: TermId) -> (usize, usize) {
        let (p, q) = (self.sides_of(x), self.sides_of(y));
        let common: Vec<usize> = (0..2).filter(|&side| p[side] && q[side]).collect();
        if common.is_empty() {
            return (usize::from(!p[0]), usize::from(!q[0]));
        }
        let side = self.supply.random.pick(&common);
        (side, side)
    }

    fn link(&mut self, x: TermId, y: TermId, depth: usize) {
        let (left, right) = self.sides_for(x, y);
        match self.supply.random.below(5) {
            _ if x == y => {}
            0 | 1 if depth > 0 => {
                let side = self.supply.random.pick(&["S", "S", ["A", "B"][left]]);
                let middle = self.var(side);
                self.link(x, middle, depth - 1);
                self.link(middle, y, depth - 1);
            }
            2.. if depth > 0 => {
                let (p, q) = (self.arg(left), self.arg(right));
                let name = self.supply.random.pick(&["fS", "fS", "gS"]);
                let other = self.var("S");
                let (f, g) = (self.apply(name, p, other), self.apply(name, q, other));
                self.assert(left, x, f, true);
                self.assert(right, y, g, true);
                self.link(p, q, depth - 1);
            }
            _ if left == right => self.assert(left, x, y, true),
            _ => {
                let middle = self.var("S");
                self.assert(left, x, middle, true);
                self.assert(right, middle, y, true);
            }
        }
    }

    fn arg(&mut self, side: usize) -> TermId {
        let side = self.supply.random.pick(&["S", ["A", "B"][side]]);
        self.var(side)
    }

    fn apply(&mut self, name: &str, first: TermId, second: TermId) -> TermId {
        let store = &self.supply.store;
        let named = |func: &FuncId| store.name(store.func(*func).name) == name;
        let func = store.funcs().find(named).unwrap();
        let args = [first, second];
        let arity = store.func(func).args.len();
        self.supply.store.mk(Op::Apply(func), &args[..arity])
    }
}

#[test]
fn interpolants_of_woven_conflicts_separate_the_sides() {
    let mut counts = Counts::default();
    for seed in 0..400 {
        let mut supply = Supply::new(seed);
        let side = supply.random.below(2);
        let depth = 2 + supply.random.below(3);
        let mut weaver = Weaver { supply, sides: [Vec::new(), Vec::new()], fresh: 0 };
        let (x, y) = (weaver.arg(side), weaver.arg(side));
        weaver.link(x, y, depth);
        weaver.assert(side, x, y, false);
        let Weaver { mut supply, sides: [a, b], .. } = weaver;
        assert!(is_refuted(&supply.store, &[a.as_slice(), &b].concat()));
        check(&mut supply, &a, &b, &mut counts, seed);
    }
    let Counts { found, missing, implications, .. } = counts;
    assert!(found == 400 && missing == 0 && implications > 20, "{counts:?}");
}

#[test]
fn a_congruence_between_the_sides_goes_by_way_of_a_shared_term() {
    let mut weaver = Weaver { supply: Supply::new(0), sides: [Vec::new(), Vec::new()], fresh: 0 };
    let [a, b, s, x, y] = ["A", "B", "S", "S", "S"].map(|side| weaver.var(side));
    let [fa, fb, fs] = [a, b, s].map(|arg| weaver.apply("fS", arg, arg));
    weaver.assert(0, x, fa, true);
    weaver.assert(0, a, s, true);
    weaver.assert(1, b, s, true);
    weaver.assert(1, y, fb, true);
    weaver.assert(1, x, y, false);
    let Weaver { supply: Supply { mut store, .. }, sides: [first, second], .. } = weaver;
    let label = |literals: Vec<Literal>, side| literals.into_iter().map(move |l| (!l, side));
    let clause: Vec<(Literal, Side)> =
        label(first, Side::A).chain(label(second, Side::B)).collect();
    let is_a = |store: &Store, term| is_without(store, term, 'B');
    let is_b = |store: &Store, term| is_without(store, term, 'A');
    let expected = store.eq(x, fs);
    assert_eq!(interpolate(&mut store, &clause, &is_a, &is_b), Some(expected));
    // With the terms of B out of B's words, its literals are of neither side.
    assert_eq!(interpolate(&mut store, &clause, &is_a, &is_a), None);
}
