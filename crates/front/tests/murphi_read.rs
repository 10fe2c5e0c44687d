//! Models in the Murphi language: what systems they are, and what is said about mistakes.

use alphorn_front::murphi::read;
use alphorn_front::response::ResponseWish;
use alphorn_front::{Code, fts};
use alphorn_problem::Words;
use alphorn_testkit::reading::{clean, complains, damaged};

const TURNS: &str = "CONST N: 2;\nType pid: 1..N; -- two\nVar turn: pid; critical: Array [pid] Of Boolean;\n  \
    last: record who: pid; end;\n\
    startstate begin turn := 1; for i: pid do critical[i] := false; end; end;\n\
    ruleset i: pid do\n\
    rule \"enter\" turn = i & !critical[i] ==> begin critical[i] := true; end;\n\
    rule \"leave\" critical[i] ==> begin critical[i] := false; turn := 3 - i; last.who := i; end;\n\
    end;\n\
    invariant \"one at a time\" !(critical[1] & critical[2]);\n";

fn model(text: &str) -> Words {
    clean(read(text.as_bytes(), None), text)
}

fn names(words: &Words) -> Vec<String> {
    let name = |state: &alphorn_problem::words::State| words.terms.var_name(state.var);
    words.states.iter().filter_map(name).map(str::to_owned).collect()
}

#[test]
fn every_part_of_a_variable_is_a_state_and_one_start_state_is_where_the_system_starts() {
    let words = model(TURNS);
    assert_eq!(names(&words), ["turn", "critical[1]", "critical[2]", "last.who"]);
    let init = |at: usize| words.terms.show(words.states[at].init.unwrap()).to_string();
    // Codes: 0 is undefined, false is 1, the first number of a range is 1.
    assert_eq!([0, 1, 2, 3].map(init), ["#b01", "#b01", "#b01", "#b00"]);
    let properties: Vec<&str> = words.bads.iter().filter_map(|bad| bad.name.as_deref()).collect();
    assert_eq!(properties, ["one at a time", "error", "deadlock"]);
    assert_eq!(words.terms.width(words.inputs[0]), 2, "four rules");
}

#[test]
fn several_start_states_are_chosen_in_the_first_step() {
    let text = TURNS
        .replace("startstate begin turn := 1;", "ruleset t: pid do startstate begin turn := t;")
        .replace("end; end;\nruleset", "end; end; end;\nruleset");
    let words = model(&text);
    assert_eq!(names(&words)[0], "started");
}

#[test]
fn words_of_the_language_are_written_in_any_case_and_names_are_not() {
    let text =
        "VAR X: 0..1; x: BOOLEAN; STARTSTATE BEGIN X := 0; x := TRUE END; RULE x ==> X := 1 END";
    assert_eq!(names(&model(text)), ["X", "x"]);
}

#[test]
fn a_loop_without_an_end_is_an_error_of_the_model() {
    let text = "var x: 0..1; startstate begin x := 0; while true do x := 0; end; end;
        rule begin x := 1; end;";
    let words = model(text);
    assert_eq!(names(&words)[0], "started", "what goes wrong at the start is not a first state");
}

#[test]
fn models_with_mistakes_are_refused_with_their_place() {
    let cases = [
        ("var x: 0..1; startstate x := 0 end; rule y = 0 ==> x := 1 end", Code::MurphiName, "y"),
        ("var x: 0..1; x: 0..1; startstate x := 0 end;", Code::MurphiName, "x"),
        ("var x: 0..1; startstate x := true end;", Code::MurphiType, "true"),
        ("var x: 0..1; startstate x.f := 0 end;", Code::MurphiType, "x.f"),
        ("var x: 0..1; startstate x := 0 end; rule x = ==> x := 1 end", Code::MurphiSyntax, "==>"),
        ("var x: 1..0; startstate x := 0 end;", Code::MurphiType, "1..0"),
        ("var x: multiset [2] of boolean;", Code::MurphiUntreated, "multiset"),
        (
            "var x: 0..1; function f(): 0..1; begin return f(); end; startstate x := f() end;",
            Code::MurphiUntreated,
            "f()",
        ),
        ("var x: 0..1; startstate x := 0 end; cover \"l\" x = 1", Code::MurphiUntreated, "cover"),
    ];
    for (text, code, place) in cases {
        let (read, diagnostics) = read(text.as_bytes(), None);
        assert!(read.is_none(), "{text}");
        let first = &diagnostics.list[0];
        let found = &text[first.span.start as usize..first.span.end as usize];
        assert_eq!((first.code, found), (code, place), "{text}: {}", first.message);
    }
    complains(
        read(b"var x: 0..1;", None),
        "var x: 0..1;",
        &[(Code::MurphiSyntax, "", "there is no start state")],
    );
}

#[test]
fn a_question_about_a_response_takes_the_place_of_the_properties() {
    let ask = |from: &str, to: &str, fair: &[&str]| {
        let fair = fair.iter().map(|fair| (*fair).to_owned()).collect();
        let wish = ResponseWish { from: from.to_owned(), to: to.to_owned(), fair };
        read(TURNS.as_bytes(), Some(&wish))
    };
    let words = clean(ask("turn = 2", "critical[2]", &["weak", "strong:leave"]), TURNS);
    assert!(words.bads.is_empty());
    // Whether it is pending, four rules weakly, two strongly.
    assert_eq!(words.justice[0].terms.len(), 7);
    assert_eq!(words.inputs.len(), 1 + 1 + 2);
    for (from, to, fair) in [
        ("turn = 2 =", "true", "weak"),
        ("turn", "true", "weak"),
        ("true", "true", "weakly"),
        ("true", "true", "weak:stay"),
    ] {
        let (read, diagnostics) = ask(from, to, &[fair]);
        assert!(read.is_none());
        assert_eq!(diagnostics.list[0].code, Code::Response, "{from} {to} {fair}");
    }
}

#[test]
fn what_is_live_is_a_home_property_for_each_of_its_instances() {
    let text =
        format!("{TURNS} liveness \"back\" turn = 1; ruleset k: pid do liveness critical[k] end;");
    let words = model(&text);
    let names: Vec<_> = words.homes.iter().map(|home| home.name.as_deref().unwrap_or("")).collect();
    assert_eq!(names, ["back", "liveness 2, k = 1", "liveness 3, k = 2"]);
    let wish = ResponseWish { from: "true".into(), to: "true".into(), fair: Vec::new() };
    let asked = clean(read(text.as_bytes(), Some(&wish)), &text);
    assert!(asked.homes.is_empty(), "another question takes their place");
    let (none, diagnostics) = read(b"var x: 0..1; startstate x := 0; liveness x = 1; end;", None);
    assert!(none.is_none(), "it is no statement");
    assert_eq!(diagnostics.list[0].code, Code::MurphiSyntax);
}

#[test]
fn fair_transition_systems_with_mistakes_are_refused() {
    let text = "states 2\ninit 0\np 0\nq 1\nweak: a\n0 a 1\n";
    let words = clean(fts::read(text.as_bytes()), text);
    assert_eq!(words.justice.len(), 1);
    for (from, to) in
        [("init 0", "init 2"), ("0 a 1", "0 a"), ("weak: a", "weak: b"), ("states 2", "states x")]
    {
        let (read, diagnostics) = fts::read(text.replace(from, to).as_bytes());
        assert!(read.is_none());
        assert_eq!(diagnostics.list[0].code, Code::FtsSyntax, "{to}");
    }
}

#[test]
fn what_would_take_for_ever_to_write_out_is_refused() {
    let text = "var x: 0..1; startstate x := 0 end;
        invariant forall i: 0..60000 do forall j: 0..60000 do forall k: 0..60000 do x < 2 end end end;";
    let (read, diagnostics) = read(text.as_bytes(), None);
    assert!(read.is_none());
    assert_eq!(diagnostics.list[0].code, Code::MurphiUntreated);
}

#[test]
fn damaged_models_are_refused_or_read_but_never_break() {
    let pieces = [
        ":=",
        "[",
        "]",
        "pid",
        "turn",
        "==>",
        "end;",
        "forall k: pid do",
        "..",
        "&",
        "\"",
        "-",
        "9",
    ];
    let accepted = damaged((7, 2000), (&[TURNS], &pieces), |bytes| read(bytes, None), |_, _| {});
    assert!(accepted > 20, "only {accepted} damaged files are still models");
}
