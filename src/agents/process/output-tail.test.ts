import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ownNow } from '../../../test/own-time.ts';
import { until } from '../../../test/rigs/pool-rig.ts';
import { followOutput, tailLines } from './output-tail.ts';

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'signalbox-tail-'));
  file = join(folder, 'out');
});
afterEach(() => rmSync(folder, { recursive: true }));

describe('the last lines', () => {
  const limits = { lines: 2, maxBytes: 16 };

  it.each([
    ['', []],
    ['one', ['one']],
    ['one\n', ['one']],
    ['one\r\ntwo\nthree\n', ['two', 'three']],
    ['a\n\n', ['a', '']],
    [`${'x'.repeat(1000)}\nend\n`, [`…${'x'.repeat(11)}`, 'end']],
    ['ééééééééééé', ['…éééééééé']],
    [`x${'é'.repeat(20)}y`, ['…éééééééy']],
  ])('of %j', (text, lines) => {
    writeFileSync(file, text);
    expect(tailLines(file, limits)).toEqual(lines);
  });

  it('of no file, a folder, a link or a pipe are none, and nothing hangs', () => {
    expect(tailLines(file, limits)).toEqual([]);
    expect(tailLines(folder, limits)).toEqual([]);
    symlinkSync('/etc/passwd', file);
    expect(tailLines(file, limits)).toEqual([]);
    execFileSync('mkfifo', [join(folder, 'fifo')]);
    expect(tailLines(join(folder, 'fifo'), limits)).toEqual([]);
  });

  it('of a huge file with a line of a megabyte cost nothing', () => {
    writeFileSync(file, 'y'.repeat(1_000_000));
    truncateSync(file, 5_000_000_000); // sparse
    appendFileSync(file, 'last\n');
    const began = ownNow();
    expect(tailLines(file, { lines: 10, maxBytes: 4096 })[0]).toHaveLength(4096);
    expect(ownNow() - began).toBeLessThan(100);
  });
});

describe('following', () => {
  it('hands over what is there, what comes, and characters whole', async () => {
    const text = 'žluťoučký 日本語 🚂\n'.repeat(100);
    const bytes = Buffer.from(text);
    const { take, taken } = collector();
    const follow = followOutput(file, take, { pollMs: 10 });
    writeFileSync(file, '');
    for (let at = 0; at < bytes.length; at += 97) {
      appendFileSync(file, bytes.subarray(at, at + 97));
      if (at % 5 === 0) await until(() => Buffer.byteLength(taken()) >= at - 4);
    }
    await follow.finish();
    expect(taken()).toBe(text);
  });

  it('notices without the poll', async () => {
    writeFileSync(file, 'a');
    const { take, taken } = collector();
    const follow = followOutput(file, take, { pollMs: 100_000 });
    await until(() => taken() === 'a');
    appendFileSync(file, 'b');
    await until(() => taken() === 'ab');
    follow.stop();
    appendFileSync(file, 'c');
    await follow.finish();
    expect(taken()).toBe('ab');
  });

  it('begins where it is told, waits for whoever takes the chunks, and reads in bounded pieces', async () => {
    writeFileSync(file, 'x'.repeat(1_000_000));
    const sizes: number[] = [];
    let taking = 0;
    const follow = followOutput(
      file,
      async (chunk) => {
        expect(++taking).toBe(1);
        await new Promise(setImmediate);
        taking--;
        sizes.push(chunk.length);
      },
      { offset: 100_000 },
    );
    await follow.finish();
    expect(Math.max(...sizes)).toBe(64 * 1024);
    expect(sizes.reduce((a, b) => a + b)).toBe(900_000);
  });

  it('begins again when the file was emptied', async () => {
    writeFileSync(file, 'before');
    const { take, taken } = collector();
    const follow = followOutput(file, take, { pollMs: 10 });
    await until(() => taken() === 'before');
    writeFileSync(file, 'new');
    await until(() => taken() === 'beforenew');
    await follow.finish();
  });

  it('of a file that never comes finishes with nothing', async () => {
    const { take, taken } = collector();
    await followOutput(file, take).finish();
    expect(taken()).toBe('');
  });
});

function collector(): { take: (chunk: string) => void; taken: () => string } {
  let text = '';
  const take = (chunk: string): void => {
    text += chunk;
  };
  return { take, taken: () => text };
}
