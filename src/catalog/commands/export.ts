import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import {
  type Arguments,
  type Command,
  type CommandContext,
  CommandFault,
} from '#platform/command-line/command.ts';
import type { Queryable } from '#platform/database/db.ts';
import { type CellValue, KINDS, type KindName } from '../import/kinds.ts';
import type { Format } from '../import/read-records.ts';
import { readFormat } from './import.ts';

const names = Object.keys(KINDS) as KindName[];
const EXPORT_BATCH_SIZE = 500;

export const exportCommands: Command[] = names.map((kind) => ({
  name: `export ${kind}`,
  summary: `write all ${kind} to a file that 'import ${kind}' reads`,
  positionals: [{ name: 'FILE', help: 'the file, or - for standard output', optional: true }],
  options: {
    format: {
      value: 'FORMAT',
      help: 'csv or jsonl (default: by the ending of the file name, jsonl on standard output)',
    },
  },
  details:
    `Every field, in order of ${KINDS[kind].key}. Imported where it comes from, the file changes nothing; imported elsewhere, the same is there.\n` +
    'A CSV file holds texts as they are: a spreadsheet may take one that begins with = for a formula.',
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
  const counted = async function* () {
    for await (const line of linesOf(context.db, kind, format)) {
      count++;
      yield line;
    }
  };
  if (path === '-') for await (const line of counted()) context.print(line);
  else
    await pipeline(
      Readable.from(counted()),
      async function* (lines: AsyncIterable<string>) {
        for await (const line of lines) yield `${line}\n`;
      },
      createWriteStream(path),
    ).catch((error: Error) => {
      throw new CommandFault(`'${path}' cannot be written: ${error.message}.`);
    });
  context.printError(`Exported ${count - (format === 'csv' ? 1 : 0)} ${kind}.`);
  return undefined;
}

async function* linesOf(db: Queryable, kind: KindName, format: Format): AsyncGenerator<string> {
  const { fields, key, listAfter, show } = KINDS[kind];
  const columns = Object.keys(fields);
  if (format === 'csv') yield columns.join(',');
  for (let after = ''; ; ) {
    const records = await listAfter(db, after, EXPORT_BATCH_SIZE);
    for (const record of records) {
      const shown = show(record);
      yield format === 'csv'
        ? columns.map((name) => cellOf(shown[name]!)).join(',')
        : JSON.stringify(Object.fromEntries(columns.map((name) => [name, shown[name]])));
    }
    if (records.length < EXPORT_BATCH_SIZE) return;
    after = records.at(-1)![key] as string;
  }
}

function cellOf(value: CellValue): string {
  const text = Array.isArray(value) ? value.join(';') : String(value ?? '');
  return /["\n,;\t]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
