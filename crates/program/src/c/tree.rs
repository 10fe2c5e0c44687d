//! The tree of a C program: declarations, statements, expressions, places.
//!
//! An expression has a value and a place can be read and written; what C calls an lvalue is a `Place`
//! here, and reading it is a node. Effects are done from left to right. Constants are in the range of
//! their types.

use super::layout::{RecordId, TypeId, Types};
use alphorn_problem::Span;

/// A variable, by its position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct VarId(pub u32);

/// A function, by its position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FuncId(pub u32);

/// A label of a function, by its position there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct LabelId(pub u32);

/// A program: what one file declares, and all that it includes.
#[derive(Clone, Debug, Default)]
pub struct Unit {
    /// The types, and the data model.
    pub types: Types,
    /// All variables: global ones, parameters and locals.
    pub vars: Vec<Variable>,
    /// All functions, those that are only declared among them.
    pub functions: Vec<Function>,
    /// String literals without the final zero; a literal is an array of its own at every place.
    pub strings: Vec<Vec<u8>>,
    /// Comments that speak to verifiers (`//@`, `/*@`), in the order of the file.
    pub annotations: Vec<Annotation>,
    /// Names of types, for expressions that are read later.
    pub named_types: Vec<NamedType>,
    /// Enumeration constants, for expressions that are read later.
    pub named_constants: Vec<NamedConstant>,
    /// Whether some structure has members that are atomic.
    pub has_atomic_members: bool,
}

/// The name of a type.
#[derive(Clone, Debug)]
pub struct NamedType {
    /// Its name.
    pub name: String,
    /// The type.
    pub ty: TypeId,
    /// Where the name means it, unless hidden.
    pub scope: Span,
}

/// An enumeration constant.
#[derive(Clone, Debug)]
pub struct NamedConstant {
    /// Its name.
    pub name: String,
    /// Its value.
    pub value: i128,
    /// Its type.
    pub ty: TypeId,
    /// Where the name means it, unless hidden.
    pub scope: Span,
}

/// Where a variable lives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Storage {
    /// Outside functions; zero at first if nothing else is said.
    Global,
    /// In a function, but kept from call to call; as global ones at first.
    Static,
    /// Declared here and defined elsewhere: its value at first is not known.
    Extern,
    /// A parameter of a function.
    Parameter,
    /// A local variable: any value at first, each time its declaration is passed.
    Local,
    /// A local that the reader made up: the length of an array, a compound literal.
    Hidden,
}

/// A variable of the program, or one that the reader made up.
#[derive(Clone, Debug)]
pub struct Variable {
    /// Its name.
    pub name: String,
    /// Its type.
    pub ty: TypeId,
    /// Where it lives.
    pub storage: Storage,
    /// The function it belongs to.
    pub function: Option<FuncId>,
    /// What a global or static one is at first.
    pub init: Option<Init>,
    /// Where its name stands.
    pub span: Span,
    /// From its declaration to the end of the block: where its name means it, unless hidden.
    pub scope: Span,
    /// Whether its address is taken by `&`, or it is an array that is used as a pointer otherwise than in `a[i]`.
    pub is_address_taken: bool,
    /// Whether it is declared `_Atomic`.
    pub is_atomic: bool,
    /// Whether each thread has its own.
    pub is_thread_local: bool,
}

impl Variable {
    /// A variable without name and first value that nobody points to.
    pub fn plain(ty: TypeId, storage: Storage, function: Option<FuncId>, span: Span) -> Variable {
        Variable {
            name: String::new(),
            ty,
            storage,
            function,
            init: None,
            span,
            scope: span,
            is_address_taken: false,
            is_atomic: false,
            is_thread_local: false,
        }
    }
}

/// What an object is at first.
#[derive(Clone, Debug)]
pub enum Init {
    /// One value: for scalars, and for structures that are copied.
    Value(Expr),
    /// Values of parts, each given by a path of positions (of a field or an element) down to a
    /// scalar or to a structure that is copied; all other parts are zero. Later ones replace earlier ones.
    Parts(Vec<(Vec<u64>, Expr)>),
    /// The characters of a string literal and zeros, for an array of characters.
    Text(u32),
}

/// A function, whether it is defined or only declared.
#[derive(Clone, Debug)]
pub struct Function {
    /// Its name.
    pub name: String,
    /// Its type, a `Type::Function`.
    pub ty: TypeId,
    /// Its parameters, if it is defined.
    pub params: Vec<VarId>,
    /// Its body, a `StmtKind::Block`, if it is defined.
    pub body: Option<Stmt>,
    /// What `goto` can name in it.
    pub labels: Vec<Label>,
    /// Where its name stands, in the definition if there is one.
    pub span: Span,
    /// Whether its address is taken otherwise than by calling it.
    pub is_address_taken: bool,
    /// Whether it was declared not to return.
    pub is_noreturn: bool,
}

/// A place in a function that `goto` goes to.
#[derive(Clone, Debug)]
pub struct Label {
    /// Its name.
    pub name: String,
    /// Where it is defined.
    pub span: Span,
}

/// A comment that speaks to verifiers.
#[derive(Clone, Debug)]
pub struct Annotation {
    /// The text without the marks of the comment.
    pub text: String,
    /// Where it stands.
    pub span: Span,
}

/// A statement.
#[derive(Clone, Debug)]
pub struct Stmt {
    /// What it does.
    pub kind: StmtKind,
    /// Where it stands, from its first character (of `for`, `while`, a label …) to its last.
    pub span: Span,
}

/// What a statement does.
#[derive(Clone, Debug)]
pub enum StmtKind {
    /// Nothing.
    Empty,
    /// Evaluates an expression.
    Expr(Expr),
    /// Declares a local variable, with its first value.
    Declare(VarId, Option<Init>),
    /// Statements in their own scope.
    Block(Vec<Stmt>),
    /// `if`.
    If(Expr, Box<Stmt>, Option<Box<Stmt>>),
    /// `while`.
    While(Expr, Box<Stmt>),
    /// `do … while`.
    DoWhile(Box<Stmt>, Expr),
    /// `for`: the beginning (declarations are in a block), the condition, the step, the body.
    For(Option<Box<Stmt>>, Option<Expr>, Option<Expr>, Box<Stmt>),
    /// `switch` on an integer; its cases are where they stand in the body.
    Switch(Expr, Box<Stmt>),
    /// `case low ... high:`; both ends are the same for an ordinary case. Values are of the promoted type
    /// of the `switch`.
    Case(i128, i128, Box<Stmt>),
    /// `default:`.
    Default(Box<Stmt>),
    /// `break`.
    Break,
    /// `continue`.
    Continue,
    /// `return`.
    Return(Option<Expr>),
    /// `goto`.
    Goto(LabelId),
    /// `goto *expression`, to one of the labels whose addresses are taken.
    GotoValue(Expr),
    /// A label.
    Label(LabelId, Box<Stmt>),
    /// What is read and not treated, such as inline assembler, in words.
    Untreated(&'static str),
}

/// An expression.
#[derive(Clone, Debug)]
pub struct Expr {
    /// What it computes.
    pub kind: ExprKind,
    /// The type of its value.
    pub ty: TypeId,
    /// Where it stands; a call ends with its right parenthesis.
    pub span: Span,
}

/// Arithmetic with operands and result of one type (shifts: the type of the left operand).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Arith {
    /// `+`
    Add,
    /// `-`
    Sub,
    /// `*`
    Mul,
    /// `/`, towards zero.
    Div,
    /// `%`, with the sign of the left operand.
    Rem,
    /// `<<`
    Shl,
    /// `>>`, arithmetic for signed types.
    Shr,
    /// `&`
    And,
    /// `|`
    Or,
    /// `^`
    Xor,
}

impl Arith {
    /// How it is written.
    pub fn text(self) -> &'static str {
        match self {
            Arith::Add => "+",
            Arith::Sub => "-",
            Arith::Mul => "*",
            Arith::Div => "/",
            Arith::Rem => "%",
            Arith::Shl => "<<",
            Arith::Shr => ">>",
            Arith::And => "&",
            Arith::Or => "|",
            Arith::Xor => "^",
        }
    }
}

/// A comparison, whose value is the `int` one or zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Compare {
    /// `==`
    Eq,
    /// `!=`
    Ne,
    /// `<`
    Lt,
    /// `<=`
    Le,
    /// `>`
    Gt,
    /// `>=`
    Ge,
}

impl Compare {
    /// How it is written.
    pub fn text(self) -> &'static str {
        match self {
            Compare::Eq => "==",
            Compare::Ne => "!=",
            Compare::Lt => "<",
            Compare::Le => "<=",
            Compare::Gt => ">",
            Compare::Ge => ">=",
        }
    }

    /// Whether it holds of what is ordered like this.
    #[inline]
    pub fn holds(self, order: std::cmp::Ordering) -> bool {
        match self {
            Compare::Eq => order.is_eq(),
            Compare::Ne => order.is_ne(),
            Compare::Lt => order.is_lt(),
            Compare::Le => order.is_le(),
            Compare::Gt => order.is_gt(),
            Compare::Ge => order.is_ge(),
        }
    }
}

/// What an expression computes.
#[derive(Clone, Debug)]
pub enum ExprKind {
    /// An integer constant, also of pointer type (a null pointer is 0).
    Int(i128),
    /// A floating constant, as written.
    Float(String),
    /// What is stored at a place.
    Load(Box<Place>),
    /// The address of a place.
    Address(Box<Place>),
    /// The address of the first element of an array: what an array becomes as a value.
    Decay(Box<Place>),
    /// The address of a function.
    Function(FuncId),
    /// The address of a label.
    LabelAddress(LabelId),
    /// `-` on an arithmetic type.
    Neg(Box<Expr>),
    /// `~` on an integer type.
    BitNot(Box<Expr>),
    /// `!` on a scalar; the value is an `int`.
    Not(Box<Expr>),
    /// Arithmetic.
    Arith(Arith, Box<Expr>, Box<Expr>),
    /// A comparison of two arithmetic values or two pointers; the value is an `int`.
    Compare(Compare, Box<Expr>, Box<Expr>),
    /// A pointer moved by so many elements, forwards (true) or backwards.
    Move(Box<Expr>, Box<Expr>, bool),
    /// How many elements lie between two pointers.
    Distance(Box<Expr>, Box<Expr>),
    /// `&&`
    Both(Box<Expr>, Box<Expr>),
    /// `||`
    Either(Box<Expr>, Box<Expr>),
    /// `c ? a : b`; without a middle the condition's value is the value.
    Conditional(Box<Expr>, Option<Box<Expr>>, Box<Expr>),
    /// A conversion to the type of the expression: written (true) or implied.
    Cast(Box<Expr>, bool),
    /// Stores a value of the place's type; that value is the value.
    Assign(Box<Place>, Box<Expr>),
    /// `place op= value`: the place's value is converted to the given type, the operation done there
    /// (for a pointer: moved by elements), and the result converted back. The value is what is stored.
    Update(Box<Place>, Arith, TypeId, Box<Expr>),
    /// `++` (true) or `--`, before (true) or after.
    Step(Box<Place>, bool, bool),
    /// Evaluates the first for its effects; the value is the second.
    Comma(Box<Expr>, Box<Expr>),
    /// Calls a function that is known by name.
    Call(FuncId, Vec<Expr>),
    /// Calls what a pointer points to.
    CallPointer(Box<Expr>, Vec<Expr>),
    /// `({ … })`: the value is that of the last statement if it is an expression.
    Block(Vec<Stmt>),
    /// The size of a type in bytes that is only known when the program runs.
    SizeOf(TypeId),
    /// The value of a structure that is a temporary, seen as a place's value: a call's result whose
    /// member is wanted.
    Member(Box<Expr>, usize),
    /// What is read and not treated, in words.
    Untreated(&'static str),
}

/// Something that can be read and written.
#[derive(Clone, Debug)]
pub struct Place {
    /// How it is found.
    pub kind: PlaceKind,
    /// The type of what is stored there.
    pub ty: TypeId,
    /// Where it stands.
    pub span: Span,
}

/// The ways to name a place.
#[derive(Clone, Debug)]
pub enum PlaceKind {
    /// A variable.
    Var(VarId),
    /// What a pointer points to.
    Deref(Box<Expr>),
    /// An element of an array that is a place itself; `p[i]` for a pointer is a `Deref` of a `Move`.
    Element(Box<Place>, Box<Expr>),
    /// A member of a structure or union, by its position.
    Member(Box<Place>, RecordId, usize),
    /// A string literal.
    Text(u32),
    /// A compound literal: a hidden variable that is set anew each time.
    Literal(VarId, Box<Init>),
}

impl Place {
    /// How many bits the place has, if it is a bit-field.
    pub fn bits(&self, types: &Types) -> Option<u32> {
        match self.kind {
            PlaceKind::Member(_, record, field) => {
                types.record(record).fields[field].bits.map(|(_, bits)| bits)
            }
            _ => None,
        }
    }
}

impl Stmt {
    /// Where it ends: the right brace of a block.
    pub fn end(&self) -> Span {
        Span { start: self.span.end.saturating_sub(1), ..self.span }
    }
}

impl Unit {
    /// A variable.
    pub fn var(&self, var: VarId) -> &Variable {
        &self.vars[var.0 as usize]
    }

    /// The function of an id; ids are positions.
    pub fn function(&self, function: FuncId) -> &Function {
        &self.functions[function.0 as usize]
    }

    /// The function of a name.
    pub fn find_function(&self, name: &str) -> Option<FuncId> {
        self.functions.iter().position(|f| f.name == name).map(|index| FuncId(index as u32))
    }

    /// What keeps threads of the program from being treated, if anything does: only numbers that are variables
    /// are atomic, and threads share all globals.
    pub fn unshareable(&self) -> Option<&'static str> {
        let is_own = |var: &Variable| var.is_thread_local;
        let is_odd = |var: &Variable| {
            var.is_atomic && (var.is_address_taken || self.types.int_kind(var.ty).is_none())
        };
        if self.vars.iter().any(is_own) {
            return Some("variables of which each thread has its own");
        }
        let is_untreated = self.has_atomic_members || self.vars.iter().any(is_odd);
        is_untreated.then_some("atomic objects that are not numbers, or whose addresses are taken")
    }

    /// Variables that live as long as the program.
    pub fn globals(&self) -> impl Iterator<Item = (VarId, &Variable)> {
        self.vars.iter().enumerate().filter_map(|(index, var)| {
            matches!(var.storage, Storage::Global | Storage::Static | Storage::Extern)
                .then_some((VarId(index as u32), var))
        })
    }
}
