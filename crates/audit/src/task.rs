//! Task definitions of SV-COMP (`task.yml`) as files: the program they name, with the questions they ask.
//!
//! What is opened is the program, so that places, evidence and witnesses are about it; the definition says
//! how wide integers are, and which properties are asked about unless the user names others. A property
//! that cannot be asked stays in the list, and is answered with UNKNOWN and the reason.
//!
//! Source: <https://gitlab.com/sosy-lab/benchmarking/task-definition-format>, versions 1.0 to 2.1.

use crate::flow::Asked;
use crate::program::{Unasked, Wishes, asks_termination, question_of};
use alphorn_front::evidence::data_model_name;
use alphorn_front::property::{TaskFile, read_task};
use alphorn_front::{Code, Diagnostic, Diagnostics};
use alphorn_problem::Span;
use std::path::Path;

/// Whether a file's name says that it is a task definition.
pub(crate) fn is_task(file: &str) -> bool {
    [".yml", ".yaml"].iter().any(|ending| file.ends_with(ending))
}

/// What a task comes to.
pub(crate) struct Found {
    /// The name of the file that has the program.
    pub(crate) program: String,
    /// What is asked about it.
    pub(crate) wishes: Wishes,
    /// Properties that cannot be asked about: their names, and why.
    pub(crate) untreated: Vec<(String, String)>,
}

/// What the task definition in a file comes to; `wishes` are the user's.
pub(crate) fn read(file: &str, bytes: &[u8], wishes: &Wishes) -> Result<Found, Diagnostics> {
    let (task, mut diagnostics) = read_task(bytes);
    let Some(task) = task else { return Err(diagnostics) };
    asked(file, &task, wishes).map_err(|diagnostic| {
        diagnostics.push(*diagnostic);
        diagnostics
    })
}

/// What a task asks about its program.
fn asked(file: &str, task: &TaskFile, wishes: &Wishes) -> Result<Found, Box<Diagnostic>> {
    let unsupported = |message: String| {
        Box::new(Diagnostic::unsupported(Code::PropertyFile, Span::NONE, message))
    };
    if let Some(language) = task.language.as_deref().filter(|language| *language != "C") {
        return Err(unsupported(format!("tasks in {language} are not treated; those in C are")));
    }
    if task.input_files.len() != 1 {
        let hint = "programs of several files are decided after cc -E and putting them into one";
        let message = format!("the task has {} input files", task.input_files.len());
        return Err(Box::new(unsupported(message).hint(hint)));
    }
    let mut wishes = wishes.clone();
    match (wishes.model, task.data_model) {
        (Some(wanted), Some(said)) if wanted != said => {
            let (wanted, said) = (data_model_name(wanted), data_model_name(said));
            let message = format!("the task is for {said}, and --data-model says {wanted}");
            let diagnostic = Diagnostic::error(Code::PropertyFile, Span::NONE, message);
            return Err(Box::new(diagnostic.hint("leave the option out")));
        }
        (wanted, said) => wishes.model = wanted.or(said),
    }
    let mut untreated = Vec::new();
    // Who asks about infinite runs asks nothing else.
    if wishes.questions.is_empty() && matches!(wishes.asked, Asked::Safety) {
        let mut refusals = Vec::new();
        for property in &task.properties {
            match question_of(&beside(file, &property.file)) {
                Ok(question) => wishes.questions.push(question),
                Err(why) => refusals.push((property.span, &property.file, why)),
            }
        }
        let asks_runs = |one: &(Span, &String, Unasked)| asks_termination(&beside(file, one.1));
        match refusals.iter().position(asks_runs) {
            Some(at) if wishes.questions.is_empty() => {
                refusals.remove(at);
                wishes.asked = Asked::Termination;
            }
            _ => {}
        }
        let is_nothing_asked = wishes.questions.is_empty() && matches!(wishes.asked, Asked::Safety);
        if let Some((span, _, why)) = refusals.first().filter(|_| is_nothing_asked) {
            return Err(Box::new(refusal(*span, why)));
        }
        untreated = refusals
            .iter()
            .map(|(_, file, why)| (property_name(file), why.words().to_owned()))
            .collect();
    }
    Ok(Found { program: beside(file, &task.input_files[0]), wishes, untreated })
}

fn refusal(span: Span, why: &Unasked) -> Diagnostic {
    let make = match why {
        Unasked::Wrong(_) => Diagnostic::error,
        Unasked::Untreated(_) => Diagnostic::unsupported,
    };
    make(Code::PropertyFile, span, why.words()).hint("ask for another property with --property")
}

/// A path that a file gives from its own folder.
fn beside(file: &str, path: &str) -> String {
    let folder = Path::new(file).parent().unwrap_or(Path::new(""));
    folder.join(path).to_string_lossy().into_owned()
}

/// What a property is called in answers.
fn property_name(file: &str) -> String {
    let stem = Path::new(file).file_stem().and_then(|stem| stem.to_str());
    stem.unwrap_or(file).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::open::{AnyProblem, Opened, open_asking};
    use crate::program::Property;
    use alphorn_front::Severity;
    use alphorn_program::c::DataModel;
    use std::fs;
    use std::path::PathBuf;

    /// A folder with a program, two property files and a task.
    struct Folder(PathBuf);

    impl Folder {
        fn new(name: &str, task: &str) -> Folder {
            let folder =
                std::env::temp_dir().join(format!("alphorn-{name}-{}", std::process::id()));
            fs::create_dir_all(&folder).expect("a folder for the test");
            let write = |name: &str, text: &str| {
                fs::write(folder.join(name), text).expect("a file for the test");
            };
            write("p.c", "long x; int main(void) { x = sizeof(long); return 0; }\n");
            write("no-overflow.prp", "CHECK( init(main()), LTL(G ! overflow) )\n");
            write("termination.prp", "CHECK( init(main()), LTL(F end) )\n");
            write("task.yml", task);
            Folder(folder)
        }

        fn open(&self, wishes: &Wishes) -> Opened {
            let file = self.0.join("task.yml").to_string_lossy().into_owned();
            let bytes = fs::read(&file).expect("it was written");
            open_asking(&file, bytes, None, wishes)
        }
    }

    impl Drop for Folder {
        fn drop(&mut self) {
            // What is left in the folder for temporary files harms nobody.
            let _ = fs::remove_dir_all(&self.0);
        }
    }

    const TASK: &str = "format_version: '2.0'\ninput_files: 'p.c'\nproperties:\n  - property_file: no-overflow.prp\n    \
        expected_verdict: true\n  - property_file: termination.prp\noptions:\n  language: C\n  data_model: ILP32\n";

    fn model_of(opened: &Opened) -> DataModel {
        match &opened.problem {
            Some(AnyProblem::C(program)) => program.unit.types.model,
            _ => panic!("no program: {:?}", opened.diagnostics),
        }
    }

    #[test]
    fn a_task_is_its_program_with_its_data_model_and_questions() {
        let folder = Folder::new("task-questions", TASK);
        let opened = folder.open(&Wishes::default());
        assert!(opened.file.ends_with("p.c"), "{}", opened.file);
        assert_eq!(model_of(&opened), DataModel::Ilp32);
        let Some(AnyProblem::C(program)) = &opened.problem else { panic!("a program") };
        let names: Vec<&str> = program.tasks.iter().map(|task| &*task.name).collect();
        assert_eq!(names, ["no-overflow"]);
        let untreated: Vec<&str> = opened.untreated.iter().map(|(name, _)| &**name).collect();
        assert_eq!(untreated, ["termination"]);
    }

    #[test]
    fn what_the_user_asks_counts_instead_of_what_the_task_asks() {
        let folder = Folder::new("task-wishes", TASK);
        let questions = vec![("assert".to_owned(), vec![Property::Assert])];
        let opened = folder.open(&Wishes { questions, ..Wishes::default() });
        let Some(AnyProblem::C(program)) = &opened.problem else { panic!("a program") };
        assert_eq!(program.tasks[0].name, "assert");
        assert!(opened.untreated.is_empty());
        let opened = folder.open(&Wishes { model: Some(DataModel::Lp64), ..Wishes::default() });
        assert_eq!(opened.diagnostics.worst(), Some(Severity::Error));
    }

    #[test]
    fn a_task_that_asks_whether_runs_end_is_about_the_programs_flow() {
        let alone = "property_file: no-overflow.prp\n    expected_verdict: true\n  - ";
        assert!(TASK.contains(alone));
        let folder = Folder::new("task-runs", &TASK.replace(alone, ""));
        let opened = folder.open(&Wishes::default());
        assert!(matches!(opened.problem, Some(AnyProblem::Flow(_))), "{:?}", opened.diagnostics);
        assert!(opened.untreated.is_empty());
        let folder = Folder::new("task-runs-too", TASK);
        let opened = folder.open(&Wishes { asked: Asked::Termination, ..Wishes::default() });
        assert!(matches!(opened.problem, Some(AnyProblem::Flow(_))), "{:?}", opened.diagnostics);
        assert!(opened.untreated.is_empty());
    }

    #[test]
    fn a_task_that_cannot_be_asked_is_refused() {
        let cases = [
            (TASK.replace("'p.c'", "[p.c, q.c]"), Severity::Unsupported),
            (TASK.replace("language: C", "language: Java"), Severity::Unsupported),
            (TASK.replace("p.c", "q.c"), Severity::Error),
            (TASK.replace("no-", "without-").replace("termination", "none"), Severity::Error),
            (TASK.replace("format_version", "version"), Severity::Error),
        ];
        for (index, (task, severity)) in cases.iter().enumerate() {
            let folder = Folder::new(&format!("task-refused-{index}"), task);
            let opened = folder.open(&Wishes::default());
            assert!(opened.problem.is_none(), "{task}");
            assert_eq!(opened.diagnostics.worst(), Some(*severity), "{task}");
        }
    }
}
