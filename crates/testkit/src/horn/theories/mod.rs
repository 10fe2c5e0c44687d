//! Random systems over words, arrays and datatypes, as text.
//!
//! A system is a loop or a recursion as programs have them, with random numbers in it (`shapes`), or
//! clauses of random terms, or both. What its terms are about is a [`Theory`]. Widths, lists and numbers
//! are small, so that most systems are decided quickly, either way.

mod shapes;

use crate::Rng;

/// What random systems are about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Theory {
    /// Words of one to eight bits, now and then of 32.
    Words,
    /// Arrays from numbers to numbers, from words to words, and arrays of arrays.
    Arrays,
    /// An enumeration, pairs, lists, trees, and a parametric type.
    Data,
}

/// The sort of a random term.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Sort {
    /// Truth values.
    Bool,
    /// Integers.
    Int,
    /// Words of so many bits.
    Word(u32),
    /// Arrays with indices and elements.
    Array(Box<Sort>, Box<Sort>),
    /// A datatype, by its name; see [`DATATYPES`].
    Data(&'static str),
}

/// The datatypes of all systems about datatypes.
pub const DATATYPES: &str = "(declare-datatypes ((Colour 0)) (((red) (green) (blue))))
(declare-datatypes ((Pair 0)) (((pair (first Int) (second Colour)))))
(declare-datatypes ((List 0)) (((nil) (cons (head Int) (tail List)))))
(declare-datatypes ((Tree 0)) (((leaf) (node (left Tree) (key Int) (right Tree)))))
(declare-datatypes ((Maybe 1)) ((par (A) ((none) (some (value A))))))
";

const MAYBE: &str = "(Maybe Int)";

impl Sort {
    /// Arrays of a sort with indices of a sort.
    pub fn array(index: Sort, element: Sort) -> Sort {
        Sort::Array(Box::new(index), Box::new(element))
    }

    /// As in a script.
    pub fn text(&self) -> String {
        match self {
            Sort::Bool => "Bool".to_owned(),
            Sort::Int => "Int".to_owned(),
            Sort::Word(width) => format!("(_ BitVec {width})"),
            Sort::Array(index, element) => format!("(Array {} {})", index.text(), element.text()),
            Sort::Data(name) => (*name).to_owned(),
        }
    }
}

/// A variable with its sort.
pub type Var = (String, Sort);

/// Makes systems of one theory.
pub struct Systems {
    rng: Rng,
    theory: Theory,
    sorts: Vec<Sort>,
    preds: Vec<(String, Vec<Sort>)>,
    clauses: Vec<String>,
}

impl Systems {
    /// The system of a theory for a seed.
    pub fn text(theory: Theory, seed: u64) -> String {
        let mut rng = Rng::new(seed);
        let word = Sort::Word([1, 2, 3, 4, 5, 8][rng.below(6) as usize]);
        let wide = if rng.below(6) == 0 { Sort::Word(32) } else { Sort::Word(3) };
        let ints = Sort::array(Sort::Int, Sort::Int);
        let sorts = match (theory, rng.below(4)) {
            (Theory::Words, _) => vec![word, wide, Sort::Bool],
            (Theory::Arrays, 0) => {
                vec![Sort::Word(3), word.clone(), Sort::array(Sort::Word(3), word)]
            }
            (Theory::Arrays, 1) => {
                let grid = Sort::array(Sort::Int, ints.clone());
                vec![Sort::Int, ints, grid]
            }
            (Theory::Arrays, 2) => {
                vec![Sort::Int, Sort::Bool, Sort::array(Sort::Int, Sort::Bool), ints]
            }
            (Theory::Arrays, _) => vec![Sort::Int, Sort::Int, ints],
            (Theory::Data, 0) => vec![Sort::Int, Sort::Data("Colour"), Sort::Data("Pair")],
            (Theory::Data, 1) => vec![Sort::Int, Sort::Data("Tree")],
            (Theory::Data, 2) => vec![Sort::Int, Sort::Data("List"), Sort::Data(MAYBE)],
            (Theory::Data, _) => vec![Sort::Int, Sort::Bool, Sort::Data("List")],
        };
        let mut systems = Systems { rng, theory, sorts, preds: Vec::new(), clauses: Vec::new() };
        systems.fill();
        systems.script()
    }

    fn fill(&mut self) {
        let has_shape = self.chance(60);
        if has_shape {
            self.shape();
        }
        if has_shape && self.chance(60) {
            return;
        }
        for number in 0..1 + self.below(3) {
            let sorts = (0..self.below(4)).map(|_| self.any_sort()).collect();
            self.preds.push((format!("P{number}"), sorts));
        }
        for number in 0..2 + self.below(4) {
            let is_fact = number == 0 || self.chance(15);
            self.random_clause(is_fact, false);
        }
        for _ in 0..1 + self.below(2) {
            self.random_clause(false, true);
        }
    }

    fn script(&self) -> String {
        let mut text = "(set-logic HORN)\n".to_owned();
        if self.theory == Theory::Data {
            text += DATATYPES;
        }
        for (name, sorts) in &self.preds {
            let sorts: Vec<String> = sorts.iter().map(Sort::text).collect();
            text += &format!("(declare-fun {name} ({}) Bool)\n", sorts.join(" "));
        }
        text + &self.clauses.concat() + "(check-sat)\n"
    }

    /// A clause over variables; a query if it has no head.
    fn clause(&mut self, vars: &[Var], body: &[String], head: Option<String>) {
        let bound: Vec<String> =
            vars.iter().map(|(name, sort)| format!("({name} {})", sort.text())).collect();
        let body = match body {
            [] => "true".to_owned(),
            [only] => only.clone(),
            many => format!("(and {})", many.join(" ")),
        };
        let inner = format!("(=> {body} {})", head.as_deref().unwrap_or("false"));
        self.clauses.push(match &bound[..] {
            [] => format!("(assert {inner})\n"),
            _ => format!("(assert (forall ({}) {inner}))\n", bound.join(" ")),
        });
    }

    fn random_clause(&mut self, is_fact: bool, is_query: bool) {
        let vars: Vec<Var> = (0..1 + self.below(4))
            .map(|at| (["x", "y", "z", "u"][at as usize].to_owned(), self.any_sort()))
            .collect();
        let mut body = Vec::new();
        for _ in 0..if is_fact { 0 } else { 1 + self.below(2) * self.below(2) } {
            let atom = self.atom(&vars, 0);
            body.push(match self.below(6) {
                0 => format!("(or {atom} {})", self.formula(&vars, 1)),
                1 => {
                    format!("(or {atom} (and {} {}))", self.atom(&vars, 0), self.formula(&vars, 1))
                }
                _ => atom,
            });
        }
        for (name, sort) in &vars {
            // Equations make most variables determined, as programs do.
            if self.chance(50) {
                let value = self.term(sort, &vars, 2);
                body.push(format!("(= {name} {value})"));
            }
        }
        if self.chance(if is_query { 80 } else { 40 }) {
            body.push(self.formula(&vars, 2));
        }
        let depth = self.below(2);
        let head = if is_query { None } else { Some(self.atom(&vars, depth)) };
        self.clause(&vars, &body, head);
    }

    fn atom(&mut self, vars: &[Var], depth: u64) -> String {
        let at = self.below(self.preds.len() as u64) as usize;
        let (name, sorts) = self.preds[at].clone();
        if sorts.is_empty() {
            return name;
        }
        let args: Vec<String> = sorts.iter().map(|sort| self.term(sort, vars, depth)).collect();
        format!("({name} {})", args.join(" "))
    }

    /// A random formula over variables.
    fn formula(&mut self, vars: &[Var], depth: u64) -> String {
        if depth > 0 && self.chance(30) {
            let (left, right) = (self.formula(vars, depth - 1), self.formula(vars, depth - 1));
            let connective = self.pick(&["and", "or", "=>", "=", "xor", "not"]);
            return match connective {
                "not" => format!("(not {left})"),
                _ => format!("({connective} {left} {right})"),
            };
        }
        let sort = self.any_sort();
        let depth = depth.saturating_sub(1);
        if sort == Sort::Bool {
            return self.term(&sort, vars, 0);
        }
        let (left, right) = (self.term(&sort, vars, depth), self.term(&sort, vars, depth));
        let relation = match &sort {
            Sort::Int => self.pick(&["=", "<", "<=", ">", ">=", "distinct"]),
            Sort::Word(_) => self.pick(&[
                "=", "bvult", "bvule", "bvslt", "bvsle", "bvugt", "bvsge", "distinct", "bvuaddo",
                "bvsaddo", "bvumulo", "bvssubo",
            ]),
            Sort::Data(name) if self.chance(40) => {
                let constructor = match *name {
                    "Colour" => self.pick(&["red", "green", "blue"]),
                    "Pair" => "pair",
                    "List" => self.pick(&["nil", "cons"]),
                    "Tree" => self.pick(&["leaf", "node"]),
                    _ => self.pick(&["none", "some"]),
                };
                return format!("((_ is {constructor}) {left})");
            }
            _ => self.pick(&["=", "distinct"]),
        };
        format!("({relation} {left} {right})")
    }

    /// A random term of a sort over variables.
    fn term(&mut self, sort: &Sort, vars: &[Var], depth: u64) -> String {
        let fitting: Vec<&str> =
            vars.iter().filter(|(_, of)| of == sort).map(|(name, _)| name.as_str()).collect();
        if depth == 0 || self.chance(30) {
            return match fitting.is_empty() || self.chance(20) {
                true => self.constant(sort),
                false => self.pick(&fitting).to_owned(),
            };
        }
        let depth = depth - 1;
        if self.chance(12) {
            let condition = self.formula(vars, depth);
            let (then, other) = (self.term(sort, vars, depth), self.term(sort, vars, depth));
            return format!("(ite {condition} {then} {other})");
        }
        match sort {
            Sort::Bool => self.formula(vars, depth),
            Sort::Int => self.number(vars, depth),
            Sort::Word(width) => self.word(*width, vars, depth),
            Sort::Array(index, element) => {
                let whole = self.term(sort, vars, depth);
                let (at, value) = (self.term(index, vars, depth), self.term(element, vars, depth));
                format!("(store {whole} {at} {value})")
            }
            Sort::Data(name) => self.tree(name, vars, depth),
        }
    }

    /// An element of an array of the system, if it has arrays of such elements.
    fn element(&mut self, sort: &Sort, vars: &[Var], depth: u64) -> Option<String> {
        let fits = |of: &&Sort| matches!(of, Sort::Array(_, element) if **element == *sort);
        let array = self.sorts.iter().find(fits)?.clone();
        let Sort::Array(index, _) = &array else { return None };
        let (whole, at) = (self.term(&array, vars, depth), self.term(index, vars, depth));
        Some(format!("(select {whole} {at})"))
    }

    fn number(&mut self, vars: &[Var], depth: u64) -> String {
        if self.chance(40)
            && let Some(element) = self.element(&Sort::Int, vars, depth)
        {
            return element;
        }
        let has = |name: &str| {
            self.sorts.contains(&Sort::Data(match name {
                "Pair" => "Pair",
                "List" => "List",
                "Tree" => "Tree",
                _ => MAYBE,
            }))
        };
        let fields: Vec<(&str, &'static str)> =
            [("first", "Pair"), ("head", "List"), ("key", "Tree"), ("value", MAYBE)]
                .into_iter()
                .filter(|(_, of)| has(of))
                .collect();
        if !fields.is_empty() && self.chance(40) {
            let (field, of) = fields[self.below(fields.len() as u64) as usize];
            let whole = self.term(&Sort::Data(of), vars, depth);
            return format!("({field} {whole})");
        }
        let (left, right) =
            (self.term(&Sort::Int, vars, depth), self.term(&Sort::Int, vars, depth));
        match self.below(6) {
            0 | 1 => format!("(+ {left} {right})"),
            2 => format!("(- {left} {right})"),
            3 => format!("(* 2 {left})"),
            4 => format!("(mod {left} {})", 2 + self.below(3)),
            _ => format!("(div {left} {})", self.pick(&["2", "3", "(- 2)"])),
        }
    }

    fn word(&mut self, width: u32, vars: &[Var], depth: u64) -> String {
        if self.chance(40)
            && let Some(element) = self.element(&Sort::Word(width), vars, depth)
        {
            return element;
        }
        if self.chance(20) {
            return self.resized(width, vars, depth);
        }
        let sort = Sort::Word(width);
        let left = self.term(&sort, vars, depth);
        if self.chance(15) {
            return match self.below(4) {
                0 => format!("(bvnot {left})"),
                1 => format!("(bvneg {left})"),
                2 => format!("((_ rotate_left {}) {left})", self.below(2 * u64::from(width))),
                _ => format!("((_ rotate_right {}) {left})", self.below(2 * u64::from(width))),
            };
        }
        // Division and multiplication of wide words are not what these systems are to test.
        let cheap =
            ["bvadd", "bvsub", "bvand", "bvor", "bvxor", "bvshl", "bvlshr", "bvashr", "bvxnor"];
        let costly = ["bvmul", "bvudiv", "bvurem", "bvsdiv", "bvsrem", "bvsmod"];
        let operator = match width <= 8 && self.chance(30) {
            true => self.pick(&costly),
            false => self.pick(&cheap),
        };
        let right = self.term(&sort, vars, depth);
        format!("({operator} {left} {right})")
    }

    /// A word made from words of other widths.
    fn resized(&mut self, width: u32, vars: &[Var], depth: u64) -> String {
        let words: Vec<u32> = self
            .sorts
            .iter()
            .filter_map(|sort| if let Sort::Word(other) = sort { Some(*other) } else { None })
            .collect();
        let Some(&other) = words.get(self.below(1 + words.len() as u64) as usize) else {
            return self.constant(&Sort::Word(width));
        };
        let inner = self.term(&Sort::Word(other), vars, depth);
        if other > width {
            let low = self.below(u64::from(other - width) + 1);
            return format!("((_ extract {} {low}) {inner})", low + u64::from(width) - 1);
        }
        if other == width {
            let (high, bits) = (width - 1, self.term(&Sort::Word(width), vars, depth));
            return match width {
                1 => format!("(bvcomp {inner} {bits})"),
                _ => format!("(concat ((_ extract 0 0) {inner}) ((_ extract {high} 1) {bits}))"),
            };
        }
        let extend = self.pick(&["zero_extend", "sign_extend"]);
        format!("((_ {extend} {}) {inner})", width - other)
    }

    fn tree(&mut self, name: &'static str, vars: &[Var], depth: u64) -> String {
        let sort = Sort::Data(name);
        match name {
            "Colour" if self.sorts.contains(&Sort::Data("Pair")) && self.chance(50) => {
                format!("(second {})", self.term(&Sort::Data("Pair"), vars, depth))
            }
            "Pair" => {
                let number = self.term(&Sort::Int, vars, depth);
                format!("(pair {number} {})", self.term(&Sort::Data("Colour"), vars, depth))
            }
            "List" if self.chance(30) => format!("(tail {})", self.term(&sort, vars, depth)),
            "List" => {
                let (head, tail) =
                    (self.term(&Sort::Int, vars, depth), self.term(&sort, vars, depth));
                format!("(cons {head} {tail})")
            }
            "Tree" if self.chance(30) => {
                format!("({} {})", self.pick(&["left", "right"]), self.term(&sort, vars, depth))
            }
            "Tree" => {
                let (left, right) = (self.term(&sort, vars, depth), self.term(&sort, vars, depth));
                format!("(node {left} {} {right})", self.term(&Sort::Int, vars, depth))
            }
            MAYBE => format!("(some {})", self.term(&Sort::Int, vars, depth)),
            _ => self.constant(&sort),
        }
    }

    fn constant(&mut self, sort: &Sort) -> String {
        match sort {
            Sort::Bool => self.pick(&["true", "false"]).to_owned(),
            Sort::Int => self.pick(&["0", "0", "1", "1", "2", "3", "5", "(- 1)"]).to_owned(),
            Sort::Word(width) => {
                let bound = 1_u64 << (*width).min(8);
                format!("(_ bv{} {width})", self.below(bound))
            }
            Sort::Array(_, element) => {
                let element = self.constant(element);
                format!("((as const {}) {element})", sort.text())
            }
            Sort::Data("Colour") => self.pick(&["red", "green", "blue"]).to_owned(),
            Sort::Data("Pair") => self.pick(&["(pair 0 red)", "(pair 1 blue)"]).to_owned(),
            Sort::Data("List") => self.pick(&["nil", "nil", "(cons 1 nil)"]).to_owned(),
            Sort::Data("Tree") => self.pick(&["leaf", "leaf", "(node leaf 1 leaf)"]).to_owned(),
            Sort::Data(name) => format!("(as none {name})"),
        }
    }

    fn any_sort(&mut self) -> Sort {
        let at = self.below(self.sorts.len() as u64) as usize;
        self.sorts[at].clone()
    }

    fn below(&mut self, bound: u64) -> u64 {
        self.rng.below(bound)
    }

    fn chance(&mut self, percent: u64) -> bool {
        self.rng.below(100) < percent
    }

    fn pick<'a>(&mut self, items: &[&'a str]) -> &'a str {
        items[self.rng.below(items.len() as u64) as usize]
    }
}
