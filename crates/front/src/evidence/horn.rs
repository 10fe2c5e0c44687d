//! Evidence about Horn systems as text.
//!
//! A model is a list of SMT-LIB definitions, one per predicate, as the competition's validators
//! read them. What only our checker needs stands in `set-info` commands, which others skip:
//!
//! ```text
//! (define-fun P ((x Int)) Bool (<= 0 x))
//! (define-funs-rec …) and (set-info :alphorn-law …) as in `fold`
//! (set-info :alphorn-proof (clause 2 (var x Int) (atom 0 …) (step 0 …) …))
//! (set-info :alphorn-function (f (case (1) 2) (else 0)))
//! (set-info :alphorn-choice (div (else 0)))
//! (set-info :alphorn-choice (select head (List Int) (else 0)))
//! (set-info :alphorn-element (e!1 Thing 0))
//! (set-info :alphorn-variable (f!1 Int "f"))
//! ```
//!
//! A clause without a proof is checked by evaluation. A system without predicates has the model
//! `()`. Derivations are described in `derivation`.

use super::layout::lay_out;
use super::names::{Names, read_variable};
use super::values::{Printer, Reader};
use super::{Fallible, derivation, fold, frame, outcome, proof, word, wrong};
use crate::diag::Read;
use crate::smtlib::general::reply;
use crate::smtlib::{Context, Cursor, Kind};
use alphorn_problem::evidence::fold::Folds;
use alphorn_problem::evidence::horn::{ClauseProof, Definition, Derivation, HornModel};
use alphorn_problem::horn::{Horn, PredId};
use alphorn_problem::{Span, Verdict};
use alphorn_term::eval::{Choices, Table};
use alphorn_term::print::quote;
use alphorn_term::{CtorId, Sort, SortId, Store, TermId};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

/// A verdict's evidence as text.
pub fn print(horn: &Horn, verdict: &Verdict<Horn>) -> String {
    match verdict {
        Verdict::Safe(model) => print_model(horn, model),
        Verdict::Unsafe(derivation) => derivation::print(horn, derivation),
    }
}

fn print_model(horn: &Horn, model: &HornModel) -> String {
    let proofs = || {
        let all = model.proofs.iter().enumerate();
        all.filter_map(|(clause, proof)| match proof {
            ClauseProof::Refute(proof) => Some((clause, proof)),
            ClauseProof::Evaluate => None,
        })
    };
    let mut roots: Vec<TermId> = Vec::new();
    // The checker refuses definitions with other variables than parameters; the text says them.
    let mut free: BTreeSet<TermId> = BTreeSet::new();
    for definition in &model.preds {
        roots.extend(&definition.params);
        roots.push(definition.body);
        let vars = model.terms.free_vars(&[definition.body]);
        free.extend(vars.into_iter().filter(|var| !definition.params.contains(var)));
    }
    roots.extend(proofs().flat_map(|(_, proof)| proof::mentioned(proof)));
    let mut store = model.terms.clone();
    roots.extend(fold::mentioned(&model.folds, &mut store));
    let mut names = Names::of(&store, &roots);
    let mut out = String::new();
    let free: Vec<TermId> = free.into_iter().collect();
    for declaration in names.declarations(&free) {
        let _ = writeln!(out, "(set-info :alphorn-variable ({declaration}))");
    }
    if let Some(functions) = fold::print_functions(&mut names, &model.folds) {
        out.push_str(&functions);
        out.push('\n');
    }
    for (pred, definition) in horn.pred_ids().zip(&model.preds) {
        out.push_str(&define(horn, &mut names, pred, definition));
        out.push('\n');
    }
    print_tables(&mut out, model);
    fold::print_laws(&mut out, &mut names, &model.folds);
    for (clause, proof) in proofs() {
        let _ = writeln!(out, "(set-info :alphorn-proof (clause {clause}");
        proof::print(&mut out, &mut names, proof);
        out.push_str("))\n");
    }
    // Nothing at all would look like a file that was not written.
    if out.is_empty() { "()\n".to_owned() } else { out }
}

/// The functions on datatypes that a model's definitions use, as one command; nothing if they use none.
pub fn print_folds(model: &HornModel) -> Option<String> {
    let mut store = model.terms.clone();
    let roots = fold::mentioned(&model.folds, &mut store);
    fold::print_functions(&mut Names::of(&store, &roots), &model.folds)
}

/// The declared functions that a model gives values, as definitions.
pub fn print_functions(model: &HornModel) -> Vec<String> {
    let tables = model.funcs.iter();
    tables.map(|(&func, table)| reply::definition(&model.terms, func, table)).collect()
}

/// Everything that a model defines: functions on datatypes and declared ones if there are any, then one
/// definition per predicate.
pub fn print_interpretation(horn: &Horn, model: &HornModel) -> Vec<String> {
    let functions = print_folds(model).into_iter().chain(print_functions(model));
    functions.chain(print_definitions(horn, model)).collect()
}

/// The definitions of a model alone, for readers that do their own checking: one per declared
/// predicate, in the order of the file.
pub fn print_definitions(horn: &Horn, model: &HornModel) -> Vec<String> {
    let params = model.preds.iter().flat_map(|definition| definition.params.iter().copied());
    let bodies = model.preds.iter().map(|definition| definition.body);
    let mut names = Names::of(&model.terms, &params.chain(bodies).collect::<Vec<TermId>>());
    let all = horn.pred_ids().zip(&model.preds);
    all.map(|(pred, definition)| define(horn, &mut names, pred, definition)).collect()
}

/// The definition of a predicate as a command.
fn define(horn: &Horn, names: &mut Names, pred: PredId, definition: &Definition) -> String {
    let params: Vec<String> = (definition.params.iter())
        .map(|&param| format!("({})", names.show_variable(param)))
        .collect();
    let (name, params) = (quote(horn.pred_name(pred)), params.join(" "));
    let mut out = format!("(define-fun {name} ({params}) Bool\n  ");
    lay_out(&mut out, &names.show_readable(definition.body), 2);
    out + ")"
}

/// Appends the values of functions and the choices.
fn print_tables(out: &mut String, model: &HornModel) {
    let store = &model.terms;
    let mut printer = Printer::new(store.clone());
    let mut tables: Vec<String> = Vec::new();
    for (&func, table) in &model.funcs {
        let name = quote(store.name(store.func(func).name));
        tables.push(format!("function ({name}{})", printer.show_table(table)));
    }
    for (name, table) in choices(store, &model.choices) {
        tables.push(format!("choice ({name}{})", printer.show_table(table)));
    }
    for declaration in printer.declarations() {
        let _ = writeln!(out, "(set-info :alphorn-element ({declaration}))");
    }
    for table in tables {
        let _ = writeln!(out, "(set-info :alphorn-{table})");
    }
}

/// The choices a model makes, by the names they have in text.
fn choices<'m>(store: &Store, choices: &'m Choices) -> Vec<(String, &'m Table)> {
    let named = [("div", &choices.int_div), ("mod", &choices.modulo), ("/", &choices.real_div)];
    let mut list: Vec<(String, &Table)> =
        named.into_iter().filter_map(|(name, t)| Some((name.to_owned(), t.as_ref()?))).collect();
    for ((ctor, field), table) in &choices.fields {
        let ctor = store.ctor(*ctor);
        if let Some((selector, _)) = ctor.fields.get(*field as usize) {
            // Several datatypes may have selectors of this name.
            let sort = store.show_sort(store.data(ctor.data).sort);
            list.push((format!("select {} {sort}", quote(store.name(*selector))), table));
        }
    }
    list
}

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
    if probe.is_word("proof") {
        let (terms, proof) = proof::read_alone(horn.terms.clone(), &mut cursor)?;
        return Ok(Verdict::Unsafe(Derivation::refutation(terms, proof)));
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
    fn definition(&mut self, cursor: &mut Cursor<'_>) -> Fallible<()> {
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

    fn info(&mut self, cursor: &mut Cursor<'_>) -> Fallible<()> {
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

    fn proof(&mut self, cursor: &mut Cursor<'_>) -> Fallible<()> {
        cursor.open("a proof")?;
        word(cursor, "clause")?;
        let start = cursor.peek().start;
        let clause = cursor.small_numeral("the clause's number")? as usize;
        if clause >= self.proofs.len() {
            return wrong(cursor.span_from(start), "the problem has no such clause");
        }
        if matches!(self.proofs[clause], ClauseProof::Refute(_)) {
            return wrong(cursor.span_from(start), "this clause has two proofs");
        }
        let proof = self.reader.context.scoped(|context| proof::read(context, cursor))?;
        self.proofs[clause] = ClauseProof::Refute(proof);
        cursor.close("the end of the proof").map(|_| ())
    }

    fn function(&mut self, cursor: &mut Cursor<'_>) -> Fallible<()> {
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

    fn choice(&mut self, cursor: &mut Cursor<'_>) -> Fallible<()> {
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
