#!/usr/bin/env python3
"""Alphorn as a generic solver of pySMT: the examples that pySMT brings along, and its usual ways of asking.

    python3 bench/pysmt_examples.py target/release/alphorn

Every example that is not about strings is asked for satisfiability and validity, in a process of its own
that is talked to command by command. Then one process is asked many things: assertions, levels, values. Each question has three seconds. Needs pySMT (`pip install pysmt`); a wrong answer makes it end with 1,
`unknown` is counted.
"""

import sys
import warnings

from pysmt.exceptions import SolverReturnedUnknownResultError, UnknownSolverAnswerError
from pysmt.logics import PYSMT_LOGICS
from pysmt.shortcuts import (
    BV, BVMul, BVType, BVUGT, And, ArrayType, Equals, FunctionType, ForAll, Function, GE, GT, Iff, INT,
    Implies, Int, LT, Not, Or, Plus, REAL, Real, Select, Solver, Store, Symbol, Times, get_env, reset_env,
)
from pysmt.test.examples import get_full_example_formulae

warnings.filterwarnings("ignore")
NAME = "alphorn"


def answer(formula, logic):
    """Whether a formula is satisfiable; None if the solver does not know."""
    with Solver(name=NAME, logic=logic) as solver:
        try:
            solver.add_assertion(formula)
            return solver.solve()
        except SolverReturnedUnknownResultError:
            return None
        except UnknownSolverAnswerError as error:
            print(error)
            return None


def examples():
    """pySMT's examples: how many answers there were, how many were unknown, and the wrong ones."""
    answers, unknown, wrong = 0, 0, []
    for number, example in enumerate(get_full_example_formulae()):
        # pySMT writes a bar in a name as SMT-LIB does not have it.
        has_bar = any("|" in symbol.symbol_name() for symbol in example.expr.get_free_variables())
        if example.logic.theory.strings or has_bar:
            continue
        asked = [(example.expr, example.is_sat), (Not(example.expr), not example.is_valid)]
        for formula, expected in asked:
            found = answer(formula, example.logic)
            answers += 1
            if found is None:
                unknown += 1
                print(f"unknown: {number} {example.logic}: {formula}")
            elif found != expected:
                wrong.append(f"{number} {example.logic}: {formula} is {found}")
    return answers, unknown, wrong


def value(solver, symbol):
    """The value of a symbol. pySMT leaves the end of the line, whichever the solver, and trips over it."""
    found = solver.get_value(symbol).simplify()
    assert found.is_constant(), found
    found = found.constant_value()
    solver.solver_stdout.readline()
    return found


def session():
    """One process, asked many things."""
    x, y, z = (Symbol(f"own_{name}", INT) for name in "xyz")
    r = Symbol("own_r", REAL)
    p, q = Symbol("own_p"), Symbol("odd name")
    word = Symbol("own_w", BVType(8))
    memory = Symbol("own_m", ArrayType(INT, INT))
    f = Symbol("own_f", FunctionType(INT, [INT]))
    logic = next(logic for logic in PYSMT_LOGICS if str(logic) == "QF_AUFBVLIRA")
    with Solver(name=NAME, logic=logic) as solver:
        solver.add_assertion(GT(x, Int(3)))
        assert solver.solve() and value(solver, x) > 3
        solver.push()
        solver.add_assertion(LT(x, Int(2)))
        assert not solver.solve()
        solver.pop()
        solver.push()
        solver.add_assertion(And(Iff(p, q), p))
        assert solver.solve() and value(solver, q) is True
        solver.add_assertion(Not(p))
        assert not solver.solve()
        solver.pop()
        for bound in range(4, 200):
            solver.push()
            solver.add_assertion(And(GT(y, Plus(x, Int(bound))), LT(z, y)))
            assert solver.solve()
            values = {symbol: value(solver, symbol) for symbol in (x, y, z)}
            assert values[y] > values[x] + bound and values[z] < values[y]
            if bound % 3:
                solver.pop()
        solver.add_assertion(Equals(Times(r, Real(3)), Real(1)))
        assert solver.solve() and str(value(solver, r)) == "1/3"
        solver.add_assertion(Equals(BVMul(word, BV(3, 8)), BV(1, 8)))
        assert solver.solve() and value(solver, word) == 171
        solver.add_assertion(BVUGT(word, BV(171, 8)))
        assert not solver.solve()
    with Solver(name=NAME, logic=logic) as solver:
        solver.add_assertion(Equals(Select(Store(memory, x, Int(5)), y), Function(f, [x])))
        solver.add_assertion(Not(Equals(Function(f, [x]), Int(5))))
        assert solver.solve() and value(solver, x) != value(solver, y)
        solver.add_assertion(Equals(x, y))
        assert not solver.solve()
    quantified = next(logic for logic in PYSMT_LOGICS if str(logic) == "UFLIRA")
    with Solver(name=NAME, logic=quantified) as solver:
        solver.add_assertion(ForAll([x], Implies(GE(x, Int(0)), GT(Function(f, [x]), x))))
        solver.add_assertion(Or(Equals(y, Int(7)), Equals(y, Int(9))))
        for _ in range(20):
            solver.push()
            solver.add_assertion(LT(Function(f, [y]), Int(3)))
            assert not solver.solve()
            solver.pop()


def main():
    executable = sys.argv[1] if len(sys.argv) > 1 else "alphorn"
    command = [executable, "smt", "-t:3000", "-"]
    get_env().factory.add_generic_solver(NAME, command, list(PYSMT_LOGICS))
    answers, unknown, wrong = examples()
    # The examples have a symbol that is called 10, for which pySMT takes the number afterwards.
    reset_env().factory.add_generic_solver(NAME, command, list(PYSMT_LOGICS))
    session()
    print(f"{answers} answers, {unknown} unknown, {len(wrong)} wrong")
    print("\n".join(wrong))
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
