import { Type } from 'typebox';
import { TextOrNull } from '#platform/http/schemas.ts';
import { amount, defineEvent, EXAMPLE_HASH, EXAMPLE_INSTANT, hash, id, instant } from './event-schemas.ts';

const authorisationFields = {
  checkout_hash: hash(),
  autopay_id: id('aut', 'The authorisation.'),
};

const EXAMPLE_AUTHORISATION = { checkout_hash: EXAMPLE_HASH, autopay_id: 'aut_01kfx3v9e2r4s6t8w0y2a4c6e8' };

/** Events of autopay authorisations and debits. */
export const AUTOPAY_EVENTS = {
  'autopay.activated': defineEvent(
    'A customer has authorised automatic debits for the installments of a purchase.',
    { ...authorisationFields, activated_at: instant('When the authorisation became active.') },
    { ...EXAMPLE_AUTHORISATION, activated_at: EXAMPLE_INSTANT },
  ),
  'autopay.ended': defineEvent(
    'The authorisation for automatic debits of a purchase has ended, was rejected, or was not given in time.',
    {
      ...authorisationFields,
      status: Type.Enum(['ended', 'rejected', 'expired']),
      by: Type.Unsafe<'customer' | 'payer' | 'bank' | 'service' | null>({
        type: ['string', 'null'],
        enum: ['customer', 'payer', 'bank', 'service', null],
        description:
          'Who ended the authorisation: the customer in our wallet, the payer in the bank app, a bank, or this service, for example when everything is paid.',
      }),
      reason: TextOrNull({ description: 'The reason: a code of the Pix network, or one of our own.' }),
      ended_at: instant('When the authorisation ended.'),
    },
    { ...EXAMPLE_AUTHORISATION, status: 'ended', by: 'payer', reason: 'SLDB', ended_at: EXAMPLE_INSTANT },
  ),
  'autopay.failed': defineEvent(
    'The bank did not debit an installment on its due date. Published once if there will be another attempt, and once when there is none.',
    {
      ...authorisationFields,
      installment_id: id('ins', 'The installment.'),
      value: amount('The amount to be debited.'),
      tries: Type.Integer({ description: 'The number of days on which the bank has attempted the debit.' }),
      reason: Type.String({ description: 'The reason given by the bank, as text in Portuguese.' }),
      retry_on: TextOrNull({
        format: 'date',
        description: 'The date of the next attempt; null: the installment must be paid with a Pix code.',
      }),
    },
    {
      ...EXAMPLE_AUTHORISATION,
      installment_id: 'ins_01kfx3v9e2r4s6t8w0y2a4c6e8',
      value: 51.1,
      tries: 1,
      reason: 'Não havia saldo na conta.',
      retry_on: '2026-11-16',
    },
  ),
} as const;
