// Moves the files of the round before out of the way when a plan was started over: into `earlier/<n>`, where nothing reads them by itself.
// A backup of before would otherwise bring its completed tasks back after the database was lost.
import { existsSync, lstatSync, renameSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { EarlierRounds } from '../core/state/earlier-rounds.ts';
import { makeOutputFolder } from './output-folder.ts';
import type { OutputPlaces } from './output-places.ts';
import { writtenMark } from './write-status.ts';

export const earlierFolder = ({ folder }: Pick<OutputPlaces, 'folder'>, round: number): string =>
  join(folder, 'earlier', String(round));

/** The last to go is what tells that something of the round is still there, so whoever is killed before is followed by the next. */
const filesOf = ({ findings, timestamps, backup, status }: OutputPlaces): readonly string[] => [
  findings,
  timestamps,
  backup,
  status,
];

/** To be done by one process at a time, before a status of the new round is placed. */
export function setEarlierAside(places: OutputPlaces, log: string, earlier: EarlierRounds | null): void {
  if (earlier === null) return;
  const isOfBefore = (file: string) => {
    const mark = writtenMark(file);
    return mark?.log === log && mark.seq < earlier.seq;
  };
  if (![places.status, places.backup].some(isOfBefore)) return;
  const target = earlierFolder(places, earlier.rounds);
  makeOutputFolder(places.root, target);
  for (const place of filesOf(places)) {
    if (lstatSync(place, { throwIfNoEntry: false })) renameSync(place, freeName(join(target, basename(place))));
  }
}

function freeName(place: string): string {
  for (let n = 1; ; n++) {
    const name = n === 1 ? place : `${place}-${n}`;
    if (!existsSync(name)) return name;
  }
}
