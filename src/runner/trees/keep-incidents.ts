// Keeps what an incident changed, so that a person can see it and put it back: in a folder for the attempt, readable by its user alone.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Incident } from '../../core/model/failure.ts';
import type { FoundIncident } from '../../git/ground/compare-fingerprints.ts';

/** @param folder made when it is needed */
export function keepIncidents(found: readonly FoundIncident[], folder: string): readonly Incident[] {
  return found.map(({ texts, ...incident }) => {
    const kept = texts.map(({ name, before, after }) => keepBoth(folder, name, { before, after }));
    return { ...incident, ...(kept.some((isKept) => isKept) ? { saved: folder } : {}) };
  });
}

function keepBoth(folder: string, name: string, versions: Readonly<Record<string, Buffer | null>>): boolean {
  const kept = Object.entries(versions).filter(([, text]) => text !== null);
  if (kept.length > 0) mkdirSync(folder, { recursive: true, mode: 0o700 });
  // No folders below it, and never a hook that git would find: the version stands at its end.
  const plain = name.replace(/[^\w.-]+/g, '-').replace(/^-/, '');
  for (const [version, text] of kept) writeFileSync(join(folder, `${plain}.${version}`), text!, { mode: 0o600 });
  return kept.length > 0;
}
