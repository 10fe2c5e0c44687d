//! Trees and graphs of small derivations, to the letter.

use super::*;
use crate::smtlib;
use alphorn_term::Value;

const SUMS: &str = "(set-logic HORN)
(declare-fun |a \"b\"| (Int) Bool)
(declare-fun Q (Int Int) Bool)
(assert (|a \"b\"| 1))
(assert (forall ((x Int) (y Int) (k Int))
  (! (=> (and (|a \"b\"| x) (|a \"b\"| y) (= k 7)) (Q x (+ x y))) :named twice)))
(assert (forall ((x Int) (y Int)) (=> (and (Q x y) (|a \"b\"| x) (> y x)) false)))
(check-sat)
";

fn step(clause: u32, values: &[i64], premises: &[usize]) -> Step {
    let values = values.iter().map(|&value| Value::Int(value.into())).collect();
    Step::new(ClauseId(clause), values, premises.to_vec())
}

fn derivation() -> (Horn, Derivation) {
    let (script, _) = smtlib::read(SUMS.as_bytes());
    let steps = vec![step(0, &[], &[]), step(1, &[1, 1, 7], &[0]), step(2, &[1, 2], &[1, 0])];
    (script.expect("the script is read").horn, Derivation::of(steps))
}

#[test]
fn facts_stand_below_what_uses_them() {
    let (horn, derivation) = derivation();
    let expected = "\
false            by clause 2 (line 7)
├ (Q 1 2)        by clause 1 twice (line 5), with k = 7
│ └ (|a \"b\"| 1)  by clause 0 (line 4)
└ (|a \"b\"| 1)    see above
";
    assert_eq!(print_tree(&horn, &derivation, SUMS.as_bytes()), expected);
}

#[test]
fn wide_facts_are_shown_by_what_changed() {
    let names: Vec<String> = (0..20).map(|n| format!("v{n}")).collect();
    let vars: Vec<String> = names.iter().map(|name| format!("({name} Int)")).collect();
    let next = names.join(" ").replace("v7", "(+ v7 1)");
    let text = format!(
        "(set-logic HORN)(declare-fun s ({}) Bool)(assert (s {}))
         (assert (forall ({}) (=> (s {}) (s {next}))))",
        "Int ".repeat(20),
        "0 ".repeat(20),
        vars.join(" "),
        names.join(" "),
    );
    let (script, _) = smtlib::read(text.as_bytes());
    let horn = script.expect("the script is read").horn;
    let derivation = Derivation::of(vec![step(0, &[], &[]), step(1, &[0; 20], &[0])]);
    let lines = tree_lines(&horn, &derivation, &[]);
    assert_eq!(lines[0].fact, format!("(s{})", " 0".repeat(20)));
    assert_eq!(lines[1].fact, "(s …)");
    assert_eq!(lines[1].reason(), "by clause 1, changing v7 = 1");
}

#[test]
fn graphs_escape_names() {
    let (horn, derivation) = derivation();
    let text = print_dot(&horn, &derivation, &[]);
    assert!(text.contains(r#"s0 [label="(|a \"b\"| 1)\nclause 0"];"#), "{text}");
    assert!(text.contains("s0 -> s1;") && text.contains("s1 -> s2;"), "{text}");
    assert!(text.contains("color=red"), "{text}");
}
