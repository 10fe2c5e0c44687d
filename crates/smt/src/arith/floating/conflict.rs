//! The contradiction between some variables' bounds, if an equation between them shows one.
//!
//! Of the rows of those that are basic a copy is made, in which all other variables are
//! eliminated, one row for each. What remains are the equations between the given variables: one,
//! if the oracle was right. It is exact, and a contradiction if the bounds leave its sum no way to be zero.

use alphorn_term::Rat;
use rustc_hash::FxHashMap;

use super::super::Arith;
use super::super::bound::{Delta, Side};
use super::super::certificate::Certificate;
use super::super::propagate::extreme_side;
use super::super::tableau::Tableau;

/// Some rows, with their variables numbered anew: the given ones first.
struct Part {
    tableau: Tableau,
    vars: Vec<u32>,
    given: usize,
}

impl Arith {
    /// A contradiction in the bounds of these variables.
    pub(super) fn conflict_among(&mut self, given: &[u32]) -> Option<Certificate> {
        let mut part = self.part(given);
        self.eliminate_others(&mut part);
        for row in 0..part.tableau.rows() {
            let entries = part.tableau.row(row);
            // Where the work was cut short, other variables are left.
            if entries.is_empty() || entries.iter().any(|entry| entry.var as usize >= part.given) {
                continue;
            }
            let summands: Vec<(u32, Rat)> = entries
                .iter()
                .map(|entry| (part.vars[entry.var as usize], Rat::from(&entry.coefficient)))
                .collect();
            for extreme in [Side::Lower, Side::Upper] {
                if self.is_contradiction(&summands, extreme) {
                    self.stats.conflicts += 1;
                    let parts = summands.iter().map(|(var, by)| {
                        let side = extreme_side(extreme, by.is_positive());
                        (by.abs(), self.fact(*var, side))
                    });
                    return Some(self.certify(parts));
                }
            }
        }
        None
    }

    /// The rows of the given variables.
    fn part(&self, given: &[u32]) -> Part {
        let mut part = Part { tableau: Tableau::default(), vars: Vec::new(), given: given.len() };
        let mut local: FxHashMap<u32, u32> = FxHashMap::default();
        let rows = given.iter().filter_map(|var| self.tableau.row_of(*var));
        let others =
            rows.clone().flat_map(|row| self.tableau.row(row).iter().map(|entry| entry.var));
        for var in given.iter().copied().chain(others) {
            local.entry(var).or_insert_with(|| {
                part.tableau.grow();
                part.vars.push(var);
                part.vars.len() as u32 - 1
            });
        }
        for row in rows {
            let entries = self.tableau.row(row);
            let others: Vec<_> = entries[1..]
                .iter()
                .map(|entry| (local[&entry.var], entry.coefficient.clone()))
                .collect();
            part.tableau.add_row(local[&entries[0].var], entries[0].coefficient.clone(), &others);
        }
        part
    }

    /// Eliminates all variables that were not given, those first that cost least.
    fn eliminate_others(&self, part: &mut Part) {
        let tableau = &mut part.tableau;
        while !self.is_exhausted() {
            let mut best: Option<(usize, u32, u32)> = None;
            for var in part.given as u32..part.vars.len() as u32 {
                let column = tableau.column(var);
                for place in column {
                    let cost = (column.len() - 1) * tableau.row(place.row).len();
                    if best.is_none_or(|(least, ..)| cost < least) {
                        best = Some((cost, place.row, place.entry));
                    }
                }
            }
            let Some((_, row, entry)) = best else { break };
            let var = tableau.row(row)[entry as usize].var;
            if entry != 0 {
                tableau.exchange(row, entry);
                while let Some(place) =
                    tableau.column(var).iter().copied().find(|place| place.row != row)
                {
                    tableau.eliminate(place.row, place.entry, row);
                    let entries = tableau.row(place.row);
                    self.spend_on(entries.len(), &entries[0].coefficient);
                }
            }
            // It only says what the variable is.
            tableau.drop_row(row);
            self.spend(1);
        }
    }

    /// Whether the bounds keep a sum above zero (at its least) or below (at its greatest).
    fn is_contradiction(&self, summands: &[(u32, Rat)], extreme: Side) -> bool {
        let mut total = Delta::ZERO;
        for (var, by) in summands {
            let side = extreme_side(extreme, by.is_positive());
            let Some(limit) = self.limits[*var as usize].on(side) else { return false };
            total.add_scaled(&limit.value, by);
        }
        extreme.is_tighter(&total, &Delta::ZERO)
    }
}
