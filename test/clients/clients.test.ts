import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { PROJECT } from '../project.ts';

// Clients as partners generate them from openapi.json, and programs that use them: what is right compiles, what is wrong does not.

const OPENAPI = join(PROJECT, 'openapi.json');
const folder = await mkdtemp(join(tmpdir(), 'semana-clients-'));
after(() => rm(folder, { recursive: true, force: true }));

/** The generators are the dependencies of this folder; their types need not be known here. */
const load = (name: string) => import(name);

const openapiTypescript = async () => {
  const { default: generate, astToString } = await load('openapi-typescript');
  const text = astToString(await generate(new URL(`file://${OPENAPI}`), { silent: true }));
  await writeFile(join(folder, 'openapi-typescript.ts'), text);
};
const heyApi = async () => {
  const { createClient } = await load('@hey-api/openapi-ts');
  await createClient({ input: OPENAPI, output: join(folder, 'hey-api'), logs: { level: 'silent' } });
};

/** Maps each generator's names to common ones. */
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
const BOTH: Generator[] = ['openapi-typescript', 'hey-api'];

type Point = { what: string; right: string; wrong: string[]; by?: Generator[] };

const POINTS: Point[] = [
  {
    what: 'a lead needs an e-mail or a phone',
    right: `
      export const byMail: LeadForm = { kind: 'partner', name: 'Joana', email: 'joana@example.com' };
      export const byPhone: LeadForm = { kind: 'partner', name: 'Joana', phone: '+5511987654321' };`,
    wrong: [
      `export const lead: LeadForm = { kind: 'partner', name: 'Joana' };`,
      `export const lead: LeadForm = 42;`,
      `export const lead: LeadForm = { kind: 'partner', name: 'Joana', email: 'joana@example.com', admin: true };`,
    ],
  },
  {
    what: 'a PIX for a part needs a value',
    right: `
      export const part: ChargeRequest = { type: 'settle_partial', value: 10 };
      export const whole: ChargeRequest = { type: 'settle' };
      export const guarded: ChargeRequest = { type: 'extend', value: 10 };`,
    wrong: [
      `export const part: ChargeRequest = { type: 'settle_partial' };`,
      `export const other: ChargeRequest = { type: 'settle_all' };`,
    ],
  },
  {
    what: 'a PIX charge requires its fields',
    by: ['hey-api'],
    right: `export const asked = createPix({ path: { id: 'ins_1' }, body: { type: 'settle_partial', value: 10 } });`,
    wrong: [
      `export const asked = createPix({ path: { id: 'ins_1' }, body: { type: 'settle_partial' } });`,
      `export const asked = createPix({ body: { type: 'settle' } });`,
    ],
  },
  {
    what: 'the codes of a problem are known for each operation and status',
    right: `export const isLate = ({ code }: PixConflict) => code === 'penalty_due' || code === 'amount_changed';`,
    wrong: [
      `export const isLate = ({ code }: PixConflict) => code === 'penalty_dew';`,
      `export const isLate = ({ code }: PixConflict) => code === 'not_found';`,
    ],
  },
  {
    what: 'what a body can be refused with is listed',
    right: `export const refused: LoginStatus[] = [400, 401, 408, 413, 415, 429, 503];`,
    wrong: [`export const refused: LoginStatus[] = [418];`],
  },
  {
    what: 'the events of the stream have a type',
    right: `
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
    what: 'If-None-Match can be sent',
    right: `export const headers: ReadHeaders = { 'if-none-match': '"abc"' };`,
    wrong: [`export const headers: ReadHeaders = { 'if-none-match': 1 };`],
  },
  {
    what: 'ETag, RateLimit, RateLimit-Policy and Retry-After are known headers',
    by: ['openapi-typescript'],
    right: `
      export const texts = (headers: Headers): Array<string | undefined> =>
        [headers.ETag, headers.RateLimit, headers['RateLimit-Policy'], headers.Link];
      export const seconds = (headers: LimitHeaders): number => headers['Retry-After'] ?? 1;`,
    wrong: [`export const text = (headers: Headers): string | undefined => headers['X-Other'];`],
  },
];

const programs = POINTS.flatMap(({ what, right, wrong, by = BOTH }) =>
  by.flatMap((generator) => [
    { name: `${generator}: ${what}`, generator, text: right, compiles: true },
    ...wrong.map((text) => ({ name: `${generator}: ${text}`, generator, text, compiles: false })),
  ]),
).map((program, i) => ({ ...program, file: `program-${i}.ts` }));

test('clients generated by openapi-typescript and @hey-api/openapi-ts compile, and so do programs that use them correctly', async () => {
  await Promise.all([openapiTypescript(), heyApi()]);
  for (const { file, generator, text } of programs)
    await writeFile(join(folder, file), PRELUDES[generator] + text);
  const faults = await compile(programs.map(({ file }) => file));
  const faulty = new Set(faults.map((line) => line.slice(0, line.indexOf('('))));
  const wellUsed = new Set(programs.filter(({ compiles }) => compiles).map(({ file }) => file));
  const generated = [...faulty].filter((file) => !file.startsWith('program-'));
  assert.deepEqual(generated, [], 'what is generated compiles');
  assert.deepEqual(
    faults.filter((line) => wellUsed.has(line.slice(0, line.indexOf('(')))),
    [],
  );
  for (const { name, file, compiles } of programs)
    assert.equal(!faulty.has(file), compiles, compiles ? name : `it must not compile. ${name}`);
});

/** What the compiler finds, one line each: `program-3.ts(5,7): error TS2322: …`. */
function compile(files: string[]): Promise<string[]> {
  const words = [
    ...['--noEmit', '--strict', '--skipLibCheck', '--types', ''],
    ...['--target', 'esnext', '--module', 'esnext', '--moduleResolution', 'bundler', '--lib', 'esnext,dom'],
    ...['--pretty', 'false', '--ignoreConfig'],
  ];
  const tsc = join(PROJECT, 'node_modules/typescript/bin/tsc');
  return new Promise((resolve) => {
    execFile(process.execPath, [tsc, ...words, ...files], { cwd: folder }, (_error, stdout) =>
      resolve(stdout.split('\n').filter((line) => /^\S+\(\d+,\d+\): error /.test(line))),
    );
  });
}

type Schema = { type?: string; pattern?: string; enum?: unknown[]; properties?: Record<string, Schema> };

test('every id, hash and slug in openapi.json has a pattern', async () => {
  const document = JSON.parse(await readFile(OPENAPI, 'utf8'));
  const named: Array<[where: string, schema: Schema]> = [];
  const look = (node: unknown, where: string): void => {
    if (typeof node !== 'object' || node === null) return;
    const { properties, name, schema } = node as { name?: string; schema?: Schema } & Schema;
    const all = { ...properties, ...(schema && typeof name === 'string' && { [name]: schema }) };
    for (const [field, part] of Object.entries(all)) {
      if (/^(id|hash|slug|txid)$|_(id|hash|slug)$/.test(field)) named.push([`${where}.${field}`, part]);
    }
    for (const [key, part] of Object.entries(node)) look(part, `${where}.${key}`);
  };
  look(document.paths, 'paths');
  look(document.components.schemas, 'schemas');
  // What comes with a code may be anything: all invalid ones get the same answer.
  const free = [
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
  const without = named.filter(
    ([where, schema]) =>
      schema.pattern === undefined && schema.type !== 'null' && !free.some((end) => where.endsWith(end)),
  );
  assert.deepEqual(without, []);
  assert.ok(named.length > 20);
});

test('the servers of openapi.json have a URL that a client can call unchanged', async () => {
  const { servers } = JSON.parse(await readFile(OPENAPI, 'utf8'));
  assert.deepEqual(servers, [{ url: 'https://api.semana.example' }]);
});
