import { type TNumber, type TSchemaOptions, Type } from 'typebox';
import { toReais } from '#core/money.ts';
import { MOST_CENTS } from './bank.ts';

export const TxidParams = Type.Object({
  txid: Type.String({
    pattern: '^[a-zA-Z0-9]{1,35}$',
    description: 'The charge, as the PSP knows it.',
    examples: ['7978c0c97ea847e78e8849634473c1f1'],
  }),
});

/** An amount of one Pix. */
export const AmountInReais = (options: TSchemaOptions): TNumber =>
  Type.Number({
    exclusiveMinimum: 0,
    maximum: toReais(MOST_CENTS),
    format: 'reais',
    examples: [52.3],
    ...options,
  });
