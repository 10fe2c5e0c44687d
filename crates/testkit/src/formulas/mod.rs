//! Random formulas of every theory, and what every answer about them must satisfy.

mod answers;
mod data;
pub mod pigeons;
mod words;

use crate::Rng;
use crate::shrink::Assertions;
use alphorn_term::{FuncId, Op, Sort, SortId, Store, TermId};
pub use answers::{check_answer, declarations, publish};
use data::datatypes;

/// The seeds of a test: so many, or what the environment says.
pub fn seeds(count: u64) -> std::ops::Range<u64> {
    let read = |name: &str| std::env::var(name).ok().and_then(|text| text.parse().ok());
    let first = read("ALPHORN_SEED").unwrap_or(0);
    first..first + read("ALPHORN_SEEDS").unwrap_or(count)
}

/// What random formulas may contain.
#[derive(Clone, Copy, Debug, Default)]
pub struct Kind {
    /// Integers.
    pub ints: bool,
    /// Reals.
    pub reals: bool,
    /// Functions, and elements of a declared sort.
    pub functions: bool,
    /// Conditionals, quotients, remainders, absolute values.
    pub operators: bool,
    /// Products of variables.
    pub products: bool,
    /// Bit-vectors.
    pub words: bool,
    /// Arrays of numbers, or of elements and truth values where there are no numbers.
    pub arrays: bool,
    /// Arrays of arrays, and arrays over truth values.
    pub nested: bool,
    /// An enumeration, a record, numbers by succession, lists, and trees with forests.
    pub data: bool,
}

/// Makes formulas over a few symbols.
pub struct Formulas {
    /// What decides.
    pub rng: Rng,
    /// What they are about.
    pub kind: Kind,
    ints: Vec<TermId>,
    reals: Vec<TermId>,
    bools: Vec<TermId>,
    elements: Vec<TermId>,
    functions: Vec<FuncId>,
    arrays: Vec<TermId>,
    trees: Vec<TermId>,
}

/// Formulas of a kind that are asserted together.
pub fn assertions(rng: &mut Rng, kind: Kind, count: usize) -> Assertions {
    let mut store = Store::new();
    let mut formulas = Formulas::with(&mut store, rng.clone(), kind);
    let mut next = || {
        let depth = 1 + formulas.rng.below(3);
        formulas.formula(&mut store, depth)
    };
    let all = (0..count).map(|_| next()).collect();
    *rng = formulas.rng;
    Assertions { store, formulas: all }
}

impl Formulas {
    /// Declares what formulas of a kind are about; the formulas are those of a seed.
    pub fn new(store: &mut Store, seed: u64, kind: Kind) -> Formulas {
        Formulas::with(store, Rng::new(seed), kind)
    }

    /// Declares what formulas of a kind are about.
    pub fn with(store: &mut Store, mut rng: Rng, kind: Kind) -> Formulas {
        let count = 2 + rng.below(4);
        let mut vars = |prefix: &str, sort: SortId, count: u32| -> Vec<TermId> {
            (0..count).map(|index| store.var(&format!("{prefix}{index}"), sort)).collect()
        };
        let ints = if kind.ints { vars("i", SortId::INT, count) } else { Vec::new() };
        let reals = if kind.reals { vars("r", SortId::REAL, count) } else { Vec::new() };
        let bools = vars("b", SortId::BOOL, 3);
        let (mut elements, mut functions) = (Vec::new(), Vec::new());
        if kind.functions {
            let symbol = store.symbol("U");
            let sort = store.sort_id(Sort::Uninterpreted(symbol, Vec::new()));
            elements = (0..3).map(|index| store.var(&format!("u{index}"), sort)).collect();
            functions.push(store.declare("f", &[sort], sort));
            functions.push(store.declare("g", &[sort, sort], sort));
            functions.push(store.declare("p", &[sort], SortId::BOOL));
            functions.push(store.declare("q", &[SortId::BOOL], sort));
            if kind.ints {
                functions.push(store.declare("h", &[SortId::INT], SortId::INT));
                functions.push(store.declare("k", &[SortId::INT, SortId::INT], SortId::INT));
                functions.push(store.declare("m", &[SortId::INT], sort));
            }
            if kind.reals {
                functions.push(store.declare("w", &[SortId::REAL], SortId::REAL));
            }
        }
        let mut trees = Vec::new();
        if kind.data {
            let sorts = datatypes(store, kind);
            for (number, sort) in sorts.iter().enumerate() {
                for index in 0..1 + rng.below(3) {
                    trees.push(store.var(&format!("t{number}{index}"), *sort));
                }
            }
            if kind.functions {
                functions.push(store.declare("dye", &[sorts[0]], sorts[1]));
                functions.push(store.declare("turn", &[sorts[3]], sorts[3]));
                functions.push(store.declare("plant", &[sorts[4], sorts[2]], sorts[5]));
                functions.push(store.declare("is_old", &[sorts[4]], SortId::BOOL));
            }
        }
        let arrays = Vec::new();
        let mut formulas =
            Formulas { rng, kind, ints, reals, bools, elements, functions, arrays, trees };
        if kind.words && kind.functions {
            let element = formulas.elements.first().map(|element| store.sort(*element));
            formulas.declare_word_functions(store, element);
        }
        if kind.arrays {
            formulas.declare_arrays(store);
        }
        formulas
    }

    fn apply(&mut self, store: &mut Store, sort: SortId, depth: u32) -> Option<TermId> {
        let fitting: Vec<FuncId> =
            self.functions.iter().copied().filter(|f| store.func(*f).result == sort).collect();
        if fitting.is_empty() {
            return None;
        }
        let function = self.rng.pick(&fitting);
        let sorts = store.func(function).args.clone();
        let args: Vec<TermId> =
            sorts.iter().map(|sort| self.term(store, *sort, depth.saturating_sub(1))).collect();
        Some(store.mk(Op::Apply(function), &args))
    }

    /// A term of a sort.
    pub fn term(&mut self, store: &mut Store, sort: SortId, depth: u32) -> TermId {
        match sort {
            SortId::BOOL => self.formula(store, depth),
            SortId::INT | SortId::REAL => self.number(store, sort, depth),
            _ if store.width_of(sort).is_some() => {
                let width = store.width_of(sort).unwrap_or(1);
                self.word(store, width, depth)
            }
            _ if matches!(store.sort_of(sort), Sort::Array(..)) => self.array(store, sort, depth),
            _ => {
                if let Sort::Data(data) = *store.sort_of(sort) {
                    return self.tree(store, data, depth);
                }
                if depth > 0
                    && self.rng.below(2) == 0
                    && let Some(term) = self.select(store, sort, depth)
                {
                    return term;
                }
                if depth > 0
                    && self.rng.below(2) == 0
                    && let Some(term) = self.apply(store, sort, depth)
                {
                    return term;
                }
                let elements = self.elements.clone();
                self.rng.pick(&elements)
            }
        }
    }

    fn literal(&mut self, store: &mut Store, sort: SortId) -> TermId {
        let value = self.rng.below(9) as i64 - 4;
        store.number(sort, &value.into())
    }

    fn number(&mut self, store: &mut Store, sort: SortId, depth: u32) -> TermId {
        let vars = if sort == SortId::INT { self.ints.clone() } else { self.reals.clone() };
        let choice = self.rng.below(if depth == 0 { 4 } else { 12 });
        if depth > 0
            && self.kind.arrays
            && self.rng.one_in(3)
            && let Some(term) = self.select(store, sort, depth)
        {
            return term;
        }
        match choice {
            0 => self.literal(store, sort),
            1..=3 => self.rng.pick(&vars),
            4..=6 => {
                let parts: Vec<TermId> = (0..2 + self.rng.below(2))
                    .map(|_| self.number(store, sort, depth - 1))
                    .collect();
                store.mk(Op::Add, &parts)
            }
            7 | 8 => {
                let (factor, term) =
                    (self.literal(store, sort), self.number(store, sort, depth - 1));
                store.mk(Op::Mul, &[factor, term])
            }
            9 if self.kind.operators => {
                let condition = self.formula(store, depth - 1);
                let then = self.number(store, sort, depth - 1);
                let other = self.number(store, sort, depth - 1);
                store.ite(condition, then, other)
            }
            9 if self.kind.words && sort == SortId::INT => {
                let width = 1 + self.rng.below(4);
                let word = self.word(store, width, depth - 1);
                let op = if self.rng.one_in(2) { Op::UbvToInt } else { Op::SbvToInt };
                store.mk(op, &[word])
            }
            10 if self.kind.operators && sort == SortId::INT => {
                let x = self.number(store, sort, depth - 1);
                let n = store.int(i64::from(2 + self.rng.below(3)));
                match self.rng.below(3) {
                    0 => store.mk(Op::IntDiv, &[x, n]),
                    1 => store.mk(Op::Mod, &[x, n]),
                    _ => store.mk(Op::Abs, &[x]),
                }
            }
            10 if self.kind.operators && self.kind.ints => {
                let x = self.number(store, SortId::INT, depth - 1);
                store.mk(Op::ToReal, &[x])
            }
            11 if self.kind.products => {
                let (a, b) = (self.rng.pick(&vars), self.rng.pick(&vars));
                store.mk(Op::Mul, &[a, b])
            }
            _ => {
                if self.kind.data
                    && self.rng.one_in(2)
                    && let Some(term) = self.field(store, sort, depth)
                {
                    return term;
                }
                match self.apply(store, sort, depth) {
                    Some(term) => term,
                    None => self.rng.pick(&vars),
                }
            }
        }
    }

    fn atom(&mut self, store: &mut Store, depth: u32) -> TermId {
        if self.kind.words && !self.rng.one_in(4) {
            return self.comparison(store, depth);
        }
        if self.kind.data && self.rng.below(3) > 0 {
            return self.tree_atom(store, depth);
        }
        let mut sorts = Vec::new();
        if self.kind.ints {
            sorts.extend([SortId::INT, SortId::INT]);
        }
        if self.kind.reals {
            sorts.extend([SortId::REAL, SortId::REAL]);
        }
        if let Some(element) = self.elements.first() {
            sorts.push(store.sort(*element));
        }
        sorts.push(SortId::BOOL);
        sorts.extend(self.arrays.iter().map(|array| store.sort(*array)));
        let sort = self.rng.pick(&sorts);
        if sort == SortId::BOOL {
            if self.rng.one_in(2)
                && let Some(term) = self.select(store, sort, depth)
            {
                return term;
            }
            if let (true, Some(term)) = (self.rng.one_in(2), self.apply(store, sort, depth)) {
                return term;
            }
            let bools = self.bools.clone();
            return self.rng.pick(&bools);
        }
        let (left, right) = (self.term(store, sort, depth), self.term(store, sort, depth));
        match self.rng.below(3) {
            0 if sort.is_arithmetic() => store.mk(Op::Le, &[left, right]),
            1 if sort.is_arithmetic() => store.mk(Op::Lt, &[left, right]),
            _ => store.eq(left, right),
        }
    }

    /// A formula.
    pub fn formula(&mut self, store: &mut Store, depth: u32) -> TermId {
        if depth == 0 || self.rng.below(4) == 0 {
            let term = self.atom(store, depth.min(2));
            return if self.rng.one_in(2) { store.not(term) } else { term };
        }
        let count = 2 + self.rng.below(2);
        let parts: Vec<TermId> = (0..count).map(|_| self.formula(store, depth - 1)).collect();
        match self.rng.below(6) {
            0 | 1 => store.and(&parts),
            2 | 3 => store.or(&parts),
            4 => store.eq(parts[0], parts[1]),
            _ => {
                let condition = self.formula(store, 0);
                store.ite(condition, parts[0], parts[1])
            }
        }
    }
}
