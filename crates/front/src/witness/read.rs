//! Reading witnesses, strictly: what is missing or misplaced is an error, what is unknown a warning.

mod violation;

use super::{
    About, Content, Invariant, InvariantKind, Location, Metadata, Producer, Segment, Version,
    WaypointKind, Witness,
};
use crate::diag::{Code, Diagnostic, Diagnostics, Read};
use crate::yaml;
use crate::yaml::{Node, Value};
use alphorn_problem::Span;
use alphorn_program::c::DataModel;

/// Whether this looks like a witness: a list whose first member says what entry it is.
pub fn is_witness(bytes: &[u8]) -> bool {
    let text = String::from_utf8_lossy(&bytes[..bytes.len().min(1 << 16)]);
    let is_content = |line: &&str| {
        let line = line.trim();
        !line.is_empty() && !line.starts_with('#') && line != "---"
    };
    let mut lines = text.lines().filter(is_content);
    let starts_list = lines.next().is_some_and(|line| line.trim_start().starts_with("- "));
    starts_list && text.contains("entry_type")
}

/// Reads the witnesses of a file.
pub fn read(bytes: &[u8]) -> Read<Vec<Witness>> {
    let (node, mut diagnostics) = yaml::read(bytes);
    let Some(node) = node else { return (None, diagnostics) };
    let mut reader = Reader { diagnostics: &mut diagnostics };
    let found = reader.witnesses(&node);
    let is_clean = diagnostics.is_clean();
    (found.filter(|_| is_clean), diagnostics)
}

/// The format of the constraint of a waypoint.
pub(super) fn format_of(kind: WaypointKind) -> Option<&'static str> {
    match kind {
        WaypointKind::Assumption => Some("c_expression"),
        WaypointKind::FunctionReturn => Some("acsl_expression"),
        WaypointKind::Branching | WaypointKind::FunctionEnter | WaypointKind::Target => None,
    }
}

struct Reader<'a> {
    diagnostics: &'a mut Diagnostics,
}

impl Reader<'_> {
    /// Complains, once enough is said no more.
    fn wrong<T>(&mut self, span: Span, message: impl Into<String>) -> Option<T> {
        if !self.diagnostics.is_full() {
            self.diagnostics.push(Diagnostic::error(Code::Witness, span, message));
        }
        None
    }

    fn unsupported<T>(&mut self, span: Span, message: impl Into<String>) -> Option<T> {
        if !self.diagnostics.is_full() {
            self.diagnostics.push(Diagnostic::unsupported(Code::Witness, span, message));
        }
        None
    }

    /// Warns of keys that are not among those listed.
    fn only(&mut self, node: &Node, known: &[&str]) {
        for (key, _) in node.map().unwrap_or_default() {
            if !known.contains(&key.text.as_str()) && !self.diagnostics.is_full() {
                let message = format!("the key '{}' has no effect", key.text.escape_debug());
                self.diagnostics.push(Diagnostic::warning(Code::Witness, key.span, message));
            }
        }
    }

    fn find<'n>(&mut self, node: &'n Node, key: &str) -> Option<&'n Node> {
        match node.find(key) {
            Some(found) => Some(found),
            None if node.map().is_none() => {
                let message =
                    format!("a map with the key '{key}' is expected, not {}", node.kind());
                self.wrong(node.span, message)
            }
            None => self.wrong(node.span, format!("the key '{key}' is missing")),
        }
    }

    fn text(&mut self, node: &Node, key: &str) -> Option<String> {
        let found = self.find(node, key)?;
        match found.text() {
            Some(text) => Some(text.to_owned()),
            None => self.wrong(found.span, format!("'{key}' is a text, not {}", found.kind())),
        }
    }

    fn list<'n>(&mut self, node: &'n Node, key: &str) -> Option<&'n [Node]> {
        let found = self.find(node, key)?;
        match (found.list(), &found.value) {
            (Some(list), _) => Some(list),
            (None, Value::Null) => Some(&[]),
            _ => self.wrong(found.span, format!("'{key}' is a list, not {}", found.kind())),
        }
    }

    fn witnesses(&mut self, node: &Node) -> Option<Vec<Witness>> {
        let Some(list) = node.list() else {
            return self
                .wrong(node.span, format!("a witness is a list of entries, not {}", node.kind()));
        };
        if list.is_empty() {
            return self.wrong(node.span, "the witness has no entry");
        }
        // All of them, so that all that is wrong is said.
        let entries: Vec<Option<Witness>> = list.iter().map(|entry| self.entry(entry)).collect();
        entries.into_iter().collect()
    }

    fn entry(&mut self, node: &Node) -> Option<Witness> {
        let kind = self.find(node, "entry_type")?;
        self.only(node, &["entry_type", "metadata", "content"]);
        let content = match kind.text() {
            Some("invariant_set") => {
                let list = self.list(node, "content")?;
                let all: Vec<Option<Invariant>> =
                    list.iter().map(|one| self.invariant(one)).collect();
                all.into_iter().collect::<Option<_>>().map(Content::Invariants)
            }
            Some("violation_sequence") => {
                let list = self.list(node, "content")?;
                let all: Vec<Option<Segment>> = list.iter().map(|one| self.segment(one)).collect();
                let span = node.find("content").map_or(node.span, |content| content.span);
                let all = all.into_iter().collect::<Option<Vec<Segment>>>();
                all.and_then(|all| self.sequence(all, span)).map(Content::Violation)
            }
            Some(other) => {
                let message = format!("entries of type '{}' are not treated", other.escape_debug());
                self.unsupported(kind.span, message)
            }
            None => self.wrong(kind.span, "'entry_type' is a text"),
        };
        let metadata = self.find(node, "metadata").cloned().and_then(|m| self.metadata(&m));
        Some(Witness { metadata: metadata?, content: content? })
    }

    fn metadata(&mut self, node: &Node) -> Option<Metadata> {
        self.only(node, &["format_version", "uuid", "creation_time", "producer", "task"]);
        let version = self.find(node, "format_version")?;
        let version = match version.text() {
            Some("2.0") => Version::V2_0,
            Some("2.1") => Version::V2_1,
            _ => return self.unsupported(version.span, "versions 2.0 and 2.1 are treated"),
        };
        let uuid = self.text(node, "uuid");
        let creation_time = self.text(node, "creation_time");
        let producer = self.find(node, "producer")?;
        let more = |key: &str| producer.find(key).and_then(Node::text).map(str::to_owned);
        let known = ["name", "version", "configuration", "command_line", "description"];
        self.only(producer, &known);
        let name = self.text(producer, "name");
        let of_producer = self.text(producer, "version");
        let task = self.find(node, "task")?;
        let task = self.about(task);
        Some(Metadata {
            version,
            uuid: uuid?,
            creation_time: creation_time?,
            producer: Producer {
                name: name?,
                version: of_producer?,
                configuration: more("configuration"),
                command_line: more("command_line"),
                description: more("description"),
            },
            task: task?,
        })
    }

    fn about(&mut self, node: &Node) -> Option<About> {
        let known = ["input_files", "input_file_hashes", "specification", "data_model", "language"];
        self.only(node, &known);
        let files = self.list(node, "input_files")?;
        let input_files: Option<Vec<String>> =
            files.iter().map(|file| file.text().map(str::to_owned)).collect();
        let Some(input_files) = input_files.filter(|files| !files.is_empty()) else {
            return self.wrong(node.span, "'input_files' is a list of names");
        };
        let hashes = self.find(node, "input_file_hashes")?;
        let pairs: Option<Vec<(String, String)>> = hashes.map().and_then(|map| {
            map.iter()
                .map(|(key, hash)| Some((key.text.clone(), hash.text()?.to_owned())))
                .collect()
        });
        let Some(pairs) = pairs else {
            return self.wrong(hashes.span, "'input_file_hashes' is a map from names to hashes");
        };
        let specification = self.text(node, "specification")?;
        let specification_span = self.find(node, "specification")?.span;
        let model = self.find(node, "data_model")?;
        let data_model = match model.text() {
            Some("ILP32") => DataModel::Ilp32,
            Some("LP64") => DataModel::Lp64,
            _ => return self.wrong(model.span, "'data_model' is ILP32 or LP64"),
        };
        let language = self.text(node, "language")?;
        if language != "C" {
            let span = self.find(node, "language")?.span;
            return self.unsupported(span, "only programs in C have witnesses here");
        }
        Some(About {
            input_files,
            hashes: pairs,
            specification,
            specification_span,
            data_model,
            language,
        })
    }

    fn location(&mut self, node: &Node) -> Option<Location> {
        let node = self.find(node, "location")?;
        self.only(node, &["file_name", "line", "column", "function"]);
        let file_name = self.text(node, "file_name")?;
        let line = self.find(node, "line")?;
        let line = self.number(line, "line")?;
        let column = match node.find("column") {
            Some(column) => Some(self.number(column, "column")?),
            None => None,
        };
        let function = node.find("function").and_then(Node::text).map(str::to_owned);
        Some(Location { file_name, line, column, function })
    }

    fn number(&mut self, node: &Node, key: &str) -> Option<u32> {
        match node.text().and_then(|text| text.parse().ok()).filter(|&number| number > 0) {
            Some(number) => Some(number),
            None => self.wrong(node.span, format!("'{key}' is a number from 1")),
        }
    }

    fn invariant(&mut self, node: &Node) -> Option<Invariant> {
        if let Some((key, _)) = node.map().and_then(|map| map.first())
            && key.text == "function_contract"
        {
            return self.unsupported(key.span, "contracts of functions are not treated");
        }
        let span = node.span;
        let node = self.find(node, "invariant")?;
        self.only(node, &["type", "location", "value", "format"]);
        let kind = self.find(node, "type")?;
        let found = match kind.text() {
            Some("loop_invariant") => InvariantKind::Loop,
            Some("location_invariant") => InvariantKind::Location,
            Some(other @ ("loop_transition_invariant" | "location_transition_invariant")) => {
                return self.unsupported(kind.span, format!("a {other} is not treated"));
            }
            _ => {
                let message = "'type' is loop_invariant or location_invariant";
                return self.wrong(kind.span, message);
            }
        };
        let location = self.location(node)?;
        let value = self.text(node, "value")?;
        let format = self.find(node, "format")?;
        if !matches!(format.text(), Some("c_expression" | "ext_c_expression")) {
            return self.unsupported(format.span, "invariants are C expressions");
        }
        Some(Invariant { kind: found, location, value, span })
    }
}
