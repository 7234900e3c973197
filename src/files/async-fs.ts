// Calls of the file system that wait beside the loop, for files that every command writes. They are Node's own with callbacks:
// `node:fs/promises` loads line editing and folder watching first, 3 ms of each command.
import * as fs from 'node:fs';
import { promisify } from 'node:util';

export const close = promisify(fs.close);
export const fsync = promisify(fs.fsync);
export const link = promisify(fs.link);
export const mkdir = promisify(fs.mkdir);
export const open = promisify(fs.open);
export const rename = promisify(fs.rename);
export const rm = promisify(fs.rm);
export const writeFile = promisify(fs.writeFile);
