//! Random terms and formulas over the sorts of a theory, as text.

use super::{MAYBE, Sort, Systems, Var};

impl Systems {
    /// A random formula over variables.
    pub(super) fn formula(&mut self, vars: &[Var], depth: u64) -> String {
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
    pub(super) fn term(&mut self, sort: &Sort, vars: &[Var], depth: u64) -> String {
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
    pub(super) fn element(&mut self, sort: &Sort, vars: &[Var], depth: u64) -> Option<String> {
        let fits = |of: &&Sort| matches!(of, Sort::Array(_, element) if **element == *sort);
        let array = self.sorts.iter().find(fits)?.clone();
        let Sort::Array(index, _) = &array else { return None };
        let (whole, at) = (self.term(&array, vars, depth), self.term(index, vars, depth));
        Some(format!("(select {whole} {at})"))
    }

    pub(super) fn number(&mut self, vars: &[Var], depth: u64) -> String {
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

    pub(super) fn word(&mut self, width: u32, vars: &[Var], depth: u64) -> String {
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
}
