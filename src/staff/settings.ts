import { officeBaseUrl, officePort } from '#platform/config.ts';
import { defineSettings, linkTemplate, type SettingsOf } from '#platform/settings.ts';

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
