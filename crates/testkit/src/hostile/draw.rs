//! Choices, the same for the same seed, and texts of terms that are larger than they look.
//!
//! A term is a bomb of one of a few styles: what doubles with each `let`, what is deep, what is long,
//! what has wide words or long numbers. How large it is meant to be is drawn, mostly small.

use crate::Rng;
use std::fmt::Write;

/// A sequence of choices, and how wide the word `w` is.
#[derive(Clone, Debug)]
pub struct Draw {
    rng: Rng,
    width: u64,
}

impl Draw {
    /// The choices of a seed.
    pub fn new(seed: u64) -> Draw {
        Draw { rng: Rng::new(seed), width: 8 }
    }

    /// Any 64 bits.
    pub fn bits(&mut self) -> u64 {
        self.rng.next_u64()
    }

    /// A number below `end`.
    pub fn below(&mut self, end: u64) -> u64 {
        self.rng.below(end.max(1))
    }

    /// True once in so many times.
    pub fn chance(&mut self, one_in: u64) -> bool {
        self.below(one_in) == 0
    }

    /// One of the items.
    pub fn pick<'a, T>(&mut self, from: &'a [T]) -> &'a T {
        &from[self.below(from.len() as u64) as usize]
    }

    /// A size: mostly small, sometimes up to `most`.
    pub fn size(&mut self, most: u64) -> u64 {
        match self.below(8) {
            0..5 => 1 + self.below(8),
            5 | 6 => 1 + self.below(most.min(64)),
            _ => 1 + self.below(most),
        }
    }

    /// A number that is in range, just out of it, or absurd.
    pub fn index(&mut self, count: u64) -> u64 {
        match self.below(6) {
            0 => count,
            1 => u64::from(u32::MAX),
            2 => self.below(1 << 31),
            _ => self.below(count + 1),
        }
    }

    /// A numeral, perhaps of thousands of digits.
    pub fn numeral(&mut self) -> String {
        match self.below(8) {
            0 => "9".repeat(self.size(3_000) as usize),
            1 => format!("1{}", "0".repeat(self.size(3_000) as usize)),
            _ => self.below(9).to_string(),
        }
    }

    /// A multiplier of linear arithmetic.
    pub fn fraction(&mut self) -> String {
        match self.below(4) {
            0 => format!("(/ {}.0 7{}.0)", self.numeral(), self.numeral()),
            1 => format!("(- {}.0)", self.numeral()),
            _ => format!("{}.0", self.numeral()),
        }
    }

    /// A width of words.
    pub fn width(&mut self) -> u64 {
        *self.pick(&[1, 2, 8, 8, 64, 65, 1 << 10, 1 << 16, 1 << 20, 1 << 24])
    }

    /// Makes `w` a word of some width.
    pub fn choose_width(&mut self) -> u64 {
        self.width = self.width();
        self.width
    }

    /// How wide the word `w` is.
    pub fn width_of_word(&self) -> u64 {
        self.width
    }

    /// Makes `w` a word of this width.
    pub fn fix_width(&mut self, width: u64) {
        self.width = width;
    }

    /// A term without free variables: values are put for them.
    pub fn ground(&mut self, term: &str) -> String {
        let width = self.width;
        format!(
            "(let ((x {}) (y 2) (r 0.5) (b true) (l nil) (w (_ bv1 {width})) \
             (a ((as const (Array Int Int)) 0))) {term})",
            self.numeral()
        )
    }

    /// A formula without free variables but those in `except`.
    pub fn closed(&mut self, formula: &str, except: &str) -> String {
        let width = self.width;
        let all = [
            ("x", "Int".to_owned()),
            ("y", "Int".to_owned()),
            ("r", "Real".to_owned()),
            ("b", "Bool".to_owned()),
            ("l", "L".to_owned()),
            ("w", format!("(_ BitVec {width})")),
            ("a", "(Array Int Int)".to_owned()),
        ];
        let vars = all.iter().filter(|(name, _)| !except.contains(name));
        let vars: Vec<String> = vars.map(|(name, sort)| format!("({name} {sort})")).collect();
        let quantifier = self.pick(&["forall", "exists"]);
        format!("({quantifier} ({}) {formula})", vars.join(" "))
    }

    /// `step` applied again and again to `start`, each time twice to what was there: the term doubles
    /// with each level and the text does not.
    pub fn doubled(&mut self, start: &str, step: &str, most: u64) -> String {
        let levels = self.size(most);
        let mut out = String::new();
        let _ = write!(out, "(let ((q {start})) ");
        for _ in 0..levels {
            let _ = write!(out, "(let ((q {step})) ");
        }
        out.push('q');
        out.push_str(&")".repeat(levels as usize + 1));
        out
    }

    /// `open` nested around `start`.
    pub fn nested(&mut self, open: &str, start: &str, close: &str, most: u64) -> String {
        let levels = self.size(most) as usize;
        format!("{}{start}{}", open.repeat(levels), close.repeat(levels))
    }

    /// An integer.
    pub fn int(&mut self) -> String {
        match self.below(12) {
            0 => self.doubled("x", "(* q q)", 80),
            1 => self.doubled("3", "(* q q)", 80),
            2 => self.doubled("x", "(+ q q 1)", 200),
            3 => self.nested("(+ x ", "y", ")", 800),
            4 => self.nested("(* 3 (+ y ", "x", "))", 400),
            5 => {
                let width = self.width();
                format!("(ubv_to_int ((_ int_to_bv {width}) x))")
            }
            6 => format!("(sbv_to_int {})", self.word()),
            7 => format!("(ite {} x y)", self.formula()),
            8 => format!("(div {} {})", self.numeral(), self.numeral()),
            9 => format!("(select {} x)", self.array()),
            10 => self.numeral(),
            _ => (*self.pick(&["x", "y", "(abs x)", "(mod x y)", "(div x 0)"])).to_owned(),
        }
    }

    /// A real number.
    pub fn real(&mut self) -> String {
        match self.below(6) {
            0 => self.doubled("r", "(* q q)", 80),
            1 => self.doubled("(/ 1.0 3.0)", "(* q q)", 80),
            2 => self.doubled("(/ 1.0 7.0)", "(+ q (/ q 3.0))", 300),
            3 => format!("(to_real {})", self.int()),
            4 => self.fraction(),
            _ => "r".to_owned(),
        }
    }

    /// A word as wide as `w`.
    pub fn word(&mut self) -> String {
        let (width, high) = (self.width, self.width - 1);
        match self.below(10) {
            0 => self.doubled("w", "(bvmul q q)", 40),
            1 => self.doubled("w", "(bvshl q (bvnot q))", 40),
            2 => self.doubled("w", "(bvudiv q (bvadd q w))", 20),
            3 => {
                let bits = self.width();
                format!("((_ extract {high} 0) ((_ zero_extend {bits}) w))")
            }
            4 => {
                let room = (24 - width.ilog2().min(24)).max(1);
                let word = self.doubled("w", "(concat q q)", u64::from(room));
                format!("((_ extract {high} 0) {word})")
            }
            5 => {
                let times = 1 + self.below((1 << 24) / width);
                format!("((_ extract {high} 0) ((_ repeat {times}) w))")
            }
            6 => format!("(_ bv{} {width})", self.below(2)),
            7 => format!("(ite {} w (bvneg w))", self.formula()),
            _ => (*self.pick(&["w", "(bvadd w w)", "(bvurem w w)", "(bvlshr w w)"])).to_owned(),
        }
    }

    /// An array of integers.
    pub fn array(&mut self) -> String {
        match self.below(6) {
            0 => self.nested("(store ", "a", " x y)", 300),
            1 => {
                let count = self.size(200);
                let mut term = "((as const (Array Int Int)) 3)".to_owned();
                for index in 0..count {
                    term = format!("(store {term} {index} {})", self.below(4));
                }
                term
            }
            2 => self.doubled("a", "(store q (select q 0) (select q 1))", 80),
            3 => format!("(ite {} a (store a x y))", self.formula()),
            _ => "a".to_owned(),
        }
    }

    /// A list.
    pub fn data(&mut self) -> String {
        match self.below(5) {
            0 => self.nested("(cons 1 ", "l", ")", 800),
            1 => self.nested("(tail ", "l", ")", 800),
            2 => format!("(cons {} l)", self.numeral()),
            3 => format!("(ite {} l nil)", self.formula()),
            _ => (*self.pick(&["l", "nil", "(tail nil)"])).to_owned(),
        }
    }

    /// A formula.
    pub fn formula(&mut self) -> String {
        match self.below(16) {
            0 => self.doubled(
                "(< x y)",
                "(and (forall ((z Int)) (or q (= x z))) (exists ((z Int)) (and q (<= y z))))",
                80,
            ),
            1 => self.doubled(
                "(< x y)",
                "(forall ((u (_ BitVec 16))) (or q (exists ((v (_ BitVec 16))) (and q (= u v)))))",
                12,
            ),
            2 => self.nested("(forall ((z Int)) (or (= z x) ", "(= x y)", "))", 300),
            3 => self.nested("(not (and (= x 0) ", "(= x y)", "))", 500),
            4 => {
                let count = 2 + self.size(120);
                let list: Vec<String> = (0..count).map(|index| format!("(+ x {index})")).collect();
                format!("(distinct {})", list.join(" "))
            }
            5 => {
                let count = self.size(200);
                let vars: Vec<String> =
                    (0..count).map(|i| format!("(v{i} (_ BitVec 16))")).collect();
                format!("(forall ({}) (= w w))", vars.join(" "))
            }
            6 => self.doubled("b", "(= q (and q b))", 80),
            7 => self.doubled("b", "(ite q b (not q))", 80),
            _ => self.atom(),
        }
    }

    /// A comparison.
    pub fn atom(&mut self) -> String {
        match self.below(12) {
            0 | 1 => format!("(<= {} {})", self.int(), self.int()),
            2 => format!("(= {} {})", self.int(), self.int()),
            3 => format!("(< {} {})", self.real(), self.real()),
            4 => format!("(bvult {} {})", self.word(), self.word()),
            5 => format!("(= {} {})", self.word(), self.word()),
            6 => format!("(= {} {})", self.array(), self.array()),
            7 => format!("(= {} {})", self.data(), self.data()),
            8 => format!("((_ is cons) {})", self.data()),
            9 => format!("(bvumulo w {})", self.word()),
            10 => format!("(is_int {})", self.real()),
            _ => (*self.pick(&["b", "true", "false", "(= x y)", "(<= x 0)"])).to_owned(),
        }
    }
}
