//! Global guidance: what lemmas that look alike say together.
//!
//! Lemmas that differ in numbers only are a sign that the search counts: each excludes a bit, and
//! the next one is due. Such *families* are watched (Krishnan, Chen, Shoham and Gurfinkel, CAV
//! 2020). The first lemma of a family is taken as it comes, which keeps lemmas short and local. From
//! the second on, a sum of the inequalities is tried in their place (`combine`): if the numbers of the
//! family lie on a line, there is a sum in which they cancel, which is that paper's rule to subsume. If
//! the family goes on, bounds are moved as far as they can be: to where the nearest point is
//! that a rule concludes.

use super::combine::value_at;
use super::literal::Inequality;
use super::search::Search;
use super::system::Pred;
use alphorn_engine::{Ctx, Stop};
use alphorn_smt::Linear;
use alphorn_term::{Rat, TermId};
use rustc_hash::FxHashMap;

/// Lemmas of a family before bounds are moved.
const MANY: usize = 4;
/// Positions tried for one bound.
const MOST_MOVES: usize = 4;

/// What the lemmas of a family have in common: polynomials without constants, and literals.
type Pattern = (Pred, Vec<Linear>, Vec<TermId>);

/// The families of lemmas seen so far.
#[derive(Default)]
pub(super) struct Guidance {
    /// Different constants of each family.
    families: FxHashMap<Pattern, Vec<Vec<Rat>>>,
}

impl Guidance {
    /// Counts the lemmas in the family of a cube, with it.
    fn count(&mut self, apart: &Apart, pred: Pred) -> usize {
        let (forms, constants) = apart.parts.iter().cloned().unzip();
        let family = self.families.entry((pred, forms, apart.others.clone())).or_default();
        if !family.contains(&constants) {
            family.push(constants);
        }
        family.len()
    }
}

/// A cube taken apart.
struct Apart {
    /// Polynomials without their constants, with these, sorted.
    parts: Vec<(Linear, Rat)>,
    others: Vec<TermId>,
}

impl Search<'_> {
    fn take_apart(&self, literals: &[TermId]) -> Apart {
        let (mut parts, mut others) = (Vec::new(), Vec::new());
        for &literal in literals {
            match Inequality::of(&self.store, literal) {
                Some(Inequality { mut form, .. }) => {
                    let constant = std::mem::replace(&mut form.constant, Rat::ZERO);
                    parts.push((form, constant));
                }
                None => others.push(literal),
            }
        }
        parts.sort();
        others.sort_unstable();
        Apart { parts, others }
    }

    /// A weaker cube that is excluded at a level as well, if the family of `literals` suggests one.
    pub(super) fn guide(
        &mut self,
        pred: Pred,
        level: usize,
        literals: Vec<TermId>,
        ctx: &mut Ctx<'_>,
    ) -> Result<Vec<TermId>, Stop> {
        let apart = self.take_apart(&literals);
        if apart.parts.is_empty() {
            return Ok(literals);
        }
        let count = self.guidance.count(&apart, pred);
        if count < 2 {
            return Ok(literals);
        }
        if let Some(combined) = self.combine(pred, level, &literals, ctx)? {
            return Ok(combined);
        }
        if count < MANY {
            return Ok(literals);
        }
        let mut cube = literals;
        for place in 0..cube.len() {
            if let Some(moved) = self.move_bound(pred, level, (&cube, place), ctx)? {
                cube = moved;
            }
        }
        Ok(cube)
    }

    /// Moves the bound of one literal of an excluded cube to the nearest point that it must exclude.
    fn move_bound(
        &mut self,
        pred: Pred,
        level: usize,
        (cube, place): (&[TermId], usize),
        ctx: &mut Ctx<'_>,
    ) -> Result<Option<Vec<TermId>>, Stop> {
        let Some(bound) = Inequality::of(&self.store, cube[place]) else { return Ok(None) };
        let mut tried = cube.to_vec();
        tried.remove(place);
        for _ in 0..MOST_MOVES {
            let rule = match self.inductive(pred, level, &tried, ctx)? {
                Ok(_) => return Ok(Some(tried)),
                Err(rule) => rule,
            };
            let point = self.head_point(rule)?;
            let Some(value) = value_at(&self.store, &bound.form, &point) else { return Ok(None) };
            if !value.is_positive() {
                return Ok(None);
            }
            let mut moved = Inequality { form: bound.form.clone(), is_strict: true };
            moved.form.constant = &moved.form.constant - &value;
            let literal = moved.tightened(&self.store).to_literal(&mut self.store);
            if literal == cube[place] {
                return Ok(None);
            }
            tried = cube.to_vec();
            tried[place] = literal;
        }
        Ok(None)
    }
}
