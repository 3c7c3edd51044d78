import { type Static, Type } from 'typebox';
import { CHARGE_TYPES } from '#core/charge.ts';
import { Pagination } from '#platform/http/pagination.ts';
import { Id, TextOrNull, Timestamp } from '#platform/http/schemas.ts';

const types = Type.Enum([...CHARGE_TYPES], {
  description:
    '`settle` pays what is outstanding; `settle_with_penalty` that and the penalties; `settle_partial` a part; `extend` ' +
    'buys a later due day.',
});

const value = (description: string) => Type.Number({ format: 'reais', description });

/** As it is checked: that a part has no `value` is told with a code of its own (422 `value_required`). */
export const ChargeRequest = Type.Object(
  { type: types, value: Type.Optional(value('The amount of the charge, in reais.')) },
  { additionalProperties: false },
);

const PartialChargeRequest = Type.Object(
  {
    type: Type.Literal('settle_partial', { description: 'Pays a part.' }),
    value: value('The amount of the charge, in reais.'),
  },
  { $id: 'PartialChargeRequest', additionalProperties: false },
);

const WholeChargeRequest = Type.Object(
  {
    type: Type.Enum(['settle', 'settle_with_penalty', 'extend'], {
      description:
        '`settle` pays what is outstanding; `settle_with_penalty` that and the penalties; `extend` buys a later due day.',
    }),
    value: Type.Optional(value('A guard: if it is not what is due now, in reais, nothing is made.')),
  },
  { $id: 'WholeChargeRequest', additionalProperties: false },
);

/** As it is documented: in a generated client a part without `value` does not compile. */
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
    txid: Type.String({
      pattern: '^[a-zA-Z0-9]{26,35}$',
      description: 'What the payment provider knows it by.',
    }),
    br_code: Type.String({ description: 'The code to copy and paste into the app of a bank.' }),
    qr_code: Type.String({ description: 'The same code to scan: a PNG in a data URI.' }),
    expires_at: Timestamp({ description: 'The price holds until then.' }),
    created_at: Timestamp(),
  },
  { $id: 'PixCharge', examples: [example] },
);

export const PixChargePage = Type.Object(
  { data: Type.Array(PixCharge), pagination: Pagination },
  { $id: 'PixChargePage' },
);

export const InstallmentParams = Type.Object({
  id: Id('ins', {
    description: 'The installment, as in the purchase.',
    examples: [example.installment_id],
  }),
});

export const ChargeParams = Type.Object({
  id: Id('pix', { description: 'The charge.', examples: [example.id] }),
});

export const PixOrphan = Type.Object(
  {
    end_to_end_id: Type.String(),
    txid: TextOrNull(),
    value: Type.Number({ description: 'What arrived, in reais.' }),
    paid_at: Timestamp(),
    found_at: Timestamp(),
  },
  {
    $id: 'PixOrphan',
    examples: [
      {
        end_to_end_id: 'E99900001202611151200aB3dE5fG7h1',
        txid: null,
        value: 52.3,
        paid_at: '2026-11-15T12:00:00.000Z',
        found_at: '2026-11-15T12:01:00.000Z',
      },
    ],
  },
);

export const PixRefund = Type.Object(
  {
    id: Type.String({ description: 'What the payment provider knows it by.' }),
    end_to_end_id: Type.String({ description: 'Of the payment whose money it is.' }),
    customer_id: Id('cus'),
    value: Type.Number({ description: 'What is still to go back, in reais.' }),
    reason: TextOrNull({ description: 'What the payment provider said.' }),
    tries: Type.Integer(),
    created_at: Timestamp(),
  },
  {
    $id: 'PixRefund',
    examples: [
      {
        id: '7hK2mQ9sVx4LcT1bYwR8nZ5pDf3gJ6aE',
        end_to_end_id: 'E99900001202611151200aB3dE5fG7h1',
        customer_id: 'cus_01kfx3s5c0p2q4r6t8w0y2a4c6',
        value: 20,
        reason: 'The PSP refused: AcessoNegado (403)',
        tries: 5,
        created_at: '2026-11-16T13:11:00.000Z',
      },
    ],
  },
);
