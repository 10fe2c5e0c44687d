//! Functions: their procedures, and calls of them.
//!
//! Parameters and results go by value, leaf by leaf. A call by a pointer is a chain of comparisons with the
//! functions whose addresses are taken and whose types fit.

use super::memory::SCOPED;
use super::place::{Cells, Home, LeafVars, Making};
use super::points::{candidates, is_in_memory};
use super::reach::{Callee, callee};
use super::regions::{Cell, Holder};
use super::shape::Path;
use super::value::{Scalar, Value};
use super::{Assumption, FOREIGN, Lower, Origin};
use crate::c::layout::{Type, TypeId};
use crate::c::library::{Known, is_atomic};
use crate::c::tree::{Expr, ExprKind, FuncId, VarId};
use crate::c::walk::{Visit, below_expr, has_effects};
use crate::form::{self, Action, BlockId, Observation, Proc, ProcId, ThreadOp};
use alphorn_problem::Span;
use alphorn_term::TermId;

impl Lower<'_> {
    /// The variables of globals that are not in memory.
    pub fn declare_globals(&mut self) {
        let globals: Vec<VarId> = self.unit.globals().map(|(var, _)| var).collect();
        for var in globals {
            if self.reach.vars.contains(&var) && !is_in_memory(self.unit, var) {
                let cells = self.make_own(var);
                self.program.globals.extend(cells.all());
                self.homes.insert(var, Home::Own(cells));
            }
        }
    }

    /// The procedures, without their blocks.
    pub fn declare_functions(&mut self) {
        for function in self.reach.functions.clone() {
            let declared = self.unit.function(function);
            let proc = ProcId(self.program.procs.len() as u32);
            let mut inputs = Vec::new();
            for &param in &declared.params {
                let cells = match is_in_memory(self.unit, param) {
                    true => self.make_argument(param),
                    false => self.make_own(param),
                };
                inputs.extend(cells.all());
                if is_in_memory(self.unit, param) {
                    self.arguments.insert(param, cells);
                } else {
                    self.homes.insert(param, Home::Own(cells));
                }
            }
            let results = self.make_results(function);
            self.program.procs.push(Proc {
                name: declared.name.clone(),
                inputs,
                outputs: results.all(),
                span: declared.span,
                ..Proc::default()
            });
            self.results.insert(function, results);
            self.procs.insert(function, proc);
        }
    }

    /// The variables for the argument of a parameter that is in memory.
    fn make_argument(&mut self, param: VarId) -> Cells {
        let declared = self.unit.var(param);
        let leaves = self.leaves_of(declared.ty, declared.span);
        let object = self.variable_cell(param);
        let making = Making { name: &declared.name, span: declared.span, outer: &[] };
        let mut pointee = |lower: &mut Self, path: &Path| {
            let path = object.path.iter().chain(path).copied().collect();
            lower.regions.stored(&Cell { node: object.node, path })
        };
        self.make_cells(leaves, &making, &mut pointee, &|_, _| Origin::Hidden)
    }

    /// The variables for the result of a function.
    fn make_results(&mut self, function: FuncId) -> Cells {
        let declared = self.unit.function(function);
        let ty = self.result_type(function);
        let leaves = match ty {
            Some(ty) => self.leaves_of(ty, declared.span),
            None => Vec::new(),
        };
        let name = format!("result of {}", declared.name);
        let making = Making { name: &name, span: declared.span, outer: &[] };
        let mut pointee =
            |lower: &mut Self, path: &Path| lower.regions.held(Holder::Result(function), path);
        self.make_cells(leaves, &making, &mut pointee, &|_, _| Origin::Result(function))
    }

    /// What a function returns; none for `void`.
    pub fn result_type(&self, function: FuncId) -> Option<TypeId> {
        match self.unit.types.get(self.unit.function(function).ty) {
            Type::Function(signature) => {
                let is_void = matches!(self.unit.types.get(signature.result), Type::Void);
                (!is_void).then_some(signature.result)
            }
            _ => None,
        }
    }

    /// The blocks of all procedures, and of the one where runs begin.
    pub fn define_functions(&mut self) {
        for function in self.reach.functions.clone() {
            self.define(function);
        }
        let entry = self.task.entry;
        let Some(&proc) = self.procs.get(&entry) else {
            self.body.resume(Some(BlockId(0)));
            let span = self.unit.function(entry).span;
            return self.untreated("an entry that is not defined", span);
        };
        self.program.entry = Some(proc);
        if self.reach.is_entry_called {
            self.define_start(entry, proc);
        }
    }

    /// The blocks of a function.
    fn define(&mut self, function: FuncId) {
        let declared = self.unit.function(function);
        let Some(body) = &declared.body else { return };
        self.begin(self.procs[&function], Some(function));
        self.prepare_labels(body);
        let is_entry = function == self.task.entry && !self.reach.is_entry_called;
        if is_entry {
            self.begin_run(declared.span);
        }
        self.body.scope.extend(&declared.params);
        let in_memory: Vec<VarId> =
            declared.params.iter().copied().filter(|var| is_in_memory(self.unit, *var)).collect();
        for &param in &in_memory {
            self.begin_param(param, declared.span);
        }
        self.body.scopes.push((declared.span, in_memory));
        for scopes in self.body.label_scopes.values_mut() {
            scopes.insert(0, self.body.scopes[0].clone());
        }
        match is_entry {
            true => self.begin_params(&declared.params),
            false => {
                self.say_ranges(declared.span);
                self.begin_again(function, declared.span);
            }
        }
        self.prepare_allocated(function, body);
        self.stmt(body);
        self.leave_function(body.end());
        self.end();
    }

    /// A parameter in memory is an object with what was passed in it.
    fn begin_param(&mut self, param: VarId, span: Span) {
        self.begin_life(param, span);
        let Some(cells) = self.arguments.get(&param).cloned() else { return };
        let value: Value =
            cells.vars.iter().map(|vars| self.leaf_value(vars, &mut |_, term| term)).collect();
        let spot = self.variable(param);
        self.poke(&spot, &value, span);
    }

    /// The procedure where runs begin, if the program calls its entry itself.
    fn define_start(&mut self, entry: FuncId, proc: ProcId) {
        let declared = self.unit.function(entry);
        let start = ProcId(self.program.procs.len() as u32);
        let (name, span) = ("start".to_owned(), declared.span);
        self.program.procs.push(Proc { name, span, ..Proc::default() });
        self.program.entry = Some(start);
        self.begin(start, None);
        self.begin_run(span);
        let inputs = self.program.proc(proc).inputs.clone();
        let made = self.fresh_like(&inputs, span);
        self.observe_arguments(&declared.params, &inputs, &made, span);
        let args = made.iter().map(|var| self.term(*var)).collect();
        let outputs = self.program.proc(proc).outputs.clone();
        let results = self.fresh_like(&outputs, span);
        self.emit(Action::Call { proc, args, results }, span);
        self.end_run(true, &[], span);
        self.jump(form::Jump::Return);
        self.end();
    }

    /// The arguments that the entry gets from outside.
    fn observe_arguments(
        &mut self,
        params: &[VarId],
        inputs: &[form::VarId],
        made: &[form::VarId],
        span: Span,
    ) {
        for &param in params {
            let cells = match (self.homes.get(&param), self.arguments.get(&param)) {
                (Some(Home::Own(cells)), _) | (_, Some(cells)) => cells.clone(),
                _ => continue,
            };
            for vars in renamed(&cells.vars, inputs, made) {
                let scalar = self.leaf_value(&vars, &mut |_, term| term);
                match &scalar {
                    Scalar::Number(number) => {
                        self.emit(Action::Observe(Observation::Value(number.term)), span);
                    }
                    scalar => self.say_foreign(scalar, span),
                }
                self.say_range(&vars, &scalar, span);
            }
        }
    }

    /// The values of arguments, from left to right.
    pub fn arguments(&mut self, args: &[Expr]) -> Vec<Value> {
        let mut values = Vec::with_capacity(args.len());
        for (index, arg) in args.iter().enumerate() {
            let value = self.expr(arg);
            let is_last = !args[index + 1..].iter().any(has_effects);
            values.push(if is_last { value } else { self.keep(value, arg.span) });
        }
        values
    }

    /// A call of a function that is known by name.
    pub fn call(&mut self, function: FuncId, args: &[Expr], expr: &Expr) -> Value {
        match callee(self.unit, function) {
            Callee::Defined => {
                let values = self.arguments(args);
                self.call_defined(function, &values, expr.span)
            }
            Callee::Known(known) => self.call_known(known, function, args, expr),
            Callee::Unknown => {
                let values = self.arguments(args);
                self.call_unknown(function, &values, expr.span)
            }
        }
    }

    /// A call of a procedure.
    fn call_defined(&mut self, function: FuncId, values: &[Value], span: Span) -> Value {
        if values.len() < self.unit.function(function).params.len() {
            // Too few arguments: the run has no meaning.
            self.stop();
            return self.nothing(function, span);
        }
        if !self.procs.contains_key(&function) {
            return Value::new();
        }
        let Some((proc, args)) = self.passed(function, values, span) else {
            self.untreated("arguments that do not fit their parameters", span);
            return self.nothing(function, span);
        };
        let outputs = self.program.proc(proc).outputs.clone();
        let results = self.fresh_like(&outputs, span);
        let is_atomic = is_atomic(&self.unit.function(function).name);
        if is_atomic {
            self.thread_step(ThreadOp::Yield(None), span);
            self.thread_step(ThreadOp::AtomicBegin, span);
        }
        self.emit(Action::Call { proc, args, results: results.clone() }, span);
        if is_atomic {
            self.thread_step(ThreadOp::AtomicEnd, span);
        }
        self.results_of(function, &outputs, &results, span)
    }

    /// The procedure of a function and the arguments for it; none if they do not fit.
    pub fn passed(
        &mut self,
        function: FuncId,
        values: &[Value],
        span: Span,
    ) -> Option<(ProcId, Vec<TermId>)> {
        let params = &self.unit.function(function).params;
        let &proc = self.procs.get(&function)?;
        let mut args = Vec::new();
        for (param, value) in params.iter().zip(values) {
            let cells = match (self.homes.get(param), self.arguments.get(param)) {
                (Some(Home::Own(cells)), _) | (_, Some(cells)) => cells.vars.clone(),
                _ => continue,
            };
            for (vars, scalar) in cells.iter().zip(value) {
                args.extend(self.leaf_terms(vars, scalar, span).into_iter().map(|(_, term)| term));
            }
        }
        (args.len() == self.program.proc(proc).inputs.len()).then_some((proc, args))
    }

    /// The value that results are; they lie in their ranges.
    fn results_of(
        &mut self,
        function: FuncId,
        outputs: &[form::VarId],
        results: &[form::VarId],
        span: Span,
    ) -> Value {
        let Some(cells) = self.results.get(&function).cloned() else { return Value::new() };
        let mut value = Value::new();
        for (leaf, vars) in cells.leaves.iter().zip(renamed(&cells.vars, outputs, results)) {
            let scalar = self.leaf_value(&vars, &mut |_, term| term);
            if leaf.dims.is_empty() && self.options.ranges {
                self.say_range(&vars, &scalar, span);
            }
            value.push(scalar);
        }
        value
    }

    /// A result that is nothing.
    fn nothing(&mut self, function: FuncId, span: Span) -> Value {
        match self.result_type(function) {
            Some(ty) => self.any_of(ty, span),
            None => Value::new(),
        }
    }

    /// A call of a function that nobody knows: it returns anything, and what it can reach may be anything
    /// afterwards.
    fn call_unknown(&mut self, function: FuncId, values: &[Value], span: Span) -> Value {
        let name = self.unit.function(function).name.clone();
        let is_new = !self.unknown.iter().any(
            |known| matches!(known, Assumption::Unknown { name: known, .. } if *known == name),
        );
        if is_new {
            self.unknown.push(Assumption::Unknown { name, span });
        }
        if self.threads.are_created {
            self.untreated("an unknown function in a program with threads", span);
        }
        if let Some(what) = crate::c::library::untreated(&self.unit.function(function).name) {
            self.untreated(what, span);
        }
        let mut cells: Vec<Cell> = Vec::new();
        for scalar in values.iter().flatten() {
            if let Scalar::Pointer(pointer) = scalar {
                cells.extend(pointer.cell.clone());
                self.hand_out(pointer, span);
            }
        }
        let escaped: Vec<VarId> = self
            .unit
            .globals()
            .map(|(var, _)| var)
            .filter(|var| self.reach.vars.contains(var) && is_in_memory(self.unit, *var))
            .collect();
        for var in escaped {
            cells.push(self.variable_cell(var));
        }
        let nodes = self.regions.reachable(&cells);
        let functions = self.regions.site(super::regions::Site::Functions);
        if nodes.contains(&self.regions.find(&functions).node) {
            self.untreated("a function whose address an unknown function gets", span);
        }
        if nodes.iter().any(|node| self.memory.regions.contains_key(node)) {
            self.loosely("what an unknown function writes", span);
        }
        self.forget(&nodes, span);
        let result = self.any_result(function, span);
        if self.unit.function(function).is_noreturn {
            self.end_inside(false, span);
            self.stop();
        }
        result
    }

    /// Where memory is asked about, what an unknown function does with an object matters, as it may free it
    /// or keep it: that is not followed.
    fn hand_out(&mut self, pointer: &super::value::Pointer, span: Span) {
        if self.memory.life.is_some() && pointer.cell.is_some() {
            let is_object = self.is_object(pointer.object);
            let none = self.program.terms.not(is_object);
            self.follow(none, span);
        }
    }

    /// Any result of a function: observed as a choice.
    pub fn any_result(&mut self, function: FuncId, span: Span) -> Value {
        let Some(ty) = self.result_type(function) else { return Value::new() };
        let name = self.unit.function(function).name.clone();
        match self.unit.types.get(ty) {
            Type::Int(_) => {
                let kind = self.number_kind(ty).expect("an integer type has a kind");
                vec![Scalar::Number(self.chosen_number(kind, &name, span))]
            }
            Type::Pointer(_) => self.any_pointer(&name, span),
            Type::Record(_) => self.any_record(ty, &name, span),
            _ => {
                self.loosely("any floating number", span);
                vec![Scalar::Opaque]
            }
        }
    }

    /// A pointer from outside: null for zero, else it points outside the program.
    fn any_pointer(&mut self, name: &str, span: Span) -> Value {
        let cell = self.regions.site(super::regions::Site::Call(span));
        let sort = self.object_sort();
        let var = self.new_temporary(name, sort, span);
        self.emit(Action::Havoc(vec![var]), span);
        let object = self.term(var);
        let pointer = Scalar::Pointer(self.object_pointer(&cell, object));
        self.say_foreign(&pointer, span);
        let null = self.object_literal(0);
        let is_null = self.program.terms.eq(object, null);
        let one = self.object_literal(1);
        let choice = self.program.terms.ite(is_null, null, one);
        self.emit(Action::Observe(Observation::Value(choice)), span);
        vec![pointer]
    }

    /// A structure from outside.
    fn any_record(&mut self, ty: TypeId, name: &str, span: Span) -> Value {
        let leaves = self.leaves_of(ty, span);
        let making = Making { name, span, outer: &[] };
        let mut pointee = |lower: &mut Self, _: &Path| lower.regions.fresh();
        let cells = self.make_cells(leaves, &making, &mut pointee, &|_, _| Origin::Hidden);
        let proc = self.body.proc.expect("a procedure is being made");
        self.program.procs[proc.0 as usize].locals.extend(cells.all());
        if !cells.all().is_empty() {
            self.emit(Action::Havoc(cells.all()), span);
        }
        let mut value = Value::new();
        let mut parts = Vec::new();
        for (leaf, vars) in cells.leaves.iter().zip(&cells.vars) {
            let scalar = self.leaf_value(vars, &mut |_, term| term);
            if leaf.dims.is_empty() {
                self.say_range(vars, &scalar, span);
            }
            if let (Scalar::Number(number), true) = (&scalar, leaf.dims.len() < 2) {
                let stride = leaf.dims.first().map_or(0, |dim| dim.stride);
                parts.push(form::Part { offset: leaf.offset, stride, term: number.term });
            }
            value.push(scalar);
        }
        self.emit(Action::Observe(Observation::Contents(parts)), span);
        value
    }

    /// A call of what a pointer points to.
    pub fn call_pointer(&mut self, pointer: &Expr, args: &[Expr], expr: &Expr) -> Value {
        let span = expr.span;
        let target = self.expr(pointer);
        let target = self.keep(target, span);
        let values = self.arguments(args);
        let values: Vec<Value> = values.into_iter().map(|value| self.keep(value, span)).collect();
        let Some(Scalar::Pointer(target)) = target.into_iter().next() else {
            return self.any_of(expr.ty, span);
        };
        let found = candidates(self.unit, &self.reach, pointer.ty, args.len());
        let mut ways: Vec<(BlockId, Value)> = Vec::new();
        for &function in &found {
            let number = self.memory.functions.get(&function).cloned().unwrap_or_default();
            let number = self.object_literal(number);
            let same = self.program.terms.eq(target.object, number);
            let [yes, no] = [(); 2].map(|()| self.new_block(None, span));
            self.branch(same, yes, no);
            self.enter(yes);
            let value = match callee(self.unit, function) {
                Callee::Defined => self.call_defined(function, &values, span),
                Callee::Unknown => self.call_unknown(function, &values, span),
                Callee::Known(_) => {
                    self.untreated("a call of a known function by its address", span);
                    Value::new()
                }
            };
            if let Some(end) = self.body.current() {
                ways.push((end, value));
            }
            self.enter(no);
        }
        self.no_candidate(&target, &found, span);
        self.meet(ways, expr, span)
    }

    /// None of the functions that fit: another one is not followed, and all else is no function.
    fn no_candidate(&mut self, target: &super::value::Pointer, found: &[FuncId], span: Span) {
        let others: Vec<_> = self
            .memory
            .functions
            .iter()
            .filter(|(function, _)| !found.contains(function))
            .map(|(_, number)| number.clone())
            .collect();
        for number in others {
            let number = self.object_literal(number);
            let same = self.program.terms.eq(target.object, number);
            let other = self.program.terms.not(same);
            self.follow(other, span);
        }
        let foreign = self.object_literal(FOREIGN);
        let near = self.object_order(foreign, target.object);
        self.follow(near, span);
        self.stop();
    }

    /// Several ways meet, with a value each.
    fn meet(&mut self, ways: Vec<(BlockId, Value)>, expr: &Expr, span: Span) -> Value {
        let mut ways = ways.into_iter();
        let Some((end, value)) = ways.next() else {
            return self.any_of(expr.ty, span);
        };
        self.enter(end);
        let mut value = value;
        for (other, next) in ways {
            let here = self.body.current();
            value = self.join((here, value), (Some(other), next), span);
        }
        value
    }

    /// Notes that an object lives until the function returns.
    pub fn until_return(&mut self, var: form::VarId, cell: &Cell, size: TermId, span: Span) {
        let object = self.term(var);
        self.set_life(cell, object, SCOPED, Some(size), span);
        let kept =
            self.body.allocated.iter().find(|(site, _)| *site == span).map(|(_, kept)| *kept);
        if let Some(kept) = kept {
            // One object of a call is remembered; a second one from the same place is not followed.
            let (old, none) = (self.term(kept), self.object_literal(0));
            let first = self.program.terms.eq(old, none);
            self.follow(first, span);
            self.assign(kept, object, span);
        }
    }

    /// The variables for the objects that live until the function returns, one per place that makes them;
    /// those of the entry live as long as the program.
    fn prepare_allocated(&mut self, function: FuncId, body: &crate::c::tree::Stmt) {
        let is_last = function == self.task.entry && !self.reach.is_entry_called;
        if self.memory.life.is_none() || is_last {
            return;
        }
        let mut search = Allocas { unit: self.unit, spans: Vec::new() };
        search.stmt(body);
        for span in search.spans {
            let sort = self.object_sort();
            let kept = self.new_temporary("allocated", sort, span);
            let none = self.object_literal(0);
            self.assign(kept, none, span);
            self.body.allocated.push((span, kept));
        }
    }
}

/// The places of calls that allocate until the function returns.
struct Allocas<'a> {
    unit: &'a crate::c::tree::Unit,
    spans: Vec<Span>,
}

impl Visit for Allocas<'_> {
    fn expr(&mut self, expr: &Expr) {
        if let ExprKind::Call(function, _) = &expr.kind
            && callee(self.unit, *function) == Callee::Known(Known::Alloca)
        {
            self.spans.push(expr.span);
        }
        below_expr(self, expr);
    }
}

/// The variables of leaves with others in their places.
fn renamed(vars: &[LeafVars], from: &[form::VarId], to: &[form::VarId]) -> Vec<LeafVars> {
    let new = |var: &form::VarId| match from.iter().position(|old| old == var) {
        Some(at) => to[at],
        None => *var,
    };
    vars.iter()
        .map(|vars| match vars {
            LeafVars::Number(var, kind) => LeafVars::Number(new(var), *kind),
            LeafVars::Pointer(object, indices, cell) => LeafVars::Pointer(
                new(object),
                indices.iter().map(|index| index.as_ref().map(new)).collect(),
                cell.clone(),
            ),
            LeafVars::Opaque => LeafVars::Opaque,
        })
        .collect()
}
