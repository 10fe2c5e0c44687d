"""Alphorn in the Horn competition; goes into `tooldefs/` of the competition's repository."""

import benchexec.result as result
import benchexec.tools.template


class Tool(benchexec.tools.template.BaseTool2):
    """How Alphorn is called."""

    REQUIRED_PATHS = ["alphorn", "LICENSE"]

    def executable(self, tool_locator):
        return tool_locator.find_executable("alphorn-horn")

    def name(self):
        return "Alphorn"

    def version(self, executable):
        return self._version_from_tool(executable, line_prefix="alphorn")

    def cmdline(self, executable, options, task, rlimits):
        own = list(options)
        if rlimits.cputime or rlimits.walltime:
            # An answer needs a moment to be printed.
            own += ["--time", f"{max(1, int(rlimits.walltime or rlimits.cputime) - 5)}s"]
        if rlimits.memory:
            own += ["--memory", f"{int(rlimits.memory * 0.9) // (1 << 20)}M"]
        if rlimits.cpu_cores:
            own += ["--threads", str(rlimits.cpu_cores)]
        return [executable, *own, task.single_input_file]

    def determine_result(self, run):
        words = {"sat": result.RESULT_TRUE_PROP, "unsat": result.RESULT_FALSE_PROP}
        found = [words[line.strip()] for line in run.output if line.strip() in words]
        return found[-1] if found else result.RESULT_UNKNOWN
