//! What of a program can be reached from its entry: functions by calls and by taken addresses, variables
//! by being mentioned, members of unions by being used.

use super::shape::Unions;
use crate::c::layout::{Type, TypeId};
use crate::c::library::{Known, known};
use crate::c::property::Task;
use crate::c::tree::{
    Expr, ExprKind, FuncId, Init, LabelId, Place, PlaceKind, Stmt, StmtKind, Unit, VarId,
};
use crate::c::walk::{Visit, below_expr, below_init, below_place, below_stmt};
use std::collections::{BTreeMap, BTreeSet};

/// What a call of a function does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Callee {
    /// What its body says.
    Defined,
    /// What is known of it.
    Known(Known),
    /// Anything.
    Unknown,
}

/// What a call of a function does: one that must not be called is no other if it is defined.
pub fn callee(unit: &Unit, function: FuncId) -> Callee {
    let declared = unit.function(function);
    match (known(&declared.name), &declared.body) {
        (Some(Known::Error), _) => Callee::Known(Known::Error),
        (_, Some(_)) => Callee::Defined,
        (Some(known), None) => Callee::Known(known),
        (None, None) => Callee::Unknown,
    }
}

/// What can be reached.
#[derive(Clone, Debug, Default)]
pub struct Reach {
    /// The functions whose bodies can be entered, in the order in which they are found.
    pub functions: Vec<FuncId>,
    /// The functions whose addresses are taken.
    pub addressed: BTreeSet<FuncId>,
    /// The variables that are mentioned.
    pub vars: BTreeSet<VarId>,
    /// String literals that are mentioned.
    pub strings: BTreeSet<u32>,
    /// Labels whose addresses are taken, by function.
    pub labels: BTreeMap<FuncId, Vec<LabelId>>,
    /// The members of unions that are used.
    pub unions: Unions,
    /// Whether anything is allocated.
    pub allocates: bool,
    /// Whether anything is allocated anew.
    pub reallocates: bool,
    /// Whether the entry is called by the program itself.
    pub is_entry_called: bool,
    /// Local variables whose declarations are passed at most once.
    pub once: BTreeSet<VarId>,
    /// Functions that may be called while they run: in every circle of calls there is one.
    pub repeated: BTreeSet<FuncId>,
    /// The functions that each function calls, by pointers as well.
    calls: BTreeMap<FuncId, BTreeSet<FuncId>>,
    /// The functions that call by pointers.
    indirect: BTreeSet<FuncId>,
}

impl Reach {
    /// Whether a function is called, and not only run by threads.
    pub fn is_called(&self, function: FuncId) -> bool {
        self.calls.values().any(|called| called.contains(&function))
    }

    /// What can be reached in a task.
    pub fn of(task: &Task) -> Reach {
        let mut search = Search { unit: &task.unit, reach: Reach::default(), current: task.entry };
        search.function(task.entry);
        let mut next = 0;
        while let Some(&function) = search.reach.functions.get(next) {
            next += 1;
            search.current = function;
            if let Some(body) = &task.unit.function(function).body {
                search.stmt(body);
            }
            for &param in &task.unit.function(function).params {
                search.reach.vars.insert(param);
            }
        }
        let mut reach = search.reach;
        reach.note_repeated();
        let entry = task.unit.function(task.entry);
        if let Some(body) = entry.body.as_ref().filter(|_| !reach.is_entry_called) {
            // A label may be gone back to, so what follows it may be passed again.
            if entry.labels.is_empty() {
                reach.once.extend(&entry.params);
                outside_loops(body, &mut reach.once);
            }
        }
        reach
    }

    /// Goes through the calls depth first: every circle has one that goes back to a function that is being gone
    /// through.
    fn note_repeated(&mut self) {
        for &function in &self.indirect {
            self.calls.entry(function).or_default().extend(&self.addressed);
        }
        let callees = |function: &FuncId| -> Vec<FuncId> {
            self.calls.get(function).into_iter().flatten().copied().collect()
        };
        let (mut begun, mut ended) = (BTreeSet::new(), BTreeSet::new());
        for &root in &self.functions {
            let mut open = vec![(root, callees(&root))];
            if !begun.insert(root) {
                continue;
            }
            while let Some((function, rest)) = open.last_mut() {
                match rest.pop() {
                    Some(next) if begun.insert(next) => open.push((next, callees(&next))),
                    Some(next) if !ended.contains(&next) => {
                        self.repeated.insert(next);
                    }
                    Some(_) => {}
                    None => {
                        ended.insert(*function);
                        open.pop();
                    }
                }
            }
        }
    }
}

/// The variables that are declared outside loops.
fn outside_loops(stmt: &Stmt, once: &mut BTreeSet<VarId>) {
    match &stmt.kind {
        StmtKind::Declare(var, _) => {
            once.insert(*var);
        }
        StmtKind::Block(stmts) => stmts.iter().for_each(|stmt| outside_loops(stmt, once)),
        StmtKind::If(_, then, otherwise) => {
            outside_loops(then, once);
            otherwise.iter().for_each(|stmt| outside_loops(stmt, once));
        }
        StmtKind::For(Some(begin), ..) => outside_loops(begin, once),
        StmtKind::Switch(_, body) | StmtKind::Case(_, _, body) | StmtKind::Default(body) => {
            outside_loops(body, once);
        }
        _ => {}
    }
}

struct Search<'a> {
    unit: &'a Unit,
    reach: Reach,
    current: FuncId,
}

impl Search<'_> {
    /// A function is called or its address taken.
    fn function(&mut self, function: FuncId) {
        match callee(self.unit, function) {
            Callee::Defined if !self.reach.functions.contains(&function) => {
                self.reach.functions.push(function);
            }
            Callee::Known(
                Known::Malloc | Known::Calloc | Known::Realloc | Known::Alloca | Known::Strdup,
            ) => {
                self.reach.allocates = true;
                let callee = callee(self.unit, function);
                self.reach.reallocates |= callee == Callee::Known(Known::Realloc);
            }
            _ => {}
        }
    }

    /// A variable is mentioned; what it is at first is, too, and the length of its type.
    fn var(&mut self, var: VarId) {
        if self.reach.vars.insert(var) {
            let unit = self.unit;
            if let Some(init) = &unit.var(var).init {
                self.parts(unit.var(var).ty, init);
                self.init(init);
            }
        }
    }

    /// The members of unions that an initialiser names.
    fn parts(&mut self, ty: TypeId, init: &Init) {
        let Init::Parts(parts) = init else { return };
        let types = &self.unit.types;
        for (positions, _) in parts {
            let mut ty = ty;
            for &position in positions {
                match types.get(ty) {
                    Type::Array(element, _) => ty = *element,
                    Type::Record(record) => {
                        self.reach.unions.note(types, *record, position as usize);
                        ty = types.record(*record).fields[position as usize].ty;
                    }
                    _ => break,
                }
            }
        }
    }
}

impl Visit for Search<'_> {
    fn stmt(&mut self, stmt: &Stmt) {
        if let StmtKind::Declare(var, init) = &stmt.kind {
            self.var(*var);
            if let Some(init) = init {
                self.parts(self.unit.var(*var).ty, init);
            }
        }
        below_stmt(self, stmt);
    }

    fn expr(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Call(function, _) => {
                self.reach.is_entry_called |= self.reach.functions.first() == Some(function);
                self.function(*function);
                self.reach.calls.entry(self.current).or_default().insert(*function);
            }
            ExprKind::CallPointer(..) => {
                self.reach.indirect.insert(self.current);
            }
            ExprKind::Function(function) => {
                self.reach.is_entry_called |= self.reach.functions.first() == Some(function);
                self.reach.addressed.insert(*function);
                self.function(*function);
            }
            ExprKind::LabelAddress(label) => {
                self.reach.labels.entry(self.current).or_default().push(*label);
            }
            ExprKind::Member(value, field) => {
                if let Type::Record(record) = self.unit.types.get(value.ty) {
                    self.reach.unions.note(&self.unit.types, *record, *field);
                }
            }
            _ => {}
        }
        below_expr(self, expr);
    }

    fn place(&mut self, place: &Place) {
        match &place.kind {
            PlaceKind::Var(var) => self.var(*var),
            PlaceKind::Literal(var, init) => {
                self.var(*var);
                self.parts(self.unit.var(*var).ty, init);
            }
            PlaceKind::Text(text) => {
                self.reach.strings.insert(*text);
            }
            PlaceKind::Member(_, record, field) => {
                self.reach.unions.note(&self.unit.types, *record, *field);
            }
            _ => {}
        }
        below_place(self, place);
    }

    fn init(&mut self, init: &Init) {
        below_init(self, init);
    }
}
