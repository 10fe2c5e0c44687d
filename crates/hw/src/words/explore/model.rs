//! A transition system compiled for going through its states: packed into few words, one piece of code per choice.
//!
//! For every combination of inputs the next values are simplified with the inputs known, so that of a choice among
//! many rules only what its rule says is left. What all changed values have as a common condition is the *guard* of
//! the choice, and is looked at first. Guards and properties of all choices are compiled together, since they share
//! much; what a choice changes is run only where its guard holds. What was seen of a choice that depends on few bits is
//! not run again for the same bits (`memo`).

use super::memo::{Known, Memo, Support, limit};
use super::program::{Program, bits, width};
use alphorn_engine::{Ctx, Stop};
use alphorn_problem::Words;
use alphorn_term::{Op, Store, TermId, Value};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;

/// Where a state variable lies in a packed state.
#[derive(Clone, Copy, Debug)]
struct Field {
    word: usize,
    shift: u32,
    mask: u64,
    register: u32,
}

/// What happens under one combination of inputs.
#[derive(Clone, Debug, Default)]
struct Choice {
    /// The register of whether anything happens.
    guard: u32,
    /// The register of whether the constraints hold.
    allowed: u32,
    /// Whether this is always so.
    is_always_allowed: bool,
    /// The properties that may be violated, each with the register of whether it is.
    bads: Vec<(usize, u32)>,
    /// Those that may be where the guard holds, with registers of what is run then.
    guarded: Vec<(usize, u32)>,
    /// The piece of code that finds out whether the guard holds, where that is not done for all choices together.
    test: Option<(usize, usize)>,
    /// The piece of code that computes what changes.
    from: usize,
    to: usize,
    /// The fields that change, with the register of the new value.
    changes: Vec<(usize, u32)>,
    /// The words that change, each with the bits that do not.
    words: Vec<(usize, u64)>,
}

/// A property of the state alone.
#[derive(Clone, Debug)]
struct Plain {
    property: usize,
    /// What violates it.
    term: TermId,
    /// The register of whether it is violated.
    register: u32,
    /// What it depends on, if that is little.
    support: Option<Support>,
    /// Whether it is violated only where no choice does anything.
    is_rest: bool,
}

impl Plain {
    /// Whether it need not be looked at in every state.
    fn is_late(&self) -> bool {
        self.support.is_some() || self.is_rest
    }
}

/// What is needed to go through the choices of states, and what was seen so far.
#[derive(Clone, Debug)]
pub struct Workspace {
    registers: Vec<u64>,
    next: Vec<u64>,
    memos: Vec<Memo>,
    gates: Vec<Memo>,
    plain: Vec<Memo>,
}

/// A part of a guard that depends on few bits: where it does not hold, nothing else need be looked at.
#[derive(Clone, Debug)]
struct Gate {
    term: TermId,
    support: Support,
    /// The piece of code that finds out whether it holds, and the register of whether it does.
    code: (usize, usize),
    register: u32,
}

/// A compiled system.
#[derive(Clone, Debug)]
pub struct Model {
    program: Program,
    fields: Vec<Field>,
    choices: Vec<Choice>,
    /// The end of the code that is run in every state, and of that for states of which something is not known.
    early: usize,
    common: usize,
    /// What is violated whatever is chosen.
    plain: Vec<Plain>,
    /// What each choice depends on, if that is little.
    supports: Vec<Option<Support>>,
    /// For choices that depend on much, a part of their guards that does not.
    gates: Vec<Option<Gate>>,
    /// Whether every choice is always allowed, or never.
    are_all_allowed: bool,
    /// The first that is allowed.
    first: usize,
    /// Whether some property is violated only where no choice does anything.
    has_rest: bool,
    size: usize,
    properties: usize,
}

/// What was seen in a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Seen {
    /// A next state, under a choice.
    Next(usize),
    /// The property with this position is violated under a choice.
    Bad(usize, usize),
}

impl Model {
    /// Compiles a system whose states at `states` are proper, for these combinations of values of the variables
    /// `chosen`; or says why not. Long: one step after the other, each of which needs what those before it found.
    pub fn new(
        system: &Words,
        states: &[usize],
        chosen: &[TermId],
        combinations: &[Vec<Value>],
        ctx: &mut Ctx<'_>,
    ) -> Result<Model, Stop> {
        let mut store = system.terms.clone();
        let mut program = Program::default();
        let (mut fields, mut word, mut shift) = (Vec::new(), 0, 0);
        for &index in states {
            let var = system.states[index].var;
            let Some(wide) = width(&store, store.sort(var)) else { return Err(no_words()) };
            if shift + wide > 64 {
                (word, shift) = (word + 1, 0);
            }
            let (mask, register) = (u64::MAX >> (64 - wide), program.variable(var));
            fields.push(Field { word, shift, mask, register });
            shift += wide;
        }
        let mut alone = Vec::new();
        let mut bads = Vec::with_capacity(system.bads.len());
        for (property, bad) in system.bads.iter().enumerate() {
            let (of_state, of_choice) = apart(&mut store, bad.term, chosen);
            if of_state != store.bool(false) {
                alone.push((property, of_state));
            }
            bads.push(of_choice);
        }
        let mut pieces = Vec::with_capacity(combinations.len());
        for values in combinations {
            let mut map = FxHashMap::default();
            for (var, value) in chosen.iter().zip(values) {
                let Some(term) = store.value_term(value) else { return Err(no_words()) };
                map.insert(*var, term);
            }
            pieces.push(Piece::new(system, &bads, states, &mut store, &map, ctx)?);
        }
        let vars = states.iter().map(|index| system.states[*index].var);
        let places: FxHashMap<TermId, Field> = vars.zip(fields.iter().copied()).collect();
        let mut supports: Vec<Option<Support>> =
            pieces.iter().map(|piece| support(&store, &places, &piece.terms())).collect();
        limit(&mut supports);
        let mut gates: Vec<Option<Gate>> = Vec::new();
        for (piece, support) in pieces.iter().zip(&supports) {
            let is_wanted = support.is_none();
            gates.push(is_wanted.then(|| piece.gate(&mut store, &places)).flatten());
        }
        // Values of inputs that no constraint allows are no choices.
        let never = store.bool(false);
        let allowed = || pieces.iter().enumerate().filter(|(_, piece)| piece.allowed != never);
        let guards: FxHashSet<TermId> = allowed().map(|(_, piece)| piece.guard).collect();
        let first = allowed().map(|(number, _)| number).next().unwrap_or(0);
        let mut plain = plain_parts(&mut store, &places, &guards, &alone);
        // First what is run in every state, then what is run where nothing is known.
        let mut choices: Vec<Choice> = vec![Choice::default(); pieces.len()];
        let (mut early, mut at_first) = (0, program.known());
        for is_late in [false, true] {
            for one in plain.iter_mut().filter(|one| one.is_late() == is_late) {
                one.register = program.compile(&store, one.term).ok_or_else(no_words)?;
            }
            for (number, piece) in pieces.iter().enumerate() {
                let is_its_turn =
                    (supports[number].is_some() || gates[number].is_some()) == is_late;
                if is_its_turn && gates[number].is_none() {
                    choices[number] = piece.compile(&store, &mut program)?;
                }
            }
            if !is_late {
                (early, at_first) = (program.len(), program.known());
            }
        }
        let (common, known) = (program.len(), program.known());
        for (number, (choice, piece)) in choices.iter_mut().zip(&pieces).enumerate() {
            // A choice that is not looked up relies on what is run in every state, and on nothing else.
            program.forget(if supports[number].is_some() { &known } else { &at_first });
            if let Some(gate) = &mut gates[number] {
                let from = program.len();
                gate.register = program.compile(&store, gate.term).ok_or_else(no_words)?;
                let to = program.len();
                gate.code = (from, to);
                *choice = piece.compile(&store, &mut program)?;
                choice.test = Some((to, program.len()));
            }
            choice.from = program.len();
            for (field, term) in &piece.changes {
                let register = program.compile(&store, *term).ok_or_else(no_words)?;
                choice.changes.push((*field, register));
            }
            for (property, bad) in piece.guarded.iter().enumerate() {
                if *bad != store.bool(false) {
                    let register = program.compile(&store, *bad).ok_or_else(no_words)?;
                    choice.guarded.push((property, register));
                }
            }
            choice.to = program.len();
            choice.words = changed_words(&fields, &choice.changes);
        }
        let properties = system.bads.len();
        let is_fixed =
            |(choice, piece): (&Choice, &Piece)| choice.is_always_allowed || piece.allowed == never;
        let are_all_allowed = choices.iter().zip(&pieces).all(is_fixed);
        let has_rest = plain.iter().any(|plain| plain.is_rest);
        let size = word + 1;
        Ok(Model {
            program,
            fields,
            choices,
            early,
            common,
            plain,
            supports,
            gates,
            are_all_allowed,
            first,
            has_rest,
            size,
            properties,
        })
    }

    /// How many words a packed state has.
    pub fn size(&self) -> usize {
        self.size
    }

    /// How many properties are watched.
    pub fn properties(&self) -> usize {
        self.properties
    }

    /// How many combinations of inputs there are.
    pub fn choices(&self) -> usize {
        self.choices.len()
    }

    /// A state packed.
    pub fn pack(&self, values: &[Value]) -> Option<Vec<u64>> {
        let mut state = vec![0; self.size];
        for (field, value) in self.fields.iter().zip(values) {
            state[field.word] |= bits(value)? << field.shift;
        }
        Some(state)
    }

    /// The values of a packed state, which have the sorts of `like`.
    pub fn unpack(&self, state: &[u64], like: &[Value]) -> Vec<Value> {
        let value = |(field, like): (&Field, &Value)| {
            let bits = state[field.word] >> field.shift & field.mask;
            match like {
                Value::Bv(word) => Value::Bv(alphorn_term::Bv::from_u64(word.width(), bits)),
                _ => Value::Bool(bits == 1),
            }
        };
        self.fields.iter().zip(like).map(value).collect()
    }

    /// What is needed to run in.
    pub fn workspace(&self) -> Workspace {
        let table = |support: &Option<Support>, words: usize| {
            let entries = support.as_ref().map_or(0, Support::entries);
            Memo::new(entries, words)
        };
        let choices = self.choices.iter().zip(&self.supports);
        Workspace {
            registers: self.program.registers.clone(),
            next: vec![0; self.size],
            gates: (self.gates.iter())
                .map(|gate| table(&gate.as_ref().map(|gate| gate.support.clone()), 0))
                .collect(),
            memos: choices.map(|(choice, support)| table(support, choice.words.len())).collect(),
            plain: self.plain.iter().map(|plain| table(&plain.support, 0)).collect(),
        }
    }

    /// Goes through all choices in a state: `see` is told what is violated, and what comes next with the packed
    /// state. A choice whose guard does not hold leads back and is not told. How many choices led somewhere.
    pub fn expand(
        &self,
        state: &[u64],
        workspace: &mut Workspace,
        mut see: impl FnMut(Seen, &[u64]),
    ) -> usize {
        let mut run = Run { model: self, state, filled: 0, is_loaded: false, is_looked_at: false };
        let is_quiet = run.is_quiet(workspace);
        run.is_looked_at = is_quiet;
        let (mut fired, mut waits) = (0, self.has_rest && is_quiet);
        for (number, choice) in self.choices.iter().enumerate() {
            let index = match &self.supports[number] {
                Some(support) if run.is_looked_at => {
                    let index = support.index(state);
                    match workspace.memos[number].known(index) {
                        Known::Idle => continue,
                        Known::Fires => {
                            let Workspace { memos, next, .. } = &mut *workspace;
                            next.copy_from_slice(state);
                            let values = memos[number].values(index, choice.words.len());
                            for ((word, keep), value) in choice.words.iter().zip(values) {
                                next[*word] = next[*word] & keep | value;
                            }
                            fired += 1;
                            waits = false;
                            see(Seen::Next(number), next);
                            continue;
                        }
                        Known::Nothing => Some(index),
                    }
                }
                Some(support) => Some(support.index(state)),
                None => {
                    if run.is_looked_at && !run.passes(number, workspace) {
                        continue;
                    }
                    None
                }
            };
            let did = run.choice(number, index, workspace, &mut see);
            fired += usize::from(did);
            waits &= !did;
        }
        // Nothing can be done, which some property may be about.
        if waits && !self.choices.is_empty() {
            run.is_looked_at = false;
            run.look_at_state(self.first, workspace, &mut see);
        }
        fired
    }
}

/// A state on its way through the choices.
struct Run<'m> {
    model: &'m Model,
    state: &'m [u64],
    /// Up to where the code that all choices share was run.
    filled: usize,
    /// Whether the fields of the state are in their registers.
    is_loaded: bool,
    /// Whether the properties of the state alone were looked at.
    is_looked_at: bool,
}

impl Run<'_> {
    /// Whether the gate of a choice is open, or it has none.
    fn passes(&mut self, number: usize, workspace: &mut Workspace) -> bool {
        let Some(gate) = &self.model.gates[number] else { return true };
        let index = gate.support.index(self.state);
        match workspace.gates[number].known(index) {
            Known::Idle => return false,
            Known::Fires => return true,
            Known::Nothing => {}
        }
        self.load(&mut workspace.registers);
        self.fill(self.model.early, &mut workspace.registers);
        self.model.program.run(gate.code.0, gate.code.1, &mut workspace.registers);
        let is_open = workspace.registers[gate.register as usize] == 1;
        match is_open {
            true => workspace.gates[number].set_fires(index, std::iter::empty()),
            false => workspace.gates[number].set_idle(index),
        }
        is_open
    }

    /// Brings the fields of the state into their registers.
    fn load(&mut self, registers: &mut [u64]) {
        if !std::mem::replace(&mut self.is_loaded, true) {
            for field in &self.model.fields {
                registers[field.register as usize] =
                    self.state[field.word] >> field.shift & field.mask;
            }
        }
    }

    /// Fills the registers that the code up to `end` fills.
    fn fill(&mut self, end: usize, registers: &mut [u64]) {
        if self.filled < end {
            self.load(registers);
            self.model.program.run(self.filled, end, registers);
            self.filled = end;
        }
    }

    /// Whether it is known that no property of the state alone is violated, if something can be done.
    fn is_quiet(&mut self, workspace: &mut Workspace) -> bool {
        if !self.model.are_all_allowed {
            return false;
        }
        self.fill(self.model.early, &mut workspace.registers);
        let registers = &workspace.registers;
        self.model.plain.iter().zip(&workspace.plain).all(|(plain, memo)| match &plain.support {
            Some(support) => memo.known(support.index(self.state)) == Known::Idle,
            None => plain.is_rest || registers[plain.register as usize] == 0,
        })
    }

    /// Tells which properties of the state alone are violated, under a choice.
    fn look_at_state(
        &mut self,
        number: usize,
        workspace: &mut Workspace,
        see: &mut impl FnMut(Seen, &[u64]),
    ) {
        self.fill(self.model.common, &mut workspace.registers);
        if std::mem::replace(&mut self.is_looked_at, true) {
            return;
        }
        for (plain, memo) in self.model.plain.iter().zip(&mut workspace.plain) {
            if workspace.registers[plain.register as usize] == 1 {
                see(Seen::Bad(number, plain.property), self.state);
            } else if let Some(support) = &plain.support {
                memo.set_idle(support.index(self.state));
            }
        }
    }

    /// Runs one choice; whether something happens. What was seen is kept, if nothing is violated.
    fn choice(
        &mut self,
        number: usize,
        index: Option<usize>,
        workspace: &mut Workspace,
        see: &mut impl FnMut(Seen, &[u64]),
    ) -> bool {
        let (model, choice) = (self.model, &self.model.choices[number]);
        let end = if index.is_some() { model.common } else { model.early };
        self.load(&mut workspace.registers);
        self.fill(end, &mut workspace.registers);
        if let Some((from, to)) = choice.test {
            // The code of the gate comes before it.
            let from = model.gates[number].as_ref().map_or(from, |gate| gate.code.0);
            model.program.run(from, to, &mut workspace.registers);
        }
        let is_allowed =
            choice.is_always_allowed || workspace.registers[choice.allowed as usize] != 0;
        if is_allowed {
            self.look_at_state(number, workspace, see);
        }
        let Workspace { registers, next, memos, .. } = workspace;
        let mut is_bad = false;
        let mut look = |bads: &[(usize, u32)], registers: &[u64]| {
            for (property, bad) in bads {
                if registers[*bad as usize] == 1 {
                    is_bad = true;
                    see(Seen::Bad(number, *property), self.state);
                }
            }
        };
        if is_allowed {
            look(&choice.bads, registers);
        }
        if !is_allowed || registers[choice.guard as usize] == 0 {
            if let Some(index) = index.filter(|_| !is_bad) {
                memos[number].set_idle(index);
            }
            return false;
        }
        model.program.run(choice.from, choice.to, registers);
        look(&choice.guarded, registers);
        next.copy_from_slice(self.state);
        for (place, register) in &choice.changes {
            let field = model.fields[*place];
            let word = &mut next[field.word];
            *word =
                *word & !(field.mask << field.shift) | registers[*register as usize] << field.shift;
        }
        if let Some(index) = index.filter(|_| !is_bad) {
            let values = choice.words.iter().map(|(word, keep)| next[*word] & !keep);
            memos[number].set_fires(index, values);
        }
        see(Seen::Next(number), next);
        true
    }
}

/// One combination of inputs, as terms.
struct Piece {
    guard: TermId,
    allowed: TermId,
    bads: Vec<TermId>,
    /// What of the properties is violated only where the guard holds.
    guarded: Vec<TermId>,
    changes: Vec<(usize, TermId)>,
}

impl Piece {
    /// Compiles what is looked at before anything is done.
    fn compile(&self, store: &Store, program: &mut Program) -> Result<Choice, Stop> {
        let mut register = |term| program.compile(store, term).ok_or_else(no_words);
        let (guard, allowed) = (register(self.guard)?, register(self.allowed)?);
        let is_always_allowed = self.allowed == store.bool(true);
        let mut choice = Choice { guard, allowed, is_always_allowed, ..Choice::default() };
        for (property, bad) in self.bads.iter().enumerate() {
            if *bad != store.bool(false) {
                choice.bads.push((property, register(*bad)?));
            }
        }
        Ok(choice)
    }

    /// A part of the guard that depends on few bits, if what is looked at beside the guard is nothing.
    fn gate(&self, store: &mut Store, places: &FxHashMap<TermId, Field>) -> Option<Gate> {
        let nothing = store.bool(false);
        let is_plain = self.allowed == store.bool(true);
        if !is_plain
            || self.bads.iter().any(|bad| *bad != nothing)
            || store.op(self.guard) != Op::And
        {
            return None;
        }
        let mut parts: Vec<(usize, TermId)> = (store.args(self.guard).iter())
            .filter_map(|&part| Some((support(store, places, &[part])?.entries(), part)))
            .collect();
        parts.sort_unstable();
        let mut chosen: Vec<TermId> = Vec::new();
        for (_, part) in parts {
            chosen.push(part);
            if support(store, places, &chosen).is_none() {
                chosen.pop();
            }
        }
        let support = support(store, places, &chosen).filter(|_| !chosen.is_empty())?;
        let term = store.and(&chosen);
        Some(Gate { term, support, code: (0, 0), register: 0 })
    }

    /// All that it is made of.
    fn terms(&self) -> Vec<TermId> {
        let changed = self.changes.iter().map(|(_, term)| *term);
        let bads = self.bads.iter().chain(&self.guarded).copied();
        [self.guard, self.allowed].into_iter().chain(bads).chain(changed).collect()
    }

    fn new(
        system: &Words,
        bads: &[TermId],
        states: &[usize],
        store: &mut Store,
        map: &FxHashMap<TermId, TermId>,
        ctx: &mut Ctx<'_>,
    ) -> Result<Piece, Stop> {
        let before = store.effort();
        let mut bads: Vec<TermId> = bads.iter().map(|bad| store.substitute(*bad, map)).collect();
        let constraints: Vec<TermId> =
            system.constraints.iter().map(|c| store.substitute(c.term, map)).collect();
        let allowed = store.and(&constraints);
        let mut changes = Vec::new();
        for (field, &index) in states.iter().enumerate() {
            let state = &system.states[index];
            let Some(next) = state.next else { return Err(no_words()) };
            let next = store.substitute(next, map);
            if next != state.var {
                changes.push((field, next));
            }
            ctx.tick(1)?;
        }
        ctx.tick((store.effort() - before) / 64)?;
        let vars: Vec<TermId> = states.iter().map(|index| system.states[*index].var).collect();
        let guard = guard(store, &vars, &mut changes);
        let mut guarded = Vec::with_capacity(bads.len());
        for bad in &mut bads {
            let parts = split(store, *bad, guard);
            *bad = parts.0;
            guarded.push(parts.1);
        }
        Ok(Piece { guard, allowed, bads, guarded, changes })
    }
}

/// The condition under which anything changes, taken out of the changes if they have it in common; true if some
/// change has none.
fn guard(store: &mut Store, vars: &[TermId], changes: &mut [(usize, TermId)]) -> TermId {
    let condition = |(field, term): &(usize, TermId)| match (store.op(*term), store.args(*term)) {
        (Op::Ite, &[condition, _, otherwise]) if otherwise == vars[*field] => Some(condition),
        _ => None,
    };
    let conditions: Option<Vec<TermId>> = changes.iter().map(condition).collect();
    let Some(conditions) = conditions else { return store.bool(true) };
    if let Some(&first) = conditions.first()
        && conditions.iter().all(|condition| *condition == first)
    {
        for (_, term) in changes {
            *term = store.args(*term)[1];
        }
        return first;
    }
    store.or(&conditions)
}

/// What of a formula does not depend on the choice, and the rest: alternatives, perhaps under a condition of the state.
fn apart(store: &mut Store, formula: TermId, chosen: &[TermId]) -> (TermId, TermId) {
    let is_free = |store: &Store, term: TermId| {
        store.free_vars(&[term]).iter().all(|var| !chosen.contains(var))
    };
    if store.op(formula) == Op::And {
        let args = store.args(formula).to_vec();
        let (free, bound): (Vec<TermId>, Vec<TermId>) =
            args.into_iter().partition(|arg| is_free(store, *arg));
        let &[inner] = &bound[..] else {
            return if bound.is_empty() {
                (formula, store.bool(false))
            } else {
                (store.bool(false), formula)
            };
        };
        if store.op(inner) != Op::Or {
            return (store.bool(false), formula);
        }
        let (of_state, of_choice) = apart(store, inner, chosen);
        let condition = store.and(&free);
        return (store.and(&[condition, of_state]), store.and(&[condition, of_choice]));
    }
    let parts =
        if store.op(formula) == Op::Or { store.args(formula).to_vec() } else { vec![formula] };
    let (free, bound): (Vec<TermId>, Vec<TermId>) =
        parts.into_iter().partition(|part| is_free(store, *part));
    (store.or(&free), store.or(&bound))
}

/// What of a formula may hold at any time, and what of it only where `guard` does: alternatives that have all parts of
/// the guard among theirs.
fn split(store: &mut Store, formula: TermId, guard: TermId) -> (TermId, TermId) {
    let parts = |store: &Store, term: TermId, op: Op| match store.op(term) == op {
        true => store.args(term).to_vec(),
        false => vec![term],
    };
    let wanted = parts(store, guard, Op::And);
    let (mut always, mut within) = (Vec::new(), Vec::new());
    for alternative in parts(store, formula, Op::Or) {
        let has = parts(store, alternative, Op::And);
        match wanted.iter().all(|part| has.contains(part)) {
            true => within.push(alternative),
            false => always.push(alternative),
        }
    }
    (store.or(&always), store.or(&within))
}

/// The bits that terms depend on, if they are few.
fn support(store: &Store, places: &FxHashMap<TermId, Field>, terms: &[TermId]) -> Option<Support> {
    let fields = store.free_vars(terms).into_iter().filter_map(|var| places.get(&var));
    Support::of(fields.map(|one| (one.word, one.shift, one.mask.count_ones())).collect())
}

/// The properties of the state alone, each in parts that depend on few bits as far as it has such.
fn plain_parts(
    store: &mut Store,
    places: &FxHashMap<TermId, Field>,
    guards: &FxHashSet<TermId>,
    alone: &[(usize, TermId)],
) -> Vec<Plain> {
    let mut all: Vec<Plain> = Vec::new();
    for &(property, whole) in alone {
        let register = 0;
        if is_rest(store, whole, guards) {
            all.push(Plain { property, term: whole, register, support: None, is_rest: true });
            continue;
        }
        let parts = match store.op(whole) == Op::Or {
            true => store.args(whole).to_vec(),
            false => vec![whole],
        };
        let mut last: Option<TermId> = None;
        for part in parts {
            let both = last.map_or(part, |last| store.or(&[last, part]));
            let fits = |store: &Store, term| support(store, places, &[term]).is_some();
            if last.is_some() && (!fits(store, both) || !fits(store, part)) {
                let term = last.replace(part).expect("there is one");
                all.push(Plain { property, term, register, support: None, is_rest: false });
            } else {
                last = Some(both);
            }
        }
        if let Some(term) = last {
            all.push(Plain { property, term, register, support: None, is_rest: false });
        }
    }
    let mut supports: Vec<Option<Support>> =
        all.iter().map(|one| support(store, places, &[one.term])).collect();
    limit(&mut supports);
    for (plain, support) in all.iter_mut().zip(supports) {
        plain.support = support.filter(|_| !plain.is_rest);
    }
    all
}

/// The words that some fields lie in, each with the bits that do not change.
fn changed_words(fields: &[Field], changes: &[(usize, u32)]) -> Vec<(usize, u64)> {
    let mut changed: BTreeMap<usize, u64> = BTreeMap::new();
    for (field, _) in changes {
        let field = &fields[*field];
        *changed.entry(field.word).or_insert(0) |= field.mask << field.shift;
    }
    changed.into_iter().map(|(word, bits)| (word, !bits)).collect()
}

/// Whether a formula says that none of some guards holds, and all guards are among them.
fn is_rest(store: &Store, formula: TermId, guards: &FxHashSet<TermId>) -> bool {
    let negated = |term: TermId| match store.op(term) == Op::Not {
        true => Some(store.args(term)[0]),
        false => None,
    };
    let parts: Option<Vec<TermId>> = match (store.op(formula), negated(formula)) {
        (_, Some(inner)) if store.op(inner) == Op::Or => Some(store.args(inner).to_vec()),
        (Op::And, _) => store.args(formula).iter().map(|part| negated(*part)).collect(),
        (_, inner) => inner.map(|inner| vec![inner]),
    };
    parts.is_some_and(|parts| {
        let parts: FxHashSet<TermId> = parts.into_iter().collect();
        parts == *guards
    })
}

fn no_words() -> Stop {
    Stop::Unsupported("the system is not made of Booleans and words of at most 64 bits".into())
}
