//! The lines of the text: numbered, and equal definitions written once.

use alphorn_term::Bv;
use rustc_hash::FxHashMap;
use std::fmt::Write as _;

/// An operator, its sort, and up to three arguments, unused ones being zero.
type Definition = (&'static str, u64, [u64; 3]);

/// The text so far.
#[derive(Default)]
pub(super) struct Lines {
    text: String,
    last: u64,
    widths: FxHashMap<u32, u64>,
    arrays: FxHashMap<(u64, u64), u64>,
    constants: FxHashMap<Bv, u64>,
    defined: FxHashMap<Definition, u64>,
}

impl Lines {
    pub fn into_text(self) -> String {
        self.text
    }

    /// Writes a line that is not shared.
    pub fn statement(&mut self, text: &str, name: Option<&str>) -> u64 {
        self.last += 1;
        match name.map(symbol).filter(|name| !name.is_empty()) {
            Some(name) => writeln!(self.text, "{} {text} {name}", self.last),
            None => writeln!(self.text, "{} {text}", self.last),
        }
        .expect("writing to a string does not fail");
        self.last
    }

    /// The line of the sort of words of `width` bits.
    pub fn bitvec(&mut self, width: u32) -> u64 {
        if let Some(id) = self.widths.get(&width) {
            return *id;
        }
        let id = self.statement(&format!("sort bitvec {width}"), None);
        self.widths.insert(width, id);
        id
    }

    /// The line of the sort of arrays between two sorts.
    pub fn array(&mut self, index: u64, element: u64) -> u64 {
        if let Some(id) = self.arrays.get(&(index, element)) {
            return *id;
        }
        let id = self.statement(&format!("sort array {index} {element}"), None);
        self.arrays.insert((index, element), id);
        id
    }

    /// The line of a constant.
    pub fn constant(&mut self, value: &Bv) -> u64 {
        if let Some(id) = self.constants.get(value) {
            return *id;
        }
        let width = value.width();
        let sort = self.bitvec(width);
        let text = if value.is_zero() {
            format!("zero {sort}")
        } else if *value == Bv::from_u64(width, 1) {
            format!("one {sort}")
        } else if value.is_ones() {
            format!("ones {sort}")
        } else if width <= 64 {
            format!("constd {sort} {}", value.bits())
        } else {
            format!("consth {sort} {:x}", value.bits())
        };
        let id = self.statement(&text, None);
        self.constants.insert(value.clone(), id);
        id
    }

    /// The line of an operator on lines and numbers.
    pub fn define(&mut self, operator: &'static str, sort: u64, args: &[u64]) -> u64 {
        let mut key = [0; 3];
        key[..args.len()].copy_from_slice(args);
        if let Some(id) = self.defined.get(&(operator, sort, key)) {
            return *id;
        }
        let mut text = format!("{operator} {sort}");
        for arg in args {
            write!(text, " {arg}").expect("writing to a string does not fail");
        }
        let id = self.statement(&text, None);
        self.defined.insert((operator, sort, key), id);
        id
    }
}

/// A name as a symbol: blanks would end it, and a semicolon in front would start a comment.
pub(super) fn symbol(name: &str) -> String {
    let plain = |c: char| if c.is_ascii_whitespace() || c.is_control() { '_' } else { c };
    let mut symbol: String = name.chars().map(plain).collect();
    if symbol.starts_with(';') {
        symbol.insert(0, '_');
    }
    symbol
}
