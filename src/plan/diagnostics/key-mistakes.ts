// Mistakes in keys and their values, in plans and settings.
import { type Explanation, inMarkdown, inYaml } from './explanation.ts';

export const keyMistakes: Readonly<Record<string, Explanation>> = {
  'smart-quotes': inMarkdown(
    'The value of `run:` or `check:` stands between typographic quotes, as word processors and chats write them. A shell takes them for letters and would look for a program with that name. Delete them, or write straight quotes.',
    '- [ ] a: Build\n  - run: “make all”\n',
    '- [ ] a: Build\n  - run: make all\n',
  ),
  'bad-value': inYaml(
    'The key is known, but it takes another kind of value; the message says which. Durations are `500ms`, `10s`, `5m`, `2h` or a number of seconds. In YAML a word such as `true`, or a number, is not text: put a command or a name in quotes.',
    'tasks:\n  a: {run: true, timeout: soon}\n',
    'tasks:\n  a: {run: "true", timeout: 10m}\n',
  ),
  'bad-lock-key': inYaml(
    'Before it starts, a task takes locks on its `files` and `locks` (exclusive) and on what it `reads` (shared with other readers). Each is a path or a glob from the root of the workspace, or a name such as `db:test` or `port:5432` for something that is not a file. Absolute paths, and paths that lead out of the workspace, would mean something else on every machine.',
    'tasks:\n  a: {run: make, files: [/etc/hosts]}\n',
    'tasks:\n  a: {run: make, files: [src/**]}\n',
  ),
  'duplicate-key': inMarkdown(
    'The same key is given twice, and only one of the values can count. Keys that are lists, such as `files` or `check`, may be repeated in markdown: they grow. Give every other key once.',
    '- [ ] a: Build\n  - timeout: 5m\n  - timeout: 10m\n',
    '- [ ] a: Build\n  - timeout: 10m\n',
  ),
  'key-in-prose': inMarkdown(
    'A line looks like a key with a value, but stands where only prose is read, so it sets nothing. Write keys of a task as list items under it, and keys for every task in the front matter. If it is prose, word it differently.',
    '- [ ] a: Build\n  timeout: 5m\n',
    '- [ ] a: Build\n  - timeout: 5m\n',
  ),
  'many-retries': inMarkdown(
    'A task has five attempts at most, failures and rejections together, so more than four retries are never used. The rest is cut. Write `retries: 4` or less. When the attempts are used up, `signalbox retry ID` grants one more.',
    '- [ ] a: Build\n  - retries: 10\n',
    '- [ ] a: Build\n  - retries: 4\n',
  ),
  'nearly-mark': inMarkdown(
    'A word in square brackets is nearly the mark `[SEQUENTIAL]` or, behind an id, `[P]`, but not quite, so it is only text: the tasks that it should put one after the other, or side by side, are not. Correct the spelling. If it is text, word it differently.',
    '## Setup [SEQUENTAL]\n- [ ] a: Build\n- [ ] b: Test\n',
    '## Setup [SEQUENTIAL]\n- [ ] a: Build\n- [ ] b: Test\n',
  ),
  'misplaced-key': inMarkdown(
    'The key exists, but not here. Keys of a task are indented under it. `max-parallel`, `pools`, `order` and `finish` belong to the whole plan and stand in its front matter (in YAML at the top level). A phase has `check` and `batch`, before its first task.',
    '- [ ] a: Build\n  - max-parallel: 4\n',
    '---\nmax-parallel: 4\n---\n- [ ] a: Build\n',
  ),
  'unknown-key': inYaml(
    'There is no such key. Signalbox refuses unknown keys, because an ignored key would be a promise that is not kept. The help names the key that you probably meant. In markdown a list item counts as a mistyped key only when it is nearly one; other words before a colon are prose.',
    'tasks:\n  a: {run: make, retrys: 3}\n',
    'tasks:\n  a: {run: make, retries: 3}\n',
  ),
  'unknown-pool': inYaml(
    'A task uses a pool that is not declared. A pool is a named limit: `pools: { db: 1 }` in the plan or in signalbox.yaml lets one task at a time use `db`. The pools of models (`haiku`, `sonnet`, `opus`) exist already.',
    'tasks:\n  a: {run: make, uses: [db]}\n',
    'pools: {db: 1}\ntasks:\n  a: {run: make, uses: [db]}\n',
  ),
};
