import { Compiler } from './compiler.ts';
import { findStatements } from './statements.ts';

const t = performance.now();
const compiler = new Compiler();
const paths = compiler.program
  .filter(({ text }) => /sql`|\.(rows|row|run|write)\b/.test(text))
  .map(({ path }) => path);
console.log(paths.length, performance.now() - t);
const found = findStatements(compiler, paths);
console.log(found.statements.length, performance.now() - t);
console.log('UNRESOLVED', found.unresolved);
console.log('UNUSED', found.unused.length, found.unused);
compiler.close();
