// What a plan would make a shell do, for somebody who has to judge it: every command whole, whatever the width, and nothing in it that the
// terminal would obey.
import type { ApprovalReport } from '../../api/reports/plan-files.ts';
import { countWords, listWords } from '../../core/model/count-words.ts';
import { safeLine } from '../json/plain-data.ts';
import type { Paint } from '../terminal/paint.ts';

const indent = 12;
const mostNamed = 6;

export function commandLines(commands: ApprovalReport['commands'], paint: Paint): string[] {
  if (commands.length === 0) return ['It runs no shell commands of its own; its agents do what its tasks say.'];
  const shell = commands.filter(({ key }) => key !== 'env').length;
  const lines = commands.flatMap(({ key, command, of }) => {
    const [first = '', ...more] = command.trimEnd().split('\n').map(safeLine);
    const whose = of.length === 0 ? '' : paint.dim(`  (${safeLine(listWords(of, mostNamed))})`);
    const whole = [`  ${key.padEnd(indent - 3)} ${first}`, ...more.map((line) => `${' '.repeat(indent)}${line}`)];
    return whole.map((line, i) => (i === whole.length - 1 ? line + whose : line));
  });
  return [`It would run ${countWords(shell, 'shell command')}:`, ...lines];
}
