//! Software-defined networks: what systems they are, and what is refused.

use alphorn_front::sdn::{begins, read};
use alphorn_front::{Code, Diagnostics};
use alphorn_problem::Words;
use alphorn_testkit::reading::damaged;

const NET: &str = "# a comment
switch s1 s2
client c1 s1.1
client c2 s2.2
link s1.2 s2.1
field proto ssh web
var mode idle busy
send c1
reply c2 proto=web : proto=ssh
rule stop 5 proto=ssh : drop
rule right 1 in=1 : 2 proto=web
installed right s2
on proto=ssh at=s1 when mode=idle : drop ; add stop s1 s2 ; barrier s1 ; del right s2 ; set mode=busy
on in=1 : forward 2
bad at c2 proto=ssh
bad at s2 in=1 and when mode=busy
bad dropped proto=web at=s1
";

fn clean(text: &str) -> Words {
    let (words, diagnostics): (Option<Words>, Diagnostics) = read(text.as_bytes());
    assert!(diagnostics.is_clean(), "{:?}", diagnostics.list);
    words.expect("a network")
}

#[test]
fn a_network_is_a_system_of_what_is_where() {
    assert!(begins(NET.as_bytes()) && !begins(b"states 3"));
    let words = clean(NET);
    // Two packets at four ports, two clients and two droppings; two rules at two switches, and three messages; a variable.
    assert_eq!(words.states.len(), 2 * (4 + 2 + 2) + 4 + 3 + 1);
    assert_eq!(words.bads.len(), 3);
    assert_eq!(words.inputs.len(), 1, "no rule is added and deleted at once");
    let name = |at: usize| words.terms.var_name(words.states[at].var).unwrap_or("").to_owned();
    let names: Vec<String> = (0..words.states.len()).map(name).collect();
    for wanted in
        ["s1.1:proto=ssh", "c2:proto=web", "s1.dropped:proto=web", "s2.right", "s1.stop:add"]
    {
        assert!(names.iter().any(|name| name == wanted), "{wanted} of {names:?}");
    }
}

#[test]
fn what_is_added_and_deleted_before_a_barrier_is_either() {
    let words = clean(&NET.replace("barrier s1", "del stop s1 ; barrier s1"));
    assert_eq!(words.inputs.len(), 2);
}

#[test]
fn networks_with_mistakes_are_refused_where_they_are() {
    for (from, to, code, line) in [
        ("switch s1 s2", "switch s1 s1", Code::SdnName, 2),
        ("client c2 s2.2", "client c2 s3.2", Code::SdnName, 4),
        ("client c2 s2.2", "client c2 s1.1", Code::SdnSyntax, 4),
        ("link s1.2 s2.1", "link s1.2 s1.2", Code::SdnSyntax, 5),
        ("field proto ssh web", "field proto ssh", Code::SdnSyntax, 6),
        ("send c1", "send c1 in=1", Code::SdnSyntax, 8),
        ("rule stop 5 proto=ssh : drop", "rule stop 5 proto=ftp : drop", Code::SdnName, 10),
        ("rule stop 5 proto=ssh : drop", "rule stop 5 proto=ssh", Code::SdnSyntax, 10),
        ("installed right s2", "installed left s2", Code::SdnName, 12),
        ("forward 2", "forwards 2", Code::SdnSyntax, 14),
        ("bad dropped", "bad lost", Code::SdnSyntax, 17),
        ("bad at c2", "bad at c9", Code::SdnName, 15),
        ("# a comment", "turn s1", Code::SdnSyntax, 1),
    ] {
        let text = NET.replacen(from, to, 1);
        let (words, diagnostics) = read(text.as_bytes());
        assert!(words.is_none(), "{to}");
        let first = &diagnostics.list[0];
        assert_eq!(first.code, code, "{to}: {}", first.message);
        let found =
            text.as_bytes()[..first.span.start as usize].iter().filter(|b| **b == b'\n').count();
        assert_eq!(found + 1, line, "{to}: {}", first.message);
    }
    let asks = |line: &&str| line.starts_with("bad");
    let text: String =
        NET.lines().filter(|line| !asks(line)).map(|line| format!("{line}\n")).collect();
    assert!(read(text.as_bytes()).0.is_none());
}

#[test]
fn too_many_packets_are_refused_and_not_written_out() {
    let mut text = NET.to_owned();
    for field in 0..20 {
        text = text.replacen("var mode", &format!("field f{field} a b c d\nvar mode"), 1);
    }
    let (words, diagnostics) = read(text.as_bytes());
    assert!(words.is_none());
    assert_eq!(diagnostics.list[0].code, Code::FileTooLarge);
}

#[test]
fn damaged_networks_are_refused_or_read_but_never_break() {
    let pieces = [
        "switch",
        ":",
        ";",
        "=",
        "s1",
        "add stop s1",
        "when",
        "and",
        "at",
        "9",
        "#",
        "barrier s1 s2",
    ];
    let accepted = damaged((11, 2000), (&[NET], &pieces), read, |_, _| {});
    assert!(accepted > 20, "only {accepted} damaged files are still networks");
}
