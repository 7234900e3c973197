// An attempt gives a lock back: others may change the file from now on, so it is never again put back to what it was before. Recorded
// before the lock is free: if it is not given back after all, its file stays as the attempt left it, and nobody's work is lost.
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type BeforeManifest, nameOfManifest, readBeforeImage, type Token } from './before-image.ts';
import { orOutage } from './disk/file-outage.ts';
import { freshName } from './disk/fresh-name.ts';
import { claimName, writePrivate } from './disk/private-files.ts';

export interface ReleaseRequest {
  /** `.signalbox`. */
  readonly folder: string;
  readonly token: Token;
  readonly keys: readonly string[];
  /** What the attempt keeps: of two locks on one file one is enough. */
  readonly held: readonly string[];
}

export async function releaseBeforeImage({ folder, token, keys, held }: ReleaseRequest): Promise<void> {
  return orOutage('What was given back could not be recorded', async () => {
    const none = { keys: [], files: [], folders: [], notKept: [], cut: false };
    const manifest: BeforeManifest = { version: 1, ...none, released: { keys, held } };
    for (;;) {
      const known = readBeforeImage(folder, token);
      if (!known?.grants.length) return;
      const written = join(known.home, `writing-${freshName()}`);
      await writePrivate(written, `${JSON.stringify(manifest)}\n`);
      if (await claimName(written, join(known.home, nameOfManifest(known.grants.length + 1)))) return;
      await rm(written);
    }
  });
}
