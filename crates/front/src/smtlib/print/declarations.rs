//! What a text must declare before it can mention terms: sorts, datatypes and functions.
//!
//! Only what is used is declared, in an order that does not depend on the numbers of the store,
//! so that printing what was read gives the same text.

use super::families::Families;
use super::sorts_within;
use alphorn_term::print::quote;
use alphorn_term::{DataId, FuncId, Sort, SortId, Store, SymbolId, TermId};
use rustc_hash::FxHashSet;
use std::fmt::Write;

/// Declarations that terms and functions need.
#[derive(Clone, Debug, Default)]
pub struct Declarations {
    /// Declared sorts and their numbers of arguments, in the order of use.
    pub sorts: Vec<(SymbolId, usize)>,
    /// Datatypes, in the order of the store.
    pub datas: Vec<DataId>,
    /// Functions, in the order given.
    pub funcs: Vec<FuncId>,
}

impl Declarations {
    /// What `terms` and `funcs` need; `funcs` are to include the functions of the terms.
    pub fn of(store: &Store, terms: &[TermId], funcs: &[FuncId]) -> Declarations {
        let mut order: Vec<SortId> = Vec::new();
        let mut seen: FxHashSet<SortId> = FxHashSet::default();
        let mut found: Vec<SortId> = Vec::new();
        let mut collect = |sort: SortId, order: &mut Vec<SortId>| {
            if seen.contains(&sort) {
                return;
            }
            sorts_within(store, sort, &mut found);
            order.extend(found.drain(..).filter(|&inner| seen.insert(inner)));
        };
        for &func in funcs {
            let func = store.func(func);
            func.args.iter().chain([&func.result]).for_each(|&sort| collect(sort, &mut order));
        }
        for term in store.subterms(terms) {
            collect(store.sort(term), &mut order);
        }
        // Datatypes lead to the sorts of their fields.
        let mut next = 0;
        while let Some(&sort) = order.get(next) {
            next += 1;
            if let Sort::Data(data) = store.sort_of(sort) {
                for &ctor in &store.data(*data).ctors {
                    for &(_, field) in &store.ctor(ctor).fields {
                        collect(field, &mut order);
                    }
                }
            }
        }
        let mut result = Declarations { funcs: funcs.to_vec(), ..Declarations::default() };
        for sort in order {
            match store.sort_of(sort) {
                Sort::Uninterpreted(name, args)
                    if !result.sorts.iter().any(|(known, _)| known == name) =>
                {
                    result.sorts.push((*name, args.len()));
                }
                Sort::Data(data) => result.datas.push(*data),
                _ => {}
            }
        }
        result.datas.sort_unstable();
        result
    }

    /// Appends the declarations.
    pub fn write(&self, store: &Store, out: &mut String) {
        for &(name, arity) in &self.sorts {
            let _ = writeln!(out, "(declare-sort {} {arity})", quote(store.name(name)));
        }
        Families::of(store, &self.datas).write(store, out);
        for &func in &self.funcs {
            let func = store.func(func);
            let args: Vec<String> = func.args.iter().map(|&sort| store.show_sort(sort)).collect();
            let (name, result) = (quote(store.name(func.name)), store.show_sort(func.result));
            let _ = writeln!(out, "(declare-fun {name} ({}) {result})", args.join(" "));
        }
    }
}
