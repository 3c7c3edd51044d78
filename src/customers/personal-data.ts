import type { Cpf } from '#core/cpf.ts';
import { type Queryable, sql, type Tx } from '#platform/db.ts';
import { ERASED, type Person, type PersonalData, rowsOf } from '#platform/personal-data.ts';
import type { Vault } from '#platform/vault.ts';
import { purgeChallengesOf } from './codes/store.ts';
import { openBirthDate, openCpf, sealPerson } from './create-customer.ts';
import type { SealedRow } from './store.ts';
import { customersStory } from './story.ts';

/** No CPF: its check digits agree, and eleven equal digits are nobody's. */
const NOBODYS_CPF = '00000000000' as Cpf;

export const customersData: PersonalData = {
  story: customersStory,
  tables: {
    customers: { find: openCustomer, erase: eraseCustomerRow },
    customer_phones: {
      ...rowsOf(({ phone }) => sql`select * from customer_phones where phone = ${phone}`),
      erase: (tx, { phone, id }) =>
        tx.run(sql`delete from customer_phones where phone = ${phone} and customer_id = ${id}`),
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
    terms_acceptances: {
      ...rowsOf(
        ({ id }) => sql`select * from terms_acceptances where customer_id = ${id} order by accepted_at`,
      ),
      erase: (tx, { id }) =>
        tx.run(sql`update terms_acceptances set address = ${ERASED} where customer_id = ${id}`),
    },
    // They have ended by then, and are kept for as long as nodes must know that.
    sessions: rowsOf(({ id }) => sql`select * from sessions where customer_id = ${id} order by created_at`),
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
    messages: {
      ...rowsOf(({ id }) => sql`select * from messages where customer_id = ${id} order by created_at`),
      erase: (tx, { id }) => tx.run(sql`delete from messages where customer_id = ${id}`),
    },
  },
};

type Row = SealedRow & Record<string, unknown>;

async function openCustomer(db: Queryable, { id }: Person, vault: Vault): Promise<object[]> {
  const rows = await db.rows<Row>(sql`select * from customers where id = ${id}`);
  return rows.map((row) => {
    const { cpf_sealed, cpf_key_version, birth_date_sealed, password_hash, name_tokens, ...plain } = row;
    return { ...plain, cpf: openCpf(vault, row), birth_date: openBirthDate(vault, row) ?? null };
  });
}

/** The row stays: the book belongs to it. Its referral code goes last, with `markErased`. */
async function eraseCustomerRow(tx: Tx, { id }: Person, vault: Vault): Promise<void> {
  const { cpf } = sealPerson(vault, id, { name: ERASED, cpf: NOBODYS_CPF });
  await tx.run(sql`
    update customers set name = ${ERASED}, name_tokens = '{}', phone = ${ERASED}, email = ${ERASED},
      cpf_sealed = ${cpf.bytes}, cpf_key_version = ${cpf.version}, birth_date_sealed = null, password_hash = null
    where id = ${id}`);
}
