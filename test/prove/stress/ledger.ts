// What every client says about itself, in a file of its own: written at once, so that a kill loses nothing that was done.
import { closeSync, openSync, readdirSync, readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { Mode } from './resources.ts';

export type Entry = { readonly who: string; readonly pid: number; readonly at: number } & Said;

export type Said =
  | { readonly what: 'ask'; readonly how: 'try' | 'wait'; readonly resources: readonly string[]; readonly mode: Mode }
  /** `ms` is how long it took. */
  | { readonly what: 'answer'; readonly answer: string; readonly ms: number }
  | { readonly what: 'enter'; readonly file: string; readonly mode: Mode }
  | { readonly what: 'leave'; readonly file: string }
  | { readonly what: 'released'; readonly resources: readonly string[] }
  /** Just before a child is killed. */
  | { readonly what: 'kill'; readonly child: number }
  | { readonly what: 'wrong'; readonly text: string }
  | { readonly what: 'end' };

/** The same clock in every process of the machine. */
export const microseconds = (): number => Number(process.hrtime.bigint() / 1000n);

export class Ledger {
  readonly who: string;
  private readonly file: number;

  constructor(folder: string, who: string) {
    this.who = who;
    this.file = openSync(join(folder, `${who}.jsonl`), 'a');
  }

  say(said: Said): void {
    const entry = { who: this.who, pid: process.pid, at: microseconds(), ...said };
    writeSync(this.file, `${JSON.stringify(entry)}\n`);
  }

  close(): void {
    closeSync(this.file);
  }
}

export function readLedgers(folder: string): Entry[] {
  return readdirSync(folder)
    .flatMap((name) => readFileSync(join(folder, name), 'utf8').split('\n'))
    .filter((line) => line.endsWith('}'))
    .map((line): Entry => JSON.parse(line))
    .sort((a, b) => a.at - b.at);
}
