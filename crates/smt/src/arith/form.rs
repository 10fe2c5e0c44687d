//! Linear forms: their definitions, rows and values.
//!
//! Forms are kept by their definitions over unknowns, so that forms of forms are shared too. A
//! form without bounds needs no row. It gets one with its first bound, and loses it when pivots
//! have changed the row a number of times while nothing bounded the form: by then changing it has
//! cost as much as making it again will (the rent-or-buy rule).

use crate::settings::ARITH_MAX_IDLE;
use std::cell::OnceCell;

use alphorn_term::{Int, Rat};

use super::bound::{Delta, Limits, Var};
use super::{Arith, Marks, Variable};

impl Arith {
    /// The variable that equals the sum of these multiples: for equal forms the same, and `v`
    /// itself for `1·v`. Integer if there are variables, all are and all coefficients are integers.
    pub fn form(&mut self, terms: &[(Var, Rat)]) -> Var {
        let definition = self.expand(terms);
        if let [(var, coefficient)] = &definition[..]
            && coefficient.is_one()
        {
            return *var;
        }
        if let Some(&var) = self.interned.get(&definition[..]) {
            if std::mem::take(&mut self.variables[var.index()].is_cut) {
                self.cuts.retain(|cut| *cut != var);
                self.note_form(var);
            }
            return var;
        }
        let var = self.add_form(definition);
        self.note_form(var);
        var
    }

    /// Tells a form's unknowns that the caller knows it.
    fn note_form(&mut self, var: Var) {
        let definition = self.variables[var.index()].definition.take();
        for (unknown, _) in definition.iter().flatten() {
            self.variables[unknown.index()].forms.push(var);
        }
        self.variables[var.index()].definition = definition;
    }

    /// A form for a cut, one that the caller does not know if possible.
    pub(super) fn cut_form(&mut self, definition: &[(Var, Rat)]) -> Var {
        if let [(var, coefficient)] = definition
            && coefficient.is_one()
        {
            return *var;
        }
        if let Some(&var) = self.interned.get(definition) {
            return var;
        }
        if let Some(&var) = self.cuts.iter().find(|cut| self.is_detached(**cut)) {
            let variable = &mut self.variables[var.index()];
            variable.value.take();
            let old = variable.definition.replace(definition.into());
            if let Some(old) = old {
                self.interned.remove(&old);
            }
            self.interned.insert(definition.into(), var);
            return var;
        }
        let var = self.add_form(definition.to_vec());
        self.variables[var.index()].is_cut = true;
        self.cuts.push(var);
        var
    }

    fn add_form(&mut self, definition: Vec<(Var, Rat)>) -> Var {
        // Rounding is for inequalities that have unknowns.
        let is_int = !definition.is_empty()
            && definition.iter().all(|(var, by)| self.is_int(*var) && by.is_integer());
        let definition: Box<[(Var, Rat)]> = definition.into();
        let var = self.add_variable(is_int, Some(definition.clone()));
        self.interned.insert(definition, var);
        var
    }

    pub(super) fn add_variable(
        &mut self,
        is_int: bool,
        definition: Option<Box<[(Var, Rat)]>>,
    ) -> Var {
        let var = Var(u32::try_from(self.variables.len()).expect("fewer than 2^32 variables"));
        if definition.is_none() {
            self.unknowns.push(var);
        }
        self.variables.push(Variable {
            is_int,
            definition,
            forms: Vec::new(),
            position: 0,
            is_cut: false,
            value: OnceCell::new(),
        });
        self.limits.push(Limits::default());
        self.values.push(Delta::ZERO);
        self.marks.push(Marks::default());
        self.tableau.grow();
        var
    }

    /// A sum of multiples over unknowns, in ascending order, without zeros.
    pub(super) fn expand(&self, terms: &[(Var, Rat)]) -> Vec<(Var, Rat)> {
        let mut sum: Vec<(Var, Rat)> = Vec::with_capacity(terms.len());
        for (var, factor) in terms {
            match self.definition(*var) {
                None => sum.push((*var, factor.clone())),
                Some(parts) => {
                    sum.extend(parts.iter().map(|(var, part)| (*var, part * factor)));
                }
            }
        }
        sum.sort_by_key(|(var, _)| *var);
        sum.dedup_by(|right, left| {
            let is_same = right.0 == left.0;
            if is_same {
                left.1 += &right.1;
            }
            is_same
        });
        sum.retain(|(_, coefficient)| !coefficient.is_zero());
        sum
    }

    /// Gives a form its row, if it has none.
    #[inline]
    pub(super) fn attach(&mut self, var: Var) {
        if self.is_detached(var) {
            self.add_form_row(var);
        } else if let Some(row) = self.tableau.row_of(var.0) {
            self.tableau.reset_idle(row);
        }
    }

    fn add_form_row(&mut self, var: Var) {
        let Some(definition) = &self.variables[var.index()].definition else { return };
        let mut scale = Int::ONE;
        for (_, coefficient) in definition {
            scale = scale.lcm(&coefficient.denominator());
        }
        let factor = Rat::from(&scale);
        let mut value = Delta::ZERO;
        let mut others = std::mem::take(&mut self.terms);
        for (other, coefficient) in definition {
            value.add_scaled(&self.values[other.index()], coefficient);
            let multiple = coefficient * &factor;
            others.push((other.0, -multiple.numerator()));
        }
        self.tableau.add_row(var.0, scale, &others);
        others.clear();
        self.terms = others;
        self.values[var.index()] = value;
        self.variables[var.index()].position = self.attached.len() as u32;
        self.attached.push(var);
    }

    /// Takes a form, which is basic, out of the tableau.
    fn detach(&mut self, var: Var, row: u32) {
        self.tableau.drop_row(row);
        let position = self.variables[var.index()].position;
        self.attached.swap_remove(position as usize);
        if let Some(moved) = self.attached.get(position as usize) {
            self.variables[moved.index()].position = position;
        }
    }

    /// The number of variables that are not forms without a row.
    #[inline]
    pub(super) fn vars_in_play(&self) -> usize {
        self.unknowns.len() + self.attached.len()
    }

    /// One of the variables that are not forms without a row: unknowns come first.
    #[inline]
    pub(super) fn var_in_play(&self, position: usize) -> Var {
        match position.checked_sub(self.unknowns.len()) {
            None => self.unknowns[position],
            Some(position) => self.attached[position],
        }
    }

    /// Whether a variable is a form without a row. One with a row occurs somewhere, as rows
    /// define it.
    #[inline]
    pub(super) fn is_detached(&self, var: Var) -> bool {
        self.variables[var.index()].definition.is_some() && self.tableau.column(var.0).is_empty()
    }

    /// Drops the row of a form that has had no bounds for a while; the row is about to change.
    #[inline]
    pub(super) fn drop_if_idle(&mut self, row: u32) -> bool {
        let base = Var(self.tableau.base(row));
        if !self.limits[base.index()].is_free()
            || self.variables[base.index()].definition.is_none()
            || self.tableau.count_idle(row) < ARITH_MAX_IDLE.short()
        {
            return false;
        }
        self.detach(base, row);
        true
    }

    /// The value in the last assignment that satisfied all bounds.
    pub fn value(&self, var: Var) -> &Delta {
        let variable = &self.variables[var.index()];
        match &variable.definition {
            Some(definition) if self.is_detached(var) => variable.value.get_or_init(|| {
                self.looked_at.borrow_mut().push(var);
                self.evaluate(definition)
            }),
            _ => &self.values[var.index()],
        }
    }

    pub(super) fn evaluate(&self, definition: &[(Var, Rat)]) -> Delta {
        let mut sum = Delta::ZERO;
        for (var, coefficient) in definition {
            sum.add_scaled(&self.values[var.index()], coefficient);
        }
        sum
    }

    /// Forgets values that were computed on demand, as the assignment is about to change.
    pub(super) fn forget_values(&mut self) {
        for var in self.looked_at.get_mut().drain(..) {
            self.variables[var.index()].value.take();
        }
    }
}
