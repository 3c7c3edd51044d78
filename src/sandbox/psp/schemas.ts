import { type TNumber, type TSchemaOptions, Type } from 'typebox';
import { toReais } from '#core/money.ts';
import { MOST_CENTS } from './bank.ts';

/** What one Pix can move. */
export const AmountInReais = (options: TSchemaOptions): TNumber =>
  Type.Number({
    exclusiveMinimum: 0,
    maximum: toReais(MOST_CENTS),
    format: 'reais',
    examples: [52.3],
    ...options,
  });
