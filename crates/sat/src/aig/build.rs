//! Other connectives, by conjunction and negation.
//!
//! Connectives of many operands are sorted, so that repeated and complementary operands are found
//! wherever they stand, and built as balanced trees, shallow operands first.

use super::{Aig, Edge};

impl Aig {
    /// The disjunction of two edges.
    pub fn or(&mut self, left: Edge, right: Edge) -> Edge {
        !self.and(!left, !right)
    }

    /// The implication from `left` to `right`.
    pub fn implies(&mut self, left: Edge, right: Edge) -> Edge {
        !self.and(left, !right)
    }

    /// Whether two edges differ.
    pub fn xor(&mut self, left: Edge, right: Edge) -> Edge {
        let both = self.and(left, right);
        let neither = self.and(!left, !right);
        self.and(!both, !neither)
    }

    /// Whether two edges are equal.
    pub fn equals(&mut self, left: Edge, right: Edge) -> Edge {
        !self.xor(left, right)
    }

    /// `then` where `condition` holds, `otherwise` elsewhere.
    pub fn ite(&mut self, condition: Edge, then: Edge, otherwise: Edge) -> Edge {
        if then == otherwise {
            return then;
        }
        let yes = self.and(condition, then);
        let no = self.and(!condition, otherwise);
        self.or(yes, no)
    }

    /// The conjunction of all edges.
    pub fn and_n(&mut self, edges: impl IntoIterator<Item = Edge>) -> Edge {
        let mut edges: Vec<Edge> = edges.into_iter().collect();
        self.and_all(&mut edges)
    }

    /// The disjunction of all edges.
    pub fn or_n(&mut self, edges: impl IntoIterator<Item = Edge>) -> Edge {
        let mut edges: Vec<Edge> = edges.into_iter().map(|edge| !edge).collect();
        !self.and_all(&mut edges)
    }

    /// The conjunction of the edges, which are used up.
    pub fn and_all(&mut self, edges: &mut Vec<Edge>) -> Edge {
        if edges.len() > 2 {
            edges.sort_unstable();
            edges.dedup();
            if edges.windows(2).any(|pair| pair[0] == !pair[1]) {
                edges.clear();
                return Edge::FALSE;
            }
            edges.sort_by_key(|edge| self.level(edge.node()));
        }
        while edges.len() > 1 {
            let half = edges.len().div_ceil(2);
            for index in 0..half {
                let left = edges[2 * index];
                edges[index] = match edges.get(2 * index + 1) {
                    Some(right) => self.and(left, *right),
                    None => left,
                };
            }
            edges.truncate(half);
        }
        edges.pop().unwrap_or(Edge::TRUE)
    }
}
