// A `status.json` that is changed in a few lines is the one that would have been made from the beginning.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyHistory, perform } from '../../test/histories.ts';
import { soundPlan } from '../../test/plain-rules.ts';
import { begin, log, planOf, type Scenario } from '../../test/scenario.ts';
import type { StoredEvent } from '../core/event.ts';
import { linesIn, type OldStatus, UnlikeExpected } from './old-status.ts';
import { patchStatus, touchedBy } from './patch-status.ts';
import { type StatusWorld, statusFile } from './status-file.ts';
import { statusBytes } from './status-text.ts';

const world = ({ state }: Scenario): StatusWorld => ({
  seq: state.seq,
  log: 'one',
  isRunning: true,
  savedWork: state.seq % 2 === 0 ? ['saved-1'] : [],
  describeFailure: ({ kind }) => `"${kind}",\n"status":"blocked", ü`,
});
const made = (scenario: Scenario): Buffer => Buffer.concat(statusBytes(statusFile(scenario.plan, world(scenario))));

const asFile = (bytes: Buffer): OldStatus => ({
  size: bytes.length,
  read: (block, at) => void bytes.copy(block, 0, at),
});

function patch(old: Buffer, scenario: Scenario, touched: ReadonlySet<number>): string | null {
  const pieces = patchStatus(asFile(old), scenario.plan, touched, world(scenario));
  if (!pieces) return null;
  const copies: Buffer[] = [];
  try {
    for (const piece of pieces) copies.push(Buffer.from(piece));
  } catch (error) {
    expect(error).toBeInstanceOf(UnlikeExpected);
    return null;
  }
  return Buffer.concat(copies).toString();
}

function patched(scenario: Scenario, old: Buffer, events: readonly StoredEvent[]): string | null {
  const touched = touchedBy(events, scenario.plan);
  return touched && patch(old, scenario, touched);
}

it('after any history, from any moment on', () => {
  let patches = 0;
  fc.assert(
    fc.property(soundPlan, anyHistory, fc.nat({ max: 40 }), (plan, history, cut) => {
      const scenario = log(plan).load().startRun();
      let [old, seq] = [made(scenario), scenario.state.seq];
      history.forEach((step, i) => {
        perform(scenario, step, i);
        if (i % (cut + 1) === 0) [old, seq] = [made(scenario), scenario.state.seq];
      });
      const text = patched(
        scenario,
        old,
        scenario.events.filter((event) => event.seq > seq),
      );
      if (text === null) return;
      patches++;
      expect(text).toBe(made(scenario).toString());
    }),
    { numRuns: 1000 },
  );
  expect(patches).toBeGreaterThan(500);
});

describe('it is made from the beginning', () => {
  const scenario = begin('a, b → a');
  const old = made(scenario);
  const none = new Set<number>();

  it('when the plan was loaded again, or a status imported', () => {
    const [loaded] = scenario.events;
    expect(touchedBy([loaded!], scenario.plan)).toBeNull();
    expect(touchedBy([{ ...loaded!, type: 'status-imported' } as never], scenario.plan)).toBeNull();
  });

  it('when more tasks changed than are worth looking for', () => {
    const wide = begin(Array.from({ length: 20 }, (_, i) => `t${i}`).join(', '));
    const many = new Set(wide.plan.tasks.keys());
    expect(patch(made(wide), wide, many)).toBeNull();
    const chain = begin(`a, ${Array.from({ length: 20 }, (_, i) => `t${i} → a`).join(', ')}`);
    const before = made(chain);
    chain.fail('a');
    expect(patch(before, chain, none)).toBeNull();
    const blocked = made(chain);
    chain.retry('a');
    expect(patch(blocked, chain, none)).toBeNull();
  });

  it.each<[string, Buffer]>([
    [
      'has no tasks',
      Buffer.from(
        made(begin('a'))
          .toString()
          .replace(/\n {4}.*\n {2}\]/, ']'),
      ),
    ],
    ['is nothing of ours', Buffer.from('{}')],
    ['has the tasks of another plan', made(begin('x, y → x'))],
    ['has one of another plan that is blocked', made(begin('x, y → x').fail('x'))],
  ])('when what is there %s', (_, bytes) => {
    const touched = new Set([0]);
    expect(patch(bytes, scenario, touched)).toBeNull();
  });

  it('and not otherwise', () => {
    expect(patch(old, scenario, none)).toBe(old.toString());
  });
});

it('groups, and what Signalbox adds, have no line', () => {
  const scenario = begin(planOf('g { a, b }, c', { keys: { g: { check: ['true'] } }, finish: 'true' }));
  const old = made(scenario);
  scenario.schedule('b');
  const all = new Set(scenario.plan.tasks.keys());
  expect(patch(old, scenario, all)).toBe(made(scenario).toString());
});

it('in files of many blocks, with lines of any length', () => {
  const ids = Array.from({ length: 3000 }, (_, i) => `t${i}`);
  const scenario = begin(ids.join(', '));
  // A line that is longer than a block, and one behind it.
  const title = 'ü'.repeat(100_000);
  const tasks = scenario.plan.plan.tasks.map((task, i) => (i === 7 || i === 1999 ? { ...task, title } : task));
  Object.assign(scenario.plan, { plan: { ...scenario.plan.plan, tasks } });
  const old = made(scenario);
  scenario.schedule('t0').schedule('t7').schedule('t8').schedule('t1500').schedule('t1999').schedule('t2999');
  const touched = new Set([0, 7, 8, 1500, 1999, 2999]);
  expect(patch(old, scenario, touched)).toBe(made(scenario).toString());
  expect(patch(old, scenario, new Set([2999]))).not.toBe(made(scenario).toString());
});

it('lines come whole, however small the blocks are', () => {
  const text = fc.array(fc.constantFrom('', 'a', 'bc', 'ü'.repeat(9), 'x'.repeat(40)), { minLength: 1, maxLength: 12 });
  fc.assert(
    fc.property(text, fc.integer({ min: 1, max: 30 }), (lines, size) => {
      const bytes = Buffer.from(`head\n${lines.join('\n')}\ntail`);
      const [from, to] = [4, bytes.length - 5];
      const blocks: string[] = [];
      for (const block of linesIn(asFile(bytes), from, to, size)) blocks.push(block.toString('latin1'));
      expect(Buffer.from(blocks.join(''), 'latin1').toString()).toBe(`\n${lines.join('\n')}`);
      for (const block of blocks) expect(block.startsWith('\n')).toBe(true);
    }),
  );
});
