//! Evidence about C programs as text: what is written is read again, and what is broken is refused.

use alphorn_front::Diagnostic;
use alphorn_front::evidence::{
    ProgramEvidence, ProgramQuestion, is_program_evidence, print_program_proof, print_program_run,
    program_pieces, read_program,
};
use alphorn_problem::Span;
use alphorn_program::c::evidence::{Encoding, Numbers, Run, Sight};
use alphorn_program::c::property::{Choice, Malloc, Violation};
use alphorn_program::c::{DataModel, Property};

/// What is read of a file with one piece.
fn read_only(text: &str) -> Result<(ProgramQuestion, ProgramEvidence), Box<Diagnostic>> {
    let pieces = program_pieces(text.as_bytes());
    assert_eq!(pieces.len(), 1, "{text}");
    read_program(text.as_bytes(), pieces[0].clone())
}

fn question() -> ProgramQuestion {
    ProgramQuestion {
        properties: vec![Property::UnreachCall, Property::Assert],
        entry: "main".to_owned(),
        model: DataModel::Ilp32,
        malloc: Malloc::MayFail,
    }
}

fn run() -> Run {
    let contents = Choice::Contents { cells: vec![(4, 7), (8, -1)], default: 3 };
    Run {
        choices: vec![Choice::Value(-5), contents, Choice::Allocated(false)],
        steps: 17,
        violation: Violation { property: Property::Assert, span: Span { start: 10, end: 20 } },
    }
}

#[test]
fn a_run_is_read_as_it_was_written() {
    let text = print_program_run(&question(), &run());
    assert!(is_program_evidence(text.as_bytes()));
    let read = read_only(&text).expect("it was written by us");
    assert_eq!(read, (question(), ProgramEvidence::Unsafe(run())));
}

#[test]
fn a_proof_is_read_as_it_was_written_and_says_where_its_model_begins() {
    let sights = [None].into_iter().chain(Sight::EACH.map(Some));
    for sight in sights {
        for numbers in [Numbers::Integers, Numbers::Words] {
            let written = Encoding { numbers, sight };
            let text = print_program_proof(&question(), written, "(model)\n");
            let (read, evidence) = read_only(&text).expect("it was written by us");
            assert_eq!(read, question());
            let ProgramEvidence::Safe(encoding, at) = evidence else { panic!("{evidence:?}") };
            assert_eq!(encoding, written);
            assert_eq!(&text[at..], "(model)\n");
        }
    }
}

#[test]
fn broken_lines_are_refused_with_their_places() {
    let good = print_program_run(&question(), &run());
    let broken = [
        ("properties unreach-call", "properties reach", "there is no property `reach`"),
        ("data-model ilp32", "data-model ip16", "there is no data model `ip16`"),
        ("malloc may-fail", "malloc fails", "allocation does not `fails`"),
        ("steps 17", "steps many", "`many` is no number"),
        ("value -5", "value 1e3", "`1e3` is no number"),
        ("value -5", "valve -5", "a choice should stand here"),
        ("4:7", "47", "`47` is no byte with a value"),
        ("unsafe assert 10 20", "unsafe assert 10", "says a property and where"),
        ("entry main", "entrance main", "begins with `entry`"),
        ("alphorn-program 1", "alphorn-program 2", "only version 1"),
    ];
    for (from, to, expected) in broken {
        let text = good.replacen(from, to, 1);
        let refused = read_only(&text).expect_err(to);
        assert!(refused.message.contains(expected), "{to}: {}", refused.message);
        let line = &text[refused.span.start as usize..refused.span.end as usize];
        assert!(text.lines().any(|other| other == line), "{to}: {line}");
    }
    let cut = good.split("steps").next().expect("there is a beginning");
    let refused = read_only(cut).expect_err("it is cut");
    assert!(refused.message.contains("ends where `steps`"), "{}", refused.message);
}

#[test]
fn pieces_of_a_file_are_read_one_by_one_with_places_in_the_file() {
    let run = print_program_run(&question(), &run());
    let proof = print_program_proof(&question(), Numbers::Integers.into(), "(model)\n");
    let text = format!("# several answers\n{proof}\n# and a run\n{run}{proof}");
    let pieces = program_pieces(text.as_bytes());
    assert_eq!(pieces.len(), 3);
    let read = |at: usize, text: &str| read_program(text.as_bytes(), pieces[at].clone());
    let safe_at = |at: usize| match read(at, &text) {
        Ok((_, ProgramEvidence::Safe(encoding, model))) if encoding == Numbers::Integers.into() => {
            model..pieces[at].end
        }
        other => panic!("{other:?}"),
    };
    assert_eq!(&text[safe_at(0)], "(model)\n\n# and a run\n");
    assert!(matches!(read(1, &text), Ok((_, ProgramEvidence::Unsafe(_)))));
    assert_eq!(&text[safe_at(2)], "(model)\n");
    let broken = text.replacen("value -5", "valve -5", 1);
    let refused = read(1, &broken).expect_err("its choice is none");
    assert_eq!(&broken[refused.span.start as usize..refused.span.end as usize], "valve -5");
    assert!(read(0, &broken).is_ok() && read(2, &broken).is_ok(), "the others stay as they are");
}
