// What the documents say is true: their plans are read, their commands exist, and the tour ends as they promise.
import { cpSync, existsSync, globSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { agentKinds } from '../../../src/agents/kind.ts';
import { flagsOf } from '../../../src/cli/table/command-flags.ts';
import { commandTable } from '../../../src/cli/table/command-table.ts';
import { findCommand, findFamily } from '../../../src/cli/table/find-command.ts';
import { keyNames } from '../../../src/plan/keys/keys.ts';
import { readSettings } from '../../../src/plan/read-settings.ts';
import { Workspace } from '../rig.ts';
import { commandsOf } from '../sessions.ts';

const readme = readFileSync('README.md', 'utf8');

function fences(text: string, language: string): string[] {
  return [...text.matchAll(new RegExp(`^\`\`\`${language}\\n([^]*?)^\`\`\`$`, 'gm'))].map(([, body]) => body!);
}

describe('README', () => {
  it.each(fences(readme, 'markdown'))('has a markdown plan without mistakes', async (plan) => {
    const { code, json } = await new Workspace({ 'plan.md': plan }).run('check', 'plan.md', '--json');
    expect(code).toBe(0);
    expect(json).toMatchObject({ ok: true, unsupported: [] });
  });

  it('names commands that there are', () => {
    const known = new Set(commandTable.map(({ name }) => name.split(' ')[0]!));
    const named = [...readme.matchAll(/`(?:npx )?signalbox ([a-z][a-z-]*)|^signalbox ([a-z][a-z-]*)/gm)].map(
      ([, inText, typed]) => inText ?? typed!,
    );
    expect(new Set(named).size).toBeGreaterThan(15);
    expect(named.filter((name) => !known.has(name))).toEqual([]);
  });

  it.each(['README.md', ...globSync('docs/*.md').filter((page) => page !== join('docs', 'commands.md'))])(
    '%s types commands and flags that there are',
    (page) => {
      const text = readFileSync(page, 'utf8');
      const typed = [...text.matchAll(/(?:^\$ |^|`)(?:npx )?signalbox ([a-z][^`\n]*)/gm)].map(([, words]) => words!);
      const unknown = typed.flatMap((words) => {
        const [said] = words.split(/ {2,}#|; | && | \| | > /);
        const found = findCommand(said!.split(' '), commandTable);
        if (!found)
          return findFamily(said!.split(' ')[0], commandTable) || /^(help|version)\b/.test(said!) ? [] : said!;
        const flags = new Set(
          flagsOf(found.spec).flatMap(({ flags: written }) => written.match(/--?[a-z][a-z-]*/g) ?? []),
        );
        const given = found.rest.flatMap((word) => /^--?[a-z][a-z-]*/.exec(word)?.[0] ?? []);
        return given.filter((flag) => !flags.has(flag) && flag !== '--help').map((flag) => `${said}: ${flag}`);
      });
      // One page shows what a mistyped command is answered with.
      expect(unknown.filter((said) => said !== 'stauts')).toEqual([]);
    },
  );

  it('gives the two commands that do everything', () => {
    const both = ['npm ci && npx signalbox run examples/tour.md', 'npm ci && npm test'];
    expect(fences(readme, 'sh').map((text) => text.trim())).toEqual(expect.arrayContaining(both));
    // In README's order, in one clone: what the first leaves behind must not fail the second. Then the real agents and the campaigns.
    expect(readFileSync('.ci/run', 'utf8')).toContain(
      [...both.map((command) => `(${command})`), 'CI=1 npm run test:agents -- claude codex', 'npm run prove', ''].join(
        '\n',
      ),
    );
  });
});

/** The plans of a page; the word after a fence is the order that is assumed, or the mistake. */
const plansIn = (page: string) =>
  [...page.matchAll(/^(`{3,})(markdown|yaml)(?: (\S+))?\n([\s\S]*?)^\1$/gm)]
    .map(([, , language, promise = 'as it says', text]) => ({ language, promise, text: text! }))
    .filter(({ promise }) => promise !== 'settings');

describe('docs/plans.md', () => {
  const page = readFileSync('docs/plans.md', 'utf8');
  const examples = plansIn(page);

  it('has an example of every form', () => {
    expect(examples.length).toBeGreaterThan(10);
    for (const order of ['spec-kit', 'sequential', 'explicit', 'phases']) {
      expect(examples.map(({ promise }) => promise)).toContain(order);
    }
  });

  const further = ['docs/pools.md', 'docs/coming-from.md'].flatMap((other) => plansIn(readFileSync(other, 'utf8')));
  it.each([...examples, ...further])('$language: $promise', async ({ language, promise, text }) => {
    const file = language === 'yaml' ? 'plan.yaml' : 'plan.md';
    const { code, json } = await new Workspace({ [file]: text }).run('check', file, '--json');
    if (promise.startsWith('error:')) {
      expect(code).toBe(3);
      expect(json.diagnostics.map((d: { code: string }) => d.code)).toContain(promise.slice('error:'.length));
    } else if (promise.startsWith('warning:')) {
      expect(code).toBe(0);
      expect(json.diagnostics.map((d: { code: string }) => d.code)).toEqual([promise.slice('warning:'.length)]);
    } else {
      expect(json.diagnostics.filter((d: { severity: string }) => d.severity === 'error')).toEqual([]);
      expect(json).toMatchObject(
        promise === 'as it says' ? { orderAssumed: false } : { order: promise, orderAssumed: true },
      );
    }
  });

  it('names every key of a task', () => {
    for (const name of keyNames('task').filter((key) => !['title', 'subtasks', 'needs', 'prefers'].includes(key))) {
      expect(page).toContain(`\`${name}\``);
    }
  });
});

it.each(['docs/settings.md', 'docs/coming-from.md'])('%s has settings without mistakes', (page) => {
  const [text] = fences(readFileSync(page, 'utf8'), 'yaml(?: settings)?');
  expect(readSettings({ text: text!, file: 'signalbox.yaml', kinds: agentKinds }).diagnostics).toEqual([]);
});

it('docs/pools.md says what a task waits for as `why` does', async () => {
  const page = readFileSync('docs/pools.md', 'utf8');
  const plan = fences(page, 'markdown phases')[0]!
    .replace('- agent: claude', '- run: `true`')
    .replace('npm run load-test', 'touch loading; until [ -e loaded ]; do sleep 0.02; done')
    .replace('npm run smoke', 'true');
  const w = new Workspace({ 'plan.md': plan });
  const { ended } = w.start('run', 'plan.md');
  await w.appears('loading');
  const [typed] = commandsOf(fences(page, 'console')[0]!);
  expect((await w.run(...typed!.typed.split(' '))).out).toBe(typed!.printed);
  w.write('loaded', '');
  expect((await ended).code).toBe(0);
});

describe('links', () => {
  const pages = [...globSync(['*.md', 'docs/*.md', 'docs/adr/*.md', 'src/**/README.md', 'test/**/README.md'])];
  const headingsOf = (page: string) =>
    [...readFileSync(page, 'utf8').matchAll(/^#+ (.*)$/gm)].map(([, title]) =>
      title!
        .toLowerCase()
        .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
        .replace(/[^\p{L}\p{N} _-]/gu, '')
        .replaceAll(' ', '-'),
    );

  it.each(pages)('%s links to what exists', (page) => {
    const text = readFileSync(page, 'utf8').replace(/^(`{3,})[\s\S]*?^\1$/gm, '');
    const written = [...text.matchAll(/\]\(([^)\s]+)\)|(?:src|srcset|href)="([^"]+)"/g)].map(([, a, b]) => a ?? b!);
    const broken = written.filter((link) => {
      if (/^https?:/.test(link)) return false;
      const [file, heading] = link.split('#');
      const named = file === '' ? page : join(dirname(page), file!);
      return !existsSync(named) || (heading !== undefined && !headingsOf(named).includes(heading));
    });
    expect(broken).toEqual([]);
  });
});

describe('the map', () => {
  const map = readFileSync('docs/ARCHITECTURE.md', 'utf8');
  const filesIn = (text: string) => [...text.matchAll(/`([a-z]+\/[a-z/-]+\.ts)`/g)].map(([, file]) => file!);

  it('names files that exist', () => {
    const named = filesIn(map);
    expect(named.length).toBeGreaterThan(15);
    expect(named.filter((file) => !existsSync(join('src', file)) && !existsSync(file))).toEqual([]);
  });

  it('walks one task through fifteen files at most', () => {
    const journey = map.slice(map.indexOf('## One task'), map.indexOf('## States'));
    expect(new Set(filesIn(journey)).size).toBeLessThanOrEqual(15);
  });

  it.each(globSync('src/*/README.md'))('%s names files that exist', (page) => {
    const layer = dirname(page);
    const named = [...readFileSync(page, 'utf8').matchAll(/`([a-z/-]+\.ts)`/g)].map(([, file]) => file!);
    const places = (file: string) => [join(layer, file), join('src', file), file];
    expect(named.filter((file) => !places(file).some((place) => existsSync(place)))).toEqual([]);
  });
});

it('the tour works, fails, recovers, gets out of a deadlock and is complete', async () => {
  const w = new Workspace();
  // A clone in which the tour was run has its results in docs/plan-outputs, and would find every task completed.
  const filter = (source: string) => source !== join('docs', 'plan-outputs');
  for (const name of ['README.md', 'docs', 'examples']) cpSync(name, join(w.folder, name), { recursive: true, filter });
  mkdirSync(join(w.folder, 'src'));
  cpSync('src/core', join(w.folder, 'src', 'core'), { recursive: true });
  const { code, lines, err } = await w.run('run', 'examples/tour.md', '--json');
  expect(err).toBe('');
  expect(code).toBe(0);
  expect(lines.find(({ type }) => type === 'retry-scheduled')).toMatchObject({ task: 'cache', because: 'failed' });
  expect(lines.find(({ type }) => type === 'task-failed')).toMatchObject({ task: 'weather', optional: true });
  const report = lines.find(({ type, task }) => type === 'attempt-scheduled' && task === 'report');
  expect(report.warnings).toEqual([{ task: 'weather', status: 'failed' }]);
  const deadlock = lines.find(({ type }) => type === 'deadlock-detected');
  expect([...deadlock.cycle].sort()).toEqual(['east#1', 'west#1']);
  expect(lines.find(({ type }) => type === 'deadlock-resolved')).toMatchObject({ victim: deadlock.victim });
  const starts = lines.filter(({ type, task }) => type === 'attempt-started' && task === deadlock.victimTask);
  expect(starts).toHaveLength(2);
  expect(await w.status()).toMatchObject({ east: 'completed', west: 'completed' });
  expect(w.has('tour-pages')).toBe(false);
  for (const words of ['4 eastbound', '5 westbound', '2 eastbound', '3 westbound']) {
    expect(w.read('.signalbox/tour/report.txt')).toContain(words);
  }
  expect(await w.status()).toMatchObject({ charts: 'completed', report: 'completed', weather: 'failed' });
  expect(w.read('.signalbox/tour/report.txt')).toMatch(/Weather: nobody knows/);
  // It ends by naming its report and the next thing to type.
  expect(lines.at(-1).said).toEqual([
    expect.stringContaining('cat .signalbox/tour/report.txt'),
    expect.stringContaining('signalbox graph examples/tour.md'),
    expect.stringContaining('signalbox init'),
  ]);
});

it('examples/decisions.md asks what it says it asks', async () => {
  const w = new Workspace({ 'plan.md': readFileSync('examples/decisions.md', 'utf8') });
  expect((await w.run('run', 'plan.md', '--json')).json).toMatchObject({
    exitCode: 4,
    decisions: expect.arrayContaining([
      expect.objectContaining({ kind: 'failure', task: 'import' }),
      expect.objectContaining({ kind: 'review', task: 'page' }),
    ]),
  });
  expect((await w.run('approve', 'page')).code).toBe(0);
  expect((await w.run('decide', 'import', 'treat-as-done')).code).toBe(0);
  expect((await w.run('run', 'plan.md')).code).toBe(0);
});
