//! What gates will cost, before any is made.

use crate::obligation::blast::shape::Shape;
use alphorn_term::{Op, Sort, SortId, Store, TermId};

/// The ticks of a gate: about nine words of memory while the tables grow, each written twice then, and
/// the look-up that makes no gate twice.
const GATE: u64 = 16;
/// The ticks of a literal of a row: the row, and its copy in a table that grows.
const LITERAL: u64 = 8;

/// The ticks of translating an operator of words, from above.
pub fn operator_ticks(store: &Store, term: TermId) -> u64 {
    let row = u64::from(store.width(term)).saturating_mul(LITERAL);
    let args = store.args(term).len() as u64;
    operator_gates(store, term).saturating_mul(GATE).saturating_add(row).saturating_add(args + 1)
}

/// The gates of an operator of words, from above: those of its circuit in `word` if none were shared.
pub fn operator_gates(store: &Store, term: TermId) -> u64 {
    use Op::{
        And, BvAdd, BvAnd, BvAshr, BvLshr, BvMul, BvNeg, BvNego, BvOr, BvSaddo, BvSdiv, BvSdivo,
        BvShl, BvSle, BvSlt, BvSmod, BvSmulo, BvSrem, BvSsubo, BvSub, BvUaddo, BvUdiv, BvUle,
        BvUlt, BvUmulo, BvUrem, BvUsubo, BvXor, Distinct, Eq, Ite, Or,
    };
    let args = store.args(term).len() as u64;
    let width = store.args(term).last().map_or(0, |&arg| u64::from(store.width(arg)).max(1));
    let square = width.saturating_mul(width + 1);
    match store.op(term) {
        And | Or => args,
        BvAnd | BvOr | BvNego => width,
        BvSdivo => 2 * width,
        BvXor | Ite => 3 * width,
        Eq | BvUlt | BvUle | BvSlt | BvSle | BvUsubo | BvNeg => 4 * width,
        BvAdd | BvSub | BvUaddo => 7 * width,
        // Two more exclusive disjunctions, and what joins them.
        BvSaddo | BvSsubo => 7 * width + 7,
        BvShl | BvLshr | BvAshr => {
            let stages = u64::from(u64::BITS - width.leading_zeros());
            // A stage and the last choice are a choice for each bit.
            (3 * stages + 4) * width
        }
        Distinct => args.saturating_mul(args).saturating_mul(4 * width + 1) / 2,
        // A conjunction and a full adder for each pair of bits whose sum is small enough.
        BvMul => square.saturating_mul(4),
        // A full adder and a choice for each pair of bits.
        BvUdiv | BvUrem => square.saturating_mul(10),
        BvSdiv | BvSrem | BvSmod => square.saturating_mul(10).saturating_add(40 * width),
        // A product of twice the width.
        BvUmulo | BvSmulo => square.saturating_mul(20),
        _ => 0,
    }
}

/// The ticks of the gates of an operator whose arguments or value are arrays, and of their rows.
pub(super) fn array_ticks(store: &Store, shape: &Shape<'_>, term: TermId) -> Result<u64, String> {
    let is_array = |sort: SortId| matches!(store.sort_of(sort), Sort::Array(..));
    let sorts = store.args(term).iter().chain([&term]).map(|&part| store.sort(part));
    if !sorts.clone().any(is_array) {
        return Ok(0);
    }
    let cells = match (store.op(term), store.args(term)) {
        (Op::Store, &[array, index, _]) | (Op::Select, &[array, index]) => {
            let cells = shape.cells(store.sort(array))?.count() as u64;
            cells.saturating_mul(1 + shape.bits(store.sort(index))? as u64)
        }
        _ => 0,
    };
    let mut bits = cells;
    for sort in sorts {
        bits = bits.saturating_add(shape.bits(sort)? as u64);
    }
    Ok(bits.saturating_mul(GATE))
}

/// The ticks of the gates of all words in `roots`, from above; arrays count as nothing.
pub fn words_ticks(store: &Store, roots: &[TermId]) -> u64 {
    if !store.sorts().any(|sort| store.width_of(sort).is_some()) {
        return 0;
    }
    let terms = store.subterms(roots).into_iter();
    terms.map(|term| operator_ticks(store, term)).fold(0, u64::saturating_add)
}

/// The ticks of the gates of all small arrays in `roots`, of which every cell is written out.
pub fn arrays_ticks(store: &Store, roots: &[TermId]) -> u64 {
    let shape = Shape::new(store, Vec::new());
    let ticks = |term: TermId| array_ticks(store, &shape, term).unwrap_or(0);
    store.subterms(roots).into_iter().map(ticks).fold(0, u64::saturating_add)
}
