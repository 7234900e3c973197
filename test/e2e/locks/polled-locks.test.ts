// Agents that ask with `lock try` again and again instead of waiting, and checks and reviews that ask for what their own attempt holds:
// with the real program.
import { describe, expect, it } from 'vitest';
import { type Line, Workspace } from '../rig.ts';

const ofType = (lines: readonly Line[], type: string) => lines.filter((line) => line.type === type);

describe('lock try in opposite order', () => {
  /** Holds one file, waits until the other task holds its own, and then polls for that, as scripts do. */
  const polls = (own: string, other: string) =>
    [
      `signalbox lock try ${own}`,
      `echo half >> ${own}`,
      `touch here-${own}`,
      'while [ ! -e here-one -o ! -e here-two ]; do sleep 0.05; done',
      `n=0; until signalbox lock try ${other}; do n=$((n+1)); [ $n -lt 200 ] || exit 9; sleep 0.05; done`,
      `echo whole >> ${other}`,
    ].join(' && ');

  it('is a deadlock: one is stopped, its files are put back, and it runs again after the other', async () => {
    const w = new Workspace({
      one: 'before\n',
      two: 'before\n',
      'plan.yaml': `max-parallel: 2\nretries: 0\ntasks:\n  x: {run: "${polls('one', 'two')}"}\n  y: {run: "${polls('two', 'one')}"}\n`,
    });
    const { code, lines } = await w.run('run', 'plan.yaml', '--json');
    expect(code).toBe(0);
    const [found, ...more] = ofType(lines, 'deadlock-detected');
    expect(more).toEqual([]);
    expect(found.words).toMatch(/^[xy]#1 holds (one|two) and waits for (one|two), held by [xy]#1, which waits for/);
    expect(ofType(lines, 'deadlock-resolved')).toHaveLength(1);
    // However often they asked: once for the first, once for the second that makes it a wait.
    expect(ofType(lines, 'lock-tried').length).toBeLessThanOrEqual(4);
  }, 60_000);
});

describe('a check or a review that asks for a lock of its own attempt', () => {
  it('gets it at once, and what overlaps it', async () => {
    const asks = 'signalbox lock wait src/** --timeout 20 && signalbox lock try src/a.ts && signalbox lock try db:own';
    const w = new Workspace({
      'signalbox.yaml': `review-agent: judge\nagents:\n  judge: {kind: command, command: [sh, judge.sh]}\n`,
      'judge.sh': `${asks} && echo '{"verdict":"approved"}'`,
      'src/a.ts': 'before\n',
      'plan.yaml': `retries: 0\ntasks:\n  a: {run: "echo x > src/a.ts", files: ["src/**"], check: "${asks}", review: agent}\n`,
    });
    const { code, lines } = await w.run('run', 'plan.yaml', '--json');
    expect(ofType(lines, 'check-ended')).toMatchObject([{ result: 'passed' }]);
    expect(ofType(lines, 'review-ended')).toMatchObject([{ result: 'approved' }]);
    expect(code).toBe(0);
    expect((await w.run('lock', 'list', '--json')).json).toMatchObject({ holds: [], waits: [] });
    expect((await w.run('validate', '--deep')).code).toBe(0);
  }, 60_000);

  it('is not a way around the locks of others', async () => {
    const w = new Workspace({
      'plan.yaml':
        'retries: 0\ntasks:\n  a: {run: "true", files: ["src/**"], check: "signalbox lock try docs/a.md; test $? = 1"}\n',
    });
    await w.run('lock', 'try', 'docs/a.md', '--agent', 'ann');
    expect((await w.run('run', 'plan.yaml', '--json')).code).toBe(0);
  });

  it('closes a circle with an attempt that waits for the files under check', async () => {
    // b holds two and waits for one; the check of a, which holds one, waits for two.
    const w = new Workspace({
      'plan.yaml': [
        'max-parallel: 2',
        'retries: 0',
        'tasks:',
        '  a: {run: "while [ ! -e two-held ]; do sleep 0.05; done", files: [one], check: "touch checking; signalbox lock wait two --timeout 100"}',
        '  b: {run: "signalbox lock wait two && touch two-held && while [ ! -e checking ]; do sleep 0.05; done; signalbox lock wait one --timeout 100"}',
        '',
      ].join('\n'),
    });
    const { code, lines } = await w.run('run', 'plan.yaml', '--json');
    expect(ofType(lines, 'deadlock-detected')).toMatchObject([{ victimTask: 'b' }]);
    expect(code).toBe(0);
  }, 60_000);
});
