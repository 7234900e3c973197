// `npm run prove`: every campaign in its short form. `npm run prove -- --long`: in its long form.
// `npm run prove -- NAME [options]`: one campaign, in either form, with options of its own. `npm run prove -- --list` names them.
// Each draws a new seed; one that fails is printed with the command that replays it.
import { spawn } from 'node:child_process';
import '../own-state.ts';
import { type Campaign, campaigns } from './campaigns.ts';

const typed = process.argv.slice(2);
const isLong = typed.includes('--long');
const [name, ...options] = typed.filter((word) => word !== '--long');

if (name === '--list') {
  for (const [known, { proves }] of Object.entries(campaigns)) console.log(`${known.padEnd(15)} ${proves}`);
  process.exit(0);
}
const chosen = Object.entries(campaigns).filter(([known]) => name === undefined || known === name);
if (chosen.length === 0) {
  console.error(`there is no campaign ${name}; there are ${Object.keys(campaigns).join(', ')}`);
  process.exit(2);
}

/** What a campaign prints that this machine cannot perform. */
const skippedBecause = /^skipped: (.+)$/m;
let [failed, skipped] = [0, 0];
for (const [known, campaign] of chosen) {
  const startedAt = performance.now();
  const words = wordsFor(campaign);
  const { isGood, out } = await perform(campaign, words);
  const seconds = `${((performance.now() - startedAt) / 1_000).toFixed(0)} s`;
  if (!isGood) {
    failed++;
    // One campaign by itself was watched already.
    if (name === undefined) process.stdout.write(out);
    console.log(`see it again: npm run prove -- ${[known, ...words].map(quoted).join(' ')}`);
  }
  const why = isGood ? skippedBecause.exec(out)?.[1] : undefined;
  if (why !== undefined) skipped++;
  const result = why !== undefined ? 'SKIPPED' : isGood ? 'passed' : 'FAILED';
  console.log(`${result.padEnd(7)} ${known.padEnd(15)} ${seconds.padStart(6)}  ${why ?? words.join(' ')}`);
}
console.log(`${chosen.length - failed - skipped} passed, ${failed} failed${skipped > 0 ? `, ${skipped} SKIPPED` : ''}`);
process.exitCode = failed === 0 ? 0 : 1;

/** The form that was asked for, but what a person typed counts more; with a new seed where nobody named one. */
function wordsFor({ seed, short, long }: Campaign): readonly string[] {
  const form = isLong ? long : short;
  const kept = form.filter((_, i) => !options.includes(form[i - (i % 2)]!));
  const words = [...kept, ...options];
  if (seed === undefined || words.some((word) => /^(FC_SEED|--seed|--from|--only)\b/.test(word))) return words;
  const drawn = 1 + Math.floor(Math.random() * 1_000_000);
  return seed === 'FC_SEED' ? [...words, `FC_SEED=${drawn}`] : [...words, seed, `${drawn}`];
}

function perform({ argv, env }: Campaign, words: readonly string[]): Promise<{ isGood: boolean; out: string }> {
  const isVariable = (word: string) => word.startsWith('FC_SEED=');
  const variables = Object.fromEntries(words.filter(isVariable).map((word) => word.split('=')));
  const child = spawn(process.execPath, [...argv, ...words.filter((word) => !isVariable(word))], {
    env: { ...process.env, ...env, ...variables },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let out = '';
  for (const [from, to] of [
    [child.stdout, process.stdout],
    [child.stderr, process.stderr],
  ] as const) {
    from.setEncoding('utf8').on('data', (text: string) => {
      out += text;
      if (name !== undefined) to.write(text);
    });
  }
  return new Promise((done) => child.on('close', (code) => done({ isGood: code === 0, out })));
}

function quoted(word: string): string {
  return word.includes(' ') ? `'${word}'` : word;
}
