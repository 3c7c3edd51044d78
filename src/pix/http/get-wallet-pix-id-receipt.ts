import { endpoint } from '#platform/http/endpoint.ts';
import { renderPaper } from '#platform/papers/paper.ts';
import { receiptOf } from '../payments/receipt.ts';
import type { Pix } from '../pix.ts';
import { ChargeParams } from '../schemas.ts';

export const getWalletPixIdReceipt = (pix: Pix) =>
  endpoint('GET /wallet/pix/:id/receipt', {
    access: { scope: 'wallet', customer: true },
    id: 'getReceipt',
    summary: 'The receipt of a paid PIX, as PDF',
    params: ChargeParams,
    notFound: {
      en: 'You have no paid PIX with this id.',
      pt: 'Você não tem Pix pago com este id.',
    },
    answers: { 200: { description: 'The receipt.', contentType: 'application/pdf' } },
    async handler(request, reply) {
      const paper = await receiptOf(pix, request.caller.customerId, request.params.id);
      if (!paper) throw request.notFound();
      return reply.type('application/pdf').send(await renderPaper(paper));
    },
  });
