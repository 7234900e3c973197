// Mistakes in the form of a file: what cannot be read at all, what is never closed, what is no task.
import { type Explanation, inMarkdown, inYaml } from './explanation.ts';

export const formMistakes: Readonly<Record<string, Explanation>> = {
  'assumed-order': inMarkdown(
    'A heading says "Phase", which sounds as if one phase waited for the one before. But some task names a need, so only named needs hold: tasks of all phases may run at once. If that is what you mean, say `order: explicit`, and the warning goes. If phases are to wait for each other, say `order: phases`; named needs hold as well then.',
    '## Phase 1\n- [ ] a: Write the schema\n\n## Phase 2\n- [ ] b: Write the API → a\n',
    '---\norder: phases\n---\n## Phase 1\n- [ ] a: Write the schema\n\n## Phase 2\n- [ ] b: Write the API → a\n',
  ),
  'bad-character': inMarkdown(
    'A plan is text in UTF-8. A NUL character, or half of a character that takes two, means that this is another kind of file, or that it was damaged when it was copied. Open it in an editor, take the character out and save it as UTF-8.',
    '- [ ] a: Write\u0000the parser\n',
    '- [ ] a: Write the parser\n',
  ),
  'bad-yaml': inYaml(
    'The file, or the part of it that is YAML, cannot be read as YAML, or is something else than the map of keys that belongs there. The message has what the YAML reader expected, at the place where it gave up; the mistake may be a line above. The usual causes are a tab in the indentation, a colon with a space inside a text without quotes, and a quote or bracket that is never closed.',
    'tasks:\n  a: {run: "true"\n  b: {run: "true"}\n',
    'tasks:\n  a: {run: "true"}\n  b: {run: "true"}\n',
  ),
  'bad-row': inMarkdown(
    'A row of a table with tasks cannot be read as one: it has more cells than the table has columns, or no title, or it stands behind an empty line and so outside of the table, or the line of dashes below the header is missing. A bar inside a cell is written `\\|`, or stands in backticks; a table has no empty lines in it.',
    '| # | Task | Deps |\n|---|------|------|\n| 1 | Build | |\n\n| 2 | Test | 1 |\n',
    '---\norder: explicit\n---\n| # | Task | Deps |\n|---|------|------|\n| 1 | Build | |\n| 2 | Test | 1 |\n',
  ),
  'box-disagrees': inMarkdown(
    'A group is ticked, but one of its subtasks is not. A tick on a group means that everything in it is done, so the subtask counts as completed and will not run. Tick it too, or take the tick off the group.',
    '- [x] api: Build the API\n  - [x] routes: Write the routes\n  - [ ] auth: Add authentication\n',
    '- [ ] api: Build the API\n  - [x] routes: Write the routes\n  - [ ] auth: Add authentication\n',
  ),
  'empty-plan': inMarkdown(
    'There is no task in the file. In markdown a task is a list item with a box; in YAML it is an entry under `tasks:`. Lists without boxes are prose.',
    '# Checkout\n\n- Write the parser\n',
    '# Checkout\n\n- [ ] Write the parser\n',
  ),
  'file-too-large': inMarkdown(
    'A plan file has 45 MB at most, which is about 100,000 tasks that say all there is to say; larger ones are refused by their size, before anything of them is read. Split the plan into several files, and run one after the other. What is that large is usually no plan but a log or data: then name the plan instead.',
    '- [ ] a: Build\n(and 45 MB more)\n',
    '- [ ] a: Build\n',
  ),
  'long-line': inMarkdown(
    'A line of a markdown plan has a million characters at most, and one of a YAML plan four million: what stands in one line is taken apart word by word, and no person could find a mistake in it. Break it into several lines, or put the text into a file that the task reads.',
    '- [ ] a: Build (and a million more characters)\n',
    '- [ ] a: Build\n',
  ),
  'long-text': inMarkdown(
    'There are 200,000 lines without another task in a markdown plan, so the rest of the file was not read. That is a log, or other data, or a block or a comment that is never closed and has swallowed the tasks behind it. Close it, or take out what is no plan; long text goes into a file that the task reads.',
    '- [ ] a: Build\n  (and 200,000 lines of a log)\n- [ ] b: Test\n',
    '- [ ] a: Build\n- [ ] b: Test\n',
  ),
  'loose-box': inMarkdown(
    'A line looks like a task, but is prose to every reader of markdown, because it is no list item with a box: the dash is missing, or no space is behind it, or the dash is another sign that looks like one, or the box is of round brackets or a word. Write it as `- [ ] title`. Text that only looks like a task goes in backticks.',
    '- [ ] a: Build\n[ ] b: Test\n',
    '- [ ] a: Build\n- [ ] b: Test\n',
  ),
  'loose-criterion': inMarkdown(
    'A box under a heading such as "Acceptance criteria" or "Verify" is no task, and this one belongs to no task either: nothing would ever look at it. Put it under the task that it is about, as `accept:` for what people or a reviewer judge, or as `check:` for a command.',
    '- [ ] a: Write the parser\n\n## Acceptance criteria\n- [ ] It reads comments\n',
    '- [ ] a: Write the parser\n  - accept: It reads comments\n',
  ),
  'merge-conflict': inMarkdown(
    'Git could not join two versions of the file, and left both in it, between lines of `<<<<<<<`, `=======` and `>>>>>>>`. Nothing else is said about the file until that is decided. Keep one side, or make one of both, and take out the three lines; `git merge --abort` goes back to before.',
    '- [ ] a: Build\n<<<<<<< HEAD\n- [ ] b: Test → a\n=======\n- [ ] b: Check → a\n>>>>>>> feature\n',
    '- [ ] a: Build\n- [ ] b: Test → a\n',
  ),
  'misplaced-block': inMarkdown(
    'A fenced block with the info `run`, `check` or `prompt` is the value of that key, so it has to belong to a task: indent it under the task, as deep as the keys of the task. A block that is only an example gets another info, or none.',
    '- [ ] a: Build\n\n```run\nmake all\n```\n',
    '- [ ] a: Build\n\n  ```run\n  make all\n  ```\n',
  ),
  'misplaced-front-matter': inMarkdown(
    'The keys for the whole plan stand between two lines `---`, the first of which is the first line of the file. Behind an empty line they are prose, and none of them holds. They are YAML, not TOML between `+++`.',
    '\n---\nmax-parallel: 2\n---\n- [ ] a: Build\n',
    '---\nmax-parallel: 2\n---\n- [ ] a: Build\n',
  ),
  more: inMarkdown(
    'The file has more mistakes of one kind than anybody would read at once, so only the first hundred of them are listed and the rest is counted; or it is long and wrong from its start, and only its first part was read. They are usually one mistake made everywhere, such as a word that this grammar does not know: mend the first ones, and look again.',
    '- [ ] a: Write the parser → nobody\n- [ ] b: Test it → nobody\n(and a hundred more lines like these)\n',
    '- [ ] a: Write the parser\n- [ ] b: Test it → a\n',
  ),
  'shallow-indent': inMarkdown(
    'A task is indented by one space, and stands below another one. A subtask is indented by two spaces or more, so this one is no part of the task above: both run side by side. Indent it further, or not at all.',
    '- [ ] a: Build\n - [ ] b: Test\n',
    '- [ ] a: Build\n  - [ ] b: Test\n',
  ),
  'too-many-tasks': inMarkdown(
    'A plan has 250,000 tasks at most, and one list or map of it as many entries: larger ones would take all memory, and nobody could look at what they do. Split it into several plans, and run one after the other.',
    '- [ ] a: Build\n(and 250,000 more)\n',
    '- [ ] a: Build\n',
  ),
  'unclosed-block': inMarkdown(
    'A fenced block starts here and never ends, so everything behind it would be its content, tasks included. Close it with as many backticks or tildes as it starts with, on a line of their own.',
    '- [ ] a: Build\n  ```run\n  make all\n\n- [ ] b: Test\n',
    '- [ ] a: Build\n  ```run\n  make all\n  ```\n\n- [ ] b: Test\n',
  ),
  'unclosed-comment': inMarkdown(
    'A comment starts with `<!--` and never ends, so nothing behind it is read. Close it with `-->`.',
    '- [ ] a: Build\n<!-- later:\n- [ ] b: Test\n',
    '- [ ] a: Build\n<!-- later: -->\n- [ ] b: Test\n',
  ),
  'unclosed-front-matter': inMarkdown(
    'The first line is `---`, which starts the front matter: YAML with keys for the whole plan. It ends with another line `---`, and that one is missing.',
    '---\nmax-parallel: 4\n\n# Checkout\n- [ ] a: Build\n',
    '---\nmax-parallel: 4\n---\n\n# Checkout\n- [ ] a: Build\n',
  ),
  'unknown-box': inMarkdown(
    'It looks like a box, but it is none that is known. `[ ]` is open, `[x]` completed, `[-]` skipped and `[ ]*` optional; a space follows. Letters and digits in brackets are told only beside other boxes; notes that begin so stand in a list of their own. Progress is not written into plans: `signalbox status` has it.',
    '- [?] a: Write the parser\n',
    '- [ ] a: Write the parser\n',
  ),
  'unknown-format': {
    about:
      'How a plan is read is decided by the end of its name: `.md` or `.markdown` for markdown, `.yaml` or `.yml` for YAML. Rename the file.',
    wrong: { file: 'plan.txt', text: '- [ ] a: Write the parser\n' },
    right: { file: 'plan.md', text: '- [ ] a: Write the parser\n' },
  },
};
