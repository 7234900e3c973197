// The table of opencode's ends: what it says, what is understood of it, and what becomes of the task.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { fails, planOf, waits, works } from './ends.ts';
import { AgentRig, kinds, speech } from './rig.ts';

describe.runIf(kinds.includes('opencode'))('opencode ends', () => {
  it('with a wrong key: fails at once, whatever tries are left', () => {
    const first = { status: 401, error: { error: { message: 'bad key' } } };
    const row = { name: 'key', first, class: 'authentication', said: /bad key/, exit: 1 } as const;
    return fails('opencode', row, 3, 1);
  });

  it('well, whatever the person leaves to be asked, in a subagent too', async () => {
    const files = {
      'plan.md': planOf('opencode', 'retries: 0\nidle-timeout: 60s\n'),
      '.env': 'KEY=1\n',
      'notes.txt': 'hello\n',
    };
    const tools = (...named: readonly [string, object][]) => named.map(([name, input]) => ({ name, input }));
    const read = (name: string) => ['read', { filePath: join(rig.workspace.folder, name) }] as [string, object];
    const task: [string, object] = [
      'task',
      { description: 'look', prompt: 'Look at the secrets.', subagent_type: 'general' },
    ];
    const returned: string[] = [];
    const rig = await AgentRig.start('opencode', files, ({ prompt, turn, results }) => {
      returned.push(...results);
      const isMain = prompt.includes('This is task a of');
      if (turn === 0) return { text: '', tools: isMain ? tools(read('notes.txt'), task) : tools(read('.env')) };
      if (!isMain || turn > 1) return { text: 'Done.' };
      return { text: '', tools: [speech.opencode.write('a.txt', 'made\n')] };
    });
    const permission = { '*': 'ask', read: { '*': 'ask' }, 'db_*': 'ask' };
    writeFileSync(join(rig.home, '.config/opencode/opencode.jsonc'), JSON.stringify({ permission }));
    const { code, ends, out, err } = await rig.run('run', 'plan.md', '--json');
    await rig.close();
    expect(code, `${out}\n${err}`).toBe(0);
    expect(ends).toMatchObject([{ evidence: { agent: { class: 'done' } } }]);
    expect(returned.join('\n')).toContain('KEY=1');
    expect(returned.join('\n')).not.toContain('rejected');
  });

  // It adds its `$schema` to a configuration that has none, and installs a package beside it.
  it('and has changed no file of the person', async () => {
    const rig = await AgentRig.start('opencode', { 'plan.md': planOf('opencode', 'retries: 0\n') }, works('opencode'));
    const file = join(rig.home, '.config/opencode/opencode.json');
    const { $schema: _, ...rest } = JSON.parse(readFileSync(file, 'utf8'));
    writeFileSync(file, JSON.stringify(rest));
    const before = readdirSync(join(rig.home, '.config'), { recursive: true });
    const { code, out, err } = await rig.run('run', 'plan.md', '--json');
    const after = readFileSync(file, 'utf8');
    const names = readdirSync(join(rig.home, '.config'), { recursive: true });
    await rig.close();
    expect(code, `${out}\n${err}`).toBe(0);
    expect(after).toBe(JSON.stringify(rest));
    expect(names).toEqual(before);
  });

  it('with what a subagent used and wrote counted', async () => {
    const files = { 'plan.md': planOf('opencode', 'retries: 0\n') };
    const rig = await AgentRig.start('opencode', files, ({ prompt, turn }) => {
      const isMain = prompt.includes('This is task a of');
      const task = { description: 'write', prompt: 'Write it.', subagent_type: 'general' };
      if (turn > 0) return { text: 'Done.' };
      return { text: '', tools: [isMain ? { name: 'task', input: task } : speech.opencode.write('sub.txt', 'made\n')] };
    });
    const { code, ends, out, err } = await rig.run('run', 'plan.md', '--json');
    expect(code, `${out}\n${err}`).toBe(0);
    const { toolCalls, agent } = ends[0].evidence;
    expect([toolCalls, agent.writes, agent.said]).toEqual([2, ['sub.txt'], 'Done.']);
    const total = (key: string) => agent.usage.reduce((sum: number, one: Record<string, number>) => sum + one[key]!, 0);
    expect([rig.model.asked.length, total('input'), total('output')]).toEqual([4, 360, 80]);
    const { usd, unpriced } = JSON.parse((await rig.run('cost', '--json')).out);
    expect(usd).toBeCloseTo(4 * 0.00013);
    expect(unpriced).toBe(0);
    expect((await rig.run('logs', 'a')).out).toMatch(/write .*sub\.txt/);
    await rig.close();
  });

  it('with its model named, and priced by the settings where it knows no price', async () => {
    const prices = 'prices: {scripted/m1: {input: 1, output: 2, cached: 1}}\n';
    const files = { 'plan.md': planOf('opencode', 'retries: 0\n'), 'signalbox.yaml': prices };
    const rig = await AgentRig.start('opencode', files, works('opencode'));
    const file = join(rig.home, '.config/opencode/opencode.json');
    const config = JSON.parse(readFileSync(file, 'utf8'));
    config.provider.scripted.models = { m1: { name: 'm1' } };
    writeFileSync(file, JSON.stringify(config));
    const { code, out, err } = await rig.run('run', 'plan.md', '--json');
    expect(code, `${out}\n${err}`).toBe(0);
    const { usd, attempts } = JSON.parse((await rig.run('cost', '--json')).out);
    await rig.close();
    expect(attempts).toMatchObject([{ models: [{ model: 'scripted/m1', input: 180, output: 40 }] }]);
    expect(usd).toBeCloseTo((180 + 20 + 2 * 40) / 1e6, 9);
  });

  it('as a conversation that is too long, if each prompt is refused', async () => {
    const error = {
      error: { message: 'prompt is too long: 300000 tokens > 200000 maximum', code: 'context_length_exceeded' },
    };
    const files = { 'plan.md': planOf('opencode', 'retries: 0\ntimeout: 150s\n') };
    const rig = await AgentRig.start('opencode', files, () => ({ status: 400, error }));
    const { code, ends, failures, out, err } = await rig.run('run', 'plan.md', '--json');
    expect({ code, failures }, `${out}\n${err}`).toMatchObject({
      code: 1,
      failures: { a: { kind: 'agent', class: 'context', message: expect.stringContaining('too long') } },
    });
    expect(ends[0].end.kind).toBe('killed');
    expect(rig.processes()).toEqual([]);
    await rig.close();
  });

  const limited = { status: 429, error: { error: { message: 'slow down' } } };

  it('limited until a time: is ended and waits until then, and nothing has failed', async () => {
    const resets = Date.now() + 3_600_000;
    const headers = { 'retry-after': new Date(resets).toUTCString() };
    const files = { 'plan.md': planOf('opencode', 'retries: 0\n') };
    const rig = await AgentRig.start('opencode', files, () => ({ ...limited, headers }));
    const run = rig.start('run', 'plan.md', '--json');
    const { end, evidence } = await run.line(({ type }) => type === 'attempt-ended');
    expect([end.kind, evidence.agent]).toMatchObject(['killed', { class: 'rate-limit', said: 'slow down' }]);
    const again = await run.line(({ type }) => type === 'retry-scheduled' || type === 'task-failed');
    expect(again).toMatchObject({ type: 'retry-scheduled', because: 'quota' });
    const { until, guessed } = await run.line(({ type }) => type === 'quota-paused');
    expect(guessed).toBeUndefined();
    // A date has no fractions of a second.
    expect(Date.parse(until)).toBeGreaterThan(resets - 2_000);
    expect(Date.parse(until)).toBeLessThan(resets + 7_000);
    run.kill('SIGTERM');
    await run.ended;
    expect(rig.processes()).toEqual([]);
    await rig.close();
  });

  it('limited without a time: ends after its own tries, waits, and nothing has failed', () =>
    waits('opencode', { name: 'limit', first: limited, class: 'rate-limit', said: /slow down/, exit: 1 }));
});
