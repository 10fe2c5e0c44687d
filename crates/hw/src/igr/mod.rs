//! Interpolation with guided refinement: sets of states per level that are kept and refined.
//!
//! Level i over-approximates what is reachable in exactly i steps; all successors of level i are in level
//! i + 1. Where `imc` forgets its sets when the bound grows, these are only ever strengthened. A level
//! from which something bad can be reached soon is a *hit*. The hit is followed backwards, a longer
//! look ahead at each earlier level, to the latest level that excludes it (a hit at the resets
//! is a counterexample). From there a traversal forwards refines the levels by interpolants, first
//! with the look ahead it came with, and once that fails with one that gets shorter at each level, as in
//! a sequence of interpolants. When a level lies within the union of those before, that union is an
//! invariant.
//!
//! A level is a conjunction of interpolants. Its old conjuncts are assumed when it is refined, so that the
//! interpolant says what is missing; conjuncts are pushed to the next level where they follow. Latches that
//! are equal in all states of a level are found and said to be, and conjuncts that follow from the others
//! dropped (`conjuncts`). After that all levels are looked at once more: what was pushed may have closed them.
//!
//! Where a circuit has few latches, decision diagrams take the place of proofs: what follows on a level, cut down to
//! what must hold at first, and exactly once that was not enough (`image`). Other interpolants are written
//! as diagrams where that is shorter (`diagrams`).
//!
//! Clauses that other engines or the proofs of other properties know to hold are part of every level, so
//! that a level holds what was learned for them, too (`lemmas`).
//!
//! After Cabodi, Palena, Pasini, "Interpolation with Guided Refinement" (FMCAD 2014). Bad steps count
//! anywhere within the look ahead, so that every level excludes bad states.

mod conjuncts;

use crate::circuit::resets::{graph, reset_states, resets_read_inputs};
use crate::interpolation::ahead::Ahead;
use crate::interpolation::diagrams::Diagrams;
use crate::interpolation::first::{first_step, tied};
use crate::interpolation::image::{Between, Gap, Image};
use crate::interpolation::sets::Excluded;
use crate::interpolation::sets::{simplify, to_circuit};
use crate::lemmas::Lemmas;
use crate::model::in_named_cone;
use crate::settings::{IGR_MAX_PUSHED, IGR_MAX_SETTLED};
use alphorn_engine::{Ctx, Engine, Event, Stop};
use alphorn_problem::circuit::Lit as Bit;
use alphorn_problem::evidence::circuit::{CircuitClaim, Invariant};
use alphorn_problem::{Circuit, Finding};
use alphorn_sat::Lit;
use alphorn_sat::aig::{Aig, Edge};
use conjuncts::Conjuncts;

/// Interpolation with levels that are kept and refined.
#[derive(Clone, Copy, Debug)]
pub struct Igr {
    /// The level from which on a traversal shortens its look ahead even where it need not.
    pub force_rewind: usize,
    /// Whether latches that are equal at a level are looked for.
    pub equalities: bool,
    /// Whether conjuncts that follow from the others are dropped.
    pub drop_redundant: bool,
}

impl Default for Igr {
    fn default() -> Igr {
        Igr { force_rewind: usize::MAX, equalities: true, drop_redundant: true }
    }
}

impl Engine<Circuit> for Igr {
    fn run(&mut self, circuit: &Circuit, ctx: &mut Ctx<'_>) -> Result<Finding<Circuit>, Stop> {
        in_named_cone(circuit, ctx, |circuit, names, ctx| match first_step(circuit, ctx)? {
            Some(finding) => Ok(finding),
            None => Run::new(circuit, names, *self, ctx)?.run(ctx),
        })
    }
}

/// How the search for a level that excludes a hit ends.
enum Sought {
    /// At this level, with this look ahead.
    At(usize, usize),
    /// At the resets.
    Bad,
    /// No state at all is bad.
    Nothing,
}

/// The state of a run.
struct Run<'a> {
    ahead: Ahead<'a>,
    sets: Aig,
    diagrams: Diagrams,
    /// Steps as decision diagrams, while these are small.
    image: Option<Image>,
    /// The conjuncts of each level; level 0 has one.
    levels: Vec<Vec<Edge>>,
    /// The conjuncts of each level when they were last looked through.
    settled: Vec<Vec<Edge>>,
    lemmas: Lemmas<'a>,
    /// What holds in all reachable states, as sets.
    known: Vec<Edge>,
    is_tied: bool,
    options: Igr,
}

impl<'a> Run<'a> {
    fn new(
        circuit: &'a Circuit,
        names: &[u32],
        options: Igr,
        ctx: &mut Ctx<'_>,
    ) -> Result<Run<'a>, Stop> {
        let mut sets = graph(circuit);
        let start = reset_states(circuit, &mut sets)?;
        let (ahead, is_tied) = (Ahead::new(circuit), resets_read_inputs(circuit));
        let (levels, settled, diagrams) = (vec![vec![start]], Vec::new(), Diagrams::default());
        let (lemmas, known) = (Lemmas::new(circuit, names), Vec::new());
        let image = Image::new(circuit, ctx)?;
        Ok(Run { ahead, sets, diagrams, image, levels, settled, lemmas, known, is_tied, options })
    }

    fn run(&mut self, ctx: &mut Ctx<'_>) -> Result<Finding<Circuit>, Stop> {
        let mut hit = (0, 1);
        loop {
            self.inherit(ctx)?;
            let (level, bound) = match self.seek(hit, ctx)? {
                Sought::At(level, bound) => (level, bound),
                Sought::Bad => return Ok(Finding::Fails(self.ahead.counterexample())),
                Sought::Nothing => return self.safe(Edge::TRUE, ctx),
            };
            if level + bound >= hit.0 + hit.1 {
                ctx.emit(Event::Bound { depth: (level + bound) as u64 });
            }
            match self.traverse(level, bound, ctx)? {
                Ok(union) => return self.safe(union, ctx),
                Err(next) => hit = next,
            }
            self.settle(ctx)?;
            self.push(ctx)?;
            if let Some(union) = self.closed(ctx)? {
                return self.safe(union, ctx);
            }
        }
    }

    /// The union of the levels before one that lies within it: what was pushed may have closed them.
    fn closed(&mut self, ctx: &mut Ctx<'_>) -> Result<Option<Edge>, Stop> {
        let mut excluded = Excluded::new();
        let mut union = Edge::FALSE;
        for level in 1..self.levels.len() {
            let before = self.whole(level - 1);
            excluded.add(&self.sets, before);
            union = self.sets.or(union, before);
            let set = self.whole(level);
            if excluded.contain(&self.sets, set, ctx)? {
                return Ok(Some(union));
            }
        }
        Ok(None)
    }

    /// Takes in what others know to hold in all reachable states.
    fn inherit(&mut self, ctx: &mut Ctx<'_>) -> Result<(), Stop> {
        let first = 1 + self.ahead.circuit().inputs;
        for clause in self.lemmas.take_news(ctx)? {
            let edge = |lit: &Bit| self.sets.input(lit.var() - first).xor(lit.is_negated());
            let edges: Vec<Edge> = clause.iter().map(edge).collect();
            let set = self.sets.or_n(edges);
            self.known.push(set);
        }
        Ok(())
    }

    /// Assumptions that the first state, or the one after it, is in a level.
    fn level(&mut self, level: usize, state: usize) -> Vec<Lit> {
        let mut conjuncts = self.known.clone();
        let mut lits = Vec::new();
        match self.levels.get(level) {
            _ if level == 0 && state == 0 && !self.is_tied => lits.push(self.ahead.start()),
            Some(level) => conjuncts.extend(level),
            None => {}
        }
        lits.extend(conjuncts.into_iter().map(|set| self.ahead.set(&self.sets, set, state)));
        lits
    }

    /// The set of a level, with what holds in all reachable states.
    fn whole(&mut self, level: usize) -> Edge {
        let conjuncts = self.levels[level].iter().chain(&self.known).copied().collect::<Vec<_>>();
        self.sets.and_n(conjuncts)
    }

    /// Looks through the conjuncts of levels that have changed.
    fn settle(&mut self, ctx: &mut Ctx<'_>) -> Result<(), Stop> {
        self.settled.resize(self.levels.len(), Vec::new());
        for level in 1..self.levels.len() {
            let conjuncts = self.levels[level].clone();
            let is_small = self.sets.size(&conjuncts) <= IGR_MAX_SETTLED.size();
            if conjuncts == self.settled[level] || !is_small || conjuncts.contains(&Edge::FALSE) {
                continue;
            }
            if self.options.equalities {
                let mut solver = Conjuncts::new(&self.sets, &conjuncts);
                let equal = solver.equalities(&mut self.sets, &conjuncts, ctx)?;
                let new = equal.into_iter().filter(|set| !conjuncts.contains(set));
                self.levels[level].extend(new);
            }
            let conjuncts = self.levels[level].clone();
            if self.options.drop_redundant && conjuncts.len() > 1 {
                let mut solver = Conjuncts::new(&self.sets, &conjuncts);
                let needed = solver.needed(&self.sets, &conjuncts, ctx)?;
                let kept = conjuncts.iter().zip(&needed).filter(|(_, needed)| **needed);
                self.levels[level] = kept.map(|(set, _)| *set).collect();
            }
            let count = (conjuncts.len(), self.levels[level].len());
            ctx.emit(Event::Remark(format!("level {level}: {} of {} conjuncts", count.1, count.0)));
            self.settled[level] = self.levels[level].clone();
        }
        Ok(())
    }

    /// Goes back from a hit to a level that excludes it.
    fn seek(&mut self, hit: (usize, usize), ctx: &mut Ctx<'_>) -> Result<Sought, Stop> {
        let (mut level, mut bound) = hit;
        loop {
            let Some(bad) = self.ahead.bad(bound) else { return Ok(Sought::Nothing) };
            if level > 0
                && let Some(between) = self.between(level, bound, ctx)?
            {
                if !self.image.as_ref().is_some_and(|image| image.sees(bound)) {
                    // Levels are exact images from here on, and only the start can tell more.
                    (level, bound) = (0, bound + level);
                } else if matches!(between, Between::Set(_)) {
                    return Ok(Sought::At(level, bound));
                } else {
                    (level, bound) = (level - 1, bound + 1);
                }
                continue;
            }
            let first = match level {
                0 => vec![self.ahead.start()],
                _ => self.level(level, 0),
            };
            let mut later = self.level(level + 1, 1);
            later.push(bad);
            if !self.ahead.ask(&first, &later, ctx)? {
                return Ok(Sought::At(level, bound));
            }
            if level == 0 {
                return Ok(Sought::Bad);
            }
            level -= 1;
            bound += 1;
        }
    }

    /// Refines the levels after `level`; returns the invariant, or the hit at which it ends.
    fn traverse(
        &mut self,
        level: usize,
        bound: usize,
        ctx: &mut Ctx<'_>,
    ) -> Result<Result<Edge, (usize, usize)>, Stop> {
        let (mut level, mut bound) = (level, bound);
        let mut excluded = Excluded::new();
        let mut union = Edge::FALSE;
        for earlier in 0..=level {
            let set = self.whole(earlier);
            excluded.add(&self.sets, set);
            union = self.sets.or(union, set);
        }
        let mut rewinds = false;
        loop {
            if rewinds {
                bound = (bound - 1).max(1);
            }
            if !self.refine(level, bound, ctx)? {
                if rewinds {
                    return Ok(Err((level, bound)));
                }
                rewinds = true;
                continue;
            }
            level += 1;
            // Not before the first level: what was sought is what lies so many steps ahead of it.
            rewinds |= level > self.options.force_rewind;
            let set = self.whole(level);
            let size = self.sets.size(&[set]);
            ctx.emit(Event::Remark(format!("level {level}, {bound} steps ahead: {size} gates")));
            if excluded.contain(&self.sets, set, ctx)? {
                return Ok(Ok(union));
            }
            excluded.add(&self.sets, set);
            union = self.sets.or(union, set);
        }
    }

    /// Strengthens the level after `level` by what cannot be bad within the bound; false if something
    /// can.
    fn refine(&mut self, level: usize, bound: usize, ctx: &mut Ctx<'_>) -> Result<bool, Stop> {
        let Some(bad) = self.ahead.bad(bound) else {
            return Err(Stop::Stuck("no state is bad".into()));
        };
        match self.between(level, bound, ctx)? {
            Some(Between::Hit) => return Ok(false),
            Some(Between::Set(set)) => {
                self.strengthen(level + 1, set);
                return Ok(true);
            }
            None => {}
        }
        let first = self.level(level, 0);
        let mut later = self.level(level + 1, 1);
        later.push(bad);
        if self.ahead.ask(&first, &later, ctx)? {
            if level == 0 && self.is_tied {
                return Err(tied());
            }
            return Ok(false);
        }
        let set = self.ahead.interpolant(&first, &later, &mut self.sets, ctx)?;
        let set = simplify(&mut self.sets, set, ctx)?;
        let set = self.diagrams.smaller(&mut self.sets, set, ctx)?;
        self.strengthen(level + 1, set);
        Ok(true)
    }

    /// What lies between a level and what is bad within the bound one step later, if decision diagrams tell.
    fn between(
        &mut self,
        level: usize,
        bound: usize,
        ctx: &mut Ctx<'_>,
    ) -> Result<Option<Between>, Stop> {
        let (first, later) = self.around(level);
        let Some(image) = &mut self.image else { return Ok(None) };
        // A level that was not strong enough once is as strong as it can be from then on, or levels would get no
        // stronger than what lies ahead of the last one asks for, and never come to an end.
        let exact = self.levels.len() > level + 1;
        let gap = Gap { first: &first, later: &later, bound, exact };
        let between = image.between(&mut self.sets, gap, ctx)?;
        if between.is_none() {
            ctx.emit(Event::Remark("decision diagrams are too large".into()));
            self.image = None;
        }
        Ok(between)
    }

    /// The conjuncts of a level and of the next one, with what holds in all reachable states.
    fn around(&self, level: usize) -> (Vec<Edge>, Vec<Edge>) {
        let known = self.known.iter();
        let first = self.levels[level].iter().chain(known.clone()).copied().collect();
        let later = self.levels.get(level + 1).into_iter().flatten();
        (first, later.chain(known).copied().collect())
    }

    /// Adds a conjunct to a level, which may be the next one.
    fn strengthen(&mut self, level: usize, set: Edge) {
        if self.levels.len() == level {
            self.levels.push(Vec::new());
        }
        let conjuncts = &mut self.levels[level];
        if !set.is_constant() && !conjuncts.contains(&set) {
            conjuncts.push(set);
        } else if set == Edge::FALSE {
            *conjuncts = vec![set];
        }
    }

    /// Adds conjuncts of each level to the next one if they follow there.
    fn push(&mut self, ctx: &mut Ctx<'_>) -> Result<(), Stop> {
        for level in 1..self.levels.len() - 1 {
            for set in self.levels[level].clone() {
                if self.levels[level + 1].contains(&set)
                    || self.sets.size(&[set]) > IGR_MAX_PUSHED.size()
                {
                    continue;
                }
                let first = self.level(level, 0);
                let mut later = self.level(level + 1, 1);
                later.push(self.ahead.set(&self.sets, !set, 1));
                if !self.ahead.ask(&first, &later, ctx)? {
                    self.levels[level + 1].push(set);
                }
            }
        }
        Ok(())
    }

    /// The finding that the set is an invariant, with what is known to hold.
    fn safe(&mut self, set: Edge, ctx: &mut Ctx<'_>) -> Result<Finding<Circuit>, Stop> {
        let known = self.sets.and_n(self.known.clone());
        let set = self.sets.and(set, known);
        let set = self.diagrams.smaller(&mut self.sets, set, ctx)?;
        let invariant = Invariant::Aig(Box::new(to_circuit(&self.sets, set)));
        Ok(Finding::Holds(CircuitClaim::of(invariant)))
    }
}
