import { describe, expect, it } from 'vitest';
import { CliRig } from '../../../test/rigs/cli-rig.ts';
import type { CommandSpec } from './command-spec.ts';
import { commandTable } from './command-table.ts';
import { commandsDoc } from './commands-doc.ts';
import { familySummaries, findCommand, findFamily, firstWords } from './find-command.ts';

const performed: unknown[] = [];
const command = (name: string, more: Partial<CommandSpec> = {}): CommandSpec =>
  ({
    name,
    group: 'look',
    summary: `do ${name}`,
    plan: 'none',
    examples: [`signalbox ${name}`],
    loadAlone: async () => async (request: { args: readonly string[]; flags: object }) => {
      performed.push([name, request.args, { ...request.flags }]);
      return 0;
    },
    ...more,
  }) as CommandSpec;

const table = [
  command('status'),
  command('box open', { args: [['<SHELL>', 'which']], flags: [{ flags: '--shared', about: 'with others' }] }),
  command('box close'),
  command('plans'),
  command('plans remove'),
];
const rigged = () => new CliRig({}, { table });

describe('a command of two words', () => {
  it.each([
    [
      ['box', 'open', 'bash', '--shared'],
      ['box open', ['bash'], { shared: true }],
    ],
    [
      ['box', 'open', '--', 'bash'],
      ['box open', ['bash'], {}],
    ],
    [
      ['box', 'close', '--json'],
      ['box close', [], { json: true }],
    ],
    [['plans'], ['plans', [], {}]],
    [
      ['plans', 'remove', '--verbose'],
      ['plans remove', [], { verbose: true }],
    ],
  ])('%j is found by the longest name', async (argv, expected) => {
    const rig = rigged();
    expect(await rig.run(...argv)).toBe(0);
    expect(performed.at(-1)).toEqual(expected);
    expect(rig.err).toBe('');
  });

  it('has help of its own', async () => {
    for (const argv of [
      ['box', 'open', '--help'],
      ['box', 'help', 'open'],
    ]) {
      const rig = rigged();
      expect(await rig.run(...argv)).toBe(0);
      expect(rig.out).toContain('Usage: signalbox box open [FLAGS] <SHELL>');
      expect(rig.out).toContain('--shared');
      expect(rig.out).toContain('Example:\n  $ signalbox box open\n');
    }
  });

  it('is told with its own help when it is called wrongly', async () => {
    const rig = rigged();
    expect(await rig.run('box', 'open')).toBe(2);
    expect(rig.err).toBe('signalbox: SHELL is missing\n  help: see "signalbox box open --help"\n');
    const flagged = rigged();
    expect(await flagged.run('box', 'open', 'bash', '--shard')).toBe(2);
    expect(flagged.err).toContain('did you mean --shared?');
  });
});

describe('its first word', () => {
  it.each([[['box', '--help']], [['help', 'box']], [['box', 'help']]])('%j lists what can follow', async (argv) => {
    const rig = rigged();
    expect(await rig.run(...argv)).toBe(0);
    expect(rig.out).toContain('Usage: signalbox box');
    expect(rig.out).toMatch(/\n {2}open .*do box open\n {2}close .*do box close\n/);
    expect(rig.out).toContain('Examples:\n  $ signalbox box open\n  $ signalbox box close\n');
  });

  it('is one line of the whole help', async () => {
    const rig = rigged();
    await rig.run('--help');
    expect(rig.out.match(/^ {2}box /gm)).toHaveLength(1);
  });

  it.each([[['box']], [['box', '-v']]])('%j alone prints the help', async (argv) => {
    const [rig, asked] = [rigged(), rigged()];
    expect(await rig.run(...argv)).toBe(0);
    await asked.run('box', '--help');
    expect([rig.out, rig.err]).toEqual([asked.out, '']);
    expect(rig.out).toContain('Usage: signalbox box');
  });

  it('alone is a mistake for programs, which names what can follow', async () => {
    const json = rigged();
    expect(await json.run('box', '--json')).toBe(2);
    const message = 'box is not a command by itself: add open or close';
    expect(json.json()).toMatchObject([{ type: 'error', exitCode: 2, message }]);
  });

  it.each([
    ['opne', 'did you mean open?'],
    ['zzzzzz', '"signalbox box --help" lists the commands'],
  ])('with %s behind it is a mistake: %s', async (typed, instead) => {
    const rig = rigged();
    expect(await rig.run('box', typed)).toBe(2);
    expect(rig.err).toBe(`signalbox: unknown command '${typed}'\n  help: ${instead}\n`);
  });

  it('mistyped is answered with the nearest', async () => {
    const rig = rigged();
    expect(await rig.run('bxo', 'open')).toBe(2);
    expect(rig.err).toContain('did you mean box?');
  });

  it('is completed, and so is what follows it', async () => {
    const completed = async (...typed: string[]) => {
      const rig = rigged();
      await rig.run('__complete', '--', ...typed);
      return rig.out.split('\n').slice(0, -1);
    };
    expect(await completed('')).toEqual(['status\tdo status', 'box\topen, close', 'plans\tdo plans']);
    expect(await completed('box', '')).toEqual(['open\tdo box open', 'close\tdo box close']);
    expect(await completed('box', 'cl')).toEqual(['close\tdo box close']);
    expect(await completed('box', 'open', 'z')).toEqual(['zsh\t']);
    expect((await completed('box', 'open', '--'))[0]).toBe('--shared\twith others');
    expect(await completed('box', 'nonsense', '')).toEqual([]);
  });
});

describe('a first word that is a command too', () => {
  it.each([[['plans', '--help']], [['help', 'plans']]])('%j also lists what can follow', async (argv) => {
    const rig = rigged();
    expect(await rig.run(...argv)).toBe(0);
    expect(rig.out).toMatch(/^Usage: signalbox plans \[FLAGS\] \[COMMAND\]\n\nDo plans\.\n/);
    expect(rig.out).toMatch(/\n {2}remove .*do plans remove\n/);
  });

  it.each([
    [['plans', 'remvoe'], "signalbox: unknown command 'remvoe'\n  help: did you mean remove?\n"],
    [['plans', 'zzzzzz'], 'signalbox: unknown command \'zzzzzz\'\n  help: see "signalbox plans --help"\n'],
    [['plans', '--jsno'], "signalbox: unknown flag '--jsno'\n  help: did you mean --json?\n"],
  ])('%j is a mistake', async (argv, said) => {
    const rig = rigged();
    expect(await rig.run(...argv)).toBe(2);
    expect(rig.err).toBe(said);
  });

  it('is followed by its flags or by the next word when it is completed', async () => {
    const rig = rigged();
    await rig.run('__complete', '--', 'plans', '');
    expect(rig.out).toBe('remove\tdo plans remove\n');
    const flags = rigged();
    await flags.run('__complete', '--', 'plans', '--j');
    expect(flags.out).toContain('--json\t');
  });
});

it('the document links to commands of two words', () => {
  const text = commandsDoc(table);
  expect(text).toContain('| [`box open`](#box-open) | do box open |');
  expect(text).toContain('\n## box open\n\n`signalbox box open <SHELL>`: do box open.\n');
});

it('finds nothing where there is nothing', () => {
  expect(findCommand(['box'], table)).toBeNull();
  expect(findCommand([], table)).toBeNull();
  expect(findFamily('status', table)).toBeNull();
  expect(findFamily(undefined, table)).toBeNull();
});

it('every family of this program says what it is for, and stands together in the table', () => {
  const families = firstWords(commandTable).filter((first) => 'members' in first);
  expect(families.map(({ name }) => name).sort()).toEqual(Object.keys(familySummaries).sort());
  const runs = commandTable.map(({ name }) => name.split(' ')[0]).filter((word, i, all) => word !== all[i - 1]);
  expect(new Set(runs).size).toBe(runs.length);
});
