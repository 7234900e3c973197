// Another shape of the plan as the answer to a decision, through the real command: seen before, made, gone on with.
import { describe, expect, it } from 'vitest';
import { Workspace } from '../rig.ts';

const plan = `---
order: phases
retries: 0
---
# Shop

## Phase 1: Ground
- [ ] db: Make the schema
  - run: \`test -f ok\`
- [ ] lint: Lint
  - run: \`echo lint >> ran.txt\`

## Phase 2: Service
- [ ] api: Write the service → db, lint
  - run: \`echo api >> ran.txt\`
- [ ] docs: Write the manual → api
  - run: \`echo docs >> ran.txt\`
`;

const explicit = plan.replace('order: phases', 'order: explicit');

async function stuck(text: string): Promise<Workspace> {
  const w = new Workspace({ 'plan.md': text });
  expect((await w.run('run', 'plan.md')).code).toBe(5);
  return w;
}

describe('decide restructure', () => {
  it('drops a need: shown first, then made, and what it held back runs; the file stays as it was', async () => {
    const w = await stuck(explicit);
    const preview = await w.run('decide', 'd1', 'restructure', '--drop-need', 'api:db', '--dry-run', '--json');
    expect(preview.json).toMatchObject({ applied: false, changed: ['api'], unblocked: ['api', 'docs'] });
    expect((await w.run('decide', '--json')).json.decisions).toHaveLength(1);
    const { out, code } = await w.run('decide', 'd1', 'restructure', '--drop-need', 'api:db', '--reason', 'not needed');
    expect([code, out]).toEqual([0, expect.stringContaining('api and docs are no longer blocked\n')]);
    expect((await w.run('run', 'plan.md')).code).toBe(1);
    expect(await w.status()).toEqual({ db: 'failed', lint: 'completed', api: 'completed', docs: 'completed' });
    expect(w.read('plan.md')).toBe(explicit);
    const { json } = await w.run('decide', '--history', '--json');
    expect(json.decisions[0].answer).toMatchObject({ choice: 'restructure', by: 'tester', affected: ['api'] });
    expect(json.decisions[0].answer.reason).toBe('api needs db no longer: not needed');
  });

  it('writes it into the file when asked to, and only the line that it is about', async () => {
    const w = await stuck(explicit);
    const { json } = await w.run('decide', 'd1', 'restructure', '--drop-need', 'api:db', '--write', '--json');
    expect(json.written).toBe(true);
    expect(w.read('plan.md')).toBe(explicit.replace('→ db, lint', '→ lint'));
    expect((await w.run('run', 'plan.md')).code).toBe(1);
    expect((await w.status()).docs).toBe('completed');
  });

  it('writes it also where the settings say how the plan ends', async () => {
    const w = new Workspace({ 'plan.md': explicit, 'signalbox.yaml': 'finish: "true"\n' });
    expect((await w.run('run', 'plan.md')).code).toBe(5);
    const { code, err } = await w.run('decide', 'd1', 'restructure', '--drop-need', 'api:db', '--write');
    expect([code, err]).toEqual([0, '']);
    expect(w.read('plan.md')).toBe(explicit.replace('→ db, lint', '→ lint'));
  });

  it('makes one task of two, once it is confirmed that one that has ended goes', async () => {
    const w = await stuck(explicit);
    const refused = await w.run('decide', 'd1', 'restructure', '--merge', 'api,db');
    expect([refused.code, refused.err]).toEqual([
      2,
      expect.stringContaining('would drop tasks that have ended: db (failed)'),
    ]);
    expect((await w.run('decide', 'd1', 'restructure', '--merge', 'api,db', '--confirm')).code).toBe(0);
    w.write('ok', '');
    expect((await w.run('run', 'plan.md')).code).toBe(0);
    expect(await w.status()).toEqual({ lint: 'completed', api: 'completed', docs: 'completed' });
  });

  it('moves a task to a later phase, where it runs again', async () => {
    const w = await stuck(plan.replace('→ db, lint', '→ lint'));
    const { json } = await w.run('decide', 'd1', 'restructure', '--move', 'db:Service', '--write', '--json');
    expect(json).toMatchObject({ retried: ['db'], unblocked: ['api', 'docs'], written: true });
    expect(w.read('plan.md').indexOf('db: Make')).toBeGreaterThan(w.read('plan.md').indexOf('docs: Write'));
    w.write('ok', '');
    expect((await w.run('run', 'plan.md')).code).toBe(0);
  });

  it('takes several changes in one answer, and writes all of them', async () => {
    const w = await stuck(explicit);
    const both = ['--drop-need', 'api:db', '--drop-need', 'docs:api'];
    const { json } = await w.run('decide', 'd1', 'restructure', ...both, '--write', '--json');
    expect(json).toMatchObject({ changes: ['drop-need', 'drop-need'], changed: ['api', 'docs'], written: true });
    expect(w.read('plan.md')).toBe(explicit.replace('→ db, lint', '→ lint').replace(' → api', ''));
    const { json: history } = await w.run('decide', '--history', '--json');
    expect(history.decisions[0].answer).toMatchObject({
      affected: ['api', 'docs'],
      reason: 'api needs db no longer, docs needs api no longer',
    });
    expect((await w.run('run', 'plan.md')).code).toBe(1);
  });

  it('makes changes of different kinds one after the other, or none of them', async () => {
    const w = await stuck(explicit);
    const { code, err } = await w.run('decide', 'd1', 'restructure', '--drop-need', 'api:db', '--move', 'lint:9');
    expect([code, err]).toEqual([2, expect.stringContaining('the plan has no phase "9"')]);
    const done = ['--drop-need', 'api:db', '--move', 'db:Service'];
    const { json } = await w.run('decide', 'd1', 'restructure', ...done, '--json');
    expect(json).toMatchObject({ changes: ['drop-need', 'move'], changed: ['api', 'db'], retried: ['db'] });
  });

  it('writes a second change into the file that the first one has changed', async () => {
    const two = `${explicit}- [ ] ship: Ship it → db\n  - run: \`true\`\n`;
    const w = await stuck(two);
    expect((await w.run('decide', 'd1', 'restructure', '--drop-need', 'api:db', '--write')).code).toBe(0);
    const open = (await w.run('decide', '--json')).json.decisions;
    expect(open).toMatchObject([{ id: 'd2', blocks: { tasks: ['ship'] } }]);
    const { code, err } = await w.run('decide', 'd2', 'restructure', '--drop-need', 'ship:db', '--write');
    expect([code, err]).toEqual([0, '']);
    expect(w.read('plan.md')).toBe(two.replace('→ db, lint', '→ lint').replace(' → db\n', '\n'));
    expect((await w.run('sync-check', 'plan.md')).code).toBe(0);
    expect((await w.run('run', 'plan.md')).code).toBe(1);
  });

  describe('writes the order into the file when it drops the last named need', () => {
    const tasks = '- [ ] a: x\n  - run: `false`\n- [ ] b: y → a\n  - run: `true`\n';
    const said = '- [ ] a: x\n  - run: `false`\n- [ ] b: y\n  - run: `true`\n';
    const yaml = (needs: string) => `# Mine\n\nretries: 0\ntasks:\n  a: {run: "false"}\n  b: {run: "true"${needs}}\n`;

    it.each([
      ['plan.md', `---\nretries: 0\n---\n${tasks}`, `---\norder: explicit\nretries: 0\n---\n${said}`],
      ['plan.md', `# P\n\n## Phase 1\n${tasks}`, `---\norder: explicit\n---\n# P\n\n## Phase 1\n${said}`],
      ['plan.yaml', yaml(', needs: [a]'), yaml('').replace('retries', 'order: explicit\nretries')],
    ])('%s: %j', async (file, text, after) => {
      const w = new Workspace({ [file]: text, 'signalbox.yaml': 'retries: 0\n' });
      expect((await w.run('run', file)).code).toBe(5);
      const { code, err } = await w.run('decide', 'd1', 'restructure', '--drop-need', 'b:a', '--write');
      expect([code, err]).toEqual([0, '']);
      expect(w.read(file)).toBe(after);
      expect((await w.run('sync-check', file)).code).toBe(0);
      expect((await w.run('run', file)).code).toBe(1);
      expect((await w.status(file)).b).toBe('completed');
    });

    it('also at the second change', async () => {
      const two = `${tasks}- [ ] c: z → a\n  - run: \`true\`\n`;
      const w = new Workspace({ 'plan.md': two, 'signalbox.yaml': 'retries: 0\n' });
      expect((await w.run('run', 'plan.md')).code).toBe(5);
      expect((await w.run('decide', 'd1', 'restructure', '--drop-need', 'b:a', '--write')).code).toBe(0);
      expect(w.read('plan.md')).not.toContain('order');
      const { code, err } = await w.run('decide', 'd2', 'restructure', '--drop-need', 'c:a', '--write');
      expect([code, err]).toEqual([0, '']);
      expect(w.read('plan.md')).toBe(`---\norder: explicit\n---\n${two.replaceAll(' → a', '')}`);
    });
  });

  it.each([
    [['--merge', 'docs,api', '--confirm'], 'a plan file cannot say that api is a part of docs'],
    [['--drop-need', 'api:1.2'], 'the lines of api do not name 1.2 in a form that Signalbox can take out'],
  ])('%j cannot be written, and says why', async (flags, why) => {
    const w = await stuck(
      explicit.replace('db: Make', '1.1 Make').replace('lint: Lint', '1.2 Lint').replace('db, lint', '1.1-1.2'),
    );
    const { code, err } = await w.run('decide', 'd1', 'restructure', ...flags, '--write');
    expect([code, err]).toEqual([
      2,
      expect.stringContaining(`Signalbox cannot write this change into plan.md: ${why}`),
    ]);
  });

  describe('writes into the file also what was changed before without --write', () => {
    const three = `${explicit}- [ ] ship: Ship it → db\n  - run: \`true\`\n- [ ] post: Post it → ship\n  - run: \`true\`\n`;
    const second = ['decide', 'd2', 'restructure', '--drop-need', 'ship:db', '--write'];

    it('a dropped need', async () => {
      const w = await stuck(three);
      expect((await w.run('decide', 'd1', 'restructure', '--drop-need', 'api:db')).code).toBe(0);
      expect(w.read('plan.md')).toBe(three);
      const { code, err } = await w.run(...second);
      expect([code, err]).toEqual([0, '']);
      expect(w.read('plan.md')).toBe(three.replace('→ db, lint', '→ lint').replace(' → db\n', '\n'));
      expect((await w.run('sync-check', 'plan.md')).code).toBe(0);
      expect((await w.run('run', 'plan.md')).code).toBe(1);
      expect(await w.status()).toMatchObject({ api: 'completed', docs: 'completed', ship: 'completed' });
    });

    it('a task that was moved', async () => {
      const w = await stuck(three);
      expect((await w.run('decide', 'd1', 'restructure', '--move', 'db:Service')).code).toBe(0);
      expect((await w.run('run', 'plan.md')).code).toBe(5);
      expect(w.read('plan.md')).toBe(three);
      const { code, err } = await w.run(...second);
      expect([code, err]).toEqual([0, '']);
      const text = w.read('plan.md');
      expect([text.indexOf('db: Make') > text.indexOf('Phase 2'), text.includes('ship: Ship it\n')]).toEqual([
        true,
        true,
      ]);
      expect((await w.run('sync-check', 'plan.md')).code).toBe(0);
    });

    it('or is refused where that cannot be told from the file, and says why', async () => {
      const w = await stuck(three);
      expect((await w.run('decide', 'd1', 'restructure', '--merge', 'docs,post', '--confirm')).code).toBe(0);
      const { code, err } = await w.run(...second);
      expect([code, err]).toEqual([2, expect.stringContaining('was restructured before without --write')]);
      expect(w.read('plan.md')).toBe(three);
    });
  });

  it('does not write over what a person has edited since', async () => {
    const w = await stuck(explicit);
    w.write('plan.md', explicit.replace('Write the manual', 'Write the whole manual'));
    const { code, err } = await w.run('decide', 'd1', 'restructure', '--drop-need', 'api:db', '--write');
    expect([code, err]).toEqual([2, expect.stringContaining('was edited since it was loaded')]);
  });

  it('takes the file after a person edited it', async () => {
    const w = await stuck(explicit);
    w.write('plan.md', explicit.replace('test -f ok', 'true'));
    const { json } = await w.run('decide', 'd1', 'restructure', '--reload', '--json');
    expect(json).toMatchObject({ applied: true, changed: ['db'] });
    expect((await w.run('run', 'plan.md', '--retry', 'db')).code).toBe(0);
  });

  it.each([
    [['--drop-need', 'api'], '--drop-need takes TASK:NEED'],
    [['--drop-need', 'docs:db'], 'docs does not need db itself'],
    [['--merge', 'api,nothing'], 'the plan has no task nothing'],
    [['--move', 'db:9'], 'the plan has no phase "9"'],
    [[], 'no change was named'],
    [['--reload', '--merge', 'api,db'], '--reload takes the file as it is, and no other change'],
  ])('%j is refused with the way out, and changes nothing', async (flags, why) => {
    const w = await stuck(explicit);
    const { code, err } = await w.run('decide', 'd1', 'restructure', ...flags);
    expect([code, err]).toEqual([2, expect.stringContaining(why)]);
    expect((await w.run('decide', '--json')).json.decisions).toHaveLength(1);
    expect((await w.run('decide', 'd9', 'restructure', '--reload')).code).toBe(2);
  });
});
