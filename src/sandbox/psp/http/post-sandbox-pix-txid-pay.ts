import { type Static, Type } from 'typebox';
import { parseReais, toReais } from '#core/money.ts';
import { endpoint } from '#platform/http/endpoint.ts';
import { Form, Timestamp } from '#platform/http/schemas.ts';
import { FORMATS } from '#platform/http/validation.ts';
import { instant } from '../api/window.ts';
import type { Payment } from '../pay.ts';
import { chargeExpired, chargeNotPayable, wrongField } from '../problems.ts';
import { AmountInReais, ofCharge } from '../schemas.ts';
import type { PspSimulator } from '../simulator.ts';

/** Tolerance for clocks of different machines. */
const SLACK_MS = 60_000;
/** The earliest time of payment, even with `force`. */
const PIX_BEGAN = new Date('2020-11-16T03:00:00Z');

const SandboxPayment = Type.Object(
  {
    end_to_end_id: Type.String({ examples: ['E99900001202611151200aB3dE5fG7h1'] }),
    txid: Type.String({ examples: ['7978c0c97ea847e78e8849634473c1f1'] }),
    value: Type.Number({ description: 'What was paid, in reais.', examples: [52.3] }),
    paid_at: Timestamp(),
  },
  { $id: 'SandboxPayment' },
);

const PaymentWish = Form({
  value: Type.Optional(AmountInReais({ description: 'Another sum than the charge asks for, in reais.' })),
  at: Type.Optional(
    Timestamp({
      description:
        'Another instant than now: not a future one, and none before the charge was made, as no money arrives before ' +
        'its charge.',
    }),
  ),
  force: Type.Optional(
    Type.Boolean({
      examples: [false],
      description:
        'As a careless bank would: also what is expired, removed or paid already, and at an instant before the charge ' +
        "was made, as where the clock of the payer's bank is wrong.",
    }),
  ),
});

export const postSandboxPixTxidPay = (simulator: PspSimulator, now: () => Date) =>
  endpoint('POST /sandbox/pix/:txid/pay', {
    access: { scope: 'operator', role: 'support' },
    id: 'payCharge',
    summary: "Pay a charge, as the payer's bank would",
    description: 'Without a body, what the charge asks for, now.',
    ...ofCharge,
    body: PaymentWish,
    bodyOptional: true,
    answers: { 201: { description: 'The money arrived at the PSP.', schema: SandboxPayment } },
    problems: [chargeNotPayable, chargeExpired],
    async handler(request) {
      const outcome = await simulator.pay(request.params.txid, readPayment(request.body, now()));
      switch (outcome.kind) {
        case 'unknown_charge':
          throw request.notFound();
        case 'not_active':
          throw chargeNotPayable(outcome.status);
        case 'expired':
          throw chargeExpired(outcome.at);
        case 'too_early':
          throw wrongField('at', {
            en: `must not be before the charge was made, which was at ${outcome.madeAt.toISOString()}`,
            pt: `não pode ser antes de a cobrança ser criada, em ${outcome.madeAt.toISOString()}`,
          });
        case 'amount_needed':
          throw wrongField('value', {
            en: 'is required: the payer chooses the amount of this charge',
            pt: 'é obrigatório: o pagador escolhe o valor desta cobrança',
          });
      }
      return {
        end_to_end_id: outcome.endToEndId,
        txid: outcome.txid,
        value: toReais(outcome.amountCents),
        paid_at: outcome.paidAt.toISOString(),
      };
    },
  });

function readPayment({ value, at, force }: Static<typeof PaymentWish>, now: Date): Payment {
  return {
    ...(value !== undefined && { amountCents: parseReais(value)! }),
    ...(at !== undefined && { at: readInstant(at, now) }),
    ...(force === true && { force }),
  };
}

function readInstant(text: string, now: Date): Date {
  const at = instant(text);
  if (!at) throw wrongField('at', FORMATS['date-time']);
  if (at < PIX_BEGAN)
    throw wrongField('at', {
      en: `must not be before Pix began, at ${PIX_BEGAN.toISOString()}`,
      pt: `não pode ser antes do início do Pix, em ${PIX_BEGAN.toISOString()}`,
    });
  if (at.getTime() > now.getTime() + SLACK_MS)
    throw wrongField('at', {
      en: `must not be in the future; it is ${now.toISOString()} here`,
      pt: `não pode estar no futuro; aqui são ${now.toISOString()}`,
    });
  return at;
}
