// A kind of agent: how its program is found and called, how it is told what to do, and what is understood of what it prints. A new kind
// is one file in `kinds/` and one line in `kinds/coding-agents.ts`; everything else asks `kindOf`.
import type { ResultClass } from '../core/model/agent-result.ts';
import type { AgentSettings, KindInSettings, Settings } from '../core/model/settings.ts';
import type { HookForms } from './hooks/hook-call.ts';
import * as table from './kinds/coding-agents.ts';
import { command } from './kinds/command.ts';
import type { AgentEvent } from './stream/agent-event.ts';
import type { Fields } from './stream/json-lines.ts';

export interface AgentKind {
  /** The program to look for before a run: a name on the PATH, or a path from the workspace; null: it depends on the task. */
  readonly program: (agent: AgentSettings, workspace: string) => string | null;
  /** How it is started. Nothing but looking is done here: whoever starts it writes the files and makes the links. */
  readonly launch: (agent: AgentSettings, request: LaunchRequest) => Launch;
  /** Whether it gets the prompt file as its standard input; false: its arguments say everything. */
  readonly isPrompted: boolean;
  /** What a line of its output tells; null: nobody reads it. */
  readonly events: ((line: Fields) => readonly AgentEvent[]) | null;
  /** How its hooks tell what it is about to do; null: it has none, and keeps to locks by its manners alone. */
  readonly hooks: HookForms | null;
  /** Whether it can go on in the conversation of an earlier attempt. */
  readonly canResume: boolean;
  /** A coding agent that Signalbox knows; null: any program. */
  readonly known: KnownProgram | null;
}

/** What is known about a coding agent. */
export interface KnownProgram {
  /** What a person calls it. */
  readonly title: string;
  /** The package of npm, and the version that the tests drive. */
  readonly package: string;
  readonly tried: string;
  /** It tells what it cost, of every model or of those whose price it knows; without it the settings' prices do. */
  readonly tellsCost?: 'always' | 'of-known-models';
  /** It can be told how hard to think. */
  readonly takesEffort?: true;
  /** It can be told what it may cost, and stops there. */
  readonly keepsBudget?: true;
  /** The variable that names where it keeps its login: an agent with a folder of its own has another account. Absent: there is none. */
  readonly loginFolder?: string;
  /** Variables of ours that it documents: its keys and where its service is. Nothing else of our environment reaches it. */
  readonly variables: readonly string[];
  /** Why no attempt can succeed here, and what to do about it; null: nothing is known against it. @param environment of the person */
  readonly unusable?: (
    agent: AgentSettings,
    environment: Readonly<Record<string, string | undefined>>,
  ) => { readonly because: string; readonly help: string } | null;
  /** Arguments with which it lets a command of its own make this file, without a model; absent: it cannot. */
  readonly trial?: (file: string) => readonly string[];
  /** The model that it uses unless it is told one, where its stream names none; null: nobody says. */
  readonly ownModel?: {
    /** @param home see `LaunchRequest` */
    readonly used: (home: string, session: string | null) => string | null;
    /** By the configuration of the person. */
    readonly configured: (agent: AgentSettings, environment: LaunchRequest['environment']) => string | null;
  };
  /** What it takes in by the configuration of the person that does not come with it, where its stream does not say: MCP servers and the like. */
  readonly loads?: (agent: AgentSettings, environment: LaunchRequest['environment']) => readonly string[];
  /** How its program is asked when its account may go on, where its stream does not say. Absent: nobody can ask it. */
  readonly limits?: LimitQuestion;
  /** What its end tells where its stream has no result: by its exit code, and what it printed beside. Null: nothing more. Absent: it never does. */
  readonly classOfExit?: (code: number, errors: string) => ResultClass | null;
  /** Lines that it prints beside its stream however it ends: they are no reason. */
  readonly noise?: RegExp;
  /** Whether the program itself writes this file where it works, whatever its model does: that is nobody's work. @param path with slashes */
  readonly isLitter?: (path: string) => boolean;
  /** In a resumed conversation it counts everything since the conversation began. */
  readonly countsFromBeginning?: true;
}

export interface LimitQuestion {
  readonly argv: (agent: AgentSettings) => readonly [string, ...string[]];
  /** On its standard input, which stays open until it has answered. */
  readonly told: string;
  /** @param printed its output so far. In ms; null: it does not know; undefined: it has not answered yet. */
  readonly answer: (printed: string) => number | null | undefined;
}

export interface LaunchRequest {
  readonly task: string;
  readonly attempt: string;
  readonly promptFile: string;
  readonly model: string;
  /** The conversation that it goes on in; null: a new one. */
  readonly resume: string | null;
  readonly workspace: string;
  /** A folder of our own for agents of this kind; what it needs there is among the files and links. */
  readonly home: string;
  /** What its hooks have to call, for a shell; null: it works without. */
  readonly hook: string | null;
  /** The program and the arguments of our MCP server, for this attempt alone; null: it works without. */
  readonly server: readonly [string, ...string[]] | null;
  /** Of the person. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly isRoot: boolean;
  /** What it may cost; absent: no budget limits it. */
  readonly mostUsd?: number;
}

export interface Launch {
  /** The program and its arguments, each one word whatever it holds: no shell sees them. */
  readonly argv: readonly [string, ...string[]];
  readonly env?: Readonly<Record<string, string>>;
  /** Absolute: folders that begin empty each time. */
  readonly fresh?: readonly string[];
  /** By absolute path: files that are written new each time. */
  readonly files?: Readonly<Record<string, string>>;
  /** By absolute path: a file of the person that the link leads to, such as a login; without that file there is no link. */
  readonly links?: Readonly<Record<string, string>>;
  /** By absolute path: a file of the person that is copied, so that the agent can write to its own. */
  readonly copies?: Readonly<Record<string, string>>;
}

const kinds: Readonly<Record<string, AgentKind>> = table;

/** Those that need no settings: their name is an agent. */
export const builtIn: readonly string[] = Object.keys(kinds).sort();

/** What `kind:` in the settings can name. `shell` is not among them: it performs `run:`. */
export const agentKinds: readonly KindInSettings[] = [
  { name: 'command', takesEffort: false, needsCommand: true },
  ...builtIn.map((name) => ({ name, takesEffort: kinds[name]!.known?.takesEffort === true, needsCommand: false })),
];

/** Of whichever of them the line is: a program may wrap one and print what that prints. */
export function anyEvents(line: Fields): readonly AgentEvent[] {
  for (const name of builtIn) {
    const found = kinds[name]!.events!(line);
    if (found.length > 0) return found;
  }
  return [];
}

/** What a coding agent printed beside its stream, without the lines that say nothing. */
export const withoutNoise = (text: string): string =>
  text
    .split('\n')
    .filter((line) => !builtIn.some((name) => kinds[name]!.known?.noise?.test(line)))
    .join('\n');

const anyProgram: AgentKind = { ...command, events: anyEvents };

/** Null: this version cannot run it. */
export function kindOf({ kind }: Pick<AgentSettings, 'kind'>): AgentKind | null {
  if (kind === 'command') return anyProgram;
  return builtIn.includes(kind) ? kinds[kind]! : null;
}

/** Its hooks take locks. */
export const isGoverned = ({ hooks }: AgentKind, { locks }: Settings): boolean =>
  hooks !== null && locks !== 'advisory';

/** A file that some program writes by itself. Beside it anybody may be at work: it belongs to nobody. */
export const isLitter = (path: string): boolean =>
  builtIn.some((name) => kinds[name]!.known?.isLitter?.(path) === true);

/** As the settings have it, or a built-in one; null: there is none of that name. */
export function agentNamed({ agents }: Settings, name: string): AgentSettings | null {
  if (Object.hasOwn(agents, name)) return agents[name]!;
  return builtIn.includes(name) ? { kind: name, command: [], args: [], env: {}, line: 0 } : null;
}
