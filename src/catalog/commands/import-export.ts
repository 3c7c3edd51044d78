import { createReadStream, createWriteStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import {
  type Arguments,
  type Command,
  type CommandContext,
  CommandError,
  type Option,
  UsageError,
} from '#platform/command-line/command.ts';
import { ProgressBar } from '#platform/command-line/progress-bar.ts';
import type { Queryable } from '#platform/database/db.ts';
import { createCommandAuditContext } from '#platform/privacy/audit-trail.ts';
import { type Encoding, FileError } from '#platform/text-file.ts';
import {
  type CellValue,
  describeColumns,
  type GetMaxPlanRate,
  KINDS,
  type KindName,
  listRequiredFields,
} from '../content/kinds.ts';
import { type Format, type ImportMode, importRecords, readRecords } from '../import/import-records.ts';

const FILE_ARGUMENT = { name: 'FILE', help: 'the file, or - for standard input' };

const ENCODING_OPTION: Option = { value: 'NAME', help: 'utf-8 or latin1 (default utf-8)' };

function parseEncoding(args: Arguments): Encoding {
  const encoding = args.getOption('encoding');
  if (encoding === undefined || encoding === 'utf-8' || encoding === 'utf8') return 'utf-8';
  if (encoding === 'latin1') return 'latin1';
  throw new UsageError(`--encoding is '${encoding}'; it must be utf-8 or latin1.`);
}

async function* readBytes(path: string, { stdin }: CommandContext): AsyncGenerator<Buffer> {
  try {
    yield* (path === '-' ? stdin : createReadStream(path)) as AsyncIterable<Buffer>;
  } catch (error) {
    const { message } = error as Error;
    throw new FileError({
      en: `'${path}' cannot be read: ${message}.`,
      pt: `'${path}' não pode ser lido: ${message}.`,
    });
  }
}

const KIND_NAMES = Object.keys(KINDS) as KindName[];

export const buildImportCommands = (getMaxRate: GetMaxPlanRate): Command[] =>
  KIND_NAMES.map((kind) => ({
    name: `import ${kind}`,
    summary: `add or change ${kind} from a CSV or JSON Lines file`,
    positionals: [FILE_ARGUMENT],
    options: {
      'all-or-nothing': {
        help: 'import nothing if any line is invalid (by default the valid lines are imported)',
      },
      'dry-run': { help: 'check the file and write nothing' },
      format: { value: 'FORMAT', help: 'csv or jsonl (default: from the file extension)' },
      encoding: ENCODING_OPTION,
    },
    details:
      `Fields: ${Object.keys(KINDS[kind].fields).join(', ')}.\n` +
      `A record with an existing ${KINDS[kind].key} is updated, only in the columns of the file; an empty cell clears the field.\n` +
      `A new record requires ${listRequiredFields(KINDS[kind]).join(', ')}. Every invalid line is reported with its number on standard error.\n` +
      'Exit code: 0 all lines were valid, 1 some were invalid, 2 the file could not be read.',
    examples: [`semana import ${kind} ${kind}.csv`, `semana import ${kind} ${kind}.jsonl --all-or-nothing`],
    run: (context, args) => importFile(context, args, { kind, getMaxRate }),
  }));

async function importFile(
  context: CommandContext,
  args: Arguments,
  { kind, getMaxRate }: { kind: KindName; getMaxRate: GetMaxPlanRate },
): Promise<number> {
  const [path = ''] = args.positionals;
  const format = parseFormat(args.getOption('format'), path);
  const encoding = parseEncoding(args);
  const columns = describeColumns(KINDS[kind]);
  const fileSize = await findFileSize(path);
  let bytesRead = 0;
  const countBytes = async function* () {
    for await (const chunk of readBytes(path, context)) {
      bytesRead += chunk.length;
      yield chunk;
    }
  };

  const bar = new ProgressBar(`Importing ${kind}`);
  let invalidCount = 0;
  const mode = parseMode(args);
  try {
    const report = await importRecords(context.db, readRecords(countBytes(), { format, encoding, columns }), {
      kind,
      mode,
      getMaxRate,
      auditContext: createCommandAuditContext(context, `import ${kind}`),
      onInvalidLine(line, message) {
        invalidCount++;
        bar.clear();
        context.printError(`line ${line}: ${message.en}`);
      },
      onProgress() {
        const note = invalidCount > 0 ? `${invalidCount} invalid` : '';
        if (fileSize === undefined) bar.showNote(note);
        else bar.show(bytesRead / fileSize, note);
      },
    });
    bar.clear();
    context.print(describeOutcome(kind, mode, report));
    return report.invalidCount > 0 ? 1 : 0;
  } catch (error) {
    bar.clear();
    if (!(error instanceof FileError)) throw error;
    context.printError(error.message);
    return 2;
  }
}

function parseMode(args: Arguments): ImportMode {
  if (args.has('dry-run')) return 'dry-run';
  return args.has('all-or-nothing') ? 'all-or-nothing' : 'skip-invalid-lines';
}

function describeOutcome(
  kind: KindName,
  mode: ImportMode,
  { validCount, invalidCount }: { validCount: number; invalidCount: number },
): string {
  const counts = `${validCount} good, ${invalidCount} bad`;
  if (mode === 'dry-run') return `Checked ${kind}: ${counts}. Nothing was written (--dry-run).`;
  if (mode === 'all-or-nothing' && invalidCount > 0)
    return `Nothing was imported (--all-or-nothing): ${counts}.`;
  const omission = invalidCount > 0 ? `; ${invalidCount} bad lines were left out` : '';
  return `Imported ${validCount} ${kind}${omission}.`;
}

/** Finds the size for the progress bar. Undefined for a pipe or an unreadable file, which is reported when it is opened. */
async function findFileSize(path: string): Promise<number | undefined> {
  const stats = path === '-' ? undefined : await stat(path).catch(() => undefined);
  return stats?.size || undefined;
}

function parseFormat(option: string | undefined, path: string): Format {
  const [, extension] = /\.(csv|jsonl|ndjson)$/.exec(path.toLowerCase()) ?? [];
  const format = option ?? (extension === 'ndjson' ? 'jsonl' : extension);
  if (format === 'csv' || format === 'jsonl') return format;
  throw new UsageError(`Say with --format whether '${path}' is csv or jsonl.`);
}

const EXPORT_BATCH_SIZE = 500;

export const exportCommands: Command[] = KIND_NAMES.map((kind) => ({
  name: `export ${kind}`,
  summary: `write all ${kind} to a file that 'import ${kind}' reads`,
  positionals: [{ name: 'FILE', help: 'the file, or - for standard output', optional: true }],
  options: {
    format: {
      value: 'FORMAT',
      help: 'csv or jsonl (default: from the file extension; jsonl on standard output)',
    },
  },
  details:
    `Writes every field, ordered by ${KINDS[kind].key}. Importing the file into the same database changes nothing.\n` +
    'A CSV file contains texts unchanged: a spreadsheet may treat a text that begins with = as a formula.',
  examples: [`semana export ${kind} ${kind}.csv`, `semana export ${kind} | gzip > ${kind}.jsonl.gz`],
  run: (context, args) => exportFile(context, args, kind),
}));

async function exportFile(context: CommandContext, args: Arguments, kind: KindName): Promise<undefined> {
  const [path = '-'] = args.positionals;
  const defaultFormat = path === '-' ? 'jsonl' : undefined;
  const format = parseFormat(args.getOption('format') ?? defaultFormat, path);
  let lineCount = 0;
  const countLines = async function* () {
    for await (const line of exportLines(context.db, kind, format)) {
      lineCount++;
      yield line;
    }
  };
  if (path === '-') {
    for await (const line of countLines()) context.print(line);
  } else {
    await pipeline(
      Readable.from(countLines()),
      async function* (lines: AsyncIterable<string>) {
        for await (const line of lines) yield `${line}\n`;
      },
      createWriteStream(path),
    ).catch((error: Error) => {
      throw new CommandError(`'${path}' cannot be written: ${error.message}.`);
    });
  }
  const headingLines = format === 'csv' ? 1 : 0;
  // Standard output may be the export itself.
  context.printError(`Exported ${lineCount - headingLines} ${kind}.`);
  return undefined;
}

async function* exportLines(db: Queryable, kind: KindName, format: Format): AsyncGenerator<string> {
  const { fields, key, listAfter, toCells } = KINDS[kind];
  const columns = Object.keys(fields);
  if (format === 'csv') yield columns.join(',');
  // Every key sorts after the empty text.
  for (let afterKey = ''; ; ) {
    const records = await listAfter(db, afterKey, EXPORT_BATCH_SIZE);
    for (const record of records) {
      const cells = toCells(record);
      yield format === 'csv'
        ? columns.map((name) => toCsvCell(cells[name]!)).join(',')
        : JSON.stringify(Object.fromEntries(columns.map((name) => [name, cells[name]])));
    }
    if (records.length < EXPORT_BATCH_SIZE) return;
    afterKey = records.at(-1)![key] as string;
  }
}

/** Quotes a text that an import would otherwise split, trim or unquote: imports accept every separator and every kind of line break. */
function toCsvCell(value: CellValue): string {
  const text = Array.isArray(value) ? value.join(';') : String(value ?? '');
  return /["\r\n,;\t]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
