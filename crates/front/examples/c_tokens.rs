//! Prints the tokens of C files after preprocessing, one to a line, for comparison with `cc -E`.
//!
//! The exit code is 4 if a file is wrong.
//!
//! Run: `cargo run --release -p alphorn-front --example c_tokens -- [--time] [-m32] FILE…`

use alphorn_front::c::preprocess::{Options, tokens};
use alphorn_front::c::token::Kind;
use alphorn_front::diag::Diagnostics;
use alphorn_program::c::DataModel;
use std::io::Write;
use std::process::ExitCode;
use std::time::Instant;

fn main() -> std::io::Result<ExitCode> {
    let mut is_sound = true;
    let mut model = DataModel::Lp64;
    let mut is_timed = false;
    let mut out = std::io::BufWriter::new(std::io::stdout());
    for argument in std::env::args().skip(1) {
        match argument.as_str() {
            "--time" => is_timed = true,
            "-m32" => model = DataModel::Ilp32,
            file => {
                let source = std::fs::read(file)?;
                let mut said = Diagnostics::default();
                let start = Instant::now();
                let mut options = Options::new(model);
                options.name = file;
                let tokens = tokens(&source, &options, &mut said);
                let seconds = start.elapsed().as_secs_f64();
                is_sound &= said.is_clean();
                for diagnostic in &said.list {
                    eprintln!("{file}: {diagnostic:?}");
                }
                if is_timed {
                    let speed = source.len() as f64 / seconds / 1e6;
                    writeln!(out, "{speed:7.1} MB/s {:8} tokens {file}", tokens.all.len())?;
                    continue;
                }
                for token in &tokens.all {
                    let text = match token.kind {
                        Kind::Name(text)
                        | Kind::Number(text)
                        | Kind::Char(text)
                        | Kind::Text(text) => tokens.symbols.text(text),
                        Kind::Keyword(keyword) => keyword.text(),
                        Kind::Punct(punct) => punct.text(),
                        Kind::End => break,
                    };
                    writeln!(out, "{text}")?;
                }
            }
        }
    }
    out.flush()?;
    Ok(ExitCode::from(if is_sound { 0 } else { 4 }))
}
