//! The YAML that witnesses and task definitions are written in.

use alphorn_front::yaml::{Node, Value, read};

fn node(text: &str) -> Node {
    let (node, diagnostics) = read(text.as_bytes());
    node.unwrap_or_else(|| panic!("{text}: {diagnostics:?}"))
}

/// A node as a line, to compare.
fn flat(node: &Node) -> String {
    match &node.value {
        Value::Null => "~".to_owned(),
        Value::Scalar(text) => format!("{text:?}"),
        Value::List(list) => {
            let parts: Vec<String> = list.iter().map(flat).collect();
            format!("[{}]", parts.join(", "))
        }
        Value::Map(map) => {
            let parts: Vec<String> =
                map.iter().map(|(key, node)| format!("{}: {}", key.text, flat(node))).collect();
            format!("{{{}}}", parts.join(", "))
        }
    }
}

#[test]
fn what_is_indented_belongs_together() {
    for (text, expected) in [
        (
            "a: 1\nb:\n  c: 2\n  d:\n  - x\n  - y\ne: z\n",
            r#"{a: "1", b: {c: "2", d: ["x", "y"]}, e: "z"}"#,
        ),
        (
            "- a: 1\n  b: 2\n- c\n-\n  - d\n- - e\n  - f\n",
            r#"[{a: "1", b: "2"}, "c", ["d"], ["e", "f"]]"#,
        ),
        ("---\n# nothing\na:\nb: # empty\nc: x # a comment\n...\n", r#"{a: ~, b: ~, c: "x"}"#),
        (
            "a: {b: [1, 'x, y', \"z\"], c: , d: {}}\ne: []",
            r#"{a: {b: ["1", "x, y", "z"], c: ~, d: {}}, e: []}"#,
        ),
        ("a: {b: x\n  == 3, c: y}", r#"{a: {b: "x == 3", c: "y"}}"#),
        ("a: [1,\n  2, # two\n  3\n]\n", r#"{a: ["1", "2", "3"]}"#),
        ("\"a b\": x\r\n'c''d': y\r\n", r#"{a b: "x", c'd: "y"}"#),
        (
            "a: http://x.y/z#part\nb: 0 <= i && i < n",
            r#"{a: "http://x.y/z#part", b: "0 <= i && i < n"}"#,
        ),
        ("just text\n  in two lines", r#""just text in two lines""#),
        ("a: ~\nb: null", "{a: ~, b: ~}"),
    ] {
        assert_eq!(flat(&node(text)), expected, "{text}");
    }
}

#[test]
fn text_goes_over_lines_as_the_standard_says() {
    for (text, expected) in [
        ("a: one\n  two\n\n  three\nb: x", r#"{a: "one two\nthree", b: "x"}"#),
        ("a: >\n  one\n  two\n\n  three\n", r#"{a: "one two\nthree\n"}"#),
        ("a: >-\n  one\n  two\nb: x", r#"{a: "one two", b: "x"}"#),
        ("a: |\n  one\n   two\n\n  three\n\nb: x", r#"{a: "one\n two\n\nthree\n", b: "x"}"#),
        ("a: >\n  x\n   deep\n  y\n", r#"{a: "x\n deep\ny\n"}"#),
        ("a: |+\n  x\n\nb: y", r#"{a: "x\n\n", b: "y"}"#),
        (
            "a: \"one\n  two\\\n   three \\\"q\\\" \\\\result \\u00e9\"",
            r#"{a: "one twothree \"q\" \\result é"}"#,
        ),
        ("a: 'it''s \\n\n  so'", r#"{a: "it's \\n so"}"#),
    ] {
        assert_eq!(flat(&node(text)), expected, "{text}");
    }
}

#[test]
fn what_is_not_understood_is_said_with_its_place() {
    for (text, line, column) in [
        ("a: 1\n\tb: 2", 2, 1),
        ("a: 1\na: 2", 2, 1),
        ("a: &x 1", 1, 4),
        ("a: *x", 1, 4),
        ("a: !!str x", 1, 4),
        ("%YAML 1.2\n---\na: b", 1, 1),
        ("a: b: c", 1, 5),
        ("a: \"x", 1, 4),
        ("a: [1, 2", 1, 4),
        ("a: {b: \"1\" c}", 1, 12),
        ("a: \"\\q\"", 1, 5),
        ("a: 1\n---\nb: 2", 2, 1),
        ("  a: 1\nb: 2", 2, 1),
        ("a: 1\nb\n", 2, 1),
        ("- a\nb: c", 2, 1),
        ("a: \"x\" y", 1, 8),
    ] {
        let (found, diagnostics) = read(text.as_bytes());
        assert!(found.is_none(), "{text}: {found:?}");
        let place = diagnostics.list[0].place(text.as_bytes());
        assert_eq!(place, Some((line, column)), "{text}: {diagnostics:?}");
    }
}

#[test]
fn depth_is_limited_and_no_prefix_of_a_file_brings_it_down() {
    for open in ["[", "{a: ", "- ", "a:\n "] {
        let text = open.repeat(100_000);
        assert!(read(text.as_bytes()).0.is_none_or(|node| !matches!(node.value, Value::Scalar(_))));
    }
    let deep: String = (0..200).map(|at| format!("{}a:\n", " ".repeat(at))).collect();
    assert!(read(deep.as_bytes()).0.is_none());
    let text = "- a: \"x\\u00e9\\\n y\"\n  b: >\n    q\n  c: {d: [1, 'é'], e: |\n}\n";
    for end in 0..=text.len() {
        let _ = read(&text.as_bytes()[..end]);
        for byte in [b'"', b'\'', b'\n', b' ', b'-', b':', b'[', b'}', b'|', 0xff] {
            let mut bytes = text.as_bytes()[..end].to_vec();
            bytes.push(byte);
            bytes.extend(&text.as_bytes()[end..]);
            let _ = read(&bytes);
        }
    }
}
