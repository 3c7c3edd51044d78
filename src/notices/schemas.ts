import { Type } from 'typebox';
import { HASH_PATTERN } from '#credit';
import { Id, NullableObject, Reais, Timestamp } from '#platform/http/schemas.ts';

const ADay = (description: string) => Type.String({ format: 'date', description, examples: ['2026-11-22'] });

const DueDay = Type.Object({
  installment_id: Id('ins'),
  checkout_hash: Type.String({ pattern: HASH_PATTERN, examples: ['3kTMd9vR2xYb7LqWn0PzAh'] }),
  merchant: Type.String({ examples: ['Padaria Flor do Trigo'] }),
  number: Type.Integer(),
  of: Type.Integer({ description: 'How many installments the purchase has.' }),
  due_on: ADay('The day that was agreed, or bought by an extension.'),
  effective_due_on: ADay('The day after which it is late.'),
  outstanding: Reais('What is left of it, without penalties'),
});

export const WalletCalendar = Type.Object(
  {
    data: Type.Array(DueDay, { description: 'Everything that is not paid, the longest due first.' }),
    feed: NullableObject(
      { created_at: Timestamp() },
      { description: 'Whether there is a secret address for calendars of others, and since when.' },
    ),
  },
  { $id: 'WalletCalendar' },
);

export const CalendarFeed = Type.Object(
  {
    url: Type.String({
      description: 'The secret address, shown once. Whoever has it sees merchants, numbers and amounts.',
      examples: ['https://api.semana.example/calendar/3kTMd9vR2xYb7LqWn0PzAh3kTMd9vR2x.ics'],
    }),
    created_at: Timestamp(),
  },
  { $id: 'CalendarFeed' },
);
