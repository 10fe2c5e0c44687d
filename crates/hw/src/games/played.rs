//! Functions that the environment has played, to be played again.

use super::symbolic::Play;
use crate::bdd::{Bdd, Diagram, Ref};
use alphorn_engine::{Ctx, Stop};

/// Functions of an input that are kept to be played again.
pub(super) const KEPT: usize = 4;

/// Functions that have been played, by input: what was right once may be right again, and a plan of few functions
/// is a short one. The first of each is what the game's promises say of the input alone.
pub(super) struct Played {
    /// The pin of the first function of the first input; each input has as many as are kept.
    first: usize,
    /// The functions of each input.
    made: Vec<Vec<Diagram>>,
    /// Which one goes next, for each input.
    oldest: Vec<usize>,
}

impl Played {
    /// Adds what the promises say of the next input.
    pub(super) fn promise(
        &mut self,
        bdd: &mut Bdd,
        function: Ref,
        ctx: &mut Ctx<'_>,
    ) -> Result<(), Stop> {
        let at = self.made.len();
        bdd.set_pin(self.pin(at, 0), function);
        self.made.push(vec![Diagram::alone(bdd, function, ctx)?]);
        Ok(())
    }

    /// The number of inputs that have a function.
    pub(super) fn count(&self) -> usize {
        self.made.len()
    }

    /// What the promises say of an input.
    pub(super) fn promised(&self, at: usize) -> &Diagram {
        &self.made[at][0]
    }

    /// The pin of a function of an input.
    pub(super) fn pin(&self, at: usize, kept: usize) -> usize {
        self.first + at * KEPT + kept
    }
}

impl Play {
    /// Room for functions that are played.
    pub(super) fn nothing_played(&mut self) -> Played {
        let first = self.bdd.pins();
        for _ in 0..self.others.len() * KEPT {
            self.bdd.pin(Ref::FALSE);
        }
        Played { first, made: Vec::new(), oldest: vec![1; self.others.len()] }
    }

    /// A function between two demands, one that was played before if one will do: its pin, and what it is.
    pub(super) fn kept(
        &mut self,
        must: usize,
        must_not: usize,
        input: usize,
        played: &mut Played,
        ctx: &mut Ctx<'_>,
    ) -> Result<(usize, Diagram), Stop> {
        let at = input - self.latches;
        let mut kept: Vec<usize> = (0..played.made[at].len()).collect();
        kept.sort_by_key(|kept| played.made[at][*kept].nodes.len());
        let mut found = None;
        for kept in kept {
            let function = self.bdd.pinned(played.pin(at, kept));
            let (must, must_not) = (self.bdd.pinned(must), self.bdd.pinned(must_not));
            let wrong = self.bdd.whole(ctx, |bdd, ctx| {
                let wrong = bdd.and(must, !function, ctx)?;
                bdd.hold(wrong);
                let also = bdd.and(must_not, function, ctx)?;
                bdd.hold(also);
                bdd.or(wrong, also, ctx)
            })?;
            if wrong == Ref::FALSE {
                found = Some(kept);
                break;
            }
        }
        let kept = match found {
            Some(kept) => kept,
            None => {
                let function = self.between(must, must_not, ctx)?;
                let kept = played.oldest[at];
                played.oldest[at] = 1 + kept % (KEPT - 1);
                self.bdd.set_pin(played.pin(at, kept), function);
                let diagram = Diagram::alone(&self.bdd, function, ctx)?;
                match played.made[at].get_mut(kept) {
                    Some(old) => *old = diagram,
                    None => played.made[at].push(diagram),
                }
                kept
            }
        };
        Ok((played.pin(at, kept), played.made[at][kept].clone()))
    }
}
