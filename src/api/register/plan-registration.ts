// What registering and taking back would do to the settings of one agent. It only looks. All of it can be written, or it refuses.
//
//   in the settings now            register                                 take back
//   nothing                        added                                    what was there before init, if anything was
//   starts it with this command    left alone                               -
//   starts it in another way       these keys change, the rest stays        -
//   as init wrote it               taken back first, then as above          cut out, or as it was before
//   as init wrote it, and changed  as above                                 stays, and is said
import { isDeepStrictEqual } from 'node:util';
import { nothing } from '../init/own-place.ts';
import { Refusal } from '../refusal.ts';
import { statsOf } from '../trust/owner.ts';
import type { PersonalSettings } from './agent-settings.ts';
import { guarded, missingFolders, readPersonal, refuseUnwritable } from './personal-file.ts';
import { changeBetween, type Registered, withoutChange } from './registration-record.ts';
import type { Entry, ServerText } from './server-text.ts';

export interface Planned {
  readonly settings: PersonalSettings;
  /** The file now and afterwards; null: there is none. */
  readonly before: string | null;
  readonly after: string | null;
  /** The server now and afterwards. */
  readonly from: Entry | null;
  readonly to: Entry | null;
  /** What is recorded of it; null: nothing any more. */
  readonly record: Registered | null;
  /** Emptied by this, deepest first. */
  readonly folders: readonly string[];
}

/** Null: it is registered in the same way already. */
export function planRegistration(
  settings: PersonalSettings,
  command: readonly string[],
  recorded: Registered | null,
): Planned | null {
  const { file } = settings;
  const text = guarded(file, settings.text);
  const wanted = settings.entry(command);
  const before = readPersonal(file);
  const from = before === null ? null : text.find(before);
  if (from !== null && Object.entries(wanted).every(([key, value]) => isDeepStrictEqual(from[key], value))) return null;
  refuseUnwritable(file);
  const ours = ownRecord(recorded, from);
  const base = ours && before !== null ? undone(settings, before, ours) : before;
  const after = text.set(base ?? '', wanted);
  const was = base === null || from === null ? null : text.find(base);
  const earlier = ours && { ...ours, earlier: null };
  const record: Registered = {
    v: 1,
    file,
    entry: text.find(after)!,
    // A call that was killed between taking it out and putting it in again knows what was there.
    was: from === null ? (recorded?.was ?? null) : was,
    change: changeBetween(base ?? '', after),
    madeFile: base === null,
    madeFolders: [...new Set([...(recorded?.madeFolders ?? []), ...missingFolders(file)])],
    earlier,
  };
  return { settings, before, after, from, to: record.entry, record, folders: [] };
}

/** A sentence about the server tells why it is not taken back. */
export function planRemoval(settings: PersonalSettings, recorded: Registered): Planned | { readonly because: string } {
  const { file } = settings;
  const text = guarded(file, settings.text);
  const before = readPersonal(file);
  const from = before === null ? null : text.find(before);
  const folders = recorded.madeFolders.toReversed();
  const as = (after: string | null, to: Entry | null): Planned => {
    if (after !== before) refuseUnwritable(file);
    return { settings, before, after, from, to, record: null, folders };
  };
  if (from === null) {
    const { was } = recorded;
    return was === null ? as(before, null) : as(text.set(before ?? '', was), was);
  }
  const ours = ownRecord(recorded, from);
  if (ours) return as(undone(settings, before!, ours), ours.was);
  if (recorded.was !== null && isDeepStrictEqual(from, recorded.was)) return as(before, from);
  return {
    because: `was changed since: the server ${settings.agent} starts is not what init wrote; ${wayOut(settings)}`,
  };
}

const wayOut = ({ removal }: PersonalSettings): string =>
  removal === null ? 'take it out by hand' : `to take it out: ${removal}`;

/** The record that tells of the server as it stands there: the last one, or the one before where the last was never written. */
const ownRecord = (recorded: Registered | null, from: Entry | null): Registered | null =>
  [recorded, recorded?.earlier].find((one) => one && from !== null && isDeepStrictEqual(from, one.entry)) ?? null;

/** The text without what was written: byte by byte where it stands as it did, else by what it means. Null: the file goes. */
function undone({ file, text }: PersonalSettings, now: string, ours: Registered): string | null {
  const { find, set, cut } = guarded(file, text);
  const exactly = withoutChange(now, ours.change);
  const isFile = statsOf(file)?.isFile() === true;
  if (exactly === '' && ours.madeFile && isFile) return null;
  if (exactly !== null && isDeepStrictEqual(foundIn(text, exactly), ours.was)) return exactly;
  const rest = cut(now);
  if (find(rest) !== null) throw new Refusal(3, `${file} has the server more than once; ${nothing}`);
  return ours.was === null ? rest : set(rest, ours.was);
}

/** Undefined: it cannot be read. */
function foundIn(text: ServerText, all: string): Entry | null | undefined {
  try {
    return text.find(all);
  } catch {
    return undefined;
  }
}
