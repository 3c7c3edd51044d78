import { type Static, type TObject, type TProperties, Type } from 'typebox';
import { Id, Slug, TextOrNull, Timestamp } from '#platform/http/schemas.ts';

export const day = (description: string) => Type.String({ format: 'date', description });
export const amount = (description: string) => Type.Number({ description, examples: [51.1] });
export const instant = (description: string) => Timestamp({ description });
export const id = (prefix: string, description: string) => Id(prefix, { description });
export const HASH_PATTERN = '^[0-9A-Za-z]{22}$';
export const hash = () => Type.String({ pattern: HASH_PATTERN, description: 'The purchase.' });
export const slug = () => Slug({ description: 'Slug of the merchant.' });
export const endToEndId = (description: string) =>
  Type.String({ pattern: '^[0-9A-Za-z]{1,64}$', description });
export const NOON = '2026-11-15T12:00:00.000Z';

export const installment = {
  checkout_hash: hash(),
  installment_id: id('ins', 'The installment.'),
  number: Type.Integer({ description: 'Which of the purchase, from 1.' }),
};
export const ofPurchase = {
  installments_total: Type.Integer({ description: 'How many installments the purchase has.' }),
  merchant_name: Type.String({ description: 'Where it was bought.' }),
};
export const charge = {
  checkout_hash: hash(),
  installment_id: id('ins', 'The installment the charge is for.'),
  pix_id: id('pix', 'The charge.'),
};
export const pricedCharge = {
  ...charge,
  type: Type.Enum(['settle', 'settle_partial', 'settle_with_penalty', 'extend']),
  value: amount('What the charge asks for.'),
};

export const authorisation = {
  checkout_hash: hash(),
  autopay_id: id('aut', 'The authorisation.'),
};

export const offer = {
  offer_id: id('off', 'The offer.'),
  merchant: slug(),
  amount: amount('What is bought for.'),
  installments: Type.Integer({ description: 'In how many installments.' }),
  status: Type.Enum(['pending', 'accepted', 'declined', 'expired', 'cancelled']),
  expires_at: instant('Until when it can be accepted.'),
  reference: Type.Optional(TextOrNull({ description: 'What the merchant calls it.' })),
};

/** An example must fit the schema: the compiler and a test check it. */
export const event = <P extends TProperties>(
  description: string,
  properties: P,
  example: Static<TObject<P>>,
): TObject<P> => Type.Object(properties, { description, examples: [example] });

export const HASH = '3kTMd9vR2xYb7LqWn0PzAh';
export const INSTALLMENT = {
  checkout_hash: HASH,
  installment_id: 'ins_01kfx3v9e2r4s6t8w0y2a4c6e8',
  number: 2,
};
export const PURCHASE = { installments_total: 4, merchant_name: 'Padaria Flor do Trigo' };
export const CHARGE = {
  checkout_hash: HASH,
  installment_id: INSTALLMENT.installment_id,
  pix_id: 'pix_01kfx3v9e2r4s6t8w0y2a4c6e8',
};
export const AUTHORISATION = { checkout_hash: HASH, autopay_id: 'aut_01kfx3v9e2r4s6t8w0y2a4c6e8' };
export const END_TO_END_ID = 'E1234567820261115120000000000001';
export const OFFER = {
  offer_id: 'off_01kfx3v9e2r4s6t8w0y2a4c6e8',
  merchant: 'padaria-flor-do-trigo',
  amount: 204.4,
  installments: 4,
  expires_at: '2026-11-17T12:00:00.000Z',
  reference: 'pedido-1042',
};

export const DECISION = 'dec_01kfx3v9e2r4s6t8w0y2a4c6e8';
