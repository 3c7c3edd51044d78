import type { Terms } from '#core/finance/terms.ts';
import { toPercent } from '#core/values/percent.ts';
import { formatBrazilianDay } from '#platform/privacy/personal-data.ts';

type Clause = { readonly heading: string; readonly text: string };

/** The clauses of a contract. `acceptedAt` is in Brasília time; `isRecorded`: the operator recorded the purchase. */
export function buildClauses(
  terms: Terms,
  { acceptedAt, isRecorded }: { acceptedAt: string; isRecorded: boolean },
): Clause[] {
  return [
    {
      heading: 'Vencimento',
      text: 'Vencimento em sábado, domingo ou feriado nacional bancário: o pagamento no próximo dia útil é em dia.',
    },
    {
      heading: 'Em caso de atraso',
      text:
        `Multa de ${formatPercent(toPercent(terms.fine))} sobre o que ficou em aberto no vencimento, uma vez, e juros simples de ` +
        `${formatPercent(toPercent(terms.lateInterest))} ao mês, contados por dia. O que for pago quita primeiro os juros, depois a multa, depois a parcela.`,
    },
    {
      heading: 'Prorrogação',
      text:
        terms.extensionLimit === 0
          ? 'As parcelas não podem ser prorrogadas.'
          : `Cada parcela pode ser prorrogada até ${terms.extensionLimit} vezes, por ${terms.extensionDays} dias cada uma, ao preço de ` +
            `${formatPercent(toPercent(terms.extensionFee))} do que estiver em aberto, mais os encargos de atraso que houver.`,
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
            text: `Cada parcela paga em dia devolve ${formatPercent(toPercent(terms.cashback))} do seu valor em cashback, que vale 180 dias.`,
          },
        ]),
    {
      heading: 'Aceite',
      text: isRecorded
        ? `Compra registrada pelo credor, feita em ${formatBrasiliaTime(acceptedAt)}.`
        : `Aceito pelo cliente, identificado por senha ou código enviado ao seu celular, em ${formatBrasiliaTime(acceptedAt)}.`,
    },
  ];
}

export const formatPercent = (value: number) => `${String(value).replace('.', ',')} %`;

/** `18/11/2026, 14:30:05 (horário de Brasília)` */
const formatBrasiliaTime = (time: string): string =>
  `${formatBrazilianDay(time.slice(0, 10))}, ${time.slice(11, 19)} (horário de Brasília)`;
