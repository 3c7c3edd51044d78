import { Type } from 'typebox';
import { HASH_PATTERN } from '#credit';
import { Id, NullableObject, Reais, Timestamp } from '#platform/http/schemas.ts';

const DayField = (description: string) =>
  Type.String({ format: 'date', description, examples: ['2026-11-22'] });

const DueDay = Type.Object({
  installment_id: Id('ins'),
  checkout_hash: Type.String({ pattern: HASH_PATTERN, examples: ['3kTMd9vR2xYb7LqWn0PzAh'] }),
  merchant: Type.String({ examples: ['Padaria Flor do Trigo'] }),
  number: Type.Integer(),
  of: Type.Integer({ description: 'Number of installments of the purchase.' }),
  due_on: DayField('The agreed due day, or the new one after an extension.'),
  effective_due_on: DayField('The last day on which the installment is not late.'),
  outstanding: Reais('Outstanding amount without penalties'),
});

export const WalletCalendar = Type.Object(
  {
    data: Type.Array(DueDay, { description: 'All unpaid installments, longest due first.' }),
    feed: NullableObject(
      { created_at: Timestamp() },
      { description: 'The secret URL for calendar apps: when it was created; null if there is none.' },
    ),
  },
  { $id: 'WalletCalendar' },
);

export const CalendarFeed = Type.Object(
  {
    url: Type.String({
      description:
        'The secret URL, returned only once. It gives access to merchants, numbers and amounts of installments.',
      examples: ['https://api.semana.example/calendar/3kTMd9vR2xYb7LqWn0PzAh3kTMd9vR2x.ics'],
    }),
    created_at: Timestamp(),
  },
  { $id: 'CalendarFeed' },
);
