// Values that go on over several lines: a mistake in one of them is shown in its own line.
import { expect, test } from 'vitest';
import { planPath } from '../../../core/model/ids.ts';
import { readPlan } from '../../read-plan.ts';

const read = (text: string) => readPlan({ text, file: 'plan.md', path: planPath('plan.md') });
const places = (text: string) => read(text).diagnostics.map((d) => `${d.line}:${d.column} ${d.code}`);

test.each<[string, string, string[]]>([
  ['a need in the second line', '  - needs: b,\n    gone', ['3:5 unknown-id']],
  ['a need in the third line', '  - needs: b,\n    b, gone,\n    lost', ['3:8 unknown-id', '4:5 unknown-id']],
  ['a need below its key', '  - needs:\n      b, gone', ['3:10 unknown-id']],
  ['a need in the second line of an item', '  - needs:\n    - b,\n      gone', ['4:7 unknown-id']],
  ['a preference', '  - prefers: b,\n    gone', ['3:5 unknown-id']],
  ['a word below its key', '  - timeout:\n      soon', ['3:7 bad-value']],
  ['a variable in braces', '  - env: {A: 1,\n          1B: 2}', ['3:11 bad-value']],
  ['a quote in braces', '  - env: {A: 1,\n      B: "2}', ['3:10 bad-yaml']],
  ['a need in a block', '  - needs:\n    ```\n    b gone\n\n      lost\n    ```', ['4:7 unknown-id', '6:7 unknown-id']],
  ['a block with nothing in it', '  - needs:\n    ```\n    ```', ['2:11 bad-value']],
  ['braces in a block', '  - env:\n    ```\n    {A: 1,\n      1B: 2}\n    ```', ['5:7 bad-value']],
])('%s', (_, keys, expected) => {
  expect(places(`- [ ] a: x\n${keys}\n- [ ] b: y\n`)).toEqual(expected);
});

test('means what one line with the same words means', () => {
  const split = read(
    '- [ ] 1.1 a\n- [ ] 1.2 b\n- [ ] 1.3 c\n- [ ] d: x\n  - needs: 1.1 -\n    1.3\n  - env: {A: 1,\n      B: x\n      y}\n  - run:\n    make\n    all\n',
  );
  expect(split.diagnostics).toEqual([]);
  const { needs, keys } = split.plan!.tasks[3]!;
  expect(needs).toEqual(['1.1', '1.2', '1.3']);
  expect(keys).toMatchObject({ env: { A: '1', B: 'x y' }, run: 'make all' });
});

test('a block gives one value in each line', () => {
  const { plan } = read(
    '- [ ] a: x\n  - files:\n    ```\n    src/a\n    src/{b,c}\n    ```\n  - env:\n    ```\n    A=1\n    B=2\n    ```\n',
  );
  expect(plan!.tasks[0]!.keys).toMatchObject({ files: ['src/a', 'src/{b,c}'], env: { A: '1', B: '2' } });
});
