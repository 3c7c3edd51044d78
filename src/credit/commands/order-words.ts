import { type Cents, readReais, toReaisText } from '#core/money.ts';
import { toPercent } from '#core/percent.ts';
import { type Option, table, UsageFault } from '#platform/command-line/command.ts';
import type { Plan } from '../purchases/plan-purchase.ts';

/** The order and its cost, in the formats of the command line. */
export const ORDER_OPTIONS: Readonly<Record<string, Option>> = {
  merchant: { value: 'SLUG', help: 'slug of the merchant', required: true },
  amount: { value: 'REAIS', help: 'what is bought for, e.g. 249.90 or 1.249,90', required: true },
  installments: { value: 'N', help: 'how many weekly installments, 1 to 52', required: true },
  description: { value: 'TEXT', help: 'what is bought' },
  'dry-run': { help: 'show the schedule and the cost, write nothing' },
};

/** A minimum in centavos. */
export function readAmount(text: string, least: number): Cents {
  const amount = readReais(text);
  if (amount === null || amount < least)
    throw new UsageFault(`--amount is '${text}'; write it like 249.90 or 1.249,90.`);
  return amount;
}

export function describePlan(
  { schedule, cet }: Pick<Plan, 'schedule' | 'cet'>,
  merchantName: string,
  stream: NodeJS.WriteStream,
): string {
  const rows = schedule.installments.map(({ number, dueOn, amount, principal, interest }) => [
    String(number),
    dueOn,
    toReaisText(amount),
    toReaisText(principal),
    toReaisText(interest),
  ]);
  return [
    table(['NO', 'DUE ON', 'AMOUNT', 'PRINCIPAL', 'INTEREST'], rows, stream),
    '',
    `${merchantName}: financed ${toReaisText(schedule.financed)}, interest ${toReaisText(schedule.interest)}, ` +
      `total ${toReaisText(schedule.total)}.`,
    `CET: ${toPercent(cet.month)} % a month, ${toPercent(cet.year)} % a year.`,
  ].join('\n');
}
