// What clients are told about the tools, and the command lines that their calls become.
import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { flagsOf } from '../cli/table/command-flags.ts';
import { commandTable } from '../cli/table/command-table.ts';
import { findCommand } from '../cli/table/find-command.ts';
import { toolForm } from './tool-forms.ts';
import { longestWaitS, toolTable } from './tool-table.ts';

const schemas = JSON.parse(readFileSync('schema/output.json', 'utf8')).$defs;
const forms = new Map(toolTable.map((row) => [row.name, toolForm(row, { table: commandTable, schemas }, false)]));
const lineOf = (tool: string, given: object = {}, own?: string) =>
  forms
    .get(tool)!
    .argv({ ...given }, own)
    .join(' ');

describe.each([...forms.values()])('the tool $row.name', ({ row, description, input, output }) => {
  it('is a command, takes only flags that the command has, and none that goes against a rule', () => {
    const { spec } = findCommand(row.command.split(' '), commandTable)!;
    const words = flagsOf(spec).map(({ flags }) => flags.replace(/^-\w, /, '').split(' ')[0]);
    expect(words).toEqual(
      expect.arrayContaining([...(row.takes ?? []), ...(row.always ?? []), ...(row.ofGuests ?? [])]),
    );
    for (const flag of ['--force', '--no-checks', '--approve', '--fresh', '--take-over'])
      expect([...(row.takes ?? []), ...(row.always ?? [])]).not.toContain(flag);
  });

  it('has a name that fits behind the prefix of the plugin', () => {
    expect(`mcp__plugin_plan_signalbox__${row.name}`.length).toBeLessThanOrEqual(64);
    expect(row.name).toMatch(/^[a-z]+(_[a-z]+)?$/);
  });

  it('says in whole sentences what it is, and nothing about exit codes and flags', () => {
    expect(description).toMatch(/^[A-Z].*\.$/);
    expect(description).not.toMatch(/[Ee]xit code \d|--[a-z]/);
    for (const field of Object.values(input.properties as Record<string, { description: string }>))
      expect(field.description).toMatch(/\w/);
  });

  it('has schemas that can be compiled', () => {
    const ajv = new Ajv2020({ strict: false });
    expect(ajv.compile(input)).toBeTypeOf('function');
    expect(ajv.compile(output)({ advice: 'x' })).toBe(true);
  });
});

describe('a call becomes the command line', () => {
  it.each<[string, object, string]>([
    ['lock_acquire', { resources: ['a.ts', 'db:test'] }, `lock wait --timeout=${longestWaitS} --json -- a.ts db:test`],
    ['lock_acquire', { resources: ['a'], shared: true, timeout: 0 }, 'lock wait --shared --timeout=0 --json -- a'],
    ['lock_acquire', { resources: ['--agent=x', '-p'] }, `lock wait --timeout=${longestWaitS} --json -- --agent=x -p`],
    ['next_tasks', {}, 'next --json --'],
    ['next_tasks', { count: 3, plan: 'p.md' }, 'next --plan=p.md --json -- 3'],
    ['complete_task', { task: 'a', notes: '--no-checks' }, 'mark-complete --notes=--no-checks --json -- a'],
    ['complete_task', { task: '--force' }, 'mark-complete --json -- --force'],
    ['fail_task', { task: 'a', error: '' }, 'mark-failed --error= --json -- a'],
    ['run_plan', { only: ['a', 'b'], max_parallel: 2 }, 'run --detach --yes --only=a,b --max-parallel=2 --json --'],
    ['run_plan', { plan: '--approve' }, 'run --detach --yes --plan=--approve --json --'],
    ['list_decisions', {}, 'decide --json --'],
    ['answer_decision', { decision: 'd1', choice: 'retry' }, 'decide --json -- d1 retry'],
    ['plan_status', { all: false }, 'status --json --'],
  ])('%s %j', (tool, given, line) => {
    expect(lineOf(tool, given)).toBe(line);
  });

  it('of a guest, who lets no attempt be stopped', () => {
    const row = toolTable.find(({ name }) => name === 'lock_acquire')!;
    const { argv } = toolForm(row, { table: commandTable, schemas }, true);
    expect(argv({ resources: ['a'], timeout: 1 }, undefined).join(' ')).toBe(
      'lock wait --yield --timeout=1 --json -- a',
    );
  });

  it('about the own task of an attempt, unless another is named', () => {
    expect(lineOf('task_info', {}, 'api')).toBe('prompt --json -- api');
    expect(lineOf('task_info', { task: 'web' }, 'api')).toBe('prompt --json -- web');
    expect(lineOf('report_blocked', { question: 'Which?' }, 'api')).toBe('suspend --question=Which? --json -- api');
    expect(lineOf('task_info')).toBe('prompt --json --');
  });
});

it('takes what must be given, and nothing that is not known', () => {
  const required = Object.fromEntries([...forms].map(([name, { input }]) => [name, input.required]));
  expect(required).toMatchObject({
    lock_acquire: ['resources'],
    task_info: undefined,
    write_findings: ['text'],
    report_blocked: ['question'],
    start_task: ['task'],
    fail_task: ['task', 'error'],
    answer_decision: ['decision', 'choice'],
    list_decisions: undefined,
  });
  for (const { input } of forms.values()) expect(input.additionalProperties).toBe(false);
});

it('is short enough for every conversation', () => {
  const told = [...forms.values()].map(({ description, input }) => JSON.stringify([description, input])).join('');
  expect(told.length).toBeLessThan(12_000);
});

it('is described in docs/mcp.md with its command', () => {
  const rows = [...readFileSync('docs/mcp.md', 'utf8').matchAll(/^\| `([a-z_]+)` \| `([a-z -]+)/gm)];
  const told = rows.map(([, name, command]) => [name, command!.split(/ --| ID/)[0]!.trim()]);
  expect(told.toSorted()).toEqual(toolTable.map(({ name, command }) => [name, command]).toSorted());
});
