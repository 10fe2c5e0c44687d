//! States by their steps: all steps lead into a set, some step does, none is left.

use super::{Labeller, MAX_MODELS, Sets};
use alphorn_engine::{Ctx, Stop};
use alphorn_problem::evidence::flow::Choice;
use alphorn_problem::obligation::flow::moved;
use alphorn_problem::temporal::{Ends, NodeId, Runs};
use alphorn_smt::project::{Limits, eliminate};
use alphorn_smt::{Options, Smt};
use alphorn_term::TermId;

impl<'p> Labeller<'p> {
    /// From where all steps of all transitions lead into the sets.
    pub(in crate::temporal) fn all_steps(
        &mut self,
        sets: &Sets,
        ctx: &mut Ctx<'_>,
    ) -> Result<Sets, Stop> {
        let flow = self.flow();
        let mut out: Vec<Vec<TermId>> = vec![Vec::new(); flow.locations.len()];
        for (position, step) in flow.transitions.iter().enumerate() {
            let key = (position, sets[step.to.index()]);
            if let Some(&known) = self.all_into.get(&key) {
                out[step.from.index()].push(known);
                continue;
            }
            ctx.tick(4)?;
            let after = moved(sets[step.to.index()], &flow.vars, &flow.next, &mut self.store);
            let not = self.store.not(after);
            let leaves = self.store.and(&[step.formula, not]);
            let open: Vec<TermId> = flow.next.iter().chain(&step.inputs).copied().collect();
            let mut smt = Smt::new(Options::default());
            let limits = Limits { rounds: MAX_MODELS };
            let may = eliminate(&mut self.store, leaves, &open, &mut smt, &limits);
            let into = match may {
                Ok(may) => self.store.not(may),
                Err(_) => TermId::FALSE,
            };
            self.all_into.insert(key, into);
            out[step.from.index()].push(into);
        }
        Ok(out
            .into_iter()
            .map(|parts| {
                let all = self.store.and(&parts);
                self.simple(all)
            })
            .collect())
    }

    /// From where one of the choices leads into the sets.
    pub(in crate::temporal) fn some_step(
        &mut self,
        choices: &[Choice],
        sets: &Sets,
        ctx: &mut Ctx<'_>,
    ) -> Result<Sets, Stop> {
        let flow = self.flow();
        let mut out: Vec<Vec<TermId>> = vec![Vec::new(); flow.locations.len()];
        for choice in choices {
            ctx.tick(1)?;
            let step = &flow.transitions[choice.transition];
            let after = moved(sets[step.to.index()], &flow.vars, &choice.next, &mut self.store);
            let both = self.store.and(&[choice.when, after]);
            out[step.from.index()].push(both);
        }
        Ok(out
            .into_iter()
            .map(|parts| {
                let any = self.store.or(&parts);
                self.simple(any)
            })
            .collect())
    }

    /// Where no transition can be taken.
    pub(in crate::temporal) fn ended(&mut self, ctx: &mut Ctx<'_>) -> Result<Sets, Stop> {
        let none = vec![TermId::FALSE; self.flow().locations.len()];
        self.all_steps(&none, ctx)
    }

    /// Where a step that is chosen can be taken, as it must be if ends do not count.
    pub(in crate::temporal) fn can_go(&mut self, choices: &[Choice]) -> Sets {
        let mut out: Vec<Vec<TermId>> = vec![Vec::new(); self.flow().locations.len()];
        for choice in choices {
            out[self.flow().transitions[choice.transition].from.index()].push(choice.when);
        }
        out.into_iter().map(|parts| self.store.or(&parts)).collect()
    }

    pub(in crate::temporal) fn next(
        &mut self,
        node: NodeId,
        runs: Runs,
        a: NodeId,
        ctx: &mut Ctx<'_>,
    ) -> Result<(), Stop> {
        let inner = self.labels[a].sets.clone();
        let choices = self.choices.clone();
        let is_stutter = self.problem.ends == Ends::Stutter;
        let mut sets = match runs {
            Runs::All => self.all_steps(&inner, ctx)?,
            Runs::Some => self.some_step(&choices, &inner, ctx)?,
        };
        if runs == Runs::All && is_stutter {
            let goes = self.can_go(&choices);
            for at in 0..sets.len() {
                let may = self.store.or(&[goes[at], inner[at]]);
                sets[at] = self.store.and(&[sets[at], may]);
            }
        }
        if runs == Runs::Some {
            // A choice counts where it leads to what is wanted.
            self.labels[node].choices = self.narrowed(&choices, &inner);
            if is_stutter {
                let ended = self.ended(ctx)?;
                for at in 0..sets.len() {
                    let stays = self.store.and(&[ended[at], inner[at]]);
                    sets[at] = self.store.or(&[sets[at], stays]);
                }
                self.labels[node].stopped = ended;
            }
        } else if is_stutter {
            self.labels[node].choices = choices;
        }
        self.labels[node].sets = sets.into_iter().map(|set| self.simple(set)).collect();
        Ok(())
    }

    /// Choices with the condition that they lead into the sets.
    pub(in crate::temporal) fn narrowed(&mut self, choices: &[Choice], sets: &Sets) -> Vec<Choice> {
        let flow = self.flow();
        let mut all = Vec::new();
        for choice in choices {
            let to = flow.transitions[choice.transition].to.index();
            let after = moved(sets[to], &flow.vars, &choice.next, &mut self.store);
            let when = self.store.and(&[choice.when, after]);
            let when = self.simple(when);
            if when != TermId::FALSE {
                all.push(Choice { when, ..choice.clone() });
            }
        }
        all
    }
}
