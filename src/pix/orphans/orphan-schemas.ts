import { Type } from 'typebox';
import { Installment } from '#credit';
import { customerNameField } from '#platform/http/masking.ts';
import { Id, StrictObject, Timestamp } from '#platform/http/schemas.ts';
import { AmountInReais, EndToEndId, exampleOrphan, PixOrphan } from '../schemas.ts';
import { OWNER_REASONS } from './suggest-owners.ts';

export const PixOrphanShown = Type.Object(
  {
    ...PixOrphan.properties,
    suggestions: Type.Array(
      Type.Object({
        customer_id: Id('cus'),
        ...customerNameField,
        checkout_hash: Type.String(),
        installment_id: Id('ins'),
        because: Type.Array(Type.Enum([...OWNER_REASONS]), {
          description:
            '`code`: an unpaid code of the same amount was created in the week before. `amount`: exactly this amount is owed, and due within ' +
            'ten days. `bank`: the customer has paid from the same bank before.',
        }),
      }),
      {
        description:
          'Installments that the payment may be for, the most likely first. Empty unless the payment is open.',
      },
    ),
  },
  { $id: 'PixOrphanShown', examples: [{ ...exampleOrphan, suggestions: [] }] },
);

export const OrphanAssignment = StrictObject(
  {
    installment_id: Id('ins', { description: 'The installment that the payment pays.' }),
    dry_run: Type.Optional(Type.Boolean({ description: 'Only returns what would happen.' })),
  },
  {
    $id: 'OrphanAssignment',
    examples: [{ installment_id: 'ins_01kfx3t7d1q3r5s7v9x1z3b5d7' }],
  },
);

export const AssignedOrphan = Type.Object(
  {
    end_to_end_id: EndToEndId('The id of the payment in the Pix network.'),
    value: AmountInReais('The amount received, in reais.'),
    customer_id: Id('cus'),
    checkout_hash: Type.String({ examples: ['3kTz9QmVb7LxWc2RfYp8Hd'] }),
    received_at: Timestamp({ description: 'The instant as of which the payment is applied.' }),
    too_much: AmountInReais(
      'The excess of this and other payments of the installment, which is refunded, in reais.',
    ),
    installment: Installment,
  },
  { $id: 'AssignedOrphan' },
);
