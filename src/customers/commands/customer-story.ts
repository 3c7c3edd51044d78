import { UsageFault } from '#platform/command-line/command.ts';
import { readingCommand, tableOf } from '#platform/command-line/reading.ts';
import { shownInstant } from '#platform/command-line/times.ts';
import { readCustomer } from '#platform/command-line/values.ts';
import type { PersonalData } from '#platform/privacy/personal-data.ts';
import { findCustomerId, isCustomer } from '../store.ts';
import { tellStory } from '../tell-story.ts';
import { nobody } from './customer-list.ts';

export const customerStory = (personalData: () => readonly PersonalData[]) =>
  readingCommand({
    name: 'customer story',
    summary: 'tell what happened to a customer, newest first',
    positionals: [{ name: 'CUSTOMER', help: 'id or phone of the customer' }],
    options: { limit: { value: 'N', help: 'how many lines, at most 1000 (default 50)' } },
    async read({ db }, args) {
      const limit = Number(args.option('limit') ?? 50);
      if (!Number.isInteger(limit) || limit < 1 || limit > 1_000)
        throw new UsageFault('--limit is a whole number from 1 to 1000.');
      const id = await findCustomerId(db, readCustomer(args.positionals[0]!));
      if (id === undefined || !(await isCustomer(db, id))) throw nobody();
      const { total, rows: lines } = await tellStory(db, personalData(), id, { offset: 0, limit });
      const text = tableOf(
        lines,
        { AT: ({ at }) => shownInstant(at), WHAT: ({ text: what }) => what },
        'Nothing.',
      );
      const records = lines.map(({ masked: _, ...line }) => line);
      return { records, text, note: `${lines.length} of ${total}.` };
    },
  });
