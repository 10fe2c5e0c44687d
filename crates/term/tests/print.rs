//! Terms and sorts as text: quoting, numbers, sharing, scopes.
//!
//! Reading back is tested where the reader is. Here a small reader of parentheses checks that the
//! text is well-formed and that every name is what it should be: a `let` name used only inside its
//! `let`, a bound variable only where it is bound.

use alphorn_term::print::{is_simple_symbol, quote};
use alphorn_term::{Bv, Op, Rat, Sort, SortId, Store, TermId};
use alphorn_testkit::terms::World;
use std::collections::BTreeSet;

/// Text as nested lists.
#[derive(Debug)]
enum Tree {
    Atom(String),
    List(Vec<Tree>),
}

#[track_caller]
fn parse(text: &str) -> Tree {
    let mut stack: Vec<Vec<Tree>> = vec![Vec::new()];
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '(' => stack.push(Vec::new()),
            ')' => {
                let list = stack.pop().expect("parentheses are balanced");
                stack.last_mut().expect("parentheses are balanced").push(Tree::List(list));
            }
            ' ' => {}
            _ => {
                let mut atom = String::from(c);
                if c == '|' {
                    for c in chars.by_ref() {
                        atom.push(c);
                        if c == '|' {
                            break;
                        }
                    }
                } else {
                    while chars.peek().is_some_and(|c| !" ()".contains(*c)) {
                        atom.extend(chars.next());
                    }
                }
                stack.last_mut().expect("parentheses are balanced").push(Tree::Atom(atom));
            }
        }
    }
    assert_eq!(stack.len(), 1, "parentheses are balanced");
    let mut trees = stack.pop().expect("one list is left");
    assert_eq!(trees.len(), 1, "one term is printed");
    trees.pop().expect("one term is printed")
}

fn atom(tree: &Tree) -> &str {
    match tree {
        Tree::Atom(atom) => atom,
        Tree::List(_) => "",
    }
}

/// The names that occur free in a text; `let` and quantifiers bind.
fn free_names(tree: &Tree, found: &mut BTreeSet<String>) {
    let Tree::List(list) = tree else {
        found.insert(atom(tree).to_owned());
        return;
    };
    match (list.first().map(atom), list.as_slice()) {
        (Some(binder @ ("let" | "forall" | "exists")), [_, Tree::List(bindings), body]) => {
            let mut inside = BTreeSet::new();
            free_names(body, &mut inside);
            for binding in bindings {
                let Tree::List(pair) = binding else { panic!("a binding is a list") };
                inside.remove(atom(&pair[0]));
                if binder == "let" {
                    free_names(&pair[1], found);
                }
            }
            found.append(&mut inside);
        }
        _ => list.iter().for_each(|part| free_names(part, found)),
    }
}

fn names(text: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    free_names(&parse(text), &mut found);
    found
}

#[test]
fn symbols() {
    let cases = [
        ("x", "x"),
        ("x1", "x1"),
        ("x.y/z?", "x.y/z?"),
        ("~!@$%^&*_-+=<>.?/", "~!@$%^&*_-+=<>.?/"),
        ("", "||"),
        ("1x", "|1x|"),
        ("a b", "|a b|"),
        ("a(b", "|a(b|"),
        ("a;b", "|a;b|"),
        ("a\"b", "|a\"b|"),
        ("a:b", "|a:b|"),
        (":b", "|:b|"),
        ("#b1", "|#b1|"),
        ("a'b", "|a'b|"),
        ("a[3]", "|a[3]|"),
        ("é", "|é|"),
        ("let", "|let|"),
        ("forall", "|forall|"),
        ("_", "|_|"),
        ("!", "|!|"),
        ("as", "|as|"),
        ("par", "|par|"),
        ("assert", "|assert|"),
        ("check-sat", "|check-sat|"),
        ("push", "|push|"),
        ("BINARY", "|BINARY|"),
        ("a|b", "|a%7Cb|"),
        ("a\\b", "|a%5Cb|"),
    ];
    for (name, expected) in cases {
        assert_eq!(quote(name), expected);
        assert_eq!(is_simple_symbol(name), name == expected, "{name}");
    }
}

#[test]
fn literals() {
    let s = &mut Store::new();
    let big = s.int(i64::MIN);
    let cases = [
        (s.int(0), "0"),
        (s.int(42), "42"),
        (s.int(-42), "(- 42)"),
        (big, "(- 9223372036854775808)"),
        (s.real(Rat::from(0i64)), "0.0"),
        (s.real(Rat::from(3i64)), "3.0"),
        (s.real(Rat::from(-3i64)), "(- 3.0)"),
        (s.real(Rat::ratio(1, 3).unwrap()), "(/ 1.0 3.0)"),
        (s.real(Rat::ratio(-10, 4).unwrap()), "(- (/ 5.0 2.0))"),
        (s.bv(Bv::from_u64(1, 1)), "#b1"),
        (s.bv(Bv::from_u64(3, 2)), "#b010"),
        (s.bv(Bv::from_u64(4, 10)), "#xa"),
        (s.bv(Bv::from_u64(5, 1)), "#b00001"),
        (s.bv(Bv::from_u64(8, 10)), "#x0a"),
        (s.bv(Bv::from_u64(12, 0)), "#x000"),
        (s.bv(Bv::from_u64(64, u64::MAX)), "#xffffffffffffffff"),
        (s.bv(Bv::from_u64(68, 1)), "#x00000000000000001"),
        (TermId::TRUE, "true"),
        (TermId::FALSE, "false"),
    ];
    for (term, expected) in cases {
        assert_eq!(s.show(term), expected);
    }
    let wide = s.bv(Bv::from_u64(65, 5));
    assert_eq!(s.show(wide), format!("#b{}101", "0".repeat(62)));
}

#[test]
fn sorts() {
    let s = &mut Store::new();
    let eight = s.bv_sort(8);
    let array = s.array_sort(eight, SortId::REAL);
    let nested = s.array_sort(array, SortId::BOOL);
    let elem = s.symbol("my elem");
    let elem = s.sort_id(Sort::Uninterpreted(elem, vec![]));
    let set = s.symbol("Set");
    let set = s.sort_id(Sort::Uninterpreted(set, vec![elem]));
    let list = s.declare_data("List", &[set]);
    let list = s.data(list).sort;
    let cases = [
        (SortId::INT, "Int"),
        (eight, "(_ BitVec 8)"),
        (nested, "(Array (Array (_ BitVec 8) Real) Bool)"),
        (elem, "|my elem|"),
        (set, "(Set |my elem|)"),
        (list, "(List (Set |my elem|))"),
    ];
    for (sort, expected) in cases {
        assert_eq!(s.show_sort(sort), expected);
    }
}

#[test]
fn applications() {
    let s = &mut Store::new();
    let eight = s.bv_sort(8);
    let (x, n) = (s.var("x", eight), s.var("n", SortId::INT));
    let f = s.declare("f g", &[SortId::INT], SortId::INT);
    let c = s.declare("c", &[], SortId::INT);
    let array = s.array_sort(SortId::INT, eight);
    let (c, fc) = {
        let c = s.mk(Op::Apply(c), &[]);
        (c, s.mk(Op::Apply(f), &[c]))
    };
    let cases = [
        (s.mk(Op::Extract(6, 2), &[x]), "((_ extract 6 2) x)"),
        (s.mk(Op::Repeat(2), &[x]), "((_ repeat 2) x)"),
        (s.mk(Op::ZeroExtend(3), &[x]), "((_ zero_extend 3) x)"),
        (s.mk(Op::SignExtend(3), &[x]), "((_ sign_extend 3) x)"),
        (s.mk(Op::IntToBv(4), &[n]), "((_ int_to_bv 4) n)"),
        (s.mk(Op::UbvToInt, &[x]), "(ubv_to_int x)"),
        (s.const_array(array, x), "((as const (Array Int (_ BitVec 8))) x)"),
        (c, "c"),
        (fc, "(|f g| c)"),
        (s.neg(n), "(* (- 1) n)"),
    ];
    for (term, expected) in cases {
        assert_eq!(s.show(term), expected);
    }
}

#[test]
fn datatypes_with_parameters() {
    let s = &mut Store::new();
    let data = s.declare_data("List", &[SortId::INT]);
    let list = s.data(data).sort;
    let fields = vec![("head".to_owned(), SortId::INT), ("tail".to_owned(), list)];
    s.define_data(data, &[("nil", vec![]), ("cons", fields)]);
    let (nil, cons) = (s.data(data).ctors[0], s.data(data).ctors[1]);
    let (l, n) = (s.var("l", list), s.var("n", SortId::INT));
    let empty = s.mk(Op::Construct(nil), &[]);
    let cases = [
        (empty, "(as nil (List Int))"),
        (s.mk(Op::Construct(cons), &[n, empty]), "((as cons (List Int)) n (as nil (List Int)))"),
        (s.mk(Op::Is(cons), &[l]), "((_ is cons) l)"),
        (s.mk(Op::Field(cons, 1), &[l]), "(tail l)"),
    ];
    for (term, expected) in cases {
        assert_eq!(s.show(term), expected);
    }
}

#[test]
fn shared_terms_are_bound_once() {
    let s = &mut Store::new();
    let (x, y) = (s.var("x", SortId::INT), s.var("y", SortId::INT));
    let rest = s.mk(Op::Mod, &[x, y]);
    let product = s.mul(&[rest, rest]);
    assert_eq!(s.show(product), "(let ((a!1 (mod x y))) (* a!1 a!1))");
    // A name of the store is not taken for a let.
    s.var("a!1", SortId::INT);
    assert_eq!(s.show(product), "(let ((a!2 (mod x y))) (* a!2 a!2))");
    s.declare("a!2", &[], SortId::INT);
    assert_eq!(s.show(product), "(let ((a!3 (mod x y))) (* a!3 a!3))");
    let mut term = product;
    for _ in 0..200 {
        let less = s.lt(term, y);
        term = s.ite(less, product, term);
        term = s.mul(&[term, term]);
    }
    let text = s.show(term);
    assert!(text.len() < 60 * s.dag_size(&[term]), "{} characters", text.len());
    let expected = ["*", "<", "ite", "mod", "x", "y"].map(str::to_owned);
    assert_eq!(names(&text), BTreeSet::from(expected));
}

#[test]
fn what_mentions_a_bound_variable_is_bound_inside() {
    let s = &mut Store::new();
    let (x, y) = (s.var("x", SortId::INT), s.var("y", SortId::INT));
    let rest = s.mk(Op::Mod, &[x, y]);
    let square = s.mul(&[rest, rest]);
    let less = s.lt(square, y);
    let some = s.exists(&[x], less);
    assert_eq!(s.show(some), "(exists ((x Int)) (let ((a!1 (mod x y))) (< (* a!1 a!1) y)))");
    // Free outside and bound inside: two different remainders.
    let outside = s.lt(rest, square);
    let both = s.and(&[outside, some]);
    let text = s.show(both);
    assert_eq!(
        text,
        "(let ((a!1 (mod x y))) (and (< a!1 (* a!1 a!1)) \
         (exists ((x Int)) (let ((a!2 (mod x y))) (< (* a!2 a!2) y)))))"
    );
    // What mentions no bound variable is bound outside, for both uses.
    let z = s.var("z", SortId::INT);
    let free = s.add(&[y, z]);
    let (inside, outside) = (s.lt(x, free), s.lt(free, z));
    let some = s.exists(&[x], inside);
    let both = s.and(&[outside, some]);
    let expected = "(let ((a!1 (+ y z))) (and (< a!1 z) (exists ((x Int)) (< x a!1))))";
    assert_eq!(s.show(both), expected);
}

#[test]
fn bound_names_that_mean_something_else_are_replaced() {
    let s = &mut Store::new();
    let (x, flag) = (s.var("x", SortId::INT), s.var("x", SortId::BOOL));
    let c = s.declare("x", &[], SortId::INT);
    let c = s.mk(Op::Apply(c), &[]);
    let y = s.var("y", SortId::INT);
    // A declared constant of the same name.
    let less = s.lt(x, c);
    let some = s.exists(&[x], less);
    assert_eq!(s.show(some), "(exists ((a!1 Int)) (< a!1 x))");
    // A free variable of the same name and another sort.
    let less = s.lt(x, y);
    let either = s.or(&[flag, less]);
    let all = s.forall(&[x], either);
    assert_eq!(s.show(all), "(forall ((a!1 Int)) (or x (< a!1 y)))");
    let both = s.forall(&[x, flag], either);
    assert_eq!(s.show(both), "(forall ((a!1 Int) (a!2 Bool)) (or a!2 (< a!1 y)))");
    // An operator's name.
    let and = s.var("and", SortId::BOOL);
    let together = s.and(&[and, less]);
    let some = s.exists(&[and], together);
    assert_eq!(s.show(some), "(exists ((a!1 Bool)) (and a!1 (< x y)))");
    // No clash, no change.
    let plain = s.exists(&[x], less);
    assert_eq!(s.show(plain), "(exists ((x Int)) (< x y))");
}

#[test]
fn constructors_and_selectors_clash_too() {
    let s = &mut Store::new();
    let data = s.declare_data("Stack", &[]);
    let stack = s.data(data).sort;
    s.define_data(data, &[("empty", vec![]), ("cell", vec![("below".to_owned(), stack)])]);
    let (empty, cell) = (s.data(data).ctors[0], s.data(data).ctors[1]);
    let (bound, below) = (s.var("empty", stack), s.var("below", stack));
    let empty = s.mk(Op::Construct(empty), &[]);
    let differ = s.eq(bound, empty);
    let some = s.exists(&[bound], differ);
    assert_eq!(s.show(some), "(exists ((a!1 Stack)) (= a!1 empty))");
    let rest = s.mk(Op::Field(cell, 0), &[below]);
    let same = s.eq(rest, below);
    let some = s.exists(&[below], same);
    assert_eq!(s.show(some), "(exists ((a!1 Stack)) (= (below a!1) a!1))");
}

#[test]
fn shared_quantifiers_keep_the_text_short() {
    let s = &mut Store::new();
    let x = s.var("x", SortId::INT);
    let mut term = {
        let y = s.var("y", SortId::INT);
        s.lt(x, y)
    };
    for level in 0..60 {
        let sides = ["l", "r"].map(|side| {
            let var = s.var(&format!("{side}{level}"), SortId::INT);
            let less = s.lt(var, x);
            let body = s.and(&[less, term]);
            s.exists(&[var], body)
        });
        term = s.or(&sides);
    }
    let text = s.show(term);
    assert!(text.len() < 60 * s.dag_size(&[term]), "{} characters", text.len());
    let free = names(&text);
    assert!(free.contains("x") && free.contains("y") && !free.contains("l0"), "{free:?}");
    // The same with everything below a binder of x.
    let closed = s.exists(&[x], term);
    let text = s.show(closed);
    assert!(text.len() < 60 * s.dag_size(&[closed]), "{} characters", text.len());
    assert!(!names(&text).contains("x"));
}

#[test]
fn deep_nesting_needs_no_stack() {
    let run = || {
        let s = &mut Store::new();
        let (x, y) = (s.var("x", SortId::INT), s.var("y", SortId::INT));
        let clash = s.declare("x", &[], SortId::INT);
        let clash = s.mk(Op::Apply(clash), &[]);
        let mut plain = s.lt(x, y);
        let mut renamed = s.lt(x, clash);
        for _ in 0..2_000 {
            let (less, other) = (s.lt(x, y), s.lt(x, clash));
            let body = s.or(&[less, plain]);
            let inner = s.exists(&[y], body);
            plain = s.forall(&[x], inner);
            let body = s.or(&[other, renamed]);
            renamed = s.exists(&[x], body);
        }
        assert!(s.show(plain).len() > 2_000 && s.show(renamed).len() > 2_000);
        assert_eq!(s.free_vars(&[plain, renamed]), []);
    };
    let thread = std::thread::Builder::new().stack_size(128 << 10).spawn(run);
    thread.expect("a thread starts").join().expect("the walks end well");
}

/// Well-formed, with exactly the free variables of the term, and no name of a let outside it.
#[test]
fn random_terms_are_well_formed() {
    for seed in 0..10 {
        let mut world = World::new(seed).with_vars(2).with_values(1);
        for step in 0..400 {
            let (op, args) = world.application();
            let mut term = world.store.app(op, &args).expect("generated terms are well-sorted");
            if step % 3 == 0 && world.store.sort(term) == SortId::BOOL {
                let var = world.rng.pick(&world.vars.clone());
                term = world.store.forall(&[var], term);
            }
            world.add(term);
            let text = world.store.show(term);
            let printed: BTreeSet<String> =
                names(&text).into_iter().filter(|name| is_variable(name)).collect();
            let vars = world.store.free_vars(&[term]);
            let expected: BTreeSet<String> =
                vars.iter().filter_map(|&v| world.store.var_name(v)).map(str::to_owned).collect();
            assert_eq!(printed, expected, "{text}");
            let size = world.store.dag_size(&[term]);
            assert!(text.len() < 200 * size + 200, "{} characters for {size} nodes", text.len());
        }
    }
}

fn is_variable(name: &str) -> bool {
    name.starts_with("a!") || (name.starts_with('x') && name.contains('_'))
}
