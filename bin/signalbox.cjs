#!/usr/bin/env node
// The launcher: plain JavaScript that any Node can read. It checks the ground before anything else is loaded
// (the SQLite binding crashes the process on Node 20) and sees to it that code which was compiled once is not compiled again.
'use strict';
const fs = require('node:fs');

const stop = (sentence) => {
  process.stderr.write(`signalbox: ${sentence}\n`);
  process.exit(70);
};
/** The small programs, with the commands that each performs: see scripts/quick-bundle.mjs. */
const small = {
  looks: 'status next why progress plans retryable exhausted',
  locks: 'lock',
  hand: 'mark-started mark-complete mark-failed mark-skipped write-findings read-findings start-run complete-run detect-stuck',
  files: 'set sync-check validate',
};
const [major, minor] = process.versions.node.split('.').map(Number);
const dist = `${__dirname}/../dist`;
const entry = `${dist}/signalbox.js`;
if (process.platform === 'win32')
  stop('Windows is not supported; run Signalbox inside WSL (Windows Subsystem for Linux).');
else if (major < 22 || (major === 22 && minor < 13))
  stop(
    `Node 22.13 or newer is needed, and this is ${process.versions.node}. Install a newer Node, or run "npm ci" in a clone, which brings one.`,
  );
else if (!fs.existsSync(entry)) stop('the build is missing. Run "npm ci" (or "npm run build") in the clone.');
else {
  const argv = process.argv.slice(2);
  const program = Object.keys(small).find((name) => small[name].split(' ').includes(argv[0]));
  // These are asked so often that every millisecond counts: one small file does them, or says that it cannot.
  if (program) quickly(program, argv).then((done) => done || whole());
  else whole();
}

function whole() {
  require('node:module').enableCompileCache();
  return import(require('node:url').pathToFileURL(entry).href);
}

/**
 * Runs a small program. Node's own compile cache keeps only what is compiled before a file runs, and so would compile some 300
 * functions again each time, which takes as long as what they do. Here the functions that were called are kept.
 */
function quickly(program, argv) {
  const loaded = [];
  const load = (name, use) => {
    const file = `${dist}/quick-${name}.cjs`;
    // Nothing but ASCII, and one function around it, both of which the build sees to: nothing is decoded or copied.
    const source = fs.readFileSync(file, 'latin1');
    const kept = keptCode(source.slice(2, 34), use);
    const script = new (require('node:vm').Script)(source, { filename: file, cachedData: kept.code });
    loaded.push({ kept, script });
    const exports = {};
    const module = { exports };
    const ask = (id) => (id === './quick-settings.cjs' ? load('settings', 'settings') : require(id));
    script.runInThisContext().call(exports, exports, ask, module, file, dist);
    return module.exports;
  };
  return load(program, useOf(argv))
    .runQuickly(argv)
    .then((done) => {
      if (!done) return false;
      for (const { kept, script } of loaded) {
        const isUsed = kept.code !== undefined && !script.cachedDataRejected;
        if (kept.file && !(isUsed && kept.isFresh)) keepCode(kept, script, isUsed);
      }
      // Everything is written; taking the heap apart would cost another millisecond.
      return process.exit();
    });
}

/** Each command calls other functions. */
function useOf([first, second = '', ...rest]) {
  const words = first === 'lock' && /^[a-z-]{1,20}$/.test(second) ? `${first}-${second}` : first;
  return second === '--json' || rest.includes('--json') ? `${words}-json` : words;
}

/** @param build tells builds apart: V8 itself only looks at the length of the source. */
function keptCode(build, use) {
  const { NODE_COMPILE_CACHE: given, TMPDIR: temporary, NODE_DISABLE_COMPILE_CACHE: off } = process.env;
  if (off || /[^0-9a-f]/.test(build)) return {};
  const user = process.getuid();
  const folder = `${given || temporary || '/tmp'}/signalbox-code-${user}`;
  const file = `${folder}/${use}-${build}-${process.version}-${process.arch}`;
  try {
    const of = fs.lstatSync(folder);
    // Code that somebody else put there would run as ours.
    if (!of.isDirectory() || of.uid !== user || of.mode & 0o022) return {};
    const { mtimeMs } = fs.statSync(file);
    const bytes = fs.readFileSync(file);
    const times = bytes[bytes.length - 1];
    const isFresh = Date.now() - mtimeMs < 1000 * 2 ** times;
    return { folder, file, code: bytes.subarray(0, -1), times, isFresh };
  } catch {
    return { folder, file };
  }
}

/**
 * Kept again after one second, two, four and so on, because the first time may have been one without a plan, which calls little:
 * what was kept and what was called since make up the next one. V8 believes what it reads, so it is on the disk as a whole before
 * it has its name. That it cannot be kept is no harm.
 */
function keepCode({ folder, file, times }, script, isUsed) {
  const draft = `${file}.${process.pid}`;
  try {
    fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
    fs.writeFileSync(
      draft,
      Buffer.concat([script.createCachedData(), Buffer.of(isUsed ? Math.min(times + 1, 30) : 0)]),
      {
        flag: 'wx',
        mode: 0o600,
        flush: true,
      },
    );
    fs.renameSync(draft, file);
  } catch {
    if (fs.existsSync(draft)) fs.unlinkSync(draft);
  }
}
