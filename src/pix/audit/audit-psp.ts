import type { CustomerRange } from '#module';
import { sql, type Tx } from '#platform/database/db.ts';

/** Reports payments and authorisations that only the PSP has, and payments that are assigned twice. */
export async function auditPsp(tx: Tx, range: CustomerRange): Promise<string[]> {
  const discrepancies = (await listOpenDiscrepancies(tx, range)).map(({ charge_id, kind, end_to_end_id }) =>
    kind === 'paid_without_payment'
      ? `charge ${charge_id}: is paid at the PSP, and no payment of it was found`
      : `charge ${charge_id}: the PSP has a payment ${end_to_end_id} for it that cannot be parsed`,
  );
  const misplaced = (await listMisplacedPayments(tx, range)).map(({ end_to_end_id, is_orphan }) =>
    is_orphan
      ? `pix ${end_to_end_id}: is applied, and also an orphan`
      : `pix ${end_to_end_id}: is applied, and assigned to another charge`,
  );
  const live = (await listAuthorisationsLiveAtPsp(tx, range)).map(
    ({ id, status }) => `authorisation ${id}: is ${status}, and the PSP may still debit by it`,
  );
  return [...discrepancies, ...misplaced, ...live];
}

/** Lists authorisations that the PSP did not end when we requested it after their end here. */
const listAuthorisationsLiveAtPsp = (tx: Tx, { after, upTo }: CustomerRange) =>
  tx.rows<{ id: string; status: string }>(sql`
    select id, status from pix_authorisations
    where customer_id > ${after} and customer_id <= ${upTo} and ended_at is not null and removed_at is null
      and synced_at > ended_at
    order by id`);

const listOpenDiscrepancies = (tx: Tx, { after, upTo }: CustomerRange) =>
  tx.rows<{ charge_id: string; kind: string; end_to_end_id: string }>(sql`
    select d.charge_id, d.kind, d.end_to_end_id from pix_discrepancies d
    join pix_charges c on c.customer_id = d.customer_id and c.id = d.charge_id
    where d.customer_id > ${after} and d.customer_id <= ${upTo} and d.resolved_at is null
      and (d.kind = 'unreadable_payment' or (d.kind = 'paid_without_payment' and c.status <> 'paid'))
    order by d.charge_id, d.kind, d.end_to_end_id`);

const listMisplacedPayments = (tx: Tx, { after, upTo }: CustomerRange) =>
  tx.rows<{ end_to_end_id: string; is_orphan: boolean }>(sql`
    select p.end_to_end_id, o.end_to_end_id is not null as is_orphan from pix_payments p
    left join pix_end_to_end_ids i on i.end_to_end_id = p.end_to_end_id
    left join pix_orphans o on o.end_to_end_id = p.end_to_end_id
    where p.customer_id > ${after} and p.customer_id <= ${upTo}
      and (o.end_to_end_id is not null or (i.charge_id is not distinct from p.charge_id) <> (p.moved_at is null))
    order by p.end_to_end_id`);
