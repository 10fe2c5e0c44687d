//! Networks of timed automata in UPPAAL's XML: what clauses they are, and what is said about mistakes.

use alphorn_front::Code;
use alphorn_front::timed::uppaal::{begins, read};
use alphorn_front::timed::{Encoding, Reading};
use alphorn_problem::Horn;
use alphorn_problem::horn::Head;
use alphorn_testkit::reading::{clean, complains, damaged, plain};

const NETWORK: &str = "<?xml version='1.0'?><!-- a comment --><nta><declaration>chan c[2]; int[0,5] v; const int K = 2;</declaration><template><name>P</name><parameter>int[0,1] i</parameter><declaration>clock x;</declaration><location id=\"a\"><name>A</name><label kind=\"invariant\">x &lt;= K</label></location><location id=\"b\"/><init ref=\"a\"/><transition><source ref=\"a\"/><target ref=\"b\"/><label kind=\"guard\">x &gt;= 1 &amp;&amp; v != i</label><label kind=\"synchronisation\">c[i]!</label><label kind=\"assignment\">x = 0, v++</label></transition></template><template><name>Q</name><location id=\"a\"><committed/></location><init ref=\"a\"/><transition><source ref=\"a\"/><target ref=\"a\"/><label kind=\"select\">j : int[0,1]</label><label kind=\"synchronisation\">c[j]?</label><label kind=\"assignment\">v += j</label></transition></template><system>R = Q(); system P, R;</system><queries><query><formula>A[] not (P(0).b and v == 1)</formula></query></queries></nta>";

fn network(text: &str) -> Horn {
    let horn = clean(read(text.as_bytes(), &Reading::default()), text);
    horn.validate().expect("what is read is valid");
    horn
}

#[test]
fn templates_without_arguments_have_a_process_per_value_and_channels_pair_edges() {
    assert!(begins(NETWORK.as_bytes()));
    let horn = network(NETWORK);
    // Start, time, one pair for each process, the query.
    assert_eq!(horn.clauses.len(), 5);
    let show = |term| plain(&horn.terms.show(term));
    let Head::Atom(_, args) = &horn.clauses[3].head else { panic!("a step") };
    let args: Vec<String> = args.iter().map(|&arg| show(arg)).collect();
    // The second process resets its clock; v grows by 1 at the sender, then by its index at the receiver.
    assert_eq!(args, ["now", "P@0@.x", "now", "(+ v 2)", "P@0@.at", "1", "0"]);
    let body = show(horn.clauses[3].body);
    // Both new values are inside of the bounds.
    assert_eq!(body.matches(" 5)").count(), 2, "{body}");
    assert!(show(horn.clauses[4].body).contains("(= P@0@.at 1)"));
}

#[test]
fn a_target_takes_the_place_of_queries() {
    let of =
        |target| read(NETWORK.as_bytes(), &Reading { target: Some(target), ..Reading::default() });
    let horn = clean(of("P(1).b"), NETWORK);
    assert!(plain(&horn.terms.show(horn.clauses[4].body)).contains("(= P@1@.at 1)"));
    assert!(of("P(7).b").0.is_none());
    assert!(of("A<> P(1).b").0.is_none());
}

#[test]
fn networks_with_mistakes_are_refused_with_their_place() {
    let of = |from: &str, to: &str, expected: &[(Code, &str, &str)]| {
        let text = NETWORK.replacen(from, to, 1);
        assert_ne!(text, NETWORK);
        complains(read(text.as_bytes(), &Reading::default()), &text, expected);
    };
    of("chan c", "broadcast chan c", &[(Code::TimedUntreated, "broadcast", "broadcast channels")]);
    of("v != i", "w != i", &[(Code::TimedName, "w", "w is not declared")]);
    of("v++", "f()", &[(Code::TimedUntreated, "f", "functions")]);
    of("const int K = 2;", "void f() {}", &[(Code::TimedUntreated, "void", "not treated")]);
    of("system P, R", "system P, S", &[(Code::TimedName, "S", "no template S")]);
    of(
        "A[] not",
        "A&lt;&gt; not",
        &[(Code::TimedTarget, "A&lt;&gt; not (P(0).b and v == 1)", "not treated")],
    );
    of("</template><system>", "<system>", &[(Code::TimedSyntax, "<", "</template> expected")]);
    of("<init ref=\"a\"/>", "", &[(Code::TimedName, "<template>", "no initial location")]);
}

#[test]
fn damaged_networks_are_refused_or_read_but_never_break() {
    let pieces =
        ["<", ">", "/>", "&lt;", "=", "\"", "[", "x", "v", "1", "<location id=\"b\"/>", "!"];
    let accepted = damaged(
        (7, 2000),
        (&[NETWORK], &pieces),
        |bytes| {
            read(bytes, &Reading { encoding: Some(Encoding::OwickiGries), ..Reading::default() })
        },
        |horn, text| horn.validate().unwrap_or_else(|why| panic!("{why:?}\n{text}")),
    );
    assert!(accepted > 20, "only {accepted} damaged files are still networks");
}
