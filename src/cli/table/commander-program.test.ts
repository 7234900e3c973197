import { describe, expect, it } from 'vitest';
import { CliRig } from '../../../test/rigs/cli-rig.ts';
import type { TypedArguments } from '../request.ts';
import { commandTable } from './command-table.ts';
import { performByCommander } from './commander-program.ts';

async function read(...words: string[]): Promise<TypedArguments & { readonly command: string }> {
  const open = () => Promise.reject(new Error('not asked for'));
  const cli = { io: new CliRig().io, version: '1', open, serve: open, table: commandTable };
  return new Promise((found, failed) => {
    performByCommander(words, cli, async ({ name }, typed) => {
      found({ command: name, ...typed });
      return 0;
    }).catch(failed);
  });
}

describe('arguments', () => {
  it.each([
    ['status', { args: [], flags: {} }],
    ['status plan.md --json', { args: ['plan.md'], flags: { json: true } }],
    ['status -w', { args: [], flags: { watch: true } }],
    ['status -- -odd.md', { args: ['-odd.md'], flags: {} }],
    ['next 3 --plan=p.md', { args: ['3'], flags: { plan: 'p.md' } }],
    ['run --max-parallel 2 --only a,b --only c', { args: [], flags: { maxParallel: 2, only: ['a', 'b', 'c'] } }],
    ['run --no-deadlock-detection', { args: [], flags: { deadlockDetection: false } }],
    ['retry a b --note again', { args: ['a', 'b'], flags: { note: 'again' } }],
    ['lock try a.ts b.ts --shared', { args: ['a.ts', 'b.ts'], flags: { shared: true } }],
  ])('of %s', async (line, expected) => {
    const { command, ...typed } = await read(...line.split(' '));
    expect(line.startsWith(command)).toBe(true);
    expect(typed).toEqual(expected);
  });

  it.each([
    'status a b',
    'status --jsn',
    'status --json=yes',
    'why',
    'run --max-parallel',
    'run --max-parallel many',
    'run --max-parallel -1',
    'lock tyr a.ts',
  ])('are refused: %s', async (line) => {
    await expect(read(...line.split(' '))).rejects.toThrow();
  });
});
