// The table of Codex's ends: what it says, what is understood of it, and what becomes of the task.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type EndRow, fails, planOf, startsAfresh, waits, works } from './ends.ts';
import { AgentRig, kinds } from './rig.ts';

const exit = 1;

describe.runIf(kinds.includes('codex'))('Codex ends', () => {
  const permanent: EndRow[] = [
    {
      name: 'without credit',
      first: { failed: { code: 'insufficient_quota', message: 'You exceeded your current quota' } },
      class: 'billing',
      said: /Quota exceeded/,
      exit,
    },
    {
      name: 'with a wrong key',
      first: { status: 401, error: { error: { message: 'bad key' } } },
      class: 'authentication',
      said: /401 Unauthorized/,
      exit,
    },
  ];
  it.each(permanent)('$name: fails at once, whatever tries are left', (row) => fails('codex', row, 3, 1));

  it('without the variable that its provider has its key in: fails at once, whatever tries are left', async () => {
    const rig = await AgentRig.start('codex', { 'plan.md': planOf('codex', 'retries: 3\n') }, works('codex'));
    const config = join(rig.home, '.codex/config.toml');
    writeFileSync(config, readFileSync(config, 'utf8').replace('OPENAI_API_KEY', 'GROQ_API_KEY'));
    const { code, ends, failures, out, err } = await rig.run('run', 'plan.md', '--json');
    await rig.close();
    expect(code, `${out}\n${err}`).toBe(1);
    expect(ends).toMatchObject([{ end: { kind: 'exited', code: exit } }]);
    expect(failures.a).toMatchObject({ class: 'authentication', message: expect.stringMatching(/GROQ_API_KEY/) });
  });

  const failed: EndRow[] = [
    {
      name: 'overloaded',
      first: { status: 503, error: { error: { code: 'server_is_overloaded', message: 'overloaded' } } },
      class: 'overload',
      said: /at capacity/,
      exit,
    },
    {
      name: 'with a conversation that is too long',
      first: { failed: { code: 'context_length_exceeded', message: 'Your input exceeds the context window.' } },
      class: 'context',
      said: /context window/,
      exit,
    },
  ];
  it.each(failed)('$name: fails, and is tried again while tries are left', (row) => fails('codex', row, 1, 2));

  it('with a conversation that is too long: the next attempt has a new one', () => startsAfresh('codex', failed[1]!));

  const limited: EndRow[] = [
    {
      name: 'with too many requests',
      first: { status: 429, error: { error: { message: 'slow down', type: 'rate_limit' } } },
      class: 'rate-limit',
      said: /429 Too Many/,
      exit,
    },
    {
      name: 'with a limit in the middle of an answer',
      first: { failed: { code: 'rate_limit_exceeded', message: 'Rate limit reached. Please try again in 1.0s.' } },
      class: 'rate-limit',
      said: /rate limit exceeded/,
      exit,
    },
    {
      name: 'with the usage limit of its account',
      first: {
        status: 429,
        error: {
          error: { type: 'usage_limit_reached', message: 'limit', plan_type: 'plus', resets_at: 4_000_000_000 },
        },
      },
      class: 'rate-limit',
      said: /hit your usage limit/,
      exit,
      // It tells the minute, and cuts off 40 seconds.
      resetsAt: 4_000_000_020_000,
    },
  ];
  it.each(limited)('$name: waits, and nothing has failed', (row) => waits('codex', row));

  it('priced by the model that only its own configuration names, and a budget counts it', async () => {
    const files = {
      'plan.md':
        '---\nagent: codex\nmax-parallel: 1\nbudget-usd: 0.000001\n---\n# Two\n\n- [ ] a: Write a.txt\n- [ ] b: Too\n',
      'signalbox.yaml': 'prices: { gpt-5.5: { input: 1, output: 1 } }\n',
    };
    const rig = await AgentRig.start('codex', files, works('codex'));
    const { code, ends, out, err } = await rig.run('run', 'plan.md', '--json');
    await rig.close();
    expect(code, `${out}\n${err}`).toBe(6);
    expect(ends).toMatchObject([{ task: 'a', evidence: { agent: { usage: [{ model: 'gpt-5.5' }] } } }]);
    // What was cached has no price of its own.
    expect(ends[0].evidence.agent.costUsd).toBeCloseTo((180 + 20 + 40) / 1e6, 9);
    expect(err).not.toContain('tells no cost');
  });
});
