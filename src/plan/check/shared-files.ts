// The warning about files that two tasks claim while nothing says which comes first. They will not run side by side: a task takes
// the locks on its files before it starts, so one of the two waits, and which one is left to chance. Named `locks:` are meant for
// that and are no reason for a warning.
//
// Cheap on purpose: keys are compared through an index, and of all tasks with one key, in an order in which they could run, only
// neighbours are asked whether they are ordered. If those are, all are.

import type { Plan, Task } from '../../core/model/plan.ts';
import { buildGraph, indexTasks } from '../../core/ready/graph.ts';
import type { Resource } from '../../locks/resource.ts';
import { ResourceIndex } from '../../locks/resource-index.ts';
import { quoted } from '../diagnostics/diagnostic.ts';
import type { Report } from '../diagnostics/report.ts';
import type { ReadKey } from './lock-keys.ts';
import { WaitingOrder } from './waiting-order.ts';

const mostWarnings = 10;
/** A warning is worth only so much time; a plan that uses it up gets those that were found. */
const mostTests = 300_000;
const mostComparisons = 500_000;

export function warnSharedFiles(plan: Plan, report: Report, readKey: ReadKey): void {
  const keys = claimedKeys(plan, readKey);
  if (!keys.some((key) => key.writes)) return;
  const pairs = sharedPairs(plan, keys);
  for (const pair of pairs.slice(0, mostWarnings)) warn(plan, pair, report);
  const more = pairs.length - mostWarnings;
  if (more <= 0) return;
  report.warning({
    code: 'shared-files',
    message: `and ${more} more ${more === 1 ? 'pair' : 'pairs'} of tasks that claim the same files while nothing orders them`,
    line: plan.tasks[pairs[mostWarnings]!.later]!.line,
    column: 1,
  });
}

/** A key as it was written, with the tasks that have it. */
interface ClaimedKey {
  readonly resource: Resource;
  readonly claimants: Claimant[];
  writes: boolean;
}

interface Claimant {
  readonly task: number;
  readonly writes: boolean;
}

interface SharedPair {
  readonly earlier: number;
  readonly later: number;
  readonly key: string;
  /** What the later one calls it. */
  readonly otherKey: string;
  /** How many have this very key. */
  readonly claimants: number;
}

/** What will not run any more claims nothing. A key that cannot be read claims nothing either. */
function claimedKeys(plan: Plan, readKey: ReadKey): ClaimedKey[] {
  const byText = new Map<string, ClaimedKey | null>();
  const claim = (text: string, task: number, writes: boolean) => {
    let key = byText.get(text);
    if (key === undefined) {
      const read = readKey(text);
      key = read.ok ? { resource: read.resource, claimants: [], writes: false } : null;
      byText.set(text, key);
    }
    if (key === null || key.claimants.at(-1)?.task === task) return;
    key.claimants.push({ task, writes });
    key.writes ||= writes;
  };
  plan.tasks.forEach(({ group, ticked, keys: { files, reads } }, i) => {
    if (group || ticked === 'completed' || ticked === 'skipped') return;
    for (const text of files ?? []) claim(text, i, true);
    for (const text of reads ?? []) claim(text, i, false);
  });
  return [...byText.values()].filter((key) => key !== null);
}

function sharedPairs(plan: Plan, keys: readonly ClaimedKey[]): SharedPair[] {
  const found = new Map<string, SharedPair>();
  let order: WaitingOrder | null = null;
  const compare = (one: ClaimedKey, other: ClaimedKey) => {
    order ??= new WaitingOrder(buildGraph(plan, indexTasks(plan)));
    const pair = unorderedPair(order, one, other);
    if (pair && !found.has(`${pair.earlier} ${pair.later}`)) found.set(`${pair.earlier} ${pair.later}`, pair);
  };
  const index = new ResourceIndex<ClaimedKey>();
  let compared = 0;
  for (const key of keys) {
    if (key.writes && key.claimants.length > 1) compare(key, key);
    if (index.tested > mostTests) continue;
    for (const other of index.overlapping(key.resource)) {
      compared += key.claimants.length + other.claimants.length;
      if (compared > mostComparisons) break;
      if (key.writes || other.writes) compare(other, key);
    }
    index.add(key.resource, key);
  }
  return [...found.values()].sort((a, b) => a.earlier - b.earlier || a.later - b.later);
}

/** The first two claimants that could run side by side; of two keys, one of each. */
function unorderedPair(order: WaitingOrder, one: ClaimedKey, other: ClaimedKey): SharedPair | null {
  const sides = one === other ? [one] : [one, other];
  const all = sides
    .flatMap((key) => key.claimants.map((claimant) => ({ ...claimant, key })))
    .sort((a, b) => order.place(a.task) - order.place(b.task));
  let writer = -1;
  for (let i = 0; i < all.length; i++) {
    const here = all[i]!;
    // A reader comes after the last writer; a writer after that, and after all who read since.
    const end = here.writes ? i : writer + 1;
    for (let j = Math.max(writer, 0); j < end; j++) {
      const before = all[j]!;
      if (before.task === here.task || (sides.length === 2 && before.key === here.key)) continue;
      if (!order.waitsFor(here.task, before.task)) return pairOf(before, here, sides.length === 1 ? all.length : 2);
    }
    if (here.writes) writer = i;
  }
  return null;
}

type KeyClaimant = Claimant & { readonly key: ClaimedKey };

function pairOf(a: KeyClaimant, b: KeyClaimant, claimants: number): SharedPair {
  const [earlier, later] = a.task < b.task ? [a, b] : [b, a];
  return {
    earlier: earlier.task,
    later: later.task,
    key: earlier.key.resource.key,
    otherKey: later.key.resource.key,
    claimants,
  };
}

function warn(plan: Plan, pair: SharedPair, report: Report): void {
  const [one, other] = [plan.tasks[pair.earlier]!, plan.tasks[pair.later]!];
  const place = { line: other.line, column: 1, length: report.lineAt(other.line).length };
  const both = `${quoted(one.id)} (line ${one.line}) and ${quoted(other.id)} (line ${other.line})`;
  if (one.keys.files !== undefined && one.keys.files === other.keys.files) {
    const group = commonGroup(plan, one, other);
    const heirs = group ? `the subtasks of ${quoted(group.id)} (line ${group.line})` : 'tasks';
    report.warning({
      code: 'shared-files',
      message: `${heirs} inherit ${quoted(pair.key)}, so they run one at a time: ${both}, and any others that nothing orders`,
      ...place,
      help: 'give each task the `files:` that are its own, or put them in an order with `→`',
    });
    return;
  }
  const what =
    pair.key === pair.otherKey ? quoted(pair.key) : `${quoted(pair.key)} and ${quoted(pair.otherKey)}, which overlap`;
  const others = pair.claimants > 2 ? ` (of ${pair.claimants} tasks that do)` : '';
  report.warning({
    code: 'shared-files',
    message: `${both} claim ${what}${others}, and nothing orders them: they will not run together, one waits`,
    ...place,
    help: `end one of the two with \`→\` and the id of the other, such as \`→ ${one.id}\`, to say which comes first`,
  });
}

/** The nearest group around both that has their files. */
function commonGroup(plan: Plan, one: Task, other: Task): Task | null {
  const around = new Set<Task>();
  for (let at = one.parent; at !== undefined; at = plan.tasks[at]!.parent) around.add(plan.tasks[at]!);
  for (let at = other.parent; at !== undefined; at = plan.tasks[at]!.parent) {
    const group = plan.tasks[at]!;
    if (around.has(group) && group.keys.files === one.keys.files) return group;
  }
  return null;
}
