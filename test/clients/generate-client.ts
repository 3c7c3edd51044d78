import { findTypeName, isNullable, type Schema, Schemas } from '../../src/cli/derive-inputs.ts';

/** The parts of openapi.json that the client is made of. */
type Parameter = {
  name: string;
  in: string;
  required: boolean;
  description?: string;
  schema: { default?: unknown };
};
type Content = Record<string, { schema?: object }>;
type Operation = {
  operationId: string;
  parameters?: Parameter[];
  requestBody?: { required: boolean; content: Content };
  responses: Record<string, Response>;
  security?: Array<Record<string, unknown>>;
  summary?: string;
  'x-scope'?: string;
  'x-role'?: string | string[];
};
type Response = { $ref?: string; description?: string; content?: Content };
type Document = {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, unknown>; responses: Record<string, unknown> };
};

/**
 * Types and table of the operations of an API, for its client in this folder. Both are generated from its openapi.json alone.
 * `isDescribed`: with its descriptions as comments and the codes of problems, for people who do not read that document.
 */
export async function generateClientFiles(
  folder: string,
  openApiJson: string,
  { isDescribed }: { isDescribed: boolean },
): Promise<Record<string, string>> {
  const document = JSON.parse(openApiJson) as Document;
  const types = (await openApiTypes(document, isDescribed)).replace(
    COMMENT,
    isDescribed ? shortened : () => '',
  );
  const [schemas, operations] = packed(types).split(/^(?=export interface operations)/m);
  return {
    [`${folder}/operations.ts`]:
      operationsTable(document) + (isDescribed ? problemCodes(document) : formFields(document)),
    [`${folder}/openapi-schemas.ts`]: NOTE + schemas,
    [`${folder}/openapi.ts`]: `${NOTE}import type { Schemas } from './openapi-schemas.ts';\n\n${operations}`,
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

/**
 * The types of the named schemas, and of each operation what it is called with and answers. Errors are common to all operations, and the
 * client sets headers itself.
 */
async function openApiTypes({ paths, components }: Document, isDescribed: boolean): Promise<string> {
  const name = 'openapi-typescript'; // a dependency of this folder
  const { default: generate, astToString } = await import(name);
  const schemas = withoutExamples(components.schemas) as Record<string, object>;
  const operations = Object.values(paths)
    .flatMap((methods) => Object.values(methods))
    .map(
      (operation) => [`${OPERATION}${operation.operationId}`, withoutExamples(callOf(operation))] as const,
    );
  const whole = byName({ ...schemas, ...Object.fromEntries(operations) }, schemas);
  const lean = {
    openapi: '3.1.0',
    info: { title: '', version: '' },
    paths: {},
    components: { schemas: composed(whole as Record<string, Fields>, isDescribed) },
  };
  const made: string = astToString(await generate(lean, { silent: true }));
  const [, named, calls] = PARTS.exec(made.replaceAll(NO_SCHEMA, '$1'))!;
  const text = `export interface Schemas {\n${named}}\nexport interface operations {\n${calls}}\n`;
  return text
    .replaceAll(/^ {4}/gm, '')
    .replaceAll(OPERATION, '')
    .replaceAll('components["schemas"]', 'Schemas');
}

/** Operations are printed among the schemas, under names that begin with this. */
const OPERATION = 'operation_';
const PARTS = /^ {4}schemas: \{\n([\s\S]*?)(^ {8}operation_[\s\S]*?)^ {4}\};$/m;

/** Types that no schema says: written as the text of a literal. */
const literal = (type: 'undefined' | 'Uint8Array') => ({ const: type });
const NO_SCHEMA = /"(undefined|Uint8Array)"/g;

/** An operation as a schema of what `calls.ts` reads. */
function callOf({ parameters = [], requestBody, responses }: Operation): object {
  const good = Object.entries(responses).filter(([status]) => status.startsWith('2'));
  const body = requestBody?.content['application/json']?.schema;
  const stream = good[0]![1].content?.['text/event-stream']?.schema;
  const isRequired = {
    path: true,
    query: parameters.some(({ in: place, required }) => place === 'query' && required),
    body: requestBody?.required,
    answer: true,
    stream: true,
  };
  const properties = {
    path: parametersIn('path', parameters),
    query: parametersIn('query', parameters),
    body,
    answer: answerOf(good),
    stream,
  };
  const given = Object.entries(properties).filter(([, schema]) => schema !== undefined);
  return {
    type: 'object',
    properties: Object.fromEntries(given),
    required: given.map(([name]) => name).filter((name) => isRequired[name as keyof typeof isRequired]),
  };
}

function parametersIn(place: string, parameters: Parameter[]): object | undefined {
  const here = parameters.filter((parameter) => parameter.in === place);
  if (here.length === 0) return undefined;
  return {
    type: 'object',
    // A parameter with a default need not be sent.
    properties: Object.fromEntries(
      here.map(({ name, description, schema: { default: _, ...schema } }) => [
        name,
        { ...schema, description },
      ]),
    ),
    required: here.filter(({ required }) => required).map(({ name }) => name),
  };
}

function answerOf(good: Array<[status: string, Response]>): object {
  const schemas = good.map(([, { content = {} }]) => {
    if ('image/*' in content) return literal('Uint8Array');
    return content['application/json']?.schema ?? literal('undefined');
  });
  const different = [...new Map(schemas.map((schema) => [JSON.stringify(schema), schema])).values()];
  const descriptions = good.map(([status, { description }]) =>
    good.length === 1 ? description : `${status}: ${description}`,
  );
  const description = descriptions.join('\n');
  return different.length === 1 ? { ...different[0], description } : { anyOf: different, description };
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

type Fields = { properties?: Record<string, object>; required?: string[]; description?: string };

/** Fewer fields that two schemas share are written in both. */
const FEWEST_SHARED = 4;

/** What every long list takes. */
const LIST_PARAMETERS = ['page', 'limit', 'after', 'before', 'sort', 'csv'];

/**
 * A schema, or the query of an operation, that has all fields of another schema is written as that one and the rest. Without comments
 * their descriptions may differ.
 */
function composed(given: Record<string, Fields>, isDescribed: boolean): Record<string, object> {
  const fieldsOf = ({ properties = {}, required = [] }: Fields) =>
    Object.entries(properties).map(([name, schema]) =>
      JSON.stringify([name, required.includes(name), schema], (key, value) =>
        key === 'description' && typeof value === 'string' && !isDescribed ? undefined : value,
      ),
    );
  const schemas = { ...listQuery(Object.values(given)), ...given };
  const bases = Object.entries(schemas)
    .map(([name, schema]) => ({ name, fields: new Set(fieldsOf(schema)) }))
    .filter(({ name, fields }) => fields.size >= FEWEST_SHARED && !name.startsWith(OPERATION))
    .toSorted((one, other) => other.fields.size - one.fields.size);
  const compose = (schema: Fields, mayBeSame: boolean): object => {
    const fields = new Set(fieldsOf(schema));
    const fits = (base: Set<string>) => base.isSubsetOf(fields) && (base.size < fields.size || mayBeSame);
    const base = bases.find((one) => fits(one.fields));
    if (!base) return schema;
    const { properties, description, ...others } = schema;
    const shared = Object.keys(schemas[base.name]!.properties!);
    const rest = Object.entries(properties!).filter(([field]) => !shared.includes(field));
    const required = others.required?.filter((field) => !shared.includes(field));
    const further = { ...others, properties: Object.fromEntries(rest), required };
    const of = { $ref: `#/components/schemas/${base.name}` };
    return { allOf: rest.length === 0 ? [of] : [of, further], description };
  };
  return Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => {
      if (!name.startsWith(OPERATION)) return [name, compose(schema, false)];
      const properties = Object.entries(schema.properties!).map(([part, of]) => [
        part,
        part === 'query' ? compose(of, true) : of,
      ]);
      return [name, { ...schema, properties: Object.fromEntries(properties) }];
    }),
  );
}

/** The parameters that long lists share, as a schema. */
function listQuery(operations: Fields[]): Record<string, Fields> {
  const queries = operations.map(({ properties }) => properties?.query as Fields | undefined);
  const long = queries.find((query) => LIST_PARAMETERS.every((name) => query?.properties?.[name]));
  if (!long) return {};
  const properties = Object.fromEntries(LIST_PARAMETERS.map((name) => [name, long.properties![name]!]));
  return { ListQuery: { ...long, properties } };
}

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
      ...(scope === 'operator' ? [`role: ${JSON.stringify(role).replaceAll('"', "'")}`] : []),
      ...(scope === 'operator' && parameters.some(({ name }) => name === 'sort') ? ['sorted: true'] : []),
    ];
    return `  ${operationId}: { ${[`method: '${method}'`, `path: '${path}'`, ...traits].join(', ')} },`;
  });
  return [NOTE, 'export const operations = {', ...rows, '} as const;', ''].join('\n');
}

/** What calls may be refused with. */
function problemCodes(document: Document): string {
  const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));
  const allResponses = operations.flatMap(({ responses }) => Object.values(responses));
  const codes = new Set(allResponses.flatMap((response) => codesOf(document, response)));
  const comment = '/** The codes of problems; a code never changes its meaning. */';
  return `\n${comment}\nexport type ProblemCode =\n${[...codes]
    .sort()
    .map((code) => `  | '${code}'`)
    .join('\n')};\n`;
}

function codesOf(document: Document, response: Response): string[] {
  const name = response.$ref?.split('/').at(-1);
  const whole = name === undefined ? response : document.components.responses[name];
  const found = JSON.stringify(whole).matchAll(
    /"code":\{"type":"string",(?:"enum":\[([^\]]*)\]|"const":"(\w+)")/g,
  );
  return [...found].flatMap(([, list, one]) => one ?? list!.replaceAll('"', '').split(','));
}

/** Parameters of every list. `reason`: why a CSV is requested without masks. */
const PAGING_PARAMETERS = new Set([...LIST_PARAMETERS, 'up_to', 'reason']);

/** What forms and tables are derived from: the filters of lists, the fields of bodies, and the names of fields with an amount. */
function formFields(document: Document): string {
  const schemas = new Schemas(document.components.schemas as Record<string, Schema>);
  const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));
  const filters = operations
    .filter(({ parameters = [] }) => parameters.some(({ name }) => name === 'csv'))
    .map(({ operationId, parameters = [] }) => {
      const own = parameters.filter(
        ({ name, in: place }) => place === 'query' && !PAGING_PARAMETERS.has(name),
      );
      return [
        operationId,
        Object.fromEntries(own.map(({ name, schema }) => [name, filterOf(schema as Schema)])),
      ];
    });
  const bodies = operations.flatMap(({ operationId, requestBody }) => {
    const body = requestBody?.content['application/json']?.schema;
    return body ? [[operationId, bodyFields(schemas.resolve(body as Schema), schemas)]] : [];
  });
  const amounts = new Set<string>();
  for (const { responses } of operations)
    for (const { content } of Object.values(responses))
      collectAmounts((content?.['application/json']?.schema ?? {}) as Schema, schemas, amounts);
  const table = (name: string, rows: unknown[][]) => [
    `\nexport const ${name} = {`,
    ...rows.map(([key, value]) => `  ${key}: ${JSON.stringify(value)},`),
    '} as const;',
  ];
  return [
    ...table('listFilters', filters),
    ...table('bodyFields', bodies),
    `\nexport const amountFields = ${JSON.stringify([...amounts].sort())} as const;\n`,
  ].join('\n');
}

const filterOf = ({ enum: values, format }: Schema) => values ?? (format === 'date' ? 'day' : 'text');

/** The fields of a body by their JSON pointers without the first slash. Lists of objects and deeper objects are left out. */
function bodyFields(body: Schema, schemas: Schemas, prefix = ''): Record<string, object> {
  const fields: Record<string, object> = {};
  for (const [name, declared] of Object.entries(body.properties ?? {})) {
    const schema = schemas.resolve(declared);
    if (schema.properties && prefix === '') Object.assign(fields, bodyFields(schema, schemas, `${name}/`));
    const type = bodyFieldType(schema, schemas);
    if (!type) continue;
    fields[prefix + name] = {
      type,
      ...(schema.maxLength && { maxLength: schema.maxLength }),
      ...(!body.required?.includes(name) && { optional: true }),
      ...((isNullable(schema) || isNullable(declared)) && { nullable: true }),
    };
  }
  return fields;
}

function bodyFieldType(schema: Schema, schemas: Schemas): string | undefined {
  const type = findTypeName(schema);
  if (schema.format === 'reais') return 'amount';
  if (type === 'integer' || type === 'number') return 'number';
  if (schema.format === 'date-time') return 'instant';
  if (schema.format === 'phone') return 'phone';
  if (type === 'array') return schemas.resolve(schema.items!).properties ? undefined : 'list';
  return type === 'boolean' ? type : type === 'string' || schema.enum ? 'text' : undefined;
}

function collectAmounts(schema: Schema, schemas: Schemas, amounts: Set<string>, name = ''): void {
  const resolved = schemas.resolve(schema);
  if (resolved.format === 'reais') amounts.add(name);
  for (const [field, inner] of Object.entries(resolved.properties ?? {}))
    collectAmounts(inner, schemas, amounts, field);
  for (const variant of resolved.anyOf ?? []) collectAmounts(variant, schemas, amounts, name);
  if (resolved.items) collectAmounts(resolved.items, schemas, amounts);
}
