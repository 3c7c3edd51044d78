// Plain JavaScript, so that an old Node can run it.
import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';

const MIN_MAJOR = 24;

export function isNodeNewEnough() {
  return Number(process.versions.node.split('.')[0]) >= MIN_MAJOR;
}

/**
 * Runs the file with the Node that npm installs for this project, passes on arguments and signals, and exits with the exit code of the
 * program. If there is no such Node, prints how to install one and exits with code 1.
 */
export function runWithOwnNode(file, args) {
  const node = findOwnNode();
  if (!node) {
    process.stderr.write(
      `Semana needs Node ${MIN_MAJOR} or later; this is Node ${process.versions.node}. ${explainInstallation()}\n`,
    );
    process.exit(1);
  }
  const child = spawn(node, [file, ...args], { stdio: 'inherit' });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.on('exit', (code) => process.exit(code ?? 1)); // a program that a signal ended has no code
}

function findOwnNode() {
  try {
    return createRequire(import.meta.url).resolve(`node-${process.platform}-${process.arch}/bin/node`);
  } catch {
    return undefined; // it is not installed
  }
}

/** npm has a package of Node for Linux only. */
function explainInstallation() {
  const system = `${process.platform}-${process.arch}`;
  if (['linux-x64', 'linux-arm64'].includes(system))
    return `The Node of this project (package node-${system}) is not installed: run 'npm ci' without --omit=optional.`;
  const alternatives = [
    `the installer at https://nodejs.org/en/download`,
    ...(process.platform === 'darwin'
      ? [`'brew install node@${MIN_MAJOR} && brew link --overwrite node@${MIN_MAJOR}'`]
      : []),
    `'nvm install ${MIN_MAJOR}'`,
    `'fnm install ${MIN_MAJOR} && fnm use ${MIN_MAJOR}'`,
  ];
  return (
    `npm has no Node ${MIN_MAJOR} for ${system}, so install it by one of these:\n` +
    `${alternatives.map((alternative) => `  - ${alternative}`).join('\n')}\n` +
    `When 'node --version' prints v${MIN_MAJOR}, run 'npm ci' and the same command again.`
  );
}
