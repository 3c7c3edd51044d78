import { Type } from 'typebox';
import { toReais } from '#core/money.ts';
import { endpoint } from '#platform/http/endpoint.ts';
import { Timestamp } from '#platform/http/schemas.ts';
import { notFound } from '#platform/problem.ts';
import { nothingToReverse } from '../problems.ts';
import type { PspSimulator } from '../simulator.ts';

const SandboxReversal = Type.Object(
  {
    end_to_end_id: Type.String({ examples: ['E99900001202611151200aB3dE5fG7h1'] }),
    txid: Type.String({ examples: ['7978c0c97ea847e78e8849634473c1f1'] }),
    refund_id: Type.String({ description: 'The id of the refund that nobody here asked for.' }),
    value: Type.Number({ description: 'What went back, in reais.', examples: [52.3] }),
    reversed_at: Timestamp(),
  },
  { $id: 'SandboxReversal' },
);

export const postSandboxPixTxidReverse = (simulator: PspSimulator) =>
  endpoint({
    method: 'POST',
    url: '/sandbox/pix/:txid/reverse',
    access: { scope: 'operator' },
    id: 'reversePayment',
    tag: 'Sandbox',
    summary: "Take a payment back, as the payer's bank would after a fraud claim (MED)",
    params: Type.Object({ txid: Type.String() }),
    answers: { 201: { description: 'The money went back to the payer.', schema: SandboxReversal } },
    problems: [notFound, nothingToReverse],
    async handler(request, reply) {
      const outcome = await simulator.reverse(request.params.txid);
      if (outcome.kind === 'unknown_charge')
        throw notFound('The PSP simulator has no charge with this txid.');
      if (outcome.kind === 'nothing_left')
        throw nothingToReverse('Nothing was paid with this txid, or it has gone back already.');
      reply.code(201);
      return {
        end_to_end_id: outcome.endToEndId,
        txid: outcome.txid,
        refund_id: outcome.refundId,
        value: toReais(outcome.amountCents),
        reversed_at: outcome.at.toISOString(),
      };
    },
  });
