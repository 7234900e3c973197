// Writes docs/commands.md from the command table. Run it after a command has changed: node scripts/write-commands-doc.mjs
import { writeFileSync } from 'node:fs';
import { commandTable } from '../src/cli/table/command-table.ts';
import { commandsDoc } from '../src/cli/table/commands-doc.ts';

writeFileSync(new URL('../docs/commands.md', import.meta.url), commandsDoc(commandTable));
