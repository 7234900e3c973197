// The real programs and the locks: an edit waits for its file, a shell command is looked at afterwards, and who works without hooks is
// stopped.
import { chmodSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Conversation, Script } from './models/model-server.ts';
import type { AgentName } from './programs.ts';
import { AgentRig, kinds, speech, taskIn } from './rig.ts';

const plan = (agent: string, ...lines: string[]) =>
  ['---', `agent: ${agent}`, 'retries: 0', ...lines, '---', '# Locks', '', '- [ ] a: Write it', ''].join('\n');

/** Everything that the model was sent, as one text. */
const seen = (rig: AgentRig) => JSON.stringify(rig.model.asked.map(({ body }) => body));

describe.each(kinds)('the locks of %s', (kind) => {
  const { write, shell } = speech[kind];

  it('an edit waits until the file is released', async () => {
    const rig = await AgentRig.start(kind, { 'plan.md': plan(kind) }, ({ turn }) =>
      turn === 0 ? { text: '', tools: [write('shared.txt', 'by the agent\n')] } : { text: 'Done.' },
    );
    expect((await rig.run('lock', 'try', 'shared.txt', '--agent', 'ann')).code).toBe(0);
    const run = rig.start('run', 'plan.md', '--json');
    const waiting = await run.line(({ type, resource }) => type === 'lock-waiting' && resource === 'shared.txt');
    expect(waiting).toMatchObject({ attempt: 'a#1', blockedBy: ['ann'] });
    expect(rig.workspace.has('shared.txt')).toBe(false);
    expect((await rig.run('lock', 'release', 'shared.txt', '--agent', 'ann')).code).toBe(0);
    const { code, out, err } = await run.ended;
    expect({ code, file: rig.workspace.read('shared.txt') }, out + err).toEqual({ code: 0, file: 'by the agent\n' });
  });

  it('a denied edit is told with the reason, and the agent goes on', async () => {
    const results: string[] = [];
    const rig = await AgentRig.start(kind, { 'plan.md': plan(kind) }, (conversation) => {
      results.push(...conversation.results);
      if (conversation.turn === 0) return { text: '', tools: [write('.signalbox/note.txt', 'mine\n')] };
      if (conversation.turn === 1) return { text: '', tools: [write('note.txt', 'mine\n')] };
      return { text: 'Done.' };
    });
    const { code, out, err } = await rig.run('run', 'plan.md', '--json');
    expect(code, out + err).toBe(0);
    expect(results.join('\n')).toContain('What lies in .signalbox belongs to Signalbox');
    expect([rig.workspace.has('.signalbox/note.txt'), rig.workspace.has('note.txt')]).toEqual([false, true]);
  });

  it('a file that a shell command wrote is locked afterwards, or reported at once if another holds it', async () => {
    const rig = await AgentRig.start(
      kind,
      { 'plan.md': plan(kind), 'signalbox.yaml': 'audit: fail\n', 'theirs.txt': 'hers\n' },
      ({ turn }) => {
        if (turn === 0) return { text: '', tools: [shell('echo free > free.txt')] };
        if (turn === 1) return { text: '', tools: [shell('echo mine > theirs.txt')] };
        return { text: 'Done.' };
      },
    );
    await rig.run('lock', 'try', 'theirs.txt', '--agent', 'ann');
    const { code, lines, failures, out, err } = await rig.run('run', 'plan.md', '--json');
    const found = lines.filter(({ type }) => type === 'write-found').flatMap(({ files }) => files);
    expect(found, out + err).toEqual([
      { path: 'free.txt', finding: 'late' },
      { path: 'theirs.txt', finding: 'foreign', holder: 'ann' },
    ]);
    expect(lines).toContainEqual(expect.objectContaining({ type: 'lock-acquired', resource: 'free.txt' }));
    expect({ code, failures }).toMatchObject({ code: 1, failures: { a: { kind: 'audit' } } });
    expect(seen(rig)).toContain('files that another agent has locked: theirs.txt (locked by ann)');
  });
});

describe.skipIf(!kinds.includes('codex'))('a command of Codex that outlives its call', () => {
  it('is looked at when the attempt ends', async () => {
    const cmd = 'until test -e go; do sleep 0.1; done; echo mine > theirs.txt; touch written; sleep 600';
    const files = { 'plan.md': plan('codex'), 'signalbox.yaml': 'audit: fail\n', 'theirs.txt': 'hers\n' };
    const rig = await AgentRig.start('codex', files, async ({ turn }) => {
      if (turn === 0) return { text: '', tools: [{ name: 'exec_command', input: { cmd, yield_time_ms: 500 } }] };
      rig.workspace.write('go', '');
      await rig.workspace.appears('written');
      return { text: 'Done.' };
    });
    await rig.run('lock', 'try', 'theirs.txt', '--agent', 'ann');
    const { code, failures, out, err } = await rig.run('run', 'plan.md', '--json');
    expect({ code, failures }, out + err).toEqual({
      code: 1,
      failures: { a: { kind: 'audit', files: ['theirs.txt'] } },
    });
    expect(rig.processes()).toEqual([]);
  });
});

describe.skipIf(!kinds.includes('codex'))('a patch that Codex is given by its shell', () => {
  const { shell } = speech.codex;
  const patch = '*** Begin Patch\n*** Add File: FILE\n+by the agent\n*** End Patch\nEOF\n';

  it.each([
    ['shared.txt', `apply_patch <<'EOF'\n${patch.replace('FILE', 'shared.txt')}`],
    ['sub/shared.txt', `cd sub && apply_patch <<'EOF'\n${patch.replace('FILE', 'shared.txt')}`],
  ])('waits for the lock on %s, and leaves no mark of a command that goes on', async (file, command) => {
    const files = { 'plan.md': plan('codex'), 'sub/x': '' };
    const rig = await AgentRig.start('codex', files, ({ turn }) =>
      turn === 0 ? { text: '', tools: [shell(command)] } : { text: 'Done.' },
    );
    expect((await rig.run('lock', 'try', file, '--agent', 'ann')).code).toBe(0);
    const run = rig.start('run', 'plan.md', '--json');
    await run.line(({ type, resource }) => type === 'lock-waiting' && resource === file);
    expect(rig.workspace.has(file)).toBe(false);
    expect((await rig.run('lock', 'release', file, '--agent', 'ann')).code).toBe(0);
    const { code, lines, out, err } = await run.ended;
    expect({ code, file: rig.workspace.read(file) }, out + err).toEqual({ code: 0, file: 'by the agent\n' });
    expect(lines.find(({ type }) => type === 'attempt-ended').evidence.audit).toBeUndefined();
    const left = readdirSync(join(rig.workspace.folder, '.signalbox/attempts'), { recursive: true }).map(String);
    expect(left.filter((name) => name.includes('/shell-'))).toEqual([]);
  });
});

/** Somebody wraps the program and takes our settings away. */
const wrappers: Readonly<Record<AgentName, string>> = {
  claude:
    'for word do shift; case "$word" in --settings) skip=1;; *) [ -n "$skip" ] && skip= || set -- "$@" "$word";; esac; done',
  codex: 'rm "$CODEX_HOME/hooks.json"',
  opencode: 'export OPENCODE_PURE=1',
  gemini: 'rm -r "$GEMINI_CLI_HOME/.gemini/extensions/signalbox"',
};

describe.each(kinds)('%s without its hooks', (kind) => {
  it.each([
    ['', ''],
    [', also if all its calls fail', '; false'],
  ])('is stopped as ungoverned at its first call%s', async (_, last) => {
    const { shell } = speech[kind];
    const script: Script = ({ turn }) =>
      turn < 5 ? { text: '', tools: [shell(`echo ${turn}; touch ${turn}.txt${last}`)] } : { text: 'Done.' };
    const wrapper = `#!/bin/sh\n${wrappers[kind]}\nexec ${kind} "$@"\n`;
    const settings = `agents:\n  wrapped: { kind: ${kind}, command: ./wrapper }\n`;
    const files = { 'plan.md': plan('wrapped'), wrapper, 'signalbox.yaml': settings };
    const rig = await AgentRig.start(kind, files, script);
    chmodSync(join(rig.workspace.folder, 'wrapper'), 0o755);
    const { code, failures, lines, out, err } = await rig.run('run', 'plan.md', '--json');
    expect({ code, failures }, out + err).toMatchObject({
      code: 1,
      failures: { a: { kind: 'agent', class: 'ungoverned' } },
    });
    expect(lines).toContainEqual(expect.objectContaining({ type: 'attempt-doomed', doom: { kind: 'ungoverned' } }));
  });
});

/** Lets nobody pass before so many have come. */
function meeting(size: number): () => Promise<void> {
  let come = 0;
  let open: () => void;
  const all = new Promise<void>((resolve) => {
    open = resolve;
  });
  return () => {
    if (++come >= size) open();
    return all;
  };
}

const crossed = `---
retries: 1
---
# Crossed

- [ ] a: Write x, then y
  - agent: AGENT_A
- [ ] b: Write y, then x
  - agent: AGENT_B
`;

/** Both have their first file before either wants its second. Who was stopped goes on in its conversation, and makes both again. */
function crossing(kind: 'claude' | 'codex', meet: () => Promise<void>): Script {
  const { write } = speech[kind];
  const turns = new Map<string, number>();
  return async (conversation: Conversation) => {
    const task = taskIn(conversation);
    const isAgain = conversation.prompt.includes('You were stopped');
    const story = `${task} ${isAgain}`;
    const turn = turns.get(story) ?? 0;
    turns.set(story, turn + 1);
    const [first, second] = task === 'a' ? ['x.txt', 'y.txt'] : ['y.txt', 'x.txt'];
    if (turn === 0) return { text: '', tools: [write(`${first}.${task}`, `${task}\n`), write(first!, `${task}\n`)] };
    if (turn > 1) return { text: 'Done.' };
    if (!isAgain) await meet();
    return { text: '', tools: [write(second!, `${task}\n`)] };
  };
}

describe.skipIf(!kinds.includes('claude'))('two agents in one tree', () => {
  it('two Claude Codes that wait for each other both end completed', async () => {
    const files = { 'plan.md': crossed.replace(/AGENT_[AB]/g, 'claude') };
    const rig = await AgentRig.start('claude', files, crossing('claude', meeting(2)));
    const { code, completed, lines, out, err } = await rig.run('run', 'plan.md', '--json');
    expect({ code, completed: [...completed].sort() }, out + err).toEqual({ code: 0, completed: ['a', 'b'] });
    expect(lines.filter(({ type }) => type === 'deadlock-detected')).toHaveLength(1);
    expect(lines.filter(({ type }) => type === 'deadlock-resolved')).toHaveLength(1);
    expect(rig.processes()).toEqual([]);
  });

  it.skipIf(!kinds.includes('codex'))('Claude Code and Codex write one file one after the other', async () => {
    const files = {
      'plan.md': '# One file\n\n- [ ] a: Write it\n  - agent: claude\n- [ ] b: Write it too\n  - agent: codex\n',
      'one.txt': 'begin\n',
    };
    const meet = meeting(2);
    const append =
      (kind: 'claude' | 'codex'): Script =>
      async (conversation) => {
        const task = taskIn(conversation);
        if (conversation.turn === 0) return { text: '', tools: [speech[kind].write(`${task}.txt`, `${task}\n`)] };
        const patch = `*** Begin Patch\n*** Update File: one.txt\n@@\n-begin\n+by ${task}\n*** End Patch\n`;
        const own =
          kind === 'claude'
            ? [speech.claude.shell('cat one.txt'), speech.claude.write('one.txt', `by ${task}\n`)]
            : [{ name: 'apply_patch', input: patch }];
        // Claude Code does not write to what has changed since it was read, and asks no hook about it.
        const isStale = conversation.results.some((result) => /since|not been read/.test(result));
        if (conversation.turn === 1) await meet();
        if (conversation.turn === 1 || isStale) return { text: '', tools: own };
        return { text: 'Done.' };
      };
    const rig = await AgentRig.startAll({ claude: append('claude'), codex: append('codex') }, files);
    const { code, lines, out, err } = await rig.run('run', 'plan.md', '--json');
    expect(code, out + err).toBe(0);
    const about = lines.filter(({ resource }) => resource === 'one.txt').map(({ type }) => type);
    expect(about.filter((type) => type === 'lock-acquired')).toHaveLength(2);
    expect(about.indexOf('lock-released')).toBeLessThan(about.lastIndexOf('lock-acquired'));
  });
});
