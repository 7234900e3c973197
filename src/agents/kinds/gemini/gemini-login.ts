// Which login Gemini CLI would use. Its service no longer takes those of consumer accounts: another one is used instead, or a person is told
// before a run, because every attempt would fail.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { AgentSettings } from '../../../core/model/settings.ts';
import { type Fields, fieldsOf, textOf } from '../../stream/json-lines.ts';
import { programOf } from '../known-program.ts';
import { settingsIn } from '../own-settings.ts';

const googleLogin = 'oauth-personal';

type Environment = Readonly<Record<string, string | undefined>>;

/** Each of them tells of another way to pay: a key, Vertex, or the project of an enterprise login. */
const otherWays = [
  'GEMINI_API_KEY',
  'GOOGLE_API_KEY',
  'GOOGLE_GENAI_USE_VERTEXAI',
  'GOOGLE_CLOUD_PROJECT',
  'GOOGLE_APPLICATION_CREDENTIALS',
] as const;

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
  if (otherWays.some((name) => variable(name, agent, environment) !== '')) return null;
  const folder = geminiFolder(agent, environment);
  const chosen = chosenLogin(settingsIn(join(folder, 'settings.json')));
  const isConsumer = chosen === null ? existsSync(join(folder, 'oauth_creds.json')) : chosen === googleLogin;
  if (!isConsumer) return null;
  return {
    because: 'would use a Google login, and Gemini CLI no longer works with consumer accounts',
    help: 'set GEMINI_API_KEY; or GOOGLE_GENAI_USE_VERTEXAI and GOOGLE_CLOUD_PROJECT for Vertex; or GOOGLE_CLOUD_PROJECT for an enterprise login',
  };
}

/**
 * What to select in its settings instead of a Google login, or where nothing is selected: Gemini CLI looks for a key only where one is.
 * Null: the settings are right. With a project, a Google login is one of an enterprise.
 */
export function loginInstead(
  agent: AgentSettings,
  environment: Environment,
  settings: Fields,
): 'gemini-api-key' | 'vertex-ai' | null {
  if (![null, googleLogin].includes(chosenLogin(settings))) return null;
  const given = (name: (typeof otherWays)[number]) => variable(name, agent, environment);
  if (given('GOOGLE_GENAI_USE_VERTEXAI') === 'true') return 'vertex-ai';
  if (given('GOOGLE_CLOUD_PROJECT') !== '') return null;
  if (given('GEMINI_API_KEY') !== '') return 'gemini-api-key';
  return given('GOOGLE_API_KEY') === '' ? null : 'vertex-ai';
}

const variable = (name: string, agent: AgentSettings, environment: Environment): string =>
  agent.env[name] ?? environment[name] ?? '';

/** Null: the settings name none, or cannot be read. */
function chosenLogin(settings: Fields | null): string | null {
  const auth = fieldsOf(fieldsOf(settings?.security)?.auth);
  return textOf(auth?.selectedType ?? settings?.selectedAuthType) || null;
}
