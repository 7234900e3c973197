import { describe, expect, it } from 'vitest';
import { CliRig } from '../../../test/rigs/cli-rig.ts';

describe('help about a word', () => {
  it.each([
    ['run', 'Usage: signalbox run'],
    ['lock', 'Usage: signalbox lock'],
    ['lock try', 'Usage: signalbox lock try'],
    ['unknown-id', 'unknown-id\n'],
    ['error[unknown-id]', 'unknown-id\n'],
    ['5', 'exit code 5'],
    ['help', 'Usage: signalbox COMMAND'],
    ['version', 'Usage: signalbox COMMAND'],
  ])('%s', async (words, shown) => {
    const rig = new CliRig();
    expect(await rig.run('help', ...words.split(' '))).toBe(0);
    expect(rig.out).toContain(shown);
    expect(rig.opened).toHaveLength(0);
  });

  it.each([
    ['stauts', 'did you mean status?'],
    ['lokc', 'did you mean lock?'],
    ['unknow-id', 'did you mean unknown-id?'],
    ['zzzzzz', '"signalbox --help" lists the commands'],
  ])('%s is exit 2: %s', async (word, instead) => {
    const rig = new CliRig();
    expect(await rig.run('help', word)).toBe(2);
    expect(rig.err).toBe(`signalbox: there is no help about "${word}"\n  help: ${instead}\n`);
  });

  it.each([['version'], ['--version'], ['-V']])('%s tells the version, also to programs', async (word) => {
    const [rig, json] = [new CliRig(), new CliRig()];
    expect(await rig.run(word)).toBe(0);
    expect(rig.out).toBe('1.2.3\n');
    expect(await json.run(word, '--json')).toBe(0);
    expect(json.json()).toEqual([{ version: '1.2.3' }]);
  });
});
