//! Congruence closure by repetition until nothing changes: slow and plainly right.

/// A node: symbol, arguments by position, value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Term {
    pub(super) symbol: u64,
    pub(super) args: Vec<usize>,
    pub(super) value: Option<u64>,
}

/// Classes of nodes by position, and whether the disequalities and values allow them.
pub(super) struct Naive {
    class: Vec<usize>,
    values: Vec<Option<u64>>,
    distinct: Vec<(usize, usize)>,
    pub(super) is_consistent: bool,
}

impl Naive {
    pub(super) fn new(
        terms: &[Term],
        equal: &[(usize, usize)],
        distinct: &[(usize, usize)],
    ) -> Naive {
        let mut class: Vec<usize> = (0..terms.len()).collect();
        for &(a, b) in equal {
            join(&mut class, a, b);
        }
        loop {
            let mut changed = false;
            for p in 0..terms.len() {
                for q in 0..p {
                    let congruent = class[p] != class[q]
                        && terms[p].symbol == terms[q].symbol
                        && terms[p].args.len() == terms[q].args.len()
                        && terms[p]
                            .args
                            .iter()
                            .zip(&terms[q].args)
                            .all(|(&a, &b)| class[a] == class[b]);
                    if congruent {
                        join(&mut class, p, q);
                        changed = true;
                    }
                }
            }
            if !changed {
                break;
            }
        }
        let mut values = vec![None; terms.len()];
        let mut is_consistent = distinct.iter().all(|&(a, b)| class[a] != class[b]);
        for (at, term) in terms.iter().enumerate() {
            if let Some(value) = term.value {
                let own: &mut Option<u64> = &mut values[class[at]];
                is_consistent &= own.is_none_or(|other| other == value);
                *own = Some(value);
            }
        }
        Naive { class, values, distinct: distinct.to_vec(), is_consistent }
    }

    pub(super) fn are_equal(&self, a: usize, b: usize) -> bool {
        self.class[a] == self.class[b]
    }

    pub(super) fn are_distinct(&self, a: usize, b: usize) -> bool {
        let (p, q) = (self.class[a], self.class[b]);
        let by_value = matches!((self.values[p], self.values[q]), (Some(v), Some(w)) if v != w);
        by_value
            || self.distinct.iter().any(|&(c, d)| {
                let (r, s) = (self.class[c], self.class[d]);
                (r, s) == (p, q) || (s, r) == (p, q)
            })
    }
}

fn join(class: &mut [usize], a: usize, b: usize) {
    let (from, to) = (class[a], class[b]);
    for entry in class.iter_mut().filter(|entry| **entry == from) {
        *entry = to;
    }
}
