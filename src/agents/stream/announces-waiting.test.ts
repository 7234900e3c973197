import { describe, expect, it } from 'vitest';
import { announcesWaiting } from './announces-waiting.ts';

describe('a last message that announces waiting', () => {
  it.each<[string, string]>([
    ['I started the tests. I will be notified when it completes.', 'I will be notified when it completes.'],
    ["The build runs. I'll check back in a few minutes!", "I'll check back in a few minutes!"],
    ['I’ll get notified once the command is done', 'I’ll get notified once the command is done'],
    ['Done so far.\n\nWaiting for the background task to finish.', 'Waiting for the background task to finish.'],
    [
      "I'm waiting for the test run to complete before I go on.",
      "I'm waiting for the test run to complete before I go on.",
    ],
    ['I am now waiting on the agent.', 'I am now waiting on the agent.'],
    ["I'll report back once the tests have passed.", "I'll report back once the tests have passed."],
    ['I will continue when the subagent has finished.', 'I will continue when the subagent has finished.'],
    ['The tests are still running in the background.', 'The tests are still running in the background.'],
    ['I have scheduled a wakeup in five minutes.', 'I have scheduled a wakeup in five minutes.'],
  ])('%s', (text, sentence) => {
    expect(announcesWaiting(text)).toBe(sentence);
  });

  it.each([
    'All done.',
    '',
    'I waited for the tests, and they passed.',
    'The queue notifies users when a job completes; users will be notified by mail.',
    'The worker runs in the background.',
    'If the tests fail again, check back with the author.',
    'I added a test that is waiting for the port.',
    // Only what it says at its end counts.
    `I'll check back later. ${'They have passed meanwhile. '.repeat(200)}`,
  ])('is none: %s', (text) => {
    expect(announcesWaiting(text)).toBeNull();
  });

  it('is cut, harmless, and found in any length in no time', () => {
    const long = `I will be notified when ${'x\u001b[2J'.repeat(5_000)} completes`;
    expect(announcesWaiting(`${'a '.repeat(1_000_000)}. ${long}`)).toBeNull();
    expect(announcesWaiting(`I will be notified when ${'x\u001b[2J'.repeat(300)}`)).toMatch(
      /^I will be notified when x{50,}…$/,
    );
  });
});
