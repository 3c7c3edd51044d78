import { Type } from 'typebox';
import { endpoint } from '#platform/http/endpoint.ts';
import { answerList, listAnswer, listParameters } from '#platform/http/listing.ts';
import { shown } from '#platform/http/shown.ts';
import { agreementKind, StaffAgreement } from '../agreements/schemas.ts';
import { listedAgreements } from '../agreements/store.ts';
import type { Outbound } from '../messages.ts';

export const getAdminAgreements = ({ db }: Outbound) =>
  endpoint('GET /admin/agreements', {
    access: { scope: 'operator', role: 'viewer' },
    id: 'listAgreements',
    summary: 'List versions of terms and privacy notice',
    description: 'Those that were published; of each kind the newest is in force.',
    query: Type.Object({ ...listParameters(), kind: Type.Optional(agreementKind) }),
    answers: listAnswer('A page of versions.', StaffAgreement),
    handler: (request, reply) =>
      answerList(db, { request, reply }, listedAgreements(request.query.kind), {
        item: StaffAgreement,
        render: (rows) => rows.map((row) => shown(StaffAgreement, row)),
      }),
  });
