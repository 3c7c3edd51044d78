import { officeAddress, officePort } from '#platform/config.ts';
import { defineSettings, linkTo, type SettingsOf } from '#platform/settings.ts';

const PAGE = '/convite/{token}';

export const staffSettings = defineSettings({
  /** Its origin is also the one passkeys belong to. */
  inviteLink: {
    name: 'INVITE_LINK',
    meaning:
      'where somebody who is invited to the back office goes, with `{token}`; its origin is that of passkeys',
    default: {
      shown: `OFFICE_URL${PAGE}`,
      from: (read) =>
        `${read(officeAddress) ?? `http://localhost:${read(officePort) || officePort.default}`}${PAGE}`,
    },
    read: linkTo(PAGE),
  },
});

export type StaffSettings = SettingsOf<typeof staffSettings>;
