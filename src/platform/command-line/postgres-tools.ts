import { execFile, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { CommandError } from './command.ts';

export type Tool = 'pg_dump' | 'pg_restore';

/** Where Linux and macOS packages install PostgreSQL's programs, in a directory for each version. */
const INSTALL_LOCATIONS: ReadonlyArray<readonly [parent: string, name: RegExp]> = [
  ['/usr/lib/postgresql', /^\d+$/],
  ['/usr', /^pgsql-\d+$/],
  ['/opt/homebrew/opt', /^(postgresql@\d+|libpq)$/],
  ['/usr/local/opt', /^(postgresql@\d+|libpq)$/],
];

/** Finds PostgreSQL's own program of this major version or later. If `toolsDir` is set, only that directory is searched. */
export async function findTool(
  tool: Tool,
  major: number,
  { toolsDir, path = process.env.PATH ?? '' }: { toolsDir: string | null; path?: string },
): Promise<string> {
  const directories =
    toolsDir === null ? [...path.split(delimiter), ...(await listInstallDirectories())] : [toolsDir];
  const found: Array<{ program: string; major: number }> = [];
  for (const directory of new Set(directories.filter((one) => one !== ''))) {
    const program = join(directory, tool);
    const version = await readMajorVersion(program);
    if (version !== undefined) found.push({ program, major: version });
  }
  const bestMatch = found.filter((one) => one.major >= major).toSorted((a, b) => a.major - b.major)[0];
  if (bestMatch) return bestMatch.program;
  const others = found.map((one) => `${one.program} has version ${one.major}`).join(', ');
  throw new CommandError(
    `This requires PostgreSQL's program ${tool} of version ${major} or later, because the database has version ${major}; ` +
      `${others || 'none was found on this machine'}. Install PostgreSQL's client programs ` +
      `(Debian and Ubuntu: postgresql-client-${major} of apt.postgresql.org; macOS: brew install postgresql@${major}), or set ` +
      'PG_TOOLS_DIR to its directory.',
  );
}

async function listInstallDirectories(): Promise<string[]> {
  const all = INSTALL_LOCATIONS.map(async ([parent, pattern]) => {
    const names = await readdir(parent).catch(() => []);
    return names.filter((name) => pattern.test(name)).map((name) => join(parent, name, 'bin'));
  });
  return (await Promise.all(all)).flat();
}

async function readMajorVersion(program: string): Promise<number | undefined> {
  // Most directories do not have it, and an attempt to start it costs far more than a look.
  if (!existsSync(program)) return undefined;
  const result = await promisify(execFile)(program, ['--version']).catch(() => undefined);
  const major = /PostgreSQL\) (\d+)/.exec(result?.stdout ?? '')?.[1];
  return major === undefined ? undefined : Number(major);
}

/** The connection parameters for PostgreSQL's programs, as environment variables, which other users of the machine cannot see. */
export function connectionEnv(databaseUrl: string): Record<string, string> {
  const { hostname, port, username, password, pathname, searchParams } = new URL(databaseUrl);
  const env: Record<string, string> = {
    PGHOST: searchParams.get('host') ?? decodeURIComponent(hostname).replace(/^\[|\]$/g, ''),
    PGPORT: port || '5432',
    PGUSER: decodeURIComponent(username),
    PGPASSWORD: decodeURIComponent(password),
    PGDATABASE: decodeURIComponent(pathname.slice(1)),
    PGAPPNAME: 'semana backup',
  };
  for (const name of ['sslmode', 'sslrootcert', 'sslcert', 'sslkey']) {
    const value = searchParams.get(name);
    if (value !== null) env[`PG${name.toUpperCase()}`] = value;
  }
  return Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''));
}

/** Runs the program and returns its standard output. Passes each line of standard error to `onLine`. On failure throws with the last lines. */
export async function runTool(
  program: string,
  toolArguments: readonly string[],
  { databaseUrl, onLine }: { databaseUrl?: string; onLine: (line: string) => void },
): Promise<string> {
  const env = { ...process.env, ...(databaseUrl !== undefined && connectionEnv(databaseUrl)) };
  const child = spawn(program, toolArguments, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  const lastLines: string[] = [];
  createInterface(child.stderr).on('line', (line) => {
    lastLines.push(line);
    if (lastLines.length > 5) lastLines.shift();
    onLine(line);
  });
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject).once('close', resolve);
  });
  if (code !== 0) throw new CommandError(`${program} failed:\n${lastLines.join('\n')}`);
  return output;
}
