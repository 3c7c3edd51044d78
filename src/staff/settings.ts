import { officeAddress, officePort } from '#platform/config.ts';
import { defineSettings, linkTo, type SettingsOf } from '#platform/settings.ts';

const INVITATION_PATH = '/convite/{token}';

export const staffSettings = defineSettings({
  /** Its origin is also the one passkeys belong to. */
  inviteLink: {
    name: 'INVITE_LINK',
    meaning: {
      en: 'where somebody who is invited to the back office goes, with `{token}`; its origin is that of passkeys',
      pt: 'endereço aonde vai quem é convidado para a retaguarda, com `{token}`; a origem dele é a das chaves de acesso (passkeys)',
    },
    default: {
      shown: `OFFICE_URL${INVITATION_PATH}`,
      from: (read) =>
        `${read(officeAddress) ?? `http://localhost:${read(officePort) || officePort.default}`}${INVITATION_PATH}`,
    },
    read: linkTo(INVITATION_PATH),
  },
});

export type StaffSettings = SettingsOf<typeof staffSettings>;
