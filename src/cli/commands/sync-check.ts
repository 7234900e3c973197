// `signalbox sync-check`: what the plan file says that was not loaded, and what would become of it.
import type { SyncReport } from '../../api/signalbox.ts';
import { listWords } from '../count-words.ts';
import { jsonLine } from '../json-line.ts';
import type { Paint } from '../paint.ts';
import { plainData } from '../plain-data.ts';
import type { Request } from '../request.ts';
import { shellPath } from '../shell-word.ts';

export async function syncCheck({ box, io, paint, plan, flags }: Request): Promise<number> {
  const report = await box.syncCheck(plan);
  const most = flags.verbose ? Number.POSITIVE_INFINITY : 10;
  io.out(flags.json ? jsonLine(report) : show(plainData(report), paint, most));
  return 0;
}

function show(report: SyncReport, paint: Paint, most: number): string {
  const { plan, loaded, inSync, added, removed, kept, changed, planChanges, renamed, conflicts } = report;
  if (inSync) return `${paint.bold(plan)} is as it was loaded\n`;
  const told = (
    [
      [paint.green, 'new', added],
      [paint.red, 'gone, and never ran', removed],
      [paint.dim, 'no longer in the file, kept in the record as they ended', kept],
      [paint.cyan, 'changed', changed],
      [paint.cyan, 'changed in the plan itself', planChanges],
      [
        paint.cyan,
        'renamed (for Signalbox one that is gone and a new one)',
        renamed.map(({ from, to }) => `${from} → ${to}`),
      ],
      [paint.yellow, 'against what was done already', conflicts.map(({ task, what }) => `${task} was ${what}`)],
    ] as const
  )
    .filter(([, , ids]) => ids.length > 0)
    .map(([color, word, ids]) => `  ${color(`${word}:`)} ${listWords(ids, most)}\n`);
  const head = loaded ? 'was edited since it was loaded' : 'was never loaded';
  return `${paint.bold(plan)} ${head}\n${told.join('')}${next(report)}\n`;
}

function next({ plan, run }: SyncReport): string {
  switch (run) {
    case 'refuses':
      return `signalbox run refuses it; signalbox reload ${shellPath(plan)} takes the file as it is`;
    case 'waits':
      return 'attempts are running: this run goes on with the old text, the next takes the new';
    case 'nothing':
      return 'nothing in it changes what runs';
    default:
      return `signalbox run takes it, and so does signalbox reload ${shellPath(plan)}`;
  }
}
