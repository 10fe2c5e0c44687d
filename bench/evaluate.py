"""Evidence about Horn systems, held against the script as Z3's Python package reads it.

`derivation` looks at every step of a derivation: its conclusion must follow from the conclusions of its
premises by one of the script's assertions. `shapes` looks at an assertion under definitions that Z3 cannot
decide because of recursive functions: trees get random shapes with open numbers in them, and for each
shape the assertion must hold. Nothing of this program is used but the text of its evidence.
"""

import random
import re

import z3

HOLDS, FAILS, OPEN = "holds", "fails", "open"


def opened(formula):
    """An assertion without its outer quantifiers: the variables, and what is below."""
    variables = []
    while z3.is_quantifier(formula) and formula.is_forall():
        own = [z3.FreshConst(formula.var_sort(k), "v") for k in range(formula.num_vars())]
        formula = z3.substitute_vars(formula.body(), *reversed(own))
        variables += own
    return variables, formula


def clause(formula):
    """An assertion as its body and its head, which is None for a query."""
    _, inner = opened(formula)
    bodies = []
    while z3.is_implies(inner):
        bodies.append(inner.arg(0))
        _, inner = opened(inner.arg(1))
    if z3.is_false(inner):
        return z3.And(*bodies), None
    if z3.is_not(inner):
        return z3.And(*bodies, inner.arg(0)), None
    if z3.is_or(inner):
        parts = inner.children()
        heads = [part for part in parts if is_atom(part)]
        rest = [z3.Not(part) for part in parts if not is_atom(part)]
        return z3.And(*bodies, *rest), heads[0] if heads else None
    return z3.And(*bodies), inner


def is_atom(term):
    """Whether a term is a predicate of the script with its arguments."""
    return z3.is_app(term) and term.decl().kind() == z3.Z3_OP_UNINTERPRETED and z3.is_bool(term)


def under(term, facts, seen):
    """A body with the facts that there are in the place of its atoms."""
    if term.get_id() in seen:
        return seen[term.get_id()][1]
    made = term
    if is_atom(term) and term.decl().name() in facts:
        same = [z3.And(*[a == b for a, b in zip(term.children(), fact)]) if fact else z3.BoolVal(True)
                for fact in facts[term.decl().name()]]
        made = z3.Or(*same)
    elif z3.is_app(term) and term.num_args():
        children = [under(child, facts, seen) for child in term.children()]
        connective = z3.And if z3.is_and(term) else z3.Or if z3.is_or(term) else term.decl()
        made = connective(*children)
    seen[term.get_id()] = (term, made)
    return made


def decided(formula, milliseconds):
    """What Z3 says about a formula."""
    solver = z3.Solver(ctx=formula.ctx)
    solver.set("timeout", milliseconds)
    solver.add(formula)
    return str(solver.check())


TOKEN = re.compile(r'\|[^|]*\||"[^"]*"|;[^\n]*|[()]|[^\s()]+')


def parse(text):
    stack = [[]]
    for token in TOKEN.findall(text):
        if token == "(":
            stack.append([])
        elif token == ")":
            if len(stack) > 1:
                done = stack.pop()
                stack[-1].append(done)
        elif not token.startswith(";"):
            stack[-1].append(token)
    return stack[0]


def show(tree):
    return tree if isinstance(tree, str) else "(" + " ".join(map(show, tree)) + ")"


def step_of(step):
    """A step as `replay` takes it."""
    what, premises = step[2], list(map(int, step[-1][1:]))
    if what[0] != "progression":
        return int(what[1]), list(map(show, step[3][1:])), premises
    member = lambda part: (int(part[1][1]), list(map(show, part[2][1:])), list(map(show, part[3][1:])))
    return int(what[1]), list(map(member, what[2:])), premises


def numbered(text):
    """The steps of a derivation as `replay` takes them."""
    tree = next(part for part in parse(text) if isinstance(part, list) and part[0] == "derivation")
    return list(map(step_of, tree[1:]))


STEP = re.compile(r"^\s*\(step (\d+) \(clause \d+\).*\(premises([ \d]*)\)\)\s*\)?\s*; (.*)$")


DECLARED = re.compile(r"\(declare-fun\s+(\|[^|]*\||[^\s()|]+)")


def plain(name):
    """A symbol without bars."""
    return name.strip("|")


def steps(text):
    """The steps of a derivation as printed: their premises, and their conclusions as text."""
    found = []
    for line in text.splitlines():
        match = STEP.match(line)
        if match:
            conclusion = re.sub(r"^\(([^\s()|]+|\|[^|]*\|)\)$", r"\1", match[3].strip())
            found.append((list(map(int, match[2].split())), conclusion))
    return found


def derivation(script, text, milliseconds=2000):
    """How many steps of a derivation hold, fail and are open; `script` without commands that ask. One with
    progressions is judged as a whole, by the numbers of its clauses."""
    if "(progression" in text:
        told = numbered(text)
        said = {True: HOLDS, False: FAILS, None: OPEN}[replay(script, told, milliseconds)]
        return dict.fromkeys([HOLDS, FAILS, OPEN], 0) | {said: len(told)}
    formulas = list(z3.parse_smt2_string(script))
    clauses = [clause(formula) for formula in formulas]
    found = steps(text)
    counts = dict.fromkeys([HOLDS, FAILS, OPEN], 0)
    if not found or found[-1][1] != "false":
        counts[FAILS] += 1
        return counts
    facts = []
    for _, conclusion in found:
        if conclusion == "false":
            facts.append(None)
            continue
        fact = z3.parse_smt2_string(script + f"\n(assert {conclusion})")[-1]
        facts.append((fact.decl().name(), fact.children()))
    names = {plain(name) for name in DECLARED.findall(script)}
    for (premises, _), fact in zip(found, facts):
        known = {name: [] for name in names}
        for premise in premises:
            known[facts[premise][0]].append(facts[premise][1])
        answers = set()
        for body, head in clauses:
            if (head is None) != (fact is None) or head is not None and head.decl().name() != fact[0]:
                continue
            same = [] if head is None else [a == b for a, b in zip(head.children(), fact[1])]
            answers.add(decided(z3.And(*same, under(body, known, {})), milliseconds))
            if "sat" in answers:
                break
        counts[HOLDS if "sat" in answers else OPEN if "unknown" in answers else FAILS] += 1
    return counts


def instance(formula, values):
    """The body and the head of an assertion with values in the place of its variables."""
    variables, inner = opened(formula)
    same = list(zip(variables, values))
    return clause(z3.substitute(inner, *same) if same else inner)


def replay(script, found, milliseconds=2000):
    """Whether steps derive false, where clauses are the assertions of a script, by number, and values are text;
    None if Z3 cannot tell. A step is (clause, values, premises) or (rounds, members, premises), where a member
    is (clause, values, growth), the growth that of its numbers."""
    formulas = list(z3.parse_smt2_string(script))
    names = {plain(name) for name in DECLARED.findall(script)}
    value = lambda text: z3.parse_smt2_string(script + f"\n(assert (= {text} {text}))")[-1].arg(0)

    def holds(body, facts):
        known = {name: [] for name in names}
        for name, arguments in facts:
            known[name].append(arguments)
        return decided(z3.Not(under(body, known, {})), milliseconds)

    def concluded(head):
        return None if head is None else (head.decl().name(), head.children())

    facts = []
    for first, second, premises in found:
        given = [facts[premise] for premise in premises]
        if isinstance(second[0] if second else "", str):
            body, head = instance(formulas[first], list(map(value, second)))
            said, conclusion = holds(body, given), concluded(head)
        else:
            said, conclusion = progression(formulas, value, first, second, given, holds, concluded)
        if said != "unsat":
            return False if said == "sat" else None
        facts.append(conclusion)
    return facts[-1:] == [None]


def progression(formulas, value, rounds, members, given, holds, concluded):
    """What Z3 says against a progression, and its last conclusion: the first round follows from the premises, and
    any later one from these and the round before, whichever it is."""
    later = z3.FreshInt("round")

    def at(round_):
        made = []
        for number, values, growth in members:
            terms, growth = [], iter(map(value, growth))
            for start in map(value, values):
                if z3.is_real(start):
                    start = start + next(growth) * z3.ToReal(round_)
                elif z3.is_int(start):
                    start = start + next(growth) * round_
                terms.append(start)
            made.append(instance(formulas[number], terms))
        return made

    def refuted(made, known, condition):
        known = list(known)
        for body, head in made:
            said = holds(z3.Or(z3.Not(condition), body), known)
            if said != "unsat" or head is None:
                return said if head is not None else "sat"
            known.append(concluded(head))
        return "unsat"

    if rounds < 1 or not members:
        return "sat", None
    first = refuted(at(z3.IntVal(0)), given, z3.BoolVal(True))
    if first != "unsat":
        return first, None
    before = [concluded(head) for _, head in at(later - 1)]
    next_ = refuted(at(later), given + before, z3.And(1 <= later, later < rounds))
    name, arguments = concluded(at(z3.IntVal(rounds - 1))[-1][1])
    return next_, (name, [z3.simplify(argument) for argument in arguments])


def grown(sort, rng, depth):
    """A tree of a random shape, with open values for what is no tree."""
    if sort.kind() != z3.Z3_DATATYPE_SORT:
        return z3.FreshConst(sort, "open")
    constructors = [sort.constructor(k) for k in range(sort.num_constructors())]
    recursive = lambda made: any(made.domain(k) == sort for k in range(made.arity()))
    fitting = [made for made in constructors if depth > 0 or not recursive(made)] or constructors
    made = rng.choice(fitting)
    if depth < -6:
        return z3.FreshConst(sort, "open")
    return made(*[grown(made.domain(k), rng, depth - 1) for k in range(made.arity())])


def shapes(script, count, seed=0, milliseconds=1000):
    """Whether the last assertion of a script, which is about definitions, holds for random shapes."""
    # Recursive functions stay defined in a context.
    formula = list(z3.parse_smt2_string(script, ctx=z3.Context()))[-1]
    variables, inner = opened(formula)
    rng = random.Random(seed)
    counts = dict.fromkeys([HOLDS, FAILS, OPEN], 0)
    for _ in range(count):
        trees = [(variable, grown(variable.sort(), rng, rng.choice([0, 1, 2, 3]))) for variable in variables
                 if variable.sort().kind() == z3.Z3_DATATYPE_SORT]
        said = decided(z3.Not(z3.substitute(inner, *trees) if trees else inner), milliseconds)
        counts[{"unsat": HOLDS, "sat": FAILS}.get(said, OPEN)] += 1
    return counts
