// What several commands say about themselves in the same words.

export const planArgument = ['[PLAN]', 'the plan file; the current one by default'] as const;
export const reason = { flags: '--reason <TEXT>', about: 'why; it is recorded' };
export const absolute = { flags: '--absolute', about: 'times with their date and zone, instead of as people say them' };
