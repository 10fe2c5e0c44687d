//! Every operator of the theories, read and evaluated on constants: text in, value out.

use alphorn_front::smtlib::Context;
use alphorn_term::eval::Choices;
use alphorn_term::{Model, eval};

/// Reads each term, evaluates it, and compares the value as it prints.
#[track_caller]
fn check(prelude: &str, table: &[(&str, &str)]) {
    for &(text, expected) in table {
        let script = format!("{prelude}\n(declare-fun P () Bool)\n(check-sat)");
        let (script, diagnostics) = alphorn_front::smtlib::read(script.as_bytes());
        let store = script.unwrap_or_else(|| panic!("{:?}", diagnostics.list)).horn.terms;
        let mut context = Context::over(store);
        let read = |context: &mut Context, text: &str| {
            let term = context.parse_term_text(text.as_bytes());
            term.unwrap_or_else(|diagnostic| panic!("{text}: {diagnostic:?}"))
        };
        let term = read(&mut context, text);
        let model = Model { choices: Choices::default(), ..Model::new() };
        let value = eval(context.store(), term, &model);
        let value = value.unwrap_or_else(|error| panic!("{text}: {error}"));
        let value = context.store_mut().value_term(&value).expect("the value can be written");
        let expected = read(&mut context, expected);
        let (value, expected) = (context.store().show(value), context.store().show(expected));
        assert_eq!(value, expected, "{text}");
    }
}

#[test]
fn core() {
    check(
        "",
        &[
            ("true", "true"),
            ("(not true)", "false"),
            ("(and true false true)", "false"),
            ("(and true)", "true"),
            ("(or false false true)", "true"),
            ("(=> true false)", "false"),
            ("(=> false false)", "true"),
            // To the right: false => (false => false); to the left it would be false.
            ("(=> false false false)", "true"),
            ("(=> true true false)", "false"),
            ("(xor true true)", "false"),
            ("(xor true false true true)", "true"),
            ("(= 1 1 1)", "true"),
            ("(= 1 1 2)", "false"),
            ("(= true false)", "false"),
            ("(distinct 1 2 3)", "true"),
            ("(distinct 1 2 1)", "false"),
            ("(distinct true false true)", "false"),
            ("(ite false 1 2)", "2"),
            ("(ite true 1 2.0)", "1.0"),
            ("(let ((x 1) (y 2)) (let ((x y) (y x)) (- x y)))", "1"),
            ("(let ((x 1)) (let ((x (+ x 1))) (* x 10)))", "20"),
            ("(! (+ 1 2) :named three)", "3"),
            ("(exists ((b Bool)) (not b))", "true"),
            ("(forall ((a Bool) (b Bool)) (=> (and a b) (or a b)))", "true"),
            ("(forall ((a Bool)) (exists ((a Bool)) a))", "true"),
            ("(implies true false)", "false"),
            ("(iff true true)", "true"),
            ("(if true 1 2)", "1"),
            ("(as true Bool)", "true"),
        ],
    );
}

#[test]
fn integers_and_reals() {
    check(
        "",
        &[
            ("(+ 1 2 3)", "6"),
            ("(- 5)", "(- 5)"),
            ("(- 10 2 3)", "5"),
            ("(* 2 3 4)", "24"),
            ("(* (- 2) 3)", "(- 6)"),
            ("(div 7 2)", "3"),
            ("(div (- 7) 2)", "(- 4)"),
            ("(div 7 (- 2))", "(- 3)"),
            ("(div (- 7) (- 2))", "4"),
            ("(div 100 5 2)", "10"),
            ("(mod 7 2)", "1"),
            ("(mod (- 7) 2)", "1"),
            ("(mod 7 (- 2))", "1"),
            ("(mod (- 7) (- 2))", "1"),
            ("(rem 7 2)", "1"),
            ("(rem (- 7) 2)", "1"),
            ("(rem 7 (- 2))", "(- 1)"),
            ("(abs (- 3))", "3"),
            ("(< 1 2 3)", "true"),
            ("(< 1 3 2)", "false"),
            ("(<= 1 1 2)", "true"),
            ("(> 3 2 1)", "true"),
            ("(>= 3 3 4)", "false"),
            ("(< 1 1.5)", "true"),
            ("(+ 1 0.5)", "1.5"),
            ("(- 1 0.25)", "0.75"),
            ("(* 2 0.25)", "0.5"),
            ("(/ 1 3)", "(/ 1.0 3.0)"),
            ("(/ 8 2 2)", "2.0"),
            ("(/ (- 1) 4)", "(- 0.25)"),
            ("(= 1 1.0)", "true"),
            ("(to_real 3)", "3.0"),
            ("(to_int 2.7)", "2"),
            ("(to_int (- 2.7))", "(- 3)"),
            ("(is_int 2.0)", "true"),
            ("(is_int 2.5)", "false"),
            ("((_ divisible 3) 9)", "true"),
            ("((_ divisible 3) (- 10))", "false"),
            ("123456789012345678901234567890", "(+ 123456789012345678901234567889 1)"),
            ("007", "7"),
            ("1.50", "1.5"),
        ],
    );
}

#[test]
fn words() {
    check(
        "",
        &[
            ("#xfF", "#b11111111"),
            ("(_ bv10 4)", "#xa"),
            ("(concat #b1 #b01 #b001)", "#b101001"),
            ("((_ extract 5 2) #b11010011)", "#b0100"),
            ("((_ extract 7 7) #x80)", "#b1"),
            ("((_ repeat 3) #b10)", "#b101010"),
            ("((_ zero_extend 4) #xf)", "#x0f"),
            ("((_ sign_extend 4) #x9)", "#xf9"),
            ("((_ zero_extend 0) #xf)", "#xf"),
            ("((_ rotate_left 1) #b1001)", "#b0011"),
            ("((_ rotate_left 5) #b1001)", "#b0011"),
            ("((_ rotate_right 1) #b1001)", "#b1100"),
            ("((_ rotate_right 0) #b1001)", "#b1001"),
            ("(bvnot #b0101)", "#b1010"),
            ("(bvneg #x1)", "#xf"),
            ("(bvneg #x8)", "#x8"),
            ("(bvand #xc #xa)", "#x8"),
            ("(bvand #xf #xe #x7)", "#x6"),
            ("(bvor #xc #xa #x1)", "#xf"),
            ("(bvxor #xc #xa #xf)", "#x9"),
            ("(bvnand #xc #xa)", "#x7"),
            ("(bvnor #xc #xa)", "#x1"),
            ("(bvxnor #xc #xa)", "#x9"),
            ("(bvadd #xf #x2 #x1)", "#x2"),
            ("(bvsub #x1 #x2)", "#xf"),
            ("(bvmul #x3 #x6)", "#x2"),
            ("(bvmul #x3 #x3 #x3)", "#xb"),
            ("(bvudiv #xd #x4)", "#x3"),
            ("(bvudiv #xd #x0)", "#xf"),
            ("(bvurem #xd #x4)", "#x1"),
            ("(bvurem #xd #x0)", "#xd"),
            ("(bvsdiv #x9 #x2)", "#xd"),
            ("(bvsdiv #x7 #x0)", "#xf"),
            ("(bvsdiv #x9 #x0)", "#x1"),
            ("(bvsdiv #x8 #xf)", "#x8"),
            ("(bvsrem #x9 #x2)", "#xf"),
            ("(bvsrem #x9 #x0)", "#x9"),
            ("(bvsmod #x9 #x2)", "#x1"),
            ("(bvsmod #x7 #xe)", "#xf"),
            ("(bvsmod #x9 #x0)", "#x9"),
            ("(bvshl #b0011 #b0010)", "#b1100"),
            ("(bvshl #b0011 #b0100)", "#b0000"),
            ("(bvlshr #b1100 #b0010)", "#b0011"),
            ("(bvlshr #b1100 #b1111)", "#b0000"),
            ("(bvashr #b1100 #b0001)", "#b1110"),
            ("(bvashr #b1100 #b0100)", "#b1111"),
            ("(bvashr #b0100 #b1000)", "#b0000"),
            ("(bvult #x7 #x8)", "true"),
            ("(bvule #x8 #x8)", "true"),
            ("(bvugt #x7 #x8)", "false"),
            ("(bvuge #x8 #x8)", "true"),
            ("(bvslt #x8 #x7)", "true"),
            ("(bvsle #x8 #x8)", "true"),
            ("(bvsgt #x8 #x7)", "false"),
            ("(bvsge #x7 #x8)", "true"),
            ("(bvcomp #x7 #x7)", "#b1"),
            ("(bvcomp #x7 #x8)", "#b0"),
            ("(bvredor #x0)", "#b0"),
            ("(bvredor #x4)", "#b1"),
            ("(bvredand #xf)", "#b1"),
            ("(bvredand #xe)", "#b0"),
            ("(bvudiv_i #xd #x4)", "#x3"),
            ("(bvurem_i #xd #x4)", "#x1"),
            ("(bvsdiv_i #x9 #x2)", "#xd"),
            ("(bvsrem_i #x9 #x2)", "#xf"),
            ("(bvsmod_i #x9 #x2)", "#x1"),
            ("(bvnego #x8)", "true"),
            ("(bvnego #x7)", "false"),
            ("(bvuaddo #xf #x1)", "true"),
            ("(bvuaddo #xe #x1)", "false"),
            ("(bvsaddo #x7 #x1)", "true"),
            ("(bvsaddo #x8 #xf)", "true"),
            ("(bvsaddo #x7 #x8)", "false"),
            ("(bvusubo #x0 #x1)", "true"),
            ("(bvusubo #x1 #x1)", "false"),
            ("(bvssubo #x8 #x1)", "true"),
            ("(bvssubo #x0 #x8)", "true"),
            ("(bvssubo #x0 #x7)", "false"),
            ("(bvumulo #x4 #x4)", "true"),
            ("(bvumulo #x3 #x5)", "false"),
            ("(bvsmulo #x4 #x2)", "true"),
            ("(bvsmulo #xc #x2)", "false"),
            ("(bvsdivo #x8 #xf)", "true"),
            ("(bvsdivo #x8 #x1)", "false"),
            ("(ubv_to_int #xf)", "15"),
            ("(sbv_to_int #xf)", "(- 1)"),
            ("(bv2nat #xf)", "15"),
            ("(bv2int #xf)", "15"),
            ("((_ int_to_bv 4) (- 1))", "#xf"),
            ("((_ int2bv 4) 18)", "#x2"),
            ("((_ nat2bv 4) 5)", "#x5"),
        ],
    );
}

#[test]
fn arrays() {
    check(
        "",
        &[
            ("(select (store ((as const (Array Int Int)) 0) 3 7) 3)", "7"),
            ("(select (store ((as const (Array Int Int)) 0) 3 7) 4)", "0"),
            ("(select ((as const (Array Int Real)) 2) 4)", "2.0"),
            ("(select (store ((as const (Array Real Int)) 0) 3 7) 3.0)", "7"),
            (
                "(= (store ((as const (Array Int Bool)) true) 1 true) \
                 ((as const (Array Int Bool)) true))",
                "true",
            ),
            (
                "(store ((as const (Array Bool Int)) 0) true 1)",
                "(store ((as const (Array Bool Int)) 0) true 1)",
            ),
        ],
    );
}

#[test]
fn datatypes() {
    let prelude = "
        (declare-datatypes ((Tree 0) (Forest 0))
          (((leaf) (node (value Int) (children Forest)))
           ((none) (some (first Tree) (rest Forest)))))
        (declare-datatype List (par (X) ((nil) (cons (head X) (tail (List X))))))
        (declare-datatype Pair (par (A B) ((pair (fst A) (snd B)))))
        (declare-datatype Color ((red) (green) (blue)))
        (declare-datatype Box ((box (content Real))))
        (declare-fun uses ((List Int) (List Bool) (List (List Int)) (Pair Int Bool)
          (Pair Int (Pair (_ BitVec 1) Real))) Bool)";
    check(
        prelude,
        &[
            ("(value (node 5 none))", "5"),
            ("((_ is leaf) leaf)", "true"),
            ("((_ is leaf) (node 1 none))", "false"),
            ("(is-leaf leaf)", "true"),
            ("(first (some leaf none))", "leaf"),
            ("(children (node 1 (some leaf none)))", "(some leaf none)"),
            ("(head (cons 1 (as nil (List Int))))", "1"),
            ("(head (cons true (as nil (List Bool))))", "true"),
            ("(tail ((as cons (List Int)) 1 (as nil (List Int))))", "(as nil (List Int))"),
            ("(head (head (cons (cons 1 (as nil (List Int))) (as nil (List (List Int))))))", "1"),
            ("(fst (pair 1 true))", "1"),
            ("(snd (pair 1 (pair #b1 2.0)))", "(pair #b1 2.0)"),
            ("(content (box 1))", "1.0"),
            ("(distinct red green blue)", "true"),
            ("(= red green)", "false"),
            ("(match green ((red 1) (green 2) (blue 3)))", "2"),
            ("(match blue ((red 1) (_ 2)))", "2"),
            ("(match blue ((red blue) (other other)))", "blue"),
            ("(match (node 4 none) ((leaf 0) ((node v c) (+ v 1))))", "5"),
            ("(match (node 4 none) ((leaf 0.5) ((node v _) v)))", "4.0"),
            (
                "(match (cons 1 (cons 2 (as nil (List Int)))) \
                 ((nil 0) ((cons h t) (match t ((nil h) ((cons h2 _) (+ h (* 10 h2))))))))",
                "21",
            ),
        ],
    );
}

#[test]
fn every_operator_of_the_store_can_be_read() {
    // What the printer writes for an operator, the reader takes for the same operator.
    let mut store = alphorn_term::Store::new();
    let word = store.bv_sort(4);
    let (x, y) = (store.var("x", word), store.var("y", word));
    let mut context = Context::over(store);
    context.bind("x", x);
    context.bind("y", y);
    use alphorn_term::Op::*;
    let unary = [BvNot, BvNeg, BvNego, UbvToInt, SbvToInt, Extract(2, 1), Repeat(2)];
    let more = [ZeroExtend(1), SignExtend(1)];
    let binary = [
        Concat, BvAnd, BvOr, BvXor, BvAdd, BvSub, BvMul, BvUdiv, BvUrem, BvSdiv, BvSrem, BvSmod,
        BvShl, BvLshr, BvAshr, BvUlt, BvUle, BvSlt, BvSle, BvUaddo, BvSaddo, BvUsubo, BvSsubo,
        BvUmulo, BvSmulo, BvSdivo,
    ];
    let mut terms = Vec::new();
    for op in unary.into_iter().chain(more) {
        terms.push(context.store_mut().mk(op, &[x]));
    }
    for op in binary {
        terms.push(context.store_mut().mk(op, &[x, y]));
    }
    for term in terms {
        let text = context.store().show(term);
        assert_eq!(context.parse_term_text(text.as_bytes()), Ok(term), "{text}");
    }
}
