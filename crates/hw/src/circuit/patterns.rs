//! Patterns in words: the lanes that are set, and the change between rows and columns.

/// The positions of the bits that are set, ascending.
pub(crate) fn lanes(mut word: u64) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        let lane = (word != 0).then(|| word.trailing_zeros())?;
        word &= word - 1;
        Some(lane)
    })
}

/// Mirrors a 64 × 64 matrix of bits: bit `j` of word `i` becomes bit `i` of word `j`.
///
/// After Warren, "Hacker's Delight" (2nd edition, 7–3): blocks of halving size change places.
pub fn transpose(rows: &mut [u64; 64]) {
    let mut size = 32;
    let mut mask = 0x0000_0000_ffff_ffffu64;
    while size != 0 {
        let mut row = 0;
        while row < 64 {
            let swap = (rows[row] >> size ^ rows[row + size]) & mask;
            rows[row] ^= swap << size;
            rows[row + size] ^= swap;
            row = (row + size + 1) & !size;
        }
        size >>= 1;
        mask ^= mask << size;
    }
}
