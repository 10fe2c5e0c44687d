#!/usr/bin/env python3
"""Random C programs: how they run here against what a compiler makes of them.

    fuzz/random_c.py [--count 20000] [--seed 0] [--batch 100] [--run PATH] [--cc gcc] [--keep DIR]

Programs come from testkit and are run by its example (`cargo build -p alphorn-testkit --example c_run`).
A batch of them is compiled with -O0 -fwrapv, every program runs in a process of its own, and its checksum must
be the one that our run returns. A program that is undefined here must be stopped by a sanitizer (for shifts,
division, bounds, addresses) or by the machine; in every tenth batch one that is defined here must not be.
Only LP64 is compared: a 32-bit libc is seldom installed.
Differences are errors; a smallest program with the difference is kept.

    fuzz/random_c.py --asserting [--count 5000] [--seed 0] [--alphorn PATH] [--time 2] [--cpu SECONDS]

Programs that ask for two values of three bits at most, and assert. All their runs are tried by what the compiler
makes of them; alphorn must not say safe of one that fails or unsafe of one that does not, and the
harness of every violation that it finds must fail when it is compiled. With --cpu alphorn is stopped after so many
seconds of processor time, and --time is only the end of waiting: so others may work on the machine.
"""

import os
import re
import resource
import signal
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from harness import arguments  # noqa: E402

DRIVER = """
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>
typedef unsigned long (*entry)(void);
static struct { const char *name; entry run; } all[] = { %s };
int main(void) {
  for (unsigned i = 0; i < sizeof all / sizeof *all; i++) {
    fflush(stdout);
    int child = fork(), status;
    if (child == 0) { alarm(10); printf("%%s %%lu\\n", all[i].name, all[i].run()); fflush(stdout); _exit(0); }
    waitpid(child, &status, 0);
    if (status != 0) printf("%%s crashed\\n", all[i].name);
  }
}
"""
# Tries all values that a program may ask for; prints how many of 64 runs fail, and how many end otherwise.
ASSERTING = """
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>
static unsigned char inputs[2]; static int at;
unsigned char __VERIFIER_nondet_uchar(void) { return inputs[at++]; }
void reach_error(void) { _exit(66); }
typedef int (*entry)(void);
static struct { const char *name; entry run; } all[] = { %s };
int main(void) {
  for (unsigned i = 0; i < sizeof all / sizeof *all; i++) {
    int failed = 0, odd = 0;
    for (int x = 0; x < 64; x++) {
      int status, child = fork();
      if (child == 0) { alarm(10); inputs[0] = x & 7; inputs[1] = x >> 3; all[i].run(); _exit(0); }
      waitpid(child, &status, 0);
      if (WIFEXITED(status) && WEXITSTATUS(status) == 66) failed++; else if (status != 0) odd++;
    }
    printf("%%s %%d %%d\\n", all[i].name, failed, odd); fflush(stdout);
  }
}
"""
# Overflow is not among them: it wraps, here and there.
SANITIZERS = ["-fsanitize=shift-exponent,integer-divide-by-zero,bounds,null,address",
              "-fno-sanitize-recover=all"]


def lines(output):
    return dict(line.split(" ", 1) for line in output.splitlines() if " " in line)


class Comparison:
    def __init__(self, args):
        self.args = args
        self.folder = args.keep or tempfile.mkdtemp(prefix="alphorn-c-")
        os.makedirs(self.folder, exist_ok=True)
        self.count = {"equal": 0, "undefined": 0}
        self.errors = 0

    def compiled(self, path, names, *options):
        """What the compiled programs print; none if they do not compile."""
        driver = os.path.join(self.folder, f"driver-{os.getpid()}.c")
        binary = os.path.join(self.folder, f"binary-{os.getpid()}")
        text = open(path).read()
        table = ", ".join(f'{{ "{name}", {name} }}' for name in names)
        with open(driver, "w") as file:
            file.write(text + DRIVER % table)
        command = [self.args.cc, "-std=gnu11", "-w", "-O0", "-fwrapv", *options, driver, "-o", binary]
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode:
            return None
        done = subprocess.run([binary], capture_output=True, text=True, errors="replace")
        return lines(done.stdout)

    def ours(self, path, seeds):
        command = ["values", *map(str, seeds)] if seeds else ["run", path]
        done = subprocess.run([self.args.run, *command], capture_output=True, text=True)
        if done.returncode:
            print(done.stderr[:2000], file=sys.stderr)
            return None
        return lines(done.stdout)

    def differences(self, path, seeds=None, is_sanitized=False):
        """The programs of a file that run differently, with both results."""
        ours = self.ours(path, seeds)
        text = open(path).read()
        names = re.findall(r"unsigned long (p\d+_main)\(", text)
        theirs = self.compiled(path, names)
        if theirs is None:
            return None
        if ours is None:
            return {name: ("not read", theirs[name]) for name in names}
        found, unnamed = {}, []
        for name in names:
            mine, other = ours.get(name, "nothing"), theirs.get(name, "nothing")
            if mine == other:
                self.count["equal"] += 1
            elif mine.startswith("undefined"):
                self.count["undefined"] += 1
                if other != "crashed":
                    unnamed.append(name)
            else:
                found[name] = (mine, other)
        stopped = self.sanitized(path, names, unnamed) if unnamed else {}
        for name in unnamed:
            if stopped.get(name) != "crashed":
                found[name] = (ours[name], theirs[name])
        if is_sanitized:
            named = self.compiled(path, names, *SANITIZERS) or {}
            for name in names:
                if named.get(name) != theirs[name] and not ours.get(name, "").startswith("undefined"):
                    found[name] = (ours.get(name), f"sanitized {named.get(name)}")
        return found

    def sanitized(self, path, names, some):
        """What some of the programs print if sanitizers look on."""
        if len(names) > len(some):
            parts = [self.made(re.match(r"p(\d+)_", name).group(1), 1) for name in some]
            path = os.path.join(self.folder, "some.c")
            with open(path, "w") as file:
                for part in parts:
                    file.write(open(part).read())
                    os.remove(part)
        return self.compiled(path, some, *SANITIZERS) or {}

    def made(self, first, count):
        """The file of the programs of some seeds."""
        path = os.path.join(self.folder, f"programs-{first}-{count}.c")
        made = subprocess.run([self.args.run, "make", str(first), str(count)], capture_output=True,
                              text=True, check=True)
        with open(path, "w") as file:
            file.write(made.stdout)
        return path

    def batch(self, first, count):
        path = self.made(first, count)
        found = self.differences(path, (first, count), first // self.args.batch % 10 == 0)
        if found is None:
            self.errors += 1
            print(f"ERROR {path}: not compiled", flush=True)
            return
        for name, (mine, other) in found.items():
            self.errors += 1
            print(f"ERROR {name}: here {mine}, compiled {other}", flush=True)
            if not self.args.no_shrink:
                self.shrink(name)
        if not found:
            os.remove(path)

    def shrink(self, name):
        seed = re.match(r"p(\d+)_", name).group(1)
        again = os.path.join(self.folder, "again.sh")
        with open(again, "w") as file:
            file.write(f'#!/bin/sh\nexec {sys.executable} {os.path.abspath(__file__)} --run {self.args.run} '
                       f'--cc {self.args.cc} --keep {self.folder} --file "$1" > /dev/null 2>&1\n')
        os.chmod(again, 0o755)
        made = subprocess.run([self.args.run, "shrink", seed, again], capture_output=True, text=True)
        path = os.path.join(self.folder, f"small-{seed}.c")
        with open(path, "w") as file:
            file.write(made.stdout or made.stderr)
        print(f"  made small: {path}", flush=True)


class Assertions:
    """Programs that assert, decided."""

    def __init__(self, args):
        self.args = args
        self.folder = args.keep or tempfile.mkdtemp(prefix="alphorn-c-")
        os.makedirs(self.folder, exist_ok=True)
        self.count = {"safe": 0, "unsafe": 0, "unknown": 0, "untreated": 0, "other": 0}
        self.errors = 0

    def path(self, name):
        return os.path.join(self.folder, f"{os.getpid()}-{name}")

    def truth(self, text, names):
        """How many runs of each program fail, and how many end in another way, or nothing if it does not compile."""
        driver, binary = self.path("driver.c"), self.path("binary")
        table = ", ".join(f'{{ "{name}", {name} }}' for name in names)
        with open(driver, "w") as file:
            file.write(text + ASSERTING % table)
        command = [self.args.cc, "-std=gnu11", "-w", "-O0", "-fwrapv", driver, "-o", binary]
        if subprocess.run(command, capture_output=True).returncode:
            return None
        done = subprocess.run([binary], capture_output=True, text=True)
        return {name: [int(word) for word in rest.split()] for name, rest in lines(done.stdout).items()}

    def decide(self, path, name):
        """The answer, and the exit code of the harness if there is one."""
        harness, binary = self.path("harness.c"), self.path("harness")
        command = [self.args.alphorn, path, "--entry", name, "--property", "unreach-call", "--data-model", "lp64",
                   "--time", f"{self.args.time}s", "--threads", "1", "--harness", harness]
        cpu = self.args.cpu
        limit = (lambda: resource.setrlimit(resource.RLIMIT_CPU, (cpu, cpu + 1))) if cpu else None
        done = subprocess.run(command, capture_output=True, text=True, preexec_fn=limit)
        answer = {0: "safe", 1: "unsafe", 2: "unknown", 5: "untreated"}.get(done.returncode, "other")
        if cpu and done.returncode in (-signal.SIGXCPU, -signal.SIGKILL):
            answer = "unknown"
        if answer == "other":
            print(f"ERROR {name}: exit {done.returncode}: {(done.stdout + done.stderr)[-500:]}", flush=True)
            self.errors += 1
        if answer != "unsafe":
            return answer, None
        text = open(harness).read(2000)
        flags = re.search(r"^ *cc (.*) -o test ", text, re.MULTILINE).group(1).split()
        if subprocess.run([self.args.cc, *flags, harness, "-o", binary], capture_output=True).returncode:
            return answer, "not compiled"
        return answer, subprocess.run([binary], capture_output=True).returncode

    def compare(self, text, name, truth):
        path = self.path("program.c")
        with open(path, "w") as file:
            file.write(text)
        failed, odd = truth[name]
        answer, code = self.decide(path, name)
        self.count[answer] += 1
        is_wrong = odd > 0
        is_wrong |= answer == "safe" and failed > 0
        is_wrong |= answer == "unsafe" and (failed == 0 or code != 66)
        if is_wrong:
            self.errors += 1
            kept = os.path.join(self.folder, f"{name}.c")
            os.replace(path, kept)
            print(f"ERROR {name}: {answer}, its harness ends with {code}; of 64 runs {failed} fail and {odd} "
                  f"end in another way: {kept}", flush=True)
        return is_wrong

    def batch(self, first, count):
        made = [subprocess.run([self.args.run, "asserting", str(seed), "1"], capture_output=True, text=True,
                               check=True).stdout for seed in range(first, first + count)]
        names = [f"p{seed}_main" for seed in range(first, first + count)]
        truth = self.truth("".join(made), names)
        if truth is None:
            self.errors += 1
            print(f"ERROR {first}: not compiled", flush=True)
            return
        for text, name in zip(made, names):
            self.compare(text, name, truth)

    def one(self, path):
        text = open(path).read()
        names = re.findall(r"int (p\d+_main)\(", text)
        truth = self.truth(text, names)
        return None if truth is None else self.compare(text, names[0], truth)


def main():
    parser = arguments(__doc__, 20000)
    parser.add_argument("--batch", type=int, default=100)
    parser.add_argument("--run", default="target/debug/examples/c_run")
    parser.add_argument("--cc", default="gcc")
    parser.add_argument("--no-shrink", action="store_true")
    parser.add_argument("--file", help="compare the programs of one file; exit 1 if one differs")
    parser.add_argument("--asserting", action="store_true")
    parser.add_argument("--time", type=int, default=2)
    parser.add_argument("--cpu", type=int)
    args = parser.parse_args()
    comparison = Assertions(args) if args.asserting else Comparison(args)
    if args.file and args.asserting:
        is_wrong = comparison.one(args.file)
        return 2 if is_wrong is None else int(is_wrong)
    if args.file:
        found = comparison.differences(args.file)
        print(found)
        return 2 if found is None else 1 if found else 0
    for first in range(args.seed, args.seed + args.count, args.batch):
        comparison.batch(first, min(args.batch, args.seed + args.count - first))
        print(first + args.batch, comparison.count, f"{comparison.errors} errors", flush=True)
    return 1 if comparison.errors else 0


if __name__ == "__main__":
    sys.exit(main())
