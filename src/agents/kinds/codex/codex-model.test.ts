import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { codexModel } from './codex-model.ts';

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'signalbox-test-'));
});
afterEach(() => rmSync(home, { recursive: true }));

const id = '01a1ebbe-aa83-7460-ae43-d8b00f020fcf';
const turn = (model: string) =>
  `${JSON.stringify({ ordinal: 5, type: 'turn_context', payload: { cwd: '/w', model, settings: { model: 'no' } } })}\n`;
const said = (text: string) => `${JSON.stringify({ type: 'response_item', payload: { text } })}\n`;
const config = (text: string) => writeFileSync(join(home, 'config.toml'), text);

function session(text: string, name = id): string {
  const folder = join(home, 'sessions/2026/11/17');
  mkdirSync(folder, { recursive: true });
  const file = join(folder, `rollout-2026-11-17T23-01-43-${name}.jsonl`);
  writeFileSync(file, text);
  return file;
}

describe('the model of a conversation', () => {
  it('is that of its last turn, whatever was said in it', () => {
    session(`{"type":"session_meta"}\n${turn('gpt-5')}${said('a')}${turn('gpt-5.5')}${said(turn('free'))}`);
    expect(codexModel(home, id)).toBe('gpt-5.5');
  });

  it('counts before the configuration', () => {
    config('model = "gpt-4"\n');
    session(turn('gpt-5.5'));
    expect(codexModel(home, id)).toBe('gpt-5.5');
    expect(codexModel(home, null)).toBe('gpt-4');
    expect(codexModel(home, '../../x')).toBe('gpt-4');
  });

  it('is found in a long file', () => {
    session(`${turn('gpt-5')}${said('x'.repeat(3_000_000))}${turn('gpt-5.5')}`);
    expect(codexModel(home, id)).toBe('gpt-5.5');
  });

  it('is not read from a link or a pipe', () => {
    const file = session('');
    rmSync(file);
    writeFileSync(join(home, 'elsewhere'), turn('gpt-5.5'));
    symlinkSync(join(home, 'elsewhere'), file);
    expect(codexModel(home, id)).toBeNull();
    execFileSync('mkfifo', [join(home, 'config.toml')]);
    expect(codexModel(home, null)).toBeNull();
  });
});

describe('the model of a configuration', () => {
  it.each([
    ['at the top', 'x = 1\nmodel = "gpt-5.5" # mine\n', 'gpt-5.5'],
    ['in plain quotes', "model='gpt-5.5'", 'gpt-5.5'],
    ['of the chosen profile', 'profile = "p"\nmodel = "a"\n[profiles.p]\nmodel = "b"\n', 'b'],
    ['of a quoted profile', 'profile = "p"\n[ profiles."p" ]\nmodel = "b"\n', 'b'],
    ['not of another profile', 'model = "a"\n[profiles.p]\nmodel = "b"\n', 'a'],
    ['not of a provider', '[model_providers.x]\nmodel = "b"\n', null],
    ['not another key', 'model_provider = "x"\n', null],
  ])('%s', (_, text, expected) => {
    config(text);
    expect(codexModel(home, null)).toBe(expected);
  });

  it('is not known without one', () => {
    expect(codexModel(home, id)).toBeNull();
    expect(codexModel(join(home, 'nowhere'), id)).toBeNull();
  });
});
