//! Compressed files: recognized by their first bytes, expanded before anybody reads them.
//!
//! Idea: whatever is read goes through `expanded`, so that every verb takes compressed problems and
//! compressed evidence, from files and from standard input. The name without its last ending says the
//! format, as if the file were not compressed.
//!
//! Invariant: a few bytes cannot ask for much memory. What comes out is bounded by what went in
//! (`max_bytes`), and the dictionaries of decoders by `MAX_WINDOW`; both, too, by half of the memory that
//! the run may take, as what comes out is read afterwards.
//!
//! The formats are those of RFC 1952 (gzip) and RFC 8878 (Zstandard), and of the tools xz and bzip2.

use alphorn_front::{Code, Diagnostic};
use alphorn_problem::Span;
use ruzstd::decoding::errors::{FrameDecoderError, ReadFrameHeaderError};
use ruzstd::decoding::{FrameDecoder, StreamingDecoder};
use std::io::{ErrorKind, Read};

/// The most bytes that a compressed file may stand for, however large it is.
const MAX_EXPANDED: u64 = 1 << 30;
/// How many bytes a byte may stand for, in files that are not small.
const MAX_RATIO: u64 = 1000;
/// The bytes that any compressed file may stand for.
const FREE: u64 = 16 << 20;
/// The largest dictionary of a decoder, in bytes.
const MAX_WINDOW: u32 = 128 << 20;

/// How a file is compressed, which its first bytes say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Compression {
    /// gzip
    Gzip,
    /// xz
    Xz,
    /// Zstandard
    Zstd,
    /// bzip2
    Bzip2,
}

/// The ways to compress, with the endings of their files and their first bytes.
const COMPRESSIONS: &[(Compression, &str, &[u8])] = &[
    (Compression::Gzip, "gz", b"\x1f\x8b"),
    (Compression::Xz, "xz", b"\xfd7zXZ\0"),
    (Compression::Zstd, "zst", b"\x28\xb5\x2f\xfd"),
    (Compression::Bzip2, "bz2", b"BZh"),
];

impl Compression {
    /// How these bytes are compressed, if they are.
    pub fn of(bytes: &[u8]) -> Option<Compression> {
        let found = COMPRESSIONS.iter().find(|(.., magic)| bytes.starts_with(magic));
        found.map(|(compression, ..)| *compression)
    }

    fn name(self) -> &'static str {
        match self {
            Compression::Gzip => "gzip",
            Compression::Xz => "xz",
            Compression::Zstd => "Zstandard",
            Compression::Bzip2 => "bzip2",
        }
    }
}

/// The name of what a compressed file holds: without the ending that says how it is compressed.
pub fn inner_name(name: &str) -> &str {
    match name.rsplit_once('.') {
        Some((inner, ending)) => {
            let ending = ending.to_ascii_lowercase();
            let is_known = COMPRESSIONS.iter().any(|(_, known, _)| *known == ending);
            if is_known { inner } else { name }
        }
        None => name,
    }
}

/// Why a file is not expanded.
enum Fault {
    /// It is not what it says.
    Damaged(String),
    /// Its decoder needs a dictionary that is too large.
    Window,
}

/// The bytes themselves, or what they stand for if they are compressed; `memory` is what the run may take.
pub fn expanded(bytes: Vec<u8>, memory: Option<u64>) -> Result<Vec<u8>, Diagnostic> {
    let Some(compression) = Compression::of(&bytes) else { return Ok(bytes) };
    let share = memory.map_or(u64::MAX, |memory| memory / 2);
    let most = max_bytes(bytes.len()).min(share);
    let window = u64::from(MAX_WINDOW).min(share) as u32;
    let mut out = Vec::new();
    let result = match compression {
        Compression::Gzip => take(flate2::read::MultiGzDecoder::new(&bytes[..]), most, &mut out),
        Compression::Bzip2 => take(bzip2::read::MultiBzDecoder::new(&bytes[..]), most, &mut out),
        Compression::Xz => {
            let reader = lzma_rust2::XzReader::new_mem_limit(&bytes[..], true, window >> 10);
            take(reader, most, &mut out)
        }
        Compression::Zstd => frames(&bytes, (most, window), &mut out),
    };
    let what = match result {
        Ok(()) if out.len() as u64 <= most => return Ok(out),
        Ok(()) => format!("stands for more than {}", megabytes(most)),
        Err(Fault::Window) => {
            format!("needs more than {} to be expanded", megabytes(window.into()))
        }
        Err(Fault::Damaged(reason)) => {
            let name = compression.name();
            let message = format!("the {name}-compressed file is damaged or incomplete: {reason}");
            return Err(Diagnostic::error(Code::FileCompressed, Span::NONE, message));
        }
    };
    let is_share = share < max_bytes(bytes.len()).min(u64::from(MAX_WINDOW));
    let (of, hint) = match is_share {
        true => (", half of the memory limit", "give it more with --memory, or expand it first"),
        false => ("", "expand it first, if it is meant to be so large"),
    };
    let message = format!("the file is {}-compressed and {what}{of}", compression.name());
    Err(Diagnostic::unsupported(Code::FileTooLarge, Span::NONE, message).hint(hint))
}

/// A size in words.
fn megabytes(bytes: u64) -> String {
    if bytes < 1 << 20 { format!("{} KiB", bytes >> 10) } else { format!("{} MiB", bytes >> 20) }
}

/// How many bytes a compressed file of this length may stand for.
fn max_bytes(length: usize) -> u64 {
    (length as u64).saturating_mul(MAX_RATIO).saturating_add(FREE).min(MAX_EXPANDED)
}

/// Reads to the end, or one byte more than allowed.
fn take(reader: impl Read, most: u64, out: &mut Vec<u8>) -> Result<(), Fault> {
    let room = (most + 1).saturating_sub(out.len() as u64);
    let read = reader.take(room).read_to_end(out);
    read.map(|_| ()).map_err(|error| match error.kind() {
        ErrorKind::OutOfMemory => Fault::Window,
        _ => Fault::Damaged(error.to_string()),
    })
}

/// The frames of a Zstandard file, one after the other; skippable ones hold nothing.
fn frames(bytes: &[u8], (most, window): (u64, u32), out: &mut Vec<u8>) -> Result<(), Fault> {
    let damaged = |reason: &str| Fault::Damaged(reason.to_owned());
    let mut rest = bytes;
    let mut decoder = FrameDecoder::new();
    decoder.set_max_window_size(u64::from(window));
    while !rest.is_empty() && out.len() as u64 <= most {
        let begun = StreamingDecoder::new_with_decoder(&mut rest, &mut decoder);
        let mut stream = match begun {
            Ok(stream) => stream,
            Err(FrameDecoderError::ReadFrameHeaderError(ReadFrameHeaderError::SkipFrame {
                length,
                ..
            })) => {
                let length = usize::try_from(length).unwrap_or(usize::MAX);
                rest = rest.get(length..).ok_or_else(|| damaged("a frame ends too early"))?;
                continue;
            }
            Err(FrameDecoderError::WindowSizeTooBig { .. }) => return Err(Fault::Window),
            Err(error) => return Err(Fault::Damaged(error.to_string())),
        };
        take(&mut stream, most, out)?;
        if out.len() as u64 <= most {
            let wanted = decoder.get_checksum_from_data();
            let is_right = |wanted| decoder.get_calculated_checksum() == Some(wanted);
            if !wanted.is_none_or(is_right) {
                return Err(damaged("its checksum is wrong"));
            }
        }
    }
    Ok(())
}
