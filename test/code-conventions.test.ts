import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { dirname, join, normalize } from 'node:path';
import { test } from 'node:test';
import pg from 'pg';
import { listSettings } from '#platform/config.ts';
import { modules as moduleManifests } from '../src/modules.ts';
import { generateFiles } from './generated.ts';
import { openService } from './harness.ts';
import { PROJECT } from './project.ts';
import { dumpSchemaSql } from './schema-sql.ts';
import { readNames, readSources, type SourceFile } from './source.ts';

const service = await openService({ demo: false });
const sources = readSources();
const MAX_LINES = 450;
const MAX_TEST_LINES = 480;
/** Folders of src and packages that have no module.ts. */
const NOT_MODULES = ['core', 'platform', 'events', 'client', 'staff-client', 'cli'];
/** Files that 'npm run generate' writes. */
const GENERATED_FILES = ['packages/client/src', 'packages/staff-client/src'].flatMap((folder) => [
  `${folder}/openapi.ts`,
  `${folder}/openapi-schemas.ts`,
  `${folder}/operations.ts`,
]);
const moduleNames = [...new Set(sources.map(({ topDirectory }) => topDirectory))].filter(
  (topDirectory) => topDirectory && !NOT_MODULES.includes(topDirectory),
);
/** Parts that others may import by their index.ts only. */
const partsWithIndex = [...moduleNames, 'events'];

/** Fails with the list of all violations and the rule that they violate. */
function assertNone(violations: string[], rule: string): void {
  assert.deepEqual(violations, [], rule);
}

test('generated files are up to date', async () => {
  for (const [name, text] of Object.entries(await generateFiles(service.databaseUrl))) {
    const committedText = await readFile(join(PROJECT, name), 'utf8').catch(() => '');
    assert.equal(committedText, text, `${name} is out of date: run 'npm run generate' and commit it.`);
  }
});

test('openapi.json contains no port, no current date and no host', async () => {
  const text = await readFile(join(PROJECT, 'openapi.json'), 'utf8');
  assert.doesNotMatch(text, new RegExp(`:${new URL(service.partnerUrl).port}|127\\.0\\.0\\.1`));
  const servedDocument = await service.get('/openapi.json');
  assert.deepEqual(servedDocument.body.servers, [{ url: service.partnerUrl }]);
  const { servers } = JSON.parse(text);
  const indent = 2;
  const documentWithOtherServers = JSON.stringify({ ...servedDocument.body, servers }, undefined, indent);
  assert.equal(
    `${documentWithOtherServers}\n`,
    text,
    'only its servers differ from those of the document that the partner API serves',
  );
});

test('schema.sql run on an empty database gives the same schema', async () => {
  const text = await dumpSchemaSql(service.databaseUrl);
  const name = `${new URL(service.databaseUrl).pathname.slice(1)}_again`;
  const url = Object.assign(new URL(service.databaseUrl), { pathname: `/${name}` }).href;
  const admin = new pg.Client({ connectionString: service.databaseUrl });
  await admin.connect();
  try {
    await admin.query(`create database ${name} template template0`);
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    await client.query(text);
    await client.end();
    assert.equal(await dumpSchemaSql(url), text);
  } finally {
    await admin.query(`drop database if exists ${name} with (force)`);
    await admin.end();
  }
});

const MAX_HTTP_LINES = 340;

test('an endpoint is declared once, in the file of its resource in the http/ folder of a module', () => {
  // Undocumented endpoints belong to the platform: health, error pages, the OpenAPI document itself.
  const endpoints = [...service.endpoints.partner, ...service.endpoints.staff].filter(
    ({ undocumented }) => !undocumented,
  );
  assert.ok(endpoints.length >= 7);
  const files = sources.filter(
    ({ path, topDirectory, isTest }) =>
      /^src\/[^/]+\/(?:[^/]+\/)*http\/[^/]+$/.test(path) &&
      !path.endsWith('/index.ts') &&
      moduleNames.includes(topDirectory) &&
      !isTest,
  );
  const resources = new Set<string>();
  for (const { method, url } of endpoints) {
    const declaringFiles = files.filter(({ text }) => text.includes(`'${method} ${url}'`));
    assert.equal(declaringFiles.length, 1, `${method} ${url} is declared in one <module>/http/<resource>.ts`);
    resources.add(declaringFiles[0]!.path);
  }
  assertNone(
    files.map(({ path }) => path).filter((path) => !resources.has(path)),
    'a file in http/ declares endpoints that are mounted',
  );
  assertNone(
    files.filter(({ text }) => text.split('\n').length > MAX_HTTP_LINES).map(({ path }) => path),
    'split the resource by its parts',
  );
});

test(`no file has more than ${MAX_LINES} lines, and no test file more than ${MAX_TEST_LINES}`, () => {
  const countLines = ({ text }: SourceFile) => text.split('\n').length - 1;
  const longFiles = sources.filter(
    (file) =>
      countLines(file) > (file.isTest ? MAX_TEST_LINES : MAX_LINES) && !GENERATED_FILES.includes(file.path),
  );
  assertNone(
    longFiles.map((file) => `${file.path}: ${countLines(file)}`),
    'split the file, so that it can be read in one sitting',
  );
});

test('the length of a day, an hour or a minute is declared once, in core/values/duration.ts', () => {
  const declaringFiles = sources.filter(({ text }) =>
    /^(?:export )?const (?:DAY|HOUR|MINUTE|SECOND)(?:_MS)? = [\d(]/m.test(text),
  );
  assertNone(
    declaringFiles.map(({ path }) => path).filter((path) => path !== 'src/core/values/duration.ts'),
    'import it from there',
  );
});

test('there are no notes to do something later, and no test that is skipped or runs alone', () => {
  // Concatenated, so that this file does not match. A skip with a reason that depends on the machine is allowed.
  const unfinishedWork = new RegExp(
    [
      '\\bTO' + 'DO\\b',
      '\\bFIX' + 'ME\\b',
      '\\bX' + 'XX\\b',
      '\\b(test|it|describe|suite)\\.(only|skip|to' + 'do)\\(',
      '\\b(only|skip|to' + 'do): true',
      '\\bdebug' + 'ger\\b',
    ].join('|'),
  );
  const unfinishedLines = sources.flatMap(({ path, text }) =>
    text
      .split('\n')
      .map((line, i) => ({ line, location: `${path}:${i + 1}` }))
      .filter(({ line }) => unfinishedWork.test(line))
      .map(({ line, location }) => `${location} ${line.trim()}`),
  );
  assertNone(unfinishedLines, 'finish it or write it down as an issue');
});

test('migrations are named, and no two of a folder have the same number', () => {
  const names = sources
    .filter(({ path }) => path.startsWith('migrations/'))
    .map(({ path }) => path.slice('migrations/'.length));
  for (const name of names) assert.match(name, /^(sandbox\/)?\d{4}_[a-z0-9_]+\.sql$/);
  const numbers = names.map((name) => name.replace(/_.*/, ''));
  assertNone(
    numbers.filter((number, i) => numbers.indexOf(number) !== i),
    'give one of them the next number',
  );
});

const programFiles = sources.filter(({ path, isTest }) => /^(?:src|packages)\//.test(path) && !isTest);
/** Returns the path of a relative import from the root of the project. */
const resolveImport = ({ path }: SourceFile, specifier: string) => normalize(join(dirname(path), specifier));
const listImports = (files: SourceFile[]) =>
  files.flatMap((file) =>
    file.imports.map(({ specifier }) => ({ file, specifier, name: `${file.path}: ${specifier}` })),
  );

test('core imports only core', () => {
  const foreignImports = listImports(
    programFiles.filter(({ topDirectory }) => topDirectory === 'core'),
  ).filter(
    ({ file, specifier }) =>
      !(specifier.startsWith('.') && resolveImport(file, specifier).startsWith('src/core/')) &&
      !specifier.startsWith('#core/'),
  );
  assertNone(
    foreignImports.map(({ name }) => name),
    'core is pure',
  );
});

test('platform knows no module', () => {
  const foreignImports = listImports(
    sources.filter(({ topDirectory, isTest }) => topDirectory === 'platform' && !isTest),
  ).filter(
    ({ file, specifier }) =>
      (specifier.startsWith('#') && !/^#(platform|core)\//.test(specifier)) ||
      (specifier.startsWith('.') && !resolveImport(file, specifier).startsWith('src/platform/')),
  );
  assertNone(
    foreignImports.map(({ name }) => name),
    'platform is technical',
  );
});

test('the client imports nothing of the service', () => {
  const foreignImports = listImports(
    programFiles.filter(({ path }) => path.startsWith('packages/client/src/')),
  ).filter(
    ({ file, specifier }) =>
      !specifier.startsWith('node:') &&
      !(specifier.startsWith('.') && resolveImport(file, specifier).startsWith('packages/client/src/')),
  );
  assertNone(
    foreignImports.map(({ name }) => name),
    'partners install it without the service',
  );
});

test('the browser apps import only the clients and pure arithmetic of the service', () => {
  const moduleFiles = ['module.ts', 'settings.ts', 'start.ts', 'index.ts'].map((name) => `src/apps/${name}`);
  const pages = programFiles.filter(
    ({ topDirectory, path }) => topDirectory === 'apps' && !moduleFiles.includes(path),
  );
  assert.ok(pages.length > 10);
  assertNone(
    listImports(pages)
      .filter(
        ({ specifier }) => specifier.startsWith('#') && !/^#(?:client$|staff-client$|core\/)/.test(specifier),
      )
      .map(({ name }) => name),
    'they are separate applications, which use the APIs',
  );
});

test('modules import each other through index.ts only', () => {
  const violatingImports = listImports(
    programFiles.filter(({ topDirectory }) => partsWithIndex.includes(topDirectory)),
  ).filter(
    ({ file, specifier }) =>
      (specifier.startsWith('.') &&
        !resolveImport(file, specifier).startsWith(`src/${file.topDirectory}/`)) ||
      (specifier.startsWith('#') &&
        !/^#(?:(?:platform|core)\/|(?:module|client|staff-client)$)/.test(specifier) &&
        !partsWithIndex.includes(specifier.slice(1))) ||
      specifier === `#${file.topDirectory}`,
  );
  assertNone(
    violatingImports.map(({ name }) => name),
    `import from '#module', and from one's own module by file`,
  );
});

test('every module has an index.ts, and other modules use everything it exports', () => {
  for (const name of partsWithIndex) {
    const index = sources.find(({ path }) => path === `src/${name}/index.ts`);
    assert.ok(index, `src/${name}/index.ts`);
    const exportedNames = [
      ...Array.from(index.text.matchAll(/^export (?:type )?\{[^}]*\}/gm), ([statement]) =>
        readNames(statement),
      ).flat(),
      ...Array.from(
        index.text.matchAll(/^export (?:async )?(?:const|function|class|type) (\w+)/gm),
        ([, exported]) => exported!,
      ),
    ];
    const importedNames = sources
      .filter(({ topDirectory }) => topDirectory !== name)
      .flatMap(({ imports }) => imports.filter(({ specifier }) => specifier === `#${name}`))
      .flatMap(({ names }) => names);
    assertNone(
      exportedNames.filter((exported) => !importedNames.includes(exported)),
      `src/${name}/index.ts exports what no other module uses`,
    );
  }
});

test('the environment is read in one place', () => {
  // backup.ts passes the environment on to PostgreSQL's own programs.
  const allowedReaders = [
    'src/platform/config.ts',
    'src/main.ts',
    'src/worker.ts',
    'src/cli/main.ts',
    'src/platform/command-line/backup.ts',
  ];
  const readers = programFiles.filter(
    ({ path, text }) => /process\.env|\benv\b.*'node:process'/.test(text) && !allowedReaders.includes(path),
  );
  assertNone(
    readers.map(({ path }) => path),
    'settings come as Config from platform/config.ts',
  );
});

/** Returns whether a file stores check values of keys by the names of their settings. */
const isKeyCheck = (path: string) =>
  ['src/platform/database/installation.ts', 'src/platform/vault.ts'].includes(path);

test('the name and default of a setting are only where it is declared', () => {
  // Elsewhere a setting's name may appear only in messages about ports. pg has a config of its own.
  const names = listSettings(moduleManifests).map(({ name }) => name);
  const quotedName = new RegExp(`(?<!name: |[sS]etting: |label: )'(?:${names.join('|')})'(?!, PORT)`);
  const defaultAtUse =
    /\b(?:config|settings)(?:\(\))?\.(?!connectionString)\w+ (?:\?\?|\|\|) (?:['"\d[{]|null|true|false|cents\()/;
  const violations = programFiles.flatMap(({ path, text }) =>
    text
      .split('\n')
      .filter((line) => (quotedName.test(line) && !isKeyCheck(path)) || defaultAtUse.test(line))
      .map((line) => `${path}: ${line.trim()}`),
  );
  assertNone(violations, 'declare the setting with defineSettings, and use the value that it returns');
  for (const name of names) {
    const declarations = programFiles.filter(({ text }) => text.includes(`name: '${name}'`));
    assert.equal(declarations.length, 1, `${name} is declared once`);
  }
});

type LockedPackage = {
  link?: true;
  resolved?: string;
  integrity?: string;
  optionalDependencies?: Record<string, string>;
};

test('lockfiles have every package for every platform with its checksum and without a URL, so that npm ci works with any registry', async () => {
  const texts = [
    'package-lock.json',
    'test/orval/package-lock.json',
    'integrations/medusa/package-lock.json',
  ].map((path) => readFile(join(PROJECT, path), 'utf8'));
  const packagesByLockfile = (await Promise.all(texts)).map(
    (text) => (JSON.parse(text) as { packages: Record<string, LockedPackage> }).packages,
  );
  for (const packages of packagesByLockfile) assertLockfileComplete(packages);
});

function assertLockfileComplete(packages: Record<string, LockedPackage>): void {
  for (const [path, { link, resolved, integrity, optionalDependencies = {} }] of Object.entries(packages)) {
    if (link) continue; // a workspace, which is a folder of this project
    assert.equal(resolved, undefined, `${path} has a URL`);
    if (path.includes('node_modules/'))
      assert.match(
        integrity ?? '',
        /^sha512-/,
        `${path} has no checksum: choose a version that the registry has`,
      );
    for (const name of Object.keys(optionalDependencies)) {
      const possiblePaths = [`${path}/node_modules/${name}`, `node_modules/${name}`];
      assert.ok(
        possiblePaths.some((possiblePath) => possiblePath in packages),
        `${path} may need ${name}, which is not in the lockfile`,
      );
    }
  }
}

/** Returns whether an `engines` range of npm includes a version. Patch versions are ignored. */
function includesVersion(range: string, version: string): boolean {
  const toOrdinal = (major: number, minor: number) => major * 1_000 + minor;
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const versionOrdinal = toOrdinal(major, minor);
  const meetsComparator = (comparator: string) => {
    const [, sign, comparedMajor, comparedMinor = '0'] =
      /^([<>=^~]*)v?(\d+)(?:\.(\d+))?/.exec(comparator) ?? [];
    if (comparedMajor === undefined) return comparator === '*';
    const bound = toOrdinal(Number(comparedMajor), Number(comparedMinor));
    if (sign === '<') return versionOrdinal < bound;
    if (sign === '<=') return versionOrdinal <= bound;
    return versionOrdinal >= bound && (sign === '>=' || sign === '>' || major === Number(comparedMajor));
  };
  const alternatives = range.replace(/([<>=^~])\s+/g, '$1').split('||');
  return alternatives.some((alternative) => alternative.trim().split(/\s+/).every(meetsComparator));
}

// npm compares `engines` with the Node that runs npm, which may be 20; the service runs on a newer one. So the lockfile leaves out
// `engines` of packages that require more than 20, and this test compares the packages' own `engines` with the Node of the service.
test('npm ci prints no warning on Node 20, and every package supports the current Node', async () => {
  type PackageJson = { engines?: { node?: string }; optional?: true };
  const text = await readFile(join(PROJECT, 'package-lock.json'), 'utf8');
  const { packages } = JSON.parse(text) as { packages: Record<string, PackageJson> };
  for (const [path, { engines, optional }] of Object.entries(packages)) {
    const lockedRange = engines?.node ?? '*';
    assert.ok(
      optional || includesVersion(lockedRange, '20.19'),
      `${path} requires Node ${lockedRange}: leave out its engines`,
    );
    if (path === '') continue;
    const packageJson = await readFile(join(PROJECT, path, 'package.json'), 'utf8').catch(() => '{}'); // for another platform
    const range = (JSON.parse(packageJson) as PackageJson).engines?.node ?? '*';
    assert.ok(
      includesVersion(range, process.versions.node),
      `${path} does not run on this Node: it requires ${range}`,
    );
  }
});
