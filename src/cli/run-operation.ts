import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type Arguments, CommandError, UsageError } from '#platform/command-line/command.ts';
import { type ApiRequest, callStaffApi, type Environment } from './client.ts';
import { type ManifestCommand, type Operation, readManifest } from './manifest.ts';
import { fillText, formatList, formatRecord, readField } from './output.ts';
import { parseValue, readFileArgument } from './values.ts';

export type CommandIo = {
  readonly env: Environment;
  print(text: string): void;
  printError(text: string): void;
  readonly stdin: Readable;
  readonly stdout?: NodeJS.WriteStream;
  /** Asks the user at the terminal. Undefined without a terminal. */
  ask?(question: string, options?: { isSecret?: boolean }): Promise<string>;
};

type Json = Record<string, unknown>;
type Pagination = { total: number; next?: string; estimated?: boolean; pages: number };
type ListBody = { data: Json[]; totals?: Json; pagination?: Pagination };

const PAGE_SIZE = 100;
const DEFAULT_LIMIT = 100;
const MAX_LIMIT = 10_000;

const DRY_RUN_NOTE = 'Nothing was changed (--dry-run).';

/** Returns the exit code. */
export async function runOperation(
  command: ManifestCommand,
  args: Arguments,
  io: CommandIo,
): Promise<number> {
  const operation = command.operation!;
  const request = await buildRequest(command, operation, args, io);
  const isDryRun = args.has('dry-run');
  if (operation.confirm && !isDryRun && !args.has('yes')) await confirm(operation, request, io);
  if (args.has('csv')) {
    await printStream(await callStaffApi(io.env, addQuery(request, { csv: 'plain' })), io);
    return 0;
  }
  if (operation.responseKind === 'list') return printList(operation, request, args, io);
  const response = await callStaffApi(io.env, request);
  if (operation.responseKind === 'file') {
    await saveFile(response, args, io);
    return 0;
  }
  const responseBody = response.status === 204 ? {} : ((await response.json()) as Json);
  if (args.has('json')) io.print(JSON.stringify(responseBody));
  else if (requiresApproval(response, responseBody)) printApproval(responseBody, io);
  else if (isDryRun) io.print(`${formatRecord(responseBody, operation.formats)}\n\n${DRY_RUN_NOTE}`);
  else printResult(operation, responseBody, request.values, io);
  return 0;
}

type BuiltRequest = ApiRequest & {
  /** Arguments and options by their API names. They fill the placeholders of texts. */
  readonly values: Json;
};

async function buildRequest(
  command: ManifestCommand,
  operation: Operation,
  args: Arguments,
  { stdin }: CommandIo,
): Promise<BuiltRequest> {
  const values: Json = {};
  const headers: Record<string, string> = {};
  const query = new URLSearchParams();
  const body: Json = {};
  let path = operation.path;
  for (const [index, { name }] of (command.positionals ?? []).entries()) {
    const input = operation.inputs[name];
    const text = args.positionals[index];
    if (!input || text === undefined) continue;
    values[input.name] = text;
    path = path.replace(`{${input.name}}`, encodeURIComponent(text));
  }
  for (const [option, input] of Object.entries(operation.inputs)) {
    if (input.in === 'path' || !(args.has(option) || args.isNegated(option))) continue;
    const value =
      input.type === 'boolean'
        ? args.has(option)
        : await parseValue(args.getOption(option)!, input, { option: `--${option}`, stdin });
    values[input.name] = value;
    if (input.in === 'query') query.set(input.name, String(value));
    else if (input.in === 'header') headers[input.name] = String(value);
    else setField(body, input.name, value);
  }
  const queryString = query.size > 0 ? `?${query}` : '';
  const requestLine = { method: operation.method, path: `${path}${queryString}`, values };
  if (operation.fileTypes) {
    const file = args.positionals.at(-1)!;
    const type = findContentType(file, operation.fileTypes);
    const content = await readFileArgument(file, stdin);
    return { ...requestLine, headers: { ...headers, 'content-type': type }, body: content };
  }
  const hasBody = Object.values(operation.inputs).some((input) => input.in === 'body');
  return { ...requestLine, headers, ...(hasBody && { body }) };
}

function setField(body: Json, name: string, value: unknown): void {
  const [field, child] = name.split('/') as [string, string | undefined];
  body[field] = child === undefined ? value : { ...(body[field] as Json | undefined), [child]: value };
}

/** Finds the content type by the extension of the file. The default is the first that the operation accepts. */
function findContentType(file: string, types: readonly string[]): string {
  const extension = /\.(\w+)$/.exec(file)?.[1]?.toLowerCase().replace('jpg', 'jpeg').replace('txt', 'plain');
  return (
    types.find((type) => extension !== undefined && type.split(/[/+-]/).includes(extension)) ?? types[0]!
  );
}

/** Returns the exit code. */
async function printList(
  operation: Operation,
  request: BuiltRequest,
  args: Arguments,
  io: CommandIo,
): Promise<number> {
  const limit = readLimit(args);
  const list = await readList(operation, request, limit, io.env);
  if ('approval' in list) {
    printApproval(list, io);
    return 0;
  }
  const { pagination, totals } = list;
  // A response without pages has all rows, such as the lines of a return file.
  const records = pagination || args.has('limit') ? list.records.slice(0, limit) : list.records;
  if (args.has('json')) for (const record of records) io.print(JSON.stringify(record));
  else {
    io.print(formatList(operation, records));
    if (totals && records.length > 0) io.printError(formatRecord({ totals }, operation.formats));
  }
  if (pagination && pagination.total > limit) {
    const total = `${pagination.estimated ? 'about ' : ''}${pagination.total}`;
    io.printError(`The first ${records.length} of ${total}. --limit sets how many.`);
  }
  if (args.has('dry-run')) io.printError(DRY_RUN_NOTE);
  return operation.failedIf && readField({ totals }, operation.failedIf) ? 1 : 0;
}

type List = {
  records: Json[];
  totals: Json | undefined;
  /** The pagination of the last page that was read. */
  pagination: Pagination | undefined;
};

/** Reads pages until there are enough records. */
async function readList(
  operation: Operation,
  request: BuiltRequest,
  limit: number,
  env: Environment,
): Promise<List | PendingApproval> {
  const records: Json[] = [];
  let totals: Json | undefined;
  let pageQuery: Record<string, string> = {};
  for (let page = 1; ; page++) {
    const pageSize = Math.min(PAGE_SIZE, limit);
    const pageRequest = operation.hasCsv
      ? addQuery(request, { limit: String(pageSize), ...pageQuery })
      : request;
    const response = await callStaffApi(env, pageRequest);
    const body = (await response.json()) as ListBody;
    if (requiresApproval(response, body)) return body;
    const { data, pagination } = body;
    records.push(...data);
    totals ??= body.totals;
    const hasNextPage = pagination !== undefined && (pagination.next || page < pagination.pages);
    if (!operation.hasCsv || !hasNextPage || data.length < pageSize || records.length >= limit)
      return { records, totals, pagination };
    pageQuery = pagination.next ? { after: pagination.next } : { page: String(page + 1) };
  }
}

function readLimit(args: Arguments): number {
  const text = args.getOption('limit') ?? String(DEFAULT_LIMIT);
  const limit = Number(text);
  if (/^\d{1,5}$/.test(text) && limit >= 1 && limit <= MAX_LIMIT) return limit;
  throw new UsageError(`--limit is '${text}'; write a number from 1 to ${MAX_LIMIT}.`);
}

const addQuery = (request: BuiltRequest, parameters: Record<string, string>): BuiltRequest => {
  const separator = request.path.includes('?') ? '&' : '?';
  return { ...request, path: `${request.path}${separator}${new URLSearchParams(parameters)}` };
};

/** Prints the figures and asks for confirmation. Without a terminal the operation is refused. */
async function confirm(operation: Operation, request: BuiltRequest, io: CommandIo): Promise<void> {
  const question = fillText(operation.confirm!, request.values, listInputFormats(operation));
  if (!io.ask) throw new UsageError(`${question} Use --yes to confirm.`);
  const figures = await formatFigures(operation, request, io.env);
  if (figures) io.printError(`${figures}\n`);
  const reply = await io.ask(`${question} Type yes to go on: `);
  if (reply.trim().toLowerCase() !== 'yes') throw new CommandError('Nothing was changed.');
}

/** Formats the result of a dry run, or the resource to be changed if the operation has no dry run. */
async function formatFigures(operation: Operation, request: BuiltRequest, env: Environment) {
  const dryRunInput = operation.inputs['dry-run'];
  if (dryRunInput) {
    const dryRunRequest =
      dryRunInput.in === 'query'
        ? addQuery(request, { dry_run: 'true' })
        : { ...request, body: { ...(request.body as Json), dry_run: true } };
    const dryRunResult = (await (await callStaffApi(env, dryRunRequest)).json()) as Json & Partial<ListBody>;
    if (operation.responseKind === 'list') return formatList(operation, dryRunResult.data!);
    return formatRecord(dryRunResult, operation.formats);
  }
  if (!operation.figures) return undefined;
  // The path of the resource is the beginning of the request's path.
  const depth = operation.figures.split('/').length;
  const [requestPath = ''] = request.path.split('?');
  const path = requestPath.split('/').slice(0, depth).join('/');
  const resource = (await (await callStaffApi(env, { method: 'GET', path })).json()) as Json;
  const getCommand = readManifest().find(
    (command) => command.operation?.method === 'GET' && command.operation.path === operation.figures,
  );
  return formatRecord(resource, getCommand?.operation?.formats);
}

const listInputFormats = ({ inputs }: Operation): Operation['formats'] =>
  Object.fromEntries(
    Object.values(inputs)
      .filter(({ type }) => type === 'reais')
      .map(({ name }) => [name, 'reais']),
  );

function printResult(
  { done, prints, formats, responseKind }: Operation,
  responseBody: Json,
  values: Json,
  io: CommandIo,
) {
  const sentence = done && fillText(done, { ...values, ...responseBody }, formats);
  if (prints) {
    if (sentence) io.printError(sentence);
    for (const field of prints) io.print(fillText(`{${field}}`, responseBody, formats));
  } else io.print(sentence ?? (responseKind === 'none' ? 'Done.' : formatRecord(responseBody, formats)));
}

type PendingApproval = { approval: { id: string } };
const requiresApproval = (response: Response, responseBody: object): responseBody is PendingApproval =>
  response.status === 202 && 'approval' in responseBody;

function printApproval({ approval: { id } }: PendingApproval, { print }: CommandIo): void {
  print(
    `This requires the approval of a second person, ${id}. Another staff user can approve it with 'semana approvals approve ${id}'.`,
  );
}

async function printStream(response: Response, { print }: CommandIo): Promise<void> {
  const decoder = new TextDecoder();
  let partialLine = '';
  for await (const chunk of response.body!) {
    const lines = (partialLine + decoder.decode(chunk, { stream: true })).split('\n');
    partialLine = lines.pop()!;
    if (lines.length > 0) print(lines.join('\n'));
  }
  if (partialLine) print(partialLine);
}

async function saveFile(response: Response, args: Arguments, { stdout, print }: CommandIo): Promise<void> {
  const file = args.getOption('output');
  const isText = /^text\//.test(response.headers.get('content-type') ?? '');
  if (file === undefined && isText) return print(await response.text());
  if (file === undefined && (!stdout || stdout.isTTY))
    throw new UsageError('The response is a file: use --output FILE.');
  const outputStream = file === undefined ? stdout! : createWriteStream(file);
  await pipeline(Readable.fromWeb(response.body as never), outputStream).catch((error: Error) => {
    throw new CommandError(`'${file ?? 'standard output'}' cannot be written: ${error.message}.`);
  });
}
