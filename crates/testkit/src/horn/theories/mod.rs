//! Random systems over words, arrays and datatypes, as text.
//!
//! A system is a loop or a recursion as programs have them, with random numbers in it (`shapes`), or
//! clauses of random terms, or both. What its terms are about is a [`Theory`]. Widths, lists and numbers
//! are small, so that most systems are decided quickly, either way.

mod shapes;
mod terms;

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
