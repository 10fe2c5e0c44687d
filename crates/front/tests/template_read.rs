//! Templates of timed automata with any number of copies: what clauses they are, and which templates are refused.

use alphorn_front::Code;
use alphorn_front::cubicle::Processes;
use alphorn_front::timed::uppaal::read;
use alphorn_front::timed::{Encoding, Reading, read as read_text};
use alphorn_problem::Horn;
use alphorn_problem::horn::Clause;
use alphorn_testkit::reading::{clause_lines, clean, complains, damaged, plain};

/// Copies that take turns, hand something to each other by a channel, and meet a process of another template.
const FAMILY: &str = "<nta><declaration>const int N = 3; typedef int[0,N-1] pid_t; int[-1,N-1] id = -1; chan c, d; clock z;</declaration><template><name>P</name><parameter>const pid_t pid</parameter><declaration>clock x; int[0,1] f;</declaration><location id=\"a\"><name>A</name><label kind=\"invariant\">x &lt;= 5</label></location><location id=\"b\"><name>B</name></location><init ref=\"a\"/><transition><source ref=\"a\"/><target ref=\"b\"/><label kind=\"guard\">x &gt; 1 &amp;&amp; id != pid</label><label kind=\"assignment\">x = 0, id = pid</label></transition><transition><source ref=\"b\"/><target ref=\"a\"/><label kind=\"synchronisation\">c!</label><label kind=\"assignment\">f = 1</label></transition><transition><source ref=\"a\"/><target ref=\"a\"/><label kind=\"synchronisation\">c?</label><label kind=\"assignment\">z = 0</label></transition><transition><source ref=\"a\"/><target ref=\"b\"/><label kind=\"synchronisation\">d!</label></transition></template><template><name>Q</name><location id=\"a\"><name>A</name></location><init ref=\"a\"/><transition><source ref=\"a\"/><target ref=\"a\"/><label kind=\"guard\">id &lt; N - 1</label><label kind=\"synchronisation\">d?</label></transition></template><system>system Q, P;</system><queries><query><formula>A[] forall (i : pid_t) forall (j : pid_t) P(i).B &amp;&amp; P(j).B imply i == j || id == j</formula></query><query><formula>A[] not P(0).B or id &lt;= 0</formula></query></queries></nta>";

fn family<'w>(processes: Option<Processes>) -> Reading<'w> {
    Reading { template: Some("P"), processes, ..Reading::default() }
}

fn network(text: &str, asked: &Reading<'_>) -> Horn {
    let horn = clean(read(text.as_bytes(), asked), text);
    horn.validate().expect("what is read is valid");
    horn
}

/// Steps without the numbers in their names, in some order of their own.
fn steps(horn: &Horn) -> Vec<String> {
    let lines = clause_lines(horn).into_iter().zip(&horn.clauses);
    let is_step =
        |clause: &Clause| clause.name.as_deref().is_some_and(|name| !name.starts_with("start"));
    let steps = lines.filter(|(_, clause)| is_step(clause));
    let mut steps: Vec<String> = steps.map(|(line, _)| plain(&line)).collect();
    steps.sort();
    steps
}

#[test]
fn so_many_copies_are_what_the_file_says_with_that_constant() {
    for encoding in [Encoding::Product, Encoding::OwickiGries, Encoding::RelyGuarantee] {
        for count in 1..5 {
            let written = FAMILY.replace("N = 3", &format!("N = {count}"));
            let plain = Reading { encoding: Some(encoding), ..Reading::default() };
            let just = Some(Processes::Just(count));
            let counted = Reading { encoding: Some(encoding), ..family(just) };
            let (written, counted) = (network(&written, &plain), network(FAMILY, &counted));
            assert_eq!(steps(&written), steps(&counted), "{encoding:?} {count}");
            // Where they begin and what must not be are the same formulas with their parts in another order.
            assert_eq!(written.clauses.len(), counted.clauses.len(), "{encoding:?} {count}");
            assert!(!counted.allows_more);
        }
    }
}

#[test]
fn any_number_of_copies_is_seen_by_few_and_allows_more() {
    for seen in 1..=3 {
        let horn = network(FAMILY, &family(Some(Processes::Any(seen))));
        assert!(horn.allows_more);
        let names: Vec<&str> = horn.pred_ids().map(|pred| horn.pred_name(pred)).collect();
        // Fewer copies than are seen are networks of their own.
        let expected = [["all1", "all2"].split_at(seen - 1).0, &["seen"]].concat();
        assert_eq!(names, expected, "{seen}");
        let seen_pred = horn.pred_ids().last().expect("there is one");
        let args = horn.terms.func(horn.pred(seen_pred).func).args.len();
        // Time, the shared clock, N, the integer, where Q is; and of a copy a clock, an integer, its name, its place.
        assert_eq!(args, 5 + 4 * seen);
    }
    assert_eq!(network(FAMILY, &family(None)).clauses.len(), {
        network(FAMILY, &family(Some(Processes::Any(2)))).clauses.len()
    });
}

#[test]
fn whoever_moves_is_looked_at_whether_it_is_seen_or_not() {
    let horn = network(FAMILY, &family(Some(Processes::Any(1))));
    let lines = steps(&horn);
    let steps = |name: &str| {
        let is_so =
            |clause: &&Clause| clause.name.as_deref().is_some_and(|found| found.contains(name));
        horn.clauses.iter().filter(is_so).count()
    };
    // Alone: of the one that is seen, and of another one before and behind it.
    assert_eq!(steps("P#1.A-B#") + steps("P#2.A-B#"), 3, "{lines:#?}");
    // With Q as well.
    assert_eq!(steps("P#1.A-B+Q.A-A") + steps("P#2.A-B+Q.A-A"), 3, "{lines:#?}");
    // Two copies meet: the one that is seen has one role or the other, or watches; its name comes first, second or third.
    let met = (1..=3).flat_map(|one| (1..=3).map(move |two| format!("P#{one}.B-A+P#{two}.A-A")));
    assert_eq!(met.map(|name| steps(&name)).sum::<usize>(), 4 + 6, "{lines:#?}");
}

#[test]
fn templates_that_do_not_stand_for_any_number_are_refused() {
    let of = |from: &str, to: &str, asked: &Reading<'_>, expected: &[(Code, &str, &str)]| {
        let text = FAMILY.replacen(from, to, 1);
        assert!(from == to || text != FAMILY);
        complains(read(text.as_bytes(), asked), &text, expected);
    };
    let none = |template| Reading { template: Some(template), ..Reading::default() };
    let code = Code::TimedTemplate;
    of("", "", &none("R"), &[(code, "", "there is no template R")]);
    of("", "", &none("Q"), &[(code, "<template>", "does not stand for any number")]);
    let any = Reading { encoding: Some(Encoding::Parameterised), ..Reading::default() };
    of("N-1] pid_t", "2] pid_t", &any, &[(code, "", "no template stands for any number")]);
    let one = "system R, Q; </system><system>";
    let made = format!("R = P(1); {one}");
    of("system Q, P;", &made, &family(None), &[(code, "R", "one process")]);
    of("N-1] pid_t", "2*N] pid_t", &family(None), &[(code, "P", "how many copies")]);
    of("f;</decl", "f; bool g[N];</decl", &family(None), &[(Code::TimedSyntax, "N", "same value")]);
    let nobody = Reading { processes: Some(Processes::Just(0)), ..Reading::default() };
    of("", "", &nobody, &[(code, "", "from 1 to 32 copies")]);
    let apart = Reading { encoding: Some(Encoding::OwickiGries), ..family(None) };
    of("", "", &apart, &[(code, "", "about a number of copies")]);
    let text = "system:s\nevent:t\nprocess:P\nlocation:P:l{initial:}\n";
    complains(read_text(text.as_bytes(), &any), text, &[(code, "", "no templates")]);
}

#[test]
fn damaged_families_are_refused_or_read_but_never_break() {
    let pieces =
        ["<", "/>", "&lt;", "=", "[", "x", "pid", "N", "1", "forall (i : pid_t)", "P(1).A"];
    let accepted = damaged(
        (11, 1500),
        (&[FAMILY], &pieces),
        |bytes| read(bytes, &family(None)),
        |horn, text| horn.validate().unwrap_or_else(|why| panic!("{why:?}\n{text}")),
    );
    assert!(accepted > 20, "only {accepted} damaged files are still families");
}
