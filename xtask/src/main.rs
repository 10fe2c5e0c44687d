//! Housekeeping that is too dull for people: `cargo run -p xtask -- tidy`, `… -- trust` and `… -- cycles`.
//!
//! `tidy` reads the repository as text and lists what breaks the rules of ARCHITECTURE.md and
//! CONTRIBUTING.md, one `path:line: sentence` each. The same check runs as a test of this package.
//! `cycles` lists the modules of each crate that use each other in a circle. `trust` writes the list of trusted files in the checker's TRUST.md anew.

mod tidy;

use std::path::PathBuf;
use std::process::ExitCode;

/// The root of the repository: the folder above this package. Cargo says where that is now; where it was
/// when this was compiled may be another copy.
fn root() -> PathBuf {
    let package = std::env::var_os("CARGO_MANIFEST_DIR")
        .map_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")), PathBuf::from);
    package.parent().expect("the package lies in the repository").to_path_buf()
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if arguments == ["trust"] {
        return match tidy::write_trust(&root()) {
            Ok(true) => ExitCode::SUCCESS,
            Ok(false) => {
                eprintln!("trust: the document has no list of trusted files");
                ExitCode::from(2)
            }
            Err(error) => {
                eprintln!("trust: {error}");
                ExitCode::from(2)
            }
        };
    }
    if arguments == ["cycles"] {
        return match tidy::cycles(&root()) {
            Ok(lines) => {
                lines.iter().for_each(|line| println!("{line}"));
                ExitCode::SUCCESS
            }
            Err(error) => {
                eprintln!("cycles: {error}");
                ExitCode::from(2)
            }
        };
    }
    if arguments != ["tidy"] {
        eprintln!("usage: cargo run -p xtask -- tidy | trust | cycles");
        return ExitCode::from(2);
    }
    match tidy::tidy(&root()) {
        Ok(violations) if violations.is_empty() => ExitCode::SUCCESS,
        Ok(violations) => {
            for violation in violations {
                println!("{violation}");
            }
            ExitCode::FAILURE
        }
        Err(error) => {
            eprintln!("tidy: {error}");
            ExitCode::from(2)
        }
    }
}
