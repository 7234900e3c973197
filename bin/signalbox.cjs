#!/usr/bin/env node
// The launcher: plain JavaScript that any Node can read. It finds a Node that is new enough before anything else is loaded (the
// SQLite binding crashes the process on Node 20), and starts the program with the compiled code that was kept of it.
'use strict';
const fs = require('node:fs');
const path = require('node:path');

const program = path.join(__dirname, '..', 'dist', 'signalbox.cjs');
const [major, minor] = process.versions.node.split('.').map(Number);

if (process.platform === 'win32')
  stop('Windows is not supported; run Signalbox inside WSL (Windows Subsystem for Linux).');
else if (major < 22 || (major === 22 && minor < 13)) startWithNewerNode();
else if (!fs.existsSync(program)) stop('the build is missing. Run "npm ci" (or "npm run build") in the clone.');
else start();

function stop(sentence) {
  process.stderr.write(`signalbox: ${sentence}\n`);
  process.exit(70);
}

/** The Node that `npm ci` brought into the clone. */
function startWithNewerNode() {
  const node = path.join(__dirname, '..', 'node_modules', 'node', 'bin', 'node');
  if (!fs.existsSync(node) || fs.realpathSync(node) === process.execPath)
    return stop(
      `Node 22.13 or newer is needed, and this is ${process.versions.node}. Install a newer Node, or run "npm ci" in a clone, which brings one.`,
    );
  const args = [...process.execArgv, __filename, ...process.argv.slice(2)];
  const child = require('node:child_process').spawn(node, args, { stdio: 'inherit' });
  // Ctrl-C and Ctrl-\ in a terminal reach both processes by themselves, and a second interrupt would mean something else.
  const isTerminal = [0, 1, 2].some((fd) => require('node:tty').isatty(fd));
  const pass = (signal) => child.kill(signal);
  for (const signal of ['SIGINT', ...require('./ending-signals.json')]) {
    const isFromTheTerminal = isTerminal && (signal === 'SIGINT' || signal === 'SIGQUIT');
    process.on(signal, isFromTheTerminal ? () => undefined : pass);
  }
  child.on('error', (error) => stop(`${node} does not start: ${error.message}`));
  child.on('exit', (code, signal) => {
    if (signal === null) process.exit(code);
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  });
}

/**
 * Node's own compile cache holds only what is compiled before a file runs. Here the functions that a command called are kept too,
 * which spares every later call of it about 8 ms.
 */
function start() {
  // The build sees to it that it is ASCII alone.
  const source = fs.readFileSync(program, 'latin1');
  const build = Buffer.from(source.slice(0, source.indexOf('\n') + 1));
  const file = fileOfKeptCode();
  const kept = file && readKeptCode(file, build);
  const script = new (require('node:vm').Script)(source, { filename: program, cachedData: kept || undefined });
  const module = { exports: {} };
  script.runInThisContext()(module.exports, require, module);
  module.exports.main(__filename).then(() => {
    const isUsed = kept && !script.cachedDataRejected;
    // One that was refused has not called what the command usually calls. 1 is an answer: `fmt --check` found something to change.
    if (file && !isUsed && process.exitCode <= 1) keepCode(file, build, script);
    // Everything is written and closed. Taking the heap apart first would cost two milliseconds.
    process.exit();
  });
}

/**
 * In the user's cache folder, one file for each command. V8 believes what it reads, so code of somebody else would run as ours:
 * only a folder of this user alone is used. The folder of NODE_COMPILE_CACHE is not used either; Node itself obeys it for this file before it
 * runs. Null: nothing is kept.
 */
function fileOfKeptCode() {
  const { XDG_CACHE_HOME: given = '', HOME: home = '', NODE_DISABLE_COMPILE_CACHE: isOff } = process.env;
  const caches = path.isAbsolute(given) ? given : path.join(home, '.cache');
  if (isOff || !path.isAbsolute(caches)) return null;
  const folder = path.join(caches, 'signalbox');
  try {
    fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
    const found = fs.lstatSync(folder);
    if (!found.isDirectory() || found.uid !== process.getuid() || found.mode & 0o077) return null;
  } catch {
    return null;
  }
  const [command = ''] = process.argv.slice(2);
  const name = /^[a-z][a-z-]{0,20}$/.test(command) ? command : 'other';
  // The end of the path is enough to tell most installations apart; two that share a name take turns.
  const place = program.replace(/\//g, '%').slice(-150);
  return path.join(folder, [name, process.version, process.arch, place].join('-'));
}

/** The first line of the program tells builds apart: V8 itself only looks at the length of the source. */
function readKeptCode(file, build) {
  try {
    const bytes = fs.readFileSync(file);
    return bytes.subarray(0, build.length).equals(build) ? bytes.subarray(build.length) : null;
  } catch {
    return null;
  }
}

/** It is on the disk as a whole before it has its name. That it cannot be kept is no harm. */
function keepCode(file, build, script) {
  const draft = `${file}.${process.pid}`;
  try {
    const fd = fs.openSync(draft, 'wx', 0o600);
    fs.writeFileSync(fd, Buffer.concat([build, script.createCachedData()]), { flush: true });
    fs.closeSync(fd);
    fs.renameSync(draft, file);
    forgetOldCode(path.dirname(file));
  } catch {
    if (fs.existsSync(draft)) fs.unlinkSync(draft);
  }
}

/** Of builds, places and versions of Node that nobody has used for a month, and drafts of processes that were killed. */
function forgetOldCode(folder) {
  for (const name of fs.readdirSync(folder)) {
    const { atimeMs, mtimeMs } = fs.statSync(path.join(folder, name));
    const days = /\.cjs\.\d+$/.test(name) ? 1 : 30;
    if (Math.max(atimeMs, mtimeMs) < Date.now() - days * 86_400_000) fs.unlinkSync(path.join(folder, name));
  }
}
