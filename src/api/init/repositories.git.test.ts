// `init` in every kind of repository, compared byte by byte: before, with what it wrote, and after `init --undo`. Modes, links and all of
// `.git` are compared too.
import { execFileSync } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, mkdtempSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { runHere } from '../../../test/e2e/run-here.ts';
import { folders } from '../../../test/rigs/left-behind.ts';
import { treeListing } from '../../../test/rigs/tree-listing.ts';
import { findProgram } from '../../agents/process/find-program.ts';
import { agentsSection, planText, settingsText } from './first-texts.ts';

const lookedFor = ['claude', 'codex', 'opencode', 'gemini'];
const withClaude = { lookedFor, found: ['claude'], chosen: 'claude' };
const without = { lookedFor, found: [], chosen: null };
const settings = settingsText(withClaude);
const plan = planText(withClaude, 'plan.md', null);
const section = `${agentsSection.join('\n')}\n`;
const rules =
  '# Signalbox: state, outputs of plans, current plan\n/.signalbox/\n/docs/plan-outputs/\n/.claude/current-plan.txt\n';
const windows = (text: string) => text.replaceAll('\n', '\r\n');
const ownPlan = '- [ ] a: Do\n  - run: `true`\n';

/** By path: file contents; null: nothing is there. */
type Files = Readonly<Record<string, string | null>>;

interface Kind {
  readonly files?: Files;
  readonly links?: Readonly<Record<string, string>>;
  readonly modes?: Readonly<Record<string, number>>;
  readonly git?: 'none' | 'empty' | 'commit' | 'bare' | 'worktree';
  /** Where it is called, from the root of the repository. */
  readonly from?: string;
  readonly prepare?: (root: string) => void;
  readonly args?: readonly string[];
  readonly agents?: 'none';
  /** What is there after `init`, of what was not there before; as exit code and words: why it refuses. */
  readonly written: Files | readonly [number, RegExp];
  /** The plan that is to be run, from the current folder. */
  readonly plan?: string;
}

const everything: Files = { 'signalbox.yaml': settings, 'plan.md': plan, '.gitignore': rules, 'AGENTS.md': section };

const kinds: Readonly<Record<string, Kind>> = {
  'a folder without git': {
    git: 'none',
    files: { 'main.c': 'int main;\n' },
    written: { 'signalbox.yaml': settings, 'plan.md': plan, 'AGENTS.md': section },
  },
  'an empty folder without git or agents': {
    git: 'none',
    agents: 'none',
    written: {
      ...{ 'signalbox.yaml': settingsText(without), 'plan.md': planText(without, 'plan.md', null) },
      'AGENTS.md': section,
    },
  },
  'a repository without a commit': { git: 'empty', written: everything },
  'a repository with a commit': { files: { 'src/a.ts': 'a\n' }, written: everything },
  'a linked worktree': { git: 'worktree', files: { 'a.txt': 'a\n' }, written: everything },
  'one that is reached by a link': {
    prepare: (root) => symlinkSync(root, `${root}-link`),
    from: '../repository-link',
    written: everything,
  },
  'a package of a monorepo': {
    files: { 'package.json': '{}\n', 'packages/web/package.json': '{}\n' },
    from: 'packages/web',
    written: everything,
    plan: '../../plan.md',
  },
  'a package that is a workspace of its own': {
    files: { 'packages/web/signalbox.yaml': 'max-parallel: 2\n' },
    from: 'packages/web',
    written: {
      'packages/web/plan.md': planText(withClaude, 'plan.md', 'claude'),
      'packages/web/.gitignore': rules,
      'packages/web/AGENTS.md': section,
    },
  },
  'one with an AGENTS.md': {
    files: { 'AGENTS.md': '# Agents\n\nBe kind.\n' },
    written: { ...everything, 'AGENTS.md': `# Agents\n\nBe kind.\n\n${section}` },
  },
  'one with an AGENTS.md of Windows without a last line end, that others may write': {
    files: { 'AGENTS.md': '\ufeff# Agents\r\nBe kind.' },
    modes: { 'AGENTS.md': 0o664 },
    written: { ...everything, 'AGENTS.md': `\ufeff# Agents\r\nBe kind.\r\n\r\n${windows(section)}` },
  },
  'one with a CLAUDE.md': {
    files: { 'CLAUDE.md': '# Claude' },
    modes: { 'CLAUDE.md': 0o600 },
    written: { ...everything, 'CLAUDE.md': '# Claude\n\n@AGENTS.md\n' },
  },
  'one whose CLAUDE.md imports AGENTS.md': {
    files: { 'CLAUDE.md': 'Read @./AGENTS.md, please.\n', 'AGENTS.md': '' },
    written: { ...everything, 'AGENTS.md': section },
  },
  'one whose CLAUDE.md is a link to AGENTS.md': {
    files: { 'AGENTS.md': 'Be kind.\n' },
    links: { 'CLAUDE.md': 'AGENTS.md' },
    written: { ...everything, 'AGENTS.md': `Be kind.\n\n${section}` },
  },
  'one whose AGENTS.md is a link to CLAUDE.md': {
    files: { 'CLAUDE.md': 'Be kind.\n' },
    links: { 'AGENTS.md': 'CLAUDE.md' },
    written: {
      ...{ 'signalbox.yaml': settings, 'plan.md': plan, '.gitignore': rules },
      'CLAUDE.md': `Be kind.\n\n${section}`,
    },
  },
  'one whose CLAUDE.md is a link to an AGENTS.md that is not there': {
    links: { 'CLAUDE.md': 'AGENTS.md' },
    written: everything,
  },
  'one whose AGENTS.md is a link to another folder': {
    files: { 'docs/agents.md': 'Be kind.\n' },
    links: { 'AGENTS.md': 'docs/agents.md' },
    written: {
      ...{ 'signalbox.yaml': settings, 'plan.md': plan, '.gitignore': rules },
      'docs/agents.md': `Be kind.\n\n${section}`,
    },
  },
  'one that has the section of a colleague': {
    files: { 'AGENTS.md': section },
    written: { 'signalbox.yaml': settings, 'plan.md': plan, '.gitignore': rules },
  },
  'one that is told to leave AGENTS.md alone, which is a folder': {
    files: { 'AGENTS.md/a': '', 'CLAUDE.md': '' },
    args: ['--no-agents-md'],
    written: { 'signalbox.yaml': settings, 'plan.md': plan, '.gitignore': rules },
  },
  'one with a .gitignore of Windows': {
    files: { '.gitignore': 'node_modules\r\n*.log' },
    written: { ...everything, '.gitignore': `node_modules\r\n*.log\r\n\r\n${windows(rules)}` },
  },
  'one with an empty .gitignore': { files: { '.gitignore': '' }, written: everything },
  'one that ignores more than that': {
    files: { '.gitignore': '.*\n!.gitignore\n', 'docs/.gitignore': 'plan-*\n' },
    written: { 'signalbox.yaml': settings, 'plan.md': plan, 'AGENTS.md': section },
  },
  'one that ignores some of it': {
    files: { '.gitignore': 'docs/\n.signalbox\n' },
    written: {
      ...everything,
      '.gitignore':
        'docs/\n.signalbox\n\n# Signalbox: state, outputs of plans, current plan\n/.claude/current-plan.txt\n',
    },
  },
  'one that takes a rule back elsewhere': {
    files: { 'docs/.gitignore': '!plan-outputs/\n' },
    written: everything,
  },
  'one whose .gitignore is a link': {
    files: { ignored: 'a\n' },
    links: { '.gitignore': 'ignored' },
    written: { 'signalbox.yaml': settings, 'plan.md': plan, 'AGENTS.md': section },
  },
  'one with settings and a plan': {
    files: { 'signalbox.yaml': 'agent: claude\n', 'plan.md': ownPlan },
    written: { '.gitignore': rules, 'AGENTS.md': section },
  },
  'one whose settings name an agent that is not installed': {
    files: { 'signalbox.yaml': 'agent: codex\n' },
    written: { 'plan.md': planText(withClaude, 'plan.md', 'claude'), '.gitignore': rules, 'AGENTS.md': section },
  },
  'one whose settings keep outputs elsewhere': {
    files: { 'signalbox.yaml': 'agent: claude\noutputs: { folder: "out [1]", current-plan: .current }\n' },
    written: {
      ...{ 'plan.md': plan, 'AGENTS.md': section },
      '.gitignore': '# Signalbox: state, outputs of plans, current plan\n/.signalbox/\n/out \\[1\\]/\n/.current\n',
    },
  },
  'one whose plan.md is no plan': {
    files: { 'plan.md': '# My plan for the summer\n\nSwim.\n' },
    written: {
      ...{ 'signalbox.yaml': settings, '.gitignore': rules, 'AGENTS.md': section },
      'first-plan.md': planText(withClaude, 'first-plan.md', null),
    },
    plan: 'first-plan.md',
  },
  'one whose plan.md is a folder': {
    files: { 'plan.md/a': '' },
    written: {
      ...{ 'signalbox.yaml': settings, '.gitignore': rules, 'AGENTS.md': section },
      'first-plan.md': planText(withClaude, 'first-plan.md', null),
    },
    plan: 'first-plan.md',
  },
  'a read-only one that has everything': {
    files: { ...everything, 'CLAUDE.md': '@AGENTS.md\n' },
    modes: { '.': 0o555, 'AGENTS.md': 0o444, '.gitignore': 0o444, 'CLAUDE.md': 0o444 },
    written: {},
  },
  'a read-only one': {
    modes: { '.': 0o555 },
    written: [2, /signalbox\.yaml cannot be written: \S+ is read-only; nothing was written/],
  },
  'one with a read-only .gitignore': {
    files: { '.gitignore': 'a\n' },
    modes: { '.gitignore': 0o444 },
    written: [2, /\.gitignore is read-only; nothing was written/],
  },
  'one whose AGENTS.md leads out of it': {
    prepare: (root) => writeFileSync(join(root, '../outside'), ''),
    links: { 'AGENTS.md': '../outside' },
    written: [2, /AGENTS\.md is a link that leads out of the workspace \(\/\S+\/outside\).*\n.*--no-agents-md/],
  },
  'one whose CLAUDE.md leads into .git': {
    links: { 'CLAUDE.md': '.git/config' },
    written: [2, /CLAUDE\.md is a link into \.git; nothing/],
  },
  'one whose AGENTS.md leads nowhere': {
    links: { 'AGENTS.md': 'gone.md' },
    written: [2, /AGENTS\.md is a link that leads nowhere/],
  },
  'one whose AGENTS.md leads to itself': {
    links: { 'AGENTS.md': 'AGENTS.md' },
    written: [2, /AGENTS\.md is a link that leads nowhere/],
  },
  'one whose AGENTS.md is a folder': { files: { 'AGENTS.md/a': '' }, written: [2, /AGENTS\.md is a folder/] },
  'one whose .gitignore is a folder': { files: { '.gitignore/a': '' }, written: [2, /\.gitignore is a folder/] },
  'one whose AGENTS.md is no text': {
    prepare: (root) => writeFileSync(join(root, 'AGENTS.md'), Buffer.from([0xff, 0xfe, 0x41, 0xd8])),
    written: [2, /AGENTS\.md is not text in UTF-8; nothing was written/],
  },
  'one whose settings have mistakes': { files: { 'signalbox.yaml': 'agnet: x\n' }, written: [3, /signalbox\.yaml/] },
  'a bare one': { git: 'bare', written: [2, /is a bare git repository/] },
  'a folder that everybody can write to': {
    git: 'none',
    modes: { '.': 0o777 },
    written: [2, /everybody on this machine can write to/],
  },
  'a folder of another user': {
    git: 'none',
    prepare: (root) => chownSync(root, 12345, 12345),
    written: [2, /belongs to another user \(12345\); nothing was written/],
  },
  'one with a hostile name': {
    from: 'a\x1b[2J\nb',
    files: { 'a\x1b[2J\nb/x': '' },
    written: everything,
    plan: '../plan.md',
  },
};

const who = ['-c', 'user.name=t', '-c', 'user.email=t@t', '-c', 'init.defaultBranch=main'];
const git = (cwd: string, ...args: string[]) => execFileSync('git', [...who, ...args], { cwd, stdio: 'ignore' });

const bin = mkdtempSync(join(tmpdir(), 'signalbox-bin-'));
folders.push(bin);
writeFileSync(join(bin, 'claude'), '#!/bin/sh\n', { mode: 0o755 });
const withoutAgents = mkdtempSync(join(tmpdir(), 'signalbox-bin-'));
folders.push(withoutAgents);
symlinkSync(findProgram('git', process.env.PATH!)!, join(withoutAgents, 'git'));

function make({ files = {}, links = {}, modes = {}, git: how = 'commit', prepare }: Kind): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'signalbox-init-')));
  folders.push(folder);
  const root = join(folder, 'repository');
  mkdirSync(root);
  if (how === 'bare') git(root, 'init', '-q', '--bare');
  else if (how !== 'none') git(root, 'init', '-q');
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text!);
  }
  for (const [path, target] of Object.entries(links)) symlinkSync(target, join(root, path));
  if (how === 'commit' || how === 'worktree') {
    git(root, 'add', '-A');
    git(root, 'commit', '-q', '--allow-empty', '-m', 'Begin');
  }
  if (how === 'worktree') git(root, 'worktree', 'add', '-q', join(folder, 'tree'));
  const made = how === 'worktree' ? join(folder, 'tree') : root;
  prepare?.(made);
  for (const [path, mode] of Object.entries(modes)) chmodSync(join(made, path), mode);
  return made;
}

const asRead = (text: string) => Buffer.from(text).toString('latin1');

describe('init, undone again', () => {
  const isRoot = process.getuid!() === 0;
  const shown = Object.entries(kinds).filter(([name]) => isRoot || !/another user/.test(name));

  it.each(shown)('in %s', async (_, kind) => {
    const root = make(kind);
    // A folder that is read-only could not be removed.
    onTestFinished(() => chmodSync(root, 0o755));
    const before = treeListing(root);
    const place = {
      cwd: join(root, kind.from ?? '.'),
      env: {
        ...{ HOME: bin, SIGNALBOX_STATE: process.env.SIGNALBOX_STATE, USER: 'tester' },
        PATH: kind.agents === 'none' ? withoutAgents : `${bin}:${withoutAgents}`,
      },
    };
    const type = async (...args: string[]) => {
      const { code, out, err } = await runHere(args, place);
      return { code, out, err, said: out + err };
    };
    const args = kind.args ?? [];

    const asked = await type('init', ...args);
    expect(treeListing(root)).toEqual(before);
    const done = await type('init', '--yes', ...args);
    const { written } = kind;
    if (Array.isArray(written)) {
      expect([asked.code, done.code]).toEqual([written[0], written[0]]);
      expect(done.err).toMatch(written[1]);
      expect(treeListing(root)).toEqual(before);
      expect((await type('init', '--undo', '--yes')).said).not.toContain('Taken back');
      expect(treeListing(root)).toEqual(before);
      return;
    }
    expect([asked.code, done.code, done.err]).toEqual([Object.keys(written).length === 0 ? 0 : 4, 0, '']);
    expect(done.out).not.toMatch(/[^\x20-\x7e\n→✔\ufeff]/);
    const expected = { ...before };
    for (const [path, text] of Object.entries(written as Files))
      expected[path] = `${before[path]?.split(' ')[0] ?? '644'} ${asRead(text!)}`;
    expect(treeListing(root)).toEqual(expected);

    const again = await type('init', '--yes', ...args);
    expect([again.code, again.out]).toEqual([0, expect.stringMatching(/^✔ Everything is there already/)]);
    expect(treeListing(root)).toEqual(expected);
    const checked = await type('check', kind.plan ?? 'plan.md', '--json');
    expect([checked.code, JSON.parse(checked.out)]).toMatchObject([0, { ok: true, hindrances: [], unsupported: [] }]);
    expect(done.out).toContain(`signalbox run ${kind.plan ?? 'plan.md'}`);

    const undone = await type('init', '--undo', '--yes');
    expect([undone.code, undone.err]).toEqual([0, '']);
    expect(treeListing(root)).toEqual(before);
    const nothing = await type('init', '--undo', '--yes');
    expect([nothing.code, nothing.out]).toEqual([0, expect.stringMatching(/^Nothing to take back/)]);
  });

  it('is shown for more than twelve kinds of repository', () => {
    expect(shown.length).toBeGreaterThan(40 - (isRoot ? 0 : 1));
  });
});
