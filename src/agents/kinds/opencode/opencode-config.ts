// The configuration of opencode in an attempt. The program writes to it: it adds a line to a file without `$schema`, and installs a package
// into each folder. So it gets a folder of its own, with the person's files behind it. What the repository configures is left out, because
// plugins and servers from there would run as soon as an attempt starts; what the repository says in AGENTS.md is handed in.
import { existsSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { KnownProgram, Launch } from '../../kind.ts';
import { textOf } from '../../stream/json-lines.ts';
import { homeOf } from '../known-program.ts';
import { settingsIn } from '../own-settings.ts';

/** Other programs look for their files in there too, so everything else leads to what the person has. */
export function configHome(own: string, theirs: string): Pick<Launch, 'fresh' | 'files' | 'links' | 'copies'> {
  const paired = (names: readonly string[]) =>
    Object.fromEntries(names.map((name) => [join(own, name), join(theirs, name)]));
  const beside = namesIn(theirs).filter((name) => name !== 'opencode');
  const its = namesIn(join(theirs, 'opencode')).filter((name) => !installed.has(name));
  const [copied, linked] = [true, false].map((is) =>
    its.filter((name) => isWritten(name) === is).map((name) => `opencode/${name}`),
  );
  return { fresh: [own], files: installedIn(own), links: paired([...beside, ...linked!]), copies: paired(copied!) };
}

/** It finds what it would install, and asks no registry. Plugins of the person find their packages beside them, behind the link. */
const installedIn = (own: string) => ({
  [join(own, 'opencode/node_modules/.package-lock.json')]: '{}',
  [join(own, 'opencode/package-lock.json')]: JSON.stringify({
    packages: { '': { dependencies: { '@opencode-ai/plugin': '*' } } },
  }),
});

const installed = new Set(['node_modules', 'package.json', 'package-lock.json', 'bun.lock', 'bun.lockb', '.gitignore']);

const isWritten = (name: string): boolean => /^(?:opencode|config|tui)\.jsonc?$/.test(name);

/** Absolute. As the program finds them itself: up to the top of the repository, by the first of these names that is there at all. */
export function instructionsFor(workspace: string): string[] {
  const folders = foldersUp(workspace);
  for (const name of ['AGENTS.md', 'CLAUDE.md', 'CONTEXT.md']) {
    const found = folders.map((folder) => join(folder, name)).filter((file) => existsSync(file));
    if (found.length > 0) return found;
  }
  return [];
}

function foldersUp(folder: string): string[] {
  const above = dirname(folder);
  return above === folder || existsSync(join(folder, '.git')) ? [folder] : [folder, ...foldersUp(above)];
}

/** The one that counts for the program is read last. */
export const configuredModel: NonNullable<KnownProgram['ownModel']>['configured'] = (agent, environment) => {
  const { XDG_CONFIG_HOME: folder = homeOf(environment, '.config'), OPENCODE_CONFIG: named } = {
    ...environment,
    ...agent.env,
  };
  const files = ['config.json', 'opencode.json', 'opencode.jsonc'].map((name) => join(folder, 'opencode', name));
  const models = [...files, ...(named ? [named] : [])].map((file) => textOf(settingsIn(file)?.model));
  return models.findLast((model) => model !== '') ?? null;
};

/** None where there is no such folder. */
function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
