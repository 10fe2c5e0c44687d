//! Words with definitions put in, and why they are equal to what they were.
//!
//! An equation in force between a variable and a word *defines* the variable, as long as that does not lead
//! back to it. The *image* of a word has definitions in the place of variables, all the way down. What is
//! true of images is true of the words where the equations hold that were used: a `Consequence` is a clause
//! of their negations and of an equation of words whose images are polynomials that are equal, or never are.
//!
//! Invariant: a consequence holds in every model, in force or not what it was found by; its proof is a chain
//! of congruences from the words up to their images, and the rule `Ring` between these.

use alphorn_problem::evidence::proof::{Literal, Rule, StepId};
use alphorn_term::{Op, Store, TermId};
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

/// A word that is not its own image.
#[derive(Clone, Copy)]
struct Changed {
    word: TermId,
    image: TermId,
    /// The equation that defines the word, a variable, and its other side.
    by: Option<(TermId, TermId)>,
}

/// An equation of words that holds, or does not, where others hold.
pub(super) struct Consequence {
    sides: [TermId; 2],
    images: [TermId; 2],
    pub(super) holds: bool,
    /// The equations that it follows from.
    pub(super) premises: Vec<TermId>,
    /// The words below the sides that have other images, after those below them.
    changed: Vec<Changed>,
}

/// Whether a term is a word that somebody has to define.
fn is_symbol(store: &Store, term: TermId) -> bool {
    let is_free = match store.op(term) {
        Op::Var(_) => true,
        Op::Apply(_) => store.args(term).is_empty(),
        _ => false,
    };
    is_free && store.width_of(store.sort(term)).is_some()
}

/// The words that a word is made of.
fn parts(store: &Store, term: TermId) -> impl Iterator<Item = TermId> + '_ {
    let is_word = |&&arg: &&TermId| store.width_of(store.sort(arg)).is_some();
    store.args(term).iter().filter(is_word).copied()
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

    /// Whether a word mentions a variable, with definitions put in; also if that is too much to find out.
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

    /// The word with definitions put in.
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
                    None => stack.extend(parts(store, term).map(|part| (part, false))),
                }
                continue;
            }
            let image = match side {
                Some(side) => self.images[&side],
                None => {
                    let of = |arg: &TermId| *self.images.get(arg).unwrap_or(arg);
                    let args: Vec<TermId> = store.args(term).iter().map(of).collect();
                    if args == store.args(term) { term } else { store.rebuild(term, &args) }
                }
            };
            self.images.insert(term, image);
        }
        self.images[&root]
    }

    /// What follows for two words whose images are known to be equal, or never to be.
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
        while let Some((word, is_ready)) = stack.pop() {
            let (image, by) = (self.images[&word], self.by.get(&word).copied());
            if is_ready {
                plain_equation(store, word, image)?;
                premises.extend(by.map(|(equation, _)| equation));
                changed.push(Changed { word, image, by });
            } else if image != word && seen.insert(word) {
                stack.push((word, true));
                match by {
                    Some((_, side)) => stack.push((side, false)),
                    None => stack.extend(parts(store, word).map(|part| (part, false))),
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
        for &Changed { word, image, by } in &self.changed {
            let equation = plain_equation(writer.store, word, image)?;
            let conclusion = Literal::of(writer.store, equation);
            let (mut step, rule) = match by {
                Some((given, side)) => {
                    let given = [!Literal::of(writer.store, given)];
                    (
                        given.into_iter().chain(equal.get(&side).map(|it| !*it)).collect(),
                        Rule::Transitivity,
                    )
                }
                None => {
                    let mut premises: Vec<Literal> = Vec::new();
                    for arg in parts(writer.store, word) {
                        match equal.get(&arg) {
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
            equal.insert(word, conclusion);
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
