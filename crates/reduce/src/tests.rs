//! Each kind of problem is made as small as what must stay true of it allows.

use crate::text::Text;
use crate::{chunks, reduce};
use alphorn_problem::circuit::{And, Circuit, Latch, Lit};

fn text(bytes: &str, has_semicolon_comments: bool, kept: &[&str]) -> String {
    let whole = Text { bytes: bytes.as_bytes().to_vec(), has_semicolon_comments };
    let has = |text: &Text| {
        let bytes = String::from_utf8_lossy(&text.bytes).into_owned();
        Some(kept.iter().all(|part| bytes.contains(part)))
    };
    let small = String::from_utf8(reduce(whole, has).bytes).expect("it was UTF-8");
    small.trim_end().to_owned()
}

#[test]
fn chunks_go_from_halves_to_elements() {
    let sizes: Vec<usize> = chunks(4).map(|chunk| chunk.len()).collect();
    assert_eq!(sizes, [2, 2, 1, 1, 1, 1]);
    assert_eq!(chunks(0).count(), 0);
}

#[test]
fn clauses_keep_what_is_asked_for() {
    let clauses = vec![vec![1, 2], vec![-3, 4, 5], vec![6], vec![-2, 3]];
    let has = |clauses: &Vec<Vec<i32>>| Some(clauses.iter().flatten().any(|&lit| lit == -3));
    assert_eq!(reduce(clauses, has), [[-3]]);
}

#[test]
fn a_script_keeps_the_command_that_matters() {
    let script = "; a comment (\n(set-logic QF_LIA)\n(declare-const x Int)\n(declare-const y Int)\n\
                  (assert (and (< x 1000) (> (+ x y) 5)))\n(check-sat)\n";
    assert_eq!(text(script, true, &["(+ x y)"]), "(+ x y)");
}

#[test]
fn a_program_loses_statements_and_blocks() {
    let program = "int f(int a) { return a; }\nint main() { int i = 0; while (i < 10) { i++; g(i); } return 0; }\n";
    let small = text(program, false, &["main() {", "g(i);"]);
    assert_eq!(small.split_whitespace().collect::<String>(), "main(){g(i);}");
}

#[test]
fn a_text_with_brackets_that_do_not_fit_is_made_smaller_too() {
    assert_eq!(text(")) ((a (b} c]", true, &["b"]), "b");
}

#[test]
fn elements_of_xml_go_as_a_whole() {
    let xml = "<?xml version=\"1.0\"?>\n<!-- (a -->\n<nta><template><name>P</name><location id=\"1\"/></template>\n\
               <template><name>Q</name></template><system>x; y;</system></nta>\n";
    assert_eq!(text(xml, false, &["<name>Q</name>"]), "<name>Q</name>");
    let small = text(xml, false, &["<nta>", "</nta>", "<location"]);
    assert_eq!(small.replace(char::is_whitespace, ""), "<nta><locationid=\"1\"/></nta>");
}

#[test]
fn blocks_between_words_go_line_by_line() {
    let model = "rule \"a\" begin\n  x := 1;\nend;\nrule \"b\" begin\n  y := 2;\nend;\n";
    let small = text(model, false, &["rule \"b\" begin", "end;"]);
    assert_eq!(small, "rule \"b\" begin\nend;");
}

#[test]
fn numbers_become_smaller() {
    assert_eq!(text("(x 98765)", true, &["x", "9"]), "x 9");
}

#[test]
fn nothing_is_tried_after_the_end_is_asked_for() {
    let mut tries = 0;
    let clauses = vec![vec![1], vec![2], vec![3]];
    let small = reduce(clauses.clone(), |_| {
        tries += 1;
        (tries < 2).then_some(false)
    });
    assert_eq!((small, tries), (clauses, 2));
}

/// Two inputs, two latches, two gates; the gate `second` is bad.
fn circuit() -> Circuit {
    let lit = |var: u32| Lit::new(var, false);
    Circuit {
        inputs: 2,
        latches: vec![
            Latch { next: lit(6), reset: Lit::TRUE },
            Latch { next: !lit(4), reset: Lit::FALSE },
        ],
        ands: vec![And { left: lit(4), right: !lit(1) }, And { left: lit(2), right: lit(3) }],
        bads: vec![lit(5), lit(6)],
        constraints: vec![lit(5)],
        ..Circuit::default()
    }
}

#[test]
fn a_circuit_keeps_one_latch_and_one_property() {
    let small = reduce(circuit(), |circuit| Some(!circuit.latches.is_empty()));
    assert_eq!((small.inputs, small.latches.len(), small.ands.len()), (0, 1, 0));
    assert_eq!((small.bads.len(), small.constraints.len()), (1, 0));
}

#[test]
fn every_step_leaves_a_circuit_that_is_well_formed() {
    use crate::Reduce;
    let mut seen = 0;
    let mut next = vec![circuit()];
    while let Some(circuit) = next.pop() {
        seen += 1;
        for step in circuit.steps() {
            let Some(small) = circuit.after(&step) else { continue };
            small.validate().expect("it is well formed");
            if seen < 200 {
                next.push(small);
            }
        }
    }
    assert!(seen > 200);
}
