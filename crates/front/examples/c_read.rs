//! Reads C files and says how fast, or what they declare.
//!
//! Without options: one line a file, with what is wrong with it on standard error. The exit code is 4 if a
//! file is wrong. `--declared` prints the functions and global variables instead, `--repeat N` reads every file
//! so often and takes the shortest time.
//!
//! Run: `cargo run --release -p alphorn-front --example c_read -- [--declared] [--repeat N] [-m32] FILE…`

use alphorn_front::c::{Options, read};
use alphorn_program::c::{DataModel, Unit};
use std::process::ExitCode;
use std::time::Instant;

fn main() -> ExitCode {
    let mut model = DataModel::Lp64;
    let (mut is_declared, mut repeat) = (false, 1);
    let (mut bytes, mut seconds, mut is_sound) = (0, 0.0, true);
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--declared" => is_declared = true,
            "--repeat" => repeat = arguments.next().and_then(|n| n.parse().ok()).unwrap_or(1),
            "-m32" => model = DataModel::Ilp32,
            file => {
                let source = std::fs::read(file).expect("the file can be read");
                let folder = std::path::Path::new(file).parent().map(|path| path.to_owned());
                let include = |name: &str| std::fs::read(folder.as_ref()?.join(name)).ok();
                let mut options = Options::new(model);
                (options.name, options.include) = (file, &include);
                let mut shortest = f64::INFINITY;
                let mut result = None;
                for _ in 0..repeat.max(1) {
                    let start = Instant::now();
                    result = Some(read(&source, &options));
                    shortest = shortest.min(start.elapsed().as_secs_f64());
                }
                let (unit, said) = result.expect("the file was read");
                for diagnostic in &said.list {
                    let (line, column) = diagnostic.place(&source).unwrap_or_default();
                    let (code, message) = (diagnostic.code.code(), &diagnostic.message);
                    eprintln!("{file}:{line}:{column}: {:?} {code} {message}", diagnostic.severity);
                }
                is_sound &= said.is_clean();
                bytes += source.len();
                seconds += shortest;
                match unit {
                    Some(unit) if is_declared => declared(&unit),
                    _ if is_declared => {}
                    _ => println!("{:7.1} MB/s {file}", source.len() as f64 / shortest / 1e6),
                }
            }
        }
    }
    if !is_declared {
        println!("{:7.1} MB/s all {bytes} bytes", bytes as f64 / seconds / 1e6);
    }
    ExitCode::from(if is_sound { 0 } else { 4 })
}

fn declared(unit: &Unit) {
    for function in &unit.functions {
        let kind = if function.body.is_some() { "defined" } else { "declared" };
        println!("function {kind} {}", function.name);
    }
    for (_, var) in unit.globals().filter(|(_, var)| var.function.is_none()) {
        println!("variable {}", var.name);
    }
}
