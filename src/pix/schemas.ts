import { type Static, Type } from 'typebox';
import { CHARGE_TYPES } from '#core/charge.ts';
import { NO_INSTALLMENT } from '#credit';
import { PageOf } from '#platform/http/pagination.ts';
import { WithCustomerName } from '#platform/http/personal.ts';
import { Form, Id, Text, TextOrNull, Timestamp } from '#platform/http/schemas.ts';
import { AUTHORISATION_STATUSES } from './store/authorisations.ts';
import { ORPHAN_STATUSES } from './store/orphans.ts';
import { REFUND_STATUSES } from './store/refunds.ts';

const types = Type.Enum([...CHARGE_TYPES], {
  description:
    '`settle` pays what is outstanding; `settle_with_penalty` that and the penalties; `settle_partial` a part; `extend` ' +
    'buys a later due day.',
});

export const amount = (description: string) => Type.Number({ format: 'reais', description });

/** As validated: a part without `value` gets a code of its own (422 `value_required`). */
export const ChargeRequest = Form({
  type: types,
  value: Type.Optional(amount('The amount of the charge, in reais.')),
});

const PartialChargeRequest = Form(
  {
    type: Type.Literal('settle_partial', { description: 'Pays a part.' }),
    value: amount('The amount of the charge, in reais.'),
  },
  { $id: 'PartialChargeRequest' },
);

const WholeChargeRequest = Form(
  {
    type: Type.Enum(['settle', 'settle_with_penalty', 'extend'], {
      description:
        '`settle` pays what is outstanding; `settle_with_penalty` that and the penalties; `extend` buys a later due day.',
    }),
    value: Type.Optional(amount('A guard: if it is not what is due now, in reais, nothing is made.')),
  },
  { $id: 'WholeChargeRequest' },
);

/** As documented: in a generated client a part without `value` does not compile. */
export const DocumentedChargeRequest = Type.Unsafe<Static<typeof ChargeRequest>>({
  $id: 'ChargeRequest',
  oneOf: [WholeChargeRequest, PartialChargeRequest],
  examples: [{ type: 'settle_with_penalty', value: 51.08 }],
});

const example = {
  id: 'pix_01kfx3v9e2r4s6t8w0y2a4c6e8',
  installment_id: 'ins_01kfx3t7d1q3r5s7v9x1z3b5d7',
  type: 'settle_with_penalty',
  status: 'pending',
  value: 51.08,
  paid: 0,
  txid: '7978c0c97ea847e78e8849634473c1f1',
  br_code:
    '00020101021226700014br.gov.bcb.pix2548pix.example.com/8b3da2f39a4140d1a91abd93113bd4415204000053039865802BR5913Fulano de Tal6008BRASILIA62070503***630464E4',
  qr_code: 'data:image/png;base64,iVBORw0KGgo...',
  expires_at: '2026-11-16T03:00:00.000Z',
  created_at: '2026-11-15T12:00:00.000Z',
};

export const PixCharge = Type.Object(
  {
    id: Id('pix'),
    installment_id: Id('ins'),
    type: types,
    status: Type.Enum(['pending', 'paid', 'expired', 'cancelled'], {
      description:
        '`cancelled`: money came for the installment by another charge, or a newer one of the same type replaced it.',
    }),
    value: Type.Number({ description: 'What is to be paid, in reais.' }),
    paid: Type.Number({ description: 'What was paid, in reais: 0 until the money arrives.' }),
    txid: Type.String({
      pattern: '^[a-zA-Z0-9]{26,35}$',
      examples: [example.txid],
      description: 'What the payment provider knows it by.',
    }),
    br_code: Type.String({ description: 'The code to copy and paste into the app of a bank.' }),
    qr_code: Type.String({ description: 'The same code to scan: a PNG in a data URI.' }),
    expires_at: Timestamp({ description: 'The price holds until then.' }),
    created_at: Timestamp(),
  },
  { $id: 'PixCharge', examples: [example] },
);

export const PixChargeWithRefunds = Type.Object(
  {
    ...PixCharge.properties,
    refunds: Type.Array(
      Type.Object({
        value: Type.Number({ format: 'reais', description: 'What goes back of what was paid, in reais.' }),
        status: Type.Enum(['under_way', 'returned', 'delayed', 'cashback'], {
          description:
            '`delayed`: the bank did not take it back, and a person sees to it. `cashback`: it could not go back by Pix any more.',
        }),
        explanation: Type.String({ description: 'The same in words for the customer, in Portuguese.' }),
      }),
    ),
  },
  { $id: 'PixChargeWithRefunds', examples: [{ ...example, refunds: [] }] },
);

export const AutopayRequest = Form(
  {
    first: Type.Optional(
      Type.Boolean({
        default: false,
        description: 'The code also pays the first open installment: paying is authorising.',
      }),
    ),
  },
  { $id: 'AutopayRequest', examples: [{ first: true }] },
);

export const Autopay = Type.Object(
  {
    id: Id('aut'),
    status: Type.Enum([...AUTHORISATION_STATUSES], {
      description:
        '`pending`: waits for the payer. `active`: installments are debited. `rejected` by the payer; `expired` before the payer answered; `ended` since.',
    }),
    br_code: Type.String({
      description: 'The code to copy and paste into the app of a bank, which asks to authorise.',
    }),
    qr_code: Type.String({ description: 'The same code to scan: a PNG in a data URI.' }),
    expires_at: Timestamp({ description: 'Until when the code can be used.' }),
    first: Type.Boolean({ description: 'The code also pays the first open installment.' }),
    ended_by: Type.Unsafe<'customer' | 'payer' | 'bank' | 'service' | null>({
      type: ['string', 'null'],
      enum: ['customer', 'payer', 'bank', 'service', null],
      description:
        'Who ended it: the customer here, the payer in the app of the bank, a bank, or this service, as when all is paid.',
    }),
    reason: TextOrNull({ description: 'Why it ended: a code of the Pix network, or a word of ours.' }),
    created_at: Timestamp(),
  },
  {
    $id: 'Autopay',
    examples: [
      {
        id: 'aut_01kfx3v9e2r4s6t8w0y2a4c6e8',
        status: 'pending',
        br_code:
          '00020126180014br.gov.bcb.pix5204000053039865802BR5913Fulano de Tal6008BRASILIA62070503***80800014br.gov.bcb.pix2558pix.example.com/qr/v2/rec/2353c790eefb11eaadc10242ac120002630462C9',
        qr_code: example.qr_code,
        expires_at: '2026-11-16T12:00:00.000Z',
        first: false,
        ended_by: null,
        reason: null,
        created_at: example.created_at,
      },
    ],
  },
);

export const CheckoutParams = Type.Object({
  hash: Type.String({
    pattern: '^[0-9A-Za-z]{22}$',
    description: 'The purchase.',
    examples: ['3kTz9QmVb7LxWc2RfYp8Hd'],
  }),
});

/** Of the endpoints of the authorisation of one purchase. */
export const ofAutopay = {
  params: CheckoutParams,
  notFound: {
    en: 'Nobody asked for autopay of this purchase.',
    pt: 'Não há débito automático pedido para esta compra.',
  },
};

export const PixChargePage = PageOf(PixCharge, 'PixChargePage');

/** Of the endpoints of one installment. */
export const ofInstallment = {
  params: Type.Object({
    id: Id('ins', {
      description: 'The installment, as in the purchase.',
      examples: [example.installment_id],
    }),
  }),
  notFound: NO_INSTALLMENT,
};

export const ChargeParams = Type.Object({
  id: Id('pix', { description: 'The charge.', examples: [example.id] }),
});

export const exampleOrphan = {
  end_to_end_id: 'E99900001202611151200aB3dE5fG7h1',
  txid: null,
  value: 52.3,
  status: 'open',
  reason: null,
  paid_at: '2026-11-15T12:00:00.000Z',
  found_at: '2026-11-15T12:01:00.000Z',
  returned_at: null,
};

export const EndToEndId = (description: string) =>
  Type.String({ pattern: '^[0-9A-Za-z]{1,64}$', description, examples: [exampleOrphan.end_to_end_id] });

export const PixOrphan = Type.Object(
  {
    end_to_end_id: EndToEndId('The payment in the Pix network.'),
    txid: TextOrNull(),
    value: amount('What arrived, in reais.'),
    status: Type.Enum([...ORPHAN_STATUSES], {
      description:
        '`open`: nothing was done about it. It goes back to the payer: `asked`, `processing` at the payment provider, `returned`.',
    }),
    reason: TextOrNull({ description: 'Why the last try to give it back failed.' }),
    paid_at: Timestamp(),
    found_at: Timestamp(),
    returned_at: TextOrNull({ format: 'date-time' }),
  },
  { $id: 'PixOrphan', examples: [exampleOrphan] },
);

const endToEndIdParams = Type.Object({ id: EndToEndId('The end-to-end id of the payment.') });

/** Of the endpoints of one payment, and of one that belongs to no charge. */
export const ofPayment = {
  params: endToEndIdParams,
  notFound: { en: 'No payment has this end-to-end id.', pt: 'Nenhum pagamento tem este end-to-end id.' },
};
export const ofOrphan = {
  params: endToEndIdParams,
  notFound: {
    en: 'No orphan has this end-to-end id.',
    pt: 'Nenhum pagamento sem destino tem este end-to-end id.',
  },
};

const examplePayment = {
  end_to_end_id: exampleOrphan.end_to_end_id,
  pix_id: example.id,
  customer_id: 'cus_01kfx3s5c0p2q4r6t8w0y2a4c6',
  installment_id: example.installment_id,
  value: 51.08,
  refunded: 0,
  assigned: false,
  paid_at: '2026-11-15T12:10:00.000Z',
  recorded_at: '2026-11-15T12:10:02.000Z',
};

export const PixPayment = Type.Object(
  {
    end_to_end_id: EndToEndId('The payment in the Pix network.'),
    pix_id: Id('pix', { description: 'The charge it paid.' }),
    customer_id: Id('cus'),
    installment_id: Id('ins'),
    value: amount('What arrived, in reais.'),
    refunded: amount('What of it has gone back, in reais.'),
    assigned: Type.Boolean({ description: 'It came without a charge, and a person said what it is for.' }),
    paid_at: Timestamp({ description: 'When the payment provider says it arrived.' }),
    recorded_at: Timestamp({ description: 'When it was applied.' }),
  },
  { $id: 'PixPayment', examples: [examplePayment] },
);

export const PixPaymentItem = WithCustomerName(PixPayment, 'PixPaymentItem');

export const StaffPixCharge = Type.Object(
  {
    id: Id('pix'),
    txid: PixCharge.properties.txid,
    customer_id: Id('cus'),
    checkout_hash: Type.String({ examples: ['3kTz9QmVb7LxWc2RfYp8Hd'] }),
    installment_id: Id('ins'),
    type: types,
    status: PixCharge.properties.status,
    value: amount('What is to be paid, in reais.'),
    created_at: Timestamp(),
    expires_at: Timestamp(),
    paid_at: TextOrNull({ format: 'date-time' }),
  },
  { $id: 'StaffPixCharge' },
);

export const StaffPixChargeItem = WithCustomerName(StaffPixCharge, 'StaffPixChargeItem');

export const PixDiscrepancy = Type.Object(
  {
    kind: Type.Enum(['paid_without_payment', 'end_to_end_id_reused', 'unreadable_payment'], {
      description:
        '`paid_without_payment`: the charge is paid at the provider, and no payment of it can be found. ' +
        '`end_to_end_id_reused`: its payment has been counted for another charge. `unreadable_payment`: the amount or the ' +
        'time of a payment cannot be read.',
    }),
    pix_id: Type.String({ description: 'The charge.' }),
    customer_id: Type.String(),
    txid: Type.String({ description: 'What the payment provider knows the charge by.' }),
    end_to_end_id: TextOrNull({ description: 'Of the payment, where one is named.' }),
    value: amount('What the charge asks for, in reais.'),
    found_at: Timestamp(),
  },
  {
    $id: 'PixDiscrepancy',
    examples: [
      {
        kind: 'paid_without_payment',
        pix_id: example.id,
        customer_id: 'cus_01kfx3s5c0p2q4r6t8w0y2a4c6',
        txid: example.txid,
        end_to_end_id: null,
        value: 51.08,
        found_at: '2026-11-15T12:01:00.000Z',
      },
    ],
  },
);

const exampleRefund = {
  id: '7hK2mQ9sVx4LcT1bYwR8nZ5pDf3gJ6aE',
  end_to_end_id: exampleOrphan.end_to_end_id,
  customer_id: 'cus_01kfx3s5c0p2q4r6t8w0y2a4c6',
  value: 20,
  status: 'given_up',
  stranded: 20,
  forced: false,
  reason: 'The PSP refused: AcessoNegado (403)',
  tries: 5,
  created_at: '2026-11-16T13:11:00.000Z',
  settled_at: null,
};

export const PixRefund = Type.Object(
  {
    id: Type.String({ description: 'What the payment provider knows it by.' }),
    end_to_end_id: EndToEndId('Of the payment whose money it is.'),
    customer_id: Id('cus'),
    value: amount('What it returns, in reais.'),
    status: Type.Enum([...REFUND_STATUSES], {
      description:
        '`asked` and `processing`: under way. `returned`: the payer has it. `failed`: another one was made for it. `given_up`: a ' +
        'person must see to it. `credited`: the payment is too old to be refunded, and the money became cashback. ' +
        '`overtaken`: the money was applied, or left another way.',
    }),
    stranded: amount('What was given up of it, is still here, and owed to the payer, in reais.'),
    forced: Type.Boolean({
      description: 'Nobody here asked for it: the payer’s bank took it, or it was done by hand.',
    }),
    reason: TextOrNull({
      description: 'Why it failed: what the payment provider said. Of a forced one, its nature.',
    }),
    tries: Type.Integer(),
    created_at: Timestamp(),
    settled_at: TextOrNull({ format: 'date-time' }),
  },
  { $id: 'PixRefund', examples: [exampleRefund] },
);

export const PixRefundItem = WithCustomerName(PixRefund, 'PixRefundItem');

/** Of the endpoints of one refund. */
export const ofRefund = {
  params: Type.Object({
    id: Type.String({
      pattern: '^[0-9A-Za-z]{1,35}$',
      description: 'The refund.',
      examples: [exampleRefund.id],
    }),
  }),
  notFound: { en: 'No refund of ours has this id.', pt: 'Nenhuma devolução nossa tem este id.' },
};

export const PixMove = Type.Object(
  {
    id: Id('mov'),
    side: Type.Enum(['from', 'to'], {
      description: 'Each move has both: what it counted for, and what since.',
    }),
    customer_id: Id('cus'),
    checkout_hash: Type.String(),
    installment_id: Id('ins'),
    reason: Type.String(),
    moved_at: Timestamp(),
    moved_by: Type.String({ description: 'The person, or the user of the command line.' }),
  },
  { $id: 'PixMove' },
);

export const PixPaymentWithRefunds = Type.Object(
  {
    ...PixPaymentItem.properties,
    refunds: Type.Array(PixRefund),
    moves: Type.Array(PixMove, { description: 'Where it counted before, the earliest first.' }),
  },
  {
    $id: 'PixPaymentWithRefunds',
    examples: [{ ...examplePayment, customer_name: 'Ana Souza', refunds: [], moves: [] }],
  },
);

export const StaffChargeParams = Type.Object({
  id: Type.String({
    pattern: '^pix_[0-9a-z]{26}$|^[0-9A-Za-z]{26,35}$',
    description: 'The charge, or its txid.',
    examples: [example.id],
  }),
});

/** Of which customer. */
export const customerParameter = {
  customer: Type.Optional(Text(80, { description: 'Id or phone of the customer.' })),
};
/** And of which purchase. */
export const ownerParameters = {
  ...customerParameter,
  checkout: Type.Optional(
    Type.String({ pattern: '^[0-9A-Za-z]{22}$', description: 'Hash of the purchase.' }),
  ),
};
