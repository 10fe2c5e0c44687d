//! A Boolean program as counters: which values threads can have, and what steps do to the counts.
//!
//! A location is a valuation of the shared variables, and the thread inside an atomic section, if there is one. A
//! local state is a place and a valuation of the local variables, and is counted. Which pairs of them occur is found
//! with one thread after the other: what a thread can do from a pair it does, and another thread that is there keeps
//! its local state beside the new shared values. That is more than can happen, so whatever is left out
//! of the clauses does not happen.

use super::{Action, Builder, Place, Program, Variable, untreated};
use crate::counters::{Guard, Sum};
use crate::diag::{Code, Diagnostic};
use crate::infix::Fallible;
use alphorn_problem::{Horn, Span};
use alphorn_term::Int;
use std::collections::{BTreeMap, BTreeSet};

/// The most pairs of shared and local states that are looked at.
const MAX_PAIRS: usize = 200_000;

/// A place and the values of local variables.
type Local = (Place, u32);

/// Values of shared variables, and the thread inside an atomic section.
type Location = (u32, Option<Local>);

/// What one thread does.
#[derive(Clone, Debug)]
struct Move {
    from: Location,
    to: Location,
    /// The local state that is left; none inside an atomic section.
    leaves: Option<Local>,
    /// The local states that are entered.
    enters: Vec<Local>,
    wakes: bool,
    span: Span,
}

struct Explorer<'p> {
    program: &'p Program,
    /// The local states that occur, by location.
    locals: BTreeMap<Location, BTreeSet<Local>>,
    pairs: usize,
    todo: Vec<(Location, Option<Local>)>,
    moves: Vec<Move>,
    /// The moves from each location, for those who do not move.
    out: BTreeMap<Location, Vec<(Location, bool)>>,
    /// Where an assertion may be 0.
    bad: Vec<(Location, Option<Local>, Span)>,
}

/// The clauses of a program.
pub(super) fn system(program: &Program) -> Fallible<Horn> {
    let mut explorer = Explorer {
        program,
        locals: BTreeMap::new(),
        pairs: 0,
        todo: Vec::new(),
        moves: Vec::new(),
        out: BTreeMap::new(),
        bad: Vec::new(),
    };
    let starts = explorer.run()?;
    explorer.clauses(&starts)
}

/// All valuations that the declarations allow.
fn valuations(declared: &[super::Declared]) -> Vec<u32> {
    let mut all = vec![0u32];
    for (at, variable) in declared.iter().enumerate() {
        let bits = all.iter().flat_map(|&bits| {
            [false, true]
                .into_iter()
                .filter(|&value| variable.may_be[usize::from(value)])
                .map(move |value| bits | u32::from(value) << at)
        });
        all = bits.collect();
    }
    all
}

fn too_large() -> Box<Diagnostic> {
    let message = "the program has more states of a thread than this program treats";
    Box::new(Diagnostic::unsupported(Code::NetUntreated, Span::NONE, message))
}

impl Explorer<'_> {
    /// Finds all pairs; where runs begin.
    fn run(&mut self) -> Fallible<Vec<(Location, Local)>> {
        let choices = |declared: &[super::Declared]| {
            declared.iter().filter(|variable| variable.may_be == [true; 2]).count()
        };
        if choices(&self.program.shared) + choices(&self.program.locals) > 16 {
            return Err(too_large());
        }
        let mut starts = Vec::new();
        for shared in valuations(&self.program.shared) {
            for local in valuations(&self.program.locals) {
                starts.push(((shared, None), (0, local)));
                self.meet((shared, None), Some((0, local)))?;
            }
        }
        while let Some((location, local)) = self.todo.pop() {
            let (holder, active) = (location.1, local);
            match (holder, active) {
                // The thread inside goes on; who waits outside does not.
                (Some(inside), None) => self.step(location, inside)?,
                (Some(_), Some(_)) => {}
                (None, Some(local)) => self.step(location, local)?,
                (None, None) => {}
            }
            // Whoever is here stays beside what others do.
            let Some(passive) = local else { continue };
            for (to, wakes) in self.out.get(&location).cloned().unwrap_or_default() {
                self.meet(to, Some(self.passive(passive, wakes)))?;
            }
        }
        Ok(starts)
    }

    /// What a thread that does not move is after a move.
    fn passive(&self, local: Local, wakes: bool) -> Local {
        match self.program.statements[local.0].action {
            Action::Wait if wakes => (local.0 + 1, local.1),
            _ => local,
        }
    }

    /// A pair that occurs.
    fn meet(&mut self, location: Location, local: Option<Local>) -> Fallible<()> {
        let is_first = !self.locals.contains_key(&location);
        let known = self.locals.entry(location).or_default();
        if let Some(local) = local
            && known.insert(local)
        {
            self.pairs += 1;
            self.todo.push((location, Some(local)));
        }
        if is_first {
            self.pairs += 1;
            self.todo.push((location, None));
        }
        if self.pairs > MAX_PAIRS { Err(too_large()) } else { Ok(()) }
    }

    /// All that a thread may do. It is long because every statement has its case here.
    fn step(&mut self, location: Location, local: Local) -> Fallible<()> {
        let (place, values) = local;
        let (shared, holder) = location;
        let statement = &self.program.statements[place];
        let span = statement.span;
        let old = |variable| match variable {
            Variable::Shared(at) => shared >> at & 1 == 1,
            Variable::Local(at) => values >> at & 1 == 1,
        };
        let no_new = |_| false;
        let next = (place + 1, values);
        match &statement.action {
            Action::End | Action::Wait if holder.is_none() => Ok(()),
            Action::Wait => Err(untreated(span, "waiting inside an atomic section is not treated")),
            Action::End => Ok(()),
            Action::Skip => self.go(location, local, shared, next, span),
            Action::Goto(places) => {
                for &to in places {
                    self.go(location, local, shared, (to, values), span)?;
                }
                Ok(())
            }
            Action::Branch(formula, places) => {
                let [no, yes] = formula.values(&old, &no_new);
                for (may, to) in [yes, no].into_iter().zip(places) {
                    if may {
                        let to = (to.unwrap_or(place + 1), values);
                        self.go(location, local, shared, to, span)?;
                    }
                }
                Ok(())
            }
            Action::Assume(formula) => match formula.values(&old, &no_new)[1] {
                true => self.go(location, local, shared, next, span),
                false => Ok(()),
            },
            Action::Assert(formula) => {
                if formula.values(&old, &no_new)[0] {
                    let outside = holder.is_none().then_some(local);
                    self.bad.push((location, outside, span));
                }
                self.go(location, local, shared, next, span)
            }
            Action::Assign(pairs, constraint) => {
                let mut results = vec![(shared, values)];
                for (variable, formula) in pairs {
                    let may = formula.values(&old, &no_new);
                    let mut all = Vec::new();
                    for (shared, values) in results {
                        for value in [false, true] {
                            if may[usize::from(value)] {
                                all.push(set((shared, values), *variable, value));
                            }
                        }
                    }
                    results = all;
                }
                for (new_shared, new_values) in results {
                    let new = |variable| match variable {
                        Variable::Shared(at) => new_shared >> at & 1 == 1,
                        Variable::Local(at) => new_values >> at & 1 == 1,
                    };
                    if constraint.as_ref().is_none_or(|formula| formula.values(&old, &new)[1]) {
                        self.go(location, local, new_shared, (place + 1, new_values), span)?;
                    }
                }
                Ok(())
            }
            Action::Start(to) => {
                let child = (*to, values);
                self.moves(location, local, shared, next, Some(child), false, span)
            }
            Action::Broadcast => self.moves(location, local, shared, next, None, true, span),
            Action::AtomicBegin => match holder {
                Some(_) => Err(untreated(span, "an atomic section inside another is not treated")),
                None => {
                    let to = (shared, Some(next));
                    self.make(Move {
                        from: location,
                        to,
                        leaves: Some(local),
                        enters: Vec::new(),
                        wakes: false,
                        span,
                    })
                }
            },
            Action::AtomicEnd => match holder {
                None => Err(untreated(span, "an atomic section ends here that may not have begun")),
                Some(_) => {
                    let to = (shared, None);
                    self.make(Move {
                        from: location,
                        to,
                        leaves: None,
                        enters: vec![next],
                        wakes: false,
                        span,
                    })
                }
            },
        }
    }

    fn go(
        &mut self,
        location: Location,
        local: Local,
        shared: u32,
        next: Local,
        span: Span,
    ) -> Fallible<()> {
        self.moves(location, local, shared, next, None, false, span)
    }

    /// A step of a thread, inside or outside of an atomic section.
    #[allow(clippy::too_many_arguments)]
    fn moves(
        &mut self,
        from: Location,
        local: Local,
        shared: u32,
        next: Local,
        child: Option<Local>,
        wakes: bool,
        span: Span,
    ) -> Fallible<()> {
        let is_inside = from.1.is_some();
        let to = (shared, is_inside.then_some(next));
        let mut enters: Vec<Local> = child.into_iter().collect();
        if !is_inside {
            enters.push(next);
        }
        let leaves = (!is_inside).then_some(local);
        self.make(Move { from, to, leaves, enters, wakes, span })
    }

    fn make(&mut self, made: Move) -> Fallible<()> {
        let (from, to, wakes) = (made.from, made.to, made.wakes);
        self.meet(to, None)?;
        for &local in &made.enters {
            self.meet(to, Some(local))?;
        }
        if from != to || wakes {
            self.out.entry(from).or_default().push((to, wakes));
            for local in self.locals.get(&from).cloned().unwrap_or_default() {
                self.meet(to, Some(self.passive(local, wakes)))?;
            }
        }
        self.moves.push(made);
        Ok(())
    }

    /// What a location or a local state is called.
    fn named(prefix: &str, declared: &[super::Declared], values: u32) -> String {
        let mut name = prefix.to_owned();
        for (at, variable) in declared.iter().enumerate() {
            name.push_str(&format!("_{}{}", variable.name, values >> at & 1));
        }
        name
    }

    fn clauses(self, starts: &[(Location, Local)]) -> Fallible<Horn> {
        let locals: BTreeSet<Local> = self.locals.values().flatten().copied().collect();
        let name = |&(place, values): &Local| {
            Self::named(&format!("at{place}"), &self.program.locals, values)
        };
        let counters: Vec<String> = locals.iter().map(name).collect();
        let locations: Vec<String> = self
            .locals
            .keys()
            .map(|(shared, holder)| {
                let shared = Self::named("shared", &self.program.shared, *shared);
                match holder {
                    Some(local) => format!("{shared}_atomic_{}", name(local)),
                    None => shared,
                }
            })
            .collect();
        let clauses = self.moves.len() + starts.len() + self.bad.len();
        let mut builder = Builder::new(&locations, &counters, clauses).ok_or_else(too_large)?;
        let location: BTreeMap<Location, usize> = self.locals.keys().copied().zip(0..).collect();
        let counter: BTreeMap<Local, usize> = locals.iter().copied().zip(0..).collect();
        for (at, local) in starts {
            let one = Guard { counter: counter[local], is_equal: true, value: Int::ONE };
            builder.start(location[at], &[one], Span::NONE);
        }
        let some =
            |local: &Local| Guard { counter: counter[local], is_equal: false, value: Int::ONE };
        for made in &self.moves {
            let guards: Vec<Guard> = made.leaves.iter().map(some).collect();
            let sums = self.sums(made, &counter);
            let ends = (location[&made.from], location[&made.to]);
            builder.rule(ends, &guards, &sums, made.span);
        }
        for (at, local, span) in &self.bad {
            let guards: Vec<Guard> = local.iter().map(some).collect();
            builder.target(location[at], &guards, *span);
        }
        Ok(builder.horn)
    }

    /// The new counts of a move. Whoever waits where somebody wakes all goes on.
    fn sums(&self, made: &Move, counter: &BTreeMap<Local, usize>) -> BTreeMap<usize, Sum> {
        let mut sums: BTreeMap<usize, Sum> = BTreeMap::new();
        let mut touched: BTreeSet<Local> =
            made.leaves.iter().chain(&made.enters).copied().collect();
        let mut sources: BTreeMap<Local, Vec<Local>> = BTreeMap::new();
        if made.wakes {
            for &local in counter.keys() {
                let after = self.passive(local, true);
                if after != local && counter.contains_key(&after) {
                    touched.extend([local, after]);
                }
            }
        }
        let wakes = |local: Local| {
            let after = self.passive(local, made.wakes);
            if counter.contains_key(&after) { after } else { local }
        };
        for &local in counter.keys() {
            sources.entry(wakes(local)).or_default().push(local);
        }
        for local in touched {
            let parts = sources.get(&local).map_or(&[][..], |all| all);
            let parts = parts.iter().map(|source| (counter[source], Int::ONE)).collect();
            let left = i64::from(made.leaves == Some(local));
            let entered = made.enters.iter().filter(|&&one| one == local).count() as i64;
            let constant = Int::from(entered - left);
            sums.insert(counter[&local], Sum { parts, constant });
        }
        sums
    }
}

/// The values with one of them changed.
fn set((shared, values): (u32, u32), variable: Variable, value: bool) -> (u32, u32) {
    let put = |bits: u32, at: usize| bits & !(1 << at) | u32::from(value) << at;
    match variable {
        Variable::Shared(at) => (put(shared, at), values),
        Variable::Local(at) => (shared, put(values, at)),
    }
}
