//! Transforms of Horn systems, and the way back.
//!
//! `TRANSFORMS` is the table, in the order of application; `simplify` goes through it until nothing
//! changes. Each transform is one file with one function, from a system to a `Change`: the changed
//! system, a recipe per clause for derivations and a meaning per predicate for models. The way back
//! is the same code for all of them (`replay`, `definitions`), so a transform is data about what it
//! did and cannot carry anything back in a way of its own.
//!
//! Models are carried back as definitions; `conclude` proves them, once, on the system as read.
//! Derivations are carried back by evaluation.
//!
//! Systems over sorts that the solver does not treat are left as they are, since their models could
//! not be proved again.

mod absint;
mod alone;
mod backward;
mod cases;
mod change;
mod codes;
mod congruences;
mod constants;
mod contract;
mod control;
mod definitions;
mod dominators;
mod duplicates;
mod enumerations;
mod equations;
mod finite;
mod fixed_cells;
pub mod flow;
mod forward;
mod infeasible;
mod inlining;
mod layout;
mod locations;
mod merging;
mod normal;
mod passage;
mod queries;
mod ranges;
mod reachability;
mod records;
mod recover;
mod replay;
mod reversal;
mod rounds;
mod slicing;
mod splitting;
mod system;
mod variants;
mod weaken;

use crate::settings::TRANSFORMS_ALWAYS_ALLOWED;
use crate::settings::{TRANSFORMS_MAX_GROWTH, TRANSFORMS_MAX_ROUNDS, TRANSFORMS_MAX_TICKS};
pub use absint::{PredFacts, octagon_facts, with_needed_bounds};
use alphorn_engine::{Back, Ctx, Event, Lost, Stop};
use alphorn_problem::Horn;
use alphorn_problem::evidence::horn::{Derivation, HornClaim};
use alphorn_problem::horn::{Clause, ClauseId};
use alphorn_problem::lemma::HornLemma;
use alphorn_smt::project;
use alphorn_term::{Op, Sort, SortId, Store, TermId};
use change::{Applied, Change, Recipe};
pub use passage::Passage;
use std::collections::BTreeSet;
use std::sync::Arc;
pub use system::{System, conjuncts, head_args};
pub use weaken::weaken;

/// A transform, as the table and the manual see it.
pub struct TransformCard {
    /// Name on the command line.
    pub name: &'static str,
    /// One sentence for the manual.
    pub about: &'static str,
    /// Whether it is applied unless somebody says otherwise.
    pub is_default: bool,
    /// Whether it gives a system another form instead of making it smaller: it is applied once, when
    /// the others have nothing left to do.
    pub is_shaping: bool,
    apply: fn(&System, &mut Store, &mut Ctx<'_>) -> Applied,
}

/// All transforms, in the order of application.
pub static TRANSFORMS: &[TransformCard] = &[
    TransformCard {
        name: "records",
        about: "replaces values of datatypes with one constructor by their fields",
        is_default: true,
        is_shaping: false,
        apply: records::apply,
    },
    TransformCard {
        name: "enumerations",
        about: "replaces values of datatypes without fields by truth values or numbers",
        is_default: true,
        is_shaping: false,
        apply: enumerations::apply,
    },
    TransformCard {
        name: "variants",
        about: "replaces values of datatypes that are not recursive by tags and fields",
        is_default: true,
        is_shaping: false,
        apply: variants::apply,
    },
    TransformCard {
        name: "normal-form",
        about: "simplifies constraints, and drops clauses that are trivially true",
        is_default: true,
        is_shaping: false,
        apply: normal::apply,
    },
    TransformCard {
        name: "one-query",
        about: "makes several queries conclude one predicate, which must not hold",
        is_default: false,
        is_shaping: true,
        apply: queries::apply,
    },
    TransformCard {
        name: "reachability",
        about: "removes predicates that no facts reach or no query needs, with their clauses",
        is_default: true,
        is_shaping: false,
        apply: reachability::apply,
    },
    TransformCard {
        name: "equations",
        about: "puts in terms for variables that equations define",
        is_default: true,
        is_shaping: false,
        apply: equations::apply,
    },
    TransformCard {
        name: "alone",
        about: "puts in values for variables that nothing ties to others",
        is_default: true,
        is_shaping: false,
        apply: alone::apply,
    },
    TransformCard {
        name: "duplicates",
        about: "removes clauses that other clauses subsume",
        is_default: true,
        is_shaping: false,
        apply: duplicates::apply,
    },
    TransformCard {
        name: "constants",
        about: "removes arguments that always are a constant, or equal to another argument",
        is_default: true,
        is_shaping: false,
        apply: constants::apply,
    },
    TransformCard {
        name: "slicing",
        about: "removes arguments that no query depends on",
        is_default: true,
        is_shaping: false,
        apply: slicing::apply,
    },
    TransformCard {
        name: "fixed-cells",
        about: "puts elements in the place of arrays that are accessed at few fixed indices",
        is_default: true,
        is_shaping: false,
        apply: fixed_cells::apply,
    },
    TransformCard {
        name: "contract",
        about: "takes away loops with exact closures, and says where facts are used what rounds do",
        is_default: false,
        is_shaping: false,
        apply: contract::apply,
    },
    TransformCard {
        name: "inlining",
        about: "replaces predicates by the bodies of their clauses where that stays small",
        is_default: true,
        is_shaping: false,
        apply: inlining::apply,
    },
    TransformCard {
        name: "infeasible",
        about: "removes clauses whose constraints contradict each other",
        is_default: true,
        is_shaping: false,
        apply: infeasible::apply,
    },
    TransformCard {
        name: "finite-arguments",
        about: "splits predicates by an argument that is one of few constants in all heads",
        is_default: true,
        is_shaping: false,
        apply: finite::apply,
    },
    TransformCard {
        name: "control",
        about: "splits predicates by a number that tells how far a run has come",
        is_default: true,
        is_shaping: false,
        apply: control::apply,
    },
    TransformCard {
        name: "locations",
        about: "splits predicates by the truth values that a program counter takes",
        is_default: true,
        is_shaping: false,
        apply: locations::apply,
    },
    TransformCard {
        name: "ranges",
        about: "splits predicates by an argument that bounds leave few numbers for",
        is_default: false,
        is_shaping: false,
        apply: ranges::apply,
    },
    TransformCard {
        name: "codes",
        about: "replaces numbers that are only copied and compared with few constants by truth values",
        is_default: false,
        is_shaping: true,
        apply: codes::apply,
    },
    TransformCard {
        name: "truth-arguments",
        about: "splits predicates by an argument that is a truth value",
        is_default: false,
        is_shaping: true,
        apply: finite::apply_to_truth_values,
    },
    TransformCard {
        name: "splitting",
        about: "makes a clause for each way in which a disjunction of atoms can hold",
        is_default: false,
        is_shaping: true,
        apply: splitting::apply,
    },
    TransformCard {
        name: "cases",
        about: "makes a clause for each part of a disjunction whose parts determine variables",
        is_default: false,
        is_shaping: true,
        apply: cases::apply,
    },
    TransformCard {
        name: "guards",
        about: "makes a clause for each path through truth values that say what arrays are",
        is_default: true,
        is_shaping: true,
        apply: cases::apply_to_guards,
    },
    TransformCard {
        name: "merging",
        about: "makes one clause with a disjunction of all clauses of a predicate",
        is_default: false,
        is_shaping: true,
        apply: merging::apply,
    },
    TransformCard {
        name: "reversal",
        about: "derives what leads to queries backwards, and so lifts assertions out of calls",
        is_default: false,
        is_shaping: true,
        apply: reversal::apply,
    },
    TransformCard {
        name: "intervals",
        about: "adds bounds of arguments and truth values that hold in all facts to the clauses",
        is_default: false,
        is_shaping: true,
        apply: absint::intervals,
    },
    TransformCard {
        name: "octagons",
        about: "adds bounds of sums and differences of two arguments as well",
        is_default: false,
        is_shaping: true,
        apply: absint::octagons,
    },
    TransformCard {
        name: "congruences",
        about: "adds what arguments are modulo a number in all facts to the clauses",
        is_default: false,
        is_shaping: true,
        apply: congruences::apply,
    },
    TransformCard {
        name: "needed-intervals",
        about: "derives only facts whose arguments are in bounds that some query may need",
        is_default: false,
        is_shaping: true,
        apply: absint::needed_intervals,
    },
    TransformCard {
        name: "needed-octagons",
        about: "the same with bounds of sums and differences of two arguments",
        is_default: false,
        is_shaping: true,
        apply: absint::needed_octagons,
    },
];

/// What is left of a system after transforms.
pub struct Simplified {
    /// The smaller system, which engines are given.
    pub horn: Horn,
    /// The way back of what is said about it.
    pub back: Back<Horn, Horn>,
    /// For each of its clauses, the clauses of the original that it was made of, in order.
    pub origins: Vec<Vec<ClauseId>>,
    chain: Option<Arc<Chain>>,
}

impl Simplified {
    fn unchanged(horn: &Horn) -> Simplified {
        let origins = horn.clauses().map(|(id, _)| vec![id]).collect();
        Simplified { horn: horn.clone(), back: Back::identity(), origins, chain: None }
    }

    /// The same after another change of the system, which keeps predicates and clauses, with its way back.
    pub fn behind(self, back: Back<Horn, Horn>) -> Simplified {
        let Simplified { horn, back: own, origins, chain } = self;
        Simplified { horn, back: back.after(own), origins, chain }
    }

    /// Whether a transform of this name changed something.
    pub fn has(&self, name: &str) -> bool {
        self.chain.iter().flat_map(|chain| &chain.links).any(|link| link.name == name)
    }

    /// What is said of the predicates of the original, said of those that are left, as far as that can be.
    pub fn carry_forward(&self, hints: &[HornLemma]) -> Vec<HornLemma> {
        let passage = self.passage();
        hints.iter().flat_map(|hint| passage.forward(hint)).collect()
    }

    /// How single lemmas pass the transforms.
    pub fn passage(&self) -> Passage {
        Passage { chain: self.chain.clone() }
    }
}

/// The system after all transforms of the default but those named, and the way back.
pub fn simplify(horn: &Horn, without: &[&str], ctx: &mut Ctx<'_>) -> Result<Simplified, Stop> {
    let chosen = TRANSFORMS.iter().filter(|card| card.is_default && !without.contains(&card.name));
    simplify_with(horn, &chosen.collect::<Vec<_>>(), ctx)
}

/// The system after these transforms, applied in this order until nothing changes, and the way back.
pub fn simplify_with(
    horn: &Horn,
    chosen: &[&TransformCard],
    ctx: &mut Ctx<'_>,
) -> Result<Simplified, Stop> {
    if !is_treated(horn) {
        return Ok(Simplified::unchanged(horn));
    }
    let (store, current) = (horn.terms.clone(), System::of(horn));
    let most_terms =
        TRANSFORMS_MAX_GROWTH.size() * size(&current, &store) + TRANSFORMS_ALWAYS_ALLOWED.size();
    let mut run = Run { store, current, links: Vec::new(), most_terms };
    let (shaping, making_smaller): (Vec<&TransformCard>, Vec<&TransformCard>) =
        chosen.iter().partition(|card| card.is_shaping);
    run.until_nothing_changes(&making_smaller, ctx)?;
    if run.once(&shaping, ctx)? {
        run.until_nothing_changes(&making_smaller, ctx)?;
    }
    let Run { store, current, links, .. } = run;
    if links.is_empty() {
        return Ok(Simplified::unchanged(horn));
    }
    let result = current.to_horn(store.clone());
    debug_assert!(result.validate().is_ok(), "{:?}", result.validate());
    let chain = Arc::new(Chain { store, links });
    let origins = (0..result.clauses.len()).map(|clause| chain.origins(clause)).collect();
    Ok(Simplified { horn: result, back: way_back(Arc::clone(&chain)), origins, chain: Some(chain) })
}

/// What one transform did.
struct Link {
    name: &'static str,
    before: System,
    change: Change,
}

/// Transforms at work.
struct Run {
    store: Store,
    current: System,
    links: Vec<Link>,
    /// How large a system may become.
    most_terms: usize,
}

/// The number of different terms in a system's clauses.
fn size(system: &System, store: &Store) -> usize {
    let of = |clause: &Clause| [&[clause.body], head_args(clause)].concat();
    store.dag_size(&system.clauses.iter().flat_map(of).collect::<Vec<_>>())
}

impl Run {
    /// Applies each transform; whether something changed.
    fn once(&mut self, cards: &[&TransformCard], ctx: &mut Ctx<'_>) -> Result<bool, Stop> {
        let before = self.links.len();
        for card in cards {
            if ctx.stopper().reason().is_some() {
                break;
            }
            let (current, store) = (&self.current, &mut self.store);
            let applied = ctx.within(TRANSFORMS_MAX_TICKS.get(), |ctx| {
                ctx.tick(current.clauses.len() as u64 + 1)?;
                (card.apply)(current, store, ctx)
            });
            let change = match applied {
                Ok(Some(change)) => change,
                Ok(None) => continue,
                // What it would have made smaller stays as it is.
                Err(stop) => {
                    let why = stop.describe();
                    ctx.emit(Event::Remark(format!("{}: left out, {why}", card.name)));
                    continue;
                }
            };
            if size(&change.system, &self.store) > self.most_terms {
                let text = format!("{}: left out, the clauses would become too large", card.name);
                ctx.emit(Event::Remark(text));
                continue;
            }
            let (preds, clauses) = (change.system.preds.len(), change.system.clauses.len());
            let text = format!("{}: {preds} predicates, {clauses} clauses", card.name);
            ctx.emit(Event::Remark(text));
            let changed = change.system.clone();
            let before = std::mem::replace(&mut self.current, changed);
            self.links.push(Link { name: card.name, before, change });
        }
        Ok(self.links.len() > before)
    }

    fn until_nothing_changes(
        &mut self,
        cards: &[&TransformCard],
        ctx: &mut Ctx<'_>,
    ) -> Result<(), Stop> {
        for _ in 0..TRANSFORMS_MAX_ROUNDS.get() {
            if !self.once(cards, ctx)? {
                break;
            }
        }
        Ok(())
    }
}

/// Whether models of a system can be proved anew.
fn is_treated(horn: &Horn) -> bool {
    let mut roots: Vec<TermId> = Vec::new();
    for clause in &horn.clauses {
        roots.push(clause.body);
        roots.extend(&clause.vars);
        roots.extend(head_args(clause));
    }
    let store = &horn.terms;
    let terms = store.subterms(&roots);
    let mut sorts: BTreeSet<SortId> = terms.iter().map(|&term| store.sort(term)).collect();
    sorts.extend(horn.pred_ids().flat_map(|pred| horn.pred_args(pred)));
    let is_quantifier = |&term: &TermId| matches!(store.op(term), Op::Forall | Op::Exists);
    !terms.iter().any(is_quantifier) && are_treated_sorts(store, sorts)
}

/// Whether values of sorts are numbers, truth values, arbitrary, or arrays or structures of such. Sorts
/// share parts, and each is looked at once.
fn are_treated_sorts(store: &Store, mut sorts: BTreeSet<SortId>) -> bool {
    let mut stack: Vec<SortId> = sorts.iter().copied().collect();
    while let Some(sort) = stack.pop() {
        match store.sort_of(sort) {
            Sort::Bool | Sort::Int | Sort::Real | Sort::BitVec(_) | Sort::Uninterpreted(..) => {}
            Sort::Array(index, element) => {
                stack.extend([*index, *element].into_iter().filter(|part| sorts.insert(*part)));
            }
            Sort::Data(_) if layout::has_recursion(store, sort) => return false,
            Sort::Data(_) => {}
        }
    }
    true
}

/// What the transforms did, one after the other.
struct Chain {
    /// The terms of all systems.
    store: Store,
    /// What each transform did.
    links: Vec<Link>,
}

fn way_back(chain: Arc<Chain>) -> Back<Horn, Horn> {
    let other = Arc::clone(&chain);
    Back::searching(
        move |claim, ctx| chain.claim(claim, ctx),
        move |derivation, ctx| Ok(other.derivation(derivation, ctx)?),
    )
}

impl Chain {
    fn claim(&self, claim: HornClaim, ctx: &mut Ctx<'_>) -> Result<HornClaim, Stop> {
        let HornClaim { mut terms, mut preds, folds, funcs, choices, .. } = claim;
        for Link { name, before, change } in self.links.iter().rev() {
            if preds.len() != change.system.preds.len() {
                return Err(Lost("a model does not fit the system it is about".to_owned()).into());
            }
            preds =
                definitions::carry(before, change, &mut terms, &preds, ctx).map_err(|stop| {
                    match stop {
                        Stop::Stuck(text) => Stop::Stuck(format!("{name}: {text}")),
                        other => other,
                    }
                })?;
        }
        for definition in &mut preds {
            definition.body = project::simplify(&mut terms, definition.body, &[], None);
        }
        Ok(HornClaim { terms, preds, folds, funcs, choices, hints: Vec::new() })
    }

    /// The clauses of the first system that a clause of the last one was made of.
    fn origins(&self, clause: usize) -> Vec<ClauseId> {
        let mut clauses = BTreeSet::from([clause]);
        for Link { change, .. } in self.links.iter().rev() {
            let recipes = clauses.into_iter().filter_map(|clause| change.recipes.get(clause));
            clauses = recipes.flat_map(Recipe::clauses).collect();
        }
        clauses.into_iter().map(|clause| ClauseId(clause as u32)).collect()
    }

    fn derivation(
        &self,
        mut derivation: Derivation,
        ctx: &mut Ctx<'_>,
    ) -> Result<Derivation, Lost> {
        for Link { name, before, change } in self.links.iter().rev() {
            derivation = replay::replay(before, change, &self.store, &derivation, ctx)
                .map_err(|Lost(text)| Lost(format!("{name}: {text}")))?;
        }
        Ok(derivation)
    }
}
