import fc from 'fast-check';
import { expect, test } from 'vitest';
import { planPath } from '../core/ids.ts';
import { IdIndex } from './id-index.ts';
import { readPlan } from './read-plan.ts';

test('answers like a map that keeps the first', () => {
  const ids = fc.array(fc.oneof(fc.string({ maxLength: 3 }), fc.stringMatching(/^t\d{1,3}$/)), { maxLength: 200 });
  fc.assert(
    fc.property(ids, ids, fc.boolean(), (added, asked, grows) => {
      agrees(grows ? 0 : added.length, added, asked);
    }),
  );
});

test('answers like a map also when ids were made to collide', () => {
  const colliding = collidingIds(9);
  agrees(colliding.length, [...colliding, ...colliding, 'a'], ['b', `${colliding[0]}x`]);
  agrees(0, [...Array.from({ length: 1000 }, (_, i) => `t${i}`), ...colliding, 't5'], ['b', 't1001']);
});

// Compared in pairs they would take minutes.
test('a plan of ids that were made to collide loads in time', { timeout: 120_000 }, () => {
  const ids = collidingIds(17).slice(0, 100_000);
  expect(new Set(ids).size).toBe(100_000);
  const text = ids.map((id, i) => `- [ ] ${id}: Do it → ${ids[i === 0 ? 1 : 0]}`).join('\n');
  const start = process.cpuUsage();
  const { diagnostics } = readPlan({ text, file: 'plan.md', path: planPath('plan.md') });
  expect(diagnostics.map(({ code }) => code)).toEqual(['cycle']);
  const { user, system } = process.cpuUsage(start);
  expect((user + system) / 1000).toBeLessThan(10_000);
});

function agrees(expected: number, added: readonly string[], asked: readonly string[]): void {
  const index = new IdIndex(expected);
  const map = new Map<string, number>();
  added.forEach((id, i) => {
    expect(index.add(id, i)).toBe(map.get(id));
    if (!map.has(id)) map.set(id, i);
  });
  expect(index.size).toBe(map.size);
  expect([...index.keys()]).toEqual([...map.keys()]);
  for (const id of [...added, ...asked]) {
    expect(index.get(id)).toBe(map.get(id));
    expect(index.has(id)).toBe(map.has(id));
    const found = index.findAt(`<${id}>`, 1, id.length + 1);
    if (found !== undefined) expect(found).toBe(map.get(id));
  }
}

/** 2 ** parts ids of one FNV-1a hash: in every part there are two words to choose from that lead to the same state. */
function collidingIds(parts: number): string[] {
  let ids = [''];
  let state = 0x811c9dc5;
  for (let part = 0; part < parts; part++) {
    const seen = new Map<number, string>();
    for (let n = 1; ; n++) {
      // Words that only count up have hashes too regular to meet.
      const word = (Math.imul(n, 0x9e3779b1) >>> 0).toString(36).padStart(7, '0');
      let hash = state;
      for (let i = 0; i < word.length; i++) hash = Math.imul(hash ^ word.charCodeAt(i), 0x01000193);
      const other = seen.get(hash);
      seen.set(hash, word);
      if (other === undefined) continue;
      ids = ids.flatMap((id) => [id + other, id + word]);
      state = hash;
      break;
    }
  }
  return ids;
}
