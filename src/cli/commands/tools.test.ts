// What `fmt`, `import` and `doctor` say, and in which stream.
import { describe, expect, it } from 'vitest';
import { CliRig, path, withFiles } from '../../../test/rigs/cli-rig.ts';
import type { FilesDoor } from '../../api/files/files-door.ts';
import type { Signalbox } from '../../api/signalbox.ts';

const hostile = '- [ ] a: \x1b[2Jtab\there\n';

describe('fmt', () => {
  const format =
    (more: object = {}): FilesDoor['format'] =>
    async () => ({
      plan: path,
      changed: true,
      written: false,
      untouched: false,
      hindrance: null,
      ids: [],
      text: hostile,
      ...more,
    });

  it('gives a file every character, and a terminal none that moves its cursor', async () => {
    const file = new CliRig(withFiles({ format: format() }));
    expect(await file.run('fmt', 'plan.md')).toBe(0);
    expect(file.out).toBe(hostile);
    const terminal = new CliRig(withFiles({ format: format() }), { columns: 80 });
    await terminal.run('fmt', 'plan.md');
    expect(terminal.out).not.toContain('\x1b');
    expect(terminal.out).toContain('tab\there\n');
  });

  it('tells the command that would write it', async () => {
    const rig = new CliRig(withFiles({ format: format({ ids: ['x', 'y'] }) }));
    expect(await rig.run('fmt', 'plan.md', '--check', '--ids')).toBe(1);
    expect(rig.out).toBe(
      '⚠ plan.md would be rewritten, with 2 new ids: x and y\n  signalbox fmt plan.md --ids --write\n',
    );
  });

  it('does not call a plan tidy that it could not rewrite', async () => {
    const hindrance = { line: 7, message: 'no box', help: 'skip it' };
    const rig = new CliRig(withFiles({ format: format({ changed: false, untouched: true, hindrance }) }));
    expect(await rig.run('fmt', 'plan.md', '--write')).toBe(1);
    expect(rig.out).toBe('');
    expect(rig.err).toBe('⚠ plan.md:7: left as it is: no box\n  skip it\n');
  });

  it('says that it was written, or that there was nothing to do', async () => {
    const rig = new CliRig(withFiles({ format: format({ written: true }) }));
    await rig.run('fmt', 'plan.md', '--write');
    expect(rig.out).toBe('✔ plan.md was rewritten\n');
    const same = new CliRig(withFiles({ format: format({ changed: false }) }));
    await same.run('fmt', 'plan.md', '--write');
    expect(same.out).toBe('✔ plan.md is in the native form\n');
  });
});

it('import shows five tasks of each loss, and all with --verbose', async () => {
  const losses = [{ what: 'the field `x`', tasks: ['1', '2', '3', '4', '5', '6', '7'] }];
  const report = { tool: 'beads', source: 'x', plan: null, tasks: 7, groups: 0, losses, text: hostile };
  const rig = new CliRig(withFiles({ import: async () => report }));
  expect(await rig.run('import', 'beads', 'x')).toBe(0);
  expect(rig.out).toBe(hostile);
  expect(rig.err).toBe('Not carried over:\n  ⚠ the field `x` (1, 2, 3, 4, 5 and 2 more)\n');
  const all = new CliRig(withFiles({ import: async () => report }));
  await all.run('import', 'beads', 'x', '--verbose');
  expect(all.err).toContain('5, 6 and 7)');
});

it('doctor is exit 1 when something is broken, and shows the way out', async () => {
  const doctor: Signalbox['doctor'] = async ({ fix }) => ({
    root: '/w',
    ok: false,
    checks: [
      { id: 'a', status: 'ok', message: 'fine', ...(fix ? { fixed: true as const } : {}) },
      { id: 'b', status: 'warning', message: 'hm', help: 'do this' },
      { id: 'c', status: 'broken', message: 'bad\x1b[2J' },
    ],
  });
  const rig = new CliRig({ doctor });
  expect(await rig.run('doctor', '--fix')).toBe(1);
  expect(rig.out.replace('\ufffd', '')).toContain('✔ fine (fixed)\n⚠ hm\n    help: do this\n✖ bad');
  expect(rig.out).toContain('\n\n1 broken, 1 warning\n');
  expect(rig.out).not.toContain('\x1b');
});
