//! The abstract domain: rules, the predicates of relation symbols, and what follows by rules.
//!
//! What the searches have in common: how they abstract, not in which order.

use super::clauses::{Clauses, Premise};
use super::predicates::{PredicateId, Predicates};
use super::rules::conjunctive;
use super::templates::{Template, Tie};
use crate::la::annotation::Entailments;
use crate::la::system::{Pred, System};
use crate::settings::CEGAR_LARGEST_SIMPLIFIED;
use alphorn_engine::{Ctx, Event, Stop};
use alphorn_problem::evidence::horn::{Definition, HornClaim};
use alphorn_problem::hint::HintKind;
use alphorn_problem::{Finding, Horn};
use alphorn_smt::project::simplify;
use alphorn_term::{Store, TermId};

/// What was said by others.
#[derive(Default)]
pub(super) struct News {
    /// Formulas over the parameters of symbols.
    pub(super) formulas: Vec<(Pred, TermId)>,
    /// Templates of symbols.
    pub(super) templates: Vec<(Pred, Template)>,
}

/// Rules and predicates.
pub(super) struct Domain<'a> {
    pub(super) horn: &'a Horn,
    pub(super) store: Store,
    pub(super) system: System,
    pub(super) predicates: Predicates,
    clauses: Clauses,
    /// How often derivations were refined.
    pub(super) rounds: u64,
}

impl<'a> Domain<'a> {
    /// The domain without predicates.
    pub(super) fn new(horn: &'a Horn) -> Result<Domain<'a>, Stop> {
        let mut store = horn.terms.clone();
        let system = System::new(horn, &mut store)?;
        let system = conjunctive(&mut store, system)?;
        let predicates = Predicates::new(system.params.len());
        let clauses = Clauses::new(&system);
        Ok(Domain { horn, store, system, predicates, clauses, rounds: 0 })
    }

    /// The symbol of a rule's head; none for a query.
    pub(super) fn head(&self, rule: usize) -> Option<Pred> {
        self.system.rules[rule].head.as_ref().map(|(pred, _)| *pred)
    }

    /// Those of the candidates that follow from a rule's body with premises; none if that is contradictory.
    pub(super) fn consequences(
        &mut self,
        rule: usize,
        premises: &[Premise],
        candidates: &[PredicateId],
        ctx: &mut Ctx<'_>,
    ) -> Result<Option<Vec<PredicateId>>, Stop> {
        if self.follows(rule, premises, None, ctx)? {
            return Ok(None);
        }
        let mut implied = Vec::new();
        for &candidate in candidates {
            if self.follows(rule, premises, Some(candidate), ctx)? {
                implied.push(candidate);
            }
        }
        Ok(Some(implied))
    }

    /// Whether a predicate of the head, or a contradiction, follows from a rule's body with premises; not if
    /// that is too hard to tell.
    pub(super) fn follows(
        &mut self,
        rule: usize,
        premises: &[Premise],
        conclusion: Option<PredicateId>,
        ctx: &mut Ctx<'_>,
    ) -> Result<bool, Stop> {
        let Domain { store, system, predicates, clauses, .. } = self;
        clauses.follows((store, system), predicates, (rule, premises), conclusion, ctx)
    }

    /// Adds formulas over the parameters of symbols; the predicates that are new, by symbol.
    pub(super) fn add(&mut self, formulas: Vec<(Pred, TermId)>) -> Option<Vec<Vec<PredicateId>>> {
        let mut new: Vec<Vec<PredicateId>> = vec![Vec::new(); self.system.params.len()];
        for (pred, formula) in formulas {
            new[pred].extend(self.predicates.add(&mut self.store, pred, formula));
        }
        new.iter().any(|ids| !ids.is_empty()).then_some(new)
    }

    /// What other engines or users say, as formulas to be tried and not believed, and templates.
    pub(super) fn news(&mut self, ctx: &mut Ctx<'_>) -> News {
        let mut news = News::default();
        for lemma in ctx.news::<Horn>() {
            let pred = lemma.pred.index();
            let Some(params) = self.system.params.get(pred).cloned() else { continue };
            if !self.system.relevant[pred] {
                continue;
            }
            let Some(term) = lemma.read(&mut self.store, &params) else { continue };
            match lemma.hint {
                None | Some(HintKind::Formula) => news.formulas.push((pred, term)),
                Some(HintKind::Term { cost }) => {
                    news.templates.push((pred, Template { term, cost, tie: Tie::Equal }));
                }
                Some(HintKind::Bound { cost }) => {
                    for tie in [Tie::AtMost, Tie::AtLeast] {
                        news.templates.push((pred, Template { term, cost, tie }));
                    }
                }
                Some(HintKind::Truth { cost }) => {
                    news.templates.push((pred, Template { term, cost, tie: Tie::Implied }));
                }
            }
        }
        news
    }

    /// Says what was done for a number of abstract facts.
    pub(super) fn tell(&self, facts: usize, ctx: &mut Ctx<'_>) {
        ctx.emit(Event::Remark(format!(
            "{} rounds, {} predicates, {facts} abstract facts, {} questions, {} answered from memory",
            self.rounds,
            self.predicates.count(),
            self.clauses.asked,
            self.clauses.remembered,
        )));
    }

    /// The model in which each symbol is the disjunction of its abstract facts.
    pub(super) fn answer(
        mut self,
        labels: &[(Pred, &[PredicateId])],
        ctx: &mut Ctx<'_>,
    ) -> Result<Finding<Horn>, Stop> {
        let mut facts: Vec<Vec<TermId>> = vec![Vec::new(); self.system.params.len()];
        for &(pred, label) in labels {
            let label = self.store.and(&self.predicates.formulas(label));
            facts[pred].push(label);
        }
        let mut entailments = Entailments::default();
        let mut definitions = Vec::with_capacity(facts.len());
        for (pred, facts) in facts.into_iter().enumerate() {
            let params = self.system.params[pred].clone();
            let body = match self.system.relevant[pred] {
                true => disjunction(&mut self.store, &mut entailments, facts, ctx)?,
                false => TermId::TRUE,
            };
            definitions.push(Definition { params, body });
        }
        Ok(Finding::Holds(HornClaim::of(self.store, definitions)))
    }
}

/// The disjunction of formulas without those that others imply, simplified.
fn disjunction(
    store: &mut Store,
    entailments: &mut Entailments,
    formulas: Vec<TermId>,
    ctx: &mut Ctx<'_>,
) -> Result<TermId, Stop> {
    let mut kept: Vec<TermId> = Vec::new();
    for formula in formulas {
        let mut is_implied = false;
        for &other in &kept {
            is_implied = is_implied || entailments.implies(store, &[formula], other, ctx)?;
        }
        if !is_implied {
            let mut rest = Vec::with_capacity(kept.len() + 1);
            for other in kept {
                if !entailments.implies(store, &[other], formula, ctx)? {
                    rest.push(other);
                }
            }
            rest.push(formula);
            kept = rest;
        }
    }
    let whole = store.or(&kept);
    let is_small = store.dag_size(&[whole]) <= CEGAR_LARGEST_SIMPLIFIED.size();
    Ok(if is_small { simplify(store, whole, &[], None) } else { whole })
}
