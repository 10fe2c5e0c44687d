//! General scripts: the commands that are read, what is in force where, and what is refused.

use alphorn_front::smtlib::general::{Command, Partition, Script, read, text_at};
use alphorn_front::{Code, Severity};
use alphorn_term::Op;

#[track_caller]
fn script(text: &str) -> Script {
    let (script, diagnostics) = read(text.as_bytes());
    script.unwrap_or_else(|| panic!("{:.500}\n{:#?}", text, diagnostics.list))
}

/// A line per command, with terms as they are printed.
fn summary(text: &str) -> Vec<String> {
    let script = script(text);
    let store = &script.store;
    let line = |command: &Command| match command {
        Command::Assert { formula, name, named } => {
            let named: Vec<String> =
                named.iter().map(|(name, term)| format!("{name}={}", store.show(*term))).collect();
            format!("assert {} {name:?} {}", store.show(formula.term), named.join(","))
        }
        Command::DeclareFun(func) => format!("declare {}", store.name(store.func(*func).name)),
        Command::CheckSatAssuming(terms) | Command::GetValue(terms) => {
            let terms = terms.iter().map(|written| text_at(text.as_bytes(), written.span));
            terms.collect::<Vec<String>>().join(";")
        }
        Command::Simplify(term) => store.show(*term),
        other => format!("{other:?}"),
    };
    script.commands.iter().map(|(command, _)| line(command)).collect()
}

/// The script is refused with one complaint at a place.
#[track_caller]
fn refuse(text: &str, code: Code, place: &str, words: &str) {
    let (script, diagnostics) = read(text.as_bytes());
    let [diagnostic] = diagnostics.list.as_slice() else {
        panic!("{text}\n{:#?}", diagnostics.list)
    };
    assert_eq!(diagnostic.code, code, "{text}\n{diagnostic:?}");
    let (start, end) = (diagnostic.span.start as usize, diagnostic.span.end as usize);
    assert_eq!(&text[start..end], place, "{text}\n{diagnostic:?}");
    let said = format!("{} {}", diagnostic.message, diagnostic.hint.clone().unwrap_or_default());
    assert!(said.contains(words), "{text}\n{said}");
    assert_eq!(script.is_some(), diagnostic.severity == Severity::Warning, "{text}");
}

#[test]
fn codatatypes_need_no_finite_value() {
    let script = script(
        "(declare-codatatype Stream ((cons (head Int) (tail Stream))))
(declare-codatatypes ((A 0) (B 0)) (((a (sb B))) ((b (sa A)))))
(declare-codatatypes ((T 1)) ((par (X) ((node (label X) (below (T X)))))))
(declare-datatype L ((nil) (put (item Stream) (others L))))
(declare-const t (T L))(assert (= (label t) (put (cons 0 (tail (cons 1 (item nil)))) nil)))",
    );
    let store = &script.store;
    let named = |id| (store.name(store.data(id).name), store.data(id).is_co);
    let all: Vec<(&str, bool)> = store.datas().map(named).collect();
    let expected = [("Stream", true), ("A", true), ("B", true), ("L", false), ("T", true)];
    assert_eq!(all, expected);
}

#[test]
fn codatatypes_are_inside_themselves_by_codatatypes_alone() {
    let list = "(declare-datatype L (par (X) ((nil) (put (item X) (others (L X))))))";
    let words = "below a datatype or an array";
    let below_list = format!("{list}(declare-codatatype T ((node (below (L T)))))");
    refuse(&below_list, Code::SmtDatatype, "T", words);
    let below_array = "(declare-codatatype T ((node (below (Array Int T)))))";
    refuse(below_array, Code::SmtDatatype, "T", words);
    let no_value = "(declare-codatatype T ((node (below Int))))(declare-datatype D ((d (e D))))";
    refuse(no_value, Code::SmtDatatype, "D", "no finite values");
}

#[test]
fn every_command() {
    let text = "(set-logic QF_LIA)(set-option :produce-models true)(set-info :source |a ( b|)
(declare-sort U 0)(define-sort V () U)(declare-datatype L ((nil) (cons (head Int) (tail L))))
(declare-const x Int)(declare-fun f (Int V) U)(define-fun twice ((y Int)) Int (* 2 y))
(define-const one Int 1)(define-fun-rec id ((y Int)) Int y)
(define-funs-rec ((g ((y Int)) Int) (h ((y Int)) Int)) ((+ y 1) (g (g y))))
(assert (> (twice x) one))(check-sat)(check-sat-assuming ((> x 0) (not (= x 1))))
(push 2)(pop 1)(push)(pop)(get-model)(get-value (x (+ x\n  1 ; why\n )))(get-assignment)
(get-unsat-core)(get-unsat-assumptions)(get-proof)(get-assertions)(get-info :version)
(get-option :random-seed)(echo \"say \"\"it\"\"\")(simplify (h 3))(reset-assertions)(reset)(exit)";
    let expected = [
        "SetLogic(\"QF_LIA\")",
        "SetOption(Attribute { keyword: \":produce-models\", value: Some(\"true\") })",
        "SetInfo(Attribute { keyword: \":source\", value: Some(\"|a ( b|\") })",
        "Declare",
        "Declare",
        "Declare",
        "declare x",
        "declare f",
        "Declare",
        "Declare",
        "Declare",
        "Declare",
        "assert (< 1 (* 2 x)) None ",
        "CheckSat",
        "(> x 0);(not (= x 1))",
        "Push(2)",
        "Pop(1)",
        "Push(1)",
        "Pop(1)",
        "GetModel",
        "x;(+ x 1)",
        "GetAssignment",
        "GetUnsatCore",
        "GetUnsatAssumptions",
        "GetProof",
        "GetAssertions",
        "GetInfo(\":version\")",
        "GetOption(\":random-seed\")",
        "Echo(\"\\\"say \\\"\\\"it\\\"\\\"\\\"\")",
        "5",
        "ResetAssertions",
        "Reset",
        "Exit",
    ];
    assert_eq!(summary(text), expected);
}

#[test]
fn names_of_assertions_and_of_their_parts() {
    let text = "(declare-const a Bool)(declare-const x Int)(declare-fun f (Int) Int)
(assert (! (or (! a :named part) (= (! (+ x 1) :named next) 3)) :named whole))
(assert (not (! (and a part) :named inner)))(assert (= next 2))
(assert (forall ((y Int)) (! (> y x) :pattern ((f y)))))";
    let lines = summary(text);
    assert_eq!(
        lines[3],
        "assert (or a (= (+ x 1) 3)) Some(\"whole\") part=a,whole=(or a (= (+ x 1) 3))"
    );
    assert_eq!(lines[4], "assert (not a) None inner=a");
    assert_eq!(lines[5], "assert (= (+ x 1) 2) None ");
    assert_eq!(lines[6], "assert (forall ((y Int)) (! (< x y) :pattern ((f y)))) None ");
}

#[test]
fn declarations_end_with_their_level() {
    script(
        "(push 1)(declare-const x Int)(declare-sort U 0)(assert (! (> x 0) :named n))(pop 1)
(declare-const x Bool)(declare-sort U 1)(declare-const n (U Int))(assert x)",
    );
    script("(push)(declare-datatype D ((c)))(pop)(declare-fun c (Int) Int)(declare-sort D 0)");
    script("(declare-const x Int)(define-fun f () Int 1)(reset)(declare-const x Bool)(assert x)");
    script("(declare-const x Int)(reset-assertions)(declare-const x Bool)");
    refuse("(push)(declare-const x Int)(pop)(assert (= x 0))", Code::SmtUndeclared, "x", "not");
    refuse("(push 2)(declare-const x Int)(pop)(assert (= x 0))", Code::SmtUndeclared, "x", "");
    refuse("(push)(push)(define-fun x () Int 1)(pop 2)(simplify x)", Code::SmtUndeclared, "x", "");
    refuse("(declare-const x Int)(push)(declare-const x Int)", Code::SmtRedeclared, "x", "twice");
    let kept = "(set-option :global-declarations true)(push)(declare-const x Int)(pop)";
    script(&format!("{kept}(assert (= x 0))"));
    script(&format!("{kept}(reset-assertions)(assert (= x 0))"));
    refuse(&format!("{kept}(reset)(assert (= x 0))"), Code::SmtUndeclared, "x", "");
    refuse("(assert true)(pop)", Code::SmtSyntax, "pop", "only 0 levels");
    refuse("(push 3)(pop 4)", Code::SmtSyntax, "pop", "only 3 levels");
    refuse("(push 100000)", Code::SmtCommand, "100000", "65536");
}

/// A symbol of the same name in another level is another symbol.
#[test]
fn one_name_in_two_levels() {
    let script = script(
        "(push)(declare-const x Int)(assert (= x 1))(pop)(push)(declare-const x Int)
(assert (= x 1))(pop)",
    );
    let formulas = script.commands.iter().filter_map(|(command, _)| match command {
        Command::Assert { formula, .. } => Some(formula.term),
        _ => None,
    });
    let formulas: Vec<_> = formulas.collect();
    assert_ne!(formulas[0], formulas[1]);
}

#[test]
fn constants_are_functions_and_only_bound_variables_are_variables() {
    let script = script(
        "(declare-const x Int)(assert (exists ((y Int)) (forall ((x Int)) (< x y))))
(assert (exists ((y Int)) (let ((z (+ x y))) (forall ((x Int) (y Int)) (< x y z)))))",
    );
    let store = &script.store;
    for (command, _) in &script.commands {
        if let Command::Assert { formula, .. } = command {
            assert!(store.free_vars(&[formula.term]).is_empty());
        }
        if let Command::DeclareFun(func) = command {
            assert!(store.func(*func).args.is_empty());
        }
    }
    let Command::Assert { formula, .. } = &script.commands[2].0 else { panic!("an assertion") };
    let constants = store.subterms(&[formula.term]);
    assert!(constants.iter().any(|&term| matches!(store.op(term), Op::Apply(_))));
}

#[track_caller]
fn partition(text: &str) -> Partition {
    let names = "(assert (! true :named a))(assert (! true :named b))(assert (! true :named c))
(assert (! true :named d))(assert (! true :named e))";
    let script = script(&format!("{names}(get-interpolants {text})"));
    match script.commands.last() {
        Some((Command::GetInterpolants(partition), _)) => partition.clone(),
        other => panic!("{other:?}"),
    }
}

#[track_caller]
fn tree(text: &str, parts: &str, parents: &[Option<usize>], starts: &[usize]) {
    let partition = partition(text);
    let shown: Vec<String> = partition.parts.iter().map(|names| names.join("&")).collect();
    assert_eq!(shown.join(" "), parts, "{text}");
    assert_eq!(partition.parents, parents, "{text}");
    assert_eq!(partition.subtree_starts(), starts, "{text}");
}

#[test]
fn sequences_and_trees_of_parts() {
    tree("a b", "a b", &[Some(1), None], &[0, 0]);
    tree("a (and b |c|) d", "a b&c d", &[Some(1), Some(2), None], &[0, 0, 0]);
    tree("a (b) c", "a b c", &[Some(2), Some(2), None], &[0, 1, 0]);
    tree("(a) (b) c", "a b c", &[Some(2), Some(2), None], &[0, 1, 0]);
    tree("a b (c d) e", "a b c d e", &[Some(1), Some(4), Some(3), Some(4), None], &[0, 0, 2, 2, 0]);
    tree(
        "a (b (c) d) (and e)",
        "a b c d e",
        &[Some(4), Some(3), Some(3), Some(4), None],
        &[0, 1, 2, 1, 0],
    );
    tree("a (b) (c) d", "a b c d", &[Some(3), Some(3), Some(3), None], &[0, 1, 2, 0]);
    let n = "(assert (! true :named a))(assert (! true :named b))";
    refuse(&format!("{n}(get-interpolants a)"), Code::SmtSyntax, "a", "two parts");
    refuse(&format!("{n}(get-interpolants a (b))"), Code::SmtSyntax, "a (b))", "root");
    refuse(&format!("{n}(get-interpolants () a b)"), Code::SmtSyntax, "()", "root");
    refuse(&format!("{n}(get-interpolants ((a)) b)"), Code::SmtSyntax, "((a))", "root");
    refuse(&format!("{n}(get-interpolants (and) b)"), Code::SmtSyntax, ")", "name");
    refuse(&format!("{n}(get-interpolants a c)"), Code::SmtUndeclared, "c", "not declared");
}

#[test]
fn a_tactic_by_its_name_is_a_question_within_its_time() {
    let using = |tactic: &str| {
        let script = script(&format!("(check-sat-using {tactic})"));
        match script.commands[..] {
            [(Command::CheckSatUsing(within), _)] => within,
            _ => panic!("{tactic} is another command"),
        }
    };
    assert_eq!(using("smt"), None);
    assert_eq!(using("(try-for smt 500)"), Some(500));
    assert_eq!(using("(try-for (try-for qflia 70) 500)"), Some(70));
}

#[test]
fn complaints() {
    refuse("", Code::FileEmpty, "", "empty");
    refuse("(assert (> x 1))", Code::SmtUndeclared, "x", "not declared");
    refuse("(assert 3)", Code::SmtSort, "3", "a formula expected");
    refuse("(check-sat-assuming (1))", Code::SmtSort, "1", "a formula expected");
    refuse("(assert (and true 1))", Code::SmtSort, "1", "argument 2");
    refuse("(get-value ())", Code::SmtSyntax, "()", "at least one");
    refuse("(get-value x)", Code::SmtSyntax, "x", "list of terms");
    refuse("(chek-sat)", Code::SmtSyntax, "chek-sat", "did you mean `check-sat`?");
    let then = "(check-sat-using (then simplify smt))";
    refuse(then, Code::SmtCommand, "check-sat-using", "tactics");
    refuse("(check-sat-using (try-for smt))", Code::SmtSyntax, ")", "milliseconds");
    refuse("(set-option :produce-models 3)", Code::SmtOption, "3", "true or false");
    refuse("(set-option :random-seed)", Code::SmtOption, ":random-seed", "number");
    refuse(
        "(set-option :random-seed 99999999999999999999)",
        Code::SmtOption,
        "99999999999999999999",
        "64 bits",
    );
    refuse("(set-option :regular-output-channel x)", Code::SmtOption, "x", "string");
    refuse("(echo hello)", Code::SmtSyntax, "hello", "a string expected");
    refuse("(push 99999999999999999999)", Code::SmtSyntax, "99999999999999999999", "larger");
    refuse(
        "(define-funs-rec ((f () Int) (f () Int)) (1 1))",
        Code::SmtRedeclared,
        "(f () Int",
        "declared twice",
    );
    refuse("(check-sat", Code::SmtParen, "(", "end of the file");
    refuse("(check-sat))", Code::SmtParen, ")", "closes nothing");
    refuse("(check-sat) x (check-sat)", Code::SmtSyntax, "x", "a command expected");
    refuse("(exit)(frobnicate)", Code::SmtIgnored, "(", "no effect");
    refuse("(declare-const s String)", Code::SmtSort, "String", "no treatment");
}

#[test]
fn several_complaints_and_the_end_of_patience() {
    let (script, diagnostics) = read(b"(assert x)\n(assert (y))\n(assert true\n(check-sat)\n");
    assert!(script.is_none());
    let codes: Vec<Code> = diagnostics.list.iter().map(|d| d.code).collect();
    assert_eq!(codes, [Code::SmtUndeclared, Code::SmtUndeclared, Code::SmtParen]);
    let (_, diagnostics) = read("(assert x)".repeat(1000).as_bytes());
    assert!(diagnostics.list.len() <= 20);
}

#[test]
fn deep_and_huge() {
    let deep = 100_000;
    let (open, close) = ("(not ".repeat(deep), ")".repeat(deep));
    assert_eq!(summary(&format!("(assert {open}true{close})")), ["assert true None "]);
    let open = "(f ".repeat(deep);
    let nested = script(&format!("(declare-fun f (Int) Int)(get-value ({open}0{close}))"));
    assert_eq!(nested.commands.len(), 2);
    for piece in ["(", "(assert ", "(get-interpolants ", "((a) ", "(get-value ", "(set-info :a "] {
        let (script, diagnostics) = read(piece.repeat(deep).as_bytes());
        assert!(script.is_none() && !diagnostics.list.is_empty(), "{piece}");
    }
    let name = "(assert (! true :named a))(get-interpolants ";
    let groups = format!("{name}{}a{} a)", "(".repeat(deep), " a)".repeat(deep));
    assert_eq!(script(&groups).commands.len(), 2);
    let digits = "7".repeat(100_000);
    script(&format!("(declare-const x Int)(assert (< x {digits}))"));
    script(&format!("(declare-const x Real)(assert (< x {digits}.{digits}))"));
}

#[test]
fn what_is_said_about_quantifiers_is_kept() {
    let declared = "(declare-fun f (Int) Int)(declare-fun g (Int Int) Bool)(declare-const c Int)";
    let same = [
        "(forall ((x Int)) (! (< 0 (f x)) :pattern ((f x))))",
        "(forall ((x Int) (y Int)) (! (< x y) :pattern ((f x) (f y)) :pattern ((g x y))))",
        "(forall ((x Int)) (! (< (f x) c) :no-pattern (f x) :weight 7 :qid |a b|))",
        "(exists ((x Int)) (! (< c x) :pattern ((g x c)) :weight 0 :qid q :skolemid s))",
        "(forall ((x Int)) (! (g x x) :pattern ((f (+ x 1)))))",
    ];
    for text in same {
        let lines = summary(&format!("{declared}(assert {text})"));
        assert_eq!(lines[3], format!("assert {text} None "));
    }
    // Under a name or a binding they belong to the same quantifier.
    let others = [
        "(forall ((x Int)) (! (! (< 0 (f x)) :pattern ((f x))) :qid q))",
        "(forall ((x Int)) (let ((y (f x))) (! (< 0 y) :qid q :pattern (y))))",
        "(forall ((x Int)) (! (! (< 0 (f x)) :qid q) :pattern ((f x)) :qid p))",
    ];
    for text in others {
        let lines = summary(&format!("{declared}(assert {text})"));
        let expected = "assert (forall ((x Int)) (! (< 0 (f x)) :pattern ((f x)) :qid q)) None ";
        assert_eq!(lines[3].replace(":qid p", ":qid q"), expected);
    }
    let many = "(forall ((x Int)) (! (< 0 (f x)) :pattern ((f x)) :qid q :pattern ((f (f x)))))";
    let lines = summary(&format!("{declared}(assert {many})"));
    assert!(lines[3].contains(":pattern ((f x)) :pattern ((f (f x))) :qid q"), "{}", lines[3]);
}

#[test]
fn patterns_that_find_nothing_are_errors() {
    let text = |pattern: &str| {
        format!(
            "(declare-fun f (Int) Int)(declare-fun g (Int Int) Bool)\n\
             (assert (forall ((x Int) (y Int)) (! (< (f x) (f y)) :pattern {pattern})))"
        )
    };
    let code = Code::SmtPattern;
    let uncovered = "does not mention the variable `y`";
    refuse(&text("((f x))"), code, "((f x))", uncovered);
    refuse(&text("((g x y)) :pattern ((g x x))"), code, "((g x x))", uncovered);
    refuse(&text("()"), code, "()", "does not mention the variable `x`");
    refuse(&text("(x y)"), code, "x", "applications of functions");
    refuse(&text("((= x y))"), code, "(= x y)", "applications of functions");
    let nested = "((g x y) (f (ite (forall ((z Int)) (> z 0)) 1 0)))";
    refuse(&text(nested), code, "forall", "a quantifier cannot be part of a pattern");
    refuse(&text("((! (g x y) :qid q))"), code, "!", "an annotation cannot be part of a pattern");
    refuse(&text("(g x y)"), code, "g", "applications of functions");
    refuse(&text("((h x y))"), Code::SmtUndeclared, "h", "not declared");
}
