// Conversations of coding agents over several attempts: what goes on, what begins anew, and who is asked. The agent is a script that prints
// what the real program printed; `npm run test:agents` drives the real ones.
import { chmodSync, cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Line, Workspace } from '../rig.ts';

const recorded = (kind: string, name: string) => readFileSync(`test/fixtures/streams/${kind}/${name}.jsonl`, 'utf8');
const typed = (lines: readonly Line[], type: string) => lines.filter((line) => line.type === type);

interface Play {
  readonly kind?: 'claude' | 'codex';
  readonly settings?: string;
  readonly keys?: string;
  /** What it does before it prints; `$n` is the number of the attempt. */
  readonly script?: string;
}

/** @param streams what it prints, by attempt; the last one again and again. */
function playing(streams: readonly string[], { kind = 'claude', settings = '', keys = '', script = '' }: Play = {}) {
  const title = { claude: '2.1.325 (Claude Code)', codex: 'codex-cli 0.166.0' }[kind];
  const w = new Workspace({
    'signalbox.yaml': `locks: advisory\nagents:\n  ${kind}: {command: [./fake.sh]}\n  other: {kind: ${kind}, command: [./fake.sh]}\n${settings}`,
    'plan.yaml': `tasks:\n  a: {title: Write the file, agent: ${kind}${keys}}\n  b: {run: "true", needs: [a]}\n`,
    'fake.sh': `#!/bin/sh
test "$1" = --version && { echo "${title}"; exit; }
n=\${SIGNALBOX_ATTEMPT#*#}
echo "$*" > .signalbox/args.$n
cat > .signalbox/told.$n
echo $n > a.txt
${script}
test -f stream.$n || n=last
cat stream.$n
test -f code.$n && exit $(cat code.$n)
exit 0
`,
    'stream.last': streams.at(-1)!,
  });
  for (const [i, text] of streams.slice(0, -1).entries()) w.write(`stream.${i + 1}`, text);
  chmodSync(join(w.folder, 'fake.sh'), 0o755);
  const told = (n: number) => w.read(`.signalbox/told.${n}`);
  const args = (n: number) => w.read(`.signalbox/args.${n}`);
  return { w, told, args };
}

const session = /"session_id":"([^"]+)"/.exec(recorded('claude', 'done'))![1]!;
const secondTime = ', check: "grep -q 2 a.txt || { echo not yet; false; }"';

describe('a later attempt', () => {
  it('goes on in the conversation of the one before, and is told what went wrong and not the task again', async () => {
    const { w, told, args } = playing([recorded('claude', 'done')], { keys: `${secondTime}, files: [a.txt]` });
    const { code, lines, out } = await w.run('run', 'plan.yaml', '--json');
    expect(code, out).toBe(0);
    expect(args(1)).not.toContain('--resume');
    expect(args(2)).toContain(`--resume ${session}`);
    expect(told(1)).toContain('## Files');
    expect(told(2)).toMatch(/^# Go on with a: Write the file\n/);
    expect(told(2)).toContain('not yet');
    expect(told(2)).not.toContain('## Files');
    const [first, second] = typed(lines, 'attempt-ended').map(({ evidence }) => evidence?.agent);
    expect(first).toMatchObject({ session, folder: w.folder, told: expect.any(String) });
    expect(first).not.toHaveProperty('resumed');
    expect(second).toMatchObject({ session, resumed: true });
  });

  it('is shown by prompt before it begins, also in another run, and has the feedback of a review', async () => {
    const { w, told, args } = playing([recorded('claude', 'done')], { keys: ', review: human' });
    expect((await w.run('run', 'plan.yaml')).code).toBe(4);
    expect((await w.run('reject', 'a', '--reason', 'It lacks a header.')).code).toBe(0);
    const { out } = await w.run('prompt', 'a');
    expect(out).toContain('# Go on with a');
    expect(out).toContain('It lacks a header.');
    expect((await w.run('run', 'plan.yaml')).code).toBe(4);
    expect(args(2)).toContain(`--resume ${session}`);
    expect(told(2)).toBe(out);
  });

  it('is told the task again where the plan was edited', async () => {
    const { w, told, args } = playing([recorded('claude', 'done')], { keys: ', review: human' });
    await w.run('run', 'plan.yaml');
    await w.run('reject', 'a', '--reason', 'It lacks a header.');
    w.write('plan.yaml', w.read('plan.yaml').replace('Write the file', 'Write the page'));
    expect((await w.run('run', 'plan.yaml')).code).toBe(4);
    expect(args(2)).toContain(`--resume ${session}`);
    expect(told(2)).toContain('What follows counts now');
    expect(told(2)).toContain('# Write the page');
  });

  it('begins a new conversation where the folder is another, and says so', async () => {
    const { w } = playing([recorded('claude', 'done')], { keys: ', review: human' });
    await w.run('run', 'plan.yaml');
    await w.run('reject', 'a', '--reason', 'It lacks a header.');
    const moved = new Workspace({});
    cpSync(w.folder, moved.folder, { recursive: true });
    expect((await moved.run('trust', '--state')).code).toBe(0);
    const { code, out, err } = await moved.run('run', 'plan.yaml');
    expect(code, out + err).toBe(4);
    expect(moved.read('.signalbox/args.2')).not.toContain('--resume');
    expect(moved.read('.signalbox/told.2')).toContain(
      'This is a new conversation, because the earlier one was in another folder',
    );
  });

  it('begins a new conversation where the earlier one is not found, and that costs no retry', async () => {
    const { w, told, args } = playing(
      [recorded('claude', 'done'), recorded('claude', 'unknown-session'), recorded('claude', 'done')],
      { keys: ', check: "grep -q 3 a.txt", retries: 1' },
    );
    w.write('code.2', '1');
    const { code, lines, out } = await w.run('run', 'plan.yaml', '--json');
    expect(code, out).toBe(0);
    expect(typed(lines, 'retry-scheduled').map(({ because }) => because)).toEqual(['failed', 'conversation']);
    expect(args(2)).toContain(`--resume ${session}`);
    expect(args(3)).not.toContain('--resume');
    expect(told(3)).toContain('This is a new conversation, because the earlier one could not be gone on in');
    expect(told(3)).toContain('did not pass its check');
    expect(told(3)).toContain('## Files');
    expect((await w.run('events')).out).toContain(
      'could not go on in its earlier conversation and will begin a new one',
    );
  });

  it('begins a new conversation where the earlier one is too long', async () => {
    const streams = [recorded('codex', 'context'), recorded('codex', 'done')];
    const { w, told, args } = playing(streams, { kind: 'codex', settings: 'retries: 1\n' });
    w.write('code.1', '1');
    const { code, out } = await w.run('run', 'plan.yaml', '--json');
    expect(code, out).toBe(0);
    expect(args(2)).not.toContain('resume');
    expect(told(2)).toContain('This is a new conversation, because the earlier one is too long to go on');
  });

  it('of Codex counts what it used itself, though the program counts from the beginning', async () => {
    const { w, args } = playing([recorded('codex', 'before-resume'), recorded('codex', 'resumed')], {
      kind: 'codex',
      keys: `${secondTime}, model: m`,
      settings: 'prices:\n  m: {input: 1, output: 10, cached: 0.1}\n',
    });
    const { code, lines, out } = await w.run('run', 'plan.yaml', '--json');
    expect(code, out).toBe(0);
    const thread = /"thread_id":"([^"]+)"/.exec(recorded('codex', 'resumed'))![1]!;
    expect(args(2)).toContain(`resume ${thread} -`);
    const used = typed(lines, 'attempt-ended').flatMap(({ evidence }) => evidence?.agent?.usage ?? []);
    // Three questions, then one; the stream says four.
    expect(used).toMatchObject([
      { model: 'm', input: 270, output: 60, cached: 30 },
      { model: 'm', input: 90, output: 20, cached: 10 },
    ]);
    expect((await w.run('logs', 'a')).out).toContain('Tokens: 90 in, 10 from the cache, 20 out (m)');
    const { usd } = (await w.run('cost', '--json')).json as unknown as { usd: number };
    expect(usd).toBeCloseTo((4 * (90 + 200 + 1)) / 1e6, 9);
  });
});

describe('an agent that needs a person', () => {
  const asked = JSON.stringify({
    type: 'assistant',
    message: {
      content: [
        { type: 'tool_use', id: '1', name: 'AskUserQuestion', input: { questions: [{ question: 'Tabs or spaces?' }] } },
      ],
    },
  });
  const asking = recorded('claude', 'nothing').replace('\n', `\n${asked}\n`);

  it.each([
    [
      'was refused a tool',
      recorded('claude', 'permission-denied'),
      'It may not use Write. What should it do? It said: I could not write it.',
    ],
    ['asks', asking, 'Tabs or spaces?'],
  ])(
    'and %s: its task is suspended with a decision, and the answer goes on in the conversation',
    async (_, stream, question) => {
      const { w, told, args } = playing([stream, recorded('claude', 'done')], {
        settings: 'retries: 0\non-failure: skip\n',
      });
      const { code, lines, out } = await w.run('run', 'plan.yaml', '--json');
      expect(code, out).toBe(4);
      expect(typed(lines, 'task-suspended')).toMatchObject([{ task: 'a', reason: question }]);
      expect(typed(lines, 'decision-opened')).toMatchObject([
        { kind: 'question', task: 'a', attempt: 'a#1', evidence: { kind: 'question', question } },
      ]);
      expect((await w.run('decide', 'd1')).out).toContain(`a#1 asks: ${question}`);
      expect((await w.run('decide', 'd1', '--note', 'Take spaces.')).code).toBe(0);
      expect((await w.run('run', 'plan.yaml')).code).toBe(0);
      const own = /"session_id":"([^"]+)"/.exec(stream)![1]!;
      expect(args(2)).toContain(`--resume ${own}`);
      expect(told(2)).toMatch(/^# Go on with a/);
      expect(told(2)).toContain(`The question was: ${question}\n\nThe answer: Take spaces.`);
    },
  );

  it('and is replaced by another: that one begins anew', async () => {
    const { w, told, args } = playing([recorded('claude', 'permission-denied'), recorded('claude', 'done')]);
    expect((await w.run('run', 'plan.yaml')).code).toBe(4);
    expect((await w.run('decide', 'd1', 'other-agent', '--agent', 'other')).code).toBe(0);
    expect((await w.run('run', 'plan.yaml')).code).toBe(0);
    expect(args(2)).not.toContain('--resume');
    expect(told(2)).toContain('This is a new conversation, because another agent had the earlier one');
  });

  it('and asks with suspend: it is stopped, its files are put back, and the answer goes on in the conversation', async () => {
    const script = `if test $n = 1; then
  head -n 1 stream.last
  signalbox suspend --question "Which one?" > .signalbox/suspended
  exec sleep 60
fi`;
    const { w, told, args } = playing([recorded('claude', 'done')], { keys: ', files: [a.txt]', script });
    expect((await w.run('run', 'plan.yaml')).code).toBe(4);
    expect(w.has('a.txt')).toBe(false);
    expect((await w.run('decide', 'a', '--note', 'the second')).code).toBe(0);
    const { out } = await w.run('prompt', 'a');
    expect((await w.run('run', 'plan.yaml')).code).toBe(0);
    expect(args(2)).toContain(`--resume ${session}`);
    expect(told(2)).toBe(out);
    expect(told(2)).toContain('The answer: the second');
    expect(told(2)).toContain('Your files were put back to what they were');
  });
});
