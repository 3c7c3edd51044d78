import { type Command, CommandFault, fieldsOf } from '#platform/command-line/command.ts';
import { readingCommand, tableOf } from '#platform/command-line/reading.ts';
import { toCheckoutRecord } from '../purchases/checkout-record.ts';
import { findCheckoutRecord, findCustomerOf } from '../purchases/reading-store.ts';
import { renderForOperator } from '../purchases/render-checkout.ts';

export const checkoutShow: Command = readingCommand({
  name: 'checkout show',
  summary: 'show one purchase, its installments and what is owed',
  positionals: [{ name: 'HASH', help: 'hash of the purchase, see checkout list' }],
  examples: ['semana checkout show 3kTz9QmVb7LxWc2RfYp8Hd'],
  async read({ db, clock }, { positionals: [hash = ''] }) {
    const customerId = await findCustomerOf(db, hash);
    const row = customerId === undefined ? undefined : await findCheckoutRecord(db, customerId, hash);
    if (!row) throw new CommandFault(`There is no purchase ${hash}. See 'semana checkout list'.`);
    const record = toCheckoutRecord({ ...row, merchant_logo_url: null });
    const purchase = renderForOperator(record, { now: clock.now().getTime(), publicUrl: '' });
    const { installments, terms: _, amounts, cost: __, merchant, ...fields } = purchase;
    const shown = tableOf(
      installments,
      {
        ID: ({ id }) => id ?? '-',
        NO: ({ number }) => String(number),
        'DUE ON': ({ due_on }) => due_on,
        STATUS: ({ status }) => status,
        AMOUNT: ({ amount }) => amount.toFixed(2),
        OUTSTANDING: ({ outstanding }) => outstanding.toFixed(2),
        PENALTY: ({ penalty }) => penalty.total.toFixed(2),
        'TOTAL DUE': ({ total_due }) => total_due.toFixed(2),
      },
      '',
    );
    const text = `${fieldsOf({ ...fields, merchant: merchant.slug, ...amounts })}\n\n${shown}`;
    return { records: [purchase], text };
  },
});
