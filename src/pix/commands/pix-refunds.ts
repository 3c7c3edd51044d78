import { inReais } from '#core/money.ts';
import { type Command, table } from '#platform/command.ts';
import { listStrandedRefunds } from '../store/refunds.ts';

const MOST_SHOWN = 100;

export const pixRefunds: Command = {
  name: 'pix refunds',
  summary: 'show money that could not be given back',
  options: { json: { help: 'one JSON object a line, for scripts' } },
  details: `The last ${MOST_SHOWN}, newest first: refunds that were tried and given up. The money is still at the PSP, and owed.`,
  async run({ db, print }, args) {
    const refunds = await listStrandedRefunds(db, MOST_SHOWN);
    if (args.has('json')) for (const refund of refunds) print(JSON.stringify(refund));
    else if (refunds.length === 0) print('None: every refund was carried out, or is still being tried.');
    else {
      const rows = refunds.map((refund) => [
        ...[refund.end_to_end_id, refund.customer_id, inReais(refund.stranded_cents)],
        ...[refund.reason ?? '-', refund.created_at.toISOString().slice(0, 19)],
      ]);
      print(table(['END-TO-END ID', 'CUSTOMER', 'REAIS', 'REASON', 'AT'], rows));
    }
    return undefined;
  },
};
