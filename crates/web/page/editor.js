// A small editor: a text area over the same text in colours, line numbers, and marks for what is wrong.
"use strict";
const WORDS = {
  lisp: /^(set-logic|set-info|set-option|declare-fun|declare-const|declare-(?:co)?datatypes?|declare-rel|declare-var|define-fun(-rec)?|define-sort|assert|check-sat|get-model|get-proof|exit|rule|query|push|pop|forall|exists|let|ite|and|or|not|true|false|Int|Real|Bool|Array|BitVec|_)$/,
  c: /^(int|unsigned|signed|char|short|long|void|const|extern|static|struct|union|enum|typedef|return|if|else|while|for|do|switch|case|default|break|continue|goto|sizeof|assert|procedure|var|requires|ensures|invariant|START|FROM|TO|AT|CUTPOINT|nondet|assume)$/,
};
const SYNTAX = {
  lisp: /(;[^\n]*)|("(?:[^"]|"")*")|(#[xb][0-9a-fA-F]+|\b\d+(?:\.\d+)?\b)|([A-Za-z_][\w.!?-]*)/g,
  c: /(\/\/[^\n]*|\/\*[^]*?\*\/)|("(?:[^"\\\n]|\\.)*")|(\b\d[\w.]*)|([A-Za-z_]\w*)/g,
};

class Editor {
  constructor(place, changed) {
    place.innerHTML = '<div class="inner"><div class="gutter"></div><div class="text"><pre aria-hidden="true"></pre>' +
      '<textarea spellcheck="false" autocomplete="off" autocapitalize="off" wrap="off" aria-label="problem"></textarea></div></div>';
    [this.gutter, this.shown, this.area] = ["gutter", "text pre", "text textarea"].map(name => place.querySelector("." + name));
    this.place = place;
    this.marks = [];
    this.kind = "lisp";
    this.area.addEventListener("input", () => { this.marks = []; this.draw(); changed(); });
    this.area.addEventListener("keydown", event => {
      if (event.key !== "Tab" || event.shiftKey || event.ctrlKey) return;
      event.preventDefault();
      document.execCommand("insertText", false, "  ");
    });
  }
  get text() { return this.area.value; }
  set text(text) { this.area.value = text; this.marks = []; this.draw(); }
  /// Marks have a line and a column that count from one, and a severity.
  mark(marks) { this.marks = marks; this.draw(); }
  draw() {
    const text = this.text, lines = text.split("\n");
    const at = new Map(this.marks.filter(mark => mark.line).map(mark => [mark.line, mark]));
    this.gutter.innerHTML = lines.map((_, index) => {
      const mark = at.get(index + 1);
      return mark ? `<span class="${mark.severity === "warning" ? "warning" : "error"}">${index + 1}</span>` : index + 1;
    }).join("\n");
    this.shown.innerHTML = this.coloured(text) + "\n";
  }
  coloured(text) {
    const lines = text.split("\n"), starts = [0];
    for (const line of lines) starts.push(starts.at(-1) + line.length + 1);
    const cuts = this.marks.filter(mark => mark.line && mark.line <= lines.length).map(mark => {
      const start = Math.min(starts[mark.line - 1] + (mark.column || 1) - 1, text.length);
      return { start, end: Math.max(start + 1, Math.min(start + (/^[^\s()]+/.exec(text.slice(start, start + 80))?.[0].length ?? 1), starts[mark.line] - 1)), mark };
    }).sort((one, other) => one.start - other.start);
    const html = part => part.replace(/[&<>]/g, char => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;" })[char]);
    const plain = part => text.length > 200000 ? html(part) : part.replace(SYNTAX[this.kind], "\u0000$&\u0000").split("\u0000").map((piece, odd) => {
      if (odd % 2 === 0) return html(piece);
      const kind = /^(;|\/\/|\/\*)/.test(piece) ? "comment" : /^[#\d]/.test(piece) ? "number" : WORDS[this.kind].test(piece) ? "word" : "";
      return kind ? `<span class="${kind}">${html(piece)}</span>` : html(piece);
    }).join("");
    let out = "", from = 0;
    for (const { start, end, mark } of cuts) {
      if (start < from) continue;
      out += plain(text.slice(from, start)) + `<span class="${mark.severity === "warning" ? "warned" : "wrong"}">${html(text.slice(start, end))}</span>`;
      from = end;
    }
    return out + plain(text.slice(from));
  }
  go(line, column) {
    const before = this.text.split("\n").slice(0, line - 1).join("\n").length + (line > 1 ? 1 : 0);
    this.area.focus();
    this.area.setSelectionRange(before + (column || 1) - 1, before + (column || 1));
    this.place.scrollTop = Math.max(0, (line - 5) * 19.5);
  }
}
