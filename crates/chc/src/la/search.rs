//! Lazy annotation: a backtracking search that learns from conflicts.
//!
//! The search resolves one leaf of its goal after the other, and after each step narrows the goal by
//! a *decision*, literals that imply what the rule just resolved says. When the goal has become
//! contradictory, an interpolant between the last rule (the *prefix*) and everything else (the
//! *suffix*) is what the instance is annotated with; then the step and the decision before it are
//! taken back. Decisions keep questions easy; annotations keep the search from deciding so again.
//!
//! Invariant: the frames are the resolved vertices in the order in which they were resolved, the root
//! first; all but the last may have a decision.
//!
//! After McMillan, "Lazy Annotation Revisited" (CAV 2014). Where we differ: a decision stands for
//! its rule in questions, so that suffixes are conjunctions, and both sides of an interpolation
//! problem are cut down to what the contradiction needs.

use super::annotation::NodeId;
use super::bounded::{Bounded, Outcome};
use super::goal::{Goal, ROOT};
use super::locality::Local;
use super::mark::Decisions;
use alphorn_engine::{Ctx, Stop};
use alphorn_problem::evidence::horn::Derivation;
use alphorn_smt::Answer;
use alphorn_smt::project::implicant;
use alphorn_term::{Model, Op, SortId, TermId, eval};
use rustc_hash::FxHashSet;

/// A resolved vertex.
struct Frame {
    vertex: usize,
    /// The ways of its instance, in the order in which they are tried.
    order: Vec<usize>,
    /// The place in this order of the way that is looked at.
    way: usize,
    /// What the ways before it derive at most, over the parameters of the predicate.
    found: Vec<TermId>,
    /// What the contradictions of the ways before it needed of the rest of the goal.
    needed: FxHashSet<TermId>,
}

/// A search for a derivation of a goal.
struct Search {
    goal: Goal,
    frames: Vec<Frame>,
}

/// What a conflict came to.
enum Conflict {
    /// The search goes on.
    Resolved,
    /// The goal is excluded.
    Final,
    /// No interpolant was found.
    Stuck,
}

impl Bounded<'_> {
    /// Derives a goal or makes annotations exclude it, with at most so many questions.
    pub(crate) fn search(
        &mut self,
        goal: Goal,
        questions: u64,
        ctx: &mut Ctx<'_>,
    ) -> Result<Outcome, Stop> {
        let mut search = Search { goal, frames: Vec::new() };
        search.push(ROOT, Vec::new());
        let end = self.counts.questions.saturating_add(questions);
        while self.counts.questions < end {
            let demands = self.goal_demands(&search);
            match self.check(&demands, ctx)? {
                Answer::Unknown => return Ok(Outcome::Open),
                Answer::Sat => {
                    let model = self.model_at(&search.goal, search.top());
                    let leaves = self.needed_leaves(&search.goal, &model);
                    match self.localise(&mut search.goal, &leaves, ctx)? {
                        Local::Whole => {}
                        Local::Wider => continue,
                        Local::Unknown => return Ok(Outcome::Open),
                    }
                    if let Some(derivation) = self.close(&search.goal, &leaves, demands, ctx)? {
                        return Ok(Outcome::Derived(derivation));
                    }
                    let Some(leaf) = self.choose(&search.goal, leaves) else {
                        return Ok(Outcome::Open);
                    };
                    self.decide(&mut search, model);
                    let order = self.order(search.goal.vertices[leaf].node);
                    let first = order.first().copied().unwrap_or(0);
                    search.push(leaf, order);
                    self.resolve(&mut search.goal, leaf, first);
                }
                Answer::Unsat => match self.conflict(&mut search, &demands, ctx)? {
                    Conflict::Resolved => {}
                    Conflict::Final => return Ok(Outcome::Refuted),
                    Conflict::Stuck => return Ok(Outcome::Open),
                },
            }
        }
        Ok(Outcome::Open)
    }

    /// The derivation of a goal that has a model, if its leaves can be facts that are known.
    fn close(
        &mut self,
        goal: &Goal,
        leaves: &[usize],
        mut demands: Vec<TermId>,
        ctx: &mut Ctx<'_>,
    ) -> Result<Option<Derivation>, Stop> {
        if !leaves.is_empty() {
            demands.extend(self.left_out(goal));
            for &leaf in leaves {
                let it = &goal.vertices[leaf];
                let Some((above, atom)) = it.above else { return Ok(None) };
                let Some(position) = goal.vertices[above].position else { return Ok(None) };
                let Some(known) = it.node.and_then(|node| self.known_facts(node)) else {
                    return Ok(None);
                };
                let slot = &mut self.positions.at_mut(position).slots[atom];
                demands.push(slot.of(&mut self.store, known));
            }
            // Other leaves must not become needed.
            for leaf in goal.leaves().filter(|leaf| !leaves.contains(leaf)) {
                if let Some((_, flag)) = self.interface(goal, leaf) {
                    demands.push(self.store.not(flag));
                }
            }
            if self.check(&demands, ctx)? != Answer::Sat {
                return Ok(None);
            }
        }
        let model = self.model();
        self.derivation(goal, model).map(Some)
    }

    /// What a goal demands, the rule that was resolved last at the end.
    fn goal_demands(&mut self, search: &Search) -> Vec<TermId> {
        let last = search.top();
        let mut demands = Vec::new();
        for vertex in (0..search.goal.vertices.len()).filter(|&vertex| vertex != last) {
            demands.extend(self.demands(&search.goal, vertex));
        }
        demands.extend(self.demands(&search.goal, last));
        demands
    }

    /// Of the leaves that a model needs, the one to resolve.
    fn choose(&self, goal: &Goal, leaves: Vec<usize>) -> Option<usize> {
        leaves.into_iter().min_by_key(|&leaf| {
            let Some(node) = goal.vertices[leaf].node.map(|node| &self.nodes[node]) else {
                return (0, 0);
            };
            let score = node.ways.iter().map(|way| self.scores[way.rule]).max().unwrap_or(0);
            (node.strengthened, if self.switches.scores { -score } else { 0 })
        })
    }

    /// The ways of an instance in the order in which they are tried, the most relevant rules first.
    fn order(&self, node: Option<NodeId>) -> Vec<usize> {
        let Some(node) = node.map(|node| &self.nodes[node]) else { return Vec::new() };
        let mut order: Vec<usize> = (0..node.ways.len()).collect();
        if self.switches.scores {
            order.sort_by_key(|&way| -self.scores[node.ways[way].rule]);
        }
        order
    }

    /// Decides how the last rule is satisfied.
    fn decide(&mut self, search: &mut Search, model: Model) {
        if self.switches.decisions == Decisions::None {
            return;
        }
        let top = search.top();
        let demands = self.rule_demands(&search.goal, top);
        search.goal.vertices[top].decision = match self.switches.decisions {
            Decisions::None => None,
            Decisions::Minterm => self.minterm(&demands, &model),
            Decisions::Implicant => implicant(&mut self.store, &demands, &model),
        };
    }

    /// The truth values of all atoms of formulas; nothing if one has none.
    fn minterm(&mut self, formulas: &[TermId], model: &Model) -> Option<Vec<TermId>> {
        let mut literals = Vec::new();
        for term in self.store.subterms(formulas) {
            let is_connective = match self.store.op(term) {
                Op::True | Op::False | Op::Not | Op::And | Op::Or | Op::Ite => true,
                Op::Eq => self.store.sort(self.store.args(term)[0]) == SortId::BOOL,
                _ => false,
            };
            if self.store.sort(term) == SortId::BOOL && !is_connective {
                let value = eval(&self.store, term, model).ok()?.as_bool()?;
                literals.push(if value { term } else { self.store.not(term) });
            }
        }
        Some(literals)
    }

    /// Learns from a contradiction of demands and goes back.
    fn conflict(
        &mut self,
        search: &mut Search,
        demands: &[TermId],
        ctx: &mut Ctx<'_>,
    ) -> Result<Conflict, Stop> {
        let core = self.smt.failed();
        let vertex = search.top();
        if vertex == ROOT {
            return Ok(Conflict::Final);
        }
        let own = self.demands(&search.goal, vertex);
        let (prefix, suffix): (Vec<TermId>, Vec<TermId>) =
            core.into_iter().partition(|demand| own.contains(demand));
        if prefix.is_empty() {
            self.leave(search);
            if self.switches.back_jumping {
                self.jump(search, &suffix.into_iter().collect());
            }
            search.reopen();
            return Ok(Conflict::Resolved);
        }
        let (Some(node), Some((args, _))) =
            (search.goal.vertices[vertex].node, self.interface(&search.goal, vertex))
        else {
            return Ok(Conflict::Final);
        };
        let pred = self.nodes[node].pred;
        let others: Vec<TermId> =
            demands.iter().copied().filter(|demand| !own.contains(demand)).collect();
        let at = (pred, &args[..]);
        let Some(found) = self.separate(at, &own, &others, (&prefix, &suffix), ctx)? else {
            return Ok(Conflict::Stuck);
        };
        let lemma = self.as_lemma(&search.goal, vertex, found.formula);
        let Some(frame) = search.frames.last_mut() else { return Ok(Conflict::Final) };
        frame.found.push(lemma);
        frame.needed.extend(found.suffix);
        frame.way += 1;
        search.goal.unresolve(vertex);
        if let Some(&way) = frame.order.get(frame.way) {
            self.resolve(&mut search.goal, vertex, way);
            return Ok(Conflict::Resolved);
        }
        self.annotate(search, node, ctx)
    }

    /// Annotates the instance of the last frame, all of whose ways are excluded, and goes back.
    fn annotate(
        &mut self,
        search: &mut Search,
        node: NodeId,
        ctx: &mut Ctx<'_>,
    ) -> Result<Conflict, Stop> {
        let Some(frame) = search.frames.pop() else { return Ok(Conflict::Final) };
        let lemma = self.store.or(&frame.found);
        self.strengthen(node, lemma, ctx)?;
        let has_propagated =
            self.switches.propagation && self.propagate(&search.goal, frame.vertex, node, ctx)?;
        if self.switches.back_jumping {
            self.jump(search, &frame.needed);
        }
        if has_propagated && search.frames.len() > 1 {
            self.leave(search);
        }
        search.reopen();
        Ok(Conflict::Resolved)
    }

    /// Goes back over frames that a contradiction does not need.
    fn jump(&mut self, search: &mut Search, needed: &FxHashSet<TermId>) {
        while search.frames.len() > 1 {
            let top = search.top();
            if self.demands(&search.goal, top).iter().any(|demand| needed.contains(demand)) {
                return;
            }
            self.counts.jumps += 1;
            self.leave(search);
        }
    }

    /// Takes the last resolution back without learning.
    fn leave(&mut self, search: &mut Search) {
        if let Some(frame) = search.frames.pop() {
            if let Some(node) = search.goal.vertices[frame.vertex].node
                && let Some(&way) = frame.order.get(frame.way)
                && let Some(way) = self.nodes[node].ways.get(way)
            {
                self.scores[way.rule] -= 1;
            }
            search.goal.unresolve(frame.vertex);
        }
    }
}

impl Search {
    fn push(&mut self, vertex: usize, order: Vec<usize>) {
        let (found, needed) = (Vec::new(), FxHashSet::default());
        self.frames.push(Frame { vertex, order, way: 0, found, needed });
    }

    /// The vertex that was resolved last.
    fn top(&self) -> usize {
        self.frames.last().map_or(ROOT, |frame| frame.vertex)
    }

    /// Takes the decision of the last frame back.
    fn reopen(&mut self) {
        let top = self.top();
        self.goal.vertices[top].decision = None;
    }
}
