//! Which constructor or selector an application means.
//!
//! A constructor with parameters finds its instance by matching the sorts of its fields against
//! those of its arguments. Where that leaves a choice the text must say `(as c Sort)`, and we say
//! so instead of guessing.

use super::Fallible;
use super::context::Context;
use super::cursor::shorten;
use super::datatypes::Candidate;
use super::heaps::not_treated;
use super::operators::{Place, fit, sort_error};
use super::scope::NameId;
use super::sorts::Template;
use crate::diag::{Code, Diagnostic};
use alphorn_problem::Span;
use alphorn_term::{CtorId, DataId, Op, Sort, SortId, TermId};

impl Context {
    /// The datatype of a sort.
    pub(super) fn data_of(&self, sort: SortId) -> Option<DataId> {
        match self.store.sort_of(sort) {
            Sort::Data(data) => Some(*data),
            _ => None,
        }
    }

    /// The constructor of this name in a datatype.
    pub(super) fn constructor_in(&self, name: NameId, data: DataId) -> Option<CtorId> {
        let owner = self.datatypes.owner.get(&data)?;
        self.datatypes.candidates(name).iter().find_map(|candidate| match candidate {
            Candidate::Ctor(datatype, position) if datatype == owner => {
                self.store.data(data).ctors.get(*position).copied()
            }
            _ => None,
        })
    }

    /// The selector of this name in a datatype.
    fn selector_in(&self, name: NameId, data: DataId) -> Option<Op> {
        let owner = self.datatypes.owner.get(&data)?;
        self.datatypes.candidates(name).iter().find_map(|candidate| match candidate {
            Candidate::Selector(datatype, position, field) if datatype == owner => {
                let ctor = *self.store.data(data).ctors.get(*position)?;
                Some(Op::Field(ctor, *field as u32))
            }
            _ => None,
        })
    }

    /// A constructor or selector applied.
    pub(super) fn apply_data(
        &mut self,
        name: NameId,
        args: &mut [TermId],
        place: &Place<'_>,
    ) -> Fallible<TermId> {
        if let [arg] = *args
            && let Some(data) = self.data_of(self.store.sort(arg))
            && let Some(op @ Op::Field(ctor, _)) = self.selector_in(name, data)
        {
            let field = self.store.mk(op, &[arg]);
            return self.field_in_heap(ctor, field, arg, place.whole, place.name);
        }
        // The usual case costs no search: one constructor of this name, no parameters.
        if let [Candidate::Ctor(data, position)] = *self.datatypes.candidates(name)
            && self.datatypes.arity(data) == 0
            && let Some(&id) = self.datatypes.list[data].instances.values().next()
            && let Some(&ctor) = self.store.data(id).ctors.get(position)
        {
            return self.construct(ctor, args, place);
        }
        let mut found: Vec<CtorId> = Vec::new();
        for candidate in self.datatypes.candidates(name).to_vec() {
            if let Candidate::Ctor(data, position) = candidate {
                found.extend(self.fitting(data, position, args, place.whole)?);
            }
        }
        match *found.as_slice() {
            [ctor] => self.construct(ctor, args, place),
            [] => Err(self.unresolved(name, args, place)),
            _ => Err(ambiguous(place)),
        }
    }

    /// A known constructor applied.
    pub(super) fn construct(
        &mut self,
        ctor: CtorId,
        args: &mut [TermId],
        place: &Place<'_>,
    ) -> Fallible<TermId> {
        let sorts: Vec<SortId> = self.store.ctor(ctor).fields.iter().map(|field| field.1).collect();
        fit(&mut self.store, args, &sorts);
        let result = self.store.app(Op::Construct(ctor), args);
        result.map_err(|error| {
            let diagnostic = sort_error(&self.store, place, &error, |index| index);
            Box::new(diagnostic.hint(self.fields_of(ctor)))
        })
    }

    /// The fields of a constructor, in a sentence.
    fn fields_of(&self, ctor: CtorId) -> String {
        let ctor = self.store.ctor(ctor);
        let sorts = ctor.fields.iter().map(|&(name, sort)| {
            format!("({} {})", self.store.name(name), self.store.show_sort(sort))
        });
        let fields: Vec<String> = sorts.collect();
        match fields.is_empty() {
            true => "it has no fields".to_owned(),
            false => format!("its fields are {}", shorten(&fields.join(" "))),
        }
    }

    /// The instances' constructors that take these arguments.
    fn fitting(
        &mut self,
        data: usize,
        position: usize,
        args: &[TermId],
        span: Span,
    ) -> Fallible<Vec<CtorId>> {
        let datatype = &self.datatypes.list[data];
        let template = datatype.ctors.as_ref().and_then(|ctors| ctors.get(position)).cloned();
        let Some(template) = template.filter(|template| template.fields.len() == args.len()) else {
            return Ok(Vec::new());
        };
        let sorts: Option<Vec<&Template>> =
            template.fields.iter().map(|(_, sort)| sort.as_ref()).collect();
        let mut instances: Vec<DataId> = Vec::new();
        if let Some(templates) = sorts.filter(|_| datatype.arity > 0) {
            let mut bound = vec![None; datatype.arity];
            let fits = templates
                .iter()
                .zip(args)
                .all(|(template, &arg)| self.matches(template, self.store.sort(arg), &mut bound));
            if let Some(params) = bound.into_iter().collect::<Option<Vec<SortId>>>()
                && fits
            {
                let sort = self.data_instance(data, params, span)?;
                instances.extend(self.data_of(sort));
            }
        } else {
            instances.extend(datatype.instances.values());
        }
        let ctors = instances.iter().filter_map(|&id| self.store.data(id).ctors.get(position));
        Ok(ctors.copied().filter(|&ctor| self.takes(ctor, args)).collect())
    }

    fn takes(&self, ctor: CtorId, args: &[TermId]) -> bool {
        let fields = &self.store.ctor(ctor).fields;
        fields.len() == args.len()
            && fields.iter().zip(args).all(|(&(_, wants), &arg)| {
                let got = self.store.sort(arg);
                wants == got || (wants == SortId::REAL && got == SortId::INT)
            })
    }

    /// Whether `sort` is an instance of a template; finds the parameters.
    fn matches(&self, template: &Template, sort: SortId, bound: &mut [Option<SortId>]) -> bool {
        let all = |templates: &[Template], sorts: &[SortId], bound: &mut [Option<SortId>]| {
            templates.len() == sorts.len()
                && templates.iter().zip(sorts).all(|(t, &s)| self.matches(t, s, bound))
        };
        match (template, self.store.sort_of(sort)) {
            (Template::Sort(wants), _) => {
                *wants == sort || (*wants == SortId::REAL && sort == SortId::INT)
            }
            (Template::Param(position), _) => match bound.get_mut(*position) {
                Some(slot) => *slot.get_or_insert(sort) == sort,
                None => false,
            },
            (Template::Array(index, element), &Sort::Array(from, to)) => {
                self.matches(index, from, bound) && self.matches(element, to, bound)
            }
            (Template::Declared(name, templates), Sort::Uninterpreted(symbol, sorts)) => {
                self.scope.text(*name) == self.store.name(*symbol) && all(templates, sorts, bound)
            }
            (Template::Data(data, templates), Sort::Data(id)) => {
                self.datatypes.owner.get(id) == Some(data)
                    && all(templates, &self.store.data(*id).params, bound)
            }
            _ => false,
        }
    }

    fn unresolved(&self, name: NameId, args: &[TermId], place: &Place<'_>) -> Box<Diagnostic> {
        let candidates = self.datatypes.candidates(name);
        let text = self.scope.text(name);
        let name = shorten(text);
        if self.heap.as_ref().is_some_and(|heap| heap.leaves_out(text)) {
            return not_treated(place.whole, &format!("`{name}`"));
        }
        let is_selector = candidates.iter().any(|c| matches!(c, Candidate::Selector(..)));
        if is_selector {
            let sorts: Vec<String> =
                args.iter().map(|&arg| self.store.show_sort(self.store.sort(arg))).collect();
            let message = match sorts.as_slice() {
                [sort] => format!("`{name}` is no selector of the sort {}", shorten(sort)),
                _ => format!("`{name}` is a selector and takes one argument"),
            };
            let place = place.spans.first().copied().unwrap_or(place.whole);
            return Box::new(Diagnostic::error(Code::SmtSort, place, message));
        }
        let message = if args.is_empty() {
            format!("the sort of `{name}` cannot be told from its use")
        } else {
            format!("`{name}` does not take arguments of these sorts")
        };
        let hint = format!("write (as {name} Sort) with the sort that is meant");
        Box::new(Diagnostic::error(Code::SmtSort, place.whole, message).hint(hint))
    }
}

fn ambiguous(place: &Place<'_>) -> Box<Diagnostic> {
    let name = shorten(place.name);
    let message = format!("several constructors `{name}` take these arguments");
    let hint = format!("write (as {name} Sort) with the sort that is meant");
    Box::new(Diagnostic::error(Code::SmtSort, place.whole, message).hint(hint))
}
