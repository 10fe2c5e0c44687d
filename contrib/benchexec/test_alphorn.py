#!/usr/bin/env python3
"""The module about Alphorn, on real runs: `python3 contrib/benchexec/test_alphorn.py [ALPHORN]`.

Says that it is skipped where BenchExec is not installed.
"""
import os
import pathlib
import subprocess
import sys
import types

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent


def main():
    try:
        import benchexec.result as result
    except ImportError:
        print("skipped: BenchExec is not installed (pip install benchexec)")
        return
    sys.path.insert(0, str(HERE))
    from alphornbench.alphorn import Tool

    executable = sys.argv[1] if len(sys.argv) > 1 else "alphorn"
    cases = [
        ("examples/bounded_counter.smt2", [], result.RESULT_TRUE_PROP),
        ("examples/bounded_counter.smt2", ["--dialect", "horn"], "sat"),
        ("examples/lock.aag", [], result.RESULT_FALSE_PROP),
        ("examples/arbiter.aag", [], result.RESULT_TRUE_PROP),
        ("corpus/horn/shape/infinite_counter.smt2", ["--ticks", "10", "--engine", "forward"], result.RESULT_UNKNOWN),
        ("README.md", [], "input"),
        ("examples/lock.aag", ["--frob"], "options"),
    ]
    tool, wrong = Tool(), 0
    for file, options, expected in cases:
        limits = types.SimpleNamespace(walltime=None, cputime=60, memory=4 << 30, cpu_cores=2)
        task = types.SimpleNamespace(
            property_file=None, options={}, input_files_or_identifier=[str(ROOT / file)]
        )
        command = tool.cmdline(executable, options, task, limits)
        ran = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, env=os.environ)
        run = types.SimpleNamespace(
            cmdline=command,
            output=ran.stdout.splitlines(),
            exit_code=types.SimpleNamespace(value=ran.returncode),
        )
        said = tool.determine_result(run)
        is_right = said == expected
        wrong += not is_right
        print(f"{'ok' if is_right else 'WRONG':<6} {file} {' '.join(options)}: {said}")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
