// A person's own frame for prompts through the whole program: what an agent reads, what `prompt` shows, and mistakes before anything runs.
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { Workspace } from '../rig.ts';

const settings =
  'retries: 0\nprompt-template: docs/prompt.md\nagents:\n  mine: {kind: command, command: [sh, fake.sh]}\n';
const ground = (template: string | null, more = {}): Workspace =>
  new Workspace({
    'signalbox.yaml': settings,
    'plan.yaml': 'tasks:\n  a: {title: Build it, agent: mine, check: "true"}\n',
    'fake.sh': 'cat > told.md\n',
    ...(template === null ? {} : { 'docs/prompt.md': template }),
    ...more,
  });

describe('prompt-template', () => {
  it('frames what an agent is told, and prompt shows the same', async () => {
    const w = ground('House rules.\n\n{note}\n\n{judged}\n\n{task}\n');
    const shown = await w.run('prompt', 'a', '--plan', 'plan.yaml');
    expect((await w.run('run', 'plan.yaml')).code).toBe(0);
    expect(w.read('told.md')).toMatch(/^House rules\.\n\n## How it is judged[\s\S]*\n\n# Build it\n/);
    expect(shown.out).toBe(w.read('told.md'));
  });

  it.each<[string, string | null, RegExp]>([
    [
      'a placeholder that does not exist',
      '{task}\n\n{taks}\n',
      /docs\/prompt\.md:3:1: error.*no section \{taks\}[\s\S]*help: sections are \{task\}/,
    ],
    ['no task', 'Hello.\n', /docs\/prompt\.md:1:1: error.*has no \{task\}/],
    ['a missing file', null, /signalbox\.yaml:2:18: error.*there is no file docs\/prompt\.md[\s\S]*help: /],
  ])('%s is refused before a run and by check', async (_, template, words) => {
    const w = ground(template);
    for (const args of [
      ['run', 'plan.yaml'],
      ['check', 'plan.yaml'],
      ['run', 'plan.yaml', '--dry-run'],
      ['prompt', 'a', '--plan', 'plan.yaml'],
    ]) {
      const { code, err } = await w.run(...args);
      expect(code, args.join(' ')).toBe(3);
      expect(err, args.join(' ')).toMatch(words);
    }
    expect(w.has('told.md')).toBe(false);
    expect(w.has('.signalbox')).toBe(false);
  });

  it('is refused where a link leads out of the workspace', async () => {
    const elsewhere = new Workspace({ 'prompt.md': '{task}\n' });
    const w = ground(null, { 'docs/x': '' });
    symlinkSync(join(elsewhere.folder, 'prompt.md'), join(w.folder, 'docs/prompt.md'));
    const { code, err } = await w.run('check', 'plan.yaml');
    expect(code).toBe(3);
    expect(err).toContain(
      'signalbox.yaml:2:18: error[bad-value]: prompt-template: docs/prompt.md is a link that leads out of the workspace',
    );
    const within = ground(null, { 'docs/real.md': '{task}\n' });
    symlinkSync('real.md', join(within.folder, 'docs/prompt.md'));
    expect((await within.run('check', 'plan.yaml')).code).toBe(0);
  });
});
