#!/usr/bin/env node
// Plain JavaScript, so that an old Node can read it: finds the Node this project brings along, then the real entry.
import { spawn } from 'node:child_process';
import module, { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

const NEEDED_MAJOR = 24;

if (Number(process.versions.node.split('.')[0]) >= NEEDED_MAJOR) {
  // Halves the time to start: what was compiled once is kept where only those who may change the code can write.
  module.enableCompileCache(fileURLToPath(new URL('../node_modules/.cache/semana', import.meta.url)));
  const { runProcess } = await import('../src/cli.ts');
  await runProcess();
} else {
  const node = ownNode();
  if (!node) {
    process.stderr.write(
      `Semana needs Node ${NEEDED_MAJOR} or later; this is Node ${process.versions.node}. ${advice()}\n`,
    );
    process.exit(1);
  }
  const child = spawn(node, [fileURLToPath(import.meta.url), ...process.argv.slice(2)], { stdio: 'inherit' });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.on('exit', (code, signal) => process.exit(code ?? (signal ? 1 : 0)));
}

function ownNode() {
  try {
    return createRequire(import.meta.url).resolve(`node-${process.platform}-${process.arch}/bin/node`);
  } catch {
    return undefined; // not installed: the caller says what to do
  }
}

/** What helps on this machine: npm brings a Node along on Linux only. */
function advice() {
  const system = `${process.platform}-${process.arch}`;
  if (['linux-x64', 'linux-arm64'].includes(system))
    return `The one it brings along (node-${system}) is not installed: run 'npm ci', without leaving out optional packages.`;
  const ways = [
    `the installer at https://nodejs.org/en/download`,
    ...(process.platform === 'darwin'
      ? [`'brew install node@${NEEDED_MAJOR} && brew link --overwrite node@${NEEDED_MAJOR}'`]
      : []),
    `'nvm install ${NEEDED_MAJOR}'`,
    `'fnm install ${NEEDED_MAJOR} && fnm use ${NEEDED_MAJOR}'`,
  ];
  return (
    `npm has no Node ${NEEDED_MAJOR} for ${system}, so install one, in any of these ways:\n` +
    `${ways.map((way) => `  - ${way}`).join('\n')}\n` +
    `Then 'node --version' says v${NEEDED_MAJOR}; run 'npm ci' and the same command again.`
  );
}
