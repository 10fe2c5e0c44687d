//! Rules at the places of a derivation tree, with variables of their own.
//!
//! A *position* is a rule that derives some fact whose arguments are given as variables of whoever
//! needs the fact. The rule's other variables are fresh, so what a subtree has in common with the
//! rest of its tree are the arguments of the fact it derives (and the flag that says whether the fact
//! is needed), as tree interpolation wants it. Head arguments that are variables are replaced
//! rather than equated, which keeps formulas and proofs short.
//!
//! Positions are made once: the same rule below the same atom of the same position is the same
//! position in every search, so its formulas are the same terms and a solver that saw them knows them.

use super::system::{Rule, System, conjuncts};
use alphorn_term::{Op, Store, Substitution, TermId};
use rustc_hash::FxHashMap;

/// A position, by its number.
pub(crate) type PositionId = usize;

/// A fact that a position needs.
pub(crate) struct Slot {
    /// Its arguments, pairwise different variables.
    pub(crate) params: Vec<TermId>,
    /// Says whether it is needed: a variable, or true.
    pub(crate) flag: TermId,
    map: Substitution,
    known: FxHashMap<TermId, TermId>,
}

impl Slot {
    fn new(formals: &[TermId], params: Vec<TermId>, flag: TermId) -> Slot {
        let map = formals.iter().copied().zip(params.iter().copied()).collect();
        Slot { params, flag, map, known: FxHashMap::default() }
    }

    /// A formula over the predicate's parameters, said of the fact if it is needed.
    pub(crate) fn of(&mut self, store: &mut Store, formula: TermId) -> TermId {
        if let Some(&known) = self.known.get(&formula) {
            return known;
        }
        let plain = store.substitute(formula, &self.map);
        let result = store.implies(self.flag, plain);
        self.known.insert(formula, result);
        result
    }
}

/// A rule at a place of a tree.
pub(crate) struct Position {
    /// The rule; none for the root of a tree that is no query.
    pub(crate) rule: Option<usize>,
    /// What the rule demands, as conjuncts.
    pub(crate) parts: Vec<TermId>,
    /// Which of the rule's constraints each part is, the same at all positions of the rule.
    pub(crate) numbers: Vec<usize>,
    /// The facts it needs, by the rule's atoms.
    pub(crate) slots: Vec<Slot>,
    /// A term for each of the clause's variables.
    pub(crate) values: Vec<TermId>,
    /// The variables of the parts.
    pub(crate) vars: Vec<TermId>,
}

/// Positions by what they are for, so that goals that pass one share its variables.
#[derive(Default)]
pub(crate) struct Positions {
    all: Vec<Position>,
    below: FxHashMap<(PositionId, usize, usize), PositionId>,
    of_queries: FxHashMap<usize, PositionId>,
    of_claims: FxHashMap<(usize, TermId), PositionId>,
}

impl Positions {
    /// A position.
    pub(crate) fn at(&self, id: PositionId) -> &Position {
        &self.all[id]
    }

    /// A position, to be told what its slots' formulas are.
    pub(crate) fn at_mut(&mut self, id: PositionId) -> &mut Position {
        &mut self.all[id]
    }

    /// The position of a query.
    pub(crate) fn of_query(
        &mut self,
        store: &mut Store,
        system: &System,
        rule: usize,
    ) -> PositionId {
        if let Some(&known) = self.of_queries.get(&rule) {
            return known;
        }
        let position = make(store, system, rule, &[], TermId::TRUE);
        let id = self.add(position);
        self.of_queries.insert(rule, id);
        id
    }

    /// The root of a tree that derives a fact of a predicate for which the formula, over its
    /// parameters, is false.
    pub(crate) fn of_claim(
        &mut self,
        store: &mut Store,
        system: &System,
        pred: usize,
        formula: TermId,
    ) -> PositionId {
        if let Some(&known) = self.of_claims.get(&(pred, formula)) {
            return known;
        }
        let params = &system.params[pred];
        let otherwise = store.not(formula);
        let parts = conjuncts(store, otherwise);
        let position = Position {
            rule: None,
            vars: store.free_vars(&parts),
            numbers: (0..parts.len()).collect(),
            parts,
            slots: vec![Slot::new(params, params.clone(), TermId::TRUE)],
            values: Vec::new(),
        };
        let id = self.add(position);
        self.of_claims.insert((pred, formula), id);
        id
    }

    /// The position of a rule that derives what an atom of another position needs.
    pub(crate) fn below(
        &mut self,
        store: &mut Store,
        system: &System,
        (above, atom): (PositionId, usize),
        rule: usize,
    ) -> PositionId {
        if let Some(&known) = self.below.get(&(above, atom, rule)) {
            return known;
        }
        let slot = &self.all[above].slots[atom];
        let position = make(store, system, rule, &slot.params, slot.flag);
        let id = self.add(position);
        self.below.insert((above, atom, rule), id);
        id
    }

    fn add(&mut self, position: Position) -> PositionId {
        self.all.push(position);
        self.all.len() - 1
    }
}

/// A rule that derives a fact with the given arguments if the flag is true.
pub(crate) fn make(
    store: &mut Store,
    system: &System,
    number: usize,
    params: &[TermId],
    flag: TermId,
) -> Position {
    let rule = &system.rules[number];
    let (map, mut ties) = renaming(store, rule, params);
    for tie in &mut ties {
        tie.1 = store.substitute(tie.1, &map);
    }
    let mut constraints = Vec::new();
    for part in conjuncts(store, rule.body) {
        constraints.push(store.substitute(part, &map));
    }
    let mut slots = Vec::with_capacity(rule.atoms.len());
    for atom in &rule.atoms {
        let mut own: Vec<TermId> = Vec::with_capacity(atom.args.len());
        for &arg in &atom.args {
            let arg = store.substitute(arg, &map);
            let is_plain = matches!(store.op(arg), Op::Var(_)) && !own.contains(&arg);
            own.push(if is_plain {
                arg
            } else {
                let var = store.fresh_var("a", store.sort(arg));
                ties.push((var, arg));
                var
            });
        }
        let used = store.substitute(atom.used, &map);
        let flag = if used == TermId::TRUE { flag } else { used };
        slots.push(Slot::new(&system.params[atom.pred], own, flag));
    }
    for (var, term) in ties {
        constraints.push(store.eq(var, term));
    }
    let (mut parts, mut numbers) = (Vec::new(), Vec::new());
    for (number, constraint) in constraints.into_iter().enumerate() {
        let part = store.implies(flag, constraint);
        if part != TermId::TRUE {
            parts.push(part);
            numbers.push(number);
        }
    }
    let values = rule.vars.iter().map(|var| map.get(var).copied().unwrap_or(*var)).collect();
    let vars = store.free_vars(&parts);
    Position { rule: Some(number), parts, numbers, slots, values, vars }
}

/// Variables for those of a rule, and what is left to equate.
fn renaming(
    store: &mut Store,
    rule: &Rule,
    params: &[TermId],
) -> (Substitution, Vec<(TermId, TermId)>) {
    let mut map = Substitution::default();
    let mut ties = Vec::new();
    if let Some((_, args)) = &rule.head {
        for (&arg, &param) in args.iter().zip(params) {
            if rule.vars.contains(&arg) && !map.contains_key(&arg) {
                map.insert(arg, param);
            } else {
                ties.push((param, arg));
            }
        }
    }
    for &var in &rule.vars {
        map.entry(var).or_insert_with(|| store.fresh_var("v", store.sort(var)));
    }
    (map, ties)
}
