import { Type } from 'typebox';
import { findPhoneHash } from '#customers';
import { endpoint } from '#platform/http/endpoint.ts';
import type { CreditDeps } from '../deps.ts';
import { isOffered } from '../offers/offer.ts';
import { renderForCustomer } from '../offers/render-offer.ts';
import { InstallmentsChoice, ofOfferToYou, WalletOffer } from '../offers/schemas.ts';
import { findOffer } from '../offers/store.ts';
import { amountOutOfRange, tooManyInstallments } from '../problems.ts';

export const getWalletOffersId = ({ db, clock, publicUrl, merchants }: CreditDeps) =>
  endpoint('GET /wallet/offers/:id', {
    access: { scope: 'wallet', customer: true },
    id: 'getWalletOffer',
    summary: 'Show what a merchant has offered',
    description:
      'The quote is what accepting it now would come to, or came to. With `installments` it is what accepting it in fewer would.',
    ...ofOfferToYou,
    query: Type.Object(InstallmentsChoice.properties),
    answers: { 200: { description: 'The offer.', schema: WalletOffer } },
    problems: [tooManyInstallments, amountOutOfRange],
    async handler(request) {
      const offer = await findOffer(db.shared, request.params.id);
      const { customerId: id } = request.caller;
      const phone_hash = await findPhoneHash(db.shared, id);
      if (!offer || !phone_hash || !isOffered(offer, { id, phone_hash })) throw request.notFound();
      await merchants.whenCurrent();
      const view = { now: clock.now().getTime(), publicUrl: publicUrl() };
      return renderForCustomer(offer, merchants, view, request.query.installments);
    },
  });
