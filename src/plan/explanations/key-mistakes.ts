// Mistakes in keys and their values, in plans and settings.
import { type Explanation, inMarkdown, inYaml } from './explanation.ts';

export const keyMistakes: Readonly<Record<string, Explanation>> = {
  'smart-quotes': inMarkdown(
    'The value of `run:` or `check:` stands between typographic quotes, as word processors and chats make them. To a shell they are letters, and it would look for a program with that name. Take them out, or write straight quotes.',
    '- [ ] a: Build\n  - run: “make all”\n',
    '- [ ] a: Build\n  - run: make all\n',
  ),
  'bad-value': inYaml(
    'The key is known, but its value is not of the kind that it takes; the message says which kind that is. Durations are `500ms`, `10s`, `5m`, `2h` or a number of seconds. In YAML a word such as `true`, or a number, is no text: where a command or a name is meant, put it in quotes.',
    'tasks:\n  a: {run: true, timeout: soon}\n',
    'tasks:\n  a: {run: "true", timeout: 10m}\n',
  ),
  'bad-lock-key': inYaml(
    'A task takes locks on its `files` and `locks` (alone) and on what it `reads` (together with other readers) before it starts. Each is a path or a glob that starts at the root of the workspace, or a name such as `db:test` or `port:5432` for what is no file. Absolute paths, and those that lead out of the workspace, would mean something else on every machine.',
    'tasks:\n  a: {run: make, files: [/etc/hosts]}\n',
    'tasks:\n  a: {run: make, files: [src/**]}\n',
  ),
  'duplicate-key': inMarkdown(
    'The same key is given twice, and only one of the values could hold. Keys that are lists, such as `files` or `check`, may be repeated in markdown: they grow. All others are there once.',
    '- [ ] a: Build\n  - timeout: 5m\n  - timeout: 10m\n',
    '- [ ] a: Build\n  - timeout: 10m\n',
  ),
  'key-in-prose': inMarkdown(
    'A line looks like a key with its value, but stands where there is only prose, so it sets nothing. Keys of a task are list items under it; keys for every task stand in the front matter. If it is meant as prose, word it differently.',
    '- [ ] a: Build\n  timeout: 5m\n',
    '- [ ] a: Build\n  - timeout: 5m\n',
  ),
  'misplaced-key': inMarkdown(
    'The key exists, but not here. Keys of a task are indented under it; `max-parallel`, `pools`, `order` and `finish` belong to the whole plan and stand in its front matter (in YAML at the top level); a phase has `check` and `batch`, before its first task.',
    '- [ ] a: Build\n  - max-parallel: 4\n',
    '---\nmax-parallel: 4\n---\n- [ ] a: Build\n',
  ),
  'unknown-key': inYaml(
    'There is no such key. Unknown keys are mistakes, because a key that is passed over in silence is a promise that nobody keeps. The help names the one that was probably meant. In markdown a list item is taken for a mistyped key only when it is nearly one; other words before a colon are prose.',
    'tasks:\n  a: {run: make, retrys: 3}\n',
    'tasks:\n  a: {run: make, retries: 3}\n',
  ),
  'unknown-pool': inYaml(
    'A task uses a pool that nobody declared. A pool is a named limit: `pools: { db: 1 }` in the plan or in signalbox.yaml lets one task at a time use `db`. Pools of models (`haiku`, `sonnet`, `opus`) are there already.',
    'tasks:\n  a: {run: make, uses: [db]}\n',
    'pools: {db: 1}\ntasks:\n  a: {run: make, uses: [db]}\n',
  ),
};
