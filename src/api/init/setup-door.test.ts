// `init` and what people do afterwards: edits, deletions, kills, runs, others who write at the same moment. Without git; every kind of
// repository is in repositories.git.test.ts.
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runHere } from '../../../test/e2e/run-here.ts';
import { disownDrafts, dyingAt } from '../../../test/rigs/dead-writes.ts';
import { folders } from '../../../test/rigs/left-behind.ts';
import { treeListing } from '../../../test/rigs/tree-listing.ts';
import { openSignalbox } from '../open-signalbox.ts';
import { InitRecord } from './init-record.ts';

class Folder {
  readonly root = realpathSync(mkdtempSync(join(tmpdir(), 'signalbox-init-')));
  readonly state = join(this.root, '..', `${this.root.split('/').at(-1)}-state`);
  /** Agents that are installed. */
  readonly bin = `${this.state}-bin`;
  readonly env = { PATH: this.bin, SIGNALBOX_STATE: this.state, USER: 'tester' };

  constructor(files: Readonly<Record<string, string>> = {}) {
    folders.push(this.root, this.state, this.bin);
    for (const [path, text] of Object.entries(files)) this.write(path, text);
  }

  write(path: string, text: string): void {
    writeFileSync(join(this.root, path), text);
  }

  read(path: string): string {
    return readFileSync(join(this.root, path), 'utf8');
  }

  tree(): Record<string, string> {
    return treeListing(this.root);
  }

  type(...args: string[]) {
    return runHere(args, { cwd: this.root, env: this.env });
  }

  async door() {
    const options = { cwd: this.root, env: this.env, programVersion: '0', launcher: '/x', nodePath: process.execPath };
    return (await openSignalbox(options)).setup();
  }
}

const files = { 'AGENTS.md': '# Agents\n', 'CLAUDE.md': 'Hi' };

describe('init --undo', () => {
  it('keeps what was written before, behind and around a section, and takes out the section', async () => {
    const f = new Folder(files);
    await f.type('init', '--yes');
    f.write('AGENTS.md', `New\n${f.read('AGENTS.md')}\nMore\n`);
    f.write('CLAUDE.md', f.read('CLAUDE.md').replace('Hi', 'Hello'));
    expect(await f.type('init', '--undo', '--yes')).toMatchObject({ code: 0 });
    expect(f.read('AGENTS.md')).toBe('New\n# Agents\n\nMore\n');
    expect(f.read('CLAUDE.md')).toBe('Hello');
  });

  it('leaves what was changed, says so until it is gone, and takes back the rest', async () => {
    const f = new Folder(files);
    await f.type('init', '--yes');
    f.write('plan.md', '- [ ] mine: Do\n');
    f.write('AGENTS.md', f.read('AGENTS.md').replace('Ask them.', 'Ask me.'));
    const before = f.tree();
    const undone = await f.type('init', '--undo', '--yes');
    expect(undone.code).toBe(1);
    expect(undone.out).toMatch(
      /✔ Taken back: signalbox\.yaml and CLAUDE\.md\n⚠ plan\.md stays: it was changed since\n⚠ AGENTS\.md stays: it was changed since\n$/,
    );
    const { 'signalbox.yaml': _, ...rest } = before;
    expect(f.tree()).toEqual({ ...rest, 'CLAUDE.md': '644 Hi' });
    const again = await f.type('init', '--undo');
    expect([again.code, again.out]).toEqual([1, expect.stringMatching(/^⚠ plan\.md stays/)]);
    rmSync(join(f.root, 'plan.md'));
    f.write('AGENTS.md', '# Agents\n');
    expect(await f.type('init', '--undo')).toMatchObject({ code: 0 });
    expect(await f.type('init', '--undo', '--yes')).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^Nothing to/),
    });
  });

  it('removes a file that init made and to which nobody added, and keeps one to which somebody did', async () => {
    const f = new Folder();
    await f.type('init', '--yes');
    f.write('AGENTS.md', `${f.read('AGENTS.md')}Mine\n`);
    await f.type('init', '--undo', '--yes');
    expect(f.tree()).toEqual({ '.': '700', 'AGENTS.md': '644 Mine\n' });
  });

  it('takes back nothing that was deleted, nor what another user of the name wrote', async () => {
    const f = new Folder(files);
    await f.type('init', '--yes');
    rmSync(join(f.root, 'plan.md'));
    mkdirSync(join(f.root, 'plan.md'));
    rmSync(join(f.root, 'signalbox.yaml'));
    rmSync(join(f.root, 'CLAUDE.md'));
    mkdirSync(join(f.root, 'CLAUDE.md'));
    const { code, out } = await f.type('init', '--undo', '--yes');
    expect([code, out]).toEqual([
      1,
      expect.stringMatching(/Taken back: AGENTS\.md\n⚠ plan\.md stays.*\n⚠ CLAUDE\.md stays/),
    ]);
    expect(f.tree()).toEqual({ '.': '700', 'plan.md': '755', 'CLAUDE.md': '755', 'AGENTS.md': '644 # Agents\n' });
  });

  it('refuses all where one file cannot be written', async () => {
    const f = new Folder(files);
    await f.type('init', '--yes');
    chmodSync(join(f.root, 'AGENTS.md'), 0o444);
    const before = f.tree();
    const { code, err } = await f.type('init', '--undo', '--yes');
    expect([code, err]).toEqual([2, expect.stringContaining('AGENTS.md is read-only; nothing was written')]);
    expect(f.tree()).toEqual(before);
  });

  it('keeps what runs have recorded, and says so', async () => {
    const f = new Folder();
    const before = f.tree();
    await f.type('init', '--yes');
    await f.type('set', 'plan.md');
    const { code, out } = await f.type('init', '--undo', '--yes');
    expect([code, out]).toEqual([
      0,
      expect.stringContaining(
        '\n.signalbox, docs/plan-outputs and .claude/current-plan.txt stay, with what runs have recorded.\n',
      ),
    ]);
    for (const folder of ['.signalbox', 'docs', '.claude']) rmSync(join(f.root, folder), { recursive: true });
    expect(f.tree()).toEqual(before);
  });

  it('does not believe a record of another folder', async () => {
    const f = new Folder();
    await f.type('init', '--yes');
    const record = new InitRecord({ root: f.root, userFolder: f.state });
    expect(record.read()).toHaveLength(3);
    const other = new Folder();
    expect(new InitRecord({ root: other.root, userFolder: f.state }).read()).toEqual([]);
    chmodSync(f.state, 0o777);
    expect(record.read()).toEqual([]);
    expect(new InitRecord({ root: f.root, userFolder: null }).read()).toEqual([]);
  });
});

describe('init', () => {
  it('a second time writes what is missing, and undo takes back both', async () => {
    const f = new Folder();
    const before = f.tree();
    await f.type('init', '--yes', '--no-agents-md');
    rmSync(join(f.root, 'plan.md'));
    const { out } = await f.type('init', '--yes');
    expect(out).toContain('✔ Written: plan.md and AGENTS.md\n');
    expect((await f.type('init', '--undo', '--yes')).code).toBe(0);
    expect(f.tree()).toEqual(before);
  });

  it('with another agent than the first time is taken back as it was written last', async () => {
    const f = new Folder();
    const before = f.tree();
    await f.type('init', '--yes');
    rmSync(join(f.root, 'plan.md'));
    rmSync(join(f.root, 'signalbox.yaml'));
    mkdirSync(f.bin);
    writeFileSync(join(f.bin, 'codex'), '', { mode: 0o755 });
    await f.type('init', '--yes');
    expect(f.read('signalbox.yaml')).toContain('\nagent: codex\n');
    expect((await f.type('init', '--undo', '--yes')).code).toBe(0);
    expect(f.tree()).toEqual(before);
  });

  it('after somebody cut the section out, undo leaves their file', async () => {
    const f = new Folder();
    await f.type('init', '--yes');
    f.write('AGENTS.md', 'Mine\n');
    await f.type('init', '--yes');
    expect(f.read('AGENTS.md')).toMatch(/^Mine\n\n<!-- signalbox/);
    await f.type('init', '--undo', '--yes');
    expect(f.read('AGENTS.md')).toBe('Mine\n');
  });

  it('writes nothing but what was shown', async () => {
    const f = new Folder();
    const setup = await f.door();
    const { changes } = await setup.init({ write: false });
    f.write('AGENTS.md', 'Mine\n');
    const before = f.tree();
    await expect(setup.init({ write: true, shown: changes })).rejects.toMatchObject({ exitCode: 2 });
    expect(f.tree()).toEqual(before);
    const now = await setup.init({ write: false });
    expect(await setup.init({ write: true, shown: now.changes })).toMatchObject({ written: true });
    const taken = await setup.undo({ write: false });
    f.write('plan.md', 'other');
    await expect(setup.undo({ write: true, shown: taken.changes })).rejects.toMatchObject({ exitCode: 2 });
  });

  it('of two at the same moment one writes all of it, and undo takes that back', async () => {
    const f = new Folder(files);
    const before = f.tree();
    const ended = await Promise.all([f.type('init', '--yes'), f.type('init', '--yes')]);
    expect(ended.map(({ code }) => code).sort()).toEqual([0, 2]);
    expect(ended.map(({ err }) => err).join('')).toMatch(/^signalbox: .* nothing was written\n {2}help: try again\n$/);
    expect((await f.type('init')).out).toMatch(/^✔ Everything is there/);
    expect((await f.type('init', '--undo', '--yes')).code).toBe(0);
    expect(f.tree()).toEqual(before);
  });

  it('that cannot write all of it takes back what it has written', async () => {
    const all = new Folder(files);
    await all.type('init', '--yes');
    const f = new Folder(files);
    const before = f.tree();
    // The second file fails: something is in the place of its draft.
    mkdirSync(join(f.root, `.plan.md.${process.pid}.new`));
    mkdirSync(join(f.root, `.plan.md.${process.pid}.new`, 'full'));
    const { code, err } = await f.type('init', '--yes');
    expect([code, err]).toEqual([expect.any(Number), expect.stringContaining('plan.md')]);
    expect(code).not.toBe(0);
    rmSync(join(f.root, `.plan.md.${process.pid}.new`), { recursive: true });
    expect(f.tree()).toEqual(before);
    expect((await f.type('init', '--undo')).out).toMatch(/^Nothing to take back/);
    expect((await f.type('init', '--yes')).code).toBe(0);
    expect(f.tree()).toEqual(all.tree());
  });

  it('killed at any write is completed by the next one, or taken back', async () => {
    const whole = new Folder(files);
    const before = whole.tree();
    await whole.type('init', '--yes');
    const after = whole.tree();
    let writes = 0;
    for (let nth = 1; ; nth++) {
      const f = new Folder(files);
      if (await dyingAt(nth, () => f.type('init', '--yes'))) writes = nth;
      disownDrafts(f.root);
      if (writes < nth) break;
      // One after the other is the same as both for each: neighbours differ in one call.
      if (nth % 2 === 0) {
        expect((await f.type('init', '--yes')).code).toBe(0);
        expect([nth, f.tree()]).toEqual([nth, after]);
      }
      expect((await f.type('init', '--undo', '--yes')).code).toBe(0);
      expect([nth, f.tree()]).toEqual([nth, before]);
    }
    expect(writes).toBeGreaterThan(20);
  });

  it('whose undo is killed at any write is taken back by the next one', async () => {
    let writes = 0;
    for (let nth = 1; ; nth++) {
      const f = new Folder(files);
      const before = f.tree();
      await f.type('init', '--yes');
      if (await dyingAt(nth, () => f.type('init', '--undo', '--yes'))) writes = nth;
      disownDrafts(f.root);
      if (writes < nth) break;
      expect((await f.type('init', '--undo', '--yes')).code).toBe(0);
      expect([nth, f.tree()]).toEqual([nth, before]);
    }
    expect(writes).toBeGreaterThan(10);
  });
});
