// For tests: what the stream of a coding agent amounts to.
import type { AgentLogEnd } from '../../src/api/signalbox.ts';

export const anEnd = (other: Partial<AgentLogEnd> = {}): AgentLogEnd => ({
  output: true,
  calls: 2,
  longest: null,
  session: 's',
  version: null,
  loaded: [],
  said: 'Bye.',
  writes: [],
  denied: [],
  asked: '',
  usage: [],
  costUsd: null,
  resetsAt: null,
  result: { class: 'done', text: 'Bye.' },
  tooLong: 0,
  unread: null,
  isRunning: false,
  waits: null,
  errors: [],
  audit: [],
  ...other,
});
