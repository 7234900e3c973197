// Large plans to load: the same tasks as markdown, as YAML, and as the plain JSON that `JSON.parse` is measured with. What a
// person writes is in all three; nothing is spelled out in the JSON that the others leave away.

export interface LargePlan {
  readonly markdown: string;
  readonly yaml: string;
  readonly json: string;
}

interface Record {
  readonly id: string;
  readonly title: string;
  readonly needs?: readonly string[];
  readonly model?: string;
  readonly files?: readonly string[];
  readonly run?: string;
  readonly check?: readonly string[];
  readonly prompt?: string;
}

export const sizes = ['small', 'rich'] as const;
export type Size = (typeof sizes)[number];

export function largePlan(size: Size, tasks: number): LargePlan {
  const records = Array.from({ length: tasks }, (_, i) => (size === 'small' ? small(i) : rich(i)));
  return {
    markdown: ['# Bench', '', '## Phase 1: All', '', ...records.map(asMarkdown), ''].join('\n'),
    yaml: ['title: Bench', 'tasks:', ...records.map(size === 'small' ? asFlow : asBlock), ''].join('\n'),
    json: JSON.stringify({ title: 'Bench', phases: [{ name: 'Phase 1: All', tasks: records }] }),
  };
}

function small(i: number): Record {
  return { id: `t${i}`, title: `Do the thing number ${i}`, ...smallNeeds(i), run: 'true' };
}

/** What a careful author writes about a task for an agent. */
function rich(i: number): Record {
  const area = areas[i % areas.length]!;
  const verb = verbs[(i * 7) % verbs.length]!;
  return {
    id: `${area}-${i}`,
    title: `${verb} the ${area} module so that request ${i} is handled`,
    needs: richNeeds(i).map((n) => `${areas[n % areas.length]}-${n}`),
    model: i % 3 === 0 ? 'opus' : 'sonnet',
    files: [`src/${area}/part-${i}.ts`, `test/${area}/part-${i}.test.ts`],
    check: [`npm test -- ${area}/part-${i}`],
    prompt: `Follow the conventions in docs/${area}.md and keep the public interface as it is.\nEvery new branch gets a test; see the notes about case ${i} in the design.`,
  };
}

const areas = ['parser', 'store', 'api', 'billing', 'search', 'auth', 'export'];
const verbs = ['Extend', 'Rewrite', 'Simplify', 'Document', 'Harden'];

function smallNeeds(i: number): { needs?: string[] } {
  return i > 2 ? { needs: [`t${i - 1}`, `t${i - 3}`] } : {};
}

/** Two of a hundred change places: one looks ahead, so that whether there is a cycle takes more than a glance. */
function richNeeds(i: number): number[] {
  if (i % 100 === 49) return [i + 1];
  return (i % 100 === 50 ? [i - 2, i - 3] : [i - 1, i - 3]).filter((n) => n >= 0);
}

function asMarkdown({ id, title, needs, model, files, run, check, prompt }: Record): string {
  return [
    `- [ ] ${id}: ${title}${needs?.length ? ` → ${needs.join(', ')}` : ''}`,
    ...(model === undefined ? [] : [`  - model: ${model}`]),
    ...(files ? [`  - files: ${files.join(', ')}`] : []),
    ...(run === undefined ? [] : [`  - run: \`${run}\``]),
    ...(check ? check.map((command) => `  - check: \`${command}\``) : []),
    ...(prompt === undefined ? [] : prompt.split('\n').map((line) => `  ${line}`)),
  ].join('\n');
}

/** One task on one line. */
function asFlow({ id, title, needs, run }: Record): string {
  return `  ${id}: {title: "${title}", run: "${run}"${needs ? `, needs: [${needs.join(', ')}]` : ''}}`;
}

function asBlock({ id, title, needs, model, files, check, prompt }: Record): string {
  return [
    `  ${id}:`,
    `    title: ${title}`,
    ...(needs?.length ? [`    needs: [${needs.join(', ')}]`] : []),
    `    model: ${model}`,
    '    files:',
    ...files!.map((file) => `      - ${file}`),
    `    check: ${check![0]}`,
    '    prompt: |',
    ...prompt!.split('\n').map((line) => `      ${line}`),
  ].join('\n');
}
