//! Interpolants of conflicts of equality.
//!
//! For a conjunction A ∧ B that equality refutes, a formula I over the symbols of both, with A ⊨ I
//! and I ∧ B inconsistent. The conflict is a path between two different values, in colours (see
//! `colour`). It is cut into segments, each of one colour, which meet at terms over both sides.
//!
//! B goes through the path, and I tells it what it cannot see. A segment of B rests on premises,
//! which are paths that B goes through in the same way. A segment of A from u to v gives the clause
//! "if s₁ = t₁ and … and sₙ = tₙ, then u = v", where the sᵢ, tᵢ are the ends of the segments of B that A
//! needs on the way, in the premises of its steps; B goes through these as well. So A implies each
//! clause, and B derives the premises of each before it needs the conclusion. Where u and v are
//! different values the clause has no conclusion. Terms over both sides belong to the segment they
//! are next to, so that segments are long and clauses few.

use super::colour::{Colour, Hop, Painter, Path, Vocabulary};
use super::terms::Terms;
use alphorn_problem::evidence::proof::Literal;
use alphorn_term::{Store, TermId};
use rustc_hash::FxHashSet;

/// Where a literal is from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// The side that implies the interpolant.
    A,
    /// The side that contradicts it.
    B,
    /// Either.
    Both,
}

/// An interpolant between the sides of a clause's negation: what the literals of side A, negated,
/// imply and those of side B, negated, contradict.
///
/// `is_a` and `is_b` tell whether all symbols of a term occur on the side. None if the clause does
/// not hold by equality, or if a literal is over symbols that its side does not have.
pub fn interpolate(
    store: &mut Store,
    clause: &[(Literal, Side)],
    is_a: &dyn Fn(&Store, TermId) -> bool,
    is_b: &dyn Fn(&Store, TermId) -> bool,
) -> Option<TermId> {
    let literals: Vec<Literal> = clause.iter().map(|&(literal, _)| literal).collect();
    let sides = clause.iter().map(|&(_, side)| side).collect();
    let mut terms = Terms::new();
    let (v, w) = terms.refute(store, &literals)?;
    let vocabularies: [Vocabulary; 2] = [is_a, is_b];
    let mut painter = Painter::new(store, terms, sides, vocabularies);
    let path = painter.paint(v, w)?;
    let ends = [painter.node_colour(v)?, painter.node_colour(w)?];
    let mut splitter = Splitter::new(painter);
    // Values are over both sides, except applications of constructors.
    if !ends.contains(&Colour::A) {
        splitter.work.push(path);
    } else if !ends.contains(&Colour::B) {
        let needs = splitter.needs(&path);
        splitter.tell(needs, TermId::FALSE);
    } else {
        return None;
    }
    splitter.run();
    let Splitter { painter, clauses, .. } = splitter;
    Some(painter.store.and(&clauses))
}

struct Splitter<'a> {
    painter: Painter<'a>,
    /// Paths that B still has to go through.
    work: Vec<Path>,
    /// The steps of B that are dealt with.
    is_done: Vec<bool>,
    /// The ends of segments of B that are dealt with.
    done: FxHashSet<(TermId, TermId)>,
    clauses: Vec<TermId>,
}

impl<'a> Splitter<'a> {
    fn new(painter: Painter<'a>) -> Splitter<'a> {
        let is_done = vec![false; painter.steps.len()];
        let (work, done, clauses) = (Vec::new(), FxHashSet::default(), Vec::new());
        Splitter { painter, work, is_done, done, clauses }
    }

    fn run(&mut self) {
        while let Some(path) = self.work.pop() {
            for (colour, segment) in self.segments(&path, Colour::B) {
                if colour == Colour::B {
                    self.go_through(&segment);
                } else {
                    let (from, to) = self.ends(&segment);
                    let equation = self.painter.store.eq(from, to);
                    let needs = self.needs(&segment);
                    self.tell(needs, equation);
                }
            }
        }
    }

    /// A segment of B: it needs the premises of its steps.
    fn go_through(&mut self, segment: &[Hop]) {
        for hop in segment {
            if !std::mem::replace(&mut self.is_done[hop.step], true) {
                self.work.extend(self.painter.steps[hop.step].premises.iter().cloned());
            }
        }
    }

    /// A clause that A implies, and what B has to derive before it can use it.
    fn tell(&mut self, needs: Vec<Path>, conclusion: TermId) {
        let mut clause = Vec::new();
        for segment in needs {
            let (from, to) = self.ends(&segment);
            let equation = self.painter.store.eq(from, to);
            clause.push(self.painter.store.not(equation));
            if self.done.insert((from, to)) {
                self.work.push(segment);
            }
        }
        clause.push(conclusion);
        let clause = self.painter.store.or(&clause);
        self.clauses.push(clause);
    }

    /// The segments of B that A needs to go through a path.
    fn needs(&self, path: &[Hop]) -> Vec<Path> {
        let mut needs = Vec::new();
        let mut seen: FxHashSet<usize> = FxHashSet::default();
        let mut work = vec![path.to_vec()];
        while let Some(path) = work.pop() {
            for (colour, segment) in self.segments(&path, Colour::A) {
                if colour == Colour::B {
                    needs.push(segment);
                    continue;
                }
                for hop in segment {
                    if seen.insert(hop.step) {
                        work.extend(self.painter.steps[hop.step].premises.iter().cloned());
                    }
                }
            }
        }
        needs
    }

    /// The longest parts of a path that have one colour; `otherwise` where all of it has both.
    fn segments(&self, path: &[Hop], otherwise: Colour) -> Vec<(Colour, Path)> {
        let colour_of = |hop: &Hop| self.painter.steps[hop.step].colour;
        let is_definite = |&colour: &Colour| colour != Colour::Both;
        let mut current = path.iter().map(colour_of).find(is_definite).unwrap_or(otherwise);
        let mut segments: Vec<(Colour, Path)> = Vec::new();
        for hop in path {
            let colour = Some(colour_of(hop)).filter(is_definite).unwrap_or(current);
            match segments.last_mut() {
                Some((last, segment)) if *last == colour => segment.push(*hop),
                _ => segments.push((colour, vec![*hop])),
            }
            current = colour;
        }
        segments
    }

    fn ends(&self, segment: &[Hop]) -> (TermId, TermId) {
        let (first, last) = (segment[0], segment[segment.len() - 1]);
        (self.painter.start(first), self.painter.end(last))
    }
}
