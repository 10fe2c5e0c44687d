//! Horn systems that are monotone systems of counters, and what their clauses do.
//!
//! A configuration is a predicate and a vector of natural numbers, its arguments. A step may happen where counters
//! are at least some numbers, and gives counters that are sums of counters with natural factors and a
//! constant. So whatever a configuration can do, a larger one can do, and what it comes to is larger: the
//! systems are well-structured \[ACJT96\]. Petri nets are such systems, with transfers and resets, too; with
//! tests for zero they are not.
//!
//! Clauses are recognised by meaning: bodies are taken apart into cases, equations are solved, and what is no
//! argument is eliminated.

use crate::settings::WQO_MAX_CASES;
use alphorn_engine::{Ctx, Stop};
use alphorn_horn::accel::{Row, Rows, cases, relation};
use alphorn_problem::Horn;
use alphorn_problem::horn::{ClauseId, Head};
use alphorn_term::{Op, Store, TermId};

/// How large each counter is.
pub(super) type Vector = Box<[u64]>;

/// The new value of a counter: a sum of counters times factors, and a constant that guards make good if it is
/// negative.
#[derive(Clone, Debug)]
pub(super) struct Sum {
    pub parts: Vec<(usize, u64)>,
    pub constant: i64,
}

/// A case of a clause that leads from a predicate to a predicate.
#[derive(Clone, Debug)]
pub(super) struct Transition {
    pub clause: ClauseId,
    pub from: usize,
    pub to: usize,
    /// How large counters are at least.
    pub guard: Vector,
    /// The new values, by counters of the head.
    pub sums: Vec<Sum>,
}

/// Where runs begin: a box of configurations.
#[derive(Clone, Debug)]
pub(super) struct Start {
    pub clause: ClauseId,
    pub location: usize,
    pub least: Vector,
    /// The largest values; none where there is no bound.
    pub most: Vec<Option<u64>>,
}

/// What must not be reached: all configurations above one.
#[derive(Clone, Debug)]
pub(super) struct Target {
    pub clause: ClauseId,
    pub location: usize,
    pub least: Vector,
}

/// A monotone system of counters.
#[derive(Clone, Debug, Default)]
pub(super) struct Net {
    pub starts: Vec<Start>,
    pub transitions: Vec<Transition>,
    pub targets: Vec<Target>,
}

/// What a conjunction says about counters one by one.
struct Bounds {
    least: Vec<u64>,
    most: Vec<Option<u64>>,
}

impl Net {
    /// The system that clauses are, if they are one.
    pub fn of(horn: &Horn, ctx: &mut Ctx<'_>) -> Result<Net, Stop> {
        let mut net = Net::default();
        let mut store = horn.terms.clone();
        if !speaks_of_integers(horn) {
            return Err(outside("an argument is no integer"));
        }
        for (id, _) in horn.clauses() {
            ctx.tick(1 + horn.terms.dag_size(&[horn.clause(id).body]) as u64 / 8)?;
            let found = net.add(horn, &mut store, id);
            found.map_err(|why| outside(&format!("clause {}: {why}", id.index())))?;
        }
        Ok(net)
    }

    /// Whether the first so many clauses are of such a system, and one of them is a step.
    pub fn begins(horn: &Horn, count: usize) -> bool {
        let (mut net, mut store) = (Net::default(), horn.terms.clone());
        speaks_of_integers(horn)
            && horn.clauses().take(count).all(|(id, _)| net.add(horn, &mut store, id).is_ok())
            && !net.transitions.is_empty()
    }

    /// A start with a configuration that is at least this one.
    pub fn start_above(&self, location: usize, least: &[u64]) -> Option<usize> {
        self.starts.iter().position(|start| {
            let mut most = start.most.iter().zip(least);
            start.location == location
                && most.all(|(most, &value)| most.is_none_or(|most| value <= most))
        })
    }

    fn add(&mut self, horn: &Horn, store: &mut Store, id: ClauseId) -> Result<(), &'static str> {
        let clause = horn.clause(id);
        if horn.quantified.contains_key(&id) {
            return Err("a predicate is quantified");
        }
        let (atoms, rest) = horn.conjunctive(id).ok_or("an atom stands under a disjunction")?;
        let from = match atoms[..] {
            [] => None,
            [atom] => horn.atom(atom).map(|pred| (pred.index(), horn.terms.args(atom).to_vec())),
            _ => return Err("several atoms in a body"),
        };
        let max_cases = WQO_MAX_CASES.get() as usize;
        for case in cases(store, &rest, max_cases).ok_or("too many cases")? {
            match (&from, &clause.head) {
                (None, Head::Atom(to, head)) => {
                    if let Some(Bounds { least, most }) = bounds(store, &case, head)? {
                        let (location, least) = (to.index(), least.into());
                        self.starts.push(Start { clause: id, location, least, most });
                    }
                }
                (Some((location, args)), Head::False) => {
                    if let Some(Bounds { least, most }) = bounds(store, &case, args)? {
                        if most.iter().any(Option::is_some) {
                            return Err("a query has an upper bound");
                        }
                        let (location, least) = (*location, least.into());
                        self.targets.push(Target { clause: id, location, least });
                    }
                }
                (Some((from, args)), Head::Atom(to, head)) => {
                    let (from, to) = (*from, to.index());
                    if let Some((guard, sums)) = step(store, &case, args, head)? {
                        self.transitions.push(Transition { clause: id, from, to, guard, sums });
                    }
                }
                (None, Head::False) => return Err("a query without an atom"),
            }
        }
        Ok(())
    }
}

fn speaks_of_integers(horn: &Horn) -> bool {
    let mut sorts = horn.pred_ids().flat_map(|pred| horn.pred_args(pred));
    sorts.all(|&sort| sort == alphorn_term::SortId::INT)
}

fn outside(why: &str) -> Stop {
    Stop::Unsupported(format!("no monotone system of counters ({why})"))
}

/// The rows of a conjunction about a state and the next one. States of different lengths are padded with
/// numbers that are 0 in both.
fn rows(
    store: &mut Store,
    case: &[TermId],
    args: &[TermId],
    head: &[TermId],
) -> Result<(Rows, Vec<Row>), &'static str> {
    let zero = store.int(0);
    let width = args.len().max(head.len());
    let pad = |terms: &[TermId]| {
        let mut terms = terms.to_vec();
        terms.resize(width, zero);
        terms
    };
    let relation = relation(store, case, &pad(args), &pad(head));
    let mut rows = Rows::of(store, &relation).ok_or("a constraint that is not linear")?;
    if !rows.still.is_empty() || rows.numbers.len() != width {
        return Err("a constraint about more than integers");
    }
    let solved = rows.solve().ok_or("a new value that is no sum of counters")?;
    Ok((rows, solved))
}

/// What rows say about the first so many numbers, one by one; none if they cannot hold for natural numbers.
fn read_bounds(rows: &Rows, width: usize) -> Result<Option<Bounds>, &'static str> {
    let (mut least, mut most) = (vec![0u64; width], vec![None; width]);
    let opposite = |row: &Row| Row {
        coefs: row.coefs.iter().map(|coef| -coef).collect(),
        constant: -row.constant,
    };
    let equal = rows.equal.iter().flat_map(|row| [row.clone(), opposite(row)]);
    for row in rows.at_most.iter().cloned().chain(equal) {
        let mut named = row.coefs.iter().enumerate().filter(|(_, coef)| **coef != 0);
        match (named.next(), named.next()) {
            (None, _) if row.constant > 0 => return Ok(None),
            (None, _) => {}
            (Some((at, &coef)), None) if at < width => {
                // coef · x + constant ≤ 0.
                if coef < 0 {
                    let bound = -(-row.constant).div_euclid(-coef);
                    let bound = u64::try_from(bound.max(0)).map_err(|_| "a large number")?;
                    least[at] = least[at].max(bound);
                } else {
                    let bound = (-row.constant).div_euclid(coef);
                    let Ok(bound) = u64::try_from(bound) else { return Ok(None) };
                    most[at] = Some(most[at].map_or(bound, |old: u64| old.min(bound)));
                }
            }
            // Sums of natural numbers are at least 0.
            _ if row.constant <= 0 && row.coefs.iter().all(|&coef| coef <= 0) => {}
            _ => return Err("a constraint about several counters"),
        }
    }
    let is_empty = least.iter().zip(&most).any(|(&least, most)| most.is_some_and(|m| m < least));
    Ok((!is_empty).then_some(Bounds { least, most }))
}

/// What a conjunction says about some terms, one by one.
fn bounds(
    store: &mut Store,
    case: &[TermId],
    terms: &[TermId],
) -> Result<Option<Bounds>, &'static str> {
    let (rows, _) = rows(store, case, terms, terms)?;
    if terms.iter().any(|&term| matches!(store.op(term), Op::Ite)) {
        return Err("a condition inside of an argument");
    }
    // Natural numbers are all there is by induction; of where runs begin it must be said.
    read_bounds(&rows, terms.len())
}

/// The guard and the new values of a step.
fn step(
    store: &mut Store,
    case: &[TermId],
    args: &[TermId],
    head: &[TermId],
) -> Result<Option<(Vector, Vec<Sum>)>, &'static str> {
    let (rows, solved) = rows(store, case, args, head)?;
    let width = solved.len();
    let Some(Bounds { least, most }) = read_bounds(&rows, width)? else { return Ok(None) };
    // The numbers that pad a state have the bound 0.
    if most.iter().take(args.len()).any(Option::is_some) {
        return Err("an upper bound of a counter");
    }
    let mut sums = Vec::with_capacity(head.len());
    for (at, row) in solved.iter().enumerate().take(head.len()) {
        // sign · new + rest = 0.
        let sign = row.coefs[width + at];
        let mut parts = Vec::new();
        for (counter, &coef) in row.coefs[..width].iter().enumerate() {
            match u64::try_from(-sign * coef) {
                Ok(0) => {}
                Ok(factor) => parts.push((counter, factor)),
                Err(_) => return Err("a counter is subtracted from another"),
            }
        }
        let constant = i64::try_from(-sign * row.constant).map_err(|_| "a large number")?;
        let smallest = parts.iter().try_fold(i128::from(constant), |sum, &(counter, factor)| {
            sum.checked_add(i128::from(least[counter]).checked_mul(i128::from(factor))?)
        });
        if smallest.is_none_or(|smallest| smallest < 0) {
            return Err("a counter may become negative");
        }
        sums.push(Sum { parts, constant });
    }
    let mut guard = least;
    guard.truncate(args.len());
    Ok(Some((guard.into(), sums)))
}
