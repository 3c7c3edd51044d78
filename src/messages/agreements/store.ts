import { type Queryable, sql, type Tx } from '#platform/database/db.ts';
import { defineList, filterBy } from '#platform/http/list.ts';
import { type AGREEMENT_KINDS, agreementKind } from './schemas.ts';

export type AgreementKind = (typeof AGREEMENT_KINDS)[number];
export type Section = { title: string; text: string };

export type AgreementRow = {
  kind: AgreementKind;
  version: string;
  sections: Section[];
  published_by: string;
  published_at: Date;
};

export const findNewestAgreement = (db: Queryable, kind: AgreementKind) =>
  db.row<AgreementRow>(sql`
    select kind, version, sections, published_by, published_at from agreements
    where kind = ${kind} order by published_at desc, version desc limit 1`);

export const agreementList = defineList({
  select: sql`select kind, version, sections, published_by, published_at from agreements`,
  filters: { kind: filterBy(agreementKind, sql`kind`) },
  orderBy: [sql`published_at`, sql`kind`, sql`version`],
  keyOf: (row: AgreementRow) => [row.published_at, row.kind, row.version],
});

export async function insertAgreement(tx: Tx, { kind, version, ...row }: AgreementRow): Promise<boolean> {
  const inserted = await tx.run(sql`
    insert into agreements (kind, version, sections, published_by, published_at)
    values (${kind}, ${version}, ${JSON.stringify(row.sections)}, ${row.published_by}, ${row.published_at})
    on conflict do nothing`);
  return inserted === 1;
}
