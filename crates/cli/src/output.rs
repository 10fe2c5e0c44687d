//! What is written about a decision besides the answer: evidence, graphs, the page of the run.
//!
//! What people see on standard output is printed by the caller, after the answer; files are written
//! here, and so is what takes the place of a file there. Several
//! properties go to one file, in the order of the answers. A file that cannot be written is a
//! complaint and not the end: the answer is still worth having.

use crate::args::{Amount, Decide, Dialect, Show};
use crate::facts::{check_command, origin, run_facts};
use crate::speak;
use crate::target::{Plan, Target, Targets};
use alphorn_driver::carried::{Whole, carried};
use alphorn_driver::evidence::AnyEvidence;
use alphorn_driver::invariant::lines;
use alphorn_driver::report::carried::Carried;
use alphorn_driver::report::html::{Page, Section, page};
use alphorn_driver::report::timeline::Timeline;
use alphorn_driver::report::waveform::vcd;
use alphorn_driver::report::{Answer, Outcome, printable};
use alphorn_driver::source::{self, Confirmed};
use alphorn_driver::waveform::waveform;
use alphorn_driver::{AnyProblem, Opened, reply};

/// What is to be written about a file, and what was.
pub struct Output<'a> {
    args: &'a Decide,
    dialect: Dialect,
    plan: &'a Plan,
    targets: Targets,
    page: Page,
    /// What is to be said about wishes that the answer cannot fulfil.
    remarks: Vec<String>,
    /// Where the page was written.
    pub page_written: Option<String>,
    evidence_written: usize,
    graphs_written: usize,
    waves_written: usize,
    witnesses_written: usize,
    tests_written: usize,
    /// What the compiled test of the last run came to.
    confirmed: Option<Confirmed>,
    /// Whether something could not be written.
    pub has_failed: bool,
}

impl<'a> Output<'a> {
    /// Nothing written yet about the file at `position`.
    pub fn new(args: &'a Decide, dialect: Dialect, plan: &'a Plan, position: usize) -> Output<'a> {
        let file = args.files[position].clone();
        let page = Page { file, run: run_facts(args), ..Page::default() };
        Output {
            args,
            dialect,
            plan,
            targets: plan.files[position].clone(),
            page,
            remarks: Vec::new(),
            page_written: None,
            evidence_written: 0,
            graphs_written: 0,
            waves_written: 0,
            witnesses_written: 0,
            tests_written: 0,
            confirmed: None,
            has_failed: false,
        }
    }

    /// Says which wishes the answer could not fulfil.
    pub fn remarks(&mut self) {
        let file = printable::line(&self.page.file).into_owned();
        for remark in self.remarks.drain(..) {
            if !self.args.json && !self.args.quiet {
                speak::err(&format!("{file}: {remark}\n"));
            }
        }
    }

    fn complain(&mut self, path: &str, what: &str, error: &std::io::Error) {
        let message = format!("{what} cannot be written: {error}");
        speak::complain(path, &message, self.args.json);
        self.has_failed = true;
    }

    /// Whether a proof about a circuit must have a witness circuit.
    pub fn wants_witness_circuit(&self) -> bool {
        let evidence = match &self.targets.evidence {
            Some(Target::File(path)) => Some(path.as_str()),
            _ => None,
        };
        let competition = self.args.competition.as_ref();
        evidence.is_some_and(is_circuit_name)
            || competition.is_some_and(|c| c.certificate.is_some())
    }

    /// Writes to a file, or after what was written to it before; false if that is impossible.
    fn write(&mut self, path: &str, what: &str, text: impl AsRef<[u8]>, written: usize) -> bool {
        let result = match written {
            0 => std::fs::write(path, text.as_ref()),
            _ => append(path, text.as_ref()),
        };
        if let Err(error) = &result {
            self.complain(path, what, error);
        }
        result.is_ok()
    }

    /// Writes what is wanted about the answer to a question, and gives what should be printed
    /// after it. `opened` is the file as if it had only that question.
    pub fn decided(
        &mut self,
        opened: &Opened,
        index: usize,
        answer: &mut Answer,
        evidence: Option<&AnyEvidence>,
        timeline: Timeline,
    ) -> String {
        let mut after = String::new();
        if let Some(evidence) = evidence {
            self.evidence(opened, answer, evidence);
            self.compete(opened, answer, evidence);
            self.controlled(opened, evidence);
            self.graph(opened, evidence);
            self.wave(opened, evidence);
            self.witness(opened, evidence);
            self.test(opened, evidence);
            if !self.args.json {
                self.shown(opened, index, evidence, &mut after);
            }
        }
        if self.targets.folder.is_some() {
            let section = alphorn_driver::page::section(opened, answer.clone(), evidence, timeline);
            self.keep(opened, index, answer, evidence, section);
        }
        after
    }

    fn evidence(&mut self, opened: &Opened, answer: &mut Answer, evidence: &AnyEvidence) {
        let path = match self.targets.evidence.clone() {
            None => return,
            Some(Target::Output) => return speak::data(evidence.text(opened).as_bytes()),
            Some(Target::File(path)) => path,
        };
        if is_circuit_name(&path)
            && let Some(circuit) = evidence.witness_circuit(opened, is_binary_name(&path))
        {
            self.witness_circuit(&path, circuit, answer);
            return;
        }
        let text = evidence.text(opened);
        if self.write(&path, "the evidence", &text, self.evidence_written) {
            answer.evidence = Some(path);
            self.evidence_written += 1;
        }
    }

    /// Writes a witness circuit; a file holds one.
    fn witness_circuit(
        &mut self,
        path: &str,
        circuit: Result<Vec<u8>, String>,
        answer: &mut Answer,
    ) {
        let circuit = match circuit {
            _ if self.evidence_written > 0 => {
                Err("it is of one property already; choose with --property".to_owned())
            }
            circuit => circuit,
        };
        match circuit {
            Ok(bytes) if self.write(path, "the witness circuit", &bytes, 0) => {
                answer.evidence = Some(path.to_owned());
                self.evidence_written += 1;
            }
            Ok(_) => {}
            Err(why) => {
                let message = format!("the witness circuit is not written: {why}");
                speak::complain(path, &message, self.args.json);
                self.has_failed = true;
            }
        }
    }

    /// Writes the files of the competition's form.
    fn compete(&mut self, opened: &Opened, answer: &mut Answer, evidence: &AnyEvidence) {
        let Some(competition) = &self.args.competition else { return };
        let path = match evidence.outcome() {
            Outcome::Unsafe => &competition.witness,
            _ => &competition.certificate,
        };
        let Some(path) = path else { return };
        match evidence.witness_circuit(opened, is_binary_name(path)) {
            Some(circuit) => self.witness_circuit(path, circuit, answer),
            None if self.write(path, "the evidence", evidence.text(opened), 0) => {
                answer.evidence = Some(path.clone());
            }
            None => {}
        }
    }

    /// Writes the circuit of a game with the controller in it.
    fn controlled(&mut self, opened: &Opened, evidence: &AnyEvidence) {
        let Some(target) = self.targets.circuit.clone() else { return };
        let Some(text) = evidence.controlled_circuit(opened) else {
            self.remarks.push("no circuit is written, for no controller wins".to_owned());
            return;
        };
        match target {
            Target::Output => speak::data(text.as_bytes()),
            Target::File(path) => {
                self.write(&path, "the circuit", text, 0);
            }
        }
    }

    /// Writes the run as a VCD file; of several properties each has its own.
    fn wave(&mut self, opened: &Opened, evidence: &AnyEvidence) {
        let Some(target) = self.targets.vcd.clone() else { return };
        let Some(wave) = waveform(opened, evidence) else {
            return self.has_nothing("--vcd", evidence.outcome(), "run");
        };
        let text = vcd(&wave, &opened.file);
        let path = match target {
            Target::Output if self.waves_written > 0 => {
                let why = "standard output has the run of another property; choose with --property";
                speak::complain(&opened.file, why, self.args.json);
                self.has_failed = true;
                return;
            }
            Target::Output => {
                self.waves_written += 1;
                return speak::data(text.as_bytes());
            }
            Target::File(path) => path,
        };
        let numbered = |count: usize| match (count, path.rsplit_once('.')) {
            (0, _) => path.clone(),
            (count, Some((stem, ending))) => format!("{stem}-{count}.{ending}"),
            (count, None) => format!("{path}-{count}"),
        };
        while self.waves_written > 0 && !self.plan.is_free(&numbered(self.waves_written)) {
            self.waves_written += 1;
        }
        if self.write(&numbered(self.waves_written), "the waveform", text, 0) {
            self.waves_written += 1;
        }
    }

    /// Writes the witness about a program.
    fn witness(&mut self, opened: &Opened, evidence: &AnyEvidence) {
        let Some(target) = self.targets.witness.clone() else { return };
        let Some(text) = source::witness(opened, evidence, &origin(self.args)) else { return };
        match target {
            Target::Output => speak::data(text.as_bytes()),
            Target::File(path) => {
                if self.write(&path, "the witness", text, self.witnesses_written) {
                    self.witnesses_written += 1;
                }
            }
        }
    }

    /// Writes the test of a run of a program, and has it run if that is wanted.
    fn test(&mut self, opened: &Opened, evidence: &AnyEvidence) {
        let target = self.targets.harness.clone();
        if target.is_none() && !self.args.confirm {
            return;
        }
        let Some(test) = source::test(opened, evidence) else {
            let option = if target.is_some() { "--harness" } else { "--confirm" };
            return self.has_nothing(option, evidence.outcome(), "run");
        };
        for what in &test.left_out {
            self.remarks.push(format!("the test does not have {what}"));
        }
        if let Some(why) = &test.slow {
            self.remarks.push(format!("the test takes long: {why}"));
        }
        match target {
            Some(Target::Output) => speak::data(&test.text),
            Some(Target::File(path)) => {
                let path = match (self.tests_written, path.rsplit_once('.')) {
                    (0, _) => path,
                    (count, Some((stem, ending))) => format!("{stem}-{count}.{ending}"),
                    (count, None) => format!("{path}-{count}"),
                };
                if self.write(&path, "the test", &test.text, 0) {
                    self.tests_written += 1;
                }
            }
            None => {}
        }
        if self.args.confirm {
            self.confirmed = Some(source::confirm(opened, &test));
        }
    }

    /// Notes that an answer has nothing of a kind that is wanted.
    fn has_nothing(&mut self, option: &str, outcome: Outcome, what: &str) {
        let why = match outcome {
            Outcome::Unsafe => format!("this violation has no {what}"),
            _ => format!("the answer is {}", outcome.human()),
        };
        self.remarks.push(format!("{option} has nothing to show: {why}"));
    }

    fn graph(&mut self, opened: &Opened, evidence: &AnyEvidence) {
        let Some(target) = self.targets.dot.clone() else { return };
        let Some(text) = evidence.dot(opened) else {
            return self.has_nothing("--dot", evidence.outcome(), "derivation by clauses alone");
        };
        let text = printable::text(&text);
        match target {
            Target::Output => speak::data(text.as_bytes()),
            Target::File(path) => {
                if self.write(&path, "the graph", &*text, self.graphs_written) {
                    self.graphs_written += 1;
                }
            }
        }
    }

    /// The model or the tree, for standard output.
    fn shown(&mut self, opened: &Opened, index: usize, evidence: &AnyEvidence, after: &mut String) {
        let is_horn = self.dialect == Dialect::Horn;
        if let Some(amount) = self.args.model
            && let Some(lines) = lines(opened, evidence)
        {
            let most = if amount == Amount::All { usize::MAX } else { MAX_LINES };
            let mark = if self.dialect == Dialect::Human { "  " } else { "c " };
            let rest = lines.len().saturating_sub(most);
            lines.iter().take(most).for_each(|line| after.push_str(&format!("{mark}{line}\n")));
            if rest > 0 {
                after.push_str(&format!("{mark}… and {rest} more (--model=all)\n"));
            }
        }
        if self.args.model.is_some()
            && !reply::shows_model(opened, index)
            && let Some(definitions) = evidence.definitions(opened)
        {
            match is_horn {
                true => after.push_str(&reply::horn_model(&definitions)),
                false => definitions.iter().for_each(|text| after.push_str(&format!("{text}\n"))),
            }
        }
        match self.args.tree.then(|| evidence.tree(opened)) {
            Some(Some(tree)) => {
                // Whoever reads replies of solvers skips comments.
                let mark = if is_horn { "; " } else { "" };
                tree.lines().for_each(|line| after.push_str(&format!("{mark}{line}\n")));
            }
            Some(None) => {
                self.has_nothing("--tree", evidence.outcome(), "derivation by clauses alone");
            }
            None => {}
        }
        match self.confirmed.take() {
            Some(Confirmed::Yes) => {
                after.push_str("  confirmed: the compiled test fails likewise\n")
            }
            Some(Confirmed::No(why)) => {
                after.push_str(&format!("  not confirmed by the compiled test: {why}\n"));
            }
            Some(Confirmed::Cannot(why)) => {
                after.push_str(&format!("  not confirmed: {}\n", printable::line(&why)));
            }
            None => {}
        }
        if let Some(how) = self.args.show {
            let text = match how {
                Show::Acsl => source::acsl(opened, evidence),
                Show::Some => source::show(opened, evidence, false, speak::colours_answers()),
                Show::All => source::show(opened, evidence, true, speak::colours_answers()),
            };
            match text {
                Some(text) => after.push_str(&text),
                None => self.has_nothing("--show", evidence.outcome(), "source"),
            }
        }
        if let Some(amount) = self.args.trace {
            match evidence.trace(opened, amount == Amount::All) {
                Some(trace) => {
                    let mark = if is_horn { "; " } else { "" };
                    trace.lines().for_each(|line| after.push_str(&format!("{mark}{line}\n")));
                }
                None => self.has_nothing("--trace", evidence.outcome(), "steps to show"),
            }
        }
    }

    /// What an object of JSON carries besides the answer.
    pub fn carried(&self, opened: &Opened, evidence: Option<&AnyEvidence>) -> Carried {
        let is_all = |amount: Option<Amount>| amount == Some(Amount::All);
        let whole = Whole { model: is_all(self.args.model), trace: is_all(self.args.trace) };
        evidence.map_or(Carried::default(), |evidence| carried(opened, evidence, whole))
    }

    /// Writes evidence into the folder and keeps what the page will say.
    fn keep(
        &mut self,
        opened: &Opened,
        index: usize,
        answer: &mut Answer,
        evidence: Option<&AnyEvidence>,
        mut section: Section,
    ) {
        let Some(folder) = self.targets.folder.clone() else { return };
        if let Err(error) = std::fs::create_dir_all(&folder) {
            self.complain(&folder.to_string_lossy(), "the folder", &error);
            self.targets.folder = None;
            return;
        }
        let number = match self.page.sections.len() {
            0 => String::new(),
            count => format!("-{count}"),
        };
        for (what, name, text) in evidence.map_or(Vec::new(), |evidence| files(opened, evidence)) {
            let name = name.replace('.', &format!("{number}."));
            let path = folder.join(&name).to_string_lossy().into_owned();
            if self.write(&path, what, &text, 0) {
                let question = answer.property.starts_with("check-sat").then_some(index);
                section
                    .check
                    .get_or_insert_with(|| check_command(self.args, &opened.file, question, &path));
                answer.evidence.get_or_insert(path);
                section.files.push((what.to_owned(), name));
            }
        }
        section.answer.evidence.clone_from(&answer.evidence);
        self.page.sections.push(section);
    }

    /// Writes the page, when everything about the file is decided.
    pub fn finish(&mut self) {
        let Some(folder) = self.targets.folder.clone() else { return };
        if self.page.sections.is_empty() {
            return;
        }
        let path = folder.join("report.html").to_string_lossy().into_owned();
        if self.write(&path, "the page", page(&self.page), 0) {
            if !self.args.json && !self.args.quiet {
                speak::err(&format!("wrote {path}\n"));
            }
            self.page_written = Some(path);
        }
    }
}

/// The most lines of an invariant that are printed unless all are wanted.
const MAX_LINES: usize = 20;

/// Whether a file's name asks for a circuit.
fn is_circuit_name(path: &str) -> bool {
    is_binary_name(path) || path.to_ascii_lowercase().ends_with(".aag")
}

/// Whether a file's name asks for a circuit in binary.
fn is_binary_name(path: &str) -> bool {
    path.to_ascii_lowercase().ends_with(".aig")
}

/// The files of evidence in the folder: what each is, its name, its content.
fn files(opened: &Opened, evidence: &AnyEvidence) -> Vec<(&'static str, &'static str, Vec<u8>)> {
    let is_horn = matches!(opened.problem, Some(AnyProblem::Horn(_)));
    let text = evidence.text(opened).into_bytes();
    match (is_horn, evidence.outcome()) {
        (true, Outcome::Safe) => vec![("The model, with a proof per clause", "model.smt2", text)],
        (true, _) => {
            let graph = evidence.dot(opened).unwrap_or_default();
            let graph = printable::text(&graph).into_owned().into_bytes();
            vec![
                ("The derivation", "derivation.txt", text),
                ("The derivation as a graph for Graphviz", "derivation.dot", graph),
            ]
        }
        (false, Outcome::Safe) => {
            let mut files = vec![("The certificate, with proofs", "certificate.txt", text)];
            if let Some(Ok(circuit)) = evidence.witness_circuit(opened, true) {
                files.push(("The same as a witness circuit", "certificate.aig", circuit));
            }
            files
        }
        (false, _) => {
            let mut files = vec![("The witness", "witness.txt", text)];
            if let Some(wave) = waveform(opened, evidence) {
                let vcd = vcd(&wave, &opened.file).into_bytes();
                files.push(("The same for wave viewers", "witness.vcd", vcd));
            }
            files
        }
    }
}

fn append(path: &str, text: &[u8]) -> std::io::Result<()> {
    use std::io::Write;
    std::fs::OpenOptions::new().append(true).open(path)?.write_all(text)
}
