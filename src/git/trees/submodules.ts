// Checks out the submodules of a new tree. Their commits come from the copy that the workspace has, so that it works offline and asks
// nobody; else from the address that the repository names, if that is one of a network. Nothing is written to the shared configuration,
// and no command that the repository names for updating runs.
import { lstatSync } from 'node:fs';
import { isAbsolute, join, relative } from 'node:path';
import { GitCaller, GitTrouble } from '../git-caller.ts';

/** @param modules where copies of the submodules may be: the folder `modules` of the shared git folder */
export async function checkOutSubmodules(tree: GitCaller, modules: string, depth = 0): Promise<string[]> {
  const troubles: string[] = [];
  for (const { name, path, url } of await submodulesOf(tree)) {
    try {
      const copy = join(modules, name);
      const from = hasHead(copy) ? copy : await addressOf(tree, name, url);
      await checkOut(tree, { name, path, from });
      const inside = new GitCaller({ ...tree.place, root: join(tree.place.root, path) });
      if (from === copy) await nameOrigin(inside, copy);
      if (depth < deepest) troubles.push(...(await checkOutSubmodules(inside, join(copy, 'modules'), depth + 1)));
    } catch (error) {
      if (!(error instanceof GitTrouble)) throw error;
      troubles.push(`the submodule ${path} is not checked out: ${error.message}`);
    }
  }
  return troubles;
}

const deepest = 5;
const gitlink = '160000';

interface Submodule {
  readonly name: string;
  readonly path: string;
  readonly url: string;
}

/** Those that the commit has: `.gitmodules` alone may name anything. */
async function submodulesOf(tree: GitCaller): Promise<Submodule[]> {
  const { root } = tree.place;
  if (!lstatSync(join(root, '.gitmodules'), { throwIfNoEntry: false })?.isFile()) return [];
  const staged = await tree.names({ args: ['ls-files', '-z', '--stage'] });
  const links = new Set(
    staged.map(String).flatMap((one) => (one.startsWith(gitlink) ? [one.slice(one.indexOf('\t') + 1)] : [])),
  );
  const args = ['config', '--file', '.gitmodules', '--list', '-z'];
  const fields = new Map<string, Record<string, string>>();
  for (const entry of (await tree.names({ args, answers: [0, 1, 128] })).map(String)) {
    const [, name, key, value] = /^submodule\.(.+)\.([a-z]+)\n(.*)$/s.exec(entry) ?? [];
    if (name !== undefined) fields.set(name, { ...fields.get(name), [key!]: value! });
  }
  return [...fields].flatMap(([name, { path = '', url = '' }]) =>
    links.has(path) && isPlain(name) ? [{ name, path, url }] : [],
  );
}

/** It becomes a part of a path. */
const isPlain = (name: string): boolean => !relative('/x', join('/x', name)).startsWith('..') && !isAbsolute(name);

const hasHead = (folder: string): boolean =>
  lstatSync(join(folder, 'HEAD'), { throwIfNoEntry: false })?.isFile() === true;

/** A path could be any folder of this machine. */
async function addressOf(tree: GitCaller, name: string, url: string): Promise<string> {
  const args = ['config', '--get', `submodule.${name}.url`];
  const configured = (await tree.run({ args, answers: [0, 1] })).bytes.toString('utf8').trim();
  const address = configured === '' ? url : configured;
  if (/^(?:https?|git):\/\//.test(address)) return address;
  throw new GitTrouble('the workspace has no copy of it, and its address is none of http, https or git');
}

async function checkOut(
  tree: GitCaller,
  { name, path, from }: { readonly name: string; readonly path: string; readonly from: string },
): Promise<void> {
  const settings = [
    [`submodule.${name}.url`, from],
    [`submodule.${name}.active`, 'true'],
  ] as const;
  // `--checkout` counts over any other way of updating that is configured.
  const args = ['submodule', '--quiet', 'update', '--checkout', '--', path];
  await tree.run({ args, settings, ...(isAbsolute(from) ? { readsLocal: true } : {}) });
}

/** As in the copy: whoever pushes must not write to what belongs to the workspace. */
async function nameOrigin(inside: GitCaller, copy: string): Promise<void> {
  const args = ['config', '--file', join(copy, 'config'), '--get', 'remote.origin.url'];
  const origin = (await inside.run({ args, answers: [0, 1] })).bytes.toString('utf8').trim();
  if (origin === '') await inside.run({ args: ['remote', 'remove', 'origin'] });
  else await inside.run({ args: ['remote', 'set-url', 'origin', '--', origin] });
}
