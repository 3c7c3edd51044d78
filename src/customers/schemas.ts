import { Type } from 'typebox';
import { Personal } from '#platform/http/personal.ts';
import { Form, Id, idOrPhone, Reais, Text, TextOrNull, Timestamp } from '#platform/http/schemas.ts';
import { PhoneChange } from './phone-changes/schemas.ts';
import { NO_CUSTOMER } from './problems.ts';
import { CUSTOMER_STATUSES } from './store.ts';

const PHONE = '+5511987650001';
const CHALLENGE = 'otp_01kfx3c8gq5v0m7d2h9ynwztb4';
const SHORTEST_PASSWORD = 8;
const LONGEST_PASSWORD = 200;

export const Phone = Type.String({
  format: 'phone',
  description:
    'International format (E.164), or as people in Brazil write it: 11 98765-0001. Answered in E.164.',
  examples: [PHONE],
});
export const Code = Type.String({ pattern: '^[0-9]{6}$', description: 'The six digits of the message.' });
export const Email = Type.String({ format: 'email', maxLength: 254 });
const CpfText = Type.String({
  format: 'cpf',
  description: 'With or without punctuation. It is never shown again.',
});
const BirthDate = Type.String({ format: 'birth-date', description: 'YYYY-MM-DD.', examples: ['1990-05-31'] });
const ReferralCode = Text(40, { description: 'Of the customer who invited this one.' });
export const ChallengeId = Text(64, { description: 'What the request for the code answered.' });

export const isPasswordLength = (password: string) =>
  [...password].length >= SHORTEST_PASSWORD && [...password].length <= LONGEST_PASSWORD;

const exampleCustomer = {
  id: 'cus_01kfx3c8gq5v0m7d2h9ynwztb4',
  name: 'Ana Souza',
  phone: PHONE,
  email: 'ana@example.com',
  cpf: '***.456.789-**',
  created_at: '2026-11-15T12:00:00.000Z',
  credit: { limit: 1500, used: 320.5, available: 1179.5 },
};

export const Customer = Type.Object(
  {
    id: Id('cus'),
    name: Type.String(),
    phone: Type.String(),
    email: Type.String(),
    cpf: Type.String({ description: 'The taxpayer number, masked.' }),
    created_at: Timestamp(),
    credit: Type.Object({
      limit: Reais('How much may be owed at most'),
      used: Reais('What is owed on all purchases'),
      available: Reais('How much can still be bought for'),
    }),
  },
  {
    $id: 'Customer',
    examples: [exampleCustomer],
  },
);

const operatorFields = {
  ...Customer.properties,
  name: Personal('name'),
  phone: Personal('phone'),
  email: Personal('email'),
  referral_code: Type.String({ description: 'What others register with when this customer invites them.' }),
  locked_at: TextOrNull({ format: 'date-time', description: 'Since when no login is let in, if so.' }),
  erased_at: TextOrNull({
    format: 'date-time',
    description: 'Since when nothing tells who it was, if so.',
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
      amount: Reais('What is late of all installments, penalties not counted'),
      since: TextOrNull({
        format: 'date',
        description: 'The earliest day on which something should have been paid; null when nothing is late.',
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

/** Of the endpoints of one customer. */
export const ofCustomer = {
  params: Type.Object({ id: idOrPhone({ description: 'Id or phone.' }) }),
  notFound: NO_CUSTOMER,
};

const PasswordIfAny = Type.Optional(
  Type.String({
    minLength: SHORTEST_PASSWORD,
    maxLength: LONGEST_PASSWORD,
    description: 'Without one the customer logs in by code, and can set one.',
  }),
);

export const CustomerForm = Form(
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
        description: 'How much may be owed at most, in reais; 0 unless given.',
      }),
    ),
    password: PasswordIfAny,
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

export const CustomerChangeForm = Form(
  {
    name: Type.Optional(Text(200)),
    email: Type.Optional(Email),
    phone: Type.Optional(Phone),
    credit_limit: Type.Optional(
      Type.Number({
        minimum: 0,
        format: 'reais',
        description: 'How much may be owed at most, in reais. Needs the role `finance`.',
      }),
    ),
    reason: Type.Optional(Text(500, { description: 'Why: it is kept in the trail.' })),
  },
  {
    $id: 'CustomerChange',
    minProperties: 1,
    examples: [{ phone: '+5511987654322', credit_limit: 2000 }],
  },
);

export const ReasonForm = Form(
  { reason: Type.Optional(Text(500, { description: 'Why: it is kept in the trail.' })) },
  { $id: 'ReasonForm', examples: [{ reason: 'Pedido do titular' }] },
);

export const ErasureForm = Form(
  { reason: Text(500, { description: 'Why: it is kept in the trail. Name nobody in it.' }) },
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
      description: 'By table, also those that hold nothing on the customer.',
      examples: [{ customers: [{ name: 'Ana Souza' }], leads: [] }],
    }),
  },
  { $id: 'CustomerExport' },
);

export const CustomerSearch = {
  name: Type.Optional(
    Text(200, {
      description: 'How words of the name begin, in any order, without regard to case and accents.',
    }),
  ),
  q: Type.Optional(Text(200, { description: 'A name, an e-mail, a phone or a CPF, by what it looks like.' })),
  phone: Type.Optional(
    Type.String({
      pattern: '^[+0-9() .-]{4,40}$',
      description: 'As people write it, or its last four or more digits.',
      examples: ['98765-0001'],
    }),
  ),
  email: Type.Optional(Text(254, { description: 'The whole e-mail, without regard to case.' })),
  cpf: Type.Optional(Type.String({ format: 'cpf', description: 'With or without punctuation.' })),
  status: Type.Optional(
    Type.Enum([...CUSTOMER_STATUSES], { description: '`overdue`: something of theirs is late today.' }),
  ),
};

export const StoryLine = Type.Object(
  {
    at: Timestamp(),
    kind: Type.String({
      description: 'What it is, for programs: `login`, `purchase`, `payment`, `refund`, ...',
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

export const PhoneForm = Form({ phone: Phone }, { $id: 'PhoneForm', examples: [{ phone: PHONE }] });

export const PhoneCheck = Type.Object(
  {
    phone: Type.String(),
    registered: Type.Boolean({ description: 'Whether somebody can log in with it.' }),
    login_methods: Type.Array(Type.Enum(['password', 'otp']), { description: 'How; empty when nobody can.' }),
  },
  { $id: 'PhoneCheck', examples: [{ phone: PHONE, registered: true, login_methods: ['password', 'otp'] }] },
);

export const PasswordLogin = Form(
  { phone: Phone, password: Type.String({ minLength: 1, maxLength: LONGEST_PASSWORD }) },
  {
    $id: 'PasswordLogin',
    examples: [{ phone: PHONE, password: 'semana-demo-1' }],
  },
);

export const CodeLogin = Form(
  { phone: Phone, challenge_id: ChallengeId, code: Code },
  {
    $id: 'CodeLogin',
    examples: [{ phone: PHONE, challenge_id: CHALLENGE, code: '314159' }],
  },
);

export const NewPassword = Form(
  {
    phone: Phone,
    challenge_id: ChallengeId,
    code: Code,
    password: Type.String({ minLength: SHORTEST_PASSWORD, maxLength: LONGEST_PASSWORD }),
  },
  {
    $id: 'NewPassword',
    examples: [
      {
        phone: PHONE,
        challenge_id: CHALLENGE,
        code: '314159',
        password: 'cinco palavras ao acaso bastam',
      },
    ],
  },
);

export const SignUpForm = Form(
  {
    phone: Phone,
    challenge_id: ChallengeId,
    code: Code,
    name: Text(200, { description: 'Full name.' }),
    cpf: CpfText,
    birth_date: BirthDate,
    email: Email,
    password: PasswordIfAny,
    referral_code: Type.Optional(ReferralCode),
    terms: Type.String({
      pattern: '^[0-9A-Za-z][0-9A-Za-z._-]{0,39}$',
      description: 'Version of the terms of use that were shown and agreed to.',
      examples: ['2026-11'],
    }),
  },
  {
    $id: 'SignUpForm',
    examples: [
      {
        phone: '+5511987654322',
        challenge_id: CHALLENGE,
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

export const CodeOnItsWay = Type.Object(
  {
    challenge_id: Id('otp', { description: 'To be sent with the code.' }),
    expires_at: Timestamp({ description: 'The code works until then.' }),
    resend_after: Timestamp({ description: 'Another can be asked for from then on.' }),
  },
  {
    $id: 'CodeOnItsWay',
    examples: [
      {
        challenge_id: CHALLENGE,
        expires_at: '2026-11-15T12:05:00.000Z',
        resend_after: '2026-11-15T12:01:00.000Z',
      },
    ],
  },
);

export const RefreshForm = Form(
  { refresh_token: Type.String({ minLength: 1, maxLength: 500 }) },
  {
    $id: 'RefreshForm',
    examples: [{ refresh_token: 'cus_01kfx3c8….ses_01kfx4….9fT2…' }],
  },
);

export const Login = Type.Object(
  {
    token: Type.String({ description: 'To be sent as x-token: a JWT that works for 15 minutes.' }),
    expires_at: Timestamp(),
    refresh_token: Type.String({ description: 'Gets the next token, once.' }),
    refresh_expires_at: Timestamp(),
    customer: Customer,
  },
  {
    $id: 'Login',
    examples: [
      {
        token: 'eyJhbGciOiJFZERTQSIsImtpZCI6InRrXzAxa2Z4MyJ9.eyJzaWQiOiJzZXNfMDFrZng0In0.c2lnbmF0dXJl',
        expires_at: '2026-11-15T12:15:00.000Z',
        refresh_token: 'cus_01kfx3c8….ses_01kfx4….9fT2…',
        refresh_expires_at: '2026-12-15T12:00:00.000Z',
        customer: exampleCustomer,
      },
    ],
  },
);

export const Jwks = Type.Object(
  {
    keys: Type.Array(
      Type.Object({
        kty: Type.String(),
        crv: Type.String(),
        x: Type.String(),
        kid: Type.String(),
        alg: Type.String(),
        use: Type.String(),
      }),
    ),
  },
  {
    $id: 'Jwks',
    examples: [
      {
        keys: [
          {
            kty: 'OKP',
            crv: 'Ed25519',
            x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo',
            kid: 'tk_01kfx3c8gq5v0m7d2h9ynwztb4',
            alg: 'EdDSA',
            use: 'sig',
          },
        ],
      },
    ],
  },
);

export const WalletSession = Type.Object(
  {
    id: Id('ses'),
    is_current: Type.Boolean({ description: 'Whether it is the one this is asked in.' }),
    created_at: Timestamp({ description: 'When it began, with a login.' }),
    refreshed_at: Timestamp({ description: 'When its tokens were exchanged last: it was in use then.' }),
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

export const deviceHeader = Type.Object({
  'x-device': Type.Optional(
    Type.String({
      pattern: '^[A-Za-z0-9_-]{8,128}$',
      description:
        'An opaque id of the consumer’s device that your application keeps, such as a cookie. It tells many sign-ups on one device.',
    }),
  ),
});
