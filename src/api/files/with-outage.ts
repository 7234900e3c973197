// Trouble with writing a file becomes an `Outage`, like trouble with the database: programs catch one kind of error for both.
import { fileTrouble } from '../../files/disk/file-outage.ts';
import { Outage } from '../../store/outage.ts';

/** @param what what could not be done, as the beginning of a sentence. */
export function withOutage<T>(what: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    const trouble = fileTrouble(what, error);
    throw trouble === null ? error : new Outage(trouble.kind, trouble.message, { cause: error });
  }
}
