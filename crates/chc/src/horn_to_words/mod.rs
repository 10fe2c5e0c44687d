//! Linear Horn systems over words as transition systems: a state holds one derived fact.
//!
//! The state variable `at` says which predicate the fact belongs to (0 for no fact), and *slots*
//! hold its arguments; predicates share the slots of a sort. In each step an input chooses a
//! clause and further inputs its variables' values. If the clause's body holds, with an atom
//! read as "this predicate's fact is held, and these are its arguments", the head's fact is held
//! next; otherwise none is. The state is bad where a chosen query's body holds.
//!
//! Slots that the held predicate does not use have a fixed value, so facts and states correspond
//! one to one. A variable that stands as an argument of an atom on the body's top level is the
//! slot itself: most clauses need few inputs.
//!
//! Needs a linear system: a body that needs two facts at once would need two states.

mod back;

use alphorn_problem::horn::{Clause, Head, PredId};
use alphorn_problem::words::{Named, State};
use alphorn_problem::{Back, Horn, Span, Words};
use alphorn_term::{Bv, Op, Sort, SortId, Store, Substitution, TermId, Value};
use rustc_hash::FxHashMap;

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
    /// For each predicate, the state positions of its arguments.
    slots: Vec<Vec<usize>>,
    /// The fixed value of each state's variable when it is not used; the code 0 for `at`.
    unused: Vec<Value>,
    /// For each clause, where its variables' values are found.
    sources: Vec<Vec<Source>>,
}

/// The state position of `at`.
const AT: usize = 0;
/// The input position of the clause's choice.
const CHOICE: usize = 0;

/// The transition system of a linear system over truth values, words and arrays of them, and the
/// way back; or why there is none.
pub fn horn_to_words(horn: &Horn) -> Result<(Words, Back<Horn, Words>), String> {
    check_fragment(horn)?;
    let mut builder = Builder::new(horn)?;
    let chosen: Vec<TermId> =
        horn.clauses.iter().enumerate().map(|(k, clause)| builder.chosen(k, clause)).collect();
    builder.finish_states(&chosen);
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

struct Builder<'a> {
    horn: &'a Horn,
    words: Words,
    encoding: Encoding,
    at_width: u32,
    choice_width: u32,
    /// The inputs of each sort that clauses share.
    inputs_of: FxHashMap<SortId, Vec<usize>>,
}

impl<'a> Builder<'a> {
    fn new(horn: &'a Horn) -> Result<Builder<'a>, String> {
        let (at_width, choice_width) =
            (width_for(horn.preds.len()), width_for(horn.clauses.len().saturating_sub(1)));
        let encoding = Encoding { slots: Vec::new(), unused: Vec::new(), sources: Vec::new() };
        let words = Words { terms: horn.terms.clone(), ..Words::default() };
        let inputs_of = FxHashMap::default();
        let mut builder = Builder { horn, words, encoding, at_width, choice_width, inputs_of };
        let at = builder.words.terms.bv_sort(at_width);
        builder.add_state("at", at)?;
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
        let choice = builder.words.terms.bv_sort(choice_width);
        builder.add_input("choice", choice);
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

    fn state(&self, position: usize) -> TermId {
        self.words.states[position].var
    }

    fn code(&mut self, pred: Option<PredId>) -> TermId {
        let code = pred.map_or(0, |pred| u64::from(pred.0) + 1);
        self.words.terms.bv(Bv::from_u64(self.at_width, code))
    }

    /// The condition that clause number `k` is chosen and its body holds. Leaves the clause's
    /// sources in the encoding.
    fn chosen(&mut self, k: usize, clause: &Clause) -> TermId {
        let sources = self.place_vars(clause);
        let map = self.substitution(clause, &sources);
        self.encoding.sources.push(sources);
        let mut map_atoms = map.clone();
        for atom in self.horn.atoms(clause.body) {
            let Some(pred) = self.horn.atom(atom) else { continue };
            let code = self.code(Some(pred));
            let mut conditions = vec![self.words.terms.eq(self.words.states[AT].var, code)];
            let args = self.horn.terms.args(atom);
            for (arg, slot) in args.iter().zip(self.encoding.slots[pred.index()].clone()) {
                let arg = self.words.terms.substitute(*arg, &map);
                let slot = self.state(slot);
                conditions.push(self.words.terms.eq(slot, arg));
            }
            map_atoms.insert(atom, self.words.terms.and(&conditions));
        }
        let body = self.words.terms.substitute(clause.body, &map_atoms);
        let number = self.words.terms.bv(Bv::from_u64(self.choice_width, k as u64));
        let choice = self.words.inputs[CHOICE];
        let is_chosen = self.words.terms.eq(choice, number);
        self.words.terms.and(&[is_chosen, body])
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

    /// Gives the states their next values, and the system its bad states.
    fn finish_states(&mut self, chosen: &[TermId]) {
        let count = self.words.states.len();
        let mut next: Vec<TermId> = Vec::with_capacity(count);
        for state in &self.words.states {
            next.push(state.init.expect("every state of the encoding has an initial value"));
        }
        let unused = next.clone();
        let mut bad = Vec::new();
        for (k, clause) in self.horn.clauses.iter().enumerate() {
            match &clause.head {
                Head::False => bad.push(chosen[k]),
                Head::Atom(pred, args) => {
                    let map = self.substitution(clause, &self.encoding.sources[k]);
                    let mut then = unused.clone();
                    then[AT] = self.code(Some(*pred));
                    for (&slot, &arg) in self.encoding.slots[pred.index()].iter().zip(args) {
                        then[slot] = self.words.terms.substitute(arg, &map);
                    }
                    for (next, then) in next.iter_mut().zip(then) {
                        *next = self.words.terms.ite(chosen[k], then, *next);
                    }
                }
            }
        }
        for (state, next) in self.words.states.iter_mut().zip(next) {
            state.next = Some(next);
        }
        let term = self.words.terms.or(&bad);
        let name = Some("a query fires".to_owned());
        self.words.bads.push(Named { term, name, span: Span::NONE });
    }
}
