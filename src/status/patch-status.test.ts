// A `status.json` that is changed in a few lines is the one that would have been made from the beginning.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyHistory, perform } from '../../test/histories.ts';
import { soundPlan } from '../../test/plain-rules.ts';
import { begin, log, planOf, type Scenario } from '../../test/scenario.ts';
import type { StoredEvent } from '../core/event.ts';
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

function patched(scenario: Scenario, old: Buffer, events: readonly StoredEvent[]): string | null {
  const touched = touchedBy(events, scenario.plan);
  const pieces = touched && patchStatus(old, scenario.plan, touched, world(scenario));
  return pieces && Buffer.concat(pieces).toString();
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
  const tell = (bytes: Buffer) => patchStatus(bytes, scenario.plan, none, world(scenario));

  it('when the plan was loaded again, or a status imported', () => {
    const [loaded] = scenario.events;
    expect(touchedBy([loaded!], scenario.plan)).toBeNull();
    expect(touchedBy([{ ...loaded!, type: 'status-imported' } as never], scenario.plan)).toBeNull();
  });

  it('when more tasks changed than are worth looking for', () => {
    const wide = begin(Array.from({ length: 20 }, (_, i) => `t${i}`).join(', '));
    const many = new Set(wide.plan.tasks.keys());
    expect(patchStatus(made(wide), wide.plan, many, world(wide))).toBeNull();
    const chain = begin(`a, ${Array.from({ length: 20 }, (_, i) => `t${i} → a`).join(', ')}`);
    const before = made(chain);
    chain.fail('a');
    expect(patchStatus(before, chain.plan, none, world(chain))).toBeNull();
    const blocked = made(chain);
    chain.retry('a');
    expect(patchStatus(blocked, chain.plan, none, world(chain))).toBeNull();
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
    expect(patchStatus(bytes, scenario.plan, touched, world(scenario))).toBeNull();
  });

  it('and not otherwise', () => {
    expect(Buffer.concat(tell(old)!).toString()).toBe(old.toString());
  });
});

it('groups, and what Signalbox adds, have no line', () => {
  const scenario = begin(planOf('g { a, b }, c', { keys: { g: { check: ['true'] } }, finish: 'true' }));
  const old = made(scenario);
  scenario.schedule('b');
  const all = new Set(scenario.plan.tasks.keys());
  const pieces = patchStatus(old, scenario.plan, all, world(scenario))!;
  expect(Buffer.concat(pieces).toString()).toBe(made(scenario).toString());
});
