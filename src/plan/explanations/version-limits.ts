// What is no mistake, but not read by this version.
import { type Explanation, inMarkdown, inYaml } from './explanation.ts';

export const versionLimits: Readonly<Record<string, Explanation>> = {
  'form-not-supported': inYaml(
    'Plans made of `meta:` and `sections:` are a form that this version does not read. The same tasks can be written as a map from id to task under `tasks:`, with `needs` for `depends_on`.',
    'meta: {title: Checkout}\nsections:\n  - tasks: [{id: a, title: Build}]\n',
    'title: Checkout\ntasks:\n  a: {title: Build}\n',
  ),
  'order-not-supported': inMarkdown(
    'The plan asks for an order that this version does not run, or is written like the plans of a tool that has one. This version runs `order: explicit`, where only named needs hold, and `order: phases`, where a phase waits for the one before.',
    '---\norder: sequential\n---\n- [ ] a: Build\n- [ ] b: Test\n',
    '---\norder: explicit\n---\n- [ ] a: Build\n- [ ] b: Test → a\n',
  ),
};
