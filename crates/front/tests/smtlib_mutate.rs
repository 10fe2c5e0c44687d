//! Damaged scripts: reading never panics, and ends with a valid problem or with an error. What is
//! still a problem after the damage survives printing and reading.

use alphorn_front::diag::Diagnostics;
use alphorn_front::smtlib::{Kind, Lexer, general, read};
use alphorn_testkit::Rng;
use alphorn_testkit::same::{check_round_trip, read_sound};

const SCRIPTS: &[&str] = &[
    "(set-logic HORN)
(declare-fun inv (Int Int) Bool)
(assert (forall ((x Int) (y Int)) (=> (and (= x 0) (>= y 0)) (inv x y))))
(assert (forall ((x Int) (y Int)) (=> (and (inv x y) (< x y)) (inv (+ x 1) (- y 1)))))
(assert (forall ((x Int) (y Int)) (not (and (inv x y) (> x (* 2 y)) (distinct x y 3)))))
(check-sat)
(exit)
",
    "(declare-datatypes ((Tree 0) (Forest 0))
  (((leaf) (node (value Int) (children Forest))) ((none) (some (first Tree) (rest Forest)))))
(declare-datatype List (par (X) ((nil) (cons (head X) (tail (List X))))))
(declare-fun sum (Tree Int) Bool)
(declare-fun all ((List Int) (List (List Bool))) Bool)
(assert (sum leaf 0))
(assert (forall ((t Tree) (n Int)) (=> (and (sum t n) ((_ is node) t)) (sum (first (children t)) n))))
(assert (forall ((l (List Int))) (=> (= l (cons 1 (as nil (List Int)))) (all l (as nil (List (List Bool)))))))
(assert (forall ((l (List Int)) (m (List (List Bool)))) (=> (all l m)
  (match l ((nil true) ((cons h t) (all t m)))))))
(check-sat)
",
    "(set-info :status unsat)
(declare-fun s ((_ BitVec 8) (_ BitVec 4) Bool) Bool)
(assert (forall ((a (_ BitVec 8)) (b (_ BitVec 4)) (c Bool))
  (=> (and (s a b c) (bvult a #x0f) (= b ((_ extract 5 2) (bvadd a (_ bv3 8)))))
      (s (concat b ((_ rotate_left 3) b)) (bvneg b) (xor c (bvsle b #b0011))))))
(assert (=> (s #xff #x0 true) false))
(check-sat)
(get-model)
",
    "(declare-fun mem ((Array Int Int) (Array Int (Array Int Bool)) Int) Bool)
(define-sort Row () (Array Int Bool))
(define-fun at ((a (Array Int Int)) (i Int)) Int (select a (ite (< i 0) 0 i)))
(assert (forall ((a (Array Int Int)) (r Row) (i Int))
  (=> (let ((x (at a i)) (y (store a i 1))) (and (select r x) (= y a)))
      (mem (store a i (+ (at a i) 1)) ((as const (Array Int Row)) r) i))))
(assert (forall ((a (Array Int Int)) (m (Array Int Row))) (! (=> (mem a m 3)
  (exists ((k Int)) (> (at a k) 0))) :named last)))
(check-sat)
",
    "(declare-rel inv (Int Real))
(declare-rel fail ())
(declare-var x Int)
(declare-var y Real)
(rule (=> (and (> y 1.5) (= x (to_int y))) (inv x y)) start)
(rule (=> (and (inv x y) (is_int (/ y 2))) (inv (div x 2) (- y 0.25))))
(rule (=> (and (inv x y) (< (mod x 7) 0)) fail))
(query fail :print-certificate true)
",
    "(declare-fun p (Int) Bool)
(declare-fun q (Int) Bool)
(push 1)
(declare-sort U 0)
(declare-fun u (U) Bool)
(assert (forall ((a U)) (u a)))
(pop 1)
(assert (forall ((x Int)) (=> (or (p x) (and (q x) (exists ((y Int)) (p (+ x y))))) (and (p (+ x 1)) (q x)))))
(assert (forall ((x Int)) (= (p x) (q (- x)))))
(assert (and (p 1) (ite true (q 2) (p 3)) (not (exists ((z Int)) (and (p z) (q z) (forall ((w Int)) (< w z)))))))
(check-sat)
",
    "(set-option :produce-proofs true)
(set-logic HORN)
(declare-sort Set 1)
(declare-fun member (Int (Set Int)) Bool)
(declare-fun size ((Set Int)) Int)
(declare-const empty (Set Int))
(define-fun big ((s (Set Int))) Bool (> (size s) 10))
(assert (forall ((s (Set Int)) (x Int)) (=> (and (member x s) (= (size s) 0)) false)))
(assert (forall ((s (Set Int))) (=> (big s) (member 0 s))))
(assert (= (size empty) 0))
(check-sat)
",
    "(declare-fun |odd name| (Int Bool) Bool)
(declare-fun P () Bool)
; a comment ( with a parenthesis
(assert (forall ((|x y| Int) (b Bool)) (! (=> (and b (! (> |x y| 0) :named-not 1)) (|odd name| |x y| (not b))) :pattern ((|odd name| |x y| b)) :qid k1)))
(assert (=> (|odd name| 1 (let ((a true) (b false)) (let ((a b) (b a)) (and a (not b))))) P))
(assert (=> P (|odd name| (abs (- 3)) (= 1 1 2))))
(check-sat)
",
    "(declare-fun A (Bool Bool) Bool)
(assert (forall ((x Bool) (y Bool)) (=> (xor x y) (A x y))))
(assert (forall ((x Bool) (y Bool)) (=> (A x y) (=> (not x) (=> y (A y x))))))
(assert (forall ((x Bool)) (or (not (A x x)) x (not (A (not x) x)))))
(assert (forall ((x Bool)) (forall ((y Bool)) (let ((z (and x y))) (forall ((x Bool)) (=> (A x z) (A z (ite x y z))))))))
(check-sat)
",
    "(declare-datatypes () ((Color red green (mix (c1 Color) (c2 Color)))))
(declare-fun paint (Color Real) Bool)
(define-const pale Real 0.25)
(assert (paint red 1))
(assert (forall ((c Color) (r Real)) (=> (and (paint c r) (is-mix c) (<= 0 r 1)) (paint (c1 c) (* pale r 2)))))
(assert (forall ((c Color)) (=> (paint c pale) (match c ((red false) ((mix _ d) (paint d 0.5)) (_ true))))))
(check-sat)
",
];

const GENERAL: &str = "(set-option :produce-interpolants true)
(set-logic QF_UFLIA)
(declare-sort U 0)
(declare-const x Int)
(declare-fun f (Int U) Int)
(define-fun-rec twice ((y Int)) Int (* 2 y))
(define-funs-rec ((g ((y Int)) Int) (h ((y Int)) Int)) ((+ y 1) (g (g y))))
(push 2)
(declare-const u U)
(assert (! (< (f x u) (! (twice x) :named t)) :named a))
(assert (! (exists ((y Int)) (= (h y) x)) :named b))
(assert (! (> t 3) :named c))
(check-sat-assuming (true (> x 0)))
(get-interpolants a (b) (and c a))
(get-value (x t (f 1 u)))
(echo \"a\"\"b\")
(pop 1)
(get-info :reason-unknown)
(reset-assertions)
(simplify (+ 1 1))
(reset)
(exit)
";

const LIKELY: &[&str] = &[
    "(",
    ")",
    " ",
    "\n",
    "x",
    "0",
    "1.5",
    "#b1",
    "#xff",
    "true",
    "false",
    "not",
    "and",
    "or",
    "=>",
    "=",
    "let",
    "forall",
    "exists",
    "!",
    "as",
    "_",
    "match",
    "ite",
    "Int",
    "Bool",
    "Real",
    "|",
    "\"",
    ";",
    ":named",
    "n",
    "par",
    "(_ BitVec 8)",
    "(Array Int Int)",
    "(assert true)",
    "(push 1)",
    "(pop 1)",
    "(check-sat)",
    "select",
    "store",
    "xor",
    "-",
    "/",
    "div",
    "\u{e9}",
    "99999999999",
];

fn tokens(text: &[u8]) -> Vec<(usize, usize)> {
    let mut lexer = Lexer::new(text, 0);
    let mut found = Vec::new();
    loop {
        let token = lexer.next_token();
        if token.kind == Kind::End {
            return found;
        }
        found.push((token.start as usize, token.end as usize));
    }
}

/// Damages a script once.
fn mutate(text: &mut Vec<u8>, random: &mut Rng) {
    if text.is_empty() {
        return text.push(b'(');
    }
    let at = random.below(text.len());
    let tokens = tokens(text);
    let pick = |random: &mut Rng| match tokens.len() {
        0 => (0, 0),
        count => tokens[random.below(count)],
    };
    let (start, end) = pick(random);
    let (other_start, other_end) = pick(random);
    match random.below(10) {
        0 => text[at] ^= 1 << random.below(8),
        1 => text.truncate(at),
        2 => drop(text.drain(start..end)),
        3 | 4 => {
            let copy = text[other_start..other_end].to_vec();
            drop(text.splice(start..end, copy));
        }
        5 => {
            let copy = text[start..end].to_vec();
            drop(text.splice(start..start, copy));
        }
        6 | 7 => {
            let word = random.pick(LIKELY);
            drop(text.splice(start..end, word.bytes()));
        }
        8 => {
            let word = random.pick(LIKELY);
            drop(text.splice(start..start, word.bytes().chain([b' '])));
        }
        _ => {
            let piece = text[at.min(start)..at.max(start)].to_vec();
            drop(text.splice(end..end, piece));
        }
    }
}

fn is_inside(diagnostics: &Diagnostics, size: usize) -> bool {
    let mut spans = diagnostics.list.iter().map(|diagnostic| diagnostic.span);
    spans.all(|span| span.start <= span.end && span.end as usize <= size)
}

fn check_general(text: &[u8]) -> bool {
    let (script, diagnostics) = general::read(text);
    assert!(is_inside(&diagnostics, text.len()), "{}", String::from_utf8_lossy(text));
    assert_eq!(script.is_some(), diagnostics.is_clean());
    script.is_some()
}

fn check(text: &[u8]) -> bool {
    check_general(text);
    let (script, diagnostics) = read(text);
    assert!(is_inside(&diagnostics, text.len()), "{}", String::from_utf8_lossy(text));
    assert_eq!(script.is_some(), diagnostics.is_clean());
    if let Some(script) = &script {
        check_round_trip(&script.horn, &String::from_utf8_lossy(text));
    }
    script.is_some()
}

#[test]
fn scripts_are_sound_before_they_are_damaged() {
    for script in SCRIPTS {
        check_round_trip(&read_sound(script.as_bytes()).horn, script);
    }
}

#[test]
fn damaged_scripts() {
    for (number, script) in SCRIPTS.iter().enumerate() {
        let mut random = Rng::new(number as u64);
        let mut survived = 0;
        for _ in 0..2_000 {
            let mut text = script.as_bytes().to_vec();
            for _ in 0..1 + random.below(3) {
                mutate(&mut text, &mut random);
            }
            survived += usize::from(check(&text));
        }
        // Damage that always destroys would test only the first error.
        assert!(survived >= 30, "script {number}: {survived} survived");
    }
}

#[test]
fn damaged_general_scripts() {
    let mut random = Rng::new(0x2545_f491_4f6c_dd1d);
    let mut survived = 0;
    assert!(check_general(GENERAL.as_bytes()));
    for _ in 0..10_000 {
        let mut text = GENERAL.as_bytes().to_vec();
        for _ in 0..1 + random.below(3) {
            mutate(&mut text, &mut random);
        }
        survived += usize::from(check_general(&text));
    }
    assert!(survived >= 200, "{survived} survived");
    for end in 0..GENERAL.len() {
        check_general(&GENERAL.as_bytes()[..end]);
    }
}

#[test]
fn cut_off_scripts() {
    for script in SCRIPTS {
        for end in 0..script.len() {
            check(&script.as_bytes()[..end]);
        }
    }
}

#[test]
fn noise() {
    let mut random = Rng::new(88172645463325252);
    for _ in 0..2_000 {
        let length = random.below(200);
        let bytes: Vec<u8> = (0..length).map(|_| random.next_u64() as u8).collect();
        check(&bytes);
        let words: Vec<&str> = (0..length).map(|_| random.pick(LIKELY)).collect();
        check(words.join(" ").as_bytes());
        check(words.concat().as_bytes());
    }
}
