//! A Horn system in the form that the search works on.
//!
//! Each predicate has formal parameters, and cubes and lemmas are over these. Each clause becomes a
//! *rule*: its body with every atom replaced by a truth value, "this atom is used", which is plainly
//! true where the atom is a conjunct. All queries conclude one more predicate, the *goal*, which has
//! no arguments.
//!
//! A *view* of a rule is the rule with the parameters of one of its atoms, or of its head, in place of
//! the variables that are its arguments. What is left to eliminate when a model is projected to these
//! parameters is then few variables, because most arguments of most atoms are variables.
//!
//! Rules of predicates that no query depends on are left out.

use crate::rule_body::{self, RuleBody};
use alphorn_engine::Stop;
use alphorn_horn::fragment::understood_with_data;
use alphorn_horn::graph::relevant;
use alphorn_problem::Horn;
use alphorn_problem::horn::{ClauseId, Head};
use alphorn_term::{Store, Substitution, TermId};
use rustc_hash::FxHashMap;

/// A predicate, by its position; the goal is the last.
pub(super) type Pred = usize;

/// Arguments in the place of a predicate's parameters.
pub(super) struct Application {
    /// The arguments.
    pub(super) args: Vec<TermId>,
    map: Substitution,
    known: FxHashMap<TermId, TermId>,
}

impl Application {
    fn new(params: &[TermId], args: Vec<TermId>) -> Application {
        let map = params.iter().copied().zip(args.iter().copied()).collect();
        Application { args, map, known: FxHashMap::default() }
    }

    /// A formula over the parameters, on the arguments.
    pub(super) fn of(&mut self, store: &mut Store, formula: TermId) -> TermId {
        if let Some(&known) = self.known.get(&formula) {
            return known;
        }
        let result = store.substitute(formula, &self.map);
        self.known.insert(formula, result);
        result
    }
}

/// An atom of a rule's body.
pub(super) struct Atom {
    /// Its predicate.
    pub(super) pred: Pred,
    /// Its arguments.
    pub(super) on: Application,
    /// Whether the body uses it: a variable, or true.
    pub(super) used: TermId,
}

/// A rule over the parameters of one of its atoms, or of its head.
pub(super) struct View {
    /// The body.
    pub(super) body: TermId,
    /// The head.
    pub(super) head: Application,
    /// The atoms of the body.
    pub(super) atoms: Vec<Application>,
    /// What ties parameters to arguments that are no variables.
    pub(super) equations: Vec<TermId>,
    /// The parameters, with the rule's terms that have the same values.
    pub(super) params: Vec<(TermId, TermId)>,
    /// The rule's variables that are left.
    pub(super) eliminate: Vec<TermId>,
}

/// A clause.
pub(super) struct Rule {
    /// Where it is from.
    pub(super) clause: ClauseId,
    /// The predicate it concludes.
    pub(super) head: Pred,
    /// The head's arguments.
    pub(super) on: Application,
    /// The body, with truth values for its atoms.
    pub(super) body: TermId,
    /// The atoms.
    pub(super) atoms: Vec<Atom>,
    /// The variables, with the truth values for atoms.
    pub(super) vars: Vec<TermId>,
    /// The rule over the head's parameters.
    pub(super) head_view: View,
    /// The rule over each atom's parameters.
    pub(super) atom_views: Vec<View>,
}

/// A Horn system as rules.
pub(super) struct System {
    /// The parameters of each predicate.
    pub(super) params: Vec<Vec<TermId>>,
    /// The rules.
    pub(super) rules: Vec<Rule>,
    /// The rules that conclude each predicate, those with fewer atoms first.
    pub(super) rules_of: Vec<Vec<usize>>,
    /// The rules and atoms that use each predicate.
    pub(super) uses_of: Vec<Vec<(usize, usize)>>,
    /// Whether some query depends on each predicate.
    pub(super) relevant: Vec<bool>,
}

impl System {
    /// The rules of a system; terms are added to `store`, which extends the system's.
    pub(super) fn new(horn: &Horn, store: &mut Store) -> Result<System, Stop> {
        let goal = horn.preds.len();
        let mut params: Vec<Vec<TermId>> = Vec::with_capacity(goal + 1);
        for pred in horn.pred_ids() {
            let sorts = horn.pred_args(pred).to_vec();
            params.push(sorts.into_iter().map(|sort| store.fresh_var("p", sort)).collect());
        }
        params.push(Vec::new());
        let mut relevant = relevant(horn);
        relevant.push(true);
        let mut system = System {
            rules: Vec::new(),
            rules_of: vec![Vec::new(); goal + 1],
            uses_of: vec![Vec::new(); goal + 1],
            params,
            relevant,
        };
        for (id, clause) in horn.clauses() {
            let (head, args) = match &clause.head {
                Head::Atom(pred, args) => (pred.index(), args.clone()),
                Head::False => (goal, Vec::new()),
            };
            if system.relevant[head] {
                understood_with_data(horn, clause)?;
                system.add(horn, store, id, (head, args))?;
            }
        }
        let System { rules, rules_of, .. } = &mut system;
        for own in rules_of {
            own.sort_by_key(|&rule| rules[rule].atoms.len());
        }
        Ok(system)
    }

    /// The predicate that queries conclude.
    pub(super) fn goal(&self) -> Pred {
        self.params.len() - 1
    }

    fn add(
        &mut self,
        horn: &Horn,
        store: &mut Store,
        id: ClauseId,
        (head, args): (Pred, Vec<TermId>),
    ) -> Result<(), Stop> {
        let Some(opened) = RuleBody::of(horn, horn.clause(id), store)? else { return Ok(()) };
        let RuleBody { body, atoms: found, vars } = opened;
        let number = self.rules.len();
        let view = |store: &mut Store, target: (Pred, &[TermId]), used: TermId| {
            view(&self.params, store, (body, &vars), (head, &args), &found, (target, used))
        };
        let head_view = view(store, (head, &args), TermId::TRUE);
        let atom_views =
            found.iter().map(|atom| view(store, (atom.pred, &atom.args), atom.used)).collect();
        let mut atoms = Vec::with_capacity(found.len());
        for (place, atom) in found.into_iter().enumerate() {
            let rule_body::Atom { pred, args, used } = atom;
            self.uses_of[pred].push((number, place));
            atoms.push(Atom { pred, on: Application::new(&self.params[pred], args), used });
        }
        self.rules_of[head].push(number);
        let on = Application::new(&self.params[head], args);
        self.rules.push(Rule { clause: id, head, on, body, atoms, vars, head_view, atom_views });
        Ok(())
    }
}

/// Makes the view of a rule for a target, an atom or the head.
fn view(
    params: &[Vec<TermId>],
    store: &mut Store,
    (body, vars): (TermId, &[TermId]),
    (head, head_args): (Pred, &[TermId]),
    atoms: &[rule_body::Atom],
    ((target, args), used): ((Pred, &[TermId]), TermId),
) -> View {
    let mut map = Substitution::default();
    let mut tied = Vec::new();
    for (&param, &arg) in params[target].iter().zip(args) {
        if vars.contains(&arg) && !map.contains_key(&arg) {
            map.insert(arg, param);
        } else {
            tied.push((param, arg));
        }
    }
    if used != TermId::TRUE {
        map.insert(used, TermId::TRUE);
    }
    let mut equations = Vec::with_capacity(tied.len());
    for (param, arg) in tied {
        let arg = store.substitute(arg, &map);
        equations.push(store.eq(param, arg));
    }
    let on = |store: &mut Store, pred: Pred, args: &[TermId]| {
        Application::new(&params[pred], store.substitute_all(args, &map))
    };
    let head = on(store, head, head_args);
    let atoms = atoms.iter().map(|atom| on(store, atom.pred, &atom.args)).collect();
    View {
        body: store.substitute(body, &map),
        head,
        atoms,
        equations,
        params: params[target].iter().copied().zip(args.iter().copied()).collect(),
        eliminate: vars.iter().copied().filter(|var| !map.contains_key(var)).collect(),
    }
}
