import { describe, expect, it } from 'vitest';
import { aReport, aStatus, CliRig } from '../../../test/rigs/cli-rig.ts';
import type { Signalbox } from '../../api/signalbox.ts';
import { flagsOf, shortForms } from './command-flags.ts';
import { commandTable } from './command-table.ts';
import { commandsDoc } from './commands-doc.ts';

const specOf = (wanted: string) => commandTable.find(({ name }) => name === wanted)!;
const written = (name: string) => flagsOf(specOf(name)).map(({ flags }) => flags);

describe('short forms', () => {
  it.each([
    ['run', ['-n, --dry-run', '-j, --max-parallel <N>', '-p, --plan <PLAN>', '-q, --quiet', '-v, --verbose']],
    ['verify', ['-j, --parallel <N>']],
    ['clean', ['-y, --yes']],
    ['land', ['-n, --dry-run']],
    ['events', ['-f, --follow']],
    ['status', ['-w, --watch']],
    ['lock list', ['-p, --plan <PLAN>']],
  ])('of %s', (name, expected) => {
    expect(written(name)).toEqual(expect.arrayContaining(expected));
  });

  it('mean one thing in each command, and every long flag has the same one everywhere', () => {
    for (const spec of commandTable) {
      const names = flagsOf(spec).flatMap(({ flags }) => flags.split(/[ ,]+/).filter((word) => word.startsWith('-')));
      expect(new Set(names).size, spec.name).toBe(names.length);
      for (const { flags } of flagsOf(spec)) {
        const [long] = /--[a-z-]+/.exec(flags)!;
        if (long in shortForms) expect(flags.startsWith(`${shortForms[long]}, `), `${spec.name} ${flags}`).toBe(true);
      }
    }
  });

  it('are in the docs', () => {
    const text = commandsDoc(commandTable);
    for (const flags of ['-y, --yes', '-n, --dry-run', '-j, --max-parallel <N>', '-p, --plan <PLAN>', '-q, --quiet'])
      expect(text).toContain(`| \`${flags}\` |`);
  });

  it('do what the long ones do', async () => {
    const seen: unknown[] = [];
    const run: Signalbox['run'] = async (plan, { maxParallel }) => {
      seen.push([plan, maxParallel]);
      return aReport();
    };
    expect(await new CliRig({ run }).run('run', '-p', 'a.md', '-j', '2')).toBe(0);
    expect(await new CliRig({ run }).run('run', '-pa.md', '-j2')).toBe(0);
    expect(seen).toEqual([
      ['a.md', 2],
      ['a.md', 2],
    ]);
    const failing = new CliRig({ status: async () => Promise.reject(new TypeError('x')) });
    expect(await failing.run('status', '-v')).toBe(70);
    expect(failing.err).toMatch(/\n {4}at /);
  });
});

describe('naming the plan', () => {
  it('is possible with --plan wherever there can be one', () => {
    const without = commandTable.filter(({ plan }) => plan === 'none').map(({ name }) => name);
    expect(without.toSorted()).toEqual(['completion', 'explain', 'hook', 'import', 'init', 'mcp', 'plan']);
  });

  it('is possible with an argument wherever no other one is like it', () => {
    for (const { name, args = [], plan } of commandTable) {
      const isTaken = args.some(([shape]) => /ID|DECISION|RESOURCE|SAVED|RUN|CODE|TOOL|SHELL|KIND/.test(shape));
      if (plan === 'flag') expect(isTaken, name).toBe(true);
      if (plan === 'argument' || plan === 'among')
        expect(
          args.some(([shape]) => shape === '[PLAN]'),
          name,
        ).toBe(true);
    }
  });

  const seen: unknown[] = [];
  const box: Partial<Signalbox> = {
    next: async (plan, most) => {
      seen.push([plan, most]);
      return { plan: 'plan.md', tasks: [] };
    },
    verify: async (plan) => {
      seen.push(plan);
      return { plan: 'plan.md', ok: true, total: 0, passed: 0, checks: [] };
    },
    hand: async () =>
      ({
        completeRun: async (plan: string | undefined, run: string | undefined) => {
          seen.push([plan, run]);
          return { plan: 'plan.md', run: 'hand-1', startedAt: '', completedAt: null, completed: 0, failed: 0 };
        },
      }) as never,
  };

  it.each<[string, unknown]>([
    ['next', [undefined, 5]],
    ['next 3', [undefined, 3]],
    ['next docs/plan.md', ['docs/plan.md', 5]],
    ['next 3 plan.yaml', ['plan.yaml', 3]],
    ['next plan.md 3', ['plan.md', 3]],
    ['next 3 -p plan.md', ['plan.md', 3]],
    ['next plan.md --plan plan.md', ['plan.md', 5]],
    ['verify plan.md', 'plan.md'],
    ['verify -p plan.md', 'plan.md'],
    ['complete-run', [undefined, undefined]],
    ['complete-run hand-1', [undefined, 'hand-1']],
    ['complete-run plan.md', ['plan.md', undefined]],
    ['complete-run hand-1 plan.md', ['plan.md', 'hand-1']],
  ])('%s', async (line, expected) => {
    const rig = new CliRig(box);
    expect(await rig.run(...line.split(' '))).toBe(0);
    expect(seen.at(-1)).toEqual(expected);
  });

  it.each([
    ['next a.md b.md', 'two plans are named: a.md and b.md'],
    ['next a.md -p b.md', 'two plans are named: a.md and b.md'],
    ['next two', 'the number of tasks must be a whole number'],
    ['next 3 plan', '"plan" is not the name of a plan file'],
    ['verify a.md -p b.md', 'two plans are named'],
  ])('%s is exit 2: %s', async (line, message) => {
    const rig = new CliRig(box);
    expect(await rig.run(...line.split(' '))).toBe(2);
    expect(rig.err).toContain(message);
  });
});

describe('--quiet', () => {
  const report = (ok: boolean) => ({ plan: 'plan.md', ok, total: 1, passed: ok ? 1 : 0, checks: [] });

  it.each([
    [true, 0, ''],
    [false, 1, 'plan.md: 0 of 1 check green, 1 not run\n'],
  ])('prints what there is only if something is wrong: %s', async (ok, code, out) => {
    const rig = new CliRig({ verify: async () => report(ok) });
    expect(await rig.run('verify', '-q')).toBe(code);
    expect([rig.out, rig.err]).toEqual([out, '']);
  });

  it('leaves errors as they are', async () => {
    const rig = new CliRig({ verify: async () => Promise.reject(new TypeError('x')) });
    expect(await rig.run('verify', '-q')).toBe(70);
    expect(rig.err).toContain('this is a bug in Signalbox: x');
  });

  it('shows what a person is asked about', async () => {
    const hand = async () => ({ planFiles: async () => ['a.md'] }) as never;
    const rig = new CliRig({ hand, plans: async () => ({ current: null, plans: [] }) }, { answers: [''] });
    expect(await rig.run('set', '-q')).toBe(130);
    expect(rig.out).toContain('Plans found:\n');
  });

  it('is no flag of commands whose answer is what they print', async () => {
    const rig = new CliRig({ status: async () => aStatus([]) });
    expect(await rig.run('status', '-q')).toBe(2);
  });

  it('contradicts --json', async () => {
    const rig = new CliRig();
    expect(await rig.run('verify', '-q', '--json')).toBe(2);
    expect(rig.json()).toMatchObject([{ message: '--quiet and --json contradict each other' }]);
  });
});
