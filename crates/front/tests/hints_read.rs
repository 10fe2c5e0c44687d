//! Files of hints: what is read, and what is refused with which words at which place.

#![allow(clippy::unwrap_used)]

use alphorn_front::diag::Code;
use alphorn_front::hints::read;
use alphorn_problem::Horn;
use alphorn_problem::hint::HintKind;

/// A predicate of two integers, one of a word, and one with a strange name.
fn problem() -> Horn {
    let text = "(set-logic HORN) (declare-fun inv (Int Int) Bool)
        (declare-fun word ((_ BitVec 8) (Array Int Int)) Bool) (declare-fun |inv:0| () Bool)
        (assert (forall ((x Int)) (inv x x)))
        (assert (forall ((x Int) (y Int)) (=> (inv x y) false)))";
    alphorn_front::smtlib::read(text.as_bytes()).0.unwrap().horn
}

/// What is wrong with a text: the words, and what they point at.
fn wrong(text: &str) -> (String, String) {
    let (hints, diagnostics) = read(text.as_bytes(), &problem());
    assert!(hints.is_none(), "{text}");
    let [diagnostic] = &diagnostics.list[..] else { panic!("{text}: {diagnostics:?}") };
    let (start, end) = (diagnostic.span.start as usize, diagnostic.span.end as usize);
    (diagnostic.message.clone(), text[start..end].to_owned())
}

#[test]
fn both_of_eldaricas_forms_and_definitions_are_read() {
    let text = "; a comment
        (initial-predicates inv ((a Int) (b Int)) (<= a b) (= a 0))
        (templates inv ((x Int) (y Int)) (term (- x y) 1) (inequality-term x 2) (predicate (= x y) 3))
        (templates word ((c (_ BitVec 8)) (m (Array Int Int)))
          (term (bvadd c #x01) 4) (predicate (= (select m 1) 2) 5))
        (initial-predicates |inv:0| ())
        (define-fun inv ((x Int) (y Int)) Bool (or (< x y) (= x y)))";
    let (hints, diagnostics) = read(text.as_bytes(), &problem());
    assert!(diagnostics.list.is_empty(), "{diagnostics:?}");
    let hints = hints.unwrap();
    let shown: Vec<String> = hints
        .all
        .iter()
        .map(|hint| {
            let kind = match hint.kind {
                HintKind::Formula => "formula".to_owned(),
                HintKind::Term { cost } => format!("term {cost}"),
                HintKind::Bound { cost } => format!("bound {cost}"),
                HintKind::Truth { cost } => format!("truth {cost}"),
            };
            format!(
                "{} {kind} {}",
                hint.pred.0,
                &text[hint.span.start as usize..hint.span.end as usize]
            )
        })
        .collect();
    assert_eq!(
        shown,
        [
            "0 formula (<= a b)",
            "0 formula (= a 0)",
            "0 term 1 (- x y)",
            "0 bound 2 x",
            "0 truth 3 (= x y)",
            "1 term 4 (bvadd c #x01)",
            "1 truth 5 (= (select m 1) 2)",
            "0 formula (or (< x y) (= x y))",
        ]
    );
}

#[test]
fn what_does_not_fit_the_problem_is_refused_at_its_place() {
    let cases = [
        ("(templates Inv ())", "the problem has no predicate of this name", "Inv"),
        (
            "(templates inv ((x Int) (y Int)) (inequality-term (= x y) 1))",
            "bounds are of numbers; write `term` for what is none",
            "(= x y)",
        ),
        ("(templates inv ((x Int)))", "this predicate has 2 arguments", "((x Int))"),
        (
            "(define-fun inv ((x Int) (y Bool)) Bool y)",
            "argument 2 of this predicate has sort Int",
            "Bool",
        ),
        ("(initial-predicates inv ((x Int) (y Int)) x)", "a formula is wanted here", "x"),
        (
            "(initial-predicates inv ((x Int) (y Int)) (inv x y))",
            "a hint has no predicates and functions in it",
            "(inv x y)",
        ),
    ];
    for (text, message, place) in cases {
        assert_eq!(wrong(text), (message.to_owned(), place.to_owned()), "{text}");
    }
}

#[test]
fn what_is_no_file_of_hints_is_refused() {
    let texts = [
        "(assert true)",
        "(templates inv ((x Int) (y Int)) (sum x 1))",
        "(templates inv ((x Int) (y Int)) (term x))",
        "(templates inv ((x Int) (y Int)) (term z 1))",
        "(templates inv ((x Int) (y Int)) (term x 1)",
        "inv",
        ")",
    ];
    for text in texts {
        let (hints, diagnostics) = read(text.as_bytes(), &problem());
        assert!(hints.is_none() && diagnostics.list.len() == 1, "{text}");
    }
    let (hints, _) = read(b"", &problem());
    assert!(hints.unwrap().all.is_empty(), "an empty file has no hints");
    let near = read(b"(templates inw ())", &problem()).1;
    assert_eq!(near.list[0].hint.as_deref(), Some("there is inv"));
    assert_eq!(near.list[0].code, Code::Hint);
}
