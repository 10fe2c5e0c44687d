#!/usr/bin/env python3
"""Runs alphorn on programs with known verdicts, and counts right, wrong and missing answers.

    bench/programs.py FOLDER [--alphorn PATH] [--time 10] [--kind c] [--property unreach-call] [--jobs 1]
                      [--only TEXT] [--verdict safe] [--step N] [--out FILE.csv] [--check] [--confirm]
                      [--cpu SECONDS] [--peer cbmc=COMMAND] [--peer esbmc=COMMAND]

FOLDER holds `expected.csv` with the columns file, property, verdict, data_model and family. With --check every
answer's evidence is written and checked again by `alphorn check`. With --confirm the harness of every violation is
written, compiled with gcc and run: it must fail. With --peer another program answers `unreach-call` questions in our
place: CBMC with growing bounds, ESBMC by k-induction, with the error function as a failing assertion in their words.
With --cpu everybody is stopped after so many seconds of processor time, and --time is only the end of waiting: so
others can be compared on a machine with other work (with --threads 1 for us). With --kind witness the witnesses of the
folder are validated, each for the program that its line names.
"""
import argparse, collections, concurrent.futures, csv, os, re, resource, shlex, signal, subprocess, sys, tempfile, time

ANSWERS = ("safe", "unsafe", "confirmed", "rejected")
C_PROPERTIES = {"unreach-call", "no-overflow", "valid-memsafety", "valid-memcleanup", "assert"}


def command(args, row, evidence, harness):
    path = os.path.join(args.folder, row["file"])
    if row["property"].startswith("witness:"):
        program = os.path.join(os.path.dirname(path), row["subproperty"])
        return [args.alphorn, "check", program, path, "--time", f"{args.time}s"]
    line = [args.alphorn, path, "--time", f"{args.time}s"]
    if args.threads:
        line += ["--threads", str(args.threads)]
    if row["file"].startswith("c/"):
        model = (row["data_model"] or "ILP32").lower()
        line += ["--property", row["property"], "--data-model", model]
    if evidence:
        line += ["--evidence", evidence]
    if harness:
        line += ["--harness", harness]
    return line


# The code that a harness leaves with if the violation happens.
VIOLATED = 66
# The bounds that CBMC unwinds loops to, one after the other.
BOUNDS = (2, 6, 17, 40, 201, 1025)
ESBMC = "--k-induction --unlimited-k-steps --no-bounds-check --no-pointer-check --no-div-by-zero-check --floatbv"


def for_peer(text, assertion):
    """A program whose error function fails an assertion."""
    name = "__VERIFIER_error" if re.search(r"\b__VERIFIER_error\b", text) else "reach_error"
    defined = re.compile(r"^(\s*)(extern\s+)?void\s+" + name + r"\s*\([^)]*\)\s*\{.*\}\s*$", re.MULTILINE)
    body = f"void {name}() {{ {assertion}; }}"
    replaced, count = defined.subn(body, text)
    if count:
        return replaced
    # What is only declared may have been declared not to return, which a failed assertion does.
    declared = re.compile(r"void\s+" + name + r"\s*\([^)]*\)\s*(__attribute__\s*\(\(.*?\)\))?\s*;")
    return declared.sub(f"void {name}();", text) + "\n" + body + "\n"


def limited(line, seconds, cpu=None, folder=None):
    """What a program prints within a time and processor time, and how it ends; nothing if it takes longer."""
    if seconds <= 0 or (cpu is not None and cpu <= 0):
        return "no end", None
    limit = (lambda: resource.setrlimit(resource.RLIMIT_CPU, (cpu, cpu + 1))) if cpu else None
    child = subprocess.Popen(line, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace",
                             cwd=folder, start_new_session=True, preexec_fn=limit)
    try:
        out = child.communicate(timeout=seconds)[0]
    except subprocess.TimeoutExpired:
        os.killpg(child.pid, signal.SIGKILL)
        child.communicate()
        return "no end", None
    return out, None if child.returncode in (-signal.SIGXCPU, -signal.SIGKILL) else child.returncode


def ask_peer(args, row):
    kind, command = args.peer.split("=", 1)
    width = "--64" if row["data_model"] == "LP64" else "--32"
    begun, out = time.time(), ""
    with tempfile.TemporaryDirectory() as folder:
        text = open(os.path.join(args.folder, row["file"]), errors="replace").read()
        path = os.path.join(folder, "program.c")
        assertion = '__CPROVER_assert(0, "error")' if kind == "cbmc" else '__ESBMC_assert(0, "error")'
        open(path, "w").write(for_peer(text, assertion))
        spent = lambda: resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
        before, answer = spent(), "unknown"

        def ask(options):
            cpu = args.cpu and int(args.cpu - (spent() - before) + 0.9)
            out, code = limited(shlex.split(command) + [path, width] + options, args.time - (time.time() - begun), cpu, folder)
            return out if code is not None else "no end"

        if kind == "esbmc":
            out = ask(ESBMC.split())
            if "VERIFICATION SUCCESSFUL" in out:
                answer = "safe"
            elif "VERIFICATION FAILED" in out:
                answer = "unsafe"
        else:
            for bound in BOUNDS:
                out = ask(["--no-standard-checks", "--unwinding-assertions", "--unwind", str(bound)])
                if re.search(r"^\[\S*\.assertion\.\d+\].*: FAILURE$", out, re.MULTILINE):
                    answer = "unsafe"
                elif "VERIFICATION SUCCESSFUL" in out:
                    answer = "safe"
                elif "VERIFICATION FAILED" in out:
                    continue
                elif out != "no end":
                    answer = "refused"
                break
    return row, answer, time.time() - begun, "\n".join(out.strip().splitlines()[-3:]), ""


def confirm(args, harness):
    """Compiles a harness as its first lines say, without -m32 if there is no such libc, and runs it."""
    line = re.search(r"^ *cc (.*) -o test ", open(harness, errors="replace").read(2000), re.MULTILINE).group(1)
    binary = harness + ".out"
    for flags in (shlex.split(line), [flag for flag in shlex.split(line) if flag != "-m32"]):
        done = subprocess.run(shlex.split(args.cc) + flags + [harness, "-o", binary], capture_output=True, text=True, errors="replace")
        if done.returncode == 0:
            break
    if done.returncode:
        return "NOT COMPILED " + done.stderr[:200]
    width = "" if ("-m32" in line) == ("-m32" in flags) else " with 64 bits in place of 32"
    try:
        code = subprocess.run([binary], capture_output=True, timeout=60).returncode
    except subprocess.TimeoutExpired:
        code = "no end"
    os.remove(binary)
    return ("fails" if code == VIOLATED else f"DOES NOT FAIL: {code}") + width


def run(args, row):
    if args.peer:
        return ask_peer(args, row)
    evidence = tempfile.mktemp(suffix=".evidence") if args.check else None
    harness = tempfile.mktemp(suffix=".c") if args.confirm and row["file"].startswith("c/") else None
    begun = time.time()
    out, code = limited(command(args, row, evidence, harness), args.time + 20, args.cpu)
    out, code = out.strip(), 2 if code is None else code
    took = time.time() - begun
    words = {2: "unknown", 4: "refused", 5: "untreated"}
    is_witness = row["property"].startswith("witness:")
    words.update({0: "confirmed", 6: "rejected"} if is_witness else {0: "safe", 1: "unsafe"})
    answer = words.get(code, f"exit {code}")
    checked = ""
    if evidence and answer in ("safe", "unsafe"):
        path = os.path.join(args.folder, row["file"])
        line = [args.alphorn, "check", path, evidence]
        if row["file"].startswith("c/"):
            line += ["--data-model", (row["data_model"] or "ILP32").lower()]
        try:
            again = subprocess.run(line, capture_output=True, text=True, timeout=120)
            checked = "accepted" if again.returncode in (0, 1) else "REFUSED " + (again.stdout + again.stderr).strip()[:200]
        except subprocess.TimeoutExpired:
            checked = "REFUSED no end"
    if harness and answer == "unsafe":
        checked = (checked + " " + confirm(args, harness)).strip()
    for path in (evidence, harness):
        if path and os.path.exists(path):
            os.remove(path)
    return row, answer, took, out, checked


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder")
    parser.add_argument("--alphorn", default="target/release/alphorn")
    parser.add_argument("--time", type=int, default=10)
    parser.add_argument("--threads", type=int, default=0)
    parser.add_argument("--kind", default="c")
    parser.add_argument("--property")
    parser.add_argument("--only", default="")
    parser.add_argument("--verdict", choices=["safe", "unsafe"])
    parser.add_argument("--step", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--out")
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--confirm", action="store_true")
    parser.add_argument("--cc", default="gcc")
    parser.add_argument("--peer")
    parser.add_argument("--cpu", type=int)
    parser.add_argument("--verbose", action="store_true")
    args = parser.parse_args()
    rows = []
    for row in csv.DictReader(open(os.path.join(args.folder, "expected.csv"))):
        if not row["file"].startswith(args.kind + "/") or args.only not in row["file"]:
            continue
        if args.property and row["property"] != args.property:
            continue
        if args.kind == "c" and row["property"] not in C_PROPERTIES:
            continue
        if args.verdict and row["verdict"] != args.verdict:
            continue
        if args.peer and row["property"] != "unreach-call":
            continue
        if row["verdict"] not in (*ANSWERS, "unknown") or row["property"] == "parses":
            continue
        rows.append(row)
    rows = rows[:: args.step]
    table, wrong, confirmations = collections.defaultdict(collections.Counter), [], collections.Counter()
    writer = csv.writer(open(args.out, "w")) if args.out else None
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        for row, answer, took, out, checked in pool.map(lambda row: run(args, row), rows):
            known = row["verdict"]
            if answer in ANSWERS:
                kind = "right" if answer == known else "open" if known == "unknown" else "WRONG"
            else:
                kind = answer
            key = (row["property"], row["family"])
            table[key][kind] += 1
            table[key]["all"] += 1
            table[key]["seconds"] += took
            confirmations[(answer, " ".join(checked.split()[:8]))] += bool(checked)
            if kind == "WRONG" or checked != checked.replace("REFUSED", "").replace("NOT", "") or kind.startswith("exit"):
                wrong.append((row["file"], row["property"], known, answer, checked, out[-300:]))
            if writer:
                writer.writerow([row["file"], row["property"], known, answer, f"{took:.2f}", checked, out.replace("\n", " | ")[:400]])
            if args.verbose or kind != "right":
                print(f"{kind:10} {took:6.1f} {row['property']:16} {known:8} {row['file']}  {out.splitlines()[0][:110] if out else ''}", flush=True)
    total = collections.defaultdict(collections.Counter)
    for (prop, family), counts in sorted(table.items()):
        total[prop].update(counts)
        print(f"{prop:16} {family:28} {counts['right']:3} of {counts['all']:3}  {dict((k, v) for k, v in counts.items() if k not in ('right', 'all', 'seconds'))} {counts['seconds']:.0f} s")
    for prop, counts in sorted(total.items()):
        print(f"ALL {prop:16} {counts['right']:3} of {counts['all']:3} = {100 * counts['right'] / counts['all']:.0f} %  {dict((k, v) for k, v in counts.items() if k not in ('right', 'all', 'seconds'))} {counts['seconds']:.0f} s")
    for (answer, what), count in sorted(confirmations.items()):
        if count:
            print(f"{answer}: {what}: {count}")
    for one in wrong:
        print("LOOK", *one)
    return 1 if any(one for one in wrong) else 0


if __name__ == "__main__":
    sys.exit(main())
