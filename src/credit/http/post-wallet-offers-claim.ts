import { Type } from 'typebox';
import { clientIpHeader } from '#partners';
import { type CustomerTx, forCustomer } from '#platform/database/customer-transaction.ts';
import type { Db } from '#platform/database/db.ts';
import { countFailures, releaseAttempts } from '#platform/http/attempt-limits.ts';
import { type Caller, endpoint } from '#platform/http/endpoint.ts';
import { createOnce, idempotency } from '#platform/http/idempotency.ts';
import { faultsIn, notFound, validationFailed } from '#platform/problem.ts';
import type { CreditDeps } from '../deps.ts';
import { claimOffer } from '../offers/claim-offer.ts';
import { wrongCodes } from '../offers/limits.ts';
import { ownMerchant } from '../offers/problems.ts';
import { renderForCustomer } from '../offers/render-offer.ts';
import { OfferClaim, WalletOffer } from '../offers/schemas.ts';
import { type ClaimKey, findOpenOffer, type OfferRow } from '../offers/store.ts';
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
  endpoint('POST /wallet/offers/claim', {
    access: { scope: 'wallet', customer: true },
    id: 'claimOffer',
    summary: 'Claim an open offer, by the token of its link or its code',
    description:
      'It is this customer’s from then on, and nobody else’s, and holds for two days; accepting it is another call. Claiming it again ' +
      'changes nothing. A customer may send 10 wrong codes in 15 minutes, all from one address 30.',
    headers: Type.Object({ ...idempotency.header.properties, ...clientIpHeader.properties }),
    body: OfferClaim,
    notFound: NO_OPEN_OFFER,
    answers: { 200: { description: 'The offer.', schema: WalletOffer, headers: idempotency.replayed } },
    problems: [
      notFound,
      ...idempotency.problems,
      ...[offerClaimed, offerExpired, offerClosed, tooManyAttempts],
      ...[customerOverdue, cashbackOwed, customerLocked, ownMerchant],
    ],
    async handler(request, reply) {
      const { db, clock, events, merchants, publicUrl } = credit;
      const { customerId } = request.caller;
      const now = clock.now();
      const found = await findCounted(db, keyIn(request.body), request.caller, now);
      if (!found) throw request.notFound();
      await merchants.whenCurrent();
      const claim = async (tx: CustomerTx) => {
        const offer = await claimOffer(tx, { customerId, offerId: found.id }, credit, { events, now });
        if (!offer) throw request.notFound();
        return renderForCustomer(offer, merchants, { now: now.getTime(), publicUrl: publicUrl() });
      };
      return createOnce(forCustomer(db, customerId), { request, reply, now }, claim);
    },
  });

function keyIn({ token, code }: { token?: string; code?: string }): ClaimKey {
  if (token === undefined) return { code: code! };
  if (code === undefined) return { token };
  const message = { en: 'cannot be sent with token', pt: 'não pode ser enviado junto com token' };
  throw validationFailed([{ pointer: '/code', message }], faultsIn('body', 1));
}

/** Counts wrong codes. Wrong tokens are not counted: a token cannot be guessed. */
async function findCounted(
  db: Db,
  key: ClaimKey,
  { customerId, address }: Caller,
  now: Date,
): Promise<OfferRow | undefined> {
  if ('token' in key) return findOpenOffer(db, key);
  const counted = wrongCodes(db.vault, customerId, address);
  return countFailures(db, { counted, now, isFailed: (offer) => offer === undefined }, async () => {
    const offer = await findOpenOffer(db, key);
    if (offer) await releaseAttempts(db, counted, now);
    return offer;
  });
}
