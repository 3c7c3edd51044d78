import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { PROJECT } from './generated.ts';

const VERSION = '20.20.2';

/** A Node 20: one on the PATH, else one from npm, installed once. */
export function node20(): string {
  const found = (process.env.PATH ?? '')
    .split(delimiter)
    .map((directory) => join(directory, 'node'))
    .find((program) => existsSync(program) && versionOf(program).startsWith('v20.'));
  if (found) return found;
  const name = `node-${process.platform}-${process.arch}`;
  const directory = join(PROJECT, 'node_modules/.cache/node-20');
  const program = join(directory, 'node_modules', name, 'bin/node');
  if (!existsSync(program))
    execFileSync('npm', ['install', '--no-save', '--prefix', directory, `${name}@${VERSION}`]);
  return program;
}

function versionOf(program: string): string {
  return execFileSync(program, ['--version'], { encoding: 'utf8' });
}
