import { type Queryable, sql, type Tx } from '#platform/database/db.ts';
import { ERASED, type Person, type PersonalData, rowsOf } from '#platform/privacy/personal-data.ts';
import { eraseTrail } from '#platform/privacy/trail.ts';
import type { Vault } from '#platform/vault.ts';
import { entriesOf } from '../payments/callback-notice.ts';
import { listNoticesAfter, listPspNames, lockErasure, updateNotice } from '../store/notices.ts';
import { pixStory } from './story.ts';

export const pixData: PersonalData = {
  story: pixStory,
  tables: {
    pix_charges: rowsOf(
      ({ id }) => sql`select * from pix_charges where customer_id = ${id} order by created_at, id`,
    ),
    pix_authorisations: {
      ...rowsOf(
        ({ id }) => sql`select * from pix_authorisations where customer_id = ${id} order by created_at, id`,
      ),
      /** A pending authorisation ends: the PSP identifies the payer by it. */
      erase: (tx, { id }) =>
        tx.run(sql`
          update pix_authorisations set status = 'ended', ended_by = 'service', reason = 'erased', ended_at = created_at
          where customer_id = ${id} and status in ('creating', 'pending', 'active')`),
    },
    pix_recurrences: rowsOf(
      ({ id }) => sql`
        select r.* from pix_authorisations a join pix_recurrences r on r.rec_id = a.rec_id
        where a.customer_id = ${id} order by r.rec_id`,
    ),
    pix_debits: rowsOf(
      ({ id }) => sql`select * from pix_debits where customer_id = ${id} order by due_on, charge_id`,
    ),
    pix_payments: rowsOf(
      ({ id }) => sql`select * from pix_payments where customer_id = ${id} order by paid_at`,
    ),
    pix_refunds: rowsOf(
      ({ id }) => sql`select * from pix_refunds where customer_id = ${id} order by created_at, id`,
    ),
    pix_moves: {
      ...rowsOf(({ id }) => sql`select * from pix_moves where customer_id = ${id} order by position`),
      // The other side has the same reason, and may be another customer's.
      async erase(tx, { id }) {
        const rows = await tx.rows<{ id: string; end_to_end_id: string }>(
          sql`select id, end_to_end_id from pix_moves where customer_id = ${id}`,
        );
        await tx.run(
          sql`update pix_moves set reason = ${ERASED} where id = any(${rows.map((row) => row.id)})`,
        );
        await eraseTrail(
          tx,
          'pix_payment',
          rows.map((row) => row.end_to_end_id),
        );
      },
    },
    pix_discrepancies: rowsOf(
      ({ id }) => sql`select * from pix_discrepancies where customer_id = ${id} order by found_at`,
    ),
    pix_txids: rowsOf(
      ({ id }) => sql`
        select t.* from pix_charges c join pix_txids t on t.txid = lower(c.txid)
        where c.customer_id = ${id} order by t.txid`,
    ),
    pix_end_to_end_ids: rowsOf(
      ({ id }) => sql`
        select e.* from pix_payments p join pix_end_to_end_ids e on e.end_to_end_id = p.end_to_end_id
        where p.customer_id = ${id} order by e.end_to_end_id`,
    ),
    pix_notices: {
      async find(db, person, vault) {
        const found: object[] = [];
        for await (const { notice, entries, isTheirs } of noticesOf(db, person, vault))
          found.push({ id: notice.id, received_at: notice.received_at, pix: entries.filter(isTheirs) });
        return found;
      },
      /** Of their payments only the PSP's and our ids are left. */
      async erase(tx, person, vault) {
        await lockErasure(tx);
        for await (const { notice, entries, isTheirs } of noticesOf(tx, person, vault)) {
          const pix = entries.map((entry) => (isTheirs(entry) ? namesOf(entry) : entry));
          await updateNotice(tx as Tx, notice.id, vault.seal(JSON.stringify({ pix }), notice.id));
        }
      },
    },
  },
  async owed(db, customerId) {
    const open = await db.rows<{ id: string }>(sql`
      select id from pix_refunds where customer_id = ${customerId}
        and (status in ('asked', 'processing') or stranded_cents > 0)`);
    if (open.length === 0) return [];
    return [
      {
        code: 'refund_under_way',
        en: 'A refund is under way, or needs a person.',
        pt: 'Há uma devolução em andamento ou que precisa de atenção.',
        refunds: open.map(({ id }) => id),
      },
    ];
  },
};

type Entry = Record<string, unknown>;

/**
 * The PSP's notices about a person's payments. Notices are encrypted, and found by decrypting all since the first charge: some
 * thousands per second. One that cannot be parsed and contains one of their ids counts as theirs, whole.
 */
async function* noticesOf(db: Queryable, { id }: Person, vault: Vault) {
  const { names, since } = await listPspNames(db, id);
  if (since === null) return;
  const isTheirs = (entry: Entry) =>
    [entry.txid, entry.endToEndId, entry.idRec].some(
      (name) => typeof name === 'string' && names.has(name.toLowerCase()),
    );
  const mentions = (text: string) => {
    const lower = text.toLowerCase();
    return [...names].some((name) => lower.includes(name));
  };
  let after = { received_at: since, id: '' };
  for (;;) {
    const batch = await listNoticesAfter(db, after);
    for (const notice of batch) {
      const text = vault.open({ bytes: notice.sealed, version: notice.key_version }, notice.id);
      if (mentions(text)) {
        const entries = (entriesOf(text) ?? []).filter(isEntry);
        if (entries.some(isTheirs)) yield { notice, entries, isTheirs };
        else yield { notice, entries: [{ text }], isTheirs: () => true };
      }
    }
    if (batch.length === 0) return;
    after = batch.at(-1)!;
  }
}

const isEntry = (value: unknown): value is Entry => typeof value === 'object' && value !== null;

const namesOf = ({ txid, endToEndId, idRec }: Entry) => ({ txid, endToEndId, idRec, [ERASED]: true });
