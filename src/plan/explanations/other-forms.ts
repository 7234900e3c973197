// Mistakes in plans and files that other tools write.
import { type Explanation, inMarkdown, inYaml } from './explanation.ts';

const inTaskMaster = (about: string, wrong: string, right: string): Explanation => ({
  about,
  wrong: { file: 'tasks.json', text: wrong },
  right: { file: 'tasks.json', text: right },
});

export const otherForms: Readonly<Record<string, Explanation>> = {
  'bad-json': inTaskMaster(
    'The file that is to be imported is not JSON, or its end is missing. Nothing was written. Let the tool that made it write it again, or mend the place that is shown.',
    '{"tasks": [{"id": 1, "title": "Build"}',
    '{"tasks": [{"id": 1, "title": "Build"}]}',
  ),
  'wrong-tool': inTaskMaster(
    'The file that is to be imported does not look like one of the tool that was named. Name the right tool, or the right file: `tasks.json` of Task Master, the export of beads, the task files of Backlog.md.',
    '{"issues": []}',
    '{"tasks": [{"id": 1, "title": "Build"}]}',
  ),
  checklist: inMarkdown(
    'In a plan of spec-kit every task has an id such as T001. Boxes without one, below a heading of their own, are a checklist for people and are not run. Give them ids if they are tasks.',
    '## Phase 1: Setup\n- [ ] T001 [P] Create the project\n\n## Validation Checklist\n- [ ] Everything is documented\n',
    '## Phase 1: Setup\n- [ ] T001 [P] Create the project\n\n## Validation Checklist\n- [ ] T002 Document everything\n',
  ),
  'failed-before': inYaml(
    'The plan says that this task has failed, in the tool that it comes from. What failed there is tried again here: the task starts as pending. Write `status: skipped` to leave it out.',
    'sections:\n  - name: Build\n    tasks:\n      - {id: a, name: Build, status: failed}\n',
    'sections:\n  - name: Build\n    tasks:\n      - {id: a, name: Build, status: pending}\n',
  ),
  'missing-batch': inMarkdown(
    'In a table with batches every task belongs to one, because a batch waits for the one before. A task without a batch could run at any time, which is hardly meant. Give it the number of its batch.',
    '| # | Task | Batch |\n|---|---|---|\n| 1 | Build | 1 |\n| 2 | Test | |\n',
    '| # | Task | Batch |\n|---|---|---|\n| 1 | Build | 1 |\n| 2 | Test | 2 |\n',
  ),
  'not-carried-over': inYaml(
    'The plan asks for something by which the tool it comes from validates its tasks. Nothing here would do that, so it is said instead of being passed over. A command that proves a task is its `check:`.',
    'meta: {validation: {enabled: true}}\nsections:\n  - name: Build\n    tasks:\n      - {id: a, name: Build}\n',
    'meta: {title: Checkout}\nsections:\n  - name: Build\n    tasks:\n      - {id: a, name: Build}\n',
  ),
  'skipped-box': inMarkdown(
    'A box `[-]` is a skipped task, and will not run. Kiro writes the same box for a task that it is working on. If there is still work to do, write `[ ]`; it then starts from the beginning.',
    '# Implementation Plan\n\n- [x] 1. Set up\n  - _Requirements: 1.1_\n- [-] 2. Build\n  - _Requirements: 1.2_\n',
    '# Implementation Plan\n\n- [x] 1. Set up\n  - _Requirements: 1.1_\n- [ ] 2. Build\n  - _Requirements: 1.2_\n',
  ),
  'table-not-read': inMarkdown(
    'A plan is either a table of tasks or a list of boxes. This one has boxes, so its table is taken for prose, and what it says about tasks is not used. Take the table out, or the boxes.',
    '- [ ] a: Build\n\n| # | Task | Deps |\n|---|---|---|\n| 1 | Build | |\n| 2 | Test | 1 |\n',
    '- [ ] a: Build\n- [ ] b: Test → a\n',
  ),
};
