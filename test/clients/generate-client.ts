import { findTypeName, isNullable, type Schema, Schemas } from '../../src/cli/derive-inputs.ts';

/** The parts of openapi.json from which the client is generated. */
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
 * Generates the types and the table of operations of a client from the openapi.json of its API. With `isDescribed` they have the
 * descriptions as comments and the codes of problems, for developers who do not read that document.
 */
export async function generateClientFiles(
  folder: string,
  openApiJson: string,
  { isDescribed }: { isDescribed: boolean },
): Promise<Record<string, string>> {
  const document = JSON.parse(openApiJson) as Document;
  const types = (await generateTypes(document, isDescribed)).replace(
    COMMENT,
    isDescribed ? shortenComment : () => '',
  );
  const [schemas, operations] = joinShortObjects(types).split(/^(?=export interface operations)/m);
  return {
    [`${folder}/operations.ts`]:
      renderOperations(document) + (isDescribed ? renderProblemCodes(document) : renderFormFields(document)),
    [`${folder}/openapi-schemas.ts`]: NOTE + schemas,
    [`${folder}/openapi.ts`]: `${NOTE}import type { Schemas } from './openapi-schemas.ts';\n\n${operations}`,
  };
}

const NOTE = `// Made by 'npm run generate' from openapi.json.\n`;

const COMMENT = /^ *\/\*\*[\s\S]*?\*\/\n/gm;

/** Removes tags from a comment of openapi-typescript, and lines that repeat the type; a single line stays on one line. */
function shortenComment(comment: string): string {
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
 * Generates the types of the named schemas, and of the inputs and the response of each operation. Errors are the same for all
 * operations, and the client sets headers.
 */
async function generateTypes({ paths, components }: Document, isDescribed: boolean): Promise<string> {
  const name = 'openapi-typescript'; // a dependency of this folder
  const { default: generate, astToString } = await import(name);
  const schemas = removeExamples(components.schemas) as Record<string, object>;
  const operations = Object.values(paths)
    .flatMap((methods) => Object.values(methods))
    .map(
      (operation) =>
        [`${OPERATION_PREFIX}${operation.operationId}`, removeExamples(buildCallSchema(operation))] as const,
    );
  const namedSchemas = replaceByReferences({ ...schemas, ...Object.fromEntries(operations) }, schemas);
  const reducedDocument = {
    openapi: '3.1.0',
    info: { title: '', version: '' },
    paths: {},
    components: { schemas: composeSchemas(namedSchemas as Record<string, Fields>, isDescribed) },
  };
  const generatedText: string = astToString(await generate(reducedDocument, { silent: true }));
  const [, schemaTypes, operationTypes] = SECTIONS.exec(generatedText.replaceAll(LITERAL_TYPES, '$1'))!;
  const text = `export interface Schemas {\n${schemaTypes}}\nexport interface operations {\n${operationTypes}}\n`;
  return text
    .replaceAll(/^ {4}/gm, '')
    .replaceAll(OPERATION_PREFIX, '')
    .replaceAll('components["schemas"]', 'Schemas');
}

/** The beginning of the names under which operations are generated, among the schemas. */
const OPERATION_PREFIX = 'operation_';
const SECTIONS = /^ {4}schemas: \{\n([\s\S]*?)(^ {8}operation_[\s\S]*?)^ {4}\};$/m;

/** Returns a schema for a type that no schema describes: a literal, whose quotes are removed after the generation. */
const createLiteralSchema = (type: 'undefined' | 'Uint8Array') => ({ const: type });
const LITERAL_TYPES = /"(undefined|Uint8Array)"/g;

/** Builds the schema of an operation, with the fields that `calls.ts` reads. */
function buildCallSchema({ parameters = [], requestBody, responses }: Operation): object {
  const successResponses = Object.entries(responses).filter(([status]) => status.startsWith('2'));
  const body = requestBody?.content['application/json']?.schema;
  const stream = successResponses[0]![1].content?.['text/event-stream']?.schema;
  const isRequired = {
    path: true,
    query: parameters.some(({ in: place, required }) => place === 'query' && required),
    body: requestBody?.required,
    answer: true,
    stream: true,
  };
  const properties = {
    path: buildParametersSchema('path', parameters),
    query: buildParametersSchema('query', parameters),
    body,
    answer: buildResponseSchema(successResponses),
    stream,
  };
  const definedProperties = Object.entries(properties).filter(([, schema]) => schema !== undefined);
  return {
    type: 'object',
    properties: Object.fromEntries(definedProperties),
    required: definedProperties
      .map(([name]) => name)
      .filter((name) => isRequired[name as keyof typeof isRequired]),
  };
}

function buildParametersSchema(place: string, parameters: Parameter[]): object | undefined {
  const parametersInPlace = parameters.filter((parameter) => parameter.in === place);
  if (parametersInPlace.length === 0) return undefined;
  return {
    type: 'object',
    // The default is left out, because such a parameter may be left out, too.
    properties: Object.fromEntries(
      parametersInPlace.map(({ name, description, schema: { default: _, ...schema } }) => [
        name,
        { ...schema, description },
      ]),
    ),
    required: parametersInPlace.filter(({ required }) => required).map(({ name }) => name),
  };
}

function buildResponseSchema(successResponses: Array<[status: string, Response]>): object {
  const schemas = successResponses.map(([, { content = {} }]) => {
    if ('image/*' in content) return createLiteralSchema('Uint8Array');
    return content['application/json']?.schema ?? createLiteralSchema('undefined');
  });
  const distinctSchemas = [...new Map(schemas.map((schema) => [JSON.stringify(schema), schema])).values()];
  const descriptions = successResponses.map(([status, { description }]) =>
    successResponses.length === 1 ? description : `${status}: ${description}`,
  );
  const description = descriptions.join('\n');
  return distinctSchemas.length === 1
    ? { ...distinctSchemas[0], description }
    : { anyOf: distinctSchemas, description };
}

/** Replaces every object that equals a named schema by a reference to it. */
function replaceByReferences(document: object, schemas: Record<string, object>): object {
  const serialize = (schema: object) => JSON.stringify({ ...schema, description: undefined });
  const names = new Map(Object.entries(schemas).map(([name, schema]) => [serialize(schema), name]));
  const namedObjects = new Set<unknown>(Object.values(schemas));
  const replace = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(replace);
    if (value === null || typeof value !== 'object') return value;
    const name = 'properties' in value && !namedObjects.has(value) ? names.get(serialize(value)) : undefined;
    if (name !== undefined) return { $ref: `#/components/schemas/${name}` };
    return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, replace(part)]));
  };
  return replace(document) as object;
}

type Fields = { properties?: Record<string, object>; required?: string[]; description?: string };

/** The minimum number of fields that a schema must share with another one to be composed of it. */
const MIN_SHARED_FIELDS = 4;

/** The parameters of every long list. */
const LIST_PARAMETERS = ['page', 'limit', 'after', 'before', 'sort', 'csv'];

/**
 * Composes each schema, or query of an operation, that has all fields of another schema of that one and its other fields. Descriptions
 * may differ if they are not generated.
 */
function composeSchemas(givenSchemas: Record<string, Fields>, isDescribed: boolean): Record<string, object> {
  const listFields = ({ properties = {}, required = [] }: Fields) =>
    Object.entries(properties).map(([name, schema]) =>
      JSON.stringify([name, required.includes(name), schema], (key, value) =>
        key === 'description' && typeof value === 'string' && !isDescribed ? undefined : value,
      ),
    );
  const schemas = { ...buildListQuery(Object.values(givenSchemas)), ...givenSchemas };
  const bases = Object.entries(schemas)
    .map(([name, schema]) => ({ name, fields: new Set(listFields(schema)) }))
    .filter(({ name, fields }) => fields.size >= MIN_SHARED_FIELDS && !name.startsWith(OPERATION_PREFIX))
    .toSorted((a, b) => b.fields.size - a.fields.size);
  const compose = (schema: Fields, mayBeEqual: boolean): object => {
    const fields = new Set(listFields(schema));
    const isContained = (base: Set<string>) =>
      base.isSubsetOf(fields) && (base.size < fields.size || mayBeEqual);
    const base = bases.find((candidate) => isContained(candidate.fields));
    if (!base) return schema;
    const { properties, description, ...otherKeywords } = schema;
    const sharedFields = Object.keys(schemas[base.name]!.properties!);
    const otherFields = Object.entries(properties!).filter(([field]) => !sharedFields.includes(field));
    const required = otherKeywords.required?.filter((field) => !sharedFields.includes(field));
    const otherPart = { ...otherKeywords, properties: Object.fromEntries(otherFields), required };
    const reference = { $ref: `#/components/schemas/${base.name}` };
    return { allOf: otherFields.length === 0 ? [reference] : [reference, otherPart], description };
  };
  return Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => {
      if (!name.startsWith(OPERATION_PREFIX)) return [name, compose(schema, false)];
      const properties = Object.entries(schema.properties!).map(([part, partSchema]) => [
        part,
        part === 'query' ? compose(partSchema, true) : partSchema,
      ]);
      return [name, { ...schema, properties: Object.fromEntries(properties) }];
    }),
  );
}

/** Builds a schema of the parameters that long lists share. */
function buildListQuery(operations: Fields[]): Record<string, Fields> {
  const queries = operations.map(({ properties }) => properties?.query as Fields | undefined);
  const longListQuery = queries.find((query) => LIST_PARAMETERS.every((name) => query?.properties?.[name]));
  if (!longListQuery) return {};
  const properties = Object.fromEntries(
    LIST_PARAMETERS.map((name) => [name, longListQuery.properties![name]!]),
  );
  return { ListQuery: { ...longListQuery, properties } };
}

const LINE_WIDTH = 110;

/** Writes objects that fit into a line on one line. */
function joinShortObjects(text: string): string {
  const lines: string[] = [];
  const openObjectLines: number[] = [];
  for (const line of text.split('\n')) {
    if (/^\s*\}/.test(line)) {
      const firstLine = openObjectLines.pop()!;
      const [opening, ...members] = [...lines.slice(firstLine), line].map((text, i) =>
        i === 0 ? text : text.trim(),
      );
      const joinedLine = [opening, ...members].join(' ');
      const isSimple = members.every((member) => !member.endsWith('{') && !/^(\/\*|\*)/.test(member));
      if (isSimple && joinedLine.length <= LINE_WIDTH) lines.splice(firstLine, lines.length, joinedLine);
      else lines.push(line);
    } else {
      lines.push(line);
    }
    if (lines.at(-1)!.endsWith('{')) openObjectLines.push(lines.length - 1);
  }
  return lines.join('\n');
}

function removeExamples(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(removeExamples);
  if (value === null || typeof value !== 'object') return value;
  const entries = Object.entries(value).filter(([key]) => !/^examples?$/.test(key));
  return Object.fromEntries(entries.map(([key, part]) => [key, removeExamples(part)]));
}

function renderOperations(document: Document): string {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  );
  const rows = operations.map(({ path, method, operation }) => {
    const { operationId, parameters = [], security = [], responses } = operation;
    const { 'x-scope': scope, 'x-role': role } = operation;
    const traits = [
      ...(parameters.some(({ name }) => name === 'idempotency-key') ? ['idempotent: true'] : []),
      ...(security.some((requirement) => 'token' in requirement) ? ['customer: true'] : []),
      ...(responses[200]?.content?.['text/event-stream'] ? ['stream: true'] : []),
      ...(scope === 'operator' ? [`role: ${JSON.stringify(role).replaceAll('"', "'")}`] : []),
      ...(scope === 'operator' && parameters.some(({ name }) => name === 'sort') ? ['sorted: true'] : []),
    ];
    return `  ${operationId}: { ${[`method: '${method}'`, `path: '${path}'`, ...traits].join(', ')} },`;
  });
  return [NOTE, 'export const operations = {', ...rows, '} as const;', ''].join('\n');
}

/** Renders the type of all codes of problems. */
function renderProblemCodes(document: Document): string {
  const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));
  const allResponses = operations.flatMap(({ responses }) => Object.values(responses));
  const codes = new Set(allResponses.flatMap((response) => listProblemCodes(document, response)));
  const comment = '/** The codes of problems; a code never changes its meaning. */';
  return `\n${comment}\nexport type ProblemCode =\n${[...codes]
    .sort()
    .map((code) => `  | '${code}'`)
    .join('\n')};\n`;
}

function listProblemCodes(document: Document, response: Response): string[] {
  const name = response.$ref?.split('/').at(-1);
  const resolvedResponse = name === undefined ? response : document.components.responses[name];
  const matches = JSON.stringify(resolvedResponse).matchAll(
    /"code":\{"type":"string",(?:"enum":\[([^\]]*)\]|"const":"(\w+)")/g,
  );
  return [...matches].flatMap(([, list, code]) => code ?? list!.replaceAll('"', '').split(','));
}

/** Parameters of every list, including `reason`, which a CSV without masks requires. */
const PAGING_PARAMETERS = new Set([...LIST_PARAMETERS, 'up_to', 'reason']);

/** Renders the data from which forms and tables are derived: filters of lists, fields of bodies, and names of fields with an amount. */
function renderFormFields(document: Document): string {
  const schemas = new Schemas(document.components.schemas as Record<string, Schema>);
  const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));
  const filters = operations
    .filter(({ parameters = [] }) => parameters.some(({ name }) => name === 'csv'))
    .map(({ operationId, parameters = [] }) => {
      const ownFilters = parameters.filter(
        ({ name, in: place }) => place === 'query' && !PAGING_PARAMETERS.has(name),
      );
      return [
        operationId,
        Object.fromEntries(ownFilters.map(({ name, schema }) => [name, describeFilter(schema as Schema)])),
      ];
    });
  const bodies = operations.flatMap(({ operationId, requestBody }) => {
    const body = requestBody?.content['application/json']?.schema;
    return body ? [[operationId, listBodyFields(schemas.resolve(body as Schema), schemas)]] : [];
  });
  const amounts = new Set<string>();
  for (const { responses } of operations)
    for (const { content } of Object.values(responses))
      collectAmounts((content?.['application/json']?.schema ?? {}) as Schema, schemas, amounts);
  const renderTable = (name: string, rows: unknown[][]) => [
    `\nexport const ${name} = {`,
    ...rows.map(([key, value]) => `  ${key}: ${JSON.stringify(value)},`),
    '} as const;',
  ];
  return [
    ...renderTable('listFilters', filters),
    ...renderTable('bodyFields', bodies),
    `\nexport const amountFields = ${JSON.stringify([...amounts].sort())} as const;\n`,
  ].join('\n');
}

const describeFilter = ({ enum: values, format }: Schema) => values ?? (format === 'date' ? 'day' : 'text');

/** Lists the fields of a body by their JSON pointers without the first slash. Lists of objects and deeper objects are left out. */
function listBodyFields(body: Schema, schemas: Schemas, prefix = ''): Record<string, object> {
  const fields: Record<string, object> = {};
  for (const [name, declaredSchema] of Object.entries(body.properties ?? {})) {
    const schema = schemas.resolve(declaredSchema);
    if (schema.properties && prefix === '')
      Object.assign(fields, listBodyFields(schema, schemas, `${name}/`));
    const type = findFieldType(schema, schemas);
    if (!type) continue;
    fields[prefix + name] = {
      type,
      ...(schema.maxLength && { maxLength: schema.maxLength }),
      ...(!body.required?.includes(name) && { optional: true }),
      ...((isNullable(schema) || isNullable(declaredSchema)) && { nullable: true }),
    };
  }
  return fields;
}

function findFieldType(schema: Schema, schemas: Schemas): string | undefined {
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
