//! Conjunction, choice, quantification, replacement, and functions that agree where it matters.
//!
//! Whatever an operation still needs while it works on something else is held: see `room`.

use super::{Bdd, CONSTANT, Halt, OPERATION, Ref};
use alphorn_engine::Ctx;

const AND: u32 = 1 << OPERATION;
const CHOOSE: u32 = 2 << OPERATION;
const EXISTS: u32 = 3 << OPERATION;
const AND_EXISTS: u32 = 4 << OPERATION;
const RESTRICT: u32 = 5 << OPERATION;
/// The last operand of this one is the number of a set of replacements.
pub(super) const REPLACE: u32 = 6 << OPERATION;

type Made = Result<Ref, Halt>;

impl Bdd {
    /// The conjunction.
    pub(crate) fn and(&mut self, f: Ref, g: Ref, ctx: &mut Ctx<'_>) -> Made {
        if f == Ref::FALSE || g == Ref::FALSE || f == !g {
            return Ok(Ref::FALSE);
        }
        if f == Ref::TRUE || f == g {
            return Ok(g);
        }
        if g == Ref::TRUE {
            return Ok(f);
        }
        let (f, g) = (f.min(g), f.max(g));
        let key = [AND | f.0, g.0, 0];
        if let Some(result) = self.recall(key) {
            return Ok(result);
        }
        self.step(ctx)?;
        let level = self.level_of(f).min(self.level_of(g));
        let ((f1, f0), (g1, g0)) = (self.split(f, level), self.split(g, level));
        let high = self.and(f1, g1, ctx)?;
        self.held.push(high);
        let low = self.and(f0, g0, ctx)?;
        self.held.pop();
        let result = self.make(self.order[level as usize], high, low);
        self.remember(key, result);
        Ok(result)
    }

    /// The disjunction.
    pub(crate) fn or(&mut self, f: Ref, g: Ref, ctx: &mut Ctx<'_>) -> Made {
        Ok(!self.and(!f, !g, ctx)?)
    }

    /// `g` where `f` holds, `h` elsewhere.
    pub(crate) fn choose(&mut self, f: Ref, g: Ref, h: Ref, ctx: &mut Ctx<'_>) -> Made {
        if f.is_negated() {
            return self.choose(!f, h, g, ctx);
        }
        if f == Ref::TRUE || g == h {
            return Ok(g);
        }
        if g.is_constant() && h.is_constant() {
            return Ok(if g == Ref::TRUE { f } else { !f });
        }
        if g == Ref::FALSE {
            return self.and(!f, h, ctx);
        }
        if h == Ref::FALSE {
            return self.and(f, g, ctx);
        }
        if g == Ref::TRUE {
            return self.or(f, h, ctx);
        }
        if h == Ref::TRUE {
            return self.or(!f, g, ctx);
        }
        if g.is_negated() {
            return Ok(!self.choose(f, !g, !h, ctx)?);
        }
        let key = [CHOOSE | f.0, g.0, h.0];
        if let Some(result) = self.recall(key) {
            return Ok(result);
        }
        self.step(ctx)?;
        let level = self.level_of(f).min(self.level_of(g)).min(self.level_of(h));
        let ((f1, f0), (g1, g0)) = (self.split(f, level), self.split(g, level));
        let (h1, h0) = self.split(h, level);
        let high = self.choose(f1, g1, h1, ctx)?;
        self.held.push(high);
        let low = self.choose(f0, g0, h0, ctx)?;
        self.held.pop();
        let result = self.make(self.order[level as usize], high, low);
        self.remember(key, result);
        Ok(result)
    }

    /// The conjunction of variables, for quantification.
    pub(crate) fn cube(&mut self, vars: &[usize]) -> Ref {
        let mut vars: Vec<usize> = vars.to_vec();
        vars.sort_by_key(|var| std::cmp::Reverse(self.level[*var]));
        vars.iter().fold(Ref::TRUE, |cube, var| self.make(*var as u32, cube, Ref::FALSE))
    }

    /// The conjunction of variables and negations of some.
    pub(crate) fn literals(&mut self, literals: &[(usize, bool)]) -> Ref {
        let mut literals = literals.to_vec();
        literals.sort_by_key(|(var, _)| std::cmp::Reverse(self.level[*var]));
        literals.iter().fold(Ref::TRUE, |cube, (var, value)| match value {
            true => self.make(*var as u32, cube, Ref::FALSE),
            false => self.make(*var as u32, Ref::FALSE, cube),
        })
    }

    /// The rest of a cube from a level on.
    fn below(&self, mut cube: Ref, level: u32) -> Ref {
        while self.level_of(cube) < level {
            cube = self.nodes[cube.node()].high;
        }
        cube
    }

    /// Whether some values of the cube's variables make the function true.
    pub(crate) fn exists(&mut self, f: Ref, cube: Ref, ctx: &mut Ctx<'_>) -> Made {
        let level = self.level_of(f);
        let cube = self.below(cube, level);
        if f.is_constant() || cube == Ref::TRUE {
            return Ok(f);
        }
        let key = [EXISTS | f.0, cube.0, 0];
        if let Some(result) = self.recall(key) {
            return Ok(result);
        }
        self.step(ctx)?;
        let (f1, f0) = self.split(f, level);
        let high = self.exists(f1, cube, ctx)?;
        let is_gone = self.level_of(cube) == level;
        let result = if is_gone && high == Ref::TRUE {
            high
        } else {
            self.held.push(high);
            let low = self.exists(f0, cube, ctx)?;
            self.held.push(low);
            let made = match is_gone {
                true => self.or(high, low, ctx)?,
                false => self.make(self.order[level as usize], high, low),
            };
            self.held.truncate(self.held.len() - 2);
            made
        };
        self.remember(key, result);
        Ok(result)
    }

    /// Whether some values of the cube's variables make both functions true.
    pub(crate) fn and_exists(&mut self, f: Ref, g: Ref, cube: Ref, ctx: &mut Ctx<'_>) -> Made {
        if f == Ref::FALSE || g == Ref::FALSE || f == !g {
            return Ok(Ref::FALSE);
        }
        if f == Ref::TRUE || f == g {
            return self.exists(g, cube, ctx);
        }
        if g == Ref::TRUE {
            return self.exists(f, cube, ctx);
        }
        let (f, g) = (f.min(g), f.max(g));
        let level = self.level_of(f).min(self.level_of(g));
        let cube = self.below(cube, level);
        if cube == Ref::TRUE {
            return self.and(f, g, ctx);
        }
        let key = [AND_EXISTS | f.0, g.0, cube.0];
        if let Some(result) = self.recall(key) {
            return Ok(result);
        }
        self.step(ctx)?;
        let ((f1, f0), (g1, g0)) = (self.split(f, level), self.split(g, level));
        let high = self.and_exists(f1, g1, cube, ctx)?;
        let is_gone = self.level_of(cube) == level;
        let result = if is_gone && high == Ref::TRUE {
            high
        } else {
            self.held.push(high);
            let low = self.and_exists(f0, g0, cube, ctx)?;
            self.held.push(low);
            let made = match is_gone {
                true => self.or(high, low, ctx)?,
                false => self.make(self.order[level as usize], high, low),
            };
            self.held.truncate(self.held.len() - 2);
            made
        };
        self.remember(key, result);
        Ok(result)
    }

    /// A function that agrees with `f` wherever `care` holds, and is small if possible.
    pub(crate) fn restrict(&mut self, f: Ref, care: Ref, ctx: &mut Ctx<'_>) -> Made {
        if care.is_constant() || f.is_constant() {
            return Ok(f);
        }
        if f == care {
            return Ok(Ref::TRUE);
        }
        if f == !care {
            return Ok(Ref::FALSE);
        }
        let key = [RESTRICT | f.0, care.0, 0];
        if let Some(result) = self.recall(key) {
            return Ok(result);
        }
        self.step(ctx)?;
        let (top, cares) = (self.level_of(f), self.level_of(care));
        let result = if cares < top {
            let (c1, c0) = self.split(care, cares);
            let wide = self.or(c1, c0, ctx)?;
            self.held.push(wide);
            let made = self.restrict(f, wide, ctx)?;
            self.held.pop();
            made
        } else {
            let ((f1, f0), (c1, c0)) = (self.split(f, top), self.split(care, top));
            if c1 == Ref::FALSE {
                self.restrict(f0, c0, ctx)?
            } else if c0 == Ref::FALSE {
                self.restrict(f1, c1, ctx)?
            } else {
                let high = self.restrict(f1, c1, ctx)?;
                self.held.push(high);
                let low = self.restrict(f0, c0, ctx)?;
                self.held.pop();
                self.make(self.order[top as usize], high, low)
            }
        };
        self.remember(key, result);
        Ok(result)
    }

    /// What the function is where the variable has this value.
    pub(crate) fn with_value(
        &mut self,
        f: Ref,
        var: usize,
        value: bool,
        ctx: &mut Ctx<'_>,
    ) -> Made {
        let variable = self.variable(var);
        self.held.push(variable);
        let made = self.restrict(f, if value { variable } else { !variable }, ctx)?;
        self.held.pop();
        Ok(made)
    }

    /// The function with all variables replaced at once: `by` has a function for each that is, which is pinned or held.
    pub(crate) fn replace(&mut self, f: Ref, by: &[Option<Ref>], ctx: &mut Ctx<'_>) -> Made {
        self.generation += 1;
        let deepest = (0..by.len()).filter(|var| by[*var].is_some()).map(|var| self.level[var]);
        let deepest = deepest.max().unwrap_or(0);
        self.replaced(f, by, deepest, ctx)
    }

    fn replaced(&mut self, f: Ref, by: &[Option<Ref>], deepest: u32, ctx: &mut Ctx<'_>) -> Made {
        let level = self.level_of(f);
        if level == CONSTANT || level > deepest {
            return Ok(f);
        }
        let negate = f.is_negated();
        let f = f.xor(negate);
        let key = [REPLACE | f.0, 0, self.generation];
        if let Some(result) = self.recall(key) {
            return Ok(result.xor(negate));
        }
        self.step(ctx)?;
        let (f1, f0) = self.split(f, level);
        let high = self.replaced(f1, by, deepest, ctx)?;
        self.held.push(high);
        let low = self.replaced(f0, by, deepest, ctx)?;
        self.held.push(low);
        let var = self.order[level as usize];
        let condition = match by.get(var as usize).copied().flatten() {
            Some(by) => by,
            None => self.variable(var as usize),
        };
        self.held.push(condition);
        let result = self.choose(condition, high, low, ctx)?;
        self.held.truncate(self.held.len() - 3);
        self.remember(key, result);
        Ok(result.xor(negate))
    }
}
