// What `doctor` and `validate` find.
import {
  count,
  described,
  flag,
  list,
  maybe,
  object,
  one,
  orNull,
  type Shown,
  text,
  texts,
  yes,
} from './schema-words.ts';

export type DoctorCheck = Shown<typeof doctorCheck>;
const doctorCheck = object({
  id: described(text, 'Stable: `sqlite`, `journals`, `agent:NAME`, `hooks:NAME`.'),
  status: one('ok', 'warning', 'broken'),
  message: text,
  help: maybe(described(text, 'The way out.')),
  fixed: maybe(described(yes, 'It was put right just now.')),
});

export type DoctorReport = Shown<typeof doctorReport>;
export const doctorReport = object({
  root: text,
  ok: described(flag, 'Nothing is broken; there may be warnings.'),
  checks: list(doctorCheck),
});

export type Problem = Shown<typeof problem>;
const problem = object({
  about: one('database', 'log', 'snapshot', 'locks', 'status', 'backup', 'summary', 'findings', 'timestamps'),
  plan: described(orNull(text), 'The plan it is about; null: the workspace.'),
  message: text,
  help: described(text, 'The way out.'),
  fixed: described(flag, 'It was put right just now.'),
});

export type ValidateReport = Shown<typeof validateReport>;
export const validateReport = object({
  root: text,
  ok: described(flag, 'Nothing is wrong, or nothing any more.'),
  events: count,
  plans: texts,
  problems: list(problem),
});
