// The family `lock`: what agents call from any shell, and what people look at.

import type { CommandSpec, FlagSpec } from './command-spec.ts';
import { wholeNumber } from './whole-number.ts';

const agent: FlagSpec = { flags: '--agent <NAME>', about: 'who wants it; inside an attempt, the attempt by default' };
const shared: FlagSpec = { flags: '--shared', about: 'shared with others who only read' };
const pid: FlagSpec = {
  flags: '--pid <PID>',
  about: 'keep it while this process lives; otherwise for 30 minutes after the last call',
  parse: (text) => wholeNumber(text, '--pid', 1),
};
const resources = ['<RESOURCE...>', 'paths, globs, or names such as db:test; all of them or none'] as const;
const codes =
  'Exit code 0: got it; 1: busy or timed out, and the holder is printed; 5: refused, because it would be a deadlock or because this agent was stopped to end one; 2: no agent is named, or a path is outside the workspace.';

export const lockCommands: readonly CommandSpec[] = [
  {
    name: 'lock try',
    group: 'hand',
    summary: 'take a lock if it is free',
    args: [resources],
    plan: 'workspace',
    quiet: 'held',
    flags: [agent, shared, pid],
    notes: codes,
    examples: ['signalbox lock try src/a.ts', 'signalbox lock try db:test --agent ann'],
    load: async () => (await import('../commands/lock.ts')).lockTry,
  },
  {
    name: 'lock wait',
    group: 'hand',
    summary: 'take a lock as soon as it is free',
    args: [resources],
    plan: 'workspace',
    quiet: 'held',
    flags: [
      agent,
      shared,
      pid,
      {
        flags: '--timeout <SECONDS>',
        about: 'how long to wait; 300 by default',
        parse: (text) => wholeNumber(text, '--timeout', 0),
      },
      { flags: '--yield', about: 'be refused rather than let an attempt be stopped, if it would be a deadlock' },
    ],
    notes: codes,
    examples: ['signalbox lock wait src/a.ts src/b.ts', 'signalbox lock wait "src/**" --timeout 60 --agent ann'],
    load: async () => (await import('../commands/lock.ts')).lockWait,
  },
  {
    name: 'lock release',
    group: 'hand',
    summary: 'release locks',
    args: [resources],
    plan: 'workspace',
    quiet: 'held',
    flags: [
      agent,
      { flags: '--force', about: 'take it from whoever holds it; for people, with --reason' },
      { flags: '--reason <TEXT>', about: 'why it is forced; it is recorded' },
    ],
    examples: [
      'signalbox lock release src/a.ts',
      'signalbox lock release db:test --force --reason "its owner is gone"',
    ],
    load: async () => (await import('../commands/lock.ts')).lockRelease,
  },
  {
    name: 'lock release-all',
    group: 'hand',
    summary: 'release all locks',
    plan: 'workspace',
    quiet: 'held',
    flags: [agent],
    examples: ['signalbox lock release-all --agent ann'],
    load: async () => (await import('../commands/lock.ts')).lockReleaseAll,
  },
  {
    name: 'lock check',
    group: 'hand',
    summary: 'say whether a lock is free, or who holds it',
    args: [['<RESOURCE>', 'a path, a glob, or a name']],
    plan: 'workspace',
    quiet: 'held',
    flags: [shared],
    notes: 'Exit code 0: it is free; 1: somebody holds it.',
    examples: ['signalbox lock check src/a.ts'],
    load: async () => (await import('../commands/lock.ts')).lockCheck,
  },
  {
    name: 'lock list',
    group: 'hand',
    summary: 'list who holds and who waits for which locks, and for how long',
    plan: 'workspace',
    flags: [{ flags: '--absolute', about: 'show times with date and zone, not as "3 s ago"' }],
    examples: ['signalbox lock list'],
    load: async () => (await import('../commands/lock.ts')).lockList,
  },
];
