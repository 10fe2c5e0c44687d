//! What is written about a decision besides the answer: evidence, graphs, the page of the run.
//!
//! Standard output is written by the caller, after the answer; files are written here. Several
//! properties go to one file, in the order of the answers. A file that cannot be written is a
//! complaint and not the end: the answer is still worth having.

use crate::args::{Decide, Dialect};
use crate::speak;
use alphorn_driver::evidence::AnyEvidence;
use alphorn_driver::report::html::{Page, Section, page};
use alphorn_driver::report::timeline::Timeline;
use alphorn_driver::report::{Answer, Outcome};
use alphorn_driver::{AnyProblem, Opened, reply};
use std::path::{Path, PathBuf};

/// What is to be written about a file, and what was.
pub struct Output<'a> {
    args: &'a Decide,
    dialect: Dialect,
    /// The folder for the page, if one is wanted.
    folder: Option<PathBuf>,
    page: Page,
    evidence_written: usize,
    graphs_written: usize,
    /// Whether something could not be written.
    pub has_failed: bool,
}

impl<'a> Output<'a> {
    /// Nothing written yet about `file`.
    pub fn new(args: &'a Decide, dialect: Dialect, file: &str) -> Output<'a> {
        let folder = args.out.as_ref().map(|folder| match args.files.len() {
            1 => PathBuf::from(folder),
            _ => Path::new(folder).join(folder_name(&args.files, file)),
        });
        let page = Page { file: file.to_owned(), ..Page::default() };
        Output {
            args,
            dialect,
            folder,
            page,
            evidence_written: 0,
            graphs_written: 0,
            has_failed: false,
        }
    }

    fn complain(&mut self, path: &str, what: &str, error: &std::io::Error) {
        let message = format!("{what} cannot be written: {error}");
        speak::complain(path, &message, self.args.json);
        self.has_failed = true;
    }

    /// Writes to a file, or after what was written to it before; false if that is impossible.
    fn write(&mut self, path: &str, what: &str, text: &str, written: usize) -> bool {
        let result = match written {
            0 => std::fs::write(path, text),
            _ => append(path, text),
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
            self.evidence(opened, answer, evidence, &mut after);
            self.graph(opened, evidence, &mut after);
            self.shown(opened, index, evidence, &mut after);
        }
        if self.folder.is_some() {
            let section = alphorn_driver::page::section(opened, answer.clone(), evidence, timeline);
            self.keep(opened, answer, evidence, section);
        }
        after
    }

    fn evidence(
        &mut self,
        opened: &Opened,
        answer: &mut Answer,
        evidence: &AnyEvidence,
        after: &mut String,
    ) {
        let Some(path) = &self.args.evidence else { return };
        let text = evidence.text(opened);
        if path == "-" {
            after.push_str(&text);
        } else if self.write(path, "the evidence", &text, self.evidence_written) {
            answer.evidence = Some(path.clone());
            self.evidence_written += 1;
        }
    }

    fn graph(&mut self, opened: &Opened, evidence: &AnyEvidence, after: &mut String) {
        let Some(path) = &self.args.dot else { return };
        let Some(text) = evidence.dot(opened) else { return };
        if path == "-" {
            after.push_str(&text);
        } else if self.write(path, "the graph", &text, self.graphs_written) {
            self.graphs_written += 1;
        }
    }

    /// The model or the tree, for standard output.
    fn shown(&self, opened: &Opened, index: usize, evidence: &AnyEvidence, after: &mut String) {
        let is_horn = self.dialect == Dialect::Horn;
        if self.args.model
            && !reply::shows_model(opened, index)
            && let Some(definitions) = evidence.definitions(opened)
        {
            match is_horn {
                true => after.push_str(&reply::model(&definitions)),
                false => definitions.iter().for_each(|text| after.push_str(&format!("{text}\n"))),
            }
        }
        if self.args.tree
            && let Some(tree) = evidence.tree(opened)
        {
            // Whoever reads replies of solvers skips comments.
            let mark = if is_horn { "; " } else { "" };
            tree.lines().for_each(|line| after.push_str(&format!("{mark}{line}\n")));
        }
    }

    /// Writes evidence into the folder and keeps what the page will say.
    fn keep(
        &mut self,
        opened: &Opened,
        answer: &mut Answer,
        evidence: Option<&AnyEvidence>,
        mut section: Section,
    ) {
        let Some(folder) = self.folder.clone() else { return };
        if let Err(error) = std::fs::create_dir_all(&folder) {
            self.complain(&folder.to_string_lossy(), "the folder", &error);
            self.folder = None;
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
                answer.evidence.get_or_insert(path);
                section.files.push((what.to_owned(), name));
            }
        }
        section.answer.evidence.clone_from(&answer.evidence);
        self.page.sections.push(section);
    }

    /// Writes the page, when everything about the file is decided.
    pub fn finish(&mut self) {
        let Some(folder) = self.folder.clone() else { return };
        if self.page.sections.is_empty() {
            return;
        }
        let path = folder.join("report.html").to_string_lossy().into_owned();
        if self.write(&path, "the page", &page(&self.page), 0)
            && !self.args.json
            && !self.args.quiet
        {
            speak::err(&format!("wrote {path}\n"));
        }
    }
}

/// The files of evidence in the folder: what each is, its name, its text.
fn files(opened: &Opened, evidence: &AnyEvidence) -> Vec<(&'static str, &'static str, String)> {
    let is_horn = matches!(opened.problem, Some(AnyProblem::Horn(_)));
    let text = evidence.text(opened);
    match (is_horn, evidence.outcome()) {
        (true, Outcome::Safe) => vec![("The model, with a proof per clause", "model.smt2", text)],
        (true, _) => {
            let graph = evidence.dot(opened).unwrap_or_default();
            vec![
                ("The derivation", "derivation.txt", text),
                ("The derivation as a graph for Graphviz", "derivation.dot", graph),
            ]
        }
        (false, Outcome::Safe) => vec![("The certificate", "certificate.txt", text)],
        (false, _) => vec![("The witness", "witness.txt", text)],
    }
}

/// The name of a file's folder: the file's own, with a number if an earlier one has the same.
fn folder_name(files: &[String], file: &str) -> String {
    let stem = |file: &str| {
        let stem = Path::new(file).file_stem().map(|stem| stem.to_string_lossy().into_owned());
        stem.filter(|stem| stem != "-").unwrap_or_else(|| "input".to_owned())
    };
    let mine = stem(file);
    let earlier = files.iter().take_while(|other| *other != file);
    match earlier.filter(|other| stem(other) == mine).count() {
        0 => mine,
        count => format!("{mine}-{}", count + 1),
    }
}

fn append(path: &str, text: &str) -> std::io::Result<()> {
    use std::io::Write;
    std::fs::OpenOptions::new().append(true).open(path)?.write_all(text.as_bytes())
}
