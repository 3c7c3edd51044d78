import type { Arguments, Command, CommandContext, CommandDeclaration, Option } from './command.ts';

type QueryResult = {
  /** Printed with --json, one object per line. */
  readonly records: readonly object[];
  /** Printed without --json. */
  readonly text: string;
  readonly exitCode?: number;
};

/** `printResult` prints a result before the command ends, as JSON or as text. */
type QueryContext = CommandContext & { printResult(record: object, text: string): void };

type QueryDeclaration = CommandDeclaration &
  Pick<Command, 'requiredSettings'> & { query(context: QueryContext, args: Arguments): Promise<QueryResult> };

const JSON_OPTION: Option = { help: 'one JSON object per line, for scripts' };

export function queryCommand({ query, ...declaration }: QueryDeclaration): Command {
  return {
    ...declaration,
    options: { ...declaration.options, json: JSON_OPTION },
    async run(context, args) {
      const { print } = context;
      const asJson = args.has('json');
      const printResult = (record: object, text: string) => print(asJson ? JSON.stringify(record) : text);
      const { records, text, exitCode } = await query({ ...context, printResult }, args);
      if (asJson) for (const record of records) print(JSON.stringify(record));
      else print(text);
      return exitCode;
    },
  };
}
