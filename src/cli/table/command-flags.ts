// Every flag of a command: its own, and those that come with what it is. Short forms are given here and nowhere else, so that a flag has
// the same one in every command, in its help, in completion and in the docs.
import type { CommandSpec, FlagSpec } from './command-spec.ts';

export const shortForms: Readonly<Record<string, string>> = {
  '--dry-run': '-n',
  '--follow': '-f',
  '--max-parallel': '-j',
  '--parallel': '-j',
  '--plan': '-p',
  '--quiet': '-q',
  '--verbose': '-v',
  '--watch': '-w',
  '--yes': '-y',
};

export function flagsOf(spec: CommandSpec): FlagSpec[] {
  const { flags = [], plan, quiet } = spec;
  const all: FlagSpec[] = [
    ...flags,
    ...(plan === 'none' ? [] : [{ flags: '--plan <PLAN>', about: planMeans[plan] }]),
    ...(quiet === undefined ? [] : [{ flags: '--quiet', about: quietMeans[quiet] }]),
    { flags: '--verbose', about: 'say more' },
    { flags: '--json', about: 'for programs: one object, or one per line; schema/output.json describes them' },
  ];
  return all.map((flag) => ({ ...flag, flags: withShortForm(flag.flags) }));
}

const theOne = 'the plan file; the current one by default';
const planMeans = {
  argument: theOne,
  among: theOne,
  'maybe-first': theOne,
  flag: theOne,
  workspace: 'in the workspace of this plan file',
} as const;

const quietMeans = {
  held: 'print nothing unless something is wrong',
  own: 'print only warnings, failures and the summary',
} as const;

function withShortForm(flags: string): string {
  const short = shortForms[flags.split(' ')[0]!];
  return short === undefined ? flags : `${short}, ${flags}`;
}
