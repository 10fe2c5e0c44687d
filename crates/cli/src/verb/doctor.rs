//! `alphorn doctor`: does this installation work, and what does this machine allow?

use crate::args::Doctor;
use crate::speak::out;
use crate::verb::bundle;
use alphorn_driver::doctor::examine;
use alphorn_driver::report::Exit;

/// Examines the installation.
pub fn main(args: &Doctor) -> u8 {
    let findings = examine();
    if let Some(folder) = &args.bundle {
        return bundle::main(args, folder, &findings);
    }
    for finding in &findings {
        let mark = if finding.ok { "ok  " } else { "FAIL" };
        out(&format!("{mark}  {:<12} {}\n", finding.about, finding.detail));
    }
    let fine = findings.iter().all(|finding| finding.ok);
    if fine { Exit::Safe as u8 } else { Exit::Internal as u8 }
}
