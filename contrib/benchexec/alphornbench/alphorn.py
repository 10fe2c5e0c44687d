"""Alphorn in BenchExec: `<benchmark tool="alphornbench.alphorn">`, with contrib/benchexec on PYTHONPATH.

The answer is taken from the JSON object that the run prints, so that no words are parsed. Tasks of SV-COMP are given
their property; everything else is decided as it is. With the option `--dialect horn` in the benchmark definition the
results are those of Horn solvers (`sat` is safe), as CHC-COMP has them.
"""
import json

import benchexec.result as result
import benchexec.tools.template


class Tool(benchexec.tools.template.BaseTool2):
    """How Alphorn is called, and what its answers are."""

    def executable(self, tool_locator):
        return tool_locator.find_executable("alphorn")

    def name(self):
        return "Alphorn"

    def version(self, executable):
        return self._version_from_tool(executable, line_prefix="alphorn")

    def cmdline(self, executable, options, task, rlimits):
        own = list(options) + ["--json"]
        if rlimits.walltime or rlimits.cputime:
            own += ["--time", f"{rlimits.walltime or rlimits.cputime}s"]
        if rlimits.memory:
            # What is measured is the whole process, so that some is left for it.
            own += ["--memory", f"{int(rlimits.memory * 0.9) // (1 << 20)}M"]
        if rlimits.cpu_cores:
            own += ["--threads", str(rlimits.cpu_cores)]
        if task.property_file:
            own += ["--property", task.property_file]
        model = (task.options or {}).get("data_model")
        if model:
            own += ["--data-model", model.lower()]
        return [executable] + own + ["--"] + list(task.input_files_or_identifier)

    def determine_result(self, run):
        as_horn = any(
            run.cmdline[at : at + 2] == ["--dialect", "horn"] for at in range(len(run.cmdline))
        )
        verdicts = []
        for line in run.output:
            if line.startswith("{"):
                try:
                    answer = json.loads(line)
                except ValueError:
                    continue
                if answer.get("kind") == "answer":
                    verdicts.append(answer)
        if not verdicts:
            code = run.exit_code.value
            words = {3: "options", 4: "input", 5: result.RESULT_UNKNOWN + " (not treated)", 7: "fault"}
            return result.RESULT_ERROR if code is None else words.get(code, result.RESULT_ERROR)
        names = {answer["verdict"] for answer in verdicts}
        if "unsafe" in names:
            if as_horn:
                return "unsat"
            violated = next(a.get("violated") for a in verdicts if a["verdict"] == "unsafe")
            return f"{result.RESULT_FALSE_PROP}({violated})" if violated else result.RESULT_FALSE_PROP
        if names == {"safe"}:
            return "sat" if as_horn else result.RESULT_TRUE_PROP
        return result.RESULT_UNKNOWN
