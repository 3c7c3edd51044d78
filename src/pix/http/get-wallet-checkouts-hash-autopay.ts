import { endpoint } from '#platform/http/endpoint.ts';
import { renderAuthorisation } from '../autopay/render-autopay.ts';
import type { Pix } from '../pix.ts';
import { Autopay, ofAutopay } from '../schemas.ts';
import { findShownAuthorisation } from '../store/authorisations.ts';

export const getWalletCheckoutsHashAutopay = ({ db, clock }: Pix) =>
  endpoint('GET /wallet/checkouts/:hash/autopay', {
    access: { scope: 'wallet', customer: true },
    id: 'getAutopay',
    summary: 'Show whether the installments of a purchase are debited',
    description:
      'The newest authorisation. What is debited when is in `autopay` of each installment of the purchase.',
    ...ofAutopay,
    answers: { 200: { description: 'The authorisation.', schema: Autopay } },
    async handler(request) {
      const found = await findShownAuthorisation(db, request.caller.customerId, request.params.hash);
      if (!found) throw request.notFound();
      return renderAuthorisation(found, clock.now());
    },
  });
