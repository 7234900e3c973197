// The family of commands about saved work.
import type { CommandSpec } from './command-spec.ts';

const savedId = ['<SAVED-ID>', 'an id that saved list shows'] as const;

export const savedCommands: readonly CommandSpec[] = [
  {
    name: 'saved list',
    summary: 'list the work that was saved, the oldest first',
    plan: 'none',
    flags: [{ flags: '--absolute', about: 'times with their date and zone, instead of as people say them' }],
    examples: ['signalbox saved list', 'signalbox saved list --json'],
    load: async () => (await import('./commands/saved.ts')).savedList,
  },
  {
    name: 'saved show',
    summary: 'show what was saved, and how it differs from the files as they are now',
    args: [savedId],
    plan: 'none',
    flags: [{ flags: '--absolute', about: 'the time with its date and zone, instead of as people say it' }],
    notes:
      'Differences are shown from the file as it is now to the saved one: what restoring would change. Files that are larger than 1 MB, or no text, are told by their size.',
    examples: ['signalbox saved show api-1'],
    load: async () => (await import('./commands/saved.ts')).savedShow,
  },
  {
    name: 'saved restore',
    summary: 'write saved work back into the workspace, or into another folder',
    args: [savedId],
    plan: 'none',
    flags: [
      { flags: '--to <DIR>', about: 'write the files below this folder instead, and delete nothing' },
      { flags: '--force', about: 'also over files that were changed since' },
    ],
    notes:
      'Without --force, nothing at all is restored when a file would be overwritten that was changed since the work was saved. What was saved stays saved.',
    examples: ['signalbox saved restore api-1', 'signalbox saved restore api-1 --to /tmp/api'],
    load: async () => (await import('./commands/saved.ts')).savedRestore,
  },
];
