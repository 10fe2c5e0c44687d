//! How fast SMT-LIB is read: tokens alone, and whole Horn problems down to clauses.
//!
//! Loads: all files of the shared benchmark set one by one, the largest of them, and one file of
//! 50 MB made of copies of the largest ones, with each copy's predicates renamed. Without the
//! shared set, a generated system stands in for the files.
//!
//! Run: `cargo bench -p alphorn-front --bench reading`, or with `-- FILE…` to read these files.

use alphorn_front::smtlib::{Kind, Lexer, print_horn, read};
use alphorn_testkit::corpus::files_below;
use std::collections::BTreeSet;
use std::hint::black_box;
use std::path::Path;
use std::time::Instant;

const BIG: usize = 50_000_000;

/// A system that stands in for real ones.
fn generated() -> Vec<u8> {
    let mut text = String::from("(set-logic HORN)\n(declare-fun inv (Int Int Int Bool) Bool)\n");
    for n in 0..500 {
        text.push_str(&format!(
            "(assert (forall ((x Int) (y Int) (z Int) (b Bool)) (=> (and (inv x y z b) \
             (<= (+ x (* 2 y) {n}) z) (or b (not (= z {n})))) (inv (+ x 1) (- y z) (+ z {n}) b))))\n"
        ));
    }
    text.push_str("(check-sat)\n");
    text.into_bytes()
}

/// The declarations and assertions of a script, with its predicates renamed.
fn copy(text: &[u8], number: usize, out: &mut Vec<u8>) {
    let mut lexer = Lexer::new(text, 0);
    let mut tokens = Vec::new();
    loop {
        let token = lexer.next_token();
        if token.kind == Kind::End {
            break;
        }
        tokens.push(token);
    }
    let bytes = |position: usize| -> &[u8] {
        &text[tokens[position].start as usize..tokens[position].end as usize]
    };
    let name = |position: usize| -> &[u8] {
        let text = bytes(position);
        text.strip_prefix(b"|").and_then(|text| text.strip_suffix(b"|")).unwrap_or(text)
    };
    let declared: BTreeSet<&[u8]> = (1..tokens.len())
        .filter(|&position| bytes(position - 1) == b"declare-fun")
        .map(name)
        .collect();
    let (mut depth, mut keeps, mut from) = (0usize, false, 0usize);
    for (position, token) in tokens.iter().enumerate() {
        match token.kind {
            Kind::Open => {
                depth += 1;
                if depth == 1 {
                    let command =
                        tokens.get(position + 1).map_or(&b""[..], |_| bytes(position + 1));
                    keeps = matches!(command, b"declare-fun" | b"assert");
                    from = token.start as usize;
                }
            }
            Kind::Close => depth = depth.saturating_sub(1),
            Kind::Symbol | Kind::Quoted if keeps && declared.contains(name(position)) => {
                out.extend_from_slice(&text[from..token.start as usize]);
                let name = String::from_utf8_lossy(name(position));
                out.extend_from_slice(format!("|{name}#{number}|").as_bytes());
                from = token.end as usize;
            }
            _ => {}
        }
        if depth == 0 && keeps {
            out.extend_from_slice(&text[from..token.end as usize]);
            out.push(b'\n');
            from = token.end as usize;
        }
    }
}

/// Seconds this thread has been running; on a busy machine the clock on the wall says little.
fn seconds(start: Instant) -> f64 {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let nanoseconds = text.split(' ').next().and_then(|field| field.parse::<f64>().ok());
    nanoseconds.map_or_else(|| start.elapsed().as_secs_f64(), |n| n / 1e9)
}

/// The speed of the best round: the others were disturbed.
fn megabytes_per_second(bytes: usize, mut work: impl FnMut()) -> f64 {
    // A round is long enough for a scheduler that counts in milliseconds.
    let repeats = 1 + 20_000_000 / bytes.max(1);
    let start = Instant::now();
    let times = (0..5).map(|_| {
        let before = seconds(start);
        (0..repeats).for_each(|_| work());
        (seconds(start) - before) / repeats as f64
    });
    bytes as f64 / 1e6 / times.fold(f64::INFINITY, f64::min)
}

fn lex(text: &[u8]) -> usize {
    let mut lexer = Lexer::new(text, 0);
    let mut count = 0;
    while lexer.next_token().kind != Kind::End {
        count += 1;
    }
    count
}

fn report(name: &str, text: &[u8]) {
    let tokens = megabytes_per_second(text.len(), || {
        black_box(lex(text));
    });
    let clauses = megabytes_per_second(text.len(), || {
        let (script, diagnostics) = read(text);
        assert!(script.is_some(), "{:?}", diagnostics.list);
        black_box(script);
    });
    let size = text.len() as f64 / 1e6;
    println!("{name:<24} {size:8.2} MB  tokens {tokens:7.1} MB/s  clauses {clauses:6.1} MB/s");
}

fn main() {
    let named: Vec<String> =
        std::env::args().skip(1).filter(|arg| !arg.starts_with("--")).collect();
    for path in &named {
        let text = std::fs::read(path).expect("the file can be read");
        report(path.rsplit('/').next().unwrap_or(path), &text);
    }
    if !named.is_empty() {
        return;
    }
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/bench/chc");
    let mut texts: Vec<(String, Vec<u8>)> = files_below(&folder)
        .into_iter()
        .filter_map(|path| {
            let folder = path.parent()?.file_name()?.to_string_lossy().into_owned();
            Some((folder, std::fs::read(&path).ok()?))
        })
        .collect();
    if texts.is_empty() {
        texts.push(("generated".to_owned(), generated()));
    }
    texts.sort_by(|(a, x), (b, y)| a.cmp(b).then(y.len().cmp(&x.len())));

    let tracks: BTreeSet<&String> = texts.iter().map(|(track, _)| track).collect();
    for track in tracks {
        let own: Vec<&Vec<u8>> = texts.iter().filter(|(t, _)| t == track).map(|(_, x)| x).collect();
        let size: usize = own.iter().map(|text| text.len()).sum();
        let speed = megabytes_per_second(size, || {
            for text in &own {
                black_box(read(text));
            }
        });
        println!(
            "{:<24} {:8.2} MB in {:3} files: {speed:6.1} MB/s",
            track,
            size as f64 / 1e6,
            own.len()
        );
    }
    texts.sort_by_key(|(_, text)| std::cmp::Reverse(text.len()));
    report("largest file", &texts[0].1);

    let mut big = b"(set-logic HORN)\n".to_vec();
    let sources: Vec<&Vec<u8>> = texts
        .iter()
        .map(|(_, text)| text)
        .filter(|text| !text.windows(17).any(|w| w == b"declare-datatypes"))
        .take(10)
        .collect();
    for number in 0.. {
        if big.len() >= BIG {
            break;
        }
        copy(sources[number % sources.len()], number, &mut big);
    }
    big.extend_from_slice(b"(check-sat)\n");
    report("50 MB of copies", &big);

    let (script, _) = read(&big);
    let script = script.expect("the file is sound");
    let size = print_horn(&script.horn).len();
    let speed = megabytes_per_second(size, || {
        black_box(print_horn(&script.horn));
    });
    println!("printing it again        {:8.2} MB: {speed:.1} MB/s", size as f64 / 1e6);
}
