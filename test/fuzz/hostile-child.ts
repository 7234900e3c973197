// Reads one hostile text, in a process that was given little memory, and tells what it cost.

import { diagnosticsOf } from '../corpus/show-case.ts';
import { hostile } from './hostile-texts.ts';

export interface HostileAnswer {
  readonly ms: number;
  readonly megabytes: number;
  readonly codes: readonly string[];
  readonly isPolluted: boolean;
}

const [name] = process.argv.slice(2) as [string];
const { file, text: make } = hostile[name]!;
const text = make();
diagnosticsOf(file, '');
const startedAt = performance.now();
const before = process.cpuUsage();
const found = diagnosticsOf(file, text);
const { user, system } = process.cpuUsage(before);
// A busy machine makes the clock run on, and the collector of garbage counts on other cores: the smaller one is the reader's.
const ms = Math.min(performance.now() - startedAt, (user + system) / 1_000);
const answer: HostileAnswer = {
  ms,
  megabytes: process.resourceUsage().maxRSS / 1_024,
  codes: [...new Set(found.map(({ code }) => code))],
  isPolluted: Object.keys(Object.prototype).length > 0 || ({} as { polluted?: unknown }).polluted !== undefined,
};
console.log(JSON.stringify(answer));
