// Every command for real, with --json: what it prints when it works, and when it refuses, is what the published schema says.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { commandSchemas, outputSchema } from '../../../src/api/reports/output-schema.ts';
import { commandTable } from '../../../src/cli/table/command-table.ts';
import { findCommand } from '../../../src/cli/table/find-command.ts';
import { handCommands } from '../../../src/cli/table/hand-commands.ts';
import { planOutputsFolder } from '../../../src/core/model/defaults.ts';
import { neverKeep } from '../../../src/files/disk/tree-path.ts';
import { putBack } from '../../../src/files/put-back.ts';
import { saveWork } from '../../../src/files/save-work.ts';
import { takeBeforeImage } from '../../../src/files/take-before-image.ts';
import { schemaMistakes } from '../../schema-mistakes.ts';
import { type Line, Workspace } from '../rig.ts';

const published = JSON.parse(readFileSync('schema/output.json', 'utf8'));
const mistakes = (name: string, line: Line) => schemaMistakes(published, line, name);

it('the file is up to date (npm run schema writes it)', () => {
  expect(published).toEqual(outputSchema());
});

it('every command is in it', () => {
  expect(Object.keys(commandSchemas).sort()).toEqual(commandTable.map(({ name }) => name).sort());
});

const plan = `---
max-parallel: 2
---
- [ ] a: Print something
  - run: \`echo hello\`
- [ ] b: Fail → a
  - run: \`false\`
  - retries: 0
- [ ] g: Group → b
  - [ ] c: Go on
    - run: \`true\`
  - [ ]* d: Optional ~> c
    - run: \`true\`
- [ ] e: Apart
  - run: \`true\`
`;
const reviewed = `---
order: phases
finish: echo done
---
## One
- check: \`true\`
- [ ] text: Write
  - run: \`true\`
  - check: \`true\`
  - review: human
## Two
- [ ] after: Publish
  - run: \`true\`
- [ ] group: Both
  - check: \`true\`
  - [ ] part: One
    - run: \`true\`
`;
/** One agent is done and reviewed, another has reached its limit, and the budgets have no room for the rest. */
const coded = `---
max-parallel: 2
budget-usd: 0.003
---
- [ ] x: Write
  - agent: claude
  - review: agent
- [ ] y: Think
  - agent: limited
- [ ] z: Go on → x
  - agent: claude
- [ ] w: Spend
  - agent: claude
  - budget-usd: 0.001
`;
const agents = `quota: stop
review-agent: claude
agents:
  claude: {command: [sh, agent.sh, done]}
  limited: {kind: claude, command: [sh, agent.sh, usage-limit]}
  planner: {kind: command, command: [cat, review.md]}
  mistaken: {kind: command, command: [echo, '- [ ] a: A → b']}
`;
const agentScript = 'cat > out.txt; cat "$1.jsonl"\n';
const stream = (name: string) => readFileSync(`test/fixtures/streams/claude/${name}.jsonl`, 'utf8');

const tasks = JSON.stringify({ master: { tasks: [{ id: 1, title: 'Build', status: 'pending', dependencies: [] }] } });

/** In this order, in one workspace. */
const calls: readonly (readonly string[])[] = [
  ['init'],
  ['init', '--yes'],
  ['init', '--undo', '--dry-run'],
  ['init', '--undo', '--yes'],
  ['check', 'plan.md'],
  ['fmt', 'plan.md'],
  ['fmt', 'plan.md', '--check'],
  ['import', 'taskmaster', 'tasks.json'],
  ['import', 'taskmaster', 'tasks.json', '--out', 'other.md'],
  ['plan', 'Make it', '--agent', 'planner', '--out', 'made.md'],
  ['plan', 'Make it', '--agent', 'mistaken', '--out', 'wrong.md'],
  ['plan', 'Make it', '--agent', 'limited', '--out', 'none.md'],
  ['plan', 'Make it', '--agent', 'claude', '--out', 'none.md'],
  ['check', 'made.md'],
  ['run', 'made.md', '--dry-run'],
  ['run', 'made.md'],
  ['approve', 'made.md'],
  ['approve', 'plan.md'],
  ['explain', 'cycle'],
  ['explain', '5'],
  ['plans'],
  ['run', 'plan.md', '--dry-run'],
  ['suspend', 'e', '--plan', 'plan.md', '--reason', 'later'],
  ['run', 'plan.md'],
  ['set', 'plan.md'],
  ['status'],
  ['progress'],
  ['graph'],
  ['graph', '--format', 'dot'],
  ['next'],
  ...['a', 'b', 'c', 'd', 'e', 'g'].map((id) => ['why', id]),
  ['events'],
  ['logs', 'a'],
  ['plans'],
  ['decide'],
  ['decide', 'b'],
  ['decide', 'd1', 'details'],
  ['retryable'],
  ['exhausted'],
  ['decide', 'd1', 'retry-with-note', '--note', 'again'],
  ['retryable'],
  ['why', 'b'],
  ['run'],
  ['decide', '--history'],
  ['pause', '--reason', 'lunch'],
  ['why', 'e'],
  ['resume'],
  ['resume', 'e'],
  ['why', 'e'],
  ['retry', 'b', '--note', 'again'],
  ['run', '--dry-run'],
  ['skip', 'b', '--treat-as-done'],
  ['run'],
  ['status'],
  ['reload'],
  ['attach'],
  ['reset'],
  ['run', 'review.md', '--on-failure', 'ask', '--decide-within', '0'],
  ['status', 'review.md'],
  ['why', 'text', '--plan', 'review.md'],
  ['why', 'after', '--plan', 'review.md'],
  ['decide', 'text', '--plan', 'review.md'],
  ['reject', 'text', '--plan', 'review.md', '--reason', 'too short', '--severity', 'low'],
  ['why', 'text', '--plan', 'review.md'],
  ['run', 'review.md'],
  ['approve', 'text#2', '--plan', 'review.md'],
  ['run', 'review.md'],
  ['status', 'review.md'],
  ['decide', '--history', '--plan', 'review.md'],
  ['events', 'review.md'],
  ['prompt', 'x', '--plan', 'coded.md'],
  ['hook', 'claude'],
  ['run', 'coded.md'],
  ['why', 'y', '--plan', 'coded.md'],
  ['why', 'w', '--plan', 'coded.md'],
  ['status', 'coded.md'],
  ['cost', 'coded.md'],
  ['events', 'coded.md'],
  ['land'],
  ['clean'],
  ['diff', 'y', '--plan', 'coded.md'],
  ['saved'],
  ['saved', 'list'],
  ['saved', 'show', 'a-1'],
  ['saved', 'restore', 'a-1'],
  ['saved', 'show', 'a-1'],
  ['lock', 'try', 'src/a.ts', '--agent', 'ann'],
  ['lock', 'try', 'src', '--agent', 'bob'],
  ['lock', 'wait', 'src/b.ts', '--agent', 'ann'],
  ['lock', 'wait', 'src/b.ts', '--agent', 'bob', '--timeout', '0'],
  ['lock', 'check', 'src/**'],
  ['lock', 'list'],
  ['graph', '--waits'],
  ['graph', '--waits', '--format', 'svg'],
  ['lock', 'release', 'src/a.ts', '--agent', 'ann'],
  ['lock', 'release-all', '--agent', 'ann'],
  ['verify'],
  ['validate'],
  ['sync-check'],
  ['doctor'],
  ['trust'],
  ['trust', '--state'],
  ['completion', 'bash'],
];

const refusals: readonly (readonly string[])[] = commandTable.map(({ name }) => [...name.split(' '), '--no-such-flag']);

/** As it is left when an attempt was ended in the middle of its work. */
async function saveSomething(w: Workspace): Promise<void> {
  // Another test in this process may have had its outputs there.
  neverKeep(planOutputsFolder);
  const place = { root: w.folder, folder: join(w.folder, '.signalbox'), token: 1 };
  await takeBeforeImage({ ...place, keys: ['src'] });
  w.write('src/a.ts', 'after');
  w.write('src/b.bin', '\0');
  await saveWork({
    ...place,
    about: { attempt: 'a#1', task: 'a', plan: 'plan.md', at: Date.UTC(2026, 10, 16), reason: 'deadlock' },
  });
  await putBack(place);
}

describe('what is printed', () => {
  it('is what the schema says', async () => {
    const w = new Workspace({
      ...{ 'plan.md': plan, 'tasks.json': tasks, 'review.md': reviewed, 'src/a.ts': 'before' },
      ...{ 'coded.md': coded, 'signalbox.yaml': agents, 'agent.sh': agentScript },
      ...{ 'done.jsonl': stream('done'), 'usage-limit.jsonl': stream('usage-limit') },
    });
    await saveSomething(w);
    const seen = new Set<string>();
    for (const call of calls) {
      const { name } = findCommand(call, commandTable)!.spec;
      const { lines, err } = await w.run(...call, '--json');
      const isRefused = lines.some((line: Line) => line.type === 'error');
      expect(lines.length, `${call.join(' ')} ${err}`).toBeGreaterThan(0);
      for (const line of lines) {
        expect(
          mistakes(isRefused ? 'error' : `command:${name}`, line),
          `${call.join(' ')}: ${JSON.stringify(line)}`,
        ).toEqual([]);
        expect(mistakes(`command:${name}`, { ...line, unknown: 1 }), call.join(' ')).not.toEqual([]);
      }
      if (!isRefused) seen.add(name);
    }
    // It refuses where nothing runs, and is tried below; those by hand are tried in hand-schema.test.ts, the server in test/e2e/mcp.
    const others = new Set(['stop', 'mcp', ...handCommands.map(({ name }) => name)]);
    expect(commandTable.map(({ name }) => name).filter((name) => !seen.has(name) && !others.has(name))).toEqual([]);
  });

  it('is so too while a run goes on and is stopped', async () => {
    const w = new Workspace({ 'plan.md': '- [ ] a: Sleep\n  - run: `exec sleep 60`\n' });
    const run = w.start('run', 'plan.md', '--json');
    await run.line((line) => line.type === 'attempt-started');
    for (const call of [['why', 'a'], ['status'], ['stop', '--now']]) {
      const { lines, code } = await w.run(...call, '--json');
      expect(code, call.join(' ')).toBe(0);
      for (const line of lines) expect(mistakes(`command:${call[0]}`, line), JSON.stringify(line)).toEqual([]);
    }
    const { lines, code } = await run.ended;
    expect(code).toBe(143);
    expect(lines.map(({ type }) => type)).toEqual(
      expect.arrayContaining(['run-stopping', 'attempt-doomed', 'outcome']),
    );
    for (const line of lines) expect(mistakes('command:run', line), JSON.stringify(line)).toEqual([]);
  });

  it('is an error of the schema when it is refused', async () => {
    const w = new Workspace({ 'bad.md': '- [ ] a: x → nobody\n' });
    for (const call of [
      ...refusals,
      ['saved', 'lsit'],
      ['saved', 'show'],
      ['stauts'],
      ['run', 'bad.md'],
      ['run', 'none.md'],
      ['why', 'x'],
      ['explain', 'nonsense'],
    ]) {
      const { lines, code } = await w.run(...call, '--json');
      expect(code, call.join(' ')).not.toBe(0);
      expect(
        lines.flatMap((line: Line) => mistakes('error', line)),
        call.join(' '),
      ).toEqual([]);
      expect(lines).toHaveLength(1);
      // A mistake on the command line is never called a bug, in the built program neither.
      expect([2, 3]).toContain(code);
    }
  });
});
