//! When a program is well-formed.
//!
//! Readers make programs in many ways, and what comes after believes them: steps are substituted into each
//! other by the terms of variables, so that a term of nobody, or of two, would change what a program means.

use super::{Action, Block, Jump, Proc, Program, VarId};
use alphorn_term::{Op, SortId, TermId};
use std::collections::BTreeSet;

impl Program {
    /// Checks the type's invariant; the error names the procedure and says what is wrong.
    pub fn validate(&self) -> Result<(), String> {
        let mut terms = BTreeSet::new();
        for variable in &self.vars {
            let is_own = matches!(self.terms.op(variable.term), Op::Var(_));
            if !is_own || !terms.insert(variable.term) {
                return Err(format!("the variable {} has no term of its own", variable.name));
            }
            if self.terms.sort(variable.term) != variable.sort {
                return Err(format!("the variable {} has a term of another sort", variable.name));
            }
        }
        let mut owned = BTreeSet::new();
        let of_procs = self.procs.iter().flat_map(Proc::variables);
        for var in self.globals.iter().copied().chain(of_procs) {
            if var.0 as usize >= self.vars.len() {
                return Err("a variable does not exist".to_owned());
            }
            if !owned.insert(var) {
                return Err(format!("the variable {} is declared twice", self.var(var).name));
            }
        }
        for proc in &self.procs {
            let named = |message: String| format!("{}: {message}", proc.name);
            self.validate_proc(proc, &terms).map_err(named)?;
        }
        self.validate_start()
    }

    fn validate_start(&self) -> Result<(), String> {
        let mut visible: BTreeSet<TermId> =
            self.globals.iter().map(|&var| self.term(var)).collect();
        if let Some(entry) = self.entry {
            let proc = self.procs.get(entry.0 as usize).ok_or("the entry does not exist")?;
            if proc.blocks.is_empty() {
                return Err("the entry has no blocks".to_owned());
            }
            visible.extend(proc.inputs.iter().map(|&var| self.term(var)));
        }
        match self.start {
            Some(start) => self.formula(start, &visible),
            None => Ok(()),
        }
    }

    fn validate_proc(&self, proc: &Proc, all: &BTreeSet<TermId>) -> Result<(), String> {
        let visible: BTreeSet<VarId> =
            self.globals.iter().copied().chain(proc.variables()).collect();
        let terms: BTreeSet<TermId> = visible.iter().map(|&var| self.term(var)).collect();
        for block in &proc.blocks {
            for step in &block.steps {
                self.validate_action(&step.action, &visible, &terms, all)?;
            }
            self.validate_jump(proc, block, &terms)?;
        }
        Ok(())
    }

    fn validate_jump(
        &self,
        proc: &Proc,
        block: &Block,
        terms: &BTreeSet<TermId>,
    ) -> Result<(), String> {
        let targets = match &block.jump {
            Jump::Goto(target) => vec![*target],
            Jump::Branch(condition, then, otherwise) => {
                self.formula(*condition, terms)?;
                vec![*then, *otherwise]
            }
            Jump::Choose(targets) => targets.clone(),
            Jump::Return => Vec::new(),
        };
        match targets.iter().all(|target| (target.0 as usize) < proc.blocks.len()) {
            true => Ok(()),
            false => Err("a jump leaves the procedure".to_owned()),
        }
    }

    fn validate_action(
        &self,
        action: &Action,
        visible: &BTreeSet<VarId>,
        terms: &BTreeSet<TermId>,
        all: &BTreeSet<TermId>,
    ) -> Result<(), String> {
        let target = |var: &VarId| match visible.contains(var) {
            true => Ok(()),
            false => Err("a step changes a variable that is not there".to_owned()),
        };
        let once = |vars: Vec<VarId>| {
            let mut seen = BTreeSet::new();
            match vars.into_iter().any(|var| !seen.insert(var)) {
                false => Ok(()),
                true => Err("a step changes a variable twice".to_owned()),
            }
        };
        match action {
            Action::Assign(pairs) => {
                once(pairs.iter().map(|pair| pair.0).collect())?;
                for (var, value) in pairs {
                    target(var)?;
                    self.term_of_sort(*value, self.var(*var).sort, terms)?;
                }
                Ok(())
            }
            Action::Havoc(vars) => vars.iter().try_for_each(target),
            Action::Relate(pairs, formula) => {
                once(pairs.iter().map(|pair| pair.0).collect())?;
                let mut mentioned = terms.clone();
                for (var, new) in pairs {
                    target(var)?;
                    let is_var = matches!(self.terms.op(*new), Op::Var(_));
                    if !is_var || all.contains(new) || !mentioned.insert(*new) {
                        return Err("a new value has no term of its own".to_owned());
                    }
                    if self.terms.sort(*new) != self.var(*var).sort {
                        return Err("a new value has another sort than its variable".to_owned());
                    }
                }
                self.formula(*formula, &mentioned)
            }
            Action::Assume(formula) => self.formula(*formula, terms),
            Action::Check(check) => self.formula(check.formula, terms),
            Action::Call { proc, args, results } => {
                let callee = self.procs.get(proc.0 as usize).ok_or("a callee does not exist")?;
                if callee.inputs.len() != args.len() || callee.outputs.len() != results.len() {
                    return Err(format!("a call does not fit {}", callee.name));
                }
                for (&arg, &input) in args.iter().zip(&callee.inputs) {
                    self.term_of_sort(arg, self.var(input).sort, terms)?;
                }
                once(results.clone())?;
                for (result, &output) in results.iter().zip(&callee.outputs) {
                    target(result)?;
                    if self.var(*result).sort != self.var(output).sort {
                        return Err("a result has another sort than where it goes".to_owned());
                    }
                }
                Ok(())
            }
            Action::Thread(_) => Err("threads are not woven yet".to_owned()),
            Action::Observe(seen) => {
                seen.terms().into_iter().try_for_each(|term| self.closed(term, terms))
            }
        }
    }

    fn formula(&self, term: TermId, terms: &BTreeSet<TermId>) -> Result<(), String> {
        self.term_of_sort(term, SortId::BOOL, terms)
    }

    fn term_of_sort(
        &self,
        term: TermId,
        sort: SortId,
        terms: &BTreeSet<TermId>,
    ) -> Result<(), String> {
        if self.terms.sort(term) != sort {
            return Err(format!("{} has another sort than it should", self.terms.show(term)));
        }
        self.closed(term, terms)
    }

    /// The term mentions nothing else than these, and no declared function.
    fn closed(&self, term: TermId, terms: &BTreeSet<TermId>) -> Result<(), String> {
        if self.terms.has_apply(term) {
            return Err(format!("{} mentions a declared function", self.terms.show(term)));
        }
        match self.terms.free_vars(&[term]).iter().all(|var| terms.contains(var)) {
            true => Ok(()),
            false => Err(format!("{} mentions what is not there", self.terms.show(term))),
        }
    }
}

impl Proc {
    /// Its own variables: inputs, outputs and the others.
    pub fn variables(&self) -> impl Iterator<Item = VarId> {
        self.inputs.iter().chain(&self.outputs).chain(&self.locals).copied()
    }
}
