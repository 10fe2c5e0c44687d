//! Instances of datatypes: the datatypes of the store.
//!
//! A datatype with parameters is a template. Each use at other sorts makes an instance, which is
//! a datatype of the store in its own right; its name and parameters print as the sort was
//! written. Instances are made breadth first through a queue, because a constructor's fields may
//! need further ones. Every instance must have a finite value, unless it is a codatatype.

use super::Fallible;
use super::context::Context;
use super::cursor::shorten;
use super::datatypes::{CtorTemplate, Datatype, malformed};
use super::sorts::SortMeaning;
use crate::diag::{Code, Diagnostic};
use alphorn_problem::Span;
use alphorn_term::{CtorId, DataId, Sort, SortId};
use std::collections::BTreeMap;

/// The most instances of datatypes in one script.
const MAX_INSTANCES: usize = 10_000;

impl Context {
    /// The sort of a datatype at these sorts.
    pub(super) fn data_instance(
        &mut self,
        data: usize,
        args: Vec<SortId>,
        span: Span,
    ) -> Fallible<SortId> {
        let id = self.declare_instance(data, args, span)?;
        if !self.datatypes.is_working {
            self.define_pending(span)?;
        }
        Ok(self.store.data(id).sort)
    }

    pub(super) fn declare_instance(
        &mut self,
        data: usize,
        args: Vec<SortId>,
        span: Span,
    ) -> Fallible<DataId> {
        if let Some(&id) = self.datatypes.list[data].instances.get(&args) {
            return Ok(id);
        }
        let datatype = &self.datatypes.list[data];
        let knows_fields = |ctors: &Vec<CtorTemplate>| {
            ctors.iter().all(|ctor| ctor.fields.iter().all(|(_, sort)| sort.is_some()))
        };
        let name = self.scope.text(datatype.name).to_owned();
        if !datatype.ctors.as_ref().is_some_and(knows_fields) {
            let message =
                format!("the datatype `{}` is not defined at these sorts", shorten(&name));
            return Err(malformed(span, message));
        }
        if self.datatypes.owner.len() >= MAX_INSTANCES {
            let message = format!("`{}` leads to too many instances of datatypes", shorten(&name));
            return Err(Box::new(Diagnostic::unsupported(Code::SmtDatatype, span, message)));
        }
        let is_co = datatype.is_co;
        let id = self.store.declare_data_or_codata(&name, &args, is_co);
        self.datatypes.list[data].instances.insert(args.clone(), id);
        self.datatypes.owner.insert(id, data);
        self.datatypes.pending.push_back((data, args, id));
        Ok(id)
    }

    /// Gives declared instances their constructors, and those they lead to.
    pub(super) fn define_pending(&mut self, span: Span) -> Fallible<()> {
        self.datatypes.is_working = true;
        let mut made = Vec::new();
        let mut result = Ok(());
        while let Some((data, args, id)) = self.datatypes.pending.pop_front() {
            made.push((data, args.clone(), id));
            result = self.define_instance(data, &args, id, span);
            if result.is_err() {
                break;
            }
        }
        self.datatypes.is_working = false;
        let result = result.and_then(|()| self.check_instances(&made, span));
        if result.is_err() {
            let failed = made.into_iter().chain(std::mem::take(&mut self.datatypes.pending));
            for (data, args, _) in failed {
                self.datatypes.list[data].instances.remove(&args);
            }
        }
        result
    }

    fn define_instance(
        &mut self,
        data: usize,
        args: &[SortId],
        id: DataId,
        span: Span,
    ) -> Fallible<()> {
        let templates = self.datatypes.list[data].ctors.clone().unwrap_or_default();
        let mut ctors: Vec<(String, Vec<(String, SortId)>)> = Vec::new();
        for ctor in &templates {
            let mut fields = Vec::new();
            for (selector, sort) in &ctor.fields {
                let Some(template) = sort else { continue };
                let sort = self.instantiate(template, args, span)?;
                fields.push((self.scope.text(*selector).to_owned(), sort));
            }
            ctors.push((self.scope.text(ctor.name).to_owned(), fields));
        }
        let ctors: Vec<(&str, Vec<(String, SortId)>)> =
            ctors.iter().map(|(name, fields)| (name.as_str(), fields.clone())).collect();
        self.store.define_data(id, &ctors);
        Ok(())
    }

    /// Every new instance has a value, and a finite one if it is no codatatype; a codatatype is inside itself by
    /// way of codatatypes alone.
    fn check_instances(
        &mut self,
        made: &[(usize, Vec<SortId>, DataId)],
        span: Span,
    ) -> Fallible<()> {
        let is_co = |id: &DataId| self.store.data(*id).is_co;
        let codatatypes = made.iter().map(|(_, _, id)| *id).filter(is_co);
        self.datatypes.finite.extend(codatatypes.collect::<Vec<_>>());
        loop {
            let before = self.datatypes.finite.len();
            for &(_, _, id) in made.iter().rev() {
                let ends = self.store.data(id).ctors.iter().any(|&ctor| {
                    let fields = &self.store.ctor(ctor).fields;
                    fields.iter().all(|&(_, sort)| self.is_inhabited(sort))
                });
                if ends {
                    self.datatypes.finite.insert(id);
                }
            }
            if self.datatypes.finite.len() == before {
                break;
            }
        }
        if let Some(&(data, _, _)) =
            made.iter().find(|(_, _, id)| !self.datatypes.finite.contains(id))
        {
            return Err(self.no_finite_value(data, span));
        }
        match made.iter().find(|(_, _, id)| self.is_nested(*id)) {
            Some(&(data, _, _)) => Err(self.nested(data, span)),
            None => Ok(()),
        }
    }

    /// Whether a codatatype is inside itself by way of a datatype or an array: what its values are would be
    /// another question.
    fn is_nested(&self, id: DataId) -> bool {
        let data = self.store.data(id);
        if !data.is_co {
            return false;
        }
        // Sorts, each with whether something else than a codatatype was on the way.
        let mut met = vec![(data.sort, false)];
        let mut at = 0;
        while let Some(&(sort, is_passed)) = met.get(at) {
            at += 1;
            let below: Vec<SortId> = match self.store.sort_of(sort) {
                Sort::Data(id) => {
                    let ctors = self.store.data(*id).ctors.iter();
                    let fields = ctors.flat_map(|ctor| &self.store.ctor(*ctor).fields);
                    fields.map(|(_, sort)| *sort).collect()
                }
                Sort::Array(index, element) => vec![*index, *element],
                _ => continue,
            };
            let is_passed = is_passed || self.store.codata_of(sort).is_none();
            if is_passed && below.contains(&data.sort) {
                return true;
            }
            for sort in below {
                if !met.contains(&(sort, is_passed)) {
                    met.push((sort, is_passed));
                }
            }
        }
        false
    }

    fn nested(&self, data: usize, span: Span) -> Box<Diagnostic> {
        let name = shorten(self.scope.text(self.datatypes.list[data].name));
        let message =
            format!("the codatatype `{name}` is inside itself below a datatype or an array");
        let hint = "declare what is in between as a codatatype with it";
        Box::new(Diagnostic::unsupported(Code::SmtDatatype, span, message).hint(hint))
    }

    fn is_inhabited(&self, sort: SortId) -> bool {
        match self.store.sort_of(sort) {
            Sort::Data(data) => self.datatypes.finite.contains(data),
            Sort::Array(_, element) => self.is_inhabited(*element),
            _ => true,
        }
    }

    /// Takes over the datatypes of the store; it has only sorts with values.
    pub(super) fn adopt_datatypes(&mut self) {
        for id in self.store.datas() {
            let data = self.store.data(id).clone();
            let name = self.store.name(data.name).to_owned();
            let name = self.scope.name(name.as_bytes());
            let known = self.datatypes.list.iter().position(|known| {
                known.name == name && known.arity == data.params.len() && known.arity > 0
            });
            let position = known.unwrap_or(self.datatypes.list.len());
            if known.is_none() {
                let ctors = self.adopted_constructors(&data.ctors);
                self.datatypes.list.push(Datatype {
                    name,
                    arity: data.params.len(),
                    is_co: data.is_co,
                    group: position,
                    ctors: Some(ctors.clone()),
                    instances: BTreeMap::new(),
                });
                self.sorts.declare(name, SortMeaning::Data(position));
                self.register_constructors(position, &ctors);
            }
            self.datatypes.list[position].instances.insert(data.params.clone(), id);
            self.datatypes.owner.insert(id, position);
            self.datatypes.finite.insert(id);
        }
    }

    fn adopted_constructors(&mut self, ctors: &[CtorId]) -> Vec<CtorTemplate> {
        let mut templates = Vec::new();
        for &ctor in ctors {
            let ctor = self.store.ctor(ctor).clone();
            let name = self.scope.name(self.store.name(ctor.name).as_bytes());
            let fields = ctor.fields.iter();
            let fields = fields
                .map(|(selector, _)| (self.scope.name(self.store.name(*selector).as_bytes()), None))
                .collect();
            templates.push(CtorTemplate { name, fields });
        }
        templates
    }
}
