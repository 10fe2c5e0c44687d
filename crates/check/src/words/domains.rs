//! All valuations of some variables of small sorts, one after the other.

use super::system::name;
use crate::Refusal;
use alphorn_term::value::{cardinality, elements};
use alphorn_term::{Meter, Store, TermId, Value};

/// The largest sort whose values are listed.
const MAX_ELEMENTS: u64 = 1 << 16;

/// The ticks of listing a value.
const PER_ELEMENT: u64 = 16;

/// The values of some variables.
pub(super) struct Domains {
    vars: Vec<TermId>,
    domains: Vec<Vec<Value>>,
}

impl Domains {
    /// The values of `vars`, or a refusal if one has too many.
    pub fn of(store: &Store, vars: Vec<TermId>, meter: &Meter) -> Result<Domains, Refusal> {
        let mut domains = Vec::with_capacity(vars.len());
        for var in &vars {
            let count = cardinality(store, store.sort(*var)).filter(|&n| n <= MAX_ELEMENTS);
            meter
                .spend(count.unwrap_or(0) * PER_ELEMENT)
                .map_err(|exhausted| Refusal::new("states", exhausted))?;
            match elements(store, store.sort(*var), MAX_ELEMENTS) {
                Some(domain) if !domain.is_empty() => domains.push(domain),
                _ => {
                    let name = name(store, *var);
                    let reason =
                        format!("too large to check by evaluation: {name} has too many values");
                    return Err(Refusal::new("states", reason));
                }
            }
        }
        Ok(Domains { vars, domains })
    }

    /// The variables.
    pub fn vars(&self) -> impl Iterator<Item = TermId> {
        self.vars.iter().copied()
    }

    /// How many valuations there are; saturates.
    pub fn count(&self) -> u64 {
        self.domains.iter().fold(1, |count, domain| count.saturating_mul(domain.len() as u64))
    }

    /// The place of the first valuation.
    pub fn first(&self) -> Vec<usize> {
        vec![0; self.vars.len()]
    }

    /// The values at a place.
    pub fn values(&self, place: &[usize]) -> impl Iterator<Item = Value> {
        self.domains.iter().zip(place).map(|(domain, index)| domain[*index].clone())
    }

    /// Goes on to the place of the next valuation; false after the last.
    pub fn advance(&self, place: &mut [usize]) -> bool {
        for (index, domain) in place.iter_mut().zip(&self.domains) {
            *index += 1;
            if *index < domain.len() {
                return true;
            }
            *index = 0;
        }
        false
    }
}
