//! Equations between variables, solved for some of them.
//!
//! A row is an equation Σ aᵢ·xᵢ = 0 with coprime integers aᵢ. Its first entry belongs to its *basic*
//! variable, which occurs in no other row. Integer rows need no fractions when rows are added to
//! each other, which is where a simplex solver spends its time: an entry costs a checked product
//! and sum of machine words, while a fraction costs a product of wide words and a common divisor.
//! Rows stay small as long as they are divided by their content, whose search ends at the first 1.
//!
//! Each variable knows its entries (a column) and each entry its place there, so that entries are
//! removed in constant time by putting the last one into the gap.
//!
//! Invariants: the basic variable's coefficient is positive; the content of a row is 1; the first
//! entry stays in place as only later ones are removed by swapping.

use alphorn_term::Int;

/// No row, or no position.
const NONE: u32 = u32::MAX;

/// A variable's multiple in a row.
#[derive(Clone, Debug)]
pub(super) struct Entry {
    pub(super) coefficient: Int,
    pub(super) var: u32,
    /// The position in the variable's column.
    place: u32,
}

/// Where a variable occurs.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    pub(super) row: u32,
    /// The position in the row.
    pub(super) entry: u32,
}

#[derive(Clone, Debug, Default)]
struct Row {
    entries: Vec<Entry>,
    /// How often the row was changed since it was last of use.
    idle: u32,
}

#[derive(Clone, Debug, Default)]
pub(super) struct Tableau {
    rows: Vec<Row>,
    free: Vec<u32>,
    columns: Vec<Vec<Place>>,
    /// The row of each basic variable.
    row_of: Vec<u32>,
    /// The position of each variable in the row being changed.
    positions: Vec<u32>,
}

impl Tableau {
    /// Makes room for one more variable, which occurs nowhere.
    pub(super) fn grow(&mut self) {
        self.columns.push(Vec::new());
        self.row_of.push(NONE);
        self.positions.push(NONE);
    }

    /// The row of a basic variable.
    #[inline]
    pub(super) fn row_of(&self, var: u32) -> Option<u32> {
        let row = self.row_of[var as usize];
        (row != NONE).then_some(row)
    }

    /// The entries of a row, the basic variable's first; empty for a row not in use.
    #[inline]
    pub(super) fn row(&self, row: u32) -> &[Entry] {
        &self.rows[row as usize].entries
    }

    /// The basic variable of a row.
    #[inline]
    pub(super) fn base(&self, row: u32) -> u32 {
        self.rows[row as usize].entries[0].var
    }

    /// The rows in which a variable occurs.
    #[inline]
    pub(super) fn column(&self, var: u32) -> &[Place] {
        &self.columns[var as usize]
    }

    /// The number of rows, those not in use included.
    #[inline]
    pub(super) fn rows(&self) -> u32 {
        self.rows.len() as u32
    }

    /// Counts a change of a row that is of no use, and returns the count.
    #[inline]
    pub(super) fn count_idle(&mut self, row: u32) -> u32 {
        let idle = &mut self.rows[row as usize].idle;
        *idle += 1;
        *idle
    }

    /// Starts the count anew.
    #[inline]
    pub(super) fn reset_idle(&mut self, row: u32) {
        self.rows[row as usize].idle = 0;
    }

    /// Adds an equation, given with a positive coefficient for `base`, which must not occur in
    /// any other; other variables may be basic.
    pub(super) fn add_row(&mut self, base: u32, coefficient: Int, others: &[(u32, Int)]) -> u32 {
        let row = self.free.pop().unwrap_or_else(|| {
            self.rows.push(Row::default());
            self.rows.len() as u32 - 1
        });
        self.push_entry(row, base, coefficient);
        for (var, coefficient) in others {
            self.push_entry(row, *var, coefficient.clone());
        }
        self.row_of[base as usize] = row;
        self.rows[row as usize].idle = 0;
        for (var, _) in others {
            if let Some(source) = self.row_of(*var) {
                let entry = self.columns[*var as usize].iter().find(|place| place.row == row);
                let entry =
                    entry.expect("basic variables of the row were not eliminated yet").entry;
                self.eliminate(row, entry, source);
            }
        }
        row
    }

    fn push_entry(&mut self, row: u32, var: u32, coefficient: Int) {
        let entries = &mut self.rows[row as usize].entries;
        let column = &mut self.columns[var as usize];
        let entry = entries.len() as u32;
        entries.push(Entry { coefficient, var, place: column.len() as u32 });
        column.push(Place { row, entry });
    }

    /// Forgets a row; its basic variable occurs nowhere then.
    pub(super) fn drop_row(&mut self, row: u32) {
        let mut entries = std::mem::take(&mut self.rows[row as usize].entries);
        self.row_of[entries[0].var as usize] = NONE;
        for entry in entries.drain(..) {
            self.leave_column(entry.var, entry.place);
        }
        // The buffer is kept for the next row that takes this place.
        self.rows[row as usize].entries = entries;
        self.free.push(row);
    }

    /// Removes a place from a column and tells the entry whose place fills the gap.
    #[inline]
    fn leave_column(&mut self, var: u32, place: u32) {
        let column = &mut self.columns[var as usize];
        column.swap_remove(place as usize);
        if let Some(moved) = column.get(place as usize) {
            self.rows[moved.row as usize].entries[moved.entry as usize].place = place;
        }
    }

    /// Makes the variable at position `entry` basic in this row, instead of the one that is;
    /// other rows still contain it.
    pub(super) fn exchange(&mut self, row: u32, entry: u32) {
        let entries = &mut self.rows[row as usize].entries;
        self.row_of[entries[0].var as usize] = NONE;
        entries.swap(0, entry as usize);
        self.row_of[entries[0].var as usize] = row;
        for position in [0, entry] {
            let moved = &entries[position as usize];
            self.columns[moved.var as usize][moved.place as usize].entry = position;
        }
        if entries[0].coefficient.is_negative() {
            for entry in entries {
                entry.coefficient = -std::mem::take(&mut entry.coefficient);
            }
        }
    }

    /// Removes the variable at position `entry` of the row `target`, by adding a multiple of the
    /// row `source` in which it is basic.
    pub(super) fn eliminate(&mut self, target: u32, entry: u32, source: u32) {
        let mut entries = std::mem::take(&mut self.rows[target as usize].entries);
        let added = &self.rows[source as usize].entries;
        let divisor = &added[0].coefficient;
        let mut by = -&entries[entry as usize].coefficient;
        let mut times = Int::ONE;
        if !divisor.is_one() {
            let common = by.gcd(divisor);
            times = exact(divisor, &common);
            by = exact(&by, &common);
        }
        for (position, entry) in entries.iter_mut().enumerate() {
            self.positions[entry.var as usize] = position as u32;
            if !times.is_one() {
                entry.coefficient *= &times;
            }
        }
        for other in added {
            let position = self.positions[other.var as usize];
            if let Some(entry) = entries.get_mut(position as usize) {
                entry.coefficient.mul_add_assign(&other.coefficient, &by);
                continue;
            }
            let column = &mut self.columns[other.var as usize];
            let place = column.len() as u32;
            column.push(Place { row: target, entry: entries.len() as u32 });
            let coefficient = &other.coefficient * &by;
            entries.push(Entry { coefficient, var: other.var, place });
        }
        let content = self.tidy(&mut entries);
        if !content.is_one() {
            for entry in &mut entries {
                entry.coefficient = exact(&entry.coefficient, &content);
            }
        }
        self.rows[target as usize].entries = entries;
    }

    /// Removes zeros from a row that was changed, forgets the positions of its variables, and
    /// returns its content.
    fn tidy(&mut self, entries: &mut Vec<Entry>) -> Int {
        let mut content = entries[0].coefficient.clone();
        for position in (0..entries.len()).rev() {
            let entry = &entries[position];
            self.positions[entry.var as usize] = NONE;
            if entry.coefficient.is_zero() {
                self.leave_column(entry.var, entry.place);
                entries.swap_remove(position);
                if let Some(moved) = entries.get(position) {
                    self.columns[moved.var as usize][moved.place as usize].entry = position as u32;
                }
            } else if !content.is_one() {
                content = common_divisor(content, &entry.coefficient);
            }
        }
        content
    }
}

/// The greatest common divisor of a positive number and another.
#[inline]
fn common_divisor(content: Int, number: &Int) -> Int {
    // The content found so far usually divides the next number as well.
    if let (Some(content), Some(number)) = (content.to_i64(), number.to_i64())
        && number % content == 0
    {
        return Int::from_i64(content);
    }
    content.gcd(number)
}

/// The quotient by a positive divisor.
#[inline]
fn exact(number: &Int, divisor: &Int) -> Int {
    if let (Some(number), Some(divisor)) = (number.to_i64(), divisor.to_i64()) {
        return Int::from_i64(number / divisor);
    }
    number.div_exact(divisor).expect("a common divisor divides")
}

#[cfg(test)]
impl Tableau {
    /// Checks the invariants of rows and columns.
    pub(super) fn assert_consistent(&self) {
        for (number, row) in self.rows.iter().enumerate() {
            for (position, entry) in row.entries.iter().enumerate() {
                let place = self.columns[entry.var as usize][entry.place as usize];
                assert_eq!((place.row as usize, place.entry as usize), (number, position));
                assert!(!entry.coefficient.is_zero(), "zero entries are removed");
            }
            if let Some(base) = row.entries.first() {
                assert!(base.coefficient.is_positive());
                assert_eq!(self.row_of[base.var as usize] as usize, number);
                assert_eq!(self.columns[base.var as usize].len(), 1);
            }
        }
        let entries: usize = self.rows.iter().map(|row| row.entries.len()).sum();
        let places: usize = self.columns.iter().map(Vec::len).sum();
        assert_eq!(entries, places);
        assert!(self.positions.iter().all(|position| *position == NONE));
    }
}
