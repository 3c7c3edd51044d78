import { Type } from 'typebox';
import { TextOrNull } from '#platform/http/schemas.ts';
import { amount, event, HASH, hash, id, instant, NOON } from './event-parts.ts';

const authorisation = {
  checkout_hash: hash(),
  autopay_id: id('aut', 'The authorisation.'),
};

const AUTHORISATION = { checkout_hash: HASH, autopay_id: 'aut_01kfx3v9e2r4s6t8w0y2a4c6e8' };

/** Of debits and of what authorises them. */
export const AUTOPAY_EVENTS = {
  'autopay.activated': event(
    'A customer has authorised that the installments of a purchase are debited.',
    { ...authorisation, activated_at: instant('When.') },
    { ...AUTHORISATION, activated_at: NOON },
  ),
  'autopay.ended': event(
    'The installments of a purchase are debited no more, or will not be: the authorisation has ended, was rejected, or was not given in time.',
    {
      ...authorisation,
      status: Type.Enum(['ended', 'rejected', 'expired']),
      by: Type.Unsafe<'customer' | 'payer' | 'bank' | 'service' | null>({
        type: ['string', 'null'],
        enum: ['customer', 'payer', 'bank', 'service', null],
        description:
          'Who ended it: the customer here, the payer in the app of the bank, a bank, or this service, as when all is paid.',
      }),
      reason: TextOrNull({ description: 'Why: a code of the Pix network, or a word of ours.' }),
      ended_at: instant('When.'),
    },
    { ...AUTHORISATION, status: 'ended', by: 'payer', reason: 'SLDB', ended_at: NOON },
  ),
  'autopay.failed': event(
    'The bank did not debit an installment on its day. Told once when it is tried again later, and once when it is not.',
    {
      ...authorisation,
      installment_id: id('ins', 'The installment.'),
      value: amount('What was to be debited.'),
      tries: Type.Integer({ description: 'On how many days the bank tried.' }),
      reason: Type.String({ description: 'What the bank said, in words, in Portuguese.' }),
      retry_on: TextOrNull({
        format: 'date',
        description: 'When it is tried again; null: it is to be paid by code.',
      }),
    },
    {
      ...AUTHORISATION,
      installment_id: 'ins_01kfx3v9e2r4s6t8w0y2a4c6e8',
      value: 51.1,
      tries: 1,
      reason: 'Não havia saldo na conta.',
      retry_on: '2026-11-16',
    },
  ),
} as const;
