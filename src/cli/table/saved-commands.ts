// The family of commands about saved work.
import type { CommandSpec } from './command-spec.ts';

const savedId = ['<SAVED-ID>', 'an id that "signalbox saved" lists'] as const;

const listing = (name: string): CommandSpec => ({
  name,
  group: 'results',
  summary: 'list saved and unmerged work, the oldest first',
  plan: 'workspace',
  flags: [{ flags: '--absolute', about: 'show times with date and zone, not as "3 s ago"' }],
  notes:
    'In a shared run, work is saved as copies when an attempt is stopped. In a run with worktrees, it stays on the branch of the attempt: the list has every branch that is not among the results, and every tree with changes that nobody committed. With --plan, only that of the plan.',
  examples: [`signalbox ${name}`, `signalbox ${name} --json`],
  load: async () => (await import('../results/saved.ts')).savedList,
});

export const savedCommands: readonly CommandSpec[] = [
  listing('saved'),
  listing('saved list'),
  {
    name: 'saved show',
    group: 'results',
    summary: 'show what was saved, and how it differs from the files now',
    args: [savedId],
    plan: 'workspace',
    flags: [{ flags: '--absolute', about: 'show the time with date and zone, not as "3 s ago"' }],
    notes:
      'Differences go from the file as it is now to the saved one: they show what restoring would change. Of files that are larger than 1 MB, or not text, only the size is shown.',
    examples: ['signalbox saved show api-1', 'signalbox saved show plan/api.2'],
    load: async () => (await import('../results/saved.ts')).savedShow,
  },
  {
    name: 'saved restore',
    group: 'results',
    summary: 'write saved work into the workspace, or another folder',
    args: [savedId],
    plan: 'workspace',
    quiet: 'held',
    flags: [
      { flags: '--to <DIR>', about: 'write the files into this folder instead, and delete nothing' },
      { flags: '--force', about: 'also overwrite files that were changed since' },
    ],
    notes:
      'Without --force, nothing is restored if that would overwrite a file that was changed since the work was saved. Saved work is kept after restoring.',
    examples: ['signalbox saved restore api-1', 'signalbox saved restore api-1 --to /tmp/api'],
    load: async () => (await import('../results/saved.ts')).savedRestore,
  },
];
