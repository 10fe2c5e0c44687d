//! Reading models of clauses, ours and those of other solvers, and derivations.

use crate::diag::Read;
use crate::evidence::names::read_variable;
use crate::evidence::values::Reader;
use crate::evidence::{
    Fallible, cases, derivation, fold, frame, interpretation, outcome, proof, word, wrong,
};
use crate::smtlib::{Context, Cursor, Kind};
use alphorn_problem::evidence::fold::Folds;
use alphorn_problem::evidence::horn::{
    ClauseProof, Definition, Derivation, HornModel, Interpretation,
};
use alphorn_problem::horn::Horn;
use alphorn_problem::{Span, Verdict};
use alphorn_term::eval::{Choices, Table};
use alphorn_term::print::quote;
use alphorn_term::{CtorId, Sort, SortId, Store};
use std::collections::BTreeMap;

/// Reads evidence: a model or a derivation. A leading `sat` or `unsat`, as solvers print it, is
/// skipped, and so are parentheses or `(model …)` around the definitions.
pub fn read(bytes: &[u8], horn: &Horn) -> Read<Vec<Verdict<Horn>>> {
    outcome(read_any(bytes, horn).map(|verdict| vec![verdict]))
}

fn read_any(bytes: &[u8], horn: &Horn) -> Fallible<Verdict<Horn>> {
    let mut cursor = Cursor::new(bytes);
    for word in ["sat", "unsat"] {
        if cursor.is_word(word) {
            cursor.take();
        }
    }
    let start = cursor.peek();
    let mut probe = Cursor::at(bytes, start.start as usize);
    probe.open("evidence")?;
    if probe.is_word("derivation") {
        return derivation::read(&mut cursor, horn).map(Verdict::Unsafe);
    }
    if probe.is_word("proof") || probe.is_word("interpretation") {
        let (terms, chosen) = match probe.is_word("proof") {
            true => (horn.terms.clone(), Interpretation::default()),
            false => interpretation::read(&mut cursor, horn)?,
        };
        let (terms, proof) = proof::read_alone(terms, &mut cursor)?;
        return Ok(Verdict::Unsafe(Derivation::refutation_under(chosen, terms, proof)));
    }
    read_model(&mut cursor, horn).map(Verdict::Safe)
}

struct ModelReader<'h> {
    horn: &'h Horn,
    reader: Reader,
    definitions: Vec<Option<Definition>>,
    folds: Folds,
    funcs: BTreeMap<alphorn_term::FuncId, Table>,
    choices: Choices,
    proofs: Vec<ClauseProof>,
}

fn read_model(cursor: &mut Cursor<'_>, horn: &Horn) -> Fallible<HornModel> {
    let mut reader = ModelReader {
        horn,
        reader: Reader::of_horn(horn, cursor.text().len()),
        definitions: vec![None; horn.preds.len()],
        folds: Folds::default(),
        funcs: BTreeMap::new(),
        choices: Choices::default(),
        proofs: vec![ClauseProof::Evaluate; horn.clauses.len()],
    };
    frame::commands(cursor, "`define-fun` or `set-info`", |cursor| {
        if cursor.is_word("define-fun") {
            cursor.take();
            reader.definition(cursor)?;
            return Ok(Some("the end of the definition"));
        }
        if cursor.is_word("define-funs-rec") {
            cursor.take();
            let folds = fold::read_functions(&mut reader.reader.context, cursor)?;
            reader.folds.functions.extend(folds);
            return Ok(Some("the end of the definitions"));
        }
        if cursor.is_word("set-info") {
            cursor.take();
            reader.info(cursor)?;
            return Ok(Some("the end of the command"));
        }
        Ok(None)
    })?;
    let end = Span::new(cursor.text().len(), cursor.text().len());
    let mut preds = Vec::with_capacity(reader.definitions.len());
    for (pred, definition) in horn.pred_ids().zip(reader.definitions) {
        match definition {
            Some(definition) => preds.push(definition),
            None => {
                let name = quote(horn.pred_name(pred));
                return wrong(end, format!("the predicate {name} is not defined"));
            }
        }
    }
    Ok(HornModel {
        terms: reader.reader.context.into_store(),
        preds,
        folds: reader.folds,
        funcs: reader.funcs,
        choices: reader.choices,
        proofs: reader.proofs,
    })
}

impl ModelReader<'_> {
    pub(super) fn definition(&mut self, cursor: &mut Cursor<'_>) -> Fallible<()> {
        let name = cursor.symbol("the predicate's name")?;
        let text = cursor.text_of(name);
        let found = self.horn.pred_ids().find(|&pred| self.horn.pred_name(pred) == text);
        let Some(pred) = found else {
            return wrong(name.span(), "the problem has no predicate of this name");
        };
        if self.definitions[pred.index()].is_some() {
            return wrong(name.span(), "this predicate is defined twice");
        }
        // Parameters are seen in this definition only.
        let definition = self.reader.context.scoped(|context| read_lambda(context, cursor))?;
        self.definitions[pred.index()] = Some(definition);
        Ok(())
    }

    pub(super) fn info(&mut self, cursor: &mut Cursor<'_>) -> Fallible<()> {
        let keyword = cursor.take();
        match (keyword.kind, cursor.text_of(keyword)) {
            (Kind::Keyword, ":alphorn-proof") => self.proof(cursor),
            (Kind::Keyword, ":alphorn-levels") => {
                fold::read_levels(cursor, &mut self.folds.functions)
            }
            (Kind::Keyword, ":alphorn-law") => {
                let law = fold::read_law(&mut self.reader.context, cursor)?;
                self.folds.laws.push(law);
                Ok(())
            }
            (Kind::Keyword, ":alphorn-function") => self.function(cursor),
            (Kind::Keyword, ":alphorn-choice") => self.choice(cursor),
            (Kind::Keyword, ":alphorn-element") => {
                cursor.open("an element")?;
                self.reader.element(cursor)?;
                cursor.close("the end of the element").map(|_| ())
            }
            (Kind::Keyword, ":alphorn-variable") => {
                cursor.open("a variable")?;
                read_variable(&mut self.reader.context, cursor)?;
                cursor.close("the end of the variable").map(|_| ())
            }
            (Kind::Keyword, _) => cursor.skip_expression("the information").map(|_| ()),
            _ => wrong(keyword.span(), "a keyword is expected"),
        }
    }

    pub(super) fn proof(&mut self, cursor: &mut Cursor<'_>) -> Fallible<()> {
        cursor.open("a proof")?;
        word(cursor, "clause")?;
        let start = cursor.peek().start;
        let clause = cursor.small_numeral("the clause's number")? as usize;
        if clause >= self.proofs.len() {
            return wrong(cursor.span_from(start), "the problem has no such clause");
        }
        if !matches!(self.proofs[clause], ClauseProof::Evaluate) {
            return wrong(cursor.span_from(start), "this clause has two proofs");
        }
        let context = &mut self.reader.context;
        self.proofs[clause] = match cursor.opens("case") {
            true => ClauseProof::Cases(cases::read(context, cursor)?),
            false => ClauseProof::Refute(context.scoped(|context| proof::read(context, cursor))?),
        };
        cursor.close("the end of the proof").map(|_| ())
    }

    pub(super) fn function(&mut self, cursor: &mut Cursor<'_>) -> Fallible<()> {
        cursor.open("a function")?;
        let name = cursor.symbol("the function's name")?;
        let text = cursor.text_of(name);
        let store = self.reader.context.store();
        let func = store.funcs().filter(|&f| store.name(store.func(f).name) == text).last();
        let Some(func) = func.filter(|&func| self.horn.pred_of(func).is_none()) else {
            return wrong(name.span(), "the problem has no function of this name");
        };
        let decl = store.func(func).clone();
        let table = self.reader.table(cursor, &decl.args, decl.result)?;
        self.funcs.insert(func, table);
        cursor.close("the end of the function").map(|_| ())
    }

    pub(super) fn choice(&mut self, cursor: &mut Cursor<'_>) -> Fallible<()> {
        cursor.open("a choice")?;
        let name = cursor.symbol("div, mod, / or select")?;
        let (int, real) = (SortId::INT, SortId::REAL);
        match cursor.text_of(name) {
            "div" => {
                let table = self.reader.table(cursor, &[int], int)?;
                self.choices.int_div = Some(table);
            }
            "mod" => {
                let table = self.reader.table(cursor, &[int], int)?;
                self.choices.modulo = Some(table);
            }
            "/" => {
                let table = self.reader.table(cursor, &[real], real)?;
                self.choices.real_div = Some(table);
            }
            "select" => {
                let selector = cursor.symbol("the selector's name")?;
                let data = self.reader.context.parse_sort(cursor)?;
                let store = self.reader.context.store();
                let found = find_selector(store, data, cursor.text_of(selector));
                let Some((ctor, field)) = found else {
                    return wrong(selector.span(), "the sort has no such selector");
                };
                let result = store.ctor(ctor).fields[field as usize].1;
                let table = self.reader.table(cursor, &[data], result)?;
                self.choices.fields.insert((ctor, field), table);
            }
            _ => return wrong(name.span(), "a choice is for div, mod, / or select"),
        }
        cursor.close("the end of the choice").map(|_| ())
    }
}

/// Reads parameters, the sort Bool and a body.
fn read_lambda(context: &mut Context, cursor: &mut Cursor<'_>) -> Fallible<Definition> {
    let params = frame::parameters(context, cursor, Context::variable)?;
    let start = cursor.peek().start;
    if context.parse_sort(cursor)? != SortId::BOOL {
        return wrong(cursor.span_from(start), "a predicate's value has sort Bool");
    }
    let body = context.parse_term(cursor)?;
    Ok(Definition { params, body })
}

/// The selector of this name that a sort has.
fn find_selector(store: &Store, sort: SortId, name: &str) -> Option<(CtorId, u32)> {
    let Sort::Data(data) = store.sort_of(sort) else { return None };
    store.data(*data).ctors.iter().find_map(|&ctor| {
        let fields = &store.ctor(ctor).fields;
        let field = fields.iter().position(|(field, _)| store.name(*field) == name)?;
        Some((ctor, u32::try_from(field).ok()?))
    })
}
