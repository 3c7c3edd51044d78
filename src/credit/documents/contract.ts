import { formatReais, parseReais } from '#core/values/money.ts';
import type { Block, DocumentContent } from '#platform/documents/document.ts';
import { formatBrazilianDay } from '#platform/privacy/personal-data.ts';
import { type ContractContent, type ContractText, formatPercent } from './contract-text.ts';
import { buildCreditorFacts, buildCreditorFooter, buildCustomerFacts } from './parties.ts';

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
