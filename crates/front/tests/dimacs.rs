//! DIMACS files: what is read, what is refused, and where.

use alphorn_front::{Code, Severity, dimacs};

fn clauses(text: &str) -> Vec<Vec<i32>> {
    let (cnf, diagnostics) = dimacs::read(text.as_bytes());
    let cnf = cnf.unwrap_or_else(|| panic!("{text:?}: {diagnostics:?}"));
    cnf.clauses().map(<[i32]>::to_vec).collect()
}

#[test]
fn clauses_may_be_laid_out_at_will() {
    let expected = vec![vec![1, -2], vec![], vec![3, 2, -1]];
    assert_eq!(clauses("p cnf 3 3\n1 -2 0\n0\n3 2 -1 0\n"), expected);
    assert_eq!(clauses("c hi\n\np  cnf\t3 3 \r\n 1\n-2 0 0 3\r\nc in between\n2 -1 0"), expected);
    assert_eq!(clauses("  c indented\n p cnf 3 3\n1 -2 0 0 3 2 -1 0\n%\n0\n"), expected);
    assert_eq!(clauses("p cnf 0 0"), Vec::<Vec<i32>>::new());
}

#[test]
fn the_largest_variable_is_known() {
    let (cnf, _) = dimacs::read(b"p cnf 2000000000 1\n7 -3 0\n");
    let cnf = cnf.expect("well formed");
    assert_eq!((cnf.variables, cnf.largest, cnf.len()), (2_000_000_000, 7, 1));
}

/// Each broken file with its code and the text that is marked.
#[test]
fn broken_files_are_refused_where_they_break() {
    for (text, code, marked) in [
        ("", Code::DimacsHeader, ""),
        ("c only words\n", Code::DimacsHeader, ""),
        ("1 0\n", Code::DimacsHeader, "1 0"),
        ("p\n1 0\n", Code::DimacsHeader, "p"),
        ("p cnf 3\n1 0\n", Code::DimacsHeader, "p cnf 3"),
        ("p cnf 3 x\n", Code::DimacsHeader, "p cnf 3 x"),
        ("p cnf -3 1\n", Code::DimacsHeader, "p cnf -3 1"),
        ("p cnf 99999999999 1\n", Code::DimacsHeader, "p cnf 99999999999 1"),
        ("p cnf 2147483648 1\n", Code::DimacsHeader, "p cnf 2147483648 1"),
        ("p cnf 1 1 1\n", Code::DimacsHeader, "p cnf 1 1 1"),
        ("p wcnf 1 1\n", Code::DimacsHeader, "p wcnf 1 1"),
        ("p cnf 2 1\n1 5 0\n", Code::DimacsVariable, "5"),
        ("p cnf 2 1\n1 -2147483648 0\n", Code::DimacsNumber, "-2147483648"),
        ("p cnf 2 1\n1 x2 0\n", Code::DimacsNumber, "x2"),
        ("p cnf 2 1\n1 -0 0\n", Code::DimacsNumber, "-0"),
        ("p cnf 2 1\n1 +2 0\n", Code::DimacsNumber, "+2"),
        ("p cnf 2 1\n1 2\n", Code::DimacsEnd, "2"),
        ("p cnf 2 2\n1 2 0\n", Code::DimacsCount, "p cnf 2 2"),
        ("p cnf 2 1\n1 2 0 2 0\n", Code::DimacsCount, "p cnf 2 1"),
        ("p cnf 2000000000 1\n2000000000 0\n", Code::DimacsSparse, "p cnf 2000000000 1"),
    ] {
        let (cnf, diagnostics) = dimacs::read(text.as_bytes());
        assert!(cnf.is_none(), "{text:?}");
        let first = &diagnostics.list[0];
        let span = first.span.start as usize..first.span.end as usize;
        assert_eq!((first.code, &text[span]), (code, marked), "{text:?}");
        assert!(first.hint.is_some());
        let is_unsupported = code == Code::DimacsSparse;
        assert_eq!(first.severity == Severity::Unsupported, is_unsupported);
    }
}

#[test]
fn reading_goes_on_after_an_error_but_not_for_ever() {
    let (_, diagnostics) = dimacs::read(b"p cnf 1 2\n1 2 0\nx 3 0\n");
    assert_eq!(diagnostics.list.len(), 3);
    let rubbish = format!("p cnf 1 1\n{}", "y ".repeat(1000));
    let (_, diagnostics) = dimacs::read(rubbish.as_bytes());
    assert_eq!(diagnostics.list.len(), alphorn_front::diag::MAX_DIAGNOSTICS);
}

/// Cutting a file anywhere and changing any byte leads to a formula or to a diagnostic.
#[test]
fn damaged_files_are_read_or_refused() {
    let text = b"c x\np cnf 12 3\n1 -12 0\n3 0\n-7 8 9 0\n%\n0\n";
    for end in 0..text.len() {
        let (cnf, diagnostics) = dimacs::read(&text[..end]);
        assert_eq!(cnf.is_some(), diagnostics.is_clean());
    }
    for place in 0..text.len() {
        for byte in 0..=255 {
            let mut damaged = text.to_vec();
            damaged[place] = byte;
            let (cnf, diagnostics) = dimacs::read(&damaged);
            assert_eq!(cnf.is_some(), diagnostics.is_clean());
        }
    }
}
