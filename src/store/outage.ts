// Database, disk or file system trouble: something is wrong outside the program. Shown as one clear message with a way out;
// nothing that was acknowledged is lost.

export type OutageKind =
  | 'busy' // somebody else holds the write lock longer than we are willing to wait
  | 'disk-full'
  | 'read-only'
  | 'network-file-system'
  | 'broken-database'
  | 'newer-database'
  | 'old-engine'
  | 'io';

export class Outage extends Error {
  readonly kind: OutageKind;
  constructor(kind: OutageKind, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'Outage';
    this.kind = kind;
  }
}
