//! Transitions as blocks.

use super::file::{Command, File, Transition};
use super::{Flow, LEXIS};
use crate::diag::{Code, Diagnostic, Diagnostics};
use crate::infix::{Cursor, Fallible, Node, Shape, Tree, compare, integer};
use alphorn_problem::Span;
use alphorn_program::Program;
use alphorn_program::form::{Action, Block, BlockId, Check, Jump, Proc, ProcId, Step, VarId};
use alphorn_term::{SortId, TermId};
use std::collections::BTreeMap;

/// What reaching the cutpoint violates.
const PROPERTY: &str = "unreach-cutpoint";

/// The flow of a file, which has a start.
pub(super) fn flow(bytes: &[u8], file: &File<'_>, diagnostics: &mut Diagnostics) -> Option<Flow> {
    let mut lower = Lower {
        cursor: Cursor::new(bytes, 0, &LEXIS, Code::T2Syntax),
        program: Program::default(),
        vars: BTreeMap::new(),
        temporaries: Vec::new(),
        any: Vec::new(),
    };
    let start_name = file.start?.0;
    let mut blocks = vec![block(None, Span::NONE)];
    let mut locations: BTreeMap<String, BlockId> = BTreeMap::new();
    let of_transitions = file.transitions.iter().flat_map(|t| [(t.from, t.span), (t.to, t.span)]);
    let named = file.start.into_iter().chain(file.cutpoint).chain(of_transitions);
    for (name, span) in named {
        if !locations.contains_key(name) {
            locations.insert(name.to_owned(), BlockId(blocks.len() as u32));
            blocks.push(block(Some(name), span));
        }
    }
    let mut ways: BTreeMap<BlockId, Vec<BlockId>> = BTreeMap::new();
    for transition in &file.transitions {
        match lower.transition(transition) {
            Ok(steps) => {
                let id = BlockId(blocks.len() as u32);
                let jump = Jump::Goto(locations[transition.to]);
                blocks.push(Block { steps, jump, ..block(None, transition.span) });
                ways.entry(locations[transition.from]).or_default().push(id);
            }
            Err(diagnostic) if diagnostics.is_full() => drop(diagnostic),
            Err(diagnostic) => diagnostics.push(*diagnostic),
        }
    }
    for (from, targets) in ways {
        blocks[from.0 as usize].jump = match targets[..] {
            [only] => Jump::Goto(only),
            _ => Jump::Choose(targets),
        };
    }
    let start = locations[start_name];
    blocks[0].jump = Jump::Goto(start);
    let cutpoint = file.cutpoint.map(|(name, _)| locations[name]);
    if let (Some(cutpoint), Some((_, span))) = (cutpoint, file.cutpoint) {
        let check = Check { property: PROPERTY.to_owned(), formula: TermId::FALSE };
        let step = Step { action: Action::Check(check), span };
        blocks[cutpoint.0 as usize].steps.push(step);
    }
    let shadows: Vec<(VarId, VarId)> = file
        .shadows
        .iter()
        .map(|&(of, shadow)| (lower.variable(of), lower.variable(shadow)))
        .collect();
    let Lower { mut program, temporaries, .. } = lower;
    program.procs.push(Proc {
        name: "main".to_owned(),
        locals: temporaries,
        blocks,
        ..Proc::default()
    });
    program.entry = Some(ProcId(0));
    Some(Flow { program, locations, start, cutpoint, shadows })
}

fn block(name: Option<&str>, span: Span) -> Block {
    let jump = Jump::Choose(Vec::new());
    Block { label: name.map(str::to_owned), span, steps: Vec::new(), jump }
}

struct Lower<'t> {
    cursor: Cursor<'t>,
    program: Program,
    vars: BTreeMap<&'t str, VarId>,
    /// Variables for values that are any.
    temporaries: Vec<VarId>,
    /// Those of the command that is read.
    any: Vec<VarId>,
}

/// What an expression is.
#[derive(Clone, Copy)]
enum Value {
    Number(TermId),
    Formula(TermId),
}

impl Lower<'_> {
    fn variable(&mut self, span: Span) -> VarId {
        let name = self.cursor.text(span);
        if let Some(&var) = self.vars.get(name) {
            return var;
        }
        let var = self.program.add_var(name, SortId::INT, span);
        self.program.globals.push(var);
        self.vars.insert(name, var);
        var
    }

    fn transition(&mut self, transition: &Transition<'_>) -> Fallible<Vec<Step>> {
        let mut steps = Vec::new();
        for (command, span) in &transition.commands {
            self.any.clear();
            let action = match command {
                Command::Assign(name, tree) => {
                    let value = self.value(tree)?;
                    let value = self.number(value, tree.span)?;
                    let var = self.variable(*name);
                    match self.any[..] {
                        // Any value needs no variable between.
                        [only] if self.program.term(only) == value => {
                            self.any.clear();
                            Action::Havoc(vec![var])
                        }
                        _ => Action::Assign(vec![(var, value)]),
                    }
                }
                Command::Assume(tree) => {
                    let value = self.value(tree)?;
                    Action::Assume(self.formula(value, tree.span)?)
                }
            };
            if !self.any.is_empty() {
                let action = Action::Havoc(self.any.clone());
                steps.push(Step { action, span: *span });
            }
            steps.push(Step { action, span: *span });
        }
        Ok(steps)
    }

    fn value(&mut self, tree: &Tree) -> Fallible<Value> {
        tree.fold(|node, operands| self.node(node, operands).map(Some))
    }

    /// A value of which nothing is known.
    fn any_value(&mut self, span: Span) -> TermId {
        let var = self.program.add_var("any", SortId::INT, span);
        self.temporaries.push(var);
        self.any.push(var);
        self.program.term(var)
    }

    fn node(&mut self, node: Node, operands: Vec<Value>) -> Fallible<Value> {
        let span = node.span;
        let number = match node.shape {
            Shape::Name => {
                let var = self.variable(span);
                self.program.term(var)
            }
            Shape::Number => {
                let value = integer(self.cursor.text(span));
                self.program.terms.int(value)
            }
            Shape::Call(_) if self.cursor.text(span) == "nondet" && operands.is_empty() => {
                self.any_value(span)
            }
            Shape::Call(_) => {
                let message = format!("there is no function `{}`", self.cursor.text(span));
                let diagnostic = Diagnostic::error(Code::T2Syntax, span, message);
                return Err(Box::new(diagnostic.hint("any value is written nondet()")));
            }
            Shape::Prefix("-") => {
                let inner = self.number(operands[0], span)?;
                self.program.terms.neg(inner)
            }
            Shape::Infix(word @ ("+" | "-" | "*" | "/" | "%")) => {
                let numbers: Fallible<Vec<TermId>> =
                    operands.into_iter().map(|operand| self.number(operand, span)).collect();
                let numbers = numbers?;
                match word {
                    "+" => self.program.terms.add(&numbers),
                    "-" => self.program.terms.sub(numbers[0], numbers[1]),
                    "*" => self.program.terms.mul(&numbers),
                    _ => self.any_value(span),
                }
            }
            _ => return self.formula_node(node, operands).map(Value::Formula),
        };
        Ok(Value::Number(number))
    }

    fn formula_node(&mut self, node: Node, operands: Vec<Value>) -> Fallible<TermId> {
        let span = node.span;
        let word = match node.shape {
            Shape::Prefix(_) => {
                let inner = self.formula(operands[0], span)?;
                return Ok(self.program.terms.not(inner));
            }
            Shape::Infix(word) => word,
            _ => {
                let message = "this is neither a number nor a formula";
                return Err(Box::new(Diagnostic::error(Code::T2Sort, span, message)));
            }
        };
        if matches!(word, "&&" | "||") {
            let formulas: Fallible<Vec<TermId>> =
                operands.into_iter().map(|operand| self.formula(operand, span)).collect();
            let (formulas, store) = (formulas?, &mut self.program.terms);
            return Ok(if word == "&&" { store.and(&formulas) } else { store.or(&formulas) });
        }
        let (left, right) = (self.number(operands[0], span)?, self.number(operands[1], span)?);
        Ok(compare(&mut self.program.terms, word, left, right))
    }

    fn number(&self, value: Value, span: Span) -> Fallible<TermId> {
        match value {
            Value::Number(term) => Ok(term),
            Value::Formula(_) => {
                let message = "a number is needed here, and this is a formula";
                Err(Box::new(Diagnostic::error(Code::T2Sort, span, message)))
            }
        }
    }

    fn formula(&self, value: Value, span: Span) -> Fallible<TermId> {
        match value {
            Value::Formula(term) => Ok(term),
            Value::Number(_) => {
                let message = "a formula is needed here, and this is a number";
                Err(Box::new(Diagnostic::error(Code::T2Sort, span, message)))
            }
        }
    }
}
