import { endpoint } from '#platform/http/endpoint.ts';
import type { Pix } from '../pix.ts';
import { NO_ORPHAN } from '../problems.ts';
import { renderOrphan } from '../reports/render-staff.ts';
import { EndToEndIdParams, PixOrphan } from '../schemas.ts';
import { findOrphan } from '../store/orphans.ts';

export const getAdminPixOrphansId = ({ db }: Pix) =>
  endpoint({
    method: 'GET',
    url: '/admin/pix/orphans/:id',
    access: { scope: 'operator', role: 'viewer' },
    id: 'getPixOrphan',
    summary: 'Show one payment that belongs to no charge of ours',
    params: EndToEndIdParams,
    notFound: NO_ORPHAN,
    answers: { 200: { description: 'The payment.', schema: PixOrphan } },
    async handler(request) {
      const orphan = await findOrphan(db, request.params.id);
      return orphan && renderOrphan(orphan);
    },
  });
