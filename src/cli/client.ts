import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { CommandError, UsageError } from '#platform/command-line/command.ts';

/** The key of the sandbox operator, so that commands work in a sandbox without settings. A live service refuses it. */
const SANDBOX_KEY = 'sandbox-operator-key';
const DEFAULT_PORT = 3001;
/** The detail of a 404 response for an unknown path, from the partner API or from another release. */
const UNKNOWN_PATH_DETAIL = 'There is no resource at this URL.';

export type Environment = Readonly<Record<string, string | undefined>>;

export type ApiRequest = {
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** JSON, or the bytes of a file with its content type in `headers`. */
  readonly body?: unknown;
};

type ProblemBody = {
  detail?: string;
  code?: string;
  errors?: Array<{ pointer: string; message: string }>;
};

export const getStaffUrl = (env: Environment): string =>
  (env.SEMANA_URL || `http://localhost:${env.STAFF_PORT || DEFAULT_PORT}`).replace(/\/$/, '');

/** Calls the staff API. Throws an error that says what to do if the response is not successful. */
export async function callStaffApi(env: Environment, request: ApiRequest): Promise<Response> {
  const url = getStaffUrl(env);
  const { method, path, headers, body } = request;
  const isFileContent = body instanceof Uint8Array;
  const response = await fetch(`${url}${path}`, {
    method,
    redirect: 'error',
    headers: {
      'user-agent': 'semana-cli',
      'accept-language': 'en',
      ...(!headers?.authorization && readCredential(env, url)),
      ...(body !== undefined && !isFileContent && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && {
      body: isFileContent ? (body as Uint8Array<ArrayBuffer>) : JSON.stringify(body),
    }),
  }).catch((error: Error) => {
    throw new CommandError(explainUnreachable(url, error));
  });
  if (response.ok) return response;
  throw await toError(response, env, url);
}

function readCredential(env: Environment, url: string): Record<string, string> {
  if (env.SEMANA_KEY) return { 'x-api-key': env.SEMANA_KEY };
  const session = readSession(env, url);
  return session ? { authorization: `Bearer ${session}` } : { 'x-api-key': SANDBOX_KEY };
}

function explainUnreachable(url: string, error: Error): string {
  const reason = (error.cause as (Error & { code?: string }) | undefined)?.code ?? error.message;
  return `There is no service at ${url} (${reason}): start it with 'semana start', or set SEMANA_URL to the address of the staff API.`;
}

async function toError(response: Response, env: Environment, url: string): Promise<Error> {
  const text = await response.text();
  const problem = parseProblem(text);
  if (!problem)
    return new CommandError(
      `${url} responded with ${response.status}, which is not a response of the staff API: check SEMANA_URL.`,
    );
  const { code, detail = '', errors = [] } = problem;
  if (response.status === 401) return new CommandError(explainRefusedCredential(env, url, detail));
  if (detail === UNKNOWN_PATH_DETAIL)
    return new CommandError(`${detail} Check that SEMANA_URL, ${url}, is the address of the staff API.`);
  if (code === 'role_missing')
    return new CommandError(`${detail} An admin can change your role with 'semana staff update'.`);
  // If a field has several messages, the last one explains the error: earlier ones name a pattern.
  const messagesByField = [...new Map(errors.map((error) => [error.pointer, error.message]))];
  const explainField = ([pointer, message]: readonly [pointer: string, message: string]) =>
    `${toOptionName(pointer)}: ${message.replace(/\.?$/, '.')}`;
  if (code === 'validation_failed' && messagesByField.length > 0)
    return new UsageError(messagesByField.map(explainField).join('\n'));
  const unmentionedFields = messagesByField.filter(([, message]) => !detail.includes(message));
  return new CommandError(
    [detail, ...unmentionedFields.map((field) => `  ${explainField(field)}`)].join('\n'),
  );
}

function parseProblem(text: string): ProblemBody | undefined {
  try {
    const body = JSON.parse(text) as ProblemBody | null;
    return typeof body?.code === 'string' ? body : undefined;
  } catch {
    return undefined; // Not JSON: another program has responded.
  }
}

function explainRefusedCredential(env: Environment, url: string, detail: string): string {
  if (env.SEMANA_KEY)
    return `${url} refused SEMANA_KEY: set it to the key of a staff user, or unset it and run 'semana login'.`;
  if (readSession(env, url)) return `Your session at ${url} has ended: run 'semana login'.`;
  return `${detail} Run 'semana login', or set SEMANA_KEY to the key of a staff user.`;
}

const toOptionName = (pointer: string): string => `--${pointer.slice(1).replaceAll(/[/_]/g, '-')}`;

const findSessionPath = (env: Environment): string =>
  join(env.XDG_CONFIG_HOME || join(env.HOME || homedir(), '.config'), 'semana', 'session.json');

/** Reads the session of `semana login` at this URL. A session is never sent to another URL. */
function readSession(env: Environment, url: string): string | undefined {
  try {
    const storedSession = JSON.parse(readFileSync(findSessionPath(env), 'utf8')) as {
      url: string;
      session: string;
    };
    return storedSession.url === url ? storedSession.session : undefined;
  } catch {
    return undefined; // Not signed in.
  }
}

/** Stores the session of `semana login` in a file that only the user can read. */
export function saveSession(env: Environment, url: string, session: string): void {
  const path = findSessionPath(env);
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  writeFileSync(path, `${JSON.stringify({ url, session })}\n`, { mode: 0o600 });
}

export const deleteSession = (env: Environment): void => rmSync(findSessionPath(env), { force: true });
