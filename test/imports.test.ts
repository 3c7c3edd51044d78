import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { test } from 'node:test';
import { PROJECT } from './project.ts';
import { readSources, type SourceFile } from './source.ts';

type Graph = ReadonlyMap<string, ReadonlySet<string>>;

const sources = readSources();
const program = sources.filter(({ path, isTest }) => path.startsWith('src/') && !isTest);
const { imports: aliases } = JSON.parse(readFileSync(join(PROJECT, 'package.json'), 'utf8')) as {
  imports: Record<string, string>;
};

/** The file an import leads to, from the root of the project; undefined for packages. */
function resolve(file: SourceFile, from: string): string | undefined {
  if (from.startsWith('.')) return normalize(join(dirname(file.path), from));
  const alias = aliases[from];
  if (alias !== undefined) return normalize(alias);
  const wildcard = Object.keys(aliases).find(
    (name) => name.endsWith('/*') && from.startsWith(name.slice(0, -1)),
  );
  if (wildcard === undefined) return undefined;
  return normalize(aliases[wildcard]!.replace('*', from.slice(wildcard.length - 1)));
}

/** Imports between files, those of types included: `nameOf` puts several files together as one node. */
function graphOf(files: readonly SourceFile[], nameOf: (path: string) => string): Graph {
  const paths = new Set(files.map(({ path }) => path));
  const graph = new Map<string, Set<string>>();
  for (const file of files) {
    const from = nameOf(file.path);
    const needs = graph.get(from) ?? new Set<string>();
    graph.set(from, needs);
    for (const { from: specifier } of file.imports) {
      const path = resolve(file, specifier);
      if (path !== undefined && paths.has(path) && nameOf(path) !== from) needs.add(nameOf(path));
    }
  }
  return graph;
}

/** One line for each import cycle: its members, each importing the next. */
function cyclesOf(graph: Graph): string[] {
  const done = new Set<string>();
  const cycles: string[] = [];
  const visit = (node: string, path: readonly string[]): void => {
    const at = path.indexOf(node);
    if (at >= 0) cycles.push([...path.slice(at), node].join(' -> '));
    if (at >= 0 || done.has(node)) return;
    for (const next of graph.get(node) ?? []) visit(next, [...path, node]);
    done.add(node);
  };
  for (const node of graph.keys()) visit(node, []);
  return cycles;
}

/** 'src/pix/refunds/x.ts' is in 'src/pix'; 'src/app.ts' stands for itself. */
const folderOf = (path: string) =>
  path.split('/').length > 2 ? path.split('/').slice(0, 2).join('/') : path;

test('no file imports itself through others, not even for a type', () => {
  assert.deepEqual(cyclesOf(graphOf(sources, (path) => path)), []);
});

test('no folder of src imports itself through others', () => {
  assert.deepEqual(cyclesOf(graphOf(program, folderOf)), []);
});

test('no folder of a module imports itself through others', () => {
  const inFolders = program.filter(({ path }) => path.split('/').length > 3);
  const partOf = (path: string) => path.split('/').slice(0, 3).join('/');
  assert.deepEqual(cyclesOf(graphOf(inFolders, partOf)), []);
});

test('an import cycle is found, also one of types through an index.ts', () => {
  const file = (path: string, from: string) =>
    ({ path, imports: [{ from, names: [] }] }) as unknown as SourceFile;
  const cycle = [
    file('src/pix/index.ts', './a.ts'),
    file('src/pix/a.ts', '#platform/x.ts'),
    file('src/platform/x.ts', '#pix'),
  ];
  assert.deepEqual(cyclesOf(graphOf(cycle, (path) => path)), [
    'src/pix/index.ts -> src/pix/a.ts -> src/platform/x.ts -> src/pix/index.ts',
  ]);
  assert.deepEqual(cyclesOf(graphOf(cycle, folderOf)), ['src/pix -> src/platform -> src/pix']);
});

/** Folders that all apps share, and files that the page server does not load. */
const SHARED_FOLDERS = new Set(['ui', 'server', 'text', 'browser', 'fonts', 'tests']);

test('browser apps do not import each other, and shared folders import no app', () => {
  const part = (path: string) => /^src\/apps\/([^/]+)\//.exec(path)?.[1];
  const faults = [...graphOf(program, (path) => path)].flatMap(([from, needs]) =>
    [...needs].flatMap((to) => {
      const [here, there] = [part(from), part(to)];
      return here && there && here !== there && !SHARED_FOLDERS.has(there) ? [`${from} imports ${to}`] : [];
    }),
  );
  assert.deepEqual(faults, []);
  const apps = new Set(
    program.flatMap(({ path }) => part(path) ?? []).filter((name) => !SHARED_FOLDERS.has(name)),
  );
  assert.ok(apps.has('site') && apps.has('wallet') && apps.has('office'), 'apps were found');
});
