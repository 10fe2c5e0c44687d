//! Witnesses of programs: what one tool found, for another to confirm.
//!
//! A correctness witness is a set of invariants, C expressions at places of the source. A violation
//! witness is a sequence of segments: places that a run passes one after the other (`follow`), and those
//! it does not pass meanwhile (`avoid`); the last is the target. A run passes a place to follow the first
//! time that it comes by there. In version 2.1 a segment may end with places that are passed again and
//! again (`cycle`).
//!
//! Source: the software verification witnesses, format 2.0 and 2.1 (Ayaziová, Beyer, Lingsch-Rosenfeld,
//! Spiessl, Strejček, SPIN 2024).

mod read;
mod write;

use crate::sha256;
use alphorn_problem::Span;
use alphorn_program::c::DataModel;

pub use read::{is_witness, read};
pub use write::print;

/// A witness: what one entry of a file says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Witness {
    /// Where it is from and what it is about.
    pub metadata: Metadata,
    /// What it says.
    pub content: Content,
}

/// Where a witness is from and what it is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Metadata {
    /// The version of the format.
    pub version: Version,
    /// Its identifier.
    pub uuid: String,
    /// When it was made, in ISO 8601.
    pub creation_time: String,
    /// The tool that made it.
    pub producer: Producer,
    /// The program and the question.
    pub task: About,
}

/// A version of the format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Version {
    /// 2.0.
    V2_0,
    /// 2.1.
    V2_1,
}

impl Version {
    /// How it is written.
    pub fn name(self) -> &'static str {
        match self {
            Version::V2_0 => "2.0",
            Version::V2_1 => "2.1",
        }
    }
}

/// A tool.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Producer {
    /// Its name.
    pub name: String,
    /// Its version.
    pub version: String,
    /// How it was set up.
    pub configuration: Option<String>,
    /// How it was called.
    pub command_line: Option<String>,
    /// What else is to be said.
    pub description: Option<String>,
}

/// The program and the question that a witness is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct About {
    /// The files.
    pub input_files: Vec<String>,
    /// Their SHA-256 hashes.
    pub hashes: Vec<(String, String)>,
    /// The property, as written.
    pub specification: String,
    /// Where that stands.
    pub specification_span: Span,
    /// The data model.
    pub data_model: DataModel,
    /// The language.
    pub language: String,
}

/// What a witness says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Content {
    /// The property holds, and these are invariants.
    Invariants(Vec<Invariant>),
    /// The property is violated by a run that passes these.
    Violation(Vec<Segment>),
}

/// A place in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Location {
    /// The file.
    pub file_name: String,
    /// The line, from 1.
    pub line: u32,
    /// The column, from 1; none for the leftmost place in the line that fits.
    pub column: Option<u32>,
    /// The function it is in.
    pub function: Option<String>,
}

/// What kind of place an invariant belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InvariantKind {
    /// The head of a loop.
    Loop,
    /// Before a statement or a declaration.
    Location,
}

impl InvariantKind {
    /// How it is written.
    pub fn name(self) -> &'static str {
        match self {
            InvariantKind::Loop => "loop_invariant",
            InvariantKind::Location => "location_invariant",
        }
    }
}

/// What holds whenever a run comes by a place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Invariant {
    /// What kind of place it is.
    pub kind: InvariantKind,
    /// The place.
    pub location: Location,
    /// What holds, a C expression.
    pub value: String,
    /// Where it stands in the witness.
    pub span: Span,
}

/// What a run does next.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Segment {
    /// What it does not pass meanwhile.
    pub avoid: Vec<Waypoint>,
    /// What it passes.
    pub follow: Waypoint,
    /// Whether the segment repeats for ever with the others of this kind.
    pub is_cycle: bool,
}

/// What kind of place a run passes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WaypointKind {
    /// Before a statement, where an expression is true.
    Assumption,
    /// A branch, where the condition has a value.
    Branching,
    /// A call, when the function is entered.
    FunctionEnter,
    /// A call, when the function has returned such a value.
    FunctionReturn,
    /// The violation.
    Target,
}

impl WaypointKind {
    /// All kinds.
    pub const ALL: [WaypointKind; 5] = [
        WaypointKind::Assumption,
        WaypointKind::Branching,
        WaypointKind::FunctionEnter,
        WaypointKind::FunctionReturn,
        WaypointKind::Target,
    ];

    /// How it is written.
    pub fn name(self) -> &'static str {
        match self {
            WaypointKind::Assumption => "assumption",
            WaypointKind::Branching => "branching",
            WaypointKind::FunctionEnter => "function_enter",
            WaypointKind::FunctionReturn => "function_return",
            WaypointKind::Target => "target",
        }
    }
}

/// A place that a run passes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Waypoint {
    /// What kind of place it is.
    pub kind: WaypointKind,
    /// The place.
    pub location: Location,
    /// What must be so there: a C expression, a value of a condition, or `\result` compared to a
    /// constant.
    pub constraint: Option<String>,
    /// Where it stands in the witness.
    pub span: Span,
}

impl Witness {
    /// An identifier that depends on what the witness says and on nothing else, with the digits of a
    /// hash where RFC 9562 lets version 8 have any.
    pub fn identifier(&self) -> String {
        let anonymous =
            Metadata { uuid: String::new(), creation_time: String::new(), ..self.metadata.clone() };
        let plain = Witness { metadata: anonymous, content: self.content.clone() };
        let mut bytes = sha256::hash(print(&plain).as_bytes());
        bytes[6] = (bytes[6] & 0x0f) | 0x80;
        bytes[8] = (bytes[8] & 0x3f) | 0x80;
        let digits: String = bytes[..16].iter().map(|byte| format!("{byte:02x}")).collect();
        let groups =
            [&digits[..8], &digits[8..12], &digits[12..16], &digits[16..20], &digits[20..]];
        groups.join("-")
    }
}
