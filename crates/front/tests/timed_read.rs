//! Networks of timed automata: what clauses they are, and what is said about mistakes.

use alphorn_front::Code;
use alphorn_front::timed::{Encoding, Reading, read};
use alphorn_problem::Horn;
use alphorn_testkit::reading::{clause_lines as lines, clean, complains, damaged};

const NETWORK: &str = "#labels=b\nsystem:s\nevent:t\nevent:a\nint:1:0:1:0:v\nprocess:P\nclock:1:x\nlocation:P:l{initial: : invariant: x<=5}\nlocation:P:m{labels: b}\nedge:P:l:m:t{provided: x>2 && v==0 : do: x=0; v=v+1}\n";

fn network(text: &str, encoding: Encoding) -> Horn {
    let horn = clean(
        read(text.as_bytes(), &Reading { encoding: Some(encoding), ..Reading::default() }),
        text,
    );
    horn.validate().expect("what is read is valid");
    horn
}

#[test]
fn a_network_is_a_start_the_passing_of_time_moves_and_a_target() {
    let found = lines(&network(NETWORK, Encoding::Product));
    assert_eq!(found.len(), 4, "{found:#?}");
    assert!(found[0].contains("(= x now)") && found[0].contains("(= v 0)"), "{}", found[0]);
    assert!(found[1].contains("(<= now later)"), "{}", found[1]);
    assert!(found[1].ends_with("=> s(later, x, v, P.at)"), "{}", found[1]);
    // A reset writes the time, and the bounds of an integer are part of the guard.
    assert!(found[2].ends_with("=> s(now, now, (+ v 1), 1)"), "{}", found[2]);
    assert!(found[2].starts_with("(let ((a (+ v 1)))"), "{}", found[2]);
    assert!(found[2].contains("(<= 0 a) (<= a 1)"), "{}", found[2]);
    assert!(found[3].contains("(= P.at 1)") && found[3].ends_with("=> false"), "{}", found[3]);
}

#[test]
fn other_encodings_have_a_predicate_per_process_and_what_others_do() {
    let two = format!(
        "{NETWORK}process:Q\nlocation:Q:l{{initial:}}\nedge:Q:l:l:t\nedge:Q:l:l:a\nedge:P:m:l:a\nsync:P@a:Q@a\n"
    );
    let names = |encoding| {
        let horn = network(&two, encoding);
        let names: Vec<String> =
            horn.pred_ids().map(|pred| horn.pred_name(pred).to_owned()).collect();
        (names.join(" "), horn.clauses.len())
    };
    // Start, time, three moves, target.
    assert_eq!(names(Encoding::Product), ("s".to_owned(), 6));
    assert_eq!(names(Encoding::OwickiGries), ("P Q".to_owned(), 11));
    assert_eq!(names(Encoding::RelyGuarantee), ("P Q P.others Q.others".to_owned(), 13));
}

#[test]
fn an_event_of_a_sync_does_not_happen_alone() {
    let text = format!("{NETWORK}process:Q\nlocation:Q:l{{initial:}}\nsync:P@t:Q@a\n");
    // Nobody answers, so no move is left.
    assert_eq!(network(&text, Encoding::Product).clauses.len(), 3);
    let weak = text.replace("Q@a", "Q@a?");
    assert_eq!(network(&weak, Encoding::Product).clauses.len(), 4);
}

#[test]
fn committed_places_go_first_and_urgent_ones_stop_the_time() {
    let text = format!(
        "{NETWORK}process:Q\nlocation:Q:l{{initial: : committed:}}\nlocation:Q:m{{urgent:}}\nedge:Q:l:m:t\n"
    );
    let found = lines(&network(&text, Encoding::Product));
    assert!(found[1].contains("(not (= Q.at 0))") && found[1].contains("(not (= Q.at 1))"));
    assert!(found[2].contains("(not (= Q.at 0))"), "P waits for Q: {}", found[2]);
    assert!(!found[3].contains("not"), "Q does not wait for P: {}", found[3]);
}

#[test]
fn an_index_that_an_assignment_makes_wrong_keeps_the_edge_from_being_taken() {
    let text = NETWORK
        .replace("int:1:0:1:0:v", "int:1:0:7:0:v\nint:2:0:1:0:w")
        .replace("v=v+1", "v=5; w[v]=1");
    assert_eq!(network(&text, Encoding::Product).clauses.len(), 3);
    let fine = text.replace("v=5", "v=1");
    assert_eq!(network(&fine, Encoding::Product).clauses.len(), 4);
}

#[test]
fn networks_with_mistakes_are_refused_with_their_place() {
    let of = |from: &str, to: &str, expected: &[(Code, &str, &str)]| {
        let text = NETWORK.replace(from, to);
        assert_ne!(text, NETWORK);
        complains(read(text.as_bytes(), &Reading::default()), &text, expected);
    };
    of("system:s\n", "", &[(Code::TimedSyntax, "event", "`system` expected")]);
    of("edge:P", "egde:P", &[(Code::TimedSyntax, "egde", "no declaration")]);
    of("l:m:t{", "l:k:t{", &[(Code::TimedName, "k", "no location k")]);
    of("x>2", "y>2", &[(Code::TimedName, "y", "y is not declared")]);
    of("x>2", "x", &[(Code::TimedSyntax, "&&", "a condition is expected")]);
    of(
        "int:1:0:1:0:v",
        "int:1:0:1:7:v",
        &[
            (Code::TimedSyntax, "0:1:7:", "not between"),
            (Code::TimedName, "v", "v is not declared"),
        ],
    );
    of("v=v+1", "if", &[(Code::TimedUntreated, "if", "not treated")]);
    of(
        "x<=5",
        "x<=5 || v==1",
        &[
            (Code::TimedUntreated, "x", "a choice"),
            (Code::TimedName, "l", "no location l"),
            (Code::TimedName, "", "no initial location"),
        ],
    );
    of("labels: b", "labels: c", &[(Code::TimedName, "", "no label b")]);
    of("initial: : ", "", &[(Code::TimedName, "", "no initial location")]);
}

#[test]
fn damaged_networks_are_refused_or_read_but_never_break() {
    let pieces =
        ["{", "}", ":", "x", "<=", "&&", "||", "initial:", "edge:P:l:m:t", "v", "[", "1", "-"];
    let accepted = damaged(
        (7, 2000),
        (&[NETWORK], &pieces),
        |bytes| {
            read(bytes, &Reading { encoding: Some(Encoding::RelyGuarantee), ..Reading::default() })
        },
        |horn, text| horn.validate().unwrap_or_else(|why| panic!("{why:?}\n{text}")),
    );
    assert!(accepted > 20, "only {accepted} damaged files are still networks");
}
