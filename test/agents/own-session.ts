// A person's own Claude Code with the plugin: what they type, what they are asked, what they answer, and what the session reports.
import { spawn } from 'node:child_process';
import { join, resolve } from 'node:path';
import type { Line } from '../e2e/rig.ts';
import { running } from '../rigs/left-behind.ts';
import type { Conversation, Script, ToolCall, Turn } from './models/model-server.ts';
import { binOf } from './programs.ts';
import type { AgentRig } from './rig.ts';

export interface Person {
  /** May Claude do it? `Bash: ls`, `Write: a.txt`, or the name of the tool. Calls that the plugin allows are not asked about. */
  readonly allows?: (call: string) => boolean;
  /** To the question in AskUserQuestion. */
  readonly answers?: (question: string) => string;
}

export interface Session {
  readonly code: number | null;
  readonly events: readonly Line[];
  /** What it told at its beginning: commands, skills, servers. */
  readonly init: Line;
  /** The last message. */
  readonly said: string;
  /** What the person was asked, in order. */
  readonly asked: readonly string[];
}

export const tool = (name: string, input: object = {}): ToolCall => ({
  name: `mcp__plugin_plan_signalbox__${name}`,
  input,
});

export const bash = (command: string): ToolCall => ({ name: 'Bash', input: { command, description: 'a step' } });

export interface Heard {
  readonly prompts: string[];
  /** What each call returned. */
  readonly results: string[];
}

/** A model that makes these calls one after the other, whatever they return. */
export function calls(steps: readonly ToolCall[], heard: Heard = { prompts: [], results: [] }): Script {
  return ({ turn, prompt, results }: Conversation): Turn => {
    if (turn === 0) heard.prompts.push(prompt);
    heard.results.push(...results);
    const step = steps[turn];
    return step === undefined ? { text: 'Done.' } : { text: '', tools: [step] };
  };
}

/** Claude Code asks its questions on standard output, as it does programs that are built around it. */
export function type(rig: AgentRig, prompt: string, person: Person = {}): Promise<Session> {
  const asks = ['--input-format', 'stream-json', '--permission-prompt-tool', 'stdio'];
  const tells = ['--output-format', 'stream-json', '--verbose', '--include-hook-events'];
  const child = spawn(
    join(binOf('claude'), 'claude'),
    ['-p', ...asks, ...tells, '--plugin-dir', resolve('plugin'), '--model', 'sonnet'],
    { cwd: rig.workspace.folder, env: rig.env, stdio: ['pipe', 'pipe', 'pipe'] },
  );
  running.add(child);
  const say = (message: object) => child.stdin.write(`${JSON.stringify(message)}\n`);
  const events: Line[] = [];
  const asked: string[] = [];
  const hear = (line: Line) => {
    events.push(line);
    if (line.type === 'result') child.stdin.end();
    if (line.type !== 'control_request') return;
    const { tool_name: name, input } = line.request;
    asked.push(wordsOf(name, input));
    const response = answerTo(name, input, person);
    say({ type: 'control_response', response: { subtype: 'success', request_id: line.request_id, response } });
  };
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (part: string) => {
    const lines = (text + part).split('\n');
    text = lines.pop()!;
    for (const line of lines) hear(JSON.parse(line));
  });
  say({ type: 'user', message: { role: 'user', content: prompt } });
  return new Promise((done) => {
    child.on('close', (code) => {
      running.delete(child);
      const init = events.find(({ subtype }) => subtype === 'init');
      const said = events.findLast(({ type: kind }) => kind === 'result')?.result;
      done({ code, events, init, said, asked });
    });
  });
}

const wordsOf = (name: string, { command, file_path, questions }: Line): string =>
  name === 'AskUserQuestion' ? questions[0].question : [name, command ?? file_path].filter(Boolean).join(': ');

function answerTo(name: string, input: Line, { allows = () => true, answers = () => '' }: Person): object {
  if (name === 'AskUserQuestion') {
    const [{ question }] = input.questions;
    return { behavior: 'allow', updatedInput: { ...input, answers: { [question]: answers(question) } } };
  }
  return allows(wordsOf(name, input))
    ? { behavior: 'allow', updatedInput: input }
    : { behavior: 'deny', message: 'The person does not want that.' };
}
