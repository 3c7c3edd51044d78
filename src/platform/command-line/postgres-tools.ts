import { execFile, spawn } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { CommandFault } from './command.ts';

export type Tool = 'pg_dump' | 'pg_restore';

/** Where packages of Linux and of macOS put PostgreSQL's programs, a directory for each version. */
const PLACES: ReadonlyArray<{ within: string; bin: RegExp; sub: string }> = [
  { within: '/usr/lib/postgresql', bin: /^\d+$/, sub: 'bin' },
  { within: '/usr', bin: /^pgsql-\d+$/, sub: 'bin' },
  { within: '/opt/homebrew/opt', bin: /^(postgresql@\d+|libpq)$/, sub: 'bin' },
  { within: '/usr/local/opt', bin: /^(postgresql@\d+|libpq)$/, sub: 'bin' },
];

/**
 * PostgreSQL's own program for a server of this major version: of the same version or a later one, as PostgreSQL requires. The
 * embedded PostgreSQL comes without it. If `toolsDir` is given, only that is searched.
 */
export async function findTool(
  tool: Tool,
  major: number,
  { toolsDir, path = process.env.PATH ?? '' }: { toolsDir: string | null; path?: string },
): Promise<string> {
  const directories = toolsDir === null ? [...path.split(delimiter), ...(await knownPlaces())] : [toolsDir];
  const found: Array<{ program: string; major: number }> = [];
  for (const directory of new Set(directories.filter((one) => one !== ''))) {
    const program = join(directory, tool);
    const version = await majorOf(program);
    if (version !== undefined) found.push({ program, major: version });
  }
  const fitting = found.filter((one) => one.major >= major).toSorted((a, b) => a.major - b.major)[0];
  if (fitting) return fitting.program;
  const others = found.map((one) => `${one.program} is of version ${one.major}`).join(', ');
  throw new CommandFault(
    `This needs PostgreSQL's program ${tool} of version ${major} or later, because the database is of version ${major}` +
      `${others ? `; ${others}` : '; there is none on this machine'}. Install PostgreSQL's client programs ` +
      `(Debian and Ubuntu: postgresql-client-${major} of apt.postgresql.org; macOS: brew install postgresql@${major}), or say ` +
      'with PG_TOOLS_DIR in which directory it is.',
  );
}

async function knownPlaces(): Promise<string[]> {
  const all = PLACES.map(async ({ within, bin, sub }) => {
    const names = await readdir(within).catch(() => []);
    return names.filter((name) => bin.test(name)).map((name) => join(within, name, sub));
  });
  return (await Promise.all(all)).flat();
}

async function majorOf(program: string): Promise<number | undefined> {
  const said = await promisify(execFile)(program, ['--version']).catch(() => undefined);
  const major = /PostgreSQL\) (\d+)/.exec(said?.stdout ?? '')?.[1];
  return major === undefined ? undefined : Number(major);
}

/** The connection parameters for PostgreSQL's programs, hidden from other users of the machine. */
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

/** Runs it to its end. Its output goes line by line to `onLine`. If it fails, throws with its last lines. */
export async function runTool(
  program: string,
  words: readonly string[],
  { databaseUrl, onLine }: { databaseUrl?: string; onLine: (line: string) => void },
): Promise<string> {
  const env = { ...process.env, ...(databaseUrl !== undefined && connectionEnv(databaseUrl)) };
  const child = spawn(program, words, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  const last: string[] = [];
  createInterface(child.stderr).on('line', (line) => {
    last.push(line);
    if (last.length > 5) last.shift();
    onLine(line);
  });
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject).once('close', resolve);
  });
  if (code !== 0) throw new CommandFault(`${program} failed:\n${last.join('\n')}`);
  return output;
}
