//! Templates of sorts with sorts for their parameters, within limits of size and depth.

use super::{MAX_SORT_NODES, Template, too_large};
use crate::smtlib::Fallible;
use crate::smtlib::context::Context;
use alphorn_problem::Span;
use alphorn_term::{Sort, SortId};

impl Context {
    /// The sort a template comes to for these arguments.
    pub(in crate::smtlib) fn instantiate(
        &mut self,
        template: &Template,
        args: &[SortId],
        span: Span,
    ) -> Fallible<SortId> {
        let sort = match template {
            Template::Sort(sort) => return Ok(*sort),
            Template::Param(position) => match args.get(*position) {
                Some(&sort) => return Ok(sort),
                None => return Err(too_large(span)),
            },
            Template::Array(index, element) => {
                let index = self.instantiate(index, args, span)?;
                let element = self.instantiate(element, args, span)?;
                self.check_size(&[index, element], span)?;
                self.store.array_sort(index, element)
            }
            Template::Declared(name, inner) => {
                let inner = self.instantiate_all(inner, args, span)?;
                self.check_size(&inner, span)?;
                let symbol = self.store.symbol(self.scope.text(*name));
                self.store.sort_id(Sort::Uninterpreted(symbol, inner))
            }
            Template::Data(data, inner) => {
                let inner = self.instantiate_all(inner, args, span)?;
                self.check_size(&inner, span)?;
                self.data_instance(*data, inner, span)?
            }
        };
        Ok(sort)
    }

    fn instantiate_all(
        &mut self,
        templates: &[Template],
        args: &[SortId],
        span: Span,
    ) -> Fallible<Vec<SortId>> {
        templates.iter().map(|template| self.instantiate(template, args, span)).collect()
    }

    fn check_size(&mut self, parts: &[SortId], span: Span) -> Fallible<()> {
        let total: usize = 1 + parts.iter().map(|&part| self.sort_size(part)).sum::<usize>();
        if total > MAX_SORT_NODES { Err(too_large(span)) } else { Ok(()) }
    }

    /// The size of a sort written out; parts are bounded, so this recursion is too.
    fn sort_size(&mut self, sort: SortId) -> usize {
        if let Some(&size) = self.sorts.sizes.get(&sort) {
            return size;
        }
        let parts = match self.store.sort_of(sort) {
            Sort::Array(index, element) => vec![*index, *element],
            Sort::Uninterpreted(_, args) => args.clone(),
            Sort::Data(data) => self.store.data(*data).params.clone(),
            _ => Vec::new(),
        };
        let size = 1 + parts.into_iter().map(|part| self.sort_size(part)).sum::<usize>();
        self.sorts.sizes.insert(sort, size);
        size
    }
}

/// `body` with templates for its parameters; `None` when it becomes too large.
pub(super) fn expand(body: &Template, args: &[Template], budget: &mut usize) -> Option<Template> {
    *budget = budget.checked_sub(1)?;
    let mut all = |parts: &[Template]| -> Option<Vec<Template>> {
        parts.iter().map(|part| expand(part, args, budget)).collect()
    };
    Some(match body {
        Template::Sort(sort) => Template::Sort(*sort),
        Template::Param(position) => {
            let arg = args.get(*position)?;
            *budget = budget.checked_sub(nodes(arg))?;
            arg.clone()
        }
        Template::Array(index, element) => {
            let index = expand(index, args, budget)?;
            let element = expand(element, args, budget)?;
            Template::Array(Box::new(index), Box::new(element))
        }
        Template::Declared(name, parts) => Template::Declared(*name, all(parts)?),
        Template::Data(data, parts) => Template::Data(*data, all(parts)?),
    })
}

fn nodes(template: &Template) -> usize {
    match template {
        Template::Sort(_) | Template::Param(_) => 1,
        Template::Array(index, element) => 1 + nodes(index) + nodes(element),
        Template::Declared(_, parts) | Template::Data(_, parts) => {
            1 + parts.iter().map(nodes).sum::<usize>()
        }
    }
}
