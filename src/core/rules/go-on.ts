// Whether the next attempt of a task goes on in the conversation of an earlier one.
//
//   the same agent, account and folder    goes on
//   it is too long, or was not found      a new one
//   another agent, account or folder      a new one
//   the debugging agent                   a new one: it is told everything there is
//   a program that cannot resume          a new one
import type { AttemptId } from '../model/ids.ts';
import type { Conversation } from '../state/conversation.ts';

export interface NextAttempt {
  readonly by: string;
  readonly account?: string;
  readonly folder: string;
  readonly canResume: boolean;
  readonly isEscalated: boolean;
}

export type Talk =
  | { readonly kind: 'goes-on'; readonly conversation: Conversation }
  /** There was one before. */
  | { readonly kind: 'new'; readonly because: NewBecause; readonly earlier: AttemptId };

export type NewBecause = NonNullable<Conversation['over']> | 'agent' | 'account' | 'folder' | 'program';

/** Null: there was none. */
export function talkOf(conversation: Conversation | null, next: NextAttempt): Talk | null {
  if (conversation === null) return null;
  const because = whyNew(conversation, next);
  return because === null ? { kind: 'goes-on', conversation } : { kind: 'new', because, earlier: conversation.attempt };
}

function whyNew(conversation: Conversation, next: NextAttempt): NewBecause | null {
  if (conversation.by !== next.by || next.isEscalated) return 'agent';
  if (conversation.over !== undefined) return conversation.over;
  if (conversation.account !== next.account) return 'account';
  if (conversation.folder !== next.folder) return 'folder';
  return next.canResume && isName(conversation.id) ? null : 'program';
}

/** A program printed it, and it becomes an argument: nothing that could be read as an option. */
const isName = (id: string): boolean => /^[A-Za-z0-9][A-Za-z0-9_-]*$/.test(id);
