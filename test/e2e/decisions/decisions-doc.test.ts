// docs/decisions.md says what really happens: its plans are run, and its commands print what it shows.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { agentKinds } from '../../../src/agents/kind.ts';
import { optionReports } from '../../../src/api/decisions/choice-words.ts';
import { type Choice, type DecisionKind, optionsFor } from '../../../src/core/model/decision.ts';
import { defaultLivelock } from '../../../src/core/model/defaults.ts';
import { readSettings } from '../../../src/plan/read-settings.ts';
import { Workspace } from '../rig.ts';
import { commandsOf } from '../sessions.ts';

const text = readFileSync('docs/decisions.md', 'utf8');
const example = /^## ([^\n]+)\n(?:(?!^## )[^\n]*\n)*?```markdown\n([\s\S]*?)^```\n\n```console\n([\s\S]*?)^```$/gm;
const examples = [...text.matchAll(example)].map(([, title, plan, session]) => ({
  title: title!,
  plan: plan!,
  session: session!,
}));

/** Times and names of folders are others each time. */
const steady = (printed: string) =>
  printed
    .replace(/\b\d+(\.\d+)? (ms|s)( ago)?\b|just now/g, 'some time')
    .replace(/^( {4}|d\d+ {2})(?:[\d-]{10} )?\d\d:\d\d:\d\d /gm, '$1some time ')
    .replace(/attempts\/[0-9a-f]{8}\//g, 'attempts/…/');

/** As a shell would, for the little that stands there. */
const words = (typed: string) => [...typed.matchAll(/"([^"]*)"|\S+/g)].map(([all, quoted]) => quoted ?? all);

describe.each(examples)('$title', ({ plan, session }) => {
  it('is as it is written', async () => {
    const commands = commandsOf(session);
    expect(commands.length).toBeGreaterThan(0);
    const w = new Workspace({ 'plan.md': plan });
    for (const { typed, printed, exit } of commands) {
      const { code, out, err } = await w.runWith({ USER: 'ann' }, ...words(typed));
      expect([steady(err + out), code]).toEqual([steady(printed), exit]);
    }
  });
});

it('has examples of everything that can be asked', () => {
  expect(examples.length).toBeGreaterThanOrEqual(7);
});

it('names every answer that there is', () => {
  const kinds: DecisionKind[] = [
    ...(['failure', 'rejection', 'review', 'soft-failure', 'livelock', 'batch', 'stuck', 'conflict', 'merge'] as const),
  ];
  const choices = new Set<Choice>(kinds.flatMap((kind) => optionsFor(kind)));
  expect(choices.size).toBeGreaterThan(10);
  const table = text.slice(text.indexOf('| answer |'), text.indexOf('On a terminal'));
  for (const choice of choices) expect(table).toContain(`\`${choice}\``);
  const options = [...choices];
  const none = { count: 0, tasks: [] };
  const all = optionReports({ id: 'd1' as never, kind: 'failure', openedAt: 0, blocks: none, goesOn: none, options });
  for (const { does, command } of all) expect([does, command]).not.toContain('');
});

it('has the thresholds that hold without being said', () => {
  const [, settings] = /```yaml\n(livelock:[\s\S]*?)```/.exec(text)!;
  expect(readSettings({ text: settings!, file: 'signalbox.yaml', kinds: agentKinds })).toMatchObject({
    diagnostics: [],
    settings: { livelock: defaultLivelock },
  });
});
