import { type Queryable, sql, type Tx } from '#platform/database/db.ts';
import { type Listing, onDays } from '#platform/http/listing.ts';

export const AGREEMENT_KINDS = ['terms', 'privacy'] as const;
export type AgreementKind = (typeof AGREEMENT_KINDS)[number];
export type Section = { title: string; text: string };

export type AgreementRow = {
  kind: AgreementKind;
  version: string;
  sections: Section[];
  published_by: string;
  published_at: Date;
};

/** The newest; undefined until one is published. */
export const findNewestAgreement = (db: Queryable, kind: AgreementKind) =>
  db.row<AgreementRow>(sql`
    select kind, version, sections, published_by, published_at from agreements
    where kind = ${kind} order by published_at desc, version desc limit 1`);

export const listedAgreements = (
  kind: AgreementKind | undefined,
  days: Parameters<typeof onDays>[1] = {},
): Listing<AgreementRow> => ({
  of: sql`select kind, version, sections, published_by, published_at from agreements`,
  where: [...(kind === undefined ? [] : [sql`kind = ${kind}`]), ...onDays(sql`published_at`, days)],
  by: [sql`published_at`, sql`kind`, sql`version`],
  keyOf: (row) => [row.published_at, row.kind, row.version],
});

/** False when the version is taken. */
export async function insertAgreement(tx: Tx, { kind, version, ...row }: AgreementRow): Promise<boolean> {
  const written = await tx.run(sql`
    insert into agreements (kind, version, sections, published_by, published_at)
    values (${kind}, ${version}, ${JSON.stringify(row.sections)}, ${row.published_by}, ${row.published_at})
    on conflict do nothing`);
  return written === 1;
}
