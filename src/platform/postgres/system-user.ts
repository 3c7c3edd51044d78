import { execFile } from 'node:child_process';
import { chmod, mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { EmbeddedPostgresError, hasCode, type PrintLine } from './errors.ts';
import { CLEAN_ENV } from './processes.ts';

/** As root, Semana runs PostgreSQL as the first of these users that exists, or creates the last one. macOS has `_postgres`. */
export const DEFAULT_USER_NAMES: readonly string[] = ['postgres', '_postgres', 'semana'];

/** A user that programs run as. */
export type Account = { uid: number; gid: number; name: string } | typeof CURRENT_USER;
export const CURRENT_USER = null;

export function isRoot(): boolean {
  return process.getuid?.() === 0;
}

export async function chooseAccount(userNames: readonly string[], log: PrintLine): Promise<Account> {
  if (!isRoot()) return CURRENT_USER;
  for (const name of userNames) {
    const account = await findAccount(name);
    if (account) return account;
  }
  const name = userNames.at(-1);
  if (name === undefined) throw new EmbeddedPostgresError('There is no system user to run PostgreSQL as.');
  return createAccount(name, log);
}

/** Tests access by running a program as that user, because mode bits do not show ACLs, mounts or other restrictions. */
export async function canEnter(account: Account, directory: string): Promise<boolean> {
  return (await runAs(account, '/bin/sh', ['-c', 'cd "$1"', 'sh', directory])).ok;
}

/** Creates a directory and its parents. If root creates them, all users may enter them, as PostgreSQL's user must. Existing ones stay unchanged. */
export async function createTraversableDir(directory: string): Promise<void> {
  const topCreatedDir = await mkdir(directory, { recursive: true });
  if (topCreatedDir === undefined || !isRoot()) return;
  for (let createdDir = directory; createdDir.startsWith(topCreatedDir); createdDir = dirname(createdDir)) {
    await chmod(createdDir, (await stat(createdDir)).mode | 0o111);
  }
}

type RunResult = { ok: boolean; output: string };

/** Runs a program as a user. libuv drops root's supplementary groups together with its uid (a test checks it). */
export async function runAs(account: Account, file: string, args: readonly string[]): Promise<RunResult> {
  const identity = account !== CURRENT_USER ? { uid: account.uid, gid: account.gid } : {};
  try {
    return await new Promise((resolve) => {
      execFile(file, args, { ...identity, cwd: '/', env: CLEAN_ENV }, (error, stdout, stderr) => {
        const output = `${stdout}${stderr}`.trim();
        resolve({ ok: error === null, output: output || (error?.message ?? '') });
      });
    });
  } catch (error) {
    // `execFile` itself throws if it may not switch to the user. A failure of the program is a result.
    if (account === CURRENT_USER || !hasCode(error, 'EPERM', 'EINVAL')) throw error;
    throw new EmbeddedPostgresError(
      `PostgreSQL does not run as root, and this machine does not allow root to switch to the user ${account.name}. ` +
        'Start Semana as an ordinary user, or set DATABASE_URL to your own PostgreSQL.',
      { cause: error },
    );
  }
}

async function findAccount(name: string): Promise<Exclude<Account, typeof CURRENT_USER> | undefined> {
  const [uidResult, gidResult] = await Promise.all([
    runAs(CURRENT_USER, 'id', ['-u', '--', name]),
    runAs(CURRENT_USER, 'id', ['-g', '--', name]),
  ]);
  if (!uidResult.ok || !gidResult.ok) return undefined;
  const account = { uid: Number(uidResult.output), gid: Number(gidResult.output), name };
  return account.uid > 0 && Number.isInteger(account.gid) ? account : undefined;
}

async function createAccount(name: string, log: PrintLine): Promise<Account> {
  const programs: [string, string[]][] = [
    ['useradd', ['--system', '--user-group', '--no-create-home', '--shell', '/usr/sbin/nologin', name]],
    // BusyBox has no useradd.
    ['adduser', ['-S', '-D', '-H', '-s', '/sbin/nologin', name]],
  ];
  const failures: string[] = [];
  for (const [program, args] of programs) {
    const programResult = await runAs(CURRENT_USER, program, args);
    // The account is looked up even after a failure, because another process may have created the same user meanwhile.
    const account = await findAccount(name);
    if (account) {
      if (programResult.ok) log(`Created the system user ${name}: PostgreSQL does not run as root.`);
      return account;
    }
    failures.push(`${program}: ${programResult.output}`);
  }
  throw new EmbeddedPostgresError(
    `PostgreSQL does not run as root, and no system user could be created for it (${failures.join('; ')}). ` +
      `Create a user named ${name}, or start Semana as an ordinary user, or set DATABASE_URL to your own PostgreSQL.`,
  );
}
