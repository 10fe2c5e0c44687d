//! Tokens of C before macros: places, splices, comments, literals, and what is malformed.

use alphorn_front::c::origin::Origins;
use alphorn_front::c::preprocess::{Options, tokens};
use alphorn_front::c::token::{Keyword, Kind, Punct, Tokens};
use alphorn_front::diag::{Code, Diagnostics, Severity, Span};
use alphorn_program::c::DataModel;

fn read(source: &[u8]) -> (Tokens, Diagnostics) {
    let mut out = Diagnostics::default();
    let tokens = tokens(source, &Options::new(DataModel::Lp64), &mut out);
    (tokens, out)
}

/// The kinds of all tokens and the text at their places.
fn places(source: &str) -> Vec<(Kind, &str)> {
    let (tokens, out) = read(source.as_bytes());
    assert_eq!(out.list, [], "{source}");
    let text = |span: Span| &source[span.start as usize..span.end as usize];
    tokens.all.iter().map(|token| (token.kind, text(token.span))).collect()
}

/// The spellings of all tokens.
fn spellings(source: &[u8]) -> Vec<String> {
    let (tokens, out) = read(source);
    assert!(out.is_clean(), "{:?}", out.list);
    let spell = |kind| match kind {
        Kind::Name(text) | Kind::Number(text) | Kind::Char(text) | Kind::Text(text) => {
            tokens.symbols.text(text).to_owned()
        }
        Kind::Keyword(keyword) => keyword.text().to_owned(),
        Kind::Punct(punct) => punct.text().to_owned(),
        Kind::End => String::new(),
    };
    tokens.all.iter().map(|token| spell(token.kind)).collect()
}

fn codes(source: &[u8]) -> Vec<Code> {
    read(source).1.list.iter().map(|diagnostic| diagnostic.code).collect()
}

#[test]
fn every_token_stands_where_its_text_is() {
    let source = "int  x$1=a->b<<=0x1Fu; // end\n/* c */ \"s\\\"\" L'a' u8\"t\" ... ;";
    let texts: Vec<&str> = places(source).into_iter().map(|(_, text)| text).collect();
    let expected = [
        "int",
        "x$1",
        "=",
        "a",
        "->",
        "b",
        "<<=",
        "0x1Fu",
        ";",
        "\"s\\\"\"",
        "L'a'",
        "u8\"t\"",
        "...",
        ";",
        "",
    ];
    assert_eq!(texts, expected);
}

#[test]
fn all_spellings_of_a_keyword_are_one_keyword() {
    let source = "const __const __const__ __volatile__ __signed__ __inline __restrict __thread asm";
    let kinds: Vec<Kind> = places(source).into_iter().map(|(kind, _)| kind).collect();
    use Keyword::*;
    let keywords = [Const, Const, Const, Volatile, Signed, Inline, Restrict, ThreadLocal, Asm];
    let expected: Vec<Kind> = keywords.into_iter().map(Kind::Keyword).chain([Kind::End]).collect();
    assert_eq!(kinds, expected);
}

#[test]
fn every_punctuator_is_read_as_it_is_written() {
    use Punct::*;
    let all = [
        LBracket,
        RBracket,
        LParen,
        RParen,
        LBrace,
        RBrace,
        Dot,
        Arrow,
        PlusPlus,
        MinusMinus,
        Amp,
        Star,
        Plus,
        Minus,
        Tilde,
        Bang,
        Slash,
        Percent,
        Shl,
        Shr,
        Lt,
        Gt,
        Le,
        Ge,
        EqEq,
        Ne,
        Caret,
        Pipe,
        AmpAmp,
        PipePipe,
        Question,
        Colon,
        Semicolon,
        Ellipsis,
        Assign,
        StarAssign,
        SlashAssign,
        PercentAssign,
        PlusAssign,
        MinusAssign,
        ShlAssign,
        ShrAssign,
        AmpAssign,
        CaretAssign,
        PipeAssign,
        Comma,
        Hash,
        HashHash,
    ];
    for punct in all {
        let source = format!("x {}", punct.text());
        assert_eq!(places(&source)[1], (Kind::Punct(punct), punct.text()));
    }
    assert_eq!(spellings(b"<: :> <% %> x %: %:%:"), ["[", "]", "{", "}", "x", "#", "##", ""]);
}

#[test]
fn a_splice_joins_lines_and_leaves_places_as_they_are() {
    let source = "in\\\nt a\\ \r\nb; x // c \\\n still\n/\\\n* no *\\\n/ y;";
    let texts: Vec<&str> = places(source).into_iter().map(|(_, text)| text).collect();
    assert_eq!(texts, ["in\\\nt", "a\\ \r\nb", ";", "x", "y", ";", ""]);
    assert_eq!(spellings(source.as_bytes()), ["int", "ab", ";", "x", "y", ";", ""]);
    // A splice after the last character is no part of a token.
    assert_eq!(places("a\\\n;")[0].1, "a");
}

#[test]
fn comments_to_verifiers_are_kept_with_their_places() {
    let source = "/*@ requires x; */ int f(void); //@ assert y;\n// plain\n#if 0\n//@ gone\n#endif\n\
                  #define A /*@ no */ 1\nint a = A;";
    let (tokens, out) = read(source.as_bytes());
    assert_eq!(out.list, []);
    let kept: Vec<(&str, &str)> = tokens
        .annotations
        .iter()
        .map(|a| (a.text.as_str(), &source[a.span.start as usize..a.span.end as usize]))
        .collect();
    let expected = [(" requires x; ", "/*@ requires x; */"), (" assert y;", "//@ assert y;")];
    assert_eq!(kept, expected);
}

#[test]
fn bytes_that_are_no_text_become_octal_escapes_in_literals() {
    let expected = ["\"a\\377b\\000\"", "'\\200'", ""];
    assert_eq!(spellings(b"\"a\xffb\0\" '\\\x80' // \xff in a comment\n"), expected);
    assert_eq!(spellings("\"grün\" größe".as_bytes()), ["\"grün\"", "größe", ""]);
}

#[test]
fn what_starts_no_token_is_an_error_with_its_place() {
    let (tokens, out) = read(b"int a @ = 1; \xff\xfe\0 `");
    let seen: Vec<(Code, u32)> = out.list.iter().map(|d| (d.code, d.span.start)).collect();
    let code = Code::CByte;
    assert_eq!(seen, [(code, 6), (code, 13), (code, 15), (code, 17)]);
    assert_eq!(tokens.all.len(), 6);
}

#[test]
fn what_is_not_closed_is_an_error_with_its_place() {
    assert_eq!(codes(b"char *s = \"abc;\nint x;"), [Code::CLiteral]);
    assert_eq!(codes(b"int c = 'a;\nint x;"), [Code::CLiteral]);
    assert_eq!(codes(b"int x; /* never"), [Code::CComment]);
    assert_eq!(codes(b"\"a\\"), [Code::CLiteral]);
    assert_eq!(codes(b"\"a\\\n"), [Code::CLiteral]);
    let (_, out) = read(b"int x; /* never");
    assert_eq!(out.list[0].place(b"int x; /* never"), Some((1, 8)));
}

#[test]
fn an_apostrophe_in_skipped_text_is_fine() {
    assert_eq!(codes(b"#if 0\ndon't \" /* \n#endif\nint x;\n"), []);
    assert_eq!(codes(b"#ifdef NO\n/* #endif */ it's\n#error it's\n#endif\n"), []);
}

#[test]
fn line_markers_and_pragmas_are_passed() {
    let source = b"# 1 \"a.i\"\n# 12 \"b.h\" 1 3 4\nint x;\n#pragma merger(0,\"x.i\",\"\")\n#line 5\nint y;\n";
    assert_eq!(spellings(source), ["int", "x", ";", "int", "y", ";", ""]);
}

#[test]
fn packing_is_kept_with_the_token_from_which_it_holds() {
    let source =
        b"int a;\n#pragma pack(push, 1)\nint b;\n#pragma pack(2)\n#pragma pack(pop)\nint c;\n\
                   _Pragma(\"pack(4)\") int d;\n#pragma pack()\n";
    let (tokens, out) = read(source);
    assert_eq!(out.list, []);
    let seen: Vec<(usize, Option<u32>)> =
        tokens.packings.iter().map(|packing| (packing.from, packing.align)).collect();
    assert_eq!(seen, [(3, Some(1)), (6, Some(2)), (6, None), (9, Some(4)), (12, None)]);
    assert_eq!(codes(b"#pragma pack(3)\n"), [Code::CDirective]);
    assert_eq!(codes(b"#pragma pack(pop)\n"), [Code::CDirective]);
}

#[test]
fn a_pragma_that_changes_meanings_is_not_passed_in_silence() {
    let (_, out) = read(b"#pragma scalar_storage_order big-endian\n");
    assert_eq!(out.worst(), Some(Severity::Unsupported));
}

#[test]
fn a_binary_file_is_refused_after_some_complaints() {
    let bytes: Vec<u8> =
        (0..100_000u32).map(|n| (n.wrapping_mul(2654435761) >> 24) as u8).collect();
    let (_, out) = read(&bytes);
    assert!(!out.is_clean());
    assert!(out.list.len() <= alphorn_front::diag::MAX_DIAGNOSTICS);
}

#[test]
fn markers_lead_back_to_the_lines_that_people_wrote() {
    let source = b"int a;\n# 1 \"a \\\"b\\\".c\"\n# 30 \"x.h\" 1 3\nint b;\nint c;\n# 2 \"m.c\" 2\n\nint d;\n#line 9\nint e;\n#define x\n";
    let origins = Origins::new(source);
    let find = |text: &str| {
        let at = source.windows(text.len()).position(|window| window == text.as_bytes()).unwrap();
        origins.place(source, Span::new(at, at + 1)).map(|(file, line)| (file.to_owned(), line))
    };
    let place = |file: &str, line| Some((file.to_owned(), line));
    assert_eq!(find("int a"), None);
    assert_eq!(find("# 30"), place("a \"b\".c", 1));
    assert_eq!(find("int b"), place("x.h", 30));
    assert_eq!(find("int c"), place("x.h", 31));
    assert_eq!(find("int d"), place("m.c", 3));
    assert_eq!(find("int e"), place("m.c", 9));
}
