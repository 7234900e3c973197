// docs/locks.md says what really happens: its commands print what it shows, its plans end as it promises.
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { commandTable } from '../../../src/cli/table/command-table.ts';
import { Workspace } from '../rig.ts';
import { commandsOf } from '../sessions.ts';

const page = readFileSync('docs/locks.md', 'utf8');
const fence = (info: string) => {
  const [, body] = new RegExp(`^\`\`\`${info}\\n([^]*?)^\`\`\`$`, 'm').exec(page) ?? [];
  expect(body, info).toBeDefined();
  return body!;
};

const steady = (printed: string) => printed.replace(/\b\d+(\.\d+)? (ms|s)\b/g, 'some time');

it('the commands print what is shown', async () => {
  const w = new Workspace({ 'signalbox.yaml': '' });
  const commands = commandsOf(fence('console'));
  expect(commands.length).toBeGreaterThan(10);
  for (const { typed, printed, exit } of commands) {
    const { code, out, err } = await w.run(...typed.split(' '));
    const shown = steady(out + err).replaceAll(w.folder, 'WORKSPACE');
    expect([typed, shown, code]).toEqual([typed, steady(printed), exit]);
  }
  const families = commandTable.map(({ name }) => name).filter((name) => name.startsWith('lock '));
  for (const name of families) expect(commands.map(({ typed }) => typed).join('\n')).toContain(name);
});

it('the plan with locks is complete', async () => {
  const w = new Workspace({ 'plan.md': fence('markdown complete') });
  const { code, lines } = await w.run('run', 'plan.md', '--json');
  expect(code).toBe(0);
  const taken = lines
    .filter(({ type }) => type === 'lock-acquired')
    .map(({ task, resource, mode }) => [task, resource, mode]);
  expect(taken.sort()).toEqual([
    ['api', 'docs/style.md', 'shared'],
    ['api', 'src/api/**', 'exclusive'],
    ['migrate', 'db:test', 'exclusive'],
  ]);
});

it('the deadlock is found, told and ended, with the settings that are shown', async () => {
  const w = new Workspace({ 'plan.md': fence('markdown deadlock'), 'signalbox.yaml': fence('yaml settings') });
  const { code, out } = await w.run('run', 'plan.md');
  expect(code).toBe(0);
  const told = out.split('\n');
  const shown = fence('text').trimEnd().split('\n');
  // Where the circle begins depends on who closes it.
  expect(told.filter((line) => line.startsWith('■  deadlock: '))).toHaveLength(1);
  // Two that start within one millisecond are told apart by name, and others by their age.
  const isReason = (line: string) => line.startsWith('   1.2#1 is stopped: of those that Signalbox may stop');
  expect(told.filter(isReason)).toHaveLength(1);
  expect(shown.filter(isReason)).toHaveLength(1);
  for (const line of shown.filter((line) => !line.startsWith('■') && !isReason(line))) expect(told).toContain(line);
});
