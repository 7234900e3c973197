// Database, disk or file system trouble: something is wrong outside the program. Shown as one clear message with a way out;
// nothing that was acknowledged is lost.

export type OutageKind =
  | 'busy' // somebody else holds the write lock longer than we are willing to wait
  | 'disk-full'
  | 'read-only'
  | 'network-file-system'
  | 'unsafe-path' // a symlink or something else that is no plain file stands where our own file should be
  | 'broken-database'
  | 'moved-database' // somebody moved or deleted the file while we had it open; what we would write there is lost
  | 'newer-database'
  | 'old-engine'
  | 'open-files' // this process, or the machine, may open no more files
  | 'io';

export class Outage extends Error {
  readonly kind: OutageKind;
  constructor(kind: OutageKind, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'Outage';
    this.kind = kind;
  }
}

const unreadable: ReadonlySet<OutageKind> = new Set(['broken-database', 'unsafe-path', 'read-only']);

/** What stands there cannot be read, and trying again does not help. Whoever only looks takes the state from elsewhere. */
export const isUnreadable = (error: unknown): error is Outage => error instanceof Outage && unreadable.has(error.kind);
