import { parseReais, toReais } from '#core/money.ts';
import { NO_INSTALLMENT, paymentProblems, showInstallment } from '#credit';
import { type CustomerTx, forCustomer } from '#platform/database/customer-transaction.ts';
import { endpoint } from '#platform/http/endpoint.ts';
import { createOnce, idempotency } from '#platform/http/idempotency.ts';
import { noCashback } from '../problems.ts';
import { redeemCashback } from '../redeem-cashback.ts';
import type { Rewards } from '../rewards.ts';
import { InstallmentParams, Redemption, RedemptionRequest } from '../schemas.ts';

export const postWalletInstallmentsIdCashback = ({ db, clock, events }: Rewards) =>
  endpoint('POST /wallet/installments/:id/cashback', {
    access: { scope: 'wallet', customer: true },
    id: 'payWithCashback',
    summary: 'Pay an installment with cashback',
    description:
      'At once: what expires first is spent first, and it pays interest, fine and amount like any payment. PIX charges of the ' +
      'installment that are pending are cancelled. What is paid with cashback earns none.',
    params: InstallmentParams,
    notFound: NO_INSTALLMENT,
    headers: idempotency.header,
    body: RedemptionRequest,
    bodyOptional: true,
    answers: {
      201: {
        description: 'What was paid, and what is left.',
        schema: Redemption,
        headers: idempotency.replayed,
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
        const installment = (await showInstallment(tx, customerId, installmentId, now.getTime()))!;
        return { installment, applied: toReais(appliedCents), balance: toReais(balanceCents) };
      };
      const now = clock.now();
      const fingerprint = [installmentId, request.body];
      return createOnce(forCustomer(db, customerId), { request, reply, now }, redeem, fingerprint);
    },
  });
