// Notices that another process wrote. A change of the WAL file is the hint to look, and a slow poll stands behind it. Only
// `data_version` counts: it moves when another connection has committed. Keeps no process alive.
import { type FSWatcher, watch } from 'node:fs';

export interface ChangeWatch {
  /** Exists as long as a connection is open, and every commit goes through it. */
  readonly walFile: string;
  /** `PRAGMA data_version` of our own connection: own commits do not move it, so they hint at nothing. */
  readonly dataVersion: () => number;
}

const pollMs = 500;
/** One commit makes several writes, and our own make some too: one look is enough for all that come at once. */
const gatherMs = 5;

/** Only what is committed after this call: watch first, then read. */
export function watchChanges({ walFile, dataVersion }: ChangeWatch, hint: () => void): () => void {
  const versionOrNull = (): number | null => {
    try {
      return dataVersion();
    } catch {
      // Whatever is wrong with the database, the reader that follows the hint meets it and can say so.
      return null;
    }
  };
  let seen = versionOrNull();
  let gathering: NodeJS.Timeout | null = null;

  const look = (): void => {
    const version = versionOrNull();
    if (version === seen && version !== null) return;
    seen = version;
    hint();
  };
  const lookSoon = (): void => {
    gathering ??= setTimeout(() => {
      gathering = null;
      look();
    }, gatherMs).unref();
  };

  const watcher = watchFile(walFile, lookSoon);
  const poll = setInterval(look, pollMs).unref();
  return () => {
    clearInterval(poll);
    if (gathering) clearTimeout(gathering);
    watcher?.close();
  };
}

/** Without a watcher (none left, or a file system that has none) the poll alone is still in time. */
function watchFile(file: string, changed: () => void): FSWatcher | null {
  try {
    const watcher = watch(file, { persistent: false }, changed);
    watcher.on('error', () => watcher.close());
    return watcher;
  } catch {
    return null;
  }
}
