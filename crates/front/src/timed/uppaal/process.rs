//! A process of a template: its own variables, locations and edges.

use super::declare::Type;
use super::{CODES, Reader};
use crate::diag::{Code, Diagnostic};
use crate::infix::Fallible;
use crate::timed::network::{Edge, Location};
use crate::timed::value::{Evaluator, Scope, Thing, Updates, Value, is_convex};
use alphorn_problem::Span;
use alphorn_term::{Int, TermId};
use std::collections::BTreeMap;

/// The most edges that one edge with `select` stands for.
const MAX_SELECTED: usize = 4096;

impl Reader<'_> {
    /// Adds a process.
    pub(super) fn process(
        &mut self,
        name: &str,
        template: usize,
        things: &[Thing],
    ) -> Fallible<()> {
        let document = self.document;
        let params = self.params_of(template)?;
        if params.len() != things.len() {
            let message = format!("{name} has another number of arguments than its template");
            let span = document.elements[template].span;
            return Err(Box::new(Diagnostic::error(Code::TimedName, span, message)));
        }
        let mut scope = self.globals.clone();
        scope.names.push(BTreeMap::new());
        for (param, thing) in params.iter().zip(things) {
            scope.insert(&param.name, thing.clone());
        }
        scope.names.push(BTreeMap::new());
        if let Some(declaration) = document.child(template, "declaration") {
            let mut cursor = self.cursor(document.elements[declaration].text);
            self.declarations(&mut cursor, &mut scope, &format!("{name}."))?;
        }
        if let Some(branch) = document.child(template, "branchpoint") {
            let (span, message) = (document.elements[branch].span, "branch points are not treated");
            return Err(Box::new(Diagnostic::unsupported(Code::TimedUntreated, span, message)));
        }
        let process = self.network.process(name);
        let places = self.locations(process, template, &scope)?;
        for edge in document.children(template, "transition") {
            self.transition(process, edge, &places, &mut scope)?;
        }
        Ok(())
    }

    /// The locations, by their ids.
    fn locations(
        &mut self,
        process: usize,
        template: usize,
        scope: &Scope,
    ) -> Fallible<BTreeMap<String, usize>> {
        let document = self.document;
        let init = document.child(template, "init");
        let init = init.and_then(|init| document.attribute(init, "ref"));
        let name = self.network.processes[process].name.clone();
        let mut places = BTreeMap::new();
        for (at, location) in document.children(template, "location").enumerate() {
            let id = document.attribute(location, "id").unwrap_or_default();
            let title = document.child(location, "name").map(|child| document.text(child));
            let title = title.filter(|title| !title.is_empty()).unwrap_or(id).to_owned();
            let mut invariant = TermId::TRUE;
            if let Some((formula, span)) = self.labelled(location, "invariant", scope)? {
                if !is_convex(&self.network, formula) {
                    let message =
                        "an invariant with a choice between conditions on clocks is not treated";
                    let error = Diagnostic::unsupported(Code::TimedUntreated, span, message);
                    return Err(Box::new(error));
                }
                invariant = formula;
            }
            self.network.processes[process].locations.push(Location {
                name: title.clone(),
                is_initial: init == Some(id),
                is_committed: document.child(location, "committed").is_some(),
                is_urgent: document.child(location, "urgent").is_some(),
                invariant,
            });
            let is_at = self.network.is_at(process, at);
            if let Some(globals) = self.globals.names.first_mut() {
                globals.insert(format!("{name}.{title}"), Thing::Formula(is_at));
            }
            places.insert(id.to_owned(), at);
        }
        if !init.is_some_and(|init| places.contains_key(init)) {
            let message = format!("the process {name} has no initial location");
            let span = document.elements[template].span;
            return Err(Box::new(Diagnostic::error(Code::TimedName, span, message)));
        }
        Ok(places)
    }

    fn label(&self, at: usize, kind: &str) -> Option<(usize, usize)> {
        let document = self.document;
        let is_kind = |label: &usize| document.attribute(*label, "kind") == Some(kind);
        let label = document.children(at, "label").find(is_kind)?;
        Some(document.elements[label].text).filter(|(start, end)| start < end)
    }

    /// The formula of a label.
    fn labelled(
        &mut self,
        at: usize,
        kind: &str,
        scope: &Scope,
    ) -> Fallible<Option<(TermId, Span)>> {
        let Some((start, end)) = self.label(at, kind) else { return Ok(None) };
        let mut cursor = self.cursor((start, end));
        if cursor.is_at_end() {
            return Ok(None);
        }
        let network = &mut self.network;
        let mut evaluator = Evaluator { network, scope, defined: Vec::new(), codes: CODES };
        let formula = evaluator.formula(&mut cursor)?;
        match cursor.is_at_end() {
            true => Ok(Some((formula, Span::new(start, end)))),
            false => Err(cursor.unexpected("an operator")),
        }
    }

    fn transition(
        &mut self,
        process: usize,
        at: usize,
        places: &BTreeMap<String, usize>,
        scope: &mut Scope,
    ) -> Fallible<()> {
        let document = self.document;
        let span = document.elements[at].span;
        let end = |word: &str| -> Fallible<usize> {
            let child = document.child(at, word);
            let id = child.and_then(|child| document.attribute(child, "ref")).unwrap_or_default();
            places.get(id).copied().ok_or_else(|| {
                let message = format!("the {word} of this transition is no location");
                Box::new(Diagnostic::error(Code::TimedName, span, message))
            })
        };
        let (from, to) = (end("source")?, end("target")?);
        for chosen in self.selected(at, scope)? {
            scope.names.push(chosen);
            let found = self.edge(process, at, (from, to), scope);
            scope.names.pop();
            found?;
        }
        Ok(())
    }

    /// The values of `select`, all of them.
    fn selected(&mut self, at: usize, scope: &Scope) -> Fallible<Vec<BTreeMap<String, Thing>>> {
        let mut all = vec![BTreeMap::new()];
        let Some(text) = self.label(at, "select") else { return Ok(all) };
        let mut cursor = self.cursor(text);
        while !cursor.is_at_end() {
            let (name, span) = cursor.name("a name")?;
            cursor.expect(":")?;
            let (Type::Int(least, most), _) = self.kind(&mut cursor, scope)? else {
                let message = "only integers can be selected";
                return Err(Box::new(Diagnostic::error(Code::TimedSyntax, span, message)));
            };
            let [least, most] = self.between((least, most), span)?;
            let mut more = Vec::new();
            let mut value = least;
            while value <= most {
                for known in &all {
                    let mut next: BTreeMap<String, Thing> = known.clone();
                    next.insert(name.to_owned(), Thing::Constant(value.clone()));
                    more.push(next);
                }
                value = &value + &Int::ONE;
                if more.len() > MAX_SELECTED {
                    let message = format!("more than {MAX_SELECTED} values are selected");
                    let error = Diagnostic::unsupported(Code::TimedUntreated, span, message);
                    return Err(Box::new(error));
                }
            }
            all = more;
            if cursor.eat(",").is_none() && !cursor.is_at_end() {
                return Err(cursor.unexpected("`,`"));
            }
        }
        Ok(all)
    }

    fn edge(
        &mut self,
        process: usize,
        at: usize,
        (from, to): (usize, usize),
        scope: &Scope,
    ) -> Fallible<()> {
        let span = self.document.elements[at].span;
        let guard = self.labelled(at, "guard", scope)?.map_or(TermId::TRUE, |(guard, _)| guard);
        let mut updates = Updates::default();
        if let Some(text) = self.label(at, "assignment") {
            let mut cursor = self.cursor(text);
            while !cursor.is_at_end() {
                let network = &mut self.network;
                let mut evaluator = Evaluator { network, scope, defined: Vec::new(), codes: CODES };
                evaluator.statement(&mut cursor, &mut updates)?;
                if cursor.eat(",").is_none() && !cursor.is_at_end() {
                    return Err(cursor.unexpected("`,`"));
                }
            }
        }
        let Updates { ranges, values } = updates;
        let edges = &mut self.network.processes[process].edges;
        let id = (process, edges.len());
        edges.push(Edge { from, to, guard, ranges, updates: values, span });
        let Some(text) = self.label(at, "synchronisation") else {
            self.alone.push(id);
            return Ok(());
        };
        let mut cursor = self.cursor(text);
        let place = cursor.peek().span;
        let network = &mut self.network;
        let mut evaluator = Evaluator { network, scope, defined: Vec::new(), codes: CODES };
        let Value::Channel(channel) = evaluator.any(&mut cursor)? else {
            let message = "a channel is expected";
            return Err(Box::new(Diagnostic::error(Code::TimedSyntax, place, message)));
        };
        let is_receiver = cursor.eat("?").is_some();
        if !is_receiver {
            cursor.expect("!")?;
        }
        self.channels[channel].ends[usize::from(is_receiver)].push(id);
        Ok(())
    }
}
