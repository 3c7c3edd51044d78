import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';

// 'npm pack' runs this script. It writes to dist/ JavaScript for import and for require, and the declarations of both. It also runs on Node 20.

const PACKAGE_DIRECTORY = import.meta.dirname;
const DIST = join(PACKAGE_DIRECTORY, 'dist');
const TSC = join(PACKAGE_DIRECTORY, '../../node_modules/typescript/bin/tsc');

rmSync(DIST, { recursive: true, force: true });
for (const { entry, format, file } of [
  { entry: 'index.ts', format: 'esm', file: 'index.js' },
  { entry: 'index.ts', format: 'cjs', file: 'index.cjs' },
  { entry: 'browser.ts', format: 'esm', file: 'browser.js' },
  { entry: 'cli.ts', format: 'esm', file: 'cli.js' },
]) {
  const isForBrowsers = entry === 'browser.ts';
  await build({
    entryPoints: [join(PACKAGE_DIRECTORY, 'src', entry)],
    outfile: join(DIST, file),
    bundle: true,
    format,
    platform: isForBrowsers ? 'browser' : 'node',
    target: isForBrowsers ? 'es2020' : 'node20',
  });
}

execFileSync(process.execPath, [TSC, '-p', join(PACKAGE_DIRECTORY, 'tsconfig.build.json')], {
  stdio: 'inherit',
});
const declarationNames = readdirSync(DIST).filter((name) => name.endsWith('.d.ts'));
for (const name of declarationNames) {
  const path = join(DIST, name);
  const text = readFileSync(path, 'utf8');
  // In declarations the compiler does not change imports such as './problem.ts'.
  const replaceExtensions = (extension) => text.replace(/(from '\.\/[\w-]+)\.ts'/g, `$1.${extension}'`);
  writeFileSync(path, replaceExtensions('js'));
  writeFileSync(path.replace(/\.ts$/, '.cts'), replaceExtensions('cjs'));
}
