import { ERASED_PHONE_HASH, hashPhone } from '#customers';
import { sql } from '#platform/database/db.ts';
import { ERASED, type PersonalData } from '#platform/privacy/personal-data.ts';
import { definePersonalTables } from '#platform/privacy/personal-tables.ts';
import { renderMember } from './members.ts';
import { type MemberRow, memberColumns } from './store.ts';

/** Members are found by phone, because a member need not be a customer. */
export const membersData: PersonalData = {
  tables: definePersonalTables({
    // Only removed members are erased. An active member must first be removed by the merchant or the operator.
    members: {
      where: ({ phone }, vault) => sql`phone_hash = ${hashPhone(vault, phone)}`,
      orderBy: 'created_at',
      columns: memberColumns,
      key: ['id'],
      render: (row, vault) => renderMember(vault, row as MemberRow),
      eraseWhere: ({ phone }, vault) =>
        sql`phone_hash = ${hashPhone(vault, phone)} and removed_at is not null`,
      erase: { person_sealed: ERASED, phone_hash: ERASED_PHONE_HASH },
      auditTrail: { kind: 'member', idColumn: 'id' },
      rehash: (vault, { phone, phone_hash }) =>
        (phone_hash as Buffer).equals(ERASED_PHONE_HASH)
          ? {}
          : { phone_hash: hashPhone(vault, phone as string) },
    },
    member_sessions: {
      where: ({ phone }, vault) =>
        sql`member_id in (select id from members where phone_hash = ${hashPhone(vault, phone)})`,
      orderBy: 'created_at',
    },
  }),
};
