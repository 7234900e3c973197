// Agents of a plan that wait for each other: found when it closes, one of them stopped, all of them done in the end.
import { describe, expect, it } from 'vitest';
import { type Line, Workspace } from '../rig.ts';

/** Each holds its own and then asks for the next one's, when all of them hold theirs. */
function ring(n: number, more = ''): string {
  const all = Array.from({ length: n }, (_, i) => `here${i}`).join(' ');
  const tasks = Array.from({ length: n }, (_, i) => {
    const script = [
      `signalbox lock wait f${i}`,
      `touch here${i}`,
      `while ! ls ${all} >/dev/null 2>&1; do sleep 0.05; done`,
      `signalbox lock wait f${(i + 1) % n} --timeout 100`,
      `echo t${i} >> log`,
    ];
    return `  t${i}: {run: "${script.join(' && ')}"}`;
  });
  return `max-parallel: ${n}\nretries: 0\n${more}tasks:\n${tasks.join('\n')}\n`;
}

const ofType = (lines: readonly Line[], type: string) => lines.filter((line) => line.type === type);

describe('a circle', () => {
  it.each([2, 3, 10])('of %i agents is broken by stopping one, and all complete', async (n) => {
    const w = new Workspace({ 'plan.yaml': ring(n) });
    const { code, lines, json } = await w.run('run', 'plan.yaml', '--json');
    expect(code).toBe(0);
    expect(json.summary).toMatchObject({ completed: n, failed: 0 });
    const [found, ...others] = ofType(lines, 'deadlock-detected');
    expect(others).toEqual([]);
    expect(found.cycle).toHaveLength(n);
    expect(found).toMatchObject({
      victim: `${found.victimTask}#1`,
      reason: expect.any(String),
      blockerTask: expect.any(String),
    });
    const [resolved] = ofType(lines, 'deadlock-resolved');
    expect(resolved.victim).toBe(found.victim);
    expect(w.read('log').split('\n').filter(Boolean).sort()).toEqual(
      Array.from({ length: n }, (_, i) => `t${i}`).sort(),
    );
    // No retry was used: with none allowed, a failure would have been final.
    expect(ofType(lines, 'task-failed')).toEqual([]);
    const took = Date.parse(resolved.at) - Date.parse(found.at);
    expect(took).toBeLessThan(20_000);
  });

  it('tells its steps in the order in which they must happen', async () => {
    const w = new Workspace({ 'plan.yaml': ring(2) });
    const { lines } = await w.run('run', 'plan.yaml', '--json');
    const { victim, victimTask, blockedOn } = ofType(lines, 'deadlock-detected')[0];
    const own = lines.filter(
      (line) =>
        line.attempt === victim || line.victim === victim || (line.type === 'need-added' && line.task === victimTask),
    );
    // Its queue place goes with the process that waited, whenever that is noticed.
    const types = own.map(({ type }) => type).filter((type) => type !== 'lock-wait-ended');
    expect(types.slice(types.indexOf('deadlock-detected'))).toEqual([
      'deadlock-detected',
      'attempt-doomed',
      'attempt-ended',
      'work-saved',
      'files-put-back',
      'lock-released',
      'need-added',
      'retry-scheduled',
      'deadlock-resolved',
    ]);
    const [again] = lines.filter((line) => line.type === 'attempt-scheduled' && line.attempt === `${victimTask}#2`);
    const freed = lines.findLast(
      (line) => line.type === 'lock-released' && line.resource === blockedOn && line.seq < again.seq,
    );
    expect(freed).toBeDefined();
  });

  it('loses no work: the version of the one that was stopped is kept, and its files are as before when its blocker goes on', async () => {
    const edits = (own: string, other: string) =>
      [
        `signalbox lock wait ${own}`,
        'signalbox why $SIGNALBOX_TASK --json > why-$SIGNALBOX_ATTEMPT',
        `echo half by $SIGNALBOX_ATTEMPT >> ${own}`,
        `echo new > ${own}.new`,
        `touch here-${own}`,
        `while [ ! -e here-one -o ! -e here-two ]; do sleep 0.05; done`,
        `signalbox lock wait ${other} --timeout 100`,
        `cat ${own} ${other} > seen-$SIGNALBOX_TASK-$SIGNALBOX_ATTEMPT`,
        `echo whole by $SIGNALBOX_ATTEMPT >> ${other}`,
      ].join(' && ');
    const w = new Workspace({
      one: 'one before\n',
      two: 'two before\n',
      'plan.yaml': `max-parallel: 2\nretries: 0\ntasks:\n  x: {run: "${edits('one', 'two')}"}\n  y: {run: "${edits('two', 'one')}"}\n`,
    });
    const { code, lines } = await w.run('run', 'plan.yaml', '--json');
    expect(code).toBe(0);
    const { victim, victimTask } = ofType(lines, 'deadlock-detected')[0];
    const survivor = victimTask === 'x' ? 'y' : 'x';
    const [own, other] = victimTask === 'x' ? ['one', 'two'] : ['two', 'one'];
    // The survivor saw the victim's file as it was before, and not half an edit.
    expect(w.read(`seen-${survivor}-${survivor}#1`)).toBe(`${other} before\nhalf by ${survivor}#1\n${own} before\n`);
    const [saved] = ofType(lines, 'work-saved');
    expect(saved).toMatchObject({ attempt: victim, saved: expect.any(String), files: 1 });
    const manifest = JSON.parse(w.read(`.signalbox/saved/${saved.saved}/manifest.json`));
    expect(JSON.stringify(manifest)).toContain(`"path":"${own}"`);
    // Its next attempt, and everybody else, can read why.
    const told = expect.stringMatching(
      new RegExp(`^was stopped because .* waits for .*; its version is saved as ${saved.saved}$`),
    );
    expect(JSON.parse(w.read(`why-${victim}`)).notes).toBeUndefined();
    expect(JSON.parse(w.read(`why-${victimTask}#2`)).notes).toEqual(told);
    const { tasks } = JSON.parse(w.read('docs/plan-outputs/plan/status.json'));
    const notes = (id: string) => tasks.find((task: { id: string }) => task.id === id).notes;
    expect([notes(victimTask), notes(survivor)]).toEqual([told, null]);
    expect(w.read(own)).toContain(`half by ${victimTask}#2`);
    expect(w.read(own)).not.toContain(`half by ${victim}\n`);
  });

  it.each([
    ['for a run', {}, ['--no-deadlock-detection']],
    ['in the settings', { 'signalbox.yaml': 'deadlock: { detect: false }\n' }, []],
  ])('is left alone when that is asked for %s', async (_, settings, flags) => {
    const w = new Workspace({ 'plan.yaml': ring(2).replaceAll('--timeout 100', '--timeout 2'), ...settings });
    const { code, lines } = await w.run('run', 'plan.yaml', '--json', ...flags);
    expect(code).not.toBe(0);
    expect(ofType(lines, 'deadlock-detected')).toEqual([]);
  });

  it('with a person in it is refused when only the person could be stopped, and stops ours otherwise', async () => {
    const script = (then: string) =>
      `signalbox lock wait mine && touch ready && while [ ! -e go ]; do sleep 0.05; done && ${then}`;
    const w = new Workspace({
      'plan.yaml': `retries: 0\ntasks:\n  t: {run: "${script('signalbox lock wait theirs && echo done >> log')}"}\n`,
    });
    const run = w.start('run', 'plan.yaml', '--json');
    await w.appears('ready');
    await w.run('lock', 'try', 'theirs', '--agent', 'ann');
    const ann = w.start('lock', 'wait', 'mine', '--agent', 'ann');
    for (;;) if ((await w.start('lock', 'list', '--json').ended).json.waits.length === 1) break;
    w.write('go', '');
    await run.line(({ type }) => type === 'deadlock-resolved');
    expect((await ann.ended).code).toBe(0);
    await w.run('lock', 'release-all', '--agent', 'ann');
    const { code, lines } = await run.ended;
    expect(code).toBe(0);
    expect(ofType(lines, 'deadlock-detected')).toMatchObject([{ victimTask: 't', blocker: 'ann' }]);
    expect(w.read('log')).toBe('done\n');
  });
});

describe('locks that tasks declare', () => {
  it('keep those apart that overlap, and nobody else', async () => {
    const enter = (id: string) => `mkdir busy-src || exit 9; touch ${id}; sleep 0.3; rmdir busy-src`;
    const w = new Workspace({
      'plan.yaml': [
        'order: explicit',
        'max-parallel: 4',
        'retries: 0',
        'tasks:',
        `  a: {run: "${enter('a')}", files: ["src/**"]}`,
        `  b: {run: "${enter('b')}", files: ["src/b.ts"]}`,
        `  c: {run: "${enter('c')}", locks: ["src/"]}`,
        '  d: {run: "true", files: ["docs/a.md"]}',
        '',
      ].join('\n'),
    });
    const { code, lines } = await w.run('run', 'plan.yaml', '--json');
    expect(code).toBe(0);
    const started = ofType(lines, 'attempt-scheduled').map(({ task }) => task);
    expect(started.slice(0, 2)).toEqual(['a', 'd']);
  });

  it('are named by why, with who holds them', async () => {
    const w = new Workspace({
      'plan.yaml':
        'order: explicit\ntasks:\n  a: {run: "while [ ! -e go ]; do sleep 0.05; done", files: ["src/**"]}\n  b: {run: "true", files: ["src/b.ts"]}\n',
    });
    const run = w.start('run', 'plan.yaml', '--json');
    await run.line(({ type }) => type === 'attempt-started');
    const { json } = await w.run('why', 'b', '--json');
    expect(json.reasons).toMatchObject([{ kind: 'lock', resource: 'src/**', holder: 'a#1', task: 'a' }]);
    expect((await w.run('why', 'b')).out).toContain('It waits for src/**, held by a#1');
    expect((await w.run('lock', 'try', 'src/new.ts', '--agent', 'ann')).code).toBe(1);
    w.write('go', '');
    expect((await run.ended).code).toBe(0);
    expect((await w.run('lock', 'list')).out).toBe('Nobody holds a lock.\n');
  });

  it('wait for a person who has the file, and go on when it is given back', async () => {
    const w = new Workspace({ 'plan.yaml': 'tasks:\n  a: {run: "true", files: ["src/a.ts"]}\n' });
    await w.run('lock', 'try', 'src/a.ts', '--agent', 'ann');
    const run = w.start('run', 'plan.yaml', '--json');
    await run.line(({ type }) => type === 'run-started');
    expect((await w.run('why', 'a', '--json')).json.reasons).toMatchObject([{ kind: 'lock', holder: 'ann' }]);
    await w.run('lock', 'release', 'src/a.ts', '--agent', 'ann');
    expect((await run.ended).code).toBe(0);
  });
});

describe('a task that a person suspends', () => {
  it('holds no lock any more when the run has ended, and its half edit is saved and put back', async () => {
    const w = new Workspace({
      a: 'before\n',
      'plan.yaml': 'tasks:\n  t: {run: "echo half >> a; touch ready; sleep 1000", files: [a]}\n',
    });
    const run = w.start('run', 'plan.yaml', '--json');
    await w.appears('ready');
    await w.run('suspend', 't');
    const { lines } = await run.ended;
    expect(ofType(lines, 'work-saved')).toMatchObject([{ attempt: 't#1', files: 1 }]);
    expect(w.read('a')).toBe('before\n');
    expect((await w.run('lock', 'list')).out).toBe('Nobody holds a lock.\n');
  });
});
