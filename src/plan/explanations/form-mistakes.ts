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
  'loose-criterion': inMarkdown(
    'A box under a heading such as "Acceptance criteria" or "Verify" is no task, and this one belongs to no task either: nothing would ever look at it. Put it under the task that it is about, as `accept:` for what people or a reviewer judge, or as `check:` for a command.',
    '- [ ] a: Write the parser\n\n## Acceptance criteria\n- [ ] It reads comments\n',
    '- [ ] a: Write the parser\n  - accept: It reads comments\n',
  ),
  'misplaced-block': inMarkdown(
    'A fenced block with the info `run`, `check` or `prompt` is the value of that key, so it has to belong to a task: indent it under the task, as deep as the keys of the task. A block that is only an example gets another info, or none.',
    '- [ ] a: Build\n\n```run\nmake all\n```\n',
    '- [ ] a: Build\n\n  ```run\n  make all\n  ```\n',
  ),
  more: inMarkdown(
    'The file has more mistakes of this severity than anybody would read at once, so only the first thousand are listed and the rest is counted. They are usually one mistake made everywhere, such as a word that this grammar does not know: mend the first ones, and look again.',
    '- [ ] a: Write the parser → nobody\n- [ ] b: Test it → nobody\n(and a thousand more lines like these)\n',
    '- [ ] a: Write the parser\n- [ ] b: Test it → a\n',
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
    'It looks like a box, but it is none that is known. `[ ]` is open, `[x]` completed, `[-]` skipped and `[ ]*` optional; a space follows. Progress is not written into plans: `signalbox status` has it.',
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
