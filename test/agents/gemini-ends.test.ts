// The table of Gemini CLI's ends: what it says, what is understood of it, and what becomes of the task.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { fails, planOf, settingsOf, startsAfresh, waits, works } from './ends.ts';
import { AgentRig, kinds, reportOf, speech } from './rig.ts';

const refusal = (code: number, status: string, message: string, details: readonly object[] = []) => ({
  status: code,
  error: { error: { code, message, status, details } },
});

describe.runIf(kinds.includes('gemini'))('Gemini CLI ends', () => {
  it('with a wrong key: fails at once, whatever tries are left', () => {
    const first = refusal(400, 'INVALID_ARGUMENT', 'API key not valid. Please pass a valid API key.');
    return fails('gemini', { name: 'key', first, class: 'authentication', said: /API key not valid/, exit: 144 }, 3, 1);
  });

  const permanent = { kind: 'agent', class: 'authentication' };

  it.each([
    [
      'without a key, though one was chosen',
      '{"security":{"auth":{"selectedType":"gemini-api-key"}}}',
      /GEMINI_API_KEY/,
    ],
    ['without any login', '{}', /Invalid auth method/],
  ])('%s: fails at once, whatever tries are left', async (_, settings, said) => {
    const rig = await AgentRig.start('gemini', { 'plan.md': planOf('gemini', 'retries: 3\n') }, works('gemini'));
    writeFileSync(join(rig.home, '.gemini/settings.json'), settings);
    const ended = await rig.startWith({ GEMINI_API_KEY: '' }, 'run', 'plan.md', '--json').ended;
    const { code, ends, failures, out, err } = reportOf(ended);
    await rig.close();
    expect(code, `${out}\n${err}`).toBe(1);
    expect(ends).toMatchObject([{ end: { kind: 'exited', code: 41 } }]);
    expect(failures.a).toMatchObject({ ...permanent, message: expect.stringMatching(said) });
  });

  it('well with a key, whatever Google login its settings choose', async () => {
    const rig = await AgentRig.start('gemini', { 'plan.md': planOf('gemini', 'retries: 0\n') }, works('gemini'));
    const settings = join(rig.home, '.gemini/settings.json');
    const text = readFileSync(settings, 'utf8').replace('gemini-api-key', 'oauth-personal');
    writeFileSync(settings, text);
    const { code, completed, out, err } = await rig.run('run', 'plan.md', '--json');
    const after = readFileSync(settings, 'utf8');
    await rig.close();
    expect(code, `${out}\n${err}`).toBe(0);
    expect(completed).toEqual(['a']);
    expect(after).toBe(text);
  });

  it('after its requests of the day: waits, and nothing has failed', () => {
    const violations = [{ quotaId: 'GenerateRequestsPerDay' }];
    const first = refusal(429, 'RESOURCE_EXHAUSTED', 'Quota exceeded for quota metric Generate requests per day', [
      { '@type': 'type.googleapis.com/google.rpc.QuotaFailure', violations },
    ]);
    return waits('gemini', { name: 'quota', first, class: 'rate-limit', said: /daily quota/, exit: 173 });
  });

  it('with a conversation that is too long: the next attempt has a new one', () => {
    const words = 'The input token count (1150200) exceeds the maximum number of tokens allowed (1048576).';
    const first = refusal(400, 'INVALID_ARGUMENT', words);
    return startsAfresh('gemini', { name: 'context', first, class: 'context', said: /exceeds the maximum/, exit: 144 });
  });

  it('with tools refused: asks a person and names them, though it exits with 0', async () => {
    const files = {
      'plan.md': planOf('gemini', 'retries: 0\n'),
      'signalbox.yaml': settingsOf('gemini', ['--admin-policy', 'rules.toml']),
      // A tool that is denied as a whole is not offered.
      'rules.toml':
        '[[rule]]\ntoolName = "run_shell_command"\ncommandPrefix = "rm"\ndecision = "deny"\npriority = 900\n',
    };
    const rig = await AgentRig.start('gemini', files, ({ turn }) =>
      turn === 0 ? { text: '', tools: [speech.gemini.shell('rm -f b.txt')] } : { text: 'I could not.' },
    );
    const { code, ends, lines, out, err } = await rig.run('run', 'plan.md', '--json');
    await rig.close();
    expect(code, `${out}\n${err}`).toBe(4);
    expect(ends).toMatchObject([
      {
        end: { kind: 'exited', code: 0 },
        evidence: { agent: { class: 'refused-tools', denied: ['run_shell_command'] } },
      },
    ]);
    const asked = lines.find(({ type }) => type === 'decision-opened');
    expect(asked.evidence.question).toMatch(/^It may not use run_shell_command\. .* It said: I could not\.$/);
  });

  it('is not offered a mode in which it may not write', async () => {
    const rig = await AgentRig.start('gemini', { 'plan.md': planOf('gemini', 'retries: 0\n') }, works('gemini'));
    const { code, out, err } = await rig.run('run', 'plan.md', '--json');
    expect(code, `${out}\n${err}`).toBe(0);
    const tools = JSON.stringify(rig.model.asked[0]!.body.tools);
    await rig.close();
    expect(tools).toContain('"write_file"');
    expect(tools).not.toContain('plan_mode');
  });
});
