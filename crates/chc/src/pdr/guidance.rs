//! Global guidance: what lemmas that look alike say together.
//!
//! Lemmas that differ in numbers only are a sign that the search counts: each excludes a bit, and
//! the next one is due. Such *families* are watched (Krishnan, Chen, Shoham and Gurfinkel, CAV
//! 2020). The first lemma of a family is taken as it comes, which keeps lemmas short and local. From
//! the second on, a sum of the inequalities is tried in their place (`combine`): if the numbers of the
//! family lie on a line, there is a sum in which they cancel, which is that paper's rule to subsume. If that
//! is excluded for deeper reasons only, it becomes an obligation of its own, a *conjecture*, which may
//! be given up. And if the family goes on, bounds are moved as far as they can be: to where the nearest
//! point is that a rule concludes.

use super::combine::value_at;
use super::literal::Inequality;
use super::search::{Search, sorted};
use super::system::Pred;
use crate::settings::{PDR_MANY_LEMMAS, PDR_MAX_MOVES};
use alphorn_engine::{Ctx, Stop};
use alphorn_smt::Linear;
use alphorn_term::{Rat, TermId};
use rustc_hash::{FxHashMap, FxHashSet};

/// What the lemmas of a family have in common: polynomials without constants, strict or not, and
/// other literals.
type Pattern = (Pred, Vec<(Linear, bool)>, Vec<TermId>);

/// The families of lemmas seen so far.
#[derive(Default)]
pub(super) struct Guidance {
    /// Whether it is asked for.
    pub(super) is_on: bool,
    /// Different constants of each family.
    families: FxHashMap<Pattern, Vec<Vec<Rat>>>,
    /// Cubes that were conjectured.
    conjectured: FxHashSet<(Pred, Vec<TermId>)>,
    /// Conjectures that are not obligations yet.
    pub(super) pending: Vec<(Pred, Vec<TermId>)>,
}

impl Guidance {
    /// No families; without guidance, there will be none.
    pub(super) fn new(is_on: bool) -> Guidance {
        Guidance { is_on, ..Guidance::default() }
    }

    /// The constants of the family of a cube, with its own, which are last if they are fresh.
    fn family(&mut self, apart: &Apart, pred: Pred) -> &[Vec<Rat>] {
        let forms = apart.parts.iter().map(|part| (part.0.clone(), part.1)).collect();
        let constants: Vec<Rat> = apart.parts.iter().map(|part| part.2.clone()).collect();
        let family = self.families.entry((pred, forms, apart.others.clone())).or_default();
        if !family.contains(&constants) {
            family.push(constants);
        }
        family
    }
}

/// A cube taken apart.
struct Apart {
    /// Polynomials without their constants, whether they are strict, and the constants; sorted.
    parts: Vec<(Linear, bool, Rat)>,
    others: Vec<TermId>,
}

impl Search<'_> {
    fn take_apart(&self, literals: &[TermId]) -> Apart {
        let (mut parts, mut others) = (Vec::new(), Vec::new());
        for &literal in literals {
            match Inequality::of(&self.store, literal) {
                Some(Inequality { mut form, is_strict }) => {
                    let constant = std::mem::replace(&mut form.constant, Rat::ZERO);
                    parts.push((form, is_strict, constant));
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
        if !self.guidance.is_on || apart.parts.is_empty() {
            return Ok(literals);
        }
        let family = self.guidance.family(&apart, pred);
        let count = family.len();
        let [.., before, last] = family else { return Ok(literals) };
        let drift = last.iter().zip(before).map(|(last, before)| last - before);
        let least = (0..last.len()).map(|part| family.iter().map(|all| &all[part]).min());
        let line: Vec<(Rat, Option<Rat>)> = drift.zip(least.map(|least| least.cloned())).collect();
        if let Some(combined) = self.combine(pred, level, &literals, ctx)? {
            return Ok(combined);
        }
        self.conjecture(pred, apart, line);
        if count < PDR_MANY_LEMMAS.size() {
            return Ok(literals);
        }
        let mut cube = literals;
        let mut place = 0;
        while place < cube.len() {
            let before = cube.len();
            if let Some(moved) = self.move_bound(pred, level, (&cube, place), ctx)? {
                cube = moved;
            }
            // Where a literal was left out, another has taken its place.
            place += usize::from(cube.len() == before);
        }
        Ok(cube)
    }

    /// Conjectures that what a family tends to cannot be derived. Its lemmas go on along a line, given
    /// by how each constant drifts and its least value so far. If they go on both ways, what stays is
    /// sums of two parts that drift against each other. If they go on one way only, then so
    /// do the least of the constants that grow that way.
    fn conjecture(&mut self, pred: Pred, apart: Apart, line: Vec<(Rat, Option<Rat>)>) {
        let mut cube = apart.others;
        let (mut up, mut down) = (Vec::new(), Vec::new());
        let mut ends = [Vec::new(), Vec::new()];
        for ((form, is_strict, constant), (drift, least)) in apart.parts.into_iter().zip(line) {
            let mut part = Inequality { form, is_strict };
            part.form.constant = constant;
            let side = match drift.signum() {
                0 => {
                    cube.push(part.to_literal(&mut self.store));
                    continue;
                }
                1 => &mut up,
                _ => &mut down,
            };
            side.push((part.clone(), drift.abs()));
            part.form.constant = least.unwrap_or(part.form.constant);
            let literal = part.tightened(&self.store).to_literal(&mut self.store);
            ends[usize::from(drift.is_positive())].push(literal);
        }
        for (rising, by) in &up {
            for (falling, against) in &down {
                let mut form = Linear::default();
                form.add_scaled(&rising.form, against);
                form.add_scaled(&falling.form, by);
                let is_strict = rising.is_strict || falling.is_strict;
                let sum = Inequality { form, is_strict }.tightened(&self.store);
                cube.push(sum.to_literal(&mut self.store));
            }
        }
        for end in [Vec::new()].into_iter().chain(ends) {
            let both = end.into_iter().chain(cube.iter().copied());
            let cube = sorted(both.filter(|&literal| literal != TermId::TRUE).collect());
            if !cube.is_empty()
                && self.known_fact(pred, &cube).is_none()
                && self.guidance.conjectured.insert((pred, cube.clone()))
            {
                self.guidance.pending.push((pred, cube));
            }
        }
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
        for _ in 0..PDR_MAX_MOVES.size() {
            let point = match self.inductive(pred, level, &tried, ctx)? {
                Ok(_) => return Ok(Some(tried)),
                Err(point) => point,
            };
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
