// What an attempt has changed, for whoever reviews it or goes on with it: from what its locked files were before, else from git.
import { lstatSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type BeforeImage, readBeforeImage } from '../../files/before-image.ts';
import { type Difference, findDifferences } from '../../files/find-differences.ts';
import { lineDiff } from '../../files/line-diff.ts';
import { type GitPlace, gitDiff } from '../../git/git-diff.ts';

export interface AttemptDiff {
  /** Null: nothing is known about it. */
  readonly text: string | null;
  /** There was more. */
  readonly cut: boolean;
  readonly from: 'locked files' | 'git' | 'nothing';
}

export interface DiffPlace extends GitPlace {
  /** `.signalbox` */
  readonly folder: string;
  /** The name under which the before-images of the attempt lie. */
  readonly image: string;
}

const mostBytes = 100_000;
const largestFile = 1024 * 1024;

export async function attemptDiff(place: DiffPlace): Promise<AttemptDiff> {
  const image = readBeforeImage(place.folder, place.image);
  if (image !== null && image.grants.length > 0)
    return { ...(await fromImage(place.root, image)), from: 'locked files' };
  const found = await gitDiff(place, mostBytes);
  return found === null ? { text: null, cut: false, from: 'nothing' } : { ...found, from: 'git' };
}

async function fromImage(root: string, image: BeforeImage): Promise<{ text: string; cut: boolean }> {
  const { files } = await findDifferences(root, image);
  let text = '';
  for (const file of files) {
    const shown = showFile(root, image, file);
    if (text.length + shown.length > mostBytes)
      return { text: text + shown.slice(0, mostBytes - text.length), cut: true };
    text += shown;
  }
  return { text, cut: false };
}

function showFile(root: string, image: BeforeImage, { path, was, before }: Difference): string {
  const head = `--- ${path}${was === 'new' ? ' (was not there)' : ''}\n+++ ${path}${was === 'deleted' ? ' (deleted)' : ''}\n`;
  const then = before.kind === 'file' ? textOf(image.contentOf(before)) : '';
  const now = textOf(join(root, path));
  if (before.kind === 'unknown' || then === null || now === null)
    return `${head}(no text, or too large to be compared)\n`;
  return `${head}${lineDiff(then, now)}`;
}

/** What is not there, or no plain file, is compared as if it were empty; null: not to be compared. */
function textOf(file: string): string | null {
  const stats = lstatSync(file, { throwIfNoEntry: false });
  if (!stats?.isFile()) return '';
  if (stats.size > largestFile) return null;
  const bytes = readFileSync(file);
  return bytes.includes(0) ? null : bytes.toString('utf8');
}
