import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PROJECT } from '../project.ts';

// 'npm run test:orval': installs orval, generates a client from openapi.json with it, and compiles a program that uses the client.

const folder = mkdtempSync(join(tmpdir(), 'semana-orval-'));
const run = (program: string, args: string[], cwd: string) =>
  execFileSync(program, args, { cwd, stdio: 'inherit' });

try {
  run('npm', ['ci', '--ignore-scripts', '--no-audit'], import.meta.dirname);
  const output = { target: join(folder, 'semana.ts'), client: 'fetch', mode: 'single' };
  writeFileSync(
    join(folder, 'orval.config.mjs'),
    `export default ${JSON.stringify({ semana: { input: join(PROJECT, 'openapi.json'), output } })};`,
  );
  writeFileSync(
    join(folder, 'program.ts'),
    `import { createPix, type ChargeRequest } from './semana';
    const body: ChargeRequest = { type: 'settle_partial', value: 10 };
    export const created = createPix('ins_1', body);
    // @ts-expect-error: a part needs a value
    export const wrong: ChargeRequest = { type: 'settle_partial' };`,
  );
  const orval = join(import.meta.dirname, 'node_modules/orval/dist/bin/orval.js');
  run(process.execPath, [orval, '--config', 'orval.config.mjs'], folder);
  const options = [
    ...['--noEmit', '--strict', '--types', '', '--lib', 'esnext,dom', '--ignoreConfig'],
    ...['--target', 'esnext', '--module', 'esnext', '--moduleResolution', 'bundler'],
  ];
  const tsc = join(PROJECT, 'node_modules/typescript/bin/tsc');
  run(process.execPath, [tsc, ...options, 'program.ts'], folder);
  process.stdout.write('The client that orval generates from openapi.json compiles.\n');
} finally {
  rmSync(folder, { recursive: true, force: true });
}
