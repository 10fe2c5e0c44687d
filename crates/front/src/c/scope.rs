//! What names mean where the parser is.
//!
//! Names are symbols, so a scope is no map: there is one table from symbols to their present meanings,
//! and a log of what entering a scope's names has hidden, which leaving the scope undoes. Tags have a
//! table of their own; labels belong to functions and are not here.
//!
//! Source: C11 6.2.1, 6.2.3.

use super::token::Symbol;
use alphorn_program::c::TypeId;
use alphorn_program::c::layout::RecordId;
use alphorn_program::c::{FuncId, VarId};

/// What an ordinary name means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Entity {
    /// A variable.
    Var(VarId),
    /// A function.
    Function(FuncId),
    /// A type, and what its objects are aligned to if that is more than usual (else 0).
    Typedef(TypeId, u64),
    /// An enumeration constant.
    Constant(i128, TypeId),
}

/// What a tag means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tag {
    /// A structure or union.
    Record(RecordId),
    /// An enumeration with its integer type, and whether its constants are known.
    Enum(TypeId, bool),
}

/// A meaning and the scope, counted from outside, that it was given in.
type Bound<T> = Option<(T, u32)>;

enum Undo {
    Name(Symbol, Bound<Entity>),
    Tag(Symbol, Bound<Tag>),
}

/// The scopes around the present place.
#[derive(Default)]
pub struct Scopes {
    names: Vec<Bound<Entity>>,
    tags: Vec<Bound<Tag>>,
    log: Vec<Undo>,
    /// Variables whose scopes are open.
    vars: Vec<VarId>,
    /// How long `log` and `vars` were when each scope but the outermost was entered.
    marks: Vec<(usize, usize)>,
}

impl Scopes {
    /// How many scopes there are around the place, besides the file's.
    pub fn depth(&self) -> u32 {
        self.marks.len() as u32
    }

    /// Enters a scope.
    pub fn enter(&mut self) {
        self.marks.push((self.log.len(), self.vars.len()));
    }

    /// Leaves the innermost scope; returns the variables that were declared in it.
    pub fn leave(&mut self) -> Vec<VarId> {
        let (log, vars) = self.marks.pop().expect("every scope that is left was entered");
        for undo in self.log.drain(log..).rev() {
            match undo {
                Undo::Name(symbol, before) => self.names[symbol.0 as usize] = before,
                Undo::Tag(symbol, before) => self.tags[symbol.0 as usize] = before,
            }
        }
        self.vars.split_off(vars)
    }

    /// What a name means here.
    pub fn name(&self, symbol: Symbol) -> Option<Entity> {
        self.names.get(symbol.0 as usize).copied().flatten().map(|(entity, _)| entity)
    }

    /// What a name means in the innermost scope.
    pub fn own_name(&self, symbol: Symbol) -> Option<Entity> {
        let (entity, depth) = self.names.get(symbol.0 as usize).copied().flatten()?;
        (depth == self.depth()).then_some(entity)
    }

    /// What a tag means here.
    pub fn tag(&self, symbol: Symbol) -> Option<Tag> {
        self.tags.get(symbol.0 as usize).copied().flatten().map(|(tag, _)| tag)
    }

    /// What a tag means in the innermost scope.
    pub fn own_tag(&self, symbol: Symbol) -> Option<Tag> {
        let (tag, depth) = self.tags.get(symbol.0 as usize).copied().flatten()?;
        (depth == self.depth()).then_some(tag)
    }

    /// Gives a name a meaning in the innermost scope.
    pub fn bind(&mut self, symbol: Symbol, entity: Entity) {
        let depth = self.depth();
        let slot = slot(&mut self.names, symbol);
        let before = slot.replace((entity, depth));
        if depth > 0 && before.is_none_or(|(_, old)| old != depth) {
            self.log.push(Undo::Name(symbol, before));
        }
    }

    /// Gives a tag a meaning in the innermost scope.
    pub fn bind_tag(&mut self, symbol: Symbol, tag: Tag) {
        let depth = self.depth();
        let slot = slot(&mut self.tags, symbol);
        let before = slot.replace((tag, depth));
        if depth > 0 && before.is_none_or(|(_, old)| old != depth) {
            self.log.push(Undo::Tag(symbol, before));
        }
    }

    /// Notes a variable whose scope ends with the innermost one.
    pub fn own(&mut self, var: VarId) {
        self.vars.push(var);
    }

    /// All names that mean something here.
    pub fn names(&self) -> impl Iterator<Item = (Symbol, Entity)> {
        self.names
            .iter()
            .enumerate()
            .filter_map(|(index, bound)| bound.map(|(entity, _)| (Symbol(index as u32), entity)))
    }
}

fn slot<T: Copy>(table: &mut Vec<Bound<T>>, symbol: Symbol) -> &mut Bound<T> {
    let index = symbol.0 as usize;
    if index >= table.len() {
        table.resize(index + 1, None);
    }
    &mut table[index]
}
