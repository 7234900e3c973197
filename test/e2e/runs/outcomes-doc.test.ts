// docs/outcomes.md says what really happens: its plans are run, and print what it shows.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { exitCodes } from '../../../src/api/look/exit-codes.ts';
import { Workspace } from '../rig.ts';
import { commandsOf } from '../sessions.ts';

const text = readFileSync('docs/outcomes.md', 'utf8');
const example = /^## ([a-z ]+)\n(?:(?!^## )[^\n]*\n)*?```markdown\n([\s\S]*?)^```\n\n```console\n([\s\S]*?)^```$/gm;
const examples = [...text.matchAll(example)].map(([, word, plan, session]) => ({
  word: word!,
  plan: plan!,
  session: session!,
}));

/** Times, process numbers and names of folders are others each time. */
const steady = (printed: string) =>
  printed
    .replace(/\b\d+(\.\d+)? (ms|s)\b/g, 'some time')
    .replace(/attempts\/[0-9a-f]{8}\//g, 'attempts/…/')
    .replace(/(resumed|approved|decided|attempt) (by|from) \w+/g, '$1 $2 …')
    .replace(/by process \d+ since .*/g, 'by process …');

it('has an example for every outcome that can be shown, and a line for every exit code', () => {
  const rows = [...text.matchAll(/^\| (\d+) \| (?:\[([a-z ]+)\]\(#[a-z-]+\)|([a-z ]+)) \|/gm)];
  expect(rows.map(([, code, linked, plain]) => [Number(code), linked ?? plain])).toEqual(
    [...exitCodes].map(([code, { word }]) => [code, word]),
  );
  expect(rows.flatMap(([, , linked]) => linked ?? []).sort()).toEqual(examples.map(({ word }) => word).sort());
});

describe.each(examples)('$word', ({ word, plan, session }) => {
  it('ends as it is written', async () => {
    const commands = commandsOf(session);
    expect(commands.length).toBeGreaterThan(0);
    const shown = [...exitCodes].find(([, exit]) => exit.word === word)![0];
    expect(session).toContain(`exit ${shown}\n`);
    const w = new Workspace({ 'plan.md': plan });
    for (const { typed, printed, exit } of commands) {
      const { code, out, err } = await w.run(...typed.split(' '));
      expect([steady(err + out), code]).toEqual([steady(printed), exit]);
    }
  });
});
