import { Type } from 'typebox';
import { Installment } from '#credit';
import { Form, Id, Text, Timestamp } from '#platform/http/schemas.ts';
import { amount, EndToEndId } from '../schemas.ts';

export const PaymentMove = Form(
  {
    installment_id: Id('ins', { description: 'What it pays from now on, of this or another customer.' }),
    from_installment_id: Type.Optional(
      Id('ins', { description: 'A guard: if it counts for another one by now, nothing is done.' }),
    ),
    reason: Text(300, { description: 'Why. It is in the trail.' }),
    dry_run: Type.Optional(Type.Boolean({ description: 'Only says what would come of it.' })),
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
    end_to_end_id: EndToEndId('The payment in the Pix network.'),
    value: amount('What arrived, in reais.'),
    received_at: Timestamp({ description: 'As of when it counts for the other installment.' }),
    too_much: amount('What of it is too much there and goes back, in reais.'),
    from: movedSide('What it had paid: owed again.'),
    to: movedSide('What it pays from now on.'),
  },
  { $id: 'MovedPayment' },
);
