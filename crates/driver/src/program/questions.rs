//! What is asked of a program: names of properties, and files that name them.

use crate::flow::Asked;
use alphorn_front::property::{GROUPS, Named, Specification, Wanted, named};
use alphorn_front::{Severity, property};
use alphorn_program::c::property::Malloc;
use alphorn_program::c::{DataModel, Property};

/// What a user asks about programs and flows.
#[derive(Clone, Debug, Default)]
pub struct Wishes {
    /// How wide integers are, if it is said.
    pub model: Option<DataModel>,
    /// The function where runs begin; `main` if none is named.
    pub entry: Option<String>,
    /// Whether allocation may fail.
    pub malloc: Malloc,
    /// The questions: names, and properties that must all hold. If there are none, whether assertions
    /// hold and the functions that report errors are not called.
    pub questions: Vec<(String, Vec<Property>)>,
    /// What is asked about runs.
    pub asked: Asked,
    /// The state of threads that must not be covered, where the file does not say it.
    pub target: Option<String>,
}

/// Why a question cannot be asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unasked {
    /// There is no such property, or no such file.
    Wrong(String),
    /// The property is understood and not treated.
    Untreated(String),
}

impl Unasked {
    /// The reason, in words.
    pub fn words(&self) -> &str {
        match self {
            Unasked::Wrong(why) | Unasked::Untreated(why) => why,
        }
    }
}

/// The questions that names separated by commas ask: of properties, of groups of them, and of property
/// files (`.prp`).
pub fn questions(names: &str) -> Result<Vec<(String, Vec<Property>)>, Unasked> {
    names.split(',').map(|name| question_of(name.trim())).collect()
}

/// Whether names, or a property file, ask whether every run ends, and nothing else.
pub fn asks_termination(names: &str) -> bool {
    let wanted = match names.ends_with(".prp") {
        true => property_file(names).map(|asked| asked.wanted).unwrap_or_default(),
        false => match named(names) {
            Named::Known(wanted) => wanted,
            Named::Unknown(_) => Vec::new(),
        },
    };
    wanted == [Wanted::Untreated(property::Untreated::Termination)]
}

/// The question that one name asks.
pub fn question_of(name: &str) -> Result<(String, Vec<Property>), Unasked> {
    let wanted = match name.ends_with(".prp") {
        true => property_file(name)?.wanted,
        false => match named(name) {
            Named::Known(wanted) => wanted,
            Named::Unknown(Some(other)) => {
                let why = format!("programs have no property `{name}`; is `{other}` meant?");
                return Err(Unasked::Wrong(why));
            }
            Named::Unknown(None) => {
                let groups = GROUPS.iter().map(|group| group.name);
                let names: Vec<&str> =
                    Property::ALL.into_iter().map(Property::name).chain(groups).collect();
                let names = names.join(", ");
                let why = format!("programs have no property `{name}`: there are {names}");
                return Err(Unasked::Wrong(why));
            }
        },
    };
    let asked = Specification { entry: None, wanted };
    match asked.untreated().first() {
        Some(property) => Err(Unasked::Untreated(property.sentence().to_owned())),
        None => {
            let stem = std::path::Path::new(name).file_stem().and_then(|stem| stem.to_str());
            let label = if name.ends_with(".prp") { stem.unwrap_or(name) } else { name };
            Ok((label.to_owned(), asked.properties()))
        }
    }
}

/// What a property file asks.
fn property_file(name: &str) -> Result<Specification, Unasked> {
    let bytes = std::fs::read(name)
        .map_err(|error| Unasked::Wrong(format!("{name} cannot be read: {error}")))?;
    let (found, diagnostics) = property::read(&bytes);
    let entry = found.as_ref().and_then(|found| found.entry.clone());
    if let Some(entry) = entry.filter(|entry| entry != "main") {
        let why =
            format!("{name} has runs begin in {entry}; ask for its properties by their names");
        return Err(Unasked::Wrong(why));
    }
    found.ok_or_else(|| {
        let first = diagnostics.list.first();
        let message = first.map_or("it cannot be read", |first| &first.message);
        let why = format!("{name}: {message}");
        match diagnostics.worst() {
            Some(Severity::Unsupported) => Unasked::Untreated(why),
            _ => Unasked::Wrong(why),
        }
    })
}
