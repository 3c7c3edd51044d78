import { readingCommand, tableOf } from '#platform/command-line/reading.ts';
import { shownDay } from '#platform/command-line/times.ts';
import { listPartners } from '../store.ts';

export const partnerList = readingCommand({
  name: 'partner list',
  summary: 'show all partners',
  async read({ db }) {
    const { rows: records } = await listPartners(db, { offset: 0, limit: 1_000_000 });
    const text = tableOf(
      records,
      {
        ID: ({ id }) => id,
        NAME: ({ name }) => name,
        KEYS: ({ keys }) => String(keys),
        SINCE: ({ created_at }) => shownDay(created_at),
      },
      `No partners yet. Create one with 'semana partner create NAME'.`,
    );
    return { records, text };
  },
});
