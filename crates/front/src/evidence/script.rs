//! Evidence about questions of scripts, as solvers reply: models and our proofs.
//!
//! A model is what `(get-model)` prints: definitions, alone, in parentheses or in `(model …)`, perhaps
//! after `sat`. Elements of declared sorts are written `(as @U_0 U)`, as the standard has it, or are
//! constants that the model declares, as Z3 does; two that have different names are different. What a
//! model says besides (cardinalities) is skipped. A proof is what our `(get-proof)` prints, perhaps
//! after `unsat`.

use super::{Fallible, frame, outcome, proof, wrong};
use crate::diag::Read;
use crate::smtlib::{Context, Cursor, Kind};
use alphorn_problem::evidence::horn::Definition;
use alphorn_problem::evidence::proof::Proof;
use alphorn_term::{FuncId, Model, Op, Sort, SortId, Store, Value};
use std::collections::BTreeMap;

/// What a file says about a question.
#[derive(Clone, Debug)]
pub enum ScriptEvidence {
    /// That the formulas contradict each other.
    Proof(Proof),
    /// That they hold under these definitions.
    Model {
        /// What functions and constants mean.
        definitions: BTreeMap<FuncId, Definition>,
        /// The elements that variables of the definitions stand for.
        elements: Box<Model>,
    },
}

/// Reads evidence about formulas of `store`, in which `funcs` are declared; the store comes back with
/// the terms of the evidence.
pub fn read(bytes: &[u8], store: &Store, funcs: &[FuncId]) -> Read<(Store, ScriptEvidence)> {
    outcome(read_any(bytes, store, funcs))
}

fn read_any(bytes: &[u8], store: &Store, funcs: &[FuncId]) -> Fallible<(Store, ScriptEvidence)> {
    let mut cursor = Cursor::new(bytes);
    let mut claim = None;
    for word in ["sat", "unsat", "unknown"] {
        if cursor.is_word(word) {
            claim = Some((word, cursor.take().span()));
        }
    }
    if let (Some((word, span)), Kind::End) = (claim, cursor.peek().kind) {
        return wrong(span, format!("`{word}` alone is a claim without evidence"));
    }
    let mut probe = Cursor::at(bytes, cursor.peek().start as usize);
    probe.open("evidence")?;
    if probe.is_word("proof") {
        let (store, proof) = proof::read_alone(store.clone(), &mut cursor)?;
        return Ok((store, ScriptEvidence::Proof(proof)));
    }
    let mut reader = Reader::over(store, funcs, bytes.len());
    reader.abstract_values(bytes)?;
    reader.model(&mut cursor, funcs)?;
    let Reader { context, definitions, elements, .. } = reader;
    Ok((context.into_store(), ScriptEvidence::Model { definitions, elements: Box::new(elements) }))
}

struct Reader {
    context: Context,
    definitions: BTreeMap<FuncId, Definition>,
    elements: Model,
    /// How many elements of a sort have names.
    counts: BTreeMap<SortId, u32>,
}

impl Reader {
    /// A reader of a text of `length` bytes.
    fn over(store: &Store, funcs: &[FuncId], length: usize) -> Reader {
        let mut context = Context::over(store.clone());
        context.limit_effort(length);
        // Of several functions with one name the one in force is meant.
        funcs.iter().for_each(|&func| context.declare_func(func));
        let (definitions, counts) = (BTreeMap::new(), BTreeMap::new());
        Reader { context, definitions, elements: Model::new(), counts }
    }

    /// Lets a name stand for an element of its own.
    fn element(&mut self, name: &str, sort: SortId) {
        let count = self.counts.entry(sort).or_insert(0);
        let var = self.context.store_mut().fresh_var("element", sort);
        self.elements.set(var, Value::Element(sort, *count));
        *count += 1;
        self.context.bind(name, var);
    }

    /// Names all that is written `(as @… U)`.
    fn abstract_values(&mut self, bytes: &[u8]) -> Fallible<()> {
        let mut cursor = Cursor::new(bytes);
        loop {
            let token = cursor.take();
            match token.kind {
                Kind::End => return Ok(()),
                Kind::Open if cursor.is_word("as") => {
                    cursor.take();
                    let name = cursor.peek();
                    let text = cursor.text_of(name).to_owned();
                    if text.starts_with('@') && !self.context.is_declared(&text) {
                        cursor.take();
                        let start = cursor.peek().start;
                        let sort = self.context.parse_sort(&mut cursor)?;
                        if !matches!(self.context.store().sort_of(sort), Sort::Uninterpreted(..)) {
                            let span = cursor.span_from(start);
                            return wrong(span, "only declared sorts have abstract values");
                        }
                        self.element(&text, sort);
                    }
                }
                _ => {}
            }
        }
    }

    fn model(&mut self, cursor: &mut Cursor<'_>, funcs: &[FuncId]) -> Fallible<()> {
        frame::commands(cursor, "`define-fun`", |cursor| {
            let is_constant = cursor.is_word("define-const") || cursor.is_word("declare-const");
            if cursor.is_word("define-fun") || cursor.is_word("define-const") {
                cursor.take();
                self.definition(cursor, funcs, is_constant)?;
                return Ok(Some("the end of the definition"));
            }
            if cursor.is_word("declare-fun") || cursor.is_word("declare-const") {
                cursor.take();
                self.declared_element(cursor, is_constant)?;
                return Ok(Some("the end of the declaration"));
            }
            if cursor.is_word("forall") || cursor.is_word("declare-sort") {
                // How many elements there are is said by their names.
                while cursor.peek().kind != Kind::Close {
                    cursor.skip_expression("the rest")?;
                }
                return Ok(Some("the end of the command"));
            }
            Ok(None)
        })
    }

    /// A constant of a declared sort that the model declares.
    fn declared_element(&mut self, cursor: &mut Cursor<'_>, is_constant: bool) -> Fallible<()> {
        let token = cursor.symbol("a name")?;
        let name = cursor.text_of(token).to_owned();
        if !is_constant {
            cursor.open("`()`")?;
            cursor.close("`)`: elements are constants")?;
        }
        let sort = self.context.parse_sort(cursor)?;
        if !matches!(self.context.store().sort_of(sort), Sort::Uninterpreted(..)) {
            return wrong(token.span(), "a model declares nothing but elements of declared sorts");
        }
        self.element(&name, sort);
        Ok(())
    }

    fn definition(
        &mut self,
        cursor: &mut Cursor<'_>,
        funcs: &[FuncId],
        is_constant: bool,
    ) -> Fallible<()> {
        let token = cursor.symbol("the function's name")?;
        let name = cursor.text_of(token).to_owned();
        let store = self.context.store();
        let has_name = |func: &&FuncId| store.name(store.func(**func).name) == name;
        let func = funcs.iter().rev().find(has_name).copied();
        let definition = self.context.scoped(|context| lambda(context, cursor, is_constant))?;
        let Some(func) = func else {
            // An abbreviation for definitions that follow.
            if !definition.params.is_empty() {
                return wrong(token.span(), "the script declares no function of this name");
            }
            self.context.bind(&name, definition.body);
            return Ok(());
        };
        let store = self.context.store_mut();
        let decl = store.func(func).clone();
        let sorts: Vec<SortId> = definition.params.iter().map(|&p| store.sort(p)).collect();
        let mut body = definition.body;
        if store.sort(body) == SortId::INT && decl.result == SortId::REAL {
            body = store.mk(Op::ToReal, &[body]);
        }
        if sorts != decl.args || store.sort(body) != decl.result {
            return wrong(token.span(), "the definition does not fit the declaration");
        }
        let definition = Definition { body, ..definition };
        match self.definitions.insert(func, definition) {
            None => Ok(()),
            Some(_) => wrong(token.span(), "this function is defined twice"),
        }
    }
}

/// Reads parameters, a sort and a body.
fn lambda(
    context: &mut Context,
    cursor: &mut Cursor<'_>,
    is_constant: bool,
) -> Fallible<Definition> {
    let fresh = |context: &mut Context, name: &str, sort| context.store_mut().fresh_var(name, sort);
    let params = match is_constant {
        true => Vec::new(),
        false => frame::parameters(context, cursor, fresh)?,
    };
    context.parse_sort(cursor)?;
    let body = context.parse_term(cursor)?;
    Ok(Definition { params, body })
}
