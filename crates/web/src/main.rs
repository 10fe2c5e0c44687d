//! The module that the page runs, and the program that makes the page (`alphorn-web page MODULE FILE`).

use alphorn_web::page::page;
use alphorn_web::respond::respond;
use std::io::{Read, Write};
use std::process::ExitCode;

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let done = match &words.iter().map(String::as_str).collect::<Vec<&str>>()[..] {
        [] => answer(),
        ["page", module, file] => {
            std::fs::read(module).and_then(|bytes| std::fs::write(file, page(&bytes)?))
        }
        _ => {
            eprintln!("alphorn-web < REQUEST, or: alphorn-web page MODULE.wasm FILE.html");
            return ExitCode::from(3);
        }
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Answers the request on standard input; a line is out before the next one is made.
fn answer() -> std::io::Result<()> {
    let mut request = String::new();
    std::io::stdin().read_to_string(&mut request)?;
    let mut output = std::io::stdout().lock();
    let mut result = Ok(());
    respond(&request, &mut |line| {
        if result.is_ok() {
            result = writeln!(output, "{line}").and_then(|()| output.flush());
        }
    });
    result
}
