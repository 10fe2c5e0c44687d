//! What a watcher sees of a run: the values of variables.

use super::code::{Access, Code};
use super::memory::Memory;
use super::operate::to_value;
use super::value::{Address, IntType, Pointer, Value};
use crate::c::layout::{FloatKind, IntKind, Type, TypeId};
use crate::c::tree::{FuncId, Unit, VarId};

/// A run at a moment.
#[derive(Clone, Copy, Debug)]
pub struct State<'a> {
    pub(super) unit: &'a Unit,
    pub(super) code: &'a Code,
    pub(super) memory: &'a Memory,
    pub(super) slots: &'a [Value],
    pub(super) globals: &'a [Value],
    pub(super) function: Option<FuncId>,
    pub(super) depth: usize,
    pub(super) steps: u64,
}

impl State<'_> {
    /// The function that runs.
    pub fn function(&self) -> Option<FuncId> {
        self.function
    }

    /// How many calls deep it is.
    pub fn depth(&self) -> usize {
        self.depth
    }

    /// How many steps were taken.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// The value of a scalar variable; none if it has none, or is not one of the function that runs.
    pub fn var(&self, var: VarId) -> Option<Value> {
        let variable = self.unit.var(var);
        let home = (*self.code.homes.get(var.0 as usize)?)?;
        if !home.is_object {
            return match self.slot(var)? {
                Value::Undefined => None,
                value => Some(value),
            };
        }
        self.read(self.address(var)?, variable.ty)
    }

    /// Where a variable is, if it is in memory and lives.
    pub fn address(&self, var: VarId) -> Option<Pointer> {
        let home = (*self.code.homes.get(var.0 as usize)?)?;
        match self.slot(var)? {
            Value::Address(Address::Object(pointer)) if home.is_object => Some(pointer),
            _ => None,
        }
    }

    fn slot(&self, var: VarId) -> Option<Value> {
        let home = (*self.code.homes.get(var.0 as usize)?)?;
        if home.is_global {
            return self.globals.get(home.slot as usize).copied();
        }
        if self.unit.var(var).function != self.function {
            return None;
        }
        self.slots.get(home.slot as usize).copied()
    }

    /// The scalar of a type at a place in memory; what was never written is what was chosen for it.
    pub fn read(&self, at: Pointer, ty: TypeId) -> Option<Value> {
        let types = &self.unit.types;
        let access = match types.get(ty) {
            Type::Int(kind) => {
                Access::Int(IntType::new(*kind, types.model), kind.size(types.model))
            }
            Type::Pointer(_) => Access::Pointer,
            Type::Float(FloatKind::Float) => Access::Single,
            Type::Float(FloatKind::Double) => Access::Double,
            _ => return None,
        };
        let pointer = IntType::new(IntKind::UnsignedLong, types.model);
        let size = access.size(types.pointer_size());
        let scalar = self.memory.peek(Value::Address(Address::Object(at)), size).ok()?;
        to_value(scalar, access, pointer).ok()
    }

    /// How many bytes the object at a place has, if it lives.
    pub fn size_of_object(&self, at: Pointer) -> Option<u64> {
        self.memory.get(at.object).map(|object| object.size())
    }
}
