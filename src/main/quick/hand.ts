import { handCommands } from '../../cli/hand-commands.ts';
import { quickProgram } from './program.ts';

export const runQuickly = quickProgram(handCommands);
