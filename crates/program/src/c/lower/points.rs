//! The points-to analysis: goes once through everything that can be reached, and unifies.
//!
//! The rules are those of the lowering: what a place is, what a pointer that comes from an expression
//! points to. The order of the program does not matter.

use super::reach::{Callee, Reach, callee};
use super::regions::{Cell, Holder, Pointees, Regions, Site};
use super::shape::{LeafKind, Path, Step, leaves};
use crate::c::layout::{Type, TypeId, Types};
use crate::c::library::{Known, Sync};
use crate::c::tree::{
    Expr, ExprKind, FuncId, Init, Place, PlaceKind, Stmt, StmtKind, Storage, Unit, VarId,
};
use crate::c::walk::{Visit, below_stmt};

/// What a place is to the analysis.
#[derive(Clone, Debug)]
enum Spot {
    /// A part of a variable that is not in memory.
    Own(VarId, Path),
    /// A part of memory.
    Memory(Cell),
    /// An object that is an array as a whole; the cell is that of its elements.
    Whole(Cell),
}

impl Regions {
    /// The regions of what can be reached.
    pub fn of(unit: &Unit, reach: &Reach) -> Regions {
        let regions = Regions::new(reach.unions.clone());
        let mut points = Points {
            unit,
            reach,
            regions,
            function: None,
            escaped: Vec::new(),
            has_unknown: false,
            by_bytes: Vec::new(),
        };
        for &var in &reach.vars {
            points.variable(var);
        }
        for &function in &reach.functions {
            points.function = Some(function);
            if let Some(body) = &unit.function(function).body {
                points.stmt(body);
            }
        }
        points.move_by_bytes();
        points.note_escaped();
        points.note_outside();
        points.regions
    }
}

/// Whether a variable lives in memory.
pub fn is_in_memory(unit: &Unit, var: VarId) -> bool {
    unit.var(var).is_address_taken
}

/// The type of the elements of an object: those of an array, else the object itself.
pub fn element_type(types: &Types, ty: TypeId) -> TypeId {
    match types.get(ty) {
        Type::Array(element, _) => *element,
        _ => ty,
    }
}

struct Points<'a> {
    unit: &'a Unit,
    reach: &'a Reach,
    regions: Regions,
    function: Option<FuncId>,
    /// What unknown functions get.
    escaped: Vec<Cell>,
    has_unknown: bool,
    /// Pointers to bytes that are moved by so many.
    by_bytes: Vec<(Cell, u64, TypeId)>,
}

impl Points<'_> {
    /// A variable that is mentioned: its object, if it is in memory, and what it is at first.
    fn variable(&mut self, var: VarId) {
        let unit = self.unit;
        let declared = unit.var(var);
        if is_in_memory(unit, var) {
            let is_once =
                matches!(declared.storage, Storage::Global | Storage::Static | Storage::Extern)
                    || self.reach.once.contains(&var);
            self.regions.note_site(Site::Variable(var), !is_once);
            let cell = self.regions.site(Site::Variable(var));
            self.regions.require(&unit.types, &cell, element_type(&unit.types, declared.ty));
            if matches!(unit.types.get(declared.ty), Type::Array(..)) {
                self.regions.index(&self.unit.types, &cell);
            }
        }
        if let Some(init) = &declared.init {
            let spot = self.variable_spot(var);
            self.init(&spot, declared.ty, init);
        }
    }

    /// What comes from outside may point outside: the parameters of the entry, variables from elsewhere.
    fn note_outside(&mut self) {
        let unit = self.unit;
        let entry = self.reach.functions.first().map(|entry| unit.function(*entry));
        let params = entry.map(|entry| entry.params.clone()).unwrap_or_default();
        let outside = self.reach.vars.iter().copied();
        let outside = outside.filter(|var| unit.var(*var).storage == Storage::Extern);
        for var in outside.chain(params).collect::<Vec<_>>() {
            let spot = self.variable_spot(var);
            for cell in self.load(&spot, unit.var(var).ty).into_values() {
                self.regions.note_foreign(&cell);
            }
        }
    }

    fn variable_spot(&mut self, var: VarId) -> Spot {
        if !is_in_memory(self.unit, var) {
            return Spot::Own(var, Vec::new());
        }
        let cell = self.regions.site(Site::Variable(var));
        match self.unit.types.get(self.unit.var(var).ty) {
            Type::Array(..) => Spot::Whole(cell),
            _ => Spot::Memory(cell),
        }
    }

    /// The member that stands for a member of a record.
    fn member(&self, record: crate::c::layout::RecordId, field: usize) -> Step {
        let types = &self.unit.types;
        let only = match types.record(record).is_union {
            true => self.regions.unions.member(types, record).ok().flatten(),
            false => None,
        };
        Step::Field(only.unwrap_or(field as u32))
    }

    fn place(&mut self, place: &Place) -> Spot {
        match &place.kind {
            PlaceKind::Var(var) => self.variable_spot(*var),
            PlaceKind::Deref(pointer) => {
                let cell = self.pointer(pointer);
                self.regions.require(&self.unit.types, &cell, place.ty);
                Spot::Memory(cell)
            }
            PlaceKind::Element(array, index) => {
                let spot = self.place(array);
                self.expr(index);
                match spot {
                    Spot::Whole(cell) => {
                        self.regions.index(&self.unit.types, &cell);
                        Spot::Memory(cell)
                    }
                    spot => self.part(spot, Step::Element),
                }
            }
            PlaceKind::Member(record, id, field) => {
                let spot = self.place(record);
                let step = self.member(*id, *field);
                self.part(spot, step)
            }
            PlaceKind::Text(text) => {
                self.regions.note_site(Site::Text(*text), false);
                let cell = self.regions.site(Site::Text(*text));
                self.regions.require(
                    &self.unit.types,
                    &cell,
                    element_type(&self.unit.types, place.ty),
                );
                self.regions.index(&self.unit.types, &cell);
                Spot::Whole(cell)
            }
            PlaceKind::Literal(var, init) => {
                let spot = self.variable_spot(*var);
                self.init(&spot, place.ty, init);
                spot
            }
        }
    }

    fn part(&self, spot: Spot, step: Step) -> Spot {
        match spot {
            Spot::Own(var, mut path) => {
                path.push(step);
                Spot::Own(var, path)
            }
            Spot::Memory(cell) | Spot::Whole(cell) => Spot::Memory(self.regions.part(&cell, step)),
        }
    }

    /// What the pointers at a place point to.
    fn load(&mut self, spot: &Spot, ty: TypeId) -> Pointees {
        let mut pointees = Pointees::new();
        for path in self.pointer_paths(ty) {
            let cell = match spot {
                Spot::Own(var, base) => {
                    let whole: Path = base.iter().chain(&path).copied().collect();
                    self.regions.held(Holder::Variable(*var), &whole)
                }
                Spot::Memory(cell) => {
                    let mut cell = self.regions.find(cell);
                    cell.path.extend(&path);
                    self.regions.stored(&cell)
                }
                // The first step is that into the elements of the whole object.
                Spot::Whole(cell) => {
                    let mut cell = self.regions.find(cell);
                    cell.path.extend(path.iter().skip(1));
                    self.regions.stored(&cell)
                }
            };
            pointees.insert(path, cell);
        }
        pointees
    }

    fn pointer_paths(&self, ty: TypeId) -> Vec<Path> {
        let all = leaves(&self.unit.types, &self.regions.unions, ty).unwrap_or_default();
        let pointers = all.into_iter().filter(|leaf| leaf.kind == LeafKind::Pointer);
        pointers.map(|leaf| leaf.path).collect()
    }

    fn store(&mut self, spot: &Spot, ty: TypeId, value: &Pointees) {
        let old = self.load(spot, ty);
        self.meet(&old, value);
    }

    /// Pointers that come together point to one cell.
    fn meet(&mut self, left: &Pointees, right: &Pointees) {
        for (path, cell) in left {
            if let Some(other) = right.get(path) {
                self.regions.unify(&self.unit.types, cell, other);
            }
        }
    }

    fn init(&mut self, spot: &Spot, ty: TypeId, init: &Init) {
        match init {
            Init::Value(expr) => {
                let value = self.expr(expr);
                self.store(spot, ty, &value);
            }
            Init::Parts(parts) => {
                for (positions, expr) in parts {
                    let value = self.expr(expr);
                    let (spot, ty) = self.descend(spot.clone(), ty, positions);
                    self.store(&spot, ty, &value);
                }
            }
            Init::Text(_) => {}
        }
    }

    fn descend(&mut self, spot: Spot, ty: TypeId, positions: &[u64]) -> (Spot, TypeId) {
        let Some((&first, rest)) = positions.split_first() else { return (spot, ty) };
        let unit = self.unit;
        match unit.types.get(ty) {
            Type::Array(element, _) => {
                let spot = match spot {
                    Spot::Whole(cell) => Spot::Memory(cell),
                    spot => self.part(spot, Step::Element),
                };
                self.descend(spot, *element, rest)
            }
            Type::Record(record) => {
                let step = self.member(*record, first as usize);
                let spot = self.part(spot, step);
                let field = unit.types.record(*record).fields[first as usize].ty;
                self.descend(spot, field, rest)
            }
            _ => (spot, ty),
        }
    }

    /// The cell of a pointer.
    fn pointer(&mut self, expr: &Expr) -> Cell {
        match self.expr(expr).remove(&Vec::new()) {
            Some(cell) => cell,
            None => self.regions.fresh(),
        }
    }

    fn expr(&mut self, expr: &Expr) -> Pointees {
        let one = |cell: Cell| Pointees::from([(Vec::new(), cell)]);
        match &expr.kind {
            ExprKind::Load(place) => {
                let spot = self.place(place);
                self.load(&spot, place.ty)
            }
            ExprKind::Address(place) => match self.place(place) {
                Spot::Memory(cell) | Spot::Whole(cell) => one(cell),
                Spot::Own(..) => Pointees::new(),
            },
            ExprKind::Decay(place) => match self.place(place) {
                Spot::Whole(cell) => one(cell),
                Spot::Memory(cell) => one(self.regions.part(&cell, Step::Element)),
                Spot::Own(..) => Pointees::new(),
            },
            ExprKind::Function(_) => one(self.regions.site(Site::Functions)),
            ExprKind::Neg(a) | ExprKind::BitNot(a) | ExprKind::Not(a) => {
                self.expr(a);
                Pointees::new()
            }
            ExprKind::Arith(_, a, b) => {
                self.expr(a);
                self.expr(b);
                Pointees::new()
            }
            ExprKind::Compare(..) | ExprKind::Both(..) | ExprKind::Either(..) => {
                self.compare(expr);
                Pointees::new()
            }
            ExprKind::Move(pointer, by, _) => {
                let cell = self.pointer(pointer);
                self.expr(by);
                match distance(&self.unit.types, by) {
                    Some(0) => {}
                    Some(bytes) if self.is_byte(expr.ty) => {
                        self.by_bytes.push((cell.clone(), bytes, expr.ty));
                    }
                    _ => self.moved(&cell, expr.ty),
                }
                one(cell)
            }
            ExprKind::Distance(a, b) => {
                let (left, right) = (self.pointer(a), self.pointer(b));
                self.regions.unify(&self.unit.types, &left, &right);
                self.moved(&left, a.ty);
                Pointees::new()
            }
            ExprKind::Conditional(condition, then, otherwise) => {
                let value = self.expr(condition);
                let then = match then {
                    Some(then) => self.expr(then),
                    None => value,
                };
                let otherwise = self.expr(otherwise);
                self.meet(&then, &otherwise);
                if then.is_empty() { otherwise } else { then }
            }
            ExprKind::Cast(value, _) => {
                let pointees = self.expr(value);
                match self.unit.types.get(expr.ty) {
                    Type::Pointer(_) if pointees.is_empty() => one(self.regions.fresh()),
                    Type::Pointer(_) | Type::Record(_) => pointees,
                    _ => Pointees::new(),
                }
            }
            ExprKind::Assign(place, value) => {
                let spot = self.place(place);
                let value = self.expr(value);
                self.store(&spot, place.ty, &value);
                self.load(&spot, place.ty)
            }
            ExprKind::Update(place, _, _, value) => {
                let spot = self.place(place);
                self.expr(value);
                self.stepped(&spot, place.ty)
            }
            ExprKind::Step(place, _, _) => {
                let spot = self.place(place);
                self.stepped(&spot, place.ty)
            }
            ExprKind::Comma(a, b) => {
                self.expr(a);
                self.expr(b)
            }
            ExprKind::Call(function, args) => self.call(*function, args, expr),
            ExprKind::CallPointer(function, args) => self.call_pointer(function, args, expr),
            ExprKind::Block(stmts) => self.block(stmts),
            ExprKind::Member(value, field) => self.value_member(value, *field),
            ExprKind::Int(_)
            | ExprKind::Float(_)
            | ExprKind::LabelAddress(_)
            | ExprKind::SizeOf(_)
            | ExprKind::Untreated(_) => Pointees::new(),
        }
    }

    fn compare(&mut self, expr: &Expr) {
        if let ExprKind::Compare(_, a, b) | ExprKind::Both(a, b) | ExprKind::Either(a, b) =
            &expr.kind
        {
            let (left, right) = (self.expr(a), self.expr(b));
            use crate::c::tree::Compare;
            if let ExprKind::Compare(op, ..) = &expr.kind
                && !matches!(op, Compare::Eq | Compare::Ne)
            {
                self.meet(&left, &right);
            }
        }
    }

    /// Whether a pointer of this type is one to single bytes.
    fn is_byte(&self, ty: TypeId) -> bool {
        self.unit.types.target(ty).is_some_and(|target| {
            matches!(self.unit.types.get(target), Type::Void | Type::Int(_))
                && self.unit.types.size(target) == Some(1)
        })
    }

    /// Pointers to bytes that are moved by constants, when all else is known.
    fn move_by_bytes(&mut self) {
        for (cell, bytes, ty) in std::mem::take(&mut self.by_bytes) {
            let target = match self.unit.types.target(ty) {
                Some(target) if self.unit.types.int_kind(target).is_some() => Some(target),
                _ => self.unit.types.find(&Type::Int(crate::c::layout::IntKind::Char)),
            };
            if let Some(target) = target {
                self.regions.move_by_bytes(&self.unit.types, &cell, bytes, target);
            }
        }
    }

    /// A pointer of this type is moved.
    fn moved(&mut self, cell: &Cell, ty: TypeId) {
        if let Some(target) = self.unit.types.target(ty) {
            if matches!(self.unit.types.get(target), Type::Void) {
                let char = self.unit.types.find(&Type::Int(crate::c::layout::IntKind::Char));
                char.into_iter().for_each(|ty| self.regions.require(&self.unit.types, cell, ty));
            }
            self.regions.require(&self.unit.types, cell, target);
            self.regions.index(&self.unit.types, cell);
        }
    }

    /// `+=`, `++` and their kin on a place.
    fn stepped(&mut self, spot: &Spot, ty: TypeId) -> Pointees {
        let pointees = self.load(spot, ty);
        if let Some(cell) = pointees.get(&Vec::new()) {
            self.moved(&cell.clone(), ty);
        }
        pointees
    }

    fn value_member(&mut self, value: &Expr, field: usize) -> Pointees {
        let pointees = self.expr(value);
        let step = match self.unit.types.get(value.ty) {
            Type::Record(record) => self.member(*record, field),
            _ => Step::Field(field as u32),
        };
        let below = pointees.into_iter().filter(|(path, _)| path.first() == Some(&step));
        below.map(|(path, cell)| (path[1..].to_vec(), cell)).collect()
    }

    fn block(&mut self, stmts: &[Stmt]) -> Pointees {
        let Some((last, first)) = stmts.split_last() else { return Pointees::new() };
        first.iter().for_each(|stmt| self.stmt(stmt));
        match &last.kind {
            StmtKind::Expr(expr) => self.expr(expr),
            _ => {
                self.stmt(last);
                Pointees::new()
            }
        }
    }

    fn call(&mut self, function: FuncId, args: &[Expr], expr: &Expr) -> Pointees {
        match callee(self.unit, function) {
            Callee::Defined => {
                let values: Vec<Pointees> = args.iter().map(|arg| self.expr(arg)).collect();
                self.pass(function, &values)
            }
            Callee::Known(known) if known.is_about_threads() => {
                if let (Known::Sync(Sync::Create), [_, _, function, argument]) = (known, args) {
                    let value = self.expr(argument);
                    if let Some(function) = super::threads::started(function) {
                        self.pass(function, &[value]);
                    }
                }
                Pointees::new()
            }
            Callee::Known(known) => self.known(known, args, expr),
            Callee::Unknown => {
                for arg in args {
                    let cells: Vec<Cell> = self.expr(arg).into_values().collect();
                    self.escaped.extend(cells);
                }
                self.has_unknown = true;
                self.foreign(expr)
            }
        }
    }

    /// Arguments go to parameters, and what comes back are the function's results.
    fn pass(&mut self, function: FuncId, values: &[Pointees]) -> Pointees {
        let unit = self.unit;
        let declared = unit.function(function);
        for (&param, value) in declared.params.iter().zip(values) {
            let spot = self.variable_spot(param);
            self.store(&spot, unit.var(param).ty, value);
        }
        self.results(function)
    }

    fn results(&mut self, function: FuncId) -> Pointees {
        let Type::Function(signature) = self.unit.types.get(self.unit.function(function).ty) else {
            return Pointees::new();
        };
        let paths = self.pointer_paths(signature.result);
        let held = |path: Path| {
            let cell = self.regions.held(Holder::Result(function), &path);
            (path, cell)
        };
        paths.into_iter().map(held).collect()
    }

    /// What an unknown function returns points to objects of its own.
    fn foreign(&mut self, expr: &Expr) -> Pointees {
        match self.unit.types.get(expr.ty) {
            Type::Pointer(_) => {
                let cell = self.regions.site(Site::Call(expr.span));
                self.regions.note_foreign(&cell);
                Pointees::from([(Vec::new(), cell)])
            }
            _ => Pointees::new(),
        }
    }

    /// An unknown function may have put anything where it can reach: pointers there may point outside.
    fn note_escaped(&mut self) {
        if self.has_unknown {
            for &var in &self.reach.vars {
                let is_global = self.unit.var(var).function.is_none();
                if is_global && is_in_memory(self.unit, var) {
                    let cell = self.regions.site(Site::Variable(var));
                    self.escaped.push(cell);
                }
            }
        }
        let escaped = std::mem::take(&mut self.escaped);
        for node in self.regions.reachable(&escaped) {
            self.regions.note_foreign_pointees(node);
        }
    }

    fn known(&mut self, known: Known, args: &[Expr], expr: &Expr) -> Pointees {
        let mut values: Vec<Pointees> = args.iter().map(|arg| self.expr(arg)).collect();
        let one = |cell: Cell| Pointees::from([(Vec::new(), cell)]);
        match known {
            Known::Malloc | Known::Calloc | Known::Alloca | Known::Realloc => {
                let cell = self.regions.site(Site::Call(expr.span));
                self.regions.note_site(Site::Call(expr.span), true);
                let value = one(cell);
                if known == Known::Realloc && !values.is_empty() {
                    self.meet(&value, &values[0]);
                }
                value
            }
            Known::Strdup => {
                let value = one(self.regions.site(Site::Call(expr.span)));
                self.regions.note_site(Site::Call(expr.span), true);
                values.iter().take(1).for_each(|text| self.text(text));
                self.text(&value);
                value
            }
            Known::Strlen | Known::Strcmp | Known::Strncmp | Known::Memcmp => {
                values.iter().take(2).for_each(|value| self.text(value));
                Pointees::new()
            }
            Known::Memcpy | Known::Memmove | Known::Strcpy | Known::Strncpy | Known::Strcat => {
                if let [to, from, ..] = values.as_slice() {
                    if matches!(known, Known::Memcpy | Known::Memmove) {
                        self.copied(to, from);
                    } else {
                        self.text(to);
                        self.text(from);
                    }
                }
                if values.is_empty() { Pointees::new() } else { values.swap_remove(0) }
            }
            Known::Memset | Known::First | Known::Strchr if !values.is_empty() => {
                if known == Known::Strchr {
                    self.text(&values[0]);
                }
                values.swap_remove(0)
            }
            _ => self.foreign(expr),
        }
    }

    /// A pointer is used as one to characters, which may be several.
    fn text(&mut self, value: &Pointees) {
        let char = self.unit.types.find(&Type::Int(crate::c::layout::IntKind::Char));
        if let (Some(cell), Some(char)) = (value.get(&Vec::new()), char) {
            self.regions.require(&self.unit.types, cell, char);
            self.regions.index(&self.unit.types, cell);
        }
    }

    /// What is copied from one object to another points to the same.
    fn copied(&mut self, to: &Pointees, from: &Pointees) {
        let (Some(to), Some(from)) = (to.get(&Vec::new()), from.get(&Vec::new())) else { return };
        self.regions.unify(&self.unit.types, to, from);
    }

    fn call_pointer(&mut self, function: &Expr, args: &[Expr], expr: &Expr) -> Pointees {
        self.expr(function);
        let values: Vec<Pointees> = args.iter().map(|arg| self.expr(arg)).collect();
        let site = self.foreign(expr);
        for candidate in candidates(self.unit, self.reach, function.ty, args.len()) {
            if callee(self.unit, candidate) == Callee::Defined {
                let results = self.pass(candidate, &values);
                self.meet(&site, &results);
            }
        }
        site
    }

    fn stmt(&mut self, stmt: &Stmt) {
        match &stmt.kind {
            StmtKind::Declare(var, Some(init)) => {
                let spot = self.variable_spot(*var);
                self.init(&spot, self.unit.var(*var).ty, init);
            }
            StmtKind::Return(Some(expr)) => {
                let value = self.expr(expr);
                if let Some(function) = self.function {
                    let results = self.results(function);
                    self.meet(&results, &value);
                }
            }
            _ => below_stmt(self, stmt),
        }
    }
}

impl Visit for Points<'_> {
    fn stmt(&mut self, stmt: &Stmt) {
        Points::stmt(self, stmt);
    }
    fn expr(&mut self, expr: &Expr) {
        Points::expr(self, expr);
    }
}

/// The constant that an expression is, without its sign: a number, or the distance of a member.
fn distance(types: &Types, expr: &Expr) -> Option<u64> {
    match &expr.kind {
        ExprKind::Int(value) => u64::try_from(value.unsigned_abs()).ok(),
        ExprKind::Cast(operand, _) => distance(types, operand),
        ExprKind::Neg(operand) => distance(types, operand),
        ExprKind::Address(place) => place_distance(types, place),
        _ => None,
    }
}

/// How far a place lies behind the null pointer that it is a part of.
pub fn place_distance(types: &Types, place: &Place) -> Option<u64> {
    match &place.kind {
        PlaceKind::Deref(pointer) => distance(types, pointer).filter(|bytes| *bytes == 0),
        PlaceKind::Member(record, id, field) => {
            let before = place_distance(types, record)?;
            Some(before + types.record(*id).fields[*field].offset)
        }
        _ => None,
    }
}

/// The functions that a pointer of this type may point to: those whose addresses are taken and whose
/// parameters and result are of the same kinds.
pub fn candidates(unit: &Unit, reach: &Reach, pointer: TypeId, args: usize) -> Vec<FuncId> {
    let types = &unit.types;
    let target = types.target(pointer).unwrap_or(pointer);
    let fits = |function: &FuncId| match (types.get(target), types.get(unit.function(*function).ty))
    {
        (Type::Function(wanted), Type::Function(found)) => {
            let similar =
                |a: TypeId, b: TypeId| a == b || super::regions::is_compatible(types, a, b);
            similar(wanted.result, found.result)
                && (wanted.is_open || found.is_open || wanted.params.len() == found.params.len())
                && found.params.len() == args
                && wanted.params.iter().zip(&found.params).all(|(a, b)| similar(*a, *b))
        }
        _ => false,
    };
    reach.addressed.iter().copied().filter(fits).collect()
}
