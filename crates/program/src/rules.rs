//! Rules between locations that have arguments of their own, as a flow.
//!
//! Rewrite rules and Horn clauses give each location its own list of arguments, and a flow has one vector of
//! variables for all of them. Here each argument has a *slot*,
//! a variable of its sort, and no two arguments of a location share one. A slot that a location has no argument
//! for keeps its value there: nothing reads it.
//!
//! Invariant: a run of the flow is one of the rules, with values in the slots that nobody reads, and the other
//! way round; no two formulas share an input.

use alphorn_problem::Span;
use alphorn_problem::flow::{Flow, LocId, Start, Transition};
use alphorn_term::{Op, SortId, Store, Substitution, TermId};
use std::collections::BTreeSet;

/// Which variables the arguments of locations are.
#[derive(Clone, Debug)]
pub struct Arguments {
    /// The slots of each location, by argument.
    slots: Vec<Vec<usize>>,
    /// The variables that are something already.
    used: BTreeSet<TermId>,
}

impl Arguments {
    /// A flow over these locations, each with the sorts of its arguments, that has no steps yet.
    pub fn flow(mut terms: Store, locations: &[(&str, &[SortId], Span)]) -> (Flow, Arguments) {
        let mut sorts: Vec<SortId> = Vec::new();
        let mut slots = Vec::with_capacity(locations.len());
        for (_, args, _) in locations {
            let mut own: Vec<usize> = Vec::new();
            let mut taken: BTreeSet<usize> = BTreeSet::new();
            for &sort in *args {
                let free =
                    (0..sorts.len()).find(|slot| sorts[*slot] == sort && !taken.contains(slot));
                let slot = free.unwrap_or_else(|| {
                    sorts.push(sort);
                    sorts.len() - 1
                });
                taken.insert(slot);
                own.push(slot);
            }
            slots.push(own);
        }
        let names: Vec<String> = (1..=sorts.len()).map(|number| format!("x{number}")).collect();
        let (vars, next) = variables(&mut terms, &names, &sorts);
        let mut flow = Flow { terms, vars, next, ..Flow::default() };
        for (name, _, span) in locations {
            flow.add_location(name, *span);
        }
        let used = flow.vars.iter().chain(&flow.next).copied().collect();
        (flow, Arguments { slots, used })
    }

    /// Adds a start: at a location, with these arguments, for all values of variables such that a formula
    /// holds.
    pub fn start(
        &mut self,
        flow: &mut Flow,
        at: LocId,
        args: &[TermId],
        formula: TermId,
        span: Span,
    ) {
        let mut rule = Rule { map: Substitution::default(), formula, equations: Vec::new() };
        rule.take(&flow.terms, args, &self.variables(at, &flow.vars));
        let (formula, inputs) = self.finish(flow, rule);
        flow.starts.push(Start { at, formula, inputs, span });
    }

    /// Adds a transition: from a location with these arguments to one with those, for all values of variables
    /// such that a formula holds.
    pub fn step(
        &mut self,
        flow: &mut Flow,
        from: (LocId, &[TermId]),
        to: (LocId, &[TermId]),
        formula: TermId,
        name: Option<String>,
        span: Span,
    ) {
        let mut rule = Rule { map: Substitution::default(), formula, equations: Vec::new() };
        rule.take(&flow.terms, from.1, &self.variables(from.0, &flow.vars));
        rule.take(&flow.terms, to.1, &self.variables(to.0, &flow.next));
        let (formula, inputs) = self.finish(flow, rule);
        let own = &self.slots[to.0.index()];
        let mut all = vec![formula];
        for slot in (0..flow.vars.len()).filter(|slot| !own.contains(slot)) {
            let (next, var) = (flow.next[slot], flow.vars[slot]);
            all.push(flow.terms.eq(next, var));
        }
        let formula = flow.terms.and(&all);
        let (from, to) = (from.0, to.0);
        flow.transitions.push(Transition { from, to, formula, inputs, name, span });
    }

    /// The variables of a location's arguments.
    fn variables(&self, at: LocId, vars: &[TermId]) -> Vec<TermId> {
        self.slots[at.index()].iter().map(|&slot| vars[slot]).collect()
    }

    /// The formula over variables of the flow and inputs.
    fn finish(&mut self, flow: &mut Flow, rule: Rule) -> (TermId, Vec<TermId>) {
        let Rule { mut map, formula, equations } = rule;
        let store = &mut flow.terms;
        let mut terms = vec![formula];
        terms.extend(equations.iter().map(|equation| equation.1));
        let mut inputs = Vec::new();
        for var in store.free_vars(&terms) {
            if map.contains_key(&var) {
                continue;
            }
            let mut input = var;
            if !self.used.insert(var) {
                let name = store.var_name(var).unwrap_or("input").to_owned();
                input = store.fresh_var(&name, store.sort(var));
                self.used.insert(input);
                map.insert(var, input);
            }
            inputs.push(input);
        }
        let terms = store.substitute_all(&terms, &map);
        let mut all = vec![terms[0]];
        for (&(var, _), &value) in equations.iter().zip(&terms[1..]) {
            all.push(store.eq(var, value));
        }
        (store.and(&all), inputs)
    }
}

/// Variables of some names and sorts, and their successors: names that are in use are changed.
pub(crate) fn variables(
    terms: &mut Store,
    names: &[String],
    sorts: &[SortId],
) -> (Vec<TermId>, Vec<TermId>) {
    let mut named = |suffix: &str| {
        let mut variable = |(name, &sort): (&String, &SortId)| {
            let name = format!("{name}{suffix}");
            match terms.find_symbol(&name) {
                None => terms.var(&name, sort),
                Some(_) => terms.fresh_var(&name, sort),
            }
        };
        names.iter().zip(sorts).map(&mut variable).collect()
    };
    (named(""), named("'"))
}

/// A rule on its way to a formula.
struct Rule {
    /// What variables of the rule are.
    map: Substitution,
    formula: TermId,
    /// Variables of the flow, and what they are equal to, over the variables of the rule.
    equations: Vec<(TermId, TermId)>,
}

impl Rule {
    /// Takes arguments for variables of the flow.
    fn take(&mut self, store: &Store, args: &[TermId], vars: &[TermId]) {
        for (&arg, &var) in args.iter().zip(vars) {
            if matches!(store.op(arg), Op::Var(_)) && !self.map.contains_key(&arg) {
                self.map.insert(arg, var);
            } else {
                self.equations.push((var, arg));
            }
        }
    }
}
