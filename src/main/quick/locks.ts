import { lockCommands } from '../../cli/lock-commands.ts';
import { quickProgram } from './program.ts';

export const runQuickly = quickProgram(lockCommands);
