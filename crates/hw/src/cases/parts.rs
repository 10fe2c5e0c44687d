//! A step taken apart: next values as functions of the state and of few *moves*, and what moves there are.
//!
//! States before and after a step are often given by large diagrams that count, and inputs decide in which places the
//! state changes. A proof that looks at inputs goes through all of them, for each of the counts. Here the next
//! value of a latch is a function of the state and of some functions of inputs alone, the moves; the values that
//! moves have together are a set with a diagram of its own. That all inputs give such moves is shown once, and then the
//! diagrams of states are compared latch by latch under it, without the inputs.
//!
//! An input here is whatever the state before is not given by: inputs of the circuit, and latches that its diagram
//! does not read.

use super::constants::Constants;
use super::define::{FALSE, TRUE};
use super::{Known, Proof, Question};
use crate::bdd::{Bdd, Diagram, Ref};
use alphorn_engine::{Ctx, Stop};
use rustc_hash::{FxHashMap, FxHashSet};

/// Nodes that the diagrams of a step may have.
const MAX_NODES: usize = 200_000;

/// Ticks of a solver for a latch that has one value after the step.
const FIX_TICKS: u64 = 20_000_000;

/// The variables of a step, by their numbers in the obligation.
struct Sides {
    /// What the state before is given by, in the order of its diagram.
    before: Vec<u32>,
    /// What the state after is given by, in the order of its diagram.
    after: Vec<u32>,
    /// Other variables that the state after depends on.
    inputs: Vec<u32>,
}

/// A function of a manager as a literal that the proof has defined.
type Literals = FxHashMap<Ref, i32>;

impl Proof<'_> {
    /// The question of a case, with the step taken apart.
    pub(super) fn by_parts(
        &mut self,
        constants: &mut Constants,
        ctx: &mut Ctx<'_>,
    ) -> Result<Known, Stop> {
        self.fix(constants, ctx)?;
        let sides = self.sides(constants);
        let mut bdd = Bdd::new(sides.before.len() + sides.inputs.len());
        bdd.set_room(usize::MAX, MAX_NODES);
        let next = match self.functions(&mut bdd, &sides, constants, ctx) {
            Err(Stop::Stuck(_)) => return Ok(Known::Open),
            next => next?,
        };
        // Moves are the functions of inputs alone that are met from above.
        let mut moves = Vec::new();
        for function in &next {
            let mut stack = vec![function.positive()];
            let mut seen = FxHashSet::default();
            while let Some(at) = stack.pop() {
                let Some((var, high, low)) = bdd.parts(at) else { continue };
                if !seen.insert(at) {
                    continue;
                }
                if var < sides.before.len() {
                    stack.extend([high.positive(), low.positive()]);
                } else if !moves.contains(&at) {
                    moves.push(at);
                }
            }
        }
        let together = match together(&bdd, &moves, &sides, ctx) {
            Err(Stop::Stuck(_)) => return Ok(Known::Open),
            together => together?,
        };
        let names: Vec<i32> =
            sides.before.iter().chain(&sides.inputs).map(|var| *var as i32).collect();
        let mut literals = Literals::default();
        let next: Vec<i32> =
            next.iter().map(|f| self.literal(&bdd, *f, &names, &mut literals)).collect();
        let moves: Vec<i32> =
            moves.iter().map(|f| self.literal(&bdd, *f, &names, &mut literals)).collect();
        let (own, set) = together;
        let set = self.literal(&own, set, &moves, &mut Literals::default());
        constants.grow(self.defining.len());

        let mut instead: FxHashMap<u32, Vec<u32>> = FxHashMap::default();
        for made in &moves {
            instead.insert(made.unsigned_abs(), Vec::new());
        }
        let mut from = self.refuted_in(constants, false);
        if set != TRUE {
            let Some(shown) = self.shown_always(set, ctx)? else { return Ok(Known::Open) };
            from.push(shown);
        }
        for (after, next) in sides.after.iter().zip(&next) {
            let mut same = Vec::new();
            for sign in [1, -1] {
                let supposed = [sign * *after as i32, -sign * *next];
                if supposed[1] == FALSE || constants.of(supposed[0]) < 0 {
                    continue;
                }
                let Some(shown) = self.shown(&supposed, constants, ctx)? else {
                    return Ok(Known::Open);
                };
                same.push(shown);
            }
            match constants.of(*after as i32) {
                0 => drop(instead.insert(*after, same)),
                _ => from.extend(same),
            }
        }
        let question = Question { given: &[], from, instead: &instead, ticks: None };
        let known = self.ask(&question, constants, ctx)?;
        Ok(match known {
            Known::Holds => Known::Open,
            known => known,
        })
    }

    /// Shows that latches have values after the step that what is to be refuted denies, where that alone is easy to see;
    /// they are constants then.
    fn fix(&mut self, constants: &mut Constants, ctx: &mut Ctx<'_>) -> Result<(), Stop> {
        let from = self.refuted_in(constants, false);
        let is_there = |at: &&u32| self.clause(**at).iter().all(|lit| constants.of(*lit) <= 0);
        // Of a conjunction that is said to be false, the parts that are latches.
        let denied = from.iter().filter(is_there).map(|at| self.clause(*at));
        let mut stack: Vec<i32> = denied.flat_map(|clause| clause.to_vec()).collect();
        let mut fixed = Vec::new();
        while let Some(lit) = stack.pop() {
            if constants.of(lit) != 0 {
                continue;
            }
            if self.is_after(lit.unsigned_abs()) {
                fixed.push(-lit);
            } else if lit < 0 {
                // It is false only if one of those is that it has in its clauses.
                let defining = &self.defining[lit.unsigned_abs() as usize];
                for clause in defining.iter().map(|at| self.clause(*at)) {
                    if let [other, own] = clause
                        && *own == lit
                    {
                        stack.push(-other);
                    }
                }
            }
        }
        fixed.sort_unstable_by_key(|lit| lit.unsigned_abs());
        fixed.dedup();
        let nothing = FxHashMap::default();
        if fixed.is_empty() {
            return Ok(());
        }
        // What is said of the state before, and of values after the step, but not that the state after is another one: what
        // follows from that says nothing of the step, whose clauses would be needed still.
        let mut said = self.refuted_in(constants, true);
        said.retain(|at| {
            let read: Vec<u32> = self.clause(*at).iter().map(|lit| lit.unsigned_abs()).collect();
            let cone = self.variables(&read, |var| self.is_after(var), constants);
            !cone.into_iter().any(|var| self.is_after(var))
        });
        for lit in fixed {
            // The other value may have been asked for as well.
            if constants.of(lit) != 0 {
                continue;
            }
            let own = &self.defining[lit.unsigned_abs() as usize];
            let from = said.iter().chain(own).copied();
            let question = Question {
                given: &[-lit],
                from: from.collect(),
                instead: &nothing,
                ticks: Some(FIX_TICKS),
            };
            let Known::Refuted(step) = self.ask(&question, constants, ctx)? else { continue };
            let mut clause = constants.not_case.clone();
            clause.push(lit);
            let position = self.keep(clause, step);
            let var = lit.unsigned_abs() as usize;
            constants.value[var] = lit.signum() as i8;
            constants.reason[var] = position;
            constants.step[var] = step;
        }
        self.upwards(constants);
        Ok(())
    }

    /// Shows in a case that not all of these literals are true; the clause that says so.
    fn shown(
        &mut self,
        supposed: &[i32],
        constants: &mut Constants,
        ctx: &mut Ctx<'_>,
    ) -> Result<Option<u32>, Stop> {
        let given = supposed.iter().copied();
        let given: Vec<i32> = given.filter(|lit| constants.of(*lit) == 0).collect();
        let nothing = FxHashMap::default();
        let from = supposed.iter().flat_map(|lit| &self.defining[lit.unsigned_abs() as usize]);
        let from = from.copied().collect();
        let question = Question { given: &given, from, instead: &nothing, ticks: None };
        let Known::Refuted(step) = self.ask(&question, constants, ctx)? else { return Ok(None) };
        let mut clause: Vec<i32> = constants.not_case.clone();
        clause.extend(given.iter().map(|lit| -lit));
        Ok(Some(self.keep(clause, step)))
    }

    /// Shows that a literal is true in all cases; the clause that says so.
    fn shown_always(&mut self, lit: i32, ctx: &mut Ctx<'_>) -> Result<Option<u32>, Stop> {
        if let Some(known) = self.always.get(&lit) {
            return Ok(Some(*known));
        }
        let mut none = Constants::none(self.defining.len());
        let shown = self.shown(&[-lit], &mut none, ctx)?;
        if let Some(shown) = shown {
            self.always.insert(lit, shown);
        }
        Ok(shown)
    }

    /// The literal of a function whose variables have these names.
    fn literal(&mut self, bdd: &Bdd, f: Ref, names: &[i32], literals: &mut Literals) -> i32 {
        let known = |literals: &Literals, f: Ref| {
            let lit = if f.is_constant() { TRUE } else { literals[&f.positive()] };
            if f.is_negated() { -lit } else { lit }
        };
        let mut stack = vec![f.positive()];
        while let Some(at) = stack.last().copied() {
            let open = |f: &Ref| !f.is_constant() && !literals.contains_key(&f.positive());
            let Some((var, high, low)) = bdd.parts(at).filter(|_| open(&at)) else {
                stack.pop();
                continue;
            };
            let below: Vec<Ref> = [high, low].into_iter().filter(open).map(Ref::positive).collect();
            if !below.is_empty() {
                stack.extend(below);
                continue;
            }
            let lit = self.choice(names[var], known(literals, high), known(literals, low));
            literals.insert(at, lit);
            stack.pop();
        }
        known(literals, f)
    }

    /// What states before and after are given by.
    fn sides(&self, constants: &Constants) -> Sides {
        let is_later = |var: u32| self.is_after(var);
        let from = self.refuted_in(constants, false);
        let is_there = |at: &u32| self.clause(*at).iter().all(|lit| constants.of(*lit) <= 0);
        let from = from.iter().copied().filter(is_there).flat_map(|at| self.clause(at).to_vec());
        let from: Vec<u32> = from.map(|lit| lit.unsigned_abs()).collect();
        let cone = self.variables(&from, is_later, constants);
        // What is read far from the leaves is at the top of a diagram.
        let mut height: FxHashMap<u32, usize> = FxHashMap::default();
        let mut read: FxHashMap<u32, usize> = FxHashMap::default();
        for var in &cone {
            if is_later(*var) || self.defining[*var as usize].is_empty() {
                continue;
            }
            let below = self.read_by(*var, constants);
            let own = 1 + below.iter().filter_map(|var| height.get(var)).max().unwrap_or(&0);
            height.insert(*var, own);
            for var in below {
                let read = read.entry(var).or_default();
                *read = own.max(*read);
            }
        }
        let leaves = |after: bool| {
            let mut leaves: Vec<u32> = cone
                .iter()
                .copied()
                .filter(|var| is_later(*var) == after && !height.contains_key(var))
                .collect();
            leaves.sort_by_key(|var| std::cmp::Reverse(read.get(var).copied().unwrap_or(0)));
            leaves
        };
        let (before, mut after) = (leaves(false), leaves(true));
        // Then those whose values are said.
        after.extend(constants.said.iter().copied().filter(|var| is_later(*var)));
        let next: Vec<u32> = after.iter().flat_map(|var| self.read_by(*var, constants)).collect();
        let mut inputs = self.variables(&next, |_| false, constants);
        inputs.retain(|var| self.defining[*var as usize].is_empty() && !before.contains(var));
        Sides { before, after, inputs }
    }

    /// The variables that these depend on and they themselves, in ascending order; `is_end` says where no one looks further.
    fn variables(
        &self,
        from: &[u32],
        is_end: impl Fn(u32) -> bool,
        constants: &Constants,
    ) -> Vec<u32> {
        let mut seen = vec![false; self.defining.len()];
        let mut stack = from.to_vec();
        let mut found = Vec::new();
        while let Some(var) = stack.pop() {
            if constants.value[var as usize] != 0
                || std::mem::replace(&mut seen[var as usize], true)
            {
                continue;
            }
            found.push(var);
            if !is_end(var) {
                stack.extend(self.read_by(var, constants));
            }
        }
        found.sort_unstable();
        found
    }

    /// The variables that the clauses that define a variable read.
    fn read_by(&self, var: u32, constants: &Constants) -> Vec<u32> {
        let clauses = self.defining[var as usize].iter().map(|position| self.clause(*position));
        let there = clauses
            .filter(|clause| clause[..clause.len() - 1].iter().all(|lit| constants.of(*lit) <= 0));
        let mut read: Vec<u32> = there
            .flat_map(|clause| &clause[..clause.len() - 1])
            .map(|lit| lit.unsigned_abs())
            .filter(|var| constants.value[*var as usize] == 0)
            .collect();
        read.sort_unstable();
        read.dedup();
        read
    }

    /// The next values, as functions of what is before and then of inputs.
    fn functions(
        &self,
        bdd: &mut Bdd,
        sides: &Sides,
        constants: &Constants,
        ctx: &mut Ctx<'_>,
    ) -> Result<Vec<Ref>, Stop> {
        let mut pins: FxHashMap<u32, usize> = FxHashMap::default();
        for (at, var) in sides.before.iter().chain(&sides.inputs).enumerate() {
            let variable = bdd.variable(at);
            pins.insert(*var, bdd.pin(variable));
        }
        let after = &sides.after;
        let next: Vec<u32> = after.iter().flat_map(|var| self.read_by(*var, constants)).collect();
        let mut all = self.variables(&next, |var| pins.contains_key(&var), constants);
        all.extend(after);
        for var in all {
            if pins.contains_key(&var) {
                continue;
            }
            let clauses = self.defining[var as usize].iter().map(|position| self.clause(*position));
            // It is true where a clause that has it leaves nothing else.
            let forcing: Vec<&[i32]> = clauses
                .filter(|clause| clause[clause.len() - 1] > 0)
                .filter(|clause| {
                    clause[..clause.len() - 1].iter().all(|lit| constants.of(*lit) <= 0)
                })
                .collect();
            let made = bdd.whole(ctx, |bdd, ctx| {
                let mut function = Ref::FALSE;
                for clause in &forcing {
                    let mut all = Ref::TRUE;
                    for lit in &clause[..clause.len() - 1] {
                        if constants.of(*lit) < 0 {
                            continue;
                        }
                        let value = bdd.pinned(pins[&lit.unsigned_abs()]).xor(*lit > 0);
                        all = bdd.and(all, value, ctx)?;
                        bdd.hold(all);
                    }
                    function = bdd.or(function, all, ctx)?;
                    bdd.hold(function);
                }
                Ok(function)
            })?;
            pins.insert(var, bdd.pin(made));
        }
        Ok(sides.after.iter().map(|var| bdd.pinned(pins[var])).collect())
    }
}

/// The values that functions of inputs have together: a manager with a variable for each of them, in their order, and
/// the set.
fn together(
    from: &Bdd,
    moves: &[Ref],
    sides: &Sides,
    ctx: &mut Ctx<'_>,
) -> Result<(Bdd, Ref), Stop> {
    let (count, first) = (moves.len(), sides.before.len());
    let mut bdd = Bdd::new(count + sides.inputs.len());
    bdd.set_room(usize::MAX, MAX_NODES);
    let set = bdd.pin(Ref::TRUE);
    for (at, function) in moves.iter().enumerate() {
        let diagram = Diagram::new(from, *function);
        let sofar = bdd.pinned(set);
        let all = bdd.whole(ctx, |bdd, ctx| {
            let mut made = vec![Ref::TRUE];
            let value = |place: u32, made: &[Ref]| made[(place >> 1) as usize].xor(place & 1 == 1);
            for node in &diagram.nodes {
                let (high, low) = (value(node.high, &made), value(node.low, &made));
                let variable = bdd.variable(node.var as usize - first + count);
                bdd.hold(variable);
                let chosen = bdd.choose(variable, high, low, ctx)?;
                bdd.hold(chosen);
                made.push(chosen);
            }
            let function = value(diagram.root, &made);
            let own = bdd.variable(at);
            bdd.hold(own);
            let agrees = bdd.choose(own, function, !function, ctx)?;
            bdd.hold(agrees);
            bdd.and(sofar, agrees, ctx)
        })?;
        bdd.set_pin(set, all);
    }
    let all = bdd.pinned(set);
    let inputs: Vec<usize> = (count..count + sides.inputs.len()).collect();
    let left = bdd.whole(ctx, |bdd, ctx| {
        let cube = bdd.cube(&inputs);
        bdd.hold(cube);
        bdd.exists(all, cube, ctx)
    })?;
    bdd.set_pin(set, left);
    Ok((bdd, left))
}
