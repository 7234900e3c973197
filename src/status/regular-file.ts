// Opens files that anybody may have replaced. A pipe in the place of a file is not waited for, a device is not read, and
// a link is not followed.
import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';

/** What is there is no regular file. */
class NoRegularFile extends Error {
  /** As errors of the file system have one. */
  readonly code = 'ENOTREG';

  constructor() {
    super('it is no regular file');
  }
}

/** A descriptor of a regular file, to be closed; everything else is an error. */
export function openRegular(file: string): number {
  const { O_RDONLY, O_NONBLOCK, O_NOCTTY, O_NOFOLLOW } = constants;
  const descriptor = openSync(file, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_NOFOLLOW);
  try {
    if (fstatSync(descriptor).isFile()) return descriptor;
  } catch (error) {
    closeSync(descriptor);
    throw error;
  }
  closeSync(descriptor);
  throw new NoRegularFile();
}

/** All of it. */
export function readRegular(file: string): Buffer {
  const descriptor = openRegular(file);
  try {
    return readFileSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** A link, a socket, or a device that is not there, cannot even be opened. */
export const isNoRegularFile = (error: unknown): boolean =>
  error instanceof NoRegularFile || /^(ELOOP|ENXIO|ENODEV)$/.test((error as NodeJS.ErrnoException).code ?? '');
