import { globSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** Tests that start and kill many processes: `npm run test:slow`. */
export const SLOW = '.slow.test.ts';
/** Tests of other projects, and tests that commands of their own run. */
const APART = ['node_modules', 'test/citus', 'test/medusa', 'test/patroni'];
const ALL = '{examples,packages,src,test}/**/*.test.ts';

/** These take longer than their length suggests. */
export const EXPENSIVE_FILES = [
  'src/decisions/farm.test.ts',
  'src/platform/command-line/backup.test.ts',
  'src/platform/passwords/hashers.test.ts',
  'test/clients/clients.test.ts',
  'test/openapi.test.ts',
  'test/sql-types/sql-types.test.ts',
];

/** Files that take long come first, so that none is left running alone at the end. */
export function sortByCost(files: string[]): string[] {
  const estimateCost = (file: string) =>
    EXPENSIVE_FILES.includes(file) ? Number.POSITIVE_INFINITY : statSync(file).size;
  return files
    .map((file) => ({ file, cost: estimateCost(file) }))
    .toSorted((a, b) => (a.cost === b.cost ? 0 : b.cost - a.cost))
    .map(({ file }) => file);
}

const list = (pattern: string, cwd: string): string[] =>
  globSync(pattern, { cwd, exclude: (path) => path.includes('node_modules') }).toSorted();

/** The test files of `npm test`, or of `npm run test:slow`. */
export function listTestFiles(cwd: string, kind: 'usual' | 'slow'): string[] {
  return list(ALL, cwd).filter(
    (path) => !APART.some((part) => path.includes(part)) && path.endsWith(SLOW) === (kind === 'slow'),
  );
}

/** The files whose tests draw random values: `npm run test:slow` repeats them with other values. */
export function listPropertyTestFiles(cwd: string): string[] {
  return listTestFiles(cwd, 'usual').filter((path) =>
    readFileSync(join(cwd, path), 'utf8').includes("from 'fast-check'"),
  );
}

/**
 * The files that a word of the command line names: a path, a folder, a pattern, or a part of the path of a single test file. Throws an
 * error that names the nearest file if there is none.
 */
export function findTestFiles(cwd: string, word: string): string[] {
  const isFolder = statSync(join(cwd, word), { throwIfNoEntry: false })?.isDirectory() ?? false;
  const matched = isFolder
    ? [...listTestFiles(cwd, 'usual'), ...listTestFiles(cwd, 'slow')].filter((path) =>
        path.startsWith(`${word.replace(/\/$/, '')}/`),
      )
    : list(word, cwd);
  if (matched.length > 0) return matched;
  const all = list(ALL, cwd);
  const holding = all.filter((path) => path.includes(word));
  // A name counts as whole if it stands between '/' and '.': 'till' is till.test.ts, not also till-browser.test.ts.
  const exact = holding.filter((path) => path.startsWith(`${word}.`) || path.includes(`/${word}.`));
  if (exact.length === 1) return exact;
  if (holding.length === 1) return holding;
  if (holding.length > 1)
    throw new Error(
      `Several test files have '${word}' in their path:\n${holding.map((path) => `  ${path}\n`).join('')}`,
    );
  throw new Error(`There is no test file '${word}'. The nearest is ${findNearest(word, all)}.`);
}

/** Compares names without their folders, unless the word has folders. */
function findNearest(word: string, paths: string[]): string {
  const simplify = (path: string) => {
    const name = word.includes('/') ? path : path.slice(path.lastIndexOf('/') + 1);
    return name.replace(/\.test\.ts$/, '').replace(/\.ts$/, '');
  };
  const distances = paths.map((path) => ({ path, distance: editDistance(simplify(word), simplify(path)) }));
  return distances.toSorted((a, b) => a.distance - b.distance)[0]!.path;
}

/** The number of characters to insert, delete or replace. */
export function editDistance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (const [row, letter] of [...a].entries()) {
    const current = [row + 1];
    for (let column = 0; column < b.length; column++) {
      const replaced = previous[column]! + (letter === b[column] ? 0 : 1);
      current.push(Math.min(replaced, previous[column + 1]! + 1, current[column]! + 1));
    }
    previous = current;
  }
  return previous[b.length]!;
}
