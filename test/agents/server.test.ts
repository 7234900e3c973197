// The real programs and our MCP server: each attempt has one, which knows whose it is, takes locks for it, and ends with it.
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Script, ToolCall } from './models/model-server.ts';
import type { AgentName } from './programs.ts';
import { AgentRig, kinds, named, speech, taskIn } from './rig.ts';

/** How the model of each program calls a tool of ours. */
const callAs: Readonly<Record<AgentName, (tool: string, input: object) => ToolCall>> = {
  claude: (tool, input) => ({ name: `mcp__signalbox__${tool}`, input }),
  codex: (tool, input) => ({ name: tool, input, namespace: 'mcp__signalbox' }),
  opencode: (tool, input) => ({ name: `signalbox_${tool}`, input }),
  gemini: (tool, input) => ({ name: `mcp_signalbox_${tool}`, input }),
};

const one = (agent: string) => `---\nagent: ${agent}\nretries: 0\n---\n# One\n\n- [ ] a: Write it\n`;
const two = (agent: string) =>
  `---\nagent: ${agent}\nretries: 0\n---\n# Two\n\n- [ ] a: Write it\n- [ ] b: Write too\n`;

/** Lets nobody pass before it is opened. */
function gate(): { readonly open: () => void; readonly passed: Promise<void> } {
  let open = (): void => undefined;
  const passed = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { open, passed };
}

describe.each(kinds)('our server in %s', (kind) => {
  const call = callAs[kind];
  const { write, shell } = speech[kind];

  it('takes a lock for the attempt as the first thing that it does, and ends with it', async () => {
    const results: string[] = [];
    const rig = await AgentRig.start(kind, { 'plan.md': one(kind) }, ({ turn, results: last }) => {
      results.push(...last);
      if (turn === 0) return { text: '', tools: [call('lock_acquire', { resources: ['x.txt'] })] };
      if (turn === 1) return { text: '', tools: [shell('echo mine > x.txt')] };
      return { text: 'Done.' };
    });
    const { code, lines, completed, ends, out, err } = await rig.run('run', 'plan.md', '--json');
    expect({ code, completed }, out + err + results.join('\n')).toEqual({ code: 0, completed: ['a'] });
    expect(results[0]).toContain('granted');
    expect(lines).toContainEqual(expect.objectContaining({ type: 'lock-acquired', attempt: 'a#1', resource: 'x.txt' }));
    expect(lines.filter(({ type }) => type === 'write-found')).toEqual([]);
    expect(ends[0].evidence.agent.loaded).toBeUndefined();
    expect(named(rig.processes())).toEqual([]);
    await rig.close();
  });

  it('lets an attempt do nothing about the work of another', async () => {
    const tries: [string, object][] = [
      ['complete_task', { task: 'b' }],
      ['fail_task', { task: 'b', error: 'no' }],
      ['start_task', { task: 'b' }],
      ['write_findings', { task: 'b', text: 'forged' }],
      ['report_blocked', { task: 'b', question: 'What?' }],
      ['answer_decision', { decision: 'd1', choice: 'skip' }],
    ];
    const results: string[] = [];
    const script: Script = (conversation) => {
      const { turn, results: last } = conversation;
      results.push(...last);
      if (turn < tries.length) return { text: '', tools: [call(...tries[turn]!)] };
      return turn === tries.length ? { text: '', tools: [write('a.txt', 'a\n')] } : { text: 'Done.' };
    };
    const plan = two(kind).replace('too\n', 'too → a\n  - run: "true"\n');
    const rig = await AgentRig.start(kind, { 'plan.md': plan }, script);
    const { code, completed, lines, out, err } = await rig.run('run', 'plan.md', '--json');
    expect({ code, completed }, out + err + results.join('\n')).toEqual({ code: 0, completed: ['a', 'b'] });
    // What decides about work is not among its tools at all.
    const refused = /no such tool|unsupported call|unavailable tool|not found|its own task/i;
    expect(results.slice(0, tries.length).filter((text) => !refused.test(text))).toEqual([]);
    expect(rig.workspace.has('docs/plan-outputs/plan/findings/b.md')).toBe(false);
    expect(lines.filter(({ type }) => type === 'task-suspended' || type === 'decision-opened')).toEqual([]);
    for (const tool of ['complete_task', 'fail_task', 'start_task', 'answer_decision'])
      expect(JSON.stringify(rig.model.asked[0]!.body.tools)).not.toContain(tool);
    expect(JSON.stringify(rig.model.asked[0]!.body.tools)).toContain('report_blocked');
    await rig.close();
  });

  it('suspends the task with a question, which stops the attempt', async () => {
    const rig = await AgentRig.start(kind, { 'plan.md': one(kind) }, ({ turn }) =>
      turn === 0
        ? { text: '', tools: [call('report_blocked', { question: 'Which database?' })] }
        : { text: 'I wait for the answer.' },
    );
    const { code, lines, out, err } = await rig.run('run', 'plan.md', '--json');
    expect(code, out + err).toBe(4);
    expect(lines).toContainEqual(expect.objectContaining({ type: 'task-suspended', task: 'a' }));
    expect((await rig.run('decide')).out).toContain('Which database?');
    expect(named(rig.processes())).toEqual([]);
    await rig.close();
  });

  it('lets one attempt wait for the lock of another, and tells whose it is', async () => {
    const [held, asked] = [gate(), gate()];
    const story: string[] = [];
    const script: Script = async (conversation) => {
      const task = taskIn(conversation);
      const { turn } = conversation;
      story.push(...conversation.results.map((text) => `${task}: ${text}`));
      const lock = (timeout: number) => ({
        text: '',
        tools: [call('lock_acquire', { resources: ['x.txt'], timeout })],
      });
      if (task === 'a') {
        if (turn === 0) return lock(45);
        if (turn === 1) {
          held.open();
          await asked.passed;
          return { text: '', tools: [write('a.txt', 'a\n')] };
        }
        return { text: 'Done.' };
      }
      if (turn === 0) {
        await held.passed;
        return lock(0);
      }
      if (turn === 1) {
        asked.open();
        return lock(45);
      }
      return turn === 2 ? { text: '', tools: [write('x.txt', 'b\n')] } : { text: 'Done.' };
    };
    const rig = await AgentRig.start(kind, { 'plan.md': two(kind) }, script);
    const { code, completed, lines, out, err } = await rig.run('run', 'plan.md', '--json');
    expect({ code, completed }, out + err + story.join('\n')).toEqual({ code: 0, completed: ['a', 'b'] });
    const refused = story.find((text) => text.startsWith('b: '))!;
    expect(refused).toContain('a#1');
    expect(refused).not.toContain('granted');
    const owners = lines.filter(({ type, resource }) => type === 'lock-acquired' && resource === 'x.txt');
    expect(owners.map(({ attempt }) => attempt)).toEqual(['a#1', 'b#1']);
    await rig.close();
  });
});

/** What a person has who uses the server in their own sessions too, and lets it decide there. */
const registered: Readonly<Partial<Record<AgentName, readonly [file: string, more: (text: string) => string]>>> = {
  codex: [
    '.codex/config.toml',
    (text) => `${text}[mcp_servers.signalbox]\ncommand = "/bin/false"\nargs = ["mcp", "--decide", "--agent", "ann"]\n`,
  ],
  opencode: [
    '.config/opencode/opencode.json',
    (text) => {
      const signalbox = { type: 'local', command: ['/bin/false', 'mcp', '--agent', 'ann'], enabled: false };
      return JSON.stringify({ ...JSON.parse(text), mcp: { signalbox } });
    },
  ],
  gemini: [
    '.gemini/settings.json',
    (text) => {
      const signalbox = { command: '/bin/false', args: ['mcp', '--decide', '--agent', 'ann'] };
      return JSON.stringify({ ...JSON.parse(text), mcpServers: { signalbox } });
    },
  ],
};

it.runIf(kinds.some((kind) => kind in registered)).each(kinds.filter((kind) => kind in registered))(
  'our server in %s works for the attempt also where the person has registered one',
  async (kind) => {
    const rig = await AgentRig.start(kind, { 'plan.md': one(kind) }, ({ turn }) => {
      if (turn === 0) return { text: '', tools: [callAs[kind]('lock_acquire', { resources: ['x.txt'] })] };
      if (turn === 1) return { text: '', tools: [speech[kind].write('x.txt', 'mine\n')] };
      return { text: 'Done.' };
    });
    const [name, more] = registered[kind]!;
    const file = join(rig.home, name);
    writeFileSync(file, more(readFileSync(file, 'utf8')));
    const before = readFileSync(file, 'utf8');
    const { code, lines, out, err } = await rig.run('run', 'plan.md', '--json');
    expect(code, out + err).toBe(0);
    expect(lines.filter(({ type }) => type === 'lock-acquired')).toMatchObject([{ attempt: 'a#1', resource: 'x.txt' }]);
    expect(JSON.stringify(rig.model.asked[0]!.body.tools)).not.toContain('answer_decision');
    // opencode itself adds a line to its file.
    if (kind !== 'opencode') expect(readFileSync(file, 'utf8')).toBe(before);
    await rig.close();
  },
);

it.runIf(kinds.includes('codex'))('our server can be switched off for Codex', async () => {
  const files = {
    'plan.md': one('codex'),
    'signalbox.yaml': 'agents:\n  codex: { args: [-c, mcp_servers.signalbox.enabled=false] }\n',
  };
  const rig = await AgentRig.start('codex', files, ({ turn }) =>
    turn === 0 ? { text: '', tools: [speech.codex.write('a.txt', 'a\n')] } : { text: 'Done.' },
  );
  const { code, out, err } = await rig.run('run', 'plan.md', '--json');
  expect(code, out + err).toBe(0);
  expect(JSON.stringify(rig.model.asked[0]!.body.tools)).not.toContain('lock_acquire');
  await rig.close();
});

describe.runIf(kinds.includes('claude'))('our server in Claude Code', () => {
  const init = (lines: string) =>
    lines
      .split('\n')
      .filter((line) => line.includes('"subtype":"init"'))
      .map((line) => JSON.parse(line).mcp_servers);

  it('stands beside a server of the person, and is connected from the beginning', async () => {
    const files = {
      'plan.md': one('claude'),
      'signalbox.yaml': 'agents:\n  claude: { args: [--mcp-config, mine.json] }\n',
      'mine.json': JSON.stringify({ mcpServers: { mine: { command: '/bin/false' } } }),
    };
    const rig = await AgentRig.start('claude', files, ({ turn }) =>
      turn === 0 ? { text: '', tools: [speech.claude.write('a.txt', 'a\n')] } : { text: 'Done.' },
    );
    const { code, ends, out, err } = await rig.run('run', 'plan.md', '--json');
    expect(code, out + err).toBe(0);
    const { out: raw } = await rig.run('logs', 'a', '--raw');
    expect(init(raw)).toEqual([
      [
        expect.objectContaining({ name: 'signalbox', status: 'connected' }),
        expect.objectContaining({ name: 'mine', status: 'failed' }),
      ],
    ]);
    expect(ends[0].evidence.agent.loaded).toEqual(['MCP server mine']);
    await rig.close();
  });
});

describe.runIf(kinds.includes('codex'))('our server in Codex', () => {
  it('stands beside what the person has set for sessions of their own, which the log names and run warns of once', async () => {
    const plan = '---\nagent: codex\nmax-parallel: 1\n---\n# Two\n\n- [ ] a: Write a.txt\n- [ ] b: Write b.txt\n';
    const rig = await AgentRig.start('codex', { 'plan.md': plan }, (conversation) => {
      const file = `${taskIn(conversation)}.txt`;
      return conversation.turn === 0 ? { text: '', tools: [speech.codex.write(file, 'a\n')] } : { text: 'Done.' };
    });
    const left = (name: string) => join(rig.home, name);
    appendFileSync(
      left('.codex/config.toml'),
      [
        ...['[mcp_servers.mine]', 'command = "touch"', `args = [${JSON.stringify(left('served'))}]`],
        ...['[mcp_servers.off]', 'command = "touch"', `args = [${JSON.stringify(left('off'))}]`, 'enabled = false'],
        ...[
          '[[hooks.PreToolUse]]',
          '[[hooks.PreToolUse.hooks]]',
          'type = "command"',
          `command = "touch '${left('hooked')}'"`,
        ],
        '',
      ].join('\n'),
    );
    const { code, out, err } = await rig.run('run', 'plan.md');
    expect(code, out + err).toBe(0);
    const { lines } = await rig.run('events', '--json');
    const ends = lines.filter(({ type }) => type === 'attempt-ended');
    const loaded = ['MCP server mine', 'hook PreToolUse'];
    expect(ends.map(({ evidence }) => evidence.agent.loaded)).toEqual([loaded, loaded]);
    expect(out.split('codex works with what Signalbox did not give it: MCP server mine, hook PreToolUse')).toHaveLength(
      2,
    );
    expect(['served', 'off', 'hooked'].filter((name) => existsSync(left(name)))).toEqual(['served', 'hooked']);
    await rig.close();
  });
});
