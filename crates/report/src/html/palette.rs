//! Colours and dashes for up to a dozen lines in one drawing, and more by their combination.
//!
//! Both palettes were found by a search for colours that are as far apart as possible in OKLab, also
//! for eyes without red or green receptors (Machado, Oliveira, Fernandes 2009), among those that stand
//! out from the ground by 2.9 to 1. The tests hold them to it. Dashes differ as well, so that nothing
//! depends on colour alone.
//!
//! Colours are classes of the page, as light and dark grounds need different ones.

use std::fmt::Write;

/// The colours on light ground.
pub(super) const LIGHT: [&str; 12] = [
    "#1e86fe", "#a3215a", "#959a17", "#231da3", "#dc74a4", "#9e694d", "#6a1d32", "#4e5a8b",
    "#9368c3", "#923002", "#3c49cc", "#710c71",
];
/// The colours on dark ground.
pub(super) const DARK: [&str; 12] = [
    "#3cc3fe", "#fb8cb0", "#dcc771", "#8688fe", "#d02b34", "#367b63", "#a3f5fa", "#b974a9",
    "#a79c11", "#3569e7", "#d4f73e", "#7a5a9f",
];
/// How lines are broken; the first one not at all.
const DASHES: [&str; 4] = ["none", "7 3", "2 3", "9 3 2 3"];

/// The classes of series number `position`: its colour and its dashes.
pub(super) fn class(position: usize) -> String {
    // After a round of the colours each comes with the next dashes.
    let round = position / LIGHT.len();
    format!("c{} d{}", position % LIGHT.len(), (position + round) % DASHES.len())
}

/// The rules of the classes.
pub(super) fn style() -> String {
    let colours = |all: &[&str]| -> String {
        let rule = |(at, colour): (usize, &&str)| format!(".c{at}{{--c:{colour}}}");
        all.iter().enumerate().map(rule).collect()
    };
    let mut out = format!(
        "{}\n@media (prefers-color-scheme: dark) {{ {} }}\n",
        colours(&LIGHT),
        colours(&DARK)
    );
    for (at, dashes) in DASHES.iter().enumerate() {
        let _ = write!(out, ".d{at}{{stroke-dasharray:{dashes}}}");
    }
    out.push('\n');
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    type Colour = [f64; 3];

    fn linear(colour: &str) -> Colour {
        let part = |at: usize| {
            let byte = u8::from_str_radix(&colour[at..at + 2], 16).expect("two digits");
            let share = f64::from(byte) / 255.0;
            match share <= 0.04045 {
                true => share / 12.92,
                false => ((share + 0.055) / 1.055).powf(2.4),
            }
        };
        [part(1), part(3), part(5)]
    }

    fn times(matrix: [Colour; 3], colour: Colour) -> Colour {
        matrix.map(|row| row.iter().zip(colour).map(|(one, other)| one * other).sum::<f64>())
    }

    fn oklab(colour: Colour) -> Colour {
        let cones = times(
            [
                [0.4122214708, 0.5363325363, 0.0514459929],
                [0.2119034982, 0.6806995451, 0.1073969566],
                [0.0883024619, 0.2817188376, 0.6299787005],
            ],
            colour,
        );
        times(
            [
                [0.2104542553, 0.7936177850, -0.0040720468],
                [1.9779984951, -2.4285922050, 0.4505937099],
                [0.0259040371, 0.7827717662, -0.8086757660],
            ],
            cones.map(|cone| cone.max(0.0).cbrt()),
        )
    }

    const NO_RED: [Colour; 3] = [
        [0.152286, 1.052583, -0.204868],
        [0.114503, 0.786281, 0.099216],
        [-0.003882, -0.048116, 1.051998],
    ];
    const NO_GREEN: [Colour; 3] = [
        [0.367322, 0.860646, -0.227968],
        [0.280085, 0.672501, 0.047413],
        [-0.011820, 0.042940, 0.968881],
    ];

    fn distance(one: Colour, other: Colour) -> f64 {
        let (one, other) = (oklab(one), oklab(other));
        one.iter().zip(other).map(|(a, b)| (a - b).powi(2)).sum::<f64>().sqrt()
    }

    fn contrast(one: &str, other: &str) -> f64 {
        let light = |colour: &str| {
            let [red, green, blue] = linear(colour);
            0.05 + 0.2126 * red + 0.7152 * green + 0.0722 * blue
        };
        let (one, other) = (light(one), light(other));
        one.max(other) / one.min(other)
    }

    #[test]
    fn a_dozen_colours_are_told_apart_by_all_eyes() {
        for (ground, all) in [("#ffffff", LIGHT), ("#1d2024", DARK)] {
            for (at, one) in all.iter().enumerate() {
                assert!(contrast(one, ground) >= 2.89, "{one} on {ground}");
                for other in &all[..at] {
                    let (a, b) = (linear(one), linear(other));
                    assert!(distance(a, b) > 0.1, "{one} {other}");
                    for eyes in [NO_RED, NO_GREEN] {
                        let seen = |c| times(eyes, c).map(|part: f64| part.clamp(0.0, 1.0));
                        assert!(distance(seen(a), seen(b)) > 0.08, "{one} {other}");
                    }
                }
            }
        }
    }

    #[test]
    fn forty_eight_series_differ() {
        let all: std::collections::BTreeSet<String> = (0..48).map(class).collect();
        assert_eq!(all.len(), 48);
        assert!(style().contains(".c11{") && style().contains(".d3{"));
    }
}
