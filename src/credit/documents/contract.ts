import { toCanonicalJson } from '#core/values/canonical-json.ts';
import { formatReais, parseReais } from '#core/values/money.ts';
import { findIdentity } from '#customers';
import { customerTransaction } from '#platform/database/customer-transaction.ts';
import type { Db } from '#platform/database/db.ts';
import { type Block, type DocumentContent, renderDocument } from '#platform/documents/document.ts';
import { formatBrazilianDay } from '#platform/privacy/personal-data.ts';
import type { CheckoutRecord } from '../purchases/checkout-record.ts';
import {
  createContract,
  hashContract,
  type StoredContract,
  storeContract,
  storePdf,
} from '../purchases/contract-store.ts';
import {
  buildContractText,
  type ContractContent,
  type ContractText,
  formatPercent,
} from './contract-text.ts';
import {
  buildCreditorFacts,
  buildCreditorFooter,
  buildCustomerFacts,
  type Item,
  type Lender,
} from './parties.ts';

const COMPONENTS: Record<string, string> = {
  financed: 'Valor à vista',
  interest: 'Juros',
  taxes: 'Tributos',
  fees: 'Tarifas',
};

const toMoney = (amount: number): string => formatReais(parseReais(amount)!);

/** Lays out a contract as a document. Deterministic: it depends only on the text and its SHA-256, which is on every page. */
export const layOutContract = (contract: ContractText, sha256: string): DocumentContent => ({
  title: 'Contrato de compra a prazo',
  createdAt: new Date(contract.accepted_at),
  footer: `${buildCreditorFooter(contract.creditor)}\nSHA-256 do texto do contrato: ${sha256}`,
  blocks: [
    { text: `Compra ${contract.checkout_hash} de ${formatBrazilianDay(contract.accepted_at.slice(0, 10))}.` },
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
            rows: items.map(({ name, quantity, amount }) => [name, String(quantity), toMoney(amount)]),
          },
        ]),
    { heading: 'Quanto custa' },
    {
      facts: [
        ['Total a pagar', toMoney(cost.total)],
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
        COMPONENTS[kind]!,
        toMoney(amount),
        formatPercent(percent),
      ]),
    },
    { heading: 'Parcelas' },
    {
      head: ['Parcela', 'Vencimento', 'Valor'],
      rows: installments.map(({ number, due_on, amount }) => [
        `${number} de ${installments.length}`,
        formatBrazilianDay(due_on),
        toMoney(amount),
      ]),
    },
    ...contract.clauses.flatMap(({ heading, text }) => [{ heading }, { text }]),
  ];
}

/** Stores the contract of a purchase that was opened without one. Returns undefined if the customer was erased. */
export async function issueContract(
  db: Db,
  checkout: CheckoutRecord<string>,
  { lender, items, now }: { lender: Lender; items: readonly Item[]; now: Date },
): Promise<StoredContract | undefined> {
  const { customer_id: customerId, hash } = checkout;
  const person = await findIdentity(db, customerId);
  if (!person) return undefined;
  const text = toCanonicalJson(buildContractText(checkout, { person, lender, items }));
  return customerTransaction(db, customerId, (tx) =>
    storeContract(tx, customerId, createContract(hash, text), now),
  );
}

type ContractRequest = { headers: { accept?: string | undefined } };
type ContractReply<S> = { type(contentType: string): { send(body: Buffer): S } };

/**
 * Sends the canonical text if the caller prefers JSON, and otherwise the PDF, which is rendered and stored on the first request. Both
 * have the same bytes in every response. Returns undefined if the contract was erased.
 */
export async function sendContract<S>(
  db: Db,
  { request, reply }: { request: ContractRequest; reply: ContractReply<S> },
  { customerId, hash }: { customerId: string; hash: string },
  { text, pdf }: StoredContract,
): Promise<S | undefined> {
  if (text !== null && prefersJson(request.headers.accept))
    return reply.type('application/json').send(Buffer.from(text));
  const bytes = pdf ?? (await renderPdf(db, customerId, hash, text!));
  return bytes && reply.type('application/pdf').send(bytes);
}

async function renderPdf(db: Db, customerId: string, hash: string, text: string) {
  const pdf = await renderDocument(layOutContract(JSON.parse(text) as ContractText, hashContract(text)));
  return storePdf(db, customerId, hash, pdf);
}

/** Whether JSON comes before PDF in `Accept`. Without either, PDF is sent. */
export function prefersJson(accept = ''): boolean {
  const types = accept.split(',').map((range) => range.split(';')[0]!.trim().toLowerCase());
  return (
    types.find((type) => type === 'application/json' || type === 'application/pdf') === 'application/json'
  );
}
