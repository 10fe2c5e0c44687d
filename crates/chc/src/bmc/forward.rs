//! Growing numbers of facts, from facts towards queries.
//!
//! The facts of a derivation stand in a row. Each *place* of the row has a rule, values for the rule's
//! variables, and for each atom of its body that is used an earlier place with the same fact; so a row
//! is a derivation as a graph, in which no fact is derived twice. Places are added at the end, and
//! whether a query fires there is an assumption of one question.
//!
//! A row may be ordered in many ways and may have idle places; what is looked for is therefore a row
//! in which every place is used by a later one or by the query, and in which neighbours that do not
//! depend on each other are in the order of their rules. Every derivation has such a row: leaving out
//! idle places makes it shorter, and exchanging neighbours ends.
//!
//! Invariant: no query has a derivation with `bound` facts or fewer.

use crate::la::system::{Atom, System};
use crate::ts::bmc::too_hard;
use crate::ts::values;
use alphorn_engine::{Ctx, Stop};
use alphorn_horn::ask::ask;
use alphorn_horn::derivation::needed;
use alphorn_problem::Horn;
use alphorn_problem::evidence::horn::{Derivation, Step};
use alphorn_smt::{Answer, Options, Smt};
use alphorn_term::{Model, SortId, Store, Substitution, TermId, Value, eval};

/// A rule at a place.
struct Instance {
    rule: usize,
    /// Whether it is what concludes the place's fact.
    chosen: TermId,
    /// The rule's variables under the names they have here.
    vars: Vec<TermId>,
    /// For each atom and each earlier place, whether the place's fact is the atom's.
    matches: Vec<Vec<TermId>>,
}

/// A fact.
struct Place {
    instances: Vec<Instance>,
    /// For each predicate, whether the fact is of it, and its arguments if so.
    facts: Vec<(TermId, Vec<TermId>)>,
    /// What uses it in the row as it is, at places or at the query.
    uses: Vec<TermId>,
}

/// The row.
struct Row<'a> {
    horn: &'a Horn,
    system: System,
    /// The terms, which extend the system's.
    store: Store,
    smt: Smt,
    places: Vec<Place>,
}

/// A derivation; none if nothing at all can be derived. Goes on as long as there may be one.
pub(super) fn search(horn: &Horn, ctx: &mut Ctx<'_>) -> Result<Option<Derivation>, Stop> {
    let mut store = horn.terms.clone();
    let system = System::new(horn, &mut store)?;
    let smt = Smt::new(Options::default());
    let mut row = Row { horn, system, store, smt, places: Vec::new() };
    loop {
        if let Some(derivation) = row.query(ctx)? {
            return Ok(Some(derivation));
        }
        ctx.cleared(row.places.len() as u64)?;
        if !row.add(ctx)? {
            return Ok(None);
        }
    }
}

impl Row<'_> {
    /// A rule at the end of the row.
    fn instance(&mut self, rule: usize, ctx: &mut Ctx<'_>) -> Result<(Instance, TermId), Stop> {
        let it = &self.system.rules[rule];
        let store = &mut self.store;
        let mut map = Substitution::default();
        for &var in &it.vars {
            map.insert(var, store.fresh_var("v", store.sort(var)));
        }
        let chosen = store.fresh_var("rule", SortId::BOOL);
        let mut parts = vec![store.substitute(it.body, &map)];
        let mut matches = Vec::with_capacity(it.atoms.len());
        for Atom { pred, args, used } in &it.atoms {
            let mut at: Vec<TermId> = Vec::with_capacity(self.places.len());
            let args: Vec<TermId> = args.iter().map(|&arg| store.substitute(arg, &map)).collect();
            for place in &self.places {
                let (is_of, values) = &place.facts[*pred];
                let mut same = vec![*is_of];
                same.extend(args.iter().zip(values).map(|(&arg, &value)| store.eq(arg, value)));
                at.push(store.and(&same));
            }
            ctx.tick(1 + (at.len() * args.len()) as u64)?;
            let some = store.or(&at);
            let used = store.substitute(*used, &map);
            parts.push(store.implies(used, some));
            matches.push(at);
        }
        let body = store.and(&parts);
        ctx.tick(store.dag_size(&[body]) as u64)?;
        let vars = it.vars.iter().map(|var| map[var]).collect();
        Ok((Instance { rule, chosen, vars, matches }, body))
    }

    /// Notes what an instance at the end of the row uses.
    fn note_uses(&mut self, instance: &Instance) {
        for (at, place) in self.places.iter_mut().enumerate() {
            for atom in &instance.matches {
                place.uses.push(self.store.and(&[instance.chosen, atom[at]]));
            }
        }
    }

    /// Adds a place; whether some rule can fill it.
    fn add(&mut self, ctx: &mut Ctx<'_>) -> Result<bool, Stop> {
        let mut facts = Vec::with_capacity(self.system.params.len());
        for params in &self.system.params {
            let sorts: Vec<SortId> = params.iter().map(|&param| self.store.sort(param)).collect();
            let args = sorts.into_iter().map(|sort| self.store.fresh_var("arg", sort)).collect();
            facts.push((self.store.fresh_var("fact", SortId::BOOL), args));
        }
        let (mut instances, mut choices) = (Vec::new(), Vec::new());
        for rule in 0..self.system.rules.len() {
            if self.system.rules[rule].head.is_none() {
                continue;
            }
            let (instance, body) = self.instance(rule, ctx)?;
            if body == TermId::FALSE {
                continue;
            }
            let premise = instance.chosen;
            for part in [body, self.conclusion(&instance, &facts)] {
                let part = self.store.implies(premise, part);
                self.smt.assert(&mut self.store, part);
            }
            choices.push(premise);
            instances.push(instance);
        }
        if instances.is_empty() {
            return Ok(false);
        }
        self.exactly_one(&choices);
        let preds: Vec<TermId> = facts.iter().map(|(is_of, _)| *is_of).collect();
        self.at_most_one(&preds);
        self.in_order(&instances);
        for instance in &instances {
            self.note_uses(instance);
        }
        self.places.push(Place { instances, facts, uses: Vec::new() });
        Ok(true)
    }

    /// What an instance says about the fact that it concludes.
    fn conclusion(&mut self, instance: &Instance, facts: &[(TermId, Vec<TermId>)]) -> TermId {
        let rule = &self.system.rules[instance.rule];
        let Some((pred, args)) = &rule.head else { return TermId::TRUE };
        let store = &mut self.store;
        let map: Substitution =
            rule.vars.iter().copied().zip(instance.vars.iter().copied()).collect();
        let (is_of, values) = &facts[*pred];
        let mut parts = vec![*is_of];
        for (&arg, &value) in args.iter().zip(values) {
            let arg = store.substitute(arg, &map);
            parts.push(store.eq(arg, value));
        }
        store.and(&parts)
    }

    fn exactly_one(&mut self, choices: &[TermId]) {
        let some = self.store.or(choices);
        self.smt.assert(&mut self.store, some);
        self.at_most_one(choices);
    }

    fn at_most_one(&mut self, choices: &[TermId]) {
        for (place, &first) in choices.iter().enumerate() {
            for &second in &choices[place + 1..] {
                let both = self.store.and(&[first, second]);
                let not_both = self.store.not(both);
                self.smt.assert(&mut self.store, not_both);
            }
        }
    }

    /// Says that the last place before these instances has an earlier rule unless it is used.
    fn in_order(&mut self, instances: &[Instance]) {
        let Some(last) = self.places.len().checked_sub(1) else { return };
        for instance in instances {
            let before = &self.places[last].instances;
            let later = before.iter().filter(|before| before.rule > instance.rule);
            let later: Vec<TermId> = later.map(|before| before.chosen).collect();
            let is_later = self.store.or(&later);
            let uses: Vec<TermId> = instance.matches.iter().map(|atom| atom[last]).collect();
            let is_used = self.store.or(&uses);
            let out_of_order = self.store.and(&[instance.chosen, is_later]);
            let rule = self.store.implies(out_of_order, is_used);
            self.smt.assert(&mut self.store, rule);
        }
    }

    /// A derivation with all facts of the row, if there is one.
    fn query(&mut self, ctx: &mut Ctx<'_>) -> Result<Option<Derivation>, Stop> {
        let (mut fired, mut ways) = (Vec::new(), Vec::new());
        for rule in self.system.queries.clone() {
            let (instance, body) = self.instance(rule, ctx)?;
            let fires = self.store.implies(instance.chosen, body);
            self.smt.assert(&mut self.store, fires);
            ways.push(instance.chosen);
            fired.push(instance);
        }
        let mut parts = vec![self.store.or(&ways)];
        for at in 0..self.places.len() {
            let mut uses = self.places[at].uses.clone();
            for instance in &fired {
                for atom in &instance.matches {
                    uses.push(self.store.and(&[instance.chosen, atom[at]]));
                }
            }
            parts.push(self.store.or(&uses));
        }
        let goal = self.store.and(&parts);
        match ask(&mut self.smt, &mut self.store, &[goal], ctx)? {
            Answer::Sat => self.derivation(&fired).map(Some),
            Answer::Unknown => Err(too_hard()),
            Answer::Unsat => {
                let none = self.store.not(goal);
                self.smt.assert(&mut self.store, none);
                Ok(None)
            }
        }
    }

    /// The derivation that the solver's model is.
    fn derivation(&self, fired: &[Instance]) -> Result<Derivation, Stop> {
        let model = self.smt.model(&self.store);
        let mut steps: Vec<Step> = Vec::with_capacity(self.places.len() + 1);
        for place in &self.places {
            steps.push(self.step(&place.instances, &model)?);
        }
        steps.push(self.step(fired, &model)?);
        Ok(needed(steps))
    }

    /// The instance that is chosen, as a step.
    fn step(&self, instances: &[Instance], model: &Model) -> Result<Step, Stop> {
        let is_true = |term: TermId| eval(&self.store, term, model) == Ok(Value::Bool(true));
        let chosen = instances.iter().find(|it| is_true(it.chosen));
        let instance = chosen
            .ok_or_else(|| Stop::Stuck("a model of a derivation leaves a step open".to_owned()))?;
        let clause = self.system.rules[instance.rule].clause;
        let count = self.horn.clause(clause).vars.len();
        let values = values(&self.store, &instance.vars[..count], model);
        let mut premises: Vec<usize> = Vec::new();
        for atom in &instance.matches {
            if let Some(place) = atom.iter().position(|&same| is_true(same))
                && !premises.contains(&place)
            {
                premises.push(place);
            }
        }
        Ok(Step::new(clause, values, premises))
    }
}
