import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { PROJECT } from '../project.ts';

// Generates clients from openapi.json as partners do, and compiles programs with them: correct programs compile, wrong ones do not.

const OPENAPI = join(PROJECT, 'openapi.json');
const folder = await mkdtemp(join(tmpdir(), 'semana-clients-'));
after(() => rm(folder, { recursive: true, force: true }));

/** Loads a generator, which is a dependency of this folder. A parameter as the name prevents that its types are checked. */
const loadGenerator = (name: string) => import(name);

const generateWithOpenapiTypescript = async () => {
  const { default: generate, astToString } = await loadGenerator('openapi-typescript');
  const text = astToString(await generate(new URL(`file://${OPENAPI}`), { silent: true }));
  await writeFile(join(folder, 'openapi-typescript.ts'), text);
};
const generateWithHeyApi = async () => {
  const { createClient } = await loadGenerator('@hey-api/openapi-ts');
  await createClient({ input: OPENAPI, output: join(folder, 'hey-api'), logs: { level: 'silent' } });
};

/** Declarations that map the names of each generator to common names. */
const PRELUDES = {
  'openapi-typescript': `
    import type { components, operations } from './openapi-typescript';
    type LeadForm = components['schemas']['LeadForm'];
    type ChargeRequest = components['schemas']['ChargeRequest'];
    type Problems<O extends keyof operations, S extends keyof operations[O]['responses']> =
      operations[O]['responses'][S] extends { content: { 'application/problem+json': infer P } } ? P : never;
    type PixConflict = Problems<'createPix', 409>;
    type LoginStatus = keyof operations['logIn']['responses'];
    type StreamedEvent = operations['streamEvents']['responses'][200]['content']['text/event-stream'];
    type ReadHeaders = NonNullable<operations['listMerchants']['parameters']['header']>;
    type Headers = operations['listMerchants']['responses'][200]['headers'];
    type LimitHeaders = operations['listMerchants']['responses'][429]['headers'];`,
  'hey-api': `
    import { createPix, type LeadForm, type ChargeRequest, type CreatePixErrors, type LogInErrors, type ListMerchantsData,
      type StreamEventsResponse } from './hey-api';
    type PixConflict = CreatePixErrors[409];
    type LoginStatus = keyof LogInErrors;
    type StreamedEvent = StreamEventsResponse;
    type ReadHeaders = NonNullable<ListMerchantsData['headers']>;`,
} as const;

type Generator = keyof typeof PRELUDES;
const ALL_GENERATORS: Generator[] = ['openapi-typescript', 'hey-api'];

/** A property of the generated types, with a program that must compile and programs that must not. */
type TypeProperty = { name: string; correct: string; wrong: string[]; generators?: Generator[] };

const TYPE_PROPERTIES: TypeProperty[] = [
  {
    name: 'a lead requires an e-mail or a phone',
    correct: `
      export const byMail: LeadForm = { kind: 'partner', name: 'Joana', email: 'joana@example.com' };
      export const byPhone: LeadForm = { kind: 'partner', name: 'Joana', phone: '+5511987654321' };`,
    wrong: [
      `export const lead: LeadForm = { kind: 'partner', name: 'Joana' };`,
      `export const lead: LeadForm = 42;`,
      `export const lead: LeadForm = { kind: 'partner', name: 'Joana', email: 'joana@example.com', admin: true };`,
    ],
  },
  {
    name: 'a charge for a part requires a value',
    correct: `
      export const part: ChargeRequest = { type: 'settle_partial', value: 10 };
      export const whole: ChargeRequest = { type: 'settle' };
      export const guarded: ChargeRequest = { type: 'extend', value: 10 };`,
    wrong: [
      `export const part: ChargeRequest = { type: 'settle_partial' };`,
      `export const other: ChargeRequest = { type: 'settle_all' };`,
    ],
  },
  {
    name: 'the body of a charge requires its fields',
    generators: ['hey-api'],
    correct: `export const charge = createPix({ path: { id: 'ins_1' }, body: { type: 'settle_partial', value: 10 } });`,
    wrong: [
      `export const charge = createPix({ path: { id: 'ins_1' }, body: { type: 'settle_partial' } });`,
      `export const charge = createPix({ body: { type: 'settle' } });`,
    ],
  },
  {
    name: 'the codes of a problem are known for each operation and status',
    correct: `export const isLate = ({ code }: PixConflict) => code === 'penalty_due' || code === 'amount_changed';`,
    wrong: [
      `export const isLate = ({ code }: PixConflict) => code === 'penalty_dew';`,
      `export const isLate = ({ code }: PixConflict) => code === 'not_found';`,
    ],
  },
  {
    name: 'the statuses of a refused body are listed',
    correct: `export const refused: LoginStatus[] = [400, 401, 408, 413, 415, 429, 503];`,
    wrong: [`export const refused: LoginStatus[] = [418];`],
  },
  {
    name: 'the events of the stream have a type',
    correct: `
      export const describe = (event: StreamedEvent) =>
        event.type === 'reset' ? event.reason : [event.id, event.occurred_at];
      export const paid = (event: StreamedEvent) => event.type === 'pix.paid' && event.data.pix_id;`,
    wrong: [
      `export const isPaid = (event: StreamedEvent) => event.type === 'pix.payed';`,
      `export const pix = (event: StreamedEvent) => event.type === 'checkout.paid' && event.data.pix_id;`,
      `export const text = (event: StreamedEvent): string => event;`,
      `export const id = (event: StreamedEvent) => event.id;`,
    ],
  },
  {
    name: 'If-None-Match can be sent',
    correct: `export const headers: ReadHeaders = { 'if-none-match': '"abc"' };`,
    wrong: [`export const headers: ReadHeaders = { 'if-none-match': 1 };`],
  },
  {
    name: 'ETag, RateLimit, RateLimit-Policy and Retry-After are known headers',
    generators: ['openapi-typescript'],
    correct: `
      export const texts = (headers: Headers): Array<string | undefined> =>
        [headers.ETag, headers.RateLimit, headers['RateLimit-Policy'], headers.Link];
      export const seconds = (headers: LimitHeaders): number => headers['Retry-After'] ?? 1;`,
    wrong: [`export const text = (headers: Headers): string | undefined => headers['X-Other'];`],
  },
];

const programs = TYPE_PROPERTIES.flatMap(({ name, correct, wrong, generators = ALL_GENERATORS }) =>
  generators.flatMap((generator) => [
    { name: `${generator}: ${name}`, generator, text: correct, compiles: true },
    ...wrong.map((text) => ({ name: `${generator}: ${text}`, generator, text, compiles: false })),
  ]),
).map((program, i) => ({ ...program, file: `program-${i}.ts` }));

test('clients generated by openapi-typescript and @hey-api/openapi-ts compile, and so do programs that use them correctly', async () => {
  await Promise.all([generateWithOpenapiTypescript(), generateWithHeyApi()]);
  for (const { file, generator, text } of programs)
    await writeFile(join(folder, file), PRELUDES[generator] + text);
  const errors = await compile(programs.map(({ file }) => file));
  const readFileName = (error: string) => error.slice(0, error.indexOf('('));
  const filesWithErrors = new Set(errors.map(readFileName));
  const correctPrograms = new Set(programs.filter(({ compiles }) => compiles).map(({ file }) => file));
  const generatedFilesWithErrors = [...filesWithErrors].filter((file) => !file.startsWith('program-'));
  assert.deepEqual(generatedFilesWithErrors, [], 'the generated clients compile');
  assert.deepEqual(
    errors.filter((error) => correctPrograms.has(readFileName(error))),
    [],
  );
  for (const { name, file, compiles } of programs)
    assert.equal(!filesWithErrors.has(file), compiles, compiles ? name : `this must not compile: ${name}`);
});

/** Compiles files. Returns a line for each error, such as `program-3.ts(5,7): error TS2322: …`. */
function compile(files: string[]): Promise<string[]> {
  const options = [
    ...['--noEmit', '--strict', '--skipLibCheck', '--types', ''],
    ...['--target', 'esnext', '--module', 'esnext', '--moduleResolution', 'bundler', '--lib', 'esnext,dom'],
    ...['--pretty', 'false', '--ignoreConfig'],
  ];
  const tsc = join(PROJECT, 'node_modules/typescript/bin/tsc');
  return new Promise((resolve) => {
    execFile(process.execPath, [tsc, ...options, ...files], { cwd: folder }, (_error, stdout) =>
      resolve(stdout.split('\n').filter((line) => /^\S+\(\d+,\d+\): error /.test(line))),
    );
  });
}

type Schema = { type?: string; pattern?: string; enum?: unknown[]; properties?: Record<string, Schema> };

test('every id, hash and slug in openapi.json has a pattern', async () => {
  const document = JSON.parse(await readFile(OPENAPI, 'utf8'));
  const identifiers: Array<[location: string, schema: Schema]> = [];
  const collectIdentifiers = (node: unknown, location: string): void => {
    if (typeof node !== 'object' || node === null) return;
    const { properties, name, schema } = node as { name?: string; schema?: Schema } & Schema;
    const fields = { ...properties, ...(schema && typeof name === 'string' && { [name]: schema }) };
    for (const [field, fieldSchema] of Object.entries(fields)) {
      if (/^(id|hash|slug|txid)$|_(id|hash|slug)$/.test(field))
        identifiers.push([`${location}.${field}`, fieldSchema]);
    }
    for (const [key, child] of Object.entries(node)) collectIdentifiers(child, `${location}.${key}`);
  };
  collectIdentifiers(document.paths, 'paths');
  collectIdentifiers(document.components.schemas, 'schemas');
  // Request ids may come from callers. Forms with a code accept any challenge_id, because all invalid ones get the same response.
  const suffixesWithoutPattern = [
    '.request_id',
    ...[
      'CodeLogin',
      'CodeProof',
      'NewEmail',
      'NewPassword',
      'NewPhone',
      'OwnPayoutAccountForm',
      'SignUpForm',
    ].map((form) => `${form}.challenge_id`),
  ];
  const missingPatterns = identifiers.filter(
    ([location, schema]) =>
      schema.pattern === undefined &&
      schema.type !== 'null' &&
      !suffixesWithoutPattern.some((suffix) => location.endsWith(suffix)),
  );
  assert.deepEqual(missingPatterns, []);
  assert.ok(identifiers.length > 20);
});

test('the servers of openapi.json have a URL that a client can call unchanged', async () => {
  const { servers } = JSON.parse(await readFile(OPENAPI, 'utf8'));
  assert.deepEqual(servers, [{ url: 'https://api.semana.example' }]);
});
