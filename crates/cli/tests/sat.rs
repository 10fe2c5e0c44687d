//! `alphorn sat` on formulas too hard for its limits, and from standard input.

mod pipe;

use std::time::Duration;

/// One pigeon more than holes.
fn pigeons(holes: i32) -> String {
    let sits = |pigeon: i32, hole: i32| pigeon * holes + hole + 1;
    let mut clauses: Vec<String> = (0..=holes)
        .map(|pigeon| (0..holes).map(|hole| format!("{} ", sits(pigeon, hole))).collect())
        .collect();
    for hole in 0..holes {
        for pigeon in 0..=holes {
            for other in 0..pigeon {
                clauses.push(format!("-{} -{} ", sits(pigeon, hole), sits(other, hole)));
            }
        }
    }
    let variables = (holes + 1) * holes;
    format!("p cnf {variables} {}\n{}0\n", clauses.len(), clauses.join("0\n"))
}

/// Runs on a formula given by standard input; returns what is printed, the exit code and the time.
fn run(formula: &str, args: &[&str]) -> (String, Option<i32>, Duration) {
    let (out, _, code, time) = pipe::run("sat", formula, args);
    (out, code, time)
}

#[test]
fn standard_input_is_read() {
    let (text, code, _) = run("p cnf 2 2\n1 0\n-1 -2 0\n", &[]);
    assert!(text.ends_with("s SATISFIABLE\nv 1 -2 0\n"), "{text}");
    assert_eq!(code, Some(10));
}

#[test]
fn statistics_are_comments() {
    let (text, code, _) = run(&pigeons(4), &["--stats"]);
    assert!(text.lines().any(|line| line.starts_with("c conflicts ")), "{text}");
    assert!(text.lines().all(|line| line.starts_with("c ") || line == "s UNSATISFIABLE"), "{text}");
    assert_eq!(code, Some(20));
}

/// The upper bound is generous because test machines are busy.
#[test]
fn the_time_limit_is_kept() {
    let (text, code, time) = run(&pigeons(13), &["--time", "300ms"]);
    assert!(text.ends_with("c out of time\ns UNKNOWN\n"), "{text}");
    assert_eq!(code, Some(0));
    assert!(time >= Duration::from_millis(300) && time < Duration::from_secs(20), "{time:?}");
}

#[test]
fn the_memory_limit_is_kept() {
    if cfg!(target_os = "linux") {
        let (text, code, _) = run(&pigeons(13), &["--memory", "1M"]);
        assert!(text.ends_with("c out of memory\ns UNKNOWN\n"), "{text}");
        assert_eq!(code, Some(0));
    }
}

/// A model of many variables is broken into lines of bounded length.
#[test]
fn long_models_are_broken_into_lines() {
    let clauses: String = (1..=500).map(|var| format!("-{var} 0\n")).collect();
    let (text, _, _) = run(&format!("p cnf 500 500\n{clauses}"), &[]);
    let lines: Vec<&str> = text.lines().filter_map(|line| line.strip_prefix("v ")).collect();
    assert!(lines.len() > 20 && lines.iter().all(|line| line.len() <= 76), "{text}");
    let literals: Vec<i32> =
        lines.iter().flat_map(|line| line.split(' ')).map(|lit| lit.parse().expect("")).collect();
    assert_eq!(literals, (1..=500).map(|var| -var).chain([0]).collect::<Vec<i32>>());
}
