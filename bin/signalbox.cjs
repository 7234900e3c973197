#!/usr/bin/env node
// The launcher: plain JavaScript that any Node can read. It checks the ground before anything else is loaded
// (the SQLite binding crashes the process on Node 20) and turns the compile cache on, which halves the start.
'use strict';
const { existsSync } = require('node:fs');
const { join } = require('node:path');

const stop = (sentence) => {
  process.stderr.write(`signalbox: ${sentence}\n`);
  process.exit(70);
};
const [major, minor] = process.versions.node.split('.').map(Number);
const entry = join(__dirname, '..', 'dist', 'signalbox.js');
if (process.platform === 'win32')
  stop('Windows is not supported; run Signalbox inside WSL (Windows Subsystem for Linux).');
else if (major < 22 || (major === 22 && minor < 13))
  stop(
    `Node 22.13 or newer is needed, and this is ${process.versions.node}. Install a newer Node, or run "npm ci" in a clone, which brings one.`,
  );
else if (!existsSync(entry)) stop('the build is missing. Run "npm ci" (or "npm run build") in the clone.');
else {
  require('node:module').enableCompileCache();
  const whole = () => import(require('node:url').pathToFileURL(entry).href);
  const argv = process.argv.slice(2);
  // These are asked so often that every millisecond counts: one small file does them, or says that it cannot.
  if (['status', 'next', 'why', 'progress', 'lock'].includes(argv[0]))
    require('../dist/quick.cjs')
      .runQuickly(argv)
      .then((done) => done || whole());
  else whole();
}
