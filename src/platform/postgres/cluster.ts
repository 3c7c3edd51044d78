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
import { EmbeddedPostgresError, getMessage, type PrintLine } from './errors.ts';
import {
  type Account,
  CURRENT_USER,
  canEnter,
  chooseAccount,
  createTraversableDir,
  isRoot,
  runAs,
} from './system-user.ts';

export const SUPERUSER = 'semana';

// The password file is in the cluster, so that cluster and password stay together.
const PASSWORD_FILE = 'semana-password';

// This file contains the path of the data directory whose link leads to the cluster.
const DATA_DIR_FILE = 'semana-data-dir';

export type Cluster = {
  /** A path without symbolic links, which identifies the running server. */
  dir: string;
  account: Account;
};

const buildClusterPath = (dataDir: string): string => join(dataDir, 'postgres');

/** Finds the cluster of a data directory. Returns null if there is no cluster yet. */
export async function findCluster(
  dataDir: string,
  userNames: readonly string[],
  log: PrintLine,
): Promise<Cluster | null> {
  const clusterPath = buildClusterPath(dataDir);
  if (!(await readdir(dataDir)).includes(basename(clusterPath))) return null;
  const dir = await realpath(clusterPath).catch((error: unknown) => {
    throw new EmbeddedPostgresError(
      `${clusterPath} links to a missing directory (${getMessage(error)}). ` +
        'Restore it, or delete the link to start with an empty database.',
    );
  });
  const account = await findClusterAccount(dir, userNames, log);
  if (!(await ensureAccess(account, dir, dataDir, log))) {
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
    if (uid === process.getuid?.()) return CURRENT_USER;
    throw new EmbeddedPostgresError(
      `The database in ${dir} belongs to another user (${uid}). Start Semana as that user or as root, or set DATA_DIR to another directory.`,
    );
  }
  if (uid !== 0) return { uid, gid, name: String(uid) };
  // The files were copied or restored by root. PostgreSQL accepts only files that it owns, so their owner is changed back.
  const account = await chooseAccount(userNames, log);
  if (account !== CURRENT_USER) {
    log(`Changing the owner of the database in ${dir} from root to ${account.name}.`);
    const chownResult = await runAs(CURRENT_USER, 'chown', ['-R', `${account.uid}:${account.gid}`, dir]);
    if (!chownResult.ok)
      throw new EmbeddedPostgresError(
        `Cannot change the owner of ${dir} to ${account.name}: ${chownResult.output}`,
      );
  }
  return account;
}

/** Creates a cluster in a staging directory and renames it when it is complete, so that a crash leaves no incomplete cluster. Call it while holding the transition lock (embedded.ts). */
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
  const isInDataDir = await ensureAccess(account, dataDir, dataDir, log);
  const parentDir = isInDataDir ? dataDir : join(sharedDir, 'clusters');
  if (!isInDataDir) {
    await createTraversableDir(parentDir);
    await logLeftoverClusters(parentDir, dataDir, log);
  }

  // The name identifies the data directory, because several may share `sharedDir`.
  const stagingPrefix = `new-${createHash('sha256').update(dataDir).digest('hex').slice(0, 12)}-`;
  await removeStaleStaging(parentDir, stagingPrefix);
  const stagingDir = await mkdtemp(join(parentDir, stagingPrefix));
  try {
    const newClusterDir = await runInitdb(stagingDir, options);
    const clusterDir = isInDataDir ? buildClusterPath(dataDir) : join(parentDir, randomUUID());
    if (!isInDataDir) await writeFile(join(newClusterDir, DATA_DIR_FILE), dataDir, { mode: 0o600 });
    if (!isInDataDir && account !== CURRENT_USER)
      await chown(join(newClusterDir, DATA_DIR_FILE), account.uid, account.gid);
    await rename(newClusterDir, clusterDir);
    await syncDirectory(parentDir);
    if (!isInDataDir) {
      await symlink(clusterDir, buildClusterPath(dataDir));
      await syncDirectory(dataDir);
      log(
        `The database is in ${clusterDir}: the user ${account?.name} cannot enter ${dataDir}, which links to it.`,
      );
    }
    return { dir: await realpath(clusterDir), account };
  } finally {
    await rm(stagingDir, { recursive: true, force: true });
  }
}

/**
 * Returns whether PostgreSQL's user can enter `dir`. If only root can enter the data directory (as after `mktemp -d`), it first lets
 * PostgreSQL's group enter.
 */
async function ensureAccess(
  account: Account,
  dir: string,
  dataDir: string,
  log: PrintLine,
): Promise<boolean> {
  if (await canEnter(account, dir)) return true;
  const { uid, mode } = await stat(dataDir);
  const isOnlyForRoot = uid === 0 && (mode & 0o077) === 0;
  if (account === CURRENT_USER || !isOnlyForRoot || !(await canEnter(account, dirname(dataDir))))
    return false;
  log(
    `Allowing the group of the user ${account.name} to enter ${dataDir}, so that PostgreSQL can reach its data.`,
  );
  await chown(dataDir, uid, account.gid);
  await chmod(dataDir, (mode & 0o7777) | 0o010);
  return canEnter(account, dir);
}

/** Logs earlier clusters of this data directory, whose link was deleted. Only the operator can decide whether to delete them. */
async function logLeftoverClusters(parentDir: string, dataDir: string, log: PrintLine): Promise<void> {
  for (const name of await readdir(parentDir)) {
    const ownerDataDir = await readFile(join(parentDir, name, DATA_DIR_FILE), 'utf8').catch(() => null);
    if (ownerDataDir !== dataDir) continue;
    log(
      `An earlier database of ${dataDir} is still in ${join(parentDir, name)}; delete it if it is no longer needed.`,
    );
  }
}

async function runInitdb(
  stagingDir: string,
  options: { account: Account; binaries: Binaries; noSync: boolean },
): Promise<string> {
  const { account, binaries } = options;
  if (account !== CURRENT_USER) await chown(stagingDir, account.uid, account.gid);
  await chmod(stagingDir, 0o700);

  const passwordPath = join(stagingDir, 'password');
  const file = await open(passwordPath, 'wx', 0o600);
  await file.writeFile(randomBytes(24).toString('base64url'));
  if (account !== CURRENT_USER) await file.chown(account.uid, account.gid);
  await file.sync();
  await file.close();

  const newClusterDir = join(stagingDir, 'cluster');
  const initdbResult = await runAs(account, binaries.initdb, [
    '-D',
    newClusterDir,
    '-U',
    SUPERUSER,
    '--pwfile',
    passwordPath,
    '--auth=scram-sha-256',
    // The collation is the same on every machine, regardless of its locales.
    '--encoding=UTF8',
    '--locale=C',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--no-instructions',
    ...(options.noSync ? ['--no-sync'] : []),
  ]);
  if (!initdbResult.ok)
    throw new EmbeddedPostgresError(`initdb could not create the database: ${initdbResult.output}`);
  await rename(passwordPath, join(newClusterDir, PASSWORD_FILE));
  await syncDirectory(newClusterDir);
  return newClusterDir;
}

export async function readPassword(cluster: Cluster): Promise<string> {
  const path = join(cluster.dir, PASSWORD_FILE);
  try {
    return (await readFile(path, 'utf8')).trim();
  } catch (error) {
    throw new EmbeddedPostgresError(
      `${cluster.dir} is not a database that Semana created: its password is missing (${getMessage(error)}).`,
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

async function removeStaleStaging(parentDir: string, stagingPrefix: string): Promise<void> {
  for (const name of await readdir(parentDir)) {
    if (!name.startsWith(stagingPrefix)) continue;
    // This fails if an initdb whose parent was killed is still writing. Then the next creation removes the directory.
    await rm(join(parentDir, name), { recursive: true, force: true }).catch(() => {});
  }
}

/** Calls fsync for a directory, without which a rename in it does not survive a power failure. */
async function syncDirectory(directory: string): Promise<void> {
  const handle = await open(directory, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
