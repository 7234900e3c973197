// Another user of the same machine plants what Signalbox looks for. None of it is used, by an ordinary user or by root.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { someOf } from '../../how-many.ts';
import { ann, hasTwoUsers, mallory, root, sharedFolder, User } from '../../rigs/two-users.ts';

/** What mallory's plan and settings would do to whoever believes them. */
const evilPlan = 'tasks: {a: {run: "id -u > $PWD/evil"}}\n';
const evilSettings = 'agents: {x: {kind: command, command: [./evil.sh]}}\n';

function scene(victim: number) {
  const shared = sharedFolder();
  const me = new User(victim, shared);
  const other = new User(mallory, shared);
  const mine = me.makes(join(shared, 'mine'));
  me.does(`printf 'tasks: {a: {run: "echo mine > done"}}' > plan.yaml`, mine);
  return { shared, me, other, mine };
}

const victims = [
  ['an ordinary user', ann],
  ['root', root],
] as const;

describe.skipIf(!hasTwoUsers).each(someOf(victims))('as %s', (_, victim) => {
  it('state of another user in a folder above is refused with the reason, and its bin/ is on no PATH', () => {
    const { shared, me, other, mine } = scene(victim);
    other.does(`printf '${evilPlan}' > evil.yaml`, shared);
    expect(other.runsWith({ SIGNALBOX_WORKSPACE: shared }, shared, 'set', 'evil.yaml').code).toBe(0);
    expect(statSync(join(shared, '.signalbox')).uid).toBe(mallory);
    other.does('chmod 755 .signalbox; mkdir .signalbox/bin; echo "echo evil" > .signalbox/bin/echo', shared);
    for (const args of [
      ['status'],
      ['run', 'plan.yaml'],
      ['set', 'plan.yaml'],
      ['lock', 'try', 'a'],
      ['trust', '--state'],
    ]) {
      const { code, err } = me.runs(mine, ...args);
      expect([args, code, err]).toEqual([args, 2, expect.stringContaining(`belongs to another user (${mallory})`)]);
      expect(err).toContain(join(shared, '.signalbox'));
    }
    expect(existsSync(join(mine, '.signalbox'))).toBe(false);
    // In a repository of one's own nobody looks beyond it.
    me.does('git init -q .', mine);
    expect(me.runs(mine, 'run', 'plan.yaml').code).toBe(0);
    expect(readFileSync(join(mine, 'done'), 'utf8')).toBe('mine\n');
  });

  it('settings of another user in a folder above are refused, also through a link of mine', () => {
    const { shared, me, other, mine } = scene(victim);
    other.does(`printf '${evilSettings}' > signalbox.yaml`, shared);
    const above = me.runs(mine, 'check', 'plan.yaml');
    expect([above.code, above.err]).toEqual([2, expect.stringContaining(`(${mallory})`)]);
    me.does('ln -s ../signalbox.yaml signalbox.yaml; git init -q .', mine);
    const linked = me.runs(mine, 'check', 'plan.yaml');
    expect([linked.code, linked.err]).toEqual([2, expect.stringContaining(`(${mallory})`)]);
  });

  it('a repository of another user above is not taken for the root of mine', () => {
    const { shared, me, other, mine } = scene(victim);
    other.does('git init -q .', shared);
    expect(me.runs(mine, 'run', 'plan.yaml').code).toBe(0);
    expect([existsSync(join(mine, '.signalbox')), existsSync(join(shared, '.signalbox'))]).toEqual([true, false]);
  });

  it('nothing is made in the folder of another user, unless the environment names it', () => {
    const { shared, me, other } = scene(victim);
    const theirs = other.makes(join(shared, 'theirs'));
    other.does(`chmod 777 .; printf '${evilPlan}' > plan.yaml`, theirs);
    const { code, err } = me.runs(theirs, 'run', 'plan.yaml');
    expect([code, err]).toEqual([2, expect.stringContaining(`${theirs} belongs to another user (${mallory})`)]);
    expect(existsSync(join(theirs, '.signalbox'))).toBe(false);
    expect(existsSync(join(theirs, 'evil'))).toBe(false);
    for (let i = 0; i < 2; i++)
      expect(me.runsWith({ SIGNALBOX_WORKSPACE: theirs }, theirs, 'lock', 'try', 'x', '--agent', 'me').code).toBe(0);
  });

  it.each([
    ['the settings', 'signalbox.yaml', 'chmod 666 signalbox.yaml'],
    ['the folder around them', '', 'chmod 777 .'],
    [
      'what the settings link to',
      'real.yaml',
      'mv signalbox.yaml real.yaml; chmod 666 real.yaml; ln -s real.yaml signalbox.yaml',
    ],
    ['the state', '.signalbox', 'chmod 777 .signalbox'],
    ['the database', '.signalbox/state.db', 'chmod 711 .signalbox; chmod 666 .signalbox/state.db'],
  ])('what everybody could have written is refused, with how to close it: %s', (_, name, opens) => {
    const { me, other, mine } = scene(victim);
    me.does('echo "max-parallel: 1" > signalbox.yaml', mine);
    expect(me.runs(mine, 'run', 'plan.yaml').code).toBe(0);
    me.does(`chmod 755 .; ${opens}`, mine);
    const file = name === '' ? mine : join(mine, name);
    other.does(`test -w '${file}'`, '/');
    for (const args of [['status'], ['check', 'plan.yaml'], ['run', 'plan.yaml'], ['trust', '--state']]) {
      const { code, err } = me.runs(mine, ...args);
      expect([args, code, err]).toEqual([args, 2, expect.stringContaining(`chmod o-w ${file}\n`.trim())]);
    }
    expect(me.runsWith({ SIGNALBOX_WORKSPACE: mine }, mine, 'status').code).toBe(0);
    me.does(`chmod o-w '${file}'; chmod g+w . signalbox.yaml`, mine);
    expect(me.runs(mine, 'run', 'plan.yaml').code).toBe(0);
  });

  it('no state is made where everybody can write', () => {
    const { me, mine } = scene(victim);
    me.does('chmod 777 .', mine);
    const { code, err } = me.runs(mine, 'run', 'plan.yaml');
    expect([code, err]).toEqual([2, expect.stringContaining(`chmod o-w ${mine}`)]);
    expect(existsSync(join(mine, '.signalbox'))).toBe(false);
    me.does('chmod 1777 .', mine);
    for (let i = 0; i < 2; i++) expect(me.runs(mine, 'run', 'plan.yaml').code).toBe(0);
  });

  it('what is trusted is not kept where another user could write it', () => {
    const { shared, me, other, mine } = scene(victim);
    const theirs = other.makes(join(shared, 'theirs'));
    const open = me.makes(join(shared, 'open'));
    me.does('chmod 777 .', open);
    for (const [folder, why] of [
      [theirs, `belongs to another user (${mallory})`],
      [join(theirs, 'new'), `belongs to another user (${mallory})`],
      [open, 'others can write to'],
    ] as const) {
      const { code, err } = me.runsWith({ SIGNALBOX_STATE: folder }, mine, 'run', 'plan.yaml');
      expect([code, err]).toEqual([2, expect.stringContaining(why)]);
      expect(err).toContain('SIGNALBOX_STATE');
    }
    expect([readdirSync(theirs), readdirSync(open), readdirSync(mine)]).toEqual([[], [], ['plan.yaml']]);
  });

  it('compiled code that another user planted is not run, and none of ours is put there', () => {
    const { shared, me, other, mine } = scene(victim);
    const evil = evilCode(other, shared);
    const caches = join(shared, 'caches');
    const planted = join(caches, 'signalbox');
    other.makes(caches);
    other.does(`chmod 1777 . && mkdir -m 777 signalbox && cp '${evil}' signalbox/ && chmod 644 signalbox/*`, caches);
    const nodes = other.makes(join(shared, 'node-compile-cache'));
    other.does(`chmod 777 . && cp '${evil}' .`, nodes);
    const before = [planted, nodes].map((folder) => readdirSync(folder, { recursive: true }));
    const env = { XDG_CACHE_HOME: caches, TMPDIR: shared };
    expect(me.runsWith(env, mine, 'lock', 'check', 'a.ts')).toEqual({ code: 0, out: 'a.ts is free\n', err: '' });
    expect([planted, nodes].map((folder) => readdirSync(folder, { recursive: true }))).toEqual(before);
  });
});

describe.skipIf(!hasTwoUsers)('a user whom the system has no name for, as in a container', () => {
  it('is called by the number', () => {
    const { me, mine } = scene(ann);
    expect(me.runs(mine, 'run', 'plan.yaml')).toMatchObject({ code: 0, err: '' });
    expect(me.runs(mine, 'pause', 'plan.yaml')).toMatchObject({ code: 0, err: '' });
    expect(me.runs(mine, 'events', '--json').out).toContain(`"by":"uid ${ann}"`);
    expect(me.runsWith({ LOGNAME: 'ann', USER: '' }, mine, 'resume', 'plan.yaml').out).toContain('ann');
  });

  it('is told where to keep the state when there is no home either', () => {
    const { me, mine } = scene(ann);
    for (const home of ['', 'relative']) {
      const { code, err } = me.runsWith({ HOME: home }, mine, 'run', 'plan.yaml');
      expect([code, err]).toEqual([2, expect.stringContaining('SIGNALBOX_STATE=FOLDER')]);
      expect(me.runsWith({ HOME: home }, mine, 'status', 'plan.yaml')).toMatchObject({ code: 0, err: '' });
    }
  });
});

/** Kept by the real launcher of a program that says something else, under the name that ours has. */
function evilCode(other: User, shared: string): string {
  const copy = other.makes(join(shared, 'copy'));
  const ours = resolve('.');
  const name = (at: string) => join(at, 'dist', 'signalbox.cjs').replaceAll('/', '%').slice(-150);
  other.does(
    `cp -r '${ours}/bin' '${ours}/dist' . && ln -s '${resolve('node_modules')}' node_modules && sed -i 's/ is free/ is EVIL/g' dist/signalbox.cjs`,
    copy,
  );
  const child = other.runsFrom(join(copy, 'bin', 'signalbox.cjs'), copy, 'lock', 'check', 'a.ts');
  expect(child.out).toBe('a.ts is EVIL\n');
  const kept = join(other.home, '.cache', 'signalbox');
  const [file] = readdirSync(kept);
  const as = join(copy, file!.replace(name(copy), name(ours)));
  other.does(`cp '${join(kept, file!)}' '${as}'`, copy);
  return as;
}
