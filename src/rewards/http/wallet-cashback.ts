import { Type } from 'typebox';
import { saoPauloDay } from '#core/values/day.ts';
import { parseReais, toReais } from '#core/values/money.ts';
import { findInstallmentView, INSTALLMENT_NOT_FOUND, paymentProblems } from '#credit';
import { type CustomerTx, forCustomer } from '#platform/database/customer-transaction.ts';
import { endpoint } from '#platform/http/endpoint.ts';
import { createOnce } from '#platform/http/idempotency.ts';
import {
  LINK_HEADER,
  pageParameters,
  respondWithPage,
  toPageRange,
  upToParameter,
} from '#platform/http/pagination.ts';
import { redeemCashback } from '../cashback-account.ts';
import { noCashback } from '../problems.ts';
import { findBalances, listMovements } from '../reading-store.ts';
import { renderBalance, renderMovement } from '../render.ts';
import {
  CashbackBalance,
  CashbackLedger,
  InstallmentParams,
  Redemption,
  RedemptionRequest,
} from '../schemas.ts';
import type { RewardsDeps } from '../settings.ts';

export const getWalletCashbackBalance = ({ db, clock }: RewardsDeps) =>
  endpoint('GET /wallet/cashback/balance', {
    access: { scope: 'wallet', customer: true },
    id: 'getCashbackBalance',
    summary: 'Get the cashback balance',
    description:
      'Returns the available cashback, its expiry days, and the cashback that can still be earned.',
    responses: { 200: { description: 'The balance.', schema: CashbackBalance } },
    async handler(request) {
      const today = saoPauloDay(clock.now().getTime());
      return renderBalance(await findBalances(db.shared, request.caller.customerId, today));
    },
  });

/** The default of `up_to`. */
const ALL_ENTRIES = Number.MAX_SAFE_INTEGER;

export const getWalletCashbackLedger = ({ db, clock, publicUrl }: RewardsDeps) =>
  endpoint('GET /wallet/cashback/ledger', {
    access: { scope: 'wallet', customer: true },
    id: 'listCashbackEntries',
    summary: 'List cashback entries',
    description:
      'Lists every change of the balance, newest first. Entries are only added, never changed. The URLs in `Link` cover only the entries that ' +
      'existed when the first page was requested, so no entry is repeated or missed while new entries are added.',
    query: Type.Object({ ...pageParameters(), ...upToParameter('entries') }),
    responses: {
      200: { description: 'A page of the statement.', schema: CashbackLedger, headers: LINK_HEADER },
    },
    async handler(request, reply) {
      const { page, limit, up_to: upTo = ALL_ENTRIES } = request.query;
      const { customerId } = request.caller;
      const today = saoPauloDay(clock.now().getTime());
      const pageRange = { ...toPageRange({ page, limit }), maxPosition: upTo };
      const { movements, total } = await listMovements(db.shared, customerId, today, pageRange);
      const query = { page, limit, up_to: total };
      const url = `${publicUrl()}/wallet/cashback/ledger`;
      return respondWithPage(reply, { url, query, total }, movements.map(renderMovement));
    },
  });

export const postWalletInstallmentsIdCashback = ({ db, clock, events }: RewardsDeps) =>
  endpoint('POST /wallet/installments/:id/cashback', {
    access: { scope: 'wallet', customer: true },
    id: 'payWithCashback',
    summary: 'Pay an installment with cashback',
    description:
      'Cashback that expires first is spent first. It pays interest, fine and amount like any payment, immediately. Pending PIX charges ' +
      'of the installment are cancelled. Amounts paid with cashback earn no cashback.',
    params: InstallmentParams,
    notFound: INSTALLMENT_NOT_FOUND,
    idempotent: true,
    body: RedemptionRequest,
    bodyOptional: true,
    responses: {
      201: { description: 'The spent cashback, the new balance and the installment.', schema: Redemption },
    },
    problems: [...paymentProblems, noCashback],
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
      const fingerprint = [installmentId, request.body];
      const onceContext = { request, reply, now: clock.now() };
      return createOnce(forCustomer(db, customerId), onceContext, redeem, fingerprint);
    },
  });
