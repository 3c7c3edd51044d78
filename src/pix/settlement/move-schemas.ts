import { Type } from 'typebox';
import { Installment } from '#credit';
import { Id, StrictObject, Text, Timestamp } from '#platform/http/schemas.ts';
import { AmountInReais, EndToEndId } from '../schemas.ts';

export const PaymentMove = StrictObject(
  {
    installment_id: Id('ins', {
      description: 'The installment that the payment pays from now on, of this or another customer.',
    }),
    from_installment_id: Type.Optional(
      Id('ins', {
        description:
          'Optimistic check: the request fails unless the payment is still assigned to this installment.',
      }),
    ),
    reason: Text(300, { description: 'The reason of the move. It is stored in the audit trail.' }),
    dry_run: Type.Optional(Type.Boolean({ description: 'Only returns what would happen.' })),
  },
  {
    $id: 'PaymentMove',
    examples: [{ installment_id: 'ins_01kfx3t7d1q3r5s7v9x1z3b5d7', reason: 'Atribuído à cliente errada' }],
  },
);

const movedSide = (description: string) =>
  Type.Object(
    {
      customer_id: Id('cus'),
      checkout_hash: Type.String({ examples: ['3kTz9QmVb7LxWc2RfYp8Hd'] }),
      installment: Installment,
    },
    { description },
  );

export const MovedPayment = Type.Object(
  {
    id: Id('mov'),
    end_to_end_id: EndToEndId('The id of the payment in the Pix network.'),
    value: AmountInReais('The amount received, in reais.'),
    received_at: Timestamp({
      description: 'The instant as of which the payment is applied to the new installment.',
    }),
    too_much: AmountInReais('The excess at the new installment, which is refunded, in reais.'),
    from: movedSide('The previous installment, which is owed again.'),
    to: movedSide('The new installment.'),
  },
  { $id: 'MovedPayment' },
);
