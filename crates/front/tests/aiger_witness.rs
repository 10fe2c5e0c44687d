//! AIGER witnesses: what they say, and what is wrong with them and where.
//! One helper touches the API; the tests are data.

use alphorn_front::aiger::{self, Witness};
use alphorn_problem::Circuit;
use alphorn_problem::evidence::circuit::{Bit, Property, Trace};

/// Two inputs; three latches that start with 0, with 1 and with either; one bad state and one
/// justice property.
const NEW: &str = "aag 5 2 3 0 0 1 0 1\n2\n4\n6 2\n8 4 1\n10 2 10\n6\n1\n8\n";
/// One latch and two outputs, in the format before 1.9.
const OLD: &str = "aag 1 0 1 2 0\n2 3\n2\n3\n";

fn circuit(file: &str) -> Circuit {
    aiger::read(file.as_bytes()).0.expect("a sound file")
}

/// Reads `witness` for the circuit `file`; expects it rewritten to be `expected`, or one line per
/// diagnostic.
#[track_caller]
fn check(file: &str, witness: &str, expected: &str) {
    let circuit = circuit(file);
    let bytes = witness.as_bytes();
    let (witnesses, diagnostics) = aiger::read_witness(bytes, &circuit);
    let mut got = String::new();
    for d in &diagnostics.list {
        let (start, end) = (d.span.start as usize, d.span.end as usize);
        let text = bytes[start..end].escape_ascii();
        let hint = d.hint.as_ref().map(|hint| format!(" ({hint})")).unwrap_or_default();
        got.push_str(&format!("{} {start} `{text}`: {}{hint}\n", d.code.code(), d.message));
    }
    assert_eq!(witnesses.is_some(), diagnostics.is_clean());
    for witness in witnesses.iter().flatten() {
        got.push_str(&aiger::write_answer(witness, &circuit));
    }
    assert_eq!(got, expected);
    if let Some(witnesses) = witnesses {
        assert_eq!(aiger::read_witness(got.as_bytes(), &circuit).0, Some(witnesses));
    }
}

#[test]
fn statuses() {
    check(NEW, "0\nb0\n.\n", "0\nb0\n.\n");
    check(NEW, "2\nj0\n.\n", "2\nj0\n.\n");
    check(NEW, "1\nb0\n01x\n00\n1x\n.\n", "1\nb0\n01x\n00\n1x\n.\n");
    check(NEW, "1\nb0\n01x\n00\n1x\n.", "1\nb0\n01x\n00\n1x\n.\n");
}

#[test]
fn what_is_read() {
    let (witnesses, _) = aiger::read_witness(b"1\nj0\n010\n1x\n.\n0\nb0\n.\n", &circuit(NEW));
    let trace = Trace {
        property: Property::Justice(0),
        start: vec![Bit::Zero, Bit::One, Bit::Zero],
        inputs: vec![vec![Bit::One, Bit::X]],
    };
    let expected = vec![Witness::Violated(trace), Witness::Holds(Property::Bad(0))];
    assert_eq!(witnesses, Some(expected));
}

#[test]
fn outputs_of_old_files_are_bad_states() {
    check(OLD, "1\nb1\n0\n\n.\n", "1\nb1\n0\n\n.\n");
    check(OLD, "1\nb0\n0\n\n\n.\n0\nb1\n.\n", "1\nb0\n0\n\n\n.\n0\nb1\n.\n");
}

#[test]
fn several_properties_share_a_run() {
    check(NEW, "1\nb0j0\n011\n00\n.\n", "1\nb0\n011\n00\n.\n1\nj0\n011\n00\n.\n");
}

#[test]
fn comments_bounds_and_blanks() {
    check(
        NEW,
        "c made by hand\nu0\n1\nc more\nb0 \nu1\n010c start\n00\r\nc step\n11\n.\n\nc end\n",
        "1\nb0\n010\n00\n11\n.\n",
    );
}

#[test]
fn unknown_values_of_initialised_latches_are_their_resets() {
    check(NEW, "1\nb0\nxxx\n00\n.\n", "1\nb0\n01x\n00\n.\n");
}

#[test]
fn a_bare_status_is_about_the_only_property() {
    check("aag 0 0 0 0 0 1\n0\n", "0\n", "0\nb0\n.\n");
    check("aag 0 0 0 0 0 0 0 1\n0\n", "2", "2\nj0\n.\n");
    check(NEW, "0\n", "A008 2 ``: the witness does not say for which property it is\n");
}

#[test]
fn nothing_there() {
    check(NEW, "", "F002 0 ``: the file is empty\n");
    check(NEW, "c nothing\n\n", "A008 11 ``: the file has no witness\n");
}

#[test]
fn faults() {
    check(NEW, "sat\n", "A008 0 `sat`: a witness starts with 0, 1 or 2, not with `sat`\n");
    check(
        NEW,
        "1\nb1\n010\n00\n.\n",
        "A008 2 `b1`: there is no b1: the number of safety properties is 1\n",
    );
    check(
        NEW,
        "1\nb0j1\n010\n00\n.\n",
        "A008 4 `j1`: there is no j1: the number of justice properties is 1\n",
    );
    check(
        NEW,
        "1\n010\n00\n.\n",
        "A008 2 `010`: a line of properties is expected, such as `b0` or `j0` (witnesses for AIGER before 1.9, without this line, are not read)\n",
    );
    check(
        NEW,
        "1\nb\n010\n00\n.\n",
        "A008 2 `b`: a line of properties is expected, such as `b0` or `j0` (witnesses for AIGER before 1.9, without this line, are not read)\n",
    );
    check(NEW, "1\nb0\n012\n00\n.\n", "A008 7 `2`: `2` is not one of 0, 1 and x\n");
    check(
        NEW,
        "1\nb0\n01\n00\n.\n",
        "A008 5 `01`: the line has 2 values, and the circuit 3 latches (is it the witness of another circuit?)\n",
    );
    check(
        NEW,
        "1\nb0\n010\n000\n.\n",
        "A008 9 `000`: the line has 3 values, and the circuit 2 inputs (is it the witness of another circuit?)\n",
    );
    check(
        NEW,
        "1\nb0\n010\n.\n",
        "A008 9 `.`: the run has no step; there is one line of inputs for each\n",
    );
    check(
        NEW,
        "0\nb0\n010\n.\n",
        "A008 5 `010`: after the properties of a witness without run there is a line with `.`\n",
    );
    for cut in ["1\n", "1\nb0\n", "0\nb0\n", "1\nb0\n010\n", "1\nb0\n010\n00\n"] {
        check(
            NEW,
            cut,
            &format!(
                "A002 {} ``: the file ends in the middle of a witness; a line with `.` ends it (was the model checker stopped while it wrote?)\n",
                cut.len()
            ),
        );
    }
}

#[test]
fn a_fault_does_not_hide_those_of_the_next_witness() {
    check(
        NEW,
        "1\nb0\n010\n.\n1\nb7\n0\n.\n3\n",
        "A008 9 `.`: the run has no step; there is one line of inputs for each\n\
         A008 13 `b7`: there is no b7: the number of safety properties is 1\n\
         A008 20 `3`: a witness starts with 0, 1 or 2, not with `3`\n",
    );
}
