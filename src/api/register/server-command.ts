// The command line with which agents start the MCP server, now and in every later session. It must not need npx: a server that takes seconds
// to start is missing from the session.
import { basename, delimiter, dirname } from 'node:path';
import { findProgram } from '../../agents/process/find-program.ts';
import { realPath } from '../files/real-path.ts';
import { Refusal } from '../refusal.ts';
import type { OwnCommand } from '../trust/own-command.ts';

/** The word `signalbox` where that is this program, else this Node and this launcher. */
export function serverCommand({ launcher, nodePath }: OwnCommand, path: string, decide: boolean): readonly string[] {
  const found = findProgram('signalbox', lasting(path));
  const isThis = found !== null && realPath(found) === realPath(launcher);
  const command = [...(isThis ? ['signalbox'] : [nodePath, launcher]), 'mcp', ...(decide ? ['--decide'] : [])];
  const odd = command.find((word) => /[${}\0-\x1f\x7f]/.test(word));
  if (odd === undefined) return command;
  throw new Refusal(2, `${odd} cannot be registered: agents put variables in the place of such signs`, {
    instead: 'install Signalbox in a folder with a plain name',
  });
}

/** Npm removes it when it needs the room. */
export const isPassing = (command: readonly string[]): boolean => command.some((word) => /[\\/]_npx[\\/]/.test(word));

/** Npm and npx put folders on the PATH that are not there in the next shell. */
const lasting = (path: string): string =>
  path
    .split(delimiter)
    .filter((folder) => basename(folder) !== '.bin' || basename(dirname(folder)) !== 'node_modules')
    .join(delimiter);
