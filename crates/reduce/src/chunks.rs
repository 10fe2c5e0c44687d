//! Which parts of a list to leave out: halves first, single elements last.

use std::ops::Range;

/// Ranges to leave out of a list of `length`: halves, then quarters, down to single elements.
pub fn chunks(length: usize) -> impl Iterator<Item = Range<usize>> {
    let sizes = std::iter::successors(Some(length.div_ceil(2)), |&size| {
        (size > 1).then(|| size.div_ceil(2))
    });
    sizes.take_while(|&size| size > 0).flat_map(move |size| {
        (0..length).step_by(size).map(move |start| start..(start + size).min(length))
    })
}

/// The lists with a chunk left out.
pub fn shorter<T: Clone>(list: &[T]) -> impl Iterator<Item = Vec<T>> + '_ {
    chunks(list.len()).map(|chunk| without(list, &chunk))
}

/// The list without a range.
pub(crate) fn without<T: Clone>(list: &[T], range: &Range<usize>) -> Vec<T> {
    [&list[..range.start], &list[range.end..]].concat()
}
