// What the next attempt is told after a merge that failed, and by which rules it works in a tree of its own.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { begin } from '../../../test/scenario.ts';
import { attemptsFolderOf, outputFile } from '../../agents/process/attempt-files.ts';
import type { Failure } from '../../core/model/failure.ts';
import { attemptId } from '../../core/model/ids.ts';
import { emptySettings } from '../../core/model/settings.ts';
import { mergeAnswerLine } from '../merge/merge-answer.ts';
import { TaskLogs } from './task-logs.ts';
import { rulesFor, told } from './told.ts';
import { type Work, workOf } from './work.ts';

const store = { workspace: '0123456789' };
let root: string;
let site: Parameters<typeof told>[1] & { readonly attemptsFolder: string };
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'signalbox-told-'));
  site = {
    ...{ root, stateFolder: join(root, '.signalbox'), attemptsFolder: join(root, 'attempts') },
    ...{ outputsFolder: join(root, 'out'), settings: emptySettings },
  };
  mkdirSync(attemptsFolderOf(site, store), { recursive: true });
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

/** The second attempt of a task whose first one failed so. */
function workAfter(failure: Failure | null, agent = 'claude'): Work {
  const s = begin('a').schedule('a');
  const { task, live, ...work } = workOf(s.state, s.live('a'));
  const again = { ...live, attempt: attemptId(task.id, 2) };
  return { ...work, failure, task: { ...task, keys: { agent } }, live: again };
}

/** The log of job 7 about the first attempt. */
function toldAfter(failure: Failure, printed: string) {
  const name = { token: 7, attempt: attemptId(workAfter(null).task.id, 1) };
  writeFileSync(outputFile(attemptsFolderOf(site, store), name), printed);
  return told(workAfter(failure), site, new TaskLogs(site, store));
}

const red: Failure = { kind: 'merge', result: 'red', files: [], command: 'npm test', token: 7 };
const answer = mergeAnswerLine({ kind: 'ended', result: 'red', command: `npm test ${'x'.repeat(5_000)}` });

describe('after a merge', () => {
  it.each([
    ['the end of what the check printed, without the answer', `expected 401\n\n${answer}`, 'expected 401'],
    ['what is there of one that ended without an answer', 'expected 401\n', 'expected 401'],
    ['what looks like an answer and is none', `${answer}expected 401\n`, `…${`${answer}expected 401`.slice(-4_000)}`],
  ])('that was red: %s', (_, printed, log) => {
    expect(toldAfter(red, printed).checkLog).toBe(log);
  });

  it('that was red, it is told no more than the end', () => {
    const { checkLog } = toldAfter(red, `${'begin\n'.repeat(2_000)}end\n${answer}`);
    expect(checkLog).toMatch(/^…(?:begin\n|egin\n|gin\n|in\n|n\n)[\s\S]*\nend$/);
    expect(checkLog!.length).toBeLessThanOrEqual(4_001);
  });

  it('that had a conflict, it is told no output', () => {
    const conflict: Failure = { kind: 'merge', result: 'conflict', files: ['a.ts'], token: 7 };
    expect(toldAfter(conflict, 'Auto-merging a.ts\n')).toMatchObject({ previous: conflict });
    expect(toldAfter(conflict, 'Auto-merging a.ts\n').checkLog).toBeUndefined();
  });
});

describe('in a tree of its own', () => {
  const isolation = { branch: 'signalbox/plan', base: 'aaa', trees: '/trees', prefix: '' };
  const own = { isolation, merging: ['a.ts'] };
  const tree = { branch: 'signalbox-attempts/plan/a.2', merging: ['a.ts'] };
  const audited = { settings: { ...emptySettings, audit: 'fail' as const } };

  it.each([
    ['claude', { isCoding: true }, { isCoding: true, isGoverned: true, isAudited: true }],
    ['nobody', {}, {}],
  ])('%s is told no rule about locks', (agent, rules, shared) => {
    const work = workAfter(null, agent);
    expect(rulesFor(work, audited)).toEqual(shared);
    expect(rulesFor({ ...work, ...own }, audited)).toEqual({ ...rules, tree });
    expect(told({ ...work, ...own }, site, null)).toMatchObject({ tree });
  });
});
