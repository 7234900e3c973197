// The table of Gemini CLI's ends: what it says, what is understood of it, and what becomes of the task.
import { describe, it } from 'vitest';
import { fails, waits } from './ends.ts';
import { kinds } from './rig.ts';

const refusal = (code: number, status: string, message: string, details: readonly object[] = []) => ({
  status: code,
  error: { error: { code, message, status, details } },
});

describe.runIf(kinds.includes('gemini'))('Gemini CLI ends', () => {
  it('with a wrong key: fails at once, whatever tries are left', () => {
    const first = refusal(400, 'INVALID_ARGUMENT', 'API key not valid. Please pass a valid API key.');
    return fails('gemini', { name: 'key', first, class: 'authentication', said: /API key not valid/, exit: 144 }, 3, 1);
  });

  it('after its requests of the day: waits, and nothing has failed', () => {
    const violations = [{ quotaId: 'GenerateRequestsPerDay' }];
    const first = refusal(429, 'RESOURCE_EXHAUSTED', 'Quota exceeded for quota metric Generate requests per day', [
      { '@type': 'type.googleapis.com/google.rpc.QuotaFailure', violations },
    ]);
    return waits('gemini', { name: 'quota', first, class: 'rate-limit', said: /daily quota/, exit: 173 });
  });
});
