import { Type } from 'typebox';
import { ROLES } from '#platform/http/access.ts';
import { Form, Id, Text, TextOrNull, Timestamp } from '#platform/http/schemas.ts';

const role = Type.Enum([...ROLES], {
  description:
    '`viewer` reads; `content` also changes catalog and leads; `support` also customers, but not limits; `finance` also ' +
    'limits, purchases, returns, refunds, payouts; `admin` everything.',
});

const invitation = {
  invite_url: Type.String({
    description: 'Where the person chooses e-mail, password and second factor. It is not shown again.',
    examples: ['https://office.semana.example/convite/7hK2…'],
  }),
  invite_expires_at: Timestamp(),
};

export const Invited = Type.Object(invitation, { $id: 'StaffInvited' });

export const Member = Type.Object(
  {
    id: Id('stf', { description: 'The person.' }),
    name: Type.String({ examples: ['Marina Duarte'] }),
    role,
    email: TextOrNull({ description: 'What they sign in with at the back office; null: not yet.' }),
    created_at: Timestamp(),
    removed_at: TextOrNull({ format: 'date-time' }),
  },
  { $id: 'StaffMember' },
);

/** The only answer that shows the key. */
export const NewMember = Type.Object(
  {
    ...Member.properties,
    key: Type.String({ description: 'The key. It is not shown again.', examples: ['semana_live_7hK2…'] }),
    ...invitation,
  },
  { $id: 'NewStaffMember' },
);

export const MemberForm = Form({ name: Text(120, { examples: ['Marina Duarte'] }), role });

export const MemberChange = Form(
  { name: Type.Optional(Text(120)), role: Type.Optional(role) },
  { minProperties: 1, examples: [{ role: 'finance' }] },
);

/** Of the endpoints of one person. */
export const ofMember = {
  params: Type.Object({ id: Id('stf', { description: 'The person.' }) }),
  notFound: { en: 'No person has this id.', pt: 'Ninguém da equipe tem este id.' },
};

export const TrailEntry = Type.Object(
  {
    id: Type.Integer(),
    at: Timestamp(),
    actor: Type.String({
      description: 'Id of the person, or `command line` and the account on the machine.',
      examples: ['stf_01kfx3v9e2r4s6t8w0y2a4c6e8'],
    }),
    actor_name: TextOrNull({
      description: 'What the person is called; a member of a merchant with initials.',
    }),
    address: TextOrNull({ description: 'Where it came from.' }),
    request_id: TextOrNull({ description: 'The request, as in our logs.' }),
    action: Type.String({
      description: 'The operation of this document, or the words of the command.',
      examples: ['changeMerchant'],
    }),
    subject: Type.String({ description: 'What was changed.', examples: ['merchant:otica-lume'] }),
    before: Type.Unsafe<object | null>({ type: ['object', 'null'], description: 'What differed, before.' }),
    after: Type.Unsafe<object | null>({ type: ['object', 'null'], description: 'What differs, after.' }),
    reason: TextOrNull(),
  },
  { $id: 'AuditTrailEntry' },
);
