//! The theory of heaps and sizes of datatypes: what they come to, against a heap that is a vector, and
//! what is refused.

use alphorn_front::smtlib::{print_horn, read};
use alphorn_front::{Code, Severity};
use alphorn_problem::Horn;
use alphorn_problem::horn::Head;
use alphorn_term::{Model, Value, eval};
use alphorn_testkit::Rng;

const HEAP: &str = "(set-logic HORN)
(declare-heap Heap Addr Obj (Num 7) ((Obj 0) (Pair 0))
  (((Num (num Int)) (Ref (ref Addr)) (Two (two Pair)) (Nothing)) ((Pair (left Addr) (right Int)))))
(declare-fun P (Heap Addr) Bool)
(declare-fun V (Int Bool) Bool)
";

/// The clauses of a script without complaints worse than warnings.
#[track_caller]
fn clauses(script: &str) -> Horn {
    let (problem, diagnostics) = read(script.as_bytes());
    match problem {
        Some(problem) => problem.horn,
        None => panic!("{script}\n{:#?}", diagnostics.list),
    }
}

/// An assertion is refused as not treated, in these words.
#[track_caller]
fn refuse(assertion: &str, words: &str) {
    let script = format!("{HEAP}{assertion}\n(check-sat)");
    let (problem, diagnostics) = read(script.as_bytes());
    let mut found = diagnostics.list.iter().filter(|d| d.severity != Severity::Warning);
    let first = found.next().unwrap_or_else(|| panic!("{assertion} is read"));
    assert_eq!(first.severity, Severity::Unsupported, "{first:?}");
    assert!(first.message.contains(words), "{first:?}");
    assert!(first.span.start as usize >= HEAP.len(), "{first:?}");
    assert!(problem.is_none() && found.next().is_none());
}

/// An object of the tests: a number, or a reference.
type Object = Result<i64, usize>;

fn object(random: &mut Rng, length: usize) -> (Object, String) {
    match random.percent(50) {
        true => {
            let number = random.below(9) as i64;
            (Ok(number), format!("(Num {number})"))
        }
        false => {
            let (place, text) = address(random, length);
            (Err(place), format!("(Ref {text})"))
        }
    }
}

/// An address that is null, valid, or valid in a longer heap only.
fn address(random: &mut Rng, length: usize) -> (usize, String) {
    let place = random.below(length + 3);
    let mut text = "emptyHeap".to_owned();
    for _ in 1..place {
        text = format!("(newHeap (alloc {text} Nothing))");
    }
    match place {
        0 => (0, "nullAddr".to_owned()),
        _ if random.percent(50) => (place, format!("(newAddr (alloc {text} Nothing))")),
        _ => (place, format!("(allocAddr {text} Nothing)")),
    }
}

#[test]
fn functions_on_heaps_do_what_they_do_to_a_vector() {
    let mut random = Rng::new(17);
    for _ in 0..100 {
        let (mut heap, mut text) = (Vec::<Object>::new(), "emptyHeap".to_owned());
        for _ in 0..random.below(7) {
            let (value, shown) = object(&mut random, heap.len());
            match random.below(3) {
                0 => {
                    heap.push(value);
                    text = format!("(newHeap (alloc {text} {shown}))");
                }
                1 => {
                    heap.push(value);
                    text = format!("(allocHeap {text} {shown})");
                }
                _ => {
                    let (place, at) = address(&mut random, heap.len());
                    text = format!("(write {text} {at} {shown})");
                    if let Some(cell) = place.checked_sub(1).and_then(|at| heap.get_mut(at)) {
                        *cell = value;
                    }
                }
            }
        }
        let (place, at) = address(&mut random, heap.len());
        let found = place.checked_sub(1).and_then(|at| heap.get(at).copied());
        let number = match found.unwrap_or(Ok(7)) {
            Ok(number) => number,
            Err(place) => 100 + place as i64,
        };
        // A reference is told from others by which heaps it is valid in.
        let mut shown = format!("(num (read {text} {at}))");
        let mut longer = "emptyHeap".to_owned();
        let mut known = "100".to_owned();
        for length in 1..14 {
            longer = format!("(allocHeap {longer} Nothing)");
            let before = longer.clone();
            known = format!(
                "(+ {known} (ite (and (valid {before} (ref (read {text} {at}))) \
                 (not (valid {} (ref (read {text} {at}))))) {length} 0))",
                before
                    .strip_prefix("(allocHeap ")
                    .and_then(|t| t.strip_suffix(" Nothing)"))
                    .expect("a heap")
            );
        }
        shown = format!("(ite (is-Ref (read {text} {at})) {known} {shown})");
        let horn = clauses(&format!("{HEAP}(assert (V {shown} (valid {text} {at})))\n(check-sat)"));
        let Head::Atom(_, args) = &horn.clauses[0].head else { panic!("a fact") };
        let value = |at: usize| eval(&horn.terms, args[at], &Model::new()).expect("no open choice");
        assert_eq!(value(0), Value::Int(number.into()), "{text} at {at}");
        assert_eq!(value(1), Value::Bool(found.is_some()), "{text} at {at}");
    }
}

#[test]
fn both_generations_of_names_are_one_theory() {
    let old = "(assert (forall ((h Heap) (a Addr)) (=> (P (newHeap (alloc h Nothing)) \
               (newAddr (alloc h (read h a)))) (P (write emptyHeap nullAddr Nothing) a))))";
    let new = "(assert (forall ((h Heap) (a Addr)) (=> (P (heap.alloc_first (heap.alloc h Nothing)) \
               (heap.heapAddrPair_2 (heap.alloc h (heap.read h a)))) \
               (P (heap.write (as heap.empty Heap) (as heap.null Addr) Nothing) a))))";
    let ranged = HEAP.replace("Heap Addr Obj", "Heap Addr Range Obj");
    let texts = [format!("{HEAP}{old}"), format!("{ranged}{new}")];
    let printed = texts.map(|text| print_horn(&clauses(&format!("{text}(check-sat)"))));
    assert_eq!(printed[0], printed[1]);
}

#[test]
fn clauses_over_heaps_are_read_again_as_they_are() {
    let rule = "(assert (forall ((h Heap) (a Addr) (g Heap) (r AllocResHeap)) (=> (and (P h a) \
                (= g (newHeap r)) (= r (alloc h (Two (Pair a (num (read h a))))))) (P g (newAddr r)))))";
    let horn = clauses(&format!("{HEAP}{rule}(check-sat)"));
    let printed = print_horn(&horn);
    assert_eq!(print_horn(&clauses(&printed)), printed);
    // The lengths of both heaps and of the pair's.
    assert_eq!(printed.matches("(<= 0 ").count(), 3, "{printed}");
}

#[test]
fn selectors_of_objects_have_a_value_on_other_constructors_and_a_warning_says_which() {
    let script =
        format!("{HEAP}(assert (P (allocHeap emptyHeap Nothing) (left (two Nothing))))(check-sat)");
    let (problem, diagnostics) = read(script.as_bytes());
    let [warning] = &diagnostics.list[..] else { panic!("{:?}", diagnostics.list) };
    assert_eq!((warning.code, warning.severity), (Code::SmtMeaning, Severity::Warning));
    let horn = problem.expect("a warning only").horn;
    let Head::Atom(_, args) = &horn.clauses[0].head else { panic!("a fact") };
    assert!(eval(&horn.terms, args[1], &Model::new()).is_ok());
}

#[test]
fn what_would_tell_two_records_of_a_heap_apart_is_refused() {
    let rule = |body: &str| {
        format!(
            "(assert (forall ((h Heap) (g Heap) (a Addr) (r AllocResHeap)) (=> (and (P h a) {body}) (P g a))))"
        )
    };
    clauses(&format!("{HEAP}{}(check-sat)", rule("(= h g)")));
    clauses(&format!("{HEAP}{}(check-sat)", rule("(or (= h g) (= r (alloc h Nothing)))")));
    let differ = "a constraint that heaps differ";
    refuse(&rule("(not (= h g))"), differ);
    refuse(&rule("(distinct h g)"), differ);
    refuse(&rule("(not (= r (alloc h Nothing)))"), differ);
    refuse(&rule("(= a (ite (= h g) a nullAddr))"), differ);
    refuse(&rule("(= (= h g) (valid h a))"), differ);
    refuse("(assert (forall ((h Heap) (g Heap) (a Addr)) (=> (P h a) (= h g))))", differ);
    refuse("(assert (forall ((h Heap) (a Addr)) (=> (= h h) (V 0 (= h emptyHeap)))))", differ);
    let quantifier = "a quantifier over heaps or addresses";
    refuse(&rule("(forall ((b Addr)) (=> (valid h b) (= b a)))"), quantifier);
    refuse(&rule("(not (exists ((f Heap)) (= f (write f a Nothing))))"), quantifier);
    clauses(&format!("{HEAP}{}(check-sat)", rule("(exists ((f Heap)) (= f (write f a Nothing)))")));
}

#[test]
fn sorts_and_functions_that_the_reading_does_not_fit_are_refused() {
    let index = "an array with heaps or addresses for indices";
    refuse("(assert (forall ((m (Array Addr Int)) (a Addr)) (V (select m a) true)))", index);
    refuse(
        "(assert (forall ((m (Array Int Heap))) (P (select m 0) nullAddr)))",
        "an array with heaps",
    );
    refuse("(declare-fun f (Addr) Int)(assert (V (f nullAddr) true))", "a declared function");
    let several = "(declare-datatypes ((S 0)) (((none) (some (of Heap)))))(declare-fun Q (S) Bool)";
    refuse(&format!("{several}(assert (forall ((s S)) (Q s)))"), "several constructors");
    refuse(
        &format!(
            "{several}(assert (forall ((h Heap)) (P (of (some h)) nullAddr)))(assert (P (of none) nullAddr))"
        ),
        "the value of `of`",
    );
    refuse("(assert (P emptyHeap (nthAddr 3)))", "`nthAddr`");
    refuse("(assert (V (Heap_size emptyHeap) true))", "`Heap_size`");
    refuse("(assert (forall ((r AddrRange)) false))", "the sort `AddrRange`");
    refuse("(declare-heap H A O D ((O 0)) (((D))))", "a second heap");
}

#[test]
fn a_heap_that_is_wrongly_declared_is_an_error() {
    let cases = [
        ("(declare-heap Heap Addr Obj)", Code::SmtSyntax),
        ("(declare-heap Heap Addr Int D ((O 0)) (((D))))", Code::SmtDatatype),
        ("(declare-heap Heap Addr O 5 ((O 0)) (((D))))", Code::SmtSort),
        ("(declare-heap Heap Addr O E ((O 0)) (((D))))", Code::SmtUndeclared),
        ("(declare-sort Heap 0)(declare-heap Heap Addr O D ((O 0)) (((D))))", Code::SmtRedeclared),
        (
            "(declare-fun read (Int) Bool)(declare-heap Heap Addr O D ((O 0)) (((D))))",
            Code::SmtRedeclared,
        ),
        ("(push 1)(declare-heap Heap Addr O D ((O 0)) (((D))))", Code::SmtCommand),
    ];
    for (script, code) in cases {
        let (problem, diagnostics) = read(script.as_bytes());
        assert!(problem.is_none(), "{script}");
        assert_eq!(diagnostics.list[0].code, code, "{script}\n{:?}", diagnostics.list);
    }
}

const LISTS: &str = "(set-logic HORN)
(declare-datatypes ((Nat 0)) (((z) (s (p Nat)))))
(declare-datatypes ((Tree 0) (Forest 0)) (((node (label Nat) (below Forest))) ((none) (more (one Tree) (rest Forest)))))
(declare-fun P (Tree Int) Bool)
";

#[test]
fn a_size_is_a_variable_with_its_graph_in_the_body() {
    let printed = |text: &str| print_horn(&clauses(&format!("{LISTS}{text}(check-sat)")));
    let made = printed("(assert (forall ((t Tree)) (P t (+ (_size t) (_size z)))))");
    let horn = clauses(&made);
    // A clause for each constructor of the three datatypes, and the assertion.
    assert_eq!((horn.pred_ids().count(), horn.clauses.len()), (4, 6), "{made}");
    assert_eq!(made.matches("(Nat_size ").count(), 4, "{made}");
    let nested = printed(
        "(assert (forall ((t Tree)) (P (ite (< (_size t) 3) t t) (_size (ite (< (_size t) 3) t t)))))",
    );
    assert!(!nested.contains("(_size "), "{nested}");
    let own = printed("(declare-fun _size (Int) Bool)(assert (_size 3))");
    assert!(own.contains("(_size 3)"), "{own}");
}

#[test]
fn sizes_of_what_has_none_are_refused() {
    let cases = [
        ("(assert (forall ((x Int)) (P (node z none) (_size x))))", Code::SmtSort),
        (
            "(assert (forall ((n Int)) (=> (forall ((t Tree)) (< n (_size t))) false)))",
            Code::SmtNotHorn,
        ),
        ("(push 1)(assert (P (node z none) (_size z)))", Code::SmtCommand),
    ];
    for (assertion, code) in cases {
        let (problem, diagnostics) = read(format!("{LISTS}{assertion}(check-sat)").as_bytes());
        assert!(problem.is_none(), "{assertion}");
        assert_eq!(diagnostics.list[0].code, code, "{assertion}\n{:?}", diagnostics.list);
    }
}

#[test]
fn a_name_that_dialects_read_differently_is_read_with_a_warning() {
    let rule =
        "(declare-fun Q (Int) Bool)(assert (forall ((x (_ BitVec 4))) (Q (NAME x))))(check-sat)";
    for (name, warnings) in [("bv2int", 1), ("bv2nat", 0), ("ubv_to_int", 0), ("sbv_to_int", 0)] {
        let (problem, diagnostics) = read(rule.replace("NAME", name).as_bytes());
        assert!(problem.is_some());
        let codes: Vec<Code> = diagnostics.list.iter().map(|d| d.code).collect();
        assert_eq!(codes, vec![Code::SmtMeaning; warnings], "{name}");
    }
}
