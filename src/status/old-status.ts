// The `status.json` that is there, read in blocks that hold whole lines: it may have megabytes, and room for all of it takes longer to get
// than the file takes to read.
import { closeSync, fstatSync, readSync } from 'node:fs';
import { openRegular } from './regular-file.ts';

export interface OldStatus {
  readonly size: number;
  /** Fills all of it, from this place of the file on. */
  read(block: Buffer, at: number): void;
}

/** To be closed. */
export interface OpenedStatus extends OldStatus {
  close(): void;
}

/** It is not what was expected: the next one is made from the beginning. */
export class UnlikeExpected extends Error {}

export function openStatus(file: string): OpenedStatus {
  const descriptor = openRegular(file);
  return {
    size: fstatSync(descriptor).size,
    read: (block, at) => {
      for (let done = 0; done < block.length; ) {
        const more = readSync(descriptor, block, done, block.length - done, at + done);
        if (more === 0) throw new UnlikeExpected('it has become shorter');
        done += more;
      }
    },
    close: () => closeSync(descriptor),
  };
}

export function readPart(old: OldStatus, from: number, to: number): Buffer {
  const block = Buffer.allocUnsafe(Math.max(0, Math.min(to, old.size) - from));
  old.read(block, from);
  return block;
}

const blockSize = 64 * 1024;
const lineEnd = 10;

/**
 * What is between two places, in blocks. Each begins with the end of the line before it, and ends before the end of its last line. A
 * block is good until the next one is asked for.
 * @param from where a line ends.
 */
export function* linesIn(old: OldStatus, from: number, to: number, size = blockSize): Generator<Buffer, void> {
  let block = Buffer.allocUnsafe(size);
  let [at, kept] = [from, 0];
  for (;;) {
    const length = Math.min(block.length - kept, to - at);
    old.read(block.subarray(kept, kept + length), at);
    [at, kept] = [at + length, kept + length];
    if (at === to) return yield block.subarray(0, kept);
    const end = block.lastIndexOf(lineEnd, kept - 1);
    if (end > 0) {
      yield block.subarray(0, end);
      block.copyWithin(0, end, kept);
      kept -= end;
    } else block = Buffer.concat([block, Buffer.allocUnsafe(block.length)]);
  }
}
