import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readReviewAnswer, reviewAnswer } from './review-answer.ts';

const approved = '{"verdict":"approved"}';
const rejection = { verdict: 'rejected', severity: 'low', issues: [{ message: 'no tests', file: 'a.ts', task: 'b' }] };
const rejected = JSON.stringify(rejection);
const words = (text: string) => JSON.stringify({ type: 'assistant', message: { content: [{ type: 'text', text }] } });
const result = (text: string) => JSON.stringify({ type: 'result', session_id: 's', is_error: false, result: text });
const piece = (content: string) => JSON.stringify({ type: 'message', role: 'assistant', content, delta: true });
const end = JSON.stringify({ type: 'result', status: 'success', stats: {} });
const fence = (text: string) => `\`\`\`json\n${text}\n\`\`\``;

describe('reviewAnswer', () => {
  it.each([
    ['alone', approved],
    ['behind prose', `I looked at it.\n\n${approved}\n`],
    ['before empty lines', `${approved}\n\n  \n`],
    ['in a fence', `My answer:\n${fence(JSON.stringify({ verdict: 'approved' }, null, 2))}\n`],
    ['in a fence without a word', `\`\`\`\n${approved}\n\`\`\``],
    ['with line ends of Windows', `well\r\n${approved}\r\n`],
    ['behind another object', `{"looked":"at"}\n${approved}`],
    ['behind words about answers', `The "verdict" will be ${approved}, I think.\n${approved}`],
    ['behind binary', `\0\u0001\u001b[2J{"\n${approved}`],
    ['as the result of a stream', `${result(`Fine.\n${approved}`)}\n`],
    [
      'as the last words of Codex',
      `${JSON.stringify({ type: 'item.completed', item: { type: 'agent_message', text: approved } })}\n{"type":"turn.completed","usage":{}}`,
    ],
    [
      'as text of opencode',
      `${JSON.stringify({ type: 'text', part: { type: 'text', text: approved } })}\n{"type":"step_finish","part":{}}`,
    ],
    ['in pieces of Gemini CLI', [piece(`Fine.\n${approved.slice(0, 5)}`), piece(approved.slice(5)), end].join('\n')],
    ['as what an assistant said', `${words(approved)}\n{"type":"system"}`],
    ['said by an assistant, and again as the result', `${words(approved)}\n${result(approved)}`],
  ])('approves: %s', (_, output) => {
    expect(reviewAnswer(output)).toEqual({ verdict: 'approved' });
  });

  it('rejects with what was found, and nothing else', () => {
    expect(reviewAnswer(`Not good.\n${rejected}`)).toEqual(rejection);
    expect(reviewAnswer(fence(JSON.stringify(rejection, null, 2)))).toEqual(rejection);
  });

  it.each([
    ['nothing', '', 'no JSON object'],
    ['prose', 'I approve. The verdict is approved.', 'no JSON object'],
    ['inside a sentence', `I say ${approved}`, 'no JSON object'],
    ['a line of a diff', `+${approved}`, 'no JSON object'],
    ['an array', `[${approved}]`, 'no JSON object'],
    ['two on one line', `${approved} ${approved}`, 'no JSON object'],
    ['words behind it', `${approved}\nActually no.`, 'behind its answer'],
    ['words behind its fence', `${fence(approved)}\nActually no.`, 'behind its answer'],
    ['words behind it on its line', `${approved} Actually no.`, 'no JSON object'],
    ['half of a second one', `${approved}\n{"verdict":"rejected","issues":[`, 'behind its answer'],
    ['two different ones', `${approved}\n${rejected}`, 'more than one answer'],
    ['two that are the same', `${approved}\n${approved}`, 'more than one answer'],
    ['one in a fence and one behind it', `${fence(rejected)}\n${approved}`, 'more than one answer'],
    ['one over several lines and one behind it', `{\n  "verdict": "rejected"\n}\n${approved}`, 'more than one answer'],
    ['a first one that is not whole', `{"verdict":"rejected",\n${approved}`, 'more than one answer'],
    ['a first one that is spelt otherwise', `{"v\\u0065rdict":"rejected"}\n${approved}`, 'more than one answer'],
    ['a verdict twice', '{"verdict":"rejected","verdict":"approved"}', 'the key "verdict" twice'],
    ['a verdict twice, spelt otherwise', '{"v\\u0065rdict":"rejected","verdict":"approved"}', 'twice'],
    [
      'a key of an issue twice',
      '{"verdict":"rejected","severity":"low","issues":[{"message":"x","message":"y"}]}',
      'the key "message" twice',
    ],
    [
      'words of an assistant behind its answer',
      [approved, 'Actually no.'].map((text) => words(text)).join('\n'),
      'behind its answer',
    ],
    ['two answers of an assistant', [rejected, approved].map((text) => words(text)).join('\n'), 'more than one answer'],
    ['two in a message, the last again', `${words(`${rejected}\n${approved}`)}\n${result(approved)}`, 'more than one'],
    ['a result that is another than what was said', `${words(rejected)}\n${result(approved)}`, 'more than one answer'],
    ['a result that is none after an answer', `${words(approved)}\n${result('Actually no.')}`, 'behind its answer'],
    ['pieces behind its answer', [piece(approved), piece('\nActually no.'), end].join('\n'), 'behind its answer'],
    ['pieces of two answers', [piece(rejected), piece(`\n${approved}`)].join('\n'), 'more than one answer'],
    [
      'a call between two pieces',
      [piece('{"verdict":'), '{"type":"tool_use","tool_name":"x"}', piece('"approved"}')].join('\n'),
      'behind its answer',
    ],
    ['an error behind its answer', `${words(approved)}\n{"type":"turn.failed","error":{"message":"no"}}`, 'behind'],
    ['words behind a stream', `${result(approved)}\nActually no.`, 'behind its answer'],
    ['a piece with two texts', `${piece(approved)}\n${piece('').replace('{', '{"content":"no",')}`, 'twice'],
    ['a result twice', '{"type":"result","result":"no","result":"{\\"verdict\\":\\"approved\\"}"}', 'twice'],
    ['another object last', `${approved}\n{"done":true}`, 'behind its answer'],
    ['another word', '{"verdict":"APPROVED"}', 'neither'],
    ['not a word', '{"verdict":["approved"]}', 'neither'],
    ['more than a verdict', '{"verdict":"approved","issues":[]}', '"issues"'],
    ['prototype keys', '{"verdict":"approved","__proto__":{"a":1}}', '"__proto__"'],
    ['a verdict in the prototype', '{"__proto__":{"verdict":"approved"}}', 'neither'],
    ['a rejection without severity', '{"verdict":"rejected","issues":[{"message":"x"}]}', 'severity'],
    [
      'a severity of the prototype',
      '{"verdict":"rejected","severity":"constructor","issues":[{"message":"x"}]}',
      'severity',
    ],
    ['a rejection without issues', '{"verdict":"rejected","severity":"low","issues":[]}', 'without a list'],
    ['issues that are none', '{"verdict":"rejected","severity":"low","issues":["x"]}', 'no object'],
    ['an issue without words', '{"verdict":"rejected","severity":"low","issues":[{"message":" "}]}', 'no message'],
    ['an issue with more', '{"verdict":"rejected","severity":"low","issues":[{"message":"x","line":3}]}', '"line"'],
    [
      'an issue about no file',
      '{"verdict":"rejected","severity":"low","issues":[{"message":"x","file":3}]}',
      'no name',
    ],
    ['nested deeply', `${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`, 'neither'],
    ['too many issues', JSON.stringify({ ...rejection, issues: Array(51).fill({ message: 'x' }) }), 'more than 50'],
    ['an endless message', JSON.stringify({ ...rejection, issues: [{ message: 'x'.repeat(5_000) }] }), 'too long'],
    ['a stream without words', '{"type":"result","is_error":true}', 'no JSON object'],
  ])('does not understand: %s', (_, output, problem) => {
    expect(reviewAnswer(output)).toMatchObject({ verdict: 'unreadable', problem: expect.stringContaining(problem) });
  });

  it('never approves what nobody approved', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.json(), fc.string(), fc.constant('```'), fc.constant('```json'))), (lines) => {
        expect(reviewAnswer(lines.join('\n')).verdict).not.toBe('approved');
      }),
    );
  });

  it('takes no more time for each line, however many look like answers', () => {
    const cost = (lines: number) => {
      const before = process.cpuUsage();
      reviewAnswer('{"verdict"\n'.repeat(lines));
      reviewAnswer('```\n{\n'.repeat(lines));
      reviewAnswer(`${'{"a":"'.repeat(lines)}\n${approved}`);
      reviewAnswer('["verdict'.repeat(lines));
      return process.cpuUsage(before).user;
    };
    // Four times as many lines; a busy machine may double what either takes, and looking back from each line would cost 16 times as much.
    expect(Math.min(cost(40_000), cost(40_000)) / Math.max(cost(10_000), cost(10_000))).toBeLessThan(10);
  });

  it('looks only at the end of what was printed', () => {
    const folder = mkdtempSync(join(tmpdir(), 'signalbox-test-'));
    try {
      const file = join(folder, 'log');
      writeFileSync(file, '');
      truncateSync(file, 3_000_000_000);
      writeFileSync(file, `\n${approved}\n`, { flag: 'a' });
      expect(readReviewAnswer(file)).toEqual({ verdict: 'approved' });
      expect(readReviewAnswer(join(folder, 'nothing'))).toMatchObject({ verdict: 'unreadable' });
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
