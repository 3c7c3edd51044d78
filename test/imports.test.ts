import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { test } from 'node:test';
import { PROJECT } from './project.ts';
import { readSources, type SourceFile } from './source.ts';

type Graph = ReadonlyMap<string, ReadonlySet<string>>;

const sources = readSources();
const programFiles = sources.filter(({ path, isTest }) => path.startsWith('src/') && !isTest);
const { imports: aliases } = JSON.parse(readFileSync(join(PROJECT, 'package.json'), 'utf8')) as {
  imports: Record<string, string>;
};

/** Returns the path of an imported file from the root of the project; undefined for packages. */
function resolveImport(file: SourceFile, specifier: string): string | undefined {
  if (specifier.startsWith('.')) return normalize(join(dirname(file.path), specifier));
  const alias = aliases[specifier];
  if (alias !== undefined) return normalize(alias);
  const wildcard = Object.keys(aliases).find(
    (name) => name.endsWith('/*') && specifier.startsWith(name.slice(0, -1)),
  );
  if (wildcard === undefined) return undefined;
  return normalize(aliases[wildcard]!.replace('*', specifier.slice(wildcard.length - 1)));
}

/** Builds the graph of imports, including those of types. `getNode` returns the node of a file; several files may share one. */
function buildGraph(files: readonly SourceFile[], getNode: (path: string) => string): Graph {
  const paths = new Set(files.map(({ path }) => path));
  const graph = new Map<string, Set<string>>();
  for (const file of files) {
    const node = getNode(file.path);
    const importedNodes = graph.get(node) ?? new Set<string>();
    graph.set(node, importedNodes);
    for (const { specifier } of file.imports) {
      const path = resolveImport(file, specifier);
      if (path !== undefined && paths.has(path) && getNode(path) !== node) importedNodes.add(getNode(path));
    }
  }
  return graph;
}

/** Finds the import cycles. Returns a line for each: `a -> b -> a`. */
function findCycles(graph: Graph): string[] {
  const visited = new Set<string>();
  const cycles: string[] = [];
  const visit = (node: string, path: readonly string[]): void => {
    const cycleStart = path.indexOf(node);
    if (cycleStart >= 0) cycles.push([...path.slice(cycleStart), node].join(' -> '));
    if (cycleStart >= 0 || visited.has(node)) return;
    for (const next of graph.get(node) ?? []) visit(next, [...path, node]);
    visited.add(node);
  };
  for (const node of graph.keys()) visit(node, []);
  return cycles;
}

/** Returns 'src/pix' for 'src/pix/refunds/x.ts', and 'src/app.ts' for itself. */
const getModule = (path: string) =>
  path.split('/').length > 2 ? path.split('/').slice(0, 2).join('/') : path;

test('no file imports itself through others, not even for a type', () => {
  assert.deepEqual(findCycles(buildGraph(sources, (path) => path)), []);
});

test('no folder of src imports itself through others', () => {
  assert.deepEqual(findCycles(buildGraph(programFiles, getModule)), []);
});

test('no folder of a module imports itself through others', () => {
  const filesInFolders = programFiles.filter(({ path }) => path.split('/').length > 3);
  const getModuleFolder = (path: string) => path.split('/').slice(0, 3).join('/');
  assert.deepEqual(findCycles(buildGraph(filesInFolders, getModuleFolder)), []);
});

test('an import cycle through an index.ts is reported', () => {
  const createFile = (path: string, specifier: string) =>
    ({ path, imports: [{ specifier, names: [] }] }) as unknown as SourceFile;
  const cycle = [
    createFile('src/pix/index.ts', './a.ts'),
    createFile('src/pix/a.ts', '#platform/x.ts'),
    createFile('src/platform/x.ts', '#pix'),
  ];
  assert.deepEqual(findCycles(buildGraph(cycle, (path) => path)), [
    'src/pix/index.ts -> src/pix/a.ts -> src/platform/x.ts -> src/pix/index.ts',
  ]);
  assert.deepEqual(findCycles(buildGraph(cycle, getModule)), ['src/pix -> src/platform -> src/pix']);
});

/** Folders of src/apps that are not apps. */
const NON_APP_FOLDERS = new Set(['ui', 'server', 'text', 'browser', 'fonts', 'tests']);

test('browser apps do not import each other, and shared folders import no app', () => {
  const getApp = (path: string) => /^src\/apps\/([^/]+)\//.exec(path)?.[1];
  const violations = [...buildGraph(programFiles, (path) => path)].flatMap(([path, importedPaths]) =>
    [...importedPaths].flatMap((importedPath) => {
      const [importer, imported] = [getApp(path), getApp(importedPath)];
      return importer && imported && importer !== imported && !NON_APP_FOLDERS.has(imported)
        ? [`${path} imports ${importedPath}`]
        : [];
    }),
  );
  assert.deepEqual(violations, []);
  const apps = new Set(
    programFiles.flatMap(({ path }) => getApp(path) ?? []).filter((name) => !NON_APP_FOLDERS.has(name)),
  );
  assert.ok(apps.has('site') && apps.has('wallet') && apps.has('office'), 'apps were found');
});
