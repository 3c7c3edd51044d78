import { Type } from 'typebox';
import { inReais, parseReais, spokenReais, toReais } from '#core/money.ts';
import { endpoint } from '#platform/http/endpoint.ts';
import { Form, Timestamp } from '#platform/http/schemas.ts';
import { nothingToReverse, wrongField } from '../problems.ts';
import { AmountInReais, ofCharge } from '../schemas.ts';
import type { PspSimulator } from '../simulator.ts';

const SandboxReversal = Type.Object(
  {
    end_to_end_id: Type.String({ examples: ['E99900001202611151200aB3dE5fG7h1'] }),
    txid: Type.String({ examples: ['7978c0c97ea847e78e8849634473c1f1'] }),
    refund_id: Type.String({
      description: 'The id of the refund that nobody here asked for.',
      examples: ['7hK2mQ9sVx4LcT1bYwR8nZ5pDf3gJ6aE'],
    }),
    value: Type.Number({ description: 'What went back, in reais.', examples: [52.3] }),
    reversed_at: Timestamp(),
  },
  { $id: 'SandboxReversal' },
);

export const postSandboxPixTxidReverse = (simulator: PspSimulator) =>
  endpoint('POST /sandbox/pix/:txid/reverse', {
    access: { scope: 'operator', role: 'support' },
    id: 'reversePayment',
    summary: "Take a payment back, as the payer's bank would after a fraud claim (MED)",
    description: 'Without a body, all that is left of the last payment.',
    ...ofCharge,
    body: Form({ value: Type.Optional(AmountInReais({ description: 'The part to take back, in reais.' })) }),
    bodyOptional: true,
    answers: { 201: { description: 'The money went back to the payer.', schema: SandboxReversal } },
    problems: [nothingToReverse],
    async handler(request) {
      const { value } = request.body;
      const part = value === undefined ? undefined : parseReais(value)!;
      const outcome = await simulator.reverse(request.params.txid, part);
      if (outcome.kind === 'unknown_charge') throw request.notFound();
      if (outcome.kind === 'nothing_left') throw nothingToReverse();
      if (outcome.kind === 'too_much') {
        throw wrongField('value', {
          en: `must be at most ${inReais(outcome.leftCents)}: more is not left of the payment`,
          pt: `deve ser no máximo ${spokenReais(outcome.leftCents)}: é o que resta do pagamento`,
        });
      }
      return {
        end_to_end_id: outcome.endToEndId,
        txid: outcome.txid,
        refund_id: outcome.refundId,
        value: toReais(outcome.amountCents),
        reversed_at: outcome.at.toISOString(),
      };
    },
  });
