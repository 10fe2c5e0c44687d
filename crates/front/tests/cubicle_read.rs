//! Protocols in Cubicle's language: what clauses they are, and what is said about mistakes.

use alphorn_front::Code;
use alphorn_front::cubicle::{Processes, read};
use alphorn_problem::Horn;
use alphorn_testkit::reading::{clause_lines as lines, clean, complains, damaged};

const PROTOCOL: &str = "(* a (* nested *) comment *)\ntype t = A | B\nvar Turn : proc\narray P[proc] : t\ninit (z) { P[z] = A }\nunsafe (x y) { P[x] = B && P[y] = B }\ntransition go (x)\nrequires { P[x] = A && Turn = x && forall_other j. P[j] <> B }\n{ P[x] := B }\ntransition all (x)\n{ P[j] := case | j = x : A | x < j : B | _ : P[j]; Turn := . }\n";

fn protocol(text: &str, processes: Option<Processes>) -> Horn {
    let horn = clean(read(text.as_bytes(), processes), text);
    horn.validate().expect("what is read is valid");
    horn
}

#[test]
fn a_number_of_processes_is_exact() {
    let horn = protocol(PROTOCOL, Some(Processes::Just(2)));
    assert!(!horn.allows_more);
    let found = lines(&horn);
    // The start, two transitions of two processes, two ways to violate.
    assert_eq!(found.len(), 7, "{found:#?}");
    assert!(found[0].contains("(or (= Turn 1) (= Turn 2))"), "{}", found[0]);
    assert!(
        found[1].contains("(= Turn 1)") && found[1].contains("(not (= |P[2]| 1))"),
        "{}",
        found[1]
    );
    assert!(found[1].ends_with("=> all2(Turn, 1, |P[2]|)"), "{}", found[1]);
    // The first process makes the second go to B, which comes after it.
    assert!(found[3].ends_with(", 0, 1)"), "{}", found[3]);
    assert!(found[4].ends_with(", |P[1]|, 0)"), "{}", found[4]);
}

#[test]
fn any_number_of_processes_is_seen_by_pairs_and_allows_more() {
    let horn = protocol(PROTOCOL, None);
    assert!(horn.allows_more);
    let found = lines(&horn);
    // One process exactly: a start and two transitions; pairs: a start, each transition of one of the two and of
    // another one in each of three places, two ways to violate.
    assert_eq!(found.len(), 3 + 1 + 2 * 5 + 2, "{found:#?}");
    let of_others = found.iter().filter(|line| line.matches("(seen ").count() == 3).count();
    assert_eq!(of_others, 6, "{found:#?}");
    // Who is seen keeps its place if somebody else moves.
    let last = found.iter().rfind(|line| line.matches("(seen ").count() == 3);
    assert!(last.is_some_and(|line| line.contains("(< |#1| |#2|)")), "{last:?}");
}

#[test]
fn a_file_may_say_how_many_processes_there_are() {
    let text = format!(
        "number_procs 2\n{}",
        PROTOCOL.replace("P[x] = B && P[y] = B", "P[#1] = B && P[#2] = B")
    );
    assert!(!protocol(&text, None).allows_more);
    let (horn, _) = read(text.as_bytes(), Some(Processes::Any(2)));
    assert!(horn.is_none(), "the file and the user say different things");
}

#[test]
fn protocols_with_mistakes_are_refused_with_their_place() {
    let of = |from: &str, to: &str, expected: &[(Code, &str, &str)]| {
        let text = PROTOCOL.replacen(from, to, 1);
        assert_ne!(text, PROTOCOL);
        complains(read(text.as_bytes(), None), &text, expected);
    };
    of("P[x] = A &&", "P[x] = C &&", &[(Code::CubicleName, "C", "C is not declared")]);
    of("P[x] = A &&", "P[x] = True &&", &[(Code::CubicleSyntax, "=", "different types")]);
    of("P[x] := B", "Q[x] := B", &[(Code::CubicleName, "Q[x] := B", "cannot be given")]);
    of("[proc] : t", "[proc, proc] : t", &[(Code::CubicleUntreated, ",", "several processes")]);
    of("array P[proc] : t", "array P[proc] : u", &[(Code::CubicleName, "u", "no type u")]);
    of("Turn = x", "P[Turn] = A", &[(Code::CubicleUntreated, "[", "not treated")]);
    of("| _ : P[j]", "", &[(Code::CubicleSyntax, ";", "expected")]);
    of("unsafe (x y) { P[x] = B && P[y] = B }\n", "", &[(Code::CubicleSyntax, "", "no unsafe")]);
    of("(x y)", "(x x)", &[(Code::CubicleName, "x", "twice")]);
}

#[test]
fn damaged_protocols_are_refused_or_read_but_never_break() {
    let pieces =
        ["{", "}", "|", ":", "x", "j", "<>", "&&", "case", "forall_other j.", "P[x]", "(*", "#1"];
    let accepted = damaged(
        (7, 2000),
        (&[PROTOCOL], &pieces),
        |bytes| read(bytes, None),
        |horn, text| horn.validate().unwrap_or_else(|why| panic!("{why:?}\n{text}")),
    );
    assert!(accepted > 20, "only {accepted} damaged files are still protocols");
}
