//! Quantities with units: times, sizes, counts. A number without its unit is refused, because
//! half of the world's time-outs are misread seconds.

use std::time::Duration;

fn split(text: &str) -> Result<(f64, &str), String> {
    let end = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let (number, unit) = text.split_at(end);
    let number: f64 =
        number.parse().map_err(|_| format!("'{text}' does not begin with a number"))?;
    Ok((number, unit.trim()))
}

/// A time: `500ms`, `10s`, `15m`, `2h`.
pub fn duration(text: &str) -> Result<Duration, String> {
    let (number, unit) = split(text)?;
    let seconds = match unit {
        "ms" => number / 1000.0,
        "s" => number,
        "m" | "min" => number * 60.0,
        "h" => number * 3600.0,
        "" => return Err(format!("give '{text}' a unit: {text}s, {text}m, {text}ms")),
        _ => return Err(format!("'{unit}' is no unit of time; there are ms, s, m, h")),
    };
    // A century, so that sums with the clock cannot overflow.
    if seconds > 3.2e9 {
        return Err("that is longer than a century".to_owned());
    }
    Ok(Duration::from_secs_f64(seconds))
}

/// A size: `512M`, `8G`.
pub fn bytes(text: &str) -> Result<u64, String> {
    let (number, unit) = split(text)?;
    let factor = match unit.trim_end_matches('B').trim_end_matches('i') {
        "k" | "K" => 1u64 << 10,
        "M" => 1 << 20,
        "G" => 1 << 30,
        "T" => 1 << 40,
        "" => return Err(format!("give '{text}' a unit: {text}M, {text}G")),
        other => return Err(format!("'{other}' is no unit of memory; there are K, M, G, T")),
    };
    Ok((number * factor as f64) as u64)
}

/// A count: `200k`, `5M`, or a plain number.
pub fn count(text: &str) -> Result<u64, String> {
    let (number, unit) = split(text)?;
    let factor = match unit {
        "" => 1.0,
        "k" | "K" => 1e3,
        "M" => 1e6,
        "G" => 1e9,
        other => return Err(format!("'{other}' is no unit of a count; there are k, M, G")),
    };
    Ok((number * factor) as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_need_units() {
        assert_eq!(duration("10s"), Ok(Duration::from_secs(10)));
        assert_eq!(duration("1.5m"), Ok(Duration::from_secs(90)));
        assert_eq!(duration("250ms"), Ok(Duration::from_millis(250)));
        assert!(duration("10").is_err());
        assert!(duration("ten s").is_err());
        assert!(duration("10 weeks").is_err());
        assert!(duration("1e9h").is_err());
        assert!(duration("99999999999h").is_err());
    }

    #[test]
    fn sizes_need_units() {
        assert_eq!(bytes("8G"), Ok(8 << 30));
        assert_eq!(bytes("512MiB"), Ok(512 << 20));
        assert_eq!(bytes("1.5K"), Ok(1536));
        assert!(bytes("8").is_err());
        assert!(bytes("8X").is_err());
    }

    #[test]
    fn counts_may_have_units() {
        assert_eq!(count("200k"), Ok(200_000));
        assert_eq!(count("17"), Ok(17));
        assert!(count("k").is_err());
    }
}
