import { type Static, Type } from 'typebox';
import type { Terms as AgreedTerms } from '#core/finance/terms.ts';
import { toCanonicalJson } from '#core/values/canonical-json.ts';
import { formatCpf } from '#core/values/cpf.ts';
import { HOUR_MS } from '#core/values/duration.ts';
import { centsToReais, formatReais, parseReais, sum, toReais } from '#core/values/money.ts';
import { type Ppm, toPercent } from '#core/values/percent.ts';
import { findIdentity } from '#customers';
import { customerTransaction } from '#platform/database/customer-transaction.ts';
import type { Db } from '#platform/database/db.ts';
import { type Block, type DocumentContent, renderDocument } from '#platform/documents/document.ts';
import { Day, IdOrNull, Reais, TextOrNull } from '#platform/http/schemas.ts';
import { formatBrazilianDay } from '#platform/privacy/personal-data.ts';
import { CheckoutHash, MerchantNameAndSlug } from '../fields.ts';
import type { CheckoutRecord } from '../purchases/checkout-record.ts';
import {
  createContract,
  hashContract,
  type StoredContract,
  storeContract,
  storePdf,
} from '../purchases/contract-store.ts';
import { renderTerms } from '../purchases/render-checkout.ts';
import { Creditor as CreditorSchema, Terms } from '../schemas.ts';
import {
  buildCreditorFacts,
  buildCreditorFooter,
  buildCustomerFacts,
  type Creditor,
  type Item,
  type Person,
} from './parties.ts';

const COST_KINDS = ['financed', 'interest', 'taxes', 'fees'] as const;

/** The content of a contract that was accepted. Its canonical JSON is the contract, from which the PDF is rendered. */
export const ContractData = Type.Object(
  {
    checkout_hash: CheckoutHash('The hash of the purchase.'),
    offer_id: IdOrNull('off', {
      description: 'The accepted offer; null if the operator recorded the purchase.',
    }),
    accepted_at: Type.String({
      format: 'date-time',
      description:
        'When the customer accepted the offer, or when the recorded purchase was made, in Brasília time.',
    }),
    creditor: CreditorSchema,
    customer: Type.Object({ name: Type.String(), cpf: Type.String() }),
    merchant: MerchantNameAndSlug,
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
        { description: 'The components of the total. The CET is computed from them.' },
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
  { ...ContractData.properties, checkout_hash: Type.Null(), accepted_at: Type.Null() },
  {
    $id: 'ContractDraft',
    description: 'The contract that would result if the offer were accepted now. It is not binding.',
  },
);

export type ContractData = Static<typeof ContractData>;
/** The content of a contract or of its draft, whose hash and acceptance are null. */
export type ContractContent = Omit<ContractData, 'checkout_hash' | 'accepted_at'> & {
  checkout_hash: string | null;
  accepted_at: string | null;
};

/**
 * Builds the contract of a purchase (CDC art. 52 and 54-B), or its draft if the purchase has no hash yet. Deterministic: it depends only
 * on the facts of the purchase.
 */
export function buildContractContent(
  checkout: CheckoutRecord,
  { person, creditor, items }: { person: Person; creditor: Creditor; items: readonly Item[] },
): ContractContent {
  const { financed_cents: financed, terms } = checkout;
  const total = sum(checkout.installments.map(({ debtFacts }) => debtFacts.amount));
  const amounts = { financed, interest: total - financed, taxes: 0, fees: 0 };
  const acceptedAt = checkout.hash === null ? null : toBrasiliaTime(checkout.purchased_at);
  return {
    checkout_hash: checkout.hash,
    offer_id: checkout.offer_id,
    accepted_at: acceptedAt,
    creditor,
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
    installments: checkout.installments.map(({ number, debtFacts }) => ({
      number,
      due_on: debtFacts.dueOn as string,
      amount: toReais(debtFacts.amount),
    })),
    clauses: [
      ...buildClauses(terms),
      { heading: 'Aceite', text: describeAcceptance(acceptedAt, checkout.offer_id) },
    ],
  };
}

/** Formats an instant like 2026-11-15T09:30:00.000-03:00. Brasília has had no daylight saving time since 2019. */
const toBrasiliaTime = (instant: Date): string =>
  new Date(instant.getTime() - 3 * HOUR_MS).toISOString().replace('Z', '-03:00');

const formatBrasiliaDay = (brasiliaTime: string) =>
  formatBrazilianDay(brasiliaTime.slice(0, 'yyyy-mm-dd'.length));

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

/** `acceptedAt` is in Brasília time. `offerId` is null if the operator recorded the purchase. */
function describeAcceptance(acceptedAt: string | null, offerId: string | null): string {
  if (acceptedAt === null)
    return 'Minuta: nada foi aceito ainda. Quem aceita é o cliente, identificado por senha ou código enviado ao seu celular.';
  const [, timeOfDay] = acceptedAt.match(/T([\d:]+)/)!;
  const time = `${formatBrasiliaDay(acceptedAt)}, ${timeOfDay} (horário de Brasília)`;
  return offerId === null
    ? `Compra registrada pelo credor, feita em ${time}.`
    : `Aceito pelo cliente, identificado por senha ou código enviado ao seu celular, em ${time}.`;
}

export const formatPercent = (value: number) => `${String(value).replace('.', ',')} %`;
const formatRate = (rate: Ppm) => formatPercent(toPercent(rate));

const COST_LABELS: Record<string, string> = {
  financed: 'Valor à vista',
  interest: 'Juros',
  taxes: 'Tributos',
  fees: 'Tarifas',
};

const formatAmount = (reais: number): string => formatReais(parseReais(reais)!);

/** Lays out a contract as a document. Deterministic: it depends only on the contract and its SHA-256, which is on every page. */
const layOutContract = (contract: ContractData, sha256: string): DocumentContent => ({
  title: 'Contrato de compra a prazo',
  createdAt: new Date(contract.accepted_at),
  footer: `${buildCreditorFooter(contract.creditor)}\nSHA-256 do texto do contrato: ${sha256}`,
  blocks: [
    { text: `Compra ${contract.checkout_hash} de ${formatBrasiliaDay(contract.accepted_at)}.` },
    ...layOutContent(contract),
    { heading: 'Texto do contrato' },
    {
      text: 'O contrato é o seu texto digital (JSON), guardado quando foi aceito. O SHA-256 desse texto está no rodapé. Este PDF foi feito a partir dele.',
    },
  ],
});

/** Lays out the draft of a contract, with a mark on every page. */
export const layOutDraft = (draft: ContractContent, createdAt: Date): DocumentContent => ({
  title: 'MINUTA de contrato de compra a prazo',
  createdAt,
  footer: `${buildCreditorFooter(draft.creditor)}\nMINUTA: ainda não foi aceita e não obriga ninguém.`,
  blocks: [
    { text: 'MINUTA. Assim será o contrato se a oferta for aceita hoje, com estas parcelas.' },
    ...layOutContent(draft),
  ],
});

function layOutContent(contract: ContractContent): Block[] {
  const { creditor, cost, terms, installments, items, description } = contract;
  return [
    { heading: 'Quem contrata' },
    buildCreditorFacts(creditor),
    buildCustomerFacts(contract.customer),
    { facts: [['Loja', contract.merchant.name]] },
    { heading: 'O que foi comprado' },
    ...(description === null ? [] : [{ text: description }]),
    ...(items.length === 0
      ? []
      : [
          {
            head: ['Item', 'Quantidade', 'Valor'],
            rows: items.map(({ name, quantity, amount }) => [name, String(quantity), formatAmount(amount)]),
          },
        ]),
    { heading: 'Quanto custa' },
    {
      facts: [
        ['Total a pagar', formatAmount(cost.total)],
        ['Juros por semana', formatPercent(terms.weekly_rate_percent)],
        [
          'Custo Efetivo Total (CET)',
          `${formatPercent(terms.cet_percent_month)} ao mês, ${formatPercent(terms.cet_percent_year)} ao ano`,
        ],
      ],
    },
    {
      head: ['Componente do CET', 'Valor', 'Parte do total'],
      rows: cost.components.map(({ kind, amount, percent }) => [
        COST_LABELS[kind]!,
        formatAmount(amount),
        formatPercent(percent),
      ]),
    },
    { heading: 'Parcelas' },
    {
      head: ['Parcela', 'Vencimento', 'Valor'],
      rows: installments.map(({ number, due_on, amount }) => [
        `${number} de ${installments.length}`,
        formatBrazilianDay(due_on),
        formatAmount(amount),
      ]),
    },
    ...contract.clauses.flatMap(({ heading, text }) => [{ heading }, { text }]),
  ];
}

/** Creates and stores the contract of a purchase that was opened without one. Returns undefined if the customer was erased. */
export async function issueContract(
  db: Db,
  checkout: CheckoutRecord<string>,
  { creditor, items, now }: { creditor: Creditor; items: readonly Item[]; now: Date },
): Promise<StoredContract | undefined> {
  const { customer_id: customerId, hash } = checkout;
  const person = await findIdentity(db, customerId);
  if (!person) return undefined;
  const text = toCanonicalJson(buildContractContent(checkout, { person, creditor, items }));
  return customerTransaction(db, customerId, (tx) =>
    storeContract(tx, customerId, createContract(hash, text), now),
  );
}

type ContractRequest = { headers: { accept?: string | undefined } };
type ContractReply<S> = { type(contentType: string): { send(body: Buffer): S } };

/**
 * Sends the canonical text if the caller prefers JSON, and otherwise the PDF, which is rendered and stored on the first request. Every
 * response has the same bytes. A contract of an earlier release has no text, only a PDF. Returns undefined if the contract was erased.
 */
export async function sendContract<S>(
  db: Db,
  { request, reply }: { request: ContractRequest; reply: ContractReply<S> },
  { customerId, hash }: { customerId: string; hash: string },
  { text, pdf }: StoredContract,
): Promise<S | undefined> {
  if (text !== null && prefersJson(request.headers.accept))
    return reply.type('application/json').send(Buffer.from(text));
  const pdfBytes = pdf ?? (await renderAndStorePdf(db, customerId, hash, text!));
  return pdfBytes && reply.type('application/pdf').send(pdfBytes);
}

async function renderAndStorePdf(db: Db, customerId: string, hash: string, text: string) {
  const pdf = await renderDocument(layOutContract(JSON.parse(text) as ContractData, hashContract(text)));
  return storePdf(db, customerId, hash, pdf);
}

/** Whether `Accept` lists JSON before PDF. PDF is the default. */
export function prefersJson(accept = ''): boolean {
  const types = accept.split(',').map((mediaRange) => mediaRange.replace(/;.*/, '').trim().toLowerCase());
  return (
    types.find((type) => type === 'application/json' || type === 'application/pdf') === 'application/json'
  );
}
