//! Signals: which are put together, and how they are named.

use super::*;

fn bit(role: Role, name: &str, values: &str) -> Signal {
    Signal { role, name: name.to_owned(), width: 1, bits: values.to_owned() }
}

#[test]
fn bits_of_one_name_become_a_word() {
    let wave = Waveform {
        signals: vec![
            bit(Role::State, "top.count[0]", "010"),
            bit(Role::Input, "go", "1x1"),
            bit(Role::State, "top.count[1]", "001"),
            bit(Role::State, "odd[2]", "000"),
            bit(Role::Property, "bad", "001"),
        ],
        ..Waveform::default()
    };
    let wave = wave.gathered();
    let names: Vec<&str> = wave.signals.iter().map(|signal| signal.name.as_str()).collect();
    assert_eq!(names, ["bad", "go", "odd[2]", "top.count"]);
    assert_eq!(wave.signals[3].bits, "000110");
    let expected = "$comment a run $end\n$version alphorn $end\n$timescale 1ns $end\n\
        $scope module top $end\n$var integer 32 ! step $end\n$var wire 1 \" bad $end\n\
        $var wire 1 # go $end\n$var reg 1 $ odd[2] $end\n$var reg 2 % count [1:0] $end\n\
        $upscope $end\n$enddefinitions $end\n#0\nb0 !\n0\"\n1#\n0$\nb00 %\n\
        #10\nb1 !\nx#\nb01 %\n#20\nb10 !\n1\"\n1#\nb10 %\n#30\n";
    assert_eq!(vcd(&wave, "a run"), expected);
}

#[test]
fn the_loop_is_a_signal() {
    let signals = vec![bit(Role::State, "a", "0110")];
    let wave = Waveform { signals, loop_start: Some(2), ..Waveform::default() };
    let text = vcd(&wave.gathered(), "");
    assert!(text.contains("$var wire 1 # loop $end"), "{text}");
    assert!(text.contains("#0\nb0 !\n0#\n") && text.contains("#20\nb10 !\n1#\n"), "{text}");
    assert_eq!(text.matches('#').count(), 1 + 2 + 5, "{text}");
}

#[test]
fn scopes_are_nested() {
    let wave = Waveform {
        signals: vec![bit(Role::State, "a.b.c", "0"), bit(Role::State, "a.d", "1")],
        ..Waveform::default()
    };
    let text = vcd(&wave, "");
    let order = ["module top", "module a", " d ", "module b", " c ", "$upscope", "$upscope"];
    let mut rest = text.as_str();
    for part in order {
        let (_, after) = rest.split_once(part).unwrap_or_else(|| panic!("{part} in {text}"));
        rest = after;
    }
}

#[test]
fn numbers_in_names_count() {
    let mut names = ["b", "a10", "a9", "a", "9", "a9.c"];
    names.sort_by_key(|name| natural(name));
    assert_eq!(names, ["a", "a9", "a9.c", "a10", "b", "9"]);
}

#[test]
fn short_names_differ() {
    let all: std::collections::BTreeSet<String> = (0..20_000).map(code).collect();
    assert_eq!(all.len(), 20_000);
}
