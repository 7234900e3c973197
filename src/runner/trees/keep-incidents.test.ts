import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { keepIncidents } from './keep-incidents.ts';

const root = mkdtempSync(join(tmpdir(), 'signalbox-incidents-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

it('keeps what was before and after, for its user alone', () => {
  const folder = join(root, 'a/b');
  const texts = [
    { name: 'config', before: Buffer.from('one'), after: Buffer.from('two') },
    { name: '/w/.husky/_/pre-commit', before: null, after: Buffer.from('three') },
  ];
  expect(keepIncidents([{ kind: 'shared', what: 'it changed', texts }], folder)).toEqual([
    { kind: 'shared', what: 'it changed', saved: folder },
  ]);
  expect(readdirSync(folder).sort()).toEqual(['config.after', 'config.before', 'w-.husky-_-pre-commit.after']);
  expect(readFileSync(join(folder, 'config.before'), 'utf8')).toBe('one');
  expect([statSync(folder).mode & 0o777, statSync(join(folder, 'config.after')).mode & 0o777]).toEqual([0o700, 0o600]);
});

it('makes no folder where nothing can be kept', () => {
  const folder = join(root, 'none');
  const texts = [{ name: 'hooks/x', before: null, after: null }];
  const found = [
    { kind: 'checkout', what: 'files changed', texts: [] } as const,
    { kind: 'shared', what: 'x', texts } as const,
  ];
  expect(keepIncidents(found, folder)).toEqual([
    { kind: 'checkout', what: 'files changed' },
    { kind: 'shared', what: 'x' },
  ]);
  expect(existsSync(folder)).toBe(false);
});
