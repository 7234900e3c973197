import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import type { Workspace } from '../workspace.ts';
import { nearPlan } from './near-plan.ts';

const root = mkdtempSync(join(tmpdir(), 'signalbox-near-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));
const files = ['plan.md', 'notes.txt', 'docs/plans/checkout.md', 'docs/plan.yaml', 'specs/001-login/tasks.md'];
for (const file of files) {
  mkdirSync(dirname(join(root, file)), { recursive: true });
  writeFileSync(join(root, file), '- [ ] a: A\n');
}
const workspace = { root, outputsFolder: join(root, 'docs/plan-outputs') } as Workspace;

it.each([
  ['pln.md', 'plan.md'],
  ['plan', 'plan.md'],
  ['plan.yml', 'plan.md'],
  ['docs/plan.yml', 'docs/plan.yaml'],
  ['checkout.md', 'docs/plans/checkout.md'],
  ['checkout', 'docs/plans/checkout.md'],
  ['docs/chekout.md', 'docs/plans/checkout.md'],
  ['elsewhere/checkout.md', 'docs/plans/checkout.md'],
  ['task.md', 'specs/001-login/tasks.md'],
  ['notes.txt', undefined],
  ['nothing-like-it.md', undefined],
])('%s means %s', (typed, meant) => expect(nearPlan(workspace, typed)).toBe(meant));
