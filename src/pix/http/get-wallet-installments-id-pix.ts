import { Type } from 'typebox';
import { findDebt, NO_INSTALLMENT } from '#credit';
import { endpoint } from '#platform/http/endpoint.ts';
import { LINK_HEADER, linkHeader, pageParameters, paginationOf } from '#platform/http/pagination.ts';
import { renderCharge } from '../charges/render-charge.ts';
import type { Pix } from '../pix.ts';
import { InstallmentParams, PixChargePage } from '../schemas.ts';
import { listCharges } from '../store/charges.ts';

export const getWalletInstallmentsIdPix = ({ db, clock, publicUrl }: Pix) =>
  endpoint('GET /wallet/installments/:id/pix', {
    access: { scope: 'wallet', customer: true },
    id: 'listPix',
    summary: 'List the PIX of an installment',
    description: 'Newest first.',
    params: InstallmentParams,
    notFound: NO_INSTALLMENT,
    query: Type.Object(pageParameters()),
    answers: { 200: { description: 'A page of charges.', schema: PixChargePage, headers: LINK_HEADER } },
    async handler(request, reply) {
      const { id } = request.params;
      const { customerId } = request.caller;
      const { page, limit } = request.query;
      const now = clock.now();
      if (!(await findDebt(db.shared, customerId, id, now.getTime()))) throw request.notFound();
      const offset = (page - 1) * limit;
      const { total, charges } = await listCharges(db.shared, customerId, id, { offset, limit });
      const address = `${publicUrl()}/wallet/installments/${id}/pix`;
      reply.header('link', linkHeader(address, { page, limit }, total));
      return {
        data: charges.map((charge) => renderCharge(charge, now)),
        pagination: paginationOf({ page, limit }, total),
      };
    },
  });
