// The floor most Node tools stand on: N commands through child_process.spawn, K at once, no state at all.
import { spawn } from 'node:child_process';

const [n, k] = process.argv.slice(2).map(Number);
let started = 0;
let ended = 0;
const next = () => {
  if (started === n) return;
  started++;
  spawn('/bin/sh', ['-c', 'true'], { stdio: 'ignore' }).on('exit', () => {
    if (++ended < n) next();
  });
};
for (let i = 0; i < k; i++) next();
