// A word as it can be pasted into a shell: hints are only good when they work as printed.

export function shellWord(word: string): string {
  return /^[\w.@%+=:,/-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
