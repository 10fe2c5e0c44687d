//! Folds of a model as text.
//!
//! The functions are SMT-LIB's recursive functions, all in one command as they may use one another, each
//! a `match` with a case per constructor. Laws are for our checker alone:
//!
//! ```text
//! (define-funs-rec ((length ((x List)) Int)) ((match x ((nil 0) ((cons h t) (+ 1 (length t)))))))
//! (set-info :alphorn-law (0 (v List) (<= 0 (length v)) (case () …) (case ((h Int) (t List)) …)))
//! ```
//!
//! where the lines of a proof follow the fields of a case. Where levels are not all zero,
//! `(set-info :alphorn-levels (0 1))` says them.

use super::layout::lay_out;
use super::names::Names;
use super::{Fallible, proof, word, wrong};
use crate::smtlib::{Context, Cursor, Kind};
use alphorn_problem::evidence::fold::{Fold, FoldCase, Folds, Law, LawCase};
use alphorn_problem::obligation::fold::{axioms, constructors};
use alphorn_term::print::quote;
use alphorn_term::{CtorId, SortId, Store, TermId};
use std::fmt::Write;

/// The terms that folds mention, for names.
pub fn mentioned(folds: &Folds, store: &mut Store) -> Vec<TermId> {
    let mut terms = axioms(folds, store);
    for law in &folds.laws {
        for case in &law.cases {
            terms.extend(&case.fields);
            terms.extend(proof::mentioned(&case.proof));
        }
    }
    terms
}

/// The functions as a command; nothing if there are none.
pub fn print_functions(names: &mut Names, folds: &Folds) -> Option<String> {
    if folds.functions.is_empty() {
        return None;
    }
    let (mut heads, mut bodies, mut levels) = (Vec::new(), Vec::new(), Vec::new());
    for fold in &folds.functions {
        let decl = names.store.func(fold.func).clone();
        let name = quote(names.store.name(decl.name)).to_string();
        let sort = decl.args.first().copied().unwrap_or(SortId::BOOL);
        let (of, result) = (names.store.show_sort(sort), names.store.show_sort(decl.result));
        let params: String =
            fold.params.iter().map(|&param| format!(" ({})", names.show_variable(param))).collect();
        heads.push(format!("({name} ((x {of}){params}) {result})"));
        levels.push(fold.level.to_string());
        let mut cases = Vec::new();
        for (ctor, case) in constructors(&names.store, sort).into_iter().zip(&fold.cases) {
            let ctor = quote(names.store.name(names.store.ctor(ctor).name)).to_string();
            let fields: Vec<String> = case.fields.iter().map(|&field| names.show(field)).collect();
            let pattern = match fields.is_empty() {
                true => ctor,
                false => format!("({ctor} {})", fields.join(" ")),
            };
            cases.push(format!("({pattern} {})", names.show(case.value)));
        }
        bodies.push(format!("(match x ({}))", cases.join(" ")));
    }
    let mut out = format!("(define-funs-rec\n  ({})\n  (", heads.join("\n   "));
    for (at, body) in bodies.iter().enumerate() {
        out.push_str(if at == 0 { "" } else { "\n   " });
        lay_out(&mut out, body, 3);
    }
    out.push_str("))");
    if levels.iter().any(|level| level != "0") {
        let _ = write!(out, "\n(set-info :alphorn-levels ({}))", levels.join(" "));
    }
    Some(out)
}

/// Reads the levels of the functions read so far.
pub fn read_levels(cursor: &mut Cursor<'_>, functions: &mut [Fold]) -> Fallible<()> {
    cursor.open("the levels")?;
    for fold in functions {
        fold.level = cursor.small_numeral("a level for each function")?;
    }
    cursor.close("the end of the levels").map(|_| ())
}

/// Appends the laws.
pub fn print_laws(out: &mut String, names: &mut Names, folds: &Folds) {
    for law in &folds.laws {
        let var = names.show_variable(law.var);
        let _ = write!(
            out,
            "(set-info :alphorn-law ({} ({var}) {}",
            law.level,
            names.show(law.formula)
        );
        for case in &law.cases {
            let fields: Vec<String> = case
                .fields
                .iter()
                .map(|&field| format!("({})", names.show_variable(field)))
                .collect();
            let _ = writeln!(out, "\n (case ({})", fields.join(" "));
            proof::print(out, names, &case.proof);
            out.push(')');
        }
        out.push_str("))\n");
    }
}

/// Reads the functions after `define-funs-rec`, and declares them.
pub fn read_functions(context: &mut Context, cursor: &mut Cursor<'_>) -> Fallible<Vec<Fold>> {
    let mut heads = Vec::new();
    cursor.open("the list of functions")?;
    while cursor.eat(Kind::Close).is_none() {
        cursor.open("a function")?;
        let token = cursor.symbol("the function's name")?;
        let name = cursor.text_of(token);
        if context.is_declared(name) {
            return wrong(token.span(), "this name means something already");
        }
        cursor.open("the parameter")?;
        cursor.open("the parameter's name")?;
        let param = cursor.symbol("the parameter's name")?;
        let sort = context.parse_sort(cursor)?;
        cursor.close("the end of the parameter")?;
        let mut params = Vec::new();
        while cursor.eat(Kind::Close).is_none() {
            let name = cursor.text_of(Cursor::at(cursor.text(), cursor.peek().end as usize).peek());
            params.push((name, context.scoped(|context| read_field(context, cursor))?));
        }
        let result = context.parse_sort(cursor)?;
        cursor.close("the end of the function")?;
        if constructors(context.store(), sort).is_empty() {
            return wrong(param.span(), "a recursive function has a parameter of a datatype");
        }
        let others: Vec<SortId> =
            params.iter().map(|&(_, var)| context.store().sort(var)).collect();
        let func = context.store_mut().declare(name, &[&[sort], &others[..]].concat(), result);
        context.declare_func(func);
        heads.push((func, sort, cursor.text_of(param), params));
    }
    let mut folds = Vec::with_capacity(heads.len());
    cursor.open("the list of definitions")?;
    for (func, sort, param, params) in heads {
        let cases = context.scoped(|context| {
            for &(name, var) in &params {
                context.bind(name, var);
            }
            read_match(context, cursor, sort, param)
        })?;
        let params = params.into_iter().map(|(_, var)| var).collect();
        folds.push(Fold { func, level: 0, params, cases });
    }
    cursor.close("the end of the definitions")?;
    Ok(folds)
}

/// Reads a `match` of a parameter with a case per constructor, in their order.
fn read_match(
    context: &mut Context,
    cursor: &mut Cursor<'_>,
    sort: SortId,
    param: &str,
) -> Fallible<Vec<FoldCase>> {
    cursor.open("`(match …)`")?;
    word(cursor, "match")?;
    let token = cursor.symbol("the parameter")?;
    if cursor.text_of(token) != param {
        return wrong(token.span(), "the parameter is what is matched");
    }
    cursor.open("the list of cases")?;
    let mut cases = Vec::new();
    for ctor in constructors(context.store(), sort) {
        cursor.open("a case for each constructor")?;
        let case = context.scoped(|context| {
            let fields = read_pattern(context, cursor, ctor)?;
            let value = context.parse_term(cursor)?;
            Ok(FoldCase { fields, value })
        })?;
        cases.push(case);
        cursor.close("the end of the case")?;
    }
    cursor.close("the end of the cases")?;
    cursor.close("the end of `match`")?;
    Ok(cases)
}

/// Reads a constructor with variables for its fields.
fn read_pattern(
    context: &mut Context,
    cursor: &mut Cursor<'_>,
    ctor: CtorId,
) -> Fallible<Vec<TermId>> {
    let has_fields = cursor.eat(Kind::Open).is_some();
    let token = cursor.symbol("a constructor")?;
    let name = context.store().name(context.store().ctor(ctor).name).to_owned();
    if cursor.text_of(token) != name {
        return wrong(token.span(), format!("the next constructor is {}", quote(&name)));
    }
    let sorts: Vec<SortId> = context.store().ctor(ctor).fields.iter().map(|(_, s)| *s).collect();
    let mut fields = Vec::with_capacity(sorts.len());
    if has_fields {
        for sort in sorts {
            let token = cursor.symbol("a variable for each field")?;
            let var = context.variable(cursor.text_of(token), sort);
            context.bind(cursor.text_of(token), var);
            fields.push(var);
        }
        cursor.close("the end of the fields")?;
    }
    Ok(fields)
}

/// Reads a law and its cases.
pub fn read_law(context: &mut Context, cursor: &mut Cursor<'_>) -> Fallible<Law> {
    cursor.open("a law")?;
    let level = cursor.small_numeral("the law's level")?;
    let law = context.scoped(|context| {
        let var = read_field(context, cursor)?;
        let formula = context.parse_term(cursor)?;
        Ok(Law { level, var, formula, cases: Vec::new() })
    });
    let mut law = law?;
    while cursor.eat(Kind::Close).is_none() {
        cursor.open("a case")?;
        word(cursor, "case")?;
        let case = context.scoped(|context| {
            cursor.open("the fields")?;
            let mut fields = Vec::new();
            while cursor.eat(Kind::Close).is_none() {
                fields.push(read_field(context, cursor)?);
            }
            Ok(LawCase { fields, proof: proof::read(context, cursor)? })
        })?;
        law.cases.push(case);
        cursor.close("the end of the case")?;
    }
    Ok(law)
}

/// Reads a variable with its sort.
fn read_field(context: &mut Context, cursor: &mut Cursor<'_>) -> Fallible<TermId> {
    cursor.open("a variable with its sort")?;
    let token = cursor.symbol("the variable's name")?;
    let sort = context.parse_sort(cursor)?;
    let var = context.variable(cursor.text_of(token), sort);
    context.bind(cursor.text_of(token), var);
    cursor.close("the end of the variable")?;
    Ok(var)
}
