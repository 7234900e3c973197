// An attempt that ended as it should needs its before-images no more. They go at once, by one rename, so that no half of them is
// ever taken for a whole; then the files.
import { randomBytes } from 'node:crypto';
import { readdirSync, renameSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeFolderNames, type Token } from './before-image.ts';
import { codeOf, orOutage } from './disk/file-outage.ts';
import { existingFolder } from './disk/private-files.ts';

export async function forgetBeforeImages({ folder, token }: { folder: string; token: Token }): Promise<void> {
  const [name, own] = beforeFolderNames(token);
  await orOutage('Before-images could not be removed', async () => {
    const all = existingFolder(folder, name);
    if (all === null) return;
    try {
      renameSync(join(all, own), join(all, `.forgotten-${randomBytes(6).toString('hex')}`));
    } catch (error) {
      if (codeOf(error) !== 'ENOENT') throw error;
    }
    // Leftovers of a killed removal go too. No token's name begins with a dot.
    const gone = readdirSync(all).filter((one) => one.startsWith('.forgotten-'));
    for (const one of gone) await rm(join(all, one), { recursive: true, force: true });
  });
}
