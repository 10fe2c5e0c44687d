//! What the reader says: code, place and words of every complaint, and how it goes on.

use alphorn_front::smtlib::read;
use alphorn_front::{Code, Severity};

/// Each case: a script, and for each complaint its code, the text it points at, and a piece of
/// what it says or hints.
#[track_caller]
fn check(script: &str, expected: &[(Code, &str, &str)]) {
    let (problem, diagnostics) = read(script.as_bytes());
    let found: Vec<String> = diagnostics.list.iter().map(|d| format!("{d:?}")).collect();
    assert_eq!(diagnostics.list.len(), expected.len(), "{script}\n{found:#?}");
    for (diagnostic, &(code, place, words)) in diagnostics.list.iter().zip(expected) {
        assert_eq!(diagnostic.code, code, "{script}\n{found:#?}");
        let (start, end) = (diagnostic.span.start as usize, diagnostic.span.end as usize);
        assert_eq!(&script[start..end], place, "{script}\n{found:#?}");
        let said =
            format!("{} {}", diagnostic.message, diagnostic.hint.clone().unwrap_or_default());
        assert!(said.contains(words), "{script}\n{said}");
    }
    assert_eq!(problem.is_some(), diagnostics.is_clean(), "{script}\n{found:#?}");
}

/// The script is refused with one complaint.
#[track_caller]
fn refuse(script: &str, code: Code, place: &str, words: &str) {
    check(script, &[(code, place, words)]);
}

/// The script is read with one warning.
#[track_caller]
fn warn(script: &str, code: Code, place: &str, words: &str) {
    check(script, &[(code, place, words)]);
    assert_eq!(read(script.as_bytes()).1.worst(), Some(Severity::Warning), "{script}");
}

#[test]
fn tokens() {
    let not_declared = "is not declared";
    refuse("(assert #)", Code::SmtLex, "#", "digits");
    refuse("(assert #b102)", Code::SmtLex, "#b102", "digits");
    refuse("(assert 12x)", Code::SmtLex, "12x", "digit");
    refuse("(assert 1.)", Code::SmtLex, "1.", "number");
    refuse("(assert |abc)", Code::SmtLex, "|abc)", "bar");
    refuse("(assert |a\\b|)", Code::SmtLex, "|a\\b|", "backslash");
    refuse("(assert : )", Code::SmtLex, ":", "name");
    refuse("(assert {)", Code::SmtLex, "{", "no token");
    refuse("(assert |x y|)", Code::SmtUndeclared, "|x y|", not_declared);
    refuse("(assert (= -5 0))", Code::SmtUndeclared, "-5", "(- 5)");
    refuse("(assert (= \"a\"\"b\" 0))", Code::SmtSort, "\"a\"\"b\"", "strings");
    refuse("", Code::FileEmpty, "", "empty");
}

#[test]
fn parentheses() {
    refuse("(check-sat))", Code::SmtParen, ")", "closes nothing");
    refuse("(assert (and true true)", Code::SmtParen, "(", "end of the file");
    check(
        "(assert (and true true)\n(check-sat)\n(asert true)",
        &[(Code::SmtParen, "(", "next command"), (Code::SmtSyntax, "asert", "`assert`")],
    );
    refuse("foo (check-sat)", Code::SmtSyntax, "foo", "a command expected");
    refuse("(assert true false)(check-sat)", Code::SmtSyntax, "false", "closing parenthesis");
}

#[test]
fn terms() {
    let p = "(declare-fun pred (Int) Bool)(declare-fun w () (_ BitVec 8))";
    let case = |term: &str| format!("{p}(assert {term})(check-sat)");
    refuse(&case("(prd 1)"), Code::SmtUndeclared, "prd", "did you mean `pred`?");
    refuse(&case("(pred true)"), Code::SmtSort, "true", "should be of sort Int, but has sort Bool");
    refuse(&case("(pred 1 2)"), Code::SmtSort, "(pred 1 2)", "takes 1 arguments, but got 2");
    refuse(&case("pred"), Code::SmtSort, "pred", "takes 1 arguments, but got 0");
    refuse(&case("(pred 1.5)"), Code::SmtSort, "1.5", "has sort Real");
    refuse(&case("(= (+ 1 true) 2)"), Code::SmtSort, "true", "`+`: argument 2");
    refuse(&case("(> (+ 1 1) true)"), Code::SmtSort, "true", "`>`: argument 2");
    refuse(&case("(> true 1)"), Code::SmtSort, "true", "`>`: argument 1");
    refuse(&case("(- true)"), Code::SmtSort, "true", "a number");
    refuse(&case("(=> true 1 false)"), Code::SmtSort, "1", "`=>`: argument 2");
    refuse(&case("(xor true 1)"), Code::SmtSort, "1", "`xor`: argument 2");
    refuse(&case("(xor 1 2)"), Code::SmtSort, "1", "`xor`: argument 1");
    refuse(&case("(bvult w #b1)"), Code::SmtSort, "#b1", "(_ BitVec 8)");
    refuse(&case("(bvugt w 1)"), Code::SmtSort, "1", "`bvugt`: argument 2");
    refuse(&case("(bvadd w w #x0)"), Code::SmtSort, "#x0", "argument 3");
    refuse(&case("(= w ((_ extract 8 0) w))"), Code::SmtSort, "((_ extract 8 0) w)", "extract");
    refuse(&case("(= w (_ bv256 8))"), Code::SmtSort, "(_ bv256 8)", "does not fit");
    refuse(&case("((_ divisible 0) 3)"), Code::SmtSyntax, "0", "positive");
    refuse(&case("((_ rotate_left 1) 5)"), Code::SmtSort, "5", "a word");
    refuse(&case("(= 1 (select 1 2))"), Code::SmtSort, "1", "an array");
    refuse(&case("1"), Code::SmtSort, "1", "a formula expected");
    refuse(&case("(and)"), Code::SmtSyntax, "(and)", "needs arguments");
    refuse(&case("(true)"), Code::SmtSort, "true", "takes no arguments");
    refuse(&case("and"), Code::SmtSort, "and", "needs arguments");
    refuse(&case("(forall () true)"), Code::SmtSyntax, "(forall ()", "needs variables");
    refuse(&case("(let ((x 1) (x 2)) true)"), Code::SmtRedeclared, "(let ((x 1) (x 2))", "twice");
    refuse(&case("(let ((x 1)) y)"), Code::SmtUndeclared, "y", "is not declared");
    refuse(&case("(exists ((x Foo)) true)"), Code::SmtUndeclared, "Foo", "sort");
    refuse(&case("(exists ((x Itn)) true)"), Code::SmtUndeclared, "Itn", "`Int`");
    refuse(&case("(exists ((x String)) true)"), Code::SmtSort, "String", "no treatment");
    refuse(&case("(exists ((x (_ BitVec 0))) true)"), Code::SmtSort, "(_ BitVec 0)", "width");
    refuse(&case("(exists ((x (Array Int))) true)"), Code::SmtSort, "(Array Int)", "2 arguments");
    refuse(&case("(! true)"), Code::SmtSyntax, "(! true)", "keyword");
    refuse(&case("(! true :named pred)"), Code::SmtRedeclared, "pred", "declared twice");
    refuse(&case("((as const Int) 1)"), Code::SmtSort, "(as const Int)", "arrays");
    refuse(&case("(lambda ((x Int)) x)"), Code::SmtSyntax, "lambda", "functions as values");
    refuse(&case("(as w Int)"), Code::SmtSort, "w", "no `w` of sort Int");
    refuse(&case("(= 1 (match 1 ((x x))))"), Code::SmtSort, "1", "datatype");
}

#[test]
fn codatatypes_are_refused_among_clauses() {
    let one = "(declare-codatatype S ((cons (head Int) (tail S))))";
    refuse(one, Code::SmtDatatype, "declare-codatatype", "`alphorn smt` takes scripts");
    let many = "(declare-codatatypes ((S 0)) (((cons (head Int) (tail S)))))";
    refuse(many, Code::SmtDatatype, "declare-codatatypes", "scripts only");
}

#[test]
fn datatypes() {
    let d = "(declare-datatype L (par (X) ((nil) (cons (hd X) (tl (L X))))))
        (declare-datatypes ((A 0) (B 0)) (((a) (same (fa Int))) ((b) (same (fb Int)))))";
    let case = |rest: &str| format!("{d}{rest}(check-sat)");
    refuse(&case("(assert (= nil nil))"), Code::SmtSort, "nil", "(as nil Sort)");
    refuse(&case("(assert (= (same 1) b))"), Code::SmtSort, "(same 1)", "several constructors");
    check(&case("(assert (= ((as same B) 1) b))"), &[]);
    refuse(&case("(assert (= 1 (hd a)))"), Code::SmtSort, "a", "no selector of the sort A");
    refuse(&case("(assert ((_ is b) a))"), Code::SmtSort, "a", "no constructor of the sort A");
    refuse(
        &case("(assert (match a ((a true))))"),
        Code::SmtSyntax,
        "(match a ((a true)))",
        "no case covers the constructor `same`",
    );
    refuse(&case("(assert (match a (((same x y) true) (_ true))))"), Code::SmtSyntax, "same", {
        "has 1 fields"
    });
    refuse(&case("(assert (match a ((a 1) (_ true))))"), Code::SmtSort, "true", "this case");
    refuse(
        &case("(declare-datatype C ((c (self C))))"),
        Code::SmtDatatype,
        "C",
        "no finite values",
    );
    refuse(
        &case("(declare-datatypes ((C 0) (D 0)) (((c (d1 D))) ((d (c1 (Array Int C))))))"),
        Code::SmtDatatype,
        "C",
        "no finite values",
    );
    refuse(
        &case("(declare-datatype C (par (X) ((c (f (C X))))))"),
        Code::SmtDatatype,
        "C",
        "no fin",
    );
    refuse(
        &case("(declare-datatype W (par (X) ((w (u X)))))(declare-datatype C ((c (v (W C)))))"),
        Code::SmtDatatype,
        "C",
        "no finite values",
    );
    check(&case("(declare-datatype C ((c (v (L C)))))"), &[]);
    let late = "(declare-datatype C ((c (v D))))(declare-datatype D ((d)))";
    warn(&case(late), Code::SmtDatatype, "D", "before it is declared");
    // Not past something that is asked, and not for what leads back.
    let asked = "(declare-datatype C ((c (v D))))(check-sat)(declare-datatype D ((d)))";
    refuse(&case(asked), Code::SmtUndeclared, "D", "not declared");
    refuse(
        &case(
            "(declare-datatype N (par (X) ((z) (s (n (N (Array X X)))))))
               (declare-fun f ((N Int)) Bool)",
        ),
        Code::SmtSort,
        "(N Int)",
        "parts",
    );
    refuse(&case("(declare-datatype C ((c (f Int)) (c)))"), Code::SmtRedeclared, "c", "twice");
    refuse(&case("(declare-datatype C ())"), Code::SmtDatatype, "C", "needs a constructor");
    refuse(&case("(declare-datatype A ((x)))"), Code::SmtRedeclared, "A", "declared twice");
    refuse(&case("(declare-fun f (L) Bool)"), Code::SmtSort, "L", "takes 1 arguments, but got 0");
    check("(declare-datatypes () ((N z (s (p N))) (M (m (n N)))))(check-sat)", &[]);
}

#[test]
fn declarations() {
    refuse("(declare-fun f () Int)(declare-const f Int)", Code::SmtRedeclared, "f", "twice");
    refuse("(declare-fun and () Int)", Code::SmtRedeclared, "and", "theories");
    // Names that are not in the standard may be declared.
    check("(declare-fun rem (Int) Bool)(assert (rem 0))(check-sat)", &[]);
    refuse("(define-fun f ((x Int)) Int true)", Code::SmtSort, "true", "should have sort Int");
    refuse("(define-fun f ((x Int) (x Int)) Int x)", Code::SmtRedeclared, "x", "repeated");
    refuse(
        "(define-fun-rec f ((x Int)) Int (f x))",
        Code::SmtCommand,
        "define-fun-rec",
        "recursive",
    );
    refuse("(define-fun f ((x Int)) Int x)(assert (= 1 (f true)))", Code::SmtSort, "true", "Int");
    refuse("(declare-sort S 1)(declare-fun f () S)", Code::SmtSort, "S", "takes 1 arguments");
    refuse("(define-sort D (X) (Array X X))(declare-fun f (D) Int)", Code::SmtSort, "D", "1 arg");
    let doubling = "(define-sort D (X) (Array X X))(define-sort E (X) (D (D (D (D (D X))))))
        (declare-fun f () (E (E (E Int))))";
    refuse(doubling, Code::SmtSort, "(E (E Int))", "parts");
}

#[test]
fn commands() {
    refuse("(set-logic QF_LIA)", Code::SmtLogic, "QF_LIA", "not Horn clauses");
    check("(check-sat)(check-sat)", &[]);
    refuse("(echo hello)", Code::SmtSyntax, "hello", "a string");
    refuse("(get-info name)", Code::SmtSyntax, "name", "a keyword");
    refuse("(check-sat-assuming ())", Code::SmtCommand, "check-sat-assuming", "assumptions");
    refuse("(reset)", Code::SmtCommand, "reset", "start over");
    refuse("(pop 1)", Code::SmtSyntax, "pop", "0 levels");
    refuse("(chek-sat)", Code::SmtSyntax, "chek-sat", "did you mean `check-sat`?");
    refuse("(set-info :status maybe)", Code::SmtSyntax, "maybe", "sat, unsat or unknown");
    refuse("(declare-rel p ())(assert p)", Code::SmtCommand, "(assert", "mixes");
    let late = "(declare-rel p ())(query p)(rule p)";
    warn(late, Code::SmtIgnored, "(rule p)", "after the last query");
    check("(set-logic HORN)(set-option :produce-models true)(check-sat)", &[]);
    warn("(set-option :fp.engine spacer)(check-sat)", Code::SmtOption, ":fp.engine", "no effect");
    check("(echo \"hello\")(check-sat)(get-model)(get-proof)(get-info :reason-unknown)", &[]);
    let untold = "(check-sat)(get-value (x))(get-value (y))";
    warn(untold, Code::SmtIgnored, "get-value", "evidence is always produced");
    warn("(check-sat)(exit)(garbage", Code::SmtIgnored, "(", "after (exit)");
    warn("(set-logic HORN)", Code::SmtNoQuery, "", "check-sat");
    warn("(declare-rel p ())(rule p)", Code::SmtNoQuery, "", "query");
    warn("(check-sat)(assert true)", Code::SmtIgnored, "(assert true)", "after the question");
    warn(
        "(declare-fun f (Int) Int)(assert (! (! true :pattern ((f 1))) :pattern ((f 1))))(check-sat)",
        Code::SmtIgnored,
        ":pattern",
        "no effect",
    );
    warn(
        "(declare-fun a () (Array Int Int))
        (assert (forall ((x Int)) (! true :pattern ((select (store a x x) x)))))(check-sat)",
        Code::SmtIgnored,
        "((select (store a x x) x))",
        "simplify to others",
    );
    refuse(
        "(declare-fun f (Int) Int)
        (assert (forall ((x Int) (y Int)) (! (> (f x) y) :pattern ((f x)))))(check-sat)",
        Code::SmtPattern,
        "((f x))",
        "mention all variables of its quantifier",
    );
    check(
        "(assert (! true :qid a :weight 3))(assert (! true :qid b))(check-sat)",
        &[(Code::SmtIgnored, ":qid", "no effect"), (Code::SmtIgnored, ":weight", "no effect")],
    );
    warn(
        "(assert (exists ((x Int)) (! (> x 0) :named n)))(check-sat)",
        Code::SmtIgnored,
        "n",
        "no effect",
    );
}

#[test]
fn reading_goes_on_and_ends() {
    check(
        "(declare-fun p (Int) Bool)
         (assert (p tru))
         (assert (q 1))
         (declare-fun q (Int Boll) Bool)
         (assert (p 1))
         (check-sat)",
        &[
            (Code::SmtUndeclared, "tru", "`true`"),
            (Code::SmtUndeclared, "q", "not declared"),
            (Code::SmtUndeclared, "Boll", "`Bool`"),
        ],
    );
    // A binary file is not worth a thousand complaints.
    let noise = "(\u{1} ".repeat(10_000);
    let (problem, diagnostics) = read(noise.as_bytes());
    assert!(problem.is_none() && diagnostics.list.len() <= 20);
    let noise = "(assert x)".repeat(10_000);
    assert_eq!(read(noise.as_bytes()).1.list.len(), 20);
    // Warnings do not stop the reader, nor crowd out errors.
    let mut warnings: String = (0..100).map(|n| format!("(set-option :o{n} 1)")).collect();
    let (problem, diagnostics) = read(format!("{warnings}(check-sat)").as_bytes());
    assert!(problem.is_some() && diagnostics.list.len() < 20);
    warnings.push_str("(assert x)");
    let (problem, diagnostics) = read(warnings.as_bytes());
    assert!(problem.is_none() && diagnostics.worst() == Some(Severity::Error));
}

/// What does not fit words, arrays and datatypes, with a hint where there is something to try.
#[test]
fn theories() {
    let lists = "(declare-datatypes ((L 0)) (((nil) (cons (head Int) (tail L)))))";
    let words = |body: &str| {
        let bound = "((x (_ BitVec 8)) (y (_ BitVec 4)) (a (Array Int Bool)) (b Bool))";
        format!("(declare-fun p () Bool)(assert (forall {bound} (=> {body} p)))(check-sat)")
    };
    let sort = Code::SmtSort;
    refuse(&words("(= x (bvadd x y))"), sort, "y", "((_ zero_extend 4) …)");
    refuse(&words("(= y (bvadd y x))"), sort, "x", "((_ extract 3 0) …)");
    refuse(&words("(= x ((_ extract 8 1) x))"), sort, "((_ extract 8 1) x)", "the bits 7 to 0");
    refuse(&words("(= x ((_ extract 1 2) x))"), sort, "((_ extract 1 2) x)", "higher");
    refuse(&words("(select a b)"), sort, "b", "of sort Int, but has sort Bool");
    refuse(&words("(= a (store a 0 1))"), sort, "1", "of sort Bool");
    refuse(&words("(= a ((as const (Array Int Bool)) 1))"), sort, "1", "of sort Bool");
    let data = |body: &str| {
        format!("{lists}(declare-fun p (L) Bool)(assert (forall ((l L)) {body}))(check-sat)")
    };
    refuse(&data("(p (cons 1))"), sort, "(cons 1)", "(head Int) (tail L)");
    refuse(&data("(p (cons l 1))"), sort, "l", "its fields are");
    refuse(&data("(p (kons 1 l))"), Code::SmtUndeclared, "kons", "did you mean `cons`?");
    refuse(&data("(=> ((_ is kons) l) (p l))"), Code::SmtUndeclared, "kons", "`cons`");
    let missing = "(match l (((cons h t) t)))";
    refuse(&data(&format!("(p {missing})")), Code::SmtSyntax, missing, "`nil`");
}
