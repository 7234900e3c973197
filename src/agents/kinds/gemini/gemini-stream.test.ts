import { expect, it } from 'vitest';
import { geminiExit } from './gemini-stream.ts';

it.each([
  [41, 'Invalid auth method selected.', 'authentication'],
  [41, 'Please set an Auth method in your settings.json', 'authentication'],
  [52, 'Authentication failed', 'authentication'],
  [52, 'Invalid telemetry configuration: no such target.', null],
  [42, 'No input provided via stdin.', null],
  [0, '', null],
])('exit code %i with "%s" is %s', (code, errors, wanted) => {
  expect(geminiExit(code, errors)).toBe(wanted);
});
