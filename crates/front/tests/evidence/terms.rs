//! Random terms, values and proofs over every sort, and when those of two stores are the same.

use alphorn_problem::evidence::proof::{LinearStep, Literal, Proof, ProofStep, Rule, StepId};
use alphorn_term::eval::Table;
use alphorn_term::{Bv, Op, Rat, Sort, SortId, Store, TermId, Value};
use alphorn_testkit as testkit;
use alphorn_testkit::Rng;
use alphorn_testkit::terms::Values;

/// What random terms are made of.
pub struct Vocabulary {
    pub vars: Vec<TermId>,
    /// Applications that are well-sorted: operator, sorts of arguments.
    shapes: Vec<(Op, Vec<SortId>)>,
    arrays: Vec<SortId>,
    literals: Vec<TermId>,
}

/// Declares datatypes, functions and variables of all sorts in `store`; variables have names
/// that a text could mistake for something else.
pub fn vocabulary(store: &mut Store, names: &[&str]) -> Vocabulary {
    let (bool, int, real) = (SortId::BOOL, SortId::INT, SortId::REAL);
    let (word, bit) = (store.bv_sort(4), store.bv_sort(1));
    let array = store.array_sort(int, int);
    let table = store.array_sort(bit, bool);
    let list = store.declare_data("List", &[int]);
    let list_sort = store.data(list).sort;
    let fields = vec![("head".to_owned(), int), ("tail".to_owned(), list_sort)];
    store.define_data(list, &[("nil", vec![]), ("cons", fields)]);
    let bools = store.declare_data("List", &[bool]);
    let bools_sort = store.data(bools).sort;
    let fields = vec![("head".to_owned(), bool), ("tail".to_owned(), bools_sort)];
    store.define_data(bools, &[("nil", vec![]), ("cons", fields)]);
    let pair = store.declare_data("pair of two", &[]);
    let pair_sort = store.data(pair).sort;
    let fields = vec![("first".to_owned(), real), ("second of".to_owned(), word)];
    store.define_data(pair, &[("a pair", fields)]);
    let thing = store.symbol("Thing");
    let thing = store.sort_id(Sort::Uninterpreted(thing, vec![]));
    let sets = store.symbol("Set");
    let set = store.sort_id(Sort::Uninterpreted(sets, vec![thing]));
    let sorts =
        [bool, int, real, word, bit, array, table, list_sort, bools_sort, pair_sort, thing, set];
    let f = store.declare("f", &[int, real], int);
    let g = store.declare("my g", &[thing, set], bool);
    let mut vars = Vec::new();
    for (position, &sort) in sorts.iter().enumerate() {
        for round in 0..2 {
            let name = names[(position + 5 * round) % names.len()];
            let var = store.var(name, sort);
            if !vars.contains(&var) {
                vars.push(var);
            }
        }
    }
    let mut shapes: Vec<(Op, Vec<SortId>)> = vec![
        (Op::Apply(f), vec![int, real]),
        (Op::Apply(g), vec![thing, set]),
        (Op::ToReal, vec![int]),
        (Op::ToInt, vec![real]),
        (Op::IsInt, vec![real]),
        (Op::Not, vec![bool]),
        (Op::Concat, vec![word, bit]),
        (Op::Extract(2, 1), vec![word]),
        (Op::ZeroExtend(3), vec![bit]),
        (Op::SignExtend(3), vec![bit]),
        (Op::UbvToInt, vec![word]),
        (Op::IntToBv(4), vec![int]),
        (Op::Select, vec![array, int]),
        (Op::Store, vec![array, int, int]),
        (Op::Select, vec![table, bit]),
        (Op::Store, vec![table, bit, bool]),
        (Op::Abs, vec![int]),
        (Op::Distinct, vec![int, int, int]),
        (Op::Distinct, vec![word, word, word]),
    ];
    for op in [Op::And, Op::Or] {
        shapes.extend([(op, vec![bool, bool]), (op, vec![bool; 3])]);
    }
    for op in [Op::Add, Op::Mul, Op::Le, Op::Lt] {
        shapes.extend([(op, vec![int, int]), (op, vec![real, real])]);
    }
    shapes.extend([Op::IntDiv, Op::Mod].map(|op| (op, vec![int, int])));
    shapes.push((Op::RealDiv, vec![real, real]));
    let words = [Op::BvAdd, Op::BvMul, Op::BvUdiv, Op::BvSlt, Op::BvUle, Op::BvShl, Op::BvXor];
    shapes.extend(words.map(|op| (op, vec![word, word])));
    for &sort in &sorts {
        shapes.extend([(Op::Eq, vec![sort, sort]), (Op::Ite, vec![bool, sort, sort])]);
        if let Sort::Data(data) = *store.sort_of(sort) {
            for &ctor in &store.data(data).ctors {
                let fields: Vec<SortId> = store.ctor(ctor).fields.iter().map(|f| f.1).collect();
                shapes.push((Op::Is(ctor), vec![sort]));
                for field in 0..fields.len() as u32 {
                    shapes.push((Op::Field(ctor, field), vec![sort]));
                }
                shapes.push((Op::Construct(ctor), fields));
            }
        }
    }
    let numbers = [-7i64, -1, 0, 1, 2, 12];
    let mut literals: Vec<TermId> = numbers.iter().map(|&n| store.int(n)).collect();
    for (num, den) in [(-7, 3), (-1, 1), (1, 2), (0, 1), (5, 1)] {
        let ratio = Rat::ratio(num, den).expect("the denominator is not zero");
        literals.push(store.real(ratio));
    }
    literals.extend([0, 5, 15].map(|bits| store.bv(Bv::from_u64(4, bits))));
    literals.extend([0, 1].map(|bits| store.bv(Bv::from_u64(1, bits))));
    literals.extend([TermId::TRUE, TermId::FALSE]);
    Vocabulary { vars, shapes, arrays: vec![array, table], literals }
}

impl Vocabulary {
    /// Random terms over the variables given, each made from earlier ones.
    pub fn terms(&self, store: &mut Store, vars: &[TermId], rng: &mut Rng) -> Vec<TermId> {
        let mut pool: Vec<TermId> = vars.iter().chain(&self.literals).copied().collect();
        for _ in 0..60 {
            if rng.one_in(12) {
                let mut args: Vec<TermId> = vec![rng.pick(vars), rng.pick(vars)];
                args.dedup();
                args.push(self.of_sort(store, &pool, SortId::BOOL, rng));
                let op = if rng.one_in(2) { Op::Forall } else { Op::Exists };
                pool.push(store.mk(op, &args));
            } else if rng.one_in(20) {
                let sort = rng.pick(&self.arrays);
                let Sort::Array(_, element) = *store.sort_of(sort) else { unreachable!() };
                let value = self.of_sort(store, &pool, element, rng);
                pool.push(store.const_array(sort, value));
            } else {
                let (op, sorts) = &self.shapes[rng.below(self.shapes.len())];
                let fits = |sort| pool.iter().any(|&term| store.sort(term) == sort);
                if sorts.iter().all(|&sort| fits(sort)) {
                    let args: Vec<TermId> =
                        sorts.iter().map(|&sort| self.of_sort(store, &pool, sort, rng)).collect();
                    pool.push(store.mk(*op, &args));
                }
            }
        }
        pool
    }

    fn of_sort(&self, store: &Store, pool: &[TermId], sort: SortId, rng: &mut Rng) -> TermId {
        let fit: Vec<TermId> = pool.iter().copied().filter(|&t| store.sort(t) == sort).collect();
        // Later terms are larger.
        let from = if rng.one_in(3) { 0 } else { fit.len() / 2 };
        fit[from + rng.below(fit.len() - from)]
    }

    /// A random proof, right in form only.
    pub fn proof(&self, store: &mut Store, vars: &[TermId], rng: &mut Rng) -> Proof {
        let pool = self.terms(store, vars, rng);
        let formulas: Vec<TermId> =
            pool.iter().copied().filter(|&t| store.sort(t) == SortId::BOOL).collect();
        let steps = (0..rng.below(20)).map(|_| {
            let clause = (0..rng.below(4))
                .map(|_| {
                    let literal = Literal::of(store, rng.pick(&formulas));
                    if rng.one_in(2) { !literal } else { literal }
                })
                .collect();
            ProofStep { clause, rule: rule(&pool, rng) }
        });
        Proof { steps: steps.collect() }
    }
}

fn rule(pool: &[TermId], rng: &mut Rng) -> Rule {
    let some =
        |rng: &mut Rng| -> Vec<TermId> { (0..rng.below(3)).map(|_| rng.pick(pool)).collect() };
    match rng.below(19) {
        0 => Rule::Assert(rng.below(3)),
        1 => Rule::Rup((0..rng.below(4)).map(|_| StepId(rng.below(9) as u32)).collect()),
        2 => Rule::Tautology,
        3 => Rule::Farkas((0..rng.below(4)).map(|_| ratio(rng)).collect()),
        4 => Rule::Linear((0..rng.below(4)).map(|_| line(rng)).collect()),
        5 => Rule::Branch,
        6 => Rule::Trichotomy,
        7 => Rule::Arithmetic(rng.pick(pool)),
        8 => Rule::Transitivity,
        9 => Rule::Congruence,
        10 => Rule::Array(rng.pick(pool)),
        11 => Rule::Conditional(rng.pick(pool)),
        12 => Rule::Datatype,
        13 => Rule::Instantiate(some(rng)),
        14 => Rule::Skolem(some(rng)),
        16 => Rule::Ring,
        17 => Rule::Bisimulation(some(rng)),
        15 => Rule::Product([rng.pick(pool), rng.pick(pool)]),
        _ => Rule::Evaluate,
    }
}

pub fn ratio(rng: &mut Rng) -> Rat {
    let size = if rng.one_in(8) { i64::MAX as usize } else { 9 };
    let (num, den) = (rng.below(size) as i64 - size as i64 / 2, 1 + rng.below(6) as i64);
    Rat::ratio(num, den).expect("the denominator is not zero")
}

fn line(rng: &mut Rng) -> LinearStep {
    match rng.below(3) {
        0 => LinearStep::Hypothesis(rng.below(4)),
        1 => LinearStep::Round(rng.below(4)),
        _ => LinearStep::Combine((0..rng.below(3)).map(|_| (ratio(rng), rng.below(4))).collect()),
    }
}

/// A random value of a sort.
pub fn value(store: &Store, sort: SortId, rng: &mut Rng) -> Value {
    testkit::terms::value(store, sort, Values::Corners, rng)
}

/// A random table, which may leave the rest open.
pub fn table(store: &Store, args: &[SortId], result: SortId, rng: &mut Rng) -> Table {
    let mut table = testkit::terms::table(store, args, result, Values::Corners, rng);
    if rng.one_in(3) {
        table.default = None;
    }
    table
}

/// Whether terms of two stores are the same: structure, names, sorts.
pub fn same_terms(left: (&Store, &[TermId]), right: (&Store, &[TermId])) {
    assert_eq!(left.1.len(), right.1.len());
    let pairs = left.1.iter().copied().zip(right.1.iter().copied()).collect();
    testkit::same::same_terms(left.0, right.0, pairs).expect("the terms are the same");
}

/// Whether proofs over two stores are the same.
pub fn same_proofs(left: (&Store, &Proof), right: (&Store, &Proof)) {
    assert_eq!(left.1.steps.len(), right.1.steps.len());
    for (a, b) in left.1.steps.iter().zip(&right.1.steps) {
        let atoms = |step: &ProofStep| -> Vec<TermId> {
            step.clause.iter().map(|literal| literal.atom).collect()
        };
        let signs = |step: &ProofStep| -> Vec<bool> {
            step.clause.iter().map(|literal| literal.negated).collect()
        };
        assert_eq!(signs(a), signs(b));
        same_terms((left.0, &atoms(a)), (right.0, &atoms(b)));
        let (terms, plain) = split(&a.rule);
        let (other_terms, other_plain) = split(&b.rule);
        assert_eq!(plain, other_plain);
        same_terms((left.0, &terms), (right.0, &other_terms));
    }
}

/// The terms of a rule, and the rule without them.
fn split(rule: &Rule) -> (Vec<TermId>, Rule) {
    match rule {
        Rule::Arithmetic(term) => (vec![*term], Rule::Arithmetic(TermId::TRUE)),
        Rule::Array(term) => (vec![*term], Rule::Array(TermId::TRUE)),
        Rule::Conditional(term) => (vec![*term], Rule::Conditional(TermId::TRUE)),
        Rule::Product(terms) => (terms.to_vec(), Rule::Product([TermId::TRUE; 2])),
        Rule::Bisimulation(terms) => (terms.clone(), Rule::Bisimulation(Vec::new())),
        Rule::Instantiate(terms) => (terms.clone(), Rule::Instantiate(Vec::new())),
        Rule::Skolem(terms) => (terms.clone(), Rule::Skolem(Vec::new())),
        rule => (Vec::new(), rule.clone()),
    }
}
