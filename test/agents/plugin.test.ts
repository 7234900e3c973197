// The plugin in the real Claude Code: what it brings, and each of its commands with a model that follows its text.
import { execFileSync } from 'node:child_process';
import { chmodSync, globSync } from 'node:fs';
import { userInfo } from 'node:os';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { toolTable } from '../../src/mcp/tool-table.ts';
import type { Script, ToolCall } from './models/model-server.ts';
import { bash, calls, type Heard, type Session, tool, type } from './own-session.ts';
import { binOf } from './programs.ts';
import { AgentRig, kinds, speech } from './rig.ts';

const plan = `---
retries: 0
---
# Shop

- [ ] db: Create the schema
  - files: src/schema/**
  - check: \`test -f src/schema/tables.sql\`
- [ ] docs: Describe it
  - files: docs/**
- [ ] api: Build the HTTP API → db
  - files: src/api/**
`;
const { write } = speech.claude;
const schema = write('src/schema/tables.sql', 'create table orders (id);\n');

/** A session that types this, and a model that makes these calls. */
async function session(
  prompt: string,
  steps: readonly ToolCall[],
  { files = { 'plan.md': plan }, before = [], person = {} }: Partial<Setup> = {},
): Promise<{ rig: AgentRig; heard: Heard; session: Session; events: () => Promise<readonly Line[]> }> {
  const heard: Heard = { prompts: [], results: [] };
  const rig = await AgentRig.start('claude', files, calls(steps, heard));
  for (const words of before) await rig.run(...words);
  const ended = await type(rig, prompt, person);
  expect(ended.code, JSON.stringify(ended.events.slice(-3))).toBe(0);
  return { rig, heard, session: ended, events: async () => (await rig.run('events', '--json')).lines };
}

interface Setup {
  readonly files: Readonly<Record<string, string>>;
  /** Commands that came before it. */
  readonly before: readonly (readonly string[])[];
  readonly person: Parameters<typeof type>[2];
}
type Line = Session['init'];

const setBefore = [['set', 'plan.md']];
const of = (lines: readonly Line[], kind: string) => lines.filter((line) => line.type === kind);

describe.runIf(kinds.includes('claude'))('the plugin in Claude Code', () => {
  it('is valid, also to Claude Code itself', () => {
    for (const folder of ['plugin', '.'])
      execFileSync(join(binOf('claude'), 'claude'), ['plugin', 'validate', '--strict', folder], { stdio: 'pipe' });
  });

  it('brings seven commands, a skill, the server and hooks', async () => {
    const { session: own } = await session('hello', [write('a.txt', 'a\n')]);
    const commands = globSync('plugin/commands/*.md').map((file) => `plan:${basename(file, '.md')}`);
    const isOurs = (name: string) => name.startsWith('plan:');
    expect(own.init.slash_commands.filter(isOurs).sort()).toEqual([...commands, 'plan:plan'].sort());
    expect(own.init.skills).toContain('plan:plan');
    expect(own.init.plugins).toContainEqual(expect.objectContaining({ name: 'plan' }));
    expect(own.init.mcp_servers).toMatchObject([{ name: 'plugin:plan:signalbox', status: 'connected' }]);
    const tools = toolTable.filter(({ for: whom }) => whom.includes('guest')).map(({ name }) => tool(name).name);
    expect(own.init.tools).toEqual(expect.arrayContaining(tools));
    const hooks = own.events.filter(({ subtype }) => subtype === 'hook_response');
    expect(hooks.map(({ hook_event: event, exit_code: code }) => [event, code])).toEqual([
      ['SessionStart', 0],
      ['PreToolUse', 0],
      ['Stop', 0],
    ]);
  });

  it('is one guest in its hooks, its server and its shell, and its edits keep out of locks of others', async () => {
    const theirs = write('theirs.txt', 'mine\n');
    const own = [write('mine.txt', 'mine\n'), tool('lock_acquire', { resources: ['other.txt'] })];
    const steps = [theirs, ...own, bash('signalbox lock try third.txt')];
    const before = [...setBefore, ['lock', 'try', 'theirs.txt', '--agent', 'ann']];
    const { rig, heard, events } = await session('Edit.', steps, { before });
    expect(heard.results[0]).toContain('ann');
    expect([rig.workspace.has('theirs.txt'), rig.workspace.has('mine.txt')]).toEqual([false, true]);
    const locked = of(await events(), 'lock-acquired').filter(({ agent }) => agent !== 'ann');
    expect(locked.map(({ resource }) => resource)).toEqual(['mine.txt', 'other.txt', 'third.txt']);
    expect([...new Set(locked.map(({ agent }) => agent))]).toEqual([expect.stringMatching(/^claude-\d+$/)]);
    expect((await rig.run('lock', 'list', '--json')).json.holds.map(({ owner }: Line) => owner)).toEqual(['ann']);
  });

  it('/plan:set checks the plan and makes it the current one', async () => {
    const steps = [bash('signalbox check plan.md'), bash('signalbox set plan.md'), tool('plan_status')];
    const { rig, heard, session: own } = await session('/plan:set plan.md', steps);
    expect(heard.prompts[0]).toContain('Choose the plan that all later commands mean. The person named: plan.md');
    expect(own.asked).toEqual([]);
    expect(rig.workspace.read('.claude/current-plan.txt').trim()).toBe('plan.md');
  });

  it('/plan:status looks, and changes nothing', async () => {
    const steps = ['run_status', 'plan_status', 'list_decisions', 'next_tasks'].map((name) => tool(name));
    const {
      heard,
      session: own,
      events,
    } = await session('/plan:status', [...steps, tool('why', { task: 'api' })], {
      before: setBefore,
    });
    expect(own.asked).toEqual([]);
    expect(heard.results.at(-1)).toContain('"kind":"need"');
    expect(of(await events(), 'plan-loaded')).toHaveLength((await events()).length);
  });

  describe('/plan:implement', () => {
    it('starts the task, does it and hands it in', async () => {
      const id = { task: 'db' };
      const around = [tool('run_status'), tool('start_task', id), tool('task_info', id)];
      const steps = [...around, tool('complete_task', id), schema, tool('complete_task', id)];
      const { rig, heard, session: own, events } = await session('/plan:implement db', steps, { before: setBefore });
      expect(heard.prompts[0]).toContain('Do this task of the plan, and no other: db');
      expect(heard.results[3]).toContain('test -f src/schema/tables.sql');
      expect(own.asked).toEqual([expect.stringMatching(/^Write: /)]);
      expect(await rig.workspace.status()).toEqual({ db: 'completed', docs: 'pending', api: 'pending' });
      expect(of(await events(), 'task-started')).toMatchObject([
        { task: 'db', by: expect.stringMatching(/^claude-\d+$/) },
      ]);
    });

    it('leaves alone what somebody else works on', async () => {
      const steps = [tool('run_status'), tool('why', { task: 'db' }), tool('start_task', { task: 'db' })];
      const before = [...setBefore, ['mark-started', 'db']];
      const { heard, events } = await session('/plan:implement db', steps, { before });
      expect(heard.results[2]).toContain('db');
      expect(of(await events(), 'task-started')).toHaveLength(1);
    });
  });

  it('/plan:batch does the tasks that can start; one that fails does not end it', async () => {
    const steps = [
      ...[tool('run_status'), tool('next_tasks', { count: 2 })],
      ...[tool('start_task', { task: 'db' }), tool('fail_task', { task: 'db', error: 'no database here' })],
      ...[
        tool('start_task', { task: 'docs' }),
        write('docs/a.md', 'a\n'),
        tool('write_findings', { task: 'docs', text: 'See a.md.' }),
      ],
      tool('complete_task', { task: 'docs' }),
    ];
    const { rig, heard } = await session('/plan:batch 2', steps, { before: setBefore });
    expect(heard.prompts[0]).toContain('How many at most: 2 (nothing: 5)');
    expect(await rig.workspace.status()).toEqual({ db: 'failed', docs: 'completed', api: 'blocked' });
    expect(rig.workspace.read('docs/plan-outputs/plan/findings/docs.md')).toContain('See a.md.');
  });

  it('/plan:verify runs the checks, and a subagent reviews; nothing changes', async () => {
    const rig = await AgentRig.start('claude', { 'plan.md': plan, 'src/schema/tables.sql': '' }, () => ({ text: '' }));
    for (const words of [
      ['set', 'plan.md'],
      ['mark-complete', 'db'],
    ])
      await rig.run(...words);
    const order = 'Review the task db. Only look.';
    const own = calls([
      ...[tool('run_status'), tool('plan_status'), bash('signalbox verify')],
      {
        name: 'Task',
        input: { description: 'review', subagent_type: 'general-purpose', prompt: order, run_in_background: false },
      },
    ]);
    const heard: Heard = { prompts: [], results: [] };
    const reviewer = calls([tool('task_info', { task: 'db' }), bash('signalbox diff db')], heard);
    rig.model.script = (at) => (at.prompt.includes('Verify what was completed') ? own(at) : reviewer(at));
    const before = (await rig.run('events', '--json')).lines.length;
    const { code, asked } = await type(rig, '/plan:verify');
    expect({ code, asked }).toEqual({ code: 0, asked: [] });
    expect(heard.prompts.at(-1)).toContain(order);
    expect(heard.results[0]).toContain('Create the schema');
    expect((await rig.run('events', '--json')).lines).toHaveLength(before);
  });

  describe('/plan:orchestrate', () => {
    const byCommands =
      '# Run\n\n- [ ] a: One\n  - run: `true`\n- [ ] b: Two → a\n  - run: `test -f go || exit 1`\n  - retries: 0\n- [ ] c: Three → b\n  - run: `true`\n';
    const watch = [bash('signalbox attach --quiet'), tool('run_status'), tool('plan_status'), tool('list_decisions')];

    it('starts a run and watches it; a decision is left to the person', async () => {
      const files = { 'plan.md': byCommands };
      const steps = [tool('run_status'), tool('run_plan'), ...watch];
      const {
        rig,
        heard,
        session: own,
        events,
      } = await session('/plan:orchestrate', steps, { files, before: setBefore });
      expect(own.asked).toEqual([]);
      expect(await rig.workspace.status()).toEqual({ a: 'completed', b: 'failed', c: 'blocked' });
      expect(heard.results.at(-1)).toContain('"id":"d1"');
      expect(of(await events(), 'decision-answered')).toEqual([]);
    });

    it('watches the run that goes on, and starts no second one', async () => {
      const waits = '# Run\n\n- [ ] a: One\n  - run: `touch began; until test -f go; do sleep 0.05; done`\n';
      const rig = await AgentRig.start('claude', { 'plan.md': waits }, () => ({ text: '' }));
      const run = rig.start('run', 'plan.md', '--json');
      await rig.workspace.appears('began');
      const heard: Heard = { prompts: [], results: [] };
      const follow = calls([tool('run_status'), tool('run_plan'), ...watch], heard);
      rig.model.script = (at) => {
        if (at.turn === 2) rig.workspace.write('go', '');
        return follow(at);
      };
      await type(rig, '/plan:orchestrate plan.md');
      expect((await run.ended).code).toBe(0);
      expect(heard.results[0]).toContain('"running":true');
      expect(heard.results[1]).toContain('already');
      expect(of((await rig.run('events', '--json')).lines, 'run-started')).toHaveLength(1);
    });

    it('without agents does the plan itself, until nothing can start', async () => {
      const one = (task: string, ...work: ToolCall[]) => [
        tool('start_task', { task }),
        ...work,
        tool('complete_task', { task }),
      ];
      const steps = [
        ...[tool('run_status'), tool('run_plan'), tool('next_tasks', { count: 5 })],
        ...one('db', schema),
        ...one('docs', write('docs/a.md', 'a\n')),
        tool('next_tasks', { count: 5 }),
        ...one('api', write('src/api/a.ts', '')),
        ...[tool('next_tasks', { count: 5 }), tool('plan_status'), tool('list_decisions')],
      ];
      const { rig, heard } = await session('/plan:orchestrate', steps, { before: setBefore });
      expect(heard.results[1]).toContain('neither run: nor an agent');
      expect(await rig.workspace.status()).toEqual({ db: 'completed', docs: 'completed', api: 'completed' });
    });
  });

  describe('/plan:decide', () => {
    const before = [...setBefore, ['mark-started', 'db'], ['mark-failed', 'db', '--error', 'no database here']];
    const question = 'Task db failed. What now?';
    const options = ['retry', 'treat-as-done'].map((label) => ({ label, description: label }));
    const ask = {
      name: 'AskUserQuestion',
      input: { questions: [{ question, header: 'd1', multiSelect: false, options }] },
    };
    const answer = "env -u SIGNALBOX_AGENT signalbox decide d1 treat-as-done --reason 'the old one will do'";
    const steps = [tool('list_decisions'), bash('signalbox decide d1'), ask, bash(answer)];

    it('asks the person, and passes on the answer', async () => {
      const person = { answers: () => 'treat-as-done: the old one will do' };
      const { heard, session: own, events } = await session('/plan:decide', steps, { before, person });
      expect(own.asked).toEqual(['Bash: signalbox decide d1', question, `Bash: ${answer}`]);
      expect(heard.results[1]).toContain('signalbox decide d1 skip-all');
      expect(heard.results[2]).toContain('treat-as-done: the old one will do');
      expect(of(await events(), 'decision-answered')).toMatchObject([
        { choice: 'treat-as-done', reason: 'the old one will do', by: userInfo().username },
      ]);
    });

    it('a model that answers by itself needs the leave of the person for it', async () => {
      const person = { allows: (call: string) => call !== `Bash: ${answer}` };
      const { session: own, events } = await session('/plan:decide', [tool('list_decisions'), bash(answer)], {
        before,
        person,
      });
      expect(own.asked).toEqual([`Bash: ${answer}`]);
      expect(of(await events(), 'decision-answered')).toEqual([]);
    });
  });

  it('signalbox run in the shell of a session starts other Claude Codes, without the variables of the session', async () => {
    const files = {
      'plan.md': '---\nagent: claude\nretries: 0\n---\n# One\n\n- [ ] a: Write a.txt\n',
      'signalbox.yaml': 'agents:\n  claude: { kind: claude, command: ./claude-and-env }\n',
      'claude-and-env': '#!/bin/sh\nenv > inner-env.txt\nexec claude "$@"\n',
    };
    const own = calls([bash('env > outer-env.txt'), bash('signalbox run plan.md')]);
    const inner: Script = ({ turn }) =>
      turn === 0 ? { text: '', tools: [write('a.txt', 'a\n')] } : { text: 'Wrote it.' };
    const rig = await AgentRig.start('claude', files, (at) =>
      /This is task a of/.test(at.prompt) ? inner(at) : own(at),
    );
    chmodSync(join(rig.workspace.folder, 'claude-and-env'), 0o755);
    await type(rig, 'Run the plan.');
    const names = (file: string) => rig.workspace.read(file).match(/^(CLAUDE\w*|AI_AGENT)(?==)/gm) ?? [];
    expect(names('outer-env.txt')).toContain('CLAUDECODE');
    expect(names('inner-env.txt').sort()).toEqual(['CLAUDE_CODE_DISABLE_BACKGROUND_TASKS', 'CLAUDE_CODE_MAX_RETRIES']);
    expect([await rig.workspace.status(), rig.workspace.read('a.txt')]).toEqual([{ a: 'completed' }, 'a\n']);
  });
});
