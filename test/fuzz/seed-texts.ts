// What mutation starts from: the corpus of broken plans, the fixtures, the example, and the blocks of the documentation.
import { globSync, readFileSync } from 'node:fs';
import { readCorpus } from '../corpus/read-cases.ts';

export interface SeedTexts {
  readonly markdown: readonly string[];
  readonly yaml: readonly string[];
  readonly json: readonly string[];
  /** Lines of all of them, for grafting. */
  readonly lines: readonly string[];
}

const root = `${import.meta.dirname}/../..`;
/** Longer ones are for other tests: here a million inputs are read. */
const longest = 6_000;

export function readSeedTexts(): SeedTexts {
  const markdown: string[] = [];
  const yaml: string[] = [];
  const json: string[] = [];
  const add = (file: string, text: string) => {
    if (text.length > longest) return;
    if (/\.jsonl?$/.test(file)) json.push(text);
    else (/\.ya?ml$/.test(file) ? yaml : markdown).push(text);
  };
  for (const { cases } of readCorpus()) for (const { file, text } of cases) add(file, text);
  for (const file of globSync([`${root}/test/fixtures/**/*.{md,yaml,yml,json,jsonl}`, `${root}/examples/*.md`]).sort())
    add(file, readFileSync(file, 'utf8'));
  const blocks = readFileSync(`${root}/docs/plans.md`, 'utf8').matchAll(/^(`{3,})(\w+)[^\n]*\n([\s\S]*?)^\1$/gm);
  for (const [, , language, text] of blocks) add(`block.${language === 'yaml' ? 'yaml' : 'md'}`, text!);
  const lines = [...new Set([...markdown, ...yaml, ...json].flatMap((text) => text.split('\n')))];
  return { markdown, yaml, json, lines };
}
