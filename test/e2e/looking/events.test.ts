// What was recorded, for whoever asks: also what happened between agents that Signalbox did not start, which is part of no plan.
import { describe, expect, it } from 'vitest';
import { type Line, Workspace } from '../rig.ts';

const types = (lines: readonly Line[]) => lines.map(({ type }) => type);
const plan = '- [ ] a: A\n  - run: `true`\n';

async function forced(w: Workspace, resource: string): Promise<void> {
  expect((await w.run('lock', 'try', resource, '--agent', 'ann')).code).toBe(0);
  expect((await w.run('lock', 'release', resource, '--force', '--reason', 'gone')).code).toBe(0);
}

describe('events', () => {
  it('show what happened to the locks of agents by name, where there is no plan', async () => {
    const w = new Workspace();
    expect((await w.run('events')).code).toBe(2);
    await forced(w, 'q');
    const { code, out } = await w.run('events', '--verbose');
    expect(code).toBe(0);
    expect(out).toContain('lock-acquired: ann holds q');
    expect(out).toContain('lock-released: ann loses q, forced by tester: gone');
    const { lines } = await w.run('events', '--json', '--after', '1');
    expect(lines).toMatchObject([
      { type: 'lock-released', seq: 2, plan: '', agent: 'ann', resource: 'q', reason: 'gone' },
    ]);
  });

  it('show them among those of a plan, in order, and not those of another one', async () => {
    const w = new Workspace({ 'plan.md': plan, 'other.md': plan });
    await forced(w, 'first');
    expect((await w.run('run', 'plan.md')).code).toBe(0);
    await w.run('lock', 'try', 'x', '--agent', 'ann');
    await w.run('lock', 'try', 'y', '--agent', 'bob');
    const waiting = w.start('lock', 'wait', 'y', '--agent', 'ann');
    while ((await w.start('lock', 'list', '--json').ended).json.waits.length === 0);
    expect((await w.run('lock', 'wait', 'x', '--agent', 'bob')).code).toBe(5);
    waiting.kill('SIGTERM');
    await waiting.ended;
    expect((await w.run('run', 'other.md')).code).toBe(0);
    const { lines } = await w.run('events', 'plan.md', '--json');
    const seqs = lines.map(({ seq }) => seq);
    expect(seqs).toEqual([...seqs].sort((a, b) => a - b));
    expect(new Set(lines.map((line) => line.plan))).toEqual(new Set(['', 'plan.md']));
    expect(types(lines).slice(0, 3)).toEqual(['lock-acquired', 'lock-released', 'plan-loaded']);
    expect(types(lines)).toContain('lock-refused');
    expect((await w.run('events', 'plan.md')).out).toContain(
      'bob was refused x, because waiting for it would never end',
    );
  });

  it('show those of nobody when it is not clear which plan is meant, and say so', async () => {
    const w = new Workspace({ 'plan.md': plan, 'other.md': plan });
    for (const name of ['plan.md', 'other.md']) expect((await w.run('run', name)).code).toBe(0);
    await forced(w, 'q');
    const { code, lines, err } = await w.run('events', '--json');
    expect([code, types(lines)]).toEqual([0, ['lock-acquired', 'lock-released']]);
    expect(err).toContain('2 plans are known here: plan.md (complete), other.md (complete); name one');
  });

  it('are followed as they come', async () => {
    const w = new Workspace({ 'plan.md': plan });
    expect((await w.run('run', 'plan.md')).code).toBe(0);
    const following = w.start('events', '--json', '--follow');
    await following.line(({ type }) => type === 'run-ended');
    await forced(w, 'q');
    expect(await following.line(({ type }) => type === 'lock-released')).toMatchObject({ agent: 'ann', resource: 'q' });
    following.kill('SIGINT');
    await following.ended;
  });
});
