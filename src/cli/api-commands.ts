import { type Arguments, CommandError, UsageError } from '#platform/command-line/command.ts';
import { callStaffApi, deleteSession, getStaffUrl, saveSession } from './client.ts';
import type { ManifestCommand } from './manifest.ts';
import type { CommandIo } from './run-operation.ts';
import { parseValue } from './values.ts';

// The commands of the staff API that are not derived from one operation.

type HandwrittenCommand = ManifestCommand & { run(args: Arguments, io: CommandIo): Promise<void> };

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

const apiCommand: HandwrittenCommand = {
  name: 'api',
  group: 'Service',
  summary: 'send any request to the staff API and print the response',
  positionals: [
    { name: 'METHOD', help: METHODS.join(', ') },
    { name: 'PATH', help: 'path and query, e.g. /admin/payouts?status=pending' },
  ],
  options: { body: { value: 'JSON', help: 'the body; @FILE: from a file, @- from standard input' } },
  examples: [
    "semana api GET '/admin/payouts?status=pending'",
    `semana api POST /admin/partners --body '{"name":"App"}'`,
  ],
  async run(args, { env, print, stdin }) {
    const [method = '', path = ''] = args.positionals;
    if (!METHODS.includes(method.toUpperCase()))
      throw new UsageError(`METHOD is '${method}'; it must be one of ${METHODS.join(', ')}.`);
    if (!path.startsWith('/')) throw new UsageError(`PATH is '${path}'; it must begin with a slash.`);
    const text = args.getOption('body');
    const wholeBodyInput = { in: 'body', name: '', type: 'json', fromFile: true } as const;
    const body =
      text === undefined ? undefined : await parseValue(text, wholeBodyInput, { option: '--body', stdin });
    const request = { method: method.toUpperCase(), path, ...(body !== undefined && { body }) };
    const response = await callStaffApi(env, request);
    const responseText = await response.text();
    if (responseText) print(responseText);
  },
};

type LoginResponse = {
  session: string;
  next: 'done' | 'second_factor' | 'enrol';
  person: { name: string; role: string };
};

const loginCommand: HandwrittenCommand = {
  name: 'login',
  group: 'Service',
  summary: 'sign in to the staff API as a staff user',
  details:
    'The session is stored in ~/.config/semana/session.json, for this address only. SEMANA_URL is the address of the staff API ' +
    '(default: http://localhost:3001). No login is required with SEMANA_KEY, the key of a staff user, or in a sandbox.',
  async run(_args, { env, ask, print }) {
    if (!ask)
      throw new UsageError('This command asks for a password at a terminal. Without one, set SEMANA_KEY.');
    const url = getStaffUrl(env);
    // The requests must not be sent with the key of another staff user.
    const envWithoutKey = { ...env, SEMANA_KEY: '' };
    const email = await ask('E-mail: ');
    const password = await ask('Password: ', { isSecret: true });
    const postJson = async (path: string, body: unknown, headers = {}) =>
      (await callStaffApi(envWithoutKey, { method: 'POST', path, body, headers })).json();
    const { session, next, person } = (await postJson('/auth/login', { email, password })) as LoginResponse;
    if (next === 'second_factor')
      await postJson(
        '/auth/second-factor',
        { code: await ask('One-time code: ') },
        buildSessionHeaders(session),
      );
    // Without a second factor a session can be used in the sandbox only. A live service refuses this request.
    if (next === 'enrol')
      await callStaffApi(envWithoutKey, {
        method: 'GET',
        path: '/admin/me',
        headers: buildSessionHeaders(session),
      }).catch(() => {
        throw new CommandError('Add a second factor first: sign in to the back office with a browser.');
      });
    saveSession(env, url, session);
    print(`Signed in to ${url} as ${person.name}, ${person.role}.`);
  },
};

const buildSessionHeaders = (session: string) => ({ authorization: `Bearer ${session}` });

const logoutCommand: HandwrittenCommand = {
  name: 'logout',
  group: 'Service',
  summary: "end the session of 'semana login'",
  async run(_args, { env, print }) {
    const envWithoutKey = { ...env, SEMANA_KEY: '' };
    await callStaffApi(envWithoutKey, { method: 'POST', path: '/auth/logout' }).finally(() =>
      deleteSession(env),
    );
    print('Signed out.');
  },
};

export const API_COMMANDS: readonly HandwrittenCommand[] = [apiCommand, loginCommand, logoutCommand];
