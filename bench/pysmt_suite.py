#!/usr/bin/env python3
"""pySMT's own test-suite with Alphorn as its only solver, behind the name `alphorn-smt`.

    python3 bench/pysmt_suite.py target/release/alphorn [-v]
    python3 bench/pysmt_suite.py --peer "z3 -in -smt2"

Runs pySMT's tests of generic solvers and those of its tests that ask whichever solvers there are, about Booleans,
integers, bit-vectors, reals and uninterpreted functions. Counts what passed, failed and was skipped, with the last
line of each failure. With `--peer` another solver stands behind the same pipe: what fails there too is pySMT's. Needs pySMT (`pip install pysmt`); ends with 1 if a failure is not among those that are
explained below, and says so and ends with 0 where pySMT is not installed.
"""

import importlib
import io
import os
import shutil
import stat
import sys
import tempfile
import unittest
import warnings

os.environ["PYSMT_SOLVER"] = "alphorn"
warnings.filterwarnings("ignore")
try:
    import pysmt.test
    from pysmt.logics import QF_BOOL, QF_UFBV, QF_UFLIA, QF_UFLIRA, QF_UFLRA
    from pysmt.shortcuts import get_env
except ImportError:
    print("skipped: pySMT is not installed")
    sys.exit(0)

LOGICS = [QF_BOOL, QF_UFLIA, QF_UFLRA, QF_UFLIRA, QF_UFBV]
MODULES = [
    "test_solving", "test_int", "test_bv", "test_euf", "test_lira", "test_models", "test_eager_model",
    "test_regressions", "test_constants", "test_sorts", "test_bv_simplification", "test_env",
    "smtlib.test_smtlibscript",
]
# Tests that fail for a reason that is not the solver's, and the reason.
ASSUMPTIONS = "pySMT's generic solver takes no assumptions"
OPTIONS = "the error of a generic solver is another exception than the test wants"
BACKSLASH = "pySMT writes a backslash between bars, which SMT-LIB has not"
EXPLAINED = {
    "test_examples": BACKSLASH,
    "test_examples_by_logic": BACKSLASH,
    "test_solving_under_assumption": ASSUMPTIONS,
    "test_solving_under_assumption_mixed": ASSUMPTIONS,
    "test_solving_under_assumption_theory": ASSUMPTIONS,
    "test_add_assertion": OPTIONS,
    "test_solver_options": OPTIONS,
    "test_conversion_error": OPTIONS,
    "test_examples_get_implicant": "pySMT: infix notation is off",
    "test_get_value_of_function": "pySMT's reader of replies to get-value; so with Z3",
    "test_get_value_of_function_bool": "pySMT: infix notation is off; so with Z3",
    "test_solver_factory_preferences": "this script has put its solver first in the list that the test compares",
    "test_incremental": "pySMT uses declarations after reset-assertions, which takes them back (SMT-LIB 2.6)",
}


def register(command):
    """Makes every environment know the solver."""
    def add(env):
        if "alphorn" not in env.factory.all_solvers():
            env.factory.add_generic_solver("alphorn", command, LOGICS)
            env.factory.set_solver_preference_list(["alphorn"])

    add(get_env())
    plain = pysmt.test.TestCase.setUp

    def set_up(self):
        plain(self)
        add(self.env)

    pysmt.test.TestCase.setUp = set_up


def generic(folder, command):
    """pySMT's tests of generic solvers, which look for scripts beside them."""
    package = os.path.dirname(importlib.import_module("pysmt.test.smtlib").__file__)
    shutil.copy(os.path.join(package, "test_generic_wrapper.py"), os.path.join(folder, "generic_wrapper.py"))
    os.mkdir(os.path.join(folder, "bin"))
    script = os.path.join(folder, "bin", "alphorn.solver.sh")
    with open(script, "w") as out:
        out.write("#!/bin/sh\nexec {}\n".format(" ".join(f"'{word}'" for word in command)))
    os.chmod(script, os.stat(script).st_mode | stat.S_IXUSR)
    sys.path.insert(0, folder)
    return importlib.import_module("generic_wrapper")


def main():
    with tempfile.TemporaryDirectory() as folder:
        if sys.argv[1] == "--peer":
            command = sys.argv[2].split()
        else:
            command = [os.path.join(folder, "alphorn-smt"), "-in"]
            os.symlink(os.path.abspath(sys.argv[1]), command[0])
        register(command)
        modules = [generic(folder, command)]
        modules += [importlib.import_module(f"pysmt.test.{name}") for name in MODULES]
        sums = [0, 0, 0]
        unexplained = 0
        for module in modules:
            suite = unittest.defaultTestLoader.loadTestsFromModule(module)
            quiet = io.StringIO()
            result = unittest.TextTestRunner(stream=quiet, verbosity=0).run(suite)
            failed = result.failures + result.errors
            skipped = len(result.skipped)
            passed = result.testsRun - len(failed) - skipped
            sums = [a + b for a, b in zip(sums, [passed, len(failed), skipped])]
            print(f"{module.__name__.removeprefix('pysmt.test.'):32} {passed:4} passed {len(failed):3} failed "
                  f"{skipped:3} skipped", flush=True)
            for test, text in failed:
                last = [line for line in text.strip().splitlines() if line.strip()][-1]
                why = EXPLAINED.get(test.id().rsplit(".", 1)[-1])
                unexplained += why is None
                print(f"    {test.id().rsplit('.', 1)[-1]}: {why or last[:200]}", flush=True)
                if "-v" in sys.argv:
                    print(text)
        print("all: {} passed, {} failed, {} skipped".format(*sums))
    return 1 if unexplained else 0


if __name__ == "__main__":
    sys.exit(main())
