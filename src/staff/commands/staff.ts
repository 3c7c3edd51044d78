import { type Command, CommandError, UsageError } from '#platform/command-line/command.ts';
import { ROLES } from '#platform/http/access.ts';
import { isText } from '#platform/http/formats.ts';
import { createCommandAuditContext, withAuditedResult } from '#platform/privacy/audit-trail.ts';
import type { StaffSettings } from '../settings.ts';
import { createInvitation } from '../sign-in/sign-in.ts';
import { addOwnKey, addStaffUser, staffUserAuditEntity } from '../staff-users.ts';

// These commands use the database directly: the first admin must exist before anyone can sign in to the staff API.

const MAX_NAME_LENGTH = 120;

export const staffAdd = (settings: () => StaffSettings): Command => ({
  name: 'staff add',
  summary: 'add a staff user and print their API key once',
  options: {
    name: { value: 'TEXT', help: 'name of the staff user', required: true },
    role: { value: 'ROLE', help: ROLES.join(', '), required: true, choices: ROLES },
  },
  details: 'Prints the key to standard output. The first user of a new installation must be an admin.',
  examples: ['semana staff add --name "Marina Duarte" --role admin'],
  async run(context, args) {
    const { db, config, print, printError } = context;
    const name = args.getRequired('name').trim();
    if (!isText(name) || name.length > MAX_NAME_LENGTH)
      throw new UsageError(`--name has 1 to ${MAX_NAME_LENGTH} characters.`);
    const role = ROLES.find((knownRole) => knownRole === args.getRequired('role'));
    if (!role) throw new UsageError(`The role must be one of ${ROLES.join(', ')}.`);
    const auditContext = createCommandAuditContext(context, 'staff add');
    const { user, key } = await db.transaction(async (tx) => {
      const invitationDeps = { vault: db.vault, ...settings() };
      const addedUser = await addStaffUser(tx, { name, role }, invitationDeps, auditContext);
      const keyContext = { auditContext, mode: config.mode };
      const issuedKey = await addOwnKey(tx, addedUser.id, { label: name }, keyContext);
      return { user: addedUser, key: issuedKey.key };
    });
    printError(
      `Added ${user.name} as ${user.role}, id ${user.id}. Store the key now: it is not shown again.`,
    );
    printError(`Invitation to the back office (valid once, for 48 hours): ${user.invite_url}`);
    print(key);
  },
});

export const staffReset = (settings: () => StaffSettings): Command => ({
  name: 'staff reset',
  summary: 'reset the password and second factors of a staff user, and invite them again',
  positionals: [{ name: 'ID', help: "id of the staff user, see 'semana staff list'" }],
  details:
    'Revokes the password, second factors and sessions; API keys stay valid. Prints the URL of the invitation, which works once, for 48 hours.',
  examples: ['semana staff reset stf_01kfx3v9e2r4s6t8w0y2a4c6e8'],
  async run(context, { positionals: [id = ''] }) {
    const { db, print, printError } = context;
    const auditContext = createCommandAuditContext(context, 'staff reset');
    const invitationDeps = { vault: db.vault, ...settings() };
    const resetUser = await db.transaction((tx) =>
      withAuditedResult(tx, auditContext, { entity: staffUserAuditEntity, id }, (before) => {
        if (before.removed_at !== null) throw new CommandError(`${id} was removed.`);
        const { actor, now } = auditContext;
        return createInvitation(tx, invitationDeps, id, { invitedBy: actor.id, now });
      }),
    );
    if (!resetUser) throw new CommandError(`There is no staff user ${id}. See 'semana staff list'.`);
    printError(`The password, second factors and sessions of ${resetUser.after.name} are revoked.`);
    print(resetUser.result.invite_url);
  },
});
