// Runs the module once: a request on its standard input, lines of JSON from its standard output.
// The part of WASI (preview 1) that the module uses; what is not here is answered by "not supported".
"use strict";
const BAD_FILE = 8, NOT_SUPPORTED = 58;
class Exit { constructor(code) { this.code = code; } }
const encoder = new TextEncoder(), decoder = new TextDecoder();

function system(request, say, complain) {
  const input = encoder.encode(request), words = [encoder.encode("alphorn-web\0")];
  let read = 0, memory = null;
  const rest = { 1: "", 2: "" };
  const view = () => new DataView(memory.buffer), bytes = () => new Uint8Array(memory.buffer);
  const parts = (at, count) => Array.from({ length: count }, (_, index) =>
    [view().getUint32(at + 8 * index, true), view().getUint32(at + 8 * index + 4, true)]);
  const calls = {
    args_sizes_get(count, size) {
      view().setUint32(count, words.length, true);
      view().setUint32(size, words.reduce((sum, word) => sum + word.length, 0), true);
      return 0;
    },
    args_get(pointers, buffer) {
      words.forEach((word, index) => {
        view().setUint32(pointers + 4 * index, buffer, true);
        bytes().set(word, buffer);
        buffer += word.length;
      });
      return 0;
    },
    environ_sizes_get(count, size) { view().setUint32(count, 0, true); view().setUint32(size, 0, true); return 0; },
    environ_get() { return 0; },
    clock_time_get(id, precision, result) {
      const now = id === 0 ? Date.now() : performance.now();
      view().setBigUint64(result, BigInt(Math.round(now * 1e6)), true);
      return 0;
    },
    clock_res_get(id, result) { view().setBigUint64(result, 1000000n, true); return 0; },
    random_get(buffer, size) {
      // Nothing of ours is random: the seed of the standard library's maps, which decide nothing.
      bytes().fill(7, buffer, buffer + size);
      return 0;
    },
    fd_read(file, at, count, result) {
      if (file !== 0) return BAD_FILE;
      let total = 0;
      for (const [start, size] of parts(at, count)) {
        const piece = input.subarray(read, read + size);
        bytes().set(piece, start);
        read += piece.length;
        total += piece.length;
      }
      view().setUint32(result, total, true);
      return 0;
    },
    fd_write(file, at, count, result) {
      if (file !== 1 && file !== 2) return BAD_FILE;
      let total = 0;
      for (const [start, size] of parts(at, count)) {
        rest[file] += decoder.decode(bytes().slice(start, start + size), { stream: true });
        total += size;
      }
      const lines = rest[file].split("\n");
      rest[file] = lines.pop();
      for (const line of lines) file === 1 ? say(line) : complain(line);
      view().setUint32(result, total, true);
      return 0;
    },
    fd_fdstat_get(file, result) {
      if (file > 2) return BAD_FILE;
      bytes().fill(0, result, result + 24);
      view().setUint8(result, 2);
      return 0;
    },
    fd_prestat_get() { return BAD_FILE; },
    fd_close() { return 0; },
    sched_yield() { return 0; },
    proc_exit(code) { throw new Exit(code); },
  };
  const imports = new Proxy(calls, { get: (all, name) => all[name] ?? (() => NOT_SUPPORTED) });
  return { imports, attach: instance => { memory = instance.exports.memory; } };
}

async function run(module, request, say, complain) {
  const { imports, attach } = system(request, say, complain);
  const named = {};
  for (const { module: from, name } of WebAssembly.Module.imports(module)) {
    (named[from] ??= {})[name] = imports[name];
  }
  const instance = await WebAssembly.instantiate(module, named);
  attach(instance);
  try {
    instance.exports._start();
  } catch (error) {
    if (!(error instanceof Exit)) throw error;
  }
}

if (typeof self !== "undefined" && typeof self.postMessage === "function") {
  self.onmessage = async ({ data: { module, request } }) => {
    const complaints = [];
    try {
      await run(module, request, line => self.postMessage({ line }), line => complaints.push(line));
      self.postMessage({ done: true });
    } catch (error) {
      self.postMessage({ failed: [String(error), ...complaints].join("\n") });
    }
  };
}
