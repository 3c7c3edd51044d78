import { endpoint } from '#platform/http/endpoint.ts';
import { notFound } from '#platform/problem.ts';
import { isChargeId } from '../ids.ts';
import type { Pix } from '../pix.ts';
import { renderCharge } from '../render-charge.ts';
import { ChargeParams, PixCharge } from '../schemas.ts';
import { findCharge } from '../store/charges.ts';

export const getWalletPixId = ({ db, clock }: Pix) =>
  endpoint({
    method: 'GET',
    url: '/wallet/pix/:id',
    access: { scope: 'wallet', customer: true },
    id: 'getPix',
    tag: 'Wallet',
    summary: 'Show one PIX',
    params: ChargeParams,
    answers: { 200: { description: 'The charge as it is now.', schema: PixCharge } },
    problems: [notFound],
    async handler(request) {
      const { id } = request.params;
      const charge = isChargeId(id) ? await findCharge(db, request.caller.customerId, id) : undefined;
      if (!charge || charge.br_code === null) throw notFound('You have no PIX with this id.');
      return renderCharge(charge, clock.now());
    },
  });
