import { Type } from 'typebox';
import { Installment } from '#credit';
import { customerName } from '#platform/http/personal.ts';
import { Form, Id, Timestamp } from '#platform/http/schemas.ts';
import { amount, EndToEndId, exampleOrphan, PixOrphan } from '../schemas.ts';
import { OWNER_REASONS } from './suggest-owners.ts';

export const PixOrphanShown = Type.Object(
  {
    ...PixOrphan.properties,
    suggestions: Type.Array(
      Type.Object({
        customer_id: Id('cus'),
        ...customerName,
        checkout_hash: Type.String(),
        installment_id: Id('ins'),
        because: Type.Array(Type.Enum([...OWNER_REASONS]), {
          description:
            '`code`: a code of the same amount was made in the week before, and not paid. `amount`: exactly so much is owed on it, due within ' +
            'ten days. `bank`: the customer has paid from the same bank before.',
        }),
      }),
      { description: 'What it may be for, the likeliest first; none once something came of it.' },
    ),
  },
  { $id: 'PixOrphanShown', examples: [{ ...exampleOrphan, suggestions: [] }] },
);

export const OrphanAssignment = Form(
  {
    installment_id: Id('ins', { description: 'What it pays.' }),
    dry_run: Type.Optional(Type.Boolean({ description: 'Only says what would come of it.' })),
  },
  {
    $id: 'OrphanAssignment',
    examples: [{ installment_id: 'ins_01kfx3t7d1q3r5s7v9x1z3b5d7' }],
  },
);

export const AssignedOrphan = Type.Object(
  {
    end_to_end_id: EndToEndId('The payment in the Pix network.'),
    value: amount('What arrived, in reais.'),
    customer_id: Id('cus'),
    checkout_hash: Type.String({ examples: ['3kTz9QmVb7LxWc2RfYp8Hd'] }),
    received_at: Timestamp({ description: 'As of when it counts.' }),
    too_much: amount(
      'What of it, or of other payments of the installment, is too much now and goes back, in reais.',
    ),
    installment: Installment,
  },
  { $id: 'AssignedOrphan' },
);
