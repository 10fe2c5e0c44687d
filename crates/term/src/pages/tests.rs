//! Runs and copies of lists of pages.

use super::*;

#[test]
fn runs_come_back_whole_and_copies_keep_their_own() {
    let mut list = Pages::new();
    let mut copies = Vec::new();
    let mut runs = Vec::new();
    for n in 0..900usize {
        let items: Vec<usize> = (0..n * 13 % 530).map(|k| n + k).collect();
        runs.push((list.push_run(&items), items));
        if n % 100 == 0 {
            copies.push((list.clone(), runs.len()));
        }
    }
    copies.push((list.clone(), runs.len()));
    for (mut copy, count) in copies {
        assert!(list.extends(&copy));
        for (at, items) in &runs[..count] {
            assert_eq!(copy.run(*at, items.len()), items);
        }
        copy.push(7);
        assert!(!list.extends(&copy), "nothing of the list is a 7 at that position");
    }
}

#[test]
fn a_change_is_seen_by_one_copy() {
    let mut list = Pages::new();
    (0..3 * PAGE).for_each(|n| list.push(n));
    let before = list.clone();
    *list.item_mut(5) = 0;
    assert_eq!((list[5], before[5], list[4]), (0, 5, 4));
    assert!(!list.extends(&before) && !before.extends(&list));
    assert_eq!(list.len(), 3 * PAGE);
    let shared = list.pages.iter().zip(&before.pages).filter(|(a, b)| Arc::ptr_eq(a, b));
    assert_eq!(shared.count(), 2, "only the page of the change was copied");
}
