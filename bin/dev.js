// Runs a TypeScript program of this repository, also when an old Node starts it: `node bin/dev.js test/run.ts FILE`.
import module from 'node:module';
import { resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { isNodeNewEnough, runWithOwnNode } from './own-node.js';

const [program, ...args] = process.argv.slice(2);
if (!program) {
  process.stderr.write('Usage: node bin/dev.js PROGRAM.ts [ARGUMENT...]\n');
  process.exit(2);
}
if (isNodeNewEnough()) {
  module.enableCompileCache(fileURLToPath(new URL('../node_modules/.cache/semana', import.meta.url)));
  // The program reads its path and arguments from argv, as if Node had started it.
  process.argv = [process.argv[0], resolve(program), ...args];
  await import(pathToFileURL(process.argv[1]).href);
} else {
  runWithOwnNode(fileURLToPath(import.meta.url), [program, ...args]);
}
