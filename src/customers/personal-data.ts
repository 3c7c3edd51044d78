import type { Cpf } from '#core/cpf.ts';
import { type Queryable, sql, type Tx } from '#platform/database/db.ts';
import { ERASED, type Person, type PersonalData, rowsOf } from '#platform/privacy/personal-data.ts';
import type { Vault } from '#platform/vault.ts';
import { purgeChallengesOf } from './codes/store.ts';
import { hashPhone, NO_HASH, openIdentity, type SealedIdentity, sealIdentity } from './people.ts';
import { deletePhoneChanges, listPhoneChanges, resealPhones } from './phone-changes/store.ts';
import { customersStory } from './story.ts';

/** Not a CPF: the check digits agree, but eleven equal digits are not assigned. */
const NOBODYS_CPF = '00000000000' as Cpf;

export const customersData: PersonalData = {
  story: customersStory,
  tables: {
    customers: { find: openCustomer, erase: eraseCustomerRow },
    customer_phones: {
      async find(db, { phone, id }, vault) {
        const rows = await db.rows<{ customer_id: string }>(sql`
          select customer_id from customer_phones where phone_hash = ${hashPhone(vault, phone)} and customer_id = ${id}`);
        return rows.map((row) => ({ ...row, phone }));
      },
      erase: (tx, { phone, id }, vault) =>
        tx.run(sql`
          delete from customer_phones where phone_hash = ${hashPhone(vault, phone)} and customer_id = ${id}`),
    },
    customer_cpfs: {
      ...rowsOf(({ id }) => sql`select * from customer_cpfs where customer_id = ${id}`),
      erase: (tx, { id }) => tx.run(sql`delete from customer_cpfs where customer_id = ${id}`),
    },
    customer_referral_codes: {
      ...rowsOf(
        ({ id }) => sql`
        select * from customer_referral_codes where code = (select referral_code from customers where id = ${id})`,
      ),
      erase: (tx, { id }) =>
        tx.run(sql`
          delete from customer_referral_codes where code = (select referral_code from customers where id = ${id})`),
    },
    phone_changes: {
      find: (db, { id }) => listPhoneChanges(db, id),
      erase: (tx, { id }) => deletePhoneChanges(tx, id),
      reseal: resealPhones,
    },
    terms_acceptances: {
      ...rowsOf(
        ({ id }) => sql`select * from terms_acceptances where customer_id = ${id} order by accepted_at`,
      ),
      erase: (tx, { id }) =>
        tx.run(sql`update terms_acceptances set address = ${ERASED} where customer_id = ${id}`),
    },
    // They have ended by then, and are kept as long as nodes must know that.
    sessions: rowsOf(({ id }) => sql`select * from sessions where customer_id = ${id} order by created_at`),
    // Keyed hashes are not given out: only when somebody was there. Whoever is erased has none: all sessions have ended.
    known_addresses: rowsOf(
      ({ id }) => sql`select * from known_addresses where customer_id = ${id} order by seen_at`,
    ),
    customer_partners: rowsOf(({ id }) => sql`select * from customer_partners where customer_id = ${id}`),
    login_challenges: {
      ...rowsOf(
        ({ subjects }) =>
          sql`select id, expires_at, tries, used_at from login_challenges where subject = any(${subjects})`,
      ),
      async erase(tx, { subjects }) {
        for (const subject of subjects) await purgeChallengesOf(tx, subject);
      },
    },
  },
};

type Row = SealedIdentity & Record<string, unknown>;

async function openCustomer(db: Queryable, { id }: Person, vault: Vault): Promise<object[]> {
  const rows = await db.rows<Row>(sql`select * from customers where id = ${id}`);
  return rows.map((row) => {
    const { person_sealed, phone_hash, password_hash, search_tokens, ...plain } = row;
    return { ...plain, ...openIdentity(vault, row) };
  });
}

/** The row stays: the ledger refers to it. Its referral code is erased last, with `markErased`. */
async function eraseCustomerRow(tx: Tx, { id }: Person, vault: Vault): Promise<void> {
  const nobody = { name: ERASED, phone: ERASED, email: ERASED, cpf: NOBODYS_CPF, birth_date: null };
  await tx.run(sql`
    update customers set person_sealed = ${sealIdentity(vault, id, nobody)}, phone_hash = ${NO_HASH}, search_tokens = '{}',
      password_hash = null
    where id = ${id}`);
}
