import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { removeRepositories, TestRepository } from '../../../test/rigs/repository.ts';
import { GitRecord } from '../trust/git-record.ts';
import { repositoryOf } from './repository-of.ts';

const userFolder = join(mkdtempSync(join(tmpdir(), 'repository-of-')), 'state');
mkdirSync(userFolder, { mode: 0o700 });
afterAll(() => {
  removeRepositories();
  rmSync(join(userFolder, '..'), { recursive: true });
});

it('is trusted where a person said so, and nowhere else', () => {
  const { root } = new TestRepository({ 'a.txt': '' });
  const workspace = { root, userFolder };
  expect(repositoryOf({ workspace, env: {} }).place.isTrusted).toBe(false);
  new GitRecord(workspace).trust();
  expect(repositoryOf({ workspace, env: {} }).place.isTrusted).toBe(true);
});
