// Files that a command makes: here a list of all parts, which git would merge line by line.
import { afterAll, describe, expect, it } from 'vitest';
import { MergeRig, merged } from '../../../test/rigs/merge-rig.ts';
import { removeRepositories } from '../../../test/rigs/repository.ts';

afterAll(removeRepositories);

const make = 'ls parts > list.txt && touch left.txt';
const generated = { 'list.txt': make };
const conflict = (...files: string[]) => ({ kind: 'ended', result: 'conflict', files });

/** An attempt that added a part, and others who added another one meanwhile. */
function bothAdded({ parts = ['m'], mine = 'y', others = 'x', more = {} } = {}) {
  const listed = (...names: string[]) => [...names].sort().map((name) => `${name}\n`);
  const files = Object.fromEntries(parts.map((name) => [`parts/${name}`, `${name}\n`]));
  const rig = new MergeRig({ ...files, 'list.txt': listed(...parts).join(''), 'a.txt': 'one\n' });
  const added = (name: string) => ({ [`parts/${name}`]: `${name}\n`, 'list.txt': listed(...parts, name).join('') });
  const head = rig.attempt('y', { ...added(mine), ...more });
  rig.moveOn(added(others));
  return { rig, head };
}

describe('a generated file', () => {
  it('that conflicts is made anew from the merged result', async () => {
    const { rig, head } = bothAdded();
    expect(await rig.merge(head)).toEqual(conflict('list.txt'));
    expect(await rig.merge(head, { generated })).toEqual(merged(rig.tip, 'list.txt', 'parts/y'));
    expect(rig.results).toEqual({
      'a.txt': 'one',
      'list.txt': 'm\nx\ny',
      'parts/m': 'm',
      'parts/x': 'x',
      'parts/y': 'y',
    });
    expect(rig.git('log', '-1', '--format=%s', 'results')).toBe('merge');
  });

  it('that git would merge as text is made anew, too', async () => {
    // Far enough apart for git.
    const { rig, head } = bothAdded({ parts: [...'bcdefghijklm'], mine: 'z', others: 'a' });
    const broken = { 'list.txt': 'echo made by its command > list.txt' };
    expect(await rig.merge(head, { generated: broken })).toEqual(merged(rig.tip, 'list.txt', 'parts/z'));
    expect(rig.results['list.txt']).toBe('made by its command');
  });

  it('that only the attempt changed is as the attempt left it', async () => {
    const rig = new MergeRig({ 'list.txt': 'm\n', 'a.txt': 'one\n' });
    const head = rig.attempt('x', { 'list.txt': 'by hand\n' });
    rig.moveOn({ 'a.txt': 'others\n' });
    expect(await rig.merge(head, { generated: { 'list.txt': 'false' } })).toEqual(merged(rig.tip, 'list.txt'));
    expect(rig.results['list.txt']).toBe('by hand');
  });

  it('begins with what the branch has, also where that is nothing', async () => {
    const rig = new MergeRig({ 'list.txt': 'm\n', 'a.txt': 'one\n' });
    const head = rig.attempt('x', { 'list.txt': 'x\n', 'a.txt': 'x\n' });
    rig.git('worktree', 'add', '-q', '--detach', `${rig.repository.beside}/others`, 'results');
    rig.gitIn('others', 'rm', '-q', 'list.txt');
    rig.moveOn({});
    const command = 'test ! -e list.txt';
    expect(await rig.merge(head)).toEqual(conflict('list.txt'));
    expect(await rig.merge(head, { generated: { 'list.txt': command } })).toEqual(merged(rig.tip, 'a.txt'));
    expect(rig.results).toEqual({ 'a.txt': 'x' });
  });

  it('that both sides have deleted stays deleted', async () => {
    const rig = new MergeRig({ 'list.txt': 'm\n', 'a.txt': 'one\n', 'b.txt': 'one\n' });
    rig.attempt('x', {});
    rig.gitIn('x', 'rm', '-q', 'list.txt');
    const head = rig.commit('x', { 'a.txt': 'x\n' });
    rig.git('worktree', 'add', '-q', '--detach', `${rig.repository.beside}/others`, 'results');
    rig.gitIn('others', 'rm', '-q', 'list.txt');
    rig.moveOn({ 'b.txt': 'others\n' });
    expect(await rig.merge(head, { generated })).toEqual(merged(rig.tip, 'a.txt'));
    expect(rig.results).toEqual({ 'a.txt': 'x', 'b.txt': 'others' });
  });

  it('is no help where another file conflicts', async () => {
    const { rig, head } = bothAdded({ more: { 'a.txt': 'y\n' } });
    rig.moveOn({ 'a.txt': 'others\n' });
    expect(await rig.merge(head, { generated })).toEqual(conflict('a.txt', 'list.txt'));
  });

  it('whose command fails twice is a conflict, and the command is named', async () => {
    const { rig, head } = bothAdded();
    const { tip } = rig;
    const failing = `echo tried >> ${rig.repository.beside}/tried; echo no network; exit 3`;
    expect(await rig.merge(head, { generated: { 'list.txt': failing } })).toEqual({
      ...conflict('list.txt'),
      problem: `"${failing}", which makes these files anew, failed on the merged result`,
    });
    expect([rig.tip, rig.log.match(/no network\n/g)?.length]).toEqual([tip, 2]);
    expect(await rig.merge(head, { generated })).toMatchObject({ result: 'merged' });
  });

  it('is checked with everything else', async () => {
    const { rig, head } = bothAdded();
    const check = 'cat list.txt; test ! -e left.txt && test $(wc -l < list.txt) = 3';
    expect(await rig.merge(head, { generated, checks: [check] })).toMatchObject({ result: 'merged' });
    expect(rig.log).toContain('m\nx\ny\n');
  });

  it('is made in the workspace below the top, by one command for several of them', async () => {
    const files = { 'app/one.txt': 'm\n', 'app/two.txt': 'm\n', 'b.txt': 'one\n' };
    const rig = new MergeRig(files);
    const head = rig.attempt('x', { 'app/one.txt': 'x\n', 'app/two.txt': 'x\n' });
    rig.moveOn({ 'app/one.txt': 'o\n', 'app/two.txt': 'o\n' });
    const command = 'for name in one two; do cat $name.txt; echo new > $name.txt; done';
    const both = { 'app/one.txt': command, 'app/two.txt': command };
    expect(await rig.merge(head, { generated: both, prefix: 'app' })).toMatchObject({ result: 'merged' });
    expect(rig.results).toEqual({ 'app/one.txt': 'new', 'app/two.txt': 'new', 'b.txt': 'one' });
    expect(rig.log).toMatch(/^signalbox: .* makes app\/one.txt, app\/two.txt anew\no\no\n$/);
  });
});
