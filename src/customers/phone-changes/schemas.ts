import { Type } from 'typebox';
import { Personal } from '#platform/http/masking.ts';
import { NullableObject, Timestamp } from '#platform/http/schemas.ts';

/** A field of a customer; null if no change is pending. */
export const PhoneChange = NullableObject(
  {
    phone: Personal('phone', { description: 'The new phone.' }),
    asked_by: Type.String({ description: 'Actor who requested the change, as in the audit trail.' }),
    asked_at: Timestamp(),
    counts_at: Timestamp({
      description: 'Time when it takes effect, unless it is confirmed or cancelled before.',
    }),
  },
  { description: 'A phone change that has not taken effect yet.' },
);
