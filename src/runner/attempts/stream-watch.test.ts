// The process of a coding agent against its stream, on a clock that nobody waits for.
import { describe, expect, it } from 'vitest';
import type { StreamSeen } from '../../agents/stream/stream-reader.ts';
import { finishedGraceMs, firstEventMs } from '../../core/model/defaults.ts';
import type { LiveAttempt } from '../../core/state/state.ts';
import { StreamWatch } from './stream-watch.ts';

const live = (more: Partial<LiveAttempt> = {}): LiveAttempt =>
  ({ token: 1, parkedSince: 0, doom: null, ...more }) as LiveAttempt;

/** Looks as often as it wants to be called until the time has come; what it found, and when. */
function watched(stages: readonly (readonly [from: number, seen: StreamSeen | null])[], untilMs: number, parkedMs = 0) {
  let now = 0;
  const watch = new StreamWatch(() => stages.filter(([from]) => from <= now).at(-1)![1]);
  watch.begin(live(), 0);
  for (;;) {
    now = watch.nextLookAt();
    if (now > untilMs) return null;
    if (now <= parkedMs) watch.begin(live({ parkedSince: 1 }), now);
    const [found] = watch.due(now);
    if (found) return { ...found, at: now, next: watch.nextLookAt() };
  }
}

const nothing: StreamSeen = { events: 0, isOver: false };
const over = (events: number): StreamSeen => ({ events, isOver: true });
const going = (events: number): StreamSeen => ({ events, isOver: false });
const day = 24 * 3_600_000;

describe('an agent', () => {
  it('that never speaks is told once, when its time is up', () => {
    const found = watched([[0, nothing]], day);
    expect(found).toEqual({
      ...{ token: 1, doom: { kind: 'mute', limitMs: firstEventMs } },
      ...{ at: firstEventMs, next: Number.POSITIVE_INFINITY },
    });
  });

  it('that spoke in time may be silent for as long as it likes, as far as this is concerned', () => {
    expect(
      watched(
        [
          [0, nothing],
          [firstEventMs - 1, going(1)],
        ],
        day,
      ),
    ).toBeNull();
  });

  it('that cannot go on is told at the next look, though it goes on trying', () => {
    const stuck = (events: number): StreamSeen => ({ events, isOver: true, isStuck: true });
    const found = watched(
      [
        [0, going(1)],
        [100_000, stuck(9)],
        [101_000, stuck(19)],
      ],
      day,
    );
    expect(found?.doom).toEqual({ kind: 'finished' });
    expect(found!.at - 100_000).toBeLessThan(finishedGraceMs);
  });

  it('that said how it ended is told when it lives on, and not before', () => {
    const found = watched(
      [
        [0, going(1)],
        [100_000, over(9)],
      ],
      day,
    );
    expect(found?.doom).toEqual({ kind: 'finished' });
    expect(found!.at - 100_000).toBeGreaterThanOrEqual(finishedGraceMs);
    expect(found!.at - 100_000).toBeLessThanOrEqual(2 * finishedGraceMs);
  });

  it('that goes on after a result is left alone, and judged by its last one', () => {
    const found = watched(
      [
        [0, over(3)],
        [50_000, going(4)],
        [500_000, over(5)],
      ],
      day,
    );
    expect(found?.at).toBeGreaterThanOrEqual(500_000 + finishedGraceMs);
  });

  it('that waits for a lock is not silent', () => {
    expect(watched([[0, over(3)]], day, 600_000)?.at).toBeGreaterThanOrEqual(600_000 + finishedGraceMs);
  });

  it('whose stream nobody reads, or whose end is decided, is not looked at', () => {
    const watch = new StreamWatch(() => null);
    watch.begin(live(), 0);
    expect(watch.nextLookAt()).toBe(Number.POSITIVE_INFINITY);
    const doomed = new StreamWatch(() => nothing);
    doomed.begin(live({ doom: { kind: 'stop' } }), 0);
    expect(doomed.nextLookAt()).toBe(Number.POSITIVE_INFINITY);
  });

  it('that has ended is forgotten, and one whose end is being looked into is not told', () => {
    expect(
      watched(
        [
          [0, nothing],
          [1, null],
        ],
        2 * firstEventMs,
      ),
    ).toBeNull();
    const watch = new StreamWatch(() => nothing);
    watch.begin(live(), 0);
    watch.end(1);
    expect(watch.due(day)).toEqual([]);
  });
});
