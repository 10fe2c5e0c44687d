//! Linear Horn systems over words as transition systems: a state holds one derived fact.
//!
//! The state variable `at` says which predicate the fact belongs to, and *slots* hold its arguments;
//! predicates share the slots of a sort. In a step a clause fires whose body holds, with an atom read
//! as "this predicate's fact is held, and these are its arguments": the head's fact is held next. If
//! none fires the state stays. The state is bad where a query's body holds.
//!
//! Circuit engines pay for every latch and every input, so there are none without need:
//! - Where one clause alone has no atom, and says of each argument a constant or nothing, its facts
//!   are the first states. Otherwise there is a first state without a fact, from which such clauses
//!   lead. With one predicate and no such state there is no `at`.
//! - A variable that stands as an argument of an atom on the body's top level is the slot itself; the
//!   others are inputs, which clauses share.
//! - Clauses whose bodies exclude each other fire in the same *turn* (`turns`); an input chooses the
//!   turn where there are several.
//!
//! Slots that the held predicate does not use have a fixed value, so facts and states correspond
//! one to one. Needs a linear system: a body that needs two facts at once would need two states.

mod affine;
mod back;
mod bits;
mod turns;
mod watched;

pub(crate) use bits::said_by_outputs;

use alphorn_engine::Back;
use alphorn_problem::evidence::horn::{Definition, HornClaim};
use alphorn_problem::horn::{Clause, Head, PredId};
use alphorn_problem::words::{Named, State};
use alphorn_problem::{Horn, Span, Words};
use alphorn_term::{Bv, Op, Sort, SortId, Store, Substitution, TermId, Value};
use rustc_hash::{FxHashMap, FxHashSet};

/// Where a clause variable's value is found in a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Source {
    /// In the state of this position.
    Slot(usize),
    /// In the input of this position.
    Input(usize),
}

/// How the transition system encodes the Horn system.
struct Encoding {
    /// The state position of `at`, if there is one.
    at: Option<usize>,
    /// For each predicate, the state positions of its arguments.
    slots: Vec<Vec<usize>>,
    /// The fixed value of each state's variable when it is not used; the code of no fact for `at`.
    unused: Vec<Value>,
    /// For each clause, where its variables' values are found.
    sources: Vec<Vec<Source>>,
    /// The clause whose facts are the first states.
    start: Option<usize>,
    /// The input that chooses the turn, if there is one.
    choice: Option<usize>,
    /// For each clause, the turn in which it fires; queries fire in all.
    turns: Vec<usize>,
}

impl Encoding {
    /// The code of a predicate in `at`; the first one stands for no fact, unless there always is one.
    fn code(&self, pred: PredId) -> u64 {
        u64::from(pred.0) + u64::from(self.start.is_none())
    }
}

/// The transition system of a linear system over truth values, words and arrays of them, and the
/// way back; or why there is none.
pub fn horn_to_words(horn: &Horn) -> Result<(Words, Back<Horn, Words>), String> {
    build(horn, horn.terms.clone(), &[])
}

/// The same with outputs: equations between sums of arguments that all facts have in common, and the
/// comparisons of words in a model, which need not be one.
pub fn horn_to_words_watching(
    horn: &Horn,
    model: Option<&HornClaim>,
) -> Result<(Words, Back<Horn, Words>), String> {
    let mut terms = model.map_or(&horn.terms, |model| &model.terms).clone();
    let equations = affine::equations(horn, &mut terms);
    build(horn, terms, &[&equations, model.map_or(&[], |model| &model.preds)])
}

/// The transition system with a safety property for each query, in order, instead of one for all.
pub fn queries_to_words(horn: &Horn) -> Result<Words, String> {
    check_fragment(horn)?;
    Ok(encode(horn, horn.terms.clone(), Joined::Apart)?.words)
}

/// What the queries of a system become.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Joined {
    /// One property: none of them fires.
    Together,
    /// A property each.
    Apart,
}

fn encode(horn: &Horn, terms: Store, joined: Joined) -> Result<Builder<'_>, String> {
    let mut builder = Builder::new(horn, terms)?;
    let bodies: Vec<TermId> = horn.clauses.iter().map(|clause| builder.body(clause)).collect();
    let fires = builder.take_turns(&bodies);
    builder.finish_states(&fires, joined);
    Ok(builder)
}

fn build(
    horn: &Horn,
    terms: Store,
    guesses: &[&[Definition]],
) -> Result<(Words, Back<Horn, Words>), String> {
    check_fragment(horn)?;
    let mut builder = encode(horn, terms, Joined::Together)?;
    for definitions in guesses {
        watched::add(&mut builder.words, &builder.encoding.slots, definitions);
    }
    let Builder { words, encoding, .. } = builder;
    let back = back::way_back(horn.clone(), words.clone(), encoding);
    Ok((words, back))
}

fn check_fragment(horn: &Horn) -> Result<(), String> {
    if !horn.is_linear() {
        return Err("a clause needs two facts at once, so the system is not linear".to_owned());
    }
    let store = &horn.terms;
    let mut roots: Vec<TermId> = Vec::new();
    for clause in &horn.clauses {
        roots.push(clause.body);
        roots.extend(&clause.vars);
        if let Head::Atom(_, args) = &clause.head {
            roots.extend(args);
        }
    }
    let mut sorts: Vec<SortId> =
        horn.pred_ids().flat_map(|pred| horn.pred_args(pred).to_vec()).collect();
    for term in store.subterms(&roots) {
        match store.op(term) {
            Op::Forall | Op::Exists => return Err("a clause has a quantifier".to_owned()),
            Op::Apply(func) if horn.pred_of(func).is_none() => {
                let name = store.name(store.func(func).name);
                return Err(format!("the function {name} has no fixed meaning"));
            }
            _ => sorts.push(store.sort(term)),
        }
    }
    match sorts.into_iter().find(|&sort| !is_word_like(store, sort)) {
        Some(sort) => {
            Err(format!("the sort {} is neither Bool, words nor arrays", store.show_sort(sort)))
        }
        None => Ok(()),
    }
}

fn is_word_like(store: &Store, sort: SortId) -> bool {
    match store.sort_of(sort) {
        Sort::Bool | Sort::BitVec(_) => true,
        Sort::Array(index, element) => is_word_like(store, *index) && is_word_like(store, *element),
        _ => false,
    }
}

/// The least width whose words count up to `most`.
fn width_for(most: usize) -> u32 {
    (usize::BITS - most.leading_zeros()).max(1)
}

/// The clause whose facts can be first states: the only one that may need no fact, without
/// constraint, and with constants or different variables as arguments.
fn start(horn: &Horn) -> Option<usize> {
    let store = &horn.terms;
    let needs_fact = |clause: &Clause| {
        let body = std::slice::from_ref(&clause.body);
        let parts = if store.op(clause.body) == Op::And { store.args(clause.body) } else { body };
        parts.iter().any(|&part| horn.atom(part).is_some())
    };
    let mut without = (0..horn.clauses.len()).filter(|&at| !needs_fact(&horn.clauses[at]));
    let (Some(at), None) = (without.next(), without.next()) else { return None };
    let clause = &horn.clauses[at];
    let Head::Atom(_, args) = &clause.head else { return None };
    let mut seen: FxHashSet<TermId> = FxHashSet::default();
    let is_plain = |&arg: &TermId| {
        store.is_literal(arg) || (matches!(store.op(arg), Op::Var(_)) && seen.insert(arg))
    };
    (clause.body == TermId::TRUE && args.iter().all(is_plain)).then_some(at)
}

struct Builder<'a> {
    horn: &'a Horn,
    words: Words,
    encoding: Encoding,
    at_width: u32,
    /// The inputs of each sort that clauses share.
    inputs_of: FxHashMap<SortId, Vec<usize>>,
}

impl<'a> Builder<'a> {
    fn new(horn: &'a Horn, terms: Store) -> Result<Builder<'a>, String> {
        let start = start(horn);
        let most = horn.preds.len().saturating_sub(usize::from(start.is_some()));
        let encoding = Encoding {
            at: None,
            slots: Vec::new(),
            unused: Vec::new(),
            sources: Vec::new(),
            start,
            choice: None,
            turns: Vec::new(),
        };
        let words = Words { terms, ..Words::default() };
        let (inputs_of, at_width) = (FxHashMap::default(), width_for(most));
        let mut builder = Builder { horn, words, encoding, at_width, inputs_of };
        if most > 0 {
            let sort = builder.words.terms.bv_sort(at_width);
            builder.encoding.at = Some(builder.add_state("at", sort)?);
        }
        let mut slots_of: FxHashMap<SortId, Vec<usize>> = FxHashMap::default();
        for pred in horn.pred_ids() {
            let mut used: FxHashMap<SortId, usize> = FxHashMap::default();
            let mut slots = Vec::new();
            for &sort in horn.pred_args(pred) {
                let number = used.entry(sort).or_default();
                let shared = slots_of.entry(sort).or_default();
                if shared.len() == *number {
                    shared.push(builder.add_state("slot", sort)?);
                }
                slots.push(shared[*number]);
                *number += 1;
            }
            builder.encoding.slots.push(slots);
        }
        builder.set_first_states();
        Ok(builder)
    }

    fn add_state(&mut self, name: &str, sort: SortId) -> Result<usize, String> {
        let terms = &mut self.words.terms;
        let var = terms.fresh_var(name, sort);
        let unused = Value::default_of(terms, sort).ok_or("a sort has no values")?;
        let init = terms.value_term(&unused);
        self.encoding.unused.push(unused);
        self.words.states.push(State { var, init, next: None, span: Span::NONE });
        Ok(self.words.states.len() - 1)
    }

    fn add_input(&mut self, name: &str, sort: SortId) -> usize {
        let var = self.words.terms.fresh_var(name, sort);
        self.words.inputs.push(var);
        self.words.inputs.len() - 1
    }

    /// Makes the facts of the clause to start with the first states.
    fn set_first_states(&mut self) {
        let Some(start) = self.encoding.start else { return };
        let Head::Atom(pred, args) = &self.horn.clauses[start].head else { return };
        if let Some(at) = self.encoding.at {
            let code = self.code(*pred);
            self.words.states[at].init = Some(code);
        }
        for (&arg, &slot) in args.iter().zip(&self.encoding.slots[pred.index()]) {
            let is_open = matches!(self.horn.terms.op(arg), Op::Var(_));
            self.words.states[slot].init = if is_open { None } else { Some(arg) };
        }
    }

    fn state(&self, position: usize) -> TermId {
        self.words.states[position].var
    }

    fn code(&mut self, pred: PredId) -> TermId {
        let code = self.encoding.code(pred);
        self.words.terms.bv(Bv::from_u64(self.at_width, code))
    }

    /// The condition that a clause's body holds. Leaves the clause's sources in the encoding.
    fn body(&mut self, clause: &Clause) -> TermId {
        let sources = self.place_vars(clause);
        let map = self.substitution(clause, &sources);
        self.encoding.sources.push(sources);
        let mut map_atoms = map.clone();
        let atoms = self.horn.atoms(clause.body);
        for &atom in &atoms {
            let Some(pred) = self.horn.atom(atom) else { continue };
            let mut conditions = Vec::new();
            if let Some(at) = self.encoding.at {
                let code = self.code(pred);
                conditions.push(self.words.terms.eq(self.words.states[at].var, code));
            }
            let args = self.horn.terms.args(atom);
            for (arg, slot) in args.iter().zip(self.encoding.slots[pred.index()].clone()) {
                let arg = self.words.terms.substitute(*arg, &map);
                let slot = self.state(slot);
                conditions.push(self.words.terms.eq(slot, arg));
            }
            map_atoms.insert(atom, self.words.terms.and(&conditions));
        }
        let body = self.words.terms.substitute(clause.body, &map_atoms);
        // A clause without atoms need not fire more than once.
        match self.encoding.at {
            Some(at) if atoms.is_empty() && clause.head != Head::False => {
                let none = self.words.terms.bv(Bv::from_u64(self.at_width, 0));
                let is_first = self.words.terms.eq(self.words.states[at].var, none);
                self.words.terms.and(&[is_first, body])
            }
            _ => body,
        }
    }

    fn place_vars(&mut self, clause: &Clause) -> Vec<Source> {
        let mut slot_of: FxHashMap<TermId, usize> = FxHashMap::default();
        let terms = &self.horn.terms;
        let conjuncts = match terms.op(clause.body) {
            Op::And => terms.args(clause.body),
            _ => std::slice::from_ref(&clause.body),
        };
        for &conjunct in conjuncts {
            if let Some(pred) = self.horn.atom(conjunct) {
                for (&arg, &slot) in
                    terms.args(conjunct).iter().zip(&self.encoding.slots[pred.index()])
                {
                    if matches!(terms.op(arg), Op::Var(_)) {
                        slot_of.entry(arg).or_insert(slot);
                    }
                }
            }
        }
        let mut used: FxHashMap<SortId, usize> = FxHashMap::default();
        let mut sources = Vec::with_capacity(clause.vars.len());
        for &var in &clause.vars {
            if let Some(&slot) = slot_of.get(&var) {
                sources.push(Source::Slot(slot));
                continue;
            }
            let sort = terms.sort(var);
            let number = used.entry(sort).or_default();
            if self.inputs_of.entry(sort).or_default().len() == *number {
                let input = self.add_input("input", sort);
                self.inputs_of.entry(sort).or_default().push(input);
            }
            sources.push(Source::Input(self.inputs_of[&sort][*number]));
            *number += 1;
        }
        sources
    }

    fn substitution(&self, clause: &Clause, sources: &[Source]) -> Substitution {
        let place = |source: &Source| match *source {
            Source::Slot(position) => self.state(position),
            Source::Input(position) => self.words.inputs[position],
        };
        clause.vars.iter().copied().zip(sources.iter().map(place)).collect()
    }

    /// When each clause fires, in turns if need be.
    fn take_turns(&mut self, bodies: &[TermId]) -> Vec<TermId> {
        let leads_on = |&at: &usize| {
            self.horn.clauses[at].head != Head::False && Some(at) != self.encoding.start
        };
        let steps: Vec<usize> = (0..bodies.len()).filter(leads_on).collect();
        let of_steps: Vec<TermId> = steps.iter().map(|&at| bodies[at]).collect();
        let (turns, count) = turns::turns(&self.words.terms, &of_steps);
        self.encoding.turns = vec![0; bodies.len()];
        steps.iter().zip(&turns).for_each(|(&at, &turn)| self.encoding.turns[at] = turn);
        let mut fires = bodies.to_vec();
        if count > 1 {
            let width = width_for(count - 1);
            let sort = self.words.terms.bv_sort(width);
            let choice = self.add_input("choice", sort);
            self.encoding.choice = Some(choice);
            for at in steps {
                let turn = Bv::from_u64(width, self.encoding.turns[at] as u64);
                let turn = self.words.terms.bv(turn);
                let is_chosen = self.words.terms.eq(self.words.inputs[choice], turn);
                fires[at] = self.words.terms.and(&[is_chosen, bodies[at]]);
            }
        }
        fires
    }

    /// Gives the states their next values, and the system its bad states.
    fn finish_states(&mut self, fires: &[TermId], joined: Joined) {
        let unused: Vec<TermId> = (self.encoding.unused.iter())
            .map(|value| self.words.terms.value_term(value))
            .map(|term| term.expect("words and arrays of them have terms for their default values"))
            .collect();
        let (mut bad, mut cases) = (Vec::new(), vec![Vec::new(); unused.len()]);
        for (k, clause) in self.horn.clauses.iter().enumerate() {
            match &clause.head {
                Head::False => bad.push((fires[k], clause.name.clone())),
                Head::Atom(..) if Some(k) == self.encoding.start => {}
                Head::Atom(pred, args) => {
                    let map = self.substitution(clause, &self.encoding.sources[k]);
                    let mut then = unused.clone();
                    if let Some(at) = self.encoding.at {
                        then[at] = self.code(*pred);
                    }
                    for (&slot, &arg) in self.encoding.slots[pred.index()].iter().zip(args) {
                        then[slot] = self.words.terms.substitute(arg, &map);
                    }
                    cases
                        .iter_mut()
                        .zip(then)
                        .for_each(|(cases, then)| cases.push((fires[k], then)));
                }
            }
        }
        for (position, cases) in cases.into_iter().enumerate() {
            self.words.states[position].next = Some(self.next(position, &cases));
        }
        self.words.bads = match joined {
            Joined::Together => {
                let fires: Vec<TermId> = bad.iter().map(|(fires, _)| *fires).collect();
                let term = self.words.terms.or(&fires);
                let name = Some("a query fires".to_owned());
                vec![Named { term, name, span: Span::NONE }]
            }
            Joined::Apart => {
                let named = |(term, name)| Named { term, name, span: Span::NONE };
                bad.into_iter().map(named).collect()
            }
        };
    }

    /// The next value of a state: one of those that it has when clauses fire, or what it is.
    fn next(&mut self, position: usize, cases: &[(TermId, TermId)]) -> TermId {
        let mut values: Vec<(TermId, Vec<TermId>)> = Vec::new();
        let mut places: FxHashMap<TermId, usize> = FxHashMap::default();
        let stays = self.state(position);
        for &(fires, then) in cases.iter().filter(|(_, then)| *then != stays) {
            let place = *places.entry(then).or_insert_with(|| {
                values.push((then, Vec::new()));
                values.len() - 1
            });
            values[place].1.push(fires);
        }
        let mut next = stays;
        for (then, fires) in values {
            let fires = self.words.terms.or(&fires);
            next = self.words.terms.ite(fires, then, next);
        }
        next
    }
}
