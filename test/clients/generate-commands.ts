// Derives the commands of the command line from openapi.json of the staff API.

import type { Column, ManifestCommand, Operation } from '../../src/cli/manifest.ts';
import type { CliSpec } from '../../src/platform/http/endpoint.ts';
import { collectFormats, findFields } from './derive-formats.ts';
import { type Content, type OperationInputs, type OptionTable, readInputs } from './derive-inputs.ts';
import { type Schema, Schemas } from './json-schema.ts';

type ApiOperation = OperationInputs & {
  operationId: string;
  tags: string[];
  summary: string;
  description?: string;
  responses: Record<string, { content?: Content }>;
  'x-role'?: string | string[];
  'x-approval'?: string;
  'x-cli'?: CliSpec;
};
type Paths = Record<string, Record<string, ApiOperation>>;
type OpenApi = { paths: Paths; components: { schemas: Record<string, Schema> } };

export function deriveCommands(document: OpenApi): ManifestCommand[] {
  const schemas = new Schemas(document.components.schemas);
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, operation]) => operation['x-cli']?.handwritten === undefined)
      .map(([method, operation]) => deriveCommand({ path, method, operation }, document.paths, schemas)),
  );
}

type LocatedOperation = { path: string; method: string; operation: ApiOperation };

function deriveCommand(
  { path, method, operation }: LocatedOperation,
  paths: Paths,
  schemas: Schemas,
): ManifestCommand {
  const cli = operation['x-cli'] ?? {};
  const response = findResponse(operation, schemas);
  const name = cli.command ?? deriveName(path, method, response.kind, paths);
  const { positionals, options, inputs } = readInputs(operation, schemas, {
    isList: response.kind === 'list',
  });
  const fileTypes = Object.keys(operation.requestBody?.content ?? {}).filter(
    (type) => type !== 'application/json',
  );
  const confirm = findConfirmation(operation, method);
  const allOptions: OptionTable = {
    ...options,
    ...(response.kind === 'list' && {
      limit: { value: 'N', help: 'how many at most, 1 to 10000 (default 100)' },
    }),
    ...(response.hasCsv && { csv: { help: 'the whole list as CSV' } }),
    ...(response.kind === 'file'
      ? { output: { value: 'FILE', help: 'write to this file' } }
      : response.kind !== 'none' && { json: { help: 'JSON, for scripts: one object per line' } }),
    ...(confirm && { yes: { help: 'skip the confirmation' } }),
  };
  const derivedExamples = deriveExamples(name, operation, positionals, inputs);
  const formats = findFormats(response, schemas);
  const columns =
    response.kind === 'list' ? deriveColumns(response.schema!, cli.columns, schemas) : undefined;
  const derivedOperation: Operation = {
    method: method.toUpperCase(),
    path,
    inputs,
    responseKind: response.kind,
    ...(columns && { columns }),
    ...(Object.keys(formats).length > 0 && { formats }),
    ...(cli.emptyText && { emptyText: cli.emptyText }),
    ...(cli.done && { done: cli.done }),
    ...(cli.prints && { prints: cli.prints }),
    ...(cli.failedIf && { failedIf: cli.failedIf }),
    ...(confirm && { confirm, ...findFigures(path, paths) }),
    ...(response.hasCsv && { hasCsv: true }),
    ...(fileTypes.length > 0 && { fileTypes }),
  };
  requireExistingFields(operation.operationId, cli, { schema: response.schema, inputs }, schemas);
  const role = operation['x-role'];
  const details = [operation.description, role && `Requires the role ${[role].flat().join(' or ')}.`]
    .filter(Boolean)
    .join('\n');
  return {
    name,
    group: operation.tags[0]!,
    summary: operation.summary.replace(/^[A-Z](?=[a-z])/, (letter) => letter.toLowerCase()),
    positionals: [
      ...positionals,
      ...(fileTypes.length > 0 ? [{ name: 'FILE', help: 'the file, or - for standard input' }] : []),
    ],
    options: allOptions,
    ...(details && { details }),
    examples: cli.examples ?? derivedExamples,
    operation: derivedOperation,
  };
}

/** Joins the fixed parts of the path and a verb. A path with a single operation already ends in the verb (`payouts paid`), unless it ends in an id. */
function deriveName(path: string, method: string, kind: Operation['responseKind'], paths: Paths): string {
  const words = path.split('/').filter((part) => part !== '' && part !== 'admin' && !part.startsWith('{'));
  const endsInId = path.endsWith('}');
  const hasSiblings =
    Object.keys(paths[path]!).length > 1 ||
    Object.keys(paths).some((otherPath) => otherPath.startsWith(`${path}/`));
  if (method === 'delete') return [...words, 'delete'].join(' ');
  if (kind === 'list' && method === 'get') return [...words, 'list'].join(' ');
  if (!endsInId && !hasSiblings) return words.join(' ');
  const verbs: Record<string, string> = { get: 'get', post: 'create', put: 'update', patch: 'update' };
  return [...words, verbs[method]].join(' ');
}

type CommandResponse = { kind: Operation['responseKind']; schema?: Schema; totals?: Schema; hasCsv: boolean };

function findResponse({ responses }: ApiOperation, schemas: Schemas): CommandResponse {
  const statuses = Object.keys(responses).filter((status) => /^2\d\d$/.test(status));
  // 202 is the response of an operation that waits for approval, unless it is the only one.
  const status = statuses.toSorted((a, b) => Number(a === '202') - Number(b === '202')).at(0)!;
  const content = responses[status]!.content;
  if (!content) return { kind: 'none', hasCsv: false };
  const hasCsv = 'text/csv' in content;
  const json = content['application/json'];
  if (!json?.schema) return { kind: 'file', hasCsv: false };
  const schema = schemas.resolve(json.schema);
  const fields = Object.keys(schema.properties ?? {});
  const isList = fields.includes('data') && fields.every((field) => /^(data|pagination|totals)$/.test(field));
  if (!isList) return { kind: 'record', schema, hasCsv };
  const { data, totals } = schema.properties!;
  return {
    kind: 'list',
    schema: schemas.resolve(schemas.resolve(data!).items!),
    ...(totals && { totals: schemas.resolve(totals) }),
    hasCsv,
  };
}

function findFormats(
  { kind, schema, totals }: CommandResponse,
  schemas: Schemas,
): NonNullable<Operation['formats']> {
  if (kind === 'record') return collectFormats(schema!, schemas);
  return totals ? collectFormats(totals, schemas, 'totals') : {};
}

function findConfirmation(operation: ApiOperation, method: string): string | undefined {
  const { operationId, summary, 'x-approval': approval, 'x-cli': cli } = operation;
  if (cli?.confirm !== undefined) return cli.confirm || undefined;
  if (approval) throw new Error(`${operationId} can require approval: declare cli.confirm`);
  return method === 'delete' ? `${summary.replace(/\.$/, '')}: this cannot be undone.` : undefined;
}

/** Finds the parent resource of an action, if it can be read: its figures are printed before the confirmation. */
function findFigures(path: string, paths: Paths): Pick<Operation, 'figures'> {
  const parent = path.replace(/\/[^{}/]+$/, '');
  return parent.endsWith('}') && paths[parent]?.get ? { figures: parent } : {};
}

const MAX_COLUMNS = 8;

const listColumns = (columns = ''): string[] => columns.split(', ').filter(Boolean);

/** The heading of a column is its field: `next_due_on` is NEXT DUE ON, and `paid_at` PAID. A column `a|b` has `b` where `a` is missing. */
function deriveColumns(item: Schema, declaredColumns: CliSpec['columns'], schemas: Schemas): Column[] {
  const fields = new Map(findFields(item, schemas));
  const paths = declaredColumns ? listColumns(declaredColumns) : [...fields.keys()].slice(0, MAX_COLUMNS);
  return paths.map((path) => {
    const [firstPath = path] = path.split('|');
    const heading = firstPath.replace(/_at$/, '').replaceAll(/[._]/g, ' ').toUpperCase();
    const format = fields.get(firstPath);
    return format ? [heading, path, format] : [heading, path];
  });
}

/** Throws if the declaration names a field that the response does not have. */
function requireExistingFields(
  id: string,
  cli: CliSpec,
  { schema, inputs }: { schema: Schema | undefined; inputs: Operation['inputs'] },
  schemas: Schemas,
): void {
  const inputNames = Object.values(inputs).map(({ name }) => name);
  const existingFields = [...(schema ? findFields(schema, schemas).keys() : []), ...inputNames];
  const listPlaceholders = (text = '') => [...text.matchAll(/\{([^}]+)\}/g)].map(([, path]) => path!);
  const declaredFields = [...listColumns(cli.columns), ...listPlaceholders(cli.done), ...(cli.prints ?? [])];
  const unknownField =
    declaredFields.flatMap((path) => path.split('|')).find((path) => !existingFields.includes(path)) ??
    listPlaceholders(cli.confirm || '').find((name) => !inputNames.includes(name));
  if (unknownField !== undefined)
    throw new Error(
      `cli of ${id} names '${unknownField}', which it does not have: ${existingFields.join(', ')}`,
    );
}

/** Returns an example with the example values of openapi.json, or none for a command without inputs. */
function deriveExamples(
  name: string,
  operation: ApiOperation,
  positionals: NonNullable<ManifestCommand['positionals']>,
  inputs: Operation['inputs'],
): string[] {
  const body = operation.requestBody?.content['application/json']?.example as Record<string, unknown>;
  if (positionals.length === 0 && body === undefined) return [];
  const findParameterExample = ({ name: parameter }: { name: string }): unknown =>
    operation.parameters?.find(({ name: candidate }) => candidate === parameter)?.schema.examples?.[0];
  const quote = (value: unknown) =>
    /^[\w@.,:/+-]+$/.test(String(value)) ? String(value) : `"${String(value).replaceAll('"', '\\"')}"`;
  const words = positionals.map(({ name: positional }) => {
    const value = findParameterExample({ name: positional.toLowerCase() });
    return value === undefined ? positional : quote(value);
  });
  const options = Object.entries(inputs).flatMap(([option, input]) => {
    const value = input.in === 'body' ? body?.[input.name] : undefined;
    if (value === undefined || value === null || value === false) return [];
    if (input.type === 'json') return [`--${option} @${option}.json`];
    return [input.type === 'boolean' ? `--${option}` : `--${option} ${quote(value)}`];
  });
  return [['semana', name, ...words, ...options].join(' ')];
}
