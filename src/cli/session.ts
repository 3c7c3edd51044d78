import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';

export type Environment = Readonly<Record<string, string | undefined>>;

const sessionFile = (env: Environment): string =>
  join(env.XDG_CONFIG_HOME || join(env.HOME || homedir(), '.config'), 'semana', 'session.json');

/** The session of `semana login` at this address. A session is never sent to another address. */
export function readSession(env: Environment, url: string): string | undefined {
  try {
    const stored = JSON.parse(readFileSync(sessionFile(env), 'utf8')) as { url: string; session: string };
    return stored.url === url ? stored.session : undefined;
  } catch {
    return undefined; // Not signed in.
  }
}

/** Only the user can read the file. */
export function saveSession(env: Environment, url: string, session: string): void {
  const file = sessionFile(env);
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  writeFileSync(file, `${JSON.stringify({ url, session })}\n`, { mode: 0o600 });
}

export const forgetSession = (env: Environment): void => rmSync(sessionFile(env), { force: true });
