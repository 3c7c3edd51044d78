import { type Listing, listPage } from '../http/listing.ts';
import {
  type Arguments,
  type Command,
  type CommandContext,
  type CommandDeclaration,
  type Option,
  UsageFault,
} from './command.ts';
import { type Columns, tableCommand } from './reading.ts';
import { readDay } from './values.ts';

const NEWEST = 100;
const MOST = 10_000;

/** An option that narrows a list. */
export type Filter<T> = Option & {
  /** The name of the option, where it is not that of the filter. */
  option?: string;
  read(text: string, context: CommandContext, option: string): T | Promise<T>;
};

/** Without `read` the text counts as it is given. */
type Filters = Readonly<Record<string, Option & Partial<Pick<Filter<unknown>, 'option' | 'read'>>>>;
type Read<F> = F extends Filter<infer T> ? Awaited<T> : string;
/** Those of --from and --to. */
type Days = { from?: string | undefined; to?: string | undefined };
/** What is asked for. */
type Wanted<F extends Filters> = { [Name in keyof F]?: Read<F[Name]> } & Days;

type ListingCommand<Row, Shown extends object, F extends Filters> = CommandDeclaration & {
  filters?: F;
  listing(wanted: Wanted<F>, context: CommandContext, args: Arguments): Listing<Row> | Promise<Listing<Row>>;
  render(rows: Row[], context: CommandContext): Shown[] | Promise<Shown[]>;
  columns: Columns<NoInfer<Shown>>;
  /** Shown for an empty list. */
  none?: string;
};

/** A command that shows a list, the newest first: the same list that the staff door has in pages. */
export function listingCommand<Row, Shown extends object, F extends Filters = Record<never, never>>({
  filters = {} as F,
  listing,
  render,
  none = 'There are none.',
  ...declaration
}: ListingCommand<Row, Shown, F>): Command {
  const narrowing = Object.entries(filters).map(([name, { option = name, ...filter }]) => ({
    name,
    option,
    ...filter,
  }));
  return tableCommand<Shown>({
    ...declaration,
    none,
    options: {
      ...Object.fromEntries(narrowing.map((filter) => [filter.option, filter])),
      ...declaration.options,
      from: { value: 'DAY', help: 'on or after this day, e.g. 2026-11-15' },
      to: { value: 'DAY', help: 'on or before this day' },
      limit: { value: 'N', help: `how many at most, 1 to ${MOST} (default ${NEWEST})` },
    },
    async read(context, args) {
      const text = args.option('limit') ?? String(NEWEST);
      const limit = Number(text);
      if (!/^\d{1,5}$/.test(text) || limit < 1 || limit > MOST)
        throw new UsageFault(`--limit is a number from 1 to ${MOST}.`);
      const wanted: Record<string, unknown> = { from: readDay(args, 'from'), to: readDay(args, 'to') };
      for (const { name, option, read } of narrowing) {
        const given = args.option(option);
        if (given !== undefined) wanted[name] = read ? await read(given, context, option) : given;
      }
      const list = await listing(wanted as Wanted<F>, context, args);
      const { total, rows, isEstimated } = await listPage(context.db, list, { page: 1, limit });
      const records = await render(rows, context);
      const isCut = total > rows.length;
      return {
        records,
        note: isCut ? `The newest ${rows.length} of ${isEstimated ? 'about ' : ''}${total}.` : undefined,
      };
    },
  });
}

/** A filter with a fixed set of values. `value` is what they are called in the help. */
export const choice = <T extends string>(
  value: string,
  choices: readonly T[],
  help = choices.join(', '),
): Filter<T> => ({
  value,
  help,
  read: (text, _context, option) => oneOf(text, option, choices),
});

/** An option with a fixed set of values. Undefined when it is not given. */
export function choiceOf<T extends string>(
  args: Arguments,
  name: string,
  choices: readonly T[],
): T | undefined {
  const text = args.option(name);
  return text === undefined ? undefined : oneOf(text, name, choices);
}

function oneOf<T extends string>(text: string, option: string, choices: readonly T[]): T {
  const found = choices.find((one) => one === text);
  if (found === undefined) throw new UsageFault(`--${option} is one of ${choices.join(', ')}.`);
  return found;
}
