//! Functions that are terms, for a derivation that needs them to satisfy axioms.
//!
//! A derivation from instances of axioms is one of the system if there are functions that satisfy the axioms and let
//! its clauses fire. Here they are looked for among templates (`templates`): with these in their places the clauses
//! say which unknowns fit, and the solver says so for the clauses of the derivation. If none fit, the system with
//! templates is an ordinary one, whose unknowns predicates hand on, and another derivation is looked for in
//! it. What is found are definitions of arrays, for which the axioms are proved (`refutation`).
//!
//! Invariant: nothing is believed of what is found.

use super::roles::{Filled, Function, filled, functions};
use super::templates::{Family, Map, Template, maps, role, sorts, template};
use super::{axioms, refutation, shortly, tried};
use crate::settings::{
    AXIOMS_MAX_EXCEPTIONS, AXIOMS_MODEL_ROUNDS, AXIOMS_TEMPLATE_TICKS, DECLARED_FEW_INSTANCES,
};
use alphorn_engine::{Ctx, Stop};
use alphorn_horn::revalue::Unrolled;
use alphorn_problem::Horn;
use alphorn_problem::evidence::horn::{Definition, Derivation, Interpretation};
use alphorn_problem::obligation::interpretation::with_sorts;
use alphorn_smt::Options;
use alphorn_term::{Model, Sort, SortId, Store, Substitution, TermId, Value};

/// A refutation of the clauses of a derivation, or of one that is found instead, at functions that are terms; none if
/// none is found.
pub(super) fn refutation(
    horn: &Horn,
    derivation: &Derivation,
    ctx: &mut Ctx<'_>,
) -> Result<Option<Derivation>, Stop> {
    let functions = functions(horn);
    if functions.is_empty() {
        return Ok(None);
    }
    let found = if horn.every_sort { maps(horn, &functions) } else { Vec::new() };
    let mut ways = vec![Vec::new()];
    if !found.is_empty() {
        ways.insert(0, found);
    }
    let mut systems = Vec::with_capacity(ways.len());
    for maps in ways {
        let sorts = if horn.every_sort { sorts(horn, &maps) } else { Vec::new() };
        if let Ok(seen) = with_sorts(horn, &sorts) {
            systems.push((seen.into_owned(), sorts, maps));
        }
    }
    for (seen, sorts, maps) in &systems {
        for family in families() {
            let candidate = Candidate::of(seen, sorts, &functions, maps, family);
            if let Some(found) = candidate.refuted(derivation, ctx)? {
                return Ok(Some(found));
            }
        }
    }
    // With functions that are simple another derivation may be there, and takes a search.
    for (seen, sorts, maps) in &systems {
        let family = families().next().expect("there is a simplest family");
        let candidate = Candidate::of(seen, sorts, &functions, maps, family);
        if let Some(other) = candidate.derivation(ctx)?
            && let Some(found) = candidate.refuted(&other, ctx)?
        {
            return Ok(Some(found));
        }
    }
    Ok(None)
}

/// What functions may be, simple ones first.
fn families() -> impl Iterator<Item = Family> {
    (0..=AXIOMS_MAX_EXCEPTIONS.size())
        .map(|exceptions| Family { exceptions, doubles: exceptions > 0 })
}

/// A system with templates for its functions.
struct Candidate<'a> {
    /// The system under the sorts that are chosen.
    horn: &'a Horn,
    sorts: &'a [(SortId, SortId)],
    functions: &'a [Function],
    templates: Vec<Template>,
    /// The terms of the system and of the templates.
    store: Store,
    filled: Filled,
}

impl Candidate<'_> {
    fn of<'a>(
        horn: &'a Horn,
        sorts: &'a [(SortId, SortId)],
        functions: &'a [Function],
        maps: &[Map],
        family: Family,
    ) -> Candidate<'a> {
        let mut store = horn.terms.clone();
        let made = |(position, function): (usize, &Function)| {
            let (args, result) = signature(horn, function);
            template(&mut store, (&args, result), role(maps, position), family)
        };
        let templates: Vec<Template> = functions.iter().enumerate().map(made).collect();
        let filled = filled(horn, functions, &templates, &store);
        Candidate { horn, sorts, functions, templates, store, filled }
    }

    /// A derivation from the system with templates.
    fn derivation(&self, ctx: &mut Ctx<'_>) -> Result<Option<Derivation>, Stop> {
        let closed = &self.filled.closed;
        match axioms::weaker(closed, ctx)? {
            Some(weaker) => tried(&weaker, ctx),
            None => tried(closed, ctx),
        }
    }

    /// A refutation of the clauses of a derivation at functions that fit, in short time; its values do not matter.
    fn refuted(
        &self,
        derivation: &Derivation,
        ctx: &mut Ctx<'_>,
    ) -> Result<Option<Derivation>, Stop> {
        shortly(AXIOMS_TEMPLATE_TICKS.get(), ctx, |ctx| self.fitting(derivation, ctx))
    }

    fn fitting(
        &self,
        derivation: &Derivation,
        ctx: &mut Ctx<'_>,
    ) -> Result<Option<Derivation>, Stop> {
        let rounds = AXIOMS_MODEL_ROUNDS.short();
        let options = Options { instance_rounds: rounds, ..Options::default() };
        let mut unrolled = Unrolled::of(&self.filled.open, derivation, ctx)?;
        let Some(model) = unrolled.model(options, ctx)? else { return Ok(None) };
        let Some(valued) = unrolled.valued(derivation, &model) else { return Ok(None) };
        let mut terms = self.store.clone();
        let mut arrays = Vec::with_capacity(self.functions.len());
        for (function, template) in self.functions.iter().zip(&self.templates) {
            let Some(definition) = definition(&mut terms, template, &model) else {
                return Ok(None);
            };
            let sort = self.horn.terms.sort(variable(self.horn, function));
            arrays.push((terms.fresh_var(&function.name, sort), definition));
        }
        let mut instances = Vec::with_capacity(valued.steps.len());
        for step in &valued.steps {
            let at = step.clause.index();
            let own = self.functions.iter().zip(&arrays);
            let own: Vec<(usize, TermId)> = own
                .filter_map(|(function, (array, _))| Some((*function.vars.get(&at)?, *array)))
                .collect();
            let (mut values, mut all) = (step.values.iter(), Vec::new());
            for position in 0..self.horn.clauses[at].vars.len() {
                let given = own.iter().find(|(place, _)| *place == position);
                let term = match given {
                    Some((_, array)) => Some(*array),
                    None => values.next().and_then(|value| terms.value_term(value)),
                };
                let Some(term) = term else { return Ok(None) };
                all.push(term);
            }
            instances.push((step.clause, all));
        }
        let chosen = Interpretation { sorts: self.sorts.to_vec(), arrays };
        let rounds = DECLARED_FEW_INSTANCES.short();
        refutation::refutation(self.horn, terms, chosen, (&instances, rounds), ctx)
    }
}

/// What a template is under a model.
fn definition(terms: &mut Store, template: &Template, model: &Model) -> Option<Definition> {
    let mut map = Substitution::default();
    for &unknown in &template.unknowns {
        let value = model.vars.get(&unknown).cloned();
        let value = value.or_else(|| Value::default_of(terms, terms.sort(unknown)))?;
        map.insert(unknown, terms.value_term(&value)?);
    }
    let body = terms.substitute(template.body, &map);
    Some(Definition { params: template.args.clone(), body })
}

/// A variable of a function.
fn variable(horn: &Horn, function: &Function) -> TermId {
    let (&at, &position) = function.vars.first_key_value().expect("a function has variables");
    horn.clauses[at].vars[position]
}

/// The sorts of a function's arguments and result in a system with other sorts.
fn signature(horn: &Horn, function: &Function) -> (Vec<SortId>, SortId) {
    let (mut args, mut result) = (Vec::new(), horn.terms.sort(variable(horn, function)));
    while args.len() < function.args.len()
        && let Sort::Array(index, element) = *horn.terms.sort_of(result)
    {
        args.push(index);
        result = element;
    }
    (args, result)
}
