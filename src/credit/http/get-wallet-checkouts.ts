import { Type } from 'typebox';
import { saoPauloDay } from '#core/day.ts';
import { endpoint } from '#platform/http/endpoint.ts';
import { answerPage, LINK_HEADER, pageParameters, windowOf } from '#platform/http/pagination.ts';
import type { CreditDeps } from '../deps.ts';
import { showMerchants } from '../purchases/current-merchant.ts';
import { listCheckouts } from '../purchases/reading-store.ts';
import { renderListed } from '../purchases/render-checkout.ts';
import { rangeOf } from '../purchases/status-range.ts';
import { CheckoutPage, STATUSES } from '../schemas.ts';

export const getWalletCheckouts = ({ db, clock, publicUrl, merchants }: CreditDeps) =>
  endpoint('GET /wallet/checkouts', {
    access: { scope: 'wallet', customer: true },
    id: 'listCheckouts',
    summary: 'List purchases',
    description: 'Newest first, with what is owed as of now.',
    query: Type.Object({
      status: Type.Optional(Type.Enum([...STATUSES], { description: 'Only those in this status now.' })),
      ...pageParameters(),
    }),
    answers: { 200: { description: 'A page of purchases.', schema: CheckoutPage, headers: LINK_HEADER } },
    async handler(request, reply) {
      const { page, limit, status } = request.query;
      const now = clock.now().getTime();
      const today = saoPauloDay(now);
      const { customerId } = request.caller;
      const range = rangeOf(status, today);
      const window = windowOf({ page, limit });
      const { checkouts, total } = await listCheckouts(db.shared, customerId, range, today, window);
      const view = { now, publicUrl: publicUrl() };
      return answerPage(
        reply,
        { url: `${view.publicUrl}/wallet/checkouts`, query: { page, limit, status }, total },
        (await showMerchants(checkouts, merchants)).map((checkout) => renderListed(checkout, view)),
      );
    },
  });
