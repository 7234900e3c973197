// What is gathered of a repository's instructions, and what a hostile one gains: nothing from outside, and no time.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { claudeInstructions } from './claude-instructions.ts';
import { importsIn, parsedInstructions } from './instruction-text.ts';

let around: string;
let tree: string;

beforeEach(() => {
  around = mkdtempSync(join(tmpdir(), 'signalbox-instructions-'));
  tree = join(around, 'tree');
  mkdirSync(tree);
});
afterEach(() => rmSync(around, { recursive: true, force: true }));

function write(files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(tree, name)), { recursive: true });
    writeFileSync(join(tree, name), text);
  }
}

/** The names of those that are told, in order. */
const told = (): string[] => [...claudeInstructions(tree).matchAll(/^Contents of (.*):$/gm)].map(([, name]) => name!);

describe('instructions of a repository', () => {
  it('are nothing where there are none, or no folder', () => {
    expect(claudeInstructions(tree)).toBe('');
    expect(claudeInstructions(join(tree, 'gone'))).toBe('');
  });

  it('are the files of the program with their imports, then the rules', () => {
    write({
      'CLAUDE.md': 'Root.\n@docs/a.md\n',
      'docs/a.md': 'A. @b.md',
      'docs/b.md': 'B.',
      '.claude/CLAUDE.md': 'Dot. @../docs/c.md',
      'docs/c.md': 'C.',
      'CLAUDE.local.md': 'Mine.',
      '.claude/rules/z.md': 'Z.',
      '.claude/rules/api/y.md': '---\npaths: src/api/**\n---\nY.',
      '.claude/rules/notes.txt': 'no rule',
      'AGENTS.md': 'For others.',
      'sub/CLAUDE.md': 'Below.',
    });
    expect(told()).toEqual([
      ...['CLAUDE.md', 'docs/a.md', 'docs/b.md', '.claude/CLAUDE.md', 'docs/c.md', 'CLAUDE.local.md'],
      ...['.claude/rules/api/y.md (only for files that match src/api/**)', '.claude/rules/z.md'],
    ]);
    const text = claudeInstructions(tree);
    expect(text).toContain('Contents of docs/a.md:\n\nA. @b.md\n');
    expect(text).not.toContain('paths:');
    expect(text).toMatch(/A folder may have a CLAUDE\.md of its own, .*\n$/);
  });

  it.each<[string, Record<string, string>, string[]]>([
    ['alone', {}, ['AGENTS.md']],
    ['beside an empty CLAUDE.md', { 'CLAUDE.md': '<!-- nothing -->\n' }, ['AGENTS.md']],
    ['beside rules', { '.claude/rules/a.md': 'a' }, ['AGENTS.md', '.claude/rules/a.md']],
    ['not beside .claude/CLAUDE.md', { '.claude/CLAUDE.md': 'a' }, ['.claude/CLAUDE.md']],
    ['not beside CLAUDE.local.md', { 'CLAUDE.local.md': 'a' }, ['CLAUDE.local.md']],
  ])('are those of AGENTS.md %s', (_, files, names) => {
    write({ 'AGENTS.md': 'agents', ...files });
    expect(told()).toEqual(names);
  });

  it('have each file once, also in a circle, and imports four deep', () => {
    write({ 'CLAUDE.md': 'r @1.md @self', '1.md': '1 @2.md @CLAUDE.md', '2.md': '2 @3.md @1.md', '3.md': '3 @4.md' });
    write({ '4.md': '4 @5.md', '5.md': '5' });
    symlinkSync('CLAUDE.md', join(tree, 'self'));
    expect(told()).toEqual(['CLAUDE.md', '1.md', '2.md', '3.md', '4.md']);
  });

  it('may be links inside of the tree, and nothing outside is read by any way', () => {
    writeFileSync(join(around, 'secret.md'), 'secret');
    mkdirSync(join(around, 'rules'));
    writeFileSync(join(around, 'rules/r.md'), 'secret');
    write({
      'AGENTS.md': `in @../secret.md @${around}/secret.md @out.md @folder/secret.md @~/secret.md @/etc/hostname`,
    });
    symlinkSync('AGENTS.md', join(tree, 'CLAUDE.md'));
    symlinkSync('../secret.md', join(tree, 'out.md'));
    symlinkSync('..', join(tree, 'folder'));
    mkdirSync(join(tree, '.claude'));
    symlinkSync('../../rules', join(tree, '.claude/rules'));
    expect(told()).toEqual(['AGENTS.md']);
    expect(claudeInstructions(tree)).not.toContain('secret\n');
  });

  it('are no pipes, folders, sockets or bytes', () => {
    execFileSync('mkfifo', [join(tree, 'CLAUDE.md')]);
    write({ 'AGENTS.md': 'agents @pipe @bytes @folder', bytes: 'a\0b', 'folder/a.md': 'a' });
    execFileSync('mkfifo', [join(tree, 'pipe')]);
    expect(told()).toEqual(['AGENTS.md']);
  });

  it('are cut where they are too long, and say so', () => {
    write({ 'CLAUDE.md': `@next.md\n${'é'.repeat(150_000)}END`, 'next.md': 'next', '.claude/rules/a.md': 'a' });
    const text = claudeInstructions(tree);
    expect(Buffer.byteLength(text)).toBeLessThan(201_000);
    expect(text).toContain('(Cut: there are more instructions than fit. Read on yourself from CLAUDE.md.)');
    expect(text).not.toMatch(/END|\uFFFD/);
    expect(told()).toEqual(['CLAUDE.md']);
  });

  it('are cut after two hundred files', () => {
    const many = Array.from({ length: 300 }, (_, i) => [`.claude/rules/${String(i).padStart(3, '0')}.md`, `${i}`]);
    write(Object.fromEntries(many));
    expect(told()).toHaveLength(200);
    expect(claudeInstructions(tree)).toContain('Read on yourself from .claude/rules/200.md.');
  });

  it('take no time with imports of nothing', () => {
    write({ 'CLAUDE.md': Array.from({ length: 30_000 }, (_, i) => `@${i}`).join(' ') });
    expect(claudeInstructions(tree)).toContain('(Cut: ');
  });
});

describe('the text of instructions', () => {
  it.each([
    ['@a.md and @./b.md, then\n@c\\ d.md', ['a.md', './b.md,', 'c d.md']],
    ['me@a.md (@b.md) `@c.md` and `` @d.md ``', []],
    ['```\n@a.md\n```\n@b.md\n~~~\n@c.md\n```\n@d.md\n~~~\n@e.md', ['b.md', 'e.md']],
    ['@~/a.md @"b" @', []],
  ])('names its imports: %s', (text, imports) => expect(importsIn(text)).toEqual(imports));

  it.each([
    ['a\n<!-- b\n@c.md --> d\ne', 'a\n d\ne'],
    ['<!-- never closed\na', '<!-- never closed\na'],
    ['```\n<!-- kept -->\n```', '```\n<!-- kept -->\n```'],
    ['---\nnever: closed', '---\nnever: closed'],
    ['\uFEFF---\r\ntitle: x\r\n---\r\na', 'a'],
  ])('has no comments and no head: %j', (text, body) => expect(parsedInstructions(text)).toEqual({ body, paths: '' }));

  it.each([
    ['paths: src/**/*.ts', 'src/**/*.ts'],
    ['paths: "a/**", b/*', 'a/**, b/*'],
    ['paths: [a/**, "b"]', 'a/**, b'],
    ['paths:\n  - "a/**"\n- b\nother: c', 'a/**, b'],
    ['paths: "**"', ''],
    ['paths:', ''],
  ])('says for which files it is: %j', (head, paths) =>
    expect(parsedInstructions(`---\n${head}\n---\na`)).toEqual({ body: 'a', paths }),
  );

  it.each(['<!--', '`', '@a', '```\n', '<!--\n', '-->\n', '@\\ '])(
    'is read at once, however much there is of %j',
    (part) => {
      const { body } = parsedInstructions(`---\n${part.repeat(50_000)}`);
      expect(importsIn(body).length).toBeLessThanOrEqual(1);
    },
  );
});
