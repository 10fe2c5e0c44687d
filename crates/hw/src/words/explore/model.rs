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
    /// The register of each property's violation.
    bads: Vec<u32>,
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
        let mut pieces = Vec::with_capacity(combinations.len());
        for values in combinations {
            let mut map = FxHashMap::default();
            for (var, value) in chosen.iter().zip(values) {
                let Some(term) = store.value_term(value) else { return Err(no_words()) };
                map.insert(*var, term);
            }
            pieces.push(Piece::new(system, states, &mut store, &map, ctx)?);
        }
        let mut choices = Vec::with_capacity(pieces.len());
        for piece in &pieces {
            let mut register = |term| program.compile(&store, term).ok_or_else(no_words);
            let (guard, allowed) = (register(piece.guard)?, register(piece.allowed)?);
            let bads = piece.bads.iter().map(|bad| register(*bad)).collect::<Result<_, _>>()?;
            let is_always_allowed = piece.allowed == store.bool(true);
            let has_guard = piece.guard != store.bool(true);
            choices.push(Choice {
                guard,
                allowed,
                is_always_allowed,
                bads,
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
            choice.to = program.len();
            program.forget(&known);
        }
        let properties = system.bads.len();
        Ok(Model { program, fields, choices, common, size: word + 1, properties })
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
        let mut fired = 0;
        for (number, choice) in self.choices.iter().enumerate() {
            if !choice.is_always_allowed && registers[choice.allowed as usize] == 0 {
                continue;
            }
            for (property, bad) in choice.bads.iter().enumerate() {
                if registers[*bad as usize] == 1 {
                    see(Seen::Bad(number, property), state);
                }
            }
            if registers[choice.guard as usize] == 0 {
                continue;
            }
            fired += 1;
            self.program.run(choice.from, choice.to, registers);
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
    changes: Vec<(usize, TermId)>,
}

impl Piece {
    fn new(
        system: &Words,
        states: &[usize],
        store: &mut Store,
        map: &FxHashMap<TermId, TermId>,
        ctx: &mut Ctx<'_>,
    ) -> Result<Piece, Stop> {
        let before = store.effort();
        let bads = system.bads.iter().map(|bad| store.substitute(bad.term, map)).collect();
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
        Ok(Piece { guard, allowed, bads, changes })
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

fn no_words() -> Stop {
    Stop::Unsupported("the system is not made of Booleans and words of at most 64 bits".into())
}
