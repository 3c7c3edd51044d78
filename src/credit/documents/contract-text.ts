import { type Static, Type } from 'typebox';
import { formatCpf } from '#core/values/cpf.ts';
import { HOUR_MS } from '#core/values/duration.ts';
import { cents, sum, toReais } from '#core/values/money.ts';
import { Day, idPattern, Reais, Slug, TextOrNull } from '#platform/http/schemas.ts';
import { HASH_PATTERN } from '../hash.ts';
import type { CheckoutRecord } from '../purchases/checkout-record.ts';
import { renderTerms } from '../purchases/render-checkout.ts';
import { Terms } from '../schemas.ts';
import { buildClauses } from './clauses.ts';
import { type Item, type Lender, type Person, toCreditor } from './parties.ts';

const COST_KINDS = ['financed', 'interest', 'taxes', 'fees'] as const;

/** The content of a contract. Its canonical JSON is the contract; everything else is rendered from it. */
export const ContractText = Type.Object(
  {
    checkout_hash: Type.String({ pattern: HASH_PATTERN, description: 'The hash of the purchase.' }),
    offer_id: TextOrNull({
      pattern: idPattern('off'),
      description: 'The accepted offer; null if the operator recorded the purchase.',
    }),
    accepted_at: Type.String({
      format: 'date-time',
      description: 'When the customer accepted the offer, or of the recorded purchase, in Brasília time.',
    }),
    creditor: Type.Object({
      name: Type.String(),
      cnpj: Type.String(),
      address: Type.String(),
      email: Type.String(),
    }),
    customer: Type.Object({ name: Type.String(), cpf: Type.String() }),
    merchant: Type.Object({ slug: Slug(), name: Type.String() }),
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
export type ContractText = Static<typeof ContractText>;

/** Builds the contract of a purchase (CDC art. 52 and 54-B). Deterministic: it depends only on the facts of the purchase. */
export function buildContractText(
  checkout: CheckoutRecord,
  { person, lender, items }: { person: Person; lender: Lender; items: readonly Item[] },
): ContractText {
  const { financed_cents: financed, terms, purchased_at: purchasedAt } = checkout;
  const total = sum(checkout.installments.map(({ debt }) => debt.amount));
  const amounts = { financed, interest: total - financed, taxes: 0, fees: 0 };
  const acceptedAt = toBrasiliaTime(purchasedAt);
  return {
    checkout_hash: checkout.hash!,
    offer_id: checkout.offer_id,
    accepted_at: acceptedAt,
    creditor: toCreditor(lender),
    customer: { name: person.name, cpf: formatCpf(person.cpf) },
    merchant: { slug: checkout.merchant_slug, name: checkout.merchant_name },
    description: checkout.description,
    items: items.map(({ name, quantity, amount_cents }) => ({
      name,
      quantity,
      amount: toReais(cents(amount_cents)),
    })),
    terms: renderTerms(terms, checkout.cet),
    cost: {
      total: toReais(total),
      components: COST_KINDS.map((kind) => ({
        kind,
        amount: toReais(cents(amounts[kind])),
        percent: Math.round((amounts[kind] * 10_000) / total) / 100,
      })),
    },
    installments: checkout.installments.map(({ number, debt }) => ({
      number,
      due_on: debt.dueOn as string,
      amount: toReais(debt.amount),
    })),
    clauses: buildClauses(terms, { acceptedAt, isRecorded: checkout.offer_id === null }),
  };
}

/** Brasília has been three hours behind UTC all year since 2019. */
const toBrasiliaTime = (instant: Date): string =>
  new Date(instant.getTime() - 3 * HOUR_MS).toISOString().replace('Z', '-03:00');
