//! A transition system compiled for going through its states: packed into few words, one piece of code per choice.
//!
//! For every combination of inputs the next values are simplified with the inputs known, so that of a choice among
//! many rules only what its rule says is left. What all changed values have as a common condition is the *guard* of
//! the choice, and is looked at first. Guards and properties of all choices are compiled together, since they share
//! much and are needed in every state; what a choice changes is run only where its guard holds.

use super::program::{Program, bits, width};
use alphorn_engine::{Ctx, Stop};
use alphorn_problem::Words;
use alphorn_term::{Op, Store, TermId, Value};
use rustc_hash::FxHashMap;

/// Where a state variable lies in a packed state.
#[derive(Clone, Copy, Debug)]
struct Field {
    word: usize,
    shift: u32,
    mask: u64,
    register: u32,
}

/// What happens under one combination of inputs.
#[derive(Clone, Debug)]
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
    /// The piece of code that computes what changes.
    from: usize,
    to: usize,
    /// The fields that change, with the register of the new value.
    changes: Vec<(usize, u32)>,
    /// Whether the state stays as it is whenever the guard does not hold.
    has_guard: bool,
}

/// A compiled system.
#[derive(Clone, Debug)]
pub struct Model {
    program: Program,
    fields: Vec<Field>,
    choices: Vec<Choice>,
    /// The end of the code that is run in every state.
    common: usize,
    /// What is violated whatever is chosen, with its register.
    plain: Vec<(usize, u32)>,
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
    /// `chosen`; or says why not.
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
        let mut plain = Vec::new();
        let mut bads = Vec::with_capacity(system.bads.len());
        for (property, bad) in system.bads.iter().enumerate() {
            let (of_state, of_choice) = apart(&mut store, bad.term, chosen);
            if of_state != store.bool(false) {
                plain.push((property, program.compile(&store, of_state).ok_or_else(no_words)?));
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
        let mut choices = Vec::with_capacity(pieces.len());
        for piece in &pieces {
            let mut register = |term| program.compile(&store, term).ok_or_else(no_words);
            let (guard, allowed) = (register(piece.guard)?, register(piece.allowed)?);
            let mut bads = Vec::new();
            for (property, bad) in piece.bads.iter().enumerate() {
                if *bad != store.bool(false) {
                    bads.push((property, register(*bad)?));
                }
            }
            let is_always_allowed = piece.allowed == store.bool(true);
            let has_guard = piece.guard != store.bool(true);
            choices.push(Choice {
                guard,
                allowed,
                is_always_allowed,
                bads,
                guarded: Vec::new(),
                from: 0,
                to: 0,
                changes: Vec::new(),
                has_guard,
            });
        }
        let (common, known) = (program.len(), program.known());
        for (choice, piece) in choices.iter_mut().zip(&pieces) {
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
            program.forget(&known);
        }
        let properties = system.bads.len();
        Ok(Model { program, fields, choices, common, plain, size: word + 1, properties })
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

    /// Registers to run in.
    pub fn registers(&self) -> Vec<u64> {
        self.program.registers.clone()
    }

    /// Goes through all choices in a state: `see` is told what is violated, and what comes next with the packed
    /// state. A choice whose guard does not hold leads back and is not told. How many choices led somewhere.
    pub fn expand(
        &self,
        state: &[u64],
        registers: &mut [u64],
        mut see: impl FnMut(Seen, &[u64]),
    ) -> usize {
        for field in &self.fields {
            registers[field.register as usize] = state[field.word] >> field.shift & field.mask;
        }
        self.program.run(0, self.common, registers);
        let mut next = state.to_vec();
        let (mut fired, mut is_looked_at) = (0, false);
        for (number, choice) in self.choices.iter().enumerate() {
            if !choice.is_always_allowed && registers[choice.allowed as usize] == 0 {
                continue;
            }
            let mut look = |bads: &[(usize, u32)], registers: &[u64]| {
                for (property, bad) in bads {
                    if registers[*bad as usize] == 1 {
                        see(Seen::Bad(number, *property), state);
                    }
                }
            };
            if !std::mem::replace(&mut is_looked_at, true) {
                look(&self.plain, registers);
            }
            look(&choice.bads, registers);
            if registers[choice.guard as usize] == 0 {
                continue;
            }
            fired += 1;
            self.program.run(choice.from, choice.to, registers);
            look(&choice.guarded, registers);
            next.copy_from_slice(state);
            for (place, register) in &choice.changes {
                let field = self.fields[*place];
                let word = &mut next[field.word];
                *word = *word & !(field.mask << field.shift)
                    | registers[*register as usize] << field.shift;
            }
            see(Seen::Next(number), &next);
        }
        fired
    }

    /// Whether a choice can do something in the state that was expanded last with these registers.
    pub fn is_enabled(&self, choice: usize, registers: &[u64]) -> bool {
        let choice = &self.choices[choice];
        choice.has_guard && registers[choice.guard as usize] == 1
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

fn no_words() -> Stop {
    Stop::Unsupported("the system is not made of Booleans and words of at most 64 bits".into())
}
