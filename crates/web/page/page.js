// The page: asks the module, in a worker that can be ended, and shows what it says.
"use strict";
const find = name => document.getElementById(name);
const examples = JSON.parse(find("example-data").textContent);
const source = URL.createObjectURL(new Blob([find("worker").textContent], { type: "text/javascript" }));
const editor = new Editor(find("editor"), changed);
let module = null, busy = null, reader = null, later = 0;

async function unpacked(stream, bytes) {
  return new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(stream)).arrayBuffer());
}
// The bytes of a text with seven bits in each character; three that cannot stand in a script have others in their places.
const fromSevens = text => {
  const bytes = new Uint8Array(Math.floor(text.length * 7 / 8));
  let bits = 0, count = 0, at = 0;
  for (let place = 0; place < text.length; place++) {
    const code = text.charCodeAt(place);
    bits = (bits << 7 | (code < 128 ? code : [0, 13, 60][code - 0xC0])) & 0x7fff;
    count += 7;
    if (count >= 8) {
      count -= 8;
      bytes[at++] = bits >> count & 255;
    }
  }
  return bytes;
};
const fromBase64 = text => Uint8Array.from(atob(text), char => char.charCodeAt(0));

// Asks the module; hear gets each object, and the result is the last one. The worker can be ended.
function ask(request, hear) {
  const worker = new Worker(source);
  const done = new Promise(resolve => {
    worker.onmessage = ({ data }) => {
      if (data.line !== undefined) return hear(JSON.parse(data.line));
      if (data.failed) hear({ kind: "failed", message: data.failed });
      worker.terminate();
      resolve();
    };
    worker.onerror = event => { hear({ kind: "failed", message: event.message }); worker.terminate(); resolve(); };
  });
  worker.postMessage({ module, request: JSON.stringify(request) });
  return { worker, done };
}

const state = text => { find("state").textContent = text; document.body.dataset.state = text; };
const buttons = isBusy => {
  find("decide").disabled = find("check").disabled = isBusy || !module;
  find("stop").disabled = !isBusy;
};
const show = name => document.querySelectorAll("nav button").forEach(button => {
  const isShown = button.dataset.tab === name;
  button.setAttribute("aria-selected", isShown);
  find(button.dataset.tab).classList.toggle("shown", isShown);
});
const place = () => ({ file: find("file").value.trim() || "input.smt2", text: editor.text, asked: find("asked").value });

function changed() {
  clearTimeout(later);
  later = setTimeout(read, 350);
}

// What the reader notices, while somebody types.
async function read() {
  if (!module) return;
  reader?.worker.terminate();
  const noticed = [];
  if (!editor.text.trim()) return noticedAre([]);
  reader = ask({ verb: "read", ...place() }, object => {
    if (object.kind === "diagnostic" || object.kind === "error") noticed.push(object);
  });
  await reader.done;
  noticedAre(noticed);
}

function noticedAre(list) {
  const marks = list.map(one => ({ severity: one.severity ?? "error", line: one.line, column: one.column, message: one.message, hint: one.hint }));
  editor.mark(marks);
  find("problems").replaceChildren(...marks.map(mark => {
    const item = document.createElement("li"), word = document.createElement("b");
    item.className = mark.severity === "warning" ? "warning" : "error";
    word.textContent = mark.severity;
    item.append(word, ` ${mark.line ? `line ${mark.line}: ` : ""}${mark.message}${mark.hint ? ` (${mark.hint})` : ""}`);
    item.onclick = () => mark.line && editor.go(mark.line, mark.column);
    return item;
  }));
  document.body.dataset.noticed = list.length;
}

function line(text, className = "") {
  const paragraph = document.createElement("p");
  paragraph.className = className;
  paragraph.textContent = text;
  find("answer").append(paragraph);
  return paragraph;
}

const NAMES = { safety: { safe: "SAFE", unsafe: "UNSAFE" }, termination: { safe: "TERMINATES", unsafe: "NONTERMINATING" } };

function heard(object, noticed) {
  const events = find("events");
  if (object.kind === "event" && events.childNodes.length < 2000) {
    const { schema, kind, ...rest } = object;
    events.append(JSON.stringify(rest) + "\n");
  } else if (object.kind === "diagnostic") {
    noticed.push(object);
  } else if (object.kind === "answer") {
    const word = NAMES[find("asked").value]?.[object.verdict] ?? object.verdict.toUpperCase();
    line(`${word}  ${object.property}`, `verdict ${object.verdict}`);
    line(object.detail);
    for (const why of object.why ?? []) line(String(why.text ?? why));
    if (object.checked) line(`checked: ${object.checked.what}, in ${object.checked.milliseconds} ms; by ${object.engine}, ${object.milliseconds} ms in all`);
    if (object.evidence_text) find("evidence").value += object.evidence_text;
    const model = object.model ?? object.invariant;
    if (model) find("model").append(model.join("\n") + "\n");
    if (object.tree) find("model").append(object.tree.map(step => `${step.step}: ${step.fact}   ${step.clause}`).join("\n") + "\n");
  } else if (object.kind === "reply") {
    line(object.text, "verdict");
  } else if (object.kind === "certified") {
    const word = object.accepted === true ? "accepted" : object.accepted === false ? "REFUSED" : "not checked";
    line(`evidence ${word}`, `verdict ${object.accepted === true ? "safe" : object.accepted === false ? "unsafe" : "unknown"}`);
    line(object.detail);
  } else if (object.kind === "page") {
    find("report").srcdoc = object.html;
  } else if (object.kind === "error") {
    line(object.message, "unknown");
  } else if (object.kind === "failed") {
    line("The module ended: " + object.message, "unknown");
  } else if (object.kind === "end") {
    document.body.dataset.exit = object.exit;
  }
}

async function work(request, word) {
  if (busy || !module) return;
  find("answer").replaceChildren();
  delete document.body.dataset.exit;
  const begun = performance.now(), noticed = [];
  busy = ask(request, object => heard(object, noticed));
  buttons(true);
  // The module keeps its time itself; this is for the day that it does not.
  const ends = setTimeout(() => stop("out of time"), (Number(find("time").value) + 5) * 1000);
  const clock = setInterval(() => state(`${word} … ${((performance.now() - begun) / 1000).toFixed(0)} s`), 250);
  state(word + " …");
  await Promise.race([busy.done, new Promise(resolve => { busy.resolve = resolve; })]);
  clearInterval(clock);
  clearTimeout(ends);
  busy = null;
  buttons(false);
  if (noticed.length) noticedAre(noticed);
  if (noticed.some(one => one.severity !== "warning") && !find("answer").childNodes.length) line("The text cannot be read as a problem: see below it.", "unknown");
  state(`done in ${((performance.now() - begun) / 1000).toFixed(2)} s`);
}

function decide() {
  for (const name of ["model", "events"]) find(name).replaceChildren();
  find("evidence").value = "";
  find("report").srcdoc = "";
  show("report");
  return work({ verb: "decide", ...place(), time: Number(find("time").value) || 60, page: true }, "deciding");
}

function check() {
  show("evidence");
  return work({ verb: "check", ...place(), evidence: find("evidence").value }, "checking");
}

function stop(why = "stopped") {
  if (!busy) return;
  busy.worker.terminate();
  line(`UNKNOWN  ${why}`, "verdict unknown");
  busy.resolve();
}

async function link() {
  const { file, text, asked } = place();
  const packed = await unpacked(new CompressionStream("deflate-raw"), new TextEncoder().encode(JSON.stringify({ file, text, asked })));
  let chars = "";
  packed.forEach(byte => { chars += String.fromCharCode(byte); });
  history.replaceState(null, "", "#" + btoa(chars).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, ""));
  try { await navigator.clipboard.writeText(location.href); state("the link is copied"); } catch { state("the link is in the address bar"); }
}

function take({ file, text, asked }) {
  find("file").value = file;
  find("asked").value = asked || "safety";
  editor.kind = /\.(c|i|h|t2|bpl|v|pl|nts)$/.test(file) ? "c" : "lisp";
  editor.text = text;
  document.body.dataset.file = file;
  find("examples").value = examples.some(one => one.file === file && one.text === text) ? file : "";
  noticedAre([]);
  changed();
}

async function takeLink() {
  if (location.hash.length < 2) return false;
  try {
    const packed = fromBase64(location.hash.slice(1).replaceAll("-", "+").replaceAll("_", "/"));
    take(JSON.parse(new TextDecoder().decode(await unpacked(new DecompressionStream("deflate-raw"), packed))));
    return true;
  } catch { state("the link cannot be read"); return false; }
}

async function begin() {
  for (const { file, about } of examples) find("examples").append(new Option(about, file));
  find("examples").onchange = () => { const found = examples.find(one => one.file === find("examples").value); if (found) take(found); };
  find("decide").onclick = decide;
  find("stop").onclick = () => stop();
  find("check").onclick = check;
  find("link").onclick = link;
  find("asked").onchange = find("file").onchange = changed;
  document.querySelectorAll("nav button").forEach(button => { button.onclick = () => show(button.dataset.tab); });
  addEventListener("keydown", event => { if (event.ctrlKey && event.key === "Enter") decide(); });
  addEventListener("hashchange", takeLink);
  show("report");
  if (!await takeLink()) take(examples[0]);
  try {
    module = await WebAssembly.compile(await unpacked(new DecompressionStream("gzip"), fromSevens(find("module").textContent)));
    buttons(false);
    state("ready");
    changed();
  } catch (error) {
    state("the module cannot be loaded: " + error);
  }
}
begin();
