// What docs/agents.md says about the kinds is what their files say.
import { globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { pi } from '../../test/fixtures/pi.ts';
import { agentKinds, builtIn, kindOf, withoutNoise } from './kind.ts';
import { parsed } from './stream/json-lines.ts';
import { StreamReader } from './stream/stream-reader.ts';

const page = readFileSync('docs/agents.md', 'utf8');
const rows = page.split('\n').filter((line) => line.startsWith('|'));
const cells = (row: string) => row.split('|').map((cell) => cell.trim());

describe.each(builtIn)('%s in docs/agents.md', (name) => {
  const { known, hooks } = kindOf({ kind: name })!;
  const { title, package: from, tried } = known!;

  it('is installed as its file says, in the version that was tried', () => {
    const row = rows.find((line) => line.startsWith(`| \`${name}\` | ${title} |`))!;
    expect(cells(row)).toEqual(expect.arrayContaining([`\`npm install --global ${from}\``, tried]));
  });

  it('says which edits take locks, and what is not covered', () => {
    const row = rows.find((line) => line.startsWith(`| ${title} |`))!;
    expect(cells(row).slice(-3, -1)).toEqual([hooks!.editors.join(', '), hooks!.notCovered.join('; ')]);
  });
});

it('are the kinds of the settings, and no other name is one', () => {
  expect(agentKinds.map(({ name }) => name)).toEqual(['command', 'claude', 'codex', 'gemini', 'opencode']);
  for (const kind of ['shell', 'toString', 'default', '__esModule', '']) expect(kindOf({ kind })).toBeNull();
});

it('know their own streams only, so their order means nothing', () => {
  for (const name of builtIn)
    for (const file of globSync(`test/fixtures/streams/${name}/*.jsonl`))
      for (const text of readFileSync(file, 'utf8').split('\n')) {
        const line = parsed(text);
        const own = line === null ? [] : kindOf({ kind: name })!.events!(line);
        const others = builtIn.filter((kind) => kind !== name && line && kindOf({ kind })!.events!(line).length > 0);
        if (own.length > 0) expect(others, `${file}: ${text.slice(0, 300)}`).toEqual([]);
      }
});

describe('the example of a new kind', () => {
  it('is a file that compiles', () => {
    const file = readFileSync('test/fixtures/pi.ts', 'utf8');
    const shown = file.replace("'../../src/agents/kinds/", "'./").replaceAll("'../../src/agents/", "'../");
    expect(/```ts kind\n([\s\S]*?)```/.exec(page)?.[1]).toBe(shown);
  });

  it('reads what its program prints', () => {
    const reader = new StreamReader(pi.events!);
    reader.feed('{"type":"message","text":"Hello."}\n{"type":"end"}\n');
    expect(reader.end()).toMatchObject({ said: 'Hello.', result: { class: 'done' } });
    const request = { model: 'small' } as Parameters<typeof pi.launch>[1];
    expect(pi.launch({ kind: 'pi', command: [], args: ['-q'], env: {}, line: 0 }, request).argv).toEqual([
      ...['pi', '--json', '--model', 'small', '-q'],
    ]);
  });
});

it('leaves out what programs print beside their streams however they end', () => {
  const noise = ['Warning: 256-color support not detected. Using a', 'YOLO mode is enabled. All', '[STARTUP] Phase'];
  expect(withoutNoise([...noise, 'Reading prompt from stdin...'].join('\n'))).toBe('');
  expect(withoutNoise([noise[0], 'Error: no such model', noise[2], 'Killed'].join('\n'))).toBe(
    'Error: no such model\nKilled',
  );
});
