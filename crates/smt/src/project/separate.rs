//! Interpolants by projection.
//!
//! For contradictory A and B, a model of A that no disjunct so far covers gives an implicant of A,
//! and its projection to the common symbols is a cube that contradicts B. The cube is weakened as
//! far as it still does: literals go, and bounds move towards B. The disjunction of such cubes is
//! implied by A once no model of A is left, and has finitely many disjuncts, because projection
//! has finitely many results. From B's side the same gives the negation of an interpolant.
//!
//! After the sampling of interpolants in Albarghouthi and McMillan (CAV 2013, "Beautiful
//! interpolants"), with model-based projection in place of proofs. Interpolants come out in
//! disjunctive form, or in conjunctive form from B's side.

use super::constraint::{Constraint, Relation};
use super::cube::project;
use super::eliminate::Obstacle;
use super::implicant::prime_implicant;
use super::oracle::{Oracle, Outcome};
use super::simplify::simplify;
use super::valuation::Valuation;
use crate::settings::{SEPARATE_MAX_MOVES, SEPARATE_MAX_VALUED};
use alphorn_term::{FuncId, Model, Op, Store, TermId};
use rustc_hash::FxHashSet;

/// Something that a formula can mention.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Symbol {
    /// A variable.
    Variable(TermId),
    /// A declared function or constant.
    Function(FuncId),
}

/// From where cubes are sampled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// From A: a disjunction of cubes.
    Left,
    /// From B: the negation of one.
    Right,
}

/// Which separating formula is wanted, and what it may cost.
#[derive(Clone, Debug)]
pub struct Separation {
    /// From where.
    pub side: Side,
    /// Whether bounds are moved towards the other side, and not only dropped.
    pub relax: bool,
    /// How many cubes to try.
    pub rounds: usize,
}

impl Default for Separation {
    fn default() -> Separation {
        Separation { side: Side::Left, relax: true, rounds: 1_000 }
    }
}

/// The symbols that a formula mentions freely.
pub fn symbols_of(store: &Store, formula: TermId) -> FxHashSet<Symbol> {
    let mut found: FxHashSet<Symbol> =
        store.free_vars(&[formula]).into_iter().map(Symbol::Variable).collect();
    found.extend(store.subterms(&[formula]).into_iter().filter_map(|term| match store.op(term) {
        Op::Apply(func) => Some(Symbol::Function(func)),
        _ => None,
    }));
    found
}

/// An interpolant: a formula over shared symbols that `left` implies and that contradicts `right`.
pub fn separate(
    store: &mut Store,
    left: TermId,
    right: TermId,
    is_shared: &dyn Fn(Symbol) -> bool,
    oracle: &mut dyn Oracle,
    options: &Separation,
) -> Result<TermId, Obstacle> {
    match options.side {
        Side::Left => cover(store, left, right, is_shared, oracle, options),
        Side::Right => {
            let outside = cover(store, right, left, is_shared, oracle, options)?;
            let inside = store.not(outside);
            Ok(simplify(store, inside, &[], None))
        }
    }
}

/// Covers the models of a formula by cubes that contradict another one.
fn cover(
    store: &mut Store,
    formula: TermId,
    against: TermId,
    is_shared: &dyn Fn(Symbol) -> bool,
    oracle: &mut dyn Oracle,
    options: &Separation,
) -> Result<TermId, Obstacle> {
    let locals = local_variables(store, formula, is_shared);
    let mut question = vec![formula];
    let mut cubes = Vec::new();
    let mut valued = 0;
    for _ in 0..options.rounds {
        let model = match oracle.check(store, &question) {
            Outcome::Sat(model) => model,
            Outcome::Unsat => {
                let result = store.or(&cubes);
                return Ok(simplify(store, result, &[], None));
            }
            Outcome::Unknown => return Err(Obstacle::Unknown),
        };
        let literals = prime_implicant(store, &[formula], &model).ok_or(Obstacle::Unknown)?;
        let mut projection = project(store, &literals, &locals, &model).ok_or(Obstacle::Unknown)?;
        if !projection.kept.is_empty() {
            let literals = with_equations(store, literals, oracle);
            projection = project(store, &literals, &locals, &model).ok_or(Obstacle::Unknown)?;
        }
        // Indices of arrays that stay are those of the model, of which there may be many.
        let mut literals = match projection.kept.is_empty() {
            true => projection.literals,
            false => {
                valued += 1;
                if valued > SEPARATE_MAX_VALUED.size() {
                    return Err(Obstacle::Opaque(projection.kept));
                }
                projection.with_values(store, &model).unwrap_or(projection.literals)
            }
        };
        let foreign: Vec<TermId> = literals
            .extract_if(.., |literal| !symbols_of(store, *literal).iter().all(|&s| is_shared(s)))
            .collect();
        let weaker = Weakening { against, options };
        let cube = match weaker.run(store, literals, oracle) {
            // Without the literals that cannot be said, nothing contradicts.
            Err(Obstacle::Consistent) if !foreign.is_empty() => {
                return Err(Obstacle::Opaque(foreign));
            }
            other => other?,
        };
        let cube = store.and(&cube);
        let cube = simplify(store, cube, &[], None);
        cubes.push(cube);
        question.push(store.not(cube));
    }
    Err(Obstacle::Rounds)
}

/// A conjunction with the equations that its inequalities come to, by which variables may leave the
/// arguments of functions.
fn with_equations(
    store: &mut Store,
    mut literals: Vec<TermId>,
    oracle: &mut dyn Oracle,
) -> Vec<TermId> {
    for literal in literals.clone() {
        let Some(Ok(bound)) = Constraint::of(store, literal).map(|c| c.normal(store)) else {
            continue;
        };
        let Constraint { form, relation: Relation::AtMost } = bound else { continue };
        let strict = Constraint::new(form.clone(), Relation::Below).normal(store);
        let Ok(strict) = strict.map(|constraint| constraint.to_term(store)) else { continue };
        let question: Vec<TermId> = literals.iter().copied().chain([strict]).collect();
        if oracle.refutes(store, &question)
            && let Ok(equation) = Constraint::new(form, Relation::Equal).normal(store)
        {
            literals.push(equation.to_term(store));
        }
    }
    literals
}

/// The variables and constants of a formula that are not shared.
fn local_variables(
    store: &Store,
    formula: TermId,
    is_shared: &dyn Fn(Symbol) -> bool,
) -> Vec<TermId> {
    let mut symbols = super::mentions::symbols(store, formula);
    symbols.retain(|&symbol| match store.op(symbol) {
        Op::Apply(func) => !is_shared(Symbol::Function(func)),
        _ => !is_shared(Symbol::Variable(symbol)),
    });
    symbols
}

/// Cubes that contradict a formula, made weaker.
struct Weakening<'a> {
    against: TermId,
    options: &'a Separation,
}

impl Weakening<'_> {
    fn run(
        &self,
        store: &mut Store,
        literals: Vec<TermId>,
        oracle: &mut dyn Oracle,
    ) -> Result<Vec<TermId>, Obstacle> {
        let mut cube = Vec::new();
        literals.into_iter().for_each(|literal| split_equation(store, literal, &mut cube));
        match self.ask(store, &cube, oracle) {
            Outcome::Unsat => keep_core(&mut cube, oracle),
            Outcome::Sat(_) => return Err(Obstacle::Consistent),
            Outcome::Unknown => return Err(Obstacle::Unknown),
        }
        // Literals with many symbols say more than they need to, if they are needed at all.
        let mut order = cube.clone();
        order.sort_by_key(|&literal| std::cmp::Reverse(store.dag_size(&[literal])));
        for literal in order {
            if !cube.contains(&literal) {
                continue;
            }
            let rest: Vec<TermId> = cube.iter().copied().filter(|&l| l != literal).collect();
            match self.ask(store, &rest, oracle) {
                Outcome::Unsat => {
                    cube = rest;
                    keep_core(&mut cube, oracle);
                }
                Outcome::Sat(model) if self.options.relax => {
                    self.relax(store, &mut cube, literal, *model, oracle);
                }
                _ => {}
            }
        }
        Ok(cube)
    }

    fn ask(&self, store: &mut Store, cube: &[TermId], oracle: &mut dyn Oracle) -> Outcome {
        let question: Vec<TermId> =
            [self.against].into_iter().chain(cube.iter().copied()).collect();
        oracle.check(store, &question)
    }

    /// Moves a bound up to where a model of the other side begins.
    fn relax(
        &self,
        store: &mut Store,
        cube: &mut [TermId],
        literal: TermId,
        mut model: Model,
        oracle: &mut dyn Oracle,
    ) {
        let Some(place) = cube.iter().position(|&other| other == literal) else { return };
        for _ in 0..SEPARATE_MAX_MOVES.size() {
            let Some(wider) = wider_bound(store, literal, &model) else { return };
            let mut question = cube.to_vec();
            question[place] = wider;
            match self.ask(store, &question, oracle) {
                Outcome::Unsat => {
                    cube[place] = wider;
                    return;
                }
                Outcome::Sat(closer) => model = *closer,
                Outcome::Unknown => return,
            }
        }
    }
}

/// Keeps what the oracle's last answer needed.
fn keep_core(cube: &mut Vec<TermId>, oracle: &dyn Oracle) {
    if let Some(core) = oracle.core() {
        cube.retain(|literal| core.contains(literal));
    }
}

/// The two bounds of an equation of numbers; other literals as they are.
fn split_equation(store: &mut Store, literal: TermId, cube: &mut Vec<TermId>) {
    let constraint = Constraint::of(store, literal).and_then(|c| c.normal(store).ok());
    match constraint {
        Some(Constraint { form, relation: Relation::Equal }) => {
            for form in [form.negated(), form] {
                let bound = Constraint::new(form, Relation::AtMost);
                cube.push(bound.to_term(store));
            }
        }
        _ => cube.push(literal),
    }
}

/// The widest bound on the literal's polynomial that a model still violates, if it is wider.
fn wider_bound(store: &mut Store, literal: TermId, model: &Model) -> Option<TermId> {
    let constraint = Constraint::of(store, literal)?.normal(store).ok()?;
    if !matches!(constraint.relation, Relation::AtMost | Relation::Below) {
        return None;
    }
    let excess = Valuation::new(model).linear(store, &constraint.form)?;
    let mut form = constraint.form.clone();
    form.constant = &form.constant - &excess;
    let wider = Constraint::new(form, Relation::Below).normal(store).ok()?;
    (excess.is_positive() && wider != constraint).then(|| wider.to_term(store))
}
