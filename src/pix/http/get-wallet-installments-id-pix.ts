import { Type } from 'typebox';
import { findDebt } from '#credit';
import { endpoint } from '#platform/http/endpoint.ts';
import { answerPage, LINK_HEADER, pageParameters, windowOf } from '#platform/http/pagination.ts';
import { renderCharge } from '../charges/render-charge.ts';
import type { Pix } from '../pix.ts';
import { ofInstallment, PixChargePage } from '../schemas.ts';
import { listCharges } from '../store/charges.ts';

export const getWalletInstallmentsIdPix = ({ db, clock, publicUrl }: Pix) =>
  endpoint('GET /wallet/installments/:id/pix', {
    access: { scope: 'wallet', customer: true },
    id: 'listPix',
    summary: 'List the PIX of an installment',
    description: 'Newest first.',
    ...ofInstallment,
    query: Type.Object(pageParameters()),
    answers: { 200: { description: 'A page of charges.', schema: PixChargePage, headers: LINK_HEADER } },
    async handler(request, reply) {
      const { id } = request.params;
      const { customerId } = request.caller;
      const { page, limit } = request.query;
      const now = clock.now();
      if (!(await findDebt(db.shared, customerId, id, now.getTime()))) throw request.notFound();
      const query = { page, limit };
      const { total, charges } = await listCharges(db.shared, customerId, id, windowOf(query));
      return answerPage(
        reply,
        { url: `${publicUrl()}/wallet/installments/${id}/pix`, query, total },
        charges.map((charge) => renderCharge(charge, now)),
      );
    },
  });
