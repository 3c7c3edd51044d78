import { spawnSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { PROJECT } from '../project.ts';

// npm run test:medusa: a real Medusa with the provider in integrations/medusa sells through a real Semana. Medusa has a thousand packages
// and 700 MB, so this script installs it, beside the provider.

const INTEGRATION = join(PROJECT, 'integrations/medusa');

const readModifiedMs = (file: string) =>
  statSync(join(INTEGRATION, file), { throwIfNoEntry: false })?.mtimeMs ?? 0;

function run(program: string, args: string[], cwd: string): void {
  const { status } = spawnSync(program, args, { cwd, stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}

if (readModifiedMs('node_modules/.package-lock.json') < readModifiedMs('package-lock.json'))
  run('npm', ['ci', '--ignore-scripts'], INTEGRATION);
run(process.execPath, ['build.js'], join(PROJECT, 'packages/client'));
run(process.execPath, [join(INTEGRATION, 'node_modules/typescript/bin/tsc')], INTEGRATION);
// An option for node makes test/run.ts use `node --test`, which sets no time limit.
run(process.execPath, ['test/run.ts', '--test-force-exit', 'test/medusa/medusa.test.ts'], PROJECT);
