import { nameCustomers } from '#customers';
import { endpoint } from '#platform/http/endpoint.ts';
import { PixOrphanShown } from '../payments/orphan-schemas.ts';
import { renderOrphan } from '../payments/render-orphan.ts';
import { suggestOwners } from '../payments/suggest-owners.ts';
import type { Pix } from '../pix.ts';
import { ofOrphan } from '../schemas.ts';
import { findOrphan } from '../store/orphans.ts';

export const getAdminPixOrphansId = ({ db }: Pix) =>
  endpoint('GET /admin/pix/orphans/:id', {
    access: { scope: 'operator', role: 'viewer' },
    id: 'getPixOrphan',
    summary: 'Show one payment that belongs to no charge of ours',
    ...ofOrphan,
    answers: { 200: { description: 'The payment.', schema: PixOrphanShown } },
    async handler(request) {
      const orphan = await findOrphan(db, request.params.id);
      if (!orphan) return undefined;
      const suggestions = orphan.status === 'open' ? await suggestOwners(db, orphan) : [];
      return { ...renderOrphan(orphan), suggestions: await nameCustomers(db, suggestions) };
    },
  });
