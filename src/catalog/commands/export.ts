import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import {
  type Arguments,
  type Command,
  type CommandContext,
  CommandError,
} from '#platform/command-line/command.ts';
import type { Queryable } from '#platform/database/db.ts';
import { type CellValue, KINDS, type KindName } from '../import/kinds.ts';
import type { Format } from '../import/read-records.ts';
import { readFormat } from './import.ts';

const kindNames = Object.keys(KINDS) as KindName[];
const EXPORT_BATCH_SIZE = 500;

export const exportCommands: Command[] = kindNames.map((kind) => ({
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
  const path = args.positionals[0] ?? '-';
  const format =
    path === '-'
      ? readFormat(args.option('format') ?? 'jsonl', path)
      : readFormat(args.option('format'), path);
  let count = 0;
  const countLines = async function* () {
    for await (const line of exportLines(context.db, kind, format)) {
      count++;
      yield line;
    }
  };
  if (path === '-') for await (const line of countLines()) context.print(line);
  else
    await pipeline(
      Readable.from(countLines()),
      async function* (lines: AsyncIterable<string>) {
        for await (const line of lines) yield `${line}\n`;
      },
      createWriteStream(path),
    ).catch((error: Error) => {
      throw new CommandError(`'${path}' cannot be written: ${error.message}.`);
    });
  context.printError(`Exported ${count - (format === 'csv' ? 1 : 0)} ${kind}.`);
  return undefined;
}

async function* exportLines(db: Queryable, kind: KindName, format: Format): AsyncGenerator<string> {
  const { fields, key, listAfter, toCells } = KINDS[kind];
  const columns = Object.keys(fields);
  if (format === 'csv') yield columns.join(',');
  for (let after = ''; ; ) {
    const records = await listAfter(db, after, EXPORT_BATCH_SIZE);
    for (const record of records) {
      const cells = toCells(record);
      yield format === 'csv'
        ? columns.map((name) => toCsvCell(cells[name]!)).join(',')
        : JSON.stringify(Object.fromEntries(columns.map((name) => [name, cells[name]])));
    }
    if (records.length < EXPORT_BATCH_SIZE) return;
    after = records.at(-1)![key] as string;
  }
}

function toCsvCell(value: CellValue): string {
  const text = Array.isArray(value) ? value.join(';') : String(value ?? '');
  return /["\n,;\t]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
