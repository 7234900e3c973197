// The texts of `init`: the programs that read them find nothing wrong, and they fit on a terminal.
import { describe, expect, it } from 'vitest';
import { agentKinds } from '../../agents/kind.ts';
import { planPath } from '../../core/model/ids.ts';
import { emptySettings } from '../../core/model/settings.ts';
import { readPlan } from '../../plan/read-plan.ts';
import { readSettings } from '../../plan/read-settings.ts';
import { type AgentsFound, agentsSection, ignoreRule, planText, settingsText } from './first-texts.ts';

const lookedFor = ['claude', 'codex', 'opencode', 'gemini'];
const cases: readonly AgentsFound[] = [
  { lookedFor, found: [], chosen: null },
  { lookedFor, found: lookedFor, chosen: 'claude' },
  { lookedFor, found: ['opencode'], chosen: 'opencode' },
];
const settingsOf = (text: string) => readSettings({ text, file: 'signalbox.yaml', kinds: agentKinds });

describe.each(cases)('with $chosen', (agents) => {
  it('the settings are valid, and say who performs tasks', () => {
    const { settings, diagnostics } = settingsOf(settingsText(agents));
    expect(diagnostics).toEqual([]);
    expect(settings).toEqual({ ...emptySettings, defaults: agents.chosen === null ? {} : { agent: agents.chosen } });
  });

  it('so they are with every example in use', () => {
    const text = settingsText(agents).replaceAll(/^# (?=[a-z-]+: )/gm, '');
    const { settings, diagnostics } = settingsOf(text);
    expect(diagnostics).toEqual([]);
    expect(settings).toMatchObject({
      ...{ maxParallel: 3, budgetUsd: 5, isolation: 'shared', unsupported: [] },
      ...{ reviewAgent: agents.chosen ?? 'claude', defaults: { agent: agents.chosen ?? 'claude' } },
    });
  });

  it.each([null, 'codex'])('the plan is one without mistakes (its own agent: %s)', (agent) => {
    const text = planText(agents, 'plan.md', agent);
    const { plan, diagnostics } = readPlan({
      ...{ text, file: 'plan.md', path: planPath('plan.md'), settings: emptySettings },
    });
    expect(diagnostics).toEqual([]);
    expect(plan!.tasks).toHaveLength(2);
    const byAgents = plan!.tasks.filter(({ keys }) => keys.run === undefined);
    expect(byAgents.map(({ keys }) => [keys.produces, keys.agent])).toEqual(
      agents.chosen === null ? [] : [['text', agent ?? undefined]],
    );
  });

  it('no line is too long for a terminal of 80 columns, with a sign before it', () => {
    const all = [settingsText(agents), planText(agents, 'first-plan.md', 'claude'), ...agentsSection].join('\n');
    expect(all.split('\n').filter((line) => line.length > 79)).toEqual([]);
  });
});

it.each([
  ['docs/out/', '/docs/out/'],
  ['a*b[c]?/', '/a\\*b\\[c\\]\\?/'],
  ['back\\slash', '/back\\\\slash'],
  ['#a', '/#a'],
  ['end ', '/end\\ '],
])('a rule for %s means that name alone', (path, rule) => {
  expect(ignoreRule(path)).toBe(rule);
});
