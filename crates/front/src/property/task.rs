//! Task definitions: which files make a program, what is asked about it, and what the answers are.

use crate::diag::{Code, Diagnostic, Diagnostics, Read};
use crate::yaml::{self, Node};
use alphorn_problem::Span;
use alphorn_program::c::DataModel;

/// A task definition.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TaskFile {
    /// The files of the program, by their paths from the definition's folder.
    pub input_files: Vec<String>,
    /// What is asked.
    pub properties: Vec<Expected>,
    /// The data model, if it is said.
    pub data_model: Option<DataModel>,
    /// The language, if it is said.
    pub language: Option<String>,
}

/// A property of a task, with its answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expected {
    /// The property file, by its path from the definition's folder.
    pub file: String,
    /// Whether the property holds, if it is said.
    pub verdict: Option<bool>,
    /// Which of several properties is violated.
    pub subproperty: Option<String>,
    /// Where it stands.
    pub span: Span,
}

/// Reads a task definition.
pub fn read_task(bytes: &[u8]) -> Read<TaskFile> {
    let (node, mut diagnostics) = yaml::read(bytes);
    let Some(node) = node else { return (None, diagnostics) };
    let task = task(&node, &mut diagnostics);
    (diagnostics.is_clean().then_some(task), diagnostics)
}

fn wrong(diagnostics: &mut Diagnostics, span: Span, message: &str) {
    diagnostics.push(Diagnostic::error(Code::PropertyFile, span, message));
}

fn task(node: &Node, diagnostics: &mut Diagnostics) -> TaskFile {
    let mut task = TaskFile::default();
    match node.find("format_version").and_then(Node::text) {
        Some("1.0" | "2.0" | "2.1") => {}
        Some(_) => wrong(diagnostics, node.span, "this version of the format is not treated"),
        None => {
            let message = "a task definition says its format_version, 1.0 to 2.1";
            wrong(diagnostics, node.span, message);
            return task;
        }
    }
    match node.find("input_files").map(|files| (texts(files), files.span)) {
        Some((Some(files), _)) if !files.is_empty() => task.input_files = files,
        Some((_, span)) => wrong(diagnostics, span, "input_files is a name or a list of names"),
        None => wrong(diagnostics, node.span, "there are no input_files"),
    }
    match node.find("properties").map(|list| (list.list(), list.span)) {
        Some((Some(list), _)) => {
            task.properties = list.iter().filter_map(|one| expected(one, diagnostics)).collect();
        }
        Some((None, span)) => wrong(diagnostics, span, "properties is a list"),
        None => {}
    }
    let options = node.find("options");
    task.language = options.and_then(|options| options.find("language")?.text()).map(str::to_owned);
    if let Some(model) = options.and_then(|options| options.find("data_model")) {
        match model.text() {
            Some("ILP32") => task.data_model = Some(DataModel::Ilp32),
            Some("LP64") => task.data_model = Some(DataModel::Lp64),
            _ => wrong(diagnostics, model.span, "data_model is ILP32 or LP64"),
        }
    }
    task
}

/// A text, or the members of a list of texts.
fn texts(node: &Node) -> Option<Vec<String>> {
    match (node.text(), node.list()) {
        (Some(text), _) => Some(vec![text.to_owned()]),
        (_, Some(list)) => list.iter().map(|one| one.text().map(str::to_owned)).collect(),
        _ => None,
    }
}

fn expected(node: &Node, diagnostics: &mut Diagnostics) -> Option<Expected> {
    let Some(file) = node.find("property_file").and_then(Node::text) else {
        wrong(diagnostics, node.span, "a property has a property_file");
        return None;
    };
    let verdict = match node.find("expected_verdict").map(|verdict| (verdict.text(), verdict.span))
    {
        Some((Some("true"), _)) => Some(true),
        Some((Some("false"), _)) => Some(false),
        Some((_, span)) => {
            wrong(diagnostics, span, "expected_verdict is true or false");
            None
        }
        None => None,
    };
    let subproperty = node.find("subproperty").and_then(Node::text).map(str::to_owned);
    Some(Expected { file: file.to_owned(), verdict, subproperty, span: node.span })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_definition_says_files_properties_and_data_model() {
        let text = "format_version: '2.0'\n\n# a comment\ninput_files: 'list-1.c'\n\nproperties:\n  \
            - property_file: ../properties/valid-memsafety.prp\n    expected_verdict: false\n    \
            subproperty: valid-free\n  - property_file: a.prp\n\noptions:\n  language: C\n  \
            data_model: ILP32\n";
        let task = read_task(text.as_bytes()).0.expect("it is read");
        assert_eq!(task.input_files, ["list-1.c"]);
        assert_eq!(task.data_model, Some(DataModel::Ilp32));
        let found: Vec<_> = (task.properties.iter())
            .map(|one| (one.file.as_str(), one.verdict, one.subproperty.as_deref()))
            .collect();
        let memory = "../properties/valid-memsafety.prp";
        assert_eq!(found, [(memory, Some(false), Some("valid-free")), ("a.prp", None, None)]);
    }

    #[test]
    fn what_is_wrong_is_said_with_its_place() {
        for (text, line) in [
            ("input_files: a.c", 1),
            ("format_version: '9.0'\ninput_files: a.c", 1),
            ("format_version: '2.0'\nproperties: []", 1),
            ("format_version: '2.0'\ninput_files: {}", 2),
            ("format_version: '2.0'\ninput_files: a.c\nproperties:\n- a: b", 4),
            ("format_version: '2.0'\ninput_files: a.c\noptions:\n  data_model: LLP64", 4),
            ("format_version: '2.0'\n  - a", 2),
        ] {
            let (task, diagnostics) = read_task(text.as_bytes());
            assert!(task.is_none(), "{text}");
            let place = diagnostics.list[0].place(text.as_bytes());
            assert_eq!(place.map(|(line, _)| line), Some(line), "{text}: {diagnostics:?}");
        }
    }
}
