// Inserted sections: what they look like in each kind of text, and that exactly they are cut out again.
import { describe, expect, it } from 'vitest';
import { cutSection, hasRemains, sectionFor } from './section.ts';

const lines = ['# begin', 'rule'];

describe('a section', () => {
  it.each([
    ['an empty text', '', '# begin\nrule\n'],
    ['a text', 'a\nb\n', '\n# begin\nrule\n'],
    ['a text without its last line end', 'a', '\n\n# begin\nrule\n'],
    ['a text that ends with an empty line', 'a\n\n', '# begin\nrule\n'],
    ['an empty line', '\n', '# begin\nrule\n'],
    ['a text of Windows', 'a\r\nb\r\n', '\r\n# begin\r\nrule\r\n'],
    ['a text of Windows without its last line end', 'a\r\nb', '\r\n\r\n# begin\r\nrule\r\n'],
    ['a text of Windows that ends with an empty line', 'a\r\n\r\n', '# begin\r\nrule\r\n'],
    ['a text whose first line is of Unix', 'a\nb\r\n', '\n# begin\nrule\n'],
    ['a text with a byte order mark', '\ufeffa\n', '\n# begin\nrule\n'],
  ])('fits to %s, and is cut out of it', (_, before, inserted) => {
    expect(sectionFor(before, lines)).toBe(inserted);
    expect(cutSection(before + inserted, inserted)).toBe(before);
  });

  it.each([
    ['text before and behind it', 'new\na\n\n# begin\nrule\nend\n', 'new\na\nend\n'],
    ['no empty line before it any more', 'a\n# begin\nrule\n', 'a\n'],
    ['no line end behind it any more', 'a\n\n# begin\nrule', 'a\n\n'],
    ['it moved to the beginning', '# begin\nrule\na\n', 'a\n'],
    ['a copy of it', 'a\n\n# begin\nrule\n\n# begin\nrule\n', 'a\n\n# begin\nrule\n'],
    [
      'a line that ends like it',
      'see # begin\nrule\n\n# begin\nrule\nx # begin\nrule\n',
      'see # begin\nrule\nx # begin\nrule\n',
    ],
  ])('is cut out where there is %s', (_, text, rest) => {
    expect(cutSection(text, '\n# begin\nrule\n')).toBe(rest);
  });

  it.each([
    ['one of its lines was changed', 'a\n\n# begin\nother\n', true],
    ['its line ends were changed', 'a\r\n\r\n# begin\r\nrule\r\n', true],
    ['a line only ends like it', 'a # begin\nrule\n', false],
    ['it is gone', 'a\n', false],
    ['everything is gone', '', false],
  ])('stays where %s', (_, text, remains) => {
    expect(cutSection(text, '\n# begin\nrule\n')).toBeNull();
    expect(hasRemains(text, '\n# begin\nrule\n')).toBe(remains);
  });
});
