//! The small clauses that a proof needs, one after another.
//!
//! The clauses chosen so far are *lemmas*. While a query can be satisfied with them, a clause is chosen that excludes what
//! one of its atoms stands for; while a clause of the system can break a lemma, one that excludes what an atom of its
//! body stands for. Where no small clause excludes any of these, every set of small clauses that the system keeps has the broken
//! tuple, too: it counts as a fact, and the lemmas that it breaks go. That is Houdini, started from all small clauses, which
//! are never listed.
//!
//! For each clause of the system one solver has the body; lemmas about its atoms are told to it as they come, each
//! switched on by a literal, since it may go.

use super::table::{Clause, Row, Table};
use crate::settings::{SAMPLES_AT_ONCE, SAMPLES_CONFLICTS};
use alphorn_engine::{Ctx, Stop};
use alphorn_horn::ask::ask_within;
use alphorn_horn::transform::{System, head_args};
use alphorn_problem::evidence::horn::Definition;
use alphorn_problem::horn::{Head, PredId};
use alphorn_smt::{Answer, Options, Smt};
use alphorn_term::eval::Program;
use alphorn_term::{Model, SortId, Store, Substitution, TermId, Value, eval};
use std::collections::BTreeSet;

/// A clause that was chosen.
struct Lemma {
    pred: usize,
    literals: Clause,
    formula: TermId,
    /// The literal that makes bodies say it.
    flag: TermId,
    is_alive: bool,
}

/// An atom of a body.
struct Atom {
    pred: usize,
    args: Vec<TermId>,
    /// The literal that stands for it.
    holds: TermId,
}

/// What is known of one clause of the system.
struct Question {
    smt: Smt,
    atoms: Vec<Atom>,
    head: Option<(usize, Vec<TermId>)>,
    vars: Vec<TermId>,
    /// How many lemmas were told.
    told: usize,
    /// For each lemma about the head that was told, its position and the literal that says that it breaks.
    breaks: Vec<(usize, TermId)>,
    /// The lemmas about the head that the clause keeps.
    kept: BTreeSet<usize>,
    /// Whether the body of a query is excluded.
    is_excluded: bool,
}

/// The search with clauses of at most so many literals.
pub(super) struct Search<'a> {
    system: &'a System,
    tables: &'a mut [Table],
    size: usize,
    programs: Vec<Option<Program>>,
    questions: Vec<Option<Question>>,
    lemmas: Vec<Lemma>,
    /// Clauses of which the solver could not tell something.
    banned: Vec<BTreeSet<Clause>>,
    /// How many tuples counted as facts.
    added: usize,
}

/// What a model of a question says.
struct Case {
    /// The tuples that atoms of the body stand for.
    body: Vec<(usize, Row)>,
    head: Option<Row>,
}

impl<'a> Search<'a> {
    pub(super) fn new(system: &'a System, tables: &'a mut [Table], size: usize) -> Search<'a> {
        let programs = tables.iter().map(|_| None).collect();
        let questions = system.clauses.iter().map(|_| None).collect();
        let banned = vec![BTreeSet::new(); tables.len()];
        Search { system, tables, size, programs, questions, lemmas: Vec::new(), banned, added: 0 }
    }

    /// Definitions that all clauses keep and that exclude the queries; nothing if no small clauses do.
    pub(super) fn run(
        &mut self,
        store: &mut Store,
        ctx: &mut Ctx<'_>,
    ) -> Result<Option<Vec<Definition>>, Stop> {
        let is_query = |at: &usize| self.system.clauses[*at].head == Head::False;
        let (queries, rules): (Vec<usize>, Vec<usize>) =
            (0..self.system.clauses.len()).partition(is_query);
        loop {
            for &at in &queries {
                if !self.exclude(store, at, ctx)? {
                    return Ok(None);
                }
            }
            let mut is_done = true;
            for &at in &rules {
                is_done &= !self.keep(store, at, ctx)?;
            }
            if is_done {
                return Ok(Some(self.definitions(store)));
            }
        }
    }

    /// What happened, in words.
    pub(super) fn describe(&self) -> String {
        let alive = self.lemmas.iter().filter(|lemma| lemma.is_alive).count();
        let (all, size, added) = (self.lemmas.len(), self.size, self.added);
        format!(
            "{alive} of {all} clauses of at most {size} literals are left, after {added} tuples that none excludes"
        )
    }

    fn definitions(&self, store: &mut Store) -> Vec<Definition> {
        let mut definitions = Vec::with_capacity(self.tables.len());
        for (pred, table) in self.tables.iter().enumerate() {
            let is_about = |lemma: &&Lemma| lemma.pred == pred && lemma.is_alive;
            let formulas: Vec<TermId> =
                self.lemmas.iter().filter(is_about).map(|lemma| lemma.formula).collect();
            let body = store.and(&formulas);
            definitions.push(Definition { params: table.params.clone(), body });
        }
        definitions
    }

    /// Chooses lemmas until they exclude a query; false if no small clauses do.
    fn exclude(&mut self, store: &mut Store, at: usize, ctx: &mut Ctx<'_>) -> Result<bool, Stop> {
        let mut question = self.question(store, at);
        while !question.is_excluded {
            let assumed = self.switches(&question);
            match self.ask(store, &mut question, &assumed, ctx)? {
                Answer::Unsat => question.is_excluded = true,
                Answer::Unknown => break,
                Answer::Sat => {
                    let case = self.case(store, &question);
                    let Some(case) = case else { break };
                    if !self.strengthen(store, &case, ctx)? {
                        break;
                    }
                    self.tell(store, &mut question);
                }
            }
        }
        let is_excluded = question.is_excluded;
        self.questions[at] = Some(question);
        Ok(is_excluded)
    }

    /// Chooses lemmas, or lets some go, until a clause keeps all about its head; whether there was a reason to.
    fn keep(&mut self, store: &mut Store, at: usize, ctx: &mut Ctx<'_>) -> Result<bool, Stop> {
        let mut question = self.question(store, at);
        let mut has_changed = false;
        loop {
            let open: Vec<(usize, TermId)> = question
                .breaks
                .iter()
                .copied()
                .filter(|(lemma, _)| self.lemmas[*lemma].is_alive && !question.kept.contains(lemma))
                .collect();
            if open.is_empty() {
                break;
            }
            let some = store.fresh_var("some", SortId::BOOL);
            let mut one = vec![store.not(some)];
            one.extend(open.iter().map(|&(_, breaks)| breaks));
            let one = store.or(&one);
            question.smt.assert(store, one);
            let mut assumed = self.switches(&question);
            assumed.push(some);
            let answer = self.ask(store, &mut question, &assumed, ctx)?;
            let never = store.not(some);
            question.smt.assert(store, never);
            let case = match answer {
                Answer::Unsat => {
                    question.kept.extend(open.iter().map(|&(lemma, _)| lemma));
                    break;
                }
                Answer::Sat => self.case(store, &question),
                Answer::Unknown => None,
            };
            has_changed = true;
            let Some(case) = case else {
                let (lemma, _) = open[open.len() - 1];
                self.ban(&mut question, lemma);
                continue;
            };
            if !self.strengthen(store, &case, ctx)? {
                self.count(&mut question, case, &open);
            }
            self.tell(store, &mut question);
        }
        self.questions[at] = Some(question);
        Ok(has_changed)
    }

    /// Chooses lemmas that exclude a tuple of a body; whether there are any.
    fn strengthen(
        &mut self,
        store: &mut Store,
        case: &Case,
        ctx: &mut Ctx<'_>,
    ) -> Result<bool, Stop> {
        let mut best: Option<(usize, Vec<Clause>)> = None;
        for (pred, row) in &case.body {
            let most = best.as_ref().map_or(self.size, |(_, clauses)| clauses[0].len() - 1);
            let limits = (most, SAMPLES_AT_ONCE.size());
            let found = self.tables[*pred].excluding(row, limits, &self.banned[*pred], ctx)?;
            if !found.is_empty() {
                best = Some((*pred, found));
            }
            if best.as_ref().is_some_and(|(_, clauses)| clauses[0].len() <= 1) {
                break;
            }
        }
        let Some((pred, clauses)) = best else { return Ok(false) };
        for literals in clauses {
            let all = &self.tables[pred].literals;
            let terms: Vec<TermId> = literals.iter().map(|&at| all[at as usize]).collect();
            let formula = store.or(&terms);
            let flag = store.fresh_var("on", SortId::BOOL);
            self.lemmas.push(Lemma { pred, literals, formula, flag, is_alive: true });
        }
        Ok(true)
    }

    /// Counts the broken tuple as a fact, and lets the lemmas go that it breaks.
    fn count(&mut self, question: &mut Question, case: Case, open: &[(usize, TermId)]) {
        let (Some(row), Some((pred, _))) = (case.head, &question.head) else { return };
        let pred = *pred;
        let mut gone = Vec::new();
        for (at, lemma) in self.lemmas.iter_mut().enumerate() {
            if lemma.pred == pred && lemma.is_alive && !Table::holds(&lemma.literals, &row) {
                lemma.is_alive = false;
                gone.push(at);
            }
        }
        self.added += usize::from(self.tables[pred].add(row));
        match gone.is_empty() {
            // The tuple is not what the solver meant.
            true => self.ban(question, open[open.len() - 1].0),
            false => self.ask_again(question, pred),
        }
    }

    /// Lets a lemma go for good.
    fn ban(&mut self, question: &mut Question, lemma: usize) {
        let Lemma { pred, ref literals, ref mut is_alive, .. } = self.lemmas[lemma];
        *is_alive = false;
        self.banned[pred].insert(literals.clone());
        self.ask_again(question, pred);
    }

    /// Forgets what lemmas about a predicate served for.
    fn ask_again(&mut self, question: &mut Question, pred: usize) {
        let others = self.questions.iter_mut().flatten();
        for question in others.chain(std::iter::once(question)) {
            if question.atoms.iter().any(|atom| atom.pred == pred) {
                question.kept.clear();
                question.is_excluded = false;
            }
        }
    }

    fn ask(
        &self,
        store: &mut Store,
        question: &mut Question,
        assumed: &[TermId],
        ctx: &mut Ctx<'_>,
    ) -> Result<Answer, Stop> {
        ctx.tick(1 + assumed.len() as u64 / 64)?;
        ask_within(&mut question.smt, store, assumed, SAMPLES_CONFLICTS.get(), ctx)
    }

    /// The switches of the lemmas about a question's body.
    fn switches(&self, question: &Question) -> Vec<TermId> {
        let is_used = |lemma: &&Lemma| {
            lemma.is_alive && question.atoms.iter().any(|atom| atom.pred == lemma.pred)
        };
        self.lemmas.iter().filter(is_used).map(|lemma| lemma.flag).collect()
    }

    /// The tuples of the last model of a question; nothing where they have no values.
    fn case(&mut self, store: &Store, question: &Question) -> Option<Case> {
        let found = question.smt.model(store);
        let mut model = Model::new();
        for &var in &question.vars {
            let value = found.vars.get(&var).cloned();
            let value = value.or_else(|| Value::default_of(store, store.sort(var)))?;
            model.set(var, value);
        }
        let mut body = Vec::new();
        for atom in &question.atoms {
            let holds = found.vars.get(&atom.holds).and_then(Value::as_bool);
            if holds != Some(false) {
                body.push((atom.pred, self.row(store, atom.pred, &atom.args, &model)?));
            }
        }
        let head = match &question.head {
            Some((pred, args)) => Some(self.row(store, *pred, args, &model)?),
            None => None,
        };
        Some(Case { body, head })
    }

    fn row(&mut self, store: &Store, pred: usize, args: &[TermId], model: &Model) -> Option<Row> {
        let values: Option<Vec<Value>> =
            args.iter().map(|&arg| eval(store, arg, model).ok()).collect();
        let table = &self.tables[pred];
        let program = self.programs[pred].get_or_insert_with(|| table.program(store));
        table.row(store, program, &values?)
    }

    /// The question about a clause, told all lemmas.
    fn question(&mut self, store: &mut Store, at: usize) -> Question {
        let mut question = match self.questions[at].take() {
            Some(question) => question,
            None => self.make(store, at),
        };
        self.tell(store, &mut question);
        question
    }

    fn make(&self, store: &mut Store, at: usize) -> Question {
        let clause = &self.system.clauses[at];
        let mut atoms = Vec::new();
        let body = self.system.map_atoms(store, clause.body, |store, pred: PredId, atom| {
            let holds = store.fresh_var("holds", SortId::BOOL);
            atoms.push(Atom { pred: pred.index(), args: store.args(atom).to_vec(), holds });
            holds
        });
        let mut smt = Smt::new(Options::default());
        smt.assert(store, body);
        let head = match &clause.head {
            Head::Atom(pred, _) => Some((pred.index(), head_args(clause).to_vec())),
            Head::False => None,
        };
        let (breaks, kept) = (Vec::new(), BTreeSet::new());
        let vars = clause.vars.clone();
        Question { smt, atoms, head, vars, told: 0, breaks, kept, is_excluded: false }
    }

    /// Tells a question the lemmas that it does not know yet.
    fn tell(&self, store: &mut Store, question: &mut Question) {
        for (at, lemma) in self.lemmas.iter().enumerate().skip(question.told) {
            let instance = |store: &mut Store, args: &[TermId]| {
                let params = self.tables[lemma.pred].params.iter().copied();
                let map: Substitution = params.zip(args.iter().copied()).collect();
                store.substitute(lemma.formula, &map)
            };
            for atom in question.atoms.iter().filter(|atom| atom.pred == lemma.pred) {
                let says = instance(store, &atom.args);
                let (off, not) = (store.not(lemma.flag), store.not(atom.holds));
                let clause = store.or(&[off, not, says]);
                question.smt.assert(store, clause);
            }
            if let Some((pred, args)) = &question.head
                && *pred == lemma.pred
            {
                let says = instance(store, args);
                let broken = store.fresh_var("breaks", SortId::BOOL);
                let negation = store.not(says);
                let clause = store.implies(broken, negation);
                question.smt.assert(store, clause);
                question.breaks.push((at, broken));
            }
        }
        question.told = self.lemmas.len();
    }
}
