// A limit of Codex about whose end its stream says nothing: the program is asked, where the account is one of ChatGPT. Its app-server asks the
// service in turn, which is scripted here too.

import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { planOf, works } from './ends.ts';
import { sendJson } from './models/model-server.ts';
import { AgentRig, kinds, named } from './rig.ts';

const limited = { failed: { code: 'rate_limit_exceeded', message: 'Rate limit reached. Please try again in 1.0s.' } };

const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

/** Unsigned, and good for a long time. */
const ticket = [
  encoded({ alg: 'none', typ: 'JWT' }),
  encoded({
    exp: 4_000_000_000,
    'https://api.openai.com/auth': { chatgpt_account_id: 'acc', chatgpt_plan_type: 'pro', chatgpt_user_id: 'u' },
  }),
  'x',
].join('.');

const login = {
  auth_mode: 'chatgpt',
  OPENAI_API_KEY: null,
  tokens: { id_token: ticket, access_token: ticket, refresh_token: 'r', account_id: 'acc' },
  last_refresh: new Date().toISOString(),
};

const window = (used_percent: number, reset_at: number, limit_window_seconds: number) => ({
  ...{ used_percent, reset_at, limit_window_seconds },
  reset_after_seconds: reset_at - Math.floor(Date.now() / 1000),
});

interface Service {
  readonly asked: string[];
  readonly close: () => Promise<void>;
}

/** What the account has used, at the address that the configuration of the person names. */
async function serve(rig: AgentRig, usage: object): Promise<Service> {
  const asked: string[] = [];
  const server = createServer(({ url = '' }, response) => {
    asked.push(url);
    sendJson(response, url.endsWith('/wham/usage') ? 200 : 404, url.endsWith('/wham/usage') ? usage : {});
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/backend-api/`;
  const file = join(rig.home, '.codex/config.toml');
  // In front, where no table has begun.
  writeFileSync(file, `chatgpt_base_url = "${url}"\n${readFileSync(file, 'utf8')}`);
  const close = async () => {
    server.closeAllConnections();
    await new Promise((closed) => server.close(closed));
  };
  return { asked, close };
}

describe.runIf(kinds.includes('codex'))('Codex at its limit', () => {
  const soon = Math.floor(Date.now() / 1000) + 3_600;
  const usage = {
    plan_type: 'pro',
    rate_limit: {
      ...{ allowed: false, limit_reached: true },
      primary_window: window(100, soon, 18_000),
      secondary_window: window(40, soon + 86_400, 604_800),
    },
  };

  it.each(['attempt', 'review'])('with a login: its %s waits until the used up window ends', async (which) => {
    const isReview = which === 'review';
    const files = {
      'plan.md': planOf('codex', `retries: 0\n${isReview ? 'review: agent\n' : ''}`),
      'signalbox.yaml': isReview ? 'review-agent: codex\n' : '',
    };
    const rig = await AgentRig.start('codex', files, (conversation) =>
      isReview && !conversation.prompt.includes('# Review of a#1') ? works('codex')(conversation) : limited,
    );
    const service = await serve(rig, usage);
    writeFileSync(join(rig.home, '.codex/auth.json'), JSON.stringify(login));
    const run = rig.start('run', 'plan.md', '--json');
    const { until, guessed } = await run.line(({ type }) => type === 'quota-paused');
    expect(guessed).toBeUndefined();
    expect(Date.parse(until)).toBeGreaterThanOrEqual(soon * 1000);
    expect(Date.parse(until)).toBeLessThanOrEqual(soon * 1000 + 5_000);
    expect(service.asked.filter((url) => url.endsWith('/wham/usage'))).toHaveLength(1);
    run.kill('SIGTERM');
    const { lines } = await run.ended;
    expect(lines.filter(({ type }) => type === 'task-failed')).toEqual([]);
    await service.close();
    await rig.close();
  });

  it.each<[string, boolean, string]>([
    ['a key', false, ''],
    [
      'a program that does not know the question',
      true,
      '#!/bin/sh\ntest "$3" = app-server && exit 3\nexec codex "$@"\n',
    ],
    ['a program that does not answer', true, '#!/bin/sh\ntest "$3" = app-server && sleep 600\nexec codex "$@"\n'],
  ])('with %s: nobody says until when, and it is tried again after a while', async (_, hasLogin, wrapper) => {
    const wrapped = { tool: wrapper, 'signalbox.yaml': 'agents:\n  codex: { command: [./tool] }\n' };
    const files = { 'plan.md': planOf('codex', 'retries: 0\n'), ...(wrapper === '' ? {} : wrapped) };
    const rig = await AgentRig.start('codex', files, () => limited);
    if (wrapper !== '') chmodSync(join(rig.workspace.folder, 'tool'), 0o755);
    const service = await serve(rig, usage);
    if (hasLogin) writeFileSync(join(rig.home, '.codex/auth.json'), JSON.stringify(login));
    const run = rig.start('run', 'plan.md', '--json');
    const end = await run.line(({ type }) => type === 'attempt-ended');
    expect(end.evidence.agent).toMatchObject({ class: 'rate-limit' });
    expect(end.evidence.agent).not.toHaveProperty('resetsAt');
    expect(await run.line(({ type }) => type === 'quota-paused')).toMatchObject({ guessed: true });
    expect(service.asked.filter((url) => url.endsWith('/wham/usage'))).toEqual([]);
    run.kill('SIGTERM');
    await run.ended;
    expect(named(rig.processes())).toEqual([]);
    await service.close();
    await rig.close();
  });
});
