import { describe, expect, it } from 'vitest';
import { CliRig } from '../../../test/rigs/cli-rig.ts';
import { explainableCodes } from '../../api/look/explain-code.ts';

const said = async (...argv: string[]) => {
  const rig = new CliRig();
  const code = await rig.run('explain', ...argv);
  return { rig, code, out: rig.out, err: rig.err };
};

it('tells the meaning, the mistake and the mended text, without opening a workspace', async () => {
  const { rig, code, out } = await said('self-need');
  expect(code).toBe(0);
  expect(rig.opened).toHaveLength(0);
  expect(out).toBe(`self-need

A task needs itself, so it could never start. Usually another id was meant.

✖ The mistake (plan.md)

    - [ ] a: Build
    - [ ] b: Test → b

✔ Fixed (plan.md)

    - [ ] a: Build
    - [ ] b: Test → a
`);
});

it.each(['error[unknown-id]', 'warning[unknown-id]:', 'UNKNOWN-ID'])('takes %s as it is printed', async (typed) => {
  expect((await said(typed)).out).toMatch(/^unknown-id\n/);
});

it.each([0, 1, 2, 3, 4, 5, 6, 7, 8, 70, 130, 143])('knows exit code %i', async (exit) => {
  const { code, out } = await said(String(exit));
  expect(code).toBe(0);
  expect(out).toMatch(new RegExp(`^exit code ${exit}: .+\n\n[^]{60,}\n  signalbox `));
});

it.each([
  ['unknown-idd', 'did you mean unknown-id?'],
  ['cylce', 'did you mean cycle?'],
  ['99', 'exit codes are 0, 1, 2'],
  ['zzzzzzzz', 'exit codes are 0, 1, 2'],
])('answers %s with the nearest, exit 2', async (typed, instead) => {
  const { code, out, err } = await said(typed);
  expect([code, out]).toEqual([2, '']);
  expect(err).toContain(instead);
});

describe.each(explainableCodes())('explain %s', (code) => {
  it('fits a terminal, acts on none, and is one object for programs', async () => {
    const rig = new CliRig({}, { columns: 60 });
    expect(await rig.run('explain', code)).toBe(0);
    expect(rig.out).not.toMatch(/[\x00-\x09\x0b-\x1f]/);
    for (const line of rig.out.split('\n').filter((text) => !text.startsWith('  ')))
      expect(line.length).toBeLessThanOrEqual(60);
    expect((await said(code, '--json')).rig.json()).toMatchObject([{ about: expect.any(String) }]);
  });
});
