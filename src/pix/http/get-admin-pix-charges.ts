import { Type } from 'typebox';
import { CHARGE_TYPES } from '#core/charge.ts';
import { nameCustomers } from '#customers';
import { endpoint } from '#platform/http/endpoint.ts';
import { answerList, dayParameters, listAnswer, listParameters } from '#platform/http/listing.ts';
import { searchParameter } from '#platform/http/search.ts';
import type { Pix } from '../pix.ts';
import { narrowed } from '../reports/narrowed.ts';
import { renderStaffCharge } from '../reports/render-staff.ts';
import { ownerParameters, StaffPixChargeItem } from '../schemas.ts';
import { listedCharges } from '../store/lists.ts';

export const getAdminPixCharges = ({ db, clock, resolveSearch }: Pix) =>
  endpoint('GET /admin/pix/charges', {
    access: { scope: 'operator', role: 'viewer' },
    id: 'listPixCharges',
    summary: 'List codes that customers asked for',
    query: Type.Object({
      ...listParameters(),
      ...searchParameter('a txid, or the hash of a purchase'),
      status: Type.Optional(
        Type.Enum(['pending', 'paid', 'expired', 'cancelled'], {
          description: 'Only those in this status now.',
        }),
      ),
      type: Type.Optional(Type.Enum([...CHARGE_TYPES])),
      ...ownerParameters,
      ...dayParameters('Made'),
    }),
    answers: listAnswer('A page of charges.', StaffPixChargeItem, 'What is charged'),
    async handler(request, reply) {
      const { q, customer, checkout, ...filter } = request.query;
      const whose = await narrowed(db, { customer, checkout });
      const wanted = { ...filter, ...whose, target: await resolveSearch(q) };
      const now = clock.now();
      return answerList(db, { request, reply }, listedCharges(wanted, now), {
        item: StaffPixChargeItem,
        render: (rows) =>
          nameCustomers(
            db,
            rows.map((row) => renderStaffCharge(row, now)),
          ),
      });
    },
  });
