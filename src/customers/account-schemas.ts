import { Type } from 'typebox';
import { StrictObject } from '#platform/http/schemas.ts';
import { ChallengeId, Code, Email } from './schemas.ts';

export const NewEmail = StrictObject(
  { email: Email, challenge_id: ChallengeId, code: Code },
  {
    $id: 'NewEmail',
    examples: [{ email: 'ana@example.com', challenge_id: 'otp_01kfx3c8gq5v0m7d2h9ynwztb4', code: '314159' }],
  },
);

export const ErasureCheck = Type.Object(
  {
    stopped_by: Type.Array(
      Type.Object({
        code: Type.String({ description: 'Machine-readable code.' }),
        text: Type.String({ description: 'A sentence in Portuguese.' }),
      }),
      { description: 'Open debts that prevent the erasure; empty if the account can be erased.' },
    ),
  },
  {
    $id: 'ErasureCheck',
    examples: [{ stopped_by: [{ code: 'purchases_open', text: 'Há compras em aberto.' }] }],
  },
);
