// What an agent is told of how its work is judged: all that counts, and nothing that does not apply. The rules are in `core/rules/verdict.ts`.
import type { Task } from '../../core/model/plan.ts';
import { plainText } from '../sanitize-terminal.ts';
import { fenced, joined, list } from './markdown.ts';

export interface Judged {
  readonly task: Task;
  /** A file that it writes without its lock fails the attempt. */
  readonly isAudited?: boolean;
}

export function judgedBy({ task, isAudited }: Judged): string {
  const { check = [], produces, run, review = 'none' } = task.keys;
  const isText = produces === 'text';
  const proofs = [
    ...(isText ? ['Your last message is the result, and is kept. Make it complete in itself.'] : []),
    ...(check.length > 0
      ? [list('When you have ended, these commands must succeed:', check.map(quotedCommand))]
      : isText || run !== undefined
        ? []
        : ['Something in this folder must have changed when you end: an attempt that changes nothing has failed.']),
  ];
  const reviewer = review === 'human' ? 'a person' : 'another agent';
  const reviewed =
    review === 'none'
      ? []
      : [
          `${proofs.length === 0 ? 'When you have ended,' : 'Then'} ${reviewer} reviews ${isText ? 'it' : 'what you changed'}.`,
        ];
  const audited = isAudited ? ['A file that you write without its lock makes the attempt fail.'] : [];
  const all = joined([...proofs, ...reviewed, ...audited]);
  return all === '' ? '' : `## How it is judged\n\n${all}`;
}

const quotedCommand = (command: string): string => {
  const plain = plainText(command).trim();
  return plain.includes('\n') ? `\n\n${fenced(plain)}` : `\`${plain}\``;
};
