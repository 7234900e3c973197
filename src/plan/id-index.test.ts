import fc from 'fast-check';
import { expect, test } from 'vitest';
import { IdIndex } from './id-index.ts';

test('answers like a map that keeps the first', () => {
  const ids = fc.array(fc.oneof(fc.string({ maxLength: 3 }), fc.stringMatching(/^t\d{1,3}$/)), { maxLength: 200 });
  fc.assert(
    fc.property(ids, ids, (added, asked) => {
      const index = new IdIndex(added.length);
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
      }
    }),
  );
});
