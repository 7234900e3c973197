// The short way for plain lines against the general one: the same plan, or the same mistakes, for every text.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Report } from '../report.ts';
import { Outline } from './outline.ts';
import { readMarkdown } from './read-markdown.ts';

function read(text: string, way: 'short' | 'general') {
  const report = new Report('plan.md', text);
  const raw = readMarkdown(text, report, way === 'general' ? new Outline(report) : undefined);
  return { raw: JSON.parse(JSON.stringify(raw)), diagnostics: report.diagnostics() };
}

const indent = fc.constantFrom('', '', '', '  ', '  ', '  ', '    ', '      ', ' ', '\t', '\u00a0');
const space = fc.constantFrom(' ', ' ', ' ', ' ', '', '  ', '\t', '\u00a0', '\u3000');
const bullet = fc.constantFrom(
  '- [ ]',
  '- [ ]',
  '- [x]',
  '- [-]',
  '- [X]',
  '- [ ]*',
  '-  [ ]',
  '* [ ]',
  '- [y]',
  '-',
  '-',
);
const id = fc.constantFrom(
  ...[
    'a:',
    'b-2:',
    '3x:',
    '12:',
    '1.',
    '1.1',
    'T014',
    'AB-1',
    '**c**',
    '`d`',
    'word',
    'A',
    'a:b',
    'e_:',
    '',
    'T',
    '2-',
  ],
);
const words = fc.constantFrom(
  ...[
    'Build it',
    'run',
    '[P] x',
    'x (needs: b-2)',
    '- dash',
    '– dash',
    'a - b',
    'p->q',
    'x [SEQUENTIAL]',
    'é',
    '`→`',
    '_R_',
  ],
  ...['über: alles', 'note', '', 'a <!-- c --> b', '~> a', 'see [x](y)', 'x'.repeat(45), 'Verify', 'a_b'],
);
const tail = fc.constantFrom(
  ...[
    '',
    '',
    '',
    ' → a',
    ' → a, b-2',
    '→3x',
    ' → a,b-2 , 1.1',
    ' → a-',
    ' → - a',
    ' → a - b',
    ' →',
    ' → a → b',
    ' -> a',
  ],
  ...[
    ' → a (x)',
    ' ~> a',
    ' → a and b-2',
    ' → a.',
    ' → `a`',
    ' → a;b',
    ' ',
    '\t',
    '\u3000',
    ' → a\u00a0',
    ' → a ~> b-2',
  ],
);
const task = fc.tuple(bullet, space, id, space, words, tail).map((parts) => parts.join(''));
const key = fc
  .tuple(
    fc.constantFrom('-', '-', '*', '- ', ''),
    fc.constantFrom(
      'run',
      'files',
      'check',
      'needs',
      'title',
      'batch',
      'modle',
      'env',
      'retries',
      'prompt',
      'subtasks',
    ),
    fc.constantFrom(':', ':', ':', ' :', '::'),
    space,
    fc.constantFrom(
      '`true`',
      'a, b',
      '{a,b}, `c,d`',
      '` `',
      '``',
      '',
      '3',
      'A=1',
      '[ ] x',
      'x `y`',
      '`` ` ``',
      ', ,',
      '\u3000',
      'x ',
    ),
  )
  .map(([dash, ...parts]) => `${dash} ${parts.join('')}`);
const prose = fc.constantFrom(
  ...[
    'Plain words.',
    'acceptance criteria',
    'Acceptance criteria:',
    `Verify${' '.repeat(40)}`,
    'run: this',
    'a → b',
    '- item',
  ],
  ...[
    'a\tb',
    'see: x',
    '_Requirements: 1_',
    'Tasks a are [SEQUENTIAL]',
    'x > y',
    `${'y'.repeat(30)}: z`,
    'note: _Requirements: 1_',
  ],
  ...[
    '# Title',
    '## Phase 2',
    '### Task 1: x',
    '## Acceptance criteria',
    '---',
    '===',
    '```run',
    '```',
    '<!--',
    '-->',
    '| a | b |',
  ],
  ...['', '', '  ', '\t', '1. item', '* * *', 'v'.repeat(41)],
);
const line = fc.oneof({ weight: 4, arbitrary: task }, { weight: 3, arbitrary: key }, { weight: 3, arbitrary: prose });
const text = fc
  .array(
    fc.tuple(indent, line).map((parts) => parts.join('')),
    { maxLength: 16 },
  )
  .map((lines) => lines.join('\n'));

describe('plain lines', () => {
  test('say the same on the short way and on the general one', () => {
    fc.assert(
      fc.property(text, (source) => {
        expect(read(source, 'short')).toEqual(read(source, 'general'));
      }),
      { numRuns: 3000 },
    );
  });
});
