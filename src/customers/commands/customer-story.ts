import { instant } from '#platform/command-line/cells.ts';
import { UsageFault } from '#platform/command-line/command.ts';
import { readingCommand, tableOf } from '#platform/command-line/reading.ts';
import type { PersonalData } from '#platform/privacy/personal-data.ts';
import { tellStory } from '../tell-story.ts';
import { CUSTOMER, requireCustomer } from './customer-option.ts';

export const customerStory = (personalData: () => readonly PersonalData[]) =>
  readingCommand({
    name: 'customer story',
    summary: 'tell what happened to a customer, newest first',
    positionals: [CUSTOMER],
    options: { limit: { value: 'N', help: 'how many lines, at most 1000 (default 50)' } },
    async read({ db }, args) {
      const limit = Number(args.option('limit') ?? 50);
      if (!Number.isInteger(limit) || limit < 1 || limit > 1_000)
        throw new UsageFault('--limit is a whole number from 1 to 1000.');
      const id = await requireCustomer(db, args.positionals[0]!);
      const { total, rows: lines } = await tellStory(db, personalData(), id, { offset: 0, limit });
      const text = tableOf(lines, { AT: instant('at'), WHAT: 'text' }, 'Nothing.');
      const records = lines.map(({ masked: _, ...line }) => line);
      return { records, text, note: `${lines.length} of ${total}.` };
    },
  });
