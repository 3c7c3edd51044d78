import { type CustomerTx, forCustomer } from '#platform/database/customer-transaction.ts';
import { endpoint } from '#platform/http/endpoint.ts';
import { createOnce, idempotency } from '#platform/http/idempotency.ts';
import { NotGranted } from '../acceptance.ts';
import type { CreditDeps } from '../deps.ts';
import { acceptOffer, draftContract } from '../offers/accept-offer.ts';
import { creditDeclined, creditReview, ownMerchant } from '../offers/problems.ts';
import { InstallmentsChoice, ofOfferToYou } from '../offers/schemas.ts';
import {
  amountOutOfRange,
  offerClosed,
  offerExpired,
  standingProblems,
  tooManyInstallments,
} from '../problems.ts';
import type { CheckoutRecord } from '../purchases/checkout-record.ts';
import { renderCheckout } from '../purchases/render-checkout.ts';
import { Checkout } from '../schemas.ts';

export const postWalletOffersIdAccept = (credit: CreditDeps) =>
  endpoint('POST /wallet/offers/:id/accept', {
    access: { scope: 'wallet', customer: true },
    id: 'acceptOffer',
    summary: 'Accept an offer: buy',
    description:
      'On the terms it was made on, with due days counted from today. The total, interest included, must be within the available ' +
      'limit, the customer not overdue, and their cashback not below zero. The credit policy decides besides: with 409 ' +
      '`credit_review` the offer stays pending, and can be accepted once a person has approved it.',
    ...ofOfferToYou,
    headers: idempotency.header,
    body: InstallmentsChoice,
    bodyOptional: true,
    answers: {
      201: {
        description: 'The purchase.',
        schema: Checkout,
        headers: {
          Location: 'Address of the purchase.',
          ...idempotency.replayed,
        },
      },
    },
    problems: [
      ...idempotency.problems,
      ...standingProblems,
      creditReview,
      creditDeclined,
      offerClosed,
      offerExpired,
      tooManyInstallments,
      amountOutOfRange,
      ownMerchant,
    ],
    async handler(request, reply) {
      const { db, clock, events, publicUrl, merchants, cashbackDebt, acceptance } = credit;
      const now = clock.now();
      const wanted = { ...request.body, customerId: request.caller.customerId, offerId: request.params.id };
      await merchants.whenCurrent();
      const draft = await draftContract({ db, merchants, lender: credit }, wanted, now);
      const accept = async (tx: CustomerTx) => {
        const checkout = await acceptOffer(
          tx,
          wanted,
          { merchants, cashbackDebt, acceptance, lender: credit, draft },
          { events, now },
        );
        if (!checkout) throw request.notFound();
        const view = { now: now.getTime(), publicUrl: publicUrl() };
        return renderCheckout(checkout as CheckoutRecord<string>, view);
      };
      const fingerprint = [request.params.id, request.body];
      const attempt = () =>
        createOnce(forCustomer(db, wanted.customerId), { request, reply, now }, accept, fingerprint);
      const checkout = await attempt().catch(async (error: unknown) => {
        await keepRefusal(error);
        return attempt().catch(async (later: unknown) => {
          await keepRefusal(later);
          throw later;
        });
      });
      return reply.code(201).header('location', `/wallet/checkouts/${checkout.hash}`).send(checkout);
    },
  });

/** Stores the decision after the rollback. Returns if it is to be decided again; else it throws. */
async function keepRefusal(error: unknown): Promise<void> {
  if (!(error instanceof NotGranted)) throw error;
  const { decision } = error;
  if ((await decision.keep()) === 'again') return;
  throw decision.outcome === 'review' ? creditReview() : creditDeclined(decision.reasons);
}
