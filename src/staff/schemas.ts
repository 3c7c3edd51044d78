import { Type } from 'typebox';
import { ROLES } from '#platform/http/access.ts';
import { Id, StrictObject, Text, TextField, TextOrNull, Timestamp } from '#platform/http/schemas.ts';

const role = Type.Enum([...ROLES], {
  description:
    'All roles may read; `viewer` may do nothing else. `content` changes the catalog (except plans) and leads; `support` ' +
    'changes customers (except limits) and assigns orphan payments; `risk` sets the credit policy, answers reviews and changes limits; ' +
    '`finance` changes plans, purchases, returns, refunds, payouts and cashback; `admin` may do everything.',
});

const invitationFields = {
  invite_url: TextField(
    'Page where the user sets e-mail, password and second factor. It is not returned again.',
    'https://office.semana.example/convite/7hK2…',
  ),
  invite_expires_at: Timestamp(),
};

export const InvitationLink = Type.Object(invitationFields, { $id: 'StaffInvited' });

export const StaffUser = Type.Object(
  {
    id: Id('stf', { description: 'The staff user.' }),
    name: Type.String({ examples: ['Marina Duarte'] }),
    role,
    email: TextOrNull({
      description: 'E-mail for signing in to the back office; null until the invitation is accepted.',
    }),
    created_at: Timestamp(),
    removed_at: TextOrNull({ format: 'date-time' }),
  },
  { $id: 'StaffMember' },
);

export const NewStaffUser = Type.Object(
  { ...StaffUser.properties, ...invitationFields },
  { $id: 'NewStaffMember' },
);

const keyFields = {
  id: Id('key', { description: 'The key.' }),
  label: Type.String({ examples: ['Fechamento do dia'] }),
  hint: TextField('The beginning and the end of the key.', 'semana_live_…9fT2'),
  created_at: Timestamp(),
  last_used_at: TextOrNull({ format: 'date-time', description: 'Accurate to the minute.' }),
};

export const StaffKey = Type.Object(keyFields, { $id: 'StaffKey' });

/** The only response that contains the key. */
export const NewStaffKey = Type.Object(
  {
    ...keyFields,
    key: TextField('The API key. It is not returned again.', 'semana_live_7hK2…'),
  },
  { $id: 'NewStaffKey' },
);

export const StaffKeyForm = StrictObject({
  label: Text(120, { description: 'What the key is for.', examples: ['Fechamento do dia'] }),
});

export const StaffUserForm = StrictObject({ name: Text(120, { examples: ['Marina Duarte'] }), role });

export const StaffUserPatch = StrictObject(
  { name: Type.Optional(Text(120)), role: Type.Optional(role) },
  { minProperties: 1, examples: [{ role: 'finance' }] },
);

export const staffUserResource = {
  params: Type.Object({ id: Id('stf', { description: 'The staff user.' }) }),
  notFound: { en: 'No staff user has this id.', pt: 'Ninguém da equipe tem este id.' },
};

export const AuditTrailEntry = Type.Object(
  {
    id: Type.Integer(),
    at: Timestamp(),
    actor: TextField(
      'Id of the staff user, customer or member, or `command line` and the user name on the machine.',
      'stf_01kfx3v9e2r4s6t8w0y2a4c6e8',
    ),
    actor_name: TextOrNull({
      description: 'Name of the staff user, or the masked name of a member of a merchant.',
    }),
    address: TextOrNull({ description: 'IP address of the request.' }),
    request_id: TextOrNull({ description: 'Request id, as in the logs.' }),
    action: TextField('Operation id of this document, or name of the command.', 'changeMerchant'),
    subject: TextField('Kind and id of the changed entity.', 'merchant:otica-lume'),
    before: Type.Unsafe<object | null>({ type: ['object', 'null'], description: 'Changed fields, before.' }),
    after: Type.Unsafe<object | null>({ type: ['object', 'null'], description: 'Changed fields, after.' }),
    reason: TextOrNull(),
    approved_by: TextOrNull({
      description: 'Id of the second staff user, if the action required an approval.',
    }),
    approved_by_name: TextOrNull(),
  },
  { $id: 'AuditTrailEntry' },
);
