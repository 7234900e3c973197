// A warning beside what a command prints: on standard error, so that `--json` stays what it is.
import { plainLine } from './plain-data.ts';
import { signs } from './signs.ts';

export const warningLine = (text: string): string => `${signs.warning} ${plainLine(text)}\n`;
