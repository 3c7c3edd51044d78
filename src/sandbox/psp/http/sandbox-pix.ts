import { type Static, type TNumber, type TSchemaOptions, Type } from 'typebox';
import { parseReais, toReais } from '#core/values/money.ts';
import { type Access, CUSTOMER_ROLES } from '#platform/http/access.ts';
import { type Caller, endpoint } from '#platform/http/endpoint.ts';
import { StrictObject, TextField, Timestamp } from '#platform/http/schemas.ts';
import { FORMAT_MESSAGES } from '#platform/http/validation.ts';
import { parseInstant } from '../api/list-query.ts';
import { MAX_PAYMENT_CENTS } from '../bank.ts';
import type { Payment } from '../payer.ts';
import { chargeExpired, chargeNotPayable, fieldProblem, nothingToReverse } from '../problems.ts';
import type { SimulatorDeps } from '../simulator.ts';

const chargeRoute = {
  params: Type.Object({
    txid: Type.String({
      pattern: '^[a-zA-Z0-9]{1,35}$',
      description: 'The txid of the charge.',
      examples: ['7978c0c97ea847e78e8849634473c1f1'],
    }),
  }),
  notFound: {
    en: 'The PSP simulator has no charge with this txid.',
    pt: 'O simulador do PSP não tem cobrança com este txid.',
  },
};

const AmountInReais = (options: TSchemaOptions): TNumber =>
  Type.Number({
    exclusiveMinimum: 0,
    maximum: toReais(MAX_PAYMENT_CENTS),
    format: 'reais',
    examples: [52.3],
    ...options,
  });

const CLOCK_TOLERANCE_MS = 60_000;
/** The earliest time of a payment, even with `force`. */
const PIX_LAUNCHED_AT = new Date('2020-11-16T03:00:00Z');

const paymentIds = {
  end_to_end_id: Type.String({
    pattern: '^[0-9A-Za-z]{1,64}$',
    examples: ['E99900001202611151200aB3dE5fG7h1'],
  }),
  txid: Type.String({ pattern: '^[0-9A-Za-z]{1,64}$', examples: ['7978c0c97ea847e78e8849634473c1f1'] }),
};

const SandboxPayment = Type.Object(
  {
    ...paymentIds,
    value: Type.Number({ description: 'The amount paid, in reais.', examples: [52.3] }),
    paid_at: Timestamp(),
  },
  { $id: 'SandboxPayment' },
);

const PaymentInput = StrictObject({
  value: Type.Optional(
    AmountInReais({ description: 'The amount to pay, in reais. Default: the amount of the charge.' }),
  ),
  at: Type.Optional(
    Timestamp({
      description:
        'The time of the payment. Default: now. It must not be in the future, nor before the charge was created.',
    }),
  ),
  force: Type.Optional(
    Type.Boolean({
      examples: [false],
      description:
        'Simulates a careless bank: also pays a charge that is expired, removed or already paid, and at a time before the charge ' +
        "was created, as if the clock of the payer's bank were wrong.",
    }),
  ),
});

type PayPermission = {
  access: Access;
  mayCallerPay: (caller: Caller, txid: string) => Promise<boolean>;
};

const createPayEndpoint = ({ simulator, clock }: SimulatorDeps, { access, mayCallerPay }: PayPermission) =>
  endpoint('POST /sandbox/pix/:txid/pay', {
    access,
    id: 'payCharge',
    summary: 'Pay a PIX charge as the payer',
    description: 'Without a body, pays the amount of the charge, now.',
    ...chargeRoute,
    body: PaymentInput,
    bodyOptional: true,
    responses: { 201: { description: 'The payment arrived at the PSP.', schema: SandboxPayment } },
    problems: [chargeNotPayable, chargeExpired],
    async handler({ caller, params: { txid }, body }) {
      if (!(await mayCallerPay(caller, txid))) return undefined;
      const payment = await simulator.pay(txid, toPayment(body, clock.now()));
      return (
        payment && {
          end_to_end_id: payment.endToEndId,
          txid: payment.txid,
          value: toReais(payment.amountCents),
          paid_at: payment.paidAt.toISOString(),
        }
      );
    },
  });

export const postSandboxPixTxidPay = (deps: SimulatorDeps) =>
  createPayEndpoint(deps, {
    access: { scope: 'operator', role: CUSTOMER_ROLES },
    mayCallerPay: async () => true,
  });

/** The endpoint of the partner API: a partner may pay the charges of its own customers. */
export const postOwnSandboxPixTxidPay = (deps: SimulatorDeps) =>
  createPayEndpoint(deps, { access: { scope: 'wallet' }, mayCallerPay: deps.mayCallerPay });

/** The schema has checked that the amount has at most two decimals, so `parseReais` always succeeds. */
function toPayment({ value, at, force }: Static<typeof PaymentInput>, now: Date): Payment {
  return {
    ...(value !== undefined && { amountCents: parseReais(value)! }),
    ...(at !== undefined && { paidAt: parsePaidAt(at, now) }),
    ...(force === true && { force }),
  };
}

function parsePaidAt(text: string, now: Date): Date {
  const paidAt = parseInstant(text);
  if (!paidAt) throw fieldProblem('at', FORMAT_MESSAGES['date-time']);
  if (paidAt < PIX_LAUNCHED_AT)
    throw fieldProblem('at', {
      en: `must not be before Pix began, at ${PIX_LAUNCHED_AT.toISOString()}`,
      pt: `não pode ser antes do início do Pix, em ${PIX_LAUNCHED_AT.toISOString()}`,
    });
  if (paidAt.getTime() > now.getTime() + CLOCK_TOLERANCE_MS)
    throw fieldProblem('at', {
      en: `must not be in the future; the current time is ${now.toISOString()}`,
      pt: `não pode estar no futuro; aqui são ${now.toISOString()}`,
    });
  return paidAt;
}

const SandboxReversal = Type.Object(
  {
    ...paymentIds,
    refund_id: TextField('The id of the chargeback at the PSP.', '7hK2mQ9sVx4LcT1bYwR8nZ5pDf3gJ6aE'),
    value: Type.Number({ description: 'The returned amount, in reais.', examples: [52.3] }),
    reversed_at: Timestamp(),
  },
  { $id: 'SandboxReversal' },
);

export const postSandboxPixTxidReverse = ({ simulator }: SimulatorDeps) =>
  endpoint('POST /sandbox/pix/:txid/reverse', {
    access: { scope: 'operator', role: CUSTOMER_ROLES },
    id: 'reversePayment',
    summary: "Charge back a PIX payment as the payer's bank",
    description:
      'Simulates a chargeback after a fraud claim (MED). Without a body, returns what is left of the last payment after earlier returns.',
    ...chargeRoute,
    body: StrictObject({
      value: Type.Optional(
        AmountInReais({
          description: 'The amount to return, in reais. Default: what is left of the payment.',
        }),
      ),
    }),
    bodyOptional: true,
    responses: { 201: { description: 'The amount was returned to the payer.', schema: SandboxReversal } },
    problems: [nothingToReverse],
    async handler({ params, body: { value } }) {
      const chargeback = await simulator.reverse(
        params.txid,
        value === undefined ? undefined : parseReais(value)!,
      );
      return (
        chargeback && {
          end_to_end_id: chargeback.endToEndId,
          txid: chargeback.txid,
          refund_id: chargeback.refundId,
          value: toReais(chargeback.amountCents),
          reversed_at: chargeback.reversedAt.toISOString(),
        }
      );
    },
  });
