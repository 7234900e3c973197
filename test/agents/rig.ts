// A real coding agent that works for the real `signalbox` command, and a scripted model that it talks to. Everything is thrown away
// afterwards: workspace, home, server. The environment is empty but for a dummy key and where the model is.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll } from 'vitest';
import { type Ended, type Line, type Started, Workspace } from '../e2e/rig.ts';
import { anthropic } from './models/anthropic.ts';
import { gemini } from './models/gemini.ts';
import { type Conversation, type Dialect, ModelServer, type Script, type ToolCall } from './models/model-server.ts';
import { openai } from './models/openai.ts';
import { kill, processesOf } from './processes.ts';
import { type AgentName, binOf } from './programs.ts';

export { named } from './processes.ts';

/** Those that this run is about, in the order of the table; `main.ts` has installed them. */
export const kinds: readonly AgentName[] = (process.env.SIGNALBOX_TEST_KINDS ?? '')
  .split(',')
  .filter((name): name is AgentName => name !== '');

interface Speech {
  readonly dialect: Dialect;
  /** Variables with which a person would start it. */
  readonly env: (url: string) => Record<string, string>;
  /** In the home of the person. */
  readonly files: (url: string) => Record<string, string>;
  readonly write: (file: string, text: string) => ToolCall;
  readonly shell: (command: string) => ToolCall;
}

export const speech: Readonly<Record<AgentName, Speech>> = {
  claude: {
    dialect: anthropic,
    env: (url) => ({ ANTHROPIC_BASE_URL: url, ANTHROPIC_API_KEY: 'dummy' }),
    files: () => ({
      '.claude/settings.json': JSON.stringify({
        env: { CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1', CLAUDE_CODE_MAX_RETRIES: '1' },
      }),
    }),
    write: (file_path, content) => ({ name: 'Write', input: { file_path, content } }),
    shell: (command) => ({ name: 'Bash', input: { command, description: 'a step' } }),
  },
  codex: {
    dialect: openai,
    env: () => ({ OPENAI_API_KEY: 'dummy' }),
    // A model that it knows: it has no tool for patches with others.
    files: (url) => ({
      '.codex/config.toml': [
        'model = "gpt-5.5"',
        'model_provider = "scripted"',
        'check_for_update_on_startup = false',
        '[analytics]',
        'enabled = false',
        // It would look for plugins in the internet.
        '[features]',
        'plugins = false',
        '[model_providers.scripted]',
        'name = "scripted"',
        `base_url = "${url}/v1"`,
        'env_key = "OPENAI_API_KEY"',
        'wire_api = "responses"',
        'request_max_retries = 1',
        'stream_max_retries = 1',
        'supports_websockets = false',
        '',
      ].join('\n'),
    }),
    write: (file, text) => ({
      name: 'apply_patch',
      input: `*** Begin Patch\n*** Add File: ${file}\n${text.replace(/\n$/, '').replace(/^/gm, '+')}\n*** End Patch\n`,
    }),
    shell: (cmd) => ({ name: 'exec_command', input: { cmd } }),
  },
  opencode: {
    dialect: openai,
    env: () => ({}),
    files: (url) => ({
      '.config/opencode/opencode.json': JSON.stringify({
        $schema: 'https://opencode.ai/config.json',
        model: 'scripted/m1',
        autoupdate: false,
        provider: {
          scripted: {
            npm: '@ai-sdk/openai-compatible',
            name: 'scripted',
            options: { baseURL: `${url}/v1`, apiKey: 'dummy' },
            models: { m1: { name: 'm1', cost: { input: 1, output: 2 } } },
          },
        },
      }),
      // It installs a package into folders with configuration: not from the internet, and without waiting for it.
      '.npmrc': 'registry=http://127.0.0.1:9/\nfetch-retries=0\n',
    }),
    write: (filePath, content) => ({ name: 'write', input: { filePath, content } }),
    shell: (command) => ({ name: 'bash', input: { command, description: 'a step' } }),
  },
  gemini: {
    dialect: gemini,
    env: (url) => ({ GOOGLE_GEMINI_BASE_URL: url, GEMINI_API_KEY: 'dummy' }),
    files: () => ({
      '.gemini/settings.json': JSON.stringify({
        security: { auth: { selectedType: 'gemini-api-key' } },
        model: { name: 'gemini-2.5-flash' },
        general: { enableAutoUpdate: false },
        privacy: { usageStatisticsEnabled: false },
      }),
    }),
    write: (file_path, content) => ({ name: 'write_file', input: { file_path, content } }),
    shell: (command) => ({ name: 'run_shell_command', input: { command } }),
  },
};

const open = new Set<AgentRig>();

afterAll(async () => {
  for (const rig of open) await rig.close();
});

export class AgentRig {
  readonly workspace: Workspace;
  readonly model: ModelServer;
  readonly home: string;
  readonly #models: readonly ModelServer[];
  /** With which the person starts programs. */
  readonly env: Record<string, string>;

  static async start(kind: AgentName, files: Readonly<Record<string, string>>, script: Script): Promise<AgentRig> {
    return AgentRig.startAll({ [kind]: script }, files);
  }

  /** Several kinds in one workspace, each with a model of its own. */
  static async startAll(
    scripts: Readonly<Partial<Record<AgentName, Script>>>,
    files: Readonly<Record<string, string>>,
  ): Promise<AgentRig> {
    const models = new Map<AgentName, ModelServer>();
    for (const [kind, script] of Object.entries(scripts) as [AgentName, Script][])
      models.set(kind, await ModelServer.start(speech[kind].dialect, script));
    return new AgentRig(models, files);
  }

  private constructor(models: ReadonlyMap<AgentName, ModelServer>, files: Readonly<Record<string, string>>) {
    this.#models = [...models.values()];
    this.model = this.#models[0]!;
    this.workspace = new Workspace(files);
    this.home = mkdtempSync(join(tmpdir(), 'signalbox-home-'));
    const programs = [...models.keys()].map(binOf);
    this.env = {
      PATH: [...programs, dirname(process.execPath), '/usr/local/bin', '/usr/bin', '/bin'].join(':'),
      HOME: this.home,
      SIGNALBOX_STATE: join(this.home, 'state'),
      LANG: 'C.UTF-8',
    };
    for (const [kind, { url }] of models) {
      Object.assign(this.env, speech[kind].env(url));
      for (const [name, text] of Object.entries(speech[kind].files(url))) {
        mkdirSync(dirname(join(this.home, name)), { recursive: true });
        writeFileSync(join(this.home, name), text);
      }
    }
    open.add(this);
  }

  start(...args: string[]): Started {
    return this.startWith({}, ...args);
  }

  /** Variables without a text are not set. */
  startWith(env: Readonly<Record<string, string>>, ...args: string[]): Started {
    const all = Object.entries({ ...this.env, ...env }).filter(([, value]) => value !== '');
    return this.workspace.startWith(Object.fromEntries(all), ...args);
  }

  /** In a process of its own. */
  async run(...args: string[]): Promise<Report> {
    return reportOf(await this.start(...args).ended);
  }

  async close(): Promise<void> {
    open.delete(this);
    for (const pid of this.processes()) kill(pid);
    for (const model of this.#models) await model.close();
    rmSync(this.home, { recursive: true, force: true });
  }

  /** Those that work in the workspace or were started for it, whoever their parent is. */
  processes(): number[] {
    return processesOf(this.workspace.folder);
  }
}

export interface Report extends Ended {
  /** Of the attempts in the order of their ends. */
  readonly ends: readonly Line[];
  /** By task. */
  readonly failures: Readonly<Record<string, Line>>;
  readonly completed: readonly string[];
}

export function reportOf(ended: Ended): Report {
  const of = (type: string) => ended.lines.filter((line) => line.type === type);
  return {
    ...ended,
    ends: of('attempt-ended'),
    failures: Object.fromEntries(of('task-failed').map(({ task, failure }) => [task, failure])),
    completed: of('task-completed').map(({ task }) => task),
  };
}

/** Which task the agent was given. */
export function taskIn({ prompt }: Pick<Conversation, 'prompt'>): string {
  const found = /This is task (\S+) of the plan/.exec(prompt);
  if (!found) throw new Error('the prompt names no task');
  return found[1]!;
}
