import { type Command, CommandFault } from '#platform/command-line/command.ts';
import { readingCommand, tableOf } from '#platform/command-line/reading.ts';
import { shownInstant } from '#platform/command-line/times.ts';
import { renderLine, renderPayout } from '../render.ts';
import { findPayout, listPayoutLines } from '../store.ts';
import { PAYOUT_COLUMNS } from './payout-list.ts';

const MOST_SHOWN = 1_000;

export const payoutShow: Command = readingCommand({
  name: 'payout show',
  summary: 'show a payout and what it settled',
  positionals: [{ name: 'PAYOUT_ID', help: 'id of the payout, see payout list' }],
  examples: ['semana payout show pay_01kfx3v9e2r4s6t8w0y2a4c6e8'],
  async read({ db }, { positionals: [id = ''] }) {
    const row = await findPayout(db, id);
    if (!row) throw new CommandFault(`There is no payout '${id}'; 'semana payout list' shows them.`);
    const { total, lines } = await listPayoutLines(db, id, { offset: 0, limit: MOST_SHOWN });
    const payout = renderPayout(row);
    const rendered = lines.map(renderLine);
    const settled = tableOf(
      rendered,
      {
        WHEN: ({ occurred_at }) => shownInstant(occurred_at),
        KIND: ({ kind }) => kind,
        AMOUNT: ({ amount }) => amount.toFixed(2),
        ABOUT: ({ checkout_hash, of_payout }) => checkout_hash ?? of_payout ?? '-',
      },
      'Nothing.',
    );
    return {
      records: [{ ...payout, lines: rendered, total }],
      text: `${tableOf([payout], PAYOUT_COLUMNS, '')}\n\n${settled}`,
      ...(total > MOST_SHOWN && { note: `The first ${MOST_SHOWN} of ${total} lines.` }),
    };
  },
});
