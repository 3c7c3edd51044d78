import { Type } from 'typebox';
import { saoPauloDay, yearOf } from '#core/day.ts';
import { findIdentity } from '#customers';
import { endpoint } from '#platform/http/endpoint.ts';
import { renderPaper } from '#platform/papers/paper.ts';
import type { CreditDeps } from '../deps.ts';
import { statementOf } from '../papers/statement.ts';

const FIRST_YEAR = 2020;

export const getWalletStatementsYear = (credit: CreditDeps) =>
  endpoint('GET /wallet/statements/:year', {
    access: { scope: 'wallet', customer: true },
    id: 'getStatement',
    summary: 'What was paid in a year, as PDF',
    description: 'And what is owed on the day it is asked for.',
    params: Type.Object({
      year: Type.String({ pattern: '^20[0-9]{2}$', description: 'The year.', examples: ['2026'] }),
    }),
    notFound: { en: 'There is no statement of this year.', pt: 'Não há extrato deste ano.' },
    answers: { 200: { description: 'The statement.', contentType: 'application/pdf' } },
    async handler(request, reply) {
      const { db, clock } = credit;
      const { customerId } = request.caller;
      const year = Number(request.params.year);
      const now = clock.now();
      const person = await findIdentity(db, customerId);
      if (!person || year < FIRST_YEAR || year > yearOf(saoPauloDay(now.getTime()))) throw request.notFound();
      const paper = await statementOf(db, { customerId, year, person, lender: credit, now });
      return reply.type('application/pdf').send(await renderPaper(paper));
    },
  });
