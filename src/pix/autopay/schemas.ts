import { Type } from 'typebox';
import { customerName } from '#platform/http/personal.ts';
import { Id, TextOrNull, Timestamp } from '#platform/http/schemas.ts';
import { amount } from '../schemas.ts';
import { AUTHORISATION_STATUSES } from '../store/authorisations.ts';
import { DEBIT_STATUSES } from '../store/lists.ts';

const hash = Type.String({ examples: ['3kTMd9vR2xYb7LqWn0PzAh'] });
const InstantOrNull = (description: string) => TextOrNull({ format: 'date-time', description });
const ADay = (description: string) => Type.String({ format: 'date', description, examples: ['2026-11-22'] });

export const StaffAutopay = Type.Object(
  {
    id: Id('aut'),
    customer_id: Id('cus'),
    ...customerName,
    checkout_hash: hash,
    status: Type.Enum([...AUTHORISATION_STATUSES]),
    first: Type.Boolean({ description: 'Its code also paid an installment.' }),
    largest: amount('The largest debit it has to allow, in reais.'),
    starts_on: ADay('The first due day.'),
    ends_on: ADay('Its last day.'),
    created_at: Timestamp(),
    activated_at: InstantOrNull('When the payer authorised it.'),
    ended_at: InstantOrNull('When it ended.'),
    ended_by: TextOrNull({ description: 'customer, payer, bank or service.' }),
    reason: TextOrNull({ description: 'Why: a code of the Pix network, or a word of ours.' }),
  },
  { $id: 'StaffAutopay' },
);

export const StaffDebit = Type.Object(
  {
    id: Id('pix', { description: 'The charge that it is.' }),
    customer_id: Id('cus'),
    ...customerName,
    autopay_id: Id('aut'),
    checkout_hash: hash,
    installment_id: Id('ins'),
    status: Type.Enum([...DEBIT_STATUSES], {
      description:
        '`withdrawn`: the installment was paid or changed, or the authorisation ended, before its day.',
    }),
    value: amount('What is debited, in reais.'),
    due_on: ADay('When the installment falls due.'),
    attempt_on: ADay('The day of the attempt that is planned, or was the last.'),
    tries: Type.Integer({ description: 'On how many days the bank tried.' }),
    reason: TextOrNull({ description: 'What the bank said last, in words, in Portuguese.' }),
  },
  { $id: 'StaffDebit' },
);
