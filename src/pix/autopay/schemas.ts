import { Type } from 'typebox';
import { customerNameField } from '#platform/http/masking.ts';
import { Id, TextOrNull, Timestamp } from '#platform/http/schemas.ts';
import { AmountInReais } from '../schemas.ts';
import { AUTHORISATION_STATUSES } from '../store/authorisations.ts';
import { DEBIT_STATUSES } from '../store/lists.ts';

const hash = Type.String({ examples: ['3kTMd9vR2xYb7LqWn0PzAh'] });
const TimestampOrNull = (description: string) => TextOrNull({ format: 'date-time', description });
const DayField = (description: string) =>
  Type.String({ format: 'date', description, examples: ['2026-11-22'] });

export const StaffAutopay = Type.Object(
  {
    id: Id('aut'),
    customer_id: Id('cus'),
    ...customerNameField,
    checkout_hash: hash,
    status: Type.Enum([...AUTHORISATION_STATUSES]),
    first: Type.Boolean({ description: 'Whether its code also paid the first installment.' }),
    largest: AmountInReais('The largest debit that it must allow, in reais.'),
    starts_on: DayField('The first due day.'),
    ends_on: DayField('The last day of the authorisation.'),
    created_at: Timestamp(),
    activated_at: TimestampOrNull('When the payer authorised it.'),
    ended_at: TimestampOrNull('When it ended.'),
    ended_by: TextOrNull({ description: 'customer, payer, bank or service.' }),
    reason: TextOrNull({
      description:
        'Why it ended: a code of the Pix network, or one of `nothing_owed`, `replaced`, `over`, `asked`, `erased`.',
    }),
  },
  { $id: 'StaffAutopay' },
);

export const StaffDebit = Type.Object(
  {
    id: Id('pix', { description: 'The id of its charge.' }),
    customer_id: Id('cus'),
    ...customerNameField,
    autopay_id: Id('aut'),
    checkout_hash: hash,
    installment_id: Id('ins'),
    status: Type.Enum([...DEBIT_STATUSES], {
      description:
        '`withdrawn`: before its day the installment was paid or changed, or the authorisation ended.',
    }),
    value: AmountInReais('The amount of the debit, in reais.'),
    due_on: DayField('The due day of the installment.'),
    attempt_on: DayField('The day of the planned attempt, or else of the last one.'),
    tries: Type.Integer({ description: 'The number of days on which the bank attempted it.' }),
    reason: TextOrNull({ description: 'Why the bank refused the last attempt, as a text in Portuguese.' }),
  },
  { $id: 'StaffDebit' },
);
