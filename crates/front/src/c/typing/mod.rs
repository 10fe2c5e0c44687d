//! The rules of types: what operands become, and what an operation's result is.
//!
//! The parser hands over operands as they were read, and gets typed nodes in which every conversion is
//! said. What a place is, and what its value is, are kept apart by [`Operand`]; only [`Typer::value`]
//! goes from one to the other.
//!
//! Invariant: the invariant of `alphorn_program::c`.
//!
//! Source: C11 6.3, 6.5; the GNU C manual for what gcc adds.

mod convert;
mod literal;
mod member;
mod operator;
mod pointer;
mod record;
mod report;
mod show;

use super::constant;
use alphorn_problem::Span;
use alphorn_program::c::layout::{FloatKind, RecordId, Signature};
use alphorn_program::c::tree::{Init, Storage, Variable};
use alphorn_program::c::{
    DataModel, Expr, ExprKind, FuncId, IntKind, Place, PlaceKind, Type, TypeId, Types, Unit, VarId,
};
use rustc_hash::FxHashSet;

pub use convert::Why;
pub use literal::Literal;
pub use operator::Operator;
pub use record::{Alignment, Member};
pub use report::{Report, Res, Stop};

/// Something that was read where an expression may stand.
#[derive(Debug)]
pub enum Operand {
    /// A value.
    Value(Expr),
    /// A place, whose value or address may be wanted.
    Place(Place),
    /// A function by name.
    Function(FuncId, TypeId, Span),
}

impl Operand {
    /// Its type, before arrays and functions become pointers.
    pub fn ty(&self) -> TypeId {
        match self {
            Operand::Value(expr) => expr.ty,
            Operand::Place(place) => place.ty,
            Operand::Function(_, ty, _) => *ty,
        }
    }

    /// Where it stands.
    pub fn span(&self) -> Span {
        match self {
            Operand::Value(expr) => expr.span,
            Operand::Place(place) => place.span,
            Operand::Function(_, _, span) => *span,
        }
    }

    /// The same in parentheses that stand there.
    pub fn at(mut self, at: Span) -> Operand {
        match &mut self {
            Operand::Value(expr) => expr.span = at,
            Operand::Place(place) => place.span = at,
            Operand::Function(_, _, span) => *span = at,
        }
        self
    }
}

/// Types that are needed all the time.
#[derive(Clone, Copy, Debug)]
struct Basic {
    void: TypeId,
    char: TypeId,
    int: TypeId,
    double: TypeId,
    void_pointer: TypeId,
    ints: [TypeId; 14],
}

/// All integer types, in ascending order of their ranks.
const INT_KINDS: [IntKind; 14] = [
    IntKind::Bool,
    IntKind::Char,
    IntKind::SignedChar,
    IntKind::UnsignedChar,
    IntKind::Short,
    IntKind::UnsignedShort,
    IntKind::Int,
    IntKind::UnsignedInt,
    IntKind::Long,
    IntKind::UnsignedLong,
    IntKind::LongLong,
    IntKind::UnsignedLongLong,
    IntKind::Int128,
    IntKind::UnsignedInt128,
];

/// A program that is being made, and the rules by which its nodes are.
pub struct Typer {
    /// The program so far.
    pub unit: Unit,
    /// What there is to say.
    pub report: Report,
    /// The function that is being read.
    pub function: Option<FuncId>,
    /// In how many operands of `sizeof` and the like we are: nothing there is ever done.
    pub unevaluated: u32,
    basic: Basic,
    complex: FxHashSet<RecordId>,
    transparent: FxHashSet<RecordId>,
    /// Functions defined without a prototype: their arguments are not counted.
    pub old_style: FxHashSet<FuncId>,
}

impl Typer {
    /// Goes on with a program.
    pub fn new(mut unit: Unit) -> Typer {
        let types = &mut unit.types;
        let void = types.id(Type::Void);
        let ints = INT_KINDS.map(|kind| types.id(Type::Int(kind)));
        let basic = Basic {
            void,
            char: ints[1],
            int: ints[6],
            double: types.id(Type::Float(FloatKind::Double)),
            void_pointer: types.id(Type::Pointer(void)),
            ints,
        };
        Typer {
            unit,
            report: Report::default(),
            function: None,
            unevaluated: 0,
            basic,
            complex: FxHashSet::default(),
            transparent: FxHashSet::default(),
            old_style: FxHashSet::default(),
        }
    }

    /// The types.
    pub fn types(&self) -> &Types {
        &self.unit.types
    }

    /// The widths of integers.
    pub fn model(&self) -> DataModel {
        self.unit.types.model
    }

    /// `void`.
    pub fn void(&self) -> TypeId {
        self.basic.void
    }

    /// `char`.
    pub fn char(&self) -> TypeId {
        self.basic.char
    }

    /// `int`.
    pub fn int(&self) -> TypeId {
        self.basic.int
    }

    /// `void *`.
    pub fn void_pointer(&self) -> TypeId {
        self.basic.void_pointer
    }

    /// `size_t`.
    pub fn size_type(&self) -> TypeId {
        self.int_type(match self.model() {
            DataModel::Ilp32 => IntKind::UnsignedInt,
            DataModel::Lp64 => IntKind::UnsignedLong,
        })
    }

    /// `ptrdiff_t`.
    pub fn distance_type(&self) -> TypeId {
        self.int_type(match self.model() {
            DataModel::Ilp32 => IntKind::Int,
            DataModel::Lp64 => IntKind::Long,
        })
    }

    /// An integer type.
    pub fn int_type(&self, kind: IntKind) -> TypeId {
        match INT_KINDS.iter().position(|&k| k == kind) {
            Some(index) => self.basic.ints[index],
            None => self
                .types()
                .find(&Type::Int(kind))
                .expect("an unusual width is known from the bit-field that has it"),
        }
    }

    /// A floating type.
    pub fn float_type(&mut self, kind: FloatKind) -> TypeId {
        self.unit.types.id(Type::Float(kind))
    }

    /// The type of pointers to something.
    pub fn pointer_to(&mut self, target: TypeId) -> TypeId {
        self.unit.types.id(Type::Pointer(target))
    }

    /// An integer constant of a type.
    pub fn constant(&self, value: i128, ty: TypeId, span: Span) -> Expr {
        Expr { kind: ExprKind::Int(value), ty, span }
    }

    /// The value of a constant expression.
    pub fn constant_value(&self, expr: &Expr) -> Option<i128> {
        constant::value(&self.unit.types, expr)
    }

    /// Whether a type is an integer or floating type.
    pub fn is_arithmetic(&self, ty: TypeId) -> bool {
        matches!(self.types().get(ty), Type::Int(_) | Type::Float(_))
    }

    /// Whether a type is an integer type.
    pub fn is_integer(&self, ty: TypeId) -> bool {
        matches!(self.types().get(ty), Type::Int(_))
    }

    /// Whether a type is a pointer type.
    pub fn is_pointer(&self, ty: TypeId) -> bool {
        matches!(self.types().get(ty), Type::Pointer(_))
    }

    /// Whether a type is a complex one, whose values are passed around but not computed with.
    pub fn is_complex(&self, ty: TypeId) -> bool {
        matches!(self.types().get(ty), Type::Record(record) if self.complex.contains(record))
    }

    /// The type of a function.
    pub fn signature(&self, ty: TypeId) -> Option<&Signature> {
        match self.types().get(ty) {
            Type::Function(signature) => Some(signature),
            _ => None,
        }
    }

    /// The value of an operand: what a place holds, the address of an array's first element, the
    /// address of a function.
    pub fn value(&mut self, operand: Operand) -> Expr {
        match operand {
            Operand::Value(expr) => expr,
            Operand::Function(function, ty, span) => {
                self.take_function(function);
                Expr { kind: ExprKind::Function(function), ty: self.pointer_to(ty), span }
            }
            Operand::Place(place) => {
                let (ty, span) = (place.ty, place.span);
                match *self.types().get(ty) {
                    Type::Array(element, _) => {
                        self.take_address(&place);
                        let ty = self.pointer_to(element);
                        Expr { kind: ExprKind::Decay(Box::new(place)), ty, span }
                    }
                    Type::Function(_) => match place.kind {
                        PlaceKind::Deref(pointer) => Expr { span, ..*pointer },
                        _ => {
                            Expr { kind: ExprKind::Untreated("a function as an object"), ty, span }
                        }
                    },
                    _ => Expr { kind: ExprKind::Load(Box::new(place)), ty, span },
                }
            }
        }
    }

    /// Notes that a function is used otherwise than by calling it.
    fn take_function(&mut self, function: FuncId) {
        if self.unevaluated == 0 {
            self.unit.functions[function.0 as usize].is_address_taken = true;
        }
    }

    /// Notes that the address of the variable that a place lies in is used.
    pub fn take_address(&mut self, place: &Place) {
        if self.unevaluated > 0 {
            return;
        }
        let mut place = place;
        loop {
            match &place.kind {
                PlaceKind::Var(var) | PlaceKind::Literal(var, _) => {
                    self.unit.vars[var.0 as usize].is_address_taken = true;
                    return;
                }
                PlaceKind::Element(inner, _) | PlaceKind::Member(inner, ..) => place = inner,
                PlaceKind::Deref(_) | PlaceKind::Text(_) => return,
            }
        }
    }

    /// A variable that the reader makes up.
    pub fn hidden(&mut self, ty: TypeId, span: Span) -> VarId {
        let var = VarId(u32::try_from(self.unit.vars.len()).expect("fewer than 2^32 variables"));
        let storage = if self.function.is_some() { Storage::Hidden } else { Storage::Global };
        self.unit.vars.push(Variable::plain(ty, storage, self.function, span));
        var
    }

    /// An object without name that is set to something each time it is passed; outside functions, once.
    pub fn literal_place(&mut self, ty: TypeId, init: Init, span: Span) -> Place {
        let var = self.hidden(ty, span);
        let kind = if self.function.is_some() {
            PlaceKind::Literal(var, Box::new(init))
        } else {
            self.unit.vars[var.0 as usize].init = Some(init);
            PlaceKind::Var(var)
        };
        Place { kind, ty, span }
    }

    /// A node for what is read and not treated.
    pub fn untreated(&self, words: &'static str, ty: TypeId, span: Span) -> Expr {
        Expr { kind: ExprKind::Untreated(words), ty, span }
    }
}
