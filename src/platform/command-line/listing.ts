import { parseDay } from '#core/day.ts';
import { type Listing, listPage } from '../http/listing.ts';
import {
  type Arguments,
  type Command,
  type CommandContext,
  type CommandDeclaration,
  UsageFault,
} from './command.ts';
import { readingCommand, tableOf } from './reading.ts';

const NEWEST = 100;
const MOST = 10_000;

type ListingCommand<Row, Shown extends object> = CommandDeclaration & {
  listing(context: CommandContext, args: Arguments): Listing<Row> | Promise<Listing<Row>>;
  render(rows: Row[], context: CommandContext): Shown[] | Promise<Shown[]>;
  columns: Readonly<Record<string, (shown: Shown) => string>>;
  /** Shown for an empty list. */
  none?: string;
};

/** A command that shows a list, the newest first: the same list that the staff door has in pages. */
export function listingCommand<Row, Shown extends object>({
  listing,
  render,
  columns,
  none = 'There are none.',
  ...declaration
}: ListingCommand<Row, Shown>): Command {
  return readingCommand({
    ...declaration,
    options: {
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
      const { total, rows, isEstimated } = await listPage(context.db, await listing(context, args), {
        page: 1,
        limit,
      });
      const records = await render(rows, context);
      return {
        records,
        text: tableOf(records, columns, none),
        ...(total > rows.length && {
          note: `The newest ${rows.length} of ${isEstimated ? 'about ' : ''}${total}.`,
        }),
      };
    },
  });
}

/** --from and --to. */
export function daysOf(args: Arguments): { from?: string; to?: string } {
  const dayOf = (name: 'from' | 'to') => {
    const text = args.option(name);
    if (text === undefined) return {};
    if (parseDay(text) === null || !/^2[01]/.test(text))
      throw new UsageFault(`--${name} is '${text}'; write a day, like 2026-11-15.`);
    return { [name]: text };
  };
  return { ...dayOf('from'), ...dayOf('to') };
}

/** An option with a fixed set of values. Undefined when it is not given. */
export function choiceOf<T extends string>(
  args: Arguments,
  name: string,
  choices: readonly T[],
): T | undefined {
  const text = args.option(name);
  if (text !== undefined && !(choices as readonly string[]).includes(text))
    throw new UsageFault(`--${name} is one of ${choices.join(', ')}.`);
  return text as T | undefined;
}
