import { Type } from 'typebox';
import { TextField, TextOrNull } from '#platform/http/schemas.ts';
import { Amount, CheckoutHash, defineEvent, IdField, Instant, Integer } from './event-schemas.ts';

const authorisationFields = {
  checkout_hash: CheckoutHash(),
  autopay_id: IdField('aut', 'The authorisation.'),
};

/** Events of autopay authorisations and debits. */
export const AUTOPAY_EVENTS = {
  'autopay.activated': defineEvent(
    'A customer has authorised automatic debits for the installments of a purchase.',
    { ...authorisationFields, activated_at: Instant('When the authorisation became active.') },
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
        examples: ['payer'],
      }),
      reason: TextOrNull({
        description: 'The reason: a code of the Pix network, or one of our own.',
        examples: ['SLDB'],
      }),
      ended_at: Instant('When the authorisation ended.'),
    },
  ),
  'autopay.failed': defineEvent(
    'The bank refused to debit an installment. Published after the first refusal if the debit is retried, and when it is not retried any more.',
    {
      ...authorisationFields,
      installment_id: IdField('ins', 'The installment.'),
      value: Amount('The amount to be debited.'),
      tries: Integer('The number of days on which the bank has attempted the debit.', 1),
      reason: TextField('The reason of the bank, as a text in Portuguese.', 'Não havia saldo na conta.'),
      retry_on: TextOrNull({
        format: 'date',
        description:
          'The day of the next attempt; null if there is none: the installment must be paid with a Pix code.',
        examples: ['2026-11-16'],
      }),
    },
  ),
} as const;
