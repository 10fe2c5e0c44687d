//! The page as one file: the module, compressed, with the scripts, the style and the examples around it.
//!
//! The module stands in the page as text (seven bits a character) and is unpacked by the browser, so that the page runs from a
//! disk, with no server, no network and no special headers.

use crate::examples;
use flate2::Compression;
use flate2::write::GzEncoder;
use std::io::Write;

const PAGE: &str = include_str!("../page/page.html");
const STYLE: &str = include_str!("../page/style.css");
const WORKER: &str = include_str!("../page/worker.js");
const EDITOR: &str = include_str!("../page/editor.js");
const SCRIPT: &str = include_str!("../page/page.js");

/// The page with the module in `bytes`.
pub fn page(bytes: &[u8]) -> std::io::Result<String> {
    let mut gzip = GzEncoder::new(Vec::new(), Compression::best());
    gzip.write_all(bytes)?;
    let parts = [
        ("/*STYLE*/", STYLE.to_owned()),
        ("/*WORKER*/", WORKER.to_owned()),
        ("/*EDITOR*/", EDITOR.to_owned()),
        ("/*SCRIPT*/", SCRIPT.to_owned()),
        ("/*EXAMPLES*/", inside_script(&examples::value().to_string())),
        ("/*VERSION*/", env!("CARGO_PKG_VERSION").to_owned()),
        ("/*MODULE*/", sevens(&gzip.finish()?)),
    ];
    Ok(parts.into_iter().fold(PAGE.to_owned(), |page, (mark, text)| page.replacen(mark, &text, 1)))
}

/// JSON that nothing inside of can end the element that it stands in.
fn inside_script(json: &str) -> String {
    json.replace('<', "\\u003c")
}

/// What stands for the characters of seven bits that a script in a page cannot have: what is nothing, what browsers take for the
/// end of a line, and what could end the script.
const INSTEAD: [(u8, char); 3] = [(0, 'À'), (b'\r', 'Á'), (b'<', 'Â')];

/// Bytes as text that can stand in a script of a page: a character for every seven bits. That is a sixth more than the bytes,
/// where base64 has a third.
fn sevens(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len() / 6 * 7 + 16);
    let mut push = |value: u8| {
        let instead = INSTEAD.iter().find(|(of, _)| *of == value).map(|(_, by)| *by);
        text.push(instead.unwrap_or(char::from(value)));
    };
    let (mut bits, mut count) = (0_u32, 0);
    for &byte in bytes {
        (bits, count) = (bits << 8 | u32::from(byte), count + 8);
        while count >= 7 {
            count -= 7;
            push((bits >> count & 127) as u8);
        }
        bits &= 127;
    }
    if count > 0 {
        push((bits << (7 - count) & 127) as u8);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As the page does it.
    fn read(text: &str) -> Vec<u8> {
        let (mut bytes, mut bits, mut count) = (Vec::new(), 0_u32, 0);
        for char in text.chars() {
            let place = INSTEAD.iter().find(|(_, by)| *by == char);
            let value = place.map_or(char as u32, |(of, _)| u32::from(*of));
            (bits, count) = ((bits << 7 | value) & 0x7fff, count + 7);
            if count >= 8 {
                count -= 8;
                bytes.push((bits >> count) as u8);
            }
        }
        bytes
    }

    #[test]
    fn bytes_are_read_again_from_their_text_and_end_no_script() {
        let all: Vec<u8> =
            (0..=255).chain((0..=255).map(|byte: u8| byte.wrapping_mul(31))).collect();
        for length in [0, 1, 2, 6, 7, 8, 9, 13, 14, 15, 512] {
            let text = sevens(&all[..length]);
            assert_eq!(read(&text), &all[..length], "{length}");
            assert!(!text.contains(['\0', '\r', '<']), "{length}");
        }
    }

    #[test]
    fn every_part_has_its_place_and_nothing_comes_from_elsewhere() {
        let made = page(b"a module").expect("it is compressed");
        for mark in ["STYLE", "WORKER", "EDITOR", "SCRIPT", "EXAMPLES", "VERSION", "MODULE"] {
            assert!(!made.contains(&format!("/*{mark}*/")), "{mark}");
        }
        for outside in ["http://", "https://", "src=\"", "@import"] {
            assert!(!made.contains(outside), "{outside}");
        }
    }
}
