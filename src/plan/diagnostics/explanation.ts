// What `explain CODE` tells about one kind of mistake. The examples are read by a test: the wrong one makes the diagnostic, the
// mended one does not.

export interface Explanation {
  /** What it means and what to do, in a few sentences. */
  readonly about: string;
  readonly wrong: Example;
  readonly right: Example;
}

export interface Example {
  /** Says how it is read: `plan.md`, `plan.yaml`, the settings `signalbox.yaml`, or `tasks.json` of Task Master. */
  readonly file: string;
  readonly text: string;
}

/** Two plans in markdown. */
export const inMarkdown = (about: string, wrong: string, right: string): Explanation => ({
  about,
  wrong: { file: 'plan.md', text: wrong },
  right: { file: 'plan.md', text: right },
});

export const inYaml = (about: string, wrong: string, right: string): Explanation => ({
  about,
  wrong: { file: 'plan.yaml', text: wrong },
  right: { file: 'plan.yaml', text: right },
});
