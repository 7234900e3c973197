// Trouble with the disk or a file while work is imaged, saved or put back: something is wrong outside the program, and nothing
// that was there is lost by it. Faces know outages by their name.

export type FileOutageKind = 'disk-full' | 'read-only' | 'unsafe-path' | 'broken-manifest' | 'open-files' | 'io';

export class FileOutage extends Error {
  readonly kind: FileOutageKind;
  constructor(kind: FileOutageKind, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'Outage';
    this.kind = kind;
  }
}

/** The code of a system error; empty for any other. */
export const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';

/** `what` is what could not be done, as the beginning of a sentence. */
export async function orOutage<T>(what: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw outageOf(what, error);
  }
}

/** Anything that is no trouble with files stays what it is. */
function outageOf(what: string, error: unknown): unknown {
  const trouble = error instanceof FileOutage ? null : fileTrouble(what, error);
  return trouble === null ? error : new FileOutage(trouble.kind, trouble.message, { cause: error });
}

/** In words; null: it has nothing to do with files. */
export function fileTrouble(what: string, error: unknown): { readonly kind: Told; readonly message: string } | null {
  const kind = kinds.find(([pattern]) => pattern.test(codeOf(error)))?.[1];
  return kind === undefined ? null : { kind, message: `${what}: ${sentences[kind]} (${(error as Error).message})` };
}

type Told = 'disk-full' | 'read-only' | 'open-files' | 'io';

const kinds: readonly (readonly [RegExp, Told])[] = [
  [/^(ENOSPC|EDQUOT)$/, 'disk-full'],
  [/^(EROFS|EACCES|EPERM)$/, 'read-only'],
  [/^(EMFILE|ENFILE)$/, 'open-files'],
  [/^(EIO|ENOTDIR|ENOENT|ELOOP|ENAMETOOLONG|EBUSY|EISDIR|ENOTEMPTY)$/, 'io'],
];

const sentences: Readonly<Record<Told, string>> = {
  'disk-full': 'the disk is full. Nothing is lost; free some space and run again.',
  'read-only':
    'a file or folder may not be written or read by this user. Nothing is lost; make it writable and run again.',
  'open-files': 'too many open files. Nothing is lost; raise the limit (ulimit -n), or run less at the same time.',
  io: 'reading or writing failed. Nothing is lost; check the disk and run again.',
};
