// A person's own frame for prompts: a text with placeholders for the sections that a prompt consists of. Pure text.

/** In the order that a prompt has without a template. */
export const promptSections = [
  'task',
  'judged',
  'files',
  'results',
  'built-on',
  'warnings',
  'before',
  'note',
  'asking',
] as const;
export type PromptSection = (typeof promptSections)[number];

/** Empty: it does not apply. */
export type PromptSections = Readonly<Record<PromptSection, string>>;

/** What happened, and what a person said, reaches the agent also where the template has no place for it. */
const neverLost: readonly PromptSection[] = ['results', 'warnings', 'before', 'note'];

/** A doubled brace is a plain one; `${NAME}` belongs to a shell. */
const placeholder = /\{\{[A-Za-z][\w-]*\}\}|(?<!\$)\{([A-Za-z][\w-]*)\}/g;

export interface TemplateMistake {
  readonly line: number;
  readonly column: number;
  readonly length: number;
  readonly message: string;
  readonly help: string;
}

const isSection = (name: string): name is PromptSection => (promptSections as readonly string[]).includes(name);
const linesOf = (template: string): string[] => template.replace(/^\ufeff/, '').split(/\r?\n/);
const namesIn = (line: string): string[] => [...line.matchAll(placeholder)].flatMap(([, name]) => name ?? []);

export function templateMistakes(template: string): TemplateMistake[] {
  const lines = linesOf(template);
  const found = lines.flatMap((line, i) =>
    [...line.matchAll(placeholder)].flatMap(({ 0: text, 1: name, index }) => {
      if (name === undefined || isSection(name)) return [];
      const help = `sections are ${promptSections.map((one) => `{${one}}`).join(', ')}; for the plain text write {${text}}`;
      return { line: i + 1, column: index + 1, length: text.length, message: `a prompt has no section ${text}`, help };
    }),
  );
  if (lines.some((line) => namesIn(line).includes('task'))) return found;
  const help = 'write {task} where the agent should read it';
  return [
    { line: 1, column: 1, length: 1, message: 'the template has no {task}: no agent would be told its task', help },
    ...found,
  ];
}

/** A line of sections that do not apply goes, with the blank lines behind it. */
export function framed(template: string, sections: PromptSections): string {
  const kept: string[] = [];
  const placed = new Set<string>();
  let isHole = false;
  for (const line of linesOf(template)) {
    const names = namesIn(line) as PromptSection[];
    for (const name of names) placed.add(name);
    const isBlank = line.trim() === '';
    if (isHole && isBlank && (kept.at(-1) ?? '').trim() === '') continue;
    isHole =
      names.length > 0 && names.every((name) => sections[name] === '') && line.replace(placeholder, '').trim() === '';
    if (!isHole) kept.push(filled(line, sections));
  }
  const left = neverLost.filter((name) => !placed.has(name)).map((name) => sections[name]);
  return [kept.join('\n').trim(), ...left].filter((text) => text !== '').join('\n\n');
}

/** In one pass: what a section says is never read as a placeholder. */
const filled = (line: string, sections: PromptSections): string =>
  line.replace(placeholder, (text, name?: PromptSection) => (name === undefined ? text.slice(1, -1) : sections[name]));
