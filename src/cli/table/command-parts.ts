// What several commands say about themselves in the same words.

export const planArgument = ['[PLAN]', 'the plan file; the current one by default'] as const;
export const reason = { flags: '--reason <TEXT>', about: 'why; it is recorded' };
export const absolute = { flags: '--absolute', about: 'show times with date and zone, not as "3 s ago"' };
