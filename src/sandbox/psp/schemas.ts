import { type TNumber, type TSchemaOptions, Type } from 'typebox';
import { toReais } from '#core/values/money.ts';
import { MAX_CENTS } from './bank.ts';

/** The path parameters and the 404 text of the endpoints of one charge. */
export const chargePath = {
  params: Type.Object({
    txid: Type.String({
      pattern: '^[a-zA-Z0-9]{1,35}$',
      description: 'The txid of the charge.',
      examples: ['7978c0c97ea847e78e8849634473c1f1'],
    }),
  }),
  notFound: {
    en: 'The PSP simulator has no charge with this txid.',
    pt: 'O simulador do PSP não tem cobrança com este txid.',
  },
};

/** The amount of a Pix. */
export const AmountInReais = (options: TSchemaOptions): TNumber =>
  Type.Number({
    exclusiveMinimum: 0,
    maximum: toReais(MAX_CENTS),
    format: 'reais',
    examples: [52.3],
    ...options,
  });
