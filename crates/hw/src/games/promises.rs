//! Inputs of the environment that its promises decide: wherever the game goes on, they have the one value.
//!
//! Specifications say what most inputs of the environment are, given the state, and leave few of them open. A function
//! for an input that is right wherever promises decide it is found once. In the steps of a plan in which they decide it in
//! all states that plays reach, it takes the place of the input in the step, which is smaller then by far.

use super::played::Played;
use super::symbolic::Play;
use crate::bdd::Ref;
use alphorn_engine::{Ctx, Limit, Stop};

/// Steps that are kept, for sets of inputs that are decided.
const MAX_STEPS: usize = 8;

/// What promises decide.
pub(super) struct Promises {
    /// The pin of what promises say of all inputs; then of where each input is decided.
    first: usize,
    /// Sets of inputs that are decided in some step of the plan, and the first pin of the step with their functions.
    steps: Vec<(Vec<usize>, usize)>,
}

impl Promises {
    /// The pin of where an input is decided.
    pub(super) fn pin(&self, at: usize) -> usize {
        self.first + 1 + at
    }
}

impl Play {
    /// For each input of the environment a function of latches that keeps its promises where any value of
    /// the others does, and where they are decided.
    pub(super) fn promised(
        &mut self,
        ticks: u64,
        ctx: &mut Ctx<'_>,
    ) -> Result<(Played, Promises), Stop> {
        let others = self.others.clone();
        let first = self.bdd.pin(Ref::TRUE);
        for _ in &others {
            self.bdd.pin(Ref::FALSE);
        }
        let mut played = self.nothing_played();
        let base = self.bdd.pins();
        let found = ctx.within(ticks, |ctx| {
            let over = self.over(0, ctx)?;
            self.bdd.set_pin(first, !over);
            // Groups of inputs with a pin of what promises say of them, halved until they are single inputs.
            let mut groups = vec![(0..others.len(), first)];
            groups.retain(|(group, _)| !group.is_empty());
            while let Some((group, pin)) = groups.pop() {
                self.bdd.unpin(base.max(pin + 1));
                if group.len() > 1 {
                    let middle = group.start + group.len() / 2;
                    let halves = [group.start..middle, middle..group.end];
                    for (half, other) in [(1, 0), (0, 1)] {
                        let said = self.left(pin, &others[halves[other].clone()], ctx)?;
                        groups.push((halves[half].clone(), self.bdd.pin(said)));
                    }
                    continue;
                }
                let at = group.start;
                let [must, must_not] = self.demands(pin, others[at], &[], ctx)?;
                let function = self.between(must, must_not, ctx)?;
                played.promise(&mut self.bdd, function, ctx)?;
                let (one, zero) = (self.bdd.pinned(must), self.bdd.pinned(must_not));
                let decided = self.bdd.whole(ctx, |bdd, ctx| bdd.or(one, zero, ctx))?;
                self.bdd.set_pin(first + 1 + at, decided);
            }
            Ok(())
        });
        match found {
            Err(Stop::Budget(Limit::Ticks)) => ctx.tick(1)?,
            found => found?,
        }
        self.bdd.unpin(base);
        // Where promises take too long, the first function of an input is a constant.
        while played.count() < others.len() {
            played.promise(&mut self.bdd, Ref::FALSE, ctx)?;
        }
        Ok((played, Promises { first, steps: Vec::new() }))
    }

    /// What a pinned function says without some variables.
    fn left(&mut self, pin: usize, vars: &[usize], ctx: &mut Ctx<'_>) -> Result<Ref, Stop> {
        let f = self.bdd.pinned(pin);
        self.bdd.whole(ctx, |bdd, ctx| {
            let cube = bdd.cube(vars);
            bdd.hold(cube);
            bdd.exists(f, cube, ctx)
        })
    }

    /// The inputs that promises decide in all states that are pinned as those that are reached, and the first pin of the
    /// step with their functions.
    pub(super) fn decided(
        &mut self,
        promises: &mut Promises,
        played: &Played,
        count: usize,
        ctx: &mut Ctx<'_>,
    ) -> Result<(Vec<usize>, usize), Stop> {
        let mut decided = Vec::new();
        for (at, input) in self.others.clone().into_iter().enumerate() {
            let (here, there) = (self.lost(), self.bdd.pinned(promises.pin(at)));
            let open = self.bdd.whole(ctx, |bdd, ctx| bdd.and(here, !there, ctx))?;
            if open == Ref::FALSE {
                decided.push(input);
            }
        }
        if let Some((_, step)) = promises.steps.iter().find(|(inputs, _)| *inputs == decided) {
            return Ok((decided, *step));
        }
        if decided.is_empty() || promises.steps.len() == MAX_STEPS {
            return Ok((Vec::new(), 0));
        }
        let mut by = vec![None; count];
        for input in &decided {
            by[*input] = Some(self.bdd.pinned(played.pin(*input - self.latches, 0)));
        }
        let step = self.bdd.pins();
        for pin in 0..=self.latches {
            let part = self.bdd.pinned(pin);
            let part = self.bdd.whole(ctx, |bdd, ctx| bdd.replace(part, &by, ctx))?;
            self.bdd.pin(part);
        }
        // What is decided has one value wherever promises are kept.
        let kept = self.bdd.pinned(promises.first);
        let kept = self.bdd.whole(ctx, |bdd, ctx| {
            let cube = bdd.cube(&decided);
            bdd.hold(cube);
            bdd.exists(kept, cube, ctx)
        })?;
        self.bdd.pin(kept);
        promises.steps.push((decided.clone(), step));
        Ok((decided, step))
    }
}
