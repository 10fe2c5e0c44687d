"""What the programs that compare alphorn with an oracle share: a folder of files, counts, errors, questions."""

import argparse
import json
import os
import subprocess
import tempfile


def arguments(description, count):
    """A command line with what all of them take."""
    parser = argparse.ArgumentParser(description=description,
                                     formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--count", type=int, default=count)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--alphorn", default="target/release/alphorn")
    parser.add_argument("--keep")
    return parser


def by_cvc5(text, with_model=False):
    """cvc5's answer to the question of a script, within two seconds; unknown if it is not there. If the model matters, `sat` is
    `otherwise` where its model makes an assertion false, or constants different that have one value."""
    try:
        import cvc5
    except ImportError:
        return "unknown"
    terms = cvc5.TermManager()
    solver = cvc5.Solver(terms)
    solver.setOption("tlimit-per", "2000")
    solver.setOption("produce-models", "true")
    parser = cvc5.InputParser(solver)
    parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, text, "question")
    symbols, answer = parser.getSymbolManager(), "unknown"
    while not (command := parser.nextCommand()).isNull():
        answer = command.invoke(solver, symbols).strip() or answer
    if with_model and answer == "sat":
        constants = [(term, str(solver.getValue(term))) for term in symbols.getDeclaredTerms() if not term.getSort().isFunction()]
        pairs = [(one, other) for one, value in constants for other, same in constants
                 if value == same and one.getSort() == other.getSort()]
        said = solver.getAssertions() + [terms.mkTerm(cvc5.Kind.EQUAL, one, other) for one, other in pairs]
        return "sat" if all(solver.getValue(term).getBooleanValue() for term in said) else "otherwise"
    return answer


class Harness:
    def __init__(self, args, name, counts):
        self.args, self.errors = args, 0
        self.folder = args.keep or tempfile.mkdtemp(prefix=f"alphorn-{name}-")
        os.makedirs(self.folder, exist_ok=True)
        self.count = dict.fromkeys(counts, 0)

    def error(self, message):
        self.errors += 1
        print("ERROR", message, flush=True)

    def run(self, *command):
        return subprocess.run([self.args.alphorn, *command], capture_output=True, text=True,
                              errors="replace")

    def answers(self, path, *options):
        """The answers about a file, as objects, and whether the run ended as it should."""
        done = self.run("--json", path, *options)
        lines = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
        answers = [line for line in lines if line["kind"] == "answer"]
        is_sound = done.returncode in (0, 1, 2) and bool(answers)
        if not is_sound:
            self.error(f"{path}: exit {done.returncode}: {(done.stdout + done.stderr)[:400]}")
        for answer in answers:
            for attempt in answer["attempts"]:
                if "fault of ours" in attempt["ended"]:
                    self.error(f"{path}: {attempt['engine']}: {attempt['ended'][:300]}")
        return answers, is_sound

    def all(self):
        """Tries one problem after the other (`one`); the exit code."""
        for seed in range(self.args.seed, self.args.seed + self.args.count):
            self.one(seed)
        print(self.count, f"{self.errors} errors")
        return 1 if self.errors else 0
