import { Type } from 'typebox';
import { PageOf } from '#platform/http/pagination.ts';
import { BooleanField, Id, Reais, TextOrNull, Timestamp } from '#platform/http/schemas.ts';
import { omit } from '#platform/omit.ts';
import {
  CheckoutHash,
  ExampleText,
  MerchantNameAndSlug,
  ReasonRequest,
  RecordCreatorSchema,
} from '../fields.ts';
import { MerchantReturn } from '../schemas.ts';
import { WAITING_RETURN_STATUSES } from './waiting-store.ts';

/** A return that needs or needed approval, whatever its status. */
const waitingReturnFields = {
  id: Id('ret'),
  status: Type.Enum([...WAITING_RETURN_STATUSES], {
    description: '`made`: the operator approved the return, and the completed return has the same id.',
  }),
  checkout_hash: CheckoutHash('The hash of the purchase.'),
  amount: Reais('Part of the purchase amount to be returned', { examples: [4000] }),
  reason: ExampleText('Não serviu'),
  asked_at: Timestamp(),
  closed_at: TextOrNull({ format: 'date-time', description: 'When the return was approved or refused.' }),
  refusal: TextOrNull({ description: 'Reason of the refusal.' }),
};

export const WaitingReturn = Type.Object(
  { ...waitingReturnFields, by: RecordCreatorSchema() },
  { $id: 'WaitingReturn' },
);

export const WaitingReturnResponse = Type.Object({ return: WaitingReturn }, { $id: 'WaitingAnswer' });

export const WaitingReturnPage = PageOf(WaitingReturn, 'WaitingReturnPage');

export const StaffWaitingReturn = Type.Object(
  { ...waitingReturnFields, merchant: MerchantNameAndSlug, customer_id: Id('cus') },
  { $id: 'StaffWaitingReturn' },
);

export const ReturnPreview = Type.Object(
  {
    ...omit(MerchantReturn.properties, 'id'),
    would_wait: BooleanField('Whether the return would have to wait for the operator’s approval.'),
    merchant: Type.Object({
      owed_before: Reais('Your balance now (negative if you owe it)', { examples: [980.1] }),
      owed_after: Reais('Your balance after the return', { examples: [946.76] }),
    }),
  },
  { $id: 'ReturnPreview' },
);

export const ReturnRefusal = ReasonRequest('ReturnRefusal', 'Combine o pagamento antes');

export const returnRoute = {
  params: Type.Object({ id: Id('ret') }),
  notFound: {
    en: 'There is no return with this id that needed approval.',
    pt: 'Não há devolução em espera com este id.',
  },
};

export const waitingStatusParameter = { status: Type.Optional(Type.Enum([...WAITING_RETURN_STATUSES])) };
