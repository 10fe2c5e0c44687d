//! Evidence about flows as text: ranks, recurrences, and labels of temporal formulas.
//!
//! ```text
//! (termination
//!   (variable x Int)                          the flow's variables, which formulas below mention
//!   (invariant loop (<= 0 x))                 true where nothing is said
//!   (level 1 (removed 0 2)                    by how much the removed transitions decrease, and which they are
//!     (function (loop x)))                    0 where nothing is said; several functions are nested
//!   (proof …) …)                              one per obligation
//! (termination …
//!   (union (cuts loop) (saved x!0)
//!     (relation (loop (< x x!0))) …           one per cut point, true where nothing is said
//!     (function x 1) …)
//!   (proof …) …)
//! (recurrence
//!   (variable x Int)
//!   (start 0 (inputs) (values 5))
//!   (step 1 (inputs) (values 6)) …            a transition, and the values after it
//!   (set loop (<= 0 x)) …                     false where nothing is said
//!   (choice 1 true (inputs) (next (+ x 1))) … a transition, when it is taken, and where to
//!   (proof …) …)
//! (labels fails                               or: holds
//!   (variable x Int)
//!   (start 0 (inputs) (values 5))             of what fails
//!   (label (set …) … (choice …) … (stopped loop (= x 0)) … (level …) …) …
//!   (proof …) …)
//! ```
//!
//! A location is written by its name, or by its position where the name cannot be written.

use super::names::{Names, read_variable};
use super::values::{Printer, Reader};
use super::{Fallible, outcome, proof, word, wrong};
use crate::diag::Read;
use crate::smtlib::{Cursor, Kind};
use alphorn_problem::evidence::flow::{
    Choice, Disjunctive, Initial, Level, Measure, Path, PathStep, Ranking, Recurrence, Termination,
};
use alphorn_problem::evidence::proof::Proof;
use alphorn_problem::evidence::temporal::{Label, Labelling, Labels};
use alphorn_problem::flow::LocId;
use alphorn_problem::{Flow, Temporal, Verdict};
use alphorn_term::print::quote;
use alphorn_term::{SortId, Store, TermId, Value};
use std::collections::BTreeMap;
use std::fmt::Write;

/// A verdict's evidence as text.
pub fn print_flow(flow: &Flow, verdict: &Verdict<Flow>) -> String {
    match verdict {
        Verdict::Safe(Termination { ranking, proofs }) => {
            let mut roots = ranking.invariants.clone();
            let mut free = flow.vars.clone();
            match &ranking.measure {
                Measure::Levels(levels) => roots.extend(levels.iter().flat_map(level_terms)),
                Measure::Disjunctive(union) => {
                    free.extend(&union.saved);
                    roots.extend(union.relations.iter().flatten());
                    roots.extend(union.functions.iter().chain(&union.least));
                }
            }
            let mut writer =
                Writer::new(flow, &ranking.terms, "termination", &free, &roots, proofs);
            writer.formulas("invariant", &ranking.invariants, TermId::TRUE);
            match &ranking.measure {
                Measure::Levels(levels) => levels.iter().for_each(|level| writer.level(level)),
                Measure::Disjunctive(union) => writer.union(union),
            }
            writer.finish(proofs)
        }
        Verdict::Unsafe(found) => {
            let mut roots = found.sets.clone();
            roots.extend(found.choices.iter().flat_map(choice_terms));
            let (terms, free) = (&found.terms, &flow.vars);
            let mut writer = Writer::new(flow, terms, "recurrence", free, &roots, &found.proofs);
            writer.initial(&found.path.first);
            for step in &found.path.steps {
                let _ = write!(writer.out, "  (step {} ", step.transition);
                writer.values(&step.inputs, &step.values);
            }
            writer.formulas("set", &found.sets, TermId::FALSE);
            found.choices.iter().for_each(|choice| writer.choice(choice));
            writer.finish(&found.proofs)
        }
    }
}

/// A verdict's evidence as text.
pub fn print_temporal(problem: &Temporal, verdict: &Verdict<Temporal>) -> String {
    let (Verdict::Safe(labels) | Verdict::Unsafe(labels)) = verdict;
    let Labels { labelling, proofs } = labels;
    let mut roots = Vec::new();
    for label in &labelling.labels {
        roots.extend(label.sets.iter().chain(&label.stopped));
        roots.extend(label.choices.iter().flat_map(choice_terms));
        roots.extend(label.levels.iter().flat_map(level_terms));
    }
    let flow = &problem.flow;
    let head = match labelling.initial {
        Some(_) => "labels fails",
        None => "labels holds",
    };
    let mut writer = Writer::new(flow, &labelling.terms, head, &flow.vars, &roots, proofs);
    if let Some(initial) = &labelling.initial {
        writer.initial(initial);
    }
    for label in &labelling.labels {
        writer.out.push_str("  (label\n");
        writer.formulas("set", &label.sets, TermId::FALSE);
        label.choices.iter().for_each(|choice| writer.choice(choice));
        writer.formulas("stopped", &label.stopped, TermId::FALSE);
        label.levels.iter().for_each(|level| writer.level(level));
        writer.out.push_str("  )\n");
    }
    writer.finish(proofs)
}

fn level_terms(level: &Level) -> Vec<TermId> {
    level.functions.iter().flatten().copied().chain([level.least]).collect()
}

fn choice_terms(choice: &Choice) -> Vec<TermId> {
    choice.next.iter().chain(&choice.inputs).copied().chain([choice.when]).collect()
}

struct Writer<'f> {
    flow: &'f Flow,
    names: Names,
    printer: Printer,
    out: String,
}

impl<'f> Writer<'f> {
    fn new(
        flow: &'f Flow,
        terms: &Store,
        head: &str,
        free: &[TermId],
        roots: &[TermId],
        proofs: &[Proof],
    ) -> Writer<'f> {
        let mut all = [free, roots].concat();
        all.extend(proofs.iter().flat_map(proof::mentioned));
        let mut names = Names::of(terms, &all);
        let mut out = format!("({head}\n");
        for declaration in names.declarations(free) {
            let _ = writeln!(out, "  (variable {declaration})");
        }
        Writer { flow, names, printer: Printer::new(flow.terms.clone()), out }
    }

    fn finish(mut self, proofs: &[Proof]) -> String {
        for proof in proofs {
            self.out.push_str("  (proof\n");
            proof::print(&mut self.out, &mut self.names, proof);
            self.out.push_str("  )\n");
        }
        self.out.push_str(")\n");
        self.out
    }

    fn location(&self, at: usize) -> String {
        let name = &self.flow.locations[at].name;
        if name.contains(['|', '\\']) { at.to_string() } else { quote(name) }
    }

    /// A formula for each location but where it is what need not be said.
    fn formulas(&mut self, what: &str, formulas: &[TermId], unsaid: TermId) {
        for (at, &formula) in formulas.iter().enumerate() {
            if formula != unsaid {
                let (name, formula) = (self.location(at), self.names.show(formula));
                let _ = writeln!(self.out, "  ({what} {name} {formula})");
            }
        }
    }

    fn level(&mut self, level: &Level) {
        let removed: String = level.removed.iter().map(|edge| format!(" {edge}")).collect();
        let least = self.names.show(level.least);
        let _ = write!(self.out, "  (level {least} (removed{removed})");
        for function in &level.functions {
            self.out.push_str("\n    (function");
            for (at, &number) in function.iter().enumerate() {
                if self.names.store.number_value(number).is_none_or(|value| !value.is_zero()) {
                    let (name, number) = (self.location(at), self.names.show(number));
                    let _ = write!(self.out, " ({name} {number})");
                }
            }
            self.out.push(')');
        }
        self.out.push_str(")\n");
    }

    fn union(&mut self, union: &Disjunctive) {
        let cuts: String =
            union.cuts.iter().map(|cut| format!(" {}", self.location(cut.index()))).collect();
        let saved: String =
            union.saved.iter().map(|&var| format!(" {}", self.names.show(var))).collect();
        let _ = write!(self.out, "  (union (cuts{cuts}) (saved{saved})");
        for relation in &union.relations {
            self.out.push_str("\n    (relation");
            for (at, &formula) in relation.iter().enumerate() {
                if formula != TermId::TRUE {
                    let (name, formula) = (self.location(at), self.names.show(formula));
                    let _ = write!(self.out, " ({name} {formula})");
                }
            }
            self.out.push(')');
        }
        for (&function, &least) in union.functions.iter().zip(&union.least) {
            let (function, least) = (self.names.show(function), self.names.show(least));
            let _ = write!(self.out, "\n    (function {function} {least})");
        }
        self.out.push_str(")\n");
    }

    fn choice(&mut self, choice: &Choice) {
        let when = self.names.show(choice.when);
        let mut list = |terms: &[TermId]| -> String {
            terms.iter().map(|&term| format!(" {}", self.names.show(term))).collect()
        };
        let (inputs, next) = (list(&choice.inputs), list(&choice.next));
        let transition = choice.transition;
        let _ = writeln!(self.out, "  (choice {transition} {when} (inputs{inputs}) (next{next}))");
    }

    fn initial(&mut self, initial: &Initial) {
        let _ = write!(self.out, "  (start {} ", initial.start);
        self.values(&initial.inputs, &initial.values);
    }

    fn values(&mut self, inputs: &[Value], values: &[Value]) {
        let mut list = |values: &[Value]| -> String {
            values.iter().map(|value| format!(" {}", self.printer.show(value))).collect()
        };
        let (inputs, values) = (list(inputs), list(values));
        let _ = writeln!(self.out, "(inputs{inputs}) (values{values}))");
    }
}

/// Reads evidence about a flow.
pub fn read_flow(bytes: &[u8], flow: &Flow) -> Read<Vec<Verdict<Flow>>> {
    let mut reader = FlowReader::new(flow, bytes);
    outcome(reader.flow().map(|verdict| vec![verdict]))
}

/// Reads evidence about a temporal formula.
pub fn read_temporal(bytes: &[u8], problem: &Temporal) -> Read<Vec<Verdict<Temporal>>> {
    let mut reader = FlowReader::new(&problem.flow, bytes);
    outcome(reader.temporal().map(|verdict| vec![verdict]))
}

struct FlowReader<'a> {
    flow: &'a Flow,
    cursor: Cursor<'a>,
    reader: Reader,
    locations: BTreeMap<&'a str, usize>,
}

impl<'a> FlowReader<'a> {
    fn new(flow: &'a Flow, bytes: &'a [u8]) -> FlowReader<'a> {
        let mut reader = Reader::over(flow.terms.clone(), bytes.len());
        for &var in flow.vars.iter().chain(&flow.next) {
            reader.context.adopt_sort(flow.terms.sort(var));
        }
        let locations = flow.locations.iter().enumerate();
        let locations = locations.map(|(at, found)| (found.name.as_str(), at)).collect();
        FlowReader { flow, cursor: Cursor::new(bytes), reader, locations }
    }

    fn flow(&mut self) -> Fallible<Verdict<Flow>> {
        self.cursor.open("`(termination …)` or `(recurrence …)`")?;
        if self.cursor.is_word("recurrence") {
            self.cursor.take();
            return self.recurrence().map(Verdict::Unsafe);
        }
        word(&mut self.cursor, "termination")?;
        self.termination().map(Verdict::Safe)
    }

    fn termination(&mut self) -> Fallible<Termination> {
        self.variables()?;
        let invariants = self.formulas("invariant", TermId::TRUE)?;
        let measure = match self.next_is("union") {
            true => Measure::Disjunctive(self.union()?),
            false => Measure::Levels(self.levels()?),
        };
        let proofs = self.proofs()?;
        let terms = self.store();
        Ok(Termination { ranking: Ranking { terms, invariants, measure }, proofs })
    }

    fn recurrence(&mut self) -> Fallible<Recurrence> {
        self.variables()?;
        let first = self.initial()?;
        let mut steps = Vec::new();
        while self.enter("step") {
            let transition = self.transition()?;
            let sorts = self.input_sorts(&self.flow.transitions[transition].inputs);
            let (inputs, values) = self.values(&sorts)?;
            steps.push(PathStep { transition, inputs, values });
        }
        let sets = self.formulas("set", TermId::FALSE)?;
        let choices = self.choices()?;
        let proofs = self.proofs()?;
        let terms = self.store();
        Ok(Recurrence { terms, path: Path { first, steps }, sets, choices, proofs })
    }

    fn temporal(&mut self) -> Fallible<Verdict<Temporal>> {
        self.cursor.open("`(labels …)`")?;
        word(&mut self.cursor, "labels")?;
        let fails = self.cursor.is_word("fails");
        word(&mut self.cursor, if fails { "fails" } else { "holds" })?;
        self.variables()?;
        let initial = if fails { Some(self.initial()?) } else { None };
        let mut labels = Vec::new();
        while self.enter("label") {
            let sets = self.formulas("set", TermId::FALSE)?;
            let choices = self.choices()?;
            let stopped = self.formulas("stopped", TermId::FALSE)?;
            let levels = self.levels()?;
            self.cursor.close("the end of the label")?;
            labels.push(Label { sets, choices, stopped, levels });
        }
        let proofs = self.proofs()?;
        let labelling = Labelling { terms: self.store(), labels, initial };
        let labels = Labels { labelling, proofs };
        Ok(if fails { Verdict::Unsafe(labels) } else { Verdict::Safe(labels) })
    }

    fn store(&mut self) -> Store {
        self.reader.context.store().clone()
    }

    /// Whether a part of this kind follows.
    fn next_is(&self, what: &str) -> bool {
        let token = self.cursor.peek();
        if token.kind != Kind::Open {
            return false;
        }
        let mut probe = Cursor::at(self.cursor.text(), token.start as usize);
        probe.take();
        probe.is_word(what)
    }

    /// Goes into a part of this kind if one follows.
    fn enter(&mut self, what: &str) -> bool {
        let follows = self.next_is(what);
        if follows {
            self.cursor.take();
            self.cursor.take();
        }
        follows
    }

    /// Goes into a part of this kind, which must follow.
    fn expect(&mut self, what: &str) -> Fallible<()> {
        match self.enter(what) {
            true => Ok(()),
            false => Err(self.cursor.unexpected(&format!("`({what} …)`"))),
        }
    }

    fn variables(&mut self) -> Fallible<()> {
        while self.enter("variable") {
            read_variable(&mut self.reader.context, &mut self.cursor)?;
            self.cursor.close("the end of the variable")?;
        }
        Ok(())
    }

    fn location(&mut self) -> Fallible<usize> {
        let start = self.cursor.peek().start;
        let found = match self.cursor.peek().kind {
            Kind::Numeral => Some(self.cursor.small_numeral("a location")? as usize)
                .filter(|&at| at < self.flow.locations.len()),
            _ => {
                let token = self.cursor.symbol("a location")?;
                self.locations.get(self.cursor.text_of(token)).copied()
            }
        };
        match found {
            Some(at) => Ok(at),
            None => wrong(self.cursor.span_from(start), "the flow has no such location"),
        }
    }

    fn transition(&mut self) -> Fallible<usize> {
        let start = self.cursor.peek().start;
        let transition = self.cursor.small_numeral("a transition")? as usize;
        match transition < self.flow.transitions.len() {
            true => Ok(transition),
            false => wrong(self.cursor.span_from(start), "the flow has no such transition"),
        }
    }

    fn term(&mut self, sort: SortId) -> Fallible<TermId> {
        let start = self.cursor.peek().start;
        let term = self.reader.context.parse_term(&mut self.cursor)?;
        let store = self.reader.context.store();
        if store.sort(term) == sort {
            return Ok(term);
        }
        let (found, wanted) = (store.show_sort(store.sort(term)), store.show_sort(sort));
        let message = format!("a term of sort {wanted} is expected, not of sort {found}");
        wrong(self.cursor.span_from(start), message)
    }

    /// A value of its own for each location, in proportion to the text.
    fn per_location(&mut self, unsaid: TermId) -> Vec<TermId> {
        let count = self.flow.locations.len();
        self.reader.context.spend(count as u64);
        vec![unsaid; count]
    }

    fn formulas(&mut self, what: &str, unsaid: TermId) -> Fallible<Vec<TermId>> {
        let mut formulas = self.per_location(unsaid);
        while self.enter(what) {
            let at = self.location()?;
            formulas[at] = self.term(SortId::BOOL)?;
            self.cursor.close("the end of the formula")?;
        }
        Ok(formulas)
    }

    /// A positive constant, which says the sort of what it belongs to.
    fn least(&mut self) -> Fallible<(TermId, SortId)> {
        let start = self.cursor.peek().start;
        let least = self.reader.context.parse_term(&mut self.cursor)?;
        let sort = self.reader.context.store().sort(least);
        match sort.is_arithmetic() {
            true => Ok((least, sort)),
            false => wrong(self.cursor.span_from(start), "a number is expected"),
        }
    }

    fn levels(&mut self) -> Fallible<Vec<Level>> {
        let mut levels = Vec::new();
        while self.enter("level") {
            let (least, sort) = self.least()?;
            self.expect("removed")?;
            let mut removed = Vec::new();
            while self.cursor.eat(Kind::Close).is_none() {
                removed.push(self.cursor.small_numeral("a transition")? as usize);
            }
            let mut functions = Vec::new();
            while self.enter("function") {
                let zero = self.reader.context.store_mut().number(sort, &0.into());
                functions.push(self.by_location(sort, zero)?);
            }
            self.cursor.close("the end of the level")?;
            levels.push(Level { functions, removed, least });
        }
        Ok(levels)
    }

    /// Terms of this sort for locations, up to the closing parenthesis.
    fn by_location(&mut self, sort: SortId, unsaid: TermId) -> Fallible<Vec<TermId>> {
        let mut terms = self.per_location(unsaid);
        while self.cursor.eat(Kind::Close).is_none() {
            self.cursor.open("`(LOCATION TERM)`")?;
            let at = self.location()?;
            terms[at] = self.term(sort)?;
            self.cursor.close("the end of the term")?;
        }
        Ok(terms)
    }

    fn union(&mut self) -> Fallible<Disjunctive> {
        self.expect("union")?;
        self.expect("cuts")?;
        let mut cuts = Vec::new();
        while self.cursor.eat(Kind::Close).is_none() {
            cuts.push(LocId(self.location()? as u32));
        }
        self.expect("saved")?;
        let mut saved = Vec::new();
        while self.cursor.eat(Kind::Close).is_none() {
            saved.push(self.reader.context.parse_term(&mut self.cursor)?);
        }
        let (mut relations, mut functions, mut leasts) = (Vec::new(), Vec::new(), Vec::new());
        while self.enter("relation") {
            relations.push(self.by_location(SortId::BOOL, TermId::TRUE)?);
        }
        while self.enter("function") {
            let start = self.cursor.peek().start;
            let function = self.reader.context.parse_term(&mut self.cursor)?;
            let (least, sort) = self.least()?;
            if self.reader.context.store().sort(function) != sort {
                return wrong(self.cursor.span_from(start), "both must have one sort");
            }
            self.cursor.close("the end of the function")?;
            functions.push(function);
            leasts.push(least);
        }
        self.cursor.close("the end of the union")?;
        Ok(Disjunctive { cuts, saved, relations, functions, least: leasts })
    }

    fn choices(&mut self) -> Fallible<Vec<Choice>> {
        let mut choices = Vec::new();
        while self.enter("choice") {
            let transition = self.transition()?;
            let when = self.term(SortId::BOOL)?;
            let inputs = self.input_sorts(&self.flow.transitions[transition].inputs);
            let inputs = self.terms("inputs", &inputs)?;
            let next = self.input_sorts(&self.flow.vars);
            let next = self.terms("next", &next)?;
            self.cursor.close("the end of the choice")?;
            choices.push(Choice { when, transition, next, inputs });
        }
        Ok(choices)
    }

    fn terms(&mut self, what: &str, sorts: &[SortId]) -> Fallible<Vec<TermId>> {
        self.expect(what)?;
        let mut terms = Vec::with_capacity(sorts.len());
        for &sort in sorts {
            terms.push(self.term(sort)?);
        }
        self.cursor.close("the end of the terms")?;
        Ok(terms)
    }

    fn input_sorts(&self, vars: &[TermId]) -> Vec<SortId> {
        vars.iter().map(|&var| self.flow.terms.sort(var)).collect()
    }

    fn initial(&mut self) -> Fallible<Initial> {
        self.expect("start")?;
        let at = self.cursor.peek().start;
        let start = self.cursor.small_numeral("a start")? as usize;
        let Some(found) = self.flow.starts.get(start) else {
            return wrong(self.cursor.span_from(at), "the flow has no such start");
        };
        let sorts = self.input_sorts(&found.inputs);
        let (inputs, values) = self.values(&sorts)?;
        Ok(Initial { start, inputs, values })
    }

    /// The values of inputs and of the flow's variables, up to the closing parenthesis.
    fn values(&mut self, inputs: &[SortId]) -> Fallible<(Vec<Value>, Vec<Value>)> {
        let vars = self.input_sorts(&self.flow.vars);
        let mut all = Vec::new();
        for (what, sorts) in [("inputs", inputs), ("values", &vars[..])] {
            self.expect(what)?;
            let mut values = Vec::with_capacity(sorts.len());
            for &sort in sorts {
                values.push(self.reader.value(&mut self.cursor, sort)?);
            }
            self.cursor.close("the end of the values")?;
            all.push(values);
        }
        self.cursor.close("the end of the state")?;
        let values = all.pop().unwrap_or_default();
        Ok((all.pop().unwrap_or_default(), values))
    }

    /// The proofs, and the end of the text.
    fn proofs(&mut self) -> Fallible<Vec<Proof>> {
        let mut proofs = Vec::new();
        while self.enter("proof") {
            let cursor = &mut self.cursor;
            proofs.push(self.reader.context.scoped(|context| proof::read(context, cursor))?);
            self.cursor.close("the end of the proof")?;
        }
        self.cursor.close("`(proof …)` or the end of the evidence")?;
        match self.cursor.peek().kind {
            Kind::End => Ok(proofs),
            _ => Err(self.cursor.unexpected("the end")),
        }
    }
}
