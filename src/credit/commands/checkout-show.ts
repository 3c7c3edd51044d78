import { reais } from '#platform/command-line/cells.ts';
import { type Command, CommandFault, fieldsOf } from '#platform/command-line/command.ts';
import { readingCommand, tableOf } from '#platform/command-line/reading.ts';
import { toCheckoutRecord } from '../purchases/checkout-record.ts';
import { findCheckoutRecord, findCustomerOf } from '../purchases/reading-store.ts';
import { renderForOperator } from '../purchases/render-checkout.ts';

export const HASH = { name: 'HASH', help: 'hash of the purchase, see checkout list' };
export const noPurchase = (hash: string) => `There is no purchase ${hash}. See 'semana checkout list'.`;

export const checkoutShow: Command = readingCommand({
  name: 'checkout show',
  summary: 'show one purchase, its installments and what is owed',
  positionals: [HASH],
  examples: ['semana checkout show 3kTz9QmVb7LxWc2RfYp8Hd'],
  async read({ db, clock }, { positionals: [hash = ''] }) {
    const customerId = await findCustomerOf(db, hash);
    const row = customerId === undefined ? undefined : await findCheckoutRecord(db, customerId, hash);
    if (!row) throw new CommandFault(noPurchase(hash));
    const record = toCheckoutRecord({ ...row, merchant_logo_url: null });
    const purchase = renderForOperator(record, { now: clock.now().getTime(), publicUrl: '' });
    const { installments, terms: _, amounts, cost: __, merchant, ...fields } = purchase;
    const shown = tableOf(
      installments,
      {
        ID: 'id',
        NO: 'number',
        'DUE ON': 'due_on',
        STATUS: 'status',
        AMOUNT: reais('amount'),
        OUTSTANDING: reais('outstanding'),
        PENALTY: ({ penalty }) => penalty.total.toFixed(2),
        'TOTAL DUE': reais('total_due'),
      },
      '',
    );
    const text = `${fieldsOf({ ...fields, merchant: merchant.slug, ...amounts })}\n\n${shown}`;
    return { records: [purchase], text };
  },
});
