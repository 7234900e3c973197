import { describe, expect, it } from 'vitest';
import { CliRig } from '../../../test/rigs/cli-rig.ts';
import { displayWidth } from '../terminal/display-width.ts';
import { commandGroups, everydayOrder, inGroups } from './command-groups.ts';
import { commandTable } from './command-table.ts';
import { findFamily, firstWords } from './find-command.ts';

const listed = inGroups(commandTable);

describe('the groups of commands', () => {
  it('list every first word once, in a group that has a title', () => {
    const names = listed.flatMap(({ commands }) => commands.map(({ name }) => name));
    expect(names.toSorted()).toEqual(
      firstWords(commandTable)
        .map(({ name }) => name)
        .toSorted(),
    );
    expect(listed.map(({ title }) => title)).toEqual(Object.values(commandGroups));
  });

  it('begin with the everyday commands, in their order and ten at most', () => {
    const [everyday] = listed;
    const names = everyday!.commands.map(({ name }) => name);
    expect(everyday!.title).toBe('Everyday');
    expect(names).toEqual(everydayOrder.filter((name) => names.includes(name)));
    expect(names).toEqual(expect.arrayContaining(['run', 'status', 'why', 'decide']));
    expect(everydayOrder).toHaveLength(10);
  });

  it('do not divide a family', () => {
    for (const { name } of commandTable) {
      const family = findFamily(name.split(' ')[0], commandTable);
      if (family) expect(new Set(family.members.map(({ group }) => group)).size).toBe(1);
    }
  });
});

describe('the help', () => {
  it.each([[['--help']], [['lock', '--help']], [['saved', '--help']]])(
    '%j has one line for each command, also at 80 columns',
    async (argv) => {
      const rig = new CliRig({}, { columns: 80 });
      expect(await rig.run(...argv)).toBe(0);
      for (const line of rig.out.split('\n')) expect(displayWidth(line), line).toBeLessThanOrEqual(80);
      const family = findFamily(argv[0], commandTable);
      const summaries = (family?.members ?? firstWords(commandTable)).map(({ summary }) => summary);
      for (const summary of summaries) expect(rig.out).toMatch(new RegExp(`^ {2}\\S+ +.*${literal(summary)}$`, 'm'));
    },
  );

  it('has the titles in the order of the groups', async () => {
    const rig = new CliRig();
    await rig.run('--help');
    const titles = rig.out.split('\n').filter((line) => Object.values<string>(commandGroups).includes(line));
    expect(titles).toEqual(Object.values(commandGroups));
  });

  it.each([[['--help']], [['run', '--help']], [['lock', '--help']]])(
    '%j is coloured where colours go, and the same without',
    async (argv) => {
      const plain = new CliRig({}, { columns: 80 });
      const coloured = new CliRig({}, { columns: 80, color: true });
      await Promise.all([plain.run(...argv), coloured.run(...argv)]);
      expect(coloured.out).toContain('\x1b[1m');
      expect(coloured.out).toContain('\x1b[36m');
      expect(plain.out).not.toContain('\x1b');
      expect(coloured.out.replaceAll(/\x1b\[\d+m/g, '')).toBe(plain.out);
    },
  );
});

const literal = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
