import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { commandTable } from './command-table.ts';
import { commandsDoc } from './commands-doc.ts';

it('docs/commands.md is as the command table is; node scripts/write-commands-doc.mjs writes it', () => {
  expect(readFileSync('docs/commands.md', 'utf8')).toBe(commandsDoc(commandTable));
});

it('has every command, flag and example', () => {
  const text = commandsDoc(commandTable);
  for (const { name, flags = [], examples } of commandTable) {
    expect(text).toContain(`\n## ${name}\n`);
    for (const { flags: written } of flags) expect(text).toContain(written);
    for (const example of examples) expect(text).toContain(`\n${example}\n`);
  }
});
