//! Projection of datatype variables from conjunctions of literals.
//!
//! An equation that says what a variable is makes it leave at once. Where variables are below a
//! constructor, an equation with the application says which constructor made the other side and what
//! its fields are, so that the variables can be solved for; of a disequality the model's reason is kept:
//! another constructor, or a field that differs. A variable with a selector or tester is replaced by the
//! constructor that it has in the model, applied to variables for the fields, which are projected in
//! their turn. What is left of a variable of an infinite sort are disequalities, which some value satisfies
//! whatever the other sides are; one of a finite sort is replaced like one with a tester.
//!
//! Literals with selectors say the tester as well, so nothing rests on what selectors give on other
//! constructors, unless the given literals do.
//!
//! Invariant: the literals are true in the valuation, and imply that values of the variables exist for
//! which the given ones are true. A variable is replaced only below selectors and testers, which
//! disappear by it, so one conjunction has finitely many results.
//!
//! After Bjørner, Janota, "Playing with quantified satisfaction" (LPAR 2015), which says less.

use super::cube::solve_equations;
use super::implicant::implicant_in;
use super::mentions::Mentions;
use super::valuation::Valuation;
use crate::datatypes::is_finite;
use alphorn_term::{CtorId, Op, Sort, SortId, Store, Substitution, TermId, Value};
use rustc_hash::FxHashMap;

/// Literals whose datatype variables are being eliminated.
struct TreeProjection<'a> {
    store: &'a mut Store,
    values: &'a mut Valuation,
    literals: Vec<TermId>,
    /// What is to be eliminated, with variables that stand for fields.
    variables: Vec<TermId>,
    finite: FxHashMap<SortId, bool>,
}

/// Eliminates datatype variables from literals that are true in a valuation, as far as that goes; the
/// variables that stand for fields are then to be eliminated, too, and are given.
pub(super) fn project_trees(
    store: &mut Store,
    literals: &mut Vec<TermId>,
    variables: &[TermId],
    values: &mut Valuation,
) -> Option<Vec<TermId>> {
    let has_trees = |literal| store.subterms(&[literal]).iter().any(|&term| is_tree(store, term));
    if !literals.iter().any(|&literal| has_trees(literal)) {
        return Some(Vec::new());
    }
    // What is solved for may be inside what it equals.
    let is_endless = |&term: &TermId| store.codata_of(store.sort(term)).is_some();
    if store.subterms(literals).iter().any(is_endless) {
        return None;
    }
    let mut projection = TreeProjection {
        store,
        values,
        literals: std::mem::take(literals),
        variables: variables.to_vec(),
        finite: FxHashMap::default(),
    };
    projection.run()?;
    *literals = projection.literals;
    Some(projection.variables.split_off(variables.len()))
}

/// Whether a term is a value of a datatype.
fn is_tree(store: &Store, term: TermId) -> bool {
    matches!(store.sort_of(store.sort(term)), Sort::Data(_))
}

/// The sides of a comparison of trees, and whether it says that they are equal.
fn comparison(store: &Store, literal: TermId) -> Option<(TermId, TermId, bool)> {
    let (atom, is_equal) = match store.op(literal) {
        Op::Not => (store.args(literal)[0], false),
        _ => (literal, true),
    };
    match (store.op(atom), store.args(atom)) {
        (Op::Eq, &[left, right]) if is_tree(store, left) => Some((left, right, is_equal)),
        _ => None,
    }
}

impl TreeProjection<'_> {
    fn run(&mut self) -> Option<()> {
        loop {
            solve_equations(self.store, &mut self.literals, &self.variables);
            if self.unfold()? {
                continue;
            }
            self.drop_disequalities();
            let Some(variable) = self.next_to_replace() else { return Some(()) };
            self.replace(variable)?;
        }
    }

    /// Takes a comparison with an application of a constructor to variables apart; whether there was one.
    fn unfold(&mut self) -> Option<bool> {
        let mut mentions = Mentions::new(&self.variables);
        for place in 0..self.literals.len() {
            let literal = self.literals[place];
            if !mentions.any(self.store, literal) {
                continue;
            }
            let parts = match self.store.op(literal) {
                Op::Distinct if is_tree(self.store, self.store.args(literal)[0]) => {
                    self.pairs(literal)
                }
                _ => {
                    let Some((left, right, is_equal)) = comparison(self.store, literal) else {
                        continue;
                    };
                    let is_made = |term| matches!(self.store.op(term), Op::Construct(_));
                    let left_first = match (is_made(left), is_made(right)) {
                        (true, true) => true,
                        (true, false) if mentions.any(self.store, left) => true,
                        (false, true) if mentions.any(self.store, right) => false,
                        _ => continue,
                    };
                    let (made, other) = if left_first { (left, right) } else { (right, left) };
                    match is_equal {
                        true => self.equal_parts(made, other),
                        false => self.different_parts(made, other, &mut mentions)?,
                    }
                }
            };
            self.literals.swap_remove(place);
            self.literals.extend(parts);
            // Comparisons of truth values are no literals.
            self.literals = implicant_in(self.store, &self.literals, self.values)?;
            return Some(true);
        }
        Some(false)
    }

    /// The disequalities that a literal with many terms comes to.
    fn pairs(&mut self, distinct: TermId) -> Vec<TermId> {
        let args = self.store.args(distinct).to_vec();
        let mut parts = Vec::new();
        for (place, &left) in args.iter().enumerate() {
            for &right in &args[place + 1..] {
                let equation = self.store.eq(left, right);
                parts.push(self.store.not(equation));
            }
        }
        parts
    }

    fn ctor_of(&self, made: TermId) -> Option<CtorId> {
        match self.store.op(made) {
            Op::Construct(ctor) => Some(ctor),
            _ => None,
        }
    }

    /// What it means that an application of a constructor equals another term.
    fn equal_parts(&mut self, made: TermId, other: TermId) -> Vec<TermId> {
        let Some(ctor) = self.ctor_of(made) else { return Vec::new() };
        let mut parts = vec![self.store.mk(Op::Is(ctor), &[other])];
        for (place, arg) in self.store.args(made).to_vec().into_iter().enumerate() {
            let field = self.store.mk(Op::Field(ctor, place as u32), &[other]);
            parts.push(self.store.eq(field, arg));
        }
        parts
    }

    /// Why an application of a constructor differs from another term.
    fn different_parts(
        &mut self,
        made: TermId,
        other: TermId,
        mentions: &mut Mentions,
    ) -> Option<Vec<TermId>> {
        let ctor = self.ctor_of(made)?;
        let test = self.store.mk(Op::Is(ctor), &[other]);
        if self.values.holds(self.store, test)? {
            let args = self.store.args(made).to_vec();
            let mut best: Option<(bool, TermId)> = None;
            for (place, arg) in args.into_iter().enumerate() {
                let field = self.store.mk(Op::Field(ctor, place as u32), &[other]);
                let equation = self.store.eq(field, arg);
                let is_variable = mentions.is_variable(arg);
                // A variable that differs from something is rarely an obstacle to others.
                if self.values.holds(self.store, equation) == Some(false)
                    && best.is_none_or(|(other, _)| is_variable && !other)
                {
                    best = Some((is_variable, equation));
                }
            }
            let (_, equation) = best?;
            return Some(vec![test, self.store.not(equation)]);
        }
        Some(vec![self.store.not(test)])
    }

    fn is_finite(&mut self, variable: TermId) -> bool {
        is_finite(self.store, self.store.sort(variable), &mut self.finite)
    }

    /// Leaves out disequalities that are all that is said about a variable of an infinite sort.
    fn drop_disequalities(&mut self) {
        for variable in self.variables.clone() {
            if !is_tree(self.store, variable) || self.is_finite(variable) {
                continue;
            }
            let mut mentions = Mentions::new(&[variable]);
            let store = &*self.store;
            let mut is_mere = |literal: TermId| match comparison(store, literal) {
                Some((left, right, false)) => {
                    (left == variable && !mentions.any(store, right))
                        || (right == variable && !mentions.any(store, left))
                }
                _ => false,
            };
            let mut others = Mentions::new(&[variable]);
            let is_free = self
                .literals
                .iter()
                .all(|&literal| !others.any(store, literal) || is_mere(literal));
            if is_free {
                self.literals.retain(|&literal| !others.any(store, literal));
            }
        }
    }

    /// A variable with a selector or tester, or of a finite sort.
    fn next_to_replace(&mut self) -> Option<TermId> {
        let subterms = self.store.subterms(&self.literals);
        let mut asked: Vec<TermId> = Vec::new();
        for &term in &subterms {
            if let (Op::Field(..) | Op::Is(_), &[of]) = (self.store.op(term), self.store.args(term))
            {
                asked.push(of);
            }
        }
        let variables = self.variables.clone();
        variables.into_iter().find(|variable| {
            is_tree(self.store, *variable)
                && subterms.contains(variable)
                && (asked.contains(variable) || self.is_finite(*variable))
        })
    }

    /// Replaces a variable by its constructor in the model, applied to variables for the fields.
    fn replace(&mut self, variable: TermId) -> Option<()> {
        let Value::Data(data) = self.values.value(self.store, variable)? else { return None };
        let fields = self.store.ctor(data.ctor).fields.clone();
        let mut args = Vec::with_capacity(fields.len());
        for ((name, sort), value) in fields.into_iter().zip(&data.args) {
            let hint = self.store.name(name).to_owned();
            let field = self.store.fresh_var(&hint, sort);
            self.values.set(field, value.clone());
            self.variables.push(field);
            args.push(field);
        }
        let made = self.store.mk(Op::Construct(data.ctor), &args);
        let map: Substitution = [(variable, made)].into_iter().collect();
        self.literals = self.store.substitute_all(&self.literals, &map);
        self.literals.retain(|&literal| literal != TermId::TRUE);
        self.literals = implicant_in(self.store, &self.literals, self.values)?;
        Some(())
    }
}
