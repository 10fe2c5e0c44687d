//! Projection of array variables from conjunctions of literals.
//!
//! A read after a write is decided by the model: it is the value written, or the read below, and the
//! literals say so about the indices. An equation `store(a, i, v) = t` with an `a` to be eliminated makes `a`
//! the array `t` but at `i`, where it may be anything, and `t[i]` is `v`. Arrays that differ do
//! so at an index of the model, named by a term where there is one. When `a` is left in reads only, each
//! becomes a variable for the element, one for each index of the model, and the literals say which
//! indices are equal and which are not: there is an array with these elements. The variables for
//! elements are projected like others.
//!
//! - here: the order of the steps, reads, and indices that equal others
//! - `equation`: equations and disequations of arrays
//!
//! Invariant: the literals are true in the valuation, and imply that values of the variables and of
//! the array exist for which the given ones are true.
//!
//! After Komuravelli, Bjørner, Gurfinkel, McMillan, "Compositional verification of procedural
//! programs using Horn clauses over integers and arrays" (FMCAD 2015).

mod equation;

use super::cube::solve_equations;
use super::mentions::Mentions;
use super::valuation::Valuation;
use alphorn_term::{Op, Sort, SortId, Store, Substitution, TermId, Value};
use rustc_hash::{FxHashMap, FxHashSet};

/// Literals whose array variables are being eliminated.
pub(super) struct ArrayProjection<'a> {
    store: &'a mut Store,
    values: &'a mut Valuation,
    literals: Vec<TermId>,
    /// What is to be eliminated, with variables that stand for elements and indices.
    variables: Vec<TermId>,
    /// How many of the variables were given.
    given: usize,
    /// Literals that nothing more can be done about.
    done: FxHashSet<TermId>,
}

/// Whether a sort is one of arrays.
pub(super) fn is_array(store: &Store, sort: SortId) -> bool {
    matches!(store.sort_of(sort), Sort::Array(..))
}

/// Eliminates array variables from literals that are true in a valuation, as far as that goes; the
/// variables that stand for elements and indices are then to be eliminated, too, and are given.
pub(super) fn project_arrays(
    store: &mut Store,
    literals: &mut Vec<TermId>,
    variables: &[TermId],
    values: &mut Valuation,
) -> Option<Vec<TermId>> {
    if !literals.iter().any(|&literal| has_arrays(store, literal)) {
        return Some(Vec::new());
    }
    let mut projection = ArrayProjection {
        store,
        values,
        literals: std::mem::take(literals),
        variables: variables.to_vec(),
        given: variables.len(),
        done: FxHashSet::default(),
    };
    projection.run()?;
    *literals = projection.literals;
    Some(projection.variables.split_off(projection.given))
}

fn has_arrays(store: &Store, literal: TermId) -> bool {
    store.subterms(&[literal]).iter().any(|&term| is_array(store, store.sort(term)))
}

impl ArrayProjection<'_> {
    fn run(&mut self) -> Option<()> {
        loop {
            solve_equations(self.store, &mut self.literals, &self.variables);
            self.resolve_reads()?;
            if self.simplify_equation()? {
                continue;
            }
            let Some(array) = self.array_in_reads() else { break };
            self.name_elements(array)?;
        }
        self.settle_indices();
        Some(())
    }

    fn mentions(&self) -> Mentions {
        Mentions::new(&self.variables)
    }

    fn holds_equal(&mut self, left: TermId, right: TermId) -> Option<bool> {
        Some(self.values.value(self.store, left)? == self.values.value(self.store, right)?)
    }

    /// Adds that two terms are equal, or that they are not, as the model has it.
    fn add_comparison(&mut self, left: TermId, right: TermId, is_equal: bool) {
        let equation = self.store.eq(left, right);
        let literal = if is_equal { equation } else { self.store.not(equation) };
        self.add(literal);
    }

    fn add(&mut self, literal: TermId) {
        if literal != TermId::TRUE && !self.literals.contains(&literal) {
            self.literals.push(literal);
        }
    }

    /// A variable to be eliminated, with its value.
    fn fresh(&mut self, hint: &str, sort: SortId, value: Value) -> TermId {
        let variable = self.store.fresh_var(hint, sort);
        self.values.set(variable, value);
        self.variables.push(variable);
        variable
    }

    fn replace(&mut self, map: &Substitution) {
        self.literals = self.store.substitute_all(&self.literals, map);
        let mut seen = FxHashSet::default();
        self.literals.retain(|&literal| literal != TermId::TRUE && seen.insert(literal));
    }

    /// Decides reads after writes that variables occur in.
    fn resolve_reads(&mut self) -> Option<()> {
        let mut mentions = self.mentions();
        let mut next = 0;
        let mut done: FxHashMap<TermId, TermId> = FxHashMap::default();
        while let Some(&literal) = self.literals.get(next) {
            if mentions.any(self.store, literal) {
                self.literals[next] = self.resolve(literal, &mut mentions, &mut done)?;
            }
            next += 1;
        }
        let mut seen = FxHashSet::default();
        self.literals.retain(|&literal| literal != TermId::TRUE && seen.insert(literal));
        Some(())
    }

    /// A term with its reads after writes decided.
    fn resolve(
        &mut self,
        root: TermId,
        mentions: &mut Mentions,
        done: &mut FxHashMap<TermId, TermId>,
    ) -> Option<TermId> {
        let mut stack = vec![(root, false)];
        while let Some((term, is_ready)) = stack.pop() {
            if done.contains_key(&term) {
                continue;
            }
            let is_leaf = self.store.args(term).is_empty()
                || matches!(self.store.op(term), Op::Forall | Op::Exists)
                || !mentions.any(self.store, term);
            if is_leaf {
                done.insert(term, term);
            } else if is_ready {
                let args: Vec<TermId> = self.store.args(term).iter().map(|arg| done[arg]).collect();
                let mut result = match args == self.store.args(term) {
                    true => term,
                    false => self.store.rebuild(term, &args),
                };
                while let Some(below) = self.read_below(result)? {
                    result = below;
                }
                done.insert(term, result);
            } else {
                stack.push((term, true));
                stack.extend(self.store.args(term).iter().map(|arg| (*arg, false)));
            }
        }
        done.get(&root).copied()
    }

    /// What a read after a write is in the model.
    fn read_below(&mut self, term: TermId) -> Option<Option<TermId>> {
        let (Op::Select, &[array, index]) = (self.store.op(term), self.store.args(term)) else {
            return Some(None);
        };
        let (Op::Store, &[older, written, value]) = (self.store.op(array), self.store.args(array))
        else {
            return Some(None);
        };
        let is_equal = self.holds_equal(written, index)?;
        self.add_comparison(written, index, is_equal);
        Some(Some(if is_equal { value } else { self.store.select(older, index) }))
    }

    /// An array variable that occurs in reads only, at indices without it.
    fn array_in_reads(&mut self) -> Option<TermId> {
        let arrays: FxHashSet<TermId> = self
            .variables
            .iter()
            .copied()
            .filter(|&variable| is_array(self.store, self.store.sort(variable)))
            .collect();
        let (mut read, mut others) = (Vec::new(), FxHashSet::default());
        for term in self.store.subterms(&self.literals) {
            let is_read = self.store.op(term) == Op::Select;
            for (place, arg) in self.store.args(term).iter().enumerate() {
                if !arrays.contains(arg) {
                    continue;
                }
                match is_read && place == 0 {
                    true => read.push(*arg),
                    false => {
                        others.insert(*arg);
                    }
                }
            }
        }
        read.into_iter().find(|array| !others.contains(array))
    }

    /// Replaces reads of an array by variables for the elements.
    fn name_elements(&mut self, array: TermId) -> Option<()> {
        let mut own = Mentions::new(&[array]);
        let mut reads: Vec<(Value, TermId, TermId)> = Vec::new();
        for term in self.store.subterms(&self.literals) {
            if let (Op::Select, &[from, index]) = (self.store.op(term), self.store.args(term))
                && from == array
                && !own.any(self.store, index)
            {
                reads.push((self.values.value(self.store, index)?, index, term));
            }
        }
        reads.sort();
        let mut map = Substitution::default();
        let mut known: Vec<(Value, TermId, TermId)> = Vec::new();
        for (value, index, read) in reads {
            let element = match known.last() {
                Some((other, first, element)) if *other == value => {
                    let (first, element) = (*first, *element);
                    self.add_comparison(index, first, true);
                    element
                }
                _ => {
                    let content = self.values.value(self.store, read)?;
                    let element = self.fresh("element", self.store.sort(read), content);
                    self.add_order(&known, index);
                    known.push((value, index, element));
                    element
                }
            };
            map.insert(read, element);
        }
        self.replace(&map);
        Some(())
    }

    /// Adds that an index is different from those before it; numbers are above the last.
    fn add_order(&mut self, known: &[(Value, TermId, TermId)], index: TermId) {
        if self.store.sort(index).is_arithmetic() {
            if let Some((_, last, _)) = known.last() {
                let order = self.store.lt(*last, index);
                self.add(order);
            }
            return;
        }
        for (_, other, _) in known {
            self.add_comparison(*other, index, false);
        }
    }

    /// Replaces variables that are indices of arrays that stay by other indices that they equal.
    fn settle_indices(&mut self) {
        let mut mentions = self.mentions();
        let (mut inside, mut outside): (Vec<TermId>, Vec<TermId>) = (Vec::new(), Vec::new());
        for term in self.store.subterms(&self.literals) {
            if !matches!(self.store.op(term), Op::Select | Op::Store) {
                continue;
            }
            let index = self.store.args(term)[1];
            match mentions.any(self.store, index) {
                true if mentions.is_variable(index) => inside.push(index),
                true => {}
                false => outside.push(index),
            }
        }
        let mut map = Substitution::default();
        for index in inside {
            let value = self.values.value(self.store, index);
            let sort = self.store.sort(index);
            let same = outside.iter().copied().find(|&other| {
                self.store.sort(other) == sort && self.values.value(self.store, other) == value
            });
            if let (Some(_), Some(other)) = (value, same) {
                map.insert(index, other);
            }
        }
        if !map.is_empty() {
            self.replace(&map);
        }
    }
}
