//! Reading evidence about flows.

mod rank;

use crate::diag::{Diagnostic, Read};
use crate::evidence::names::read_variable;
use crate::evidence::values::Reader;
use crate::evidence::{Fallible, outcome, proof, word, wrong};
use crate::smtlib::{Cursor, Kind};
use alphorn_problem::evidence::flow::{
    Choice, Initial, Measure, Path, PathStep, Ranking, Recurrence, Termination,
};
use alphorn_problem::evidence::proof::Proof;
use alphorn_problem::evidence::temporal::{Label, Labelling, Labels};
use alphorn_problem::temporal::{Ends, Said};
use alphorn_problem::{Flow, Temporal, Verdict};
use alphorn_term::{SortId, Store, TermId, Value};
use std::collections::BTreeMap;

/// The question that evidence about a temporal formula says it answers; nothing for other evidence.
pub fn read_question(bytes: &[u8]) -> Option<Result<(Said, Ends), Box<Diagnostic>>> {
    let mut cursor = Cursor::new(bytes);
    cursor.eat(Kind::Open)?;
    cursor.is_word("labels").then(|| {
        cursor.take();
        cursor.symbol("`holds` or `fails`")?;
        said(&mut cursor)
    })
}

fn said(cursor: &mut Cursor<'_>) -> Fallible<(Said, Ends)> {
    let mut part = |what: &str| {
        cursor.open(&format!("`({what} …)`"))?;
        word(cursor, what)
    };
    part("formula")?;
    let formula = string(cursor)?;
    cursor.close("the end of the formula")?;
    cursor.open("`(ends …)`")?;
    word(cursor, "ends")?;
    let ends = match cursor.is_word("stutter") {
        true => Ends::Stutter,
        false => Ends::Vacuous,
    };
    word(cursor, if ends == Ends::Stutter { "stutter" } else { "vacuous" })?;
    cursor.close("the end")?;
    let mut probe = Cursor::at(cursor.text(), cursor.peek().start as usize);
    probe.take();
    let mut fairness = None;
    if probe.is_word("fair") {
        cursor.take();
        cursor.take();
        fairness = Some((string(cursor)?, string(cursor)?));
        cursor.close("the end of the conditions")?;
    }
    Ok((Said { formula, fairness }, ends))
}

/// A string.
fn string(cursor: &mut Cursor<'_>) -> Fallible<String> {
    if cursor.peek().kind != Kind::String {
        return Err(cursor.unexpected("a string"));
    }
    let token = cursor.take();
    let Ok(text) = str::from_utf8(cursor.bytes_of(token)) else {
        return wrong(token.span(), "this is not text");
    };
    let inner = text.strip_prefix('"').and_then(|text| text.strip_suffix('"'));
    Ok(inner.unwrap_or(text).replace("\"\"", "\""))
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
        said(&mut self.cursor)?;
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
