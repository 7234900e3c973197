// A plan of which single tasks are read: the same as the whole one, whatever is asked of it.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { soundPlan } from '../../test/plain-rules.ts';
import { planOf } from '../../test/scenario.ts';
import { withClosingTasks } from '../core/closing-tasks.ts';
import { type TaskId, taskId } from '../core/ids.ts';
import type { Plan } from '../core/plan.ts';
import { PlanNeeded } from '../core/plan-needed.ts';
import { KeptLines, packLines } from './kept-lines.ts';
import { openPlan, packPlan } from './kept-plan.ts';

const shifted = (bytes: Uint8Array) => {
  const moved = new Uint8Array(bytes.length + 1);
  moved.set(bytes, 1);
  return moved.subarray(1);
};
/** As it comes from a database. */
const kept = (plan: Plan) => {
  const packed = packPlan(plan);
  return { ...packed, part: (at: number) => shifted(packed.part(at)!), places: () => shifted(packed.places()!) };
};

describe('lines', () => {
  it.each([[[]], [['']], [['', '', '']], [['a', '', 'ü€😀', 'b']], [['x'.repeat(100_000), 'y']]])(
    'come back as they were',
    (lines: string[]) => {
      const found = new KeptLines(shifted(packLines(lines)));
      expect([found.length, found.all(), lines.map((_, i) => found.line(i))]).toEqual([lines.length, lines, lines]);
    },
  );

  it('with others in some places are those that were packed with them', () => {
    const line = fc.constantFrom('', 'a', 'ü€😀', 'some longer text');
    fc.assert(
      fc.property(fc.array(line, { maxLength: 12 }), fc.array(fc.option(line), { maxLength: 12 }), (lines, others) => {
        const changed = lines.flatMap((_, i) => (typeof others[i] === 'string' ? [[i, others[i]] as const] : []));
        const expected = lines.map((text, i) => others[i] ?? text);
        expect(Buffer.from(new KeptLines(shifted(packLines(lines))).with(changed))).toEqual(packLines(expected));
      }),
    );
  });

  it.each<[string, (bytes: Uint8Array) => Uint8Array]>([
    ['nothing', () => new Uint8Array(0)],
    ['too short a head', (bytes) => bytes.slice(0, 6)],
    ['an end that is missing', (bytes) => bytes.slice(0, -1)],
    ['an impossible number', () => new Uint8Array([255, 255, 255, 255])],
  ])('%s is noticed', (_, damage) => {
    expect(() => new KeptLines(damage(packLines(['one', 'two'])))).toThrow('another form');
  });
});

describe('a plan of which single tasks are read', () => {
  it('is the plan, with what closes it', () => {
    fc.assert(
      fc.property(soundPlan, (plan) => {
        const whole = withClosingTasks(plan);
        const { plan: late, index } = openPlan(kept(whole));
        expect(late).toEqual(whole);
        whole.tasks.forEach(({ id }, i) => {
          expect(index.get(id)).toBe(i);
        });
        expect([...index.keys()]).toEqual(whole.tasks.map(({ id }) => id));
        expect([index.has(taskId('nobody')), index.get(taskId(''))]).toEqual([false, undefined]);
      }),
      { numRuns: 100 },
    );
  });

  it('finds ids that are hard to tell apart, and no others', () => {
    const ids = ['a', 'a"', 'a\\', 'a","title":"', 'ü', '😀', 'b\nc', '__proto__', 'constructor', ...digits(2000)];
    const [task] = planOf('a').tasks;
    const plan = { ...planOf('a'), tasks: ids.map((id) => ({ ...task!, id: id as TaskId })) };
    const { index } = openPlan(kept(plan));
    expect(ids.map((id) => index.get(taskId(id)))).toEqual(ids.map((_, i) => i));
    expect([...index.keys()]).toEqual(ids);
    for (const other of ['A', 'a"x', '2000', 'toString']) expect(index.has(taskId(other))).toBe(false);
  });

  it('asks for all of it when a line cannot be read', () => {
    const packed = packPlan(planOf('a, b'));
    const lines = packed.part(0)!;
    lines[Buffer.from(lines).lastIndexOf('{')] = 0;
    const { plan, index } = openPlan(packed);
    expect(plan.tasks[0]!.id).toBe('a');
    expect(() => plan.tasks[1]).toThrow(PlanNeeded);
    expect(index.get(taskId('a'))).toBe(0);
  });

  it('asks only for the parts that are looked at, once, and for all of it when one is gone', () => {
    const [task] = planOf('a').tasks;
    const ids = digits(1000) as TaskId[];
    const packed = packPlan({ ...planOf('a'), tasks: ids.map((id) => ({ ...task!, id })) });
    const asked: number[] = [];
    const part = (at: number) => {
      asked.push(at);
      return at === 3 ? undefined : packed.part(at);
    };
    const { plan, index } = openPlan({ ...packed, part });
    expect([plan.tasks.length, asked]).toEqual([1000, []]);
    expect([plan.tasks[300]!.id, plan.tasks[301]!.id]).toEqual(['300', '301']);
    expect(asked).toEqual([1]);
    expect(index.get(taskId('302'))).toBe(302);
    expect(() => plan.tasks[999]).toThrow(PlanNeeded);
    // One line more than it should have.
    expect(() => openPlan({ ...packed, length: 999 }).plan.tasks[900]).toThrow(PlanNeeded);
  });

  it('has no use for a table of another form', () => {
    const packed = packPlan(planOf('a, b, c'));
    const withTable = (places: Uint8Array | undefined) => openPlan({ ...packed, places: () => places }).index;
    for (const table of [undefined, ...[0, 1, 4, 6, 10].map((size) => new Uint8Array(size))]) {
      expect(() => withTable(table).get(taskId('c'))).toThrow(PlanNeeded);
    }
    // All places taken, by others: it comes to an end all the same.
    expect(withTable(new Uint8Array(new Uint16Array(8).fill(1).buffer)).get(taskId('c'))).toBeUndefined();
  });
});

const digits = (n: number) => Array.from({ length: n }, (_, i) => String(i));
