//! Equations and disequations of arrays, when variables in them are to be eliminated.
//!
//! Both sides are writes to a base. Writes at one index of the model are one write, the last; what it
//! writes is what the other side has there. So an equation of writes to the same base says something
//! about elements alone, and an equation with a variable for a base determines the variable, up
//! to the elements that were overwritten. Of other equations at least the written values become
//! reads of the other side, which are free of variables for elements.

use super::super::mentions::Mentions;
use super::{ArrayProjection, is_array};
use alphorn_term::value::ArrayValue;
use alphorn_term::{Op, Sort, Store, Substitution, TermId, Value};
use rustc_hash::FxHashMap;

/// What an array was made of: a base, and writes to it, the last one first.
struct Writes {
    base: TermId,
    writes: Vec<(TermId, TermId)>,
}

impl Writes {
    fn of(store: &Store, array: TermId) -> Writes {
        let mut writes = Vec::new();
        let mut base = array;
        while let (Op::Store, &[older, index, value]) = (store.op(base), store.args(base)) {
            writes.push((index, value));
            base = older;
        }
        Writes { base, writes }
    }
}

impl ArrayProjection<'_> {
    /// Replaces an equation or a disequation of arrays in which variables occur; whether there was one.
    pub(super) fn simplify_equation(&mut self) -> Option<bool> {
        let mut mentions = self.mentions();
        for place in 0..self.literals.len() {
            let literal = self.literals[place];
            if self.done.contains(&literal) || !mentions.any(self.store, literal) {
                continue;
            }
            let (atom, is_positive) = match self.store.op(literal) {
                Op::Not => (self.store.args(literal)[0], false),
                _ => (literal, true),
            };
            let args = self.store.args(atom).to_vec();
            let is_array =
                args.first().is_some_and(|&arg| is_array(self.store, self.store.sort(arg)));
            match self.store.op(atom) {
                Op::Eq if is_array => {}
                Op::Distinct if is_array && is_positive => {
                    self.literals.remove(place);
                    for (number, left) in args.iter().enumerate() {
                        for right in &args[number + 1..] {
                            self.add_comparison(*left, *right, false);
                        }
                    }
                    return Some(true);
                }
                _ => continue,
            }
            self.literals.remove(place);
            match is_positive {
                true => self.equal_arrays([args[0], args[1]])?,
                false => self.different_arrays([args[0], args[1]])?,
            }
            return Some(true);
        }
        Some(false)
    }

    /// States where two arrays differ.
    fn different_arrays(&mut self, arrays: [TermId; 2]) -> Option<()> {
        let [Value::Array(left), Value::Array(right)] =
            [self.values.value(self.store, arrays[0])?, self.values.value(self.store, arrays[1])?]
        else {
            return None;
        };
        let place = difference(self.store, &left, &right)?;
        let mut index = None;
        for array in arrays {
            for (written, _) in Writes::of(self.store, array).writes {
                if self.values.value(self.store, written).as_ref() == Some(&place) {
                    index = Some(written);
                }
            }
        }
        let index = match index {
            Some(index) => index,
            None => self.fresh("index", left.index_sort(), place),
        };
        let reads = arrays.map(|array| self.store.select(array, index));
        self.add_comparison(reads[0], reads[1], false);
        Some(())
    }

    /// States what the equation of two arrays says with fewer variables.
    fn equal_arrays(&mut self, arrays: [TermId; 2]) -> Option<()> {
        let sides = arrays.map(|array| Writes::of(self.store, array));
        if sides[0].base == sides[1].base {
            for side in &sides {
                for &(index, _) in &side.writes {
                    let reads = arrays.map(|array| self.store.select(array, index));
                    self.add_comparison(reads[0], reads[1], true);
                }
            }
            return Some(());
        }
        for (side, other) in [(&sides[0], arrays[1]), (&sides[1], arrays[0])] {
            if self.variables.contains(&side.base) && self.solve_base(side, other)? {
                return Some(());
            }
        }
        let mut arrays = arrays;
        for place in [0, 1] {
            arrays[place] = self.read_written(arrays[place], arrays[1 - place])?;
        }
        let equation = self.store.eq(arrays[0], arrays[1]);
        // As it will look after reads were decided, so that it is known then.
        let mut mentions = self.mentions();
        let equation = self.resolve(equation, &mut mentions, &mut FxHashMap::default())?;
        self.done.insert(equation);
        self.add(equation);
        Some(())
    }

    /// Replaces the base of one side by what the other side says it is; false if it cannot be done.
    fn solve_base(&mut self, side: &Writes, other: TermId) -> Option<bool> {
        let mut own = Mentions::new(&[side.base]);
        // Reads of the base inside get names, which they equal when the base is gone.
        let names = self.name_reads(side, other)?;
        let rename: Substitution = names.iter().copied().collect();
        let other = self.store.substitute(other, &rename);
        let mut writes = Vec::with_capacity(side.writes.len());
        for &(index, value) in &side.writes {
            let index = self.store.substitute(index, &rename);
            writes.push((index, self.store.substitute(value, &rename)));
        }
        let mut parts = writes.iter().flat_map(|&(index, value)| [index, value]).chain([other]);
        if parts.any(|part| own.any(self.store, part)) {
            return Some(false);
        }
        let kept = self.last_writes(&Writes { base: side.base, writes }, other)?;
        let mut solution = other;
        for (index, _) in kept {
            let read = self.store.select(side.base, index);
            let value = self.values.value(self.store, read)?;
            let element = self.fresh("element", self.store.sort(read), value);
            solution = self.store.store(solution, index, element);
        }
        for (read, element) in names {
            self.add_comparison(read, element, true);
        }
        let map: Substitution = [(side.base, solution)].into_iter().collect();
        self.replace(&map);
        Some(true)
    }

    /// Names for the reads of a base inside an equation.
    fn name_reads(&mut self, side: &Writes, other: TermId) -> Option<Vec<(TermId, TermId)>> {
        let mut own = Mentions::new(&[side.base]);
        let mut parts: Vec<TermId> =
            side.writes.iter().flat_map(|&(index, value)| [index, value]).collect();
        parts.push(other);
        let mut names = Vec::new();
        for term in self.store.subterms(&parts) {
            if let (Op::Select, &[from, index]) = (self.store.op(term), self.store.args(term))
                && from == side.base
                && !own.any(self.store, index)
            {
                let value = self.values.value(self.store, term)?;
                let element = self.fresh("element", self.store.sort(term), value);
                names.push((term, element));
            }
        }
        Some(names)
    }

    /// The writes that count, of which the literals say that they are at different indices; and that
    /// the other side has the values written.
    fn last_writes(&mut self, side: &Writes, other: TermId) -> Option<Vec<(TermId, TermId)>> {
        let mut kept: Vec<(TermId, TermId)> = Vec::new();
        'writes: for &(index, value) in &side.writes {
            for &(later, _) in &kept {
                let is_equal = self.holds_equal(index, later)?;
                self.add_comparison(index, later, is_equal);
                if is_equal {
                    continue 'writes;
                }
            }
            let read = self.store.select(other, index);
            self.add_comparison(read, value, true);
            kept.push((index, value));
        }
        Some(kept)
    }

    /// An array whose written values with variables are reads of the array that it equals.
    fn read_written(&mut self, array: TermId, other: TermId) -> Option<TermId> {
        let side = Writes::of(self.store, array);
        let mut mentions = self.mentions();
        if !side.writes.iter().any(|(_, value)| mentions.any(self.store, *value)) {
            return Some(array);
        }
        let mut result = side.base;
        for (index, _) in self.last_writes(&side, other)? {
            let read = self.store.select(other, index);
            result = self.store.store(result, index, read);
        }
        Some(result)
    }
}

/// An index at which two arrays differ.
fn difference(store: &Store, left: &ArrayValue, right: &ArrayValue) -> Option<Value> {
    let indices: Vec<&Value> =
        left.entries().chain(right.entries()).map(|(index, _)| index).collect();
    if let Some(index) = indices.iter().find(|index| left.at(index) != right.at(index)) {
        return Some((*index).clone());
    }
    let is_free = |value: &Value| !indices.contains(&value);
    match store.sort_of(left.index_sort()) {
        Sort::Int => (0..).map(|n: i64| Value::Int(n.into())).find(is_free),
        Sort::Real => (0..).map(|n: i64| Value::Real(n.into())).find(is_free),
        Sort::BitVec(width) => {
            let word = |bits| Value::Bv(alphorn_term::Bv::from_u64(*width, bits));
            (0..1 << 16).map(word).find(is_free)
        }
        _ => alphorn_term::value::elements(store, left.index_sort(), 1 << 16)?
            .into_iter()
            .find(is_free),
    }
}
