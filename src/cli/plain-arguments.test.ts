import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CliRig } from './cli-rig.ts';
import { commandTable } from './command-table.ts';
import { performByCommander } from './commander-program.ts';
import { type PlainArguments, plainArguments } from './plain-arguments.ts';

const spec = (name: string) => commandTable.find((command) => command.name === name)!;

async function byCommander(words: readonly string[]): Promise<PlainArguments | null> {
  let seen: PlainArguments | null = null;
  const cli = {
    io: new CliRig().io,
    version: '1',
    open: () => Promise.reject(new Error('not asked for')),
    table: commandTable,
  };
  try {
    await performByCommander(words, cli, async (_, typed) => {
      seen = typed;
      return 0;
    });
  } catch {
    return null;
  }
  return seen;
}

describe('plain arguments', () => {
  it.each([
    ['status', [], { args: [], flags: {} }],
    ['status', ['plan.md', '--json'], { args: ['plan.md'], flags: { json: true } }],
    ['status', ['-w'], { args: [], flags: { watch: true } }],
    ['next', ['3', '--plan=p.md'], { args: ['3'], flags: { plan: 'p.md' } }],
    [
      'run',
      ['--max-parallel', '2', '--only', 'a,b', '--only', 'c'],
      { flags: { maxParallel: 2, only: ['a', 'b', 'c'] } },
    ],
    ['retry', ['a', 'b', '--note', 'try "again"'], { args: ['a', 'b'], flags: { note: 'try "again"' } }],
  ] as const)('of %s %j', (command, words, expected) => {
    expect(plainArguments(spec(command), words)).toMatchObject(expected);
  });

  it.each([
    ['status', ['--help']],
    ['status', ['a', 'b']],
    ['status', ['--jsn']],
    ['status', ['--', 'a']],
    ['status', ['--json=yes']],
    ['why', []],
    ['run', ['--max-parallel']],
    ['run', ['--max-parallel', 'many']],
    ['run', ['--max-parallel', '-1']],
    ['status', ['--plan', '--json']],
  ] as const)('leave %s %j to commander', (command, words) => {
    expect(plainArguments(spec(command), words)).toBeNull();
  });

  it('are what commander reads, wherever they are given at all', async () => {
    const flagWords = commandTable.flatMap(({ flags = [] }) => flags.flatMap((flag) => flag.flags.split(/[ ,]+/)));
    const word = fc.oneof(
      fc.constantFrom(
        ...flagWords.filter((text) => text.startsWith('-')),
        '--json',
        '--verbose',
        '--plan',
        '--plan=x.md',
      ),
      fc.constantFrom('a', 'plan.md', '3', '0', 'a,b', '', '-', '--', '-h', '-wx', '--no-json', 'x y'),
    );
    const line = fc.tuple(fc.constantFrom(...commandTable), fc.array(word, { maxLength: 5 }));
    let plain = 0;
    await fc.assert(
      fc.asyncProperty(line, async ([command, words]) => {
        const own = plainArguments(command, words);
        if (own === null) return;
        plain++;
        const theirs = await byCommander([...command.name.split(' '), ...words]);
        expect(theirs).not.toBeNull();
        expect(own.args).toEqual(theirs!.args);
        expect({ ...own.flags }).toEqual({ ...theirs!.flags });
      }),
      { numRuns: 3000 },
    );
    expect(plain).toBeGreaterThan(300);
  });
});
