import { Type } from 'typebox';
import { type Cents, parseReais, toReais } from '#core/money.ts';
import { endpoint } from '#platform/http/endpoint.ts';
import { Timestamp } from '#platform/http/schemas.ts';
import { type FieldError, notFound, validationFailed } from '#platform/problem.ts';
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
    description:
      'The body may be left out: then all that is left of the last payment. `value` takes a part, in reais.',
    params: Type.Object({ txid: Type.String() }),
    answers: { 201: { description: 'The money went back to the payer.', schema: SandboxReversal } },
    problems: [notFound, validationFailed, nothingToReverse],
    async handler(request, reply) {
      const outcome = await simulator.reverse(request.params.txid, readPart(request.body));
      if (outcome.kind === 'unknown_charge')
        throw notFound('The PSP simulator has no charge with this txid.');
      if (outcome.kind === 'nothing_left')
        throw nothingToReverse('Nothing was paid with this txid, or it has gone back already.');
      if (outcome.kind === 'too_much') {
        const message = `must be at most ${toReais(outcome.leftCents).toFixed(2)}: more is not left of the payment`;
        throw wrong([{ pointer: '/value', message }]);
      }
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

/** Checked here and not by a schema, because a schema would make the body necessary. */
function readPart(body: unknown): Cents | undefined {
  if (body === undefined || body === null) return undefined;
  if (typeof body !== 'object' || Array.isArray(body))
    throw wrong([{ pointer: '', message: 'must be an object' }]);
  const { value, ...others } = body as Record<string, unknown>;
  const errors: FieldError[] = Object.keys(others).map((name) => ({
    pointer: `/${name}`,
    message: 'is not a known field',
  }));
  const part = value === undefined ? undefined : parseReais(value);
  if (part === null || (part !== undefined && part <= 0))
    errors.push({
      pointer: '/value',
      message: 'must be an amount in reais above 0, with at most two decimals',
    });
  if (errors.length > 0) throw wrong(errors);
  return part ?? undefined;
}

const wrong = (errors: FieldError[]) =>
  validationFailed(`${errors.length === 1 ? 'A fault' : `${errors.length} faults`} in the body.`, { errors });
