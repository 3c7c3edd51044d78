import { Type } from 'typebox';
import { Personal, withoutMasks } from '#platform/http/masking.ts';
import {
  Id,
  idOrPhone,
  NullableObject,
  Reais,
  StrictObject,
  Text,
  TextField,
  TextOrNull,
  Timestamp,
} from '#platform/http/schemas.ts';
import { EXAMPLE_PHONE, identityFields } from './identity.ts';
import { CUSTOMER_NOT_FOUND } from './problems.ts';
import { CUSTOMER_STATUSES, PURCHASE_BLOCKS, type PurchaseBlock } from './store.ts';

export const Phone = Type.String({
  format: 'phone',
  description: 'International format (E.164) or Brazilian format (11 98765-0001). Responses use E.164.',
  examples: [EXAMPLE_PHONE],
});
export const Email = Type.String({ format: 'email', maxLength: 254, examples: ['ana@example.com'] });
export const CpfText = Type.String({
  format: 'cpf',
  description: 'With or without punctuation. Responses mask it.',
  examples: ['862.883.667-57'],
});
export const BirthDate = Type.String({
  format: 'birth-date',
  description: 'YYYY-MM-DD.',
  examples: ['1990-05-31'],
});
export const ReferralCode = Text(40, {
  description: 'Referral code of the customer who invited this one.',
  examples: ['K7RW29AX'],
});
const passwordOptions = { minLength: 8, maxLength: 200, examples: ['cinco palavras ao acaso bastam'] };
export const Password = Type.String(passwordOptions);
export const OptionalPassword = Type.Optional(
  Type.String({
    ...passwordOptions,
    description: 'Without a password the customer logs in by code, and can set a password later.',
  }),
);
export const Reason = Text(500, {
  description: 'Reason, stored in the audit trail.',
  examples: ['Pedido do titular'],
});

const creditFields = {
  limit: Reais('Credit limit', { examples: [1500] }),
  used: Reais('Amount owed on all purchases', { examples: [320.5] }),
  available: Reais('Amount available for purchases', { examples: [1179.5] }),
};

export const BlockedBy = Type.Unsafe<PurchaseBlock | null>({
  type: ['string', 'null'],
  enum: [...PURCHASE_BLOCKS, null],
  description:
    'Why a purchase would be refused now; `available` is then 0. `overdue`: an installment is overdue. `cashback_owed`: the cashback ' +
    'balance is negative. `review`: a person reviews the sign-up or a purchase.',
  examples: [null],
});

/** A customer as customers see themselves: unmasked, except for the CPF. */
export const Customer = Type.Object(
  {
    id: Id('cus'),
    ...withoutMasks(identityFields),
    cpf: Type.String({ description: 'The taxpayer number, masked.', examples: ['***.456.789-**'] }),
    created_at: Timestamp(),
    credit: Type.Object({
      ...creditFields,
      available: Reais('Amount available for purchases (0 while a purchase would be refused)', {
        examples: [1179.5],
      }),
      blocked_by: BlockedBy,
    }),
  },
  { $id: 'Customer' },
);

/** Staff users see the identity masked, and the credit without the reason for a refused purchase. */
const staffFields = {
  ...Customer.properties,
  credit: Type.Object(creditFields),
  ...identityFields,
  referral_code: TextField('Code that people invited by this customer register with.', 'K7RW29AX'),
  locked_at: TextOrNull({ format: 'date-time', description: 'Time since when logins are refused.' }),
  erased_at: TextOrNull({ format: 'date-time', description: 'Time of the erasure.' }),
};

export const OperatorCustomer = Type.Object(
  {
    ...staffFields,
    phone_change: NullableObject(
      {
        phone: Personal('phone', { description: 'The new phone.' }),
        asked_by: Type.String({ description: 'Actor who requested the change, as in the audit trail.' }),
        asked_at: Timestamp({ description: 'Time of the request.' }),
        counts_at: Timestamp({
          description: 'Time when it takes effect, unless it is confirmed or cancelled before.',
        }),
      },
      {
        description: 'A phone change that has not taken effect yet; null if there is none.',
        examples: [null],
      },
    ),
  },
  { $id: 'OperatorCustomer' },
);

export const CustomerItem = Type.Object(
  {
    ...staffFields,
    overdue: Type.Object({
      amount: Reais('Overdue amount of all installments, without penalties', { examples: [33.34] }),
      since: TextOrNull({
        format: 'date',
        description: 'Due date of the oldest overdue installment; null if nothing is overdue.',
        examples: ['2026-11-09'],
      }),
    }),
  },
  { $id: 'CustomerItem' },
);

export const customerResource = {
  params: Type.Object({ id: idOrPhone({ description: 'Id or phone.' }) }),
  notFound: CUSTOMER_NOT_FOUND,
};

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
    reason: Type.Optional(Reason),
  },
  { $id: 'CustomerChange', minProperties: 1, examples: [{ phone: '+5511987654322', credit_limit: 2000 }] },
);

export const ReasonForm = StrictObject({ reason: Type.Optional(Reason) }, { $id: 'ReasonForm' });

export const ErasureForm = StrictObject(
  {
    reason: Text(500, {
      description: 'Reason, stored in the audit trail. Must not name a person.',
      examples: ['Pedido do titular, protocolo 1042'],
    }),
  },
  { $id: 'ErasureForm' },
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

export const customerSearchParameters = {
  name: Type.Optional(
    Text(200, { description: 'Prefixes of words of the name, in any order. Ignores case and accents.' }),
  ),
  q: Type.Optional(Text(200, { description: 'A name, e-mail, phone or CPF, recognised by its format.' })),
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
    kind: TextField('Machine-readable kind: `login`, `purchase`, `payment`, `refund`, ...'),
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
