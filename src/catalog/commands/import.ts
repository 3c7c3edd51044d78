import { stat } from 'node:fs/promises';
import {
  type Arguments,
  type Command,
  type CommandContext,
  UsageFault,
} from '#platform/command-line/command.ts';
import { ENCODING, FILE, readBytes, readEncoding } from '#platform/command-line/file-argument.ts';
import { ProgressBar } from '#platform/command-line/progress-bar.ts';
import { FileFault } from '#platform/files/read-lines.ts';
import { changeByCommand } from '#platform/privacy/trail.ts';
import { columnsOf, requiredFields } from '../import/check-record.ts';
import { importRecords } from '../import/import-records.ts';
import { KINDS, type KindName } from '../import/kinds.ts';
import { type Format, readRecords } from '../import/read-records.ts';

const names = Object.keys(KINDS) as KindName[];

/** Import and export: each reads what the other writes. */
export const importCommands: Command[] = names.map((kind) => ({
  name: `import ${kind}`,
  summary: `add or change ${kind} from a CSV or JSON Lines file`,
  positionals: [FILE],
  options: {
    'all-or-nothing': { help: 'import nothing if any line is bad (otherwise the good lines are imported)' },
    'dry-run': { help: 'check the file and write nothing' },
    format: { value: 'FORMAT', help: 'csv or jsonl (default: by the ending of the file name)' },
    encoding: ENCODING,
  },
  details:
    `Fields: ${Object.keys(KINDS[kind].fields).join(', ')}.\n` +
    `A record that has the same ${KINDS[kind].key} is changed, but only in the columns that the file has; an empty cell empties the\n` +
    `field. A new one needs ${requiredFields(KINDS[kind]).join(', ')}. Every bad line is reported with its number on standard error.\n` +
    'Exit code: 0 all lines were good, 1 some were bad, 2 the file could not be read.',
  examples: [`semana import ${kind} ${kind}.csv`, `semana import ${kind} ${kind}.jsonl --all-or-nothing`],
  run: (context, args) => importFile(context, args, kind),
}));

async function importFile(context: CommandContext, args: Arguments, kind: KindName): Promise<number> {
  const path = args.positionals[0]!;
  const format = readFormat(args.option('format'), path);
  const encoding = readEncoding(args);
  const columns = columnsOf(KINDS[kind]);
  const size = await sizeOf(path);
  let read = 0;
  const counted = async function* () {
    for await (const chunk of readBytes(path, context)) {
      read += chunk.length;
      yield chunk;
    }
  };

  const bar = new ProgressBar(`Importing ${kind}`);
  let bad = 0;
  const keep = args.has('dry-run') ? 'dry' : args.has('all-or-nothing') ? 'none' : 'rest';
  try {
    const report = await importRecords(context.db, readRecords(counted(), { format, encoding, columns }), {
      kind,
      keep,
      change: changeByCommand(context, `import ${kind}`),
      onFault(line, fault) {
        bad++;
        bar.clear();
        context.printError(`line ${line}: ${fault.en}`);
      },
      onProgress: () => bar.show(size === undefined ? undefined : read / size, bad > 0 ? `${bad} bad` : ''),
    });
    bar.clear();
    context.print(summary(kind, keep, report));
    return report.bad > 0 ? 1 : 0;
  } catch (error) {
    bar.clear();
    if (!(error instanceof FileFault)) throw error;
    context.printError(error.message);
    return 2;
  }
}

function summary(
  kind: KindName,
  keep: 'rest' | 'none' | 'dry',
  report: { good: number; bad: number },
): string {
  const counts = `${report.good} good, ${report.bad} bad`;
  if (keep === 'dry') return `Checked ${kind}: ${counts}. Nothing was written (--dry-run).`;
  if (keep === 'none' && report.bad > 0) return `Nothing was imported (--all-or-nothing): ${counts}.`;
  return `Imported ${report.good} ${kind}${report.bad > 0 ? `; ${report.bad} bad lines were left out` : ''}.`;
}

/** For the progress bar only: undefined for a pipe. A file that cannot be read is reported when it is opened. */
async function sizeOf(path: string): Promise<number | undefined> {
  const found = path === '-' ? undefined : await stat(path).catch(() => undefined);
  return found?.size || undefined;
}

export function readFormat(wanted: string | undefined, path: string): Format {
  const format = wanted ?? /\.(csv|jsonl|ndjson)$/i.exec(path)?.[1]?.toLowerCase().replace('ndjson', 'jsonl');
  if (format === 'csv' || format === 'jsonl') return format;
  throw new UsageFault(`Say with --format whether '${path}' is csv or jsonl.`);
}
