// What changed between two fingerprints, in clauses for people. What Signalbox does itself (trees, its own branches) is in neither.
import { listWords } from '../../core/model/count-words.ts';
import type { Incident } from '../../core/model/failure.ts';
import type { Checkout, Fingerprint, SharedFile } from './fingerprint.ts';

export interface FoundIncident extends Incident {
  /** For a folder that keeps them: what each file was before and after. Null: it was not there, or cannot be kept. */
  readonly texts: readonly ChangedText[];
}

export interface ChangedText {
  /** By its path in the git folder. */
  readonly name: string;
  readonly before: Buffer | null;
  readonly after: Buffer | null;
}

/** @param wrote files of the checkout, from its top, that the attempt says it wrote */
export function compareFingerprints(
  before: Fingerprint,
  after: Fingerprint,
  wrote: readonly string[] = [],
): FoundIncident[] {
  const known = new Set(wrote.map((path) => Buffer.from(path).toString('latin1')));
  return [
    ...configuration(before, after),
    ...hooks(before, after),
    ...stash(before, after),
    ...checkout(before, after, known).map((what) => ({ kind: 'checkout' as const, what, texts: [] })),
  ];
}

const isConfiguration = (name: string): boolean => !isHook(name) && name !== stashLog;
const isHook = (name: string): boolean =>
  !/^(?:config(?:\.worktree)?|info\/.*|objects\/info\/alternates|logs\/.*)$/.test(name);
const stashLog = 'logs/refs/stash';

function configuration(before: Fingerprint, after: Fingerprint): FoundIncident[] {
  const texts = changedTexts(before, after, isConfiguration);
  const settings =
    before.settings === null || after.settings === null ? [] : changedSettings(before.settings, after.settings);
  if (texts.length === 0 && settings.length === 0) return [];
  const unreadable = before.settings !== null && after.settings === null ? ['git cannot read it any more'] : [];
  const others = texts.filter(({ name }) => !name.startsWith('config')).map(({ name }) => `${name} is another`);
  const details = [...unreadable, ...settings, ...others];
  const what = details.length === 0 ? 'it means the same as before' : listWords(details);
  return [{ kind: 'shared', what: `the shared configuration of git changed: ${what}`, texts }];
}

type Settings = NonNullable<Fingerprint['settings']>;

function changedSettings(before: Settings, after: Settings): string[] {
  const keys = [...new Set([...before.keys(), ...after.keys()])];
  return keys.flatMap((key) => {
    const [was, is] = [valuesOf(before, key), valuesOf(after, key)];
    if (was === is) return [];
    const [shownWas, shownIs] = [was, is].map((value) => (value === null ? null : maskedValue(key, value)));
    const name = maskedKey(key);
    if (is === null) return [`${name} is gone (it was ${shownWas})`];
    return [
      `${name} is ${shownIs === shownWas ? 'another' : shownIs} (${was === null ? 'it was not set' : `it was ${shownWas}`})`,
    ];
  });
}

const valuesOf = (settings: Settings, key: string): string | null => settings.get(key)?.join(', ') ?? null;

function hooks(before: Fingerprint, after: Fingerprint): FoundIncident[] {
  return changedTexts(before, after, isHook).map((text) => {
    const [was, is] = [before.shared.get(text.name), after.shared.get(text.name)];
    const how = was === undefined ? 'was added' : is === undefined ? 'was removed' : 'is another';
    return { kind: 'shared', what: `the hook ${text.name.replace(/^hooks\//, '')} ${how}`, texts: [text] };
  });
}

/** Its log lists all entries; the commits of those that are gone can still be named. */
function stash(before: Fingerprint, after: Fingerprint): FoundIncident[] {
  const texts = changedTexts(before, after, (name) => name === stashLog);
  const isMoved =
    before.refs !== null && after.refs !== null && before.refs.get('refs/stash') !== after.refs.get('refs/stash');
  if (texts.length === 0 && !isMoved) return [];
  const count = ({ shared }: Fingerprint) =>
    shared.get(stashLog)?.text?.toString('latin1').split('\n').filter(Boolean).length ?? 0;
  const what = `the stash, which all trees share, changed (${count(before)} before, ${count(after)} now)`;
  return [{ kind: 'shared', what, texts }];
}

function changedTexts(before: Fingerprint, after: Fingerprint, isMeant: (name: string) => boolean): ChangedText[] {
  const names = new Set([...before.shared.keys(), ...after.shared.keys()]);
  const stamp = (file: SharedFile | undefined) => file?.stamp;
  return [...names]
    .filter((name) => isMeant(name) && stamp(before.shared.get(name)) !== stamp(after.shared.get(name)))
    .map((name) => ({
      name,
      before: before.shared.get(name)?.text ?? null,
      after: after.shared.get(name)?.text ?? null,
    }));
}

function checkout(before: Fingerprint, after: Fingerprint, known: ReadonlySet<string>): string[] {
  const [was, is] = [before.checkout, after.checkout];
  const branches = changedBranches(before, after);
  if ('because' in is)
    return 'because' in was && was.because === is.because
      ? branches
      : [`nobody can see what changed in your checkout: ${is.because}`, ...branches];
  if ('because' in was) return [`nobody could see what your checkout was like before: ${was.because}`, ...branches];
  const isMoved = was.head !== is.head || was.branch !== is.branch;
  const files = changedKeys(was.files, is.files).filter((path) => !known.has(path) && (!isMoved || is.files.has(path)));
  // With another commit, other files count as staged.
  const staged = isMoved ? [] : changedKeys(was.staged, is.staged);
  return [
    ...(isMoved ? [`your checkout is on ${standing(is)} now (it was on ${standing(was)})`] : []),
    ...(files.length > 0 ? [`files in your checkout changed: ${listWords(files.map(shown))}`] : []),
    ...(staged.length > 0 ? [`the index of your checkout changed: ${listWords(staged.map(shown))}`] : []),
    ...branches,
  ];
}

const shown = (path: string): string => Buffer.from(path, 'latin1').toString('utf8');
const standing = ({ branch, head }: Checkout): string => `${branch ?? 'no branch'}, ${head.slice(0, 8)}`;

function changedKeys(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): string[] {
  const keys = new Set([...before.keys(), ...after.keys()]);
  return [...keys].filter((key) => before.get(key) !== after.get(key)).sort();
}

/** The one that is checked out is told as such. */
function changedBranches(before: Fingerprint, after: Fingerprint): string[] {
  if (before.refs === null || after.refs === null) return [];
  const current = 'because' in after.checkout ? null : after.checkout.branch;
  const changed = changedKeys(before.refs, after.refs).filter(
    (ref) => ref !== 'refs/stash' && ref !== `refs/heads/${current}`,
  );
  const words = changed.map((ref) => {
    const how = !before.refs!.has(ref) ? 'is new' : after.refs!.has(ref) ? 'moved' : 'is gone';
    return `${ref.replace(/^refs\/heads\//, '')} ${how}`;
  });
  return words.length === 0 ? [] : [`branches changed: ${listWords(words)}`];
}

/** Settings are shown without passwords and tokens: keys whose values are secrets, or may have one inside. */
const isSecret = (key: string): boolean =>
  /(?:^|\.)(?:url|pushurl|extraheader|proxy|password|token|cookie|secret|sslkey|insteadof|pushinsteadof)$|^credential\./i.test(
    key,
  );

const maskedValue = (key: string, value: string): string => (isSecret(key) ? '***' : withoutUser(value));

/** A key may have an address inside: `url.https://user:secret@host.insteadof`. */
const maskedKey = (key: string): string => withoutUser(key);

const withoutUser = (text: string): string => text.replace(/(\w:\/\/)[^/\s]*@/g, '$1***@');
