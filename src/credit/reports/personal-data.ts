import { hashPhone } from '#customers';
import { sql } from '#platform/database/db.ts';
import { pluck } from '#platform/database/pluck.ts';
import { ERASED, type PersonalData, rowsOf } from '#platform/privacy/personal-data.ts';
import { eraseTrail } from '#platform/privacy/trail.ts';
import { FORGOTTEN, type OfferRow, resealOffers, sealPhone } from '../offers/store.ts';
import { resealContracts } from '../purchases/contract-store.ts';
import { creditStory } from './story.ts';

export const creditData: PersonalData = {
  story: creditStory,
  tables: {
    checkouts: {
      ...rowsOf(
        ({ id }) => sql`select * from checkouts where customer_id = ${id} order by purchased_at, hash`,
      ),
      // Purchases can reveal much about a person.
      async erase(tx, { id }) {
        const rows = await tx.rows<{ hash: string }>(sql`
          update checkouts set description = null where customer_id = ${id} returning hash`);
        await eraseTrail(tx, 'checkout', pluck(rows, 'hash'));
      },
    },
    contracts: {
      ...rowsOf(({ id }) => sql`select * from contracts where customer_id = ${id} order by checkout_hash`),
      erase: (tx, { id }) => tx.run(sql`delete from contracts where customer_id = ${id}`),
      reseal: resealContracts,
    },
    checkout_hashes: rowsOf(
      ({ id }) => sql`
        select h.* from checkouts c join checkout_hashes h on h.hash = c.hash where c.customer_id = ${id} order by h.hash`,
    ),
    installments: rowsOf(
      ({ id }) => sql`select * from installments where customer_id = ${id} order by checkout_hash, number`,
    ),
    returns: {
      ...rowsOf(({ id }) => sql`select * from returns where customer_id = ${id} order by position`),
      erase: (tx, { id }) => tx.run(sql`update returns set reason = ${ERASED} where customer_id = ${id}`),
    },
    waiting_returns: {
      ...rowsOf(
        ({ id }) => sql`select * from waiting_returns where customer_id = ${id} order by asked_at, id`,
      ),
      erase: (tx, { id }) =>
        tx.run(sql`
          update waiting_returns set reason = ${ERASED}, refusal = case when refusal is not null then ${ERASED} end
          where customer_id = ${id}`),
    },
    write_offs: {
      ...rowsOf(
        ({ id }) => sql`select * from write_offs where customer_id = ${id} order by written_off_at, id`,
      ),
      erase: (tx, { id }) => tx.run(sql`update write_offs set reason = ${ERASED} where customer_id = ${id}`),
    },
    receipts: rowsOf(({ id }) => sql`select * from receipts where customer_id = ${id} order by position`),
    offers: {
      async find(db, { id, phone }, vault) {
        const rows = await db.rows<OfferRow>(sql`
          select * from offers
          where phone_hash = ${hashPhone(vault, phone)} or phone_hash is null and customer_id = ${id}
          order by created_at, id`);
        return rows.map(({ phone_sealed, phone_hash, claim_sealed, token_hash, code_hash, ...plain }) => ({
          ...plain,
          phone: phone_hash && phone,
        }));
      },
      async erase(tx, { id: customerId, phone }, vault) {
        const claimed = await tx.rows<{ id: string }>(sql`
          update offers set description = null, items = '[]', return_url = null
          where phone_hash is null and customer_id = ${customerId} returning id`);
        const rows = await tx.rows<{ id: string }>(sql`
          update offers set phone_hash = ${FORGOTTEN}, description = null, items = '[]', return_url = null
          where phone_hash = ${hashPhone(vault, phone)} returning id`);
        for (const { id } of rows)
          await tx.run(
            sql`update offers set phone_sealed = ${sealPhone(vault, id, ERASED)} where id = ${id}`,
          );
        await eraseTrail(tx, 'offer', pluck([...claimed, ...rows], 'id'));
      },
      reseal: resealOffers,
    },
  },
  async owed(db, customerId) {
    const [open, excess, waiting] = await Promise.all([
      db.rows<Hash>(sql`select hash from checkouts where customer_id = ${customerId} and settled_at is null`),
      db.rows<Hash>(sql`
        select distinct checkout_hash as hash from receipts where customer_id = ${customerId} and excess_cents > 0`),
      db.rows<Hash>(sql`
        select distinct checkout_hash as hash from waiting_returns
        where customer_id = ${customerId} and status = 'waiting'`),
    ]);
    return [
      { code: 'purchases_open', en: 'Purchases are not paid yet.', pt: 'Há compras em aberto.', of: open },
      {
        code: 'overpaid',
        en: 'Money that was too much has not gone back yet.',
        pt: 'Há um valor pago a mais que ainda não foi devolvido.',
        of: excess,
      },
      {
        code: 'return_waiting',
        en: 'A return waits to be decided.',
        pt: 'Há uma devolução de compra esperando decisão.',
        of: waiting,
      },
    ].flatMap(({ of, ...owed }) => (of.length === 0 ? [] : [{ ...owed, checkouts: pluck(of, 'hash') }]));
  },
};

type Hash = { hash: string };
