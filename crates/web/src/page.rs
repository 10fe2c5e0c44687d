//! The page as one file: the module, compressed, with the scripts, the style and the examples around it.
//!
//! The module stands in the page as text (base64) and is unpacked by the browser, so that the page runs from a
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
        ("/*MODULE*/", base64(&gzip.finish()?)),
    ];
    Ok(parts.into_iter().fold(PAGE.to_owned(), |page, (mark, text)| page.replacen(mark, &text, 1)))
}

/// JSON that nothing inside of can end the element that it stands in.
fn inside_script(json: &str) -> String {
    json.replace('<', "\\u003c")
}

/// Bytes as text, by RFC 4648.
fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for group in bytes.chunks(3) {
        let at = |index: usize| u32::from(group.get(index).copied().unwrap_or(0));
        let bits = at(0) << 16 | at(1) << 8 | at(2);
        for digit in 0..4 {
            let is_there = digit <= group.len();
            let value = bits >> (18 - 6 * digit) & 63;
            text.push(if is_there { char::from(DIGITS[value as usize]) } else { '=' });
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_become_text_as_the_standard_says() {
        let cases =
            [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg==")];
        for (bytes, text) in cases {
            assert_eq!(base64(bytes.as_bytes()), text);
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
