//! Declarations of datatypes.
//!
//! A declaration is kept as a template; `instances` makes datatypes of the store from it. Names
//! of constructors and selectors may be shared between datatypes, so a name has a list of
//! candidates, from which `resolve` chooses. A datatype must have a finite value, whatever sorts
//! its parameters stand for; a codatatype (cvc5's `declare-codatatype`) need not.
//!
//! - `tables`: what is known of datatypes
//! - `ahead`: datatypes that are used before they are declared

mod ahead;
mod tables;

use super::Fallible;
use super::context::Context;
use super::cursor::{Cursor, shorten};
use super::lex::Kind;
use super::scope::{Meaning, NameId};
use super::sorts::{SortMeaning, Template};
use crate::diag::{Code, Diagnostic};
use alphorn_problem::Span;
use rustc_hash::FxHashSet;
use std::collections::BTreeMap;
pub(super) use tables::{Candidate, CtorTemplate, Datatype, Datatypes};

pub(super) fn malformed(span: Span, message: String) -> Box<Diagnostic> {
    Box::new(Diagnostic::error(Code::SmtDatatype, span, message))
}

/// The sort of rounding modes.
pub(super) const ROUNDING_MODES: &[u8] = b"RoundingMode";

impl Context {
    /// Reads `declare-datatypes` after the command's name.
    pub(crate) fn declare_datatypes(&mut self, cursor: &mut Cursor<'_>) -> Fallible<()> {
        self.declare_group(cursor, false)
    }

    /// Reads `declare-codatatypes` after the command's name.
    pub(crate) fn declare_codatatypes(&mut self, cursor: &mut Cursor<'_>) -> Fallible<()> {
        self.declare_group(cursor, true)
    }

    fn declare_group(&mut self, cursor: &mut Cursor<'_>, is_co: bool) -> Fallible<()> {
        if self.was_read_before(cursor)? {
            return Ok(());
        }
        cursor.open("the list of datatypes")?;
        let mut group = Vec::new();
        while cursor.eat(Kind::Close).is_none() {
            cursor.open("a name with its number of parameters")?;
            let token = cursor.symbol("the name of a datatype")?;
            let arity = cursor.small_numeral("the number of parameters")? as usize;
            cursor.close("a closing parenthesis")?;
            let name = self.scope.name(cursor.bytes_of(token));
            group.push((self.open_datatype(name, arity, token.span(), is_co)?, token.span()));
        }
        let start = cursor.open("the list of the datatypes' constructors")?.start;
        if group.is_empty() {
            return self.declare_datatypes_of_version_2_5(cursor, is_co);
        }
        let mut bodies = Vec::new();
        for &(data, span) in &group {
            bodies.push(self.parse_constructors(cursor, self.datatypes.arity(data), span)?);
        }
        cursor.close("as many definitions as names, then a closing parenthesis")?;
        self.finish_group(&group, bodies, cursor.span_from(start))
    }

    /// Reads `((Name constructor …) …)`: how datatypes were declared before version 2.6.
    fn declare_datatypes_of_version_2_5(
        &mut self,
        cursor: &mut Cursor<'_>,
        is_co: bool,
    ) -> Fallible<()> {
        // Names first: the definitions may mention each other.
        let mut ahead = cursor.clone();
        let mut group = Vec::new();
        while ahead.eat(Kind::Open).is_some() {
            let token = ahead.symbol("the name of a datatype")?;
            let name = self.scope.name(ahead.bytes_of(token));
            group.push((self.open_datatype(name, 0, token.span(), is_co)?, token.span()));
            while ahead.peek().kind != Kind::Close {
                ahead.skip_expression("a constructor")?;
            }
            ahead.close("a closing parenthesis")?;
        }
        let start = cursor.peek().start;
        let mut bodies = Vec::new();
        for &(_, span) in &group {
            cursor.open("a datatype")?;
            cursor.symbol("the name of a datatype")?;
            bodies.push(self.parse_constructor_list(cursor, &[], span)?);
        }
        cursor.close("a closing parenthesis")?;
        self.finish_group(&group, bodies, cursor.span_from(start))
    }

    /// Reads `declare-datatype` after the command's name.
    pub(crate) fn declare_datatype(&mut self, cursor: &mut Cursor<'_>) -> Fallible<()> {
        self.declare_single(cursor, false)
    }

    /// Reads `declare-codatatype` after the command's name.
    pub(crate) fn declare_codatatype(&mut self, cursor: &mut Cursor<'_>) -> Fallible<()> {
        self.declare_single(cursor, true)
    }

    fn declare_single(&mut self, cursor: &mut Cursor<'_>, is_co: bool) -> Fallible<()> {
        if self.was_read_before(cursor)? {
            return Ok(());
        }
        let token = cursor.symbol("the name of a datatype")?;
        let name = self.scope.name(cursor.bytes_of(token));
        // The number of parameters is known after `par`; recursion needs it before.
        let mut ahead = cursor.clone();
        let mut arity = 0;
        if ahead.eat(Kind::Open).is_some() && ahead.is_word("par") {
            ahead.take();
            ahead.open("the list of parameters")?;
            while ahead.eat(Kind::Close).is_none() {
                ahead.symbol("a parameter")?;
                arity += 1;
            }
        }
        let data = self.open_datatype(name, arity, token.span(), is_co)?;
        let ctors = self.parse_constructors(cursor, arity, token.span())?;
        self.finish_group(&[(data, token.span())], vec![ctors], token.span())
    }

    fn open_datatype(
        &mut self,
        name: NameId,
        arity: usize,
        span: Span,
        is_co: bool,
    ) -> Fallible<usize> {
        self.check_new_sort(name, span)?;
        let data = self.datatypes.list.len();
        let instances = BTreeMap::new();
        let group = data;
        self.datatypes.list.push(Datatype { name, arity, is_co, group, ctors: None, instances });
        self.sorts.declare(name, SortMeaning::Data(data));
        Ok(data)
    }

    /// Declares the rounding modes of floating-point numbers: five values with two names each. The numbers
    /// themselves are not known here, but what is said about modes alone can be.
    pub(super) fn declare_rounding_modes(&mut self, span: Span) -> Fallible<()> {
        const MODES: [(&[u8], &[u8]); 5] = [
            (b"RNE", b"roundNearestTiesToEven"),
            (b"RNA", b"roundNearestTiesToAway"),
            (b"RTP", b"roundTowardPositive"),
            (b"RTN", b"roundTowardNegative"),
            (b"RTZ", b"roundTowardZero"),
        ];
        let name = self.scope.name(ROUNDING_MODES);
        let data = self.open_datatype(name, 0, span, false)?;
        let mut used = FxHashSet::default();
        let mut ctors = Vec::new();
        for (position, (short, long)) in MODES.into_iter().enumerate() {
            let name = self.data_name(short, span, &mut used)?;
            ctors.push(CtorTemplate { name, fields: Vec::new() });
            let long = self.data_name(long, span, &mut used)?;
            self.scope.declare(long, Meaning::Data);
            self.datatypes.add_candidate(long, Candidate::Ctor(data, position));
        }
        self.finish_group(&[(data, span)], vec![ctors], span)
    }

    /// Reads `(constructor …)` or `(par (X …) (constructor …))`.
    fn parse_constructors(
        &mut self,
        cursor: &mut Cursor<'_>,
        arity: usize,
        span: Span,
    ) -> Fallible<Vec<CtorTemplate>> {
        cursor.open("the constructors")?;
        let mut params = Vec::new();
        let has_params = cursor.is_word("par");
        if has_params {
            cursor.take();
            cursor.open("the list of parameters")?;
            while cursor.eat(Kind::Close).is_none() {
                let token = cursor.symbol("a parameter")?;
                let name = self.scope.name(cursor.bytes_of(token));
                if params.contains(&name) {
                    let message = format!("the parameter `{}` is repeated", self.scope.text(name));
                    return Err(malformed(token.span(), message));
                }
                params.push(name);
            }
            cursor.open("the constructors")?;
        }
        if params.len() != arity {
            let message = format!("{arity} parameters expected, but found {}", params.len());
            return Err(malformed(span, message));
        }
        let ctors = self.parse_constructor_list(cursor, &params, span)?;
        if has_params {
            cursor.close("a closing parenthesis after the constructors")?;
        }
        Ok(ctors)
    }

    /// Reads constructors up to and with the closing parenthesis.
    fn parse_constructor_list(
        &mut self,
        cursor: &mut Cursor<'_>,
        params: &[NameId],
        span: Span,
    ) -> Fallible<Vec<CtorTemplate>> {
        let mut ctors: Vec<CtorTemplate> = Vec::new();
        let mut used: FxHashSet<NameId> = FxHashSet::default();
        while cursor.eat(Kind::Close).is_none() {
            let has_fields = cursor.eat(Kind::Open).is_some();
            let token = cursor.symbol("a constructor")?;
            let name = self.data_name(cursor.bytes_of(token), token.span(), &mut used)?;
            let mut fields = Vec::new();
            while has_fields && cursor.eat(Kind::Close).is_none() {
                cursor.open("a selector with its sort")?;
                let token = cursor.symbol("a selector")?;
                let selector = self.data_name(cursor.bytes_of(token), token.span(), &mut used)?;
                self.datatypes.nested += 1;
                let sort = self.parse_template(cursor, params, 0);
                self.datatypes.nested -= 1;
                fields.push((selector, Some(sort?)));
                cursor.close("a closing parenthesis after the selector's sort")?;
            }
            ctors.push(CtorTemplate { name, fields });
        }
        if ctors.is_empty() {
            return Err(malformed(span, "a datatype needs a constructor".to_owned()));
        }
        Ok(ctors)
    }

    /// A name for a constructor or selector: not yet used in its datatype or for a function.
    fn data_name(
        &mut self,
        bytes: &[u8],
        span: Span,
        used: &mut FxHashSet<NameId>,
    ) -> Fallible<NameId> {
        let name = self.scope.name(bytes);
        let is_free = self.scope.is_free(name) || self.scope.meaning(name) == Meaning::Data;
        if is_free && used.insert(name) {
            return Ok(name);
        }
        Err(self.redeclared(name, span))
    }

    /// Makes the datatypes of a declaration usable.
    fn finish_group(
        &mut self,
        group: &[(usize, Span)],
        bodies: Vec<Vec<CtorTemplate>>,
        whole: Span,
    ) -> Fallible<()> {
        for (&(data, _), ctors) in group.iter().zip(bodies) {
            self.datatypes.list[data].group = group[0].0;
            self.register_constructors(data, &ctors);
            self.datatypes.list[data].ctors = Some(ctors);
        }
        self.check_templates(group)?;
        for &(data, _) in group {
            if self.datatypes.list[data].arity == 0 {
                self.declare_instance(data, Vec::new(), whole)?;
            }
        }
        self.define_pending(whole)
    }

    /// Makes the names of constructors and selectors candidates.
    pub(super) fn register_constructors(&mut self, data: usize, ctors: &[CtorTemplate]) {
        for (position, ctor) in ctors.iter().enumerate() {
            self.scope.declare(ctor.name, Meaning::Data);
            self.datatypes.add_candidate(ctor.name, Candidate::Ctor(data, position));
            for (field, (selector, _)) in ctor.fields.iter().enumerate() {
                self.scope.declare(*selector, Meaning::Data);
                let candidate = Candidate::Selector(data, position, field);
                self.datatypes.add_candidate(*selector, candidate);
            }
        }
    }

    /// Every datatype of a group that is no codatatype has a finite value, if the sorts it is given have.
    fn check_templates(&self, group: &[(usize, Span)]) -> Fallible<()> {
        let ends = |data: &usize| !self.datatypes.list[*data].is_co;
        let mut open: FxHashSet<usize> = group.iter().map(|&(data, _)| data).filter(ends).collect();
        loop {
            let ended = group.iter().map(|&(data, _)| data).find(|data| {
                let ctors = self.datatypes.list[*data].ctors.as_deref().unwrap_or_default();
                let ends = |ctor: &CtorTemplate| {
                    ctor.fields
                        .iter()
                        .all(|(_, sort)| sort.as_ref().is_none_or(|s| ends_at(s, &open)))
                };
                open.contains(data) && ctors.iter().any(ends)
            });
            match ended {
                Some(data) => open.remove(&data),
                None => break,
            };
        }
        match group.iter().find(|(data, _)| open.contains(data)) {
            Some(&(data, span)) => Err(self.no_finite_value(data, span)),
            None => Ok(()),
        }
    }

    pub(super) fn no_finite_value(&self, data: usize, span: Span) -> Box<Diagnostic> {
        let name = shorten(self.scope.text(self.datatypes.list[data].name));
        let message = format!("the datatype `{name}` has no finite values");
        let hint = "give it a constructor whose fields do not lead back to it";
        Box::new(Diagnostic::error(Code::SmtDatatype, span, message).hint(hint))
    }
}

/// That codatatypes stand where they cannot be treated.
pub(crate) fn codatatypes_refused(span: Span) -> Box<Diagnostic> {
    let message = "codatatypes are treated in scripts only";
    let hint =
        "`alphorn smt` takes scripts; elsewhere values are finite, as `declare-datatype` has them";
    Box::new(Diagnostic::unsupported(Code::SmtDatatype, span, message).hint(hint))
}

/// Whether a sort has a finite value that needs no datatype of `open`.
fn ends_at(template: &Template, open: &FxHashSet<usize>) -> bool {
    match template {
        Template::Data(data, _) => !open.contains(data),
        Template::Array(_, element) => ends_at(element, open),
        _ => true,
    }
}
