//! Evidence about Horn systems as text.
//!
//! A model is a list of SMT-LIB definitions, one per predicate, as the competition's validators
//! read them. What only our checker needs stands in `set-info` commands, which others skip:
//!
//! ```text
//! (define-fun P ((x Int)) Bool (<= 0 x))
//! (set-info :alphorn-proof (clause 2 (var x Int) (atom 0 …) (step 0 …) …))
//! (set-info :alphorn-function (f (case (1) 2) (else 0)))
//! (set-info :alphorn-choice (div (else 0)))
//! ```
//!
//! A clause without a proof is checked by evaluation. A derivation is
//!
//! ```text
//! (derivation
//!   (step 0 (clause 0) (values 1 2) (premises))
//!   (step 1 (clause 3) (values 2) (premises 0)))
//! ```
//!
//! with values in the order of the clause's variables.

use super::{Fallible, outcome, proof, values, word, wrong};
use crate::diag::Read;
use crate::smtlib::{Context, Cursor, Kind};
use alphorn_problem::evidence::horn::{ClauseProof, Definition, Derivation, HornModel, Step};
use alphorn_problem::horn::{ClauseId, Head, Horn};
use alphorn_problem::{Span, Verdict};
use alphorn_term::eval::{Choices, Table};
use alphorn_term::print::quote;
use alphorn_term::{CtorId, Model, SortId, Store, TermId, Value, eval};
use std::collections::BTreeMap;
use std::fmt::Write;

/// A verdict's evidence as text.
pub fn print(horn: &Horn, verdict: &Verdict<Horn>) -> String {
    match verdict {
        Verdict::Safe(model) => print_model(horn, model),
        Verdict::Unsafe(derivation) => print_derivation(horn, derivation),
    }
}

fn print_model(horn: &Horn, model: &HornModel) -> String {
    let mut store = model.terms.clone();
    let mut out = String::new();
    for (pred, definition) in horn.pred_ids().zip(&model.preds) {
        let _ = write!(out, "(define-fun {} (", quote(horn.pred_name(pred)));
        for (position, &param) in definition.params.iter().enumerate() {
            let name = quote(store.var_name(param).unwrap_or_default());
            let space = if position > 0 { " " } else { "" };
            let _ = write!(out, "{space}({name} {})", store.show_sort(store.sort(param)));
        }
        let _ = writeln!(out, ") Bool\n  {})", store.show(definition.body));
    }
    for (&func, table) in &model.funcs {
        let name = quote(store.name(store.func(func).name));
        let table = values::show_table(&mut store, table);
        let _ = writeln!(out, "(set-info :alphorn-function ({name}{table}))");
    }
    for (name, table) in choices(&store, &model.choices) {
        let table = values::show_table(&mut store, table);
        let _ = writeln!(out, "(set-info :alphorn-choice ({name}{table}))");
    }
    for (clause, proof) in model.proofs.iter().enumerate() {
        if let ClauseProof::Refute(proof) = proof {
            let _ = writeln!(out, "(set-info :alphorn-proof (clause {clause}");
            proof::print(&mut out, &store, proof);
            out.push_str("))\n");
        }
    }
    out
}

/// The choices a model makes, by the names they have in text.
fn choices<'m>(store: &Store, choices: &'m Choices) -> Vec<(String, &'m Table)> {
    let named = [("div", &choices.int_div), ("mod", &choices.modulo), ("/", &choices.real_div)];
    let mut list: Vec<(String, &Table)> =
        named.into_iter().filter_map(|(name, t)| Some((name.to_owned(), t.as_ref()?))).collect();
    for ((ctor, field), table) in &choices.fields {
        let selector = store.ctor(*ctor).fields.get(*field as usize).map(|field| field.0);
        if let Some(selector) = selector {
            list.push((format!("select {}", quote(store.name(selector))), table));
        }
    }
    list
}

fn print_derivation(horn: &Horn, derivation: &Derivation) -> String {
    let mut store = horn.terms.clone();
    let mut out = String::from("(derivation");
    for (position, step) in derivation.steps.iter().enumerate() {
        let list: Vec<String> = step.values.iter().map(|v| values::show(&mut store, v)).collect();
        let premises: Vec<String> = step.premises.iter().map(usize::to_string).collect();
        let clause = step.clause.0;
        let _ = write!(out, "\n  (step {position} (clause {clause}) (values");
        list.iter().for_each(|value| {
            let _ = write!(out, " {value}");
        });
        out.push_str(") (premises");
        premises.iter().for_each(|premise| {
            let _ = write!(out, " {premise}");
        });
        out.push_str("))");
        if let Some(fact) = conclusion(horn, step, &mut store) {
            let _ = write!(out, " ; {fact}");
        }
    }
    out.push_str("\n)\n");
    out
}

/// What a step concludes, for the reader's eye.
fn conclusion(horn: &Horn, step: &Step, store: &mut Store) -> Option<String> {
    let clause = horn.clauses.get(step.clause.index())?;
    let Head::Atom(pred, args) = &clause.head else { return Some("false".to_owned()) };
    let mut model = Model::new();
    for (&var, value) in clause.vars.iter().zip(&step.values) {
        model.set(var, value.clone());
    }
    let values: Option<Vec<Value>> =
        args.iter().map(|&arg| eval(&horn.terms, arg, &model).ok()).collect();
    let mut fact = format!("({}", quote(horn.pred_name(*pred)));
    for value in values? {
        let _ = write!(fact, " {}", values::show(store, &value));
    }
    Some(fact + ")")
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
        return read_derivation(&mut cursor, horn).map(Verdict::Unsafe);
    }
    read_model(&mut cursor, horn).map(Verdict::Safe)
}

struct ModelReader<'h> {
    horn: &'h Horn,
    context: Context,
    definitions: Vec<Option<Definition>>,
    funcs: BTreeMap<alphorn_term::FuncId, Table>,
    choices: Choices,
    proofs: Vec<ClauseProof>,
}

fn read_model(cursor: &mut Cursor<'_>, horn: &Horn) -> Fallible<HornModel> {
    let mut reader = ModelReader {
        horn,
        context: Context::over(horn.terms.clone()),
        definitions: vec![None; horn.preds.len()],
        funcs: BTreeMap::new(),
        choices: Choices::default(),
        proofs: vec![ClauseProof::Evaluate; horn.clauses.len()],
    };
    let mut around = 0;
    loop {
        match cursor.peek().kind {
            Kind::End if around == 0 => break,
            Kind::Close if around > 0 => {
                cursor.take();
                around -= 1;
                continue;
            }
            _ => {}
        }
        cursor.open("a definition")?;
        if cursor.is_word("define-fun") {
            cursor.take();
            reader.definition(cursor)?;
            cursor.close("the end of the definition")?;
        } else if cursor.is_word("set-info") {
            cursor.take();
            reader.info(cursor)?;
            cursor.close("the end of the command")?;
        } else if around == 0 && (cursor.is_word("model") || cursor.peek().kind == Kind::Open) {
            if cursor.is_word("model") {
                cursor.take();
            }
            around += 1;
        } else if around == 0 && cursor.peek().kind == Kind::Close {
            cursor.take();
        } else {
            return Err(cursor.unexpected("`define-fun` or `set-info`"));
        }
    }
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
        terms: reader.context.into_store(),
        preds,
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
        let definition = self.context.scoped(|context| read_lambda(context, cursor))?;
        self.definitions[pred.index()] = Some(definition);
        Ok(())
    }

    fn info(&mut self, cursor: &mut Cursor<'_>) -> Fallible<()> {
        let keyword = cursor.take();
        match (keyword.kind, cursor.text_of(keyword)) {
            (Kind::Keyword, ":alphorn-proof") => self.proof(cursor),
            (Kind::Keyword, ":alphorn-function") => self.function(cursor),
            (Kind::Keyword, ":alphorn-choice") => self.choice(cursor),
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
        let proof = self.context.scoped(|context| proof::read(context, cursor))?;
        self.proofs[clause] = ClauseProof::Refute(proof);
        cursor.close("the end of the proof").map(|_| ())
    }

    fn function(&mut self, cursor: &mut Cursor<'_>) -> Fallible<()> {
        cursor.open("a function")?;
        let name = cursor.symbol("the function's name")?;
        let text = cursor.text_of(name);
        let store = self.context.store();
        let func = store.funcs().filter(|&f| store.name(store.func(f).name) == text).last();
        let Some(func) = func.filter(|&func| self.horn.pred_of(func).is_none()) else {
            return wrong(name.span(), "the problem has no function of this name");
        };
        let decl = store.func(func).clone();
        let table = values::read_table(&mut self.context, cursor, &decl.args, decl.result)?;
        self.funcs.insert(func, table);
        cursor.close("the end of the function").map(|_| ())
    }

    fn choice(&mut self, cursor: &mut Cursor<'_>) -> Fallible<()> {
        cursor.open("a choice")?;
        let name = cursor.symbol("div, mod, / or select")?;
        let (int, real) = (SortId::INT, SortId::REAL);
        match cursor.text_of(name) {
            "div" => {
                let table = values::read_table(&mut self.context, cursor, &[int], int)?;
                self.choices.int_div = Some(table);
            }
            "mod" => {
                let table = values::read_table(&mut self.context, cursor, &[int], int)?;
                self.choices.modulo = Some(table);
            }
            "/" => {
                let table = values::read_table(&mut self.context, cursor, &[real], real)?;
                self.choices.real_div = Some(table);
            }
            "select" => {
                let selector = cursor.symbol("the selector's name")?;
                let found = find_selector(self.context.store(), cursor.text_of(selector));
                let Some((ctor, field)) = found else {
                    return wrong(selector.span(), "there is no such selector");
                };
                let store = self.context.store();
                let data = store.data(store.ctor(ctor).data).sort;
                let result = store.ctor(ctor).fields[field as usize].1;
                let table = values::read_table(&mut self.context, cursor, &[data], result)?;
                self.choices.fields.insert((ctor, field), table);
            }
            _ => return wrong(name.span(), "a choice is for div, mod, / or select"),
        }
        cursor.close("the end of the choice").map(|_| ())
    }
}

/// Reads parameters, the sort Bool and a body.
fn read_lambda(context: &mut Context, cursor: &mut Cursor<'_>) -> Fallible<Definition> {
    let mut params: Vec<TermId> = Vec::new();
    cursor.open("the parameters")?;
    while cursor.peek().kind != Kind::Close {
        cursor.open("a parameter")?;
        let name = cursor.symbol("the parameter's name")?;
        let sort = context.parse_sort(cursor)?;
        let var = context.store_mut().var(cursor.text_of(name), sort);
        context.bind(cursor.text_of(name), var);
        params.push(var);
        cursor.close("the end of the parameter")?;
    }
    cursor.take();
    let start = cursor.peek().start;
    if context.parse_sort(cursor)? != SortId::BOOL {
        return wrong(cursor.span_from(start), "a predicate's value has sort Bool");
    }
    let body = context.parse_term(cursor)?;
    Ok(Definition { params, body })
}

/// The selector of this name; of the first datatype that has one.
fn find_selector(store: &Store, name: &str) -> Option<(CtorId, u32)> {
    let ctors = store.datas().flat_map(|data| store.data(data).ctors.clone());
    ctors.into_iter().find_map(|ctor| {
        let fields = &store.ctor(ctor).fields;
        let field = fields.iter().position(|(field, _)| store.name(*field) == name)?;
        Some((ctor, u32::try_from(field).ok()?))
    })
}

fn read_derivation(cursor: &mut Cursor<'_>, horn: &Horn) -> Fallible<Derivation> {
    let mut context = Context::over(horn.terms.clone());
    cursor.open("a derivation")?;
    cursor.take();
    let mut steps: Vec<Step> = Vec::new();
    while cursor.peek().kind != Kind::Close {
        cursor.open("a step")?;
        word(cursor, "step")?;
        let start = cursor.peek().start;
        if cursor.small_numeral("the step's number")? as usize != steps.len() {
            return wrong(cursor.span_from(start), format!("the next step is {}", steps.len()));
        }
        cursor.open("`(clause …)`")?;
        word(cursor, "clause")?;
        let start = cursor.peek().start;
        let clause = ClauseId(cursor.small_numeral("the clause's number")?);
        let Some(vars) = horn.clauses.get(clause.index()).map(|clause| &clause.vars) else {
            return wrong(cursor.span_from(start), "the problem has no such clause");
        };
        cursor.close("the end of the clause")?;
        cursor.open("`(values …)`")?;
        word(cursor, "values")?;
        let mut list = Vec::with_capacity(vars.len());
        for &var in vars {
            list.push(values::read(&mut context, cursor, horn.terms.sort(var))?);
        }
        cursor.close("the end of the values")?;
        cursor.open("`(premises …)`")?;
        word(cursor, "premises")?;
        let mut premises = Vec::new();
        while cursor.peek().kind != Kind::Close {
            premises.push(cursor.small_numeral("a step")? as usize);
        }
        cursor.take();
        cursor.close("the end of the step")?;
        steps.push(Step { clause, values: list, premises });
    }
    cursor.take();
    match cursor.peek().kind {
        Kind::End => Ok(Derivation { steps }),
        _ => Err(cursor.unexpected("the end")),
    }
}
