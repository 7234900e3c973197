// What becomes of the files that attempts have locked: kept as they are before an attempt changes them, put aside and put back when
// it is stopped half way.
import { existsSync, readdirSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { beforeFolderNames } from '../../files/before-image.ts';
import { shownName } from '../../files/disk/disk-name.ts';
import { neverKeep } from '../../files/disk/tree-path.ts';
import { forgetBeforeImages } from '../../files/forget-before-images.ts';
import { putBack } from '../../files/put-back.ts';
import { releaseBeforeImage } from '../../files/release-before-image.ts';
import { saveWork } from '../../files/save-work.ts';
import { takeBeforeImage } from '../../files/take-before-image.ts';
import type { Store } from '../../store/store.ts';
import type { FilesOfAttempts } from '../machine.ts';
import type { RunSite } from '../run-site.ts';
import { openTokens } from './unjudged.ts';

export interface ReleasedFiles {
  /** Before the locks are given back: others may change the files then. */
  release(token: number, keys: readonly string[], held: readonly string[]): Promise<void>;
}

/** Tokens are unique in one store only: a new one must not meet what was kept for an old one. */
export const beforeName = (store: { readonly workspace: string }, token: number): string =>
  `${store.workspace.slice(0, 8)}-${token}`;

type Files = Pick<RunSite, 'root' | 'stateFolder' | 'outputsFolder'>;

/** Every token of this store for which something is kept. */
function keptTokens({ stateFolder }: Files, store: { readonly workspace: string }): number[] {
  const all = join(stateFolder, beforeFolderNames('')[0]);
  const names = existsSync(all) ? readdirSync(all) : [];
  return names.flatMap((name) => {
    const token = Number(/^[^.]+-(\d+)$/.exec(name)?.[1] ?? 0);
    return token > 0 && name === beforeFolderNames(beforeName(store, token))[1] ? token : [];
  });
}

/** What runners that died have kept and nobody needs any more. Looked up before the state is: what comes later is not in it. */
export async function forgetStale(site: Files, store: Store): Promise<void> {
  const kept = keptTokens(site, store);
  if (kept.length === 0) return;
  const open = await store.read((state) => openTokens(state));
  const { forget } = filesOfAttempts(site, store);
  for (const token of kept) if (!open.has(token)) forget(token);
}

export function filesOfAttempts(
  { root, stateFolder: folder, outputsFolder }: Files,
  store: { readonly workspace: string },
): FilesOfAttempts & ReleasedFiles {
  neverKeep(relative(root, outputsFolder).split(sep).join('/'));
  const named = (token: number) => beforeName(store, token);
  return {
    take: async (token, keys) => void (await takeBeforeImage({ root, folder, token: named(token), keys })),
    save: async ({ token, held, attempt, task, plan, because }) => {
      const about = { attempt, task, plan, reason: because, at: Date.now() };
      const { id, files } = await saveWork({ root, folder, token: named(token), held, about });
      return { saved: id, files };
    },
    putBack: async ({ token, held }) => {
      const { left } = await putBack({ root, folder, token: named(token), held });
      return { left: left.map(({ path }) => shownName(path)) };
    },
    release: (token, keys, held) => releaseBeforeImage({ folder, token: named(token), keys, held }),
    forget: (token) => {
      // Most attempts have locked no file.
      if (!existsSync(join(folder, ...beforeFolderNames(named(token))))) return;
      // What is left over costs only space, and the next one takes it along.
      forgetBeforeImages({ folder, token: named(token) }).catch(() => undefined);
    },
  };
}
