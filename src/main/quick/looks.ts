import { lookCommands } from '../../cli/look-commands.ts';
import { quickProgram } from './program.ts';

export const runQuickly = quickProgram(lookCommands);
