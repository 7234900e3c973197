// A disk that runs full at every step of a command by hand: either nothing was recorded and the command says so, or all of it was. No file
// is ever half written or lost, nothing is left behind, and with room again everything goes on. `npm test` tries one command,
// `npm run prove -- disk` all of them.
import { execFileSync, spawnSync } from 'node:child_process';
import { closeSync, cpSync, openSync, readdirSync, rmSync, statfsSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { type Ended, type Line, Workspace } from '../rig.ts';

const mayMount = spawnSync('unshare', ['-m', 'true']).status === 0;
const outputs = 'docs/plan-outputs/plan';
const tasks = Array.from({ length: 40 }, (_, i) => `- [ ] t${i}: Task number ${i}\n`).join('');
const long = 'A new finding. '.repeat(1000);

/** By command: what is typed, and what it changes, before and after. */
const commands: Record<
  string,
  { argv: string[]; of: (w: Workspace) => Promise<string> | string; from: string; to: string }
> = {
  'mark-started': { argv: ['mark-started', 't2'], of: statusOf('t2'), from: 'pending', to: 'in_progress' },
  'mark-complete': { argv: ['mark-complete', 't1'], of: statusOf('t1'), from: 'in_progress', to: 'completed' },
  'mark-failed': { argv: ['mark-failed', 't1', '--error', 'e'], of: statusOf('t1'), from: 'in_progress', to: 'failed' },
  'write-findings': {
    argv: ['write-findings', 't0', '--file', 'long.txt', '--append'],
    of: (w) => w.read(`${outputs}/findings/t0.md`),
    from: 'old\n',
    to: `old\n${long}`,
  },
  set: {
    argv: ['set', 'other.md'],
    of: (w) => w.read('.claude/current-plan.txt'),
    from: 'plan.md\n',
    to: 'other.md\n',
  },
};

function statusOf(task: string) {
  return async (w: Workspace) => (await w.status('plan.md'))[task]!;
}

describe.runIf(mayMount)('a disk that runs full', () => {
  const mounted: string[] = [];
  const unmount = () => {
    for (const folder of mounted.splice(0)) execFileSync('umount', ['-l', folder]);
  };
  afterEach(unmount);

  /** The same workspace on a disk with so many pages left. */
  async function withRoom(origin: Workspace, pages: number): Promise<Workspace> {
    const w = new Workspace();
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=4m', 'tmpfs', w.folder]);
    mounted.push(w.folder);
    cpSync(origin.folder, w.folder, { recursive: true });
    // A copy is nobody's until somebody says so, and its plans are compared with their files first.
    for (const words of [
      ['trust', '--state'],
      ['reload', 'plan.md'],
    ])
      expect((await w.run(...words)).code).toBe(0);
    const { bavail, bsize } = statfsSync(w.folder);
    const fill = openSync(join(w.folder, 'fill'), 'w');
    for (let i = pages; i < bavail; i++) writeSync(fill, Buffer.alloc(bsize));
    closeSync(fill);
    return w;
  }

  const kindOf = ({ code, err }: Ended) =>
    code === 0 ? (err === '' ? 'done' : 'warned') : err.includes('could not be') ? 'file' : 'log';

  const isLong = process.env.SIGNALBOX_LONG === '1';
  it.each(Object.entries(commands).filter(([name]) => isLong || name === 'mark-complete'))(
    'in %s',
    async (_, { argv, of, from, to }) => {
      const origin = new Workspace({
        'plan.md': tasks,
        'other.md': '- [ ] z: Z\n',
        'old.txt': 'old\n',
        'long.txt': long,
      });
      for (const words of ['set plan.md', 'mark-complete t0', 'write-findings t0 --file old.txt', 'mark-started t1'])
        expect((await origin.run(...words.split(' '))).code).toBe(0);
      const seen = new Set<string>();
      for (let pages = 0; !seen.has('done'); pages += pages === 0 ? 6 : 1) {
        const w = await withRoom(origin, pages);
        const said = await w.start(...argv).ended;
        seen.add(kindOf(said));
        expect([0, 70]).toContain(said.code);
        expect(said.err).toMatch(said.code === 70 ? /disk is full/ : /^$|ENOSPC.*Nothing is lost/);
        expect(said.err).not.toMatch(/bug/);
        // Before there is room again: what others read is whole.
        for (const name of ['status.json', 'status.json.bak']) JSON.parse(w.read(`${outputs}/${name}`));
        expect(['old\n', `old\n${long}`]).toContain(w.read(`${outputs}/findings/t0.md`));
        rmSync(join(w.folder, 'fill'));
        expect(await of(w)).toBe(said.code === 0 ? to : from);
        const left = readdirSync(w.folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
          name.endsWith('.new'),
        );
        expect(left).toEqual([]);
        expect((await w.run('validate', '--fix')).code).toBe(0);
        expect((await w.run('validate')).out).toMatch(/^OK: /);
        const status: Line = JSON.parse(w.read(`${outputs}/status.json`));
        expect(status.tasks[0]).toMatchObject({ id: 't0', status: 'completed' });
        if (said.code !== 0) {
          expect((await w.run(...argv)).code).toBe(0);
          expect(await of(w)).toBe(to);
        }
        unmount();
      }
      // It ran full before the log had anything, and where something else was written.
      expect(seen).toEqual(new Set(['done', argv[0]!.startsWith('mark') ? 'warned' : 'file', 'log']));
    },
  );
});

describe.runIf(!mayMount)('a disk that runs full', () => {
  it.skip('is not shown here: a small file system to fill cannot be mounted');
});
