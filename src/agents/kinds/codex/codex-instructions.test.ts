import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { agentNamed, kindOf } from '../../kind.ts';
import { codexInstructions } from './codex-instructions.ts';

let place: string;
beforeEach(() => {
  place = realpathSync(mkdtempSync(join(tmpdir(), 'signalbox-test-')));
});
afterEach(() => rmSync(place, { recursive: true }));

function files(texts: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(texts)) {
    mkdirSync(dirname(join(place, name)), { recursive: true });
    writeFileSync(join(place, name), text);
  }
}

const told = (tree = 'repo') => codexInstructions(join(place, 'home'), join(place, tree));
const of = (name: string, text: string) => `# Instructions of this repository: ${name}\n\n${text}`;

describe('what Codex is told', () => {
  it('is nothing where nobody says anything', () => {
    expect(told()).toBe('');
    files({ 'repo/AGENTS.md': '\n', 'home/AGENTS.md': ' ' });
    expect(told()).toBe('');
  });

  it('is what the person says, and then the repository from its top down', () => {
    files({ 'home/AGENTS.md': 'mine\n', 'repo/.git': '', 'repo/AGENTS.md': 'top\n', 'repo/a/b/AGENTS.md': 'part\n' });
    expect(told('repo/a/b')).toBe(['mine', of('../../AGENTS.md', 'top'), of('AGENTS.md', 'part')].join('\n\n'));
  });

  it('is of the folder alone where there is no repository', () => {
    files({ 'AGENTS.md': 'above', 'repo/AGENTS.md': 'here' });
    expect(told()).toBe(of('AGENTS.md', 'here'));
  });

  it('is an override, where there is one, and another name only where the person wants it', () => {
    files({ 'home/AGENTS.override.md': 'over', 'home/AGENTS.md': 'mine', 'repo/NOTES.md': 'notes' });
    expect(told()).toBe('over');
    files({ 'home/config.toml': 'project_doc_fallback_filenames = ["NOTES.md"]\n' });
    expect(told()).toBe(`over\n\n${of('NOTES.md', 'notes')}`);
    files({ 'repo/AGENTS.md': 'agents' });
    expect(told()).toBe(`over\n\n${of('AGENTS.md', 'agents')}`);
    files({ 'repo/AGENTS.override.md': 'local' });
    expect(told()).toBe(`over\n\n${of('AGENTS.override.md', 'local')}`);
  });

  it('is cut where Codex would cut the files of a repository, and says so; what the person says is not', () => {
    const cut = (name: string) => `\n\n(Cut: it is longer than fits. Read the rest of ${name} yourself.)`;
    files({ 'home/AGENTS.md': 'm'.repeat(50_000), 'repo/AGENTS.md': `${'é'.repeat(20_000)}` });
    expect(told()).toBe(`${'m'.repeat(50_000)}\n\n${of('AGENTS.md', 'é'.repeat(16_384))}${cut('AGENTS.md')}`);
    files({ 'home/AGENTS.md': '', 'home/config.toml': 'project_doc_max_bytes = 1_0\n' });
    files({ 'repo/.git': '', 'repo/AGENTS.md': '12345', 'repo/a/AGENTS.md': '1234567', 'repo/a/b/AGENTS.md': 'no' });
    const [top, part] = [of('../../AGENTS.md', '12345'), of('../AGENTS.md', '12345')];
    expect(told('repo/a/b')).toBe(`${top}\n\n${part}${cut('../AGENTS.md')}`);
    files({ 'home/config.toml': 'project_doc_max_bytes = 0\n' });
    expect(told('repo/a/b')).toBe('');
  });

  it('is read behind a link that stays in the repository, and from nothing but a plain file', () => {
    files({ 'repo/CLAUDE.md': 'both', secret: 'secret' });
    symlinkSync('CLAUDE.md', join(place, 'repo/AGENTS.md'));
    expect(told()).toContain('both');
    rmSync(join(place, 'repo/AGENTS.md'));
    symlinkSync('../secret', join(place, 'repo/AGENTS.md'));
    expect(told()).toBe('');
    rmSync(join(place, 'repo/AGENTS.md'));
    execFileSync('mkfifo', [join(place, 'repo/AGENTS.md')]);
    expect(told()).toBe('');
  });
});

it('trusts no folder that Codex could take settings from, by their real names', () => {
  files({ 'repo/a "b"/x': '' });
  symlinkSync(join(place, 'repo'), join(place, 'link'));
  const agent = agentNamed({ agents: {}, defaults: {}, unsupported: [] }, 'codex')!;
  const { argv } = kindOf(agent)!.launch(agent, {
    ...{ task: 'a', attempt: 'a#1', promptFile: '/p', model: '', resume: 's1', home: '/h' },
    ...{ hook: null, server: null, environment: { HOME: place }, isRoot: false },
    workspace: join(place, 'link/a "b"'),
  });
  const given = argv.find((word) => word.startsWith('projects='))!;
  expect(argv.indexOf(given)).toBeLessThan(argv.indexOf('resume'));
  const keys = [...given.matchAll(/("(?:[^"\\]|\\.)*")=\{trust_level="untrusted"\}/g)].map(([, key]) =>
    JSON.parse(key!),
  );
  expect(keys.slice(0, 3)).toEqual([join(place, 'repo/a "b"'), join(place, 'repo'), place]);
  expect(keys.at(-1)).toBe('/');
});
