//! Systems as procedures.
//!
//! Where a relation says what the new values are, it is an assignment behind an assumption; only what is
//! left is kept as a relation, because relations cost those who come after a variable each.

mod call;

use super::LEXIS;
use super::file::{Declared, Edge, File, System};
use super::value::{Evaluator, Names, Parts, error};
use crate::diag::{Code, Diagnostic, Diagnostics};
use crate::infix::{Cursor, Fallible};
use alphorn_problem::Span;
use alphorn_program::Program;
use alphorn_program::form::{Action, Block, BlockId, Check, Jump, Proc, ProcId, Step, VarId};
use alphorn_term::{Op, Substitution, TermId};
use std::collections::{BTreeMap, BTreeSet};

/// What an error location violates.
const PROPERTY: &str = "unreach-error";

/// The program of a file.
pub(super) fn program(
    bytes: &[u8],
    file: &File<'_>,
    diagnostics: &mut Diagnostics,
) -> Option<Program> {
    let cursor = Cursor::new(bytes, 0, &LEXIS, Code::NtsSyntax);
    let mut lower =
        Lower { cursor, program: Program::default(), diagnostics, procs: BTreeMap::new() };
    let mut globals = Names::default();
    lower.program.globals = lower.declare(&file.globals, &mut globals);
    let mut names = Vec::new();
    for system in &file.systems {
        names.push(lower.system(system, &globals));
    }
    lower.start(file, &mut globals);
    for (index, (system, names)) in file.systems.iter().zip(names).enumerate() {
        if lower.diagnostics.is_full() {
            return None;
        }
        lower.blocks(index, system, names);
    }
    Some(lower.program)
}

struct Lower<'t, 'd> {
    cursor: Cursor<'t>,
    program: Program,
    diagnostics: &'d mut Diagnostics,
    procs: BTreeMap<&'t str, ProcId>,
}

impl<'t> Lower<'t, '_> {
    fn report(&mut self, diagnostic: Diagnostic) {
        if !self.diagnostics.is_full() {
            self.diagnostics.push(diagnostic);
        }
    }

    /// Adds variables; those of a system hide global ones.
    fn declare(&mut self, declared: &[Declared<'t>], names: &mut Names<'t>) -> Vec<VarId> {
        let mut own: BTreeSet<&str> = BTreeSet::new();
        let mut vars = Vec::with_capacity(declared.len());
        for &Declared { name, sort, span } in declared {
            if !own.insert(name) {
                let message = format!("`{name}` is declared twice");
                self.report(Diagnostic::error(Code::NtsRedeclared, span, message));
            }
            let var = self.program.add_var(name, sort, span);
            names.vars.insert(name, var);
            vars.push(var);
        }
        vars
    }

    /// Adds a procedure without blocks, and says what it can name.
    fn system(&mut self, system: &System<'t>, globals: &Names<'t>) -> Names<'t> {
        let lists = [&system.inputs, &system.outputs, &system.locals];
        let all: Vec<Declared<'t>> = lists.into_iter().flatten().copied().collect();
        let mut names = globals.clone();
        names.has_next = true;
        let vars = self.declare(&all, &mut names);
        let (inputs, rest) = vars.split_at(system.inputs.len());
        let (outputs, locals) = rest.split_at(system.outputs.len());
        let proc = ProcId(u32::try_from(self.program.procs.len()).expect("texts are below 4 GiB"));
        self.program.procs.push(Proc {
            name: system.name.to_owned(),
            inputs: inputs.to_vec(),
            outputs: outputs.to_vec(),
            locals: locals.to_vec(),
            blocks: Vec::new(),
            span: system.span,
        });
        if self.procs.insert(system.name, proc).is_some() {
            let message = format!("the system `{}` is defined twice", system.name);
            self.report(Diagnostic::error(Code::NtsRedeclared, system.span, message));
        }
        names
    }

    /// Where the program begins, and with which values.
    fn start(&mut self, file: &File<'t>, globals: &mut Names<'t>) {
        let only = match &file.systems[..] {
            [system] => Some((system.name, system.span)),
            _ => None,
        };
        let wanted = file.instance.or_else(|| {
            let main = self.procs.contains_key("main");
            if main { Some(("main", Span::NONE)) } else { only }
        });
        let entry = wanted.and_then(|(name, _)| self.procs.get(name).copied());
        if entry.is_none() {
            let (message, span) = match wanted {
                Some((name, span)) => (format!("there is no system `{name}`"), span),
                None => ("none of the systems is called `main`".to_owned(), Span::NONE),
            };
            self.report(Diagnostic::error(Code::NtsUndeclared, span, message));
        }
        self.program.entry = entry;
        if let Some(tree) = &file.init {
            let (cursor, program) = (&self.cursor, &mut self.program);
            let mut evaluator = Evaluator { cursor, program, names: globals, bound: Vec::new() };
            match evaluator.formula(tree) {
                Ok(start) => self.program.start = Some(start),
                Err(diagnostic) => self.report(*diagnostic),
            }
        }
    }

    /// The blocks of a system: the beginning, one for each location, one for each edge.
    fn blocks(&mut self, index: usize, system: &System<'t>, mut names: Names<'t>) {
        let mut places: BTreeMap<&str, BlockId> = BTreeMap::new();
        let mut blocks = vec![block(None, system.span, Jump::Choose(Vec::new()))];
        let lists = [&system.initial, &system.states, &system.finals, &system.errors];
        let listed = lists.into_iter().flatten().copied();
        let of_edges =
            system.edges.iter().flat_map(|edge| [(edge.from, edge.span), (edge.to, edge.span)]);
        for (name, span) in listed.chain(of_edges) {
            places.entry(name).or_insert_with(|| {
                blocks.push(block(Some(name), span, Jump::Choose(Vec::new())));
                BlockId(blocks.len() as u32 - 1)
            });
        }
        let initial: BTreeSet<BlockId> =
            system.initial.iter().map(|(name, _)| places[name]).collect();
        if initial.is_empty() {
            let message = format!("the system `{}` has no initial location", system.name);
            let diagnostic = Diagnostic::error(Code::NtsSyntax, system.span, message);
            self.report(diagnostic.hint("add: initial NAME;"));
        }
        blocks[0].jump = Jump::Choose(initial.into_iter().collect());
        let mut ways: BTreeMap<BlockId, Vec<BlockId>> = BTreeMap::new();
        for edge in &system.edges {
            match self.edge(index, edge, &mut names) {
                Ok(steps) => {
                    let id = BlockId(blocks.len() as u32);
                    let jump = Jump::Goto(places[edge.to]);
                    blocks.push(Block { steps, ..block(None, edge.span, jump) });
                    ways.entry(places[edge.from]).or_default().push(id);
                }
                Err(diagnostic) => self.report(*diagnostic),
            }
        }
        let finals: BTreeSet<BlockId> =
            system.finals.iter().map(|(name, _)| places[name]).collect();
        if !finals.is_empty() {
            let id = BlockId(blocks.len() as u32);
            blocks.push(block(None, system.span, Jump::Return));
            for place in finals {
                ways.entry(place).or_default().push(id);
            }
        }
        for (place, targets) in ways {
            blocks[place.0 as usize].jump = match targets[..] {
                [only] => Jump::Goto(only),
                _ => Jump::Choose(targets),
            };
        }
        for (name, span) in &system.errors {
            let check = Check { property: PROPERTY.to_owned(), formula: TermId::FALSE };
            let found = &mut blocks[places[name].0 as usize];
            if found.steps.is_empty() {
                found.steps.push(Step { action: Action::Check(check), span: *span });
            }
        }
        self.program.procs[index].blocks = blocks;
    }

    /// The steps of an edge.
    fn edge(
        &mut self,
        index: usize,
        edge: &Edge<'t>,
        names: &mut Names<'t>,
    ) -> Fallible<Vec<Step>> {
        let (cursor, program) = (&self.cursor, &mut self.program);
        let mut evaluator = Evaluator { cursor, program, names, bound: Vec::new() };
        let mut parts = match &edge.rule.tree {
            Some(tree) => evaluator.parts(tree)?,
            None => Parts::default(),
        };
        let results: Fallible<Vec<VarId>> =
            edge.rule.results.iter().map(|(_, span)| evaluator.primed(*span)).collect();
        let results = results?;
        let actions = match &mut parts.call {
            Some(call) => {
                if !results.is_empty() && call.results.is_empty() {
                    call.results = results;
                }
                self.call(index, parts, edge, names)?
            }
            None if results.is_empty() => self.relation(index, parts, names),
            None => {
                let message = "only a call can give values to several names at once";
                return error(Code::NtsSyntax, edge.span, message);
            }
        };
        Ok(actions.into_iter().map(|action| Step { action, span: edge.span }).collect())
    }

    /// All variables that an edge of a system can change.
    fn visible(&self, index: usize) -> Vec<VarId> {
        let own = self.program.procs[index].variables();
        self.program.globals.iter().copied().chain(own).collect()
    }

    /// An edge that is a relation.
    fn relation(&mut self, index: usize, parts: Parts, names: &mut Names<'t>) -> Vec<Action> {
        let changed = parts.frame.unwrap_or_else(|| self.visible(index));
        // What keeps its value has it after the edge, too.
        let mut kept = Substitution::default();
        for (&var, &next) in &names.next {
            if !changed.contains(&var) {
                kept.insert(next, self.program.term(var));
            }
        }
        let store = &mut self.program.terms;
        let whole = store.and(&parts.formulas);
        let formula = store.substitute(whole, &kept);
        let next_of: BTreeMap<TermId, VarId> = changed
            .iter()
            .filter_map(|var| names.next.get(var).map(|&next| (next, *var)))
            .collect();
        match self.assignment(formula, &changed, &next_of) {
            Some(actions) => actions,
            None => {
                let mut pairs = Vec::with_capacity(changed.len());
                for &var in &changed {
                    let (cursor, program) = (&self.cursor, &mut self.program);
                    let bound = Vec::new();
                    let mut evaluator = Evaluator { cursor, program, names, bound };
                    pairs.push((var, evaluator.next(var)));
                }
                vec![Action::Relate(pairs, formula)]
            }
        }
    }

    /// A relation as an assumption, an assignment and arbitrary values, if it is that.
    fn assignment(
        &mut self,
        formula: TermId,
        changed: &[VarId],
        next_of: &BTreeMap<TermId, VarId>,
    ) -> Option<Vec<Action>> {
        let store = &mut self.program.terms;
        let conjuncts = match store.op(formula) {
            Op::And => store.args(formula).to_vec(),
            _ => vec![formula],
        };
        let mut values: BTreeMap<VarId, TermId> = BTreeMap::new();
        let mut map = Substitution::default();
        let mut rest = conjuncts;
        // What one new value is may be said by another one.
        loop {
            let before = values.len();
            for conjunct in std::mem::take(&mut rest) {
                let conjunct = store.substitute(conjunct, &map);
                let equation =
                    (store.op(conjunct) == Op::Eq).then(|| store.args(conjunct).to_vec());
                let sides =
                    equation.iter().flat_map(|args| [(args[0], args[1]), (args[1], args[0])]);
                let is_old = |term: TermId| {
                    store.free_vars(&[term]).iter().all(|var| !next_of.contains_key(var))
                };
                let defined = sides
                    .filter_map(|(name, value)| Some((*next_of.get(&name)?, name, value)))
                    .find(|(_, _, value)| is_old(*value));
                match defined {
                    Some((var, name, value)) => {
                        values.insert(var, value);
                        map.insert(name, value);
                    }
                    None => rest.push(conjunct),
                }
            }
            if values.len() == before {
                break;
            }
        }
        let condition = store.and(&rest);
        let is_new = |var: &TermId| next_of.contains_key(var);
        if store.free_vars(&[condition]).iter().any(is_new) {
            return None;
        }
        let mut actions = Vec::new();
        if condition != TermId::TRUE {
            actions.push(Action::Assume(condition));
        }
        let any: Vec<VarId> =
            changed.iter().copied().filter(|var| !values.contains_key(var)).collect();
        if !values.is_empty() {
            actions.push(Action::Assign(values.into_iter().collect()));
        }
        if !any.is_empty() {
            actions.push(Action::Havoc(any));
        }
        Some(actions)
    }
}
fn block(name: Option<&str>, span: Span, jump: Jump) -> Block {
    Block { label: name.map(str::to_owned), span, steps: Vec::new(), jump }
}
