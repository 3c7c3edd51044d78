import { createHash, randomBytes, randomUUID } from 'node:crypto';
import {
  chmod,
  chown,
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
import { basename, dirname, join } from 'node:path';
import type { Binaries } from './binaries.ts';
import { EmbeddedPostgresError, messageOf, type PrintLine } from './errors.ts';
import {
  type Account,
  accountForNewCluster,
  canEnter,
  isRoot,
  mkdirEnterable,
  runAs,
} from './system-user.ts';

export const SUPERUSER = 'semana';

// Stored inside the cluster, so that cluster and password stay together.
const PASSWORD_FILE = 'semana-password';

// Contains the data directory that links to a cluster stored elsewhere.
const DATA_DIR_FILE = 'semana-data-dir';

export type Cluster = {
  /** A path without symbolic links, which identifies the running server. */
  dir: string;
  account: Account;
};

/** The cluster in a data directory, or a link to the cluster. */
const clusterPath = (dataDir: string): string => join(dataDir, 'postgres');

/** Null if there is no cluster yet. */
export async function findCluster(
  dataDir: string,
  userNames: readonly string[],
  log: PrintLine,
): Promise<Cluster | null> {
  const entry = clusterPath(dataDir);
  if (!(await readdir(dataDir)).includes(basename(entry))) return null;
  const dir = await realpath(entry).catch((error: unknown) => {
    throw new EmbeddedPostgresError(
      `${entry} links to a missing directory (${messageOf(error)}). ` +
        'Restore it, or delete the link to start with an empty database.',
    );
  });
  const account = await findClusterAccount(dir, userNames, log);
  if (!(await ensureCanReach(account, dir, dataDir, log))) {
    throw new EmbeddedPostgresError(
      `PostgreSQL runs as the user ${account?.name ?? 'that started Semana'}, who cannot enter ${dir}. ` +
        'Allow others to pass through the directories above it (chmod a+x), or set DATA_DIR to another directory.',
    );
  }
  return { dir, account };
}

async function findClusterAccount(
  dir: string,
  userNames: readonly string[],
  log: PrintLine,
): Promise<Account> {
  // PostgreSQL must run as the owner of the cluster. So root can also open the cluster of an ordinary user.
  const { uid, gid } = await stat(dir);
  if (!isRoot()) {
    if (uid === process.getuid?.()) return null;
    throw new EmbeddedPostgresError(
      `The database in ${dir} belongs to another user (${uid}). Start Semana as that user or as root, or set DATA_DIR to another directory.`,
    );
  }
  if (uid !== 0) return { uid, gid, name: String(uid) };
  // The files were copied or restored by root. PostgreSQL accepts only files that it owns, so their owner is changed back.
  const account = await accountForNewCluster(userNames, log);
  if (account) {
    log(`Changing the owner of the database in ${dir} from root to ${account.name}.`);
    const result = await runAs(null, 'chown', ['-R', `${account.uid}:${account.gid}`, dir]);
    if (!result.ok)
      throw new EmbeddedPostgresError(
        `Cannot change the owner of ${dir} to ${account.name}: ${result.output}`,
      );
  }
  return account;
}

/** Renamed when it is complete, so that a crash leaves no incomplete cluster. Call it only under the lock (see embedded.ts). */
export async function createCluster(options: {
  dataDir: string;
  account: Account;
  binaries: Binaries;
  /** The location of the cluster if PostgreSQL's user cannot enter the data directory. */
  sharedDir: string;
  /** Skips fsync, for tests. */
  noSync: boolean;
  log: PrintLine;
}): Promise<Cluster> {
  const { dataDir, account, sharedDir, log } = options;
  const isInDataDir = await ensureCanReach(account, dataDir, dataDir, log);
  const home = isInDataDir ? dataDir : join(sharedDir, 'clusters');
  if (!isInDataDir) {
    await mkdirEnterable(home);
    await logLeftoverClusters(home, dataDir, log);
  }

  // The name identifies the data directory, because several may share `home`.
  const stagingPrefix = `new-${createHash('sha256').update(dataDir).digest('hex').slice(0, 12)}-`;
  await removeStaleStaging(home, stagingPrefix);
  const staging = await mkdtemp(join(home, stagingPrefix));
  try {
    const newCluster = await runInitdb(staging, options);
    const target = isInDataDir ? clusterPath(dataDir) : join(home, randomUUID());
    if (!isInDataDir) await writeFile(join(newCluster, DATA_DIR_FILE), dataDir, { mode: 0o600 });
    if (!isInDataDir && account) await chown(join(newCluster, DATA_DIR_FILE), account.uid, account.gid);
    await rename(newCluster, target);
    await syncDirectory(home);
    if (!isInDataDir) {
      await symlink(target, clusterPath(dataDir));
      await syncDirectory(dataDir);
      log(
        `The database is in ${target}: the user ${account?.name} cannot enter ${dataDir}, which links to it.`,
      );
    }
    return { dir: await realpath(target), account };
  } finally {
    await rm(staging, { recursive: true, force: true });
  }
}

/** Lets PostgreSQL's group pass through a data directory that only root can enter (`mktemp -d`). False if that is not enough. */
async function ensureCanReach(
  account: Account,
  dir: string,
  dataDir: string,
  log: PrintLine,
): Promise<boolean> {
  if (await canEnter(account, dir)) return true;
  const { uid, mode } = await stat(dataDir);
  if (!account || uid !== 0 || (mode & 0o077) !== 0 || !(await canEnter(account, dirname(dataDir))))
    return false;
  log(
    `Allowing the group of the user ${account.name} to enter ${dataDir}, so that PostgreSQL can reach its data.`,
  );
  await chown(dataDir, uid, account.gid);
  await chmod(dataDir, (mode & 0o7777) | 0o010);
  return canEnter(account, dir);
}

/** Only the operator can decide whether to delete a database whose data directory was deleted. */
async function logLeftoverClusters(home: string, dataDir: string, log: PrintLine): Promise<void> {
  for (const name of await readdir(home)) {
    const belongsTo = await readFile(join(home, name, DATA_DIR_FILE), 'utf8').catch(() => null);
    if (belongsTo !== dataDir) continue;
    log(
      `An earlier database of ${dataDir} is still in ${join(home, name)}; delete it if it is no longer needed.`,
    );
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

  const newCluster = join(staging, 'cluster');
  const result = await runAs(account, binaries.initdb, [
    ...['-D', newCluster, '-U', SUPERUSER, '--pwfile', passwordPath, '--auth=scram-sha-256'],
    // The same collation on every machine, whatever its locales.
    ...['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'],
    ...['--no-instructions', ...(options.noSync ? ['--no-sync'] : [])],
  ]);
  if (!result.ok) throw new EmbeddedPostgresError(`initdb could not create the database: ${result.output}`);
  await rename(passwordPath, join(newCluster, PASSWORD_FILE));
  await syncDirectory(newCluster);
  return newCluster;
}

export async function readPassword(cluster: Cluster): Promise<string> {
  const path = join(cluster.dir, PASSWORD_FILE);
  try {
    return (await readFile(path, 'utf8')).trim();
  } catch (error) {
    throw new EmbeddedPostgresError(
      `${cluster.dir} is not a database that Semana created: its password is missing (${messageOf(error)}).`,
    );
  }
}

export async function checkVersion(cluster: Cluster, binaries: Binaries): Promise<void> {
  const major = (await readFile(join(cluster.dir, 'PG_VERSION'), 'utf8').catch(() => '')).trim();
  if (major === binaries.major) return;
  throw new EmbeddedPostgresError(
    `The database in ${cluster.dir} was created by PostgreSQL ${major || '(unknown)'}, and this release includes PostgreSQL ${binaries.major}. ` +
      'Dump it with the release that created it and restore it into an empty DATA_DIR.',
  );
}

async function removeStaleStaging(home: string, stagingPrefix: string): Promise<void> {
  for (const name of await readdir(home)) {
    if (!name.startsWith(stagingPrefix)) continue;
    // An initdb whose parent process was killed may still be writing there. Then the next start removes it.
    await rm(join(home, name), { recursive: true, force: true }).catch(() => {});
  }
}

/** A rename survives a power failure only after an fsync of its directory. */
async function syncDirectory(directory: string): Promise<void> {
  const handle = await open(directory, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
