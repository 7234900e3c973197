// Whether Gemini CLI would use the login of a consumer account, which its service no longer takes. Told before a run, because every
// attempt would fail with it.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { AgentSettings } from '../../../core/model/settings.ts';
import { fieldsOf, textOf } from '../../stream/json-lines.ts';
import { programOf } from '../known-program.ts';
import { settingsIn } from '../own-settings.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** Each of them tells of another way to pay: a key, Vertex, or the project of an enterprise login. */
const otherWays = [
  'GEMINI_API_KEY',
  'GOOGLE_API_KEY',
  'GOOGLE_GENAI_USE_VERTEXAI',
  'GOOGLE_CLOUD_PROJECT',
  'GOOGLE_APPLICATION_CREDENTIALS',
];

/** The folder of the person's settings and login. */
export const geminiFolder = (agent: AgentSettings, environment: Environment): string =>
  join(agent.env.GEMINI_CLI_HOME ?? environment.GEMINI_CLI_HOME ?? environment.HOME ?? '/', '.gemini');

/** @param environment of the person, with what the task sets */
export function consumerLogin(
  agent: AgentSettings,
  environment: Environment,
): { because: string; help: string } | null {
  // Another program in front of it may bring a key.
  if (programOf(agent).join(' ') !== agent.kind) return null;
  if (otherWays.some((name) => (agent.env[name] ?? environment[name] ?? '') !== '')) return null;
  const folder = geminiFolder(agent, environment);
  const chosen = chosenLogin(join(folder, 'settings.json'));
  const isConsumer = chosen === null ? existsSync(join(folder, 'oauth_creds.json')) : chosen === 'oauth-personal';
  if (!isConsumer) return null;
  return {
    because: 'would use a Google login, and Gemini CLI no longer works with consumer accounts',
    help: 'set GEMINI_API_KEY; or GOOGLE_GENAI_USE_VERTEXAI and GOOGLE_CLOUD_PROJECT for Vertex; or GOOGLE_CLOUD_PROJECT for an enterprise login',
  };
}

/** Null: the settings name none, or cannot be read. */
function chosenLogin(file: string): string | null {
  const settings = settingsIn(file);
  const auth = fieldsOf(fieldsOf(settings?.security)?.auth);
  return textOf(auth?.selectedType ?? settings?.selectedAuthType) || null;
}
