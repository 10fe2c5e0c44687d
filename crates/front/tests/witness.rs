//! Witnesses of programs: read, refused, written.

use alphorn_front::diag::Span;
use alphorn_front::diag::{Code, Severity};
use alphorn_front::witness::{
    About, Content, Invariant, InvariantKind, Location, Metadata, Producer, Segment, Version,
    Waypoint, WaypointKind, Witness, is_witness, print, read,
};
use alphorn_front::yaml;
use alphorn_program::c::DataModel;

const HEAD: &str = "  metadata:
    format_version: 2.0
    uuid: 00000000-0000-0000-0000-000000000000
    creation_time: 2026-01-01T00:00:00Z
    producer: {name: somebody, version: n/a}
    task:
      input_files:
      - \"a.c\"
      input_file_hashes: {a.c: 00}
      specification: G ! call(reach_error())
      data_model: ILP32
      language: C
";

fn correctness(content: &str) -> String {
    format!("- entry_type: invariant_set\n{HEAD}  content:\n{content}")
}

fn violation(content: &str) -> String {
    format!("- entry_type: \"violation_sequence\"\n{HEAD}  content:\n{content}")
}

const INVARIANT: &str = "  - invariant:
      type: loop_invariant
      location: {file_name: a.c, line: 5, column: 3, function: main}
      value: 0 <= i && i <= 9
      format: c_expression
";

const TARGET: &str = "  - segment:
    - waypoint:
        type: target
        action: follow
        location: {file_name: a.c, line: 9}
";

#[test]
fn invariants_are_read() {
    let text = correctness(INVARIANT);
    assert!(is_witness(text.as_bytes()));
    let (found, diagnostics) = read(text.as_bytes());
    let found = found.unwrap_or_else(|| panic!("{diagnostics:?}"));
    assert!(diagnostics.list.is_empty());
    assert_eq!(found[0].metadata.task.data_model, DataModel::Ilp32);
    assert_eq!(found[0].metadata.task.hashes, [("a.c".to_owned(), "00".to_owned())]);
    let Content::Invariants(list) = &found[0].content else { panic!("invariants") };
    assert_eq!(list[0].kind, InvariantKind::Loop);
    assert_eq!(list[0].value, "0 <= i && i <= 9");
    assert_eq!((list[0].location.line, list[0].location.column), (5, Some(3)));
}

#[test]
fn segments_are_read() {
    let first = "  - segment:
    - waypoint: {type: branching, action: avoid, constraint: {value: \"true\"}, location: {file_name: a.c, line: 2}}
    - waypoint: {type: function_return, action: follow, constraint: {value: \"\\\\result == 3\", format: acsl_expression}, location: {file_name: a.c, line: 3, column: 7}}
";
    let text = violation(&format!("{first}{TARGET}"));
    let (found, diagnostics) = read(text.as_bytes());
    let found = found.unwrap_or_else(|| panic!("{diagnostics:?}"));
    let Content::Violation(segments) = &found[0].content else { panic!("segments") };
    assert_eq!(segments.len(), 2);
    assert_eq!(segments[0].avoid[0].constraint.as_deref(), Some("true"));
    assert_eq!(segments[0].follow.constraint.as_deref(), Some("\\result == 3"));
    assert_eq!(segments[1].follow.kind, WaypointKind::Target);
}

#[test]
fn a_witness_that_breaks_a_rule_is_refused_at_the_place() {
    let cases: &[(String, Severity, &str)] = &[
        (correctness(&INVARIANT.replace("line: 5", "line: 0")), Severity::Error, "0, column"),
        (correctness(&INVARIANT.replace("file_name: a.c, ", "")), Severity::Error, "{line"),
        (correctness(&INVARIANT.replace("loop_inv", "loopinv")), Severity::Error, "loopinv"),
        (
            correctness(&INVARIANT.replace("loop_inv", "loop_transition_inv")),
            Severity::Unsupported,
            "loop_tra",
        ),
        (correctness(INVARIANT).replace("2.0", "1.0"), Severity::Unsupported, "1.0"),
        (correctness(INVARIANT).replace("ILP32", "LLP64"), Severity::Error, "LLP64"),
        (
            correctness(INVARIANT).replace("language: C", "language: Java"),
            Severity::Unsupported,
            "Java",
        ),
        (
            correctness(INVARIANT).replace("    uuid: 00000000-0000-0000-0000-000000000000\n", ""),
            Severity::Error,
            "format_version",
        ),
        (correctness(INVARIANT).replace("invariant_set", "ghost"), Severity::Unsupported, "ghost"),
        (violation(&TARGET.replace("follow", "avoid")), Severity::Error, "avoid"),
        (
            violation(&TARGET.replace("type: target", "type: branching")),
            Severity::Error,
            "waypoint",
        ),
        (violation(&format!("{TARGET}{TARGET}")), Severity::Error, "waypoint"),
        (violation("  - segment: []\n"), Severity::Error, "segment"),
        (violation("  []\n"), Severity::Error, "[]"),
        ("a: b".to_owned(), Severity::Error, "a: b"),
    ];
    for (text, severity, place) in cases {
        let (found, diagnostics) = read(text.as_bytes());
        assert!(found.is_none(), "{text}");
        assert_eq!(diagnostics.worst(), Some(*severity), "{text}: {diagnostics:?}");
        let at = diagnostics.list[0].span.start as usize;
        assert!(text[at..].starts_with(place), "{place}: {diagnostics:?}\n{}", &text[at..]);
    }
}

#[test]
fn unknown_keys_are_warned_of() {
    let text = correctness(&INVARIANT.replace("      format:", "      mood: good\n      format:"));
    let (found, diagnostics) = read(text.as_bytes());
    assert!(found.is_some());
    assert_eq!(diagnostics.list.len(), 1);
    assert_eq!(diagnostics.list[0].code, Code::Witness);
    assert_eq!(diagnostics.list[0].severity, Severity::Warning);
}

fn place(line: u32, column: Option<u32>) -> Location {
    Location {
        file_name: "dir/odd \"name\".c".to_owned(),
        line,
        column,
        function: column.map(|_| "main".to_owned()),
    }
}

fn waypoint(kind: WaypointKind, constraint: Option<&str>) -> Waypoint {
    let constraint = constraint.map(str::to_owned);
    Waypoint { kind, location: place(7, Some(2)), constraint, span: Span::NONE }
}

fn written(content: Content) -> Witness {
    let task = About {
        input_files: vec!["dir/odd \"name\".c".to_owned()],
        hashes: vec![("dir/odd \"name\".c".to_owned(), "12ab".to_owned())],
        specification: "CHECK( init(main()), LTL(G ! overflow) )".to_owned(),
        specification_span: Span::NONE,
        data_model: DataModel::Lp64,
        language: "C".to_owned(),
    };
    let producer = Producer {
        name: "alphorn".to_owned(),
        version: "1".to_owned(),
        command_line: Some("alphorn 'a\tb'".to_owned()),
        ..Producer::default()
    };
    let metadata = Metadata {
        version: Version::V2_0,
        uuid: String::new(),
        creation_time: "2026-01-01T00:00:00Z".to_owned(),
        producer,
        task,
    };
    let mut witness = Witness { metadata, content };
    witness.metadata.uuid = witness.identifier();
    witness
}

/// Without the places in the witness, which what was never written has not.
fn without_spans(mut witness: Witness) -> Witness {
    witness.metadata.task.specification_span = Span::NONE;
    match &mut witness.content {
        Content::Invariants(list) => list.iter_mut().for_each(|one| one.span = Span::NONE),
        Content::Violation(list) => list.iter_mut().for_each(|segment| {
            segment.follow.span = Span::NONE;
            segment.avoid.iter_mut().for_each(|one| one.span = Span::NONE);
        }),
    }
    witness
}

fn both() -> [Witness; 2] {
    let invariant = |kind, value: &str, column| Invariant {
        kind,
        location: place(3, column),
        value: value.to_owned(),
        span: Span::NONE,
    };
    let invariants = vec![
        invariant(InvariantKind::Loop, "(long long)x + 1 <= 3 # not a comment", Some(4)),
        invariant(InvariantKind::Location, "c != '\\n' || s[0] == '\"'", None),
    ];
    let segment = |avoid, follow| Segment { avoid, follow, is_cycle: false };
    let segments = vec![
        segment(Vec::new(), waypoint(WaypointKind::FunctionReturn, Some("\\result == -3"))),
        segment(
            vec![waypoint(WaypointKind::Branching, Some("false"))],
            waypoint(WaypointKind::Assumption, Some("x > 0")),
        ),
        segment(Vec::new(), waypoint(WaypointKind::FunctionEnter, None)),
        segment(Vec::new(), waypoint(WaypointKind::Target, None)),
    ];
    [Content::Invariants(invariants), Content::Violation(segments)].map(written)
}

#[test]
fn what_is_written_is_read_as_it_was() {
    for witness in both() {
        let text = print(&witness);
        let (found, diagnostics) = read(text.as_bytes());
        let found = found.unwrap_or_else(|| panic!("{diagnostics:?}\n{text}"));
        assert!(diagnostics.list.is_empty(), "{diagnostics:?}");
        assert_eq!(found.into_iter().map(without_spans).collect::<Vec<_>>(), [witness]);
        assert!(is_witness(text.as_bytes()));
    }
}

#[test]
fn what_is_written_has_what_the_format_asks_for() {
    for witness in both() {
        let text = print(&witness);
        let node = yaml::read(text.as_bytes()).0.expect("it is YAML");
        let entry = &node.list().expect("a list of entries")[0];
        let metadata = entry.find("metadata").expect("it has metadata");
        for key in ["format_version", "uuid", "creation_time", "producer", "task"] {
            assert!(metadata.find(key).is_some(), "{key}");
        }
        let task = metadata.find("task").expect("it has a task");
        let files = task.find("input_files").and_then(|files| files.list()).expect("files");
        let hashes = task.find("input_file_hashes").expect("hashes");
        for file in files {
            assert!(hashes.find(file.text().expect("a name")).is_some());
        }
        let uuid = metadata.find("uuid").and_then(|uuid| uuid.text()).expect("a text");
        let groups: Vec<usize> = uuid.split('-').map(str::len).collect();
        assert_eq!(groups, [8, 4, 4, 4, 12]);
        assert!(uuid.bytes().all(|byte| byte == b'-' || byte.is_ascii_hexdigit()));
        assert_eq!(&uuid[14..15], "8");
    }
}

#[test]
fn identifiers_tell_witnesses_apart_and_not_when_they_were_made() {
    let [first, second] = both();
    assert_ne!(first.metadata.uuid, second.metadata.uuid);
    let mut later = first.clone();
    later.metadata.creation_time = "2027-01-01T00:00:00Z".to_owned();
    assert_eq!(later.identifier(), first.metadata.uuid);
}
