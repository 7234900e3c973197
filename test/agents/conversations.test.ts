// Conversations with the real programs over several attempts: the model sees what was said before, each token is counted once, and the
// answer of a person goes on where the question was asked.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { planOf, settingsOf } from './ends.ts';
import type { Conversation, Script, ToolCall, Turn } from './models/model-server.ts';
import type { AgentName } from './programs.ts';
import { AgentRig, kinds, type Report, speech } from './rig.ts';

/** What a question and its answer use, by the scripted model. */
const perTurn = { claude: 100, codex: 90, opencode: 90, gemini: 90 } as const;

const check = "check: 'grep -q second a.txt || { echo no second line; false; }'\n";
const isGoingOn = ({ prompt }: Conversation) => prompt.includes('# Go on with a');

/** Writes one line; a second one when it goes on. It sees all that was said before, or says that it does not. */
const inTwo =
  (kind: AgentName): Script =>
  (conversation) => {
    const { turn, prompt } = conversation;
    const { write, shell } = speech[kind];
    if (turn === 0) return { text: '', tools: [write('a.txt', 'first\n')] };
    if (turn === 1) return { text: 'My number is 4711.' };
    if (!isGoingOn(conversation) || !prompt.includes('This is task a of the plan')) return { text: 'What is this?' };
    return turn === 2 ? { text: '', tools: [shell('echo second >> a.txt')] } : { text: 'Done.' };
  };

/** Does this when it has read the answer, and then says that it is done. What it is told of an unfinished call differs by program. */
function answering(answer: string, does: ToolCall): (conversation: Conversation) => Turn {
  let heard = 0;
  return ({ prompt }) => {
    if (!prompt.includes(`The answer: ${answer}`)) return { text: 'Nobody answered.' };
    return heard++ === 0 ? { text: '', tools: [does] } : { text: 'Done.' };
  };
}

const used = ({ ends }: Report) =>
  ends.map(({ evidence }) =>
    (evidence.agent.usage ?? []).reduce((sum: number, { input }: { input: number }) => sum + input, 0),
  );
const sessions = ({ ends }: Report) => ends.map(({ evidence }) => evidence.agent.session);

/** All that the model was sent in the last question. */
const lastBody = ({ model }: AgentRig) => JSON.stringify(model.asked.at(-1)!.body);

describe.each(kinds)('%s', (kind) => {
  it('goes on in the same conversation after a failed check, and each token is counted once', async () => {
    const files = { 'plan.md': planOf(kind, `retries: 1\n${check}`) };
    const rig = await AgentRig.start(kind, files, inTwo(kind));
    const report = await rig.run('run', 'plan.md', '--json');
    const told = lastBody(rig);
    await rig.close();
    expect(report.code, `${report.out}\n${report.err}`).toBe(0);
    expect(report.ends).toHaveLength(2);
    expect(report.ends[1].evidence.agent).toMatchObject({ class: 'done', resumed: true, folder: rig.workspace.folder });
    expect(new Set(sessions(report)).size).toBe(1);
    expect(told).toContain('My number is 4711.');
    expect(told).toContain('no second line');
    expect(used(report)).toEqual([2 * perTurn[kind], 2 * perTurn[kind]]);
    if (kind === 'claude') {
      const costs = report.ends.map(({ evidence }) => evidence.agent.costUsd);
      expect(costs[1]).toBeCloseTo(costs[0], 9);
    }
  });

  it('begins a new conversation where the earlier one is gone, and that costs no retry', async () => {
    const files = { 'plan.md': planOf(kind, 'retries: 0\nreview: human\n') };
    const rig = await AgentRig.start(kind, files, ({ turn, prompt }) => {
      const text = prompt.includes('This is a new conversation') ? 'again\n' : 'first\n';
      return turn === 0 ? { text: '', tools: [speech[kind].shell(`printf '${text}' > a.txt`)] } : { text: 'Done.' };
    });
    expect((await rig.run('run', 'plan.md', '--json')).code).toBe(4);
    expect((await rig.run('reject', 'a', '--reason', 'once more')).code).toBe(0);
    forget(rig, kind);
    const report = await rig.run('run', 'plan.md', '--json');
    const made = rig.workspace.read('a.txt');
    await rig.close();
    expect(report.code, `${report.out}\n${report.err}`).toBe(4);
    expect(report.ends.map(({ evidence }) => evidence.agent.class)).toEqual(['no-conversation', 'done']);
    const again = report.lines.filter(({ type }) => type === 'retry-scheduled');
    expect(again).toMatchObject([{ because: 'conversation' }]);
    expect(made).toBe('again\n');
  });

  it('asks a person with suspend, and the answer goes on in the conversation', async () => {
    const spaces = answering('spaces', speech[kind].shell('echo spaces > a.txt'));
    const rig = await AgentRig.start(kind, { 'plan.md': planOf(kind, 'retries: 0\n') }, (conversation) => {
      if (conversation.turn === 0) {
        // It is stopped in the middle of its call.
        const command = 'signalbox suspend --question "Tabs or spaces?"; python3 -c "import time; time.sleep(60)"';
        return { text: 'I ask.', tools: [speech[kind].shell(command)] };
      }
      return spaces(conversation);
    });
    const first = await rig.run('run', 'plan.md', '--json');
    expect(first.code, `${first.out}\n${first.err}`).toBe(4);
    expect(rig.processes()).toEqual([]);
    expect((await rig.run('decide', 'd1', '--note', 'spaces')).code).toBe(0);
    const second = await rig.run('run', 'plan.md', '--json');
    const told = lastBody(rig);
    const made = rig.workspace.has('a.txt') && rig.workspace.read('a.txt');
    await rig.close();
    expect(second.code, `${second.out}\n${second.err}`).toBe(0);
    expect(second.ends).toMatchObject([{ evidence: { agent: { class: 'done', resumed: true } } }]);
    expect(sessions(second)).toEqual(sessions(first));
    expect(told).toContain('Tabs or spaces?');
    expect(told).toContain('This is task a of the plan');
    expect(made).toBe('spaces\n');
  });
});

/** Claude Code keeps what was said in the home of the person, the others in one of their own. */
function forget(rig: AgentRig, kind: AgentName): void {
  const folder =
    kind === 'claude' ? join(rig.home, '.claude/projects') : join(rig.workspace.folder, '.signalbox/attempts');
  rmSync(folder, { recursive: true, force: true });
}

describe.runIf(kinds.includes('claude') || kinds.includes('opencode'))('a tool that was refused, or asks:', () => {
  const refusing: readonly {
    kind: AgentName;
    settings: string;
    files?: Record<string, string>;
    first: Turn;
    question: string;
  }[] = [
    {
      kind: 'claude',
      settings: settingsOf('claude', ['--disallowedTools', 'Bash(rm:*)', '--permission-mode', 'dontAsk']),
      first: { text: '', tools: [speech.claude.shell('rm -f b.txt')] },
      question: 'It may not use Bash.',
    },
    {
      // What its own agent leaves to be asked counts before all that we allow.
      kind: 'opencode',
      settings: `agents:\n  opencode: { env: { OPENCODE_CONFIG_CONTENT: '{"agent":{"build":{"permission":{"read":{"*.env":"ask"}}}}}' } }\n`,
      files: { '.env': 'KEY=1\n' },
      first: { text: 'I look.', tools: [{ name: 'read', input: { filePath: '.env' } }] },
      question: 'It may not use read.',
    },
    {
      kind: 'claude',
      settings: '',
      first: { text: '', tools: [{ name: 'AskUserQuestion', input: { questions: [{ question: 'Which one?' }] } }] },
      question: 'Which one?',
    },
  ];

  it.each(refusing.filter(({ kind }) => kinds.includes(kind)))(
    '$question of $kind is asked, and the answer goes on in the conversation',
    async ({ kind, settings, files = {}, first, question }) => {
      const all = { 'plan.md': planOf(kind, 'retries: 0\n'), 'signalbox.yaml': settings, ...files };
      const left = answering('leave it', speech[kind].write('a.txt', 'made\n'));
      const rig = await AgentRig.start(kind, all, (conversation) =>
        conversation.turn === 0 ? first : left(conversation),
      );
      const run = await rig.run('run', 'plan.md', '--json');
      expect(run.code, `${run.out}\n${run.err}`).toBe(4);
      const asked = run.lines.find(({ type }) => type === 'decision-opened');
      expect(asked).toMatchObject({ kind: 'question', task: 'a' });
      expect(asked.evidence.question).toContain(question);
      expect((await rig.run('decide', 'd1', '--note', 'leave it')).code).toBe(0);
      // Nothing is refused any more; Claude Code takes its mode from the settings each time.
      rig.workspace.write('signalbox.yaml', '');
      const again = await rig.run('run', 'plan.md', '--json');
      await rig.close();
      expect(again.code, `${again.out}\n${again.err}`).toBe(0);
      expect(again.ends).toMatchObject([{ evidence: { agent: { class: 'done', resumed: true } } }]);
      expect(sessions(again)).toEqual(sessions(run));
    },
  );
});
