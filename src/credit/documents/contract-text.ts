import { type Static, Type } from 'typebox';
import type { Terms as AgreedTerms } from '#core/finance/terms.ts';
import { formatCpf } from '#core/values/cpf.ts';
import { HOUR_MS } from '#core/values/duration.ts';
import { centsToReais, sum, toReais } from '#core/values/money.ts';
import { type Ppm, toPercent } from '#core/values/percent.ts';
import { Day, IdOrNull, Reais, TextOrNull } from '#platform/http/schemas.ts';
import { formatBrazilianDay } from '#platform/privacy/personal-data.ts';
import { Hash, MerchantName } from '../fields.ts';
import type { CheckoutRecord } from '../purchases/checkout-record.ts';
import { renderTerms } from '../purchases/render-checkout.ts';
import { Creditor, Terms } from '../schemas.ts';
import { type Item, type Lender, type Person, toCreditor } from './parties.ts';

const COST_KINDS = ['financed', 'interest', 'taxes', 'fees'] as const;

/** The content of a contract. Its canonical JSON is the contract; everything else is rendered from it. */
export const ContractText = Type.Object(
  {
    checkout_hash: Hash('The hash of the purchase.'),
    offer_id: IdOrNull('off', {
      description: 'The accepted offer; null if the operator recorded the purchase.',
    }),
    accepted_at: Type.String({
      format: 'date-time',
      description: 'When the customer accepted the offer, or of the recorded purchase, in Brasília time.',
    }),
    creditor: Creditor,
    customer: Type.Object({ name: Type.String(), cpf: Type.String() }),
    merchant: MerchantName,
    description: TextOrNull(),
    items: Type.Array(
      Type.Object({ name: Type.String(), quantity: Type.Integer(), amount: Reais('Amount of the item') }),
    ),
    terms: Terms,
    cost: Type.Object({
      total: Reais('Total to pay'),
      components: Type.Array(
        Type.Object({
          kind: Type.Enum([...COST_KINDS]),
          amount: Reais('Amount of the component'),
          percent: Type.Number({ description: 'Share of the total, in percent.' }),
        }),
        { description: 'The parts of the total, on which the CET is computed.' },
      ),
    }),
    installments: Type.Array(
      Type.Object({
        number: Type.Integer(),
        due_on: Day('The due day'),
        amount: Reais('Amount of the installment'),
      }),
    ),
    clauses: Type.Array(Type.Object({ heading: Type.String(), text: Type.String() }), {
      description: 'The clauses, in Portuguese.',
    }),
  },
  {
    $id: 'Contract',
    description:
      'The contract of a purchase. The response is canonical JSON: UTF-8, sorted keys, no whitespace.',
  },
);

export const ContractDraft = Type.Object(
  { ...ContractText.properties, checkout_hash: Type.Null(), accepted_at: Type.Null() },
  {
    $id: 'ContractDraft',
    description: 'The contract as it would be if the offer were accepted now. It is not binding.',
  },
);

export type ContractText = Static<typeof ContractText>;
/** The content of a contract. Hash and acceptance are null in a draft. */
export type ContractContent = Omit<ContractText, 'checkout_hash' | 'accepted_at'> & {
  checkout_hash: string | null;
  accepted_at: string | null;
};

/**
 * Builds the contract of a purchase (CDC art. 52 and 54-B), or its draft if the purchase has no hash yet. Deterministic: it depends only
 * on the facts of the purchase.
 */
export function buildContractText(
  checkout: CheckoutRecord,
  { person, lender, items }: { person: Person; lender: Lender; items: readonly Item[] },
): ContractContent {
  const { financed_cents: financed, terms } = checkout;
  const total = sum(checkout.installments.map(({ debt }) => debt.amount));
  const amounts = { financed, interest: total - financed, taxes: 0, fees: 0 };
  const acceptedAt = checkout.hash === null ? null : toBrasiliaTime(checkout.purchased_at);
  return {
    checkout_hash: checkout.hash,
    offer_id: checkout.offer_id,
    accepted_at: acceptedAt,
    creditor: toCreditor(lender),
    customer: { name: person.name, cpf: formatCpf(person.cpf) },
    merchant: { slug: checkout.merchant_slug, name: checkout.merchant_name },
    description: checkout.description,
    items: items.map(({ name, quantity, amount_cents }) => ({
      name,
      quantity,
      amount: centsToReais(amount_cents),
    })),
    terms: renderTerms(terms, checkout.cet),
    cost: {
      total: toReais(total),
      components: COST_KINDS.map((kind) => ({
        kind,
        amount: centsToReais(amounts[kind]),
        percent: Math.round((amounts[kind] * 10_000) / total) / 100,
      })),
    },
    installments: checkout.installments.map(({ number, debt }) => ({
      number,
      due_on: debt.dueOn as string,
      amount: toReais(debt.amount),
    })),
    clauses: [
      ...buildClauses(terms),
      { heading: 'Aceite', text: describeAcceptance(acceptedAt, checkout.offer_id) },
    ],
  };
}

/** Brasília has been three hours behind UTC all year since 2019. */
const toBrasiliaTime = (instant: Date): string =>
  new Date(instant.getTime() - 3 * HOUR_MS).toISOString().replace('Z', '-03:00');

type Clause = { readonly heading: string; readonly text: string };

function buildClauses(terms: AgreedTerms): Clause[] {
  return [
    {
      heading: 'Vencimento',
      text: 'Vencimento em sábado, domingo ou feriado nacional bancário: o pagamento no próximo dia útil é em dia.',
    },
    {
      heading: 'Em caso de atraso',
      text:
        `Multa de ${formatRate(terms.fine)} sobre o que ficou em aberto no vencimento, uma vez, e juros simples de ` +
        `${formatRate(terms.lateInterest)} ao mês, contados por dia. O que for pago quita primeiro os juros, depois a multa, depois a parcela.`,
    },
    {
      heading: 'Prorrogação',
      text:
        terms.extensionLimit === 0
          ? 'As parcelas não podem ser prorrogadas.'
          : `Cada parcela pode ser prorrogada até ${terms.extensionLimit} vezes, por ${terms.extensionDays} dias cada uma, ao preço de ` +
            `${formatRate(terms.extensionFee)} do que estiver em aberto, mais os encargos de atraso que houver.`,
    },
    {
      heading: 'Pagar antes',
      text:
        'O cliente pode pagar qualquer parcela antes, no todo ou em parte, com redução proporcional dos juros (CDC art. 52, § 2º). ' +
        'O valor de hoje está sempre na carteira.',
    },
    ...(terms.cashback === 0
      ? []
      : [
          {
            heading: 'Cashback',
            text: `Cada parcela paga em dia devolve ${formatRate(terms.cashback)} do seu valor em cashback, que vale 180 dias.`,
          },
        ]),
  ];
}

/** `acceptedAt` is in Brasília time. A purchase without an offer was recorded by the operator. */
function describeAcceptance(acceptedAt: string | null, offerId: string | null): string {
  if (acceptedAt === null)
    return 'Minuta: nada foi aceito ainda. Quem aceita é o cliente, identificado por senha ou código enviado ao seu celular.';
  const day = formatBrazilianDay(acceptedAt.slice(0, 10));
  const time = `${day}, ${acceptedAt.slice(11, 19)} (horário de Brasília)`;
  return offerId === null
    ? `Compra registrada pelo credor, feita em ${time}.`
    : `Aceito pelo cliente, identificado por senha ou código enviado ao seu celular, em ${time}.`;
}

export const formatPercent = (value: number) => `${String(value).replace('.', ',')} %`;
const formatRate = (rate: Ppm) => formatPercent(toPercent(rate));
