import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { howMany } from '../../test/how-many.ts';
import { PlainTextStream, plainLine, plainText } from './sanitize-terminal.ts';

const [ESC, BEL, ST] = ['\x1b', '\x07', '\x1b\\'];

/** Sequences that must leave nothing at all behind. */
const vanishing: readonly string[] = [
  // CSI: colours, cursor, erasing, scrolling, modes, reports, mouse, window operations
  ...['m', '0m', '31m', '1;31;42m', '38;5;196m', '38;2;1;2;3m', '4:3m', '58:2::1:2:3m'].map((s) => `${ESC}[${s}`),
  ...['A', '2B', '3C', '4D', '5E', '6F', '7G', '1;1H', '1;1f', 'd', '9`', 'a', 'e'].map((s) => `${ESC}[${s}`),
  ...['J', '1J', '2J', '3J', 'K', '1K', '2K', '?J', '?K', 'X', 'P', '@', 'L', 'M'].map((s) => `${ESC}[${s}`),
  ...['S', 'T', '1;5r', 's', 'u', 'I', 'Z', 'b', '0g', '3g', '4h', '20h', '4l'].map((s) => `${ESC}[${s}`),
  ...['?25l', '?25h', '?47h', '?1049h', '?1049l', '?2004h', '?1000h', '?1006h', '?7l', '?2026h'].map(
    (s) => `${ESC}[${s}`,
  ),
  ...['c', '>c', '=c', '5n', '6n', '?6n', '>q', '14t', '18t', '21t', '20t', '8;50;200t', '3;0;0t'].map(
    (s) => `${ESC}[${s}`,
  ),
  ...['!p', '61"p', '0"q', '2 q', '>4;2m', '?u', '=1u', '>1u', '$p', '1$w', "1'z", '0i', '4i', '5i'].map(
    (s) => `${ESC}[${s}`,
  ),
  `${ESC}[${'1;'.repeat(5000)}m`,
  // CSI as C1
  ...['31m', '2J', '?1049h', '6n', '1;1H'].map((s) => `\u009b${s}`),
  // OSC: title, icon, palette, folder, link, clipboard, notifications, prompts; ended in each way, also unfinished before one
  ...['0;title', '1;icon', '2;title', '4;1;rgb:00/00/00', '7;file:///etc', '9;done', '9;4;1;50'].map(
    (s) => `${ESC}]${s}${BEL}`,
  ),
  ...['10;?', '11;?', '12;red', '52;c;cm0gLXJmIC8=', '52;p;?', '52;;!', '104', '110', '112'].map(
    (s) => `${ESC}]${s}${ST}`,
  ),
  ...['133;A', '133;C', '633;E;rm', '777;notify;a;b', '1337;File=inline=1:AAAA', '1337;SetMark'].map(
    (s) => `${ESC}]${s}\u009c`,
  ),
  ...['52;c;AAAA', '0;x'].flatMap((s) => [`\u009d${s}${BEL}`, `\u009d${s}${ST}`, `\u009d${s}\u009c`]),
  `${ESC}]8;;http://evil.example${ST}`,
  `${ESC}]8;id=1;file:///etc/passwd${BEL}`,
  `${ESC}]8;;${BEL}`,
  `${ESC}]52;c;${'A'.repeat(100_000)}${BEL}`,
  `${ESC}]0;žluť 日本${BEL}`,
  `${ESC}]0;a${ESC}[31m`,
  // DCS, SOS, PM, APC in both forms
  ...['$q"p', '+q544e', '1$r0m', 'q#0;2;0;0;0~-', 'tmux;x', '=1s'].map((s) => `${ESC}P${s}${ST}`),
  ...['hello', '!', 'Ga=T,f=100;AAAA'].flatMap((s) => [`${ESC}X${s}${ST}`, `${ESC}^${s}${ST}`, `${ESC}_${s}${ST}`]),
  ...['\u0090', '\u0098', '\u009e', '\u009f'].map((start) => `${start}payload\u009c`),
  // two-character and intermediate forms
  ...[
    'c',
    '7',
    '8',
    'D',
    'E',
    'H',
    'M',
    'N',
    'O',
    'Z',
    '=',
    '>',
    '6',
    '9',
    'n',
    'o',
    '|',
    '}',
    '~',
    'V',
    'W',
    '\\',
  ].map((s) => ESC + s),
  ...['(0', '(B', ')0', '*A', '+B', '-A', '.A', '/A', '#8', '#3', '%G', '%@', ' F', ' G', '$(C', '(%6'].map(
    (s) => ESC + s,
  ),
  // single controls
  ...['\0', '\x01', '\x02', '\x05', '\x06', '\b', '\v', '\f', '\x0e', '\x0f', '\x10', '\x11', '\x13', '\x14', '\x16'],
  ...[
    '\x18',
    '\x1a',
    '\x1c',
    '\x1f',
    '\x7f',
    BEL,
    '\u0080',
    '\u0084',
    '\u0088',
    '\u008d',
    '\u008e',
    '\u0096',
    '\u009a',
    '\u009c',
  ],
  // an escape that another one interrupts or that is called off
  `${ESC}${ESC}[31m`,
  `${ESC}[3${ESC}[31m`,
  `${ESC}[12\x18`,
  `${ESC}]0;x\x18`,
  `${ESC}[3\b1m`,
  // reading order and invisible letters
  ...[
    '\u202a',
    '\u202b',
    '\u202c',
    '\u202d',
    '\u202e',
    '\u2066',
    '\u2067',
    '\u2068',
    '\u2069',
    '\u200e',
    '\u200f',
    '\u061c',
  ],
  '\u{e0041}\u{e007f}',
  '\ufff9\ufffa\ufffb',
];

const harmless = /^[\n\t\x20-\x7e\u00a0-\uffff]*$/;
const pieces = (text: string, size: number): string[] => text.match(new RegExp(`[\\s\\S]{1,${size}}`, 'g')) ?? [];
const inPieces = (text: string, size: number): string => {
  const stream = new PlainTextStream();
  return (
    pieces(text, size)
      .map((piece) => stream.push(piece))
      .join('') + stream.end()
  );
};

describe('escape sequences', () => {
  it(`${vanishing.length} of them leave nothing, whole and split anywhere`, () => {
    expect(vanishing.length).toBeGreaterThan(150);
    for (const sequence of vanishing) {
      const text = `<${sequence}>`;
      expect([sequence.slice(0, 40), plainText(text)]).toEqual([sequence.slice(0, 40), '<>']);
      if (sequence.length > 1000) continue;
      for (const size of [1, 2, 3, 5]) expect(inPieces(text, size)).toBe('<>');
    }
  });

  it('cannot hide the lines after them, however they are left open', () => {
    for (const open of [`${ESC}]0;`, `${ESC}P`, `${ESC}[`, `${ESC}_`, '\u009d', '\u0090', ESC, `${ESC}(`]) {
      expect(plainText(`${open}\nseen`)).toBe('\nseen');
      expect(plainText(`${open}\rseen`)).toBe('\nseen');
    }
  });

  it('raw C1 bytes are no UTF-8 and become a replacement sign', () => {
    expect(plainText(Buffer.from([0x61, 0x9b, 0x33, 0x31, 0x6d, 0x62]).toString('utf8'))).toBe('a\ufffd31mb');
    expect(plainText(Buffer.from([0x61, 0x9b, 0x33, 0x31, 0x6d, 0x62]).toString('latin1'))).toBe('ab');
  });

  it('whatever the text, nothing but printable characters, newlines and tabs comes out, the same in any pieces', () => {
    const nasty = fc.string({
      unit: fc.oneof(
        fc.constantFrom(ESC, '[', ']', 'P', '\\', BEL, '\r', '\n', '\u009b', '\u009d', ';', '\udb40', '\udc41'),
        fc.string({ unit: 'binary', maxLength: 1 }),
      ),
      maxLength: 60,
    });
    fc.assert(
      fc.property(nasty, fc.integer({ min: 1, max: 7 }), (text, size) => {
        const clean = plainText(text);
        expect(clean).toMatch(harmless);
        expect(clean).not.toMatch(/[\u202a-\u202e\u2066-\u2069]/);
        expect(inPieces(text, size)).toBe(clean);
        expect(plainText(clean)).toBe(clean);
      }),
      { numRuns: howMany(2000) },
    );
  });
});

describe('text', () => {
  it('stays what it is', () => {
    for (const text of [
      'plain',
      'two\nlines\n',
      'a\tb',
      'žluťoučký',
      '日本語',
      '👩‍💻 🚂',
      'שלום',
      'مرحبا',
      '',
      'é\u0301',
    ]) {
      expect(plainText(text)).toBe(text);
      expect(inPieces(text, 1)).toBe(text);
    }
  });

  it('cannot overprint itself: a carriage return is a line end', () => {
    expect(plainText('a\r\nb\r\n')).toBe('a\nb\n');
    expect(plainText('rm -rf /\rls       \n')).toBe('rm -rf /\nls       \n');
    expect(plainText('10%\r20%\r')).toBe('10%\n20%\n');
    expect(plainText('a\r\r\nb')).toBe('a\nb');
    expect(plainText('a\u0085b\u2028c')).toBe('a\nb\nc');
    expect(inPieces('a\r\nb\r', 1)).toBe('a\nb\n');
  });

  it('for one line has no line ends', () => {
    expect(plainLine(` a\r\n\tb${ESC}]0;x${BEL}\n`)).toBe('a b');
  });

  it('is read in linear time', () => {
    // By its own work, and not by the clock of a busy machine.
    const began = process.cpuUsage();
    plainText(`${ESC}[`.repeat(500_000));
    plainText(`${ESC}]0;${'1;'.repeat(500_000)}`);
    expect(process.cpuUsage(began).user / 1000).toBeLessThan(2000);
  });
});
