#!/usr/bin/env python3
"""The page for browsers in headless Chromium, opened from disk and without a network.

    bench/page.py PAGE.html [--screenshot FILE.png] [--only EXAMPLE ...]

Decides every example of the page and compares with the answer beside its name in crates/web/src/examples.rs, has the
evidence checked, changes a number in it and wants that refused, looks at the diagnostics of a text that is wrong, at
Stop, and at a link. Prints how long the page took to be ready and each answer. Ends with 77 where there is no Chromium.
"""

import argparse
import base64
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


class Browser:
    """Chromium, spoken to over a pipe."""

    def __init__(self, program, folder):
        to_read, write = os.pipe()
        read, to_write = os.pipe()
        os.set_inheritable(to_read, True)
        os.set_inheritable(to_write, True)
        words = [program, "--headless=new", "--no-sandbox", "--disable-gpu", "--remote-debugging-pipe",
                 "--host-resolver-rules=MAP * ~NOTFOUND", f"--user-data-dir={folder}", "--window-size=1300,850"]

        def place():
            os.dup2(to_read, 13)
            os.dup2(to_write, 14)
            os.dup2(13, 3)
            os.dup2(14, 4)

        self.process = subprocess.Popen(words, close_fds=False, preexec_fn=place,
                                        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(to_read)
        os.close(to_write)
        self.write, self.read = write, read
        self.rest, self.number, self.session = b"", 0, None

    def call(self, method, **params):
        self.number += 1
        message = {"id": self.number, "method": method, "params": params}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.write, json.dumps(message).encode() + b"\0")
        while True:
            while b"\0" not in self.rest:
                piece = os.read(self.read, 1 << 20)
                if not piece:
                    raise RuntimeError("the browser is gone")
                self.rest += piece
            line, self.rest = self.rest.split(b"\0", 1)
            answer = json.loads(line)
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise RuntimeError(answer["error"])
                return answer["result"]

    def open(self, address):
        target = self.call("Target.createTarget", url=address)["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]

    def value(self, expression):
        result = self.call("Runtime.evaluate", expression=expression, awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in result:
            raise RuntimeError(result["exceptionDetails"])
        return result["result"].get("value")

    def wait(self, expression, seconds):
        ends = time.monotonic() + seconds
        while time.monotonic() < ends:
            if self.value(expression):
                return
            time.sleep(0.02)
        raise RuntimeError(f"not so after {seconds} s: {expression}; the page says: {self.value('document.body.innerText')[:400]}")

    def close(self):
        self.process.terminate()
        self.process.wait()


def done(browser, what, seconds=300):
    """Presses a button and waits until all is said."""
    browser.value(f"document.body.dataset.state = ''; document.getElementById('{what}').click(); 0")
    browser.wait("document.body.dataset.state.startsWith('done')", seconds)
    return browser.value("document.getElementById('answer').innerText")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("page")
    parser.add_argument("--screenshot")
    parser.add_argument("--only", nargs="*")
    args = parser.parse_args()
    program = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if program is None:
        print("skipped: there is no Chromium")
        return 77
    rows = re.findall(r'^    "([^"]+)", "[^"]+", "([^"]+)"', (ROOT / "crates/web/src/examples.rs").read_text(), re.M)
    size = Path(args.page).stat().st_size
    print(f"{size} bytes")
    assert size <= 5_000_000, "the page is larger than 5 MB"
    folder = tempfile.mkdtemp()
    browser = Browser(program, folder)
    failures = 0
    try:
        begun = time.monotonic()
        browser.open(Path(args.page).resolve().as_uri())
        browser.wait("document.body?.dataset.state === 'ready'", 120)
        print(f"ready after {time.monotonic() - begun:.2f} s")
        for file, expect in rows:
            if args.only and file not in args.only:
                continue
            browser.value(f"find('examples').value = '{file}'; find('examples').onchange(); 0")
            begun = time.monotonic()
            said = done(browser, "decide")
            took = time.monotonic() - begun
            is_right = expect in said.split()
            checked = done(browser, "check") if said.count("checked:") == 1 else "evidence accepted"
            is_right = is_right and "evidence accepted" in checked
            failures += not is_right
            print(f"{'ok   ' if is_right else 'WRONG'} {file}: {expect} in {took:.2f} s", flush=True)
            if not is_right:
                print(said, checked)
            if args.screenshot and file == rows[0][0]:
                done(browser, "decide")
                time.sleep(2)
                shot = browser.call("Page.captureScreenshot", format="png")
                Path(args.screenshot).write_bytes(base64.b64decode(shot["data"]))
        # Evidence that was tampered with.
        browser.value(f"find('examples').value = '{rows[0][0]}'; find('examples').onchange(); 0")
        done(browser, "decide")
        browser.value("find('evidence').value = find('evidence').value.replace('10', '11'); 0")
        said = done(browser, "check")
        assert "REFUSED" in said, said
        print("ok    tampered evidence is refused")
        # A link gives the text back.
        browser.value("link()")
        text = browser.value("editor.text")
        browser.value("editor.text = ''; takeLink()")
        assert browser.value("editor.text") == text and len(browser.value("location.hash")) > 50
        print("ok    the link gives the text back")
        # Diagnostics while typing.
        browser.value("editor.text = '(set-logic HORN)\\n(assert (p 1))\\n'; changed(); 0")
        browser.wait("document.body.dataset.noticed > 0", 30)
        assert browser.value("document.querySelectorAll('#editor .wrong').length") > 0
        print("ok    what is wrong is marked:", browser.value("find('problems').innerText").splitlines()[0])
        if args.screenshot:
            shot = browser.call("Page.captureScreenshot", format="png")
            Path(args.screenshot).with_suffix(".wrong.png").write_bytes(base64.b64decode(shot["data"]))
        # Stop, on a question that takes for ever: whether a number above 4 comes back to itself by halving it and by 3 x + 1.
        step = "(or (= (* 2 {1}) {0}) (and (= (mod {0} 2) 1) (= {1} (+ (* 3 {0}) 1))))"
        cycle = ("(set-logic HORN)(declare-fun p (Int Int) Bool)(assert (forall ((x Int) (y Int)) (=> (and (> x 4) " + step.format("x", "y")
                 + ") (p x y))))(assert (forall ((x Int) (y Int) (z Int)) (=> (and (p x y) " + step.format("y", "z")
                 + ") (p x z))))(assert (forall ((x Int)) (=> (p x x) false)))(check-sat)")
        browser.value(f"take({{ file: 'cycle.smt2', text: {json.dumps(cycle)}, asked: 'safety' }}); 0")
        browser.value("document.body.dataset.state = ''; find('decide').click(); setTimeout(() => find('stop').click(), 1000); 0")
        browser.wait("document.body.dataset.state.startsWith('done')", 30)
        assert "stopped" in browser.value("find('answer').innerText")
        print("ok    Stop ends a run")
    finally:
        browser.close()
        shutil.rmtree(folder, ignore_errors=True)
    print(f"{failures} wrong")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
