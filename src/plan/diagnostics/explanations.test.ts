import { globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { agentKinds } from '../../agents/kind.ts';
import { planPath } from '../../core/model/ids.ts';
import { importPlan } from '../import-plan.ts';
import { readPlan } from '../read-plan.ts';
import { readSettings } from '../read-settings.ts';
import type { Example } from './explanation.ts';
import { explanations } from './explanations.ts';

/** As the readers write them: in a mistake, or as the second argument of a short cut to one. */
const written = [/\bcode: (?:[^',\n]* \? )?'([a-z-]+)'(?: : '([a-z-]+)')?/g, /\.error\(\s*\w+,\s*'([a-z-]+)'/g];
const used = new Set<string>();
for (const file of globSync('src/plan/**/*.ts')) {
  if (file.endsWith('.test.ts')) continue;
  const text = readFileSync(file, 'utf8');
  for (const pattern of written) {
    for (const [, one, other] of text.matchAll(pattern)) for (const code of [one, other]) if (code) used.add(code);
  }
}

/** Examples that only show the beginning of what makes the mistake. */
const grown: Readonly<Record<string, string>> = {
  'long-line': `- [ ] a: ${'x'.repeat(1_000_001)}\n`,
  'file-too-large': '- [ ] a\n'.repeat(6_000_000),
  'long-text': `- [ ] a: Build\n${'  words\n'.repeat(200_001)}- [ ] b: Test\n`,
  'too-many-tasks': '- [ ] a\n'.repeat(250_001),
  more: '- [ ] Write the parser → nobody\n'.repeat(1100),
  'too-many-needs': [
    ...Array.from({ length: 2300 }, (_, i) => `- [ ] 1.${i + 1} Build ${i}`),
    ...Array.from({ length: 2300 }, (_, i) => `- [ ] 2.${i + 1} Test ${i} → 1.1-1.2300`),
  ].join('\n'),
};

function codesOf({ file, text }: Example): string[] {
  if (file === 'tasks.json') {
    const read = importPlan({ tool: 'taskmaster', files: [{ name: file, text }] });
    return read.ok ? [] : read.diagnostics.map(({ code }) => code);
  }
  const { diagnostics } =
    file === 'signalbox.yaml'
      ? readSettings({ text, file, kinds: agentKinds })
      : readPlan({ text, file, path: planPath(file) });
  return diagnostics.map(({ code }) => code);
}

it('sees the codes in the source', () => {
  expect(used.size).toBeGreaterThan(30);
  for (const code of ['cycle', 'unknown-id', 'misplaced-key', 'unknown-key']) expect(used).toContain(code);
});

it('explains every code that is used, and none that is not', () => {
  expect([...explanations.keys()].sort()).toEqual([...used].sort());
});

describe.each([...explanations])('%s', (code, { about, wrong, right }) => {
  it('has an example that makes it', () => {
    expect(codesOf({ ...wrong, text: grown[code] ?? wrong.text })).toContain(code);
  });

  it('has a mended example without a mistake', () => {
    expect(codesOf(right)).toEqual([]);
  });

  it('is a paragraph that says what to do', () => {
    expect(about).toMatch(/^[A-Z].{60,}\.$/);
  });
});
