//! Queries of UPPAAL, and what they say about copies.
//!
//! `A[] φ` must hold, and what is bad is that it does not; `E<> φ` asks for φ, and a formula alone must not hold. Behind
//! `A[]` there may be `forall (i : t)`, behind `E<>` `exists (i : t)`: φ is then about all values of `t`, and `P(i).cs` is a location of the
//! process of that value. Of a template with any number of copies each such name, and each number that stands in `P(1).cs`, is a copy (`Witness`).

use super::declare::Type;
use super::{CODES, LEXIS, Reader};
use crate::diag::{Code, Diagnostic};
use crate::infix::{Cursor, Fallible, Kind};
use crate::timed::family::{Bad, Witness};
use crate::timed::value::{Evaluator, Scope, Thing};
use alphorn_problem::Span;
use alphorn_term::{Int, SortId, TermId};
use std::collections::{BTreeMap, BTreeSet};

/// The most values of all names behind `forall` or `exists`, and the most copies that a query names.
const MAX_VALUES: usize = 4096;
const MAX_WITNESSES: usize = 3;

impl Reader<'_> {
    /// What must hold.
    pub(super) fn queries(&mut self, target: Option<&str>) -> Fallible<()> {
        let document = self.document;
        let mut asked: Vec<(String, Span)> = Vec::new();
        if let Some(target) = target {
            asked.push((target.to_owned(), Span::NONE));
        } else if let Some(queries) = document.child(0, "queries") {
            for query in document.children(queries, "query") {
                if let Some(formula) = document.child(query, "formula") {
                    let (start, end) = document.elements[formula].text;
                    asked.push((document.text(formula).to_owned(), Span::new(start, end)));
                }
            }
            asked.retain(|(text, _)| !text.is_empty());
        }
        if asked.is_empty() {
            let message = "no query says what must hold";
            let error = Diagnostic::error(Code::TimedTarget, Span::NONE, message);
            let hint = "say it with --target 'A[] not (P.cs and Q.cs)'";
            return Err(Box::new(error.hint(hint)));
        }
        let is_many = asked.len() > 1;
        for (text, span) in asked {
            let at_query = |mut diagnostic: Box<Diagnostic>| {
                diagnostic.span = span;
                diagnostic
            };
            let bad = self.query(&text, span, is_many).map_err(at_query)?;
            self.bad.push(bad);
        }
        Ok(())
    }

    fn query(&mut self, text: &str, span: Span, is_many: bool) -> Fallible<Bad> {
        let (is_always, formula) = match (text.strip_prefix("A[]"), text.strip_prefix("E<>")) {
            (Some(formula), _) => (true, formula),
            (_, Some(formula)) => (false, formula),
            _ => (false, text),
        };
        let is_other = ["A<>", "E[]"].iter().any(|word| text.starts_with(word));
        let is_other = is_other || text.contains("-->") || text.contains("deadlock");
        if is_other || is_many && !is_always {
            let message = format!("the query `{text}` is not treated here");
            let error = Diagnostic::unsupported(Code::TimedTarget, span, message);
            let hint =
                "files with queries A[] alone, or with one query E<>, are; --target names one";
            return Err(Box::new(error.hint(hint)));
        }
        let text = one_name(formula);
        let mut cursor = Cursor::new(&text, 0, &LEXIS, Code::TimedTarget);
        let mut roles = Roles { scopes: vec![BTreeMap::new()], ..Roles::default() };
        self.numbered(&cursor, &mut roles)?;
        let quantifier = if is_always { "forall" } else { "exists" };
        while cursor.eat(quantifier).is_some() {
            cursor.expect("(")?;
            let (name, place) = cursor.name("a name")?;
            cursor.expect(":")?;
            let scope = self.globals.clone();
            let (kind, _) = self.kind(&mut cursor, &scope)?;
            cursor.expect(")")?;
            self.quantified(name, &kind, place, &mut roles)?;
        }
        let mut parts = Vec::new();
        for names in roles.scopes {
            let mut scope = self.globals.clone();
            scope.names.push(names);
            let mut cursor = cursor.clone();
            let network = &mut self.network;
            let mut evaluator =
                Evaluator { network, scope: &scope, defined: Vec::new(), codes: CODES };
            let mut formula = evaluator.formula(&mut cursor)?;
            if !cursor.is_at_end() {
                return Err(cursor.unexpected("an operator"));
            }
            if is_always {
                formula = self.network.terms.not(formula);
            }
            parts.push(formula);
        }
        let terms = &mut self.network.terms;
        let some = terms.or(&parts);
        roles.fixed.push(some);
        let formula = terms.and(&roles.fixed);
        Ok(Bad { formula, witnesses: roles.witnesses, span })
    }

    /// The copies that a query names by numbers.
    fn numbered(&mut self, cursor: &Cursor<'_>, roles: &mut Roles) -> Fallible<()> {
        let Some(process) = self.standing_in() else { return Ok(()) };
        let prefix = format!("{}@", self.network.processes[process].name);
        let mut cursor = cursor.clone();
        let mut found = BTreeSet::new();
        while !cursor.is_at_end() {
            let token = cursor.take();
            let index = cursor.text(token.span).strip_prefix(&prefix);
            let index = index.and_then(|rest| rest.split_once("@.")).map(|(index, _)| index);
            let number = index.and_then(|index| index.parse::<i64>().ok());
            if let (Kind::Name, Some(number)) = (token.kind, number)
                && found.insert(number)
            {
                let witness = self.witness(&number.to_string(), token.span, roles)?;
                let terms = &mut self.network.terms;
                let number = terms.int(number);
                roles.fixed.push(terms.eq(witness.id, number));
            }
        }
        Ok(())
    }

    /// Adds a copy that a query calls so.
    fn witness(&mut self, called: &str, span: Span, roles: &mut Roles) -> Fallible<Witness> {
        let process = self.standing_in().expect("copies have a template");
        if roles.witnesses.len() == MAX_WITNESSES {
            let message =
                format!("a query that names more than {MAX_WITNESSES} copies is not treated");
            return Err(Box::new(Diagnostic::unsupported(Code::TimedTarget, span, message)));
        }
        let process = &self.network.processes[process];
        let terms = &mut self.network.terms;
        let prefix = format!("{}@{called}@", process.name);
        let witness = Witness {
            at: terms.var(&format!("{prefix}.query.at"), SortId::INT),
            id: terms.var(&format!("{prefix}.query.id"), SortId::INT),
        };
        for (at, location) in process.locations.iter().enumerate() {
            let place = terms.int(at as i64);
            let is_at = Thing::Formula(terms.eq(witness.at, place));
            let name = format!("{prefix}.{}", location.name);
            roles.scopes.iter_mut().for_each(|scope| {
                scope.insert(name.clone(), is_at.clone());
            });
        }
        roles.witnesses.push(witness.clone());
        Ok(witness)
    }

    /// A name for all values of a type, or for any copy.
    fn quantified(
        &mut self,
        name: &str,
        kind: &Type,
        span: Span,
        roles: &mut Roles,
    ) -> Fallible<()> {
        let &Type::Int(least, most) = kind else {
            let message = "only integers have all values";
            return Err(Box::new(Diagnostic::error(Code::TimedTarget, span, message)));
        };
        if let Some(template) = self.family.as_ref().and_then(|family| family.template.clone()) {
            let terms = &mut self.network.terms;
            let first = terms.int(template.least.clone());
            if template.last(terms) == most && first == least {
                let witness = self.witness(name, span, roles)?;
                for scope in &mut roles.scopes {
                    scope.insert(name.to_owned(), Thing::Unknown(witness.id));
                }
                return Ok(());
            }
        }
        let [least, most] = self.between((least, most), span)?;
        let mut all = Vec::new();
        let mut value = least;
        while value <= most {
            for scope in &roles.scopes {
                let mut scope = scope.clone();
                self.valued(name, &value, &mut scope);
                all.push(scope);
            }
            if all.len() > MAX_VALUES {
                let message = format!("more than {MAX_VALUES} values are quantified");
                return Err(Box::new(Diagnostic::unsupported(Code::TimedTarget, span, message)));
            }
            value = &value + &Int::ONE;
        }
        roles.scopes = all;
        Ok(())
    }

    /// Gives a name a value: itself, and where it stands for a process.
    fn valued(&self, name: &str, value: &Int, scope: &mut BTreeMap<String, Thing>) {
        scope.insert(name.to_owned(), Thing::Constant(value.clone()));
        let (of_value, of_name) = (format!("@{value}@."), format!("@{name}@."));
        let Scope { names } = &self.globals;
        for (key, thing) in names.iter().flatten() {
            if key.contains(&of_value) {
                scope.insert(key.replacen(&of_value, &of_name, 1), thing.clone());
            }
        }
    }
}

/// What the names of a query stand for.
#[derive(Default)]
struct Roles {
    /// Names for each choice of values.
    scopes: Vec<BTreeMap<String, Thing>>,
    witnesses: Vec<Witness>,
    /// What holds of copies that are named by numbers.
    fixed: Vec<TermId>,
}

/// `P(1).cs` as one name.
fn one_name(text: &str) -> Vec<u8> {
    let mut bytes = text.as_bytes().to_vec();
    for at in 0..bytes.len() {
        if !bytes[at..].starts_with(b").") {
            continue;
        }
        let Some(open) = bytes[..at].iter().rposition(|&byte| byte == b'(') else { continue };
        let is_index = |&byte: &u8| byte.is_ascii_alphanumeric() || b",-_".contains(&byte);
        if open > 0
            && bytes[open - 1].is_ascii_alphanumeric()
            && bytes[open + 1..at].iter().all(is_index)
        {
            bytes[open] = b'@';
            bytes[at] = b'@';
            bytes[open..at].iter_mut().filter(|byte| **byte == b',').for_each(|byte| *byte = b'@');
        }
    }
    bytes
}
