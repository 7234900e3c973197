// What becomes of attempts in trees of their own: merged one at a time, before they are judged.
import { describe, expect, it } from 'vitest';
import { restored } from '../../../test/restored.ts';
import { type Rules, verifying } from '../../../test/verify-scenario.ts';
import type { AttemptEnd, Doom, Evidence } from '../model/failure.ts';
import { taskId } from '../model/ids.ts';
import type { Isolation } from '../model/run-event.ts';
import { type MergeAnswer, mergeEnded } from './job-end.ts';

const isolation: Isolation = { branch: 'signalbox/plan', base: 'aaa', trees: '/trees', prefix: '', onto: 'main' };
const isolated: Rules = { isolation };
const agent = { agent: 'ann', check: [] };
const work: Evidence = { changed: true, work: { branch: 'tries/a.1', base: 'aaa', head: 'bbb' } };
const exited: AttemptEnd = { kind: 'exited', code: 0 };
const red: MergeAnswer = { kind: 'ended', result: 'red', command: 'npm test' };
const conflict = { kind: 'ended', result: 'conflict', files: ['a.txt'] } as const;
const redBranch: MergeAnswer = { kind: 'held', because: { kind: 'red-branch', command: 'npm test' } };

describe('an attempt in a tree of its own', () => {
  it.each([
    ['merged', 'completed'],
    ['nothing', 'completed'],
  ] as const)('that is %s is %s, and not before', (result, status) => {
    const plan = verifying('a', { a: agent }, isolated).ends('a', 0, work);
    expect([plan.going(), plan.status('a')]).toEqual([['a#1 merge'], 'in_progress']);
    expect(plan.merges('a', result).status('a')).toBe(status);
  });

  it('is merged after its checks and its review', () => {
    const plan = verifying('a', { a: { agent: 'ann', check: ['test'], review: 'agent' } }, isolated);
    expect(plan.ends('a', 0, work).going()).toEqual(['a#1 check 0']);
    expect(plan.ends('a').going()).toEqual(['a#1 review']);
    expect(plan.says('a', 'approved').going()).toEqual(['a#1 merge']);
  });

  it('is not merged when it failed', () => {
    const plan = verifying('a', { a: agent }, isolated).ends('a', 1, work);
    expect(plan.going()).toEqual([]);
    expect(plan.task('a').work).toEqual(work.work);
  });

  it('fails when its tree cannot be merged as it is', () => {
    const plan = verifying('a', { a: { ...agent, retries: 0 } }, isolated);
    plan.ends('a', 0, { changed: true, unfit: 'a rebase was begun' });
    expect(plan.task('a').failure).toEqual({ kind: 'unfit', message: 'a rebase was begun' });
  });

  it('keeps its locks until it is merged', () => {
    const keys = { agent: 'ann', files: ['a.txt'] };
    const plan = verifying('a\nb', { a: keys, b: keys }, isolated).ends('a', 0, work);
    expect(plan.going()).toEqual(['a#1 merge']);
    expect(plan.merges('a').going()).toEqual(['b#1']);
  });

  it('waits for the merges before it, and needs no slot meanwhile', () => {
    const plan = verifying('a\nb\nc', { a: agent, b: agent, c: agent }, { ...isolated, limits: { plan: 2 } });
    expect(plan.ends('b', 0, work).ends('a', 0, work).going()).toEqual(['b#1 merge', 'c#1']);
    expect(plan.merges('b').going()).toEqual(['c#1', 'a#1 merge']);
  });

  it.each([
    ['conflict', conflict],
    ['red', red],
  ] as const)('is tried again when it ends %s, and a person decides the second time in a row', (because, answer) => {
    const plan = verifying('a', { a: { ...agent, retries: 0 } }, isolated)
      .ends('a', 0, work)
      .merges('a', answer);
    expect([plan.going(), plan.task('a').failures, plan.task('a').failure?.kind]).toEqual([['a#2'], 0, 'merge']);
    plan.ends('a', 0, work).merges('a', answer);
    expect([plan.asked(), plan.status('a')]).toEqual([['d1 conflict a'], 'suspended']);
    plan.answer('retry').runAgain(isolated);
    expect(plan.ends('a', 0, work).merges('a', answer).going()).toEqual(['a#4']);
    expect(plan.task('a').unmerged).toBe(1);
    expect(because).toBe(answer.kind === 'ended' && answer.result);
  });

  it('begins to count anew after another end', () => {
    const plan = verifying('a', { a: { ...agent, retries: 3 } }, isolated)
      .ends('a', 0, work)
      .merges('a', conflict);
    plan.ends('a', 1, work).wait(1_000_000);
    expect(plan.ends('a', 0, work).merges('a', conflict).going()).toEqual(['a#4']);
  });

  it('is merged again when its merge was interrupted, three times; then it has failed for good', () => {
    const plan = verifying('a', { a: { ...agent, retries: 3 } }, isolated).ends('a', 0, work);
    for (let n = 0; n < 2; n++) expect(plan.ends('a', 1).going()).toEqual(['a#1 merge']);
    expect(plan.ends('a', 1).status('a')).toBe('failed');
    expect(plan.task('a').failure).toMatchObject({ kind: 'review', message: expect.stringContaining('merged') });
  });

  it.each<[string, AttemptEnd, MergeAnswer | null, Doom | null, string | undefined]>([
    ['git was in the way', exited, { kind: 'trouble', problem: 'the disk is full' }, null, 'the disk is full'],
    ['it took too long', { kind: 'killed', code: 137 }, null, { kind: 'timeout', limitMs: 1 }, 'it took too long'],
    ['it could not start', { kind: 'unstartable', message: 'no sh', permanent: false }, null, null, 'no sh'],
    ['it said nothing', exited, null, null, 'its process ended with code 0'],
    ['the run was stopped', { kind: 'killed', code: 143 }, null, { kind: 'stop' }, undefined],
  ])('is merged again, with the reason, when %s', (_, end, answer, doom, problem) => {
    const plan = verifying('a', { a: agent }, isolated).ends('a', 0, work);
    const ended = mergeEnded({ ...plan.live('a'), doom }, end, answer);
    expect(ended).toMatchObject({ type: 'merge-interrupted', ...(problem === undefined ? {} : { problem }) });
    expect('problem' in ended).toBe(problem !== undefined);
    expect(plan.record(ended).goOn().going()).toEqual(['a#1 merge']);
  });

  it('is not blamed for a merge that was stopped with its run', () => {
    const plan = verifying('a', { a: agent }, isolated).ends('a', 0, work);
    for (let n = 0; n < 5; n++) plan.dooms('a', { kind: 'stop' }).ends('a', { kind: 'killed', code: 143 });
    expect(plan.going()).toEqual(['a#1 merge']);
  });

  it('is told what is wrong with it beside the files', () => {
    const plan = verifying('a', { a: agent }, isolated).ends('a', 0, work);
    plan.merges('a', { ...conflict, problem: 'it took back what others did' });
    expect(plan.task('a').failure).toMatchObject({ problem: 'it took back what others did' });
  });

  it('of a closing task counts for nothing when the plan has changed meanwhile', () => {
    const plan = verifying('a', { a: { run: 'make' } }, { ...isolated, finish: 'done' });
    plan.ends('a', 0, work).merges('a').ends('finish', 0, work);
    const more = {
      ...plan.plan.plan,
      tasks: [...plan.plan.plan.tasks, { ...plan.plan.plan.tasks[0]!, id: taskId('b') }],
    };
    plan.load({ ...more, tasks: more.tasks.filter(({ closes }) => closes === undefined), finish: 'done' }, 'r2').goOn();
    plan.merges('finish', conflict);
    expect(plan.task('finish').failure).toBe(null);
  });

  it.each(['kept by a snapshot', 'of a task that the plan no longer has'])(
    'keeps the others waiting, also %s',
    (what) => {
      const plan = verifying('a\nb', { a: agent, b: agent }, isolated).ends('a', 0, work);
      if (what.startsWith('kept')) {
        const state = restored(plan.state, plan.events);
        expect([...state.plans.values()].map(({ merging }) => merging)).toEqual([plan.live('a').token]);
        return;
      }
      const { token } = plan.live('a');
      const { tasks } = plan.plan.plan;
      plan.load({ ...plan.plan.plan, tasks: tasks.filter(({ id }) => id !== 'a') }, 'r2');
      expect(plan.plan.merging).toBe(token);
    },
  );

  it('is merged by the next run when this one is stopped', () => {
    const plan = verifying('a', { a: agent }, isolated).ends('a', 0, work).runAgain(isolated);
    plan.ends('a', { kind: 'lost' });
    expect(plan.going()).toEqual(['a#1 merge']);
  });
});

describe('a branch that nothing can be merged into', () => {
  it('is asked about beside other questions about the plan, and the next run knows why', () => {
    const phases = { 1: { batch: true } };
    const plan = verifying('a\nb', { a: agent, b: { ...agent, retries: 0 } }, { ...isolated, phases });
    plan.ends('b', 1, work).ends('a', 0, work).merges('a', redBranch).runAgain(isolated);
    expect(plan.plan.run!.held).toEqual({ kind: 'red-branch', command: 'npm test' });
  });

  it('is one question, and blames nobody', () => {
    const plan = verifying('a\nb', { a: agent, b: agent }, isolated).ends('a', 0, work).ends('b', 0, work);
    plan.merges('a', redBranch);
    expect([plan.asked(), plan.going(), plan.outcome()]).toEqual([['d1 merge'], [], 'waiting']);
    expect([plan.task('a').failures, plan.task('a').unmerged]).toEqual([0, 0]);
    plan.answer('go-on').runAgain(isolated);
    expect(plan.going()).toEqual(['a#1 merge']);
    expect(plan.merges('a').merges('b').outcome()).toBe('complete');
  });

  it('lets a check be red when a person says so', () => {
    const plan = verifying('a\nb', { a: agent, b: agent }, isolated).ends('a', 0, work);
    plan.merges('a', redBranch).answer('accept');
    expect([plan.going(), plan.plan.run!.accepted]).toEqual([['b#1', 'a#1 merge'], ['npm test']]);
    // The run may have ended before the answer.
    expect(plan.runAgain(isolated).plan.run!.accepted).toEqual(['npm test']);
  });

  it('that is checked out somewhere is nothing to accept', () => {
    const plan = verifying('a', { a: agent }, isolated).ends('a', 0, work);
    plan.merges('a', { kind: 'held', because: { kind: 'checked-out', folder: '/w' } });
    expect(plan.decision().options).toEqual(['go-on', 'abort']);
  });

  it('leaves the plan without its last step, though that counts in no summary: stopped meanwhile, it is not complete', () => {
    const plan = verifying('a', { a: agent }, { ...isolated, finish: 'make' })
      .ends('a', 0, work)
      .merges('a');
    expect(plan.ends('finish', 0, work).going()).toEqual(['finish#1 merge']);
    plan.stop('drain').merges('finish', redBranch);
    expect(plan.outcome()).toBe('aborted');
  });

  it('needs no answer any more when nothing is left to merge', () => {
    const plan = verifying('a\nb', { a: agent, b: agent }, isolated).ends('a', 0, work).merges('a', redBranch);
    expect(plan.skips('a').asked()).toEqual([]);
  });
});

describe('the tree of results', () => {
  const run = { run: 'make' };

  it('is used by one after the other, until the work there is merged', () => {
    const plan = verifying('a\nb\nc', { a: run, b: run, c: agent }, isolated);
    expect(plan.going()).toEqual(['a#1', 'c#1']);
    expect(plan.ends('a', 0, work).going()).toEqual(['c#1', 'a#1 merge']);
    expect(plan.merges('a').going()).toEqual(['c#1', 'b#1']);
  });

  it('is not needed by an agent that stands in for a command', () => {
    const plan = verifying('a\nb', { a: run, b: { ...run, retries: 0, onFailure: 'ask' } }, isolated);
    plan.ends('a', 0, work).merges('a').ends('b', 1, work);
    expect(plan.status('b')).toBe('failed');
  });

  it('is nothing that commands in the workspace wait for', () => {
    expect(verifying('a\nb', { a: run, b: run }).going()).toEqual(['a#1', 'b#1']);
  });
});
