import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { PROJECT } from './project.ts';

const VERSION = '20.20.2';
/** The systems for which npm has a package of this version. */
const PACKAGED_SYSTEMS = ['linux-arm64', 'linux-x64', 'darwin-x64'];

/** Finds a Node 20 on the PATH, or installs one from npm, once. */
export function findNode20(): string {
  const installedProgram = (process.env.PATH ?? '')
    .split(delimiter)
    .map((directory) => join(directory, 'node'))
    .find((program) => existsSync(program) && readVersion(program).startsWith('v20.'));
  if (installedProgram) return installedProgram;
  const system = `${process.platform}-${process.arch}`;
  if (!PACKAGED_SYSTEMS.includes(system))
    throw new Error(
      `npm has no Node 20 for ${system}: install one and put it on the PATH, such as with 'nvm install 20'.`,
    );
  const directory = join(PROJECT, 'node_modules/.cache/node-20');
  const program = join(directory, 'node_modules', `node-${system}`, 'bin/node');
  if (!existsSync(program))
    execFileSync('npm', ['install', '--no-save', '--prefix', directory, `node-${system}@${VERSION}`], {
      stdio: ['ignore', 'ignore', 'inherit'],
    });
  return program;
}

function readVersion(program: string): string {
  return execFileSync(program, ['--version'], { encoding: 'utf8' });
}
