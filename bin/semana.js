#!/usr/bin/env node
// Plain JavaScript, so that an old Node can run it and start the project's own Node.
import module from 'node:module';
import { fileURLToPath } from 'node:url';
import { isNodeNewEnough, runWithOwnNode } from './own-node.js';

if (isNodeNewEnough()) {
  // Halves the start-up time. Only users who may change the code can write to this folder.
  module.enableCompileCache(fileURLToPath(new URL('../node_modules/.cache/semana', import.meta.url)));
  const { runProcess } = await import('../src/cli/main.ts');
  await runProcess();
} else {
  runWithOwnNode(fileURLToPath(import.meta.url), process.argv.slice(2));
}
