//! What a word-level engine found, as a verdict that the checker accepts.

use alphorn_check::words::{check_certificate, check_trace};
use alphorn_engine::Stop;
use alphorn_problem::evidence::words::{WordCertificate, WordClaim};
use alphorn_problem::{Finding, Verdict, Words};

/// The verdict that a finding is, once its claim is proved.
pub fn conclude(
    finding: Finding<Words>,
    prove: impl FnOnce(WordClaim) -> Result<WordCertificate, Stop>,
) -> Result<Verdict<Words>, Stop> {
    match finding {
        Finding::Holds(claim) => prove(claim).map(Verdict::Safe),
        Finding::Fails(trace) => Ok(Verdict::Unsafe(trace)),
    }
}

/// Has the evidence checked.
#[track_caller]
pub fn accept(system: &Words, verdict: &Verdict<Words>) {
    match verdict {
        Verdict::Safe(certificate) => {
            check_certificate(system, certificate).expect("the certificate is accepted");
        }
        Verdict::Unsafe(trace) => check_trace(system, trace).expect("the trace is accepted"),
    }
}
