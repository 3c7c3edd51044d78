import { Type } from 'typebox';
import { Personal } from '#platform/http/personal.ts';
import { NullableObject, Timestamp } from '#platform/http/schemas.ts';

/** In a customer: null when none waits. */
export const PhoneChange = NullableObject(
  {
    phone: Personal('phone', { description: 'The new phone.' }),
    asked_by: Type.String({ description: 'Who asked for it, as the audit trail has it.' }),
    asked_at: Timestamp(),
    counts_at: Timestamp({
      description: 'When it takes effect, unless it is confirmed or cancelled before.',
    }),
  },
  { description: 'A new phone that does not count yet.' },
);
