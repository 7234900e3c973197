// Everything by which a repository can make git run a program, switched off. Git has no switch for all of it, so every key that names
// a program is overridden: those with fixed names always, those with names of their own when the configuration has them. Of a repository
// that a person trusts, hooks and filters run, and nothing else.

export type Overrides = readonly (readonly [key: string, value: string])[];

/** @param keys every key that is set in any configuration, sections and last names in lower case, as git lists them */
export function switchedOff(keys: readonly string[], isTrusted = false): Overrides {
  const all = overrides(keys);
  return isTrusted ? all.filter(([key]) => !isHookOrFilter.test(key)) : all;
}

/** Attributes of the person's own tell which files have a filter. */
const isHookOrFilter = /^(?:filter\.|hook\.|core\.(?:hooksPath|attributesFile)$)/;

function overrides(keys: readonly string[]): Overrides {
  const named = keys.flatMap((key) => {
    const hook = /^hook\.(.+)\.[^.]+$/s.exec(key)?.[1];
    if (hook !== undefined) return [[`hook.${hook}.enabled`, 'false'] as const];
    const found = namedKeys.find(([pattern]) => pattern.test(key));
    return found === undefined ? [] : [[key, found[1]] as const];
  });
  return [...fixedKeys, ...new Map(named)];
}

const namedKeys: readonly (readonly [RegExp, string])[] = [
  // An empty filter changes nothing. A required one that does nothing would be an error.
  [/^filter\..+\.(?:clean|smudge|process)$/s, ''],
  [/^filter\..+\.required$/s, 'false'],
  // Git cannot start an empty command: what would still ask for one fails, and runs nothing.
  [/^diff\..+\.(?:command|textconv)$/s, ''],
  [/^merge\..+\.driver$/s, 'false'],
  [/^credential\..+\.helper$/s, ''],
  [/^remote\..+\.vcs$/s, ''],
  [/^submodule\..+\.update$/s, 'none'],
  [/^gpg\..+\.(?:program|defaultkeycommand)$/s, 'false'],
  [/^pager\./s, 'false'],
  [/^(?:trailer|tar|mergetool|difftool|browser|man|guitool)\..+\.(?:command|cmd|path)$/s, ''],
];

const fixedKeys: Overrides = [
  ['core.hooksPath', '/dev/null'],
  ['core.fsmonitor', 'false'],
  ['core.attributesFile', '/dev/null'],
  ['core.sshCommand', 'false'],
  ['core.askPass', ''],
  ['core.pager', 'cat'],
  ['core.editor', 'false'],
  ['core.alternateRefsCommand', 'true'],
  ['sequence.editor', 'false'],
  ['interactive.diffFilter', ''],
  ['diff.external', ''],
  ['credential.helper', ''],
  ['commit.gpgSign', 'false'],
  ['tag.gpgSign', 'false'],
  ['tag.forceSignAnnotated', 'false'],
  ['push.gpgSign', 'false'],
  ['log.showSignature', 'false'],
  ['gpg.program', 'false'],
  ['uploadpack.packObjectsHook', ''],
  ['protocol.ext.allow', 'never'],
  ['submodule.recurse', 'false'],
  // What git would start by itself and leave behind.
  ['gc.auto', '0'],
  ['maintenance.auto', 'false'],
];
