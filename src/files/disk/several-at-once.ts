// Work on many files, several at a time.

/** Most of the time is spent waiting for the disk, so several wait together. */
export async function severalAtOnce<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  let next = 0;
  let failed = false;
  const worker = async () => {
    while (next < items.length && !failed) {
      try {
        await work(items[next++]!);
      } catch (error) {
        failed = true;
        throw error;
      }
    }
  };
  const ended = await Promise.allSettled(Array.from({ length: Math.min(8, items.length) }, worker));
  const broken = ended.find((end) => end.status === 'rejected');
  if (broken) throw broken.reason;
}
