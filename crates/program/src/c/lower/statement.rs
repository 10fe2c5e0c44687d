//! Statements: steps, blocks and jumps.
//!
//! A loop is a block called `loop` that is gone back to; its place is that of the statement. Variables in
//! memory begin to live where the block they are declared in is entered, however that is, and end where it
//! is left.

use super::Lower;
use super::number;
use super::place::{Home, LeafVars};
use super::points::is_in_memory;
use super::value::Scalar;
use crate::c::tree::{Expr, ExprKind, LabelId, Stmt, StmtKind, Storage, Unit, VarId};
use crate::c::walk::{Visit, below_stmt};
use crate::form::{self, Action, BlockId, Jump};
use alphorn_problem::Span;
use alphorn_term::TermId;
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// A block of the program with the variables in memory that live in it.
pub type Scope = (Span, Vec<VarId>);

impl Lower<'_> {
    /// A statement.
    pub fn stmt(&mut self, stmt: &Stmt) {
        let span = stmt.span;
        match &stmt.kind {
            StmtKind::Empty => {}
            StmtKind::Expr(expr) => self.effect(expr),
            StmtKind::Declare(var, init) => self.declaration(*var, init.as_ref(), span),
            StmtKind::Block(stmts) => {
                let outer = self.open_scope(span, stmts);
                stmts.iter().for_each(|stmt| self.stmt(stmt));
                self.close_scope(outer, span);
            }
            StmtKind::If(condition, then, otherwise) => {
                self.if_statement(condition, then, otherwise.as_deref());
            }
            StmtKind::While(condition, body) => self.repeat(Some(condition), None, body, span),
            StmtKind::DoWhile(body, condition) => self.do_while(body, condition, span),
            StmtKind::For(begin, condition, step, body) => {
                let inner: &[Stmt] = match begin.as_deref() {
                    Some(Stmt { kind: StmtKind::Block(stmts), .. }) => stmts,
                    Some(begin) => std::slice::from_ref(begin),
                    None => &[],
                };
                let outer = self.open_scope(span, inner);
                inner.iter().for_each(|stmt| self.stmt(stmt));
                self.repeat(condition.as_ref(), step.as_ref(), body, span);
                self.close_scope(outer, span);
            }
            StmtKind::Switch(value, body) => self.switch(value, body, span),
            StmtKind::Case(_, _, body) | StmtKind::Default(body) => self.case(body, span),
            StmtKind::Break => self.leave_to(self.body.breaks.last().copied(), span),
            StmtKind::Continue => self.leave_to(self.body.continues.last().copied(), span),
            StmtKind::Return(value) => self.return_statement(value.as_ref(), span),
            StmtKind::Goto(label) => self.goto_label(*label, span),
            StmtKind::GotoValue(value) => {
                self.effect(value);
                self.untreated("a jump to the address of a label", span);
                self.stop();
            }
            StmtKind::Label(label, body) => {
                let block = self.label_block(*label, span);
                self.goto_and_enter(block);
                match self.body.labels_back.contains(label) {
                    true => self.loop_head(span),
                    false => self.say_ranges(span),
                }
                self.stmt(body);
            }
            StmtKind::Untreated(what) => self.untreated(*what, span),
        }
    }

    /// An expression whose value nobody wants.
    pub fn effect(&mut self, expr: &Expr) {
        match &expr.kind {
            // The value before is not needed, so it is not kept.
            ExprKind::Step(place, is_up, _) => drop(self.step(place, *is_up, true, expr.span)),
            ExprKind::Assign(place, value)
                if self.copied_record(value).is_some() && !crate::c::walk::has_effects(value) =>
            {
                if let Some(source) = self.copied_record(value) {
                    self.assign_record(place, source);
                }
            }
            ExprKind::Cast(operand, _) if expr.ty != operand.ty => match self.leaf_kind(expr.ty) {
                None => self.effect(operand),
                Some(_) => drop(self.expr(expr)),
            },
            ExprKind::Comma(first, second) => {
                self.effect(first);
                self.effect(second);
            }
            ExprKind::Conditional(condition, Some(then), otherwise)
                if crate::c::walk::has_effects(then) || crate::c::walk::has_effects(otherwise) =>
            {
                let [yes, no, end] = [(); 3].map(|()| self.new_block(None, expr.span));
                self.branch_on(condition, yes, no);
                for (block, part) in [(yes, then), (no, otherwise)] {
                    self.enter(block);
                    self.effect(part);
                    self.goto(end);
                }
                self.enter(end);
            }
            ExprKind::Both(left, right) | ExprKind::Either(left, right)
                if crate::c::walk::has_effects(right) =>
            {
                let [next, end] = [(); 2].map(|()| self.new_block(None, expr.span));
                match matches!(expr.kind, ExprKind::Both(..)) {
                    true => self.branch_on(left, next, end),
                    false => self.branch_on(left, end, next),
                }
                self.enter(next);
                self.effect(right);
                self.goto_and_enter(end);
            }
            _ => drop(self.expr(expr)),
        }
    }

    /// A declaration: the first value, or any.
    fn declaration(&mut self, var: VarId, init: Option<&crate::c::tree::Init>, span: Span) {
        let declared = self.unit.var(var);
        if !matches!(declared.storage, Storage::Local | Storage::Hidden) {
            return;
        }
        self.own_home(var);
        self.body.scope.push(var);
        match init {
            Some(init) => self.initialise(var, init, span),
            None if declared.storage == Storage::Local => self.any_value(var, span),
            None => {}
        }
    }

    /// The variables of the form for a local variable, if it has none yet and is not in memory.
    pub fn own_home(&mut self, var: VarId) {
        if is_in_memory(self.unit, var) || self.homes.contains_key(&var) {
            return;
        }
        let cells = self.make_own(var);
        let proc = self.body.proc.expect("a procedure is being made");
        self.program.procs[proc.0 as usize].locals.extend(cells.all());
        self.homes.insert(var, Home::Own(cells));
    }

    /// Enters a block of the program: its variables in memory begin to live.
    pub fn open_scope(&mut self, span: Span, stmts: &[Stmt]) -> usize {
        let vars = memory_vars(self.unit, stmts);
        for &var in &vars {
            self.begin_life(var, span);
        }
        self.body.scopes.push((span, vars));
        self.body.scope_starts.push(self.body.scope.len());
        self.body.scope.len()
    }

    /// Leaves a block of the program.
    pub fn close_scope(&mut self, outer: usize, span: Span) {
        let (_, vars) = self.body.scopes.pop().expect("scopes are closed as they were opened");
        for var in vars {
            self.end_life(var, span);
        }
        self.body.scope.truncate(outer);
        self.body.scope_starts.pop();
    }

    /// Leaves scopes until so many are open, and goes to a block.
    fn leave_to(&mut self, target: Option<(BlockId, usize)>, span: Span) {
        let Some((block, depth)) = target else {
            self.untreated("a jump out of nothing", span);
            return self.stop();
        };
        self.end_lives(depth, span);
        self.goto(block);
    }

    /// Ends the lives of what lives in scopes beyond so many.
    pub fn end_lives(&mut self, depth: usize, span: Span) {
        let left: Vec<VarId> =
            self.body.scopes[depth..].iter().rev().flat_map(|(_, vars)| vars.clone()).collect();
        for var in left {
            self.end_life(var, span);
        }
    }

    /// `if`
    fn if_statement(&mut self, condition: &Expr, then: &Stmt, otherwise: Option<&Stmt>) {
        let [yes, end] = [(); 2].map(|()| self.new_block(None, then.span));
        let no = match otherwise {
            Some(otherwise) => self.new_block(None, otherwise.span),
            None => end,
        };
        self.branch_on(condition, yes, no);
        self.enter(yes);
        self.stmt(then);
        self.goto(end);
        if let Some(otherwise) = otherwise {
            self.enter(no);
            self.stmt(otherwise);
            self.goto(end);
        }
        self.enter(end);
    }

    /// A loop that looks at its condition first: `while`, and `for` after its beginning.
    fn repeat(&mut self, condition: Option<&Expr>, step: Option<&Expr>, body: &Stmt, span: Span) {
        let head = self.new_block(Some("loop"), span);
        let [inside, end] = [(); 2].map(|()| self.new_block(None, span));
        let next = if step.is_some() { self.new_block(None, span) } else { head };
        self.goto_and_enter(head);
        self.loop_head(span);
        match condition {
            Some(condition) => self.branch_on(condition, inside, end),
            None => self.goto(inside),
        }
        self.enter(inside);
        self.loop_body(body, next, end);
        self.goto(next);
        if let Some(step) = step {
            self.enter(next);
            self.effect(step);
            self.goto(head);
        }
        self.enter(end);
    }

    /// `do … while`
    fn do_while(&mut self, body: &Stmt, condition: &Expr, span: Span) {
        let head = self.new_block(Some("loop"), span);
        let [next, end] = [(); 2].map(|()| self.new_block(None, span));
        self.goto_and_enter(head);
        self.loop_head(span);
        self.loop_body(body, next, end);
        self.goto_and_enter(next);
        self.branch_on(condition, head, end);
        self.enter(end);
    }

    /// The body of a loop, with where `continue` and `break` go.
    fn loop_body(&mut self, body: &Stmt, next: BlockId, end: BlockId) {
        let depth = self.body.scopes.len();
        self.body.continues.push((next, depth));
        self.body.breaks.push((end, depth));
        self.stmt(body);
        self.body.breaks.pop();
        self.body.continues.pop();
    }

    /// `switch`: a chain of comparisons, then the body, which is entered at its cases only.
    fn switch(&mut self, value: &Expr, body: &Stmt, span: Span) {
        let cases = cases_of(body);
        let kind = self.number_kind(value.ty);
        let number = self.number(value);
        let blocks: Vec<BlockId> = cases.iter().map(|_| self.new_block(None, span)).collect();
        let end = self.new_block(None, span);
        let mut default = end;
        if let (Some(kind), Some(number)) = (kind, number) {
            for (case, &block) in cases.iter().zip(&blocks) {
                let Some((low, high)) = case else {
                    default = block;
                    continue;
                };
                let condition = self.case_condition(kind, &number, *low, *high);
                let next = self.new_block(None, span);
                self.branch(condition, block, next);
                self.enter(next);
            }
        }
        self.goto(default);
        let depth = self.body.scopes.len();
        self.body.breaks.push((end, depth));
        self.body.cases.push((depth, blocks.into_iter().rev().collect()));
        self.stmt(body);
        self.body.cases.pop();
        self.body.breaks.pop();
        self.goto_and_enter(end);
    }

    /// That a number lies between the ends of a case.
    fn case_condition(
        &mut self,
        kind: number::Kind,
        value: &number::Number,
        low: i128,
        high: i128,
    ) -> TermId {
        use crate::c::tree::Compare;
        let numbers = self.options.numbers;
        let mut side = |op, end: i128| {
            let store = &mut self.program.terms;
            let end = number::constant(store, numbers, kind, &end.into());
            number::compare(store, numbers, op, kind, value, &end)
        };
        if low == high {
            return side(Compare::Eq, low);
        }
        let (above, below) = (side(Compare::Ge, low), side(Compare::Le, high));
        self.program.terms.and(&[above, below])
    }

    /// A case: control comes from the `switch`, past the beginnings of the blocks in between, or from what
    /// stands before it.
    fn case(&mut self, body: &Stmt, span: Span) {
        let Some((depth, blocks)) = self.body.cases.last_mut() else {
            return self.untreated("a case outside a switch", span);
        };
        let (depth, Some(landing)) = (*depth, blocks.pop()) else {
            return self.untreated("a case outside a switch", span);
        };
        let entered: Vec<VarId> =
            self.body.scopes[depth..].iter().flat_map(|(_, vars)| vars.clone()).collect();
        if entered.is_empty() {
            self.goto_and_enter(landing);
        } else {
            let block = self.new_block(None, span);
            self.goto(block);
            self.enter(landing);
            for var in entered {
                self.begin_life(var, span);
            }
            self.goto_and_enter(block);
        }
        self.stmt(body);
    }

    /// `return`: the value goes to the variables for results.
    fn return_statement(&mut self, value: Option<&Expr>, span: Span) {
        if let Some(value) = value {
            let result = self.expr(value);
            self.set_result(&result, span);
        }
        self.leave_function(span);
    }

    /// Puts a value into the variables for the results of the function.
    fn set_result(&mut self, value: &[Scalar], span: Span) {
        let Some(cells) = self.body.function.and_then(|function| self.results.get(&function))
        else {
            return;
        };
        let vars: Vec<LeafVars> = cells.vars.clone();
        let mut changes = Vec::new();
        for (vars, scalar) in vars.iter().zip(value) {
            changes.extend(self.leaf_terms(vars, scalar, span));
        }
        if !changes.is_empty() {
            self.emit(Action::Assign(changes), span);
        }
    }

    /// Returns: what lives in the function does not live any more.
    pub fn leave_function(&mut self, span: Span) {
        if self.body.is_live() {
            self.end_locals(span);
            self.end_of_entry(span);
            self.jump(Jump::Return);
        }
    }

    /// What lives in the function does not live any more.
    pub fn end_locals(&mut self, span: Span) {
        self.end_lives(0, span);
        for (_, object) in self.body.allocated.clone() {
            let object = self.term(object);
            self.kill(object, span);
        }
    }

    /// The block of a label.
    fn label_block(&mut self, label: LabelId, span: Span) -> BlockId {
        if let Some(&block) = self.body.labels.get(&label) {
            return block;
        }
        let name = self
            .body
            .function
            .map(|function| self.unit.function(function).labels[label.0 as usize].name.clone());
        let block = self.new_block(name.as_deref(), span);
        self.body.labels.insert(label, block);
        block
    }

    /// `goto`: leaves the blocks that the label is not in, and enters those it is in.
    fn goto_label(&mut self, label: LabelId, span: Span) {
        let target = self.body.label_scopes.get(&label).cloned().unwrap_or_default();
        let shared = self
            .body
            .scopes
            .iter()
            .zip(&target)
            .take_while(|(here, there)| here.0 == there.0)
            .count();
        self.end_lives(shared, span);
        for (_, vars) in &target[shared.min(target.len())..] {
            for &var in vars {
                self.begin_life(var, span);
            }
        }
        let place = match self.body.function {
            Some(function) => self.unit.function(function).labels[label.0 as usize].span,
            None => span,
        };
        let block = self.label_block(label, place);
        self.goto(block);
    }

    /// Says the ranges of the numbers in scope, as the invariant of the lowering has them.
    pub fn say_ranges(&mut self, span: Span) {
        if !self.options.ranges {
            return;
        }
        let locals = self.body.scope.clone();
        let globals: Vec<VarId> = self
            .unit
            .globals()
            .map(|(var, _)| var)
            .filter(|var| self.homes.contains_key(var))
            .collect();
        let vars: Vec<VarId> = globals.into_iter().chain(locals).collect();
        self.say_ranges_of(&vars, span);
    }

    /// Says the ranges of these variables.
    pub fn say_ranges_of(&mut self, vars: &[VarId], span: Span) {
        let mut parts = Vec::new();
        for var in vars {
            let Some(Home::Own(cells)) = self.homes.get(var) else { continue };
            for (leaf, vars) in cells.leaves.iter().zip(&cells.vars) {
                if let (true, LeafVars::Number(var, kind)) = (leaf.dims.is_empty(), vars) {
                    let term = self.program.term(*var);
                    let (store, numbers) = (&mut self.program.terms, self.options.numbers);
                    parts.push(number::in_range(store, numbers, *kind, term));
                }
            }
        }
        let all = self.program.terms.and(&parts);
        self.say(all, span);
    }

    /// Prepares a function's body: the blocks around its labels.
    pub fn prepare_labels(&mut self, body: &Stmt) {
        let mut search = Labels {
            unit: self.unit,
            open: Vec::new(),
            found: FxHashMap::default(),
            back: BTreeSet::new(),
        };
        search.stmt(body);
        self.body.label_scopes = search.found;
        self.body.labels_back = search.back;
    }

    /// A variable of the form for each of some.
    pub fn fresh_like(&mut self, vars: &[form::VarId], span: Span) -> Vec<form::VarId> {
        let mut made = Vec::with_capacity(vars.len());
        for &var in vars {
            let (name, sort) = (self.program.var(var).name.clone(), self.program.var(var).sort);
            made.push(self.new_temporary(&name, sort, span));
        }
        made
    }
}

/// The variables in memory that are declared in a block.
fn memory_vars(unit: &Unit, stmts: &[Stmt]) -> Vec<VarId> {
    let mut vars = Vec::new();
    let mut search = Declared { unit, vars: &mut vars };
    stmts.iter().for_each(|stmt| search.directly(stmt));
    vars
}

/// Looks for declarations that are in no block further in, but behind labels, and for compound literals.
struct Declared<'a> {
    unit: &'a Unit,
    vars: &'a mut Vec<VarId>,
}

impl Declared<'_> {
    fn directly(&mut self, stmt: &Stmt) {
        match &stmt.kind {
            StmtKind::Declare(var, _) => self.declared(*var),
            StmtKind::Label(_, inner) | StmtKind::Case(_, _, inner) | StmtKind::Default(inner) => {
                return self.directly(inner);
            }
            StmtKind::Block(_) | StmtKind::For(..) => return,
            _ => {}
        }
        below_stmt(self, stmt);
    }

    fn declared(&mut self, var: VarId) {
        let declared = self.unit.var(var);
        let is_local = matches!(declared.storage, Storage::Local | Storage::Hidden);
        if is_local && is_in_memory(self.unit, var) && !self.vars.contains(&var) {
            self.vars.push(var);
        }
    }
}

impl Visit for Declared<'_> {
    fn stmt(&mut self, stmt: &Stmt) {
        self.directly(stmt);
    }

    fn expr(&mut self, expr: &Expr) {
        // A statement expression is a block of its own.
        if !matches!(expr.kind, ExprKind::Block(_)) {
            crate::c::walk::below_expr(self, expr);
        }
    }

    fn place(&mut self, place: &crate::c::tree::Place) {
        if let crate::c::tree::PlaceKind::Literal(var, _) = &place.kind {
            self.declared(*var);
        }
        crate::c::walk::below_place(self, place);
    }
}

/// Looks for labels, and keeps the blocks around them.
struct Labels<'a> {
    unit: &'a Unit,
    open: Vec<Scope>,
    found: FxHashMap<LabelId, Vec<Scope>>,
    /// Those that a jump further down goes to.
    back: BTreeSet<LabelId>,
}

impl Visit for Labels<'_> {
    fn stmt(&mut self, stmt: &Stmt) {
        let inner: Option<&[Stmt]> = match &stmt.kind {
            StmtKind::Block(stmts) => Some(stmts),
            StmtKind::For(begin, ..) => Some(match begin.as_deref() {
                Some(Stmt { kind: StmtKind::Block(stmts), .. }) => stmts,
                Some(begin) => std::slice::from_ref(begin),
                None => &[],
            }),
            StmtKind::Label(label, _) => {
                self.found.insert(*label, self.open.clone());
                None
            }
            StmtKind::Goto(label) if self.found.contains_key(label) => {
                self.back.insert(*label);
                None
            }
            _ => None,
        };
        match inner {
            Some(stmts) => {
                self.open.push((stmt.span, memory_vars(self.unit, stmts)));
                below_stmt(self, stmt);
                self.open.pop();
            }
            None => below_stmt(self, stmt),
        }
    }

    fn expr(&mut self, expr: &Expr) {
        if let ExprKind::Block(stmts) = &expr.kind {
            self.open.push((expr.span, memory_vars(self.unit, stmts)));
            crate::c::walk::below_expr(self, expr);
            self.open.pop();
        } else {
            crate::c::walk::below_expr(self, expr);
        }
    }
}

/// The cases of a `switch` in the order of the file: their ends, or none for `default`.
fn cases_of(body: &Stmt) -> Vec<Option<(i128, i128)>> {
    struct Search(Vec<Option<(i128, i128)>>);
    impl Visit for Search {
        fn stmt(&mut self, stmt: &Stmt) {
            match &stmt.kind {
                StmtKind::Case(low, high, _) => self.0.push(Some((*low, *high))),
                StmtKind::Default(_) => self.0.push(None),
                // Its cases are its own.
                StmtKind::Switch(..) => return,
                _ => {}
            }
            below_stmt(self, stmt);
        }
    }
    let mut search = Search(Vec::new());
    search.stmt(body);
    search.0
}
