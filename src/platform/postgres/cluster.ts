import { createHash, randomBytes, randomUUID } from 'node:crypto';
import {
  chmod,
  chown,
  lstat,
  mkdtemp,
  open,
  readdir,
  readFile,
  realpath,
  rename,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Binaries } from './binaries.ts';
import { EmbeddedPostgresError, hasCode, messageOf } from './errors.ts';
import {
  type Account,
  accountForNewCluster,
  canEnter,
  isRoot,
  mkdirEnterable,
  runAs,
} from './system-user.ts';

export const SUPERUSER = 'semana';

// Inside the cluster, so that cluster and password cannot be separated.
const PASSWORD_FILE = 'semana-password';

// In a cluster that is stored elsewhere: the data directory that links to it.
const DATA_DIR_FILE = 'semana-data-dir';

export type Cluster = {
  /** Without symbolic links: the running server is identified by this path. */
  dir: string;
  account: Account;
};

/** The path of the cluster of a data directory: the cluster itself, or a link to it. */
function entrance(dataDir: string): string {
  return join(dataDir, 'postgres');
}

/** Null when there is none yet. */
export async function findCluster(
  dataDir: string,
  userNames: readonly string[],
  log: (message: string) => void,
): Promise<Cluster | null> {
  const entry = entrance(dataDir);
  if (!(await lstat(entry).catch(nullIfMissing))) return null;
  const dir = await realpath(entry).catch((error: unknown) => {
    throw new EmbeddedPostgresError(
      `${entry} links to a directory that is not there (${messageOf(error)}). ` +
        'Bring it back, or delete the link to begin with an empty database.',
    );
  });
  const account = await accountOf(dir, userNames, log);
  if (!(await canReach(account, dir, dataDir, log))) {
    throw new EmbeddedPostgresError(
      `PostgreSQL runs as the user ${account?.name ?? 'that started Semana'}, who cannot enter ${dir}. ` +
        'Allow others to pass through the directories above it (chmod a+x), or set DATA_DIR to another directory.',
    );
  }
  return { dir, account };
}

async function accountOf(
  dir: string,
  userNames: readonly string[],
  log: (message: string) => void,
): Promise<Account> {
  // PostgreSQL requires that a cluster runs as its owner. So root can also open the cluster of an ordinary user.
  const { uid, gid } = await stat(dir);
  if (!isRoot()) {
    if (uid === process.getuid?.()) return null;
    throw new EmbeddedPostgresError(
      `The database in ${dir} belongs to another user (${uid}). Start Semana as that user or as root, or set DATA_DIR to another directory.`,
    );
  }
  if (uid !== 0) return { uid, gid, name: String(uid) };
  // Copied or restored by root. PostgreSQL accepts only files that it owns, so their owner is restored.
  const account = await accountForNewCluster(userNames, log);
  if (account) {
    log(`Giving the database in ${dir} to the user ${account.name}: it belongs to root.`);
    const result = await runAs(null, 'chown', ['-R', `${account.uid}:${account.gid}`, dir]);
    if (!result.ok)
      throw new EmbeddedPostgresError(`Cannot give ${dir} to ${account.name}: ${result.output}`);
  }
  return account;
}

/**
 * Creates the cluster in a temporary directory and renames it when complete: a crash in between leaves a temporary directory,
 * which the next start removes, never half a cluster. Call it only under the lock (see claims.ts).
 */
export async function createCluster(options: {
  dataDir: string;
  account: Account;
  binaries: Binaries;
  /** Where the cluster goes when PostgreSQL's user cannot enter the data directory. */
  sharedDir: string;
  /** Without fsync, for tests. */
  noSync: boolean;
  log: (message: string) => void;
}): Promise<Cluster> {
  const { dataDir, account, sharedDir, log } = options;
  const inside = await canReach(account, dataDir, dataDir, log);
  const home = inside ? dataDir : join(sharedDir, 'clusters');
  if (!inside) {
    await mkdirEnterable(home);
    await mentionForgotten(home, dataDir, log);
  }

  // The name says which data directory it belongs to: several may share `home`.
  const prefix = `new-${createHash('sha256').update(dataDir).digest('hex').slice(0, 12)}-`;
  await removeLitter(home, prefix);
  const staging = await mkdtemp(join(home, prefix));
  try {
    const made = await runInitdb(staging, options);
    const place = inside ? entrance(dataDir) : join(home, randomUUID());
    if (!inside) await writeFile(join(made, DATA_DIR_FILE), dataDir, { mode: 0o600 });
    if (!inside && account) await chown(join(made, DATA_DIR_FILE), account.uid, account.gid);
    await rename(made, place);
    await syncDirectory(home);
    if (!inside) {
      await symlink(place, entrance(dataDir));
      await syncDirectory(dataDir);
      log(
        `The database is in ${place}: the user ${account?.name} cannot enter ${dataDir}, which links to it.`,
      );
    }
    return { dir: await realpath(place), account };
  } finally {
    await rm(staging, { recursive: true, force: true });
  }
}

/**
 * Whether `account` can enter `dir`. If only the data directory itself is closed, it is opened first. A directory that is closed
 * to all but root (`mktemp -d`) can safely let PostgreSQL's group pass through, and the data can stay in it. Directories above it
 * are not changed.
 */
async function canReach(
  account: Account,
  dir: string,
  dataDir: string,
  log: (message: string) => void,
): Promise<boolean> {
  if (await canEnter(account, dir)) return true;
  const { uid, mode } = await stat(dataDir);
  if (!account || uid !== 0 || (mode & 0o077) !== 0 || !(await canEnter(account, dirname(dataDir))))
    return false;
  log(
    `Letting the group of the user ${account.name} pass through ${dataDir}, for PostgreSQL to reach its data.`,
  );
  await chown(dataDir, uid, account.gid);
  await chmod(dataDir, (mode & 0o7777) | 0o010);
  return canEnter(account, dir);
}

/**
 * A data directory that was deleted for a fresh start left its database here. Only the operator can decide whether to delete it.
 */
async function mentionForgotten(
  home: string,
  dataDir: string,
  log: (message: string) => void,
): Promise<void> {
  for (const name of await readdir(home)) {
    const belongsTo = await readFile(join(home, name, DATA_DIR_FILE), 'utf8').catch(() => null);
    if (belongsTo !== dataDir) continue;
    log(`An earlier database of ${dataDir} is still in ${join(home, name)}; delete it if nobody needs it.`);
  }
}

async function runInitdb(
  staging: string,
  options: { account: Account; binaries: Binaries; noSync: boolean },
): Promise<string> {
  const { account, binaries } = options;
  if (account) await chown(staging, account.uid, account.gid);
  await chmod(staging, 0o700);

  const passwordPath = join(staging, 'password');
  const file = await open(passwordPath, 'wx', 0o600);
  await file.writeFile(randomBytes(24).toString('base64url'));
  if (account) await file.chown(account.uid, account.gid);
  await file.sync();
  await file.close();

  const made = join(staging, 'cluster');
  const result = await runAs(account, binaries.initdb, [
    ...['-D', made, '-U', SUPERUSER, '--pwfile', passwordPath, '--auth=scram-sha-256'],
    // The same collation on every machine, whatever its locales.
    ...['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'],
    ...['--no-instructions', ...(options.noSync ? ['--no-sync'] : [])],
  ]);
  if (!result.ok) throw new EmbeddedPostgresError(`initdb could not make the database: ${result.output}`);
  await rename(passwordPath, join(made, PASSWORD_FILE));
  await syncDirectory(made);
  return made;
}

export async function readPassword(cluster: Cluster): Promise<string> {
  const path = join(cluster.dir, PASSWORD_FILE);
  try {
    return (await readFile(path, 'utf8')).trim();
  } catch (error) {
    throw new EmbeddedPostgresError(
      `${cluster.dir} is not a database that Semana made: its password is missing (${messageOf(error)}).`,
    );
  }
}

export async function checkVersion(cluster: Cluster, binaries: Binaries): Promise<void> {
  const major = (await readFile(join(cluster.dir, 'PG_VERSION'), 'utf8').catch(() => '')).trim();
  if (major === binaries.major) return;
  throw new EmbeddedPostgresError(
    `The database in ${cluster.dir} was made by PostgreSQL ${major || '(unknown)'}, and this Semana brings PostgreSQL ${binaries.major}. ` +
      'Dump it with the Semana that made it and restore it into an empty DATA_DIR.',
  );
}

async function removeLitter(home: string, prefix: string): Promise<void> {
  for (const name of await readdir(home)) {
    if (!name.startsWith(prefix)) continue;
    // An initdb whose Semana was killed may still be writing there: then the next start removes it.
    await rm(join(home, name), { recursive: true, force: true }).catch(() => {});
  }
}

/** A rename survives a power cut only after an fsync of its directory. */
async function syncDirectory(directory: string): Promise<void> {
  const handle = await open(directory, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

function nullIfMissing(error: unknown): null {
  if (hasCode(error, 'ENOENT')) return null;
  throw error;
}
