// The table of Claude Code's ends: what it says, what is understood of it, and what becomes of the task.
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { killForGood } from '../e2e/rig.ts';
import { type EndRow, fails, planOf, settingsOf, startsAfresh, waits, works } from './ends.ts';
import { binOf } from './programs.ts';
import { AgentRig, kinds, reportOf, speech } from './rig.ts';

const { write, shell } = speech.claude;
const refusal = (status: number, type: string, message: string) => ({
  status,
  error: { type: 'error', error: { type, message } },
});

describe.runIf(kinds.includes('claude'))('Claude Code ends', () => {
  const permanent: EndRow[] = [
    {
      name: 'without credit',
      first: refusal(400, 'invalid_request_error', 'Your credit balance is too low to access the Anthropic API.'),
      class: 'billing',
      said: /Credit balance is too low/,
      exit: 1,
    },
    {
      name: 'with a wrong key',
      first: refusal(401, 'authentication_error', 'invalid x-api-key'),
      class: 'authentication',
      said: /API key/,
      exit: 1,
    },
  ];
  it.each(permanent)('$name: fails at once, whatever tries are left', (row) => fails('claude', row, 3, 1));

  const failed: EndRow[] = [
    {
      name: 'after all of its turns',
      first: { text: 'again', tools: [shell('true')] },
      args: ['--max-turns', '2'],
      class: 'max-turns',
      said: /maximum number of turns/,
      exit: 1,
    },
    {
      name: 'after all of its money',
      first: { text: 'again', tools: [shell('true')] },
      args: ['--max-budget-usd', '0.0001'],
      class: 'budget',
      said: /maximum budget/,
      exit: 1,
    },
    {
      name: 'with an error of the service',
      first: refusal(500, 'api_error', 'boom'),
      class: 'overload',
      said: /API Error: 500/,
      exit: 1,
    },
    {
      name: 'in a conversation that nobody knows',
      first: { text: 'hello' },
      args: ['--resume', '11111111-1111-4111-8111-111111111111'],
      class: 'crash',
      said: /No conversation found/,
      exit: 1,
    },
  ];
  it.each(failed)('$name: fails', (row) => fails('claude', row, 0, 1));

  it('with a conversation that is too long: the next attempt has a new one', () => {
    const first = refusal(400, 'invalid_request_error', 'prompt is too long: 250000 tokens > 200000 maximum');
    return startsAfresh('claude', { name: 'context', first, class: 'context', said: /Prompt is too long/, exit: 1 });
  });

  it('in a conversation of another folder: this version goes on in it; older ones know none', async () => {
    const other = mkdtempSync(join(tmpdir(), 'signalbox-other-'));
    const id = '22222222-2222-4222-8222-222222222222';
    const files = {
      'plan.md': planOf('claude', 'retries: 0\n'),
      'signalbox.yaml': settingsOf('claude', ['--resume', id]),
    };
    const rig = await AgentRig.start('claude', files, (conversation) =>
      works('claude')({ ...conversation, turn: conversation.turn - 1 }),
    );
    const program = join(binOf('claude'), 'claude');
    const args = ['-p', 'My number is 4711.', '--session-id', id];
    const elsewhere = promisify(execFile)(program, args, { cwd: other, env: rig.env });
    elsewhere.child.stdin!.end();
    await elsewhere;
    const { code, ends, out, err } = await rig.run('run', 'plan.md', '--json');
    await rig.close();
    rmSync(other, { recursive: true });
    expect(code, `${out}\n${err}`).toBe(0);
    expect(ends).toMatchObject([
      { end: { kind: 'exited', code: 0 }, evidence: { agent: { class: 'done', session: id } } },
    ]);
    expect(JSON.stringify(rig.model.asked.at(-1)!.body)).toContain('My number is 4711.');
  });

  it('in a conversation that another has begun: fails with what it printed beside its stream', async () => {
    const id = '33333333-3333-4333-8333-333333333333';
    const files = {
      'plan.md': `${planOf('claude', 'retries: 0\n')}- [ ] b: Write b.txt → a\n`,
      'signalbox.yaml': settingsOf('claude', ['--session-id', id]),
    };
    const rig = await AgentRig.start('claude', files, works('claude'));
    const { code, completed, ends, failures, out, err } = await rig.run('run', 'plan.md', '--json');
    await rig.close();
    expect({ code, completed }, `${out}\n${err}`).toEqual({ code: 1, completed: ['a'] });
    expect(ends[1]).toMatchObject({ end: { kind: 'exited', code: 1 }, evidence: { agent: { class: 'no-result' } } });
    const message = expect.stringMatching(/Session ID .* is already in use/);
    expect(failures.b).toMatchObject({ kind: 'agent', class: 'no-result', message });
  });

  it('before its stream began: fails with what it printed beside it', async () => {
    const files = {
      'plan.md': planOf('claude', 'retries: 0\n'),
      'signalbox.yaml': settingsOf('claude', ['--no-such-option']),
    };
    const rig = await AgentRig.start('claude', files, works('claude'));
    const { failures } = await rig.run('run', 'plan.md', '--json');
    await rig.close();
    expect(failures.a).toMatchObject({ kind: 'agent', message: expect.stringMatching(/unknown option/) });
  });

  it('overloaded: is tried again, and completes', async () => {
    let asked = 0;
    const rig = await AgentRig.start('claude', { 'plan.md': planOf('claude', 'retries: 1\n') }, (conversation) => {
      // The program itself asks once more.
      if (asked++ < 2) return refusal(529, 'overloaded_error', 'Overloaded');
      return works('claude')(conversation);
    });
    const { code, ends, lines, out, err } = await rig.run('run', 'plan.md', '--json');
    expect(code, `${out}\n${err}`).toBe(0);
    expect(ends.map(({ evidence }) => evidence.agent.class)).toEqual(['overload', 'done']);
    const again = lines.find(({ type }) => type === 'retry-scheduled');
    expect(again).toMatchObject({ because: 'failed', failure: { kind: 'agent', class: 'overload' } });
    expect(Date.parse(again.notBefore)).toBeGreaterThan(Date.parse(again.at));
  });

  const limit: EndRow = {
    name: 'limited',
    first: refusal(429, 'rate_limit_error', 'slow down'),
    class: 'rate-limit',
    said: /429/,
    exit: 1,
  };
  it('limited without a time: waits, and nothing has failed', () => waits('claude', limit));

  it('limited until a time that only its words tell: waits until then', () => {
    const words = "You've hit your weekly limit · resets Dec 3, 2099, 7am (Europe/Berlin)";
    const first = refusal(429, 'rate_limit_error', words);
    return waits('claude', { ...limit, first, said: /weekly limit/, resetsAt: Date.UTC(2099, 11, 3, 6, 1) });
  });

  /** With a key of the API it is not told when. */
  const login = { ANTHROPIC_API_KEY: '', CLAUDE_CODE_OAUTH_TOKEN: 'sk-ant-oat01-dummy' };
  async function limitedFor(seconds: number) {
    const resets = Math.ceil(Date.now() / 1000) + seconds;
    const rig = await AgentRig.start('claude', { 'plan.md': planOf('claude', 'retries: 0\n') }, (conversation) => {
      if (Date.now() / 1000 >= resets) return works('claude')(conversation);
      const headers = {
        'anthropic-ratelimit-unified-status': 'rejected',
        'anthropic-ratelimit-unified-reset': String(resets),
        'anthropic-ratelimit-unified-representative-claim': 'five_hour',
      };
      return { ...refusal(429, 'rate_limit_error', 'limit'), headers };
    });
    return { rig, resets };
  }

  it('limited until a time: waits until then, costs no try, and completes', async () => {
    const { rig, resets } = await limitedFor(8);
    const { code, lines, out, err } = await rig.startWith(login, 'run', 'plan.md', '--json').ended;
    expect(code, `${out}\n${err}`).toBe(0);
    const ends = lines.filter(({ type }) => type === 'attempt-ended');
    expect(ends.map(({ evidence }) => evidence.agent.class)).toEqual(['rate-limit', 'done']);
    expect(Date.parse(ends[0].evidence.agent.resetsAt)).toBe(resets * 1000);
    expect(Date.parse(ends[1].at)).toBeGreaterThan(resets * 1000);
  });

  it('limited until a time, and its runner is killed meanwhile: the next one waits too, costs no try, and completes', async () => {
    const { rig, resets } = await limitedFor(20);
    const run = rig.startWith(login, 'run', 'plan.md', '--json');
    const paused = await run.line(({ type }) => type === 'quota-paused');
    expect(Date.parse(paused.until)).toBeGreaterThanOrEqual(resets * 1000);
    expect(Date.parse(paused.until)).toBeLessThanOrEqual(resets * 1000 + 5_000);
    await killForGood(run.pid);
    const next = reportOf(await rig.startWith(login, 'run', 'plan.md', '--json').ended);
    expect(next.code, `${next.out}\n${next.err}`).toBe(0);
    const [scheduled] = next.lines.filter(({ type }) => type === 'attempt-scheduled');
    expect(scheduled).toMatchObject({ attempt: 'a#2' });
    expect(Date.parse(scheduled.at)).toBeGreaterThanOrEqual(resets * 1000);
    expect(next.ends).toMatchObject([{ attempt: 'a#2', evidence: { agent: { class: 'done' } } }]);
    expect(next.completed).toEqual(['a']);
  });

  it('with tools refused: asks a person and names them, though it exits with 0', async () => {
    const files = {
      'plan.md': planOf('claude', 'retries: 0\n'),
      'signalbox.yaml': settingsOf('claude', ['--permission-mode', 'dontAsk', '--disallowedTools', 'Bash(rm:*)']),
    };
    const rig = await AgentRig.start('claude', files, ({ turn }) =>
      turn === 0 ? { text: '', tools: [shell('rm -f b.txt'), write('a.txt', 'made\n')] } : { text: 'I could not.' },
    );
    const { code, ends, lines, out, err } = await rig.run('run', 'plan.md', '--json');
    expect(code, `${out}\n${err}`).toBe(4);
    expect(ends).toMatchObject([{ end: { kind: 'exited', code: 0 }, evidence: { agent: { class: 'refused-tools' } } }]);
    expect(ends[0].evidence.agent.denied).toContain('Bash');
    const asked = lines.find(({ type }) => type === 'decision-opened');
    expect(asked.evidence.question).toMatch(/^It may not use Bash.* It said: I could not\.$/);
  });
});
