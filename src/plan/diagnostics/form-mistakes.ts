// Mistakes in the form of a file: what cannot be read at all, what is never closed, what is no task.
import { type Explanation, inMarkdown, inYaml } from './explanation.ts';

export const formMistakes: Readonly<Record<string, Explanation>> = {
  'assumed-order': inMarkdown(
    'A heading says "Phase", so a reader expects each phase to wait for the one before. But a task names a need, so only named needs count: tasks of all phases may run at once. If you mean that, write `order: explicit` and the warning goes away. If phases should wait for each other, write `order: phases`; named needs still count.',
    '## Phase 1\n- [ ] a: Write the schema\n\n## Phase 2\n- [ ] b: Write the API → a\n',
    '---\norder: phases\n---\n## Phase 1\n- [ ] a: Write the schema\n\n## Phase 2\n- [ ] b: Write the API → a\n',
  ),
  'bad-character': inMarkdown(
    'A plan is UTF-8 text. A NUL character, or half of a character that takes two, means that this is another kind of file or that it was damaged when it was copied. Open it in an editor, delete the character and save the file as UTF-8.',
    '- [ ] a: Write\u0000the parser\n',
    '- [ ] a: Write the parser\n',
  ),
  'bad-yaml': inYaml(
    'The file, or the part of it that is YAML, cannot be read as YAML, or is not the map of keys that belongs there. The message says what the YAML reader expected where it gave up; the mistake may be a line above. The usual causes are a tab in the indentation, a colon and a space inside a text without quotes, and a quote or bracket that is never closed.',
    'tasks:\n  a: {run: "true"\n  b: {run: "true"}\n',
    'tasks:\n  a: {run: "true"}\n  b: {run: "true"}\n',
  ),
  'bad-row': inMarkdown(
    'This row of a task table cannot be read: it has more cells than the table has columns, or no title, or an empty line separates it from the table, or the line of dashes below the header is missing. Write a bar inside a cell as `\\|` or in backticks. Leave no empty lines in a table.',
    '| # | Task | Deps |\n|---|------|------|\n| 1 | Build | |\n\n| 2 | Test | 1 |\n',
    '---\norder: explicit\n---\n| # | Task | Deps |\n|---|------|------|\n| 1 | Build | |\n| 2 | Test | 1 |\n',
  ),
  'box-disagrees': inMarkdown(
    'A group is ticked, but one of its subtasks is not. A ticked group means that everything in it is done, so the subtask counts as completed and will not run. Tick it too, or remove the tick from the group.',
    '- [x] api: Build the API\n  - [x] routes: Write the routes\n  - [ ] auth: Add authentication\n',
    '- [ ] api: Build the API\n  - [x] routes: Write the routes\n  - [ ] auth: Add authentication\n',
  ),
  'empty-plan': inMarkdown(
    'The file has no tasks. In markdown a task is a list item with a box; in YAML it is an entry under `tasks:`. Lists without boxes are prose.',
    '# Checkout\n\n- Write the parser\n',
    '# Checkout\n\n- [ ] Write the parser\n',
  ),
  'file-too-large': inMarkdown(
    'A plan file may have 45 MB, which is enough for about 100,000 detailed tasks. A larger file is refused by its size, before it is read. Split the plan into several files and run them one after the other. If the file is a log or data, name the plan instead.',
    '- [ ] a: Build\n(and 45 MB more)\n',
    '- [ ] a: Build\n',
  ),
  'long-line': inMarkdown(
    'A line of a markdown plan may have a million characters, and a line of a YAML plan four million: a line is taken apart word by word, and no person could find a mistake in a longer one. Break it into several lines, or put the text into a file that the task reads.',
    '- [ ] a: Build (and a million more characters)\n',
    '- [ ] a: Build\n',
  ),
  'long-text': inMarkdown(
    'A markdown plan has 150,000 lines without another task, so the rest of the file was not read. Usually this is a log or other data, or a block or comment that is never closed and has swallowed the tasks after it. Close it, or delete what does not belong to the plan. Put long text into a file that the task reads.',
    '- [ ] a: Build\n  (and 150,000 lines of a log)\n- [ ] b: Test\n',
    '- [ ] a: Build\n- [ ] b: Test\n',
  ),
  'loose-box': inMarkdown(
    'A line looks like a task but is prose, because it is not a list item with a box: the dash is missing, or has no space after it, or is another character that looks like a dash, or the box has round brackets or a word in it. Write it as `- [ ] title`. If it is only text, put it in backticks.',
    '- [ ] a: Build\n[ ] b: Test\n',
    '- [ ] a: Build\n- [ ] b: Test\n',
  ),
  'loose-criterion': inMarkdown(
    'A box under a heading such as "Acceptance criteria" or "Verify" is not a task, and this one belongs to no task: nothing would ever check it. Put it under its task, as `accept:` for what a person or a reviewer judges, or as `check:` for a command.',
    '- [ ] a: Write the parser\n\n## Acceptance criteria\n- [ ] It reads comments\n',
    '- [ ] a: Write the parser\n  - accept: It reads comments\n',
  ),
  'merge-conflict': inMarkdown(
    'Git could not merge two versions of the file and left both in it, between lines of `<<<<<<<`, `=======` and `>>>>>>>`. Nothing else is reported about the file until this is resolved. Keep one side or combine both, and delete the three lines; `git merge --abort` goes back to before the merge.',
    '- [ ] a: Build\n<<<<<<< HEAD\n- [ ] b: Test → a\n=======\n- [ ] b: Check → a\n>>>>>>> feature\n',
    '- [ ] a: Build\n- [ ] b: Test → a\n',
  ),
  'misplaced-block': inMarkdown(
    'A fenced block with the info `run`, `check` or `prompt` is the value of that key, so it has to belong to a task. Indent it under the task, as deep as the keys of the task. If the block is only an example, give it another info or none.',
    '- [ ] a: Build\n\n```run\nmake all\n```\n',
    '- [ ] a: Build\n\n  ```run\n  make all\n  ```\n',
  ),
  'misplaced-front-matter': inMarkdown(
    'The keys for the whole plan stand between two lines `---`, and the first of them is the first line of the file. After an empty line they are prose and have no effect. They are YAML, not TOML between `+++`.',
    '\n---\nmax-parallel: 2\n---\n- [ ] a: Build\n',
    '---\nmax-parallel: 2\n---\n- [ ] a: Build\n',
  ),
  more: inMarkdown(
    'The file has so many mistakes of one kind that only the first hundred are listed and the rest are counted; or it is long and wrong from its start, and only its first part was read. Usually it is one mistake made everywhere, such as a word that plans do not know. Correct the first ones and check again.',
    '- [ ] a: Write the parser → nobody\n- [ ] b: Test it → nobody\n(and a hundred more lines like these)\n',
    '- [ ] a: Write the parser\n- [ ] b: Test it → a\n',
  ),
  'shallow-indent': inMarkdown(
    'A task is indented by one space below another task. A subtask is indented by two spaces or more, so this one is not part of the task above: both run side by side. Indent it further, or not at all.',
    '- [ ] a: Build\n - [ ] b: Test\n',
    '- [ ] a: Build\n  - [ ] b: Test\n',
  ),
  'too-many-tasks': inMarkdown(
    'A plan may have 200,000 tasks, and each of its lists and maps as many entries: a larger plan would use up the memory. Split it into several plans and run them one after the other.',
    '- [ ] a: Build\n(and 200,000 more)\n',
    '- [ ] a: Build\n',
  ),
  'unclosed-block': inMarkdown(
    'A fenced block starts here and never ends, so everything after it would be its content, tasks included. Close it with as many backticks or tildes as it starts with, on a line of their own.',
    '- [ ] a: Build\n  ```run\n  make all\n\n- [ ] b: Test\n',
    '- [ ] a: Build\n  ```run\n  make all\n  ```\n\n- [ ] b: Test\n',
  ),
  'unclosed-comment': inMarkdown(
    'A comment starts with `<!--` and never ends, so nothing after it is read. Close it with `-->`.',
    '- [ ] a: Build\n<!-- later:\n- [ ] b: Test\n',
    '- [ ] a: Build\n<!-- later: -->\n- [ ] b: Test\n',
  ),
  'unclosed-front-matter': inMarkdown(
    'The first line is `---`, which starts the front matter: YAML with keys for the whole plan. The front matter ends with another line `---`, which is missing.',
    '---\nmax-parallel: 4\n\n# Checkout\n- [ ] a: Build\n',
    '---\nmax-parallel: 4\n---\n\n# Checkout\n- [ ] a: Build\n',
  ),
  'unknown-box': inMarkdown(
    'This looks like a box, but it is not one that plans know. `[ ]` is open, `[x]` completed, `[-]` skipped and `[ ]*` optional; a space follows. Letters and digits in brackets are reported only beside other boxes; put notes that begin this way in a list of their own. Progress is not written into plans: `signalbox status` shows it.',
    '- [?] a: Write the parser\n',
    '- [ ] a: Write the parser\n',
  ),
  'unknown-format': {
    about:
      'The end of the file name decides how a plan is read: `.md` or `.markdown` for markdown, `.yaml` or `.yml` for YAML. Rename the file.',
    wrong: { file: 'plan.txt', text: '- [ ] a: Write the parser\n' },
    right: { file: 'plan.md', text: '- [ ] a: Write the parser\n' },
  },
};
