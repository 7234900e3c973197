import { describe, expect, it } from 'vitest';
import { planAnswer } from './plan-answer.ts';

const plan = '# A\n\n- [ ] a: Do\n  ```run\n  make\n  ```\n';

describe('the plan in the last message of an agent', () => {
  it.each<[string, string, string]>([
    ['alone', plan, plan],
    ['with white space around it', `\n\n${plan}\n\n`, plan],
    ['between fences', `\`\`\`markdown\n${plan}\`\`\`\n`, plan],
    ['between longer fences', `\`\`\`\`md\n${plan}\`\`\`\``, plan],
    ['between fences without a word', `\`\`\`\n${plan}\`\`\``, plan],
    ['between tildes', `~~~markdown\n${plan}~~~`, plan],
    ['with words around the fences', `Here it is:\n\n\`\`\`markdown\n${plan}\`\`\`\n\nTell me if it fits.`, plan],
    [
      'with fences of its own at its end',
      '# A\n\n- [ ] a: Do\n\n```run\nmake\n```',
      '# A\n\n- [ ] a: Do\n\n```run\nmake\n```\n',
    ],
    ['with a fence that is never closed', '```markdown\n# A\n- [ ] a: Do', '# A\n- [ ] a: Do\n'],
    [
      'with what a terminal would obey',
      '# A\u001b[31m\n- [ ] a: Do\r\n  - run: `echo \u001b]0;x\u0007hi`\n',
      '# A\n- [ ] a: Do\n  - run: `echo hi`\n',
    ],
    ['with a byte order mark', `\ufeff${plan}`, plan],
    ['nothing', ' \n\t\n', ''],
    ['nothing between fences', '```markdown\n```', ''],
  ])('%s', (_, said, found) => {
    expect(planAnswer(said)).toBe(found);
  });
});
