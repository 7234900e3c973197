// What the commands by hand print with --json is what schema/output.json says.
import { expect, it } from 'vitest';
import { outputSchema } from '../../../src/api/reports/output-schema.ts';
import { handCommands } from '../../../src/cli/table/hand-commands.ts';
import { schemaMistakes } from '../../schema-mistakes.ts';
import { type Line, Workspace } from '../rig.ts';

const schema = outputSchema();
const mistakes = (name: string, line: Line) => schemaMistakes(schema, line, name);

const calls = [
  ['start-run'],
  ['mark-started', 'a', '--request', 'k'],
  ['mark-started', 'a', '--request', 'k'],
  ['detect-stuck'],
  ['detect-stuck', '--limit', '1ms'],
  ['mark-failed', 'a', '--error', 'no'],
  ['next'],
  ['mark-complete', 'a', '--notes', 'x'],
  ['write-findings', 'a', '--file', 'plan.yaml'],
  ['read-findings', 'a'],
  ['mark-complete', 'b'],
  ['mark-complete', 'b', '--no-checks'],
  ['decide', '--history'],
  ['mark-skipped', 'c', '--dependents'],
  ['complete-run'],
];

it('is what is printed', async () => {
  const w = new Workspace({
    'plan.yaml': 'tasks:\n  a: {files: [x]}\n  b: {check: "false"}\n  c: {}\n  d: {needs: [c]}\n',
  });
  await w.run('set', 'plan.yaml');
  for (const call of calls) {
    const { lines, err } = await w.run(...call, '--json');
    expect([lines.length, err], call.join(' ')).toEqual([1, '']);
    expect(mistakes(`command:${call[0]}`, lines[0]), JSON.stringify(lines[0])).toEqual([]);
    expect(mistakes(`command:${call[0]}`, { ...lines[0], unknown: 1 })).not.toEqual([]);
  }
  for (const { name } of handCommands) expect(calls.map(([word]) => word)).toContain(name);
});
