// Every diagnostic code that the readers of plans and settings use, explained.
import type { Explanation } from './explanation.ts';
import { formMistakes } from './form-mistakes.ts';
import { keyMistakes } from './key-mistakes.ts';
import { needMistakes } from './need-mistakes.ts';
import { otherForms } from './other-forms.ts';

export const explanations: ReadonlyMap<string, Explanation> = new Map(
  Object.entries({ ...formMistakes, ...keyMistakes, ...needMistakes, ...otherForms }),
);
