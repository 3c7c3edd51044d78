import { inReais } from '#core/money.ts';
import { type Command, table } from '#platform/command.ts';
import { listOrphans } from '../store/payments.ts';

const MOST_SHOWN = 100;

export const pixOrphans: Command = {
  name: 'pix orphans',
  summary: 'show money that belongs to no charge of ours',
  options: { json: { help: 'one JSON object a line, for scripts' } },
  details: `The last ${MOST_SHOWN}, newest first. Nothing was done with it: refund it at the PSP, or find out whose it is.`,
  async run({ db, print }, args) {
    const { orphans, total } = await listOrphans(db, { offset: 0, limit: MOST_SHOWN });
    if (args.has('json')) for (const orphan of orphans) print(JSON.stringify(orphan));
    else if (total === 0) print('None: all money that arrived belongs to a charge.');
    else {
      const rows = orphans.map((orphan) => [
        ...[orphan.end_to_end_id, orphan.txid ?? '-', inReais(orphan.amount_cents)],
        orphan.paid_at.toISOString().slice(0, 19),
      ]);
      print(table(['END-TO-END ID', 'TXID', 'REAIS', 'PAID AT'], rows));
    }
    return undefined;
  },
};
