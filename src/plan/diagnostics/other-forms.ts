// Mistakes in plans and files that other tools write.
import { type Explanation, inMarkdown, inYaml } from './explanation.ts';

const inTaskMaster = (about: string, wrong: string, right: string): Explanation => ({
  about,
  wrong: { file: 'tasks.json', text: wrong },
  right: { file: 'tasks.json', text: right },
});

export const otherForms: Readonly<Record<string, Explanation>> = {
  'bad-json': inTaskMaster(
    'The file to import is not JSON, or its end is missing. Nothing was written. Export it again from its tool, or correct the place that is shown.',
    '{"tasks": [{"id": 1, "title": "Build"}',
    '{"tasks": [{"id": 1, "title": "Build"}]}',
  ),
  'wrong-tool': inTaskMaster(
    'The file to import does not look like a file of the named tool. Name the right tool or the right file: `tasks.json` of Task Master, the export of beads, the task files of Backlog.md.',
    '{"issues": []}',
    '{"tasks": [{"id": 1, "title": "Build"}]}',
  ),
  checklist: inMarkdown(
    'In a spec-kit plan every task has an id such as T001. Boxes without an id, below a heading of their own, are a checklist for people and are not run. If they are tasks, give them ids.',
    '## Phase 1: Setup\n- [ ] T001 [P] Create the project\n\n## Validation Checklist\n- [ ] Everything is documented\n',
    '## Phase 1: Setup\n- [ ] T001 [P] Create the project\n\n## Validation Checklist\n- [ ] T002 Document everything\n',
  ),
  'failed-before': inYaml(
    'The plan says that this task failed in the tool that wrote the plan. Signalbox tries it again: the task starts as pending. Write `status: skipped` to leave it out.',
    'sections:\n  - name: Build\n    tasks:\n      - {id: a, name: Build, status: failed}\n',
    'sections:\n  - name: Build\n    tasks:\n      - {id: a, name: Build, status: pending}\n',
  ),
  'missing-batch': inMarkdown(
    'In a table with batches every task belongs to one, because a batch waits for the one before. A task without a batch could run at any time, which you hardly mean. Give it the number of its batch.',
    '| # | Task | Batch |\n|---|---|---|\n| 1 | Build | 1 |\n| 2 | Test | |\n',
    '| # | Task | Batch |\n|---|---|---|\n| 1 | Build | 1 |\n| 2 | Test | 2 |\n',
  ),
  'not-carried-over': inYaml(
    'The plan has settings by which its own tool validates tasks. Signalbox does not do that, and warns instead of ignoring them. Write a command that proves a task as its `check:`.',
    'meta: {validation: {enabled: true}}\nsections:\n  - name: Build\n    tasks:\n      - {id: a, name: Build}\n',
    'meta: {title: Checkout}\nsections:\n  - name: Build\n    tasks:\n      - {id: a, name: Build}\n',
  ),
  'skipped-box': inMarkdown(
    'The box `[-]` means a skipped task, which will not run. Kiro writes the same box for a task in progress. If there is still work to do, write `[ ]`; the task then starts from the beginning.',
    '# Implementation Plan\n\n- [x] 1. Set up\n  - _Requirements: 1.1_\n- [-] 2. Build\n  - _Requirements: 1.2_\n',
    '# Implementation Plan\n\n- [x] 1. Set up\n  - _Requirements: 1.1_\n- [ ] 2. Build\n  - _Requirements: 1.2_\n',
  ),
  'table-not-read': inMarkdown(
    'A plan is either a table of tasks or a list of boxes. This one has boxes, so its table counts as prose, and what it says about tasks is not used. Remove the table, or the boxes.',
    '- [ ] a: Build\n\n| # | Task | Deps |\n|---|---|---|\n| 1 | Build | |\n| 2 | Test | 1 |\n',
    '- [ ] a: Build\n- [ ] b: Test → a\n',
  ),
};
