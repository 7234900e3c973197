import { describe, expect, it } from 'vitest';
import { aStatus, aTask, CliRig } from '../../../test/rigs/cli-rig.ts';
import { aDecision, aQuestion } from '../../../test/rigs/decision-samples.ts';
import type { DecisionDoor } from '../../api/decisions/decision-door.ts';
import type { Signalbox } from '../../api/signalbox.ts';
import { taskId } from '../../core/model/ids.ts';
import { commandTable } from './command-table.ts';

const tasks = [
  aTask('api', { title: 'Build\tthe\nAPI', status: 'in_progress' }),
  aTask('auth'),
  aTask('1.2'),
  aTask('with space'),
  aTask('evil\x1b[2J'),
];
const plans: unknown[] = [];
const box: Partial<Signalbox> = {
  status: async (plan) => {
    plans.push(plan);
    return aStatus(tasks);
  },
  decisions: async () => door as DecisionDoor,
};
const asked: unknown[] = [];
const decision = aDecision({ task: taskId('api'), blocks: { count: 1, tasks: [taskId('web')] } });
const door: Partial<DecisionDoor> = {
  list: async () => ({ plan: 'plan.md', decisions: [decision] }),
  show: async (...about) => {
    asked.push(about);
    return aQuestion(decision);
  },
};

async function completed(...typed: string[]): Promise<string[]> {
  const rig = new CliRig(box);
  expect(await rig.run('__complete', '--', ...typed)).toBe(0);
  expect(rig.err).toBe('');
  return rig.out.split('\n').slice(0, -1);
}
const texts = async (...typed: string[]) => (await completed(...typed)).map((line) => line.split('\t')[0]);

describe('completes', () => {
  it('commands', async () => {
    expect(await texts('')).toEqual([...new Set(commandTable.map(({ name }) => name.split(' ')[0]))]);
    expect(await texts('re')).toEqual(['reset', 'retryable', 'reject', 'retry', 'resume', 'reload', 'read-findings']);
    expect(await completed('gra')).toEqual(['graph\tdraw which task waits for which, with the status of each']);
  });

  it('flags of the command, and values that can be listed', async () => {
    const flags = ['--all', '--watch', '--absolute', '--plan', '--verbose', '--json', '--help'];
    expect(await texts('status', '--')).toEqual(flags);
    expect(await texts('graph', '--format', '')).toEqual(['mermaid', 'dot', 'svg']);
    expect(await texts('graph', '--format', '=', 's')).toEqual(['svg']);
    expect(await texts('run', '--max-parallel', '')).toEqual([]);
    expect(await texts('run', '-j', '')).toEqual([]);
    expect(await texts('next', 'plan.md', '')).toEqual([]);
  });
  it('ids, with their state, none twice and none that a shell would take apart', async () => {
    expect(await completed('why', 'a')).toEqual(['api\tin progress: Build the API', 'auth\tpending: Title of auth']);
    expect(await texts('retry', 'api', '')).toEqual(['auth', '1.2']);
    expect(await texts('why', 'api', '')).toEqual([]);
  });

  it('ids of the plan that is named', async () => {
    await completed('why', '--plan', 'other.md', '');
    await completed('why', '--plan=third.md', '');
    await completed('why', '-p', 'fourth.md', '');
    await completed('why', '');
    expect(plans.slice(-4)).toEqual(['other.md', 'third.md', 'fourth.md', undefined]);
  });

  it('ids behind the flags that take some, of the plan that is named before', async () => {
    expect(await texts('run', '--only', 'a')).toEqual(['api', 'auth']);
    expect(await texts('run', '--only', 'api,')).toEqual(['api,auth', 'api,1.2']);
    expect(await texts('run', '--only', '=', 'auth,a')).toEqual(['auth,api']);
    expect(await completed('run', '--from', 'au')).toEqual(['auth\tpending: Title of auth']);
    expect(await texts('run', '--retry', 'api,1')).toEqual(['api,1.2']);
    await completed('run', 'other.md', '--only', '');
    await completed('run', '--max-parallel', '3', '--only', '');
    expect(plans.slice(-2)).toEqual(['other.md', undefined]);
  });

  it('the tools that plans can be imported from', async () => {
    expect(await texts('import', '')).toEqual(['taskmaster', 'beads', 'backlog', 'speckit', 'kiro']);
    expect(await completed('import', 'kiro', '')).toEqual([':any-files']);
    expect(await completed('write-findings', 'a', '--file', '')).toEqual([':any-files']);
  });

  it.each([
    [['status', ''], ':plan-files'],
    [['check', 'do'], ':plan-files'],
    [['why', '--plan', ''], ':plan-files'],
    [['why', '-p', ''], ':plan-files'],
    [['next', ''], ':plan-files'],
    [['next', '3', ''], ':plan-files'],
    [['lock', 'list', '--plan', ''], ':plan-files'],
    [['graph', '--out', ''], ':any-files'],
  ])('%j with files, which is left to the shell', async (typed, line) => {
    expect(await completed(...typed)).toEqual([line]);
  });

  it('open decisions with what they are about, then what each answer does', async () => {
    expect(await completed('decide', '')).toEqual(['d1\tTask api failed. This blocks web.']);
    expect(await completed('decide', 'd1', 'ret')).toEqual(['retry\ttry it once more']);
    expect(asked.at(-1)).toEqual([undefined, 'd1']);
    expect(await texts('decide', 'd1', 'retry', '')).toEqual([]);
    expect(await texts('reject', 'api', '--severity', '')).toEqual(['low', 'medium', 'high']);
    expect(await texts('run', '--on-failure', 'a')).toEqual(['ask', 'abort']);
  });

  it('codes and shells', async () => {
    expect(await texts('explain', 'unknown-i')).toEqual(['unknown-id']);
    expect(await texts('completion', '')).toEqual(['bash', 'zsh', 'fish']);
  });
});

describe('says nothing, and fails never', () => {
  it.each([[[]], [['']], [['nonsense', '']], [['plans', '']], [['status', 'a.md', '']], [['-', '--', '-']]])(
    'for %j',
    async (typed) => {
      await completed(...typed);
    },
  );

  it('when the workspace cannot be opened', async () => {
    const rig = new CliRig({
      status: async () => {
        throw new Error('the disk is full');
      },
    });
    expect(await rig.run('__complete', '--', 'why', '')).toBe(0);
    expect([rig.out, rig.err]).toEqual(['', '']);
  });

  it('in the help', async () => {
    const rig = new CliRig();
    await rig.run('--help');
    expect(rig.out).not.toContain('__complete');
  });
});
