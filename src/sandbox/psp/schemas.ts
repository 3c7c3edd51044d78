import { type TNumber, type TSchemaOptions, Type } from 'typebox';
import { toReais } from '#core/money.ts';
import { MOST_CENTS } from './bank.ts';

/** Of the endpoints of one charge. */
export const ofCharge = {
  params: Type.Object({
    txid: Type.String({
      pattern: '^[a-zA-Z0-9]{1,35}$',
      description: 'The charge, as the PSP knows it.',
      examples: ['7978c0c97ea847e78e8849634473c1f1'],
    }),
  }),
  notFound: {
    en: 'The PSP simulator has no charge with this txid.',
    pt: 'O simulador do PSP não tem cobrança com este txid.',
  },
};

/** An amount of one Pix. */
export const AmountInReais = (options: TSchemaOptions): TNumber =>
  Type.Number({
    exclusiveMinimum: 0,
    maximum: toReais(MOST_CENTS),
    format: 'reais',
    examples: [52.3],
    ...options,
  });
