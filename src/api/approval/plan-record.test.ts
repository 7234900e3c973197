// What is kept about plans that agents wrote, in a real folder: known by content and by place, approved in one workspace.
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { planPath } from '../../core/model/ids.ts';
import { digestOf, PlanRecord } from './plan-record.ts';

let base: string;
let record: PlanRecord;
let elsewhere: PlanRecord;

beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'signalbox-record-'));
  for (const name of ['one', 'two', 'state']) mkdirSync(join(base, name), { mode: 0o700 });
  record = new PlanRecord({ root: join(base, 'one'), userFolder: join(base, 'state') });
  elsewhere = new PlanRecord({ root: join(base, 'two'), userFolder: join(base, 'state') });
});
afterEach(() => rmSync(base, { recursive: true }));

const [plan, copy] = [planPath('plan.md'), planPath('copy.md')];
const written = { agent: 'claude', orders: ['ls', 'rm'] };
const standing = async (of: PlanRecord, path: typeof plan, text: string, ...orders: string[]) =>
  (await of.origin({ path, text }, async () => orders)).standing;

describe('the record of plans', () => {
  it('is asked nothing where nothing was written', async () => {
    const asked = () => Promise.reject(new Error('nobody needs to know'));
    expect(await record.origin({ path: plan, text: 'x' }, asked)).toEqual({
      standing: 'own',
      agent: null,
      approved: null,
    });
    expect(readdirSync(join(base, 'state'))).toEqual([]);
  });

  it('knows a text anywhere, and an edit of it where it was written', async () => {
    record.record({ path: plan, text: 'x' }, written);
    expect(await standing(record, plan, 'x')).toBe('unapproved');
    expect(await standing(record, copy, 'x')).toBe('unapproved');
    expect(await standing(elsewhere, plan, 'x')).toBe('unapproved');
    expect(await standing(record, plan, 'y', 'ls', 'mine')).toBe('unapproved');
    expect(await standing(record, plan, 'y', 'mine')).toBe('own');
    expect(await standing(record, copy, 'y', 'ls')).toBe('own');
    expect(await record.origin({ path: plan, text: 'y' }, async () => ['ls'])).toMatchObject({ agent: 'claude' });
  });

  it('knows an edit through a link too', async () => {
    writeFileSync(join(base, 'one/plan.md'), 'y');
    symlinkSync('plan.md', join(base, 'one/copy.md'));
    record.record({ path: plan, text: 'x' }, written);
    expect(await standing(record, copy, 'y', 'ls')).toBe('unapproved');
  });

  it('lets an approval hold in its workspace, also after an edit', async () => {
    record.record({ path: plan, text: 'x' }, written);
    record.approve({ path: plan, text: 'x' }, written, 'ann');
    expect(await record.origin({ path: plan, text: 'x' }, async () => [])).toEqual({
      standing: 'approved',
      agent: 'claude',
      approved: { by: 'ann', at: expect.any(Number) },
    });
    expect(await standing(record, copy, 'x')).toBe('approved');
    expect(await standing(record, plan, 'y', 'ls', 'mine')).toBe('own');
    expect(await standing(elsewhere, plan, 'x')).toBe('unapproved');
  });

  it('keeps an approval when the same text is written again', async () => {
    record.approve({ path: plan, text: 'x' }, written, 'ann');
    record.record({ path: plan, text: 'x' }, written);
    expect(await standing(record, plan, 'x')).toBe('approved');
  });

  it('takes what Signalbox rewrote for what it was', async () => {
    record.rewritten({ path: copy, text: 'nobody knows it' }, 'formatted');
    expect(await standing(record, copy, 'formatted')).toBe('own');
    record.record({ path: plan, text: 'x' }, written);
    record.rewritten({ path: copy, text: 'x' }, 'X');
    expect(await standing(record, copy, 'X')).toBe('unapproved');
    record.approve({ path: plan, text: 'x' }, written, 'ann');
    record.rewritten({ path: copy, text: 'x' }, 'XX');
    expect(await standing(record, copy, 'XX')).toBe('approved');
  });

  it('takes what cannot be read for an agent’s work that nobody approved', async () => {
    record.approve({ path: plan, text: 'x' }, written, 'ann');
    const approved = readdirSync(join(base, 'state/plans/approved'))[0]!;
    writeFileSync(join(base, 'state/plans/approved', approved), '{');
    expect(await standing(record, plan, 'x')).toBe('unapproved');
    writeFileSync(join(base, `state/plans/${digestOf('x')}.json`), '');
    expect(await standing(record, plan, 'x')).toBe('unapproved');
  });

  it('keeps nothing where there is no place of the user, and refuses to record', () => {
    const nowhere = new PlanRecord({ root: join(base, 'one'), userFolder: null });
    expect(() => nowhere.record({ path: plan, text: 'x' }, written)).toThrow('HOME is not set');
    expect(() => nowhere.rewritten({ path: plan, text: 'x' }, 'y')).not.toThrow();
  });
});
