//! The runs of a program as those of a flow, for questions about runs that never end.
//!
//! Bodies take the place of calls; recursion is taken apart first (`unstacked`), which gives the flow more runs
//! than the program has. A location is a block that has a label, that several jumps lead to, or that
//! runs come to after many others; what happens from one to the next, along each way, is a transition. What a
//! program leaves open (`Havoc`, `Relate`) is a successor that nothing says anything about, or an input.
//! A run ends where the entry returns, where there is nothing to go on at, where an assumption does not hold,
//! and where a check fails.
//!
//! Invariant: each infinite run of the program passes infinitely many locations, and is an infinite run of the
//! flow, and without recursion the other way round: a block that is no location has one jump to it, so that no circle is made of
//! such blocks alone. The state of the flow are the global variables, and the others that are live at some
//! location.

use crate::c::lower::Untreated;
use crate::clauses::calls::Calls;
use crate::clauses::flow::{Flow as Blocks, targets};
use crate::clauses::inline::inline_whole;
use crate::form::{Action, Block, BlockId, Jump, Proc, Program, VarId};
use crate::rules::variables;
use crate::unstacked::unstacked;
use alphorn_problem::Span;
use alphorn_problem::flow::{Flow, LocId, Start, Transition};
use alphorn_term::{SortId, Substitution, TermId};
use std::collections::{BTreeMap, BTreeSet};

/// The most blocks that are passed between two locations: formulas grow with each.
const MAX_PASSED: usize = 32;

/// The flow whose runs are those of a valid program; or what of the program is not treated.
pub fn program_to_flow(program: &Program) -> Result<Flow, Untreated> {
    let untreated = |what: String, span: Span| Untreated { what, span, needs_words: false };
    let Some(entry) = program.entry else {
        return Err(untreated("a program without an entry".to_owned(), Span::NONE));
    };
    let unstacked = unstacked(program, entry);
    let whole =
        inline_whole(unstacked.as_ref().unwrap_or(program), entry).map_err(|(proc, why)| {
            let proc = program.proc(proc);
            untreated(format!("the procedure {} {why}", proc.name), proc.span)
        })?;
    let proc = whole.proc(entry);
    let blocks = Blocks::of(&whole, &Calls::of(&whole), entry, &BTreeSet::new());
    let is_location = locations(proc, &blocks.order);
    let state = state(&whole, proc, &blocks, &is_location);
    let mut maker = Maker::new(&whole, proc, state);
    maker.add_locations(&blocks.order, &is_location);
    maker.begin();
    let places: Vec<(BlockId, LocId)> = maker.places.iter().map(|(&b, &l)| (b, l)).collect();
    for (block, from) in places {
        maker.walk(block, From::Location(from), Way::default());
    }
    let is_loose = unstacked.is_some();
    let flow = Flow { is_loose, ..named(program, maker.flow) };
    flow.validate().map_err(|what| untreated(what, Span::NONE))?;
    Ok(flow)
}

/// The flow with the names of the program for its variables.
fn named(program: &Program, mut flow: Flow) -> Flow {
    let names: BTreeMap<TermId, &str> =
        program.vars.iter().map(|var| (var.term, var.name.as_str())).collect();
    let called: Vec<String> = flow.vars.iter().map(|var| names[var].to_owned()).collect();
    let sorts: Vec<SortId> = flow.vars.iter().map(|&var| flow.terms.sort(var)).collect();
    let (vars, next) = variables(&mut flow.terms, &called, &sorts);
    let old = flow.vars.iter().chain(&flow.next).copied();
    let map: Substitution = old.zip(vars.iter().chain(&next).copied()).collect();
    for start in &mut flow.starts {
        start.formula = flow.terms.substitute(start.formula, &map);
    }
    for step in &mut flow.transitions {
        step.formula = flow.terms.substitute(step.formula, &map);
    }
    Flow { vars, next, ..flow }
}

/// Which blocks are locations, of those that runs reach.
fn locations(proc: &Proc, order: &[BlockId]) -> Vec<bool> {
    let mut incoming = vec![0usize; proc.blocks.len()];
    // Runs begin at the first block, whoever else jumps there.
    incoming[0] = 1;
    for &BlockId(at) in order {
        for target in targets(&proc.blocks[at as usize].jump) {
            incoming[target.0 as usize] += 1;
        }
    }
    let mut is_location: Vec<bool> = proc
        .blocks
        .iter()
        .zip(&incoming)
        .map(|(block, &incoming)| block.label.is_some() || incoming > 1)
        .collect();
    let mut passed = vec![0usize; proc.blocks.len()];
    for &BlockId(at) in order {
        let at = at as usize;
        is_location[at] |= passed[at] >= MAX_PASSED;
        let so_far = if is_location[at] { 0 } else { passed[at] + 1 };
        for target in targets(&proc.blocks[at].jump) {
            passed[target.0 as usize] = so_far;
        }
    }
    is_location
}

/// The variables that states give values.
fn state(program: &Program, proc: &Proc, blocks: &Blocks, is_location: &[bool]) -> Vec<VarId> {
    let mut live: BTreeSet<VarId> = BTreeSet::new();
    for &BlockId(at) in &blocks.order {
        if is_location[at as usize] {
            live.extend(&blocks.live[at as usize]);
        }
    }
    let own = proc.variables().filter(|var| live.contains(var));
    program.globals.iter().copied().chain(own).collect()
}

/// Where a way comes from.
#[derive(Clone, Copy)]
enum From {
    Start,
    Location(LocId),
}

/// What has happened since the last location.
#[derive(Clone, Default)]
struct Way {
    /// The values of the variables, by their terms; each is what it was if nothing else is said.
    values: BTreeMap<TermId, TermId>,
    /// What holds.
    holds: Vec<TermId>,
    /// Values that are any.
    open: BTreeSet<TermId>,
    span: Span,
}

struct Maker<'p> {
    program: &'p Program,
    proc: &'p Proc,
    /// The terms of the variables of states, in order.
    state: Vec<TermId>,
    flow: Flow,
    places: BTreeMap<BlockId, LocId>,
}

impl<'p> Maker<'p> {
    fn new(program: &'p Program, proc: &'p Proc, state: Vec<VarId>) -> Maker<'p> {
        let state: Vec<TermId> = state.into_iter().map(|var| program.term(var)).collect();
        let flow = Flow::new(program.terms.clone(), &state);
        Maker { program, proc, state, flow, places: BTreeMap::new() }
    }

    fn block(&self, block: BlockId) -> &'p Block {
        &self.proc.blocks[block.0 as usize]
    }

    /// Adds the locations, with the names of their labels as far as these differ.
    fn add_locations(&mut self, order: &[BlockId], is_location: &[bool]) {
        let mut names: BTreeSet<String> = BTreeSet::new();
        for &id in order {
            if !is_location[id.0 as usize] {
                continue;
            }
            let block = self.block(id);
            let stem = match &block.label {
                Some(label) => label.clone(),
                None => format!("{}.{}", self.proc.name, id.0),
            };
            let mut name = stem.clone();
            let mut count = 1;
            while !names.insert(name.clone()) {
                count += 1;
                name = format!("{stem}.{count}");
            }
            let location = self.flow.add_location(&name, block.span);
            self.places.insert(id, location);
        }
    }

    /// Adds the starts: what happens before the first location.
    fn begin(&mut self) {
        let first = BlockId(0);
        let way = Way { holds: self.program.start.into_iter().collect(), ..Way::default() };
        match self.places.get(&first) {
            Some(&at) => self.arrive(From::Start, at, way),
            None => self.walk(first, From::Start, way),
        }
    }

    /// Goes from a block, along each way, to the next locations.
    fn walk(&mut self, block: BlockId, from: From, way: Way) {
        let mut todo = vec![(block, way)];
        while let Some((id, mut way)) = todo.pop() {
            let block = self.block(id);
            if way.span == Span::NONE || !self.places.contains_key(&id) {
                way.span = block.span;
            }
            for step in &block.steps {
                self.step(&mut way, &step.action);
            }
            let mut next: Vec<(BlockId, Way)> = Vec::new();
            match &block.jump {
                Jump::Goto(target) => next.push((*target, way)),
                Jump::Branch(_, yes, no) if yes == no => next.push((*yes, way)),
                Jump::Branch(formula, yes, no) => {
                    let formula = self.said(&way.values, &[*formula])[0];
                    let mut other = way.clone();
                    other.holds.push(self.flow.terms.not(formula));
                    way.holds.push(formula);
                    next.extend([(*yes, way), (*no, other)]);
                }
                Jump::Choose(targets) => {
                    next.extend(targets.iter().map(|target| (*target, way.clone())));
                }
                Jump::Return => {}
            }
            let mut inner = Vec::new();
            for (target, way) in next {
                match self.places.get(&target) {
                    Some(&to) => self.arrive(from, to, way),
                    None => inner.push((target, way)),
                }
            }
            todo.extend(inner.into_iter().rev());
        }
    }

    fn step(&mut self, way: &mut Way, action: &Action) {
        match action {
            Action::Assign(pairs) => {
                let sources: Vec<TermId> = pairs.iter().map(|pair| pair.1).collect();
                let values = self.said(&way.values, &sources);
                for (&(var, _), value) in pairs.iter().zip(values) {
                    way.values.insert(self.program.term(var), value);
                }
            }
            Action::Havoc(vars) => {
                for &var in vars {
                    self.any(way, var);
                }
            }
            Action::Relate(pairs, formula) => {
                let mut both = way.values.clone();
                for &(var, new) in pairs {
                    let value = self.any(way, var);
                    both.insert(new, value);
                }
                way.holds.push(self.said(&both, &[*formula])[0]);
            }
            Action::Assume(formula) => way.holds.push(self.said(&way.values, &[*formula])[0]),
            Action::Check(check) => way.holds.push(self.said(&way.values, &[check.formula])[0]),
            Action::Call { .. } => unreachable!("bodies have taken the place of calls"),
            Action::Observe(_) => {}
            Action::Thread(_) => unreachable!("threads are woven"),
        }
    }

    /// Gives a variable any value; returns it.
    fn any(&mut self, way: &mut Way, var: VarId) -> TermId {
        let own = self.program.var(var);
        let value = self.flow.terms.fresh_var(&own.name, own.sort);
        way.values.insert(own.term, value);
        way.open.insert(value);
        value
    }

    /// Terms about variables as terms about their values.
    fn said(&mut self, values: &BTreeMap<TermId, TermId>, terms: &[TermId]) -> Vec<TermId> {
        let vars = self.flow.terms.free_vars(terms);
        let map: Substitution =
            vars.into_iter().filter_map(|var| Some((var, *values.get(&var)?))).collect();
        self.flow.terms.substitute_all(terms, &map)
    }

    /// Adds the start or transition that a way to a location is.
    fn arrive(&mut self, from: From, to: LocId, way: Way) {
        let Way { values, holds, open, span } = way;
        let store = &mut self.flow.terms;
        let value = |var: TermId| values.get(&var).copied().unwrap_or(var);
        let after: Vec<TermId> = self.state.iter().map(|&var| value(var)).collect();
        let targets = match from {
            From::Start => &self.state,
            From::Location(_) => &self.flow.next,
        };
        // What is any value and becomes that of a variable needs no name of its own.
        let mut map = Substitution::default();
        let mut is_said = vec![false; after.len()];
        let mentioned: BTreeSet<TermId> =
            store.free_vars(&[&holds[..], &after].concat()).into_iter().collect();
        if matches!(from, From::Start) {
            // Here the variables of the program are those before the first step.
            for (position, (&var, &value)) in self.state.iter().zip(&after).enumerate() {
                is_said[position] = var == value;
            }
            for var in &self.program.vars {
                let is_unchanged = value(var.term) == var.term && self.state.contains(&var.term);
                if mentioned.contains(&var.term) && !is_unchanged {
                    let first = store.fresh_var(&var.name, var.sort);
                    map.insert(var.term, first);
                }
            }
        }
        for (position, value) in after.iter().enumerate() {
            if open.contains(value) && !map.contains_key(value) {
                map.insert(*value, targets[position]);
                is_said[position] = true;
            }
        }
        let mut all = store.substitute_all(&holds, &map);
        let values = store.substitute_all(&after, &map);
        for (position, &value) in values.iter().enumerate() {
            if !is_said[position] {
                let equation = store.eq(targets[position], value);
                all.push(equation);
            }
        }
        let formula = store.and(&all);
        let own: BTreeSet<TermId> = self.state.iter().chain(&self.flow.next).copied().collect();
        let free = store.free_vars(&[formula]);
        let inputs: Vec<TermId> = free.into_iter().filter(|var| !own.contains(var)).collect();
        if formula == TermId::FALSE {
            return;
        }
        match from {
            From::Start => self.flow.starts.push(Start { at: to, formula, inputs, span }),
            From::Location(from) => {
                let name = None;
                self.flow.transitions.push(Transition { from, to, formula, inputs, name, span });
            }
        }
    }
}
