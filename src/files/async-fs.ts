// Calls of the file system that wait beside the loop, for files that every command writes. They are Node's own with callbacks:
// `node:fs/promises` loads line editing and folder watching first, 3 ms of each command. By their names: all of `node:fs` as one
// object is copied name by name.
import {
  close as closeFile,
  link as linkFile,
  open as openFile,
  rm as removeFile,
  rename as renameFile,
  fsync as syncFile,
  writeFile as writeWhole,
} from 'node:fs';
import { promisify } from 'node:util';

export const close = promisify(closeFile);
export const fsync = promisify(syncFile);
export const link = promisify(linkFile);
export const open = promisify(openFile);
export const rename = promisify(renameFile);
export const rm = promisify(removeFile);
export const writeFile = promisify(writeWhole);
