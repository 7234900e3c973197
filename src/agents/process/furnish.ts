// The files of our own that an agent needs before it starts. A link planted in their place is not followed.
import {
  constants,
  copyFileSync,
  existsSync,
  mkdirSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import type { Launch } from '../kind.ts';

export function furnish({ fresh = [], files = {}, links = {}, copies = {} }: Launch): void {
  for (const folder of fresh) rmSync(folder, { recursive: true, force: true });
  for (const [file, text] of Object.entries(files)) writePrivately(file, text);
  for (const [link, target] of Object.entries(links)) linkTo(link, target);
  for (const [file, theirs] of Object.entries(copies)) {
    makeFolder(file);
    rmSync(file, { force: true });
    if (existsSync(theirs)) copyFileSync(theirs, file, constants.COPYFILE_EXCL);
  }
}

export function writePrivately(file: string, text: string): void {
  makeFolder(file);
  const flag = constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC | constants.O_NOFOLLOW;
  writeFileSync(file, text, { flag: flag as unknown as string, mode: 0o600 });
}

function linkTo(link: string, target: string): void {
  makeFolder(link);
  if (isLinkTo(link, target)) return;
  rmSync(link, { force: true });
  if (existsSync(target)) symlinkSync(target, link);
}

function isLinkTo(link: string, target: string): boolean {
  try {
    return readlinkSync(link) === target;
  } catch {
    return false;
  }
}

const makeFolder = (file: string) => mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
