// The small entry point answers exactly as the whole program does: what it cannot do it hands over, and nobody notices.
import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { Workspace } from './rig.ts';

function answer(entry: string, w: Workspace, argv: readonly string[], env: Record<string, string> = {}) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [resolve(entry), ...argv], {
    cwd: w.folder,
    encoding: 'utf8',
    env: { ...process.env, NO_COLOR: '', ...env },
  });
  // Places in the bundle, and what Node itself says about the environment, are neither's answer.
  const said = stderr.replace(/^ {4}at .*\n|^\(.*\n/gm, '');
  return { status, stdout, stderr: said };
}

const plan =
  'retries: 0\ntasks:\n  a: {run: "true"}\n  b: {run: "false", needs: [a]}\n  c: {run: "true", needs: [b]}\n';
/** So many tasks that a snapshot is kept of it, of which single tasks are read. */
const large = `---
order: explicit
finish: "true"
retries: 0
---
## One

- [ ] g: Group
  - check: "true"
  - [ ] a: First
    - run: "true"
  - [ ] g2: Second
    - run: "true"
    - priority: 3
- [ ] b: Fails → a
  - run: "false"
- [ ] c: Waits → b
  - run: "true"
${Array.from({ length: 120 }, (_, i) => `- [ ] t${i}: Step ${i} → ${i === 0 ? 'b' : `t${i - 1}`}\n  - run: "true"`).join('\n')}

## Two

${Array.from({ length: 40 }, (_, i) => `- [ ] u${i}: Other ${i}\n  - run: "true"\n  - files: [u${i}.ts]`).join('\n')}
`;
const lines: readonly (readonly string[])[] = [
  ['status'],
  ['status', '--json'],
  ['status', '--all', '--absolute'],
  ['status', 'plan.yaml', '--plan', 'other.yaml'],
  ['status', 'nowhere.yaml'],
  ['status', '--help'],
  ['status', '--jsn'],
  ['next'],
  ['next', '2', '--json'],
  ['next', 'many'],
  ['why', 'c'],
  ['why', 'c', '--json'],
  ['why', 'nobody'],
  ['why'],
  ['progress'],
  ['progress', '--verbose'],
  ['plans', '--absolute'],
  ['retryable'],
  ['exhausted', '--json'],
  ['sync-check'],
  ['sync-check', '--json'],
  ['set'],
  ['set', 'nowhere.md'],
  ['detect-stuck', '--json'],
  ['detect-stuck', '--limit', 'soon'],
  ['read-findings', 'a'],
  ['mark-started', 'nobody'],
  ['mark-started', 'c', '--json'],
  ['mark-failed', 'a'],
  ['mark-complete'],
  ['complete-run'],
];

const byHand = [
  'mark-started g2',
  'mark-started u39',
  'mark-complete u39 --notes done',
  'mark-complete a',
  'mark-failed b --error no',
  'mark-started b',
  'mark-complete b',
  'mark-started t0',
  'mark-skipped t5',
  'mark-skipped t5 --treat-as-done',
  'mark-complete t0 --json',
  'start-run',
  'next 3',
  'mark-complete u1',
  'complete-run',
  'why t7',
  'status',
  'detect-stuck --json',
];
const timeless = (text: string) =>
  text.replace(
    /\d{4}-\d\d-\d\dT[\d:.]+Z|"(?:at|pid|startTime|duration|silentMs|log)\\*": ?[^,}]+|(?:run|hand)-[\w-]+|[\d.]+ ?(?:ms|s|seconds?)\b|just now/g,
    '…',
  );

describe('the small program', () => {
  const run = new Workspace({ 'plan.yaml': plan });
  answer('dist/signalbox.js', run, ['run', 'plan.yaml']);
  const part = new Workspace({ 'plan.md': large });
  answer('dist/signalbox.js', part, ['run', 'plan.md']);
  const fresh = new Workspace({ 'plan.md': large });
  answer('dist/signalbox.js', fresh, ['set', 'plan.md']);
  const cases = {
    'of a plan that was run': run,
    'of a large plan that was run in part': part,
    'of a large plan that was loaded': fresh,
    'of a plan that was never run': new Workspace({ 'plan.yaml': plan }),
    'of a folder without anything': new Workspace(),
    'with plain settings': new Workspace({
      'plan.yaml': plan,
      'signalbox.yaml': 'max-parallel: 1\npools: {opus: 2}\n',
    }),
    'with settings that only the YAML package reads': new Workspace({
      'plan.yaml': plan,
      'signalbox.yaml': 'max-parallel: &n 1\nretries: *n\n',
    }),
    'with settings that are wrong': new Workspace({ 'plan.yaml': plan, 'signalbox.yaml': 'max-paralel: 1\n' }),
  };
  for (const [name, w] of Object.entries(cases)) {
    if (w !== run && name.startsWith('with')) answer('dist/signalbox.js', w, ['set', 'plan.yaml']);
  }

  // All of them where most has happened, and elsewhere every third, each time others.
  const asked = (w: Workspace, n: number) => lines.filter((_, i) => w === run || i % 3 === n % 3);
  it.each(Object.entries(cases).flatMap(([name, w], n) => asked(w, n).map((argv) => [name, argv, w] as const)))(
    'answers, %s, %j as the whole one does',
    (_, argv, w) => {
      const expected = answer('dist/signalbox.js', w, argv);
      expect(answer('bin/signalbox.cjs', w, argv)).toEqual(expected);
    },
  );

  it('drives a large plan by hand exactly as the whole one does', () => {
    const both = ['bin/signalbox.cjs', 'dist/signalbox.js'].map((entry) => {
      const w = new Workspace({ 'plan.md': large });
      answer('dist/signalbox.js', w, ['set', 'plan.md']);
      const said = byHand.map((line) => answer(entry, w, line.split(' '), { SIGNALBOX_USER: 'ann' }));
      const events = answer('dist/signalbox.js', w, ['events', '--json', '--from', '2']).stdout;
      const status = w.read('docs/plan-outputs/plan/status.json');
      expect(answer('dist/signalbox.js', w, ['validate']).stdout).toMatch(/^All is well/);
      return [...said, events, status].map((text) => timeless(JSON.stringify(text)));
    });
    for (const [i, text] of both[0]!.entries()) expect(text).toBe(both[1]![i]);
  });

  it('colours only when it is told to', () => {
    for (const env of [{ FORCE_COLOR: '1' }, { FORCE_COLOR: '1', NO_COLOR: '1' }]) {
      const own = answer('bin/signalbox.cjs', run, ['status'], env);
      expect(own).toEqual(answer('dist/signalbox.js', run, ['status'], env));
      expect(own.stdout.includes('\x1b[')).toBe(!('NO_COLOR' in env));
    }
  });

  it('ends quietly when its reader has seen enough', () => {
    const { status, stderr } = spawnSync(
      'sh',
      ['-c', `"${process.execPath}" bin/signalbox.cjs status --all --json | true`],
      {
        encoding: 'utf8',
      },
    );
    expect({ status, stderr }).toMatchObject({ status: 0 });
    expect(stderr).not.toContain('EPIPE');
  });
});

it.each([['status'], ['lock', 'try', 'a', '--agent', 'ann'], ['lock', 'release', 'a', '--agent', 'ann']])(
  '%s loads no module for cryptography or streams: each costs a small command milliseconds',
  (...argv) => {
    const w = new Workspace({ 'plan.yaml': plan });
    answer('bin/signalbox.cjs', w, ['set', 'plan.yaml']);
    w.write(
      'tell.cjs',
      "process.on('exit', () => require('node:fs').writeFileSync('loaded', process.moduleLoadList.join()))",
    );
    answer('bin/signalbox.cjs', w, argv, { NODE_OPTIONS: '--require ./tell.cjs' });
    expect(
      w
        .read('loaded')
        .split(',')
        .filter((name) => /^NativeModule (internal\/crypto\/|stream$)/.test(name)),
    ).toEqual([]);
  },
);
