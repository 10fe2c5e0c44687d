//! Random terms of several sorts, and whether a conjunction of literals over them is consistent, by
//! repetition until nothing changes.

use alphorn_problem::evidence::proof::Literal;
use alphorn_term::{FuncId, Op, Sort, SortId, Store, TermId};
use alphorn_testkit::Rng;
use rustc_hash::FxHashMap;

/// A sort of elements, that of their lists, and how the empty list and longer ones are made.
pub(super) fn lists(store: &mut Store) -> (SortId, SortId, [Op; 2]) {
    let name = store.symbol("U");
    let u = store.sort_id(Sort::Uninterpreted(name, Vec::new()));
    let data = store.declare_data("List", &[]);
    let list = store.data(data).sort;
    let fields = vec![("head".to_owned(), u), ("tail".to_owned(), list)];
    store.define_data(data, &[("nil", Vec::new()), ("cons", fields)]);
    let ctors = [0, 1].map(|at| Op::Construct(store.data(data).ctors[at]));
    (u, list, ctors)
}

/// A supply of terms.
pub(super) struct Supply {
    pub(super) store: Store,
    pub(super) random: Rng,
    sorts: Vec<SortId>,
    funcs: Vec<FuncId>,
    ctors: Vec<Op>,
}

impl Supply {
    pub(super) fn new(seed: u64) -> Supply {
        let mut store = Store::new();
        let (u, list, ctors) = lists(&mut store);
        let (int, bool) = (SortId::INT, SortId::BOOL);
        let funcs = [
            ("f", vec![u], u),
            ("g", vec![u, u], u),
            ("p", vec![u], bool),
            ("q", vec![int, u], bool),
            ("h", vec![int], int),
            ("k", vec![bool], u),
            ("m", vec![list], list),
            ("n", vec![bool], bool),
        ];
        let funcs = funcs.map(|(name, args, result)| store.declare(name, &args, result)).to_vec();
        let sorts = vec![u, int, bool, list];
        Supply { store, random: Rng::new(seed), sorts, funcs, ctors: ctors.to_vec() }
    }

    fn leaf(&mut self, sort: SortId) -> TermId {
        let pick = self.random.below(4);
        if sort == SortId::INT && pick < 2 {
            return self.store.int(pick as u64);
        }
        if sort == self.sorts[3] && pick == 0 {
            return self.store.mk(self.ctors[0], &[]);
        }
        let name = format!("{}{}", ["a", "x", "b", "l"][self.place(sort)], pick);
        self.store.var(&name, sort)
    }

    fn place(&self, sort: SortId) -> usize {
        self.sorts.iter().position(|&other| other == sort).unwrap()
    }

    pub(super) fn term(&mut self, sort: SortId, depth: usize) -> TermId {
        if depth == 0 || self.random.below(3) == 0 {
            return self.leaf(sort);
        }
        if sort == self.sorts[3] && self.random.below(2) == 0 {
            let head = self.term(self.sorts[0], depth - 1);
            let tail = self.term(sort, depth - 1);
            return self.store.mk(self.ctors[1], &[head, tail]);
        }
        if sort == SortId::INT && self.random.below(3) == 0 {
            let condition = self.term(SortId::BOOL, depth - 1);
            let (then, other) = (self.leaf(sort), self.leaf(sort));
            return self.store.ite(condition, then, other);
        }
        if sort == SortId::BOOL {
            match self.random.below(5) {
                0 | 1 => return self.equation(depth - 1),
                2 => {
                    let inner = self.term(sort, depth - 1);
                    return self.store.not(inner);
                }
                _ => {}
            }
        }
        let of_sort: Vec<FuncId> =
            self.funcs.iter().copied().filter(|&f| self.store.func(f).result == sort).collect();
        let func = self.random.pick(&of_sort);
        let sorts = self.store.func(func).args.clone();
        let args: Vec<TermId> = sorts.into_iter().map(|sort| self.term(sort, depth - 1)).collect();
        self.store.mk(Op::Apply(func), &args)
    }

    fn equation(&mut self, depth: usize) -> TermId {
        let sort = self.sorts[self.random.below(4)];
        let (left, right) = (self.term(sort, depth), self.term(sort, depth));
        self.store.eq(left, right)
    }

    /// A literal, more often than not an equation.
    pub(super) fn literal(&mut self, depth: usize) -> Literal {
        let term = match self.random.below(4) {
            0 => self.term(SortId::BOOL, depth),
            _ => self.equation(depth),
        };
        let literal = Literal::of(&self.store, term);
        if self.random.below(3) == 0 { !literal } else { literal }
    }
}

/// Whether a conjunction of literals is consistent, as far as equality knows.
pub(super) fn is_consistent(store: &Store, literals: &[Literal]) -> bool {
    let mut terms = vec![TermId::TRUE, TermId::FALSE];
    let mut class: FxHashMap<TermId, TermId> = terms.iter().map(|&term| (term, term)).collect();
    let mut stack: Vec<TermId> = literals.iter().map(|literal| literal.atom).collect();
    while let Some(term) = stack.pop() {
        if class.insert(term, term).is_none() {
            terms.push(term);
        }
        stack.extend(store.args(term));
    }
    for literal in literals {
        join(&mut class, literal.atom, store.bool(!literal.negated));
    }
    while let Some((a, b)) = next_equality(store, &terms, &class) {
        join(&mut class, a, b);
    }
    let differ = |a, b| class[&a] == class[&b] && differ(store, a, b);
    !terms.iter().any(|&a| terms.iter().any(|&b| differ(a, b))) && !has_cycle(store, &terms, &class)
}

/// Whether a value would be inside itself: classes whose arguments are all known to be finite are
/// finite, and in the end all have to be.
fn has_cycle(store: &Store, terms: &[TermId], class: &FxHashMap<TermId, TermId>) -> bool {
    let made = |term: &&TermId| matches!(store.op(**term), Op::Construct(_));
    let mut infinite: Vec<TermId> = terms.iter().filter(made).map(|term| class[term]).collect();
    loop {
        let is_open = |class_of: TermId| {
            let members = terms.iter().filter(made).filter(|term| class[term] == class_of);
            members.flat_map(|term| store.args(*term)).any(|arg| infinite.contains(&class[arg]))
        };
        let left: Vec<TermId> = infinite.iter().copied().filter(|class| is_open(*class)).collect();
        if left.len() == infinite.len() {
            return !left.is_empty();
        }
        infinite = left;
    }
}

fn join(class: &mut FxHashMap<TermId, TermId>, a: TermId, b: TermId) {
    let (from, to) = (class[&a], class[&b]);
    for entry in class.values_mut().filter(|entry| **entry == from) {
        *entry = to;
    }
}

fn differ(store: &Store, a: TermId, b: TermId) -> bool {
    match (store.op(a), store.op(b)) {
        (Op::Construct(c), Op::Construct(d)) => c != d,
        _ => a != b && store.is_literal(a) && store.is_literal(b),
    }
}

fn next_equality(
    store: &Store,
    terms: &[TermId],
    class: &FxHashMap<TermId, TermId>,
) -> Option<(TermId, TermId)> {
    let same = |a: TermId, b: TermId| class[&a] == class[&b];
    let is_value =
        |term: TermId| store.is_literal(term) || matches!(store.op(term), Op::Construct(_));
    let values: FxHashMap<TermId, TermId> =
        terms.iter().filter(|&&v| is_value(v)).map(|&v| (class[&v], v)).collect();
    let are_different =
        |a: TermId, b: TermId| match (values.get(&class[&a]), values.get(&class[&b])) {
            (Some(&v), Some(&w)) => differ(store, v, w),
            _ => false,
        };
    for &p in terms {
        let args = store.args(p);
        match (store.op(p), args) {
            (Op::Not, &[arg]) => {
                for truth in [true, false] {
                    if same(arg, store.bool(truth)) && !same(p, store.bool(!truth)) {
                        return Some((p, store.bool(!truth)));
                    }
                }
            }
            (Op::Eq, &[a, b]) => {
                if same(p, TermId::TRUE) != same(a, b) {
                    return Some(if same(a, b) { (p, TermId::TRUE) } else { (a, b) });
                }
                if are_different(a, b) && !same(p, TermId::FALSE) {
                    return Some((p, TermId::FALSE));
                }
            }
            _ => {}
        }
        for &q in terms {
            if let (Op::Field(of, place), Op::Construct(ctor)) = (store.op(p), store.op(q))
                && of == ctor
                && same(args[0], q)
                && !same(p, store.args(q)[place as usize])
            {
                return Some((p, store.args(q)[place as usize]));
            }
            if args.is_empty() || store.op(p) != store.op(q) {
                continue;
            }
            let others = store.args(q);
            if matches!(store.op(p), Op::Construct(_)) && same(p, q) {
                let pairs = args.iter().zip(others);
                if let Some((&a, &b)) = pairs.into_iter().find(|(a, b)| !same(**a, **b)) {
                    return Some((a, b));
                }
            }
            let is_congruent = store.sort(p) == store.sort(q)
                && args.len() == others.len()
                && (args.iter().zip(others).all(|(&a, &b)| same(a, b))
                    || store.op(p) == Op::Eq
                        && same(args[0], others[1])
                        && same(args[1], others[0]));
            if is_congruent && !same(p, q) {
                return Some((p, q));
            }
        }
    }
    None
}
