//! Which literals are true of which facts, and the small clauses that all facts keep.
//!
//! A fact counts by the literals that it makes true, so facts that these do not tell apart are one row. A clause holds
//! of all facts if each row has one of its literals, and it excludes a tuple if the tuple has none: such
//! clauses are the small sets that hit all rows, among the literals that are false of the tuple.

use alphorn_engine::{Ctx, Stop};
use alphorn_term::eval::Program;
use alphorn_term::{Model, Store, TermId, Value};
use rustc_hash::FxHashSet;
use std::cmp::Reverse;
use std::collections::BTreeSet;
use std::sync::Arc;

/// Evaluations of literals per tick.
const PER_TICK: usize = 64;
/// How many rows are compared when the next literal is chosen.
const COMPARED: usize = 16;

/// The truth values of all literals, one bit for each.
pub(super) type Row = Box<[u64]>;

/// A clause, as the positions of its literals in ascending order.
pub(super) type Clause = Vec<u32>;

/// What is known of a predicate's facts.
#[derive(Clone)]
pub(super) struct Table {
    pub(super) params: Vec<TermId>,
    pub(super) literals: Vec<TermId>,
    rows: Vec<Row>,
    seen: FxHashSet<Row>,
    /// For each literal, the rows that make it true, one bit for each.
    columns: Vec<Vec<u64>>,
    /// For each literal, how many rows make it true.
    trues: Vec<usize>,
}

fn bit(words: &[u64], at: usize) -> bool {
    words[at / 64] >> (at % 64) & 1 == 1
}

impl Table {
    pub(super) fn new(
        store: &Store,
        params: Vec<TermId>,
        literals: Vec<TermId>,
        facts: &[Arc<[Value]>],
        ctx: &mut Ctx<'_>,
    ) -> Result<Table, Stop> {
        let columns = vec![Vec::new(); literals.len()];
        let (rows, seen) = (Vec::new(), FxHashSet::default());
        let trues = vec![0; literals.len()];
        let mut table = Table { params, literals, rows, seen, columns, trues };
        let mut program = table.program(store);
        for fact in facts {
            ctx.tick(1 + (table.literals.len() / PER_TICK) as u64)?;
            let Some(row) = table.row(store, &mut program, fact) else { continue };
            table.add(row);
        }
        Ok(table)
    }

    /// How many facts are told apart.
    pub(super) fn count(&self) -> usize {
        self.rows.len()
    }

    /// What computes the rows of tuples.
    pub(super) fn program(&self, store: &Store) -> Program {
        Program::new(store, &self.params, &self.literals)
    }

    /// The literals that are true of a tuple; nothing where one of them has no value.
    pub(super) fn row(&self, store: &Store, program: &mut Program, tuple: &[Value]) -> Option<Row> {
        program.run(store, tuple, &Model::new());
        let mut row = vec![0; self.literals.len().div_ceil(64)];
        for at in 0..self.literals.len() {
            row[at / 64] |= u64::from(program.holds(at).ok()?) << (at % 64);
        }
        Some(row.into())
    }

    /// Counts a row as that of a fact; whether it was not one before.
    pub(super) fn add(&mut self, row: Row) -> bool {
        if !self.seen.insert(row.clone()) {
            return false;
        }
        let position = self.rows.len();
        for (at, column) in self.columns.iter_mut().enumerate() {
            if position.is_multiple_of(64) {
                column.push(0);
            }
            column[position / 64] |= u64::from(bit(&row, at)) << (position % 64);
            self.trues[at] += usize::from(bit(&row, at));
        }
        self.rows.push(row);
        true
    }

    /// Whether a clause holds of the tuple with a row.
    pub(super) fn holds(clause: &[u32], row: &Row) -> bool {
        clause.iter().any(|&at| bit(row, at as usize))
    }

    /// Clauses that all facts keep and the tuple with a row breaks, at most so many, with as few literals as there are such, and not
    /// more than so many; literals that are false of many facts are tried first, since they say more.
    pub(super) fn excluding(
        &self,
        row: &Row,
        (size, most): (usize, usize),
        banned: &BTreeSet<Clause>,
        ctx: &mut Ctx<'_>,
    ) -> Result<Vec<Clause>, Stop> {
        if self.seen.contains(row) {
            return Ok(Vec::new());
        }
        let usable: Vec<u64> = row.iter().map(|word| !word).collect();
        for size in 1..=size {
            let mut hitting =
                Hitting { table: self, usable: &usable, most, banned, found: BTreeSet::new() };
            hitting.extend(&mut Vec::new(), size, ctx)?;
            if !hitting.found.is_empty() {
                return Ok(hitting.found.into_iter().collect());
            }
        }
        Ok(Vec::new())
    }

    /// How many facts make a literal false.
    fn falses(&self, literal: u32) -> usize {
        self.rows.len() - self.trues[literal as usize]
    }
}

/// A search for small sets of literals that hit all rows.
struct Hitting<'a> {
    table: &'a Table,
    /// The literals that may be used, one bit for each.
    usable: &'a [u64],
    most: usize,
    banned: &'a BTreeSet<Clause>,
    found: BTreeSet<Clause>,
}

impl Hitting<'_> {
    /// Sets that extend the one chosen by at most so many literals.
    fn extend(&mut self, chosen: &mut Clause, size: usize, ctx: &mut Ctx<'_>) -> Result<(), Stop> {
        ctx.tick(1)?;
        if size <= 1 {
            let last = self.last(chosen, size);
            last.into_iter().for_each(|clause| self.keep(clause));
            return Ok(());
        }
        let Some(candidates) = self.candidates(chosen) else {
            self.keep(chosen.clone());
            return Ok(());
        };
        for literal in candidates {
            if self.found.len() >= self.most {
                break;
            }
            chosen.push(literal);
            self.extend(chosen, size - 1, ctx)?;
            chosen.pop();
        }
        Ok(())
    }

    /// Counts a clause as found, if there is room.
    fn keep(&mut self, mut clause: Clause) {
        clause.sort_unstable();
        if self.found.len() < self.most && !self.banned.contains(&clause) {
            self.found.insert(clause);
        }
    }

    /// The rows that a set does not hit. They are looked for one by one, since few of them mostly say what is to be known.
    fn missed(&self, chosen: &[u32]) -> impl Iterator<Item = usize> {
        let (table, count) = (self.table, self.table.rows.len());
        let words = (0..count.div_ceil(64)).filter_map(move |word| {
            let hit = chosen.iter().fold(0, |hit, &at| hit | table.columns[at as usize][word]);
            (hit != u64::MAX).then_some((word, !hit))
        });
        let rows = words.flat_map(|(word, bits)| {
            (0..64).filter(move |at| bits >> at & 1 == 1).map(move |at| word * 64 + at)
        });
        rows.take_while(move |&row| row < count)
    }

    /// The sets that hit all rows with one more literal, or with none if there may be none.
    fn last(&self, chosen: &[u32], size: usize) -> Vec<Clause> {
        let mut common = self.usable.to_vec();
        let mut is_hitting = true;
        for row in self.missed(chosen) {
            is_hitting = false;
            common.iter_mut().zip(&self.table.rows[row]).for_each(|(word, row)| *word &= row);
            if size == 0 || common.iter().all(|&word| word == 0) {
                return Vec::new();
            }
        }
        if is_hitting {
            return vec![chosen.to_vec()];
        }
        let all = 0..self.table.literals.len() as u32;
        let mut literals: Vec<u32> = all.filter(|&at| bit(&common, at as usize)).collect();
        literals.sort_by_key(|&literal| Reverse(self.table.falses(literal)));
        literals.into_iter().map(|literal| [chosen, &[literal]].concat()).collect()
    }

    /// The usable literals of a row that a set does not hit and that has few of them; nothing if it hits all.
    fn candidates(&self, chosen: &[u32]) -> Option<Vec<u32>> {
        let count = |row: &usize| {
            let row = self.table.rows[*row].iter();
            row.zip(self.usable).map(|(row, usable)| (row & usable).count_ones()).sum::<u32>()
        };
        let row = &self.table.rows[self.missed(chosen).take(COMPARED).min_by_key(count)?];
        let is_candidate = |at: &u32| bit(row, *at as usize) && bit(self.usable, *at as usize);
        let all = 0..self.table.literals.len() as u32;
        let mut candidates: Vec<u32> = all.filter(is_candidate).collect();
        candidates.sort_by_key(|&literal| Reverse(self.table.falses(literal)));
        Some(candidates)
    }
}
