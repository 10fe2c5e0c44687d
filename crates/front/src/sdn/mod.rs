//! Software-defined networks: switches with tables of rules, and a controller that changes them.
//!
//! ```text
//! switch s1 s2
//! client c1 s1.1
//! client c2 s2.2
//! link s1.2 s2.1
//! field proto ssh web
//! field src c1 c2
//! send c1 src=c1
//! send c2 src=c2
//! rule stop  5 proto=ssh : drop
//! rule right 1 in=1 : 2
//! rule left  1 in=2 : 1
//! on proto=ssh : add stop s1 s2 ; barrier s1 s2 ; add right s1 s2 ; add left s1 s2
//! on in=1 : forward 2 ; add stop s1 s2 ; barrier s1 s2 ; add right s1 s2 ; add left s1 s2
//! on in=2 : forward 1 ; add stop s1 s2 ; barrier s1 s2 ; add right s1 s2 ; add left s1 s2
//! bad at c2 src=c1 proto=ssh
//! ```
//!
//! Whatever is sent, a packet or a message of the controller, may arrive in any order and again and again. So of a packet it
//! matters only whether it is somewhere, and of a message whether it was sent (`system`); what is bad speaks of
//! packets that are somewhere, never of ones that are not. Then a network is finite, and these are exact: clients
//! receive at once, a switch treats all packets of a port at once, what comes before a barrier is done together with the
//! controller's step, and so is what the controller forwards.
//!
//! After Majumdar, Tetali, Wang, "Kuai: A Model Checker for Software-defined Networks" (FMCAD 2014), where packets and messages
//! arrive once, and the first of these is an abstraction.

mod controller;
mod parse;
mod system;
mod tree;

use crate::diag::{Code, Read, until_wrong};
use alphorn_problem::Words;

/// The first line that says something, without its comment.
fn first_line(bytes: &[u8]) -> &[u8] {
    let lines = bytes.split(|byte| *byte == b'\n');
    let mut said = lines.map(|line| line.split(|byte| *byte == b'#').next().unwrap_or(b""));
    said.find(|line| !line.trim_ascii().is_empty()).unwrap_or(b"").trim_ascii()
}

/// Whether a text begins as these files do.
pub fn begins(bytes: &[u8]) -> bool {
    first_line(&bytes[..bytes.len().min(1 << 16)]).starts_with(b"switch ")
}

/// Reads a network.
pub fn read(bytes: &[u8]) -> Read<Words> {
    until_wrong(bytes, Code::SdnSyntax, |text| {
        parse::network(text).and_then(|network| system::system(&network))
    })
}
