import { Type } from 'typebox';
import {
  Id,
  IntegerField,
  NullableObject,
  StrictObject,
  Text,
  TextField,
  Timestamp,
} from '#platform/http/schemas.ts';
import { EXAMPLE_PHONE } from './identity.ts';
import {
  BirthDate,
  CpfText,
  Customer,
  Email,
  OptionalPassword,
  Password,
  Phone,
  Reason,
  ReferralCode,
} from './schemas.ts';

export const Code = Type.String({
  pattern: '^[0-9]{6}$',
  description: 'The six digits from the message.',
  examples: ['314159'],
});
export const ChallengeId = Text(64, {
  description: 'The `challenge_id` from the request for the code.',
  examples: ['otp_01kfx3c8gq5v0m7d2h9ynwztb4'],
});
const codeProofFields = { challenge_id: ChallengeId, code: Code };

export const PhoneForm = StrictObject({ phone: Phone }, { $id: 'PhoneForm' });

export const PhoneCheck = Type.Object(
  {
    phone: Type.String({ examples: [EXAMPLE_PHONE] }),
    registered: Type.Boolean({ default: true, description: 'Whether a customer has the phone.' }),
    login_methods: Type.Array(Type.Enum(['password', 'otp']), { description: 'Empty if not registered.' }),
  },
  { $id: 'PhoneCheck' },
);

export const PasswordLogin = StrictObject(
  { phone: Phone, password: Type.String({ minLength: 1, maxLength: 200, examples: ['semana-demo-1'] }) },
  { $id: 'PasswordLogin' },
);

export const CodeLogin = StrictObject({ phone: Phone, ...codeProofFields }, { $id: 'CodeLogin' });

export const NewPassword = StrictObject(
  { phone: Phone, ...codeProofFields, password: Password },
  { $id: 'NewPassword' },
);

export const SignUpForm = StrictObject(
  {
    phone: Phone,
    ...codeProofFields,
    name: Text(200, { description: 'Full name.', examples: ['Elisa Prado'] }),
    cpf: CpfText,
    birth_date: BirthDate,
    email: Email,
    password: OptionalPassword,
    referral_code: Type.Optional(ReferralCode),
    terms: Type.String({
      pattern: '^[0-9A-Za-z][0-9A-Za-z._-]{0,39}$',
      description: 'Version of the terms of use that the customer accepted.',
      examples: ['2026-11'],
    }),
  },
  { $id: 'SignUpForm' },
);

export const CodeChallenge = Type.Object(
  {
    challenge_id: Id('otp', { description: 'Send it together with the code.' }),
    expires_at: Timestamp({ description: 'Time when the code expires.' }),
    resend_after: Timestamp({ description: 'Time when another code can be requested.' }),
  },
  { $id: 'CodeOnItsWay' },
);

const refreshTokenExamples = { examples: ['cus_01kfx3c8….ses_01kfx4….9fT2…'] };
export const RefreshForm = StrictObject(
  { refresh_token: Type.String({ minLength: 1, maxLength: 500, ...refreshTokenExamples }) },
  { $id: 'RefreshForm' },
);

/** The tokens in the response of every login, of customers and of members. */
export const tokenFields = {
  token: TextField(
    'JWT for the header x-token, valid for 15 minutes.',
    'eyJhbGciOiJFZERTQSIsImtpZCI6InRrXzAxa2Z4MyJ9.eyJzaWQiOiJzZXNfMDFrZng0In0.c2lnbmF0dXJl',
  ),
  expires_at: Timestamp(),
  expires_in: IntegerField('Seconds until the token expires, for devices whose clock may be wrong.', 900),
  refresh_token: Type.String({
    description: 'Can be exchanged once for new tokens.',
    ...refreshTokenExamples,
  }),
  refresh_expires_at: Timestamp(),
};

export const Login = Type.Object({ ...tokenFields, customer: Customer }, { $id: 'Login' });

const sessionId = Id('ses', { description: 'Id of the session.' });
const sessionTimes = {
  created_at: Timestamp({ description: 'Time of the login.' }),
  refreshed_at: Timestamp({ description: 'Time of the last token refresh.' }),
};

export const sessionFields = { id: sessionId, ...sessionTimes };

/** A session in a list that its owner reads. */
export const ownSessionFields = {
  id: sessionId,
  is_current: Type.Boolean({ description: 'Whether it is the session of this request.' }),
  ...sessionTimes,
};

export const NewEmail = StrictObject({ email: Email, ...codeProofFields }, { $id: 'NewEmail' });

/** A code that was sent to the current phone of the customer. */
export const CodeProof = StrictObject(codeProofFields, { $id: 'CodeProof' });

export const PhoneConfirmation = StrictObject(
  { proof: Type.Optional(CodeProof), reason: Type.Optional(Reason) },
  { $id: 'PhoneConfirmation' },
);

export const NewPhone = StrictObject(
  { phone: Phone, ...codeProofFields, current: CodeProof },
  { $id: 'NewPhone' },
);

/** `phone_change` is null if no change is pending. */
export const OwnPhoneChange = Type.Object(
  {
    phone_change: NullableObject(
      {
        phone_ends_in: TextField('The last four digits of the new phone.', '4321'),
        asked_at: Timestamp({ description: 'Time when staff requested the change.' }),
        counts_at: Timestamp({ description: 'Time when it takes effect, unless it is cancelled before.' }),
      },
      { description: 'A phone change that has not taken effect yet.' },
    ),
  },
  { $id: 'OwnPhoneChange' },
);

export const ErasureCheck = Type.Object(
  {
    stopped_by: Type.Array(
      Type.Object({
        code: Type.String({ description: 'Machine-readable code.', examples: ['purchases_open'] }),
        text: Type.String({ description: 'A sentence in Portuguese.', examples: ['Há compras em aberto.'] }),
      }),
      { description: 'Open debts that prevent the erasure; empty if the account can be erased.' },
    ),
  },
  { $id: 'ErasureCheck' },
);
