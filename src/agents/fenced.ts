/** Text of others between fences that nothing in it can end. */
export function fenced(text: string, kind = ''): string {
  const longest = (text.match(/`+/g) ?? []).reduce((most, run) => Math.max(most, run.length), 2);
  const fence = '`'.repeat(longest + 1);
  return `${fence}${kind}\n${text.replace(/\n$/, '')}\n${fence}`;
}
