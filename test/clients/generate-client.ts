/** The parts of openapi.json that the client is made of. */
type Operation = {
  operationId: string;
  parameters?: Array<{ name: string; in: string; $ref?: string }>;
  requestBody?: unknown;
  responses: Record<string, Response>;
  security?: Array<Record<string, unknown>>;
  summary?: string;
  'x-scope'?: string;
  'x-role'?: string;
};
type Response = { $ref?: string; description?: string; content?: Record<string, { schema?: unknown }> };
type Document = {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, unknown>; responses: Record<string, unknown> };
};

/**
 * Types and table of the operations of a door, for its client in this folder. Both follow from its openapi.json alone.
 * `isDescribed`: with its descriptions as comments, for people who do not read that document.
 */
export async function clientFiles(
  folder: string,
  openApiJson: string,
  { isDescribed }: { isDescribed: boolean },
): Promise<Record<string, string>> {
  const document = JSON.parse(openApiJson) as Document;
  const types = (await openApiTypes(document)).replace(COMMENT, isDescribed ? shortened : () => '');
  const [schemas, operations] = packed(types).split(/^(?=export interface operations)/m);
  return {
    [`${folder}/operations.ts`]: operationsTable(document),
    [`${folder}/openapi-schemas.ts`]: NOTE + schemas,
    [`${folder}/openapi.ts`]: `${NOTE}import type { components } from './openapi-schemas.ts';\n\n${operations}`,
  };
}

const NOTE = `// Made by 'npm run generate' from openapi.json.\n`;

const COMMENT = /^ *\/\*\*[\s\S]*?\*\/\n/gm;

/** A comment of openapi-typescript without its tags and what the type says as well, in one line where it fits. */
function shortened(comment: string): string {
  const [indent] = /^ */.exec(comment)!;
  const lines = comment
    .trim()
    .replace(/^\/\*\*|\*\/$/g, '')
    .split('\n')
    .map((line) => line.replace(/^\s*\*? ?/, '').trimEnd())
    .filter((line) => line !== '' && !/^(Format: reais|@enum \{unknown\}|@constant)$/.test(line))
    .map((line) => line.replace(/^@description /, ''));
  if (lines.length === 0) return '';
  if (lines.length === 1) return `${indent}/** ${lines[0]} */\n`;
  return [`${indent}/**`, ...lines.map((line) => `${indent} * ${line}`), `${indent} */\n`].join('\n');
}

/** The types of requests and successful answers. Errors are common to all operations, and the client sets headers itself. */
async function openApiTypes(document: Document): Promise<string> {
  const name = 'openapi-typescript'; // a dependency of this folder
  const { default: generate, astToString } = await import(name);
  const paths = Object.entries(document.paths).map(([path, methods]) => [
    path,
    Object.fromEntries(Object.entries(methods).map(([method, operation]) => [method, trimmed(operation)])),
  ]);
  const schemas = withoutExamples(document.components.schemas) as Record<string, object>;
  const lean = { openapi: '3.1.0', info: { title: '', version: '' }, paths: Object.fromEntries(paths) };
  const made = await generate(byName({ ...lean, components: { schemas } }, schemas), { silent: true });
  return NOT_USED.reduce((text: string, unused) => text.replace(unused, ''), astToString(made));
}

/** The document with a reference wherever an object stands that is a schema with a name. */
function byName(document: object, schemas: Record<string, object>): object {
  const written = (schema: object) => JSON.stringify({ ...schema, description: undefined });
  const names = new Map(Object.entries(schemas).map(([name, schema]) => [written(schema), name]));
  const own = new Set<unknown>(Object.values(schemas));
  const walk = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(walk);
    if (value === null || typeof value !== 'object') return value;
    const name = 'properties' in value && !own.has(value) ? names.get(written(value)) : undefined;
    if (name !== undefined) return { $ref: `#/components/schemas/${name}` };
    return Object.fromEntries(Object.entries(value).map(([key, given]) => [key, walk(given)]));
  };
  return walk(document) as object;
}

/** What `calls.ts` reads nothing of. */
const NOT_USED = [
  /^export interface paths \{\n[\s\S]*?^\}\n/m,
  /^export type (webhooks|\$defs) = .*\n/gm,
  /^ +(header|cookie)\?: never;\n/gm,
  /^ +headers: \{\n +\[name: string\]: unknown;\n +\};\n/gm,
];

const LINE_WIDTH = 110;

/** Objects that fit into a line are written in one. */
function packed(text: string): string {
  const lines: string[] = [];
  const opened: number[] = [];
  for (const line of text.split('\n')) {
    if (/^\s*\}/.test(line)) {
      const from = opened.pop()!;
      const [first, ...members] = [...lines.slice(from), line].map((one, i) => (i === 0 ? one : one.trim()));
      const whole = [first, ...members].join(' ');
      const isSimple = members.every((member) => !member.endsWith('{') && !/^(\/\*|\*)/.test(member));
      if (isSimple && whole.length <= LINE_WIDTH) lines.splice(from, lines.length, whole);
      else lines.push(line);
    } else {
      lines.push(line);
    }
    if (lines.at(-1)!.endsWith('{')) opened.push(lines.length - 1);
  }
  return lines.join('\n');
}

function trimmed({ operationId, summary, parameters = [], requestBody, responses }: Operation): unknown {
  const good = Object.entries(responses).filter(([status]) => status.startsWith('2'));
  return withoutExamples({
    operationId,
    summary,
    parameters: parameters.filter((parameter) => parameter.in === 'path' || parameter.in === 'query'),
    ...(requestBody !== undefined && { requestBody }),
    responses: Object.fromEntries(
      good.map(([status, { description, content }]) => [status, { description, content }]),
    ),
  });
}

function withoutExamples(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutExamples);
  if (value === null || typeof value !== 'object') return value;
  const entries = Object.entries(value).filter(([key]) => !/^examples?$/.test(key));
  return Object.fromEntries(entries.map(([key, given]) => [key, withoutExamples(given)]));
}

function operationsTable(document: Document): string {
  const all = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  );
  const rows = all.map(({ path, method, operation }) => {
    const { operationId, parameters = [], security = [], responses } = operation;
    const { 'x-scope': scope, 'x-role': role } = operation;
    const traits = [
      ...(parameters.some(({ name }) => name === 'idempotency-key') ? ['idempotent: true'] : []),
      ...(security.some((needs) => 'token' in needs) ? ['customer: true'] : []),
      ...(responses[200]?.content?.['text/event-stream'] ? ['stream: true'] : []),
      ...(scope === 'operator' ? [`role: '${role}'`] : []),
      ...(scope === 'operator' && parameters.some(({ name }) => name === 'sort') ? ['sorted: true'] : []),
    ];
    return `  ${operationId}: { ${[`method: '${method}'`, `path: '${path}'`, ...traits].join(', ')} },`;
  });
  const codes = all.map(({ operation: { operationId, responses } }) => ({
    operationId,
    found: new Set(Object.values(responses).flatMap((response) => codesOf(document, response))),
  }));
  const keyed = codes.filter(({ found }) => found.has('api_key_missing'));
  const common = [...keyed[0]!.found].filter((code) => keyed.every(({ found }) => found.has(code)));
  const own = codes.map(
    ({ operationId, found }) => [operationId, [...found].filter((code) => !common.includes(code))] as const,
  );
  return [
    NOTE,
    'export const operations = {',
    ...rows,
    '} as const;',
    '',
    '/** What an operation may be refused with besides, by `code`. */',
    'export type ProblemCodes = {',
    ...own.map(([operationId, names]) => `  ${operationId}: ${union(names)};`),
    '};',
    '',
    '/** What any operation may be refused with. */',
    `export type CommonCode = ${union(common)};`,
    '',
  ].join('\n');
}

const union = (codes: string[]) =>
  codes
    .sort()
    .map((code) => `'${code}'`)
    .join(' | ') || 'never';

function codesOf(document: Document, response: Response): string[] {
  const name = response.$ref?.split('/').at(-1);
  const whole = name === undefined ? response : document.components.responses[name];
  const found = JSON.stringify(whole).matchAll(
    /"code":\{"type":"string",(?:"enum":\[([^\]]*)\]|"const":"(\w+)")/g,
  );
  return [...found].flatMap(([, list, one]) => one ?? list!.replaceAll('"', '').split(','));
}
