import { Type } from 'typebox';
import { Form } from '#platform/http/schemas.ts';
import { ChallengeId, Code, Email } from './schemas.ts';

export const NewEmail = Form(
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
        code: Type.String({ description: 'What it is, for programs.' }),
        text: Type.String({ description: 'A sentence in Portuguese.' }),
      }),
      { description: 'What has to be settled first; empty when the customer can leave.' },
    ),
  },
  {
    $id: 'ErasureCheck',
    examples: [{ stopped_by: [{ code: 'purchases_open', text: 'Há compras em aberto.' }] }],
  },
);
