import { Type } from 'typebox';
import { endpoint } from '#platform/http/endpoint.ts';
import { Pagination, pageParameters, paginationOf } from '#platform/http/pagination.ts';
import { renderPartner } from '../manage-keys.ts';
import type { Partners } from '../partners.ts';
import { PartnerShown } from '../schemas.ts';
import { listPartners } from '../store.ts';

export const getAdminPartners = ({ db }: Partners) =>
  endpoint({
    method: 'GET',
    url: '/admin/partners',
    access: { scope: 'operator', role: 'viewer' },
    id: 'listPartners',
    tag: 'Partners',
    summary: 'List partner applications',
    query: Type.Object(pageParameters()),
    answers: {
      200: {
        description: 'A page of partners, oldest first.',
        schema: Type.Object({ data: Type.Array(PartnerShown), pagination: Pagination }),
      },
    },
    async handler(request) {
      const { page, limit } = request.query;
      const { total, partners } = await listPartners(db, { offset: (page - 1) * limit, limit });
      return { data: partners.map(renderPartner), pagination: paginationOf({ page, limit }, total) };
    },
  });
