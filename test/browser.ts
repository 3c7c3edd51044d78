import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Browser, chromium } from 'playwright-core';

const INSTALLED = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];

/** A real Chromium: CHROME_PATH, an installed one, or the one from npm. */
export async function launchBrowser(args: string[] = []): Promise<Browser> {
  const path = process.env.CHROME_PATH ?? INSTALLED.find((candidate) => existsSync(candidate));
  const found = path === undefined ? await unpackChromium() : { executablePath: path, env: {} };
  const env = { ...(process.env as Record<string, string>), ...found.env };
  return chromium.launch({ executablePath: found.executablePath, env, args: ['--no-sandbox', ...args] });
}

/** Unpacked once, because brotli takes ten seconds; renamed when complete. Includes libraries, for machines without them. */
async function unpackChromium() {
  if (process.platform !== 'linux' || process.arch !== 'x64')
    throw new Error('The tests of the pages need Chromium: install it, or set CHROME_PATH to a Chrome.');
  const cache = join(import.meta.dirname, '../node_modules/.cache');
  const home = join(cache, 'chromium');
  const executablePath = join(home, 'chromium');
  if (!existsSync(executablePath)) {
    await mkdir(cache, { recursive: true });
    const fresh = await mkdtemp(join(cache, 'unpacking-'));
    const { inflate } = await import('@sparticuz/chromium');
    const bin = fileURLToPath(new URL('../bin/', import.meta.resolve('@sparticuz/chromium')));
    const before = process.env.TMPDIR;
    process.env.TMPDIR = fresh; // inflate writes there
    try {
      const packs = ['chromium.br', 'al2023.tar.br', 'fonts.tar.br', 'swiftshader.tar.br'];
      await Promise.all(packs.map((name) => inflate(join(bin, name))));
    } finally {
      if (before === undefined) delete process.env.TMPDIR;
      else process.env.TMPDIR = before;
    }
    await writeFile(join(fresh, 'fonts/fonts.conf'), fontsConf(home));
    await rename(fresh, home).catch(async () => {
      // Another was faster, or only the fonts' cache is there.
      if (existsSync(executablePath)) return rm(fresh, { recursive: true });
      await rm(home, { recursive: true });
      return rename(fresh, home);
    });
  }
  return {
    executablePath,
    env: { LD_LIBRARY_PATH: join(home, 'al2023/lib'), FONTCONFIG_PATH: join(home, 'fonts') },
  };
}

/** Chromium exits if it finds no font. */
const fontsConf = (home: string) => `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>${home}/fonts</dir>
  <dir>/usr/share/fonts</dir>
  <cachedir>${home}/fonts-cache</cachedir>
</fontconfig>
`;
