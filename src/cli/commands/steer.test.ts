import { expect, it } from 'vitest';
import { CliRig, path, stored, withFiles } from '../../../test/rigs/cli-rig.ts';
import type { SteerDoor } from '../../api/act/steer-door.ts';
import type { FilesDoor } from '../../api/files/files-door.ts';
import { Refusal } from '../../api/refusal.ts';
import type { SteerReport } from '../../api/reports/steering.ts';
import type { Signalbox } from '../../api/signalbox.ts';
import { taskId } from '../../core/model/ids.ts';

const retried = stored(0, { type: 'task-retried', task: taskId('a'), by: 'ann' });
const report: SteerReport = { plan: path, events: [retried], running: false };

/** A Signalbox that writes down how it was called. */
function listening(answer: SteerReport = report): { box: Partial<Signalbox>; calls: unknown[] } {
  const calls: unknown[] = [];
  const listen =
    (name: string) =>
    async (...args: unknown[]) => {
      calls.push([name, ...args]);
      return answer;
    };
  const names = ['retry', 'skip', 'suspend', 'resume', 'pause', 'stop'] as const;
  const door = Object.fromEntries(names.map((name) => [name, listen(name)])) as unknown as SteerDoor;
  return { box: { steering: async () => door }, calls };
}

it.each<[string[], unknown[]]>([
  [
    ['retry', 'a', 'b', '--note', 'port'],
    ['retry', undefined, ['a', 'b'], { reason: 'port' }],
  ],
  [
    ['retry', 'a', '--force', '--reason', 'the schema', '--note', 'port'],
    ['retry', undefined, ['a'], { reason: 'port', forced: { reason: 'the schema' } }],
  ],
  [
    ['retry', 'a', '--force'],
    ['retry', undefined, ['a'], { forced: {} }],
  ],
  [
    ['retry', 'a', '--plan', 'p.md'],
    ['retry', 'p.md', ['a'], {}],
  ],
  [
    ['skip', 'a', '--dependents', '--reason', 'no'],
    ['skip', undefined, ['a'], { reason: 'no', dependents: true }],
  ],
  [
    ['skip', 'a', '--treat-as-done'],
    ['skip', undefined, ['a'], { treatAsDone: true }],
  ],
  [
    ['suspend', 'a'],
    ['suspend', undefined, ['a'], {}],
  ],
  [['resume'], ['resume', undefined, [], {}]],
  [
    ['resume', 'a', 'b'],
    ['resume', undefined, ['a', 'b'], {}],
  ],
  [
    ['pause', 'p.md', '--reason', 'lunch'],
    ['pause', 'p.md', { reason: 'lunch' }],
  ],
  [
    ['stop', 'p.md'],
    ['stop', 'p.md', {}],
  ],
  [
    ['stop', '--now'],
    ['stop', undefined, { kill: true }],
  ],
])('%j is passed on as %j', async (argv, call) => {
  const { box, calls } = listening();
  expect(await new CliRig(box).run(...argv)).toBe(0);
  expect(calls).toEqual([call]);
});

it('says what was recorded and what to type next', async () => {
  const rig = new CliRig(listening().box);
  await rig.run('retry', 'a', '--plan', 'p.md');
  expect(rig.out).toBe('a gets one more attempt from ann\n  signalbox run p.md\n');
});

it('takes no reason for what needs none', async () => {
  const rig = new CliRig(listening().box);
  expect(await rig.run('retry', 'a', '--reason', 'port')).toBe(2);
  expect(rig.err).toContain('add --force to redo a completed task');
});

it('says what to type next so that it can be typed', async () => {
  const rig = new CliRig(listening().box);
  await rig.run('suspend', '--plan', '-p.md', '--', 'a', '-d');
  expect(rig.out).toContain('  signalbox resume --plan ./-p.md -- a -d\n');
  expect(await rig.run('retry', '-d')).toBe(2);
  expect(rig.err).toContain('if it is a task or a file: signalbox retry -- -d;');
});

it('names the plan in the way out when the person had named one', async () => {
  const refuse = async () => {
    throw new Refusal(2, 'no', { instead: 'see: signalbox why a; or signalbox run' });
  };
  const rig = new CliRig({ steering: async () => ({ retry: refuse }) as unknown as SteerDoor });
  expect(await rig.run('retry', 'a', '--plan', 'p.md')).toBe(2);
  expect(rig.err).toContain('see: signalbox why --plan p.md a; or signalbox run p.md\n');
  expect(await rig.run('retry', 'a')).toBe(2);
  expect(rig.err).toContain('see: signalbox why a; or signalbox run\n');
});

it('says so when a run goes on that acts on it', async () => {
  const rig = new CliRig(listening({ ...report, running: true }).box);
  await rig.run('retry', 'a');
  expect(rig.out).toBe('a gets one more attempt from ann\n  the current run acts on it\n');
});

it('says so when there was nothing to change', async () => {
  const rig = new CliRig(listening({ ...report, events: [] }).box);
  await rig.run('pause');
  expect(rig.out).toBe('nothing to change\n  signalbox resume\n');
});

it('gives the recorded events as JSON', async () => {
  const rig = new CliRig(listening().box);
  await rig.run('retry', 'a', '--json');
  expect(rig.json()).toEqual([
    {
      plan: 'plan.md',
      events: [
        {
          type: 'task-retried',
          seq: retried.seq,
          at: '2026-11-15T12:00:00.000Z',
          plan: 'plan.md',
          task: 'a',
          by: 'ann',
        },
      ],
      running: false,
    },
  ]);
});

it('reload names what changed', async () => {
  const reload: FilesDoor['reload'] = async () => ({
    plan: path,
    added: ['x', 'y'],
    removed: ['z'],
    kept: ['a'],
    changed: ['c'],
    nextAttempt: [],
    ticked: [],
    planChanges: ['title'],
    rewritten: ['b'],
  });
  const rig = new CliRig(withFiles({ reload }));
  await rig.run('reload');
  expect(rig.out).toBe(
    'plan.md was reloaded\n  new: x and y\n  removed: z\n  changed: c\n  changed in the whole plan: title\n  changed after they had started: b\n',
  );
});

it('set names the plan and the file that remembers it', async () => {
  const rig = new CliRig(withFiles({ set: async (plan) => ({ plan, file: '.claude/current-plan.txt' }) }));
  await rig.run('set', 'p.md');
  expect(rig.out).toBe('p.md is the current plan now (.claude/current-plan.txt)\n');
});
