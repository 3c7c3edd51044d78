import { Type } from 'typebox';
import { saoPauloDay, yearOf } from '#core/values/day.ts';
import { findIdentity } from '#customers';
import { renderDocument } from '#platform/documents/document.ts';
import { endpoint } from '#platform/http/endpoint.ts';
import type { CreditDeps } from '../deps.ts';
import { toCreditor } from '../documents/parties.ts';
import { buildStatement } from '../documents/statement.ts';

const FIRST_YEAR = 2020;

export const getWalletStatementsYear = (deps: CreditDeps) =>
  endpoint('GET /wallet/statements/:year', {
    access: { scope: 'wallet', customer: true },
    id: 'getStatement',
    summary: 'Download the statement of a year',
    description:
      'Returns a PDF with the payments of the year, and the current debt of the purchases until its end.',
    params: Type.Object({
      year: Type.String({ pattern: '^20[0-9]{2}$', description: 'The year.', examples: ['2026'] }),
    }),
    notFound: { en: 'There is no statement for this year.', pt: 'Não há extrato deste ano.' },
    responses: { 200: { description: 'The statement.', contentType: 'application/pdf' } },
    async handler(request, reply) {
      const { db, clock } = deps;
      const { customerId } = request.caller;
      const year = Number(request.params.year);
      const now = clock.now();
      const person = await findIdentity(db, customerId);
      if (!person || year < FIRST_YEAR || year > yearOf(saoPauloDay(now.getTime()))) throw request.notFound();
      const statement = await buildStatement(db, {
        customerId,
        year,
        person,
        creditor: toCreditor(deps),
        now,
      });
      return reply.type('application/pdf').send(await renderDocument(statement));
    },
  });
