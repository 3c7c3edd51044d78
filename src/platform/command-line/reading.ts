import {
  type Arguments,
  type Command,
  type CommandContext,
  type CommandDeclaration,
  type Option,
  table,
} from './command.ts';

type Findings = {
  /** With --json: one object a line. */
  readonly records: readonly object[];
  /** Without --json: text for people. */
  readonly text: string;
  /** Goes to standard error, for people only. */
  readonly note?: string | undefined;
  readonly code?: number;
};

/** Prints intermediate results, before the rest: as JSON or as text. */
type ReadingContext = CommandContext & { found(record: object, text: string): void };

type Reading = CommandDeclaration &
  Pick<Command, 'needs'> & { read(context: ReadingContext, args: Arguments): Promise<Findings> };

const JSON_OPTION: Option = { help: 'one JSON object a line, for scripts' };

/** A command that shows something. All of them take --json. */
export function readingCommand({ read, ...declaration }: Reading): Command {
  return {
    ...declaration,
    options: { ...declaration.options, json: JSON_OPTION },
    async run(context, args) {
      const { print, printError } = context;
      const asJson = args.has('json');
      const found = (record: object, text: string) => print(asJson ? JSON.stringify(record) : text);
      const { records, text, note, code } = await read({ ...context, found }, args);
      if (asJson) for (const record of records) print(JSON.stringify(record));
      else {
        print(text);
        if (note) printError(note);
      }
      return code;
    },
  };
}

/** Fields that a table can show as they are. */
type PlainField<T> = { [F in keyof T]-?: T[F] extends string | number | null ? F : never }[keyof T] & string;

/** By heading: the name of a field, of which null is shown as -, or a function of the record. */
export type Columns<T> = Readonly<Record<string, PlainField<T> | ((record: T) => string)>>;

type TableReading<T> = Omit<Reading, 'read'> & {
  read(
    context: CommandContext,
    args: Arguments,
  ): Promise<{ records: readonly T[]; note?: string | undefined }>;
  columns: Columns<NoInfer<T>>;
  /** Shown for an empty table. */
  none: string;
};

/** A command that shows a table. */
export function tableCommand<T extends object>({
  read,
  columns,
  none,
  ...declaration
}: TableReading<T>): Command {
  return readingCommand({
    ...declaration,
    async read(context, args) {
      const found = await read(context, args);
      return { ...found, text: tableOf(found.records, columns, none) };
    },
  });
}

/** A table, or the sentence for an empty one. */
export function tableOf<T>(records: readonly T[], columns: Columns<NoInfer<T>>, none: string): string {
  if (records.length === 0) return none;
  const cells = Object.values(columns);
  const rows = records.map((record) =>
    cells.map((cell) => (typeof cell === 'string' ? String(record[cell] ?? '-') : cell(record))),
  );
  return table(Object.keys(columns), rows);
}
