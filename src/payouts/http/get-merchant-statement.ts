import { Type } from 'typebox';
import { type Day, endOfDay, startOfDay } from '#core/day.ts';
import { columnsOf, sendCsv, wantsCsv } from '#platform/http/csv.ts';
import { endpoint } from '#platform/http/endpoint.ts';
import { answerPage, LINK_HEADER, pageParameters, windowOf } from '#platform/http/pagination.ts';
import { DayParameter } from '#platform/http/schemas.ts';
import type { Payouts } from '../payouts.ts';
import { renderAccountLine } from '../render.ts';
import { AccountLine, AccountStatement } from '../schemas.ts';
import { listStatement } from '../store.ts';

const FIRST_DAY = '2000-01-01' as Day;
const LAST_DAY = '2199-12-31' as Day;
const ROWS_AT_ONCE = 1_000;

export const getMerchantStatement = ({ db, publicUrl }: Payouts) =>
  endpoint('GET /merchant/statement', {
    access: { scope: 'merchant', member: 'owner' },
    id: 'getMerchantStatement',
    summary: 'Show every line of your account',
    description:
      'Newest first: sales, fees, returns and payouts, each with what you were owed after it. Lines are only ever added.',
    query: Type.Object({
      ...pageParameters(),
      from: Type.Optional(DayParameter('On or after this day')),
      to: Type.Optional(DayParameter('On or before this day')),
    }),
    answers: {
      200: {
        description: 'A page of the statement.',
        schema: AccountStatement,
        headers: LINK_HEADER,
        csv: true,
      },
    },
    async handler(request, reply) {
      const { page, limit, from, to } = request.query;
      const days = {
        from: new Date(startOfDay((from as Day | undefined) ?? FIRST_DAY)),
        before: new Date(endOfDay((to as Day | undefined) ?? LAST_DAY)),
      };
      const { merchantId } = request.caller;
      if (wantsCsv(request)) {
        async function* batches() {
          for (let offset = 0, of = 1; offset < of; offset += ROWS_AT_ONCE) {
            const read = await listStatement(db, merchantId, days, { offset, limit: ROWS_AT_ONCE });
            of = read.total;
            yield read.lines.map(renderAccountLine);
          }
        }
        return sendCsv({ request, reply }, 'statement', columnsOf(AccountLine), batches());
      }
      const query = { page, limit, from, to };
      const { total, lines } = await listStatement(db, merchantId, days, windowOf(query));
      const url = `${publicUrl()}/merchant/statement`;
      return answerPage(reply, { url, query, total }, lines.map(renderAccountLine));
    },
  });
