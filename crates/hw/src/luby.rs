//! The lengths of rounds: 1 1 2 1 1 2 4 1 1 2 1 1 2 4 8 …
//!
//! Whatever length would have been best, the sequence spends all but a logarithmic factor of its
//! time as if it had known. After Luby, Sinclair, Zuckerman, "Optimal Speedup of Las Vegas
//! Algorithms" (1993).

/// Element `number` of the sequence, counted from 1.
pub(crate) fn luby(number: u64) -> u64 {
    let mut rest = number.max(1);
    loop {
        let power = 1u64 << (63 - (rest + 1).leading_zeros());
        if power == rest + 1 {
            return power / 2;
        }
        rest -= power - 1;
    }
}
