import { maskName } from '#core/values/mask-name.ts';
import type { Deps } from '#module';
import { officeBaseUrl, officePort } from '#platform/config.ts';
import type { Queryable } from '#platform/database/db.ts';
import type { PasswordHashers } from '#platform/passwords/hashers.ts';
import type { AuditTrailRow } from '#platform/privacy/audit-trail.ts';
import { defineService } from '#platform/service.ts';
import { defineSettings, linkTemplate, type Mode, type SettingsOf } from '#platform/settings.ts';
import { listStaffNames } from './store.ts';

const INVITATION_PATH = '/convite/{token}';

export const staffSettings = defineSettings({
  /** Its origin is also the origin of passkeys. */
  inviteLink: {
    name: 'INVITE_LINK',
    description: {
      en: 'URL of an invitation to the back office, with `{token}`; its origin is also the origin of passkeys',
      pt: 'endereço aonde vai quem é convidado para a retaguarda, com `{token}`; a origem dele é a das chaves de acesso (passkeys)',
    },
    default: {
      label: `OFFICE_URL${INVITATION_PATH}`,
      derive: (read) =>
        `${read(officeBaseUrl) ?? `http://localhost:${read(officePort) || officePort.default}`}${INVITATION_PATH}`,
    },
    parse: linkTemplate(INVITATION_PATH),
  },
});

export type StaffSettings = SettingsOf<typeof staffSettings>;

export type StaffDeps = Pick<Deps, 'db' | 'clock' | 'vault'> &
  StaffSettings & {
    readonly mode: Mode;
    readonly hashers: PasswordHashers;
    readonly listMemberNames: ListNames | undefined;
  };

export const OPERATOR_PARTNER = 'Operator';

type ListNames = (db: Queryable, ids: readonly string[]) => Promise<ReadonlyMap<string, string>>;

/** Lists names of members of merchants, who can be actors in the audit trail too. */
export const merchantMemberNames = defineService<ListNames>('memberNames');

export async function renderAuditTrail(
  db: Queryable,
  rows: readonly AuditTrailRow[],
  listMemberNames?: ListNames,
) {
  const actors = rows.flatMap(({ actor, approved_by }) =>
    approved_by === null ? [actor] : [actor, approved_by],
  );
  const names = await listStaffNames(db, actors);
  const memberIds = actors.filter((actor) => actor.startsWith('mbr_'));
  for (const [id, name] of (await listMemberNames?.(db, memberIds)) ?? []) names.set(id, maskName(name));
  return rows.map(({ at, subject_kind, subject_id, ...row }) => ({
    ...row,
    at: at.toISOString(),
    actor_name: names.get(row.actor) ?? null,
    approved_by_name: names.get(row.approved_by ?? '') ?? null,
    subject: `${subject_kind}:${subject_id}`,
  }));
}
