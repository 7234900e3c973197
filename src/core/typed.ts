// Commands as they can be typed: the way out that is printed has to work, whatever the task or the plan is called.

/** About tasks, or attempts. Where one of them looks like an option, they come last, behind `--`. */
export function typed(command: string, ids: string | readonly string[], flags = ''): string {
  const all = [ids].flat();
  const words = all.map(quoted).join(' ');
  const options = flags === '' ? '' : ` ${flags}`;
  return all.some((id) => id.startsWith('-'))
    ? `signalbox ${command}${options} -- ${words}`
    : `signalbox ${command} ${words}${options}`;
}

/** A path that looks like an option is told from one by where it is. */
export const typedPath = (path: string): string => quoted(path.startsWith('-') ? `./${path}` : path);

/** One word for a shell. */
export const quoted = (word: string): string =>
  /^[\w.@%+=:,/-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
