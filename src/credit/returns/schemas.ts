import { Type } from 'typebox';
import { PageOf } from '#platform/http/pagination.ts';
import { Form, Id, Reais, Slug, Text, TextOrNull, Timestamp } from '#platform/http/schemas.ts';
import { BySchema, exampleBy } from '../by.ts';
import { HASH_PATTERN } from '../hash.ts';
import { MerchantReturn } from '../schemas.ts';
import { WAITING_STATUSES } from './waiting-store.ts';

const RETURN = 'ret_01kfx3c8gq5v0m7d2h9ynwztb4';
const example = {
  id: RETURN,
  status: 'waiting',
  checkout_hash: '3kTMd9vR2xYb7LqWn0PzAh',
  amount: 4000,
  reason: 'Não serviu',
  asked_at: '2026-11-15T12:00:00.000Z',
  closed_at: null,
  refusal: null,
};

const waiting = {
  id: Id('ret'),
  status: Type.Enum([...WAITING_STATUSES], {
    description: '`made`: the operator let it through, and it is a return with the same id.',
  }),
  checkout_hash: Type.String({ pattern: HASH_PATTERN }),
  amount: Reais('What is to be returned, of what was bought for'),
  reason: Type.String(),
  asked_at: Timestamp(),
  closed_at: TextOrNull({ format: 'date-time', description: 'When the operator decided.' }),
  refusal: TextOrNull({ description: 'Why the operator refused.' }),
};

export const WaitingReturn = Type.Object(
  { ...waiting, by: BySchema() },
  { $id: 'WaitingReturn', examples: [{ ...example, by: exampleBy }] },
);

export const WaitingAnswer = Type.Object(
  { return: WaitingReturn },
  { $id: 'WaitingAnswer', examples: [{ return: { ...example, by: exampleBy } }] },
);

export const WaitingReturnPage = PageOf(WaitingReturn, 'WaitingReturnPage');

export const StaffWaitingReturn = Type.Object(
  {
    ...waiting,
    merchant: Type.Object({ slug: Slug(), name: Type.String() }),
    customer_id: Id('cus'),
  },
  {
    $id: 'StaffWaitingReturn',
    examples: [
      {
        ...example,
        merchant: { slug: 'padaria-flor-do-trigo', name: 'Padaria Flor do Trigo' },
        customer_id: 'cus_01kfx3s5c0p2q4r6t8w0y2a4c6',
      },
    ],
  },
);

const { id: _, ...rehearsed } = MerchantReturn.properties;
const { id: __, ...exampleRehearsed } = (MerchantReturn as { examples?: object[] }).examples![0] as {
  id: string;
};

/** What a return would do. */
export const ReturnPreview = Type.Object(
  {
    ...rehearsed,
    would_wait: Type.Boolean({ description: 'Whether it would wait for the operator first.' }),
    merchant: Type.Object({
      owed_before: Reais('What you are owed now; below zero you owe it'),
      owed_after: Reais('The same after the return'),
    }),
  },
  {
    $id: 'ReturnPreview',
    examples: [
      { ...exampleRehearsed, would_wait: false, merchant: { owed_before: 980.1, owed_after: 881.1 } },
    ],
  },
);

export const ReturnRefusal = Form(
  { reason: Text(200, { description: 'Why.' }) },
  { $id: 'ReturnRefusal', examples: [{ reason: 'Combine o pagamento antes' }] },
);

/** Of the endpoints of one return. */
export const ofReturn = {
  params: Type.Object({ id: Id('ret', { examples: [RETURN] }) }),
  notFound: {
    en: 'There is no return with this id that waited.',
    pt: 'Não há devolução em espera com este id.',
  },
};

export const waitingParameter = { status: Type.Optional(Type.Enum([...WAITING_STATUSES])) };
