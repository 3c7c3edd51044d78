import { endpoint } from '#platform/http/endpoint.ts';
import { type AuthorisationEnd, endAuthorisation } from '../autopay/end-authorisation.ts';
import { authorisationNow } from '../autopay/render-autopay.ts';
import { removeNow } from '../autopay/sync-authorisation.ts';
import type { Pix } from '../pix.ts';
import { PspRefused, PspUnavailable } from '../psp/index.ts';
import { ofAutopay } from '../schemas.ts';
import { findShownAuthorisation } from '../store/authorisations.ts';

const ENDED: AuthorisationEnd = { status: 'ended', by: 'customer', reason: 'asked', isRemoved: false };
/** A code that was not used in time stays so. */
const EXPIRED: AuthorisationEnd = { status: 'expired', by: null, reason: null, isRemoved: false };

export const deleteWalletCheckoutsHashAutopay = (pix: Pix) =>
  endpoint('DELETE /wallet/checkouts/:hash/autopay', {
    access: { scope: 'wallet', customer: true },
    id: 'endAutopay',
    summary: 'Let the installments of a purchase be debited no more',
    description:
      'Always possible. A debit of a later day is withdrawn; one of today may still be made, and what it pays too much goes back. ' +
      'Again, it changes nothing.',
    ...ofAutopay,
    answers: { 204: { description: 'It is ended.' } },
    async handler(request) {
      const found = await findShownAuthorisation(pix.db, request.caller.customerId, request.params.hash);
      if (!found) throw request.notFound();
      const isOver = authorisationNow(found, pix.clock.now()) === 'expired';
      const ended = await endAuthorisation(pix, found, isOver ? EXPIRED : ENDED);
      // The customer need not wait for a PSP that is away: reconciliation ends it there.
      await removeNow(pix, ended).catch((error: unknown) => {
        if (!(error instanceof PspUnavailable || error instanceof PspRefused)) throw error;
      });
    },
  });
