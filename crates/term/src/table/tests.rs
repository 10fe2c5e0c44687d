//! Copies of tables: what they find, and what they hold for themselves.

use super::*;

/// Copies that part ways find what they have and not what others have, whatever the hashes, and
/// layers stay few and get smaller.
#[test]
fn copies_find_what_was_added_to_them_and_nothing_else() {
    for hash in [|id: u32| id.wrapping_mul(0x9E37_79B1), |id: u32| id % 7] {
        let mut tables: Vec<(IdTable, Vec<u32>)> = vec![(IdTable::new(), Vec::new())];
        let mut next = 0;
        for step in 0..60u32 {
            let (mut table, mut ids) = tables[(step as usize * 7) % tables.len()].clone();
            for _ in 0..(step * step) % 301 {
                table.insert(hash(next), next);
                ids.push(next);
                next += 1;
            }
            tables.push((table, ids));
        }
        for (table, ids) in &tables {
            let has = |id: u32| table.find(hash(id), |found| found == id) == Some(id);
            assert_eq!((0..next).filter(|&id| has(id)).collect::<Vec<u32>>(), *ids);
            assert!(table.layers.len() <= MAX_LAYERS);
            let lens: Vec<usize> = table.layers.iter().map(|layer| layer.len()).collect();
            assert_eq!(lens.iter().sum::<usize>(), ids.len());
        }
    }
}

#[test]
fn a_copy_holds_for_itself_in_proportion_to_what_was_added_to_it() {
    let mut base = IdTable::new();
    (0..100_000).for_each(|id| base.insert(id, id));
    for added in [0, 1, 100, 1000] {
        let mut copy = base.clone();
        (100_000..100_000 + added).for_each(|id| copy.insert(id, id));
        let own = copy.layers.iter().filter(|layer| Arc::strong_count(layer) == 1);
        let slots: usize = own.map(|layer| layer.room()).sum();
        assert!(slots <= FIRST_SLOTS + 4 * added as usize, "{added}: {slots}");
    }
}
