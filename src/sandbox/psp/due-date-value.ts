import { effectiveDueDay, isBusinessDay } from '#core/calendar.ts';
import { addDays, type Day, daysBetween } from '#core/day.ts';
import { divHalfUp } from '#core/exact.ts';
import { type Cents, cents, min, parseReaisText, toReaisText, ZERO } from '#core/money.ts';
import type { Terms } from './api/terms.ts';
import { MOST_CENTS } from './bank.ts';

type ValueParts = {
  original: Cents;
  multa: Cents;
  juros: Cents;
  abatimento: Cents;
  desconto: Cents;
  final: Cents;
};

/** Percentages are written in hundredths: '2.00' is 200 of 10 000. */
const PERCENT = 10_000n;

/**
 * The last day on which the charge can be paid: the due day and the end of its validity both move to a business day.
 * National bank holidays only; what is a holiday in the payer's city is not known here.
 */
export function lastPayableDay(terms: Terms): Day {
  const { dataDeVencimento, validadeAposVencimento = 0 } = terms.calendario;
  return effectiveDueDay(addDays(effectiveDueDay(dataDeVencimento as Day), validadeAposVencimento));
}

/** What a charge with a due date costs on a day. The standard leaves rounding open: half up, once for each part. */
export function valueOn(terms: Terms, on: Day): ValueParts {
  const { valor, calendario } = terms;
  const original = hundredths(valor.original);
  const due = effectiveDueDay(calendario.dataDeVencimento as Day);
  const abatimento = share(valor.abatimento, original, (mode) => mode === 2);
  const base = cents(original - abatimento);
  const isLate = on > due;
  const multa = isLate ? share(valor.multa, base, (mode) => mode === 2) : ZERO;
  const juros = isLate ? interest(terms, base, due, on) : ZERO;
  const desconto = isLate ? ZERO : discount(terms, base, due, on);
  const final = min(MOST_CENTS, cents(Math.max(1, base + multa + juros - desconto)));
  return { original, multa, juros, abatimento, desconto, final };
}

/** The parts that are not zero, as `componentesValor` and the location's payload write them. */
export function writtenParts(parts: ValueParts): Record<string, string> {
  const { original, final: _, ...others } = parts;
  const present = Object.entries(others).filter(([, amount]) => amount > 0);
  return Object.fromEntries(
    [['original', original] as const, ...present].map(([n, a]) => [n, toReaisText(a)]),
  );
}

function interest(terms: Terms, base: Cents, due: Day, on: Day): Cents {
  const { modalidade = 0, valorPerc = '0.00' } = terms.valor.juros ?? {};
  const days = modalidade >= 5 ? businessDays(due, on) : daysBetween(due, on);
  const rate = BigInt(hundredths(valorPerc));
  // Per day of a month or a year: 30 and 365 calendar days, 21 and 252 business days.
  const divisors: Record<number, bigint> = { 2: 1n, 3: 30n, 4: 365n, 6: 1n, 7: 21n, 8: 252n };
  if (modalidade === 1 || modalidade === 5) return capped(rate * BigInt(days));
  return scaled(base, rate * BigInt(days), PERCENT * (divisors[modalidade] ?? 1n));
}

function discount(terms: Terms, base: Cents, due: Day, on: Day): Cents {
  const { modalidade = 0, valorPerc, descontoDataFixa = [] } = terms.valor.desconto ?? {};
  if (modalidade <= 2) {
    const step = descontoDataFixa
      .toSorted((a, b) => (a.data < b.data ? -1 : 1))
      .find(({ data }) => on <= data);
    return share(step && { modalidade, valorPerc: step.valorPerc }, base, (mode) => mode === 2);
  }
  const days = modalidade === 4 || modalidade === 6 ? businessDays(on, due) : daysBetween(on, due);
  const perDay = BigInt(hundredths(valorPerc ?? '0.00'));
  return modalidade <= 4 ? capped(perDay * BigInt(days)) : scaled(base, perDay * BigInt(days), PERCENT);
}

function share(
  part: { modalidade: number; valorPerc?: string } | undefined,
  of: Cents,
  isPercent: (mode: number) => boolean,
): Cents {
  if (!part?.valorPerc) return ZERO;
  const amount = hundredths(part.valorPerc);
  return isPercent(part.modalidade) ? scaled(of, BigInt(amount), PERCENT) : amount;
}

function scaled(amount: Cents, num: bigint, den: bigint): Cents {
  return capped(divHalfUp(BigInt(amount) * num, den));
}

/** A charge may ask for a fine of millions of percent; what it comes to can still be written. */
function capped(amount: bigint): Cents {
  return amount < MOST_CENTS ? cents(Number(amount)) : MOST_CENTS;
}

function businessDays(after: Day, until: Day): number {
  let count = 0;
  for (let on = addDays(after, 1); on <= until; on = addDays(on, 1)) if (isBusinessDay(on)) count++;
  return count;
}

function hundredths(text: string): Cents {
  return parseReaisText(text) ?? ZERO;
}
