// Commands ready for a shell: a printed command must work whatever the task or the plan is called.

/** For tasks or attempts. If an id looks like an option, the ids come last, behind `--`. */
export function commandLine(command: string, ids: string | readonly string[], flags = ''): string {
  const all = [ids].flat();
  const words = all.map(quoted).join(' ');
  const options = flags === '' ? '' : ` ${flags}`;
  return all.some((id) => id.startsWith('-'))
    ? `signalbox ${command}${options} -- ${words}`
    : `signalbox ${command} ${words}${options}`;
}

/** `./` tells a path from an option. */
export const pathArgument = (path: string): string => quoted(path.startsWith('-') ? `./${path}` : path);

/** One word for a shell. */
export const quoted = (word: string): string =>
  /^[\w.@%+=:,/-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
