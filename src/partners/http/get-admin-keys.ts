import { Type } from 'typebox';
import { endpoint } from '#platform/http/endpoint.ts';
import { answerPages, listAnswer } from '#platform/http/listing.ts';
import { pageParameters } from '#platform/http/pagination.ts';
import { Text } from '#platform/http/schemas.ts';
import { renderKey } from '../manage-keys.ts';
import { withSlugs } from '../merchant-directory.ts';
import type { Partners } from '../partners.ts';
import { KeyItem } from '../schemas.ts';
import { findPartner, listKeys } from '../store.ts';

export const getAdminKeys = ({ db, findSlugs }: Partners) =>
  endpoint('GET /admin/keys', {
    access: { scope: 'operator', role: 'viewer' },
    id: 'listKeys',
    summary: 'List API keys, their state and last use',
    query: Type.Object({
      ...pageParameters(),
      partner: Type.Optional(Text(120, { description: 'Only those of this partner: id or name.' })),
      q: Type.Optional(
        Text(100, { description: 'With this in label, hint, id or the name of the partner.' }),
      ),
    }),
    answers: listAnswer('A page of keys, by partner.', KeyItem),
    async handler(request, reply) {
      const { partner, q } = request.query;
      const id = partner === undefined ? null : ((await findPartner(db, partner))?.id ?? partner);
      return answerPages({ request, reply }, (at) => listKeys(db, id, { ...at, q }), {
        item: KeyItem,
        render: (rows) => withSlugs(db, rows.map(renderKey), findSlugs),
      });
    },
  });
