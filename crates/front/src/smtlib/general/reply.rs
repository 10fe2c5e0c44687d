//! Replies: values, models and strings in the notation of SMT-LIB 2.7.
//!
//! Elements of declared sorts have no notation of their own; they are printed as abstract values,
//! `(as @U_0 U)`. A function is printed as a definition by cases over its table.
//!
//! - `tree`: values of codatatypes

mod tree;

use alphorn_term::eval::{Elsewhere, Table};
use alphorn_term::print::quote;
use alphorn_term::{CtorId, FuncId, Model, Sort, SortId, Store, TermId, Value};
use std::fmt::Write;

/// A text as a string literal.
pub fn string(text: &str) -> String {
    format!("\"{}\"", text.replace('"', "\"\""))
}

/// A value of a sort as a term.
pub fn value(store: &Store, value: &Value, sort: SortId) -> String {
    let mut printer = Printer { store, literals: Store::new() };
    let mut out = String::new();
    printer.value(&mut out, value, sort);
    out
}

/// The values of functions as definitions, one per line. A function that the model leaves out is
/// free, and gets a value of its sort that is always the same.
pub fn model(store: &Store, funcs: &[FuncId], model: &Model) -> String {
    let mut printer = Printer { store, literals: Store::new() };
    let mut out = String::from("(\n");
    for &func in funcs {
        out.push_str("  ");
        printer.definition(&mut out, func, model.funcs.get(&func));
        out.push('\n');
    }
    out.push(')');
    out
}

/// The definitions of a Horn system's model as a model, with the end of its line.
pub fn horn_model(definitions: &[String]) -> String {
    let mut out = String::from("(\n");
    for definition in definitions {
        out.push_str(definition);
        out.push('\n');
    }
    out + ")\n"
}

/// The values of one function as a definition.
pub fn definition(store: &Store, func: FuncId, table: &Table) -> String {
    let mut out = String::new();
    Printer { store, literals: Store::new() }.definition(&mut out, func, Some(table));
    out
}

struct Printer<'a> {
    store: &'a Store,
    /// Where literals are made in order to be printed.
    literals: Store,
}

impl Printer<'_> {
    fn definition(&mut self, out: &mut String, func: FuncId, table: Option<&Table>) {
        let store = self.store;
        let decl = store.func(func);
        let params: Vec<String> = self.parameters(decl.args.len());
        let _ = write!(out, "(define-fun {} (", quote(store.name(decl.name)));
        for (position, (param, &sort)) in params.iter().zip(&decl.args).enumerate() {
            let space = if position > 0 { " " } else { "" };
            let _ = write!(out, "{space}({param} {})", store.show_sort(sort));
        }
        let _ = write!(out, ") {} ", store.show_sort(decl.result));
        if let Some(table) = table.filter(|table| table.elsewhere != Elsewhere::Same)
            && let Some(body) = self.formula(table, &params, &decl.args)
        {
            let _ = write!(out, "{body})");
            return;
        }
        let default = table.and_then(|table| table.default.clone());
        let default = default.or_else(|| Value::default_of(store, decl.result));
        let entries = table.into_iter().flat_map(|table| &table.entries);
        let mut open = 0;
        for (args, result) in entries.filter(|(_, result)| Some(*result) != default.as_ref()) {
            if args.is_empty() {
                self.value(out, result, decl.result);
                let _ = write!(out, "{})", ")".repeat(open));
                return;
            }
            out.push_str("(ite ");
            self.condition(out, &params, args, &decl.args);
            out.push(' ');
            self.value(out, result, decl.result);
            out.push(' ');
            open += 1;
        }
        match default {
            Some(default) => self.value(out, &default, decl.result),
            None => out.push('?'),
        }
        let _ = write!(out, "{})", ")".repeat(open));
    }

    /// A table that is more than its cases and a value, as a term.
    fn formula(&self, table: &Table, params: &[String], sorts: &[SortId]) -> Option<String> {
        let mut store = self.store.clone();
        let args: Vec<TermId> =
            params.iter().zip(sorts).map(|(name, sort)| store.var(name, *sort)).collect();
        let literal = &mut |store: &mut Store, value: &Value| store.value_term(value);
        let term = store.table_term(table, &args, None, literal)?;
        Some(store.show_readable(term))
    }

    /// Names that nothing in the store has.
    fn parameters(&self, count: usize) -> Vec<String> {
        let mut names = Vec::with_capacity(count);
        let mut number = 0;
        while names.len() < count {
            number += 1;
            let name = format!("x!{number}");
            if self.store.find_symbol(&name).is_none() {
                names.push(name);
            }
        }
        names
    }

    fn condition(&mut self, out: &mut String, params: &[String], args: &[Value], sorts: &[SortId]) {
        let is_one = args.len() == 1;
        if !is_one {
            out.push_str("(and");
        }
        for ((param, arg), &sort) in params.iter().zip(args).zip(sorts) {
            let space = if is_one { "" } else { " " };
            let _ = write!(out, "{space}(= {param} ");
            self.value(out, arg, sort);
            out.push(')');
        }
        if !is_one {
            out.push(')');
        }
    }

    /// Recurses on values, whose depth is bounded.
    fn value(&mut self, out: &mut String, value: &Value, sort: SortId) {
        let store = self.store;
        match value {
            Value::Element(own, number) => {
                let shown = store.show_sort(*own);
                let stem = match store.sort_of(*own) {
                    Sort::Uninterpreted(symbol, args) if args.is_empty() => store.name(*symbol),
                    _ => shown.as_str(),
                };
                let name = quote(&format!("@{}_{number}", stem.replace(['|', '\\'], "_")));
                let _ = write!(out, "(as {name} {shown})");
            }
            Value::Array(array) => {
                let &Sort::Array(index, element) = store.sort_of(sort) else {
                    return out.push('?');
                };
                let entries: Vec<_> = array.entries().collect();
                out.push_str(&"(store ".repeat(entries.len()));
                let _ = write!(out, "((as const {}) ", store.show_sort(sort));
                self.value(out, array.default(), element);
                out.push(')');
                for (at, value) in entries {
                    out.push(' ');
                    self.value(out, at, index);
                    out.push(' ');
                    self.value(out, value, element);
                    out.push(')');
                }
            }
            Value::Data(data) => {
                let ctor = store.ctor(data.ctor);
                let head = self.constructor(data.ctor);
                if data.args.is_empty() {
                    return out.push_str(&head);
                }
                let _ = write!(out, "({head}");
                for (arg, &(_, sort)) in data.args.iter().zip(&ctor.fields) {
                    out.push(' ');
                    self.value(out, arg, sort);
                }
                out.push(')');
            }
            Value::Codata(tree) => tree::write(self, out, tree),
            literal => match self.literals.value_term(literal) {
                Some(term) => self.literals.write_term(out, term),
                None => out.push('?'),
            },
        }
    }

    /// With its sort where the name alone need not say which one is meant.
    fn constructor(&self, ctor: CtorId) -> String {
        let store = self.store;
        let own = store.ctor(ctor);
        let data = store.data(own.data);
        let name = quote(store.name(own.name));
        let mut others = store.datas().filter(|&other| other != own.data);
        let is_shared = others.any(|other| {
            store.data(other).ctors.iter().any(|&ctor| store.ctor(ctor).name == own.name)
        });
        if data.params.is_empty() && !is_shared {
            return name;
        }
        format!("(as {name} {})", store.show_sort(data.sort))
    }
}
