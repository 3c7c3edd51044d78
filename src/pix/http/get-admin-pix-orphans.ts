import { Type } from 'typebox';
import { endpoint } from '#platform/http/endpoint.ts';
import { answerList, dayParameters, listAnswer, listParameters } from '#platform/http/listing.ts';
import { Text } from '#platform/http/schemas.ts';
import { renderOrphan } from '../payments/render-orphan.ts';
import type { Pix } from '../pix.ts';
import { PixOrphan } from '../schemas.ts';
import { listedOrphans } from '../store/lists.ts';
import { ORPHAN_STATUSES } from '../store/orphans.ts';

export const getAdminPixOrphans = ({ db, resolveSearch }: Pix) =>
  endpoint('GET /admin/pix/orphans', {
    access: { scope: 'operator', role: 'viewer' },
    id: 'listPixOrphans',
    summary: 'List money that belongs to no charge of ours',
    description:
      'Nothing is done with it until a person says what it is for (`/assign`) or gives it back (`/refund`). One that turns out to be ' +
      'for a charge, or was assigned, is no orphan any more.',
    query: Type.Object({
      ...listParameters(),
      q: Type.Optional(Text(100, { description: 'An end-to-end id, or a txid.' })),
      status: Type.Optional(Type.Enum([...ORPHAN_STATUSES])),
      ...dayParameters('Found'),
    }),
    answers: listAnswer('A page of payments.', PixOrphan, 'What arrived'),
    async handler(request, reply) {
      const { q, ...filter } = request.query;
      return answerList(
        db,
        { request, reply },
        listedOrphans({ ...filter, target: await resolveSearch(q) }),
        {
          item: PixOrphan,
          render: (rows) => rows.map(renderOrphan),
        },
      );
    },
  });
