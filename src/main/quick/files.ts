import { statusCommands } from '../../cli/status-commands.ts';
import { quickProgram } from './program.ts';

export const runQuickly = quickProgram(statusCommands);
