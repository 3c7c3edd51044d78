import { parseDay } from '#core/day.ts';
import { parseReaisText } from '#core/money.ts';
import type { Adjustment, Discount, Terms } from '../charge-terms.ts';
import type { Violations } from './problem.ts';

const HUNDRED_PERCENT = 100_00;

/** Fine, interest, rebate and discounts of a charge with a due date, as the standard limits them. */
export function checkDueDateAmounts(terms: Terms, wrong: Violations): void {
  const { valor, calendario } = terms;
  const original = parseReaisText(valor.original) ?? 0;
  /** Whether it would eat up the whole charge: as many reais, or a hundred percent. */
  const eatsAll = (perc: number, isPercent: boolean) => perc >= (isPercent ? HUNDRED_PERCENT : original);

  adjustment('multa', 2);
  adjustment('juros', 8);
  const rebate = adjustment('abatimento', 2);
  if (rebate && eatsAll(rebate.perc, rebate.modalidade === 2))
    wrong.add(
      'valor.abatimento',
      (name) =>
        `O objeto ${name} representa um valor maior ou igual ao valor da cobrança original ou a 100%.`,
    );
  if (valor.desconto !== undefined) {
    const fault = discountFault(valor.desconto, calendario.dataDeVencimento ?? '', eatsAll);
    if (fault) wrong.add('valor.desconto', (name) => `O objeto ${name} ${fault}`);
    else valor.desconto = plainDiscount(valor.desconto);
  }

  function adjustment(name: 'multa' | 'juros' | 'abatimento', most: number) {
    const given = valor[name];
    if (given === undefined) return null;
    const modalidade = mode(given, most);
    const perc = percentage(given.valorPerc);
    if (modalidade === null || perc === null) {
      wrong.add(`valor.${name}`, (property) => `O objeto ${property} não respeita o _schema_.`);
      return null;
    }
    valor[name] = { modalidade, valorPerc: String(given.valorPerc) };
    return { modalidade, perc };
  }
}

function discountFault(
  given: Discount,
  dueOn: string,
  eatsAll: (perc: number, isPercent: boolean) => boolean,
): string | null {
  const modalidade = mode(given, 6);
  if (modalidade === null) return 'não respeita o _schema_.';
  const { valorPerc, descontoDataFixa: steps } = given;
  if (modalidade >= 3) {
    const perc = percentage(valorPerc);
    if (perc === null) return 'apresenta modalidade de 3 a 6, porém valorPerc não está preenchido.';
    if (steps !== undefined) return 'apresenta modalidade de 3 a 6, porém descontoDataFixa está preenchido.';
    return eatsAll(perc, modalidade >= 5) ? 'representa um valor maior ou igual ao da cobrança.' : null;
  }
  if (valorPerc !== undefined) return 'apresenta modalidade 1 ou 2, porém valorPerc encontra-se preenchido.';
  if (!Array.isArray(steps) || steps.length < 1)
    return 'apresenta modalidade 1 ou 2, porém descontoDataFixa está vazio ou nulo.';
  const good = steps.every((step) => parseDay(step?.data) !== null && percentage(step?.valorPerc) !== null);
  if (!good || steps.length > 3) return 'não respeita o _schema_.';
  if (steps.some(({ data }) => data > dueOn))
    return 'apresenta algum elemento cuja data é posterior à data de vencimento.';
  return steps.some((step) => eatsAll(percentage(step.valorPerc) ?? 0, modalidade === 2))
    ? 'representa um valor maior ou igual ao da cobrança.'
    : null;
}

function plainDiscount({ modalidade, valorPerc, descontoDataFixa }: Discount): Discount {
  return {
    modalidade: Number(modalidade),
    ...(valorPerc !== undefined && { valorPerc }),
    ...(descontoDataFixa && {
      descontoDataFixa: descontoDataFixa.map((step) => ({ data: step.data, valorPerc: step.valorPerc })),
    }),
  };
}

/** An integer in the schema, a text in most of the standard's examples: both are taken. */
function mode(given: Adjustment, most: number): number | null {
  const n = Number(given?.modalidade);
  return Number.isInteger(n) && n >= 1 && n <= most ? n : null;
}

function percentage(value: unknown): number | null {
  return typeof value === 'string' ? parseReaisText(value) : null;
}
