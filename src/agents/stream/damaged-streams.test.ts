// Streams that were cut, spoiled or blown up: the readers say the same whatever the pieces, and `done` only for a whole result.
import { readdirSync, readFileSync } from 'node:fs';
import { StringDecoder } from 'node:string_decoder';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { howMany } from '../../../test/how-many.ts';
import { builtIn, kindOf } from '../kind.ts';
import { StreamReader, type StreamReport } from './stream-reader.ts';

const folder = 'test/fixtures/streams';

interface Recording {
  readonly kind: string;
  readonly name: string;
  readonly bytes: Buffer;
}

const recordings: readonly Recording[] = builtIn.flatMap((kind) =>
  readdirSync(`${folder}/${kind}`).map((name) => ({ kind, name, bytes: shortened(`${folder}/${kind}/${name}`) })),
);

/** Without what nobody reads, which would only be parsed a hundred thousand times. */
function shortened(file: string): Buffer {
  const lines = readFileSync(file, 'utf8').split('\n');
  return Buffer.from(lines.map((line) => (file.includes('/claude/') && line !== '' ? lean(line) : line)).join('\n'));
}

function lean(line: string): string {
  const { type, subtype, session_id, ...all } = JSON.parse(line) as Record<string, unknown>;
  if (subtype === 'init') return JSON.stringify({ type, subtype, session_id });
  const { usage: _, subagent_stats: __, uuid: ___, modelUsage: ____, ...rest } = all;
  return JSON.stringify({ ...rest, session_id, subtype, type });
}

function reportOf(kind: string, pieces: readonly Buffer[]): StreamReport {
  const reader = new StreamReader(kindOf({ kind })!.events!);
  const decoder = new StringDecoder('utf8');
  for (const piece of pieces) reader.feed(decoder.write(piece));
  reader.feed(decoder.end());
  return reader.end();
}

describe('streams that are cut', () => {
  it.each(builtIn)('of %s in two pieces at every byte say the same', (kind) => {
    for (const { bytes, name } of recordings.filter((one) => one.kind === kind)) {
      const whole = JSON.stringify(reportOf(kind, [bytes]));
      for (let at = 0; at <= bytes.length; at++) {
        const inTwo = JSON.stringify(reportOf(kind, [bytes.subarray(0, at), bytes.subarray(at)]));
        if (inTwo !== whole) expect(inTwo, `${name} at ${at}`).toBe(whole);
      }
    }
  });

  it.each(builtIn)('of %s that end at any byte are only done with a whole result', (kind) => {
    for (const { bytes, name } of recordings.filter((one) => one.kind === kind)) {
      const whole = reportOf(kind, [bytes]);
      // The recordings have one result, in their last line.
      const resultEnds = Buffer.from(bytes.toString().trimEnd()).length;
      for (let end = 0; end < bytes.length; end++) {
        const { result } = reportOf(kind, [bytes.subarray(0, end)]);
        if (end < resultEnds ? result !== null : result?.class !== whole.result?.class) {
          expect(result, `${name} that ends at ${end}`).toEqual(end < resultEnds ? null : whole.result);
        }
      }
    }
  });
});

describe('streams that are spoiled', () => {
  const anyRecording = fc.constantFrom(...recordings.filter(({ bytes }) => bytes.length > 0));
  const anyDamage = fc.array(
    fc.record({
      how: fc.constantFrom('flip', 'insert', 'delete', 'swap', 'repeat'),
      at: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
      with: fc.uint8Array({ minLength: 1, maxLength: 12 }),
    }),
    { minLength: 1, maxLength: 8 },
  );

  it('never throw, and say nothing that is too large to record', () => {
    fc.assert(
      fc.property(anyRecording, anyDamage, ({ kind, bytes }, damage) => {
        const report = reportOf(kind, [damage.reduce(damaged, bytes)]);
        expect(JSON.stringify(report).length).toBeLessThan(4 * bytes.length + 10_000);
        expect(JSON.parse(JSON.stringify(report))).toEqual(report);
      }),
      { numRuns: howMany(3_000) },
    );
  });

  it.each(builtIn)('with values of other kinds never throw for %s', (kind) => {
    const lines = recordings
      .filter((one) => one.kind === kind)
      .flatMap(({ bytes }) => bytes.toString().split('\n'))
      .filter((line) => line !== '');
    fc.assert(
      fc.property(fc.constantFrom(...lines), fc.nat(), fc.jsonValue(), (line, at, value) => {
        reportOf(kind, [Buffer.from(JSON.stringify(withOther(JSON.parse(line), at, value)))]);
      }),
      { numRuns: howMany(1_000) },
    );
  });

  it('survive what is nested more deeply than can be written', () => {
    const deep = `${'['.repeat(200_000)}${']'.repeat(200_000)}`;
    const line = `{"type":"assistant","message":{"content":[{"type":"tool_use","id":"1","name":"Bash","input":{"a":${deep}}}]}}\n`;
    expect(reportOf('claude', [Buffer.from(line + line)])).toMatchObject({ calls: 2, longest: null });
  });

  it('say no names that are too long', () => {
    const long = 'x'.repeat(1_000_000);
    const text = [
      { type: 'system', subtype: 'init', session_id: long },
      { type: 'system', subtype: 'permission_denied', tool_name: long },
      {
        type: 'assistant',
        message: { content: [{ type: 'tool_use', id: long, name: 'Write', input: { file_path: long } }] },
      },
      { type: 'result', session_id: 's', is_error: false, result: long, modelUsage: { [long]: {} } },
    ].map((line) => JSON.stringify(line));
    expect(JSON.stringify(reportOf('claude', [Buffer.from(text.join('\n'))])).length).toBeLessThan(210_000);
  });
});

type Damage = { readonly how: string; readonly at: number; readonly with: Uint8Array };

function damaged(bytes: Buffer, { how, at, with: other }: Damage): Buffer {
  const place = Math.floor(at * bytes.length);
  const [before, after] = [bytes.subarray(0, place), bytes.subarray(place)];
  if (how === 'flip') return Buffer.concat([before, Buffer.from([(after[0] ?? 0) ^ other[0]!]), after.subarray(1)]);
  if (how === 'insert') return Buffer.concat([before, other, after]);
  if (how === 'delete') return Buffer.concat([before, after.subarray(other.length)]);
  const lines = bytes.toString('latin1').split('\n');
  const line = Math.floor(at * lines.length);
  const [taken] = how === 'swap' ? lines.splice(line, 1) : [lines[line]];
  lines.splice(other[0]! % (lines.length + 1), 0, taken!);
  return Buffer.from(lines.join('\n'), 'latin1');
}

/** The same with another value in one place. */
function withOther(value: unknown, at: number, other: unknown): unknown {
  let left = at % countIn(value);
  const visit = (here: unknown): unknown => {
    if (left-- === 0) return other;
    if (Array.isArray(here)) return here.map(visit);
    if (typeof here !== 'object' || here === null) return here;
    return Object.fromEntries(Object.entries(here).map(([key, inner]) => [key, visit(inner)]));
  };
  return visit(value);
}

const countIn = (value: unknown): number =>
  typeof value === 'object' && value !== null
    ? Object.values(value).reduce((sum: number, inner) => sum + countIn(inner), 1)
    : 1;

describe('lines that cannot be read', () => {
  const unreadIn = (...lines: string[]) => reportOf('claude', [Buffer.from(lines.join('\n'))]).unread;
  const result = '{"type":"result","session_id":"s","is_error":false,"result":"All done."}';

  it.each<[string, string[], StreamReport['unread']]>([
    ['none', [result, ''], null],
    ['an empty one is none', ['', '  ', result], null],
    [
      'banners',
      ['Loaded \u001b[31mcached credentials.', 'YOLO', result],
      { lines: 2, preview: 'Loaded cached credentials.' },
    ],
    ['half an object in the middle', ['{"type":', result], { lines: 1, preview: '{"type":' }],
    ['half a line at the end is what a kill leaves', [result, '{"type":'], null],
    ['a long one', ['x'.repeat(5_000), result], { lines: 1, preview: 'x'.repeat(200) }],
  ])('%s', (_, lines, unread) => {
    expect(unreadIn(...lines)).toEqual(unread);
  });
});

describe('a stream of 70 MB with a line of 60 MB', () => {
  it('is read in bounded memory, and what follows counts', () => {
    setFlagsFromString('--expose-gc');
    const gc = runInNewContext('gc') as () => void;
    const call = Buffer.from(
      '{"type":"assistant","message":{"content":[{"type":"tool_use","id":"1","name":"Read","input":{"a":"ä"}}]}}\n',
    );
    const many = Buffer.concat(Array.from({ length: 10_000 }, () => call));
    const piece = Buffer.alloc(64 * 1024, 'x');
    const decoder = new StringDecoder('utf8');
    const reader = new StreamReader(kindOf({ kind: 'claude' })!.events!);
    gc();
    const before = process.memoryUsage().heapUsed;
    let most = 0;
    const look = () => {
      gc();
      most = Math.max(most, process.memoryUsage().heapUsed - before);
    };
    const feed = (bytes: Buffer) => {
      for (let at = 0; at < bytes.length; at += piece.length) {
        reader.feed(decoder.write(bytes.subarray(at, at + piece.length)));
      }
    };
    const times = Math.floor((5 * 1024 * 1024) / many.length);
    for (let i = 0; i < times; i++) feed(many);
    feed(Buffer.from('{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"1","content":"'));
    for (let i = 0; i < 60 * 16; i++) {
      feed(piece);
      if (i % 120 === 0) look();
    }
    feed(Buffer.from('"}]}}\n'));
    look();
    for (let i = 0; i < times; i++) feed(many);
    look();
    feed(Buffer.from('{"type":"result","session_id":"s","is_error":false,"result":"All done."}\n'));
    expect(reader.end()).toMatchObject({
      tooLong: 1,
      unread: { lines: 1, preview: expect.stringMatching(/^\{"type":"user".{180,188}$/) },
      calls: 2 * times * 10_000,
      result: { class: 'done', text: 'All done.' },
    });
    expect(most).toBeLessThan(24 * 1024 * 1024);
  });
});
