import { Type } from 'typebox';
import { saoPauloDay } from '#core/day.ts';
import { endpoint } from '#platform/http/endpoint.ts';
import {
  answerPage,
  LINK_HEADER,
  pageParameters,
  upToParameter,
  windowOf,
} from '#platform/http/pagination.ts';
import { listMovements } from '../reading-store.ts';
import { renderMovement } from '../render.ts';
import type { Rewards } from '../rewards.ts';
import { CashbackLedger } from '../schemas.ts';

export const getWalletCashbackLedger = ({ db, clock, publicUrl }: Rewards) =>
  endpoint('GET /wallet/cashback/ledger', {
    access: { scope: 'wallet', customer: true },
    id: 'listCashbackEntries',
    summary: 'List the cashback statement',
    description:
      'Every change of the balance, newest first. Entries are only ever added: the addresses in `Link` hold on to the ' +
      'entries there were when the first page was asked for, so that none comes twice and none is missed while others are added.',
    query: Type.Object({ ...pageParameters(), ...upToParameter('entries') }),
    answers: {
      200: { description: 'A page of the statement.', schema: CashbackLedger, headers: LINK_HEADER },
    },
    async handler(request, reply) {
      const { page, limit, up_to: upTo = Number.MAX_SAFE_INTEGER } = request.query;
      const { customerId } = request.caller;
      const today = saoPauloDay(clock.now().getTime());
      const window = { ...windowOf({ page, limit }), upTo };
      const { movements, total } = await listMovements(db.shared, customerId, today, window);
      const query = { page, limit, up_to: total };
      const url = `${publicUrl()}/wallet/cashback/ledger`;
      return answerPage(reply, { url, query, total }, movements.map(renderMovement));
    },
  });
