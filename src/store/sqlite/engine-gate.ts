// Keeps out SQLite engines with a known corruption race in WAL mode. A lockfile refresh can bring an old one back without
// anybody noticing, so the engine itself is asked at every start.
import { Outage } from '../outage.ts';
import { compareVersions } from './compare-versions.ts';

/** Before it, a checkpoint that races with the reset of the WAL can corrupt the database. */
const oldestSafeEngine = '3.51.3';

export function refuseOldEngine(version: string): void {
  if (compareVersions(version, oldestSafeEngine) >= 0) return;
  throw new Outage(
    'old-engine',
    `SQLite ${version} can corrupt a database that several processes use; ${oldestSafeEngine} or newer is needed. ` +
      'Reinstall Signalbox so that it brings its own (npm ci).',
  );
}
