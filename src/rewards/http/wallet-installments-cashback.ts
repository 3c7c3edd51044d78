import { parseReais, toReais } from '#core/values/money.ts';
import { findInstallmentView, NO_INSTALLMENT, paymentProblems } from '#credit';
import { type CustomerTx, forCustomer } from '#platform/database/customer-transaction.ts';
import { endpoint } from '#platform/http/endpoint.ts';
import { createOnce, idempotency } from '#platform/http/idempotency.ts';
import type { RewardsDeps } from '../deps.ts';
import { noCashback } from '../problems.ts';
import { redeemCashback } from '../redeem-cashback.ts';
import { InstallmentParams, Redemption, RedemptionRequest } from '../schemas.ts';

export const postWalletInstallmentsIdCashback = ({ db, clock, events }: RewardsDeps) =>
  endpoint('POST /wallet/installments/:id/cashback', {
    access: { scope: 'wallet', customer: true },
    id: 'payWithCashback',
    summary: 'Pay an installment with cashback',
    description:
      'Cashback that expires first is spent first. It pays interest, fine and amount like any payment, immediately. Pending PIX charges ' +
      'of the installment are cancelled. Amounts paid with cashback earn no cashback.',
    params: InstallmentParams,
    notFound: NO_INSTALLMENT,
    headers: idempotency.header,
    body: RedemptionRequest,
    bodyOptional: true,
    responses: {
      201: {
        description: 'The spent cashback, the new balance and the installment.',
        schema: Redemption,
        headers: idempotency.responseHeaders,
      },
    },
    problems: [...paymentProblems, noCashback, ...idempotency.problems],
    async handler(request, reply) {
      const { customerId } = request.caller;
      const { id: installmentId } = request.params;
      const { value } = request.body;
      const redemption = {
        customerId,
        installmentId,
        ...(value !== undefined && { value: parseReais(value)! }),
      };
      const redeem = async (tx: CustomerTx) => {
        const now = clock.now();
        const { appliedCents, balanceCents } = await redeemCashback(tx, redemption, { events, now });
        const installment = (await findInstallmentView(tx, customerId, installmentId, now.getTime()))!;
        return { installment, applied: toReais(appliedCents), balance: toReais(balanceCents) };
      };
      const now = clock.now();
      const fingerprint = [installmentId, request.body];
      return createOnce(forCustomer(db, customerId), { request, reply, now }, redeem, fingerprint);
    },
  });
