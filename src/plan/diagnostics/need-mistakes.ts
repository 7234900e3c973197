// Mistakes in ids and in who waits for whom.
import { type Explanation, inMarkdown } from './explanation.ts';

export const needMistakes: Readonly<Record<string, Explanation>> = {
  'bad-dependency': inMarkdown(
    'An arrow or a parenthesis starts a dependency, but names no task or is never closed. Dependencies end the line of a task: `→ id, id` for needs, `~> id` for preferences, or `(needs: id, id)`. If the arrow belongs to the title, put it in backticks.',
    '- [ ] a: Build\n- [ ] b: Test (needs: a\n',
    '- [ ] a: Build\n- [ ] b: Test (needs: a)\n',
  ),
  'bad-id': inMarkdown(
    'Ids are used in commands, file names and names of attempts (`api#2`), so they have 1 to 200 characters, without `#`, spaces, commas, quotes and control characters.',
    '- [ ] **api#1** Build the API\n',
    '- [ ] **api-1** Build the API\n',
  ),
  'bad-range': inMarkdown(
    'A range such as `1.1-1.3` means every task from the lower number to the higher one, so it cannot run backwards.',
    '- [ ] 1.1 Build\n- [ ] 1.2 Test\n- [ ] 1.3 Ship → 1.2-1.1\n',
    '- [ ] 1.1 Build\n- [ ] 1.2 Test\n- [ ] 1.3 Ship → 1.1-1.2\n',
  ),
  cycle: inMarkdown(
    'These tasks need each other in a circle, so none of them could ever start. The message shows the whole circle; a need of a group counts for everything in it. Remove the need that is not really one, or make it a preference (`~>`), which is dropped where it closes a circle.',
    '- [ ] a: Build → b\n- [ ] b: Test → a\n',
    '- [ ] a: Build\n- [ ] b: Test → a\n',
  ),
  'duplicate-id': inMarkdown(
    'Two tasks have the same id, so a need could mean either. Ids are unique in the whole plan, also among subtasks of different groups.',
    '- [ ] test: Test the parser\n- [ ] test: Test the API\n',
    '- [ ] test-parser: Test the parser\n- [ ] test-api: Test the API\n',
  ),
  'equal-slug': inMarkdown(
    'A task without an id is named after its title. Two titles give the same name, so the second task got a number. When one of them is moved or renamed, the numbers change, and what was recorded about these tasks is mixed up. Give them ids.',
    '- [ ] Write tests\n- [ ] Write tests\n',
    '- [ ] parser-tests: Write tests\n- [ ] api-tests: Write tests\n',
  ),
  'loose-arrow': inMarkdown(
    'A line such as `a → b` on its own can mean two things: a needs b, as after a task, or a comes first, as in a drawing. Signalbox does not guess. Write the dependency at the end of the line of the task that waits.',
    '- [ ] a: Build\n- [ ] b: Test\n\n  a → b\n',
    '- [ ] a: Build\n- [ ] b: Test → a\n',
  ),
  'nearly-need': inMarkdown(
    'A title ends with an arrow that plans do not know, or with `after a`, holds `(needs a)` without a colon or `(waits for a)`, or a line says `needs a`, and what is named there looks like tasks. It would count as text, and the task would start at once. Write `→ id`, `-> id` or `(needs: id)` at the end of the line, or `- needs: id` below it. If the arrow or the id is text, put it in backticks.',
    '- [ ] a: Build\n- [ ] b: Test --> a\n',
    '- [ ] a: Build\n- [ ] b: Test → a\n',
  ),
  'need-of-group': inMarkdown(
    'A subtask needs the group that it is part of. The group is done only when all its subtasks are, so this one would wait for itself. What the group needs counts for its subtasks anyway: remove this need.',
    '- [ ] api: Build the API\n  - [ ] routes: Write the routes → api\n',
    '- [ ] api: Build the API\n  - [ ] routes: Write the routes\n',
  ),
  'need-of-subtask': inMarkdown(
    'A group needs one of its own subtasks. A need of a group counts for everything in it, so the subtask would wait for itself. The group is completed by its subtasks anyway. Write an order among them at the subtasks.',
    '- [ ] api: Build the API → routes\n  - [ ] routes: Write the routes\n  - [ ] auth: Add authentication\n',
    '- [ ] api: Build the API\n  - [ ] routes: Write the routes\n  - [ ] auth: Add authentication → routes\n',
  ),
  'preference-cycle': inMarkdown(
    'A preference closes a circle: the preferred task waits, through needs or other preferences, for the task that prefers it. Signalbox drops the preference and goes on; the warning says which one. Remove it from the plan.',
    '- [ ] a: Build ~> b\n- [ ] b: Test → a\n',
    '- [ ] a: Build\n- [ ] b: Test → a\n',
  ),
  'self-need': inMarkdown(
    'A task needs itself, so it could never start. Usually another id was meant.',
    '- [ ] a: Build\n- [ ] b: Test → b\n',
    '- [ ] a: Build\n- [ ] b: Test → a\n',
  ),
  'shared-files': inMarkdown(
    'Two tasks claim the same file with `files:`, or one reads with `reads:` what the other claims, and nothing says which comes first. They will not run at the same time: a task takes the locks on its files before it starts, so one of them waits, and chance decides which. Order them with `→`, or give each its own files. A folder claims everything in it, and patterns overlap when one path fits both. Named `locks:` are meant to keep tasks apart and give no warning.',
    '- [ ] a: Add the route\n  - files: src/api/**\n- [ ] b: Rename the handler\n  - files: src/api/handler.ts\n',
    '- [ ] a: Add the route\n  - files: src/api/**\n- [ ] b: Rename the handler → a\n  - files: src/api/handler.ts\n',
  ),
  'too-many-needs': inMarkdown(
    'Ranges of ranges make more than five million dependencies, which would not fit into memory. Need a group instead: that needs everything in it with one dependency. Or use `order: phases`: phases wait for each other without any.',
    '- [ ] 2.1 Test one → 1.1-1.2300\n- [ ] 2.2 Test two → 1.1-1.2300\n(and thousands more lines like these)\n',
    '- [ ] build: Build everything\n  - [ ] 1.1 Build one\n  - [ ] 1.2 Build two\n- [ ] 2.1 Test one → build\n- [ ] 2.2 Test two → build\n',
  ),
  'unknown-dependency-word': inMarkdown(
    'A parenthesis at the end of a task looks like a dependency, but plans do not know its first word. `(needs: …)`, `(depends: …)`, `(after: …)`, `(requires: …)`, `(blocked by: …)` and `(depends on …)` are needs, `(prefers: …)` is a preference.',
    '- [ ] a: Build\n- [ ] b: Test (dependz: a)\n',
    '- [ ] a: Build\n- [ ] b: Test (depends: a)\n',
  ),
  'unknown-id': inMarkdown(
    'A task waits for an id that is not in the plan: it is mistyped, or that task was removed. The help names the id that you probably meant. A task can only need tasks of the same plan.',
    '- [ ] schema: Create the schema\n- [ ] api: Build the API → shcema\n',
    '- [ ] schema: Create the schema\n- [ ] api: Build the API → schema\n',
  ),
};
