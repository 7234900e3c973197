// What Gemini CLI may not take from the repository: settings and variables there would start programs unasked, or send a key elsewhere.
// It reads its settings before its arguments. So a variable says first that nobody trusts the folder, which leaves the repository's
// settings out, and `--skip-trust` says afterwards that tools may run and GEMINI.md is read. From then on it also reads a file with
// variables, but never over those that are set: those that the file names are set to nothing before.
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beginningOf } from '../../config/plain-file.ts';
import { settingsIn } from '../own-settings.ts';

const mostBytes = 100_000;
const mostNames = 1000;

/** Those that it takes from folders that nobody trusts, too: a login may lie there. */
const ofLogins = ['GEMINI_API_KEY', 'GOOGLE_API_KEY', 'GOOGLE_CLOUD_PROJECT', 'GOOGLE_CLOUD_LOCATION'];

/** Empty variables for those that files of the repository would set; null: there are too many to tell. @param home of the person */
export function emptied(workspace: string, home: string): Record<string, string> | null {
  const names = new Set<string>();
  for (const file of variableFiles(workspace, home)) {
    const { text, isCut } = beginningOf(file, mostBytes) ?? { text: '', isCut: false };
    for (const name of isCut ? [] : namesIn(text)) names.add(name);
    if (isCut || names.size > mostNames) return null;
  }
  return Object.fromEntries([...names].map((name) => [name, '']));
}

/** The nearest one upwards, as it looks for them; one in the home is the person's own. */
function variableFiles(workspace: string, home: string): string[] {
  const folders = foldersUp(workspace).filter((folder) => folder !== home);
  const names = ['.gemini/.env', ...(mayReadPlain(join(workspace, '.gemini/settings.json')) ? ['.env'] : [])];
  return names.flatMap((name) => folders.map((folder) => join(folder, name)).find((file) => existsSync(file)) ?? []);
}

/** `.env` is switched off in the settings of the attempt. After some seconds it reads all settings again, and these could switch it on. */
function mayReadPlain(settings: string): boolean {
  if (!existsSync(settings)) return false;
  const { advanced } = settingsIn(settings) ?? { advanced: null };
  return advanced !== undefined;
}

const foldersUp = (folder: string): string[] =>
  dirname(folder) === folder ? [folder] : [folder, ...foldersUp(dirname(folder))];

/** Rather too many than too few: what looks like a name inside of a value or a comment counts too. */
const namesIn = (text: string): string[] =>
  [...text.matchAll(/(?<![\w.-])[\w.-]+(?=\s*=|:\s)/g)]
    .map(([name]) => name)
    .filter((name) => /^[A-Za-z_]\w*$/.test(name) && !ofLogins.includes(name));
