// Where plans of agents go: never over a file of the person, and never to a name before they are recorded.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { PlanRecord } from '../approval/plan-record.ts';
import { openWorkspace, type Workspace } from '../workspace.ts';
import { type PlaceWish, PlanPlace } from './plan-place.ts';

let base: string;
let root: string;
let workspace: Workspace;

beforeEach(async () => {
  base = mkdtempSync(join(tmpdir(), 'signalbox-place-'));
  root = join(base, 'work');
  mkdirSync(join(root, 'docs'), { recursive: true });
  mkdirSync(join(base, 'state'), { mode: 0o700 });
  writeFileSync(join(root, 'signalbox.yaml'), '');
  workspace = await openWorkspace(root, { SIGNALBOX_STATE: join(base, 'state') });
});
afterEach(() => {
  vi.restoreAllMocks();
  rmSync(base, { recursive: true });
});

const about = { agent: 'claude', orders: ['ls'] };
const place = (wish: Partial<PlaceWish> = {}, cwd = root) =>
  new PlanPlace(workspace, cwd, { wish: 'Add a page', ...wish });
const files = () => readdirSync(root).filter((name) => name !== 'signalbox.yaml' && name !== 'docs');

it.each<[string, readonly string[], string, string]>([
  ['plan.md first', [], 'Add a page', 'plan.md'],
  ['then the words', ['plan.md'], 'Überall: Suche & Filter, bitte auch Tests!', 'uberall-suche-filter-bitte.md'],
  ['then a number', ['plan.md', 'add-a-page.md', 'add-a-page-2.md'], 'Add a page', 'add-a-page-3.md'],
  ['without a word that fits', ['plan.md'], '検索', 'new-plan.md'],
  ['not plan.md twice', ['plan.md'], 'plan', 'new-plan.md'],
])('chooses a name: %s', (_, taken, wish, name) => {
  for (const file of taken) writeFileSync(join(root, file), '');
  expect(place({ wish }).path).toBe(name);
});

it('counts names from the current folder', () => {
  expect(place({}, join(root, 'docs')).path).toBe('docs/plan.md');
  expect(place({ out: '../x.md' }, join(root, 'docs')).path).toBe('x.md');
  expect(() => place({ out: '../x.md' })).toThrow('outside the workspace');
});

it('gets another name when somebody takes its own meanwhile', () => {
  const late = place();
  writeFileSync(join(root, 'plan.md'), 'mine');
  symlinkSync('nowhere', join(root, 'plan-2.md'));
  expect(late.put('text', about)).toBe('plan-3.md');
  expect([files(), readFileSync(join(root, 'plan.md'), 'utf8')]).toEqual([
    ['plan-2.md', 'plan-3.md', 'plan.md'],
    'mine',
  ]);
});

it('has no name before it is recorded', () => {
  const seen: string[][] = [];
  vi.spyOn(PlanRecord.prototype, 'record').mockImplementation(() => {
    seen.push(files());
    throw new Error('killed here');
  });
  expect(() => place().put('text', about)).toThrow('killed here');
  expect(() => place().putDraft('text', about)).toThrow('killed here');
  writeFileSync(join(root, 'old.md'), 'old');
  expect(() => place({ out: 'old.md', force: true }).put('text', about)).toThrow('killed here');
  expect([seen, files(), readFileSync(join(root, 'old.md'), 'utf8')]).toEqual([
    [[], [], ['old.md']],
    ['old.md'],
    'old',
  ]);
});

it('writes through no link, and leaves nothing of a process that was killed', () => {
  writeFileSync(join(base, 'outside.md'), 'theirs');
  symlinkSync(join(base, 'outside.md'), join(root, 'plan.md'));
  expect(() => place({ out: 'plan.md', force: true })).toThrow('plan.md is a link');
  writeFileSync(join(root, '.add-a-page.md.99999999.new'), 'half');
  expect(place().put('text', about)).toBe('add-a-page.md');
  expect([files(), readFileSync(join(base, 'outside.md'), 'utf8')]).toEqual([['add-a-page.md', 'plan.md'], 'theirs']);
});

it('keeps drafts apart, each under a name of its own', () => {
  expect(place().putDraft('one', about)).toBe('plan.draft.md');
  expect(place().putDraft('two', about)).toBe('plan.draft-2.md');
  expect(files()).toEqual(['plan.draft-2.md', 'plan.draft.md']);
});
