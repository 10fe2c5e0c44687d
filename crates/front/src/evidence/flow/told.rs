//! What evidence about a flow says, as data for people: terms are texts, locations and transitions positions.
//!
//! Lines, pages and `--json` are made from this; `alphorn check` reads the text with the proofs.

use crate::evidence::names::Names;
use alphorn_problem::evidence::flow::{
    Choice, Disjunctive, Level, Measure, Path, Recurrence, Termination,
};
use alphorn_problem::evidence::temporal::Label;
use alphorn_problem::flow::LocId;
use alphorn_problem::temporal::{Node, Runs};
use alphorn_problem::{Flow, Temporal, Verdict};
use alphorn_term::{Store, TermId, Value};

/// A flow, and what evidence says about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Told {
    /// The variables.
    pub variables: Vec<String>,
    /// The names of the locations.
    pub locations: Vec<String>,
    /// The locations where runs may begin, in order.
    pub starts: Vec<usize>,
    /// The transitions.
    pub transitions: Vec<ToldTransition>,
    /// What is said.
    pub why: Why,
}

/// A transition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ToldTransition {
    /// Where it comes from.
    pub from: usize,
    /// Where it leads.
    pub to: usize,
    /// What it is called.
    pub name: String,
    /// What it does.
    pub relation: String,
}

/// What is said about a flow. Lists over locations have nothing where nothing needs to be said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Why {
    /// Every run ends, by levels of ranks.
    Levels {
        /// What always holds at each location.
        invariants: Vec<Option<String>>,
        /// The levels.
        levels: Vec<ToldLevel>,
    },
    /// Every run ends, by a union of well-founded relations.
    Union {
        /// What always holds at each location.
        invariants: Vec<Option<String>>,
        /// The locations without which there is no cycle.
        cuts: Vec<usize>,
        /// Numbers, and by how much one of them is less each time that a run is back.
        functions: Vec<(String, String)>,
    },
    /// A run goes on for ever.
    Recurrence {
        /// The states of the way into the sets.
        path: Vec<ToldState>,
        /// The states at each location that a run need never leave.
        sets: Vec<Option<String>>,
        /// How to go on.
        choices: Vec<ToldChoice>,
    },
    /// A formula holds or fails.
    Labels {
        /// A state in which it fails.
        first: Option<ToldState>,
        /// A label for each subformula, parts first; the last is of the whole, or of its negation.
        labels: Vec<ToldLabel>,
    },
}

/// A level of ranks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ToldLevel {
    /// The functions of a nested rank, each with a number for each location.
    pub functions: Vec<Vec<String>>,
    /// By how much the removed steps decrease.
    pub least: String,
    /// The steps that are removed.
    pub removed: Vec<ToldEdge>,
}

/// A step that is ranked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ToldEdge {
    /// The transition.
    pub transition: usize,
    /// Under fairness, in which states.
    pub when: Option<String>,
}

/// A state of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ToldState {
    /// The transition that leads there, if it is not the first.
    pub by: Option<usize>,
    /// The location.
    pub at: usize,
    /// The values of the variables.
    pub values: Vec<String>,
}

/// A step that may be taken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ToldChoice {
    /// When.
    pub when: String,
    /// The transition.
    pub transition: usize,
    /// The variables that change, with their values afterwards.
    pub changes: Vec<(String, String)>,
}

/// States that satisfy a subformula.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ToldLabel {
    /// The subformula with its parts by position; an atom as it is where it is the same at all locations.
    pub formula: String,
    /// Whether that says all: it is such an atom.
    pub is_said: bool,
    /// The states at each location.
    pub sets: Vec<Option<String>>,
    /// Steps to take.
    pub choices: Vec<ToldChoice>,
    /// States without steps, at each location.
    pub stopped: Vec<Option<String>>,
    /// What decreases until what is to come has come.
    pub levels: Vec<ToldLevel>,
}

/// What the evidence of a verdict about a flow says.
pub fn flow_told(flow: &Flow, verdict: &Verdict<Flow>) -> Told {
    let why = match verdict {
        Verdict::Safe(Termination { ranking, .. }) => {
            let mut shown = Shown::new(flow, &ranking.terms);
            let invariants = shown.sets(&ranking.invariants, TermId::TRUE);
            match &ranking.measure {
                Measure::Levels(levels) => {
                    let edge = |edge: usize| ToldEdge { transition: edge, when: None };
                    let levels = levels.iter().map(|level| shown.level(level, &edge)).collect();
                    Why::Levels { invariants, levels }
                }
                Measure::Disjunctive(Disjunctive { cuts, functions, least, .. }) => {
                    let pairs = functions.iter().zip(least);
                    let functions =
                        pairs.map(|(&one, &least)| (shown.show(one), shown.show(least))).collect();
                    let cuts = cuts.iter().map(|cut: &LocId| cut.index()).collect();
                    Why::Union { invariants, cuts, functions }
                }
            }
        }
        Verdict::Unsafe(Recurrence { terms, path, sets, choices, .. }) => {
            let mut shown = Shown::new(flow, terms);
            Why::Recurrence {
                path: shown.path(path),
                sets: shown.sets(sets, TermId::FALSE),
                choices: choices.iter().map(|choice| shown.choice(choice)).collect(),
            }
        }
    };
    of_flow(flow, why)
}

/// What the evidence of a verdict about a temporal formula says.
pub fn temporal_told(problem: &Temporal, verdict: &Verdict<Temporal>) -> Told {
    let (Verdict::Safe(found) | Verdict::Unsafe(found)) = verdict;
    let labelling = &found.labelling;
    let mut terms = labelling.terms.clone();
    let nodes = problem.labelled(labelling.initial.is_some(), &mut terms);
    let mut shown = Shown::new(&problem.flow, &terms);
    let first = labelling.initial.as_ref().and_then(|initial| {
        let path = Path { first: initial.clone(), steps: Vec::new() };
        shown.path(&path).pop()
    });
    let pairs = nodes.iter().zip(&labelling.labels);
    let labels = pairs.map(|(node, label)| told_label(problem, node, label, &mut shown)).collect();
    of_flow(&problem.flow, Why::Labels { first, labels })
}

fn of_flow(flow: &Flow, why: Why) -> Told {
    let mut shown = Shown::new(flow, &flow.terms);
    let step = |(at, step): (usize, &alphorn_problem::flow::Transition)| ToldTransition {
        from: step.from.index(),
        to: step.to.index(),
        name: flow.transition_name(at),
        relation: flow.terms.show_readable(step.formula),
    };
    let mut starts: Vec<usize> = flow.starts.iter().map(|start| start.at.index()).collect();
    starts.sort_unstable();
    starts.dedup();
    Told {
        variables: flow.vars.iter().map(|&var| shown.show(var)).collect(),
        locations: flow.locations.iter().map(|location| location.name.clone()).collect(),
        starts,
        transitions: flow.transitions.iter().enumerate().map(step).collect(),
        why,
    }
}

fn told_label(problem: &Temporal, node: &Node, label: &Label, shown: &mut Shown<'_>) -> ToldLabel {
    let by_choice =
        matches!(node, Node::Until(Runs::Some, ..) | Node::Weak(Runs::Some, ..) | Node::Next(..));
    let edge = |edge: usize| {
        let (step, kind) = match problem.fairness {
            Some(_) => (edge / 3, Some(edge % 3)),
            None => (edge, None),
        };
        let transition = match label.choices.get(step) {
            Some(choice) if by_choice => choice.transition,
            _ => step,
        };
        let when =
            kind.zip(problem.said.fairness.as_ref()).map(|(kind, (often, then))| match kind {
                0 => then.trim().to_owned(),
                1 => format!("{} and not {}", often.trim(), then.trim()),
                _ => format!("neither {} nor {}", often.trim(), then.trim()),
            });
        ToldEdge { transition, when }
    };
    let sets = if let Node::Atom(formulas) = node { formulas } else { &label.sets };
    let everywhere = match (node, sets.first()) {
        (Node::Atom(_), Some(&first)) if sets.iter().all(|&set| set == first) => Some(first),
        _ => None,
    };
    ToldLabel {
        formula: everywhere.map_or_else(|| shape(node), |formula| shown.show(formula)),
        is_said: everywhere.is_some(),
        sets: shown.sets(sets, TermId::FALSE),
        choices: label.choices.iter().map(|choice| shown.choice(choice)).collect(),
        stopped: shown.sets(&label.stopped, TermId::FALSE),
        levels: label.levels.iter().map(|level| shown.level(level, &edge)).collect(),
    }
}

/// A subformula with its parts by position.
fn shape(node: &Node) -> String {
    let runs = |runs: &Runs| if *runs == Runs::All { 'A' } else { 'E' };
    match node {
        Node::Atom(_) => "atom".to_owned(),
        Node::And(a, b) => format!("[{a}] && [{b}]"),
        Node::Or(a, b) => format!("[{a}] || [{b}]"),
        Node::Next(which, a) => format!("{}X [{a}]", runs(which)),
        Node::Until(which, a, b) => format!("{}[[{a}] U [{b}]]", runs(which)),
        Node::Weak(which, a, b) => format!("{}[[{a}] W [{b}]]", runs(which)),
    }
}

/// Terms over a flow's variables as texts.
struct Shown<'f> {
    flow: &'f Flow,
    names: Names,
}

impl<'f> Shown<'f> {
    fn new(flow: &'f Flow, terms: &Store) -> Shown<'f> {
        Shown { flow, names: Names::of(terms, &flow.vars) }
    }

    fn show(&mut self, term: TermId) -> String {
        self.names.show_readable(term)
    }

    fn sets(&mut self, sets: &[TermId], unsaid: TermId) -> Vec<Option<String>> {
        sets.iter().map(|&set| (set != unsaid).then(|| self.show(set))).collect()
    }

    fn level(&mut self, level: &Level, edge: &dyn Fn(usize) -> ToldEdge) -> ToldLevel {
        let mut functions = Vec::with_capacity(level.functions.len());
        for function in &level.functions {
            functions.push(function.iter().map(|&number| self.show(number)).collect());
        }
        let removed = level.removed.iter().map(|&position| edge(position)).collect();
        ToldLevel { functions, least: self.show(level.least), removed }
    }

    fn choice(&mut self, choice: &Choice) -> ToldChoice {
        let mut changes = Vec::new();
        for (&var, &value) in self.flow.vars.iter().zip(&choice.next) {
            if var != value {
                changes.push((self.show(var), self.show(value)));
            }
        }
        ToldChoice { when: self.show(choice.when), transition: choice.transition, changes }
    }

    fn path(&mut self, path: &Path) -> Vec<ToldState> {
        let start = &self.flow.starts[path.first.start];
        let values = self.values(&path.first.values);
        let mut states = vec![ToldState { by: None, at: start.at.index(), values }];
        for step in &path.steps {
            let at = self.flow.transitions[step.transition].to.index();
            let values = self.values(&step.values);
            states.push(ToldState { by: Some(step.transition), at, values });
        }
        states
    }

    fn values(&mut self, values: &[Value]) -> Vec<String> {
        let text = |value: &Value| match self.names.store.value_term(value) {
            Some(term) => self.show(term),
            None => "…".to_owned(),
        };
        values.iter().map(text).collect()
    }
}
