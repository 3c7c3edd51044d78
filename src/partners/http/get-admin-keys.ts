import { Type } from 'typebox';
import { endpoint } from '#platform/http/endpoint.ts';
import { Pagination, pageParameters, paginationOf } from '#platform/http/pagination.ts';
import { Text } from '#platform/http/schemas.ts';
import { renderKey } from '../manage-keys.ts';
import type { Partners } from '../partners.ts';
import { KeyShown } from '../schemas.ts';
import { findPartner, listKeys } from '../store.ts';

export const getAdminKeys = ({ db }: Partners) =>
  endpoint({
    method: 'GET',
    url: '/admin/keys',
    access: { scope: 'operator', role: 'viewer' },
    id: 'listKeys',
    tag: 'Partners',
    summary: 'List API keys, their state and last use',
    query: Type.Object({
      ...pageParameters(),
      partner: Type.Optional(Text(120, { description: 'Only those of this partner: id or name.' })),
    }),
    answers: {
      200: {
        description: 'A page of keys, by partner.',
        schema: Type.Object({ data: Type.Array(KeyShown), pagination: Pagination }),
      },
    },
    async handler(request) {
      const { page, limit, partner } = request.query;
      const found = partner === undefined ? null : await findPartner(db, partner);
      const { total, keys } =
        found === undefined
          ? { total: 0, keys: [] }
          : await listKeys(db, found?.id ?? null, { offset: (page - 1) * limit, limit });
      return { data: keys.map(renderKey), pagination: paginationOf({ page, limit }, total) };
    },
  });
