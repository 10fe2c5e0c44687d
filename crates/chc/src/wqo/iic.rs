//! Incremental, inductive coverability: what excludes a violation, learned step by step.
//!
//! Frame k excludes upward-closed sets, so that all configurations of runs with at most k steps are left. A
//! configuration that must be excluded is, if all that come to it in one step are excluded a frame before, or belong to
//! what it excludes itself; otherwise these are excluded first. What is excluded is made as small a vector as
//! still follows in this way, which excludes more. If two frames agree, what they leave is an invariant
//! \[KMNP13\]. Nothing is asked of a solver: predecessors of an upward-closed set are computed, and those that
//! sums exclude (`sums`) are not followed.
//!
//! Invariant: no start is above a lemma, and a lemma at level k is excluded by frames 1 to k: all its
//! predecessors are excluded by frame k − 1 or by itself.

use super::antichain::{Antichain, is_at_most, marks};
use super::backward::before;
use super::evidence::{Excluded, Path, claim, derivation};
use super::net::{Net, Vector};
use super::sums::{Search, marked};
use alphorn_engine::{Card, Ctx, Engine, Stop};
use alphorn_problem::{Finding, Horn};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Registry entry.
pub const CARD: Card<Horn> = Card {
    name: "iic",
    about: "monotone systems of counters, by frames of small excluded configurations [KMNP13]",
    proves: true,
    refutes: true,
    build: || Box::new(Iic),
};

struct Iic;

impl Engine<Horn> for Iic {
    fn run(&mut self, horn: &Horn, ctx: &mut Ctx<'_>) -> Result<Finding<Horn>, Stop> {
        let net = Net::of(horn, ctx)?;
        let mut frames = Frames::new(horn, &net);
        if let Some(path) = frames.run(ctx)? {
            return Ok(Finding::Fails(derivation(horn, &net, &path, ctx)?));
        }
        let mut set = Antichain::new(frames.lemmas.len());
        for (location, lemmas) in frames.lemmas.iter().enumerate() {
            for lemma in lemmas {
                set.insert(location, lemma.least.clone(), None, 0);
            }
        }
        let excluded = Excluded { set: &set, marked: &frames.marked, sums: &frames.sums };
        Ok(Finding::Holds(claim(horn, &excluded, ctx)?))
    }
}

/// What is above a configuration is excluded by the frames up to a level.
struct Lemma {
    least: Vector,
    marks: u64,
    level: usize,
}

/// A configuration that leads to a target.
struct Obligation {
    location: usize,
    least: Vector,
    /// The transition that leads to what is above another one; none for a target.
    next: Option<(usize, usize)>,
    target: usize,
}

/// A predecessor that is not excluded, and the transition that leads from it.
type Witness = (usize, Vector);

struct Frames<'n> {
    net: &'n Net,
    lemmas: Vec<Vec<Lemma>>,
    marked: Vec<Option<Vec<bool>>>,
    sums: Search,
    /// The transitions into a location that come from another one.
    into: Vec<Vec<usize>>,
    /// The transitions that stay at a location and may make a counter larger.
    fills: Vec<Vec<Vec<usize>>>,
    obligations: Vec<Obligation>,
    /// The number of the last frame.
    last: usize,
}

impl<'n> Frames<'n> {
    fn new(horn: &Horn, net: &'n Net) -> Frames<'n> {
        let locations = horn.preds.len();
        let width = horn.pred_ids().map(|pred| horn.pred_args(pred).len()).max().unwrap_or(0);
        let mut into = vec![Vec::new(); locations];
        let mut fills = vec![vec![Vec::new(); width]; locations];
        for (at, transition) in net.transitions.iter().enumerate() {
            if transition.from != transition.to {
                into[transition.to].push(at);
                continue;
            }
            for (counter, sum) in transition.sums.iter().enumerate() {
                let keeps = matches!(sum.parts[..], [(same, 1)] if same == counter);
                if !keeps || sum.constant > 0 {
                    fills[transition.to][counter].push(at);
                }
            }
        }
        Frames {
            net,
            lemmas: (0..locations).map(|_| Vec::new()).collect(),
            marked: marked(net, locations, width),
            sums: Search::new(net, locations, width),
            into,
            fills,
            obligations: Vec::new(),
            last: 0,
        }
    }

    /// Frame after frame, until a target is reached or two frames agree.
    fn run(&mut self, ctx: &mut Ctx<'_>) -> Result<Option<Path>, Stop> {
        for target in 0..self.net.targets.len() {
            let least = self.net.targets[target].least.clone();
            let location = self.net.targets[target].location;
            self.obligations.push(Obligation { location, least, next: None, target });
        }
        loop {
            self.last += 1;
            for target in 0..self.net.targets.len() {
                if let Some(path) = self.exclude(target, ctx)? {
                    return Ok(Some(path));
                }
            }
            if self.settle(ctx)? {
                return Ok(None);
            }
            self.obligations.truncate(self.net.targets.len());
        }
    }

    /// Excludes a target from the last frame, or finds a way to it.
    fn exclude(&mut self, target: usize, ctx: &mut Ctx<'_>) -> Result<Option<Path>, Stop> {
        let first = &self.obligations[target];
        if let Some(start) = self.net.start_above(first.location, &first.least) {
            return Ok(Some(self.path(start, target)));
        }
        let mut open = BinaryHeap::from([Reverse((self.last, 0, target))]);
        while let Some(Reverse((level, size, id))) = open.pop() {
            ctx.tick(1)?;
            let Obligation { location, least, .. } = &self.obligations[id];
            let (location, least) = (*location, least.clone());
            if self.is_excluded(level, location, &least, ctx)?
                || self.sums.excludes(location, &least, ctx)?
            {
                continue;
            }
            match self.witness(level - 1, location, &least, ctx)? {
                Some((transition, before)) => {
                    open.push(Reverse((level, size, id)));
                    let from = self.net.transitions[transition].from;
                    // What sums exclude is known to the next look.
                    if self.sums.excludes(from, &before, ctx)? {
                        continue;
                    }
                    let target = self.obligations[id].target;
                    let next = Some((transition, id));
                    let size = before.iter().fold(0u64, |sum, &value| sum.saturating_add(value));
                    let start = self.net.start_above(from, &before);
                    let new = Obligation { location: from, least: before, next, target };
                    self.obligations.push(new);
                    let new = self.obligations.len() - 1;
                    if let Some(start) = start {
                        return Ok(Some(self.path(start, new)));
                    }
                    open.push(Reverse((level - 1, size, new)));
                }
                None => {
                    let level = self.learn(level, location, least, ctx)?;
                    if level < self.last {
                        open.push(Reverse((level + 1, size, id)));
                    }
                }
            }
        }
        Ok(None)
    }

    fn path(&self, start: usize, mut id: usize) -> Path {
        let Obligation { least, target, .. } = &self.obligations[id];
        let (least, target) = (least.clone(), *target);
        let mut transitions = Vec::new();
        while let Some((transition, next)) = self.obligations[id].next {
            transitions.push(transition);
            id = next;
        }
        Path { start, least, transitions, target }
    }

    /// Whether frame `level` excludes all configurations above one. The first frame leaves starts only.
    fn is_excluded(
        &mut self,
        level: usize,
        location: usize,
        least: &[u64],
        ctx: &mut Ctx<'_>,
    ) -> Result<bool, Stop> {
        let Some(can) = &self.marked[location] else { return Ok(true) };
        if least.iter().zip(can).any(|(&value, &can)| value > 0 && !can) {
            return Ok(true);
        }
        if level == 0 {
            return Ok(self.net.start_above(location, least).is_none());
        }
        let lemmas = &self.lemmas[location];
        ctx.tick(1 + lemmas.len() as u64 / 16)?;
        let bits = marks(least);
        let covers = |lemma: &Lemma| {
            lemma.level >= level && lemma.marks & !bits == 0 && is_at_most(&lemma.least, least)
        };
        Ok(lemmas.iter().any(covers) || self.sums.is_known(location, least, ctx)?)
    }

    /// A predecessor that frame `level` does not exclude, and that is not above the configuration itself.
    fn witness(
        &mut self,
        level: usize,
        location: usize,
        least: &[u64],
        ctx: &mut Ctx<'_>,
    ) -> Result<Option<Witness>, Stop> {
        let mut rules = self.into[location].clone();
        for (counter, _) in least.iter().enumerate().filter(|(_, value)| **value > 0) {
            rules.extend(&self.fills[location][counter]);
        }
        rules.sort_unstable();
        rules.dedup();
        let net = self.net;
        for at in rules {
            ctx.tick(1 + least.len() as u64 / 32)?;
            let rule = &net.transitions[at];
            for way in before(rule, least, ctx)? {
                let is_own = rule.from == location && is_at_most(least, &way);
                if !is_own && !self.is_excluded(level, rule.from, &way, ctx)? {
                    return Ok(Some((at, way)));
                }
            }
        }
        Ok(None)
    }

    /// Excludes what is above a configuration, and as much more as follows; up to which level.
    fn learn(
        &mut self,
        mut level: usize,
        location: usize,
        mut least: Vector,
        ctx: &mut Ctx<'_>,
    ) -> Result<usize, Stop> {
        for counter in 0..least.len() {
            let (mut bad, mut good) = (0, least[counter]);
            let mut tried = 0;
            // The smallest number that will do: none at all is tried first.
            while bad < good {
                least[counter] = tried;
                let follows = self.net.start_above(location, &least).is_none()
                    && self.witness(level - 1, location, &least, ctx)?.is_none();
                if follows {
                    good = tried;
                } else {
                    bad = tried + 1;
                }
                tried = bad + (good.max(bad) - bad) / 2;
            }
            least[counter] = good;
        }
        while level < self.last && self.witness(level, location, &least, ctx)?.is_none() {
            level += 1;
        }
        self.insert(location, least, level);
        Ok(level)
    }

    fn insert(&mut self, location: usize, least: Vector, level: usize) {
        let bits = marks(&least);
        self.lemmas[location].retain(|lemma| {
            lemma.level > level || bits & !lemma.marks != 0 || !is_at_most(&least, &lemma.least)
        });
        self.lemmas[location].push(Lemma { least, marks: bits, level });
    }

    /// Lifts lemmas to later frames; if two frames agree, only what they exclude is left, and that is all.
    fn settle(&mut self, ctx: &mut Ctx<'_>) -> Result<bool, Stop> {
        for level in 1..=self.last {
            let mut is_fixed = true;
            for location in 0..self.lemmas.len() {
                for at in 0..self.lemmas[location].len() {
                    if self.lemmas[location][at].level != level {
                        continue;
                    }
                    let least = self.lemmas[location][at].least.clone();
                    match self.witness(level, location, &least, ctx)? {
                        None => self.lemmas[location][at].level = level + 1,
                        Some(_) => is_fixed = false,
                    }
                }
            }
            if is_fixed {
                for lemmas in &mut self.lemmas {
                    lemmas.retain(|lemma| lemma.level > level);
                }
                return Ok(true);
            }
        }
        Ok(false)
    }
}
