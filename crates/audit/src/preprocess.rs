//! What a C program takes from outside: the files that it includes, and another preprocessor.
//!
//! Our own preprocessor knows the standard headers. For programs that need others, the user may ask for that of
//! a compiler; its output has markers that lead back to the lines of the files (`front::c::origin`).

use crate::open::MAX_BYTES;
use alphorn_front::{Code, Diagnostic};
use alphorn_problem::Span;
use alphorn_program::c::DataModel;
use std::io::{ErrorKind, Write};
use std::path::Path;
use std::process::{Command, Stdio};

/// How much of what a preprocessor complains of is passed on.
const MAX_COMPLAINT: usize = 2_000;

/// The file that a program in `folder` includes by name. Devices and pipes are no such files: they may not
/// end.
pub fn included(folder: &Path, name: &str) -> Option<Vec<u8>> {
    let path = folder.join(name);
    let meta = std::fs::metadata(&path).ok()?;
    if !meta.is_file() || meta.len() > MAX_BYTES {
        return None;
    }
    std::fs::read(path).ok()
}

/// What a compiler's preprocessor (`cc`, `gcc`, `clang`) makes of a program. The text is given to it, so that it
/// may come from standard input or an archive; `file` is its name, beside which files are looked for.
pub fn preprocess(
    compiler: &str,
    file: &str,
    source: &[u8],
    model: DataModel,
) -> Result<Vec<u8>, Diagnostic> {
    let failed = |message: String| Diagnostic::error(Code::CInclude, Span::NONE, message);
    let folder =
        Path::new(file).parent().filter(|path| file != "-" && !path.as_os_str().is_empty());
    let mut command = Command::new(compiler);
    command.args(["-E", "-x", "c"]);
    command.arg(match model {
        DataModel::Ilp32 => "-m32",
        DataModel::Lp64 => "-m64",
    });
    command.arg("-iquote").arg(folder.unwrap_or(Path::new(".")));
    command.arg("-").stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().map_err(|error| match error.kind() {
        ErrorKind::NotFound => failed(format!("there is no program {compiler}"))
            .hint("install a C compiler, or name another one"),
        _ => failed(format!("{compiler} cannot be run: {error}")),
    })?;
    let mut input = child.stdin.take().expect("the input is piped");
    let name = file.replace('\\', "\\\\").replace('"', "\\\"");
    let output = std::thread::scope(|scope| {
        // A program that stops reading early says why itself.
        scope.spawn(move || {
            let _ = writeln!(input, "#line 1 \"{name}\"").and_then(|()| input.write_all(source));
        });
        child.wait_with_output()
    });
    let output = output.map_err(|error| failed(format!("{compiler} cannot be run: {error}")))?;
    if output.status.success() {
        return Ok(output.stdout);
    }
    let said = String::from_utf8_lossy(&output.stderr);
    let said: String = said.chars().take(MAX_COMPLAINT).collect();
    Err(failed(format!("{compiler} -E refuses the program:\n{}", said.trim_end())))
}
