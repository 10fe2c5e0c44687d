"""What a user of the module relies on: verdicts, evidence, events, interrupts, pickles."""

from __future__ import annotations

import os
import pickle
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

import alphorn as al

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
COUNTER = EXAMPLES / "bounded_counter.smt2"

#: The second number is the square of the first, and never this one, which nobody here can say of all squares.
HARD = """(set-logic HORN)(declare-fun p (Int Int) Bool)
(assert (p 0 0))
(assert (forall ((x Int) (y Int)) (=> (p x y) (p (+ x 1) (+ y x x 1)))))
(assert (forall ((x Int) (y Int)) (=> (and (p x y) (= y 1000000000007)) false)))(check-sat)"""


def counter(limit: int) -> al.Horn:
    h = al.Horn()
    inv = h.predicate("inv", al.Int)
    x = h.var("x", al.Int)
    h.add(inv(0))
    h.add(inv(x) & (x < 10), inv(x + 1))
    h.query(inv(x) & (x > limit))
    return h


def test_a_safe_file_has_a_model_and_evidence_that_is_accepted_again(tmp_path: Path) -> None:
    answer = al.decide(COUNTER)
    assert answer.verdict == "safe" and bool(answer)
    assert "counter" in answer.model()
    answer.evidence.save(tmp_path / "counter.ev")
    assert "SAFE" in al.check(COUNTER, tmp_path / "counter.ev")
    assert "SAFE" in answer.check()


def test_evidence_that_was_changed_is_refused() -> None:
    evidence = al.decide(COUNTER).evidence
    changed = evidence.text.replace("10", "11", 1)
    assert changed != evidence.text
    with pytest.raises(al.Refused) as refused:
        al.check(COUNTER, al.Evidence(changed))
    assert refused.value.was_read


def test_evidence_about_another_problem_is_no_evidence() -> None:
    with pytest.raises((al.Refused, al.InputError)):
        al.check(EXAMPLES / "midpoint.smt2", al.decide(COUNTER).evidence)


def test_an_unsafe_file_has_a_derivation() -> None:
    answer = al.decide(EXAMPLES / "midpoint.smt2")
    assert answer.verdict == "unsafe" and not answer
    assert answer.tree()[-1]["premises"]


def test_a_file_with_several_properties_has_several_answers() -> None:
    answers = al.decide(EXAMPLES / "arbiter.aag")
    verdicts = [one.verdict for one in answers] if isinstance(answers, list) else [answers.verdict]
    assert verdicts and "unknown" not in verdicts


def test_termination_is_asked_by_name() -> None:
    assert al.decide(EXAMPLES / "gcd.c", asked="termination").verdict == "safe"


def test_errors_say_where_they_are() -> None:
    text = "(set-logic HORN)\n(assert (p 1))\n"
    with pytest.raises(al.InputError) as wrong:
        al.decide(text=text)
    assert any(one.line == 2 for one in wrong.value.diagnostics)
    assert [one.line for one in al.read(text=text)][:1] == [2]
    assert al.read(COUNTER) == []
    with pytest.raises(OSError):
        al.decide("no-such-file.smt2")
    with pytest.raises(al.InputError):
        al.decide(COUNTER, engine="no-such-engine")
    with pytest.raises(TypeError):
        al.decide()


def test_clauses_are_written_in_python() -> None:
    assert counter(10).check() == "safe"
    answer = counter(9).decide()
    assert answer.verdict == "unsafe"
    assert len(answer.tree()) == 12


def test_words_arrays_and_conditions_have_their_operators() -> None:
    h = al.Horn()
    word = al.BitVec(8)
    p = h.predicate("p", word, al.Array(al.Int, al.Int), al.Bool)
    w, a, b = h.var("w", word), h.var("a", al.Array(al.Int, al.Int)), h.var("b", al.Bool)
    h.add(a[0] == 7, p(250, a, True))
    h.add(p(w, a, b), p(al.If(b, w + 1, w), a.store(1, 8), ~b))
    h.query(p(w, a, b) & al.Or(a[0] != 7, al.And(w == 249, ~b & b)))
    assert h.check() == "safe"
    with pytest.raises(TypeError):
        p(1, a)
    with pytest.raises(TypeError):
        bool(w == 1)


def test_unknown_is_no_truth_value() -> None:
    answer = al.decide(text=HARD, time=0.2)
    assert answer.verdict == "unknown" and answer.evidence is None
    with pytest.raises(al.Unknown):
        bool(answer)


def test_events_come_while_it_runs_and_closing_ends_the_run() -> None:
    seen = list(al.run(COUNTER))
    assert isinstance(seen[-1], al.Answer)
    assert all(isinstance(one, (dict, al.Answer)) for one in seen)
    begun = time.monotonic()
    running = al.run(text=HARD, time=600)
    next(running)
    running.close()
    assert time.monotonic() - begun < 60


def test_other_threads_go_on_while_it_runs() -> None:
    turns = 0
    done = threading.Event()

    def turn() -> None:
        nonlocal turns
        while not done.is_set():
            turns += 1
            time.sleep(0.001)

    thread = threading.Thread(target=turn)
    thread.start()
    al.decide(text=HARD, time=1)
    done.set()
    thread.join()
    assert turns > 20


def test_an_interrupt_ends_a_run() -> None:
    # Who starts tests in the background may have interrupts ignored.
    heard = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler); "
    program = f"{heard}import alphorn; alphorn.decide(text={HARD!r}, time=600)"
    process = subprocess.Popen([sys.executable, "-c", program], stderr=subprocess.PIPE)
    time.sleep(3)
    begun = time.monotonic()
    process.send_signal(signal.SIGINT)
    _, error = process.communicate(timeout=60)
    assert b"KeyboardInterrupt" in error, error
    assert time.monotonic() - begun < 30


def test_a_pickled_answer_is_checked_when_it_is_loaded() -> None:
    answer = al.decide(COUNTER)
    again = pickle.loads(pickle.dumps(answer))
    assert (again.verdict, again.evidence.text) == (answer.verdict, answer.evidence.text)
    answer.data["evidence_text"] = answer.evidence.text.replace("10", "11", 1)
    with pytest.raises(al.Refused):
        pickle.loads(pickle.dumps(answer))
    answer.data["verdict"] = "unsafe"
    answer.data["evidence_text"] = again.evidence.text
    with pytest.raises(al.Refused):
        pickle.loads(pickle.dumps(answer))


def test_formulas_are_satisfied_or_refuted() -> None:
    s = al.Solver(logic="QF_LIA")
    x, y = al.const("x", al.Int), al.const("y", al.Int)
    s.add(x + y == 10)
    s.push()
    s.add(x > y, y > 3)
    assert s.check() == "sat"
    values = s.model()
    assert int(values["x"]) + int(values["y"]) == 10
    assert s.value(x + y) == "10"
    s.pop()
    s.add_named("low", x < 3)
    s.add_named("high", y < 3)
    assert s.check() == "unsat"
    assert sorted(s.core()) == ["high", "low"]
    assert "proof" in s.proof()
    with pytest.raises(al.InputError):
        s.model()
    with pytest.raises(IndexError):
        s.pop()


def test_models_go_to_z3() -> None:
    z3 = pytest.importorskip("z3")
    params, body = al.decide(COUNTER).model().to_z3()["counter"]
    solver = z3.Solver()
    solver.add(z3.Not(z3.substitute(body, (params[0], z3.IntVal(0)))))
    assert solver.check() == z3.unsat
    solver = z3.Solver()
    solver.add(body, params[0] > 10)
    assert solver.check() == z3.unsat


def test_models_go_to_pysmt() -> None:
    pytest.importorskip("pysmt")
    from pysmt.shortcuts import Int

    params, body = al.decide(COUNTER).model().to_pysmt()["counter"]
    assert body.substitute({params[0]: Int(0)}).simplify().is_true()
    assert body.substitute({params[0]: Int(11)}).simplify().is_false()


def test_the_command_comes_along() -> None:
    run = subprocess.run([sys.executable, "-m", "alphorn", str(COUNTER)], capture_output=True, text=True)
    assert run.returncode == 0 and "SAFE" in run.stdout, run
    run = subprocess.run([sys.executable, "-m", "alphorn", "--version"], capture_output=True, text=True)
    assert al.__version__ in run.stdout


def test_batches_of_the_command_run_it_again(tmp_path: Path) -> None:
    (tmp_path / "list").write_text(f"{COUNTER}\n")
    words = [sys.executable, "-m", "alphorn", "batch", str(tmp_path / "list"), "--out", str(tmp_path / "out")]
    run = subprocess.run(words, capture_output=True, text=True, env={**os.environ})
    assert run.returncode == 0, run
