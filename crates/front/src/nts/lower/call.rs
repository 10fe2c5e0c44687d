//! Calls in NTS: which variables take the results, and which arguments fit.

use super::Lower;
use crate::diag::{Code, Diagnostic};
use crate::infix::{Fallible, same_sort};
use crate::nts::file::Edge;
use crate::nts::value::{Call, Names, Parts, error};
use crate::suggest::nearest;
use alphorn_program::form::{Action, ProcId, VarId};
use alphorn_term::{Op, SortId, TermId};

impl<'t> Lower<'t, '_> {
    /// An edge that is a call.
    pub(super) fn call(
        &mut self,
        index: usize,
        parts: Parts,
        edge: &Edge<'t>,
        names: &Names<'t>,
    ) -> Fallible<Vec<Action>> {
        let call = parts.call.expect("the edge is a call");
        let mut actions = Vec::new();
        let condition = self.program.terms.and(&parts.formulas);
        let is_next = |var: &TermId| names.next.values().any(|next| next == var);
        if self.program.terms.free_vars(&[condition]).iter().any(is_next) {
            let message = "beside a call, only values before it can be spoken about";
            let diagnostic = Diagnostic::unsupported(Code::NtsUnsupported, edge.span, message);
            return Err(Box::new(diagnostic.hint("put the rest on an edge behind the call")));
        }
        if condition != TermId::TRUE {
            actions.push(Action::Assume(condition));
        }
        let own: Vec<VarId> = self.program.procs[index].variables().collect();
        let frame = parts.frame.unwrap_or_else(|| own.clone());
        let is_free = |var: &VarId| own.contains(var) && !call.results.contains(var);
        let any: Vec<VarId> = frame.into_iter().filter(is_free).collect();
        match self.procs.get(self.cursor.text(call.name)).copied() {
            Some(proc) => actions.extend(self.fitting(index, proc, call)?),
            None => {
                let name = self.cursor.text(call.name);
                let message = format!("there is no system `{name}`: the call has no effect");
                let mut warning = Diagnostic::warning(Code::NtsMissing, call.name, message);
                if let Some(near) = nearest(name, self.procs.keys().copied()) {
                    warning = warning.hint(format!("did you mean `{near}`?"));
                }
                let is_said = |said: &Diagnostic| said.message == warning.message;
                if !self.diagnostics.list.iter().any(is_said) {
                    self.report(warning);
                }
                if !call.results.is_empty() {
                    actions.push(Action::Havoc(call.results));
                }
            }
        }
        if !any.is_empty() {
            actions.push(Action::Havoc(any));
        }
        Ok(actions)
    }

    /// A call whose arguments and results have the sorts of the callee's.
    fn fitting(&mut self, index: usize, proc: ProcId, call: Call) -> Fallible<Vec<Action>> {
        let callee = self.program.proc(proc).clone();
        if callee.inputs.len() != call.args.len() || callee.outputs.len() != call.results.len() {
            let message = format!(
                "`{}` has {} inputs and {} outputs, but this call has {} and {}",
                callee.name,
                callee.inputs.len(),
                callee.outputs.len(),
                call.args.len(),
                call.results.len()
            );
            return error(Code::NtsSort, call.name, message);
        }
        let mut args = Vec::with_capacity(call.args.len());
        for (&arg, &input) in call.args.iter().zip(&callee.inputs) {
            let mut pair = [arg, self.program.term(input)];
            let wanted = self.program.var(input).sort;
            if same_sort(&mut self.program.terms, &mut pair) != Some(wanted) {
                return error(
                    Code::NtsSort,
                    call.name,
                    "an argument has another type than the input",
                );
            }
            args.push(pair[0]);
        }
        let (mut results, mut after) = (Vec::new(), Vec::new());
        for (&result, &output) in call.results.iter().zip(&callee.outputs) {
            let (to, from) = (self.program.var(result).sort, self.program.var(output).sort);
            if to == from && !results.contains(&result) {
                results.push(result);
            } else if (to, from) == (SortId::REAL, SortId::INT) {
                // The integer goes to a variable of its own first.
                let name = self.program.var(result).name.clone();
                let between = self.program.add_var(&name, from, call.name);
                self.program.procs[index].locals.push(between);
                let value = self.program.term(between);
                after.push((result, self.program.terms.mk(Op::ToReal, &[value])));
                results.push(between);
            } else {
                let message =
                    "a result has another type than where it goes, or goes where another does";
                return error(Code::NtsSort, call.name, message);
            }
        }
        let mut actions = vec![Action::Call { proc, args, results }];
        if !after.is_empty() {
            actions.push(Action::Assign(after));
        }
        Ok(actions)
    }
}
