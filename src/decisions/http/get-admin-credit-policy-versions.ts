import { Type } from 'typebox';
import { endpoint } from '#platform/http/endpoint.ts';
import { answerList, listAnswer, listParameters } from '#platform/http/listing.ts';
import { listNames } from '#staff';
import type { Decisions } from '../decisions.ts';
import { PolicyVersion } from '../schemas.ts';
import { listedPolicies } from '../store.ts';

export const getAdminCreditPolicyVersions = ({ db }: Decisions) =>
  endpoint('GET /admin/credit-policy/versions', {
    access: { scope: 'operator', role: 'viewer' },
    id: 'listCreditPolicyVersions',
    summary: 'List every credit policy that was set',
    description: 'Without the one that is built in, which is version 1.',
    query: Type.Object(listParameters()),
    answers: listAnswer('A page of versions.', PolicyVersion),
    handler: (request, reply) =>
      answerList(db, { request, reply }, listedPolicies, {
        item: PolicyVersion,
        async render(rows) {
          const names = await listNames(db, [...new Set(rows.map(({ set_by }) => set_by))]);
          return rows.map(({ set_at, ...row }) => ({
            ...row,
            set_by_name: names.get(row.set_by) ?? row.set_by,
            set_at: set_at.toISOString(),
          }));
        },
      }),
  });
