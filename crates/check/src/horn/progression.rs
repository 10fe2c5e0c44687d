//! Checks progressions: rounds of instances whose numbers grow by the same amounts from round to round.
//!
//! Every term of a member is followed through all rounds `k = 0, 1, …, last` at once. What it is in round
//! `k` is one value that stays, or a number `a + b·k`, or *open*, which says nothing. A comparison of such
//! numbers is linear in `k`, so it holds in all rounds if it holds in the first and the last; an equation
//! that is no identity has one root, which may be no round. An atom is a fact if it is, identically in `k`,
//! the conclusion of an earlier member of the round, of a member in the round before, or of a premise; for
//! the first round, what a member would have concluded before must be a premise's conclusion.
//!
//! So each instance follows as a step by itself would, by induction on rounds and members. Nothing is
//! searched for, and open is refused wherever it decides.

use super::derivation::Replay;
use alphorn_problem::Horn;
use alphorn_problem::evidence::horn::{Fact, Member, Progression, Step};
use alphorn_problem::horn::Head;
use alphorn_term::eval::bound::{self, Tables};
use alphorn_term::meter::words_of;
use alphorn_term::{FuncId, Int, Meter, Model, Op, Rat, SortId, TermId, Value, eval};
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

/// The longest count of rounds, in bits.
const MAX_ROUNDS: usize = 1 << 12;
/// The longest number, in bits.
const MAX_BITS: u64 = 1 << 20;

/// What a term is in the rounds of a progression.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Course {
    /// The same value in all rounds.
    Fixed(Value),
    /// The number `a + b·k` in round `k`, where `b` is not zero.
    Linear(Rat, Rat),
    /// Nothing is known.
    Open,
}

/// A fact of each round.
type Series = (FuncId, Vec<Course>);

impl Replay<'_> {
    /// The conclusion of the last instance of a progression, or why it does not follow.
    pub(super) fn progression(
        &mut self,
        step: &Step,
        progression: &Progression,
    ) -> Result<Fact, String> {
        let Progression { rounds, members } = progression;
        if !rounds.is_positive() || rounds.bit_len() > MAX_ROUNDS {
            return Err("the number of rounds is not positive, or too long".to_owned());
        }
        let last = rounds - &Int::from(1);
        for member in members {
            self.instance(member.clause, &member.start)?;
            self.growth(member)?;
        }
        // Numbers are known to be of reasonable sizes by now.
        if progression.last() != Some((step.clause, step.values.clone())) {
            return Err("the step is not the last one of its progression".to_owned());
        }
        let mut given = Vec::with_capacity(step.premises.len());
        for &premise in &step.premises {
            given.push(self.fact(premise)?);
        }
        let views: Vec<View<'_>> =
            members.iter().map(|member| View::of(self.horn, member, &last, self.meter)).collect();
        let mut concluded = Vec::with_capacity(members.len());
        for view in &views {
            concluded.push(view.conclusion()?);
        }
        // What the round before concludes, if the premises have it before the first round.
        let mut known: Vec<Series> = given.iter().map(|fact| stays(fact)).collect();
        let mut before = Vec::new();
        for series in &concluded {
            let earlier = self.round_before(series)?;
            let first = self.in_round(&earlier, &Rat::from(0))?;
            self.meter.spend(given.len() as u64 * (1 + first.1.len() as u64))?;
            if given.iter().any(|fact| **fact == first) {
                before.push(earlier);
            }
        }
        known.extend(before);
        for (view, series) in views.iter().zip(&concluded) {
            if view.body(&known)? != Course::Fixed(Value::Bool(true)) {
                let clause = view.member.clause.0;
                return Err(format!(
                    "the body of clause {clause} is not seen to hold in all rounds"
                ));
            }
            known.push(series.clone());
        }
        let conclusion =
            concluded.last().ok_or_else(|| "a progression has no members".to_owned())?;
        self.in_round(conclusion, &Rat::from(last))
    }

    /// Whether the growth of a member fits the sorts of its variables.
    fn growth(&self, member: &Member) -> Result<(), String> {
        let vars = &self.horn.clause(member.clause).vars;
        if member.growth.len() != vars.len() {
            let (given, wanted) = (member.growth.len(), vars.len());
            return Err(format!("growth is given for {given} of {wanted} variables"));
        }
        for (&var, growth) in vars.iter().zip(&member.growth) {
            self.meter.spend(4 + 64 * words_of(growth.bit_len()))?;
            let fits = match self.horn.terms.sort(var) {
                SortId::INT => growth.is_integer(),
                SortId::REAL => true,
                _ => growth.is_zero(),
            };
            if !fits || growth.bit_len() > MAX_BITS {
                let name = self.horn.terms.var_name(var).unwrap_or("?");
                return Err(format!("the growth of {name} does not fit its sort"));
            }
        }
        Ok(())
    }

    /// The fact of a round.
    fn in_round(&self, (func, args): &Series, round: &Rat) -> Result<Fact, String> {
        let open = || "an argument of a conclusion is open".to_owned();
        let mut values = Vec::with_capacity(args.len());
        for (course, &sort) in args.iter().zip(&self.horn.terms.func(*func).args) {
            values.push(match course {
                Course::Fixed(value) => value.clone(),
                Course::Linear(start, growth) => {
                    let value = add(start, &mul(growth, round, self.meter)?, self.meter)?;
                    match sort {
                        SortId::INT => Value::Int(value.to_int().ok_or_else(open)?),
                        _ => Value::Real(value),
                    }
                }
                Course::Open => return Err(open()),
            });
        }
        Ok((*func, values))
    }

    /// The facts of the round before.
    fn round_before(&self, (func, args): &Series) -> Result<Series, String> {
        let mut earlier = Vec::with_capacity(args.len());
        for arg in args {
            earlier.push(match arg {
                Course::Linear(start, growth) => {
                    Course::Linear(add(start, &-growth.clone(), self.meter)?, growth.clone())
                }
                other => other.clone(),
            });
        }
        Ok((*func, earlier))
    }
}

/// A fact that is the same in all rounds.
fn stays((func, args): &Fact) -> Series {
    (*func, args.iter().cloned().map(Course::Fixed).collect())
}

/// A member, seen in all rounds.
struct View<'a> {
    horn: &'a Horn,
    member: &'a Member,
    last: Rat,
    /// The values of the first round.
    model: Model,
    meter: &'a Meter,
}

impl<'a> View<'a> {
    fn of(horn: &'a Horn, member: &'a Member, last: &Int, meter: &'a Meter) -> View<'a> {
        let mut model = Model::new();
        for (&var, value) in horn.clause(member.clause).vars.iter().zip(&member.start) {
            model.set(var, value.clone());
        }
        View { horn, member, last: Rat::from(last.clone()), model, meter }
    }

    /// What the member concludes in each round.
    fn conclusion(&self) -> Result<Series, String> {
        let Head::Atom(pred, args) = &self.horn.clause(self.member.clause).head else {
            return Err("a query stands in a progression".to_owned());
        };
        let courses = self.courses(args, &[])?;
        let args: Vec<Course> = args.iter().map(|arg| courses[arg].clone()).collect();
        if args.contains(&Course::Open) {
            return Err("what a member concludes is not seen to grow evenly".to_owned());
        }
        Ok((self.horn.pred(*pred).func, args))
    }

    /// What the member's body is in all rounds, if these are facts in each of them.
    fn body(&self, known: &[Series]) -> Result<Course, String> {
        let body = self.horn.clause(self.member.clause).body;
        let mut courses = self.courses(&[body], known)?;
        Ok(courses.remove(&body).unwrap_or(Course::Open))
    }

    /// What terms and those below are, from the leaves up.
    fn courses(
        &self,
        roots: &[TermId],
        known: &[Series],
    ) -> Result<BTreeMap<TermId, Course>, String> {
        let store = &self.horn.terms;
        bound::free_vars(store, roots, self.meter)?;
        let vars = &self.horn.clause(self.member.clause).vars;
        let growing: BTreeMap<TermId, &Rat> = (vars.iter().copied().zip(&self.member.growth))
            .filter(|(_, growth)| !growth.is_zero())
            .collect();
        let order = store.subterms(roots);
        // What mentions neither a number that grows nor a predicate is evaluated as ever.
        let mut moves: BTreeMap<TermId, bool> = BTreeMap::new();
        for &term in &order {
            let own = growing.contains_key(&term) || self.horn.atom(term).is_some();
            let is_moving = own || store.args(term).iter().any(|arg| moves[arg]);
            moves.insert(term, is_moving);
        }
        let mut courses: BTreeMap<TermId, Course> = BTreeMap::new();
        let mut still: Vec<TermId> = roots.iter().copied().filter(|root| !moves[root]).collect();
        let moving = order.iter().filter(|term| moves[term]);
        still.extend(moving.flat_map(|&term| store.args(term)).filter(|arg| !moves[arg]));
        for term in still {
            if let Entry::Vacant(unknown) = courses.entry(term) {
                bound::evaluation(store, &[term], &self.model, &Tables::default(), self.meter)?;
                let value = eval(store, term, &self.model);
                unknown.insert(value.map_or(Course::Open, Course::Fixed));
            }
        }
        for &term in order.iter().filter(|term| moves[term]) {
            let course = match growing.get(&term) {
                Some(growth) => match number(&self.model.vars[&term]) {
                    Some(start) => Course::Linear(start, (*growth).clone()),
                    None => Course::Open,
                },
                None if self.horn.atom(term).is_some() => self.atom(term, &courses, known)?,
                None => {
                    let args: Vec<&Course> =
                        store.args(term).iter().map(|arg| &courses[arg]).collect();
                    self.apply(store.op(term), store.sort(term), &args)?
                }
            };
            courses.insert(term, course);
        }
        Ok(courses)
    }

    /// Whether an atom is among the facts of each round.
    fn atom(
        &self,
        term: TermId,
        courses: &BTreeMap<TermId, Course>,
        known: &[Series],
    ) -> Result<Course, String> {
        let Op::Apply(func) = self.horn.terms.op(term) else { return Ok(Course::Open) };
        let args: Vec<&Course> =
            self.horn.terms.args(term).iter().map(|arg| &courses[arg]).collect();
        self.meter.spend(known.len() as u64 * (1 + args.len() as u64))?;
        let is_fact = !args.contains(&&Course::Open)
            && known
                .iter()
                .any(|(other, fact)| *other == func && fact.iter().eq(args.iter().copied()));
        Ok(Course::Fixed(Value::Bool(is_fact)))
    }

    /// What an operator makes of what its arguments are.
    fn apply(&self, op: Op, sort: SortId, args: &[&Course]) -> Result<Course, String> {
        let truth = |course: &Course| match course {
            Course::Fixed(Value::Bool(value)) => Some(*value),
            _ => None,
        };
        let fixed = |value: bool| Course::Fixed(Value::Bool(value));
        Ok(match (op, args) {
            (Op::Not, [arg]) => truth(arg).map_or(Course::Open, |value| fixed(!value)),
            (Op::And | Op::Or, _) => {
                let decides = op == Op::Or;
                let all: Vec<Option<bool>> = args.iter().map(|arg| truth(arg)).collect();
                if all.contains(&Some(decides)) {
                    fixed(decides)
                } else if all.contains(&None) {
                    Course::Open
                } else {
                    fixed(!decides)
                }
            }
            (Op::Ite, [condition, then, other]) => match truth(condition) {
                Some(true) => (*then).clone(),
                Some(false) => (*other).clone(),
                None => Course::Open,
            },
            (Op::Eq, [left, right]) => match (truth(left), truth(right)) {
                (Some(left), Some(right)) => fixed(left == right),
                _ => self.compare(op, left, right)?,
            },
            (Op::Le | Op::Lt, [left, right]) => self.compare(op, left, right)?,
            (Op::Add, _) => {
                let mut sum = (Rat::from(0), Rat::from(0));
                for arg in args {
                    let Some((start, growth)) = line(arg) else { return Ok(Course::Open) };
                    sum = (add(&sum.0, &start, self.meter)?, add(&sum.1, &growth, self.meter)?);
                }
                course(sort, sum)
            }
            (Op::Mul, _) => {
                let mut product = (Rat::from(1), Rat::from(0));
                for arg in args {
                    let Some((start, growth)) = line(arg) else { return Ok(Course::Open) };
                    if !product.1.is_zero() && !growth.is_zero() {
                        return Ok(Course::Open);
                    }
                    let left = mul(&product.0, &growth, self.meter)?;
                    let right = mul(&product.1, &start, self.meter)?;
                    product =
                        (mul(&product.0, &start, self.meter)?, add(&left, &right, self.meter)?);
                }
                course(sort, product)
            }
            (Op::ToReal, [arg]) => line(arg).map_or(Course::Open, |line| course(sort, line)),
            (Op::IntDiv | Op::Mod, [left, right]) => self.divide(op, sort, left, right)?,
            _ => Course::Open,
        })
    }

    /// A comparison of two numbers in all rounds.
    fn compare(&self, op: Op, left: &Course, right: &Course) -> Result<Course, String> {
        let (Some(left), Some(right)) = (line(left), line(right)) else { return Ok(Course::Open) };
        let start = add(&left.0, &-right.0, self.meter)?;
        let growth = add(&left.1, &-right.1, self.meter)?;
        let end = add(&start, &mul(&growth, &self.last, self.meter)?, self.meter)?;
        let value = match op {
            Op::Eq if growth.is_zero() => Some(start.is_zero()),
            Op::Eq => {
                self.spend(&start, &growth)?;
                let root = (-start).checked_div(&growth);
                let is_round =
                    |root: Rat| root.is_integer() && !root.is_negative() && root <= self.last;
                if root.is_none_or(is_round) { None } else { Some(false) }
            }
            _ => {
                let holds = |difference: &Rat| match op {
                    Op::Le => !difference.is_positive(),
                    _ => difference.is_negative(),
                };
                (holds(&start) == holds(&end)).then(|| holds(&start))
            }
        };
        Ok(value.map_or(Course::Open, |value| Course::Fixed(Value::Bool(value))))
    }

    /// Quotients and remainders by a number that divides the growth.
    fn divide(
        &self,
        op: Op,
        sort: SortId,
        left: &Course,
        right: &Course,
    ) -> Result<Course, String> {
        let (Some((start, growth)), Course::Fixed(Value::Int(divisor))) = (line(left), right)
        else {
            return Ok(Course::Open);
        };
        let (Some(start), Some(growth)) = (start.to_int(), growth.to_int()) else {
            return Ok(Course::Open);
        };
        self.spend(&Rat::from(&start), &Rat::from(divisor))?;
        self.spend(&Rat::from(&growth), &Rat::from(divisor))?;
        if divisor.is_zero() || !growth.is_multiple_of(divisor) {
            return Ok(Course::Open);
        }
        let (quotient, per_round) = (start.div_rem_euclid(divisor), growth.div_exact(divisor));
        Ok(match (op, quotient, per_round) {
            (Op::Mod, Some((_, rest)), _) => Course::Fixed(Value::Int(rest)),
            (_, Some((quotient, _)), Some(per_round)) => {
                course(sort, (Rat::from(quotient), Rat::from(per_round)))
            }
            _ => Course::Open,
        })
    }

    fn spend(&self, left: &Rat, right: &Rat) -> Result<(), String> {
        spend(left, right, self.meter)
    }
}

/// Counts the work of an operation on two numbers, and refuses long ones.
fn spend(left: &Rat, right: &Rat, meter: &Meter) -> Result<(), String> {
    let (left, right) = (left.bit_len(), right.bit_len());
    if left > MAX_BITS || right > MAX_BITS {
        return Err("a number becomes too long".to_owned());
    }
    meter.spend(4 + 4 * (1 + words_of(left)).saturating_mul(1 + words_of(right)))?;
    Ok(())
}

fn add(left: &Rat, right: &Rat, meter: &Meter) -> Result<Rat, String> {
    spend(left, right, meter)?;
    Ok(left + right)
}

fn mul(left: &Rat, right: &Rat, meter: &Meter) -> Result<Rat, String> {
    spend(left, right, meter)?;
    Ok(left * right)
}

/// A value as a number.
fn number(value: &Value) -> Option<Rat> {
    match value {
        Value::Int(value) => Some(Rat::from(value)),
        Value::Real(value) => Some(value.clone()),
        _ => None,
    }
}

/// What is a number in all rounds: its start and growth.
fn line(course: &Course) -> Option<(Rat, Rat)> {
    match course {
        Course::Fixed(value) => number(value).map(|start| (start, Rat::from(0))),
        Course::Linear(start, growth) => Some((start.clone(), growth.clone())),
        Course::Open => None,
    }
}

/// A number of this sort with a start and a growth, which may be zero.
fn course(sort: SortId, (start, growth): (Rat, Rat)) -> Course {
    if !growth.is_zero() {
        return Course::Linear(start, growth);
    }
    match (sort, start.to_int()) {
        (SortId::INT, Some(start)) => Course::Fixed(Value::Int(start)),
        (SortId::REAL, _) => Course::Fixed(Value::Real(start)),
        _ => Course::Open,
    }
}
