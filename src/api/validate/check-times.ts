// Compares the files with the times of attempts with the log. A killed command or run, or a full disk, leaves some out; they are written
// again from the log. Files about attempts that this log does not know are older than it, and stay.
import { existsSync, rmSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import type { PlanPath } from '../../core/model/ids.ts';
import { namesIn } from '../../files/disk/names-in.ts';
import { type AttemptTimes, timesText, writeTimes } from '../../status/attempt-times.ts';
import { type OutputPlaces, timestampFile } from '../../status/output-places.ts';
import { readRegular } from '../../status/regular-file.ts';
import type { Problem } from '../reports/health.ts';
import { stillWrong } from './still-wrong.ts';
import { notTried, tryFix } from './try-fix.ts';

export interface TimesCheck {
  readonly root: string;
  readonly places: OutputPlaces;
  readonly plan: PlanPath;
  /** By what the log says. */
  readonly expected: readonly AttemptTimes[];
  readonly fix: boolean;
}

export async function checkTimes({ root, places, plan, expected, fix }: TimesCheck): Promise<Problem[]> {
  const fileOf = ({ attempt }: AttemptTimes) => timestampFile(places, attempt);
  const wrong = await stillWrong(() => expected.filter((times) => readFile(fileOf(times)) !== timesText(times)));
  const isMissing = new Set(wrong.filter((times) => !existsSync(fileOf(times))));
  const missing = [...isMissing];
  const other = wrong.filter((times) => !isMissing.has(times));
  const folder = relative(root, places.timestamps);
  const drafts = await stillWrong(() =>
    namesIn(places.timestamps).filter((name) => /\.json(?:\.\d+)?\.new$/.test(name)),
  );
  let kept: readonly string[] = [];
  const { fixed, help: instead } = fix
    ? await tryFix(async () => {
        for (const name of drafts) rmSync(join(places.timestamps, name), { force: true });
        kept = writeTimes(places, wrong);
      })
    : notTried;
  const problem = (names: readonly string[], words: string, help: string): Problem[] => {
    if (names.length === 0) return [];
    const message = `${folder}/${names.toSorted()[0]}${names.length === 1 ? '' : ` and ${names.length - 1} more`} ${words}`;
    return [{ about: 'timestamps', plan, message, help: instead ?? `signalbox validate --fix ${help}`, fixed }];
  };
  const nameOf = (times: AttemptTimes) => basename(fileOf(times));
  return [
    ...problem(missing.map(nameOf), missing.length === 1 ? 'is missing' : 'are missing', 'writes it from the log'),
    ...problem(
      other.map(nameOf),
      [other.length === 1 ? 'says something else than the log' : 'say something else than the log', ...kept].join('. '),
      'writes it from the log',
    ),
    ...problem(drafts, 'was left by a command that was killed', 'removes it'),
  ];
}

/** What is not there, or cannot be read, says nothing. */
function readFile(file: string): string {
  try {
    return readRegular(file).toString('utf8');
  } catch {
    return '';
  }
}
