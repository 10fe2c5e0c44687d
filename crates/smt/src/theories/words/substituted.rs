//! Words with definitions put in, and why they are equal to what they were.
//!
//! An equation in force between a variable and a term *defines* the variable, as long as that does not lead
//! back to it; a number that becomes a word has definitions as well. The *image* of a term has definitions in the
//! place of variables, all the way down but for what binds variables. What is
//! true of images is true of the terms where the equations hold that were used: a `Consequence` is a clause
//! of their negations and of an equation of terms whose images are the same, or polynomials that are equal, or never are.
//!
//! Invariant: a consequence holds in every model, in force or not what it was found by; its proof is a chain
//! of congruences from the words up to their images, and the rule `Ring` between these.

use alphorn_problem::evidence::proof::{Literal, Rule, StepId};
use alphorn_term::{Op, SortId, Store, TermId};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::theories::encode::Lemma;
use crate::theories::proof::Writer;

/// Variables with the equations that define them.
#[derive(Default)]
pub(super) struct Definitions {
    /// By variable the equation, and its other side.
    by: FxHashMap<TermId, (TermId, TermId)>,
    used: FxHashSet<TermId>,
    images: FxHashMap<TermId, TermId>,
}

/// A term that is not its own image.
#[derive(Clone, Copy)]
struct Changed {
    term: TermId,
    image: TermId,
    /// The equation that defines the term, a variable, and its other side.
    by: Option<(TermId, TermId)>,
}

/// An equation that holds, or does not, where others hold.
pub(super) struct Consequence {
    sides: [TermId; 2],
    images: [TermId; 2],
    pub(super) holds: bool,
    /// The equations that it follows from.
    pub(super) premises: Vec<TermId>,
    /// The terms below the sides that have other images, after those below them.
    changed: Vec<Changed>,
}

/// Whether a term is what somebody has to define.
pub(super) fn is_symbol(store: &Store, term: TermId) -> bool {
    let is_free = match store.op(term) {
        Op::Var(_) => true,
        Op::Apply(_) => store.args(term).is_empty(),
        _ => false,
    };
    is_free && store.sort(term) != SortId::BOOL
}

/// What a term is made of; what binds variables is taken as it is.
fn parts(store: &Store, term: TermId) -> &[TermId] {
    match store.op(term) {
        Op::Forall | Op::Exists => &[],
        _ => store.args(term),
    }
}

/// The equation, if it is one between these two as they are.
fn plain_equation(store: &mut Store, left: TermId, right: TermId) -> Option<TermId> {
    let equation = store.eq(left, right);
    let is_plain = store.op(equation) == Op::Eq
        && matches!(store.args(equation), &[a, b] if (a, b) == (left, right) || (b, a) == (left, right));
    is_plain.then_some(equation)
}

impl Definitions {
    /// Takes an equation for a definition, if it can be one; `work` is what may be looked at.
    pub(super) fn learn(&mut self, store: &Store, equation: TermId, work: &mut usize) {
        let (Op::Eq, &[left, right]) = (store.op(equation), store.args(equation)) else { return };
        for (symbol, side) in [(left, right), (right, left)] {
            if is_symbol(store, symbol)
                && !self.by.contains_key(&symbol)
                && !self.leads_to(store, side, symbol, work)
            {
                self.by.insert(symbol, (equation, side));
                self.used.insert(equation);
                self.images.clear();
                return;
            }
        }
    }

    /// Whether an equation defines a variable.
    pub(super) fn is_used(&self, equation: TermId) -> bool {
        self.used.contains(&equation)
    }

    /// Whether a term mentions a variable, with definitions put in; also if that is too much to find out.
    fn leads_to(&self, store: &Store, from: TermId, symbol: TermId, work: &mut usize) -> bool {
        let mut seen: FxHashSet<TermId> = FxHashSet::default();
        let mut stack = vec![from];
        while let Some(term) = stack.pop() {
            if term == symbol || *work == 0 {
                return true;
            }
            if !seen.insert(term) {
                continue;
            }
            *work -= 1;
            stack.extend(self.by.get(&term).map(|(_, side)| *side));
            stack.extend(parts(store, term));
        }
        false
    }

    /// The term with definitions put in, wherever it can be said that this is equal to what was there.
    pub(super) fn image(&mut self, store: &mut Store, root: TermId) -> TermId {
        let mut stack = vec![(root, false)];
        while let Some((term, is_ready)) = stack.pop() {
            if self.images.contains_key(&term) {
                continue;
            }
            let side = self.by.get(&term).map(|(_, side)| *side);
            if !is_ready {
                stack.push((term, true));
                match side {
                    Some(side) => stack.push((side, false)),
                    None => stack.extend(parts(store, term).iter().map(|part| (*part, false))),
                }
                continue;
            }
            let image = match side {
                Some(side) => [self.images[&side], side]
                    .into_iter()
                    .find(|&image| plain_equation(store, term, image).is_some()),
                None => {
                    let of = |arg: &TermId| *self.images.get(arg).unwrap_or(arg);
                    let args: Vec<TermId> = store.args(term).iter().map(of).collect();
                    let has_changed = args != store.args(term);
                    let image = has_changed.then(|| store.rebuild(term, &args));
                    image.filter(|&image| plain_equation(store, term, image).is_some())
                }
            };
            self.images.insert(term, image.unwrap_or(term));
        }
        self.images[&root]
    }

    /// What follows for two terms whose images are known to be equal, or never to be.
    pub(super) fn consequence(
        &mut self,
        store: &mut Store,
        sides: [TermId; 2],
        holds: bool,
    ) -> Option<Consequence> {
        let images = sides.map(|side| self.image(store, side));
        plain_equation(store, sides[0], sides[1])?;
        if images[0] != images[1] {
            plain_equation(store, images[0], images[1])?;
        }
        let (mut changed, mut premises) = (Vec::new(), Vec::new());
        let mut seen: FxHashSet<TermId> = FxHashSet::default();
        let mut stack: Vec<(TermId, bool)> = sides.iter().map(|side| (*side, false)).collect();
        while let Some((term, is_ready)) = stack.pop() {
            let (image, by) = (self.images[&term], self.by.get(&term).copied());
            if is_ready {
                premises.extend(by.map(|(equation, _)| equation));
                changed.push(Changed { term, image, by });
            } else if image != term && seen.insert(term) {
                stack.push((term, true));
                match by {
                    // The definition itself may be the image, whatever its own is.
                    Some((_, side)) if side == image => {}
                    Some((_, side)) => stack.push((side, false)),
                    None => stack.extend(parts(store, term).iter().map(|part| (*part, false))),
                }
            }
        }
        premises.sort_unstable();
        premises.dedup();
        Some(Consequence { sides, images, holds, premises, changed })
    }
}

impl Consequence {
    /// The clause that it is.
    pub(super) fn clause(&self, store: &mut Store) -> Vec<Literal> {
        let not = |&equation: &TermId| !Literal::of(store, equation);
        let mut clause: Vec<Literal> = self.premises.iter().map(not).collect();
        let equation = store.eq(self.sides[0], self.sides[1]);
        let literal = Literal::of(store, equation);
        clause.push(if self.holds { literal } else { !literal });
        clause
    }
}

impl Lemma for Consequence {
    fn prove(&self, writer: &mut Writer<'_>, clause: &[Literal]) -> Option<StepId> {
        let said = self.clause(writer.store);
        let mut hints = Vec::new();
        let mut equal: FxHashMap<TermId, Literal> = FxHashMap::default();
        for &Changed { term, image, by } in &self.changed {
            let equation = plain_equation(writer.store, term, image)?;
            let conclusion = Literal::of(writer.store, equation);
            let (mut step, rule) = match by {
                Some((given, side)) => {
                    let given = [!Literal::of(writer.store, given)];
                    let further = equal.get(&side).filter(|_| side != image).map(|it| !*it);
                    (given.into_iter().chain(further).collect(), Rule::Transitivity)
                }
                None => {
                    let mut premises: Vec<Literal> = Vec::new();
                    for arg in parts(writer.store, term) {
                        match equal.get(arg) {
                            Some(known) if !premises.contains(&!*known) => premises.push(!*known),
                            _ => {}
                        }
                    }
                    (premises, Rule::Congruence)
                }
            };
            if !step.contains(&!conclusion) {
                step.push(conclusion);
                hints.push(writer.push(step, rule));
            }
            equal.insert(term, conclusion);
        }
        let [left, right] = self.sides.map(|side| equal.get(&side).map(|it| !*it));
        let equation = writer.store.eq(self.sides[0], self.sides[1]);
        let whole = Literal::of(writer.store, equation);
        let between = match self.images[0] == self.images[1] {
            true => None,
            false => {
                let equation = plain_equation(writer.store, self.images[0], self.images[1])?;
                let literal = Literal::of(writer.store, equation);
                let literal = if self.holds { literal } else { !literal };
                hints.push(writer.push(vec![literal], Rule::Ring));
                Some(literal)
            }
        };
        let (middle, end) = match self.holds {
            true => (between.map(|it| !it), whole),
            false => (Some(!whole), !between?),
        };
        let mut chain: Vec<Literal> = left.into_iter().chain(middle).chain(right).collect();
        if !chain.contains(&!end) {
            chain.push(end);
            hints.push(writer.push(chain, Rule::Transitivity));
        }
        let step = writer.rup(said.clone(), hints);
        writer.represent(step, &said, clause)
    }
}
