//! What a search found, as evidence: a model by lemmas or by the zones themselves, a derivation with times.

use super::dbm::Apart;
use super::hulls::{apart, equals, guesses};
use super::search::{Search, Violation};
use crate::houdini::Houdini;
use crate::settings::{ZONES_LEMMA_TICKS, ZONES_MAX_LISTED};
use alphorn_engine::{Ctx, Event, Stop};
use alphorn_horn::ask::ask;
use alphorn_horn::readable::Names;
use alphorn_horn::transform::System;
use alphorn_problem::Horn;
use alphorn_problem::evidence::horn::{Definition, Derivation, HornClaim, Step};
use alphorn_problem::horn::Head;
use alphorn_smt::{Answer, Options, Smt};
use alphorn_term::{Store, Substitution, TermId, Value};
use std::collections::BTreeMap;

/// The claim that what was found is all there is: by lemmas about few arguments if they suffice, else by a list of
/// the zones.
pub(super) fn claim(
    horn: &Horn,
    search: &Search<'_>,
    ctx: &mut Ctx<'_>,
) -> Result<HornClaim, Stop> {
    let live = search.nodes.iter().filter(|node| node.is_live).count();
    ctx.emit(Event::Remark(format!("{live} zones are all there are")));
    let by_lemmas = ctx.within(ZONES_LEMMA_TICKS.get(), |ctx| by_lemmas(horn, search, ctx));
    match by_lemmas {
        Ok(Some(claim)) => Ok(claim),
        _ if live > ZONES_MAX_LISTED.size() => {
            let text = format!("{live} zones are all there are, and no short model was found");
            Err(Stop::Stuck(text))
        }
        _ => by_zones(horn, search, ctx),
    }
}

fn by_lemmas(
    horn: &Horn,
    search: &Search<'_>,
    ctx: &mut Ctx<'_>,
) -> Result<Option<HornClaim>, Stop> {
    let (names, mut terms) = (Names::of(horn), horn.terms.clone());
    let params: Vec<Vec<TermId>> =
        horn.pred_ids().map(|pred| names.parameters(&mut terms, pred)).collect();
    let Some(guesses) = guesses(search, params, &mut terms, ctx)? else { return Ok(None) };
    let count: usize = guesses.of.iter().map(Vec::len).sum();
    ctx.emit(Event::Remark(format!("{count} lemmas about few arguments")));
    let system = System::of(horn);
    let mut houdini = Houdini::new(&system, &mut terms, &guesses);
    if !houdini.run(&mut terms, ctx)? {
        return Ok(None);
    }
    let mut preds = Vec::with_capacity(horn.preds.len());
    for (pred, params) in guesses.params.iter().enumerate() {
        let body = terms.and(&houdini.left(pred));
        preds.push(Definition { params: params.clone(), body });
    }
    Ok(Some(HornClaim::of(terms, preds)))
}

fn by_zones(horn: &Horn, search: &Search<'_>, ctx: &mut Ctx<'_>) -> Result<HornClaim, Stop> {
    let (names, mut terms) = (Names::of(horn), horn.terms.clone());
    let mut preds = Vec::with_capacity(horn.preds.len());
    for pred in horn.pred_ids() {
        let params = names.parameters(&mut terms, pred);
        let layout = &search.layouts[pred.index()];
        let mut groups: BTreeMap<&[i64], Vec<TermId>> = BTreeMap::new();
        for node in search.nodes.iter().filter(|node| node.is_live && node.pred == pred.index()) {
            ctx.tick(1)?;
            let mut parts = Vec::new();
            for Apart { left, right, bound } in node.zone.needed() {
                // Nothing relates to the constant 0 but where clauses do.
                let zero = terms.number(alphorn_term::SortId::REAL, &alphorn_term::Int::ZERO);
                let real = |at: usize| if at == 0 { zero } else { params[layout.reals[at - 1]] };
                parts.push(apart(&mut terms, (real(left), real(right)), bound));
            }
            let zone = terms.and(&parts);
            groups.entry(&node.values).or_default().push(zone);
        }
        let mut any = Vec::new();
        for (values, zones) in groups {
            let mut parts = Vec::new();
            for (&at, &value) in layout.discrete.iter().zip(values) {
                parts.push(equals(&mut terms, params[at], value));
            }
            parts.push(terms.or(&zones));
            any.push(terms.and(&parts));
        }
        let body = terms.or(&any);
        preds.push(Definition { params, body });
    }
    Ok(HornClaim::of(terms, preds))
}

/// The derivation along the rules that led to a violation, with values for all variables.
pub(super) fn derivation(
    horn: &Horn,
    search: &Search<'_>,
    (node, query): Violation,
    ctx: &mut Ctx<'_>,
) -> Result<Derivation, Stop> {
    let (mut path, mut at) = (vec![query], Some(node));
    while let Some(id) = at {
        path.extend(search.nodes[id].by.iter().rev());
        at = search.nodes[id].before;
    }
    path.reverse();
    let mut store = horn.terms.clone();
    let mut smt = Smt::new(Options::default());
    let mut vars: Vec<Vec<TermId>> = Vec::new();
    let mut head: Vec<TermId> = Vec::new();
    for &rule in &path {
        let clause = horn.clause(search.rules[rule].clause);
        let (atoms, rest) = horn.conjunctive(search.rules[rule].clause).unwrap_or_default();
        let map = renaming(&mut store, &clause.vars);
        let body = store.and(&rest);
        let body = store.substitute(body, &map);
        smt.assert(&mut store, body);
        if let [atom] = atoms[..] {
            let args = store.args(atom).to_vec();
            let args = store.substitute_all(&args, &map);
            for (arg, before) in args.into_iter().zip(&head) {
                let same = store.eq(arg, *before);
                smt.assert(&mut store, same);
            }
        }
        head = match &clause.head {
            Head::Atom(_, args) => store.substitute_all(args, &map),
            Head::False => Vec::new(),
        };
        vars.push(clause.vars.iter().map(|var| map[var]).collect());
    }
    if ask(&mut smt, &mut store, &[], ctx)? != Answer::Sat {
        let text = "a way that zones allow has no times: clocks are compared with each other";
        return Err(Stop::Stuck(text.to_owned()));
    }
    let mut steps = Vec::with_capacity(path.len());
    for (at, (&rule, vars)) in path.iter().zip(&vars).enumerate() {
        let model = smt.model_of(&store, vars);
        let value = |var: &TermId| {
            let found = model.vars.get(var).cloned();
            found.or_else(|| Value::default_of(&store, store.sort(*var)))
        };
        let values: Option<Vec<Value>> = vars.iter().map(value).collect();
        let values = values.ok_or_else(|| Stop::Stuck("a variable has no value".to_owned()))?;
        let premises = if at == 0 { Vec::new() } else { vec![at - 1] };
        steps.push(Step::new(search.rules[rule].clause, values, premises));
    }
    Ok(Derivation::of(steps))
}

/// Variables of a step of their own.
fn renaming(store: &mut Store, vars: &[TermId]) -> Substitution {
    vars.iter()
        .map(|&var| {
            let sort = store.sort(var);
            (var, store.fresh_var("step", sort))
        })
        .collect()
}
