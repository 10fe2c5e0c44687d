//! Worked examples of interpolation from the literature.

use alphorn_sat::Budget;
use alphorn_smt::interpolate::{
    Cause, Dag, Interpolation, InterpolationOptions, Method, Strength, Violation, binary, dag,
    disjunctive, sequence, symmetric, tree, verify,
};
use alphorn_smt::{Answer, Options, Smt};
use alphorn_term::{Op, SortId, Store, TermId, eval};

/// Reads a formula: names in capital letters are Boolean, all others are integers.
fn read(store: &mut Store, text: &str) -> TermId {
    let spaced = text.replace('(', " ( ").replace(')', " ) ");
    let mut tokens = spaced.split_whitespace().peekable();
    let term = read_term(store, &mut tokens);
    assert!(tokens.next().is_none(), "{text}");
    term
}

fn read_term<'a>(
    store: &mut Store,
    tokens: &mut std::iter::Peekable<impl Iterator<Item = &'a str>>,
) -> TermId {
    let token = tokens.next().expect("a term");
    if token != "(" {
        return match token {
            "true" => TermId::TRUE,
            "false" => TermId::FALSE,
            _ if token.starts_with(char::is_uppercase) => store.var(token, SortId::BOOL),
            _ => match token.parse::<i64>() {
                Ok(number) => store.int(number),
                Err(_) => store.var(token, SortId::INT),
            },
        };
    }
    let op = tokens.next().expect("an operator");
    let mut args = Vec::new();
    while tokens.peek() != Some(&")") {
        args.push(read_term(store, tokens));
    }
    tokens.next();
    match op {
        "and" => store.and(&args),
        "or" => store.or(&args),
        "not" => store.not(args[0]),
        "=" => store.eq(args[0], args[1]),
        "+" => store.mk(Op::Add, &args),
        "*" => store.mk(Op::Mul, &args),
        "-" => {
            let minus = store.int(-1);
            let opposite = store.mk(Op::Mul, &[minus, args[1]]);
            store.mk(Op::Add, &[args[0], opposite])
        }
        "f" => {
            let function = store.funcs().next();
            let function =
                function.unwrap_or_else(|| store.declare("f", &[SortId::INT], SortId::INT));
            store.mk(Op::Apply(function), &args)
        }
        "<=" => store.mk(Op::Le, &args),
        "<" => store.mk(Op::Lt, &args),
        ">=" => store.mk(Op::Le, &[args[1], args[0]]),
        ">" => store.mk(Op::Lt, &[args[1], args[0]]),
        _ => panic!("{op}"),
    }
}

fn is_valid(store: &mut Store, formula: TermId) -> bool {
    let mut smt = Smt::new(Options::default());
    let negation = store.not(formula);
    smt.assert(store, negation);
    smt.check(store, &[]) == Answer::Unsat
}

fn is_equivalent(store: &mut Store, left: TermId, right: TermId) -> bool {
    let equation = store.eq(left, right);
    is_valid(store, equation)
}

fn every_way() -> Vec<InterpolationOptions> {
    let mut ways = Vec::new();
    for method in [Method::Proof, Method::Projection] {
        for strength in [Strength::Strong, Strength::Balanced, Strength::Weak] {
            for decompose in [false, true] {
                let options = InterpolationOptions::default();
                ways.push(InterpolationOptions { method, strength, decompose, ..options });
            }
        }
    }
    ways
}

/// The interpolants of a tree in every way, checked.
fn of_tree(store: &mut Store, texts: &[&str], parents: &[Option<u32>]) -> Vec<Vec<TermId>> {
    let formulas: Vec<TermId> = texts.iter().map(|text| read(store, text)).collect();
    let mut results = Vec::new();
    for options in every_way() {
        let found = tree(store, &formulas, parents, &options);
        let Interpolation::Interpolants(found) = found else { panic!("{options:?}: {found:?}") };
        let checked = verify(store, &formulas, parents, &found, Budget::default());
        assert_eq!(checked, Ok(()), "{options:?}");
        results.push(found);
    }
    results
}

fn chain(count: u32) -> Vec<Option<u32>> {
    (1..=count).map(|next| (next < count).then_some(next)).collect()
}

/// The interpolants of a sequence in every way, checked.
fn of_sequence(store: &mut Store, texts: &[&str]) -> Vec<Vec<TermId>> {
    of_tree(store, texts, &chain(texts.len() as u32))
}

#[test]
fn two_counters() {
    let mut store = Store::new();
    let a = "(and (>= i 0) (>= j 0) (= x i) (= y j) (= x 0))";
    of_sequence(&mut store, &[a, "(and (= i j) (not (= x y)))"]);
}

#[test]
fn the_subtractive_loop() {
    let mut store = Store::new();
    let positive = read(&mut store, "(>= x1 0)");
    for found in of_sequence(&mut store, &["(and (>= x1 0) (>= y1 0))", "(= x1 (- 0 1))"]) {
        let implies = store.implies(positive, found[0]);
        assert!(is_valid(&mut store, implies));
    }
    of_sequence(&mut store, &["(> x1 y1)", "(= x2 (- x1 y1))", "(= x2 (- 0 1))"]);
}

#[test]
fn parity_needs_divisibility() {
    let mut store = Store::new();
    let results = of_sequence(&mut store, &["(= x (* 2 y))", "(= x (+ (* 2 z) 1))"]);
    let x = store.var("x", SortId::INT);
    let (two, zero) = (store.int(2), store.int(0));
    let remainder = store.mk(Op::Mod, &[x, two]);
    let even = store.eq(remainder, zero);
    for found in results {
        assert!(is_equivalent(&mut store, found[0], even));
    }
}

#[test]
fn an_accelerated_loop_that_steps_by_two() {
    let mut store = Store::new();
    let step = "(and (>= k 0) (= z1 (+ z (* 2 k))))";
    of_sequence(&mut store, &["(= z 0)", step, "(= z1 5)"]);
}

#[test]
fn a_long_sequence_has_short_interpolants() {
    let mut store = Store::new();
    let mut texts = vec!["(= x0 0)".to_string()];
    for step in 0..60 {
        let next = step + 1;
        texts.push(format!("(or (= x{next} (+ x{step} 1)) (= x{next} (+ x{step} 2)))"));
    }
    texts.push("(< x60 60)".to_string());
    let formulas: Vec<TermId> = texts.iter().map(|text| read(&mut store, text)).collect();
    for strength in [Strength::Strong, Strength::Balanced, Strength::Weak] {
        let options = InterpolationOptions { strength, ..InterpolationOptions::default() };
        let mut found = sequence(&mut store, &formulas, &options).interpolants().unwrap();
        for (step, interpolant) in found.iter().enumerate() {
            let expected = read(&mut store, &format!("(>= x{step} {step})"));
            assert!(is_equivalent(&mut store, *interpolant, expected), "{strength:?}, {step}");
        }
        found.push(TermId::FALSE);
        let shape = chain(formulas.len() as u32);
        assert_eq!(verify(&mut store, &formulas, &shape, &found, Budget::default()), Ok(()));
    }
}

#[test]
fn greatest_common_divisor() {
    let mut store = Store::new();
    of_sequence(&mut store, &["(and (= m n) (= q m))", "(and (>= m 0) (= m n) (> q m))"]);
}

#[test]
fn the_tree_of_mccarthy() {
    let mut store = Store::new();
    let texts = [
        "(not (= y6 91))",
        "(and (= x5 x6) (= x6 nf) (= y6 cf))",
        "(and (= nf n1) (= cf (- nf 10)))",
        "(and (= n0 n1) (= c0 c1) (> n1 100))",
        "true",
        "(and (<= x5 100) (= y4 y5))",
        "true",
    ];
    let parents = [None, Some(0), Some(1), Some(2), Some(3), Some(1), Some(5)];
    for found in of_tree(&mut store, &texts, &parents) {
        assert_eq!(found[0], TermId::FALSE);
        assert_eq!(found[4], TermId::TRUE);
        assert_eq!(found[6], TermId::TRUE);
    }
}

#[test]
fn one_unit_decides() {
    let mut store = Store::new();
    let s = read(&mut store, "S");
    for found in of_sequence(&mut store, &["(and A (or (not A) S))", "(not S)"]) {
        assert_eq!(found[0], s);
    }
}

#[test]
fn clauses_of_three_partitions() {
    let mut store = Store::new();
    let texts = [
        "(and (or X S) (or (not X) T))",
        "(and (or (not S) U L) (or (not S) U (not L)) (or (not T) U))",
        "(not U)",
    ];
    let (first, second) = (read(&mut store, "(or S T)"), read(&mut store, "U"));
    for found in of_sequence(&mut store, &texts) {
        assert!(is_equivalent(&mut store, found[0], first));
        assert!(is_equivalent(&mut store, found[1], second));
    }
}

#[test]
fn a_counter_of_two_bits() {
    let mut store = Store::new();
    let step = |old: &str, new: &str| {
        format!("(= {new}0 (not {old}0)) (= {new}1 (not (= {old}1 {old}0)))")
    };
    let first = format!("(and (not A0) (not A1) {})", step("A", "B"));
    let second = format!("(and {})", step("B", "C"));
    of_sequence(&mut store, &[&first, &second, "(and C0 C1)"]);
}

#[test]
fn disjunctions_of_conjunctions_stay_small() {
    let mut sizes = Vec::new();
    for count in 2..=8 {
        let mut store = Store::new();
        let all = |part: &dyn Fn(u32) -> String| (0..count).map(part).collect::<Vec<_>>().join(" ");
        let some = all(&|i| format!("X{i}"));
        let imply = all(&|i| format!("(or (not X{i}) A{i}) (or (not X{i}) B{i})"));
        let a = format!("(and (or {some}) {imply})");
        let b = format!("(and {})", all(&|i| format!("(or (not A{i}) (not B{i}))")));
        let (a, b) = (read(&mut store, &a), read(&mut store, &b));
        let result = binary(&mut store, a, b, &InterpolationOptions::default());
        let found = result.interpolants().unwrap()[0];
        let expected = all(&|i| format!("(and A{i} B{i})"));
        let expected = read(&mut store, &format!("(or {expected})"));
        assert!(is_equivalent(&mut store, found, expected));
        sizes.push(store.dag_size(&[found]));
    }
    assert!(sizes.windows(2).all(|pair| pair[1] - pair[0] <= 4), "{sizes:?}");
}

#[test]
fn sums_are_decomposed() {
    let mut store = Store::new();
    let a = read(&mut store, "(and (<= u x) (>= u 0) (<= v y) (>= v 0))");
    let b = read(&mut store, "(< (+ x y) 0)");
    let sum = read(&mut store, "(>= (+ x y) 0)");
    let both = read(&mut store, "(and (>= x 0) (>= y 0))");
    for (decompose, expected) in [(false, sum), (true, both)] {
        let options = InterpolationOptions { decompose, ..InterpolationOptions::default() };
        let found = binary(&mut store, a, b, &options).interpolants().unwrap()[0];
        assert!(is_equivalent(&mut store, found, expected), "{}", store.show(found));
    }
}

#[test]
fn strength_is_a_choice() {
    let mut store = Store::new();
    let a = read(&mut store, "(and (<= x u) (<= u 0))");
    let b = read(&mut store, "(and (>= x v) (>= v 5))");
    let mut found = |strength| {
        let options = InterpolationOptions { strength, ..InterpolationOptions::default() };
        binary(&mut store, a, b, &options).interpolants().unwrap()[0]
    };
    let (strong, weak) = (found(Strength::Strong), found(Strength::Weak));
    let expected = ["(<= x 0)", "(< x 5)"].map(|text| read(&mut store, text));
    assert!(is_equivalent(&mut store, strong, expected[0]));
    assert!(is_equivalent(&mut store, weak, expected[1]));
}

#[test]
fn functions_of_numbers_that_only_bounds_make_equal() {
    let mut store = Store::new();
    let texts = [
        ["(and (= (f x) 1) (<= x a) (<= a x))", "(and (= (f y) 2) (<= y a) (<= a y))"],
        ["(and (= (f x) 1) (<= x z) (<= z a) (<= a x))", "(and (= (f y) 2) (= y a))"],
        ["(and (= (f x) 1) (= x (+ a b)))", "(and (= (f y) 2) (= y (+ b a)))"],
        ["(and (= u (f x)) (= x (+ a 1)))", "(and (= v (f y)) (= (- y 1) a) (> v u))"],
        ["(and (<= (f x) (f a)) (= x a) (= c (f x)))", "(and (> c (f y)) (= y a))"],
        ["(and (>= x 0) (<= x 1) (= (f x) a))", "(and (not (= (f 0) a)) (not (= (f 1) a)))"],
    ];
    for pair in texts {
        let formulas = pair.map(|text| read(&mut store, text));
        for strength in [Strength::Strong, Strength::Balanced, Strength::Weak] {
            let options = InterpolationOptions { strength, ..InterpolationOptions::default() };
            let result = binary(&mut store, formulas[0], formulas[1], &options);
            let Interpolation::Interpolants(found) = result else { panic!("{pair:?}: {result:?}") };
            let found = [found[0], TermId::FALSE];
            let checked = verify(&mut store, &formulas, &chain(2), &found, Budget::default());
            assert_eq!(checked, Ok(()), "{pair:?}");
        }
    }
}

#[test]
fn symmetric_interpolants_are_contradictory() {
    let mut store = Store::new();
    let texts = ["(< x y)", "(< y z)", "(< z x)"];
    let formulas = texts.map(|text| read(&mut store, text));
    let options = InterpolationOptions { verify: true, ..InterpolationOptions::default() };
    let found = symmetric(&mut store, &formulas, &options).interpolants().unwrap();
    for (formula, interpolant) in formulas.iter().zip(&found) {
        let implies = store.implies(*formula, *interpolant);
        assert!(is_valid(&mut store, implies));
    }
    let all = store.and(&found);
    let none = store.not(all);
    assert!(is_valid(&mut store, none));
}

#[test]
fn a_model_where_there_is_no_contradiction() {
    let mut store = Store::new();
    let formulas = ["(< x y)", "(< y z)", "(< x z)"].map(|text| read(&mut store, text));
    for options in every_way() {
        let result = sequence(&mut store, &formulas, &options);
        let Interpolation::Satisfiable(model) = result else { panic!("{result:?}") };
        for formula in formulas {
            let value = eval(&store, formula, &model).unwrap();
            assert_eq!(value.as_bool(), Some(true));
        }
    }
}

#[test]
fn shapes_that_are_none() {
    let mut store = Store::new();
    let options = InterpolationOptions::default();
    let formulas = [TermId::FALSE, TermId::TRUE];
    for parents in [[Some(1), Some(0)], [Some(7), None]] {
        let result = tree(&mut store, &formulas, &parents, &options);
        assert!(matches!(result, Interpolation::Unknown(Cause::Shape(_))), "{result:?}");
    }
    let formula = read(&mut store, "(and A (not (or A B)))");
    for position in [vec![2], vec![1, 0]] {
        let result = disjunctive(&mut store, formula, &[position], &options);
        assert!(matches!(result, Interpolation::Unknown(Cause::Position(0))), "{result:?}");
    }
}

#[test]
fn wrong_interpolants_are_found_out() {
    let mut store = Store::new();
    let formulas = ["(< x y)", "(< y x)"].map(|text| read(&mut store, text));
    let (wrong, foreign) = (read(&mut store, "(< y x)"), read(&mut store, "(< x z)"));
    let mut check = |interpolant| {
        let found = [interpolant, TermId::FALSE];
        verify(&mut store, &formulas, &chain(2), &found, Budget::default())
    };
    assert_eq!(check(wrong), Err(Violation::NotImplied(Some(0))));
    assert_eq!(check(foreign), Err(Violation::Vocabulary(0)));
    assert_eq!(check(TermId::TRUE), Err(Violation::NotImplied(Some(1))));
}

#[test]
fn all_runs_of_a_loop_at_once() {
    let mut store = Store::new();
    let base = |m: &str, n: &str| format!("(and (= {m} {n}) (= q0 {m}))");
    let text = format!(
        "(and (>= m 0) (= m n) (> q0 m) (or {} (and (> m n) (= m1 (- m n)) (or {} false1)) \
         (and (< m n) (= n1 (- n m)) (or {} false2))))",
        base("m", "n"),
        base("m1", "n"),
        base("m", "n1"),
    );
    // A disjunction with a Boolean of its own keeps the marked conjunctions apart.
    let text = text.replace("false1", "F1").replace("false2", "F2");
    let formula = read(&mut store, &text);
    let no = read(&mut store, "(and (not F1) (not F2))");
    let formula = store.and(&[formula, no]);
    let args = store.args(formula).to_vec();
    let at = |store: &Store, term: TermId, op| {
        store.args(term).iter().position(|arg| store.op(*arg) == op).unwrap() as u32
    };
    let p = at(&store, formula, Op::Or);
    let ways = store.args(args[p as usize]).to_vec();
    let mut positions = vec![vec![p]];
    for (number, way) in ways.iter().enumerate() {
        if let Some(inner) = store.args(*way).iter().position(|arg| store.op(*arg) == Op::Or) {
            positions.push(vec![p, number as u32, inner as u32]);
        }
    }
    assert_eq!(positions.len(), 3);
    for options in every_way() {
        let found = disjunctive(&mut store, formula, &positions, &options);
        let Interpolation::Interpolants(found) = found else { panic!("{found:?}") };
        // The whole of p implies its interpolant, which contradicts the rest.
        let implies = store.implies(args[p as usize], found[0]);
        assert!(is_valid(&mut store, implies));
        let mut rest = args.clone();
        rest[p as usize] = found[0];
        let rest = store.and(&rest);
        let none = store.not(rest);
        assert!(is_valid(&mut store, none));
    }
}

#[test]
fn the_larger_of_two_numbers() {
    let mut store = Store::new();
    let mut edge = |from, to, text: &str| (from, to, read(&mut store, text));
    let edges = vec![
        edge(0, 1, "(= j 0)"),
        edge(1, 2, "(> i j)"),
        edge(1, 3, "(not (> i j))"),
        edge(2, 4, "(= s i)"),
        edge(3, 4, "(= s j)"),
        edge(4, 5, "(not (>= s 0))"),
    ];
    let graph = Dag { nodes: vec![TermId::TRUE; 6], edges: edges.clone(), entry: 0, exit: 5 };
    let [i, j, s] = ["i", "j", "s"].map(|name| store.var(name, SortId::INT));
    let arguments = [vec![], vec![j], vec![i], vec![j], vec![s], vec![]];
    for options in every_way() {
        let found = dag(&mut store, &graph, &options).interpolants().unwrap();
        assert_eq!((found[0], found[5]), (TermId::TRUE, TermId::FALSE));
        for (node, allowed) in arguments.iter().enumerate() {
            assert!(store.free_vars(&[found[node]]).iter().all(|var| allowed.contains(var)));
        }
        for (from, to, formula) in &edges {
            let before = store.and(&[found[*from as usize], *formula]);
            let implies = store.implies(before, found[*to as usize]);
            assert!(is_valid(&mut store, implies));
        }
    }
}

#[test]
fn interpolants_about_arrays_name_only_what_both_sides_have() {
    let mut store = Store::new();
    let arrays = store.array_sort(SortId::INT, SortId::INT);
    let [a, x] = ["a", "x"].map(|name| store.var(name, arrays));
    let [zero, one, three, four] = [0, 1, 3, 4].map(|number| store.int(number));
    let read = store.select(a, one);
    let (few, written) = (store.mk(Op::Le, &[read, four]), store.mk(Op::Store, &[a, zero, read]));
    let same = store.eq(x, written);
    let left = store.and(&[few, same]);
    let [first, second] = [zero, one].map(|index| store.select(x, index));
    let more = store.mk(Op::Add, &[second, three]);
    let right = store.eq(first, more);
    let found = binary(&mut store, left, right, &InterpolationOptions::default());
    let found = found.interpolants().expect("the two are contradictory")[0];
    assert_eq!(store.free_vars(&[found]), [x]);
    let implied = store.implies(left, found);
    assert!(is_valid(&mut store, implied));
    let both = store.and(&[found, right]);
    let excluded = store.not(both);
    assert!(is_valid(&mut store, excluded));
}

#[test]
fn one_proof_has_the_interpolants_of_all_nodes() {
    let mut store = Store::new();
    let mut edge = |from, to, text: &str| (from, to, read(&mut store, text));
    // An edge leads past nodes 1 and 2, so that an ordinary interpolant there would speak about it.
    let edges = vec![
        edge(0, 1, "(> x 3)"),
        edge(1, 2, "(= y (+ x 1))"),
        edge(0, 3, "(= z 9)"),
        edge(2, 3, "(= z (+ y 1))"),
        edge(3, 4, "(< z 5)"),
    ];
    let graph = Dag { nodes: vec![TermId::TRUE; 5], edges, entry: 0, exit: 4 };
    let found = dag(&mut store, &graph, &InterpolationOptions::default()).interpolants().unwrap();
    let [x, y, z] = ["x", "y", "z"].map(|name| store.var(name, SortId::INT));
    for (node, var) in [(1, x), (2, y), (3, z)] {
        assert_eq!(store.free_vars(&[found[node]]), [var], "node {node}");
    }
}
