import { Type } from 'typebox';
import { type Cents, parseReais, toReais } from '#core/money.ts';
import { endpoint } from '#platform/http/endpoint.ts';
import { Timestamp } from '#platform/http/schemas.ts';
import { type FieldError, notFound, validationFailed } from '#platform/problem.ts';
import { instant } from '../api/window.ts';
import { MOST_CENTS } from '../bank.ts';
import type { Payment } from '../pay.ts';
import { chargeExpired, chargeNotPayable } from '../problems.ts';
import type { PspSimulator } from '../simulator.ts';

/** Clocks of two machines may differ by this much. */
const SLACK_MS = 60_000;
/** However wrong a bank's clock is. */
const PIX_BEGAN = new Date('2020-11-16T03:00:00Z');

export const SandboxPayment = Type.Object(
  {
    end_to_end_id: Type.String({ examples: ['E99900001202611151200aB3dE5fG7h1'] }),
    txid: Type.String({ examples: ['7978c0c97ea847e78e8849634473c1f1'] }),
    value: Type.Number({ description: 'What was paid, in reais.', examples: [52.3] }),
    paid_at: Timestamp(),
  },
  { $id: 'SandboxPayment' },
);

export const postSandboxPixTxidPay = (simulator: PspSimulator, now: () => Date) =>
  endpoint({
    method: 'POST',
    url: '/sandbox/pix/:txid/pay',
    access: { scope: 'operator' },
    id: 'payCharge',
    tag: 'Sandbox',
    summary: "Pay a charge, as the payer's bank would",
    description:
      'The body may be left out. `value` pays another sum in reais, `at` at another instant: not a future one, and none ' +
      'before the charge was made. `force` pays also what is expired, removed or paid already, and lets `at` lie before ' +
      "the charge, as where the clock of the payer's bank is wrong.",
    params: Type.Object({ txid: Type.String() }),
    answers: { 201: { description: 'The money arrived at the PSP.', schema: SandboxPayment } },
    problems: [notFound, validationFailed, chargeNotPayable, chargeExpired],
    async handler(request, reply) {
      const outcome = await simulator.pay(request.params.txid, readPayment(request.body, now()));
      switch (outcome.kind) {
        case 'unknown_charge':
          throw notFound('The PSP simulator has no charge with this txid.');
        case 'not_active':
          throw chargeNotPayable(`The charge is ${outcome.status}.`);
        case 'expired':
          throw chargeExpired(`The charge could be paid until ${outcome.at.toISOString()}.`);
        case 'too_early':
          throw wrong([
            {
              pointer: '/at',
              message: `must not be before the charge was made, which was at ${outcome.madeAt.toISOString()}`,
            },
          ]);
        case 'amount_needed':
          throw wrong([
            { pointer: '/value', message: 'is required: the payer chooses the amount of this charge' },
          ]);
      }
      reply.code(201);
      return {
        end_to_end_id: outcome.endToEndId,
        txid: outcome.txid,
        value: toReais(outcome.amountCents),
        paid_at: outcome.paidAt.toISOString(),
      };
    },
  });

/** Checked here and not by a schema, because a schema would make the body necessary. */
function readPayment(body: unknown, now: Date): Payment {
  if (body === undefined || body === null) return {};
  if (typeof body !== 'object' || Array.isArray(body))
    throw wrong([{ pointer: '', message: 'must be an object' }]);
  const { value, at, force, ...others } = body as Record<string, unknown>;
  const amountCents = value === undefined ? undefined : parseReais(value);
  const paidAt = at === undefined ? undefined : instant(typeof at === 'string' ? at : undefined);
  const errors: FieldError[] = Object.keys(others).map((name) => ({
    pointer: `/${name}`,
    message: 'is not a known field',
  }));
  if (amountCents === null || (amountCents !== undefined && amountCents <= 0))
    errors.push({
      pointer: '/value',
      message: 'must be an amount in reais above 0, with at most two decimals',
    });
  else if (amountCents !== undefined && amountCents > MOST_CENTS)
    errors.push({ pointer: '/value', message: `must be at most ${toReais(MOST_CENTS)}` });
  if (paidAt === null)
    errors.push({ pointer: '/at', message: 'must be an instant like 2026-11-15T12:00:00Z' });
  else if (paidAt && paidAt < PIX_BEGAN)
    errors.push({ pointer: '/at', message: `must not be before Pix began, at ${PIX_BEGAN.toISOString()}` });
  else if (paidAt && paidAt.getTime() > now.getTime() + SLACK_MS)
    errors.push({ pointer: '/at', message: `must not be in the future; it is ${now.toISOString()} here` });
  if (force !== undefined && typeof force !== 'boolean')
    errors.push({ pointer: '/force', message: 'must be a boolean' });
  if (errors.length > 0) throw wrong(errors);
  return {
    ...(amountCents !== undefined && { amountCents: amountCents as Cents }),
    ...(paidAt && { at: paidAt }),
    ...(force === true && { force }),
  };
}

const wrong = (errors: FieldError[]) =>
  validationFailed(`${errors.length === 1 ? 'A fault' : `${errors.length} faults`} in the body.`, { errors });
