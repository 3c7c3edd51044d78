import { Type } from 'typebox';
import { withoutMasks } from '#platform/http/masking.ts';
import { Id, idOrPhone, Reais, StrictObject, Text, TextOrNull, Timestamp } from '#platform/http/schemas.ts';
import { identityFields } from './identity.ts';
import { PhoneChange } from './phone-changes/schemas.ts';
import { CUSTOMER_NOT_FOUND } from './problems.ts';
import { CUSTOMER_STATUSES, PURCHASE_BLOCKS, type PurchaseBlock } from './store.ts';

const EXAMPLE_PHONE = '+5511987650001';
const EXAMPLE_CHALLENGE_ID = 'otp_01kfx3c8gq5v0m7d2h9ynwztb4';
const MIN_PASSWORD_LENGTH = 8;
const MAX_PASSWORD_LENGTH = 200;

export const Phone = Type.String({
  format: 'phone',
  description: 'International format (E.164) or Brazilian format (11 98765-0001). Responses use E.164.',
  examples: [EXAMPLE_PHONE],
});
export const Code = Type.String({
  pattern: '^[0-9]{6}$',
  description: 'The six digits from the message.',
  examples: ['314159'],
});
export const Email = Type.String({ format: 'email', maxLength: 254 });
const CpfText = Type.String({
  format: 'cpf',
  description: 'With or without punctuation. Responses mask it.',
});
const BirthDate = Type.String({ format: 'birth-date', description: 'YYYY-MM-DD.', examples: ['1990-05-31'] });
const ReferralCode = Text(40, { description: 'Referral code of the customer who invited this one.' });
export const ChallengeId = Text(64, {
  description: 'The `challenge_id` from the request for the code.',
  examples: ['otp_01kfx3c8gq5v0m7d2h9ynwztb4'],
});

const exampleCustomer = {
  id: 'cus_01kfx3c8gq5v0m7d2h9ynwztb4',
  name: 'Ana Souza',
  phone: EXAMPLE_PHONE,
  email: 'ana@example.com',
  cpf: '***.456.789-**',
  created_at: '2026-11-15T12:00:00.000Z',
  credit: { limit: 1500, used: 320.5, available: 1179.5 },
};

const exampleOwnCustomer = {
  ...exampleCustomer,
  credit: { ...exampleCustomer.credit, blocked_by: null },
};

const creditFields = {
  limit: Reais('Credit limit'),
  used: Reais('Amount owed on all purchases'),
  available: Reais('Amount available for purchases'),
};

/** The reason why every purchase would be refused, in the responses to customers. */
export const BlockedBy = Type.Unsafe<PurchaseBlock | null>({
  type: ['string', 'null'],
  enum: [...PURCHASE_BLOCKS, null],
  description:
    'Why a purchase would be refused now; `available` is then 0. `overdue`: an installment is overdue. `cashback_owed`: the cashback ' +
    'balance is negative. `review`: a person reviews the sign-up or a purchase.',
});

export const Customer = Type.Object(
  {
    id: Id('cus'),
    ...withoutMasks(identityFields),
    cpf: Type.String({ description: 'The taxpayer number, masked.' }),
    created_at: Timestamp(),
    credit: Type.Object({
      ...creditFields,
      available: Reais('Amount available for purchases; 0 while a purchase would be refused'),
      blocked_by: BlockedBy,
    }),
  },
  {
    $id: 'Customer',
    examples: [exampleOwnCustomer],
  },
);

const operatorFields = {
  ...Customer.properties,
  credit: Type.Object(creditFields),
  ...identityFields,
  referral_code: Type.String({ description: 'Code that people invited by this customer register with.' }),
  locked_at: TextOrNull({ format: 'date-time', description: 'Time since when logins are refused.' }),
  erased_at: TextOrNull({
    format: 'date-time',
    description: 'Time of the erasure.',
  }),
};

export const OperatorCustomer = Type.Object(
  { ...operatorFields, phone_change: PhoneChange },
  {
    $id: 'OperatorCustomer',
    examples: [
      {
        ...exampleCustomer,
        referral_code: 'K7RW29AX',
        locked_at: null,
        erased_at: null,
        phone_change: null,
      },
    ],
  },
);

export const CustomerItem = Type.Object(
  {
    ...operatorFields,
    overdue: Type.Object({
      amount: Reais('Overdue amount of all installments, without penalties'),
      since: TextOrNull({
        format: 'date',
        description: 'Due date of the oldest overdue installment; null if nothing is overdue.',
      }),
    }),
  },
  {
    $id: 'CustomerItem',
    examples: [
      {
        ...exampleCustomer,
        referral_code: 'K7RW29AX',
        locked_at: null,
        erased_at: null,
        overdue: { amount: 33.34, since: '2026-11-09' },
      },
    ],
  },
);

/** Path parameter and 404 of the endpoints of one customer. */
export const customerResource = {
  params: Type.Object({ id: idOrPhone({ description: 'Id or phone.' }) }),
  notFound: CUSTOMER_NOT_FOUND,
};

const OptionalPassword = Type.Optional(
  Type.String({
    minLength: MIN_PASSWORD_LENGTH,
    maxLength: MAX_PASSWORD_LENGTH,
    description: 'Without a password the customer logs in by code, and can set a password later.',
  }),
);

export const CustomerForm = StrictObject(
  {
    name: Text(200),
    phone: Phone,
    email: Email,
    cpf: CpfText,
    birth_date: Type.Optional(BirthDate),
    credit_limit: Type.Optional(
      Type.Number({
        minimum: 0,
        format: 'reais',
        description:
          'Credit limit in reais; without it the credit policy decides at the first login with a code.',
      }),
    ),
    password: OptionalPassword,
    referral_code: Type.Optional(ReferralCode),
  },
  {
    $id: 'CustomerForm',
    examples: [
      {
        name: 'Davi Melo',
        phone: '+5511987654321',
        email: 'davi@example.com',
        cpf: '390.533.447-05',
        credit_limit: 1500,
        password: 'cinco palavras ao acaso bastam',
      },
    ],
  },
);

export const CustomerChangeForm = StrictObject(
  {
    name: Type.Optional(Text(200)),
    email: Type.Optional(Email),
    phone: Type.Optional(Phone),
    credit_limit: Type.Optional(
      Type.Number({
        minimum: 0,
        format: 'reais',
        description: 'Credit limit in reais. Requires the role `risk`.',
      }),
    ),
    reason: Type.Optional(Text(500, { description: 'Reason, stored in the audit trail.' })),
  },
  {
    $id: 'CustomerChange',
    minProperties: 1,
    examples: [{ phone: '+5511987654322', credit_limit: 2000 }],
  },
);

export const ReasonForm = StrictObject(
  { reason: Type.Optional(Text(500, { description: 'Reason, stored in the audit trail.' })) },
  { $id: 'ReasonForm', examples: [{ reason: 'Pedido do titular' }] },
);

export const ErasureForm = StrictObject(
  { reason: Text(500, { description: 'Reason, stored in the audit trail. Must not name a person.' }) },
  {
    $id: 'ErasureForm',
    examples: [{ reason: 'Pedido do titular, protocolo 1042' }],
  },
);

export const CustomerExport = Type.Object(
  {
    customer_id: Id('cus'),
    exported_at: Timestamp(),
    tables: Type.Record(Type.String(), Type.Array(Type.Unsafe<object>({ type: 'object' })), {
      description: 'Rows by table. Tables without data of the customer are included, empty.',
      examples: [{ customers: [{ name: 'Ana Souza' }], leads: [] }],
    }),
  },
  { $id: 'CustomerExport' },
);

export const CustomerSearch = {
  name: Type.Optional(
    Text(200, {
      description: 'Prefixes of words of the name, in any order. Ignores case and accents.',
    }),
  ),
  q: Type.Optional(Text(200, { description: 'A name, e-mail, phone or CPF, recognised by its form.' })),
  phone: Type.Optional(
    Type.String({
      pattern: '^[+0-9() .-]{4,40}$',
      description: 'The phone in any common format, or its last digits (at least four).',
      examples: ['98765-0001'],
    }),
  ),
  email: Type.Optional(Text(254, { description: 'The complete e-mail. Ignores case.' })),
  cpf: Type.Optional(Type.String({ format: 'cpf', description: 'With or without punctuation.' })),
  status: Type.Optional(
    Type.Enum([...CUSTOMER_STATUSES], { description: '`overdue`: with an overdue installment today.' }),
  ),
};

export const TimelineEntry = Type.Object(
  {
    at: Timestamp(),
    kind: Type.String({
      description: 'Machine-readable kind: `login`, `purchase`, `payment`, `refund`, ...',
    }),
    text: Type.String({ description: 'A sentence in Portuguese.' }),
    checkout_hash: Type.Optional(Type.String()),
    installment_id: Type.Optional(Type.String()),
    pix_id: Type.Optional(Type.String()),
    end_to_end_id: Type.Optional(Type.String()),
    session_id: Type.Optional(Type.String()),
    message_id: Type.Optional(Type.String()),
    trail_id: Type.Optional(Type.Integer({ description: 'The entry of the audit trail.' })),
  },
  {
    $id: 'StoryLine',
    examples: [
      {
        at: '2026-11-15T12:00:00.000Z',
        kind: 'purchase',
        text: 'Compra de R$ 204,40 em Padaria Flor do Trigo, em 4 parcelas semanais.',
        checkout_hash: '3kTMd9vR2xYb7LqWn0PzAh',
      },
    ],
  },
);

export const PhoneForm = StrictObject(
  { phone: Phone },
  { $id: 'PhoneForm', examples: [{ phone: EXAMPLE_PHONE }] },
);

export const PhoneCheck = Type.Object(
  {
    phone: Type.String(),
    registered: Type.Boolean({ description: 'Whether a customer has the phone.' }),
    login_methods: Type.Array(Type.Enum(['password', 'otp']), { description: 'Empty if not registered.' }),
  },
  {
    $id: 'PhoneCheck',
    examples: [{ phone: EXAMPLE_PHONE, registered: true, login_methods: ['password', 'otp'] }],
  },
);

export const PasswordLogin = StrictObject(
  { phone: Phone, password: Type.String({ minLength: 1, maxLength: MAX_PASSWORD_LENGTH }) },
  {
    $id: 'PasswordLogin',
    examples: [{ phone: EXAMPLE_PHONE, password: 'semana-demo-1' }],
  },
);

export const CodeLogin = StrictObject(
  { phone: Phone, challenge_id: ChallengeId, code: Code },
  {
    $id: 'CodeLogin',
    examples: [{ phone: EXAMPLE_PHONE, challenge_id: EXAMPLE_CHALLENGE_ID, code: '314159' }],
  },
);

export const NewPassword = StrictObject(
  {
    phone: Phone,
    challenge_id: ChallengeId,
    code: Code,
    password: Type.String({ minLength: MIN_PASSWORD_LENGTH, maxLength: MAX_PASSWORD_LENGTH }),
  },
  {
    $id: 'NewPassword',
    examples: [
      {
        phone: EXAMPLE_PHONE,
        challenge_id: EXAMPLE_CHALLENGE_ID,
        code: '314159',
        password: 'cinco palavras ao acaso bastam',
      },
    ],
  },
);

export const SignUpForm = StrictObject(
  {
    phone: Phone,
    challenge_id: ChallengeId,
    code: Code,
    name: Text(200, { description: 'Full name.' }),
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
  {
    $id: 'SignUpForm',
    examples: [
      {
        phone: '+5511987654322',
        challenge_id: EXAMPLE_CHALLENGE_ID,
        code: '314159',
        name: 'Elisa Prado',
        cpf: '862.883.667-57',
        birth_date: '1990-05-31',
        email: 'elisa@example.com',
        password: 'cinco palavras ao acaso bastam',
        referral_code: 'K7RW29AX',
        terms: '2026-11',
      },
    ],
  },
);

export const CodeChallenge = Type.Object(
  {
    challenge_id: Id('otp', { description: 'Send it together with the code.' }),
    expires_at: Timestamp({ description: 'Time when the code expires.' }),
    resend_after: Timestamp({ description: 'Time when another code can be requested.' }),
  },
  {
    $id: 'CodeOnItsWay',
    examples: [
      {
        challenge_id: EXAMPLE_CHALLENGE_ID,
        expires_at: '2026-11-15T12:05:00.000Z',
        resend_after: '2026-11-15T12:01:00.000Z',
      },
    ],
  },
);

export const RefreshForm = StrictObject(
  { refresh_token: Type.String({ minLength: 1, maxLength: 500 }) },
  {
    $id: 'RefreshForm',
    examples: [{ refresh_token: 'cus_01kfx3c8….ses_01kfx4….9fT2…' }],
  },
);

export const ExpiresIn = Type.Integer({
  description: 'Seconds until the token expires, for devices whose clock may be wrong.',
});

export const Login = Type.Object(
  {
    token: Type.String({ description: 'JWT for the header x-token, valid for 15 minutes.' }),
    expires_at: Timestamp(),
    expires_in: ExpiresIn,
    refresh_token: Type.String({ description: 'Can be exchanged once for new tokens.' }),
    refresh_expires_at: Timestamp(),
    customer: Customer,
  },
  {
    $id: 'Login',
    examples: [
      {
        token: 'eyJhbGciOiJFZERTQSIsImtpZCI6InRrXzAxa2Z4MyJ9.eyJzaWQiOiJzZXNfMDFrZng0In0.c2lnbmF0dXJl',
        expires_at: '2026-11-15T12:15:00.000Z',
        expires_in: 900,
        refresh_token: 'cus_01kfx3c8….ses_01kfx4….9fT2…',
        refresh_expires_at: '2026-12-15T12:00:00.000Z',
        customer: exampleOwnCustomer,
      },
    ],
  },
);

export const WalletSession = Type.Object(
  {
    id: Id('ses'),
    is_current: Type.Boolean({ description: 'Whether it is the session of this request.' }),
    created_at: Timestamp({ description: 'Time of the login.' }),
    refreshed_at: Timestamp({ description: 'Time of the last token refresh.' }),
  },
  {
    $id: 'WalletSession',
    examples: [
      {
        id: 'ses_01kfx3c8gq5v0m7d2h9ynwztb4',
        is_current: true,
        created_at: '2026-11-01T12:00:00.000Z',
        refreshed_at: '2026-11-15T12:00:00.000Z',
      },
    ],
  },
);
