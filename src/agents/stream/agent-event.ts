// What agents print, in one language whatever their kind: each kind turns a line of its stream into these.
import type { ModelUsage, ResultClass } from '../../core/model/agent-result.ts';

export type AgentEvent =
  /** The conversation has a name, under which it can be resumed. `version`: of the program. `loaded`: what the program has taken in that did not come with it. */
  | { readonly type: 'session'; readonly id: string; readonly version?: string; readonly loaded?: readonly string[] }
  /** `goesOn`: a piece of a message; it follows the piece before it, if that came just before. */
  | { readonly type: 'said'; readonly text: string; readonly goesOn?: true }
  /** `writes`: the files that the call changes, as the agent spells them. `isShell`: a command, which may write anywhere. */
  | {
      readonly type: 'called';
      readonly id: string;
      readonly tool: string;
      readonly input: unknown;
      readonly writes?: readonly string[];
      readonly isShell?: true;
    }
  /** `ran`: whether a call that failed came as far as its tool; absent: nobody knows. `byHook`: it was not made, because a hook denied it. */
  | {
      readonly type: 'returned';
      readonly id: string;
      readonly ok: boolean;
      readonly text: string;
      readonly ran?: boolean;
      readonly byHook?: true;
    }
  /** `by`: a subagent, by the name of its conversation. `message`: the answer that it is about; its model may have been told apart. */
  | { readonly type: 'usage'; readonly usage: ModelUsage; readonly by?: string; readonly message?: string }
  /** Which model is about to give this answer. */
  | { readonly type: 'model'; readonly message: string; readonly model: string }
  /** A subagent has worked, whose usage is told apart. */
  | { readonly type: 'delegated'; readonly to: string }
  /** What the program has taken in that did not come with it, told before its conversation begins. */
  | { readonly type: 'loaded'; readonly names: readonly string[] }
  /** It called a tool that asks a person. Nobody answers there; it may go on by itself. */
  | { readonly type: 'asked'; readonly question: string }
  /** The program itself refused a tool, by the permissions it has. `id`: a call that a hook may have denied, which is no refusal. */
  | { readonly type: 'denied'; readonly tool: string; readonly id?: string }
  /** The account has reached its limit, and until when, in ms. `fromWords`: to the minute, if nothing else has told it. */
  | { readonly type: 'limit'; readonly resetsAt: number; readonly fromWords?: true }
  /** What kind of trouble a result is about that only says that there was some. */
  | { readonly type: 'trouble'; readonly class: ResultClass; readonly text: string }
  /** Work goes on beside the conversation, or has ended: the agent may be called back by it. */
  | { readonly type: 'background'; readonly id: string; readonly isOver: boolean }
  /** The program tries again by itself. */
  | { readonly type: 'retrying'; readonly because: string }
  /** The end of a turn. Others may follow: the last one decides. */
  | { readonly type: 'result'; readonly result: StreamResult };

export interface StreamResult {
  readonly class: ResultClass;
  /** What the agent said last, or what went wrong. */
  readonly text: string;
  readonly costUsd?: number;
  /** Of the whole process so far; replaces what was counted call by call. */
  readonly usage?: readonly ModelUsage[];
  /** Since the result before it; is added to what was counted. */
  readonly more?: readonly ModelUsage[];
}
