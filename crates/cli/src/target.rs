//! Where everything that a run writes goes, settled before any work is done.
//!
//! Of several files each has its own: the name that the user gives ends in `/`, or has `{stem}` where the
//! file's own name without its ending goes. Invariant: a run never writes outside the folder it was
//! given, never over a file that it reads, and never two things to one place; what would do so is
//! refused here, and a name that depends on what is found (`run-1.vcd`) is asked for with `is_free`.

use crate::args::Decide;
use alphorn_driver::obligations::is_script_name;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// A place for bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Target {
    /// Standard output, which is then for nothing else.
    Output,
    /// A file.
    File(String),
}

/// Where what is said about one file goes.
#[derive(Clone, Debug, Default)]
pub struct Targets {
    /// The evidence.
    pub evidence: Option<Target>,
    /// The run of a circuit or a transition system.
    pub vcd: Option<Target>,
    /// The derivation from Horn clauses.
    pub dot: Option<Target>,
    /// The witness about a program.
    pub witness: Option<Target>,
    /// The test of a run of a program.
    pub harness: Option<Target>,
    /// The circuit of a game with a controller in it.
    pub circuit: Option<Target>,
    /// The folder for the page, the evidence beside it.
    pub folder: Option<PathBuf>,
}

impl Targets {
    /// What is not in the folder.
    fn all(&self) -> [&Option<Target>; 6] {
        [&self.evidence, &self.vcd, &self.dot, &self.witness, &self.harness, &self.circuit]
    }
}

/// The targets of all files.
#[derive(Clone, Debug, Default)]
pub struct Plan {
    /// By the position of the file.
    pub files: Vec<Targets>,
    /// The page that lists the others, where there are several files.
    pub index: Option<PathBuf>,
    taken: Vec<Identity>,
}

/// Why nothing can be done: what is wrong, and about which argument.
pub type Refusal = (String, String);

/// Whether a name is that of a folder.
fn is_folder(name: &str) -> bool {
    name.ends_with(['/', std::path::MAIN_SEPARATOR])
}

/// What stands for a part of the file's name.
const STEM: &str = "{stem}";

/// The names of what is written into a folder; of several properties they have numbers.
const KEPT: &[&str] = &[
    "report.html",
    "index.html",
    "model.smt2",
    "derivation.txt",
    "derivation.dot",
    "certificate.txt",
    "certificate.aig",
    "witness.txt",
    "witness.vcd",
];

impl Plan {
    /// Settles the targets of a command.
    pub fn of(args: &Decide) -> Result<Plan, Refusal> {
        let is_several = args.files.len() > 1;
        let mut plan = Plan::default();
        let inputs: Vec<Identity> =
            args.files.iter().filter(|file| *file != "-").filter_map(identity).collect();
        for stem in stems(&args.files) {
            let place = |option: &str, name: &Option<String>, ending: &str| {
                let Some(name) = name else { return Ok(None) };
                let path = match name.as_str() {
                    "-" if is_several => {
                        let why = format!(
                            "{option} cannot go to standard output: there are several files"
                        );
                        return Err((String::new(), format!("{why}; {HINT}")));
                    }
                    "-" => return Ok(Some(Target::Output)),
                    name if name.contains(STEM) => name.replace(STEM, &stem),
                    name if is_folder(name) => {
                        format!("{name}{stem}.{ending}")
                    }
                    _ if is_several => {
                        let why =
                            format!("{option} names one file, and there are several to decide");
                        return Err((name.clone(), format!("{why}; {HINT}")));
                    }
                    name => name.to_owned(),
                };
                Ok(Some(Target::File(path)))
            };
            let folder = args.out.as_ref().map(|folder| match is_several {
                true => Path::new(folder).join(&stem),
                false => PathBuf::from(folder),
            });
            plan.files.push(Targets {
                evidence: place("--evidence", &args.evidence, "ev")?,
                vcd: place("--vcd", &args.vcd, "vcd")?,
                dot: place("--dot", &args.dot, "dot")?,
                witness: place("--witness", &args.witness, "yml")?,
                harness: place("--harness", &args.harness, "test.c")?,
                circuit: place("-o", &args.circuit, "aag")?,
                folder,
            });
        }
        if is_several {
            plan.index = args.out.as_ref().map(|folder| Path::new(folder).join("index.html"));
        }
        plan.guard(args, inputs)?;
        let given =
            [&args.evidence, &args.vcd, &args.dot, &args.witness, &args.harness, &args.circuit];
        for name in given.into_iter().flatten() {
            if is_folder(name)
                && !name.contains(STEM)
                && let Err(error) = std::fs::create_dir_all(name)
            {
                return Err((name.clone(), format!("the folder cannot be made: {error}")));
            }
        }
        Ok(plan)
    }

    /// Whether standard output is for a file that was asked for.
    pub fn uses_output(&self) -> bool {
        let is_output = |target: &&Option<Target>| **target == Some(Target::Output);
        let mut all = self.files.iter();
        all.any(|targets| targets.all().iter().any(is_output))
    }

    /// Refuses targets that are inputs or each other.
    fn guard(&mut self, args: &Decide, inputs: Vec<Identity>) -> Result<(), Refusal> {
        let mut outputs: Vec<String> = Vec::new();
        let mut on_output = 0;
        for targets in &self.files {
            for target in targets.all().into_iter().flatten() {
                match target {
                    Target::Output => on_output += 1,
                    Target::File(path) => outputs.push(path.clone()),
                }
            }
        }
        if on_output > 1 {
            let why = "standard output can take one of --evidence, --vcd, --dot, --witness, --harness and -o";
            return Err((String::new(), why.to_owned()));
        }
        if let Some(competition) = &args.competition {
            outputs.extend(competition.witness.clone());
            outputs.extend(competition.certificate.clone());
        }
        let mut taken: Vec<Identity> = Vec::new();
        for path in &outputs {
            let Some(identity) = identity(path) else { continue };
            if inputs.contains(&identity) {
                return Err((path.clone(), OVER_INPUT.to_owned()));
            }
            if taken.contains(&identity) {
                let why = "two outputs of this run would be written to this file";
                return Err((path.clone(), why.to_owned()));
            }
            taken.push(identity);
        }
        taken.extend(inputs);
        let folders = self.files.iter().filter_map(|targets| targets.folder.as_deref());
        let index = self.index.as_deref().and_then(Path::parent);
        for folder in folders.chain(index).filter_map(identity) {
            let clash = taken.iter().find(|one| {
                one.path.parent() == Some(&*folder.path)
                    && one.path.file_name().is_some_and(is_kept)
            });
            if let Some(clash) = clash {
                let why = "--out would write a file of this name";
                return Err((clash.path.to_string_lossy().into_owned(), why.to_owned()));
            }
        }
        self.taken = taken;
        Ok(())
    }

    /// Whether nothing that this run reads or writes is called so.
    pub fn is_free(&self, path: &str) -> bool {
        identity(path).is_none_or(|identity| !self.taken.contains(&identity))
    }
}

const HINT: &str = "give a folder (DIR/) or a name with {stem}";
const OVER_INPUT: &str = "this is an input; it would be overwritten";

/// Refuses an output that would overwrite one of the inputs.
pub fn guard(inputs: &[&str], output: &str) -> Result<(), Refusal> {
    let over = |input: &&str| {
        *input != "-" && identity(input).is_some_and(|input| identity(output) == Some(input))
    };
    match output != "-" && inputs.iter().any(over) {
        true => Err((output.to_owned(), OVER_INPUT.to_owned())),
        false => Ok(()),
    }
}

/// Refuses a folder for scripts in which one of the inputs has the name of a script.
pub fn guard_scripts(inputs: &[&str], folder: &str) -> Result<(), Refusal> {
    let folder = identity(folder).map(|folder| folder.path);
    let over = |input: &&&str| {
        let found = identity(input).map(|input| input.path);
        let name = found.as_deref().and_then(Path::file_name).map(|name| name.to_string_lossy());
        name.is_some_and(|name| is_script_name(&name))
            && found.as_deref().and_then(Path::parent) == folder.as_deref()
    };
    match inputs.iter().find(over) {
        Some(input) => Err(((*input).to_owned(), OVER_INPUT.to_owned())),
        None => Ok(()),
    }
}

/// A name for each file that no other has and that is no way out of a folder.
fn stems(files: &[String]) -> Vec<String> {
    let mut used: BTreeSet<String> = BTreeSet::new();
    let mut name = |file: &String| {
        let stem = Path::new(file).file_stem().map(|stem| stem.to_string_lossy().into_owned());
        let is_name = |stem: &String| !matches!(stem.as_str(), "" | "-" | "." | "..");
        let stem = stem.filter(is_name).unwrap_or_else(|| "input".to_owned());
        let mut unique = stem.clone();
        let mut count = 1;
        while !used.insert(unique.clone()) {
            count += 1;
            unique = format!("{stem}-{count}");
        }
        unique
    };
    files.iter().map(&mut name).collect()
}

/// Whether files of this name are written into folders.
fn is_kept(name: &std::ffi::OsStr) -> bool {
    let name = name.to_string_lossy();
    let Some((stem, ending)) = name.rsplit_once('.') else { return false };
    let plain = match stem.rsplit_once('-') {
        Some((plain, number)) if number.bytes().all(|byte| byte.is_ascii_digit()) => plain,
        _ => stem,
    };
    KEPT.contains(&format!("{plain}.{ending}").as_str())
}

/// What makes a file the same as another one, whatever it is called.
#[derive(Clone, Debug)]
struct Identity {
    path: PathBuf,
    node: Option<(u64, u64)>,
}

impl PartialEq for Identity {
    fn eq(&self, other: &Identity) -> bool {
        self.path == other.path || (self.node.is_some() && self.node == other.node)
    }
}

/// The identity of a file that may not exist yet; none for devices, which many may write to.
fn identity(path: impl AsRef<Path>) -> Option<Identity> {
    let path = path.as_ref();
    if let Ok(metadata) = path.metadata() {
        let is_plain = metadata.is_file() || metadata.is_dir();
        let path = path.canonicalize().ok()?;
        return is_plain.then(|| Identity { path, node: node(&metadata) });
    }
    let folder = match path.parent() {
        Some(folder) if folder != Path::new("") => folder.to_path_buf(),
        _ => PathBuf::from("."),
    };
    let folder = match identity(&folder) {
        Some(folder) => folder.path,
        None => folder,
    };
    Some(Identity { path: folder.join(path.file_name()?), node: None })
}

#[cfg(unix)]
fn node(metadata: &std::fs::Metadata) -> Option<(u64, u64)> {
    use std::os::unix::fs::MetadataExt;
    Some((metadata.dev(), metadata.ino()))
}

#[cfg(not(unix))]
fn node(_: &std::fs::Metadata) -> Option<(u64, u64)> {
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stems_differ_and_stay_in_their_folder() {
        let files = ["x/a.smt2", "y/a.smt2", "a-2.smt2", "...smt2", "-", "..", "..smt2"];
        let stems = stems(&files.map(str::to_owned));
        assert_eq!(stems, ["a", "a-2", "a-2-2", "input", "input-2", "input-3", "input-4"]);
    }

    #[test]
    fn names_in_folders_are_known_with_their_numbers() {
        for (name, is) in [
            ("model.smt2", true),
            ("witness-12.vcd", true),
            ("report.html", true),
            ("my-model.smt2", false),
            ("model-a.smt2", false),
            ("model", false),
        ] {
            assert_eq!(is_kept(name.as_ref()), is, "{name}");
        }
    }

    #[test]
    fn an_output_is_not_an_input_by_another_name() {
        let here = Path::new(env!("CARGO_MANIFEST_DIR"));
        let input = here.join("Cargo.toml").to_string_lossy().into_owned();
        let same = here.join("src/../Cargo.toml").to_string_lossy().into_owned();
        assert!(guard(&[&input], &same).is_err());
        assert!(guard(&[&input], "-").is_ok());
        assert!(guard(&[&input], "/dev/null").is_ok());
        assert!(guard(&[&input], &here.join("other.toml").to_string_lossy()).is_ok());
    }
}
