import { formatCnpj } from '#core/cnpj.ts';
import { type Cpf, formatCpf } from '#core/cpf.ts';
import { saoPauloDay } from '#core/day.ts';
import { spokenReais, sum } from '#core/money.ts';
import { toPercent } from '#core/percent.ts';
import type { Block, Paper } from '#platform/papers/paper.ts';
import { spokenDay } from '#platform/privacy/personal-data.ts';
import { service } from '#platform/service.ts';
import type { CheckoutRecord } from '../purchases/checkout-record.ts';
import type { CreditSettings } from '../settings.ts';

export type Lender = Pick<
  CreditSettings,
  'creditorName' | 'creditorCnpj' | 'creditorAddress' | 'creditorEmail'
>;
export const lenderService = service<Lender>('lender');
export type Person = { readonly name: string; readonly cpf: Cpf };
export type Item = { readonly name: string; readonly quantity: number; readonly amount_cents: number };

const percent = (value: number) => `${String(value).replace('.', ',')} %`;

export const lenderFacts = (lender: Lender): Block => ({
  facts: [
    ['Credor', lender.creditorName],
    ['CNPJ', formatCnpj(lender.creditorCnpj)],
    ['Endereço', lender.creditorAddress],
    ['E-mail', lender.creditorEmail],
  ],
});

export const footerOf = (lender: Lender): string =>
  `${lender.creditorName}, CNPJ ${formatCnpj(lender.creditorCnpj)}, ${lender.creditorAddress}`;

export const personFacts = ({ name, cpf }: Person): Block => ({
  facts: [
    ['Cliente', name],
    ['CPF', formatCpf(cpf)],
  ],
});

/** What was agreed when a purchase was accepted (CDC art. 52 and 54-B). Deterministic: it depends on the facts of the purchase alone. */
export function contractOf(
  checkout: CheckoutRecord,
  { person, lender, items }: { person: Person; lender: Lender; items: readonly Item[] },
): Paper {
  const { terms, cet, installments, financed_cents: financed, description, purchased_at: at } = checkout;
  const total = sum(installments.map(({ debt }) => debt.amount));
  const rate = toPercent(terms.weeklyRate);
  return {
    title: 'Contrato de compra a prazo',
    at,
    footer: footerOf(lender),
    blocks: [
      { text: `Compra ${checkout.hash} de ${spokenDay(saoPauloDay(at.getTime()))}.` },
      { heading: 'Quem contrata' },
      lenderFacts(lender),
      personFacts(person),
      { facts: [['Loja', checkout.merchant_name]] },
      { heading: 'O que foi comprado' },
      ...(description === null ? [] : [{ text: description }]),
      ...(items.length === 0
        ? []
        : [
            {
              head: ['Item', 'Quantidade', 'Valor'],
              rows: items.map(({ name, quantity, amount_cents }) => [
                name,
                String(quantity),
                spokenReais(amount_cents),
              ]),
            },
          ]),
      { heading: 'Quanto custa' },
      {
        facts: [
          ['Valor à vista', spokenReais(financed)],
          ['Juros por semana', percent(rate)],
          ['Acréscimo em reais', spokenReais(total - financed)],
          ['Total a pagar', spokenReais(total)],
          [
            'Custo Efetivo Total (CET)',
            `${percent(toPercent(cet.month))} ao mês, ${percent(toPercent(cet.year))} ao ano`,
          ],
        ],
      },
      { heading: 'Parcelas' },
      {
        head: ['Parcela', 'Vencimento', 'Valor'],
        rows: installments.map(({ number, debt }) => [
          `${number} de ${installments.length}`,
          spokenDay(debt.dueOn),
          spokenReais(debt.amount),
        ]),
      },
      {
        text: 'Vencimento em sábado, domingo ou feriado nacional bancário: o pagamento no próximo dia útil é em dia.',
      },
      { heading: 'Em caso de atraso' },
      {
        text:
          `Multa de ${percent(toPercent(terms.fine))} sobre o que ficou em aberto no vencimento, uma vez, e juros simples de ` +
          `${percent(toPercent(terms.lateInterest))} ao mês, contados por dia. O que for pago quita primeiro os juros, depois a multa, depois a parcela.`,
      },
      { heading: 'Prorrogação' },
      {
        text:
          terms.extensionLimit === 0
            ? 'As parcelas não podem ser prorrogadas.'
            : `Cada parcela pode ser prorrogada até ${terms.extensionLimit} vezes, por ${terms.extensionDays} dias cada uma, ao preço de ` +
              `${percent(toPercent(terms.extensionFee))} do que estiver em aberto, mais os encargos de atraso que houver.`,
      },
      { heading: 'Pagar antes' },
      {
        text:
          'O cliente pode pagar qualquer parcela antes, no todo ou em parte, com redução proporcional dos juros (CDC art. 52, § 2º). ' +
          'O valor de hoje está sempre na carteira.',
      },
      ...(terms.cashback === 0
        ? []
        : [
            { heading: 'Cashback' },
            {
              text: `Cada parcela paga em dia devolve ${percent(toPercent(terms.cashback))} do seu valor em cashback, que vale 180 dias.`,
            },
          ]),
      { heading: 'Aceite' },
      {
        text: `Aceito pelo cliente, identificado por senha ou código enviado ao seu celular, em ${at.toISOString()} (UTC).`,
      },
    ],
  };
}
