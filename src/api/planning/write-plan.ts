// `plan`: an agent writes a plan file. What it answers is held to the grammar, and its mistakes go back to it, three rounds in all. The file
// is the person's then; nothing of it runs.
//
//   asked    →  an answer without mistakes   the file, recorded as an agent's work
//            →  an answer with mistakes      asked again, with them; after the last round a draft
//            →  no answer                    why; what a round before answered is kept as a draft
import { baseEnvironment } from '../../agents/process/base-environment.ts';
import { planAnswer } from '../../agents/prompt/plan-answer.ts';
import { type PlanMistake, planPrompt } from '../../agents/prompt/plan-prompt.ts';
import { plainLine } from '../../agents/sanitize-terminal.ts';
import type { Plan } from '../../core/model/plan.ts';
import { planCommands, planOrders } from '../../core/model/plan-orders.ts';
import { fileTrouble } from '../../files/disk/file-outage.ts';
import type { PlanReading } from '../../plan/read-plan.ts';
import { Outage } from '../../store/outage.ts';
import { parsePlan, revisionOf, withSettings } from '../files/plan-file.ts';
import { Refusal } from '../refusal.ts';
import type { PlanReport, RunHindrance } from '../reports/plan-files.ts';
import { freshPlan } from '../run/imagine-plan.ts';
import { hindrancesOf, unsupportedIn } from '../run/ready-to-run.ts';
import { installCommand, type OwnCommand } from '../trust/own-command.ts';
import type { Workspace } from '../workspace.ts';
import { agentTurn, type Turn } from './agent-turn.ts';
import { type PlaceWish, PlanPlace } from './plan-place.ts';
import { planningAgent, usableAgents } from './planning-agent.ts';
import { openScratch, type Scratch } from './scratch.ts';

export interface WritingParts {
  readonly workspace: Workspace;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** How what it starts calls Signalbox. */
  readonly command: OwnCommand;
}

export interface PlanAction {
  readonly agent: string;
  readonly round: number;
  readonly mostRounds: number;
  /** Empty: it is not known. */
  readonly action: string;
}

export interface WriteOptions extends Omit<PlaceWish, 'wish'> {
  /** Absent: that of the settings, or the first that is installed. */
  readonly agent?: string | undefined;
  readonly model?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  /** What the agent does now. */
  readonly onAction?: ((about: PlanAction) => void) | undefined;
}

const mostRounds = 3;

/** Null: it was interrupted. */
export async function writePlan(parts: WritingParts, wish: string, options: WriteOptions): Promise<PlanReport | null> {
  const { workspace, cwd, env, command } = parts;
  if (wish.trim() === '')
    throw new Refusal(2, 'you did not say what you want', { instead: 'say it: signalbox plan "add a search page"' });
  const agent = planningAgent(workspace, env, options.agent);
  const place = new PlanPlace(workspace, cwd, { out: options.out, force: options.force, wish });
  const commandFolder = installCommand(workspace.userFolder, command);
  const environment = baseEnvironment(env);
  const agents = [...new Set([workspace.settings.defaults.agent ?? agent, ...usableAgents(workspace, env)])];
  const scratch = await openScratch(workspace, environment);
  let last: Judged | null = null;
  /** The last one that can be read, although `run` would refuse it here. */
  let usable: Judged | null = null;
  let costUsd: number | null = null;
  try {
    for (let round = 1; ; round++) {
      if (options.signal?.aborted) return null;
      options.onAction?.({ agent, round, mostRounds, action: '' });
      const { end, costUsd: cost } = await agentTurn(
        {
          ...{ workspace, agent, commandFolder, environment, personal: env, plan: place.path },
          ...{ root: scratch.root, folder: scratch.folder, model: options.model, signal: options.signal },
          onAction: (action) => options.onAction?.({ agent, round, mostRounds, action }),
        },
        round,
        planPrompt({ wish, agents, ...(last ? { before: last } : {}) }),
      );
      costUsd = cost === null ? costUsd : (costUsd ?? 0) + cost;
      if (end.kind === 'interrupted') return null;
      const text = end.kind === 'said' ? planAnswer(end.text) : '';
      // Asked before anything is written there.
      const about = { agent, rounds: round, costUsd, notes: await scratch.notes() };
      if (text === '') {
        const draft = last && keepDraft(scratch, place, agent, last);
        return { ...nothing, ...(last ? judgedFields(last) : {}), ...about, ...noAnswer(end), plan: draft };
      }
      last = await judge(parts, place, text);
      if (last.plan) usable = last;
      const taken = last.mistakes.length === 0 || round === mostRounds ? usable : null;
      if (taken) {
        const written = { agent, orders: planOrders(taken.plan!) };
        const path = keeping(scratch, taken.text, () => place.put(taken.text, written));
        return { ...nothing, ...judgedFields(taken), ...about, outcome: 'written', plan: path };
      }
      if (round === mostRounds) {
        const draft = keepDraft(scratch, place, agent, last);
        return { ...nothing, ...judgedFields(last), ...about, outcome: 'draft', plan: draft };
      }
    }
  } finally {
    scratch.close();
  }
}

interface Judged {
  readonly text: string;
  /** Null: it has mistakes. */
  readonly plan: Plan | null;
  readonly reading: PlanReading;
  readonly hindrances: readonly RunHindrance[];
  /** All that the agent could do better. */
  readonly mistakes: readonly PlanMistake[];
}

/** As `check` does: its grammar, what this version cannot do, agents that are not here. */
async function judge({ workspace, env }: WritingParts, { path }: PlanPlace, text: string): Promise<Judged> {
  const reading = await parsePlan(workspace, { path, text, revision: revisionOf(workspace.settingsText, text) });
  const plan = reading.plan && withSettings(reading.plan, workspace.settings);
  const hindrances = plan ? hindrancesOf(workspace, freshPlan(plan), { selected: null, onFailure: null, env }) : [];
  const unsupported = plan ? unsupportedIn(workspace, plan) : [];
  const mistakes: PlanMistake[] = [
    ...reading.diagnostics.filter(({ severity }) => severity === 'error'),
    ...unsupported.map(({ key, line }) => ({ line, message: `"${key}" is not supported` })),
    ...hindrances,
  ];
  return { text, plan, reading, hindrances, mistakes };
}

const nothing = {
  ...{ outcome: 'failed', plan: null, failure: null, said: [], until: null },
  ...{ tasks: 0, diagnostics: [], hindrances: [], commands: [], approved: false },
} as const;

const judgedFields = ({ plan, reading, hindrances }: Judged) => ({
  tasks: plan?.tasks.filter(({ group }) => !group).length ?? 0,
  diagnostics: reading.diagnostics,
  hindrances: [...hindrances],
  commands: plan ? planCommands(plan) : [],
});

function noAnswer(
  end: Exclude<Turn['end'], { readonly kind: 'interrupted' }>,
): Pick<PlanReport, 'outcome' | 'failure' | 'said' | 'until'> {
  if (end.kind === 'said')
    return { outcome: 'failed', failure: { kind: 'nothing-done', lacks: 'text' }, said: [], until: null };
  const said = end.tail.map(plainLine);
  if (end.kind === 'quota') return { outcome: 'quota', failure: null, said, until: end.until };
  return { outcome: 'failed', failure: end.failure, said, until: null };
}

/** What orders it has cannot be read, so each of its lines counts as one. */
const keepDraft = (scratch: Scratch, place: PlanPlace, agent: string, { text, plan }: Judged) =>
  keeping(scratch, text, () => place.putDraft(text, { agent, orders: plan ? planOrders(plan) : linesAsOrders(text) }));

/** Work that was paid for is not lost because of a full disk. */
function keeping<T>(scratch: Scratch, text: string, put: () => T): T {
  try {
    return put();
  } catch (error) {
    const where = `what the agent wrote is kept in ${scratch.keep(text)}`;
    const trouble = fileTrouble('the plan could not be written', error);
    if (trouble) throw new Outage(trouble.kind, `${trouble.message}; ${where}`, { cause: error });
    throw new Refusal(2, `the plan could not be written: ${(error as Error).message}`, { instead: where });
  }
}

const linesAsOrders = (text: string): string[] =>
  text.split('\n').flatMap((line) => /^\s*(?:[-*+]\s+)?(?:[\w-]+:\s+)?`?(.*?)`?\s*$/.exec(line)?.[1] || []);
