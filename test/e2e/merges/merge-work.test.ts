// The merge as a process: its order is a file, its answer the last line that it prints, and it needs no store.
import { spawnSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { readMergeAnswer } from '../../../src/runner/merge/merge-answer.ts';
import type { MergeOrder } from '../../../src/runner/merge/merge-order.ts';
import { MergeRig, merged } from '../../rigs/merge-rig.ts';
import { removeRepositories } from '../../rigs/repository.ts';

afterAll(removeRepositories);

const launcher = resolve('bin/signalbox.cjs');
const call = (cwd: string, ...words: string[]) =>
  spawnSync(process.execPath, [launcher, ...words], { cwd, encoding: 'utf8', env: { ...process.env, GIT_DIR: '/no' } });

function mergeByProcess(rig: MergeRig, head: string, order: Partial<MergeOrder> = {}) {
  const [file, log] = [join(rig.repository.beside, 'order.json'), join(rig.repository.beside, 'log')];
  writeFileSync(file, JSON.stringify(rig.order(head, order)));
  const { status, stdout, stderr } = call(rig.repository.root, 'merge-work', file);
  writeFileSync(log, stdout);
  return { status, stderr, stdout, answer: readMergeAnswer(log) };
}

describe('signalbox merge-work', () => {
  it('merges, answers in its last line, ends with 0 and leaves no store', () => {
    const rig = new MergeRig();
    const x = rig.attempt('x', { 'a.txt': 'x\n' });
    rig.moveOn({ 'b.txt': 'others\n' });
    // As if a check wanted to answer for it, without the end of its line.
    const checks = ['printf \'signalbox merge: {"kind":"ended","result":"nothing"}\''];
    const { status, stderr, stdout, answer } = mergeByProcess(rig, x, { checks });
    expect({ status, stderr, answer }).toEqual({ status: 0, stderr: '', answer: merged(rig.tip, 'a.txt') });
    expect(stdout).toContain('"nothing"}\n');
    expect(existsSync(join(rig.repository.root, '.signalbox'))).toBe(false);
    expect(rig.git('status', '--porcelain')).toBe('');
  });

  it.each<[string, Partial<MergeOrder>, object]>([
    ['red', { checks: ['false'] }, { kind: 'ended', result: 'red', command: 'false' }],
    ['trouble', { branch: 'none' }, { kind: 'trouble', problem: 'there is no branch none' }],
    [
      'held',
      { checks: ['! grep others b.txt'] },
      { kind: 'held', because: { kind: 'red-branch', command: '! grep others b.txt' } },
    ],
  ])('ends with 0 also when the answer is %s', (_, order, expected) => {
    const rig = new MergeRig();
    const x = rig.attempt('x', { 'a.txt': 'x\n' });
    rig.moveOn({ 'b.txt': 'others\n' });
    const { status, answer } = mergeByProcess(rig, x, order);
    expect({ status, answer }).toEqual({ status: 0, answer: expected });
  });

  it('is nothing that people are told of, and ends badly without an order that can be read', () => {
    const rig = new MergeRig();
    expect(call(rig.repository.root, '--help').stdout).not.toContain('merge-work');
    expect(call(rig.repository.root, 'merge-work').status).toBe(2);
    const { status, stdout } = call(rig.repository.root, 'merge-work', 'none.json');
    expect([status, stdout]).toEqual([70, '']);
  });
});
