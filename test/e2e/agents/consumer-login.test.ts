// Gemini CLI with the login of a consumer account: said before anything runs, wherever a person looks.
import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { Workspace } from '../rig.ts';

it('is refused before a run, and check, --dry-run and doctor say what to set', async () => {
  const w = new Workspace({
    'signalbox.yaml': 'locks: advisory\nagents:\n  gemini: {}\n',
    'plan.yaml': 'tasks:\n  a: {title: Write, agent: gemini, produces: text}\n',
    'bin/gemini': '#!/bin/sh\necho 0.61.0\n',
    'home/.gemini/settings.json': '{"security":{"auth":{"selectedType":"oauth-personal"}}}',
  });
  chmodSync(join(w.folder, 'bin/gemini'), 0o755);
  const env = { HOME: join(w.folder, 'home'), PATH: `${join(w.folder, 'bin')}:${process.env.PATH}` };
  const words =
    /the agent gemini would use a Google login, and Gemini CLI no longer works with consumer accounts[\s\S]*set GEMINI_API_KEY/;
  const run = await w.runWith(env, 'run', 'plan.yaml');
  expect(run.code).toBe(7);
  expect(run.err).toMatch(words);
  const check = await w.runWith(env, 'check', 'plan.yaml');
  expect(check.code).toBe(0);
  expect(check.out + check.err).toMatch(words);
  const dry = await w.runWith(env, 'run', 'plan.yaml', '--dry-run');
  expect(dry.out + dry.err).toMatch(words);
  const doctor = await w.runWith(env, 'doctor');
  expect(doctor.out + doctor.err).toMatch(/agent gemini \(signalbox\.yaml:3\): it would use a Google login/);
  const keyed = await w.runWith({ ...env, GEMINI_API_KEY: 'k' }, 'check', 'plan.yaml');
  expect(keyed.out + keyed.err).not.toContain('consumer');
});
