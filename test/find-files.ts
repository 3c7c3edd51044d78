import { globSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** The suffix of the files of tests that start and kill many processes. `npm run test:slow` runs them. */
export const SLOW_SUFFIX = '.slow.test.ts';
/** Returns whether a test file needs a browser, by the end of its name. */
export const isBrowserTest = (file: string): boolean => /browser(\.slow)?\.test\.ts$/.test(file);
/** Folders of tests of other projects, and of tests that have their own commands. */
const EXCLUDED_FOLDERS = ['node_modules', 'test/citus', 'test/medusa', 'test/patroni'];
const ALL_TESTS = '{examples,packages,src,test}/**/*.test.ts';

/** Files that take longer than their length suggests. */
export const EXPENSIVE_FILES = [
  'src/decisions/farm.test.ts',
  'src/platform/command-line/backup.test.ts',
  'src/platform/passwords/hashers.test.ts',
  'test/clients/clients.test.ts',
  'test/openapi.test.ts',
  'test/sql-types/sql-types.test.ts',
];

/** Sorts the longest files first, so that no long file runs alone at the end. */
export function sortByCost(files: string[]): string[] {
  const estimateCost = (file: string) =>
    EXPENSIVE_FILES.includes(file) ? Number.POSITIVE_INFINITY : statSync(file).size;
  return files
    .map((file) => ({ file, cost: estimateCost(file) }))
    .toSorted((a, b) => (a.cost === b.cost ? 0 : b.cost - a.cost)) // the difference of two infinite costs is NaN
    .map(({ file }) => file);
}

const listFiles = (pattern: string, cwd: string): string[] =>
  globSync(pattern, { cwd, exclude: (path) => path.includes('node_modules') }).toSorted();

/** Lists the test files of `npm test`, or of `npm run test:slow`. */
export function listTestFiles(cwd: string, kind: 'usual' | 'slow'): string[] {
  return listFiles(ALL_TESTS, cwd).filter(
    (path) =>
      !EXCLUDED_FOLDERS.some((folder) => path.includes(folder)) &&
      path.endsWith(SLOW_SUFFIX) === (kind === 'slow'),
  );
}

/** Lists the files whose tests draw random values; `npm run test:slow` repeats them with other values. */
export function listPropertyTestFiles(cwd: string): string[] {
  return listTestFiles(cwd, 'usual').filter((path) =>
    readFileSync(join(cwd, path), 'utf8').includes("from 'fast-check'"),
  );
}

/**
 * Finds the files of an argument of the command line: a path, a folder, a pattern, or a part of the path of a single test file. Throws
 * an error that names the nearest file if there is none.
 */
export function findTestFiles(cwd: string, argument: string): string[] {
  const isFolder = statSync(join(cwd, argument), { throwIfNoEntry: false })?.isDirectory() ?? false;
  const matchedFiles = isFolder
    ? [...listTestFiles(cwd, 'usual'), ...listTestFiles(cwd, 'slow')].filter((path) =>
        path.startsWith(`${argument.replace(/\/$/, '')}/`),
      )
    : listFiles(argument, cwd);
  if (matchedFiles.length > 0) return matchedFiles;
  const testFiles = listFiles(ALL_TESTS, cwd);
  const matchingFiles = testFiles.filter((path) => path.includes(argument));
  // A complete name ends at the first '.': 'till' finds till.test.ts, but not till-browser.test.ts.
  const exactMatches = matchingFiles.filter(
    (path) => path.startsWith(`${argument}.`) || path.includes(`/${argument}.`),
  );
  if (exactMatches.length === 1) return exactMatches;
  if (matchingFiles.length === 1) return matchingFiles;
  if (matchingFiles.length > 1)
    throw new Error(
      `Several test files have '${argument}' in their path:\n${matchingFiles.map((path) => `  ${path}\n`).join('')}`,
    );
  throw new Error(`There is no test file '${argument}'. The nearest is ${findNearest(argument, testFiles)}.`);
}

/** Finds the path whose name is nearest. Folders are compared only if `name` has folders. */
function findNearest(name: string, paths: string[]): string {
  const simplify = (path: string) => {
    const fileName = name.includes('/') ? path : path.slice(path.lastIndexOf('/') + 1);
    return fileName.replace(/\.test\.ts$/, '').replace(/\.ts$/, '');
  };
  const distances = paths.map((path) => ({ path, distance: countEdits(simplify(name), simplify(path)) }));
  return distances.toSorted((a, b) => a.distance - b.distance)[0]!.path;
}

/** Counts the characters to insert, delete or replace (the Levenshtein distance). */
export function countEdits(a: string, b: string): number {
  let previousRow = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (const [row, letter] of [...a].entries()) {
    const currentRow = [row + 1];
    for (let column = 0; column < b.length; column++) {
      const costOfReplacing = previousRow[column]! + (letter === b[column] ? 0 : 1);
      currentRow.push(Math.min(costOfReplacing, previousRow[column + 1]! + 1, currentRow[column]! + 1));
    }
    previousRow = currentRow;
  }
  return previousRow[b.length]!;
}
