//! Definitions that may mention themselves and each other.
//!
//! If each mentions earlier ones only, they are abbreviations like others. If not, the standard says
//! what they mean: the functions are declared, and for all arguments the value is that of the body.
//! That is an axiom with a quantifier like others too, and it may be one that no function satisfies.
//!
//! After Barrett, Fontaine, Tinelli, "The SMT-LIB Standard, Version 2.7" (2025), section 4.2.3.

use super::reader::Reader;
use super::{Command, Written};
use crate::diag::{Code, Diagnostic};
use crate::smtlib::Fallible;
use crate::smtlib::definitions::Signature;
use crate::smtlib::lex::{Kind, Lexer};
use alphorn_term::{Annotations, FuncId, Op, SortId, TermId};

impl Reader<'_> {
    /// Reads definitions that may mention each other.
    pub(super) fn define_funs(&mut self, start: u32) -> Fallible<Command> {
        self.cursor.open("the list of signatures")?;
        let mut signatures: Vec<Signature> = Vec::new();
        while self.cursor.eat(Kind::Close).is_none() {
            let open = self.cursor.open("a signature")?;
            let signature = self.context.signature(&mut self.cursor)?;
            if signatures.iter().any(|other| other.name == signature.name) {
                let span = self.cursor.span_from(open.start);
                return Err(self.context.redeclared(signature.name, span));
            }
            self.cursor.close("a closing parenthesis after the signature")?;
            signatures.push(signature);
        }
        self.cursor.open("the list of bodies")?;
        let command = self.define_all(&signatures, start)?;
        self.cursor.close("as many bodies as signatures, then a closing parenthesis")?;
        Ok(command)
    }

    /// Reads the bodies of definitions.
    pub(super) fn define_all(&mut self, signatures: &[Signature], start: u32) -> Fallible<Command> {
        let (cursor, declared) = (self.cursor.clone(), self.context.declared());
        for signature in signatures {
            let result = self.context.define_body(&mut self.cursor, signature, start);
            let Err(diagnostic) = result else { continue };
            if !self.is_about_one_of(&diagnostic, signatures) {
                return Err(diagnostic);
            }
            self.context.undeclare(declared);
            self.cursor = cursor;
            return self.define_recursive(signatures, start);
        }
        Ok(Command::Declare)
    }

    /// Whether a complaint is that a function which is being defined is not declared.
    fn is_about_one_of(&self, diagnostic: &Diagnostic, signatures: &[Signature]) -> bool {
        let token = Lexer::new(self.cursor.text(), diagnostic.span.start as usize).next_token();
        let name = self.context.scope.find(self.cursor.bytes_of(token));
        diagnostic.code == Code::SmtUndeclared
            && signatures.iter().any(|signature| Some(signature.name) == name)
    }

    fn define_recursive(&mut self, signatures: &[Signature], start: u32) -> Fallible<Command> {
        if *self.keeps_declarations && !self.levels.is_empty() {
            let message = "recursive definitions that outlive their level are not treated";
            let span = self.cursor.span_from(start);
            return Err(Box::new(Diagnostic::unsupported(Code::SmtCommand, span, message)));
        }
        let funcs: Vec<FuncId> = signatures
            .iter()
            .map(|signature| {
                let args: Vec<SortId> = signature.params.iter().map(|param| param.1).collect();
                self.context.declare(signature.name, &args, signature.result)
            })
            .collect();
        let mut axioms = Vec::with_capacity(funcs.len());
        for (signature, &func) in signatures.iter().zip(&funcs) {
            let begin = self.cursor.peek().start;
            let (params, body) = self.context.body(&mut self.cursor, signature)?;
            let span = self.cursor.span_from(begin);
            let term = self.axiom(func, &params, body);
            axioms.push(Written { term, span });
        }
        Ok(Command::Define { funcs, axioms })
    }

    /// That the function has the body's value for all arguments.
    fn axiom(&mut self, func: FuncId, params: &[TermId], body: TermId) -> TermId {
        let store = &mut self.context.store;
        let call = store.mk(Op::Apply(func), params);
        let equation = store.eq(call, body);
        if params.is_empty() {
            return equation;
        }
        let parts: Vec<TermId> = params.iter().copied().chain([equation]).collect();
        let axiom = store.mk(Op::Forall, &parts);
        let patterns = vec![vec![call]];
        store.annotate(axiom, Annotations { patterns, ..Annotations::default() });
        axiom
    }
}
