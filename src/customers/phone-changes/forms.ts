import { Type } from 'typebox';
import { NullableObject, StrictObject, Text, Timestamp } from '#platform/http/schemas.ts';
import { ChallengeId, Code, Phone } from '../schemas.ts';

const CODE = { challenge_id: 'otp_01kfx3c8gq5v0m7d2h9ynwztb4', code: '314159' };

/** A code that was sent to the current phone of the customer. */
export const CodeProof = StrictObject(
  { challenge_id: ChallengeId, code: Code },
  { $id: 'CodeProof', examples: [CODE] },
);

export const PhoneConfirmation = StrictObject(
  {
    proof: Type.Optional(CodeProof),
    reason: Type.Optional(Text(500, { description: 'Reason, stored in the audit trail.' })),
  },
  { $id: 'PhoneConfirmation', examples: [{ proof: CODE }] },
);

export const NewPhone = StrictObject(
  { phone: Phone, challenge_id: ChallengeId, code: Code, current: CodeProof },
  { $id: 'NewPhone', examples: [{ phone: '+5511987654321', ...CODE, current: CODE }] },
);

/** `phone_change` is null if no change is pending. */
export const OwnPhoneChange = Type.Object(
  {
    phone_change: NullableObject(
      {
        phone_ends_in: Type.String({ description: 'The last four digits of the new phone.' }),
        asked_at: Timestamp(),
        counts_at: Timestamp({ description: 'Time when it takes effect, unless it is cancelled before.' }),
      },
      { description: 'A phone change that has not taken effect yet.' },
    ),
  },
  {
    $id: 'OwnPhoneChange',
    examples: [
      {
        phone_change: {
          phone_ends_in: '4321',
          asked_at: '2026-11-15T12:00:00.000Z',
          counts_at: '2026-11-16T12:00:00.000Z',
        },
      },
    ],
  },
);
