import { type Static, Type } from 'typebox';
import { CHARGE_TYPES } from '#core/finance/charge.ts';
import { INSTALLMENT_NOT_FOUND } from '#credit';
import { WithCustomerName } from '#platform/http/masking.ts';
import { PageOf } from '#platform/http/pagination.ts';
import { BooleanField, Id, StrictObject, TextField, TextOrNull, Timestamp } from '#platform/http/schemas.ts';
import { AUTHORISATION_STATUSES } from './store/authorisations.ts';
import { ORPHAN_STATUSES } from './store/orphans.ts';
import { REFUND_STATUSES } from './store/payments.ts';

const ChargeTypeEnum = Type.Enum([...CHARGE_TYPES], {
  description:
    '`settle` pays the outstanding amount; `settle_with_penalty` also the penalties; `settle_partial` a part; `extend` postpones the ' +
    'due day for a fee.',
});

export const AmountInReais = (description: string) =>
  Type.Number({ format: 'reais', description, examples: [51.08] });

/** The validated schema. `value` is optional, so that a partial payment without it gets the problem `value_required` (422). */
export const ChargeRequest = StrictObject({
  type: ChargeTypeEnum,
  value: Type.Optional(AmountInReais('The amount of the charge, in reais.')),
});

const PartialChargeRequest = StrictObject(
  {
    type: Type.Literal('settle_partial', { description: 'Pays a part of the amount due.' }),
    value: AmountInReais('The amount of the charge, in reais.'),
  },
  { $id: 'PartialChargeRequest' },
);

const WholeChargeRequest = StrictObject(
  {
    type: Type.Enum(['settle', 'settle_with_penalty', 'extend'], {
      description:
        '`settle` pays the outstanding amount; `settle_with_penalty` also the penalties; `extend` postpones the due day for a fee.',
    }),
    value: Type.Optional(
      AmountInReais('The expected amount (the request fails unless this is the amount due now), in reais.'),
    ),
  },
  { $id: 'WholeChargeRequest' },
);

/** The documented schema: in a generated client, a partial payment without `value` does not compile. */
export const DocumentedChargeRequest = Type.Unsafe<Static<typeof ChargeRequest>>({
  $id: 'ChargeRequest',
  oneOf: [WholeChargeRequest, PartialChargeRequest],
  examples: [{ type: 'settle_with_penalty', value: 51.08 }],
});

const QrCode = TextField(
  '`br_code` as a QR code: a PNG in a data URI.',
  'data:image/png;base64,iVBORw0KGgo...',
);

export const PixCharge = Type.Object(
  {
    id: Id('pix'),
    installment_id: Id('ins'),
    type: ChargeTypeEnum,
    status: Type.Enum(['pending', 'paid', 'expired', 'cancelled'], {
      description:
        '`cancelled`: another charge of the installment was paid, or a newer charge of the same type replaced this one.',
    }),
    value: Type.Number({ description: 'The amount to pay, in reais.', examples: [51.08] }),
    paid: Type.Number({ description: 'The amount paid, in reais; 0 until the payment arrives.' }),
    txid: Type.String({
      pattern: '^[a-zA-Z0-9]{26,35}$',
      examples: ['7978c0c97ea847e78e8849634473c1f1'],
      description: 'The id of the charge at the payment provider.',
    }),
    br_code: TextField(
      'The code to copy and paste into a bank app.',
      '00020101021226700014br.gov.bcb.pix2548pix.example.com/8b3da2f39a4140d1a91abd93113bd4415204000053039865802BR5913Fulano de Tal6008BRASILIA62070503***630464E4',
    ),
    qr_code: QrCode,
    expires_at: Timestamp({ description: 'The amount is valid until then.' }),
    created_at: Timestamp(),
  },
  { $id: 'PixCharge' },
);

export const PixChargeWithRefunds = Type.Object(
  {
    ...PixCharge.properties,
    refunds: Type.Array(
      Type.Object({
        value: Type.Number({ format: 'reais', description: 'The refunded amount, in reais.' }),
        status: Type.Enum(['under_way', 'returned', 'delayed', 'cashback'], {
          description:
            '`under_way`: the refund is in progress. `returned`: the payer has the money back. `delayed`: the bank did not accept the refund, and the operator handles it. `cashback`: the payment was too old for a refund by Pix.',
        }),
        explanation: TextField(
          'The status as a text for the customer, in Portuguese.',
          'A devolução por Pix foi pedida ao banco.',
        ),
      }),
    ),
  },
  { $id: 'PixChargeWithRefunds' },
);

export const AutopayRequest = StrictObject(
  {
    first: Type.Optional(
      Type.Boolean({
        default: false,
        description:
          'Whether the code also pays the first open installment. If so, that payment also authorises the debits.',
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
        '`pending`: waiting for the payer. `active`: installments are debited. `rejected`: by the payer. `expired`: the payer did not respond in time. `ended`: no longer active.',
    }),
    br_code: TextField(
      'The code to copy and paste into a bank app, which then asks for the authorisation.',
      '00020126180014br.gov.bcb.pix5204000053039865802BR5913Fulano de Tal6008BRASILIA62070503***80800014br.gov.bcb.pix2558pix.example.com/qr/v2/rec/2353c790eefb11eaadc10242ac120002630462C9',
    ),
    qr_code: QrCode,
    expires_at: Timestamp({ description: 'The code can be used until then.' }),
    first: Type.Boolean({ description: 'Whether the code also pays the first open installment.' }),
    ended_by: Type.Unsafe<'customer' | 'payer' | 'bank' | 'service' | null>({
      type: ['string', 'null'],
      enum: ['customer', 'payer', 'bank', 'service', null],
      description:
        'Who ended it: `customer` in this service, `payer` in the bank app, `bank`, or `service`, for example because everything is paid.',
    }),
    reason: TextOrNull({
      description:
        'Why it ended: a code of the Pix network, or `nothing_owed`, `replaced` by a newer authorisation, `over` (its last day has passed), `asked` ' +
        '(the customer ended it), or `erased` (the customer was erased).',
    }),
    created_at: Timestamp(),
  },
  { $id: 'Autopay' },
);

export const CheckoutParams = Type.Object({
  hash: Type.String({
    pattern: '^[0-9A-Za-z]{22}$',
    description: 'The hash of the purchase.',
    examples: ['3kTz9QmVb7LxWc2RfYp8Hd'],
  }),
});

export const autopayRoute = {
  params: CheckoutParams,
  notFound: {
    en: 'Autopay was not requested for this purchase.',
    pt: 'Não há débito automático pedido para esta compra.',
  },
};

export const PixChargePage = PageOf(PixCharge, 'PixChargePage');

export const installmentRoute = {
  params: Type.Object({
    id: Id('ins', {
      description: 'The id of the installment.',
    }),
  }),
  notFound: INSTALLMENT_NOT_FOUND,
};

export const ChargeParams = Type.Object({
  id: Id('pix', { description: 'The id of the charge.' }),
});

export const EndToEndId = (description: string) =>
  Type.String({
    pattern: '^[0-9A-Za-z]{1,64}$',
    description,
    examples: ['E99900001202611151200aB3dE5fG7h1'],
  });

export const PixOrphan = Type.Object(
  {
    end_to_end_id: EndToEndId('The id of the payment in the Pix network.'),
    txid: TextOrNull(),
    value: AmountInReais('The amount received, in reais.'),
    status: Type.Enum([...ORPHAN_STATUSES], {
      description:
        '`open`: waits for a staff user. `asked`: a refund to the payer is requested. `processing`: the payment provider is refunding it. ' +
        '`returned`: the payer has the money back.',
    }),
    reason: TextOrNull({ description: 'Why the last attempt to refund it failed.' }),
    paid_at: Timestamp(),
    found_at: Timestamp({ description: 'When the service found the payment at the provider.' }),
    returned_at: TextOrNull({ format: 'date-time' }),
  },
  { $id: 'PixOrphan' },
);

const endToEndIdParams = Type.Object({ id: EndToEndId('The end-to-end id of the payment.') });

export const paymentRoute = {
  params: endToEndIdParams,
  notFound: { en: 'No payment has this end-to-end id.', pt: 'Nenhum pagamento tem este end-to-end id.' },
};
export const orphanRoute = {
  params: endToEndIdParams,
  notFound: {
    en: 'No orphan has this end-to-end id.',
    pt: 'Nenhum pagamento sem destino tem este end-to-end id.',
  },
};

export const PixPayment = Type.Object(
  {
    end_to_end_id: EndToEndId('The id of the payment in the Pix network.'),
    pix_id: Id('pix', { description: 'The charge that it paid.' }),
    customer_id: Id('cus'),
    installment_id: Id('ins'),
    value: AmountInReais('The amount received, in reais.'),
    refunded: AmountInReais('The refunded amount, in reais.'),
    assigned: BooleanField('Whether the payment arrived without a charge, and a staff user assigned it.'),
    paid_at: Timestamp({ description: 'When it arrived, as the payment provider reports.' }),
    recorded_at: Timestamp({ description: 'When the service applied it.' }),
  },
  { $id: 'PixPayment' },
);

export const PixPaymentItem = WithCustomerName(PixPayment, 'PixPaymentItem');

export const StaffPixCharge = Type.Object(
  {
    id: Id('pix'),
    txid: PixCharge.properties.txid,
    customer_id: Id('cus'),
    checkout_hash: Type.String({ examples: ['3kTz9QmVb7LxWc2RfYp8Hd'] }),
    installment_id: Id('ins'),
    type: ChargeTypeEnum,
    status: PixCharge.properties.status,
    value: AmountInReais('The amount to pay, in reais.'),
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
        '`end_to_end_id_reused`: its payment is already assigned to another charge. `unreadable_payment`: the amount or the ' +
        'time of a payment cannot be parsed.',
    }),
    pix_id: Id('pix', { description: 'The id of the charge.' }),
    customer_id: Id('cus'),
    txid: PixCharge.properties.txid,
    end_to_end_id: TextOrNull({ description: 'The end-to-end id of the payment, if it is known.' }),
    value: AmountInReais('The amount of the charge, in reais.'),
    found_at: Timestamp({ description: 'When the service found the discrepancy.' }),
  },
  { $id: 'PixDiscrepancy' },
);

export const PixRefund = Type.Object(
  {
    id: TextField('The id of the refund at the payment provider.', '7hK2mQ9sVx4LcT1bYwR8nZ5pDf3gJ6aE'),
    end_to_end_id: EndToEndId('The end-to-end id of the refunded payment.'),
    customer_id: Id('cus'),
    value: AmountInReais('The amount of the refund, in reais.'),
    status: Type.Enum([...REFUND_STATUSES], {
      description:
        '`asked` (requested) and `processing`: in progress. `returned`: the payer has received it. `failed`: a new refund replaces it. ' +
        '`given_up`: needs manual action. `credited`: the payment is too old to be refunded, and the amount became cashback. ' +
        '`overtaken`: no longer needed, because the amount was applied to a debt, or returned by a chargeback or by hand.',
    }),
    stranded: AmountInReais('What is still owed to the payer after the refund was given up, in reais.'),
    forced: BooleanField(
      'Whether the refund was made outside this service: a chargeback by the payer’s bank, or a refund by hand at the provider.',
    ),
    reason: TextOrNull({
      description:
        'Why it failed, as the payment provider reports. For a refund that was made outside this service, the provider’s field `natureza`.',
    }),
    tries: Type.Integer({ description: 'Which attempt to refund this amount it is: 1 for the first.' }),
    created_at: Timestamp(),
    settled_at: TextOrNull({ format: 'date-time' }),
  },
  { $id: 'PixRefund' },
);

export const PixRefundItem = WithCustomerName(PixRefund, 'PixRefundItem');

export const refundRoute = {
  params: Type.Object({
    id: Type.String({
      pattern: '^[0-9A-Za-z]{1,35}$',
      description: 'The id of the refund.',
      examples: ['7hK2mQ9sVx4LcT1bYwR8nZ5pDf3gJ6aE'],
    }),
  }),
  notFound: { en: 'No refund of ours has this id.', pt: 'Nenhuma devolução nossa tem este id.' },
};

export const PixMove = Type.Object(
  {
    id: Id('mov'),
    side: Type.Enum(['from', 'to'], {
      description:
        'A move of a payment has two rows with the same id: `from` is the previous installment, `to` the new one.',
    }),
    customer_id: Id('cus'),
    checkout_hash: StaffPixCharge.properties.checkout_hash,
    installment_id: Id('ins'),
    reason: Type.String({ examples: ['Atribuído à cliente errada'] }),
    moved_at: Timestamp(),
    moved_by: TextField('The staff user, or the user of the command line.', 'Demo admin'),
  },
  { $id: 'PixMove' },
);

export const PixPaymentWithRefunds = Type.Object(
  {
    ...PixPaymentItem.properties,
    refunds: Type.Array(PixRefund),
    moves: Type.Array(PixMove, { description: 'The moves of the payment, the earliest first.' }),
  },
  { $id: 'PixPaymentWithRefunds' },
);

export const StaffChargeParams = Type.Object({
  id: Type.String({
    pattern: '^pix_[0-9a-z]{26}$|^[0-9A-Za-z]{26,35}$',
    description: 'The id or the txid of the charge.',
    examples: ['pix_01kfx3v9e2r4s6t8w0y2a4c6e8'],
  }),
});
