import { clientIpHeader } from '#partners';
import { customerTransaction } from '#platform/database/customer-transaction.ts';
import { countFailures, releaseAttempts } from '#platform/http/attempt-limits.ts';
import { endpoint } from '#platform/http/endpoint.ts';
import { faultsIn, notFound, validationFailed } from '#platform/problem.ts';
import type { CreditDeps } from '../deps.ts';
import { claimOffer } from '../offers/claim-offer.ts';
import { wrongCodes } from '../offers/limits.ts';
import { renderForCustomer } from '../offers/render-offer.ts';
import { OfferClaim, WalletOffer } from '../offers/schemas.ts';
import type { ClaimKey } from '../offers/store.ts';
import {
  cashbackOwed,
  customerLocked,
  customerOverdue,
  NO_OPEN_OFFER,
  offerClaimed,
  offerClosed,
  offerExpired,
  tooManyAttempts,
} from '../problems.ts';

export const postWalletOffersClaim = (credit: CreditDeps) =>
  endpoint({
    method: 'POST',
    url: '/wallet/offers/claim',
    access: { scope: 'wallet', customer: true },
    id: 'claimOffer',
    tag: 'Wallet',
    summary: 'Claim an open offer, by the token of its link or its code',
    description:
      'It is this customer’s from then on, and nobody else’s, and holds for two days; accepting it is another call. Claiming it again ' +
      'changes nothing. A customer may send 10 codes in 15 minutes that lead to no offer, all from one address 30.',
    headers: clientIpHeader,
    body: OfferClaim,
    notFound: NO_OPEN_OFFER,
    answers: { 200: { description: 'The offer.', schema: WalletOffer } },
    problems: [
      notFound,
      ...[offerClaimed, offerExpired, offerClosed, tooManyAttempts],
      ...[customerOverdue, cashbackOwed, customerLocked],
    ],
    async handler(request) {
      const { db, clock, events, merchants, publicUrl } = credit;
      const { customerId, address } = request.caller;
      const now = clock.now();
      const key = keyIn(request.body);
      // A token cannot be guessed: there is nothing to count.
      const counted = 'code' in key ? wrongCodes(db.vault, customerId, address) : [];
      const claim = () =>
        customerTransaction(db, customerId, async (tx) => {
          const offer = await claimOffer(tx, { customerId, key }, credit, { events, now });
          if (offer && counted.length > 0) await releaseAttempts(tx, counted, now);
          return offer;
        });
      const isFailed = (found: unknown) => found === undefined;
      const offer = await (counted.length > 0
        ? countFailures(db, { counted, now, isFailed }, claim)
        : claim());
      if (!offer) throw request.notFound();
      await merchants.whenCurrent();
      return renderForCustomer(offer, merchants, { now: now.getTime(), publicUrl: publicUrl() });
    },
  });

function keyIn({ token, code }: { token?: string; code?: string }): ClaimKey {
  if (token === undefined) return { code: code! };
  if (code === undefined) return { token };
  const message = { en: 'cannot be sent with token', pt: 'não pode ser enviado junto com token' };
  throw validationFailed([{ pointer: '/code', message }], faultsIn('body', 1));
}
