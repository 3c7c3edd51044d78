import { Type } from 'typebox';
import { PageOf } from '#platform/http/pagination.ts';
import { Id, Reais, Slug, StrictObject, Text, TextOrNull, Timestamp } from '#platform/http/schemas.ts';
import { exampleMember, HASH_PATTERN, MemberRefSchema } from '../fields.ts';
import { omit } from '../omit.ts';
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
    description: '`made`: the operator approved it, and the completed return has the same id.',
  }),
  checkout_hash: Type.String({ pattern: HASH_PATTERN }),
  amount: Reais('Part of the purchase amount to be returned'),
  reason: Type.String(),
  asked_at: Timestamp(),
  closed_at: TextOrNull({ format: 'date-time', description: 'When the operator approved or refused it.' }),
  refusal: TextOrNull({ description: 'Reason of the refusal.' }),
};

export const WaitingReturn = Type.Object(
  { ...waiting, by: MemberRefSchema() },
  { $id: 'WaitingReturn', examples: [{ ...example, by: exampleMember }] },
);

export const WaitingAnswer = Type.Object(
  { return: WaitingReturn },
  { $id: 'WaitingAnswer', examples: [{ return: { ...example, by: exampleMember } }] },
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

const previewFields = omit(MerchantReturn.properties, 'id');
const [exampleReturn] = (MerchantReturn as { examples?: Array<{ id: string }> }).examples!;

/** The result of a dry run. */
export const ReturnPreview = Type.Object(
  {
    ...previewFields,
    would_wait: Type.Boolean({
      description: 'Whether the return would have to wait for the operator’s approval.',
    }),
    merchant: Type.Object({
      owed_before: Reais('Your balance now; negative if you owe it'),
      owed_after: Reais('Your balance after the return'),
    }),
  },
  {
    $id: 'ReturnPreview',
    examples: [
      {
        ...omit(exampleReturn!, 'id'),
        would_wait: false,
        merchant: { owed_before: 980.1, owed_after: 881.1 },
      },
    ],
  },
);

export const ReturnRefusal = StrictObject(
  { reason: Text(200, { description: 'The reason.' }) },
  { $id: 'ReturnRefusal', examples: [{ reason: 'Combine o pagamento antes' }] },
);

/** Path parameters and 404 text of the endpoints for one return. */
export const returnPath = {
  params: Type.Object({ id: Id('ret', { examples: [RETURN] }) }),
  notFound: {
    en: 'There is no return with this id that needed approval.',
    pt: 'Não há devolução em espera com este id.',
  },
};

export const waitingStatusParameter = { status: Type.Optional(Type.Enum([...WAITING_STATUSES])) };
