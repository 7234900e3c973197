import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { howMany } from '../../../test/how-many.ts';
import { schemaMistakes } from '../../../test/schema-mistakes.ts';
import { reviewAnswer } from './review-answer.ts';
import { reviewSchema } from './review-schema.ts';

const schema = reviewSchema();
const name = fc.constantFrom('a', 'b', 'c', '', 3);
const said = { message: fc.constantFrom('x', 'y', 'z', ' ', null), file: name, task: name };
const issue = fc.oneof(
  fc.record(said, { requiredKeys: ['message'] }),
  fc.record({ ...said, line: fc.constant(1) }, { requiredKeys: [] }),
);
const fields = {
  verdict: fc.constantFrom('approved', 'rejected', 'rejected', 'maybe', 1),
  severity: fc.constantFrom('low', 'medium', 'high', 'worst', null),
  issues: fc.oneof(fc.array(issue, { maxLength: 2 }), fc.constantFrom('none', ['x'])),
};
const nearlyGood = fc.record({
  verdict: fc.constant('rejected'),
  severity: fields.severity,
  issues: fc.array(fc.record(said), { minLength: 1, maxLength: 1 }),
});
const answer = fc.oneof(
  fc.record({ verdict: fields.verdict }),
  nearlyGood,
  fc.record(fields, { requiredKeys: ['verdict'] }),
  fc.record({ ...fields, note: fc.constant('x') }, { requiredKeys: [] }),
);

describe('schema/review.json', () => {
  it('is what the reader of answers says', () => {
    expect(JSON.parse(readFileSync('schema/review.json', 'utf8'))).toEqual(schema);
  });

  it('accepts exactly what is understood', () => {
    let understood = 0;
    fc.assert(
      fc.property(answer, (value) => {
        const isRead = reviewAnswer(JSON.stringify(value)).verdict !== 'unreadable';
        if (isRead) understood++;
        expect(schemaMistakes(schema, value).length === 0).toBe(isRead);
      }),
      { numRuns: howMany(1_000) },
    );
    expect(understood).toBeGreaterThan(10);
  });
});
