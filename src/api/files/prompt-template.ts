// The file that `prompt-template` names: read before a run starts, so that no agent is told half of what a person wanted.
import { resolve } from 'node:path';
import { templateMistakes } from '../../agents/prompt/template.ts';
import { countWords } from '../../core/model/count-words.ts';
import { type Diagnostic, printable } from '../../plan/diagnostics/diagnostic.ts';
import { Refusal } from '../refusal.ts';
import { contains, type Workspace } from '../workspace.ts';
import { readText } from './read-text.ts';
import { realPath } from './real-path.ts';

/** Undefined: the settings name none. A mistake in it is one of the settings. */
export function promptTemplate(workspace: Pick<Workspace, 'root' | 'settings' | 'settingsText'>): string | undefined {
  const { promptTemplate: named } = workspace.settings;
  if (named === undefined) return undefined;
  const text = readTemplate(workspace, named);
  const mistakes = templateMistakes(text);
  if (mistakes.length === 0) return text;
  const lines = text.split('\n');
  const diagnostics = mistakes.map((one) => diagnostic(named.file, one, lines[one.line - 1]!));
  throw new Refusal(3, `${named.file}, which prompt-template names, has ${countWords(mistakes.length, 'mistake')}`, {
    diagnostics,
  });
}

type Named = NonNullable<Workspace['settings']['promptTemplate']>;

function readTemplate({ root, settingsText }: Pick<Workspace, 'root' | 'settingsText'>, named: Named): string {
  const { file, line, column } = named;
  const refuse = (message: string, help: string): Refusal => {
    const excerpt = settingsText.split('\n')[line - 1] ?? '';
    const mistake = { line, column, length: file.length, message, help };
    return new Refusal(3, 'signalbox.yaml has mistakes', {
      diagnostics: [diagnostic('signalbox.yaml', mistake, excerpt)],
    });
  };
  const real = realPath(resolve(root, file));
  if (!contains(realPath(root), real))
    throw refuse(
      `prompt-template: ${file} is a link that leads out of the workspace`,
      'copy the file to where the link is',
    );
  try {
    return readText(real, file);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    throw refuse(
      `prompt-template: ${error.message}`,
      'the path starts at the folder of signalbox.yaml; remove the key to use the usual prompt',
    );
  }
}

const diagnostic = (
  file: string,
  mistake: Pick<Diagnostic, 'line' | 'column' | 'length' | 'message'> & { readonly help: string },
  excerpt: string,
): Diagnostic => ({
  severity: 'error',
  code: 'bad-value',
  file,
  ...mistake,
  excerpt: printable(excerpt.replace(/\r$/, '')),
});
